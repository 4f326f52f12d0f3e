/*
 * model_cases.h - trees drawn from a seed, and whether the model agrees with the trace on them.
 */
#ifndef TESTS_MODEL_CASES_H
#define TESTS_MODEL_CASES_H

#include "draw.h"
#include "model/model.h"

enum { TREE_TYPES = 6, TREE_OPS = 9, CASE_ROOM = 3000 };
extern const tally_type tree_types[TREE_TYPES];
extern const tally_op tree_ops[TREE_OPS];

typedef struct model_case {
    tally_op op;
    tally_plan plan;
    tally_array x;
    uint64_t seed; /* for the model */
    unsigned char memory[2 * 8 * CASE_ROOM + 64];
} model_case;

/* Any data (tame, of any size, special; any stride and alignment) and any plan that resolves. */
void draw_case(random_state *r, tally_op op, tally_type type, model_case *c);

tally_item trace_of(tally_op op, const tally_plan *plan, const tally_array *x);

/* Runs a tree on the model. NULL if it has no finding and gives the expected item, byte for byte;
 * else a text that says what is wrong with which tree, valid until the next call. */
const char *model_trouble(const model_options *options, tally_op op, const tally_plan *plan,
                          const tally_array *x, const tally_item *expected);

#endif
