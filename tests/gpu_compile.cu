/*
 * gpu_compile.cu - every kernel of src/gpu for every type, op, source and shape, so that a device
 * compiler sees all of the text. tests/gpu_compile.sh compiles it; nothing here is run.
 */
#include "gpu/tree.cuh"

template <tally_type TYPE, tally_op OP>
static gpu_error launch_op(gpu_queue queue, const gpu_grid &grid, const void *x, void *out)
{
    typedef tree_elements<TYPE, OP> elements;
    typedef tree_partials<typename element<TYPE>::value, OP> partials;
    tree_job<elements> first = {};
    tree_job<partials> second = {};
    first.source.x.data = static_cast<const unsigned char *>(x);
    first.out.data = static_cast<typename tree_job<elements>::item *>(out);
    second.source.x.data = first.out.data;
    second.out.data = first.out.data;
    for (int shape = TALLY_SHAPE_WAVE; shape <= TALLY_SHAPE_HALVING; shape++) {
        gpu_error error =
            tree_launch(queue, static_cast<tally_shape>(shape), TREE_PIECES, grid, first);
        if (error != gpu_ok) {
            return error;
        }
        error = tree_launch(queue, static_cast<tally_shape>(shape), TREE_ELEMENTS, grid, second);
        if (error != gpu_ok) {
            return error;
        }
    }
    return gpu_ok;
}

template <tally_type TYPE>
static gpu_error launch_type(gpu_queue queue, const gpu_grid &grid, const void *x, void *out)
{
    gpu_error (*const ops[])(gpu_queue, const gpu_grid &, const void *, void *) = {
        launch_op<TYPE, TALLY_OP_SUM>,    launch_op<TYPE, TALLY_OP_PROD>,
        launch_op<TYPE, TALLY_OP_MIN>,    launch_op<TYPE, TALLY_OP_MAX>,
        launch_op<TYPE, TALLY_OP_ARGMIN>, launch_op<TYPE, TALLY_OP_ARGMAX>,
        launch_op<TYPE, TALLY_OP_NORM1>,  launch_op<TYPE, TALLY_OP_NORM2>,
        launch_op<TYPE, TALLY_OP_NORMINF>};
    for (auto op : ops) {
        gpu_error error = op(queue, grid, x, out);
        if (error != gpu_ok) {
            return error;
        }
    }
    return gpu_ok;
}

/* The words of gpu_map.h that the tree does not use. */
static GPU_KERNEL void vote(gpu_mask *out)
{
    out[gpu_lane()] = gpu_vote(gpu_mask_full(), gpu_lane() % 2 != 0);
}

const char *tally_gpu_compile(gpu_queue queue, const gpu_grid &grid, const void *x, void *out);

const char *tally_gpu_compile(gpu_queue queue, const gpu_grid &grid, const void *x, void *out)
{
    gpu_error error = gpu_launch(queue, "vote", vote, grid, static_cast<gpu_mask *>(out));
    gpu_error (*const types[])(gpu_queue, const gpu_grid &, const void *, void *) = {
        launch_type<TALLY_TYPE_F16>, launch_type<TALLY_TYPE_BF16>, launch_type<TALLY_TYPE_F32>,
        launch_type<TALLY_TYPE_F64>, launch_type<TALLY_TYPE_I32>,  launch_type<TALLY_TYPE_I64>};
    for (auto type : types) {
        if (error == gpu_ok) {
            error = type(queue, grid, x, out);
        }
    }
    return error == gpu_ok ? gpu_error_name(error) : gpu_error_text(error);
}
