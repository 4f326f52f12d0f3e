/*
 * gpu.cu - a GPU as a backend: what libtally-cuda.so and libtally-hip.so hand to the core.
 *
 * It knows devices, streams and memory; the kernels and their order are tree_type.cu's. Level exact
 * is not here yet.
 */
#include <stdlib.h>

#include "backend.h"
#include "op.h"
#include "tree_run.h"

namespace
{

/* Managed workspace begins with room for the partials of every default plan. */
constexpr size_t least_workspace = 1024 * tree_most_item_bytes + 1024;

struct gpu_backend {
    int device;
    gpu_queue queue;
    bool overlaps;
    bool own_workspace;
    size_t workspace_nbytes;
    tree_memory memory;
    void *copy; /* of elements that came from the host */
    size_t copy_nbytes;
    uint64_t launches;
    tally_error_detail error; /* native_code, api, what */
};

/* The caller's device is current again when this ends. */
class device_scope
{
    int before;

  public:
    gpu_outcome outcome;

    explicit device_scope(int device) : before(device), outcome(gpu_current_device(&before))
    {
        if (!outcome.failed() && before != device) {
            outcome = gpu_use_device(device);
        }
    }
    ~device_scope()
    {
        int now = before;
        if (!gpu_current_device(&now).failed() && now != before) {
            (void)gpu_use_device(before);
        }
    }
    device_scope(const device_scope &) = delete;
    device_scope &operator=(const device_scope &) = delete;
};

/* ---- failures ---- */

tally_status fail(gpu_backend *gpu, tally_status status, const char *what)
{
    gpu->error.native_code = 0;
    gpu->error.api = "";
    gpu->error.what = what;
    return status;
}

/* Notes what became of a vendor's call. */
tally_status note(gpu_backend *gpu, const gpu_outcome &outcome)
{
    if (!outcome.failed()) {
        return fail(gpu, TALLY_OK, "");
    }
    gpu_forget_error();
    gpu->error.native_code = static_cast<int>(outcome.error);
    gpu->error.api = outcome.api;
    gpu->error.what = gpu_error_text(outcome.error);
    return outcome.error == gpu_error_of_memory ? TALLY_ERR_MEMORY : TALLY_ERR_DEVICE;
}

void gpu_failure(void *self, tally_error_detail *detail)
{
    const gpu_backend *gpu = static_cast<gpu_backend *>(self);
    detail->native_code = gpu->error.native_code;
    detail->api = gpu->error.api;
    detail->what = gpu->error.what;
}

/* ---- which device ---- */

void gpu_describe_backend(int device, tally_backend_info *info)
{
    gpu_outcome outcome = gpu_count_devices(&info->n_devices);
    info->presence = TALLY_PRESENCE_NO_DEVICE;
    if (!gpu_versions(&info->driver, &info->runtime).failed() && !outcome.failed() && device >= 0 &&
        device < info->n_devices) {
        outcome = gpu_describe(device, info->device, sizeof info->device);
        info->presence = outcome.failed() ? TALLY_PRESENCE_NO_DEVICE : TALLY_PRESENCE_READY;
    }
    if (outcome.failed()) {
        gpu_forget_error();
        info->n_devices = 0;
        snprintf(info->reason, sizeof info->reason, "%s: %s (%s)", outcome.api,
                 gpu_error_text(outcome.error), gpu_error_name(outcome.error));
    } else if (info->presence != TALLY_PRESENCE_READY) {
        snprintf(info->reason, sizeof info->reason, "there is no device %d: there are %d", device,
                 info->n_devices);
    }
}

/* ---- memory ---- */

/* Frees nothing that is in use: whoever calls this has waited. */
gpu_outcome grow(void **data, size_t *nbytes, size_t wanted)
{
    if (wanted <= *nbytes) {
        return gpu_done;
    }
    gpu_outcome outcome = gpu_free(*data);
    *data = nullptr;
    *nbytes = 0;
    if (!outcome.failed()) {
        outcome = gpu_allocate(data, wanted);
        *nbytes = outcome.failed() ? 0 : wanted;
    }
    return outcome;
}

/* The stream is idle, or nothing that it does uses the workspace any more. */
tally_status grow_workspace(gpu_backend *gpu, size_t nbytes)
{
    if (nbytes > gpu->workspace_nbytes && !gpu->own_workspace) {
        return fail(gpu, TALLY_ERR_SPACE,
                    "the workspace handed to tally_open() is too small for this request");
    }
    return note(gpu, grow(&gpu->memory.workspace, &gpu->workspace_nbytes, nbytes));
}

tally_status gpu_reserve(void *self, size_t nbytes)
{
    gpu_backend *gpu = static_cast<gpu_backend *>(self);
    if (nbytes <= gpu->workspace_nbytes) {
        return fail(gpu, TALLY_OK, "");
    }
    const device_scope scope(gpu->device);
    const tally_status status =
        note(gpu, scope.outcome.failed() ? scope.outcome : gpu_wait(gpu->queue));
    return status == TALLY_OK ? grow_workspace(gpu, nbytes) : status;
}

/* ---- open and close ---- */

void release(gpu_backend *gpu)
{
    const device_scope scope(gpu->device);
    if (!scope.outcome.failed()) {
        (void)gpu_wait(gpu->queue);
        (void)gpu_free(gpu->own_workspace ? gpu->memory.workspace : nullptr);
        (void)gpu_free(gpu->copy);
        (void)gpu_free_host(gpu->memory.answer);
    }
    gpu_forget_error();
    free(gpu);
}

gpu_outcome prepare(gpu_backend *gpu)
{
    gpu_outcome outcome = gpu_overlaps(gpu->device, &gpu->overlaps);
    if (!outcome.failed()) {
        outcome = gpu_allocate_host(&gpu->memory.answer, &gpu->memory.answer_on_device,
                                    tree_most_item_bytes);
    }
    if (!outcome.failed() && gpu->own_workspace) {
        outcome = grow(&gpu->memory.workspace, &gpu->workspace_nbytes, least_workspace);
    }
    return outcome;
}

tally_status gpu_open(const tally_options *options, void **self)
{
    int n_devices = 0;
    *self = nullptr;
    const gpu_outcome counted = gpu_count_devices(&n_devices);
    if (counted.failed()) {
        gpu_forget_error();
        return TALLY_ERR_BACKEND;
    }
    if (options->device < 0 || options->device >= n_devices) {
        return TALLY_ERR_BACKEND;
    }
    if (reinterpret_cast<uintptr_t>(options->workspace) % 256 != 0) {
        return TALLY_ERR_ARGUMENT;
    }
    gpu_backend *made = static_cast<gpu_backend *>(calloc(1, sizeof *made));
    if (!made) {
        return TALLY_ERR_MEMORY;
    }
    made->device = options->device;
    made->queue = static_cast<gpu_queue>(options->stream);
    made->own_workspace = !options->workspace;
    made->memory.workspace = options->workspace;
    made->workspace_nbytes = options->workspace ? options->workspace_nbytes : 0;
    const device_scope scope(made->device);
    const tally_status status = note(made, scope.outcome.failed() ? scope.outcome : prepare(made));
    if (status != TALLY_OK) {
        release(made);
        return status;
    }
    *self = made;
    return TALLY_OK;
}

void gpu_close(void *self)
{
    release(static_cast<gpu_backend *>(self));
}

uint64_t gpu_launches(void *self)
{
    return static_cast<gpu_backend *>(self)->launches;
}

/* ---- level tree ---- */

struct type_functions {
    tally_type type;
    size_t (*workspace)(tally_op op, const tally_plan *plan);
    gpu_outcome (*run)(const tree_call &call, tally_item *item);
    gpu_outcome (*start)(const tree_call &call, tally_device_result *result);
};

template <tally_type TYPE> constexpr type_functions functions_of()
{
    return {TYPE, tree_type<TYPE>::workspace, tree_type<TYPE>::run, tree_type<TYPE>::start};
}

constexpr type_functions types[] = {functions_of<TALLY_TYPE_F16>(), functions_of<TALLY_TYPE_BF16>(),
                                    functions_of<TALLY_TYPE_F32>(), functions_of<TALLY_TYPE_F64>(),
                                    functions_of<TALLY_TYPE_I32>(), functions_of<TALLY_TYPE_I64>()};

/* The caller asks for types that trees take only. */
const type_functions &find_type(tally_type type)
{
    size_t i = 0;
    while (types[i].type != type) {
        i++;
    }
    return types[i];
}

size_t gpu_workspace(void *, tally_op op, tally_type type, const tally_plan *plan)
{
    return find_type(type).workspace(op, plan);
}

tree_call make_call(gpu_backend *gpu, tally_op op, const tally_plan *plan, const tally_array *x)
{
    return {gpu->queue,
            gpu->overlaps,
            op,
            plan,
            x->data,
            x->stride * static_cast<ptrdiff_t>(tally_type_find(x->type)->size),
            x->n,
            gpu->memory,
            &gpu->launches};
}

/* Elements of the host's are copied to the device, with what lies between them. */
tally_status bring(gpu_backend *gpu, const tally_array *x, tree_call *call)
{
    gpu_place place = GPU_ON_HOST;
    const tally_status status = note(gpu, gpu_find_place(x->data, gpu->device, &place));
    if (status != TALLY_OK || place == GPU_ON_DEVICE) {
        return status;
    }
    if (place == GPU_ON_OTHER_DEVICE) {
        return fail(gpu, TALLY_ERR_ARGUMENT, "x->data is on another device than the context's");
    }
    const size_t size = tally_type_find(x->type)->size;
    const uint64_t step =
        call->step < 0 ? 0 - static_cast<uint64_t>(call->step) : static_cast<uint64_t>(call->step);
    if (step > 0 && (x->n - 1) > (SIZE_MAX - size) / step) {
        return fail(gpu, TALLY_ERR_ARGUMENT, "x->n elements at that stride exceed all memory");
    }
    const size_t reach = static_cast<size_t>((x->n - 1) * step), nbytes = reach + size;
    const size_t first = call->step < 0 ? reach : 0;
    gpu_outcome outcome = grow(&gpu->copy, &gpu->copy_nbytes, nbytes);
    if (!outcome.failed()) {
        outcome = gpu_copy_in(gpu->queue, gpu->copy,
                              static_cast<const unsigned char *>(x->data) - first, nbytes);
    }
    call->data = static_cast<unsigned char *>(gpu->copy) + first;
    return note(gpu, outcome);
}

tally_status gpu_tree(void *self, tally_op op, const tally_plan *plan, const tally_array *x,
                      tally_item *item)
{
    gpu_backend *gpu = static_cast<gpu_backend *>(self);
    const device_scope scope(gpu->device);
    tally_status status = note(gpu, scope.outcome);
    const size_t nbytes = gpu_workspace(self, op, x->type, plan);
    if (status == TALLY_OK && nbytes > gpu->workspace_nbytes) {
        status = gpu_reserve(self, nbytes);
    }
    tree_call call = make_call(gpu, op, plan, x);
    if (status == TALLY_OK) {
        status = bring(gpu, x, &call);
    }
    return status == TALLY_OK ? note(gpu, find_type(x->type).run(call, item)) : status;
}

tally_status gpu_tree_async(void *self, tally_op op, const tally_plan *plan, const tally_array *x,
                            tally_device_result *result)
{
    gpu_backend *gpu = static_cast<gpu_backend *>(self);
    const device_scope scope(gpu->device);
    if (scope.outcome.failed()) {
        return note(gpu, scope.outcome);
    }
    if (plan->final == TALLY_FINAL_HOST) {
        return fail(gpu, TALLY_ERR_UNSUPPORTED,
                    "final host waits for the host: an asynchronous call takes device or atomic");
    }
    if (gpu_workspace(self, op, x->type, plan) > gpu->workspace_nbytes) {
        return fail(gpu, TALLY_ERR_SPACE,
                    "the workspace is too small for this request: call tally_reserve() before");
    }
    return note(gpu, find_type(x->type).start(make_call(gpu, op, plan, x), result));
}

/* ---- level exact ---- */

tally_status refuse_exact(void *self)
{
    return fail(static_cast<gpu_backend *>(self), TALLY_ERR_UNSUPPORTED,
                "backend " GPU_NAME
                " runs level tree only, so far: ask for it, or take backend cpu");
}

tally_status gpu_add(void *self, const tally_array *, tally_nan, tally_state *)
{
    return refuse_exact(self);
}

tally_status gpu_extreme(void *self, const tally_array *, const tally_extreme_query *,
                         tally_extreme *)
{
    return refuse_exact(self);
}

} // namespace

#if defined(__HIPCC__)
constexpr tally_backend_id this_backend = TALLY_BACKEND_HIP;
#else
constexpr tally_backend_id this_backend = TALLY_BACKEND_CUDA;
#endif

/* What the core looks for in the module. Not const: of a constant, hipcc makes one for the device,
 * which lacks these functions. */
extern "C" __attribute__((visibility("default"))) tally_backend tally_backend_module;

tally_backend tally_backend_module = {
    TALLY_BACKEND_ABI, this_backend, gpu_describe_backend, gpu_open,      gpu_close,   gpu_add,
    gpu_extreme,       gpu_tree,     gpu_tree_async,       gpu_workspace, gpu_reserve, gpu_launches,
    gpu_failure};
