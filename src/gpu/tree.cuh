/*
 * tree.cuh - the kernels of the two-stage tree: lane, group, block, grid. The one text of them;
 * CUDA, HIP and the model compile it through gpu_map.h.
 *
 * A kernel is one pass. Its source is the caller's elements or the partials of the pass before. A
 * lane combines what the plan gives it in a register, the block folds its lanes (tree_wave or
 * tree_halving), lane 0 hands over the block's partial. src/trace.c plays the same in plain C; the
 * tests compare their bits.
 *
 * Blocks may have any number of lanes up to 1024, though plans have powers of two only.
 */
#ifndef TALLY_TREE_CUH
#define TALLY_TREE_CUH

#include "tree_value.cuh"

namespace
{

/* ---- where a pass reads ---- */

template <tally_type TYPE, tally_op OP> struct tree_elements {
    typedef element<TYPE> type;
    typedef reduction<typename type::value, OP> reduce;
    gpu_elements<typename type::stored> x;

    GPU_CODE typename reduce::item take(uint64_t index) const
    {
        return reduce::take(type::load(gpu_read(x, index)), index);
    }
};

template <class Value, tally_op OP> struct tree_partials {
    typedef reduction<Value, OP> reduce;
    gpu_array<typename reduce::item> x;

    GPU_CODE typename reduce::item take(uint64_t index) const
    {
        return gpu_read(x, index);
    }
};

/* ---- one pass ---- */

template <class Source> struct tree_job {
    typedef typename Source::reduce reduce;
    typedef typename reduce::item item;
    Source source;
    uint64_t n;
    uint64_t vector; /* neighbours that a lane takes at a time */
    bool contiguous; /* then a lane takes one element */
    bool atomic;     /* out is one result, to be combined with; else a partial for each block */
    gpu_array<item> out;
    gpu_array<uint32_t> lock; /* atomic, for items that no atomic instruction can swap */
};

/* How the lanes of a block form groups. The last group may have fewer members than the others. */
struct tree_group {
    unsigned width;  /* of every group but the last */
    unsigned n;      /* groups of the block */
    unsigned number; /* this lane's */
    unsigned place;  /* of this lane in its group */
    unsigned members;
};

GPU_CODE tree_group group_of_lane()
{
    const unsigned lanes = gpu_block_lanes(), lane = gpu_lane();
    tree_group group;
    group.width = lanes < gpu_group_lanes ? lanes : gpu_group_lanes;
    group.n = (lanes + group.width - 1) / group.width;
    group.number = lane / group.width;
    group.place = lane % group.width;
    const unsigned rest = lanes - group.number * group.width;
    group.members = rest < group.width ? rest : group.width;
    return group;
}

/* ---- lane ---- */

template <class Source> GPU_CODE uint64_t lane_first(const tree_job<Source> &job)
{
    return (gpu_block() * gpu_block_lanes() + gpu_lane()) * job.vector;
}

template <class Source>
GPU_CODE typename tree_job<Source>::item lane_accumulate(const tree_job<Source> &job)
{
    typedef typename tree_job<Source>::reduce reduce;
    const uint64_t turn = job.contiguous ? job.n : gpu_blocks() * gpu_block_lanes() * job.vector;
    typename reduce::item v = reduce::identity();
    for (uint64_t first = lane_first(job); first < job.n; first += turn) {
        const uint64_t left = job.n - first, count = left < job.vector ? left : job.vector;
        for (uint64_t i = 0; i < count; i++) {
            v = reduce::combine(v, job.source.take(first + i));
        }
    }
    return v;
}

/* ---- group: lane exchange ---- */

/* Folds the members' registers into that of place 0. In every round all members exchange, so the
 * mask names the members and nobody else. A lane without a partner gets its own register back and
 * keeps it. */
template <class reduce>
GPU_CODE typename reduce::item group_fold(typename reduce::item v, gpu_mask mask, unsigned place,
                                          unsigned members)
{
    for (unsigned count = members; count > 1;) {
        const unsigned offset = (count + 1) / 2; /* 16, 8, 4, 2, 1 in a full group */
        const bool has_partner = place + offset < count;
        const typename reduce::item got = gpu_exchange_down(mask, v, has_partner ? offset : 0);
        if (has_partner) {
            v = reduce::combine(v, got);
        }
        count = offset;
    }
    return v;
}

GPU_CODE gpu_mask group_mask(unsigned first, unsigned members)
{
    if (gpu_fault() == FAULT_WRONG_MASK) {
        return gpu_mask_full();
    }
    return gpu_mask_of(first, members);
}

/* ---- grid ---- */

template <size_t NBYTES> struct word_of_size;

template <> struct word_of_size<4> {
    typedef uint32_t type;
};

template <> struct word_of_size<8> {
    typedef uint64_t type;
};

/* Combines v with the one result: by compare-and-swap where an instruction holds the item, else
 * under a lock. Only lane 0 of a block comes here, so no lane waits for another of its wave. */
template <class Source>
GPU_CODE void grid_combine(const tree_job<Source> &job, const typename tree_job<Source>::item &v)
{
    typedef typename tree_job<Source>::reduce reduce;
    typedef typename reduce::item item;
    if constexpr (sizeof(item) == sizeof(uint32_t) || sizeof(item) == sizeof(uint64_t)) {
        typedef typename word_of_size<sizeof(item)>::type word;
        item seen = gpu_read_now(job.out, 0);
        word old, was;
        do {
            const item sum = reduce::combine(seen, v);
            word wanted;
            memcpy(&was, &seen, sizeof was);
            memcpy(&wanted, &sum, sizeof wanted);
            old = gpu_compare_swap(gpu_array_as<word>(job.out), 0, was, wanted);
            memcpy(&seen, &old, sizeof seen);
        } while (old != was);
    } else {
        while (gpu_compare_swap(job.lock, 0, 0u, 1u) != 0u) {
        }
        gpu_fence();
        gpu_write(job.out, 0, reduce::combine(gpu_read_now(job.out, 0), v));
        gpu_fence();
        gpu_compare_swap(job.lock, 0, 1u, 0u);
    }
}

template <class Source>
GPU_CODE void hand_over(const tree_job<Source> &job, const typename tree_job<Source>::item &v)
{
    if (job.atomic) {
        grid_combine(job, v);
    } else {
        gpu_write(job.out, gpu_block(), v);
    }
}

/* ---- block ---- */

/* Groups fold by lane exchange, their first lanes leave the results in shared memory, and the first
 * group folds those. Shared memory: one item a group. */
template <class Source> GPU_KERNEL void tree_wave(tree_job<Source> job)
{
    typedef typename tree_job<Source>::reduce reduce;
    typedef typename reduce::item item;
    const gpu_shared<item> slot = {};
    const tree_group group = group_of_lane();
    if (gpu_fault() == FAULT_EARLY_EXIT && lane_first(job) >= job.n) {
        return;
    }

    item v = lane_accumulate(job);
    v = group_fold<reduce>(v, group_mask(group.number * group.width, group.members), group.place,
                           group.members);
    if (group.place == 0) {
        gpu_write(slot, group.number, v);
    }
    if (gpu_fault() != FAULT_NO_BARRIER) {
        gpu_barrier();
    }

    unsigned readers = group.width;
    if (gpu_fault() == FAULT_WRONG_MASK && group.n > 1) {
        readers = group.n; /* only as many lanes as there are slots, and yet the full mask */
    }
    if (group.number == 0 && group.place < readers) {
        v = group.place < group.n ? gpu_read(slot, group.place) : reduce::identity();
        v = group_fold<reduce>(v, group_mask(0, readers), group.place, readers);
        if (group.place == 0) {
            hand_over(job, v);
        }
    }
}

/* All values lie in shared memory; every round halves how many count. Shared memory: one item a
 * lane. */
template <class Source> GPU_KERNEL void tree_halving(tree_job<Source> job)
{
    typedef typename tree_job<Source>::reduce reduce;
    typedef typename reduce::item item;
    const gpu_shared<item> slot = {};
    const unsigned lane = gpu_lane(), lanes = gpu_block_lanes();
    if (gpu_fault() == FAULT_EARLY_EXIT && lane_first(job) >= job.n) {
        return;
    }

    gpu_write(slot, lane, lane_accumulate(job));
    gpu_barrier();
    for (unsigned count = lanes; count > 1;) {
        const unsigned stride = (count + 1) / 2;
        if (lane + stride < (gpu_fault() == FAULT_IN_PLACE ? lanes : count)) {
            gpu_write(slot, lane,
                      reduce::combine(gpu_read(slot, lane), gpu_read(slot, lane + stride)));
        }
        if (gpu_fault() != FAULT_NO_BARRIER) {
            gpu_barrier();
        }
        count = stride;
    }
    if (lane == 0) {
        hand_over(job, gpu_read(slot, lane));
    }
}

/* ---- host ---- */

template <class item> size_t tree_shared_bytes(tally_shape shape, unsigned lanes)
{
    const size_t groups = (lanes + gpu_group_lanes - 1) / gpu_group_lanes;
    return (shape == TALLY_SHAPE_HALVING ? lanes : groups) * sizeof(item);
}

inline const char *tree_kernel_name(tally_shape shape)
{
    return shape == TALLY_SHAPE_HALVING ? "tree_halving" : "tree_wave";
}

template <class Source>
gpu_error tree_launch(gpu_queue queue, tally_shape shape, gpu_grid grid,
                      const tree_job<Source> &job)
{
    grid.shared_bytes = tree_shared_bytes<typename tree_job<Source>::item>(shape, grid.lanes);
    return gpu_launch(queue, tree_kernel_name(shape),
                      shape == TALLY_SHAPE_HALVING ? tree_halving<Source> : tree_wave<Source>, grid,
                      job);
}

/* Items 0...n - 1 fold into the first of them: in every round the item at i takes the one at
 * i + distance. n is a power of two. */
template <class reduce> void host_halve(typename reduce::item *item, unsigned n)
{
    for (unsigned distance = n / 2; distance > 0; distance /= 2) {
        for (unsigned i = 0; i < distance; i++) {
            item[i] = reduce::combine(item[i], item[i + distance]);
        }
    }
}

/* Folds n partials on the host, in the order in which one block of "lanes" lanes, a power of two,
 * would; read(i) gives partial i. lane has room for as many items. */
template <class reduce, class Read>
typename reduce::item host_fold(tally_shape shape, const Read &read, uint64_t n, unsigned lanes,
                                typename reduce::item *lane)
{
    for (unsigned t = 0; t < lanes; t++) {
        lane[t] = reduce::identity();
        for (uint64_t i = t; i < n; i += lanes) {
            lane[t] = reduce::combine(lane[t], read(i));
        }
    }
    const unsigned width =
        shape == TALLY_SHAPE_HALVING || lanes < gpu_group_lanes ? lanes : gpu_group_lanes;
    const unsigned groups = lanes / width;
    for (unsigned group = 0; group < groups; group++) {
        host_halve<reduce>(lane + group * width, width);
        lane[group] = lane[group * width];
    }
    if (shape == TALLY_SHAPE_WAVE) {
        for (unsigned t = groups; t < width; t++) {
            lane[t] = reduce::identity();
        }
        host_halve<reduce>(lane, width);
    }
    return lane[0];
}

} // namespace

#endif
