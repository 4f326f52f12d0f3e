/* async.c - reductions that are put into a stream, and the workspace that they need beforehand. */
#include "context.h"
#include "op.h"
#include "request.h"
#include "tree.h"

static tally_status bad(tally_context *ctx, const char *what)
{
    return tally_context_fail(ctx, TALLY_ERR_ARGUMENT, what);
}

static bool has_device(const tally_context *ctx)
{
    return ctx->backend->id == TALLY_BACKEND_CUDA || ctx->backend->id == TALLY_BACKEND_HIP;
}

static tally_status refuse_exact(tally_context *ctx)
{
    return tally_context_fail(ctx, TALLY_ERR_UNSUPPORTED,
                              "devices run level tree only, so far: set request->level to "
                              "TALLY_LEVEL_TREE");
}

tally_status tally_reduce_async(tally_context *ctx, const tally_request *request,
                                const tally_array *x, tally_device_result *result)
{
    tally_plan plan;
    if (!ctx) {
        return TALLY_ERR_ARGUMENT;
    }
    request = tally_request_or_sum(request);
    const char *what = tally_request_bad(request, x);
    if (what || !result) {
        return bad(ctx, what ? what : "result is NULL");
    }
    if (!has_device(ctx)) {
        return tally_context_fail(ctx, TALLY_ERR_UNSUPPORTED,
                                  "this backend has no device to leave a result on: call "
                                  "tally_reduce()");
    }
    if (request->level != TALLY_LEVEL_TREE) {
        return refuse_exact(ctx);
    }
    if (request->out != TALLY_TYPE_DEFAULT) {
        return tally_context_fail(ctx, TALLY_ERR_UNSUPPORTED,
                                  "an asynchronous result has the default type: set request->out "
                                  "to TALLY_TYPE_DEFAULT");
    }
    tally_status status = tally_tree_prepare(ctx, request, x->type, x->n, &plan);
    if (status != TALLY_OK) {
        return status;
    }
    int caller_errno = tally_errno_get();
    status = ctx->backend->tree_async(ctx->self, request->op, &plan, x, result);
    tally_errno_set(caller_errno);
    return status == TALLY_OK ? status : tally_context_backend_failed(ctx, status);
}

tally_status tally_workspace_nbytes(tally_context *ctx, const tally_request *request,
                                    tally_type type, uint64_t n, size_t *nbytes)
{
    const tally_array none = {.type = type};
    tally_plan plan;
    if (!ctx) {
        return TALLY_ERR_ARGUMENT;
    }
    request = tally_request_or_sum(request);
    const char *what = tally_request_bad(request, &none);
    if (what || !nbytes) {
        return bad(ctx, what ? what : "nbytes is NULL");
    }
    if (request->level != TALLY_LEVEL_TREE) {
        if (has_device(ctx)) {
            return refuse_exact(ctx);
        }
        *nbytes = 0;
        return TALLY_OK;
    }
    tally_status status = tally_tree_prepare(ctx, request, type, n, &plan);
    if (status == TALLY_OK) {
        *nbytes = ctx->backend->workspace(ctx->self, request->op, type, &plan);
    }
    return status;
}

tally_status tally_reserve(tally_context *ctx, size_t nbytes)
{
    if (!ctx) {
        return TALLY_ERR_ARGUMENT;
    }
    int caller_errno = tally_errno_get();
    tally_status status = ctx->backend->reserve(ctx->self, nbytes);
    tally_errno_set(caller_errno);
    return status == TALLY_OK ? status : tally_context_backend_failed(ctx, status);
}
