/*
 * fault.h - mistakes that learners make, to be made on purpose: on the trace and the model only.
 *
 * One table; the command, the trace, the model's kernels, the tests and the documents use its rows.
 */
#ifndef TALLY_FAULT_H
#define TALLY_FAULT_H

#include "tally.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tally_fault {
    FAULT_NONE = 0,
    FAULT_FLOOR_BLOCKS = 1,   /* blocks = n / B: the tail is in no block */
    FAULT_EARLY_EXIT = 2,     /* lanes without an element return before the barrier */
    FAULT_IN_PLACE = 3,       /* every lane with t + stride < B adds in place, in one phase */
    FAULT_WRONG_MASK = 4,     /* the full mask in a wave that is not full */
    FAULT_NO_BARRIER = 5,     /* the barrier between writing and reading shared memory is missing */
    FAULT_STALE_PARTIALS = 6, /* the second stage adds up more partials than there are */
    FAULTS = 7
} tally_fault;

typedef struct fault_row {
    tally_fault fault;
    const char *name;      /* "early-exit" */
    const char *shapes;    /* the shapes it can be shown on: "halving", "wave", "halving wave" */
    const char *situation; /* what the code does */
    const char *why;       /* why that is wrong, also where the number is right */
    const char *repair;    /* how to do it right */
    const char *zh_situation, *zh_why, *zh_repair;
} fault_row;

extern const fault_row tally_faults[FAULTS]; /* row 0 is FAULT_NONE: "none" */

/* NULL for a name that is none. */
const fault_row *tally_fault_find(const char *name);

/* NULL if the fault changes what a resolved plan does on waves of 32 or 64 lanes (0: 32), else a
 * sentence that says which plans it changes. What it changes may still depend on n. */
const char *tally_fault_misfit(tally_fault fault, const tally_plan *plan, uint32_t wave);

#ifdef __cplusplus
}
#endif

#endif
