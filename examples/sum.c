/*
 * sum.c - the exact sum of some numbers, at once and in pieces.
 *
 *   cc sum.c -ltally && ./a.out
 */
#include <stdio.h>

#include <tally.h>

int main(void)
{
    /* The exact sum is 2. Added from left to right in double, it comes out as 0. */
    const double x[] = {1e16, 1.0, 1.0, -1e16};
    const size_t n = sizeof x / sizeof x[0];

    double naive = 0;
    for (size_t i = 0; i < n; i++)
        naive += x[i];
    printf("naive      %.17g\n", naive);
    printf("tally      %.17g\n", tally_sum_f64(x, n));

    /* The same numbers from two sources, say threads, files or ranks, joined in any order. */
    tally_state first, second;
    tally_state_init(&first);
    tally_state_init(&second);
    tally_state_add_f64(&first, x, 2);
    tally_state_add_f64(&second, x + 2, n - 2);
    tally_state_merge(&second, &first);
    printf("in pieces  %.17g\n", tally_state_round_f64(&second));

    /* Any op, type and stride, with errors reported. */
    tally_context *ctx;
    tally_status status = tally_open(NULL, &ctx);
    if (status != TALLY_OK) {
        fprintf(stderr, "tally_open: %s\n", tally_status_text(status));
        return 1;
    }
    const tally_request mean = {.op = TALLY_OP_MEAN};
    const tally_array array = tally_array_dense(TALLY_TYPE_F64, x, n);
    tally_value value;
    status = tally_reduce(ctx, &mean, &array, &value);
    tally_close(ctx);
    if (status != TALLY_OK) {
        fprintf(stderr, "tally_reduce: %s\n", tally_status_text(status));
        return 1;
    }
    printf("mean       %.17g\n", value.as.f64);
    return 0;
}
