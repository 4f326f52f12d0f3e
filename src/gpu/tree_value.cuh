/*
 * tree_value.cuh - the arithmetic of the kernels: what a lane holds, and what an op does with it.
 *
 * A value is a float, a double or a wide (128 bits, for integers). reduction<Value, OP> has the
 * item that lanes hold (a value, or for argmin and argmax a value with its index) and its identity,
 * take (an element's item) and combine. The host folds with the very same functions.
 *
 * No product is contracted into an addition: compilers are told so by a flag, and a test looks.
 */
#ifndef TALLY_TREE_VALUE_CUH
#define TALLY_TREE_VALUE_CUH

#include <stdint.h>
#include <string.h>

#include "gpu_map.h"
#include "item.h"
#include "tally.h"

namespace
{

/* 128-bit two's complement. overflow: some step's result did not fit; then it is modulo 2^128. */
struct wide {
    uint64_t low, high;
    uint32_t overflow, unused;
};

/* ---- 128 bits ---- */

GPU_BOTH bool is_negative(wide a)
{
    return a.high >> 63 != 0;
}

GPU_BOTH wide widen(int64_t v)
{
    return {static_cast<uint64_t>(v), v < 0 ? UINT64_MAX : 0, 0, 0};
}

GPU_BOTH wide negate(wide a)
{
    return {0 - a.low, ~a.high + (a.low == 0), a.overflow, 0};
}

GPU_BOTH wide add(wide a, wide b)
{
    const uint64_t low = a.low + b.low, high = a.high + b.high + (low < a.low);
    const bool lost = is_negative(a) == is_negative(b) && (high ^ a.high) >> 63 != 0;
    return {low, high, a.overflow | b.overflow | lost, 0};
}

GPU_BOTH wide multiply_words(uint64_t a, uint64_t b)
{
    const uint64_t a_low = a & UINT32_MAX, a_high = a >> 32;
    const uint64_t b_low = b & UINT32_MAX, b_high = b >> 32;
    const uint64_t cross = a_high * b_low + (a_low * b_low >> 32);
    const uint64_t other = a_low * b_high + (cross & UINT32_MAX);
    return {a * b, a_high * b_high + (cross >> 32) + (other >> 32), 0, 0};
}

GPU_BOTH wide multiply(wide a, wide b)
{
    const bool negative = is_negative(a) != is_negative(b);
    const wide x = is_negative(a) ? negate(a) : a, y = is_negative(b) ? negate(b) : b;
    const wide lower = multiply_words(x.low, y.low);
    const wide left = multiply_words(x.high, y.low), right = multiply_words(x.low, y.high);
    const uint64_t middle = left.low + right.low; /* one of them is 0 unless all is lost anyway */
    const wide magnitude = {lower.low, lower.high + middle, 0, 0};
    const bool least = negative && magnitude.high == static_cast<uint64_t>(1) << 63 &&
                       magnitude.low == 0; /* -2^127 fits, 2^127 does not */
    const bool lost = (x.high != 0 && y.high != 0) || left.high != 0 || right.high != 0 ||
                      magnitude.high < middle || (is_negative(magnitude) && !least);
    wide product = negative ? negate(magnitude) : magnitude;
    product.overflow = a.overflow | b.overflow | lost;
    return product;
}

GPU_BOTH bool is_less(wide a, wide b)
{
    if (is_negative(a) != is_negative(b)) {
        return is_negative(a);
    }
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

GPU_BOTH wide magnitude(wide a)
{
    return is_negative(a) ? negate(a) : a;
}

GPU_BOTH bool is_nan(wide)
{
    return false;
}

/* -0 is below +0 where is_less() takes them for equal. */
GPU_BOTH bool is_below(wide a, wide b)
{
    return is_less(a, b);
}

/* ---- floats ---- */

GPU_BOTH float float_of_bits(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

GPU_BOTH bool is_negative(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits >> 31 != 0;
}

GPU_BOTH bool is_negative(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits >> 63 != 0;
}

template <class Float> GPU_BOTH Float add(Float a, Float b)
{
    return a + b;
}

template <class Float> GPU_BOTH Float multiply(Float a, Float b)
{
    return a * b;
}

template <class Float> GPU_BOTH bool is_less(Float a, Float b)
{
    return a < b;
}

template <class Float> GPU_BOTH Float magnitude(Float v)
{
    return is_negative(v) ? -v : v;
}

template <class Float> GPU_BOTH bool is_nan(Float v)
{
    return v != v;
}

template <class Float> GPU_BOTH bool is_below(Float a, Float b)
{
    return a < b || (a == b && is_negative(a) && !is_negative(b));
}

/* ---- element types: how they are stored, and the value that an element has ---- */

template <tally_type TYPE> struct element;

template <> struct element<TALLY_TYPE_F64> {
    typedef double stored;
    typedef double value;
    static GPU_BOTH value load(stored v)
    {
        return v;
    }
};

template <> struct element<TALLY_TYPE_F32> {
    typedef float stored;
    typedef float value;
    static GPU_BOTH value load(stored v)
    {
        return v;
    }
};

template <> struct element<TALLY_TYPE_BF16> {
    typedef uint16_t stored;
    typedef float value;
    static GPU_BOTH value load(stored v)
    {
        return float_of_bits(static_cast<uint32_t>(v) << 16);
    }
};

template <> struct element<TALLY_TYPE_F16> {
    typedef uint16_t stored;
    typedef float value;
    static GPU_BOTH value load(stored v)
    {
        const uint32_t sign = static_cast<uint32_t>(v & 0x8000) << 16;
        const uint32_t exponent = v >> 10 & 31, fraction = v & 1023;
        if (exponent == 31) {
            return float_of_bits(sign | 0x7f800000 | fraction << 13);
        }
        if (exponent == 0) { /* exact: fraction has 10 bits */
            const float tiny = static_cast<float>(fraction) * (1.0f / 16777216);
            return sign != 0 ? -tiny : tiny;
        }
        return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13); /* bias 127 - 15 */
    }
};

template <> struct element<TALLY_TYPE_I32> {
    typedef int32_t stored;
    typedef wide value;
    static GPU_BOTH value load(stored v)
    {
        return widen(v);
    }
};

template <> struct element<TALLY_TYPE_I64> {
    typedef int64_t stored;
    typedef wide value;
    static GPU_BOTH value load(stored v)
    {
        return widen(v);
    }
};

/* ---- constants of a value ---- */

template <class Value> struct constants;

template <> struct constants<float> {
    static GPU_BOTH float small(int v)
    {
        return static_cast<float>(v);
    }
    static GPU_BOTH float lowest()
    {
        return float_of_bits(0xff800000);
    }
    static GPU_BOTH float highest()
    {
        return float_of_bits(0x7f800000);
    }
};

template <> struct constants<double> {
    static GPU_BOTH double small(int v)
    {
        return v;
    }
    static GPU_BOTH double lowest()
    {
        return static_cast<double>(constants<float>::lowest());
    }
    static GPU_BOTH double highest()
    {
        return static_cast<double>(constants<float>::highest());
    }
};

template <> struct constants<wide> {
    static GPU_BOTH wide small(int v)
    {
        return widen(v);
    }
    static GPU_BOTH wide lowest()
    {
        return widen(INT64_MIN);
    }
    static GPU_BOTH wide highest()
    {
        return widen(INT64_MAX);
    }
};

/* ---- ops ---- */

/* All ops but argmin and argmax: an item is a value. */
template <class Value, tally_op OP> struct reduction {
    typedef Value item;
    typedef constants<Value> of;
    static constexpr tally_op op = OP;

    static GPU_BOTH item identity()
    {
        return OP == TALLY_OP_PROD  ? of::small(1)
               : OP == TALLY_OP_MIN ? of::highest()
               : OP == TALLY_OP_MAX ? of::lowest()
                                    : of::small(0);
    }

    static GPU_BOTH item take(Value v, uint64_t)
    {
        return OP == TALLY_OP_NORM2                             ? multiply(v, v)
               : OP == TALLY_OP_NORM1 || OP == TALLY_OP_NORMINF ? magnitude(v)
                                                                : v;
    }

    static GPU_BOTH item combine(item a, item b)
    {
        switch (OP) {
        case TALLY_OP_PROD: return multiply(a, b);
        case TALLY_OP_MIN: return is_nan(a) || (!is_nan(b) && !is_below(b, a)) ? a : b;
        case TALLY_OP_MAX:
        case TALLY_OP_NORMINF: return is_nan(a) || (!is_nan(b) && !is_below(a, b)) ? a : b;
        default: return add(a, b);
        }
    }
};

template <class Value> struct indexed {
    Value value;
    uint64_t index; /* ITEM_NO_INDEX: no element yet */
};

/* argmin, argmax. The lowest index of the best wins, so any order gives the same. */
template <class Value, bool LARGEST> struct search {
    typedef indexed<Value> item;
    static constexpr tally_op op = LARGEST ? TALLY_OP_ARGMAX : TALLY_OP_ARGMIN;

    static GPU_BOTH item identity()
    {
        return {constants<Value>::small(0), ITEM_NO_INDEX};
    }

    static GPU_BOTH item take(Value v, uint64_t index)
    {
        return {v, index};
    }

    static GPU_BOTH bool is_better(Value a, Value b)
    {
        if (is_nan(a) || is_nan(b)) {
            return !is_nan(b);
        }
        return LARGEST ? is_less(b, a) : is_less(a, b);
    }

    static GPU_BOTH item combine(item a, item b)
    {
        if (a.index == ITEM_NO_INDEX || b.index == ITEM_NO_INDEX) {
            return a.index == ITEM_NO_INDEX ? b : a;
        }
        if (is_better(a.value, b.value)) {
            return a;
        }
        return is_better(b.value, a.value) || b.index < a.index ? b : a;
    }
};

template <class Value> struct reduction<Value, TALLY_OP_ARGMIN> : search<Value, false> {
};

template <class Value> struct reduction<Value, TALLY_OP_ARGMAX> : search<Value, true> {
};

} // namespace

#endif
