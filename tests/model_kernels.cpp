/* model_kernels.cpp - the kernels of model_kernels.h, in the words of gpu_map.h. */
#include "model_kernels.h"

#include "gpu/tree.cuh"

namespace
{

struct job {
    gpu_array<float> out;
};

/* The bits of this lane's group of 32 in its wave, as far as the block has those lanes. */
gpu_mask own_group()
{
    const tree_group group = group_of_lane();
    return gpu_mask_of(group.number * group.width, group.members);
}

void full_mask(job j)
{
    const tree_group group = group_of_lane();
    float v = 1;
    for (unsigned offset = gpu_group_lanes / 2; offset > 0; offset /= 2) {
        const float got = gpu_exchange_down(gpu_mask_full(), v, offset);
        v += group.place + offset < group.members ? got : 0;
    }
    if (gpu_lane() == 0) {
        gpu_write(j.out, 0, v);
    }
}

void vote(job j)
{
    const gpu_mask yes = gpu_vote(own_group(), gpu_lane() % 2 == 0);
    const gpu_mask no = gpu_vote(own_group(), gpu_lane() % 2 != 0);
    if (gpu_lane() == 0) {
        gpu_write(j.out, 0,
                  static_cast<float>(__builtin_popcountll(yes) + __builtin_popcountll(no)));
    }
}

void vote_full(job j)
{
    const gpu_mask yes = gpu_vote(gpu_mask_full(), true);
    if (gpu_lane() == 0) {
        gpu_write(j.out, 0, static_cast<float>(__builtin_popcountll(yes)));
    }
}

void two_barriers(job j)
{
    if (gpu_lane() % 2 != 0) {
        gpu_barrier();
    } else {
        gpu_barrier();
    }
    if (gpu_lane() == 0) {
        gpu_write(j.out, 0, static_cast<float>(gpu_block_lanes()));
    }
}

void half_exchange(job j)
{
    float v = 1;
    if (gpu_lane() < gpu_group_lanes / 2) {
        v += gpu_exchange_down(own_group(), v, gpu_group_lanes / 2);
    }
    gpu_barrier();
    if (gpu_lane() == 0) {
        gpu_write(j.out, 0, v);
    }
}

void not_named(job j)
{
    const tree_group group = group_of_lane();
    const gpu_mask mask = gpu_mask_of(group.number * group.width, group.members - 1);
    const float v = gpu_exchange_down(mask, 1.0f, 0);
    if (gpu_lane() == 0) {
        gpu_write(j.out, 0, v + 1);
    }
}

void endless(job j)
{
    const gpu_shared<float> slot = {};
    gpu_write(slot, gpu_lane(), 1.0f);
    for (unsigned left = gpu_lane() == 0 ? 0 : 1; left != 1;) {
        left -= gpu_read(slot, 0) > 2;
    }
    gpu_write(j.out, 0, 1.0f);
}

void outside(job j)
{
    const gpu_shared<float> slot = {};
    if (gpu_lane() == 0) {
        gpu_write(slot, gpu_block_lanes(), 1.0f);
        gpu_write(j.out, 0, gpu_read(slot, gpu_block_lanes()));
        gpu_write(j.out, 1, 1.0f);
    }
}

void same_partial(job j)
{
    if (gpu_lane() < 2) {
        gpu_write(j.out, 0, 1.0f);
    }
}

void same_word(job)
{
    const gpu_shared<float> slot = {};
    if (gpu_lane() < 2) {
        gpu_write(slot, 0, 1.0f);
    }
}

void late_write(job)
{
    const gpu_shared<float> slot = {};
    gpu_write(slot, gpu_lane(), 1.0f);
    gpu_barrier();
    gpu_read(slot, 0);
    if (gpu_lane() == 1) {
        gpu_write(slot, 0, 2.0f);
    }
}

struct row {
    const char *name;
    void (*kernel)(job);
};

/* In the order of kernel_name, from KERNEL_FULL_MASK on. */
const row rows[] = {{"full_mask", full_mask},
                    {"vote", vote},
                    {"vote_full", vote_full},
                    {"two_barriers", two_barriers},
                    {"half_exchange", half_exchange},
                    {"not_named", not_named},
                    {"endless", endless},
                    {"outside", outside},
                    {"same_partial", same_partial},
                    {"same_word", same_word},
                    {"late_write", late_write}};

simt_array watch(const char *name, void *data, uint64_t n, size_t size, uint8_t *seen)
{
    simt_array array = {};
    array.name = name;
    array.data = static_cast<unsigned char *>(data);
    array.step = static_cast<ptrdiff_t>(size);
    array.n = n;
    array.size = size;
    array.seen = seen;
    return array;
}

tally_status launch(simt_machine *machine, kernel_name kernel, uint32_t lanes, simt_array *x,
                    simt_array *out)
{
    const gpu_grid grid = {1, lanes, lanes * sizeof(float), 1, 1000, false};
    if (kernel <= KERNEL_TREE_HALVING) {
        tree_job<tree_elements<TALLY_TYPE_F32, TALLY_OP_SUM>> job = {};
        job.source.x.watched = x;
        job.n = x->n;
        job.vector = 1;
        job.contiguous = true;
        job.out.watched = out;
        return tree_launch(machine,
                           kernel == KERNEL_TREE_WAVE ? TALLY_SHAPE_WAVE : TALLY_SHAPE_HALVING,
                           TREE_ELEMENTS, grid, job);
    }
    const row &chosen = rows[kernel - KERNEL_FULL_MASK];
    return gpu_launch(machine, chosen.name, chosen.kernel, grid, job{{out}});
}

} // namespace

tally_status run_kernel(kernel_name kernel, const model_options *options, uint32_t lanes,
                        model_result *result)
{
    static_assert(sizeof rows / sizeof rows[0] == KERNELS - KERNEL_FULL_MASK, "a row a kernel");
    float ones[SIMT_MOST_LANES];
    uint8_t read[SIMT_MOST_LANES] = {}, written[1] = {};
    for (float &one : ones) {
        one = 1;
    }
    memset(result, 0, sizeof *result);
    simt_array x = watch("x", ones, lanes, sizeof(float), read);
    simt_array out = watch("the partials", &result->item.as.f32, 1, sizeof(float), written);
    x.once = true;
    out.produced = true;
    simt_machine *machine = tally_simt_open(options, result);
    if (!machine) {
        return TALLY_ERR_MEMORY;
    }
    tally_status status = launch(machine, kernel, lanes, &x, &out);
    tally_simt_close(machine);
    return status;
}
