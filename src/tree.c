/* tree.c - level tree: checks the request, runs a backend's tree, makes the accumulator a value. */
#include "tree.h"

#include <string.h>

#include "exact.h"
#include "float_environment.h"
#include "op.h"
#include "plan.h"
#include "root.h"
#include "trace_item.h"

/* ---- from the accumulator to the value ---- */

static bool is_integer(tally_type type)
{
    return tally_type_find(type)->class_of != TALLY_CLASS_FLOAT;
}

static tally_type default_out(const op_row *op, tally_type type)
{
    if (op->index) {
        return TALLY_TYPE_U64;
    }
    if (op->kernel == OP_KERNEL_EXTREME) {
        return type;
    }
    if (is_integer(type)) {
        return op->op == TALLY_OP_NORM2 ? TALLY_TYPE_F64 : TALLY_TYPE_I64;
    }
    return type == TALLY_TYPE_F64 ? TALLY_TYPE_F64 : TALLY_TYPE_F32;
}

/* Whether out is a result type; out is not DEFAULT. */
static bool has_result(const op_row *op, tally_type type, tally_type out)
{
    const type_row *row = tally_type_find(out);
    if (!row) {
        return false;
    }
    if (op->index || op->kernel == OP_KERNEL_EXTREME) {
        return out == default_out(op, type);
    }
    return row->class_of == TALLY_CLASS_FLOAT || (is_integer(type) && op->op != TALLY_OP_NORM2 &&
                                                  (out == TALLY_TYPE_I64 || out == TALLY_TYPE_U64));
}

/* A 128-bit integer as a state, from which it is rounded once to whatever is asked for. */
static tally_state state_of_wide(const tally_item *item)
{
    tally_state state;
    tally_state_init(&state);
    state.word[TALLY_STATE_COUNT] = 1;
    state.word[TALLY_STATE_INTEGER] = 1;
    state.word[TALLY_STATE_NONTRIVIAL] = 1;
    for (int j = 0; j < 4; j++) {
        state.word[TALLY_STATE_LIMB + j] = (uint32_t)(item->as.i128[j / 2] >> 32 * (j % 2));
    }
    if (item->as.i128[1] >> 63) {
        state.word[TALLY_STATE_LIMB + 3] -= EXACT_BASE;
    }
    return state;
}

static double root_f64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = tally_root_bits(bits, exact_format_of(TALLY_TYPE_F64));
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float root_f32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (uint32_t)tally_root_bits(bits, exact_format_of(TALLY_TYPE_F32));
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The accumulator, after any root, as a state; no floating-point instruction touches it. */
static tally_state state_of_item(const op_row *op, item_kind kind, const tally_item *item)
{
    tally_state state = {{0}};
    bool root = op->op == TALLY_OP_NORM2;
    if (kind == ITEM_F32) {
        float x = root ? root_f32(item->as.f32) : item->as.f32;
        tally_state_add_f32(&state, &x, 1);
        return state;
    }
    double x = item->as.f64;
    if (kind == ITEM_I128) {
        state = state_of_wide(item);
        if (!root) {
            return state;
        }
        x = tally_state_round_f64(&state);
        tally_state_init(&state);
    }
    tally_state_add1_f64(&state, root ? root_f64(x) : x);
    return state;
}

tally_status tally_tree_value(tally_op op, tally_type type, uint64_t n, const tally_item *item,
                              tally_type out, tally_value *value)
{
    const op_row *row = tally_op_find(op);
    item_kind kind;
    tally_item none;
    if (!row || !row->tree || !tally_item_kind(type, &kind)) {
        return TALLY_ERR_UNSUPPORTED;
    }
    if (out == TALLY_TYPE_DEFAULT) {
        out = default_out(row, type);
    }
    if (!has_result(row, type, out)) {
        return TALLY_ERR_UNSUPPORTED;
    }
    if (n == 0) {
        if (row->kernel == OP_KERNEL_EXTREME) {
            return TALLY_ERR_EMPTY;
        }
        none = tally_trace_identity(op, kind);
        item = &none;
    }
    if (row->index && item->index == ITEM_NO_INDEX) {
        return TALLY_ERR_EMPTY; /* a fault has lost every element */
    }
    if (item->overflow) {
        return TALLY_ERR_OVERFLOW;
    }
    if (row->index) {
        value->type = TALLY_TYPE_U64;
        value->as.u64 = item->index;
        return TALLY_OK;
    }
    tally_state state = state_of_item(row, kind, item);
    if (out != TALLY_TYPE_I32) {
        return tally_state_value(&state, out, value);
    }
    /* the extreme of i32 elements is one of them */
    tally_status status = tally_state_value(&state, TALLY_TYPE_I64, value);
    value->type = TALLY_TYPE_I32;
    return status;
}

/* ---- the whole call ---- */

/* Why level tree has no such result, or NULL. */
static const char *unsupported(const tally_request *request, tally_type type)
{
    const op_row *op = tally_op_find(request->op);
    item_kind kind;
    if (!op->tree) {
        return "level tree has no mean: take the sum, or level exact";
    }
    if (!tally_item_kind(type, &kind)) {
        return "level tree takes elements of f16, bf16, f32, f64, i32 and i64 only";
    }
    if (request->nan != TALLY_NAN_PROPAGATE) {
        return "level tree takes every element: TALLY_NAN_SKIP is for level exact";
    }
    if (request->out != TALLY_TYPE_DEFAULT && !has_result(op, type, request->out)) {
        return "request->out is no result type of this op and element type at level tree";
    }
    return NULL;
}

tally_status tally_tree_prepare(tally_context *ctx, const tally_request *request, tally_type type,
                                uint64_t n, tally_plan *plan)
{
    const char *what = unsupported(request, type);
    if (what) {
        return tally_context_fail(ctx, TALLY_ERR_UNSUPPORTED, what);
    }
    tally_status status = tally_plan_resolve(request->plan, type, n, plan, &what);
    return status == TALLY_OK ? status : tally_context_fail(ctx, status, what);
}

tally_status tally_tree_reduce(tally_context *ctx, const tally_request *request,
                               const tally_array *x, tally_value *out)
{
    float_environment environment;
    tally_item item = {.as.i128 = {0, 0}};
    tally_value value = {TALLY_TYPE_DEFAULT, {0}};
    tally_plan plan;
    tally_status status = tally_tree_prepare(ctx, request, x->type, x->n, &plan);
    if (status != TALLY_OK) {
        return status;
    }
    if (x->n > 0) {
        int caller_errno = tally_errno_get();
        tally_float_environment_enter(&environment);
        status = ctx->backend->tree(ctx->self, request->op, &plan, x, &item);
        tally_float_environment_leave(&environment);
        tally_errno_set(caller_errno);
    }
    if (status != TALLY_OK) {
        return tally_context_backend_failed(ctx, status);
    }
    status = tally_tree_value(request->op, x->type, x->n, &item, request->out, &value);
    if (status != TALLY_OK) {
        return tally_context_fail(ctx, status, tally_status_text(status));
    }
    *out = value;
    return TALLY_OK;
}
