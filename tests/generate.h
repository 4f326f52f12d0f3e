/*
 * generate.h - data that tries to break a sum: one generator for each way we know of.
 *
 * A generator fills x with at most "room" doubles, all of them values of format f, and returns how
 * many. It draws from a random state only, so that a seed names the data.
 */
#ifndef TESTS_GENERATE_H
#define TESTS_GENERATE_H

#include "draw.h"

typedef struct generator {
    const char *name;
    size_t (*fill)(random_state *r, const format *f, double *x, size_t room);
} generator;

extern const generator generators[];
extern const size_t n_generators;

#endif
