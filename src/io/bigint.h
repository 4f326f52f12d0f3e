/*
 * bigint.h - natural numbers of a fixed capacity: what exact conversion between decimal and binary
 * needs, and no more.
 */
#ifndef TALLY_BIGINT_H
#define TALLY_BIGINT_H

#include <stdint.h>

/*
 * The largest numbers are those of a text with BIGINT_DIGITS significant digits (2658 bits), and
 * the power 5^1142 that divides it (2652 bits; binary.c). Aligned by bigint_align() and times 16
 * that is at most 2688 bits. Printing needs less: 1140 bits.
 */
enum { BIGINT_DIGITS = 800, BIGINT_LIMBS = 85 };

typedef struct bigint {
    int n; /* limbs in use; the top one is not 0 */
    uint32_t limb[BIGINT_LIMBS];
} bigint;

void bigint_set(bigint *b, uint64_t value);
void bigint_multiply_add(bigint *b, uint32_t factor, uint32_t addend);
void bigint_multiply_power5(bigint *b, int exponent);
void bigint_shift_left(bigint *b, int nbits);
int bigint_bits(const bigint *b); /* the length in bits; 0 for zero */
int bigint_compare(const bigint *a, const bigint *b);

/* a - b into difference, which may be a; a >= b. */
void bigint_subtract(bigint *difference, const bigint *a, const bigint *b);

/* How far to shift left, so that a number of nbits bits ends 4 bits below a limb's border: a
 * divisor for bigint_divide(). */
int bigint_align(int nbits);

/* a / b, less than 16, and the remainder in a; b is aligned. */
uint32_t bigint_divide(bigint *a, const bigint *b);

#endif
