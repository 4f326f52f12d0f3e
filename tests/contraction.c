/*
 * contraction.c - norm2 of floats, where a lane adds squares: does the model give the bits of the
 * trace? tests/contraction.sh compiles the two in several ways and links them with this.
 *
 * Exit 0: the bits of the trace, 1: others, 2: something else is wrong.
 */
#include <stdio.h>
#include <string.h>

#include "model_cases.h"
#include "plan.h"
#include "typed.h"

/* Few additions, so that one that is rounded otherwise still shows in the sum. */
enum { N = 4, TREES = 500 };

int main(void)
{
    static const tally_type kinds[] = {TALLY_TYPE_F32, TALLY_TYPE_F64};
    static const unsigned precision[] = {24, 53};
    const tally_plan wanted = {.block = 1, .blocks = 1};
    const model_options options = {.wave = 32};
    random_state r = {.at = 20261130};
    int differ = 0;

    for (int i = 0; i < 2 * TREES; i++) {
        unsigned char data[8 * N];
        const tally_array x = tally_array_dense(kinds[i % 2], data, N);
        tally_plan plan;

        for (size_t k = 0; k < N; k++) {
            typed_put(x.type, data + k * tally_type_size(x.type),
                      (double)(random_bits(&r) >> (64 - precision[i % 2])));
        }
        if (tally_plan_resolve(&wanted, x.type, N, &plan, NULL) != TALLY_OK) {
            return 2;
        }
        const tally_item expected = trace_of(TALLY_OP_NORM2, &plan, &x);
        const char *trouble = model_trouble(&options, TALLY_OP_NORM2, &plan, &x, &expected);
        if (trouble && strncmp(trouble, "other bits", 10) != 0) {
            printf("%s\n", trouble);
            return 2;
        }
        differ += trouble != NULL;
    }
    printf("%d of %d trees have other bits than the trace\n", differ, 2 * TREES);
    return differ > 0;
}
