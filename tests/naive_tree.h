/*
 * naive_tree.h - the tree once more, written from its description and from nothing in src/: floats
 * in double, integers in the compiler's __int128, shapes as recursions. It shares the item's
 * layout.
 */
#ifndef TESTS_NAIVE_TREE_H
#define TESTS_NAIVE_TREE_H

#include <stdbool.h>

#include "item.h"
#include "tally.h"

/* The types and ops that trees have. */
enum { TREE_TYPES = 6, TREE_OPS = 9 };
extern const tally_type tree_types[TREE_TYPES];
extern const tally_op tree_ops[TREE_OPS];

/* What a lane starts from, what it makes of element index of x, and a combined with b. */
tally_item naive_identity(tally_op op, tally_type type);
tally_item naive_map(tally_op op, const tally_array *x, uint64_t index);
tally_item naive_combine(tally_op op, tally_type type, tally_item a, tally_item b);

/* The accumulator of the whole. partials (may be NULL) receives the first stage's. The plan is
 * resolved; the grid has at most NAIVE_LANES lanes. */
enum { NAIVE_LANES = 1 << 18 };
tally_item naive_tree(tally_op op, const tally_plan *plan, const tally_array *x,
                      tally_item *partials);

#endif
