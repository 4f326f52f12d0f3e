/* context.c - opens and closes contexts: which backend, what its latest error was. */
#include "context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"

const tally_backend *tally_backend_cuda(void)
{
    return tally_module_load(TALLY_BACKEND_CUDA, NULL);
}

const tally_backend *tally_backend_hip(void)
{
    return tally_module_load(TALLY_BACKEND_HIP, NULL);
}

typedef const tally_backend *backend_getter(void);

/* In the order in which AUTO tries them. A new backend is a row. */
static const struct {
    tally_backend_id id;
    backend_getter *get;
} getters[] = {
    {TALLY_BACKEND_CPU, tally_backend_cpu},
    {TALLY_BACKEND_CUDA, tally_backend_cuda},
    {TALLY_BACKEND_HIP, tally_backend_hip},
#ifdef TALLY_WITH_MODEL
    {TALLY_BACKEND_MODEL, tally_backend_model},
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
        const bool wanted = id == TALLY_BACKEND_AUTO || getters[i].id == id;
        const tally_backend *backend = wanted ? getters[i].get() : NULL;
        if (backend) {
            return backend;
        }
    }
    return NULL;
}

tally_status tally_backend_find(tally_backend_id id, int device, tally_backend_info *info)
{
    if (!info || id == TALLY_BACKEND_AUTO || !tally_backend_name(id)) {
        return TALLY_ERR_ARGUMENT;
    }
    int caller_errno = tally_errno_get();
    const bool is_module = id == TALLY_BACKEND_CUDA || id == TALLY_BACKEND_HIP;
    tally_backend_info found;
    memset(&found, 0, sizeof found);
    const tally_backend *backend = is_module ? tally_module_load(id, &found) : find_backend(id);
    if (backend) {
        backend->describe(device, &found);
    } else if (!is_module) {
        strcpy(found.reason, "this library was built without a C++ compiler");
    }
    tally_errno_set(caller_errno);
    *info = found;
    return TALLY_OK;
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
    int caller_errno = tally_errno_get();
    const tally_backend *backend = find_backend(options->backend);
    tally_context *made = calloc(1, sizeof *made);
    tally_status status = !backend ? TALLY_ERR_BACKEND
                          : !made  ? TALLY_ERR_MEMORY
                                   : backend->open(options, &made->self);
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

uint64_t tally_context_launches(const tally_context *ctx)
{
    return ctx->backend->launches(ctx->self);
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
    tally_context_fail(ctx, status, "");
    ctx->backend->failure(ctx->self, &ctx->error);
    if (!*ctx->error.what) {
        ctx->error.what = tally_status_text(status);
    }
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
