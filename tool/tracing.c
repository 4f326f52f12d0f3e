/*
 * tracing.c - plays plans.
 */
#include "tracing.h"

#include "item_text.h"

size_t tracing_text(const tracing *t, const tally_item *item, char text[])
{
    bool indexed = t->set.op == TALLY_OP_ARGMIN || t->set.op == TALLY_OP_ARGMAX;
    return indexed ? item_indexed_text(item, t->kind, text) : item_text(item, t->kind, text);
}

/* Keeps the partials of stage 1, and hands every event on. */
typedef struct relay {
    tracing *t;
    trace_visit *visit;
    void *user;
} relay;

static void pass_on(void *user, const trace_event *event)
{
    relay *r = user;
    if (event->step == TRACE_PARTIAL && event->stage == 1)
        r->t->partials[event->block] = event->after[0];
    if (r->visit)
        r->visit(r->user, event);
}

tally_status tracing_play(tracing *t, trace_visit *visit, void *user)
{
    relay r = {t, visit, user};
    const trace_options options = {.op = t->set.op,
                                   .fault = t->set.fault->fault,
                                   .poison = !t->set.zeroed,
                                   .wave = t->set.backend.wave,
                                   .visit = pass_on,
                                   .user = &r};
    return tally_trace_run(&options, &t->plan, &t->x, t->scratch, &t->item);
}

uint32_t tracing_stages(const tracing *t)
{
    if (t->grid.blocks == 0)
        return 0;
    return t->plan.final == TALLY_FINAL_ATOMIC ? 1 : t->plan.stages;
}

bool tracing_on_host(const tracing *t, uint32_t stage)
{
    return t->plan.final == TALLY_FINAL_HOST && stage > 1 && stage == t->plan.stages;
}

uint64_t tracing_sweeps(const tracing *t)
{
    uint64_t sweep = t->grid.blocks * t->grid.block * t->grid.vector;
    if (t->grid.assign == TALLY_ASSIGN_CONTIGUOUS || sweep == 0)
        return sweep > 0;
    return t->x.n / sweep + (t->x.n % sweep != 0);
}

static void count_lane(lane_count counts[LANE_COUNTS], size_t *n, uint64_t elements)
{
    size_t at = 0;
    while (at < *n && counts[at].elements > elements)
        at++;
    if (at == *n || counts[at].elements != elements) {
        for (size_t i = *n; i > at; i--)
            counts[i] = counts[i - 1];
        counts[at] = (lane_count){0, elements};
        *n += 1;
    }
    counts[at].lanes++;
}

size_t tracing_count_lanes(const tracing *t, lane_count counts[LANE_COUNTS])
{
    size_t n = 0;
    for (uint64_t block = 0; block < t->grid.blocks; block++) {
        for (uint32_t lane = 0; lane < t->grid.block; lane++)
            count_lane(counts, &n, tally_plan_count(&t->grid, t->x.n, block, lane));
    }
    return n;
}

bool tracing_shows(uint64_t block, uint64_t blocks)
{
    return blocks <= TRACING_BLOCKS || block < TRACING_BLOCKS - 1 || block == blocks - 1;
}
