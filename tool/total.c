/*
 * total.c - joins what a fold holds and what only a decimal can hold.
 */
#include "total.h"

#include <stdlib.h>
#include <string.h>

#include "io/number.h"

static bool is_extreme(tally_op op)
{
    return op != TALLY_OP_SUM && op != TALLY_OP_MEAN;
}

static bool wants_largest(tally_op op)
{
    return op == TALLY_OP_MAX || op == TALLY_OP_ARGMAX;
}

void total_init(total *t, tally_op op, tally_nan nan)
{
    memset(t, 0, sizeof *t);
    tally_fold_init(&t->fold, op, nan);
}

void total_free(total *t)
{
    decimal_free(t->wide);
    t->wide = NULL;
}

void total_next_file(total *t)
{
    t->before += t->here;
    t->here = 0;
}

uint64_t total_count(const total *t)
{
    return t->fold.n + t->n_wide;
}

static tally_status add_wide_extreme(total *t, const reader_piece *piece, uint64_t index)
{
    decimal *candidate = decimal_alloc();
    if (!candidate || !decimal_add_integer(candidate, piece->wide, piece->wide_length)) {
        decimal_free(candidate);
        return TALLY_ERR_MEMORY;
    }
    int order = t->wide ? decimal_compare(candidate, t->wide) : 0;
    if (!t->wide || (wants_largest(t->fold.op) ? order > 0 : order < 0)) {
        decimal_free(t->wide);
        t->wide = candidate;
        t->wide_index = index;
    } else {
        decimal_free(candidate);
    }
    return TALLY_OK;
}

static tally_status add_wide(total *t, const reader_piece *piece, uint64_t index)
{
    if (is_extreme(t->fold.op)) {
        tally_status status = add_wide_extreme(t, piece, index);
        if (status != TALLY_OK)
            return status;
    } else {
        if (!t->wide)
            t->wide = decimal_alloc();
        if (!t->wide || !decimal_add_integer(t->wide, piece->wide, piece->wide_length))
            return TALLY_ERR_MEMORY;
    }
    t->n_wide++;
    return TALLY_OK;
}

tally_status total_add(tally_context *ctx, total *t, const reader_piece *piece)
{
    uint64_t index = t->before + piece->index;
    t->here += piece->wide ? 1 : piece->array.n;
    if (piece->wide)
        return add_wide(t, piece, index);
    return tally_fold_add(ctx, &t->fold, &piece->array, index, piece->step);
}

uint64_t total_bits(const tally_value *value)
{
    uint32_t narrow;
    uint64_t bits;
    switch (value->type) {
    case TALLY_TYPE_F16: return value->as.f16;
    case TALLY_TYPE_BF16: return value->as.bf16;
    case TALLY_TYPE_F32: memcpy(&narrow, &value->as.f32, sizeof narrow); return narrow;
    case TALLY_TYPE_F64: memcpy(&bits, &value->as.f64, sizeof bits); return bits;
    case TALLY_TYPE_I8: return (uint8_t)value->as.i64;
    case TALLY_TYPE_I16: return (uint16_t)value->as.i64;
    case TALLY_TYPE_I32: return (uint32_t)value->as.i64;
    case TALLY_TYPE_I64: return (uint64_t)value->as.i64;
    default: return value->as.u64;
    }
}

tally_value total_from_bits(tally_type type, uint64_t bits)
{
    tally_value value = {.type = type};
    uint32_t narrow = (uint32_t)bits;
    switch (type) {
    case TALLY_TYPE_F16: value.as.f16 = (uint16_t)bits; break;
    case TALLY_TYPE_BF16: value.as.bf16 = (uint16_t)bits; break;
    case TALLY_TYPE_F32: memcpy(&value.as.f32, &narrow, sizeof narrow); break;
    default: memcpy(&value.as.f64, &bits, sizeof bits); break;
    }
    return value;
}

static bool is_infinite(const tally_value *value)
{
    uint64_t bits = total_bits(value);
    switch (value->type) {
    case TALLY_TYPE_F16: return (bits & 0x7fff) == 0x7c00;
    case TALLY_TYPE_BF16: return (bits & 0x7fff) == 0x7f80;
    case TALLY_TYPE_F32: return (bits & 0x7fffffff) == 0x7f800000;
    case TALLY_TYPE_F64: return (bits & INT64_MAX) == 0x7ff0000000000000;
    default: return false;
    }
}

/* An exact integer: a machine's if one holds it, else its digits. */
static tally_status integer_result(const decimal *d, total_result *result)
{
    char *digits = decimal_print(d);
    if (!digits)
        return TALLY_ERR_MEMORY;
    number parsed;
    switch (number_parse(digits, strlen(digits), &parsed)) {
    case NUMBER_SIGNED:
        result->value = (tally_value){.type = TALLY_TYPE_I64, .as.i64 = parsed.as.i64};
        break;
    case NUMBER_UNSIGNED:
        result->value = (tally_value){.type = TALLY_TYPE_U64, .as.u64 = parsed.as.u64};
        break;
    default: result->integer = digits; return TALLY_OK;
    }
    free(digits);
    return TALLY_OK;
}

