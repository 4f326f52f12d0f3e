/* trace_block.c - the two shapes in which a block folds its lanes, right and with faults. */
#include "trace_block.h"

#include "trace_item.h"

void tally_trace_tell(const trace_block *b, trace_event *event)
{
    if (b->options->visit) {
        event->stage = b->stage;
        event->block = b->block;
        event->n_lanes = b->n_lanes;
        b->options->visit(b->options->user, event);
    }
}

bool tally_trace_faulty(const trace_block *b, tally_fault fault)
{
    return !b->on_host && b->options->fault == fault;
}

static void copy_items(tally_item *to, const tally_item *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = from[i];
    }
}

/* The role of a lane that takes no part in a step. */
static uint8_t bystander(const trace_block *b, uint32_t t)
{
    return b->gone[t] ? TRACE_GONE : TRACE_IDLE;
}

/* Nobody has a source, a slot or a part; steps then name those who have. */
static void clear_roles(trace_block *b)
{
    for (uint32_t t = 0; t < b->n_lanes; t++) {
        b->role[t] = bystander(b, t);
        b->source[t] = -1;
        b->slot[t] = -1;
    }
}

static void forget_shared(trace_block *b)
{
    for (uint32_t i = 0; i < b->n_lanes; i++) {
        b->shared[i] = b->unwritten;
    }
}

static void barrier(trace_block *b, uint32_t n_slots)
{
    trace_event event = {.step = TRACE_BARRIER, .n_slots = n_slots, .after = b->shared};
    clear_roles(b);
    for (uint32_t t = 0; t < b->n_lanes; t++) {
        if (!b->gone[t]) {
            b->role[t] = TRACE_ACTIVE;
            event.arrived++;
        }
    }
    if (event.arrived < b->n_lanes) {
        event.trouble = &tally_troubles[TROUBLE_NEVER_ARRIVES];
    }
    event.role = b->role;
    tally_trace_tell(b, &event);
}

/* ---- wave: lane exchange in groups, then over the groups ---- */

/* One tree among groups of "width" lanes, of which lanes 0...lanes - 1 of the block take part. */
typedef struct wave_tree {
    uint32_t number; /* 1 or 2 */
    uint32_t lanes;
    uint32_t width;
} wave_tree;

/* What is wrong with a mask of all lanes of a wave, or NULL. */
static const trace_trouble *mask_trouble(const trace_block *b, wave_tree tree)
{
    bool wide = b->options->wave == 64;
    if (tree.lanes >= (wide ? 64 : 32)) {
        return NULL;
    }
    return wide ? &tally_troubles[TROUBLE_MASK_64] : &tally_troubles[TROUBLE_MASK_32];
}

static void exchange(trace_block *b, wave_tree tree, uint32_t offset, uint32_t n_slots)
{
    trace_event event = {.step = TRACE_ROUND,
                         .n_slots = n_slots,
                         .tree = tree.number,
                         .distance = offset,
                         .before = b->before,
                         .after = b->lane,
                         .source = b->source,
                         .role = b->role};
    clear_roles(b);
    copy_items(b->before, b->lane, b->n_lanes);
    for (uint32_t t = 0; t < tree.lanes; t++) {
        if (b->gone[t]) {
            continue;
        }
        bool inside = t % tree.width + offset < tree.width;
        uint32_t source = inside ? t + offset : t;
        const tally_item *got = &b->before[source];
        if (b->gone[source]) {
            got = &b->unwritten;
            event.trouble = &tally_troubles[TROUBLE_GONE_REGISTER];
        }
        b->role[t] = inside ? TRACE_ACTIVE : TRACE_OWN;
        b->source[t] = (int32_t)source;
        tally_trace_combine(b->options->op, b->kind, &b->lane[t], got);
    }
    if (tally_trace_faulty(b, FAULT_WRONG_MASK)) {
        event.trouble = mask_trouble(b, tree);
    }
    tally_trace_tell(b, &event);
}

static void exchange_all(trace_block *b, wave_tree tree, uint32_t n_slots)
{
    for (uint32_t offset = tree.width / 2; offset > 0; offset /= 2) {
        exchange(b, tree, offset, n_slots);
    }
}

/* Lane 0 of groups first...end - 1 writes its group's slot. */
static void write_slots(trace_block *b, uint32_t width, uint32_t first, uint32_t end,
                        uint32_t n_slots, const trace_trouble *trouble)
{
    trace_event event = {.step = TRACE_WRITE,
                         .n_slots = n_slots,
                         .after = b->shared,
                         .slot = b->slot,
                         .role = b->role,
                         .trouble = trouble};
    clear_roles(b);
    for (uint32_t group = first; group < end; group++) {
        uint32_t t = group * width;
        if (b->gone[t]) {
            event.trouble = &tally_troubles[TROUBLE_GONE_SLOT];
            continue;
        }
        b->role[t] = TRACE_ACTIVE;
        b->slot[t] = (int32_t)group;
        b->shared[group] = b->lane[t];
    }
    tally_trace_tell(b, &event);
}

