/* trace.c - plays out a plan: lanes load, blocks fold, further stages fold the partials. */
#include "trace.h"

#include "op.h"
#include "trace_block.h"
#include "trace_item.h"

/* A stage's input is the array (stage 1) or the partials of the stage before. */
typedef struct trace_stage {
    tally_plan plan;
    uint64_t n;
    const tally_array *x;       /* stage 1, else NULL */
    const tally_item *partials; /* later stages */
    uint64_t n_written;         /* of the partials; a fault may read on behind them */
} trace_stage;

/* ---- scratch memory: items first, as they are aligned most ---- */

static uint64_t partials_room(const tally_plan *plan)
{
    return plan->blocks + plan->block; /* a fault reads up to a block too far */
}

uint64_t tally_trace_scratch(const tally_plan *plan, uint64_t n)
{
    const trace_block *b = NULL;
    uint64_t lane = 3 * sizeof *b->lane + sizeof *b->n_elements + sizeof *b->source +
                    sizeof *b->slot + sizeof *b->role + sizeof *b->gone;
    (void)n; /* the plan has its blocks */
    return partials_room(plan) * sizeof(tally_item) + plan->block * lane;
}

/* Points the block's arrays into memory behind the partials. */
static void place_arrays(trace_block *b, uint32_t n_lanes, tally_item *items)
{
    b->lane = items;
    b->before = b->lane + n_lanes;
    b->shared = b->before + n_lanes;
    b->n_elements = (uint64_t *)(b->shared + n_lanes);
    b->source = (int32_t *)(b->n_elements + n_lanes);
    b->slot = b->source + n_lanes;
    b->role = (uint8_t *)(b->slot + n_lanes);
    b->gone = b->role + n_lanes;
}

/* ---- a stage ---- */

/* Every lane accumulates its elements, in ascending order, from the identity. */
static void load(trace_block *b, const trace_stage *stage)
{
    tally_op op = b->options->op;
    trace_event event = {
        .step = TRACE_LOAD, .after = b->lane, .role = b->role, .n_elements = b->n_elements};
    for (uint32_t t = 0; t < b->n_lanes; t++) {
        uint64_t count = tally_plan_count(&stage->plan, stage->n, b->block, t);
        b->n_elements[t] = count;
        b->gone[t] = count == 0 && tally_trace_faulty(b, FAULT_EARLY_EXIT);
        b->role[t] = b->gone[t] ? TRACE_GONE : count > 0 ? TRACE_ACTIVE : TRACE_PADDED;
        b->lane[t] = b->gone[t] ? b->unwritten : b->identity;
        for (uint64_t turn = 0; turn < count; turn++) {
            uint64_t index = tally_plan_index(&stage->plan, b->block, t, turn);
            if (stage->x) {
                tally_trace_take(op, b->kind, stage->x, index, &b->lane[t]);
                continue;
            }
            tally_trace_combine(op, b->kind, &b->lane[t], &stage->partials[index]);
            if (index >= stage->n_written) {
                event.trouble = &tally_troubles[TROUBLE_STALE_PARTIAL];
            }
        }
    }
    tally_trace_tell(b, &event);
}

/* Lane 0 hands over the block's partial. */
static void hand_over(trace_block *b, const tally_item *from, tally_item *partial)
{
    trace_event event = {.step = TRACE_PARTIAL, .after = partial, .role = b->role};
    for (uint32_t t = 0; t < b->n_lanes; t++) {
        b->role[t] = b->gone[t] ? TRACE_GONE : t == 0 ? TRACE_ACTIVE : TRACE_IDLE;
    }
    if (b->gone[0]) {
        event.trouble = &tally_troubles[TROUBLE_NO_PARTIAL];
    }
    *partial = b->gone[0] ? b->unwritten : *from;
    tally_trace_tell(b, &event);
}

/* Whether a block leaves the identity, which is all that lanes without elements combine: lane 0 has
 * none, so no lane has. With nobody to tell, and no fault, there is nothing else to do. */
static bool leaves_identity(const trace_block *b, const trace_stage *stage)
{
    return !b->options->visit && b->options->fault == FAULT_NONE &&
           tally_plan_count(&stage->plan, stage->n, b->block, 0) == 0;
}

