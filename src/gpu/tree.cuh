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

#include "tree_result.cuh"
#include "tree_value.cuh"

namespace
{

/* ---- where a pass reads ---- */

/* most: how many elements a lane may load at once. read() brings N of them, item() makes the i-th
 * of those, which is the input's index-th, an item. take() does both for one, however it is
 * aligned. */
template <tally_type TYPE, tally_op OP> struct tree_elements {
    typedef element<TYPE> type;
    typedef typename type::stored stored;
    typedef reduction<typename type::value, OP> reduce;
    static constexpr unsigned most = gpu_piece_bytes / sizeof(stored);
    gpu_elements<stored> x;

    template <unsigned N, bool ACROSS>
    GPU_CODE gpu_piece<stored, N> read(uint64_t index, uint64_t n) const
    {
        if constexpr (!ACROSS) {
            (void)n;
            return gpu_read_piece<N>(x, index);
        } else {
            if (index + 2 * N <= n) { /* the second load stays within the array */
                return gpu_read_piece_across<N>(x, index);
            }
            gpu_piece<stored, N> piece;
            for (unsigned i = 0; i < N; i++) {
                piece.element[i] = gpu_read(x, index + i);
            }
            return piece;
        }
    }

    template <unsigned N>
    GPU_CODE typename reduce::item item(const gpu_piece<stored, N> &piece, unsigned i,
                                        uint64_t index) const
    {
        return reduce::take(type::load(piece.element[i]), index);
    }

    GPU_CODE typename reduce::item take(uint64_t index) const
    {
        return reduce::take(type::load(gpu_read(x, index)), index);
    }
};

template <class Value, tally_op OP> struct tree_partials {
    typedef reduction<Value, OP> reduce;
    static constexpr unsigned most = 1;
    gpu_array<typename reduce::item> x;

    template <unsigned N, bool>
    GPU_CODE gpu_piece<typename reduce::item, N> read(uint64_t index, uint64_t) const
    {
        static_assert(N == 1, "partials are taken one by one");
        return {{gpu_read(x, index)}};
    }

    template <unsigned N>
    GPU_CODE typename reduce::item item(const gpu_piece<typename reduce::item, N> &piece,
                                        unsigned i, uint64_t) const
    {
        return piece.element[i];
    }

    GPU_CODE typename reduce::item take(uint64_t index) const
    {
        return gpu_read(x, index);
    }
};

/* ---- one pass ---- */

/* How lanes get at the source: byte by byte, element by element, or Source::most neighbours at a
 * time, aligned or across. What they get, and in which order they combine it, is the same. */
enum tree_access { TREE_BYTES, TREE_ELEMENTS, TREE_PIECES, TREE_ACROSS };

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
    tree_result result;       /* where the value is wanted, too, if this is the last pass */
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
    if (lanes < gpu_group_lanes) {
        return {lanes, 1, 0, lane, lanes};
    }
    tree_group group;
    group.width = gpu_group_lanes;
    group.n = (lanes + gpu_group_lanes - 1) / gpu_group_lanes;
    group.number = lane / gpu_group_lanes;
    group.place = lane % gpu_group_lanes;
    const unsigned rest = lanes - group.number * gpu_group_lanes;
    group.members = rest < gpu_group_lanes ? rest : gpu_group_lanes;
    return group;
}

/* ---- lane ---- */

template <class Source> GPU_CODE uint64_t lane_first(const tree_job<Source> &job)
{
    return (gpu_block() * gpu_block_lanes() + gpu_lane()) * job.vector;
}

/* The places from which a lane loads N elements each, in their order. */
template <unsigned N> struct lane_walk {
    uint64_t at;
    uint64_t left;   /* loads until the end of these neighbours, this one included */
    uint64_t loads;  /* that bring all neighbours of a turn */
    uint64_t beyond; /* from the end of these neighbours to the next */

    GPU_CODE uint64_t next()
    {
        const uint64_t here = at;
        at += N;
        if (--left == 0) {
            left = loads;
            at += beyond;
        }
        return here;
    }
};

