/* model.cpp - launches the kernels of gpu/tree.cuh on the model's machine, pass by pass. */
#include "model/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/tree.cuh"
#include "item.h"
#include "model/simt.h"
#include "plan.h"

namespace
{

/* What all passes of one tree have in common. */
struct tree_run {
    simt_machine *machine;
    const model_options *options;
    const tally_plan *plan;
    const tally_array *x;
    tally_item *partials;
    size_t room;
    model_result *result;
};

/* ---- memory ---- */

/* What memory holds that nobody wrote: the trace's poison. A NaN, or a large odd number, which is
 * no op's identity. */
const int64_t odd = 0x5a5a5a5a5a5a5a5b;

void put_poison(float *v)
{
    *v = float_of_bits(0x7fc00000);
}

void put_poison(double *v)
{
    *v = static_cast<double>(float_of_bits(0x7fc00000));
}

void put_poison(wide *v)
{
    *v = widen(odd);
}

template <class Value> void put_poison(indexed<Value> *v)
{
    put_poison(&v->value);
    v->index = static_cast<uint64_t>(odd);
}

template <class item> item poison()
{
    item made = {};
    put_poison(&made);
    return made;
}

/* n items in the model's global memory, with nothing in them. */
template <class item> struct buffer {
    simt_array watched = {};
    item *data = nullptr;

    tally_status open(const char *name, uint64_t n, bool zeroed)
    {
        data =
            static_cast<item *>(n <= SIZE_MAX / sizeof(item) ? malloc(n * sizeof(item)) : nullptr);
        watched.seen = static_cast<uint8_t *>(calloc(n, 1));
        if (!data || !watched.seen) {
            return TALLY_ERR_MEMORY;
        }
        const item unwritten = zeroed ? item() : poison<item>();
        for (uint64_t i = 0; i < n; i++) {
            data[i] = unwritten;
        }
        watched.name = name;
        watched.data = reinterpret_cast<unsigned char *>(data);
        watched.step = sizeof(item);
        watched.n = n;
        watched.size = sizeof(item);
        watched.once = watched.produced = true;
        return TALLY_OK;
    }

    void swap(buffer *other)
    {
        const simt_array mine = watched;
        item *const my_data = data;
        watched = other->watched;
        data = other->data;
        other->watched = mine;
        other->data = my_data;
    }

    ~buffer()
    {
        free(data);
        free(watched.seen);
    }
};

/* ---- one pass ---- */

/* Exchanges, barriers, accesses of shared memory and the atomic end of one lane are below 100. A
 * lane that takes a thousand steps beside its loads will never end. */
const uint64_t steps_beside_loads = 1000;

/* Launches nothing for no blocks. intended is the plan by which input should have been read. */
template <class Source>
tally_status launch_pass(const tree_run &run, uint32_t stage, const tally_plan &plan,
                         const tally_plan &intended, tree_access access,
                         const tree_job<Source> &job)
{
    const uint64_t turn = plan.blocks * plan.block * plan.vector;
    const uint64_t loads = turn > 0 ? (job.n / turn + 1) * plan.vector : 0;
    const gpu_grid grid = {plan.blocks, plan.block, 0, stage, loads + steps_beside_loads, false};
    tally_status status =
        plan.blocks > 0 ? tree_launch(run.machine, plan.shape, access, grid, job) : TALLY_OK;
    if (status == TALLY_OK) {
        tally_simt_covered(run.machine, tree_kernel_name(plan.shape), stage, job.source.x.watched,
                           &intended);
    }
    return status;
}

template <class Source>
tree_job<Source> make_job(const tally_plan &plan, simt_array *in, uint64_t n, simt_array *out)
{
    tree_job<Source> job = {};
    job.source.x.watched = in;
    job.n = n;
    job.vector = plan.vector;
    job.contiguous = plan.assign == TALLY_ASSIGN_CONTIGUOUS;
    job.out.watched = out;
    return job;
}

/* The first pass: over the caller's elements. */
template <tally_type TYPE, tally_op OP>
tally_status first_pass(const tree_run &run, const tally_plan &plan, simt_array *out)
{
    typedef typename element<TYPE>::stored stored;
    uint32_t lock = 0;
    simt_array x = {}, lock_word = {};
    x.name = "x";
    x.data = static_cast<unsigned char *>(const_cast<void *>(run.x->data));
    x.step = run.x->stride * static_cast<ptrdiff_t>(sizeof(stored));
    x.n = run.x->n;
    x.size = sizeof(stored);
    x.once = true;
    x.seen = static_cast<uint8_t *>(calloc(run.x->n, 1));
    if (!x.seen) {
        return TALLY_ERR_MEMORY;
    }
    lock_word.name = "lock";
    lock_word.data = reinterpret_cast<unsigned char *>(&lock);
    lock_word.n = 1;
    lock_word.size = sizeof lock;
    lock_word.lock = true;
    tree_job<tree_elements<TYPE, OP>> job = make_job<tree_elements<TYPE, OP>>(plan, &x, x.n, out);
    job.atomic = plan.final == TALLY_FINAL_ATOMIC;
    job.lock.watched = &lock_word;
    tally_status status = launch_pass(run, 1, plan, *run.plan,
                                      tree_access_of(x.data, x.step, x.size, plan.vector), job);
    free(x.seen);
    return status;
}

/* What a stage after the first does: its plan, and how many partials it takes. */
struct later_pass {
    tally_plan plan, intended;
    uint64_t n;
};

later_pass plan_pass(const tree_run &run, uint32_t stage, uint64_t n)
{
    later_pass pass;
    tally_plan_next(run.plan, stage, n, &pass.plan);
    pass.intended = pass.plan;
    pass.n = n;
    if (run.options->fault == FAULT_STALE_PARTIALS && stage == 2) {
        pass.n = (n / pass.plan.block + 1) * pass.plan.block;
        if (pass.plan.assign == TALLY_ASSIGN_CONTIGUOUS) {
            pass.plan.blocks = pass.n / pass.plan.block;
        }
    }
    return pass;
}

/* Final host. The host's reads are watched as a kernel's are. */
template <class reduce>
void fold_on_host(const tree_run &run, uint32_t stage, const later_pass &pass,
                  buffer<typename reduce::item> *partials)
{
    typedef typename reduce::item item;
    simt_array *const watched = &partials->watched;
    item lane[SIMT_MOST_LANES];
    tally_simt_host_begin(run.machine, "host_fold", stage);
    const auto read = [watched](uint64_t i) {
        item partial;
        tally_simt_read(watched, &partial, i, __FILE__, __LINE__);
        return partial;
    };
    const item sum = host_fold<reduce>(pass.plan.shape, read, pass.n, pass.plan.block, lane);
    tally_simt_host_end(run.machine);
    tally_simt_covered(run.machine, "host_fold", stage, watched, &pass.intended);
    partials->data[0] = sum;
}

/* From n partials to the accumulator, which is left in the first of them. */
template <class Value, tally_op OP>
tally_status later_passes(const tree_run &run, uint64_t n,
                          buffer<typename reduction<Value, OP>::item> *partials)
{
    typedef reduction<Value, OP> reduce;
    for (uint32_t stage = 2; stage <= run.plan->stages; stage++) {
        const later_pass pass = plan_pass(run, stage, n);
        if (stage == run.plan->stages && pass.plan.final == TALLY_FINAL_HOST) {
            fold_on_host<reduce>(run, stage, pass, partials);
            return TALLY_OK;
        }
        buffer<typename reduce::item> next;
        tally_status status = next.open("the partials", pass.plan.blocks, run.options->zeroed);
        if (status == TALLY_OK) {
            status = launch_pass(run, stage, pass.plan, pass.intended, TREE_ELEMENTS,
                                 make_job<tree_partials<Value, OP>>(pass.plan, &partials->watched,
                                                                    pass.n, &next.watched));
        }
        if (status != TALLY_OK) {
            return status;
        }
        n = pass.plan.blocks;
        partials->swap(&next);
    }
    return TALLY_OK;
}

/* ---- the whole ---- */

template <tally_type TYPE, tally_op OP> tally_status run_op(const tree_run &run)
{
    typedef typename element<TYPE>::value Value;
    typedef reduction<Value, OP> reduce;
    const bool atomic = run.plan->final == TALLY_FINAL_ATOMIC;
    tally_plan plan = *run.plan;
    if (run.options->fault == FAULT_FLOOR_BLOCKS) {
        plan.blocks = run.x->n / plan.block;
    }
    const typename reduce::item unwritten = poison<typename reduce::item>();
    const bool integer = TYPE == TALLY_TYPE_I32 || TYPE == TALLY_TYPE_I64;
    static_assert(sizeof unwritten <= SIMT_MOST_POISON, "room for an item");
    tally_simt_poison(run.machine, &unwritten, sizeof unwritten, integer ? 0x5a : 0xff);
    run.result->item = to_item(reduce::identity());
    if (run.x->n == 0) {
        return TALLY_OK;
    }

    simt_shared_use use = {};
    buffer<typename reduce::item> out;
    tally_status status = out.open(atomic ? "the result" : "the partials", atomic ? 1 : plan.blocks,
                                   run.options->zeroed);
    if (status != TALLY_OK) {
        return status;
    }
    if (atomic) {
        out.data[0] = reduce::identity();
        out.watched.once = out.watched.produced = false; /* every block reads and writes it */
        out.watched.uses = &use;
    }
    status = first_pass<TYPE, OP>(run, plan, &out.watched);
    if (status != TALLY_OK || plan.blocks == 0) {
        return status;
    }
    if (!atomic) {
        run.result->n_partials = plan.blocks;
        for (uint64_t i = 0; i < plan.blocks && i < run.room; i++) {
            run.partials[i] = to_item(out.data[i]);
        }
        status = later_passes<Value, OP>(run, plan.blocks, &out);
    }
    run.result->item = to_item(out.data[0]);
    return status;
}

template <tally_type TYPE> tally_status run_type(const tree_run &run, tally_op op)
{
    switch (op) {
    case TALLY_OP_SUM: return run_op<TYPE, TALLY_OP_SUM>(run);
    case TALLY_OP_PROD: return run_op<TYPE, TALLY_OP_PROD>(run);
    case TALLY_OP_MIN: return run_op<TYPE, TALLY_OP_MIN>(run);
    case TALLY_OP_MAX: return run_op<TYPE, TALLY_OP_MAX>(run);
    case TALLY_OP_ARGMIN: return run_op<TYPE, TALLY_OP_ARGMIN>(run);
    case TALLY_OP_ARGMAX: return run_op<TYPE, TALLY_OP_ARGMAX>(run);
    case TALLY_OP_NORM1: return run_op<TYPE, TALLY_OP_NORM1>(run);
    case TALLY_OP_NORM2: return run_op<TYPE, TALLY_OP_NORM2>(run);
    case TALLY_OP_NORMINF: return run_op<TYPE, TALLY_OP_NORMINF>(run);
    default: return TALLY_ERR_UNSUPPORTED;
    }
}

tally_status run_tree(const tree_run &run, tally_op op)
{
    switch (run.x->type) {
    case TALLY_TYPE_F16: return run_type<TALLY_TYPE_F16>(run, op);
    case TALLY_TYPE_BF16: return run_type<TALLY_TYPE_BF16>(run, op);
    case TALLY_TYPE_F32: return run_type<TALLY_TYPE_F32>(run, op);
    case TALLY_TYPE_F64: return run_type<TALLY_TYPE_F64>(run, op);
    case TALLY_TYPE_I32: return run_type<TALLY_TYPE_I32>(run, op);
    case TALLY_TYPE_I64: return run_type<TALLY_TYPE_I64>(run, op);
    default: return TALLY_ERR_UNSUPPORTED;
    }
}

} // namespace

tally_status tally_model_tree(const model_options *options, tally_op op, const tally_plan *plan,
                              const tally_array *x, tally_item *partials, size_t room,
                              model_result *result)
{
    model_options checked = *options;
    memset(result, 0, sizeof *result);
    checked.wave = options->wave == 0 ? 32 : options->wave;
    if (checked.wave != 32 && checked.wave != 64) {
        return TALLY_ERR_ARGUMENT;
    }
    if (tally_fault_misfit(checked.fault, plan, checked.wave)) {
        return TALLY_ERR_UNSUPPORTED;
    }
    /* errno is the caller's, also where an allocation sets it; volatile, since compilers take it
     * that no allocation does */
    volatile int *const at_errno = &errno;
    const int caller_errno = *at_errno;
    tally_status status = TALLY_ERR_MEMORY;
    simt_machine *machine = tally_simt_open(&checked, result);
    if (machine) {
        const tree_run run = {machine, &checked, plan, x, partials, partials ? room : 0, result};
        status = run_tree(run, op);
        tally_simt_close(machine);
    }
    *at_errno = caller_errno;
    return status;
}
