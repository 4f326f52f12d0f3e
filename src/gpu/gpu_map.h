/*
 * gpu_map.h - what kernels may say, and how CUDA, HIP and the model say it.
 *
 * The only file under src/ with vendors' names, literal wave masks or wave widths. Kernels are
 * written in its words:
 *
 *   who am I      gpu_lane(), gpu_block(), gpu_block_lanes(), gpu_blocks(), gpu_wave_lanes()
 *   wave          gpu_mask_of(), gpu_mask_full(), gpu_exchange_down(), gpu_vote()
 *   block         gpu_barrier(), gpu_shared<T> with gpu_read(), gpu_write()
 *   grid          gpu_array<T>, gpu_elements<T> with gpu_read(), gpu_write(); gpu_compare_swap(),
 *                 gpu_read_now(), gpu_fence()
 *   host          gpu_launch(), gpu_error, gpu_error_text()
 *   faults        gpu_fault(): a constant FAULT_NONE on devices, so that none is compiled in
 *
 * Registers are exchanged in groups of gpu_group_lanes, whatever the wave's width. Under the model
 * (gpu_map_model.h) each word takes along the file and line where it was said.
 */
#ifndef TALLY_GPU_MAP_H
#define TALLY_GPU_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fault.h"
#include "tally.h"

constexpr unsigned gpu_group_lanes = 32;

/* Where a launch takes place. stage and most_steps are for the model's reports. */
struct gpu_grid {
    uint64_t blocks;
    unsigned lanes;
    size_t shared_bytes;
    unsigned stage;
    uint64_t most_steps;
};

#if defined(__CUDACC__) || defined(__HIPCC__)

/* ---- devices ------------------------------------------------------------------------------- */

#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
#define GPU_VENDOR(name) hip##name
typedef uint64_t gpu_mask; /* waves of 64 too */
#else
#include <cuda_runtime.h>
#define GPU_VENDOR(name) cuda##name
typedef uint32_t gpu_mask;
#endif

#define GPU_KERNEL __global__
#define GPU_CODE   __device__ __forceinline__
#define GPU_BOTH   __host__ __device__ __forceinline__