static void run_stage(trace_block *b, const trace_stage *stage, tally_item *partials)
{
    b->n_lanes = stage->plan.block;
    for (b->block = 0; b->block < stage->plan.blocks; b->block++) {
        if (leaves_identity(b, stage)) {
            partials[b->block] = b->identity;
            continue;
        }
        load(b, stage);
        const tally_item *folded =
            stage->plan.shape == TALLY_SHAPE_HALVING ? tally_trace_halving(b) : tally_trace_wave(b);
        hand_over(b, folded, &partials[b->block]);
    }
}

/* The stage after one that left n partials. */
static trace_stage next_stage(const trace_block *b, const tally_plan *plan, tally_item *partials,
                              uint64_t n)
{
    trace_stage stage = {.n = n, .partials = partials, .n_written = n};
    tally_plan_next(plan, b->stage, n, &stage.plan);
    if (b->options->fault == FAULT_STALE_PARTIALS && b->stage == 2) {
        uint64_t lanes = stage.plan.block;
        stage.n = (n / lanes + 1) * lanes;
        if (stage.plan.assign == TALLY_ASSIGN_CONTIGUOUS) {
            stage.plan.blocks = stage.n / lanes;
        }
        for (uint64_t i = n; i < stage.n; i++) {
            partials[i] = b->unwritten;
        }
    }
    return stage;
}

/* ---- the whole ---- */

/* Atomics, played in block order. A block whose lane 0 has left adds nothing. */
static tally_item add_atomically(const trace_block *b, const tally_item *partials, uint64_t n,
                                 const trace_stage *stage)
{
    tally_item sum = b->identity;
    for (uint64_t i = 0; i < n; i++) {
        if (b->options->fault != FAULT_EARLY_EXIT ||
            tally_plan_count(&stage->plan, stage->n, i, 0) > 0) {
            tally_trace_combine(b->options->op, b->kind, &sum, &partials[i]);
        }
    }
    return sum;
}

static tally_item run_stages(trace_block *b, const trace_stage *first, tally_item *partials)
{
    trace_stage stage = *first;
    uint64_t n = stage.plan.blocks;
    run_stage(b, &stage, partials);
    if (n == 0) {
        return b->identity;
    }
    if (stage.plan.final == TALLY_FINAL_ATOMIC) {
        return add_atomically(b, partials, n, &stage);
    }
    while (b->stage < first->plan.stages) {
        b->stage++;
        b->on_host = first->plan.final == TALLY_FINAL_HOST && b->stage == first->plan.stages;
        stage = next_stage(b, &first->plan, partials, n);
        /* in place: a block's partial takes the place of one that it or an earlier block has read
         */
        run_stage(b, &stage, partials);
        n = stage.plan.blocks;
    }
    return partials[0];
}

tally_status tally_trace_run(const trace_options *options, const tally_plan *plan,
                             const tally_array *x, void *scratch, tally_item *result)
{
    trace_block b = {.options = options, .stage = 1, .n_lanes = 1};
    trace_event event = {.step = TRACE_RESULT, .after = result};
    const op_row *op = tally_op_find(options->op);
    if (!op || !op->tree || !tally_item_kind(x->type, &b.kind) ||
        tally_fault_misfit(options->fault, plan, options->wave)) {
        return TALLY_ERR_UNSUPPORTED;
    }
    b.identity = tally_trace_identity(options->op, b.kind);
    b.unwritten = tally_trace_unwritten(b.kind, options->poison);
    *result = b.identity;
    if (x->n > 0) {
        trace_stage stage = {.plan = *plan, .n = x->n, .x = x};
        tally_item *partials = scratch;
        place_arrays(&b, plan->block, partials + partials_room(plan));
        if (options->fault == FAULT_FLOOR_BLOCKS) {
            stage.plan.blocks = x->n / plan->block;
            if (x->n % plan->block != 0) {
                event.trouble = &tally_troubles[TROUBLE_LOST_TAIL];
            }
        }
        *result = run_stages(&b, &stage, partials);
    }
    b.block = 0;
    b.n_lanes = 1;
    tally_trace_tell(&b, &event);
    return TALLY_OK;
}
