/* trace_item.c - identity, map and combine of every op, in the accumulator's own arithmetic. */
#include "trace_item.h"

#include <stdbool.h>

#include "trace_wide.h"

/* Freestanding compilers bring no <string.h>, but need this function all the same. */
void *memcpy(void *restrict to, const void *restrict from, size_t nbytes);

static float f32_from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static double f64_from_bits(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static bool sign_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63;
}

static float canonical_f32(float x)
{
    return x != x ? f32_from_bits(0x7fc00000) : x;
}

static double canonical_f64(double x)
{
    return x != x ? f64_from_bits(0x7ff8000000000000) : x;
}

static trace_wide wide_of(const tally_item *item)
{
    trace_wide v = {item->as.i128[0], item->as.i128[1]};
    return v;
}

static void set_wide(tally_item *item, trace_wide v, bool fits)
{
    item->as.i128[0] = v.low;
    item->as.i128[1] = v.high;
    item->overflow |= !fits;
}

/* An item of a small number, every byte of the union set. */
static tally_item item_of(item_kind kind, double f, int64_t i, uint64_t index)
{
    tally_item item = {.as.i128 = {0, 0}, .index = index};
    switch (kind) {
    case ITEM_F32: item.as.f32 = (float)f; break;
    case ITEM_F64: item.as.f64 = f; break;
    case ITEM_I128: set_wide(&item, wide_from(i), true); break;
    }
    return item;
}

tally_item tally_trace_identity(tally_op op, item_kind kind)
{
    const double infinity = f64_from_bits(0x7ff0000000000000);
    switch (op) {
    case TALLY_OP_PROD: return item_of(kind, 1, 1, ITEM_NO_INDEX);
    case TALLY_OP_MIN: return item_of(kind, infinity, INT64_MAX, ITEM_NO_INDEX);
    case TALLY_OP_MAX: return item_of(kind, -infinity, INT64_MIN, ITEM_NO_INDEX);
    default: return item_of(kind, 0, 0, ITEM_NO_INDEX);
    }
}

tally_item tally_trace_unwritten(item_kind kind, int poison)
{
    const int64_t odd = 0x5a5a5a5a5a5a5a5b;
    return poison ? item_of(kind, f64_from_bits(0x7ff8000000000000), odd, (uint64_t)odd)
                  : item_of(kind, 0, 0, 0);
}

/* ---- combine ---- */

static bool is_index_op(tally_op op)
{
    return op == TALLY_OP_ARGMIN || op == TALLY_OP_ARGMAX;
}

/* min, max, norminf of floats: whether b takes a's place. NaN wins, and -0 is below +0. */
static bool float_replaces(tally_op op, double a, double b)
{
    bool smallest = op == TALLY_OP_MIN;
    if (a != a || b != b) {
        return a == a;
    }
    if (a == b) {
        return sign_of(a) != sign_of(b) && sign_of(b) == smallest;
    }
    return (b < a) == smallest;
}

/* argmin, argmax: whether (b, its index) takes (a, its index)'s place. The lowest index of the best
 * wins, so the order of combining does not matter. */
static bool pair_replaces(tally_op op, item_kind kind, const tally_item *a, const tally_item *b)
{
    bool smallest = op == TALLY_OP_ARGMIN, less, more;
    if (a->index == ITEM_NO_INDEX || b->index == ITEM_NO_INDEX) {
        return a->index == ITEM_NO_INDEX;
    }
    if (kind == ITEM_I128) {
        less = wide_less(wide_of(b), wide_of(a));
        more = wide_less(wide_of(a), wide_of(b));
    } else {
        double x = kind == ITEM_F32 ? (double)a->as.f32 : a->as.f64;
        double y = kind == ITEM_F32 ? (double)b->as.f32 : b->as.f64;
        if ((x != x) != (y != y)) {
            return y != y;
        }
        less = y < x;
        more = y > x;
    }
    return less || more ? less == smallest : b->index < a->index;
}

static void combine_f32(tally_op op, tally_item *a, const tally_item *b)
{
    float x = a->as.f32, y = b->as.f32;
    switch (op) {
    case TALLY_OP_PROD: x = x * y; break;
    case TALLY_OP_MIN:
    case TALLY_OP_MAX:
    case TALLY_OP_NORMINF: x = float_replaces(op, x, y) ? y : x; break;
    default: x = x + y; break;
    }
    a->as.f32 = canonical_f32(x);
}

static void combine_f64(tally_op op, tally_item *a, const tally_item *b)
{
    double x = a->as.f64, y = b->as.f64;
    switch (op) {
    case TALLY_OP_PROD: x = x * y; break;
    case TALLY_OP_MIN:
    case TALLY_OP_MAX:
    case TALLY_OP_NORMINF: x = float_replaces(op, x, y) ? y : x; break;
    default: x = x + y; break;
    }
    a->as.f64 = canonical_f64(x);
}

