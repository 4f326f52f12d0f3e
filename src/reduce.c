/* reduce.c - one call, one array, one value; and the conveniences. */
#include "context.h"
#include "fold.h"
#include "op.h"
#include "request.h"
#include "tree.h"

double tally_sum_f64(const double *x, size_t n)
{
    tally_state state;
    tally_state_init(&state);
    tally_state_add_f64(&state, x, n);
    return tally_state_round_f64(&state);
}

float tally_sum_f32(const float *x, size_t n)
{
    tally_state state;
    tally_state_init(&state);
    tally_state_add_f32(&state, x, n);
    return tally_state_round_f32(&state);
}

tally_status tally_reduce(tally_context *ctx, const tally_request *request, const tally_array *x,
                          tally_value *out)
{
    if (!ctx) {
        return TALLY_ERR_ARGUMENT;
    }
    request = tally_request_or_sum(request);
    const char *bad = tally_request_bad(request, x);
    if (!bad && !out) {
        bad = "out is NULL";
    }
    if (bad) {
        return tally_context_fail(ctx, TALLY_ERR_ARGUMENT, bad);
    }
    if (request->level == TALLY_LEVEL_TREE) {
        return tally_tree_reduce(ctx, request, x, out);
    }
    if (tally_op_find(request->op)->kernel == OP_KERNEL_NONE) {
        return tally_context_fail(ctx, TALLY_ERR_UNSUPPORTED,
                                  "prod and the norms are at level tree only");
    }
    tally_fold fold;
    tally_value value;
    tally_fold_init(&fold, request->op, request->nan);
    tally_status status = tally_fold_add(ctx, &fold, x, 0, 1);
    if (status != TALLY_OK) {
        return status; /* the fold noted it */
    }
    status = tally_fold_value(&fold, request->out, &value);
    if (status != TALLY_OK) {
        return tally_context_fail(ctx, status, tally_status_text(status));
    }
    *out = value;
    return TALLY_OK;
}
