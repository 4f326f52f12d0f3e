/*
 * model_kernels.h - kernels with mistakes, or with blocks that no plan has, run by the model alone.
 *
 * Each adds up ones, a lane one of them, and what it leaves is in result->item.as.f32.
 */
#ifndef TESTS_MODEL_KERNELS_H
#define TESTS_MODEL_KERNELS_H

#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kernel_name {
    KERNEL_TREE_WAVE,     /* src/gpu/tree.cuh's own */
    KERNEL_TREE_HALVING,  /* the same */
    KERNEL_FULL_MASK,     /* exchanges under a mask of all lanes of a wave */
    KERNEL_VOTE,          /* counts lanes by votes under the right masks */
    KERNEL_VOTE_FULL,     /* votes under a mask of all lanes of a wave */
    KERNEL_TWO_BARRIERS,  /* odd lanes wait at one barrier, even ones at another */
    KERNEL_HALF_EXCHANGE, /* the upper half of a group waits at a barrier, the lower half for it */
    KERNEL_NOT_NAMED,     /* the last lane of a group exchanges, but is not in the mask */
    KERNEL_ENDLESS,       /* lane 0 counts down from 0 */
    KERNEL_OUTSIDE,       /* lane 0 writes and reads one past the ends of shared memory and array */
    KERNEL_SAME_PARTIAL,  /* two lanes write the partial */
    KERNEL_SAME_WORD,     /* two lanes write a shared word */
    KERNEL_LATE_WRITE,    /* a lane writes what others have read in the same phase */
    KERNELS
} kernel_name;

/* One block of "lanes" lanes, any number up to 1024. */
tally_status run_kernel(kernel_name kernel, const model_options *options, uint32_t lanes,
                        model_result *result);

#ifdef __cplusplus
}
#endif

#endif