template <unsigned N, class Source> GPU_CODE lane_walk<N> lane_begin(const tree_job<Source> &job)
{
    const uint64_t turn = job.contiguous ? job.n : gpu_blocks() * gpu_block_lanes() * job.vector;
    const uint64_t loads = job.vector / N;
    return {lane_first(job), loads, loads, turn - job.vector};
}

/* How many loads of N elements are under way at a time: one alone would wait for memory most of the
 * time. Two wide ones are enough where all lanes do the same, and quick where there is little to
 * do; narrow ones carry less. */
template <unsigned N, class Source>
constexpr unsigned tree_loads = N > 1 || Source::most == 1 ? 2
                                : Source::most <= 2        ? 4
                                                           : 8;

/* Combines a lane's elements in their order. */
template <unsigned N, bool ACROSS, class Source>
GPU_CODE typename tree_job<Source>::item lane_run(const tree_job<Source> &job)
{
    typedef typename tree_job<Source>::reduce reduce;
    constexpr unsigned loads = tree_loads<N, Source>;
    lane_walk<N> walk = lane_begin<N>(job);
    typename reduce::item v = reduce::identity();
    decltype(job.source.template read<N, ACROSS>(0, 0)) piece[loads];
    uint64_t at[loads];
    for (;;) {
        for (unsigned k = 0; k < loads; k++) {
            at[k] = walk.next();
        }
        if (at[loads - 1] + N > job.n) {
            break;
        }
        for (unsigned k = 0; k < loads; k++) {
            piece[k] = job.source.template read<N, ACROSS>(at[k], job.n);
        }
        for (unsigned k = 0; k < loads; k++) {
            for (unsigned i = 0; i < N; i++) {
                v = reduce::combine(v, job.source.template item<N>(piece[k], i, at[k] + i));
            }
        }
    }

    /* the last loads, as far as they are whole, and then what is left of one */
    for (unsigned k = 0; k < loads; k++) {
        if (at[k] + N <= job.n) {
            piece[k] = job.source.template read<N, ACROSS>(at[k], job.n);
        }
    }
    uint64_t rest = at[0];
    for (unsigned k = 0; k < loads; k++) {
        if (at[k] + N <= job.n) {
            for (unsigned i = 0; i < N; i++) {
                v = reduce::combine(v, job.source.template item<N>(piece[k], i, at[k] + i));
            }
            rest = k + 1 < loads ? at[k + 1] : job.n;
        }
    }
    if (N > 1) {
        for (; rest < job.n; rest++) {
            v = reduce::combine(v, job.source.take(rest));
        }
    }
    return v;
}

/* The same for elements that lie anywhere. */
template <class Source>
GPU_CODE typename tree_job<Source>::item lane_run_bytes(const tree_job<Source> &job)
{
    typedef typename tree_job<Source>::reduce reduce;
    lane_walk<1> walk = lane_begin<1>(job);
    typename reduce::item v = reduce::identity();
    for (uint64_t at = walk.next(); at < job.n; at = walk.next()) {
        v = reduce::combine(v, job.source.take(at));
    }
    return v;
}

/* ACCESS is known when kernels are compiled: each has the registers and the code of one only. */
template <tree_access ACCESS, class Source>
GPU_CODE typename tree_job<Source>::item lane_accumulate(const tree_job<Source> &job)
{
    if constexpr (ACCESS == TREE_ELEMENTS) {
        return lane_run<1, false>(job);
    } else if constexpr (ACCESS == TREE_BYTES) {
        return lane_run_bytes(job);
    } else {
        return lane_run<Source::most, ACCESS == TREE_ACROSS>(job);
    }
}

/* ---- group: lane exchange ---- */

/* Folds the members' registers into that of place 0. In every round all members exchange, so the
 * mask names the members and nobody else. A lane whose partner would lie outside of the group gets
 * its own register back. */
