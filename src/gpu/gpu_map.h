/*
 * gpu_map.h - what kernels may say, and how CUDA, HIP and the model say it.
 *
 * The only file under src/ with vendors' names, literal wave masks or wave widths. Kernels are
 * written in its words:
 *
 *   who am I      gpu_lane(), gpu_block(), gpu_block_lanes(), gpu_blocks(), gpu_wave_lanes()
 *   wave          gpu_mask_of(), gpu_mask_full(), gpu_exchange_down(), gpu_vote()
 *   block         gpu_barrier(), gpu_shared<T> with gpu_read(), gpu_write()
 *   grid          gpu_array<T>, gpu_elements<T> with gpu_read(), gpu_write(); gpu_read_piece(),
 *                 gpu_read_piece_across(), gpu_compare_swap(), gpu_read_now(), gpu_fence()
 *   stream        gpu_wait_for_previous(), gpu_let_next_start()
 *   arithmetic    gpu_root(), gpu_leading_zeros()
 *   host          gpu_launch(), gpu_error, gpu_error_text(); the rest is in gpu_map_host.h
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

constexpr unsigned gpu_most_lanes = 1024; /* of a block, on every device */
constexpr size_t gpu_piece_bytes = 16;    /* what one lane loads at once, at most */

/* N neighbours in registers. */
template <class T, unsigned N> struct gpu_piece {
    T element[N];
};

/* Where a launch takes place. stage and most_steps are for the model's reports. */
struct gpu_grid {
    uint64_t blocks;
    unsigned lanes;
    size_t shared_bytes;
    unsigned stage;
    uint64_t most_steps;
    bool overlaps; /* may start while the kernel before it ends: it waits with
                      gpu_wait_for_previous() before it looks at memory */
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

#define GPU_KERNEL __global__ __launch_bounds__(gpu_most_lanes)
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
    const dim3 blocks(static_cast<unsigned>(grid.blocks)), lanes(grid.lanes);
#if defined(__HIPCC__)
    kernel<<<blocks, lanes, grid.shared_bytes, queue>>>(job);
    return hipGetLastError();
#else
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute overlap;
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = blocks;
    config.blockDim = lanes;
    config.dynamicSmemBytes = grid.shared_bytes;
    config.stream = queue;
    config.attrs = &overlap;
    config.numAttrs = grid.overlaps ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, job);
#endif
}

/* Waits until the kernels before this one are done and what they wrote is to be seen. */
GPU_CODE void gpu_wait_for_previous()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* The next kernel's blocks may take their places; they will wait for this kernel's end. */
GPU_CODE void gpu_let_next_start()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/* Correctly rounded. */
GPU_CODE float gpu_root(float x)
{
#if defined(__HIPCC__)
    return sqrtf(x); /* its __fsqrt_rn is the quick one in some versions */
#else
    return __fsqrt_rn(x);
#endif
}

GPU_CODE double gpu_root(double x)
{
#if defined(__HIPCC__)
    return sqrt(x);
#else
    return __dsqrt_rn(x);
#endif
}

GPU_CODE unsigned gpu_leading_zeros(uint64_t x)
{
    return static_cast<unsigned>(__clzll(static_cast<long long>(x)));
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

/* N elements from an index on. One is aligned as its type is; several are neighbours, and a piece
 * is aligned to its size. */
template <unsigned N, class T>
GPU_CODE gpu_piece<T, N> gpu_read_piece(gpu_elements<T> elements, uint64_t index)
{
    gpu_piece<T, N> piece;
    if constexpr (N == 1) {
        piece.element[0] = __ldg(reinterpret_cast<const T *>(
            elements.data + static_cast<ptrdiff_t>(index) * elements.step));
    } else {
        static_assert(sizeof piece == gpu_piece_bytes, "one load");
        const uint4 word =
            __ldg(reinterpret_cast<const uint4 *>(elements.data + index * sizeof(T)));
        memcpy(&piece, &word, sizeof piece);
    }
    return piece;
}

/* The same for neighbours at any address: two aligned loads, and what lies across them. They reach
 * up to 15 bytes before the piece, and behind it up to as many as a piece has. */
template <unsigned N, class T>
GPU_CODE gpu_piece<T, N> gpu_read_piece_across(gpu_elements<T> elements, uint64_t index)
{
    gpu_piece<T, N> piece;
    static_assert(sizeof piece == gpu_piece_bytes, "two loads");
    const uintptr_t at = reinterpret_cast<uintptr_t>(elements.data) + index * sizeof(T);
    const uint4 *from = reinterpret_cast<const uint4 *>(at - at % gpu_piece_bytes);
    const uint4 low = __ldg(from), high = __ldg(from + 1);
    const bool two = (at & 8) != 0, one = (at & 4) != 0;
    const unsigned bits = static_cast<unsigned>(at & 3) * 8;
    /* down by two words, by one, and by the rest: selections, no array that needs memory */
    const uint32_t a[6] = {two ? low.z : low.x,  two ? low.w : low.y,   two ? high.x : low.z,
                           two ? high.y : low.w, two ? high.z : high.x, two ? high.w : high.y};
    uint32_t word[4];
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t both =
            static_cast<uint64_t>(one ? a[i + 2] : a[i + 1]) << 32 | (one ? a[i + 1] : a[i]);
        word[i] = static_cast<uint32_t>(both >> bits);
    }
    memcpy(&piece, word, sizeof piece);
    return piece;
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