/* The second tree's lanes read their slots; those without one hold the identity. */
static void read_slots(trace_block *b, uint32_t readers, uint32_t n_slots,
                       const trace_trouble *trouble)
{
    trace_event event = {.step = TRACE_READ,
                         .n_slots = n_slots,
                         .after = b->lane,
                         .slot = b->slot,
                         .role = b->role,
                         .trouble = trouble};
    clear_roles(b);
    for (uint32_t t = 0; t < readers; t++) {
        if (b->gone[t]) {
            continue;
        }
        b->role[t] = t < n_slots ? TRACE_ACTIVE : TRACE_PADDED;
        b->slot[t] = t < n_slots ? (int32_t)t : -1;
        b->lane[t] = t < n_slots ? b->shared[t] : b->identity;
    }
    tally_trace_tell(b, &event);
}

const tally_item *tally_trace_wave(trace_block *b)
{
    const uint32_t width = b->n_lanes < PLAN_GROUP ? b->n_lanes : PLAN_GROUP;
    const uint32_t groups = b->n_lanes / width; /* both are powers of two */
    wave_tree first = {1, b->n_lanes, width}, second = {2, width, width};
    if (tally_trace_faulty(b, FAULT_WRONG_MASK) && b->n_lanes > PLAN_GROUP) {
        /* only as many lanes as there are slots enter the branch, and name a whole wave */
        second.lanes = second.width = groups;
    }
    forget_shared(b);
    exchange_all(b, first, groups);
    if (tally_trace_faulty(b, FAULT_NO_BARRIER) && groups > 1) {
        /* played out at its worst: the first group is done before another one has written */
        write_slots(b, width, 0, 1, groups, NULL);
        read_slots(b, second.lanes, groups, &tally_troubles[TROUBLE_TOO_EARLY]);
        write_slots(b, width, 1, groups, groups, &tally_troubles[TROUBLE_TOO_LATE]);
    } else {
        write_slots(b, width, 0, groups, groups, NULL);
        if (!tally_trace_faulty(b, FAULT_NO_BARRIER)) {
            barrier(b, groups);
        }
        read_slots(b, second.lanes, groups, NULL);
    }
    exchange_all(b, second, groups);
    return b->lane;
}

/* ---- halving: shared memory, half as many values in every round ---- */

static void store_all(trace_block *b)
{
    trace_event event = {.step = TRACE_WRITE,
                         .n_slots = b->n_lanes,
                         .after = b->shared,
                         .slot = b->slot,
                         .role = b->role};
    clear_roles(b);
    for (uint32_t t = 0; t < b->n_lanes; t++) {
        if (b->gone[t]) {
            event.trouble = &tally_troubles[TROUBLE_GONE_SLOTS];
            continue;
        }
        b->role[t] = TRACE_ACTIVE;
        b->slot[t] = (int32_t)t;
        b->shared[t] = b->lane[t];
    }
    tally_trace_tell(b, &event);
}

/* What is wrong with a round, or NULL. */
static const trace_trouble *round_trouble(const trace_block *b, uint32_t stride, uint32_t lanes)
{
    if (tally_trace_faulty(b, FAULT_IN_PLACE) && lanes > stride) {
        return &tally_troubles[TROUBLE_CHANGED];
    }
    if (tally_trace_faulty(b, FAULT_NO_BARRIER) && stride < b->n_lanes / 2) {
        return &tally_troubles[TROUBLE_OUT_OF_DATE];
    }
    for (uint32_t t = 0; t < lanes; t++) {
        if (!b->gone[t] && b->gone[t + stride]) {
            return &tally_troubles[TROUBLE_UNWRITTEN_SLOT];
        }
    }
    return NULL;
}

/* Lanes 0...lanes - 1 add what lies stride above. Right code reads the round before; faulty code
 * reads what is there now, and lanes come in an order that lets it show: the one read by lane 0
 * first. */
static void halve(trace_block *b, uint32_t stride, uint32_t lanes)
{
    bool in_place = tally_trace_faulty(b, FAULT_IN_PLACE);
    const tally_item *from = in_place ? b->shared : b->before;
    trace_event event = {.step = TRACE_ROUND,
                         .n_slots = b->n_lanes,
                         .tree = 1,
                         .distance = stride,
                         .before = b->before,
                         .after = b->shared,
                         .source = b->source,
                         .role = b->role,
                         .trouble = round_trouble(b, stride, lanes)};
    clear_roles(b);
    copy_items(b->before, b->shared, b->n_lanes);
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t t = in_place ? (stride + i) % lanes : i;
        if (b->gone[t]) {
            continue;
        }
        b->role[t] = TRACE_ACTIVE;
        b->source[t] = (int32_t)(t + stride);
        tally_trace_combine(b->options->op, b->kind, &b->shared[t], &from[t + stride]);
    }
    tally_trace_tell(b, &event);
}

const tally_item *tally_trace_halving(trace_block *b)
{
    bool no_barrier = tally_trace_faulty(b, FAULT_NO_BARRIER);
    forget_shared(b);
    store_all(b);
    barrier(b, b->n_lanes);
    for (uint32_t stride = b->n_lanes / 2; stride > 0; stride /= 2) {
        /* without barriers, played out at its worst, lane 0 is done before another lane begins */
        uint32_t lanes = tally_trace_faulty(b, FAULT_IN_PLACE) ? b->n_lanes - stride
                         : no_barrier                          ? 1
                                                               : stride;
        halve(b, stride, lanes);
        if (!no_barrier) {
            barrier(b, b->n_lanes);
        }
    }
    return b->shared;
}
