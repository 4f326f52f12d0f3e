/* kernels.h - what the CPU computes. Arrays were checked by the caller; n may be 0. */
#ifndef TALLY_KERNELS_H
#define TALLY_KERNELS_H

#include "backend.h"

/* Adds x to a state of its kind; leaves the limbs settled. */
void tally_cpu_add(const tally_array *x, tally_nan nan, tally_state *state);

/* Adds one value to a float state. */
void tally_cpu_add1_f64(double x, tally_state *state);

void tally_cpu_extreme(const tally_array *x, const tally_extreme_query *query,
                       tally_extreme *result);

#endif
