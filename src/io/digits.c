/*
 * digits.c - a value as text, in the shortest digits.
 *
 * A float v = m 2^e owns the numbers from halfway to its lower neighbour to halfway to its upper
 * one (the ends too if m is even: ties go to even). Digits of v are cut off one by one until what
 * is written, or that with one more in its last place, lies in there. Integers only, and exact.
 */
#include <string.h>

#include "bigint.h"
#include "exact.h"
#include "number.h"

/* d[0] . d[1] d[2] ... 10^exponent, no zero at either end. */
enum { DIGITS = 17 }; /* what f64 can need */
typedef struct decimal_digits {
    int n;
    int exponent;
    char d[DIGITS];
} decimal_digits;

/* m 2^e > 0 as a format's numbers have it: m has all the bits of its precision, or e is lowest. */
typedef struct binary {
    uint64_t m;
    int e;
} binary;

static binary take_apart(uint64_t bits, exact_format f)
{
    uint64_t hidden = (uint64_t)1 << (f.precision - 1);
    uint64_t m = bits & (hidden - 1);
    int biased = (int)(bits >> (f.precision - 1));
    return biased == 0 ? (binary){m, f.lowest} : (binary){m | hidden, f.lowest + biased - 1};
}

/* Everything over one unit: v = value/unit 10^exponent with one digit before the point, and the
 * gaps to the ends of v's interval in the same measure. */
typedef struct ruler {
    bigint value, below, above, unit;
    int exponent;
} ruler;

static void ruler_scale(ruler *r, uint32_t factor)
{
    bigint_multiply_add(&r->value, factor, 0);
    bigint_multiply_add(&r->below, factor, 0);
    bigint_multiply_add(&r->above, factor, 0);
}

static void ruler_shift(ruler *r, int nbits)
{
    bigint_shift_left(&r->value, nbits);
    bigint_shift_left(&r->below, nbits);
    bigint_shift_left(&r->above, nbits);
}

/* floor(x log10(2)): 78913 / 2^18 is log10(2) to 3e-7; the offset keeps the division one of
 * positive numbers. */
static int floor_log10_power2(int x)
{
    return (78913 * x + (2000 << 18)) / 262144 - 2000;
}

static void ruler_init(ruler *r, binary v, exact_format f)
{
    /* In quarters of m's last place: below a power of two the numbers lie half as far apart. */
    bool narrow = v.m == (uint64_t)1 << (f.precision - 1) && v.e > f.lowest;
    bigint_set(&r->value, 4 * v.m);
    bigint_set(&r->below, narrow ? 1 : 2);
    bigint_set(&r->above, 2);
    bigint_set(&r->unit, 1);

    /* 10^exponent <= v, and v < 10^(exponent + 2): v is at least 2^top and below twice that */
    int top = v.e + 63 - __builtin_clzll(v.m);
    r->exponent = floor_log10_power2(top);
    int power2 = v.e - 2 - r->exponent; /* v / 10^exponent = 4m 2^power2 / 5^exponent */
    if (r->exponent >= 0) {
        bigint_multiply_power5(&r->unit, r->exponent);
    } else {
        bigint_multiply_power5(&r->value, -r->exponent);
        bigint_multiply_power5(&r->below, -r->exponent);
        bigint_multiply_power5(&r->above, -r->exponent);
    }
    if (power2 >= 0) {
        ruler_shift(r, power2);
    } else {
        bigint_shift_left(&r->unit, -power2);
    }

    bigint ten = r->unit;
    bigint_multiply_add(&ten, 10, 0);
    if (bigint_compare(&r->value, &ten) >= 0) {
        r->unit = ten;
        r->exponent++;
    }
    int align = bigint_align(bigint_bits(&r->unit));
    bigint_shift_left(&r->unit, align);
    ruler_shift(r, align);
}

static void shortest(binary v, exact_format f, decimal_digits *out)
{
    ruler r;
    ruler_init(&r, v, f);
    /* an end of the interval belongs to it where "<" may be "==": order < inside */
    int inside = v.m % 2 == 0 ? 1 : 0;
    out->n = 0;
    out->exponent = r.exponent;
    for (;;) {
        /* the digits so far are too small by value, those with one more too large by rest */
        uint32_t digit = bigint_divide(&r.value, &r.unit);
        bigint rest;
        bigint_subtract(&rest, &r.unit, &r.value);
        bool down = bigint_compare(&r.value, &r.below) < inside;
        bool up = bigint_compare(&rest, &r.above) < inside;
        if (up && down) {
            int nearer = bigint_compare(&rest, &r.value);
            up = nearer < 0 || (nearer == 0 && digit % 2 == 1);
        }
        digit += up;
        if (digit == 10) {
            /* Only the first: otherwise the number was in reach one digit earlier. */
            digit = 1;
            out->exponent++;
        }
        out->d[out->n++] = (char)('0' + digit);
        if (up || down) {
            return;
        }
        ruler_scale(&r, 10);
    }
}

