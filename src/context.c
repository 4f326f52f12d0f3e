/* context.c - opens and closes contexts: which backend, what its latest error was. */
#include "context.h"

#include <errno.h>
#include <stdlib.h>

typedef const tally_backend *backend_getter(void);

/* In the order in which AUTO tries them. A new backend is a row. */
static backend_getter *const getters[] = {tally_backend_cpu};

static const tally_backend *find_backend(tally_backend_id id)
{
    for (size_t i = 0; i < sizeof getters / sizeof getters[0]; i++) {
        const tally_backend *backend = getters[i]();
        if (backend && (id == TALLY_BACKEND_AUTO || backend->id == id)) {
            return backend;
        }
    }
    return NULL;
}

tally_status tally_open(const tally_options *options, tally_context **ctx)
{
    const tally_options defaults = {TALLY_BACKEND_AUTO};
    if (!ctx) {
        return TALLY_ERR_ARGUMENT;
    }
    *ctx = NULL;
    if (!options) {
        options = &defaults;
    }
    if (!tally_backend_name(options->backend)) {
        return TALLY_ERR_ARGUMENT;
    }
    const tally_backend *backend = find_backend(options->backend);
    if (!backend) {
        return TALLY_ERR_BACKEND;
    }
    /* errno is the caller's, also where calloc() sets it; volatile, since compilers take it that it
     * does not and leave the store out. */
    volatile int *at_errno = &errno;
    int caller_errno = *at_errno;
    tally_context *made = calloc(1, sizeof *made);
    *at_errno = caller_errno;
    if (!made) {
        return TALLY_ERR_MEMORY;
    }
    tally_status status = backend->open(options, &made->self);
    if (status != TALLY_OK) {
        free(made);
        return status;
    }
    made->backend = backend;
    tally_context_fail(made, TALLY_OK, "");
    *ctx = made;
    return TALLY_OK;
}

void tally_close(tally_context *ctx)
{
    if (ctx) {
        ctx->backend->close(ctx->self);
        free(ctx);
    }
}

tally_backend_id tally_context_backend(const tally_context *ctx)
{
    return ctx->backend->id;
}

tally_status tally_context_fail(tally_context *ctx, tally_status status, const char *what)
{
    ctx->error.status = status;
    ctx->error.backend = ctx->backend->id;
    ctx->error.native_code = 0;
    ctx->error.api = "";
    ctx->error.what = what;
    return status;
}

tally_status tally_last_error(const tally_context *ctx, tally_error_detail *detail)
{
    if (!ctx || !detail) {
        return TALLY_ERR_ARGUMENT;
    }
    *detail = ctx->error;
    return TALLY_OK;
}
