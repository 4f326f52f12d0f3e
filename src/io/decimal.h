/*
 * decimal.h - exact decimal numbers of any length, for totals that no machine type holds.
 */
#ifndef TALLY_DECIMAL_H
#define TALLY_DECIMAL_H

#include <stdbool.h>

#include "tally.h"

typedef struct decimal decimal;

/* Zero. NULL if there is no memory; the bool functions give false for that and leave d usable. */
decimal *decimal_alloc(void);
void decimal_free(decimal *d);

bool decimal_set(decimal *d, const decimal *from);
/* Adds an integer written as [+-]? digit+, of any length, in time linear in it. */
bool decimal_add_integer(decimal *d, const char *text, size_t length);
/* Adds the exact value of a state that holds no NaN and no infinity. */
bool decimal_add_state(decimal *d, const tally_state *state);
/* -1, 0, 1 as a is less than, equal to, greater than b. */
int decimal_compare(const decimal *a, const decimal *b);

/* The exact digits: "-12", "0.5"; no exponent, no trailing zeros after a point. free() it. */
char *decimal_print(const decimal *d);
/* d / n (n >= 1) rounded once to a float type: its bits. */
bool decimal_round_quotient(const decimal *d, uint64_t n, tally_type type, uint64_t *bits);

#endif