static char *put(char *p, const char *text, size_t length)
{
    memcpy(p, text, length);
    return p + length;
}

static char *put_zeros(char *p, int n)
{
    memset(p, '0', (size_t)n);
    return p + n;
}

static char *put_u64(char *p, uint64_t value)
{
    char digit[20];
    size_t n = 0;
    do {
        digit[sizeof digit - ++n] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    return put(p, digit + sizeof digit - n, n);
}

/* ECMAScript's layout: positional from 1e-6 to below 1e21, else with an exponent. */
static char *put_digits(char *p, const decimal_digits *x)
{
    int whole = x->exponent + 1; /* digits before the point */
    if (whole > 21 || whole < -5) {
        *p++ = x->d[0];
        if (x->n > 1) {
            *p++ = '.';
            p = put(p, x->d + 1, (size_t)x->n - 1);
        }
        *p++ = 'e';
        *p++ = x->exponent < 0 ? '-' : '+';
        return put_u64(p, (uint64_t)(x->exponent < 0 ? -x->exponent : x->exponent));
    }
    if (whole >= x->n) {
        p = put(p, x->d, (size_t)x->n);
        return put_zeros(p, whole - x->n);
    }
    if (whole > 0) {
        p = put(p, x->d, (size_t)whole);
        *p++ = '.';
        return put(p, x->d + whole, (size_t)(x->n - whole));
    }
    p = put(p, "0.", 2);
    p = put_zeros(p, -whole);
    return put(p, x->d, (size_t)x->n);
}

/* Whether m 2^e is a whole number below 2^53; then it is stored. */
static bool small_whole(binary v, uint64_t *whole)
{
    if (v.e >= 0) {
        if (v.e > 52 || v.m >> (53 - v.e) != 0) {
            return false;
        }
        *whole = v.m << v.e;
        return true;
    }
    if (v.e <= -53 || v.m & (((uint64_t)1 << -v.e) - 1)) {
        return false;
    }
    *whole = v.m >> -v.e;
    return true;
}

static char *put_float(char *p, uint64_t bits, exact_format f)
{
    uint64_t magnitude = bits & (exact_sign(f) - 1);
    if (magnitude > exact_infinity(f)) {
        return put(p, "nan", 3);
    }
    if (bits != magnitude) {
        *p++ = '-';
    }
    if (magnitude == exact_infinity(f)) {
        return put(p, "inf", 3);
    }
    binary v = take_apart(magnitude, f);
    uint64_t whole;
    if (magnitude == 0 || small_whole(v, &whole)) {
        return put_u64(p, magnitude == 0 ? 0 : whole);
    }
    decimal_digits digits;
    shortest(v, f, &digits);
    return put_digits(p, &digits);
}

static uint64_t float_bits(const tally_value *value)
{
    uint32_t low;
    uint64_t bits;
    switch (value->type) {
    case TALLY_TYPE_F16: return value->as.f16;
    case TALLY_TYPE_BF16: return value->as.bf16;
    case TALLY_TYPE_F32: memcpy(&low, &value->as.f32, sizeof low); return low;
    default: memcpy(&bits, &value->as.f64, sizeof bits); return bits;
    }
}

size_t number_print(const tally_value *value, char text[NUMBER_TEXT_BYTES])
{
    char *p = text;
    switch (value->type) {
    case TALLY_TYPE_I8:
    case TALLY_TYPE_I16:
    case TALLY_TYPE_I32:
    case TALLY_TYPE_I64:
        if (value->as.i64 < 0) {
            *p++ = '-';
        }
        p = put_u64(p, value->as.i64 < 0 ? -(uint64_t)value->as.i64 : (uint64_t)value->as.i64);
        break;
    case TALLY_TYPE_U8:
    case TALLY_TYPE_U16:
    case TALLY_TYPE_U32:
    case TALLY_TYPE_U64:
    case TALLY_TYPE_BOOL: p = put_u64(p, value->as.u64); break;
    default: p = put_float(p, float_bits(value), exact_format_of(value->type)); break;
    }
    *p = '\0';
    return (size_t)(p - text);
}
