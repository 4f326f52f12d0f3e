/* number.c - one number out of text: what kind it is, and its value. */
#include <string.h>

#include "exact.h"
#include "number.h"
#include "scan.h"

/* An integer's magnitude, if 64 bits hold it. */
static bool integer_u64(const scan *s, uint64_t *magnitude)
{
    uint64_t last = (uint64_t)(s->digits_end[-1] - '0');
    *magnitude = s->lead;
    return s->exponent == 0 ||
           (s->exponent == 1 && !__builtin_mul_overflow(s->lead, UINT64_C(10), magnitude) &&
            !__builtin_add_overflow(*magnitude, last, magnitude));
}

static number_kind parse_integer(const scan *s, number *out)
{
    uint64_t magnitude;
    if (!integer_u64(s, &magnitude)) {
        return NUMBER_WIDE;
    }
    if (magnitude <= (uint64_t)INT64_MAX) {
        out->as.i64 = s->negative ? -(int64_t)magnitude : (int64_t)magnitude;
        return NUMBER_SIGNED;
    }
    if (!s->negative) {
        out->as.u64 = magnitude;
        return NUMBER_UNSIGNED;
    }
    if (magnitude == (uint64_t)INT64_MAX + 1) {
        out->as.i64 = INT64_MIN;
        return NUMBER_SIGNED;
    }
    return NUMBER_WIDE;
}

static uint64_t round_scan(const scan *s, exact_format f)
{
    uint64_t bits;
    switch (s->form) {
    case SCAN_NAN: return exact_nan(f);
    case SCAN_INF: bits = exact_infinity(f); break;
    default: bits = scan_round(s, f); break;
    }
    return s->negative ? bits | exact_sign(f) : bits;
}

number_kind number_parse(const char *text, size_t length, number *out)
{
    scan s;
    out->kind = NUMBER_BAD;
    out->overflowed = out->underflowed = out->minus_zero = false;
    if (!scan_number(text, length, &s)) {
        return NUMBER_BAD;
    }
    if (s.form == SCAN_INTEGER) {
        out->minus_zero = s.negative && s.lead == 0;
        return out->kind = parse_integer(&s, out);
    }
    const exact_format f = exact_format_of(TALLY_TYPE_F64);
    uint64_t bits = round_scan(&s, f);
    memcpy(&out->as.f64, &bits, sizeof bits);
    bool finite = s.form <= SCAN_REAL;
    out->overflowed = finite && (bits & ~exact_sign(f)) == exact_infinity(f);
    out->underflowed = finite && (bits & ~exact_sign(f)) == 0 && s.lead != 0;
    return out->kind = NUMBER_REAL;
}

uint64_t number_round(const char *text, size_t length, tally_type type)
{
    scan s;
    const exact_format f = exact_format_of(type);
    /* the text matches, or the caller is wrong: then NaN, which no sum can hide */
    return scan_number(text, length, &s) ? round_scan(&s, f) : exact_nan(f);
}
