/*
 * oracle.h - two answers to "what is the sum?" that share no code with src/ nor with each other.
 *
 * oracle_mpfr.c asks MPFR's mpfr_sum. oracle_bigint.c adds by hand, in plain fixed-point numbers
 * wide enough for any sum, and rounds bit by bit. Both follow the contract for NaN, infinities,
 * zeros and the empty sum (+0), and answer with the bits of a value of the format asked for.
 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format.h"

/* The sum and the mean of x[0..n-1]; a mean needs 0 < n < 2^32. */
uint64_t oracle_mpfr_sum(const double *x, size_t n, const format *f);
uint64_t oracle_mpfr_mean(const double *x, size_t n, const format *f);
uint64_t oracle_bigint_sum(const double *x, size_t n, const format *f);
uint64_t oracle_bigint_mean(const double *x, size_t n, const format *f);

/* Frees MPFR's caches, so that leak checkers see a clean end. */
void oracle_mpfr_end(void);

/*
 * A total in the making, for data that comes in pieces or is not made of doubles. Bit i of the two
 * magnitudes weighs 2^(i - 1138): 64 bits below the smallest double, so that a quotient can be cut
 * there, and 2304 in all, which leaves 2^142 for the largest.
 */
enum { BIG_WORDS = 72, BIG_LOWEST = -1138 };

typedef struct big_sum {
    uint32_t plus[BIG_WORDS], minus[BIG_WORDS]; /* the positive and the negative elements */
    uint64_t n;
    bool nan, pos_inf, neg_inf;
    bool nontrivial; /* something other than -0 was there */
} big_sum;

void big_init(big_sum *sum);
void big_add_f64(big_sum *sum, double x);
void big_add_integer(big_sum *sum, uint64_t magnitude, bool negative);
uint64_t big_round(const big_sum *sum, const format *f);
uint64_t big_mean(const big_sum *sum, const format *f);

#endif
