/*
 * tree_result.cuh - from the item that a tree ends with to what the library gives out: a
 * tally_item on the host, or a tally_device_result that the device writes by itself.
 *
 * The second says the same as tally_tree_value() in src/tree.c with the default result type; the
 * tests compare them.
 */
#ifndef TALLY_TREE_RESULT_CUH
#define TALLY_TREE_RESULT_CUH

#include "item.h"
#include "tree_value.cuh"

namespace
{

/* ---- on the host: a tally_item ---- */

inline void put_value(tally_item *item, float v)
{
    item->as.f32 = is_nan(v) ? float_of_bits(0x7fc00000) : v;
}

inline void put_value(tally_item *item, double v)
{
    item->as.f64 = is_nan(v) ? static_cast<double>(float_of_bits(0x7fc00000)) : v;
}

inline void put_value(tally_item *item, wide v)
{
    item->as.i128[0] = v.low;
    item->as.i128[1] = v.high;
    item->overflow = v.overflow != 0;
}

template <class Value> tally_item to_item(const Value &v)
{
    tally_item item = {};
    item.index = ITEM_NO_INDEX;
    put_value(&item, v);
    return item;
}

template <class Value> tally_item to_item(const indexed<Value> &v)
{
    tally_item item = to_item(v.value);
    item.index = v.index;
    return item;
}

/* ---- on the device: a tally_device_result ---- */

/* Where a result is wanted (nowhere: NULL), of which elements. */
struct tree_result {
    tally_device_result *to;
    tally_type elements;
};

GPU_CODE void leave(const tree_result &result, tally_type type, uint64_t bits)
{
    result.to->value.type = type;
    result.to->value.as.u64 = bits;
    result.to->status = TALLY_OK;
    result.to->unused = 0;
}

GPU_CODE void leave_status(const tree_result &result, tally_status status)
{
    result.to->status = status;
    result.to->unused = 0;
}

GPU_CODE void leave_f64(const tree_result &result, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    leave(result, TALLY_TYPE_F64, is_nan(v) ? 0x7ff8000000000000 : bits);
}

GPU_CODE void leave_f32(const tree_result &result, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    leave(result, TALLY_TYPE_F32, is_nan(v) ? 0x7fc00000 : bits);
}

/* v is the value of some f16, so nothing is rounded. */
GPU_CODE uint32_t f16_of(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000, exponent = bits >> 23 & 255;
    if (is_nan(v)) {
        return 0x7e00;
    }
    if (exponent == 255) {
        return sign | 0x7c00;
    }
    if (exponent < 113) { /* below 2^-14: a multiple of 2^-24 below 2^10 of them */
        return sign | static_cast<uint32_t>(magnitude(v) * 16777216.0f);
    }
    return sign | (exponent - 112) << 10 | (bits >> 13 & 1023); /* bias 127 - 15 */
}

GPU_CODE uint32_t bf16_of(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return is_nan(v) ? 0x7fc0 : bits >> 16;
}

/* The nearest double, ties to even. */
GPU_CODE double nearest_f64(wide v)
{
    const wide size = magnitude(v);
    uint64_t top = size.low;
    double scale = 1;
    if (size.high != 0) { /* 64 bits, the last of them sticky: 53 are kept */
        const unsigned shift = 64 - gpu_leading_zeros(size.high);
        const uint64_t lost = shift == 64 ? size.low : size.low & ((1ull << shift) - 1);
        top =
            (shift == 64 ? size.high : size.high << (64 - shift) | size.low >> shift) | (lost != 0);
        scale = 4294967296.0 * 4294967296.0; /* 2^64, then down to 2^shift: exact */
        for (unsigned i = shift; i < 64; i++) {
            scale *= 0.5;
        }
    }
    const double nearest = static_cast<double>(top) * scale;
    return is_negative(v) ? -nearest : nearest;
}

template <tally_op OP> GPU_CODE void leave_result(const tree_result &result, double v)
{
    leave_f64(result, OP == TALLY_OP_NORM2 ? gpu_root(v) : v);
}

template <tally_op OP> GPU_CODE void leave_result(const tree_result &result, float v)
{
    if ((OP == TALLY_OP_MIN || OP == TALLY_OP_MAX) && result.elements != TALLY_TYPE_F32) {
        leave(result, result.elements, result.elements == TALLY_TYPE_F16 ? f16_of(v) : bf16_of(v));
    } else {
        leave_f32(result, OP == TALLY_OP_NORM2 ? gpu_root(v) : v);
    }
}

template <tally_op OP> GPU_CODE void leave_result(const tree_result &result, wide v)
{
    const bool is_i64 = v.high == (v.low >> 63 != 0 ? UINT64_MAX : 0);
    if (v.overflow != 0 || (OP != TALLY_OP_NORM2 && !is_i64)) {
        leave_status(result, TALLY_ERR_OVERFLOW);
    } else if (OP == TALLY_OP_NORM2) {
        leave_f64(result, gpu_root(nearest_f64(v)));
    } else {
        const bool narrow =
            (OP == TALLY_OP_MIN || OP == TALLY_OP_MAX) && result.elements == TALLY_TYPE_I32;
        leave(result, narrow ? TALLY_TYPE_I32 : TALLY_TYPE_I64, v.low);
    }
}

template <tally_op OP, class Value>
GPU_CODE void leave_result(const tree_result &result, const indexed<Value> &v)
{
    leave(result, TALLY_TYPE_U64, v.index);
}

} // namespace

#endif
