/*
 * tree_run.h - one tree on a device, from the resolved plan to the launches. What gpu.cu, which
 * knows contexts, asks of tree_type.cu, which has the kernels of one element type.
 */
#ifndef TALLY_TREE_RUN_H
#define TALLY_TREE_RUN_H

#include "gpu_map_host.h"
#include "item.h"
#include "tally.h"

/* Memory that a call brings along. */
struct tree_memory {
    void *workspace;        /* on the device: tree_workspace bytes */
    void *answer;           /* pinned: one item of the kernels ... */
    void *answer_on_device; /* ... and where kernels write it */
};

struct tree_call {
    gpu_queue queue;
    bool overlaps; /* the device can start a kernel before the one before it ends */
    tally_op op;
    const tally_plan *plan; /* resolved for n elements */
    const void *data;       /* on the device */
    ptrdiff_t step;         /* in bytes */
    uint64_t n;
    tree_memory memory;
    uint64_t *launches; /* counts them */
};

/* The most that one item of the kernels takes (argmin of integers: 128 bits, flags, index). */
constexpr size_t tree_most_item_bytes = 48;

template <tally_type TYPE> struct tree_type {
    /* How many bytes of workspace a plan needs. */
    static size_t workspace(tally_op op, const tally_plan *plan);
    /* Runs the plan, n > 0, waits for it and gives the accumulator. */
    static gpu_outcome run(const tree_call &call, tally_item *item);
    /* Puts the plan into the stream, n = 0 too; the result is left on the device. Not final host.
     */
    static gpu_outcome start(const tree_call &call, tally_device_result *result);
};

#endif
