/*
 * reduce_tree.h - a reduction at level tree: one array, one plan, one value.
 */
#ifndef TALLY_REDUCE_TREE_H
#define TALLY_REDUCE_TREE_H

#include "gather.h"
#include "model/model.h"
#include "settings.h"
#include "tree_number.h"

typedef struct tree_answer {
    tally_plan plan; /* resolved */
    bool has_value;
    tree_number number;
    model_result model; /* under a fault: what it found, which was reported */
} tree_answer;

/* Runs the tree over what was gathered from "name". Gives an exit code, after a message if there is
 * no answer. */
int reduce_tree(tally_context *ctx, const settings *s, const gathered *g, const char *name,
                tree_answer *answer);

#endif
