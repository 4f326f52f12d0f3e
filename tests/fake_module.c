/*
 * fake_module.c - a module for a device that does not exist, to try out the core's side of the
 * seam.
 *
 * Its trees fail as a device's do; its asynchronous ones leave the number of elements. FAKE_ABI and
 * FAKE_ID make modules that must not be used.
 */
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"

#ifndef FAKE_ABI
#define FAKE_ABI TALLY_BACKEND_ABI
#endif
#ifndef FAKE_ID
#define FAKE_ID TALLY_BACKEND_CUDA
#endif

extern const tally_backend tally_backend_module;

static void describe(int device, tally_backend_info *info)
{
    info->n_devices = 2;
    info->driver = 12;
    info->runtime = 34;
    info->presence = device < 2 ? TALLY_PRESENCE_READY : TALLY_PRESENCE_NO_DEVICE;
    snprintf(info->device, sizeof info->device, "%s", device < 2 ? "a fake" : "");
    snprintf(info->reason, sizeof info->reason, "%s", device < 2 ? "" : "there is no such device");
}

static tally_status open_device(const tally_options *options, void **self)
{
    *self = NULL;
    if (options->device >= 2) {
        return TALLY_ERR_BACKEND;
    }
    *self = malloc(1);
    return *self ? TALLY_OK : TALLY_ERR_MEMORY;
}

static void close_device(void *self)
{
    free(self);
}

static tally_status add(void *self, const tally_array *x, tally_nan nan, tally_state *state)
{
    (void)self, (void)x, (void)nan, (void)state;
    return TALLY_ERR_UNSUPPORTED;
}

static tally_status extreme(void *self, const tally_array *x, const tally_extreme_query *query,
                            tally_extreme *result)
{
    (void)self, (void)x, (void)query, (void)result;
    return TALLY_ERR_UNSUPPORTED;
}

static tally_status tree(void *self, tally_op op, const tally_plan *plan, const tally_array *x,
                         tally_item *result)
{
    (void)self, (void)op, (void)plan, (void)x, (void)result;
    return TALLY_ERR_DEVICE;
}

static tally_status tree_async(void *self, tally_op op, const tally_plan *plan,
                               const tally_array *x, tally_device_result *result)
{
    (void)self, (void)op, (void)plan;
    result->value = (tally_value){TALLY_TYPE_U64, {.u64 = x->n}};
    result->status = TALLY_OK;
    return x->n == 13 ? TALLY_ERR_SPACE : TALLY_OK;
}

static size_t workspace(void *self, tally_op op, tally_type type, const tally_plan *plan)
{
    (void)self, (void)op, (void)type;
    return 100 + (size_t)plan->blocks;
}

static tally_status reserve(void *self, size_t nbytes)
{
    (void)self;
    return nbytes > 4096 ? TALLY_ERR_MEMORY : TALLY_OK;
}

static uint64_t launches(void *self)
{
    (void)self;
    return 7;
}

static void failure(void *self, tally_error_detail *detail)
{
    (void)self;
    detail->native_code = 42;
    detail->api = "fakeLaunch";
    detail->what = "it broke";
}

__attribute__((visibility("default"))) const tally_backend tally_backend_module = {
    .abi = FAKE_ABI,
    .id = FAKE_ID,
    .describe = describe,
    .open = open_device,
    .close = close_device,
    .add = add,
    .extreme = extreme,
    .tree = tree,
    .tree_async = tree_async,
    .workspace = workspace,
    .reserve = reserve,
    .launches = launches,
    .failure = failure,
};
