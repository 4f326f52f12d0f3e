/* fold.c - one reduction in progress: feeds a backend, keeps each class's best, makes the value. */
#include "fold.h"

#include <string.h>

#include "best.h"
#include "context.h"
#include "op.h"

void tally_fold_init(tally_fold *fold, tally_op op, tally_nan nan)
{
    memset(fold, 0, sizeof *fold);
    fold->op = op;
    fold->nan = nan;
    fold->one_type = true;
}

static void note_type(tally_fold *fold, tally_type type)
{
    fold->one_type = fold->type == TALLY_TYPE_DEFAULT || (fold->one_type && fold->type == type);
    fold->type = type;
}

/* ---- sums ---- */

static tally_status add_sum(tally_context *ctx, tally_fold *fold, const tally_array *x,
                            bool is_float)
{
    tally_state *state = is_float ? &fold->floats : &fold->integers;
    const int64_t *word = state->word;
    tally_state before = *state;
    tally_status status = ctx->backend->add(ctx->self, x, fold->nan, state);
    if (status != TALLY_OK) {
        *state = before;
        return tally_context_backend_failed(ctx, status);
    }
    uint64_t counted = (uint64_t)(word[TALLY_STATE_COUNT] - before.word[TALLY_STATE_COUNT]);
    uint64_t n_nan = (uint64_t)(word[TALLY_STATE_NAN] - before.word[TALLY_STATE_NAN]);
    fold->n += counted;
    fold->n_skipped += x->n - counted;
    fold->n_nan += n_nan + (x->n - counted);
    fold->n_pos_inf += (uint64_t)(word[TALLY_STATE_POS_INF] - before.word[TALLY_STATE_POS_INF]);
    fold->n_neg_inf += (uint64_t)(word[TALLY_STATE_NEG_INF] - before.word[TALLY_STATE_NEG_INF]);
    return TALLY_OK;
}

void tally_fold_state(const tally_fold *fold, tally_state *state)
{
    if (fold->floats.word[TALLY_STATE_FLOAT] == 0) {
        *state = fold->integers;
        return;
    }
    tally_state integers = fold->integers;
    tally_state_widen(&integers);
    *state = fold->floats;
    tally_state_merge(state, &integers);
}

/* ---- extremes ---- */

static tally_status add_extreme(tally_context *ctx, tally_fold *fold, const tally_array *x,
                                const type_row *type, uint64_t index, uint64_t step)
{
    const op_row *op = tally_op_find(fold->op);
    const tally_extreme_query query = {op->largest, op->index, fold->nan};
    tally_extreme e;
    tally_status status = ctx->backend->extreme(ctx->self, x, &query, &e);
    if (status != TALLY_OK) {
        return tally_context_backend_failed(ctx, status);
    }
    uint64_t skipped = fold->nan == TALLY_NAN_SKIP ? e.n_nan : 0;
    fold->n += x->n - skipped;
    fold->n_skipped += skipped;
    fold->n_nan += e.n_nan;
    fold->n_pos_inf += e.n_pos_inf;
    fold->n_neg_inf += e.n_neg_inf;
    if (e.found) {
        ptrdiff_t offset = e.at ? (ptrdiff_t)e.at * x->stride * (ptrdiff_t)type->size : 0;
        tally_best candidate;
        candidate.found = true;
        candidate.nan = e.n_nan > skipped;
        candidate.bits = tally_best_bits(type, (const unsigned char *)x->data + offset);
        candidate.index = index + e.at * step;
        tally_best *best = &fold->best[type->class_of];
        if (tally_best_is_better(op, type->class_of, &candidate, type->class_of, best)) {
            *best = candidate;
        }
    }
    return TALLY_OK;
}

/* The default type of a minimum or maximum; needs the winner where only integer types were mixed.
 */
