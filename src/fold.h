/*
 * fold.h - one reduction in progress: arrays go in one after another, one value comes out.
 *
 * tally_reduce() feeds it one array; the command feeds it a file piece by piece, and files of
 * different types one after another. Elements keep their place in the whole sequence, so that
 * argmin and argmax answer with an index into all of it.
 */
#ifndef TALLY_FOLD_H
#define TALLY_FOLD_H

#include <stdbool.h>

#include "tally.h"

/* Elements that compare with one another directly. Between classes the exact values are compared.
 */
typedef enum tally_class {
    TALLY_CLASS_FLOAT = 0,
    TALLY_CLASS_SIGNED = 1,
    TALLY_CLASS_UNSIGNED = 2,
    TALLY_CLASSES = 3
} tally_class;

/* The best element of one class so far. */
typedef struct tally_best {
    bool found;
    bool nan;       /* a NaN, and NaNs propagate: final */
    uint64_t bits;  /* the element: f64 bits (widened), i64 or u64 */
    uint64_t index; /* its place in the whole sequence */
} tally_best;

typedef struct tally_fold {
    tally_op op;
    tally_nan nan;
    tally_type type; /* of all elements so far; DEFAULT before the first */
    bool one_type;   /* all of them had that type */
    uint64_t n;      /* elements that took part */
    uint64_t n_nan, n_pos_inf, n_neg_inf, n_skipped;
    tally_state floats, integers;   /* sum, mean */
    tally_best best[TALLY_CLASSES]; /* min, max, argmin, argmax */
} tally_fold;

/* op and nan must be valid, and the op one of level exact. */
void tally_fold_init(tally_fold *fold, tally_op op, tally_nan nan);

/*
 * Adds x, whose element i is element index + i * step of the whole sequence (step >= 1; only argmin
 * and argmax look at it). On an error (ARGUMENT, MEMORY, or a backend's) the fold is unchanged.
 */
tally_status tally_fold_add(tally_context *ctx, tally_fold *fold, const tally_array *x,
                            uint64_t index, uint64_t step);

/*
 * The value of all that was added, as type out. If types were mixed: a sum or mean of floats and
 * integers is one exact total, rounded once to a float type; min and max are f64 if any element was
 * a float, else i64 if that holds the result, else u64. Errors as tally_reduce().
 */
tally_status tally_fold_value(const tally_fold *fold, tally_type out, tally_value *value);

/* The exact total of a sum or mean: an integer state if all elements were integers, else a float
 * state. */
void tally_fold_state(const tally_fold *fold, tally_state *state);

#endif
