/* context.c - opens and closes contexts: which backend, what its latest error was. */
#include "context.h"

#include <errno.h>
#include <stdlib.h>

typedef const tally_backend *backend_getter(void);

/* In the order in which AUTO tries them. A new backend is a row. */
static backend_getter *const getters[] = {
    tally_backend_cpu,
#ifdef TALLY_WITH_MODEL
    tally_backend_model,
#endif
};

/* Volatile, since compilers take it that calloc() leaves errno alone, and drop a store of the same.
 */
int tally_errno_get(void)
{
    volatile int *at = &errno;
    return *at;
}

void tally_errno_set(int value)
{
    volatile int *at = &errno;
    *at = value;
}

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
    const tally_options defaults = {.backend = TALLY_BACKEND_AUTO};
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
    int caller_errno = tally_errno_get();
    tally_context *made = calloc(1, sizeof *made);
    tally_status status = made ? backend->open(options, &made->self) : TALLY_ERR_MEMORY;
    tally_errno_set(caller_errno);
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

tally_status tally_context_backend_failed(tally_context *ctx, tally_status status)
{
    const char *what = ctx->backend->failure(ctx->self);
    return tally_context_fail(ctx, status, *what ? what : tally_status_text(status));
}

tally_status tally_last_error(const tally_context *ctx, tally_error_detail *detail)
{
    if (!ctx || !detail) {
        return TALLY_ERR_ARGUMENT;
    }
    *detail = ctx->error;
    return TALLY_OK;
}
