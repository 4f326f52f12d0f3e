/* root.h - the correctly rounded square root, in integers: no libm, no floating-point environment.
 */
#ifndef TALLY_ROOT_H
#define TALLY_ROOT_H

#include "exact.h"

/* The root of a number >= 0 of a float type, both as bits. NaN and what is below 0: the canonical
 * NaN; -0: -0. */
uint64_t tally_root_bits(uint64_t bits, exact_format f);

#endif
