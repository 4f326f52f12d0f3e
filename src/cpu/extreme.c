/*
 * extreme.c - finds the first smallest or largest element.
 *
 * Elements become integer keys whose order is the contract's: -inf < ... < -0 < +0 < ... < +inf,
 * or with -0 and +0 alike. A block's best key is found first; only where it beats all before it is
 * the block looked at again for its place.
 */
#include "element.h"
#include "kernels.h"

enum { BLOCK = 4096 };

typedef struct block_result {
    int64_t best;
    uint64_t n_nan, n_pos_inf, n_neg_inf;
} block_result;

/* No key of a number: below all of them. (An integer may have it, but is never skipped.) */
#define KEY_NONE INT64_MIN

/* The order-preserving key of an element, turned round for a minimum so that larger is better. */
ELEMENT_INLINE int64_t key_of(tally_type type, uint64_t bits, int64_t integer, bool largest,
                              bool zeros_equal)
{
    int64_t key;
    if (element_is_float(type)) {
        const element_float f = element_float_of(type);
        int64_t magnitude = (int64_t)(bits & (element_sign(f) - 1));
        bool negative = bits >> (f.bits - 1) & 1;
        /* negative numbers run down from -1, which is -0 */
        key = negative ? -1 - magnitude : magnitude;
        if (zeros_equal && magnitude == 0) {
            key = 0;
        }
    } else if (type == TALLY_TYPE_U64) {
        key = (int64_t)(bits ^ (uint64_t)1 << 63);
    } else {
        key = integer;
    }
    return largest ? key : ~key;
}

ELEMENT_INLINE bool is_nan(tally_type type, uint64_t bits)
{
    const element_float f = element_float_of(type);
    return element_is_float(type) && (bits & (element_sign(f) - 1)) > element_infinity(f);
}

ELEMENT_INLINE block_result look(tally_type type, const unsigned char *p, size_t n, ptrdiff_t step,
                                 bool largest, bool zeros_equal)
{
    const element_float f = element_float_of(type);
    block_result r = {KEY_NONE, 0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        const unsigned char *at = p + (ptrdiff_t)i * step;
        uint64_t bits = element_bits(type, at);
        int64_t key = key_of(type, bits, element_integer(type, at), largest, zeros_equal);
        if (element_is_float(type)) {
            bool nan = is_nan(type, bits);
            r.n_nan += nan;
            r.n_pos_inf += bits == element_infinity(f);
            r.n_neg_inf += bits == (element_infinity(f) | element_sign(f));
            key = nan ? KEY_NONE : key;
        }
        r.best = key > r.best ? key : r.best;
    }
    return r;
}

/* Where the block's first NaN, or else its first element with this key, is. */
ELEMENT_INLINE size_t find(tally_type type, const unsigned char *p, size_t n, ptrdiff_t step,
                           bool want_nan, int64_t key, const tally_extreme_query *query)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned char *at = p + (ptrdiff_t)i * step;
        uint64_t bits = element_bits(type, at);
        bool nan = is_nan(type, bits);
        if (want_nan ? nan
                     : !nan && key_of(type, bits, element_integer(type, at), query->largest,
                                      query->zeros_equal) == key) {
            return i;
        }
    }
    return n; /* not reached: the caller saw one */
}

ELEMENT_INLINE void search_array(tally_type type, const tally_array *x, ptrdiff_t size,
                                 const tally_extreme_query *query, tally_extreme *result)
{
    const ptrdiff_t step = element_step(x, size);
    bool done = false; /* a NaN is the answer; the rest is only counted */
    int64_t best = KEY_NONE;
    for (size_t start = 0; start < x->n; start += BLOCK) {
        size_t n = x->n - start < BLOCK ? x->n - start : BLOCK;
        const unsigned char *p = (const unsigned char *)x->data + (ptrdiff_t)start * step;
        /* neighbours get a loop of their own, which the compiler can vectorise */
        block_result r = step == size ? look(type, p, n, size, query->largest, query->zeros_equal)
                                      : look(type, p, n, step, query->largest, query->zeros_equal);
        result->n_nan += r.n_nan;
        result->n_pos_inf += r.n_pos_inf;
        result->n_neg_inf += r.n_neg_inf;
        bool want_nan = r.n_nan > 0 && query->nan == TALLY_NAN_PROPAGATE;
        bool better = r.n_nan < n && (!result->found || r.best > best);
        if (!done && (want_nan || better)) {
            done = want_nan;
            best = r.best;
            result->found = true;
            result->at = start + find(type, p, n, step, want_nan, best, query);
        }
    }
}

void tally_cpu_extreme(const tally_array *x, const tally_extreme_query *query,
                       tally_extreme *result)
{
    const tally_extreme none = {false, 0, 0, 0, 0};
    *result = none;
    switch (x->type) {
    case TALLY_TYPE_F16: search_array(TALLY_TYPE_F16, x, 2, query, result); break;
    case TALLY_TYPE_BF16: search_array(TALLY_TYPE_BF16, x, 2, query, result); break;
    case TALLY_TYPE_F32: search_array(TALLY_TYPE_F32, x, 4, query, result); break;
    case TALLY_TYPE_F64: search_array(TALLY_TYPE_F64, x, 8, query, result); break;
    case TALLY_TYPE_I8: search_array(TALLY_TYPE_I8, x, 1, query, result); break;
    case TALLY_TYPE_I16: search_array(TALLY_TYPE_I16, x, 2, query, result); break;
    case TALLY_TYPE_I32: search_array(TALLY_TYPE_I32, x, 4, query, result); break;
    case TALLY_TYPE_I64: search_array(TALLY_TYPE_I64, x, 8, query, result); break;
    case TALLY_TYPE_U8: search_array(TALLY_TYPE_U8, x, 1, query, result); break;
    case TALLY_TYPE_U16: search_array(TALLY_TYPE_U16, x, 2, query, result); break;
    case TALLY_TYPE_U32: search_array(TALLY_TYPE_U32, x, 4, query, result); break;
    case TALLY_TYPE_U64: search_array(TALLY_TYPE_U64, x, 8, query, result); break;
    default: search_array(TALLY_TYPE_BOOL, x, 1, query, result); break;
    }
}
