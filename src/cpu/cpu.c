/* cpu.c - the CPU as a backend: always there, no state of its own. */
#include "kernels.h"

#include <stdlib.h>

#include "no_device.h"
#include "trace.h"

static tally_status cpu_open(const tally_options *options, void **self)
{
    (void)options;
    *self = NULL;
    return TALLY_OK;
}

static void cpu_close(void *self)
{
    (void)self;
}

static tally_status cpu_add(void *self, const tally_array *x, tally_nan nan, tally_state *state)
{
    (void)self;
    tally_cpu_add(x, nan, state);
    return TALLY_OK;
}

static tally_status cpu_extreme(void *self, const tally_array *x, const tally_extreme_query *query,
                                tally_extreme *result)
{
    (void)self;
    tally_cpu_extreme(x, query, result);
    return TALLY_OK;
}

/* The CPU's tree is the trace itself, with nobody watching. */
static tally_status cpu_tree(void *self, tally_op op, const tally_plan *plan, const tally_array *x,
                             tally_item *result)
{
    const trace_options options = {.op = op};
    uint64_t nbytes = tally_trace_scratch(plan, x->n);
    (void)self;
    void *scratch = nbytes <= SIZE_MAX ? malloc((size_t)nbytes) : NULL;
    if (!scratch) {
        return TALLY_ERR_MEMORY;
    }
    tally_status status = tally_trace_run(&options, plan, x, scratch, result);
    free(scratch);
    return status;
}

static uint64_t cpu_launches(void *self)
{
    (void)self;
    return 0;
}

/* The status says it all. */
static void cpu_failure(void *self, tally_error_detail *detail)
{
    (void)self, (void)detail;
}

const tally_backend *tally_backend_cpu(void)
{
    static const tally_backend cpu = {
        .abi = TALLY_BACKEND_ABI,
        .id = TALLY_BACKEND_CPU,
        .describe = tally_no_device_describe,
        .open = cpu_open,
        .close = cpu_close,
        .add = cpu_add,
        .extreme = cpu_extreme,
        .tree = cpu_tree,
        .tree_async = tally_no_device_async,
        .workspace = tally_no_device_workspace,
        .reserve = tally_no_device_reserve,
        .launches = cpu_launches,
        .failure = cpu_failure,
    };
    return &cpu;
}
