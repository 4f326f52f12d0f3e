/* decimal_limbs.h - how a decimal is stored, for the files that implement it. */
#ifndef TALLY_DECIMAL_LIMBS_H
#define TALLY_DECIMAL_LIMBS_H

#include <stddef.h>
#include <stdint.h>

#include "decimal.h"

enum { DECIMAL_BASE = 1000000000, DECIMAL_DIGITS = 9 };

/* The magnitude is the sum of limb[i] DECIMAL_BASE^(i - fraction), i < n. No limb above the point
 * is 0 at the top, none below it at the bottom, so n == 0 is zero (never negative) and equal
 * numbers are stored alike. */
struct decimal {
    bool negative;
    size_t n, fraction, capacity;
    uint32_t *limb;
};

/* d += x; false, and d as it was, without memory. */
bool decimal_add(decimal *d, const decimal *x);

#endif