static tally_type extreme_type(const tally_fold *fold, tally_class winner)
{
    const tally_best *best = &fold->best[winner];
    if (fold->one_type) {
        return fold->type;
    }
    if (fold->best[TALLY_CLASS_FLOAT].found) {
        return TALLY_TYPE_F64;
    }
    bool only_u64 = winner == TALLY_CLASS_UNSIGNED && best->bits > INT64_MAX;
    return only_u64 ? TALLY_TYPE_U64 : TALLY_TYPE_I64;
}

/* The winner as a value of that type, which its exact value fits (f64: is rounded to). */
static void extreme_value(const tally_best *best, tally_class winner, tally_type type,
                          tally_value *value)
{
    tally_state state;
    tally_state_init(&state);
    tally_type held = winner == TALLY_CLASS_FLOAT    ? TALLY_TYPE_F64
                      : winner == TALLY_CLASS_SIGNED ? TALLY_TYPE_I64
                                                     : TALLY_TYPE_U64;
    value->type = type;
    if (tally_type_find(type)->class_of != TALLY_CLASS_FLOAT) {
        value->as.u64 = best->bits;
        return;
    }
    tally_array one = tally_array_dense(held, &best->bits, 1);
    tally_state_add(&state, &one, TALLY_NAN_PROPAGATE);
    tally_state_value(&state, type, value);
}

static tally_status fold_extreme(const tally_fold *fold, const op_row *op, tally_type out,
                                 tally_value *value)
{
    int winner = TALLY_CLASS_FLOAT;
    for (int c = TALLY_CLASS_FLOAT + 1; c < TALLY_CLASSES; c++) {
        if (tally_best_is_better(op, (tally_class)c, &fold->best[c], (tally_class)winner,
                                 &fold->best[winner])) {
            winner = c;
        }
    }
    const tally_best *best = &fold->best[winner];
    tally_type type = op->index ? TALLY_TYPE_U64 : extreme_type(fold, (tally_class)winner);
    if (out != TALLY_TYPE_DEFAULT && type != TALLY_TYPE_DEFAULT && out != type) {
        return TALLY_ERR_UNSUPPORTED;
    }
    if (!best->found) {
        return TALLY_ERR_EMPTY;
    }
    if (op->index) {
        value->type = TALLY_TYPE_U64;
        value->as.u64 = best->index;
    } else {
        extreme_value(best, (tally_class)winner, type, value);
    }
    return TALLY_OK;
}

/* ---- any op ---- */

tally_status tally_fold_add(tally_context *ctx, tally_fold *fold, const tally_array *x,
                            uint64_t index, uint64_t step)
{
    const type_row *type = tally_type_find(x->type);
    if (!type || (!x->data && x->n > 0)) {
        return tally_context_fail(ctx, TALLY_ERR_ARGUMENT, "x is no array");
    }
    tally_status status = tally_op_find(fold->op)->kernel == OP_KERNEL_ADD
                              ? add_sum(ctx, fold, x, type->class_of == TALLY_CLASS_FLOAT)
                              : add_extreme(ctx, fold, x, type, index, step);
    if (status == TALLY_OK) {
        note_type(fold, x->type);
    }
    return status;
}

tally_status tally_fold_value(const tally_fold *fold, tally_type out, tally_value *value)
{
    const op_row *op = tally_op_find(fold->op);
    tally_state state;
    if (op->kernel == OP_KERNEL_EXTREME) {
        return fold_extreme(fold, op, out, value);
    }
    tally_fold_state(fold, &state);
    if (op->mean) {
        return tally_state_mean(&state, out, value);
    }
    if (fold->one_type && fold->type != TALLY_TYPE_DEFAULT) {
        const type_row *type = tally_type_find(fold->type);
        bool is_integer = type->class_of != TALLY_CLASS_FLOAT;
        /* an empty state would take any type */
        if (!is_integer && (out == TALLY_TYPE_I64 || out == TALLY_TYPE_U64)) {
            return TALLY_ERR_UNSUPPORTED;
        }
        out = out == TALLY_TYPE_DEFAULT ? type->sum : out;
    }
    return tally_state_value(&state, out, value);
}