static void combine_i128(tally_op op, tally_item *a, const tally_item *b)
{
    trace_wide x = wide_of(a), y = wide_of(b);
    bool fits = true;
    switch (op) {
    case TALLY_OP_PROD: fits = wide_multiply(&x, y); break;
    case TALLY_OP_MIN: x = wide_less(y, x) ? y : x; break;
    case TALLY_OP_MAX:
    case TALLY_OP_NORMINF: x = wide_less(x, y) ? y : x; break;
    default: fits = wide_add(&x, y); break;
    }
    set_wide(a, x, fits);
    a->overflow |= b->overflow;
}

void tally_trace_combine(tally_op op, item_kind kind, tally_item *a, const tally_item *b)
{
    if (is_index_op(op)) {
        if (pair_replaces(op, kind, a, b)) {
            *a = *b;
        }
        return;
    }
    switch (kind) {
    case ITEM_F32: combine_f32(op, a, b); break;
    case ITEM_F64: combine_f64(op, a, b); break;
    case ITEM_I128: combine_i128(op, a, b); break;
    }
}

/* ---- map ---- */

/* binary16 to binary32, which holds every value of it. */
static float f32_from_f16(uint32_t h)
{
    uint32_t sign = (h & 0x8000) << 16, magnitude = h & 0x7fff;
    if (magnitude >= 0x7c00) { /* infinity, NaN: the exponent field is all ones in both */
        return f32_from_bits(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    }
    if (magnitude < 0x400) { /* zero, subnormal: units of 2^-24 */
        float f = (float)magnitude * 0x1p-24f;
        return sign ? -f : f;
    }
    return f32_from_bits(sign | ((magnitude << 13) + ((127 - 15) << 23)));
}

static float load_f32(tally_type type, const unsigned char *p)
{
    uint16_t half;
    float f;
    if (type == TALLY_TYPE_F32) {
        memcpy(&f, p, sizeof f);
        return f;
    }
    memcpy(&half, p, sizeof half);
    return type == TALLY_TYPE_F16 ? f32_from_f16(half) : f32_from_bits((uint32_t)half << 16);
}

static int64_t load_integer(tally_type type, const unsigned char *p)
{
    int32_t narrow;
    int64_t wide;
    if (type == TALLY_TYPE_I32) {
        memcpy(&narrow, p, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, p, sizeof wide);
    return wide;
}

static bool takes_magnitude(tally_op op)
{
    return op == TALLY_OP_NORM1 || op == TALLY_OP_NORMINF;
}

static void map_f32(tally_op op, float x, tally_item *item)
{
    if (op == TALLY_OP_NORM2) {
        x = x * x;
    } else if (takes_magnitude(op) && sign_of(x)) {
        x = -x;
    }
    item->as.f32 = canonical_f32(x);
}

static void map_f64(tally_op op, double x, tally_item *item)
{
    if (op == TALLY_OP_NORM2) {
        x = x * x;
    } else if (takes_magnitude(op) && sign_of(x)) {
        x = -x;
    }
    item->as.f64 = canonical_f64(x);
}

static void map_i128(tally_op op, int64_t v, tally_item *item)
{
    trace_wide x = wide_from(v);
    bool fits = true;
    if (op == TALLY_OP_NORM2) {
        fits = wide_multiply(&x, x); /* at most 2^126 */
    } else if (takes_magnitude(op) && v < 0) {
        x = wide_negate(x);
    }
    set_wide(item, x, fits);
}

void tally_trace_take(tally_op op, item_kind kind, const tally_array *x, uint64_t index,
                      tally_item *a)
{
    ptrdiff_t size = kind == ITEM_F64 || x->type == TALLY_TYPE_I64    ? 8
                     : x->type == TALLY_TYPE_F32 || kind == ITEM_I128 ? 4
                                                                      : 2;
    const unsigned char *p = (const unsigned char *)x->data + (ptrdiff_t)index * x->stride * size;
    tally_item item = {.as.i128 = {0, 0}, .index = is_index_op(op) ? index : ITEM_NO_INDEX};
    double d;
    switch (kind) {
    case ITEM_F32: map_f32(op, load_f32(x->type, p), &item); break;
    case ITEM_F64:
        memcpy(&d, p, sizeof d);
        map_f64(op, d, &item);
        break;
    case ITEM_I128: map_i128(op, load_integer(x->type, p), &item); break;
    }
    tally_trace_combine(op, kind, a, &item);
}
