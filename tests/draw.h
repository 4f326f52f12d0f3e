/*
 * draw.h - random numbers and random values of a format, from a seed.
 *
 * No expression draws twice in an order that C leaves open: a seed means the same data with every
 * compiler.
 */
#ifndef TESTS_DRAW_H
#define TESTS_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format.h"

/* splitmix64: any 64 bits are a good state. */
typedef struct random_state {
    uint64_t at;
} random_state;

uint64_t random_bits(random_state *r);
/* A number below limit (limit > 0). */
uint64_t random_below(random_state *r, uint64_t limit);
bool random_coin(random_state *r);
void random_shuffle(random_state *r, double *x, size_t n);

/* A size as the tests want them: mostly 1 to 40, at times 0, at times up to most. */
size_t random_size(random_state *r, size_t most);

/* 2^(precision - 1): the significand with the hidden bit alone. */
uint64_t hidden(const format *f);
/* A significand of full length. */
uint64_t draw_significand(random_state *r, const format *f);
/* A unit (weight of a last bit) in [low, high], or any unit of f. */
int draw_unit(random_state *r, int low, int high);
int draw_any_unit(random_state *r, const format *f);
/* significand * 2^unit, its sign drawn. */
double draw_sign(random_state *r, uint64_t significand, int unit);
/* A value of f of full length, its unit in [low, high], or any. */
double draw_between(random_state *r, const format *f, int low, int high);
double draw_value(random_state *r, const format *f);

#endif
