/*
 * data.cuh - elements made on the device, a reference for the default plan's tree that shares no
 * code with the library, and the plain read that no sum can beat.
 */
#ifndef TALLY_BENCH_DATA_CUH
#define TALLY_BENCH_DATA_CUH

#include "measure.h"

/* 64 bits that look random (the finaliser of SplitMix64). */
__host__ __device__ inline uint64_t scrambled(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Uniform in [0, 1), all bits of the fraction in use. */
__host__ __device__ inline void make_element(uint64_t i, float *x)
{
    *x = static_cast<float>(scrambled(i) >> 40) * 0x1p-24f;
}

__host__ __device__ inline void make_element(uint64_t i, double *x)
{
    *x = static_cast<double>(scrambled(i) >> 11) * 0x1p-53;
}

template <class T> __global__ void fill_kernel(T *x, uint64_t n)
{
    for (uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; i < n;
         i += uint64_t(gridDim.x) * blockDim.x) {
        make_element(i, &x[i]);
    }
}

template <class T> void fill(T *x, uint64_t n)
{
    fill_kernel<<<1024, 256>>>(x, n);
    CUDA_MUST(cudaDeviceSynchronize());
}

/* ---- the reference ---- */

/* Every lane's own sum, taken element by element as the plan says. */
template <class T>
__global__ void lane_sums(const T *x, uint64_t n, unsigned vector, uint64_t lanes, T *sum)
{
    const uint64_t lane = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x;
    T s = 0;
    for (uint64_t turn = 0; turn * lanes * vector < n; turn++) {
        for (unsigned i = 0; i < vector; i++) {
            const uint64_t at = (turn * lanes + lane) * vector + i;
            s = at < n ? s + x[at] : s;
        }
    }
    sum[lane] = s;
}

template <class T> T fold_group(T *v, unsigned n)
{
    for (unsigned distance = n / 2; distance > 0; distance /= 2) {
        for (unsigned i = 0; i < distance; i++) {
            v[i] += v[i + distance];
        }
    }
    return v[0];
}

/* One block of the shape wave: groups of 32, then the groups' sums. */
template <class T> T fold_block(T *lane, unsigned n)
{
    T slot[32] = {};
    const unsigned width = n < 32 ? n : 32;
    for (unsigned g = 0; g < n / width; g++) {
        slot[g] = fold_group(lane + g * width, width);
    }
    return fold_group(slot, width);
}

/* What a resolved plan of the shape wave, grid-stride, two stages gives. */
template <class T> T reference_tree(const T *x, uint64_t n, const tally_plan &plan)
{
    const uint64_t lanes = plan.blocks * plan.block;
    std::vector<T> lane(lanes), partial;
    T *sums = nullptr;
    CUDA_MUST(cudaMalloc(&sums, lanes * sizeof(T)));
    lane_sums<<<static_cast<unsigned>(plan.blocks), plan.block>>>(x, n, plan.vector, lanes, sums);
    CUDA_MUST(cudaMemcpy(lane.data(), sums, lanes * sizeof(T), cudaMemcpyDeviceToHost));
    CUDA_MUST(cudaFree(sums));
    for (uint64_t b = 0; b < plan.blocks; b++) {
        partial.push_back(fold_block(&lane[b * plan.block], plan.block));
    }
    unsigned last = plan.block;
    while (last > 1 && last / 2 >= plan.blocks) {
        last /= 2;
    }
    std::vector<T> second(last, T(0));
    for (uint64_t i = 0; i < plan.blocks; i++) {
        second[i % last] += partial[i];
    }
    return fold_block(second.data(), last);
}

/* ---- the ceiling ---- */

/* Reads everything, 16 bytes a lane and several of them at a time, and keeps nothing. */
static __global__ void read_kernel(const uint4 *x, uint64_t n, unsigned *out)
{
    const uint64_t lanes = uint64_t(gridDim.x) * blockDim.x;
    uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x;
    unsigned seen = 0;
    for (; i + 3 * lanes < n; i += 4 * lanes) {
        const uint4 a = x[i], b = x[i + lanes], c = x[i + 2 * lanes], d = x[i + 3 * lanes];
        seen |= (a.x & a.y & a.z & a.w) | (b.x & b.y & b.z & b.w) | (c.x & c.y & c.z & c.w) |
                (d.x & d.y & d.z & d.w);
    }
    for (; i < n; i += lanes) {
        const uint4 a = x[i];
        seen |= a.x & a.y & a.z & a.w;
    }
    if (seen == 0xffffffff) { /* never, for numbers in [0, 1): but the compiler cannot know */
        *out = seen;
    }
}

#endif