template <class reduce>
GPU_CODE typename reduce::item group_fold(typename reduce::item v, gpu_mask mask, unsigned place,
                                          unsigned members)
{
    if (members == gpu_group_lanes) { /* nearly always; the compiler knows every offset */
        for (unsigned offset = gpu_group_lanes / 2; offset > 0; offset /= 2) {
            v = reduce::combine(v, gpu_exchange_down(mask, v, offset));
        }
        return v;
    }
    const bool even = (members & (members - 1)) == 0; /* in every round, as in plans */
    for (unsigned count = members; count > 1;) {
        const unsigned offset = (count + 1) / 2;
        const bool has_partner = place + offset < (even ? members : count);
        const typename reduce::item got = gpu_exchange_down(mask, v, has_partner ? offset : 0);
        if (even || has_partner) {
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
    } else if (job.result.to) {
        leave_result<tree_job<Source>::reduce::op>(job.result, v);
    } else {
        gpu_write(job.out, gpu_block(), v);
    }
}

/* ---- block ---- */

/* Groups fold by lane exchange, their first lanes leave the results in shared memory, and the first
 * group folds those. Shared memory: one item a group. */
template <tree_access ACCESS, class Source> GPU_KERNEL void tree_wave(tree_job<Source> job)
{
    typedef typename tree_job<Source>::reduce reduce;
    typedef typename reduce::item item;
    const gpu_shared<item> slot = {};
    const tree_group group = group_of_lane();
    gpu_let_next_start();
    gpu_wait_for_previous();
    if (gpu_fault() == FAULT_EARLY_EXIT && lane_first(job) >= job.n) {
        return;
    }

    item v = lane_accumulate<ACCESS>(job);
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
template <tree_access ACCESS, class Source> GPU_KERNEL void tree_halving(tree_job<Source> job)
{
    typedef typename tree_job<Source>::reduce reduce;
    typedef typename reduce::item item;
    const gpu_shared<item> slot = {};
    const unsigned lane = gpu_lane(), lanes = gpu_block_lanes();
    gpu_let_next_start();
    gpu_wait_for_previous();
    if (gpu_fault() == FAULT_EARLY_EXIT && lane_first(job) >= job.n) {
        return;
    }

    gpu_write(slot, lane, lane_accumulate<ACCESS>(job));
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

/* The widest access to elements of "size" bytes that are "step" bytes apart, for lanes that take
 * "vector" neighbours. */
inline tree_access tree_access_of(const void *data, ptrdiff_t step, size_t size, uint64_t vector)
{
    const uintptr_t at = reinterpret_cast<uintptr_t>(data);
    const bool wide =
        step == static_cast<ptrdiff_t>(size) && vector % (gpu_piece_bytes / size) == 0;
    if (wide && at % gpu_piece_bytes == 0) {
        return TREE_PIECES;
    }
    if (at % size == 0) { /* measured: quicker than across */
        return TREE_ELEMENTS;
    }
    return wide ? TREE_ACROSS : TREE_BYTES;
}

inline const char *tree_kernel_name(tally_shape shape)
{
    return shape == TALLY_SHAPE_HALVING ? "tree_halving" : "tree_wave";
}

template <class Source> struct tree_kernel {
    void (*wave)(tree_job<Source>), (*halving)(tree_job<Source>);
};

template <tree_access ACCESS, class Source> tree_kernel<Source> tree_kernel_of()
{
    return {tree_wave<ACCESS, Source>, tree_halving<ACCESS, Source>};
}

/* Partials are aligned, and taken one by one. */
template <class Source> tree_kernel<Source> tree_kernel_for(tree_access access)
{
    if constexpr (Source::most > 1) {
        switch (access) {
        case TREE_BYTES: return tree_kernel_of<TREE_BYTES, Source>();
        case TREE_PIECES: return tree_kernel_of<TREE_PIECES, Source>();
        case TREE_ACROSS: return tree_kernel_of<TREE_ACROSS, Source>();
        default: break;
        }
    }
    return tree_kernel_of<TREE_ELEMENTS, Source>();
}

template <class Source>
gpu_error tree_launch(gpu_queue queue, tally_shape shape, tree_access access, gpu_grid grid,
                      const tree_job<Source> &job)
{
    const tree_kernel<Source> kernel = tree_kernel_for<Source>(access);
    grid.shared_bytes = tree_shared_bytes<typename tree_job<Source>::item>(shape, grid.lanes);
    return gpu_launch(queue, tree_kernel_name(shape),
                      shape == TALLY_SHAPE_HALVING ? kernel.halving : kernel.wave, grid, job);
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
