/* naive_tree.c - the tree from its description. */
#include "naive_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "typed.h"

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

const tally_type tree_types[TREE_TYPES] = {TALLY_TYPE_F16, TALLY_TYPE_BF16, TALLY_TYPE_F32,
                                           TALLY_TYPE_F64, TALLY_TYPE_I32,  TALLY_TYPE_I64};
const tally_op tree_ops[TREE_OPS] = {TALLY_OP_SUM,   TALLY_OP_PROD,   TALLY_OP_MIN,
                                     TALLY_OP_MAX,   TALLY_OP_ARGMIN, TALLY_OP_ARGMAX,
                                     TALLY_OP_NORM1, TALLY_OP_NORM2,  TALLY_OP_NORMINF};

static bool is_arg(tally_op op)
{
    return op == TALLY_OP_ARGMIN || op == TALLY_OP_ARGMAX;
}

static bool is_integer(tally_type type)
{
    return type == TALLY_TYPE_I32 || type == TALLY_TYPE_I64;
}

/* ---- floats: every step in double, then rounded to the accumulator's type ---- */

static double get_float(tally_type type, const tally_item *item)
{
    return type == TALLY_TYPE_F64 ? item->as.f64 : item->as.f32;
}

/* The product and the sum of two floats, rounded to double and then to float, are rounded right:
 * 53 >= 2 * 24 + 2. */
static void set_float(tally_type type, tally_item *item, double value)
{
    if (type == TALLY_TYPE_F64) {
        uint64_t bits = value != value ? 0x7ff8000000000000 : bits_f64(value);
        memcpy(&item->as, &bits, sizeof bits);
    } else {
        uint32_t bits = value != value ? 0x7fc00000 : bits_f32((float)value);
        memcpy(&item->as, &bits, sizeof bits);
    }
}

/* A key that orders floats as min and max do: -0 just below +0. */
static int64_t key(double value)
{
    int64_t bits = (int64_t)bits_f64(value);
    return bits < 0 ? INT64_MIN - bits - 1 : bits;
}

static double combine_floats(tally_op op, double a, double b)
{
    volatile double result; /* so that nothing is fused */

    if (op == TALLY_OP_PROD) {
        result = a * b;
    } else if (op == TALLY_OP_MIN || op == TALLY_OP_MAX || op == TALLY_OP_NORMINF) {
        bool want_b = op == TALLY_OP_MIN ? key(b) < key(a) : key(b) > key(a);
        result = isnan(a) || isnan(b) ? NAN : want_b ? b : a;
    } else {
        result = a + b;
    }
    return result;
}

/* ---- integers ---- */

static int128 get_wide(const tally_item *item)
{
    return (int128)((uint128)item->as.i128[1] << 64 | item->as.i128[0]);
}

static void set_wide(tally_item *item, int128 value, bool overflow)
{
    item->as.i128[0] = (uint64_t)value;
    item->as.i128[1] = (uint64_t)((uint128)value >> 64);
    item->overflow = overflow;
}

static tally_item combine_integers(tally_op op, tally_item a, tally_item b)
{
    int128 x = get_wide(&a), y = get_wide(&b), z;
    bool overflow = false;

    if (op == TALLY_OP_PROD) {
        overflow = __builtin_mul_overflow(x, y, &z);
    } else if (op == TALLY_OP_MIN) {
        z = x < y ? x : y;
    } else if (op == TALLY_OP_MAX || op == TALLY_OP_NORMINF) {
        z = x > y ? x : y;
    } else {
        overflow = __builtin_add_overflow(x, y, &z);
    }
    set_wide(&a, z, overflow || a.overflow || b.overflow);
    return a;
}

/* ---- any item ---- */

tally_item naive_identity(tally_op op, tally_type type)
{
    tally_item item;
    double f = op == TALLY_OP_PROD  ? 1
               : op == TALLY_OP_MIN ? INFINITY
               : op == TALLY_OP_MAX ? -INFINITY
                                    : 0;
    memset(&item, 0, sizeof item);
    item.index = ITEM_NO_INDEX;
    if (is_integer(type)) {
        set_wide(&item,
                 op == TALLY_OP_PROD  ? 1
                 : op == TALLY_OP_MIN ? INT64_MAX
                 : op == TALLY_OP_MAX ? INT64_MIN
                                      : 0,
                 false);
    } else {
        set_float(type, &item, f);
    }
    return item;
}

tally_item naive_map(tally_op op, const tally_array *x, uint64_t index)
{
    const size_t size = tally_type_size(x->type);
    const char *element = (const char *)x->data + (ptrdiff_t)index * x->stride * (ptrdiff_t)size;
    tally_item item;

    memset(&item, 0, sizeof item);
    item.index = is_arg(op) ? index : ITEM_NO_INDEX;
    if (is_integer(x->type)) {
        int64_t v = 0;
        int32_t narrow;
        if (size == 4) {
            memcpy(&narrow, element, 4);
            v = narrow;
        } else {
            memcpy(&v, element, 8);
        }
        int128 wide = v;
        bool magnitude = op == TALLY_OP_NORM1 || op == TALLY_OP_NORMINF;
        set_wide(&item,
                 op == TALLY_OP_NORM2 ? wide * wide
                 : magnitude && v < 0 ? -wide
                                      : wide,
                 false);
        return item;
    }
    double v = typed_get(x->type, element);
    volatile double mapped = op == TALLY_OP_NORM2                             ? v * v
                             : op == TALLY_OP_NORM1 || op == TALLY_OP_NORMINF ? fabs(v)
                                                                              : v;
    set_float(x->type, &item, mapped);
    return item;
}

