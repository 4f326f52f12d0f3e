/*
 * verify_cases.h - the matrix that 'tally verify' runs: ops x types x plans x sizes x data.
 *
 * Every op meets every type, plan and size; the patterns of data take turns. The same numbers on
 * every machine.
 */
#ifndef TALLY_VERIFY_CASES_H
#define TALLY_VERIFY_CASES_H

#include <stdbool.h>

#include "tally.h"

typedef enum verify_pattern {
    PATTERN_RAMP = 0,    /* small whole numbers: sums are exact in any order */
    PATTERN_EQUAL = 1,   /* one number that binary does not hold */
    PATTERN_SIGNED = 2,  /* either sign, one magnitude */
    PATTERN_WIDE = 3,    /* either sign, most of the type's exponents */
    PATTERN_ZEROS = 4,   /* -0 and +0 */
    PATTERN_SPECIAL = 5, /* infinities, now and then a NaN; the integers' limits */
    VERIFY_PATTERNS = 6
} verify_pattern;

typedef struct verify_case {
    uint64_t number; /* from 1; also the seed of the model's order */
    tally_op op;
    tally_type type;
    tally_plan plan; /* resolved */
    uint64_t n;
    verify_pattern pattern;
} verify_case;

/* Calls for each case, until one says false. */
void verify_each(bool quick, bool (*run)(void *user, const verify_case *c), void *user);

const char *verify_pattern_name(verify_pattern pattern);

/* Writes n elements of a type into data. */
void verify_fill(tally_type type, verify_pattern pattern, uint64_t n, void *data);

#endif
