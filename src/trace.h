/*
 * trace.h - a plan played out in plain C: every round's old and new values, partials, result.
 *
 * This is the reference for bits: the kernels have to give what it gives. Freestanding (no libc but
 * memcpy), so that it becomes WebAssembly; it includes nothing from gpu/ or model/.
 *
 * One call runs all stages and tells a visitor each step; without a visitor it is the CPU's own
 * tree.
 */
#ifndef TALLY_TRACE_H
#define TALLY_TRACE_H

#include <stdbool.h>

#include "fault.h"
#include "item.h"
#include "plan.h"
#include "tally.h"
#include "trace_trouble.h"

typedef enum trace_step {
    TRACE_LOAD = 0,  /* every lane has accumulated its elements in a register: after[] */
    TRACE_WRITE = 1, /* lanes with role ACTIVE write their register to shared slot slot[lane] */
    TRACE_BARRIER =
        2, /* arrived of n_lanes lanes reached it; shared memory is after[0..n_slots-1] */
    TRACE_READ =
        3, /* the first group's lanes read slot[lane] (ACTIVE) or hold the identity (PADDED) */
    TRACE_ROUND = 4,   /* one round of a tree: lane t combines before[t] with before[source[t]] */
    TRACE_PARTIAL = 5, /* lane 0 hands over after[0]: the block's partial */
    TRACE_RESULT = 6   /* after[0] is the accumulator of the whole; last event */
} trace_step;

/* What a lane does in a step. */
typedef enum trace_role {
    TRACE_IDLE = 0,   /* takes no part (halving: the upper half; the second tree: other groups) */
    TRACE_ACTIVE = 1, /* combines, reads, writes or loads */
    TRACE_OWN = 2, /* exchanges, but its source lies outside its group: its own value comes back */
    TRACE_PADDED = 3, /* has no element: holds the identity */
    TRACE_GONE = 4    /* returned early (a fault) */
} trace_role;

/* Arrays have n_lanes entries (shared memory: n_slots) and are valid during the visit only. NULL
 * where a step has no use for them. */
typedef struct trace_event {
    trace_step step;
    uint32_t stage; /* 1, 2, ... */
    uint64_t block;
    uint32_t n_lanes;
    uint32_t n_slots;         /* shared slots that the block uses */
    uint32_t tree;            /* ROUND: 1 within groups or halving, 2 over the groups */
    uint32_t distance;        /* ROUND: offset or stride */
    const tally_item *before; /* ROUND: registers (wave) or shared memory (halving) before it */
    const tally_item *after;
    const int32_t *source;        /* ROUND: the lane whose value is combined; -1: none */
    const int32_t *slot;          /* WRITE, READ: which shared slot; -1: none */
    const uint8_t *role;          /* trace_role */
    const uint64_t *n_elements;   /* LOAD: how many the lane took */
    uint32_t arrived;             /* BARRIER: lanes that reached it */
    const trace_trouble *trouble; /* a fault's consequence in this step, for people; NULL if none */
} trace_event;

typedef void trace_visit(void *user, const trace_event *event);

typedef struct trace_options {
    tally_op op;
    tally_fault fault;
    bool poison;   /* shared memory begins as poison (else as zeros); matters only under a fault */
    uint32_t wave; /* lanes of a wave: 32 (0 too) or 64; matters only to a fault's masks */
    trace_visit *visit; /* may be NULL */
    void *user;
} trace_options;

/* Bytes of scratch memory that tally_trace_run() needs for a resolved plan of n elements. */
uint64_t tally_trace_scratch(const tally_plan *plan, uint64_t n);

/*
 * Runs a resolved plan over x (a type of item.h; any stride and alignment) and stores the
 * accumulator. x->n == 0: the identity, and no event but RESULT. scratch is aligned as malloc
 * aligns. final atomic is played in block order. Errors: UNSUPPORTED for an op or type without a
 * tree, and for a fault that does not fit the plan (tally_fault_misfit()).
 */
tally_status tally_trace_run(const trace_options *options, const tally_plan *plan,
                             const tally_array *x, void *scratch, tally_item *result);

#endif
