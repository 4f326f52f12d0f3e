/*
 * trace_wide.h - 128-bit two's complement in two words, for compilers and targets without __int128.
 *
 * Each function says whether the exact result fits; if not, *a is that result modulo 2^128.
 */
#ifndef TALLY_TRACE_WIDE_H
#define TALLY_TRACE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct trace_wide {
    uint64_t low, high;
} trace_wide;

static inline bool wide_negative(trace_wide a)
{
    return a.high >> 63;
}

static inline trace_wide wide_from(int64_t v)
{
    trace_wide a = {(uint64_t)v, v < 0 ? UINT64_MAX : 0};
    return a;
}

static inline trace_wide wide_negate(trace_wide a)
{
    trace_wide r = {0 - a.low, ~a.high + (a.low == 0)};
    return r;
}

static inline bool wide_less(trace_wide a, trace_wide b)
{
    if (wide_negative(a) != wide_negative(b)) {
        return wide_negative(a);
    }
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static inline bool wide_add(trace_wide *a, trace_wide b)
{
    bool sign = wide_negative(*a);
    uint64_t low = a->low + b.low;
    a->high += b.high + (low < b.low);
    a->low = low;
    return sign != wide_negative(b) || sign == wide_negative(*a);
}

static inline trace_wide wide_product(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    /* at most (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1: no carry is lost */
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t upper = a0 * b1 + (uint32_t)middle;
    trace_wide r = {a * b, a1 * b1 + (middle >> 32) + (upper >> 32)};
    return r;
}

static inline bool wide_multiply(trace_wide *a, trace_wide b)
{
    bool negative = wide_negative(*a) != wide_negative(b);
    trace_wide x = wide_negative(*a) ? wide_negate(*a) : *a; /* magnitudes, at most 2^127 */
    trace_wide y = wide_negative(b) ? wide_negate(b) : b;
    trace_wide r = wide_product(x.low, y.low);
    trace_wide cross_x = wide_product(x.high, y.low), cross_y = wide_product(x.low, y.high);
    bool fits = (x.high == 0 || y.high == 0) && cross_x.high == 0 && cross_y.high == 0;
    /* one of the two is zero where it fits */
    uint64_t cross = cross_x.low + cross_y.low;
    r.high += cross;
    fits = fits && r.high >= cross;
    /* 2^127 is a value only as -2^127 */
    fits = fits && (!wide_negative(r) || (negative && r.high == (uint64_t)1 << 63 && r.low == 0));
    *a = negative ? wide_negate(r) : r;
    return fits;
}

#endif
