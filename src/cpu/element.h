/*
 * element.h - reading one array element of any type, at any address, without a floating-point
 * instruction. Every function is inlined where the type is a constant, so a switch costs nothing.
 */
#ifndef TALLY_ELEMENT_H
#define TALLY_ELEMENT_H

#include <stdbool.h>
#include <string.h>

#include "tally.h"

#if defined(__GNUC__)
#define ELEMENT_INLINE static inline __attribute__((always_inline))
#else
#define ELEMENT_INLINE static inline
#endif

/* Layout of a float type: where its sign is, its infinity, and its subnormals' exponent + 1074. */
typedef struct element_float {
    int bits;
    int fraction; /* bits of the fraction field */
    int lift;     /* the weight of the last bit of a subnormal is 2^(lift - 1074) */
} element_float;

ELEMENT_INLINE element_float element_float_of(tally_type type)
{
    const element_float f16 = {16, 10, 1074 - 24};
    const element_float bf16 = {16, 7, 1074 - 133};
    const element_float f32 = {32, 23, 1074 - 149};
    const element_float f64 = {64, 52, 0};
    return type == TALLY_TYPE_F16    ? f16
           : type == TALLY_TYPE_BF16 ? bf16
           : type == TALLY_TYPE_F32  ? f32
                                     : f64;
}

ELEMENT_INLINE uint64_t element_sign(element_float f)
{
    return (uint64_t)1 << (f.bits - 1);
}

/* Infinity's bits; a magnitude above them is a NaN. */
ELEMENT_INLINE uint64_t element_infinity(element_float f)
{
    return element_sign(f) - ((uint64_t)1 << f.fraction);
}

/* Bytes from one element to the next. One element has no next one, whatever its stride says. */
ELEMENT_INLINE ptrdiff_t element_step(const tally_array *x, ptrdiff_t size)
{
    return x->n > 1 ? x->stride * size : size;
}

ELEMENT_INLINE bool element_is_float(tally_type type)
{
    return type >= TALLY_TYPE_F16 && type <= TALLY_TYPE_F64;
}

/* The element's bytes as an unsigned number. */
ELEMENT_INLINE uint64_t element_bits(tally_type type, const unsigned char *p)
{
    uint16_t v16;
    uint32_t v32;
    uint64_t v64;
    switch (type) {
    case TALLY_TYPE_I8:
    case TALLY_TYPE_U8: return *p;
    case TALLY_TYPE_BOOL: return *p != 0;
    case TALLY_TYPE_F16:
    case TALLY_TYPE_BF16:
    case TALLY_TYPE_I16:
    case TALLY_TYPE_U16: memcpy(&v16, p, sizeof v16); return v16;
    case TALLY_TYPE_F32:
    case TALLY_TYPE_I32:
    case TALLY_TYPE_U32: memcpy(&v32, p, sizeof v32); return v32;
    default: memcpy(&v64, p, sizeof v64); return v64;
    }
}

/* An integer element as int64, its bits for u64. */
ELEMENT_INLINE int64_t element_integer(tally_type type, const unsigned char *p)
{
    uint64_t bits = element_bits(type, p);
    switch (type) {
    case TALLY_TYPE_I8: return (int8_t)bits;
    case TALLY_TYPE_I16: return (int16_t)bits;
    case TALLY_TYPE_I32: return (int32_t)bits;
    default: return (int64_t)bits;
    }
}

#endif