static tally_status float_result(const decimal *d, uint64_t n, tally_type out, total_result *result)
{
    tally_type type = out == TALLY_TYPE_DEFAULT ? TALLY_TYPE_F64 : out;
    uint64_t bits;
    if (!decimal_round_quotient(d, n, type, &bits))
        return TALLY_ERR_MEMORY;
    result->value = total_from_bits(type, bits);
    return TALLY_OK;
}

/* A sum that outgrew the machine's integers, or one in which wide integers take part. */
static tally_status wide_sum(const total *t, const tally_state *state, tally_type out,
                             total_result *result)
{
    bool exact = t->fold.op == TALLY_OP_SUM && out == TALLY_TYPE_DEFAULT &&
                 state->word[TALLY_STATE_FLOAT] == 0;
    uint64_t n = t->fold.op == TALLY_OP_MEAN ? total_count(t) : 1;
    decimal *d = decimal_alloc();
    tally_status status = TALLY_ERR_MEMORY;
    if (d && (!t->wide || decimal_set(d, t->wide)) && decimal_add_state(d, state))
        status = exact ? integer_result(d, result) : float_result(d, n, out, result);
    decimal_free(d);
    return status;
}

static tally_status sum_result(const total *t, tally_type out, total_result *result)
{
    tally_state state;
    tally_fold_state(&t->fold, &state);
    bool special = state.word[TALLY_STATE_NAN] || state.word[TALLY_STATE_POS_INF] ||
                   state.word[TALLY_STATE_NEG_INF];
    tally_status status = TALLY_ERR_OVERFLOW;
    if (t->n_wide == 0 || special)
        status = tally_fold_value(&t->fold, out, &result->value);
    if (status == TALLY_ERR_OVERFLOW)
        status = wide_sum(t, &state, out, result);
    result->overflowed =
        status == TALLY_OK && !special && !result->integer && is_infinite(&result->value);
    return status;
}

/* -1, 0, 1 as the fold's best element of one class is less than, equal to, greater than wide. */
static tally_status compare_best(const tally_best *best, tally_class kind, const decimal *wide,
                                 int *order)
{
    /* Every wide integer is outside of what i64 and u64 hold. */
    tally_state state;
    tally_state_init(&state);
    if (kind == TALLY_CLASS_FLOAT) {
        tally_value value = total_from_bits(TALLY_TYPE_F64, best->bits);
        if (is_infinite(&value)) {
            *order = value.as.f64 > 0 ? 1 : -1;
            return TALLY_OK;
        }
        tally_state_add1_f64(&state, value.as.f64);
    }
    decimal *d = decimal_alloc();
    tally_status status = TALLY_ERR_MEMORY;
    if (d && decimal_add_state(d, &state)) {
        *order = decimal_compare(d, wide); /* integers: as zero is, for wide is beyond them all */
        status = TALLY_OK;
    }
    decimal_free(d);
    return status;
}

/* 1: the best wide integer beats every element of the fold; 0: it ties; -1: it is beaten. */
static tally_status judge_wide(const total *t, int *verdict)
{
    *verdict = 1;
    for (int kind = 0; kind < TALLY_CLASSES; kind++) {
        const tally_best *best = &t->fold.best[kind];
        int order = 0;
        if (!best->found)
            continue;
        if (best->nan) {
            *verdict = -1;
            return TALLY_OK;
        }
        tally_status status = compare_best(best, (tally_class)kind, t->wide, &order);
        if (status != TALLY_OK)
            return status;
        if (wants_largest(t->fold.op))
            order = -order;
        if (order < *verdict)
            *verdict = order;
    }
    return TALLY_OK;
}

static tally_status extreme_result(const total *t, tally_type out, total_result *result)
{
    if (t->n_wide == 0)
        return tally_fold_value(&t->fold, out, &result->value);

    int verdict;
    tally_status status = judge_wide(t, &verdict);
    if (status != TALLY_OK)
        return status;
    bool indexed = t->fold.op == TALLY_OP_ARGMIN || t->fold.op == TALLY_OP_ARGMAX;
    bool any_float = t->fold.best[TALLY_CLASS_FLOAT].found;
    if (verdict < 1) {
        status = tally_fold_value(&t->fold, out, &result->value);
        if (status != TALLY_OK || verdict < 0 || !indexed)
            return status;
        if (t->wide_index < result->value.as.u64)
            result->value.as.u64 = t->wide_index;
        return TALLY_OK;
    }
    if (out != TALLY_TYPE_DEFAULT && (indexed || !any_float || out != TALLY_TYPE_F64))
        return TALLY_ERR_UNSUPPORTED;
    if (indexed) {
        result->value = (tally_value){.type = TALLY_TYPE_U64, .as.u64 = t->wide_index};
        return TALLY_OK;
    }
    return any_float ? float_result(t->wide, 1, out, result) : integer_result(t->wide, result);
}

tally_status total_value(const total *t, tally_type out, total_result *result)
{
    memset(result, 0, sizeof *result);
    if (is_extreme(t->fold.op))
        return extreme_result(t, out, result);
    return sum_result(t, out, result);
}
