/*
 * tree_number.h - the result of a tree as the command prints it: a value, or an integer that is too
 * large for one.
 */
#ifndef TALLY_TREE_NUMBER_H
#define TALLY_TREE_NUMBER_H

#include "item_text.h"
#include "total.h"

typedef struct tree_number {
    tally_value value;
    char integer[ITEM_TEXT_BYTES]; /* the digits where 64 bits do not hold it, else "" */
} tree_number;

/* As tally_tree_value(), but OVERFLOW only where 128 bits did not hold the accumulator, or a type
 * that was asked for does not hold the result. */
tally_status tree_number_of(tally_op op, tally_type type, uint64_t n, const tally_item *item,
                            tally_type out, tree_number *tree);

/* For output.h; it points into tree. */
total_result tree_number_result(tree_number *tree);

#endif
