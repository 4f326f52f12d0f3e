/*
 * reduce_tree.h - a reduction at level tree: one array, one plan, one value.
 */
#ifndef TALLY_REDUCE_TREE_H
#define TALLY_REDUCE_TREE_H

#include "gather.h"
#include "settings.h"

typedef struct tree_answer {
    tally_plan plan; /* resolved */
    tally_value value;
    uint64_t n_findings; /* of the model, under a fault; they were reported */
} tree_answer;

/* Runs the tree over what was gathered from "name". Gives an exit code, after a message if there is
 * no answer. */
int reduce_tree(tally_context *ctx, const settings *s, const gathered *g, const char *name,
                tree_answer *answer);

#endif
