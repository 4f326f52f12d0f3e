/*
 * kernel_judge.c - are these kernels right? tests/kernel_defects.sh links it with a model whose
 * kernels have a defect, and with one that has none.
 *
 * Exit 0: no finding in any tree, the trace's bits everywhere. 1: not so; prints the first trouble.
 * 2: the model had findings, but the backend gave a value all the same.
 */
#include <stdio.h>
#include <string.h>

#include "model_cases.h"
#include "tally.h"

enum { ROUNDS = 8 };

/* Level tree through the public API has to refuse what the model has findings about. */
static int backend_refuses(const model_case *c, uint32_t wave)
{
    tally_options options = {.backend = TALLY_BACKEND_MODEL, .wave = wave, .seed = c->seed};
    tally_request request = {.op = c->op, .level = TALLY_LEVEL_TREE, .plan = &c->plan};
    tally_error_detail detail;
    tally_context *ctx;
    tally_value value;
    int refused = 0;

    if (tally_open(&options, &ctx) == TALLY_OK) {
        refused = tally_reduce(ctx, &request, &c->x, &value) == TALLY_ERR_BACKEND &&
                  tally_last_error(ctx, &detail) == TALLY_OK &&
                  strstr(detail.what, "a defect of tally's kernels") != NULL;
        tally_close(ctx);
    }
    return refused;
}

int main(void)
{
    static model_case c;
    random_state r = {.at = 11};
    unsigned trees = 0;

    for (int i = 0; i < ROUNDS * TREE_TYPES * TREE_OPS; i++) {
        draw_case(&r, tree_ops[i % TREE_OPS], tree_types[i / TREE_OPS % TREE_TYPES], &c);
        tally_item expected = trace_of(c.op, &c.plan, &c.x);
        for (uint32_t wave = 32; wave <= 64; wave *= 2) {
            model_options options = {.wave = wave, .seed = c.seed};
            const char *trouble = model_trouble(&options, c.op, &c.plan, &c.x, &expected);
            if (trouble) {
                printf("tree %u: %s\n", trees, trouble);
                return strncmp(trouble, "other bits", 10) == 0 || backend_refuses(&c, wave) ? 1 : 2;
            }
            trees++;
        }
    }
    printf("%u trees, no trouble\n", trees);
    return 0;
}
