/* best.c - exact comparison of elements, also of floats with integers and of signed with unsigned.
 */
#include "best.h"

#include "cpu/element.h"
#include "exact.h"

/* A float element's exact value as f64 bits: the state's own rounding widens without a loss. */
static uint64_t widen_float(tally_type type, uint64_t bits)
{
    const element_float f = element_float_of(type);
    const exact_format f64 = exact_format_of(TALLY_TYPE_F64);
    uint64_t magnitude = bits & (element_sign(f) - 1);
    uint64_t sign = bits & element_sign(f) ? exact_sign(f64) : 0;
    if (magnitude > element_infinity(f)) {
        return exact_nan(f64);
    }
    if (magnitude == element_infinity(f)) {
        return exact_infinity(f64) | sign;
    }
    uint64_t exponent = magnitude >> f.fraction, normal = exponent != 0;
    uint64_t m = (magnitude & (((uint64_t)1 << f.fraction) - 1)) | normal << f.fraction;
    int weight = (int)(exponent - normal) + f.lift - 1074;
    /* two digits below m reach down as far as exact_round() wants to see */
    const uint32_t digit[4] = {0, 0, (uint32_t)m, (uint32_t)(m >> 32)};
    return exact_round(digit, 4, weight - 64, false, f64) | sign;
}

uint64_t tally_best_bits(const type_row *type, const unsigned char *p)
{
    if (type->class_of == TALLY_CLASS_FLOAT) {
        return widen_float(type->type, element_bits(type->type, p));
    }
    return (uint64_t)element_integer(type->type, p);
}

static int compare_unsigned(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_f64(uint64_t a, uint64_t b, bool zeros_equal)
{
    const uint64_t sign = (uint64_t)1 << 63;
    if (zeros_equal && ((a | b) & ~sign) == 0) {
        return 0;
    }
    if ((a ^ b) & sign) {
        return a & sign ? -1 : 1;
    }
    int order = compare_unsigned(a, b);
    return a & sign ? -order : order;
}

/* A finite or infinite double against an integer given by sign and magnitude. An integer zero is
 * +0. */
static int compare_f64_integer(uint64_t a, bool negative, uint64_t magnitude, bool zeros_equal)
{
    const element_float f = element_float_of(TALLY_TYPE_F64);
    uint64_t size = a & (element_sign(f) - 1);
    if (size == 0 && magnitude == 0) {
        return a != 0 && !zeros_equal ? -1 : 0;
    }
    bool a_negative = (a & element_sign(f)) != 0 && size != 0;
    if (a_negative != negative) {
        return a_negative ? -1 : 1;
    }
    int exponent = (int)(size >> 52) - 1075; /* of the significand's last bit */
    uint64_t m = (size & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    int order;
    if (exponent > 11) { /* 2^64 or more */
        order = 1;
    } else if (exponent >= 0) {
        order = compare_unsigned(m << exponent, magnitude);
    } else if (exponent <= -53) { /* below 1 */
        order = compare_unsigned(size != 0, 2 * (magnitude != 0));
    } else {
        order = compare_unsigned(m >> -exponent, magnitude);
        bool fraction = (m & (((uint64_t)1 << -exponent) - 1)) != 0;
        order = order == 0 && fraction ? 1 : order;
    }
    return negative ? -order : order;
}

/* The exact values of two bests of any class, neither of them NaN: -1, 0, 1. */
static int compare_best(tally_class ca, uint64_t a, tally_class cb, uint64_t b, bool zeros_equal)
{
    bool a_negative = ca == TALLY_CLASS_SIGNED && (int64_t)a < 0;
    bool b_negative = cb == TALLY_CLASS_SIGNED && (int64_t)b < 0;
    if (ca == TALLY_CLASS_FLOAT && cb == TALLY_CLASS_FLOAT) {
        return compare_f64(a, b, zeros_equal);
    }
    if (ca == TALLY_CLASS_FLOAT) {
        return compare_f64_integer(a, b_negative, b_negative ? 0 - b : b, zeros_equal);
    }
    if (cb == TALLY_CLASS_FLOAT) {
        return -compare_f64_integer(b, a_negative, a_negative ? 0 - a : a, zeros_equal);
    }
    if (a_negative != b_negative) {
        return a_negative ? -1 : 1;
    }
    return compare_unsigned(a, b); /* two's complement: also right if both are negative */
}

bool tally_best_is_better(const op_row *op, tally_class cc, const tally_best *c, tally_class cb,
                          const tally_best *b)
{
    if (!c->found || !b->found) {
        return c->found;
    }
    int order = 0;
    if (c->nan != b->nan) {
        return c->nan;
    }
    if (!c->nan) {
        order = compare_best(cc, c->bits, cb, b->bits, op->index);
    }
    if (order == 0) {
        return c->index < b->index;
    }
    return op->largest ? order > 0 : order < 0;
}
