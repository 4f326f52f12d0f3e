/*
 * odd_judge.c - are the kernels right in blocks that no plan has? kernel_defects.sh asks when no
 * tree of a plan was in trouble.
 *
 * Exit 0: no finding, all lanes added up. 1: not so; prints the first trouble.
 */
#include <stdio.h>

#include "model_kernels.h"

int main(void)
{
    static const uint32_t lanes[] = {1, 3, 24, 31, 33, 48, 63, 65, 100, 1000, 1023, 1024};
    enum { N = sizeof lanes / sizeof lanes[0] };

    for (int i = 0; i < 2 * N; i++) {
        for (kernel_name kernel = KERNEL_TREE_WAVE; kernel <= KERNEL_TREE_HALVING; kernel++) {
            model_options options = {.wave = i < N ? 32 : 64, .seed = (uint64_t)i};
            model_result result;
            tally_status status = run_kernel(kernel, &options, lanes[i % N], &result);
            if (status != TALLY_OK || result.n_findings > 0) {
                printf("%u lanes: %s\n", lanes[i % N],
                       status == TALLY_OK ? result.report[0].text : tally_status_name(status));
                return 1;
            }
            if (result.item.as.f32 != (float)lanes[i % N]) {
                printf("%u lanes: the sum of their ones is %g\n", lanes[i % N],
                       (double)result.item.as.f32);
                return 1;
            }
        }
    }
    return 0;
}
