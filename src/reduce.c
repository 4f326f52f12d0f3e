/* reduce.c - one call, one array, one value; and the conveniences. */
#include "context.h"
#include "fold.h"
#include "op.h"
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

/* What is wrong with the arguments, or NULL. */
static const char *bad_argument(const tally_request *request, const tally_array *x,
                                const tally_value *out)
{
    if (!x) {
        return "x is NULL";
    }
    if (!out) {
        return "out is NULL";
    }
    if (!tally_op_find(request->op)) {
        return "request->op is no op";
    }
    if (request->nan != TALLY_NAN_PROPAGATE && request->nan != TALLY_NAN_SKIP) {
        return "request->nan is neither TALLY_NAN_PROPAGATE nor TALLY_NAN_SKIP";
    }
    if (request->level != TALLY_LEVEL_EXACT && request->level != TALLY_LEVEL_TREE) {
        return "request->level is neither TALLY_LEVEL_EXACT nor TALLY_LEVEL_TREE";
    }
    if (request->out != TALLY_TYPE_DEFAULT && !tally_type_find(request->out)) {
        return "request->out is no type";
    }
    if (!tally_type_find(x->type)) {
        return "x->type is no element type";
    }
    if (!x->data && x->n > 0) {
        return "x->data is NULL, but x->n is not 0";
    }
    return NULL;
}

tally_status tally_reduce(tally_context *ctx, const tally_request *request, const tally_array *x,
                          tally_value *out)
{
    const tally_request sum = {.op = TALLY_OP_SUM};
    if (!ctx) {
        return TALLY_ERR_ARGUMENT;
    }
    if (!request) {
        request = &sum;
    }
    const char *bad = bad_argument(request, x, out);
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
