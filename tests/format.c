/* format.c - bits of f16, bf16, f32 and f64 to double and back, by plain arithmetic. */
#include "format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const format format_f64 = {.name = "f64",
                           .type = TALLY_TYPE_F64,
                           .precision = 53,
                           .min_unit = -1074,
                           .max_unit = 971,
                           .width = 64,
                           .inf = 0x7ff0000000000000,
                           .nan = 0x7ff8000000000000,
                           .minus = 0x8000000000000000};
const format format_f32 = {.name = "f32",
                           .type = TALLY_TYPE_F32,
                           .precision = 24,
                           .min_unit = -149,
                           .max_unit = 104,
                           .width = 32,
                           .inf = 0x7f800000,
                           .nan = 0x7fc00000,
                           .minus = 0x80000000};
const format format_f16 = {.name = "f16",
                           .type = TALLY_TYPE_F16,
                           .precision = 11,
                           .min_unit = -24,
                           .max_unit = 5,
                           .width = 16,
                           .inf = 0x7c00,
                           .nan = 0x7e00,
                           .minus = 0x8000};
const format format_bf16 = {.name = "bf16",
                            .type = TALLY_TYPE_BF16,
                            .precision = 8,
                            .min_unit = -133,
                            .max_unit = 120,
                            .width = 16,
                            .inf = 0x7f80,
                            .nan = 0x7fc0,
                            .minus = 0x8000};

const format *const formats[FORMATS] = {&format_f64, &format_f32, &format_f16, &format_bf16};

double format_decode(const format *f, uint64_t bits)
{
    uint64_t magnitude = bits & (f->minus - 1);
    double value;

    if (magnitude > f->inf) {
        value = NAN;
    } else if (magnitude == f->inf) {
        value = INFINITY;
    } else {
        uint64_t hidden = (uint64_t)1 << (f->precision - 1);
        int exponent = (int)(magnitude / hidden);
        uint64_t fraction = magnitude % hidden;

        /* exponent 0 has no hidden bit and the unit of exponent 1 */
        value = exponent == 0 ? ldexp((double)fraction, f->min_unit)
                              : ldexp((double)(hidden + fraction), f->min_unit + exponent - 1);
    }
    return bits & f->minus ? -value : value;
}

uint64_t format_encode(const format *f, double x)
{
    uint64_t sign = signbit(x) ? f->minus : 0;
    uint64_t hidden = (uint64_t)1 << (f->precision - 1);
    uint64_t bits;

    if (isnan(x)) {
        return f->nan;
    }
    if (isinf(x)) {
        return sign | f->inf;
    }
    if (x == 0) {
        return sign;
    }
    int exponent;
    frexp(x, &exponent); /* 2^(exponent-1) <= |x| < 2^exponent */
    int unit = exponent - f->precision;
    if (unit < f->min_unit) {
        unit = f->min_unit;
    }
    double significand = ldexp(fabs(x), -unit);
    uint64_t m = (uint64_t)significand;
    bits = m < hidden ? m : (uint64_t)(unit - f->min_unit + 1) * hidden + (m - hidden);
    if ((double)m != significand || bits >= f->inf) {
        fprintf(stderr, "the test's own data is wrong: %a is no %s\n", x, f->name);
        abort();
    }
    return sign | bits;
}

size_t format_pack(const format *f, const double *x, size_t n, void *elements)
{
    unsigned char *at = elements;
    size_t size = (size_t)f->width / 8;

    for (size_t i = 0; i < n; i++, at += size) {
        uint64_t bits = format_encode(f, x[i]);
        uint32_t bits32 = (uint32_t)bits;
        uint16_t bits16 = (uint16_t)bits;
        memcpy(at,
               size == 8   ? (const void *)&bits
               : size == 4 ? (const void *)&bits32
                           : (const void *)&bits16,
               size);
    }
    return n * size;
}
