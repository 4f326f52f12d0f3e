/*
 * tree_type.cu - the tree's kernels for one element type, and the host's part in running a plan.
 *
 * Compiled once for every type, with TREE_TYPE defined as its tally_type, so that compilers can
 * work side by side.
 */
#include <stdlib.h>

#include "plan.h"
#include "tree.cuh"
#include "tree_run.h"

namespace
{

template <tally_op OP> using elements_of = tree_elements<TREE_TYPE, OP>;
template <tally_op OP> using partials_of = tree_partials<typename element<TREE_TYPE>::value, OP>;
template <tally_op OP> using item_of = typename elements_of<OP>::reduce::item;

GPU_BOTH constexpr bool is_extreme(tally_op op)
{
    return op == TALLY_OP_MIN || op == TALLY_OP_MAX || op == TALLY_OP_ARGMIN ||
           op == TALLY_OP_ARGMAX;
}

/* ---- before and after atomics, and instead of a tree over nothing ---- */

template <tally_op OP> struct tree_edge {
    gpu_array<item_of<OP>> item; /* NULL after a tree over nothing */
    gpu_array<item_of<OP>> answer;
    gpu_array<uint32_t> lock;
    tree_result result; /* if it is wanted there; else the item goes to answer */
};

template <tally_op OP> GPU_KERNEL void tree_begin(tree_edge<OP> edge)
{
    gpu_let_next_start();
    gpu_wait_for_previous();
    gpu_write(edge.item, 0, elements_of<OP>::reduce::identity());
    gpu_write(edge.lock, 0, 0u);
}

template <tally_op OP> GPU_KERNEL void tree_end(tree_edge<OP> edge)
{
    gpu_let_next_start();
    gpu_wait_for_previous();
    if (!edge.item.data && is_extreme(OP)) {
        leave_status(edge.result, TALLY_ERR_EMPTY);
        return;
    }
    const item_of<OP> item =
        edge.item.data ? gpu_read(edge.item, 0) : elements_of<OP>::reduce::identity();
    if (edge.result.to) {
        leave_result<OP>(edge.result, item);
    } else {
        gpu_write(edge.answer, 0, item);
    }
}

/* ---- the passes of a plan ---- */

/* One pass leaves as many items as it has blocks. */
uint64_t items_of(const tally_plan &plan)
{
    return plan.final == TALLY_FINAL_ATOMIC ? 1 : plan.blocks;
}

/* A pass over one partial gives that partial: identity first, and no op's identity changes what
 * another identity began. Such passes are not launched. */
bool is_last(const tally_plan &plan, uint32_t stage)
{
    return stage == plan.stages || items_of(plan) == 1;
}

size_t padded(size_t nbytes)
{
    return (nbytes + 255) / 256 * 256;
}

/* Workspace: one buffer for the partials of odd passes, one for those of even passes, one lock. */
struct layout {
    size_t odd, even;
    size_t nbytes() const
    {
        return odd + even + padded(sizeof(uint32_t));
    }
};

template <class item> layout lay_out(const tally_plan &first)
{
    layout lay = {padded(items_of(first) * sizeof(item)), 0};
    tally_plan plan = first;
    if (first.stages > 2) {
        tally_plan_next(&first, 2, first.blocks, &plan);
        lay.even = padded(plan.blocks * sizeof(item));
    }
    return lay;
}

/* Runs the passes one after the other and stops at the first failure. */
template <tally_op OP> struct passes {
    typedef item_of<OP> item;
    const tree_call &call;
    gpu_outcome outcome;

    explicit passes(const tree_call &of) : call(of), outcome(gpu_done) {}

    char *workspace() const
    {
        return static_cast<char *>(call.memory.workspace);
    }

    item *partials(uint32_t stage) const
    {
        const size_t offset = stage % 2 != 0 ? 0 : lay_out<item>(*call.plan).odd;
        return reinterpret_cast<item *>(workspace() + offset);
    }

    uint32_t *lock() const
    {
        const layout lay = lay_out<item>(*call.plan);
        return reinterpret_cast<uint32_t *>(workspace() + lay.odd + lay.even);
    }

    gpu_grid grid(const tally_plan &plan, uint32_t stage) const
    {
        return {plan.blocks, plan.block, 0, stage, 0, call.overlaps};
    }

    void note(gpu_error error)
    {
        outcome = {error, gpu_launch_api};
        *call.launches += error == gpu_ok;
    }

    template <class Source>
    tree_job<Source> job(const tally_plan &plan, uint64_t n, item *out, const tree_result &result)
    {
        tree_job<Source> job = {};
        job.n = n;
        job.vector = plan.vector;
        job.contiguous = plan.assign == TALLY_ASSIGN_CONTIGUOUS;
        job.out.data = out;
        job.result = result;
        return job;
    }

    void edge(void (*kernel)(tree_edge<OP>), const char *name, bool of_item,
              const tree_result &result)
    {
        const tree_edge<OP> job = {{of_item ? partials(1) : nullptr},
                                   {static_cast<item *>(call.memory.answer_on_device)},
                                   {of_item ? lock() : nullptr},
                                   result};
        note(gpu_launch(call.queue, name, kernel, {1, 1, 0, 0, 0, call.overlaps}, job));
    }

    void first(const tally_plan &plan, item *out, const tree_result &result)
    {
        typedef typename elements_of<OP>::stored stored;
        tree_job<elements_of<OP>> pass = job<elements_of<OP>>(plan, call.n, out, result);
        pass.source.x.data = static_cast<const unsigned char *>(call.data);
        pass.source.x.step = call.step;
        pass.atomic = plan.final == TALLY_FINAL_ATOMIC;
        pass.lock.data = pass.atomic ? lock() : nullptr;
        const tree_access access =
            tree_access_of(call.data, call.step, sizeof(stored), plan.vector);
        note(tree_launch(call.queue, plan.shape, access, grid(plan, 1), pass));
    }

    void later(const tally_plan &plan, uint32_t stage, uint64_t n, item *out,
               const tree_result &result)
    {
        tree_job<partials_of<OP>> pass = job<partials_of<OP>>(plan, n, out, result);
        pass.source.x.data = partials(stage - 1);
        note(tree_launch(call.queue, plan.shape, TREE_ELEMENTS, grid(plan, stage), pass));
    }

    void atomic(const tree_result &result)
    {
        edge(tree_begin<OP>, "tree_begin", true, {});
        if (!outcome.failed()) {
            first(*call.plan, partials(1), {});
        }
        if (!outcome.failed()) {
            edge(tree_end<OP>, "tree_end", true, result);
        }
    }

    /* Passes on the device up to the last one, whose item goes to result or else to the answer.
     * With final host, up to the one before; then *n tells how many partials wait for the host, or
     * 0 if the item is in the answer already. */
    void device(const tree_result &result, uint64_t *n, uint32_t *stage)
    {
        const bool on_host = call.plan->final == TALLY_FINAL_HOST;
        tally_plan plan = *call.plan;
        *n = 0;
        for (*stage = 1;; ++*stage) {
            const bool last = is_last(plan, *stage);
            item *const out =
                last ? static_cast<item *>(call.memory.answer_on_device) : partials(*stage);
            const tree_result to = last ? result : tree_result{};
            if (*stage == 1) {
                first(plan, out, to);
            } else {
                later(plan, *stage, *n, out, to);
            }
            *n = last ? 0 : plan.blocks;
            if (outcome.failed() || last || (on_host && *stage + 1 == call.plan->stages)) {
                return;
            }
            tally_plan_next(call.plan, *stage + 1, *n, &plan);
        }
    }

    /* Brings the partials of a stage here and folds them in the order of the next one. */
    void host(uint64_t n, uint32_t stage, item *sum)
    {
        typedef typename elements_of<OP>::reduce reduce;
        tally_plan plan;
        tally_plan_next(call.plan, stage + 1, n, &plan);
        item *const here = static_cast<item *>(malloc(n * sizeof(item)));
        item lane[gpu_most_lanes];
        if (!here) {
            outcome = {gpu_error_of_memory, "malloc"};
            return;
        }
        outcome = gpu_copy_out(call.queue, here, partials(stage), n * sizeof(item));
        if (!outcome.failed()) {
            outcome = gpu_wait(call.queue);
        }
        if (!outcome.failed()) {
            *sum = host_fold<reduce>(
                plan.shape, [here](uint64_t i) { return here[i]; }, n, plan.block, lane);
        }
        free(here);
    }

    gpu_outcome run(tally_item *result)
    {
        item sum;
        uint64_t n = 0;
        uint32_t stage = 1;
        if (call.plan->final == TALLY_FINAL_ATOMIC) {
            atomic({});
        } else {
            device({}, &n, &stage);
        }
        if (!outcome.failed() && n > 0) {
            host(n, stage, &sum);
        } else if (!outcome.failed()) {
            outcome = gpu_wait(call.queue);
            memcpy(&sum, call.memory.answer, sizeof sum);
        }
        if (!outcome.failed()) {
            *result = to_item(sum);
        }
        return outcome;
    }

    gpu_outcome start(tally_device_result *to)
    {
        const tree_result result = {to, TREE_TYPE};
        uint64_t n;
        uint32_t stage;
        if (call.n == 0) {
            edge(tree_end<OP>, "tree_end", false, result);
        } else if (call.plan->final == TALLY_FINAL_ATOMIC) {
            atomic(result);
        } else {
            device(result, &n, &stage);
        }
        return outcome;
    }
};

/* Calls act.template of<OP>() for an op that is known only now. */
template <class Act> auto for_op(tally_op op, const Act &act)
{
    switch (op) {
    case TALLY_OP_PROD: return act.template of<TALLY_OP_PROD>();
    case TALLY_OP_MIN: return act.template of<TALLY_OP_MIN>();
    case TALLY_OP_MAX: return act.template of<TALLY_OP_MAX>();
    case TALLY_OP_ARGMIN: return act.template of<TALLY_OP_ARGMIN>();
    case TALLY_OP_ARGMAX: return act.template of<TALLY_OP_ARGMAX>();
    case TALLY_OP_NORM1: return act.template of<TALLY_OP_NORM1>();
    case TALLY_OP_NORM2: return act.template of<TALLY_OP_NORM2>();
    case TALLY_OP_NORMINF: return act.template of<TALLY_OP_NORMINF>();
    default: return act.template of<TALLY_OP_SUM>();
    }
}

struct ask_workspace {
    const tally_plan &plan;
    template <tally_op OP> size_t of() const
    {
        return lay_out<item_of<OP>>(plan).nbytes();
    }
};

struct do_run {
    const tree_call &call;
    tally_item *item;
    template <tally_op OP> gpu_outcome of() const
    {
        static_assert(sizeof(item_of<OP>) <= tree_most_item_bytes, "the answer has room for it");
        return passes<OP>(call).run(item);
    }
};

struct do_start {
    const tree_call &call;
    tally_device_result *result;
    template <tally_op OP> gpu_outcome of() const
    {
        return passes<OP>(call).start(result);
    }
};

} // namespace

template <> size_t tree_type<TREE_TYPE>::workspace(tally_op op, const tally_plan *plan)
{
    return for_op(op, ask_workspace{*plan});
}

template <> gpu_outcome tree_type<TREE_TYPE>::run(const tree_call &call, tally_item *item)
{
    return for_op(call.op, do_run{call, item});
}

template <>
gpu_outcome tree_type<TREE_TYPE>::start(const tree_call &call, tally_device_result *result)
{
    return for_op(call.op, do_start{call, result});
}
