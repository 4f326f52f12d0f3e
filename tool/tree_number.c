/*
 * tree_number.c - from 128 bits to i64, to u64, or to digits.
 */
#include "tree_number.h"

#include "tree.h"

tally_status tree_number_of(tally_op op, tally_type type, uint64_t n, const tally_item *item,
                            tally_type out, tree_number *tree)
{
    tree->integer[0] = '\0';
    tally_status status = tally_tree_value(op, type, n, item, out, &tree->value);
    if (status != TALLY_ERR_OVERFLOW || out != TALLY_TYPE_DEFAULT || item->overflow)
        return status;
    if (tally_tree_value(op, type, n, item, TALLY_TYPE_U64, &tree->value) != TALLY_OK)
        item_text(item, ITEM_I128, tree->integer); /* only integers go beyond their type */
    return TALLY_OK;
}

total_result tree_number_result(tree_number *tree)
{
    return (total_result){.value = tree->value, .integer = *tree->integer ? tree->integer : NULL};
}
