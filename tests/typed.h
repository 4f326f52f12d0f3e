/*
 * typed.h - test data of any element type, written as plain numbers.
 */
#ifndef TESTS_TYPED_H
#define TESTS_TYPED_H

#include <stdbool.h>
#include <stddef.h>

#include "format.h"

/* Every element type, floats first. */
enum { TYPES = 13, FLOAT_TYPES = 4 };
extern const tally_type types[TYPES];

/* The format of a float type; NULL for the others. */
const format *typed_format(tally_type type);
bool typed_unsigned(tally_type type);

/* Stores number as an element; it must be a value of the type (bool: not 0 is 1). */
void typed_put(tally_type type, void *element, double number);
/* Stores n of them side by side; returns the bytes used. */
size_t typed_pack(tally_type type, const double *numbers, size_t n, void *elements);

/* An element, and a result, as a number; exact for anything that a double holds. */
double typed_get(tally_type type, const void *element);
double typed_number(const tally_value *value);

#endif
