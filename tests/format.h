/*
 * format.h - the float formats as the tests see them: their numbers, bits to double and back.
 *
 * Written for the tests alone; nothing here comes from src/.
 */
#ifndef TESTS_FORMAT_H
#define TESTS_FORMAT_H

#include <stdint.h>
#include <string.h>

#include "tally.h"

typedef struct format {
    const char *name;
    tally_type type;
    int precision;  /* bits of a normal significand, the hidden one included */
    int min_unit;   /* the smallest subnormal is 2^min_unit */
    int max_unit;   /* the last bit of the largest finite value is 2^max_unit */
    int width;      /* bits in all */
    uint64_t inf;   /* the bits of +inf */
    uint64_t nan;   /* the canonical NaN */
    uint64_t minus; /* the sign bit */
} format;

extern const format format_f64, format_f32, format_f16, format_bf16;

/* All four, f64 first. */
enum { FORMATS = 4 };
extern const format *const formats[FORMATS];

/* The value of some bits; every value of the four formats is a double. */
double format_decode(const format *f, uint64_t bits);

/* The bits of a double that is a value of f; any NaN gives the canonical one. Stops the program if
 * x is no value of f: a test that would have to round is wrong. */
uint64_t format_encode(const format *f, double x);

/* Stores n doubles, all values of f, as an array of f's elements; returns the bytes used. */
size_t format_pack(const format *f, const double *x, size_t n, void *elements);

static inline uint64_t bits_f64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double f64_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t bits_f32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float f32_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The bits of a value of a float type. */
static inline uint64_t bits_value(const tally_value *v)
{
    switch (v->type) {
    case TALLY_TYPE_F64: return bits_f64(v->as.f64);
    case TALLY_TYPE_F32: return bits_f32(v->as.f32);
    case TALLY_TYPE_F16: return v->as.f16;
    case TALLY_TYPE_BF16: return v->as.bf16;
    default: return v->as.u64;
    }
}

#endif
