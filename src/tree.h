/* tree.h - level tree: from the request to a backend's accumulator and to the value. */
#ifndef TALLY_TREE_H
#define TALLY_TREE_H

#include "context.h"
#include "fault.h"
#include "item.h"

/* Checks a request for n elements of a type and resolves its plan. Notes errors in ctx. */
tally_status tally_tree_prepare(tally_context *ctx, const tally_request *request, tally_type type,
                                uint64_t n, tally_plan *plan);

/* Checks, resolves the plan, runs the backend's tree, makes the value. Notes errors in ctx. */
tally_status tally_tree_reduce(tally_context *ctx, const tally_request *request,
                               const tally_array *x, tally_value *out);

/* The value of an accumulator: the root for norm2, the canonical NaN, the index for arg*, the
 * input's type for min and max; for the others the accumulator's (integers: i64, norm2 f64), or
 * rounded once more to another type that was asked for: any float type, for integers i64 and u64.
 * n == 0: item is not looked at. Errors: OVERFLOW, UNSUPPORTED, EMPTY (n == 0 and op is not sum,
 * prod or a norm). */
tally_status tally_tree_value(tally_op op, tally_type type, uint64_t n, const tally_item *item,
                              tally_type out, tally_value *value);

#endif