namespace
{

typedef GPU_VENDOR(Stream_t) gpu_queue;
typedef GPU_VENDOR(Error_t) gpu_error;
constexpr gpu_error gpu_ok = GPU_VENDOR(Success);

inline const char *gpu_error_name(gpu_error error)
{
    return GPU_VENDOR(GetErrorName)(error);
}

inline const char *gpu_error_text(gpu_error error)
{
    return GPU_VENDOR(GetErrorString)(error);
}

template <class Job>
gpu_error gpu_launch(gpu_queue queue, const char *, void (*kernel)(Job), const gpu_grid &grid,
                     const Job &job)
{
    kernel<<<dim3(static_cast<unsigned>(grid.blocks)), dim3(grid.lanes), grid.shared_bytes,
             queue>>>(job);
    return GPU_VENDOR(GetLastError)();
}

GPU_CODE unsigned gpu_lane()
{
    return threadIdx.x;
}

GPU_CODE uint64_t gpu_block()
{
    return blockIdx.x;
}

GPU_CODE unsigned gpu_block_lanes()
{
    return blockDim.x;
}

GPU_CODE uint64_t gpu_blocks()
{
    return gridDim.x;
}

GPU_CODE unsigned gpu_wave_lanes()
{
    return static_cast<unsigned>(warpSize);
}

GPU_CODE constexpr tally_fault gpu_fault()
{
    return FAULT_NONE;
}

GPU_CODE void gpu_barrier()
{
    __syncthreads();
}

GPU_CODE void gpu_fence()
{
    __threadfence();
}

/* One 32-bit register. HIP's lanes run in step, and its form without a mask is in every version. */
GPU_CODE uint32_t gpu_exchange_word(gpu_mask mask, uint32_t word, unsigned offset)
{
#if defined(__HIPCC__)
    (void)mask;
    return static_cast<uint32_t>(
        __shfl_down(static_cast<int>(word), offset, static_cast<int>(gpu_group_lanes)));
#else
    return __shfl_down_sync(mask, word, offset, gpu_group_lanes);
#endif
}

template <class T> GPU_CODE T gpu_exchange_down(gpu_mask mask, const T &mine, unsigned offset)
{
    static_assert(sizeof(T) % sizeof(uint32_t) == 0, "registers are exchanged in 32-bit words");
    constexpr unsigned words = sizeof(T) / sizeof(uint32_t);
    uint32_t word[words];
    T got;
    memcpy(word, &mine, sizeof mine);
    for (unsigned i = 0; i < words; i++) {
        word[i] = gpu_exchange_word(mask, word[i], offset);
    }
    memcpy(&got, word, sizeof got);
    return got;
}

GPU_CODE gpu_mask gpu_vote(gpu_mask mask, bool yes)
{
#if defined(__HIPCC__)
    return __ballot(yes) & mask;
#else
    return __ballot_sync(mask, yes);
#endif
}

/* The block's shared memory, as elements T: as many as the launch gave bytes for. */
template <class T> struct gpu_shared {
};

template <class T> GPU_CODE T *gpu_shared_data()
{
    extern __shared__ uint64_t gpu_shared_memory[];
    return reinterpret_cast<T *>(gpu_shared_memory);
}

template <class T> GPU_CODE T gpu_read(gpu_shared<T>, uint64_t index)
{
    return gpu_shared_data<T>()[index];
}

template <class T> GPU_CODE void gpu_write(gpu_shared<T>, uint64_t index, const T &value)
{
    gpu_shared_data<T>()[index] = value;
}

/* An array of our own in global memory. */
template <class T> struct gpu_array {
    T *data;
};

template <class T> GPU_CODE T gpu_read(gpu_array<T> array, uint64_t index)
{
    return array.data[index];
}

template <class T> GPU_CODE void gpu_write(gpu_array<T> array, uint64_t index, const T &value)
{
    array.data[index] = value;
}

/* What is there now, other blocks' writes included, and not what a cache remembers. */
template <class T> GPU_CODE T gpu_read_now(gpu_array<T> array, uint64_t index)
{
    const volatile uint32_t *from = reinterpret_cast<const volatile uint32_t *>(&array.data[index]);
    uint32_t word[sizeof(T) / sizeof(uint32_t)];
    T value;
    for (unsigned i = 0; i < sizeof(T) / sizeof(uint32_t); i++) {
        word[i] = from[i];
    }
    memcpy(&value, word, sizeof value);
    return value;
}

GPU_CODE uint32_t gpu_compare_swap(gpu_array<uint32_t> array, uint64_t index, uint32_t expected,
                                   uint32_t desired)
{
    return atomicCAS(&array.data[index], expected, desired);
}

GPU_CODE uint64_t gpu_compare_swap(gpu_array<uint64_t> array, uint64_t index, uint64_t expected,
                                   uint64_t desired)
{
    return atomicCAS(reinterpret_cast<unsigned long long *>(&array.data[index]),
                     static_cast<unsigned long long>(expected),
                     static_cast<unsigned long long>(desired));
}

template <class To, class T> GPU_CODE gpu_array<To> gpu_array_as(gpu_array<T> array)
{
    return {reinterpret_cast<To *>(array.data)};
}

/* The caller's elements: any stride, any alignment. */
template <class T> struct gpu_elements {
    const unsigned char *data;
    ptrdiff_t step; /* bytes from one to the next */
};

template <class T> GPU_CODE T gpu_read(gpu_elements<T> elements, uint64_t index)
{
    const unsigned char *p = elements.data + static_cast<ptrdiff_t>(index) * elements.step;
    if (reinterpret_cast<uintptr_t>(p) % sizeof(T) == 0) {
        return *reinterpret_cast<const T *>(p);
    }
    unsigned char bytes[sizeof(T)];
    T value;
    for (unsigned i = 0; i < sizeof(T); i++) {
        bytes[i] = p[i];
    }
    memcpy(&value, bytes, sizeof value);
    return value;
}

#else

#include "gpu_map_model.h"

namespace
{

#endif

/* ---- all of them --------------------------------------------------------------------------- */

/* All lanes of a wave. */
GPU_CODE gpu_mask gpu_mask_full()
{
    return gpu_wave_lanes() == 64 ? ~static_cast<gpu_mask>(0) : static_cast<gpu_mask>(0xffffffff);
}

/* n lanes (1...gpu_group_lanes, within one group) from lane "first" of the block on. */
GPU_CODE gpu_mask gpu_mask_of(unsigned first, unsigned n)
{
    return static_cast<gpu_mask>(0xffffffff >> (gpu_group_lanes - n)) << first % gpu_wave_lanes();
}

} // namespace

#endif
