/*
 * gpu_map_model.h - the words of gpu_map.h as the model understands them. Included by that file
 * only.
 *
 * GPU_HERE gives every word the file and line of the kernel's text that says it, for the reports.
 */
#ifndef TALLY_GPU_MAP_MODEL_H
#define TALLY_GPU_MAP_MODEL_H

#include "model/simt.h"

#define GPU_KERNEL
#define GPU_CODE inline
#define GPU_BOTH inline
#define GPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace
{

typedef uint64_t gpu_mask;
typedef simt_machine *gpu_queue;
typedef tally_status gpu_error;
constexpr gpu_error gpu_ok = TALLY_OK;

template <class Job> struct gpu_entry {
    void (*kernel)(Job);
    const Job *job;
    static void enter(const void *self)
    {
        const gpu_entry *entry = static_cast<const gpu_entry *>(self);
        entry->kernel(*entry->job);
    }
};

template <class Job>
gpu_error gpu_launch(gpu_queue queue, const char *name, void (*kernel)(Job), const gpu_grid &grid,
                     const Job &job)
{
    const gpu_entry<Job> entry = {kernel, &job};
    const simt_launch launch = {name,
                                grid.stage,
                                grid.blocks,
                                grid.lanes,
                                grid.shared_bytes,
                                grid.most_steps,
                                gpu_entry<Job>::enter,
                                &entry};
    return tally_simt_launch(queue, &launch);
}

/* An instruction: the model's mathematics leave no error number. */
GPU_CODE float gpu_root(float x)
{
    return __builtin_sqrtf(x);
}

GPU_CODE double gpu_root(double x)
{
    return __builtin_sqrt(x);
}

GPU_CODE unsigned gpu_leading_zeros(uint64_t x)
{
    return x == 0 ? 64 : static_cast<unsigned>(__builtin_clzll(x));
}

GPU_CODE unsigned gpu_lane()
{
    return tally_simt_lane();
}

GPU_CODE uint64_t gpu_block()
{
    return tally_simt_block();
}

GPU_CODE unsigned gpu_block_lanes()
{
    return tally_simt_lanes();
}

GPU_CODE uint64_t gpu_blocks()
{
    return tally_simt_blocks();
}

GPU_CODE unsigned gpu_wave_lanes()
{
    return tally_simt_wave();
}

GPU_CODE tally_fault gpu_fault()
{
    return tally_simt_fault();
}

GPU_CODE void gpu_barrier(GPU_HERE)
{
    tally_simt_barrier(file, line);
}

/* The model's memory has no caches: what is written is there. */
GPU_CODE void gpu_fence() {}

/* Its kernels run one after the other. */
GPU_CODE void gpu_wait_for_previous() {}
GPU_CODE void gpu_let_next_start() {}

template <class T>
GPU_CODE T gpu_exchange_down(gpu_mask mask, const T &mine, unsigned offset, GPU_HERE)
{
    T got;
    tally_simt_exchange(mask, &mine, &got, sizeof got, offset, file, line);
    return got;
}

GPU_CODE gpu_mask gpu_vote(gpu_mask mask, bool yes, GPU_HERE)
{
    return tally_simt_vote(mask, yes, file, line);
}

template <class T> struct gpu_shared {
};

template <class T> GPU_CODE T gpu_read(gpu_shared<T>, uint64_t index, GPU_HERE)
{
    T value;
    tally_simt_shared_read(&value, index, sizeof value, file, line);
    return value;
}

template <class T> GPU_CODE void gpu_write(gpu_shared<T>, uint64_t index, const T &value, GPU_HERE)
{
    tally_simt_shared_write(&value, index, sizeof value, file, line);
}

template <class T> struct gpu_array {
    simt_array *watched;
};

template <class T> struct gpu_elements {
    simt_array *watched;
};

template <class T> GPU_CODE T gpu_read(gpu_array<T> array, uint64_t index, GPU_HERE)
{
    T value;
    tally_simt_read(array.watched, &value, index, file, line);
    return value;
}

template <class T> GPU_CODE T gpu_read(gpu_elements<T> elements, uint64_t index, GPU_HERE)
{
    T value;
    tally_simt_read(elements.watched, &value, index, file, line);
    return value;
}

template <unsigned N, class T>
GPU_CODE gpu_piece<T, N> gpu_read_piece(gpu_elements<T> elements, uint64_t index, GPU_HERE)
{
    gpu_piece<T, N> piece;
    for (unsigned i = 0; i < N; i++) {
        piece.element[i] = gpu_read(elements, index + i, file, line);
    }
    return piece;
}

template <unsigned N, class T>
GPU_CODE gpu_piece<T, N> gpu_read_piece_across(gpu_elements<T> elements, uint64_t index, GPU_HERE)
{
    return gpu_read_piece<N>(elements, index, file, line);
}

template <class T> GPU_CODE T gpu_read_now(gpu_array<T> array, uint64_t index, GPU_HERE)
{
    return gpu_read(array, index, file, line);
}

template <class T>
GPU_CODE void gpu_write(gpu_array<T> array, uint64_t index, const T &value, GPU_HERE)
{
    tally_simt_write(array.watched, &value, index, file, line);
}

template <class T>
GPU_CODE T gpu_compare_swap(gpu_array<T> array, uint64_t index, T expected, T desired, GPU_HERE)
{
    T old;
    tally_simt_compare_swap(array.watched, index, &expected, &desired, &old, file, line);
    return old;
}

template <class To, class T> GPU_CODE gpu_array<To> gpu_array_as(gpu_array<T> array)
{
    return {array.watched};
}

} // namespace

#endif