/* Which of two pairs: a NaN, else the better value, else the lower index. */
static tally_item combine_pairs(tally_op op, tally_type type, tally_item a, tally_item b)
{
    if (a.index == ITEM_NO_INDEX || b.index == ITEM_NO_INDEX) {
        return a.index == ITEM_NO_INDEX ? b : a;
    }
    tally_item first = a.index < b.index ? a : b, second = a.index < b.index ? b : a;
    if (is_integer(type)) {
        int128 x = get_wide(&first), y = get_wide(&second);
        return (op == TALLY_OP_ARGMIN ? y < x : y > x) ? second : first;
    }
    double x = get_float(type, &first), y = get_float(type, &second);
    if (isnan(x) || isnan(y)) {
        return isnan(x) ? first : second;
    }
    return (op == TALLY_OP_ARGMIN ? y < x : y > x) ? second : first;
}

tally_item naive_combine(tally_op op, tally_type type, tally_item a, tally_item b)
{
    if (is_arg(op)) {
        return combine_pairs(op, type, a, b);
    }
    if (is_integer(type)) {
        return combine_integers(op, a, b);
    }
    set_float(type, &a, combine_floats(op, get_float(type, &a), get_float(type, &b)));
    return a;
}

/* ---- shapes ---- */

typedef struct naive {
    tally_op op;
    tally_type type;
    tally_shape shape;
} naive;

/* Lane t of a tree over n lanes when lanes at most "distance" apart are still separate. */
static tally_item tree_at(const naive *k, const tally_item *lane, uint32_t n, uint32_t t,
                          uint32_t distance)
{
    if (distance == n) {
        return lane[t];
    }
    return naive_combine(k->op, k->type, tree_at(k, lane, n, t, 2 * distance),
                         tree_at(k, lane, n, t + distance, 2 * distance));
}

static tally_item fold_block(const naive *k, const tally_item *lane, uint32_t n)
{
    const uint32_t width = n < 32 ? n : 32;
    tally_item groups[32];

    if (k->shape == TALLY_SHAPE_HALVING) {
        return tree_at(k, lane, n, 0, 1);
    }
    for (uint32_t g = 0; g < width; g++) {
        groups[g] = g < n / width ? tree_at(k, lane + g * width, width, 0, 1)
                                  : naive_identity(k->op, k->type);
    }
    return tree_at(k, groups, width, 0, 1);
}

/* Deals n items out to lanes and folds each block: fills in a partial a block. */
static void run_stage(const naive *k, const tally_array *x, const tally_item *items, uint64_t n,
                      uint64_t blocks, uint32_t block, uint32_t vector, tally_item *partials)
{
    static tally_item lane[NAIVE_LANES];
    uint64_t lanes = blocks * block, index = 0;

    if (lanes > NAIVE_LANES) {
        abort();
    }
    for (uint64_t t = 0; t < lanes; t++) {
        lane[t] = naive_identity(k->op, k->type);
    }
    while (index < n) {
        for (uint64_t t = 0; t < lanes; t++) {
            for (uint32_t v = 0; v < vector && index < n; v++, index++) {
                lane[t] = naive_combine(k->op, k->type, lane[t],
                                        x ? naive_map(k->op, x, index) : items[index]);
            }
        }
    }
    for (uint64_t b = 0; b < blocks; b++) {
        partials[b] = fold_block(k, lane + b * block, block);
    }
}

tally_item naive_tree(tally_op op, const tally_plan *plan, const tally_array *x,
                      tally_item *partials)
{
    static tally_item here[NAIVE_LANES], there[NAIVE_LANES];
    const naive k = {op, x->type, plan->shape};
    uint64_t n = plan->blocks;

    if (x->n == 0) {
        return naive_identity(op, x->type);
    }
    run_stage(&k, x, NULL, x->n, n, plan->block, plan->vector, here);
    if (partials) {
        memcpy(partials, here, n * sizeof *here);
    }
    if (plan->final == TALLY_FINAL_ATOMIC) {
        tally_item all = naive_identity(op, x->type);
        for (uint64_t b = 0; b < n; b++) {
            all = naive_combine(op, x->type, all, here[b]);
        }
        return all;
    }
    for (uint32_t stage = 2; stage <= plan->stages; stage++) {
        uint64_t blocks = 1;
        uint32_t block = plan->block;
        if (stage < plan->stages) {
            blocks = (n + block - 1) / block;
        } else {
            for (block = 1; block < n && block < plan->block; block *= 2) {
            }
        }
        run_stage(&k, NULL, here, n, blocks, block, 1, there);
        memcpy(here, there, blocks * sizeof *here);
        n = blocks;
    }
    return here[0];
}
