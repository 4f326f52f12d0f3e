/* state.c - the public exact state: adding arrays to it and taking values out of it. */
#include "cpu/kernels.h"
#include "exact.h"
#include "op.h"

#include <string.h>

void tally_state_add_f64(tally_state *state, const double *x, size_t n)
{
    tally_array array = tally_array_dense(TALLY_TYPE_F64, x, n);
    tally_cpu_add(&array, TALLY_NAN_PROPAGATE, state);
}

void tally_state_add_f32(tally_state *state, const float *x, size_t n)
{
    tally_array array = tally_array_dense(TALLY_TYPE_F32, x, n);
    tally_cpu_add(&array, TALLY_NAN_PROPAGATE, state);
}

void tally_state_add1_f64(tally_state *state, double x)
{
    tally_cpu_add1_f64(x, state);
}

tally_status tally_state_add(tally_state *state, const tally_array *x, tally_nan nan)
{
    if (!state || !x || (!x->data && x->n > 0) ||
        (nan != TALLY_NAN_PROPAGATE && nan != TALLY_NAN_SKIP)) {
        return TALLY_ERR_ARGUMENT;
    }
    const type_row *type = tally_type_find(x->type);
    if (!type) {
        return TALLY_ERR_ARGUMENT;
    }
    int other = type->class_of == TALLY_CLASS_FLOAT ? TALLY_STATE_INTEGER : TALLY_STATE_FLOAT;
    if (state->word[other] != 0 && x->n > 0) {
        return TALLY_ERR_MIXED;
    }
    tally_cpu_add(x, nan, state);
    return TALLY_OK;
}

double tally_state_round_f64(const tally_state *state)
{
    uint64_t bits = tally_exact_bits(state, 0, TALLY_TYPE_F64);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float tally_state_round_f32(const tally_state *state)
{
    uint32_t bits = (uint32_t)tally_exact_bits(state, 0, TALLY_TYPE_F32);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint16_t tally_state_round_f16(const tally_state *state)
{
    return (uint16_t)tally_exact_bits(state, 0, TALLY_TYPE_F16);
}

uint16_t tally_state_round_bf16(const tally_state *state)
{
    return (uint16_t)tally_exact_bits(state, 0, TALLY_TYPE_BF16);
}

static tally_status float_value(const tally_state *state, uint64_t divisor, tally_type out,
                                tally_value *value)
{
    uint64_t bits = tally_exact_bits(state, divisor, out);
    uint32_t bits32 = (uint32_t)bits;
    value->type = out;
    switch (out) {
    case TALLY_TYPE_F16: value->as.f16 = (uint16_t)bits; break;
    case TALLY_TYPE_BF16: value->as.bf16 = (uint16_t)bits; break;
    case TALLY_TYPE_F32: memcpy(&value->as.f32, &bits32, sizeof bits32); break;
    default: memcpy(&value->as.f64, &bits, sizeof bits); break;
    }
    return TALLY_OK;
}

/* The magnitude of an integer state, if 64 bits hold it. */
static bool integer_magnitude(const tally_state *state, bool *negative, uint64_t *magnitude)
{
    tally_state s = *state;
    tally_state_canonicalise(&s);
    const int64_t *limb = s.word + TALLY_STATE_LIMB;
    *negative = limb[0] < 0 || limb[1] < 0;
    *magnitude = exact_magnitude(limb[1]) << 32 | exact_magnitude(limb[0]);
    for (int j = 2; j < TALLY_STATE_LIMBS; j++) {
        if (limb[j] != 0) {
            return false;
        }
    }
    return true;
}

static tally_status integer_value(const tally_state *state, tally_type out, tally_value *value)
{
    const uint64_t most = INT64_MAX;
    bool negative;
    uint64_t magnitude;
    if (!integer_magnitude(state, &negative, &magnitude)) {
        return TALLY_ERR_OVERFLOW;
    }
    bool is_i64 = magnitude <= most || (negative && magnitude == most + 1);
    if (out != TALLY_TYPE_U64 && is_i64) {
        value->type = TALLY_TYPE_I64;
        value->as.i64 = negative ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
        return TALLY_OK;
    }
    if (out != TALLY_TYPE_I64 && !negative) {
        value->type = TALLY_TYPE_U64;
        value->as.u64 = magnitude;
        return TALLY_OK;
    }
    return TALLY_ERR_OVERFLOW;
}

static bool is_float_type(tally_type type)
{
    const type_row *row = tally_type_find(type);
    return row && row->class_of == TALLY_CLASS_FLOAT;
}

tally_status tally_state_value(const tally_state *state, tally_type out, tally_value *value)
{
    if (!state || !value) {
        return TALLY_ERR_ARGUMENT;
    }
    if (exact_is_mixed(state)) {
        return TALLY_ERR_MIXED;
    }
    bool integer = state->word[TALLY_STATE_INTEGER] != 0;
    bool is_float = state->word[TALLY_STATE_FLOAT] != 0;
    if (is_float_type(out) || (out == TALLY_TYPE_DEFAULT && !integer)) {
        return float_value(state, 0, out == TALLY_TYPE_DEFAULT ? TALLY_TYPE_F64 : out, value);
    }
    if (is_float || (out != TALLY_TYPE_DEFAULT && out != TALLY_TYPE_I64 && out != TALLY_TYPE_U64)) {
        return TALLY_ERR_UNSUPPORTED;
    }
    return integer_value(state, out, value);
}

tally_status tally_state_mean(const tally_state *state, tally_type out, tally_value *value)
{
    if (!state || !value) {
        return TALLY_ERR_ARGUMENT;
    }
    if (out != TALLY_TYPE_DEFAULT && !is_float_type(out)) {
        return TALLY_ERR_UNSUPPORTED;
    }
    if (exact_is_mixed(state)) {
        return TALLY_ERR_MIXED;
    }
    if (state->word[TALLY_STATE_COUNT] <= 0) {
        return TALLY_ERR_EMPTY;
    }
    return float_value(state, tally_state_count(state),
                       out == TALLY_TYPE_DEFAULT ? TALLY_TYPE_F64 : out, value);
}
