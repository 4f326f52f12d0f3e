/* backend.cpp - the model as a backend: level tree with every check on, and no finding tolerated.
 */
#include "backend.h"

#include <stdlib.h>

#include "model/model.h"
#include "no_device.h"

struct model_backend {
    model_options options;
    uint64_t launches;
    const char *failure;
};

/* A finding in our own kernels is our defect, never the caller's: it must not pass for a result. */
static const char *defect(model_check check)
{
    switch (check) {
    case MODEL_BARRIER:
        return "the model found lanes that miss a barrier: a defect of tally's kernels";
    case MODEL_EXCHANGE:
        return "the model found an exchange with lanes that are not there: a defect of tally's "
               "kernels";
    case MODEL_RACE: return "the model found a race: a defect of tally's kernels";
    case MODEL_UNWRITTEN:
        return "the model found a read of memory that nobody wrote: a defect of tally's kernels";
    case MODEL_BOUNDS:
        return "the model found an access outside of an array: a defect of tally's kernels";
    default:
        return "the model found elements that were not read exactly once: a defect of tally's "
               "kernels";
    }
}

static tally_status model_open(const tally_options *options, void **self)
{
    *self = nullptr;
    if (options->wave != 0 && options->wave != 32 && options->wave != 64) {
        return TALLY_ERR_ARGUMENT;
    }
    model_backend *made = static_cast<model_backend *>(calloc(1, sizeof *made));
    if (!made) {
        return TALLY_ERR_MEMORY;
    }
    made->options.wave = options->wave;
    made->options.seed = options->seed;
    made->failure = "";
    *self = made;
    return TALLY_OK;
}

static void model_close(void *self)
{
    free(self);
}

static tally_status refuse_exact(void *self)
{
    static_cast<model_backend *>(self)->failure =
        "the model runs level tree only: ask for TALLY_LEVEL_TREE, or take backend cpu";
    return TALLY_ERR_UNSUPPORTED;
}

static tally_status model_add(void *self, const tally_array *, tally_nan, tally_state *)
{
    return refuse_exact(self);
}

static tally_status model_extreme(void *self, const tally_array *, const tally_extreme_query *,
                                  tally_extreme *)
{
    return refuse_exact(self);
}

static tally_status model_tree(void *self, tally_op op, const tally_plan *plan,
                               const tally_array *x, tally_item *item)
{
    model_backend *model = static_cast<model_backend *>(self);
    model_result result;
    model->failure = "";
    tally_status status = tally_model_tree(&model->options, op, plan, x, nullptr, 0, &result);
    model->launches += result.n_launches;
    if (status == TALLY_OK && result.n_findings > 0) {
        model->failure = defect(result.report[0].check);
        status = TALLY_ERR_BACKEND;
    }
    if (status == TALLY_OK) {
        *item = result.item;
    }
    return status;
}

static uint64_t model_launches(void *self)
{
    return static_cast<model_backend *>(self)->launches;
}

static void model_failure(void *self, tally_error_detail *detail)
{
    detail->what = static_cast<model_backend *>(self)->failure;
}

const tally_backend *tally_backend_model(void)
{
    static const tally_backend model = {TALLY_BACKEND_ABI,
                                        TALLY_BACKEND_MODEL,
                                        tally_no_device_describe,
                                        model_open,
                                        model_close,
                                        model_add,
                                        model_extreme,
                                        model_tree,
                                        tally_no_device_async,
                                        tally_no_device_workspace,
                                        tally_no_device_reserve,
                                        model_launches,
                                        model_failure};
    return &model;
}
