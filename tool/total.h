/*
 * total.h - one reduction over the pieces of one or more files.
 *
 * A fold does the work. What it cannot hold are the integers of text that no machine type holds:
 * they are kept beside it as exact decimals, and join it only in the result.
 */
#ifndef TALLY_TOTAL_H
#define TALLY_TOTAL_H

#include "fold.h"
#include "io/decimal.h"
#include "io/reader.h"

typedef struct total {
    tally_fold fold;
    uint64_t before;     /* elements in the files before this one */
    uint64_t here;       /* elements of this file so far */
    uint64_t n_wide;     /* wide integers seen */
    decimal *wide;       /* sum, mean: their sum; else the best of them; NULL before the first */
    uint64_t wide_index; /* min, max, argmin, argmax: where the best of them stands */
} total;

typedef struct total_result {
    tally_value value;
    char *integer;   /* the result where no machine integer holds it, else NULL; free() it */
    bool overflowed; /* value is infinite, though the exact result is not */
} total_result;

void total_init(total *t, tally_op op, tally_nan nan);
void total_free(total *t);

/* Adds a piece of the current file. On an error the total is good for nothing but total_free(). */
tally_status total_add(tally_context *ctx, total *t, const reader_piece *piece);
/* The pieces that follow are of the next file. */
void total_next_file(total *t);

uint64_t total_count(const total *t);

/* The result as type out (or the default). Errors: EMPTY, UNSUPPORTED, MEMORY. */
tally_status total_value(const total *t, tally_type out, total_result *result);

/* The bits of a float or integer value, in the low bytes; and the float value of such bits. */
uint64_t total_bits(const tally_value *value);
tally_value total_from_bits(tally_type type, uint64_t bits);

#endif
