/* cpu.c - the CPU as a backend: always there, no state of its own. */
#include "kernels.h"

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

const tally_backend *tally_backend_cpu(void)
{
    static const tally_backend cpu = {TALLY_BACKEND_CPU, cpu_open, cpu_close, cpu_add, cpu_extreme};
    return &cpu;
}
