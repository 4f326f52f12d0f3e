/*
 * trace_fault.c - what a fault does: the number with and without it, and the model's findings.
 */
#include <string.h>

#include "on_model.h"
#include "tracing.h"
#include "tree.h"

static tally_item play(const tracing *t, tally_fault fault, bool poison)
{
    const trace_options options = {
        .op = t->set.op, .fault = fault, .poison = poison, .wave = t->set.backend.wave};
    tally_item item;
    memset(&item, 0, sizeof item);
    /* what was traced once, the fault fitting the plan, cannot fail */
    (void)tally_trace_run(&options, &t->plan, &t->x, t->scratch, &item);
    return item;
}

tally_status tracing_provoke(tracing *t)
{
    fault_outcome *o = &t->outcome;
    tally_fault fault = t->set.fault->fault;
    const model_options options = {.wave = t->set.backend.wave,
                                   .seed = t->set.backend.seed,
                                   .fault = fault,
                                   .zeroed = t->set.zeroed};
    memset(o, 0, sizeof *o);
    o->clean = play(t, FAULT_NONE, true);
    o->poisoned = play(t, fault, true);
    o->zeroed = play(t, fault, false);
    o->poisoned_right = memcmp(&o->poisoned, &o->clean, sizeof o->clean) == 0;
    o->zeroed_right = memcmp(&o->zeroed, &o->clean, sizeof o->clean) == 0;
    if (t->x.n > 0)
        o->model_status = on_model_tree(&options, t->set.op, &t->plan, &t->x, NULL, 0, &o->model);
    return o->model_status == TALLY_ERR_MEMORY ? TALLY_ERR_MEMORY : TALLY_OK;
}
