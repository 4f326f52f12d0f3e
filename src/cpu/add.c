/*
 * add.c - adds arrays to exact states: every element straight into the limbs that its exponent
 * names.
 *
 * No branch depends on ordinary data, so the time does not either.
 */
#include "element.h"
#include "exact.h"
#include "kernels.h"

enum {
    /* An element puts less than 2^52 into a limb (53 bits, shifted by at most 31, less the low 32):
     * 2^10 of them on top of a settled limb stay below 2^63. */
    FLOAT_PIECE = 1 << 10,
    /* Low halves of integers are below 2^32: 2^30 of them stay below 2^62. */
    INTEGER_PIECE = 1 << 30
};

/* What a run over floats sees beside the digits. */
typedef struct seen {
    uint64_t n_nan, n_pos_inf, n_neg_inf;
    uint64_t other; /* not 0: a finite number other than -0 */
} seen;

/* Adds +-m * 2^(shift - 1074), m < 2^53, as two digits; negate is 0 or -1. */
ELEMENT_INLINE void add_digits(int64_t *limb, uint64_t m, unsigned shift, int64_t negate)
{
    unsigned j = shift / 32, s = shift % 32;
    int64_t low = (int64_t)((m << s) & UINT32_MAX);
    int64_t high = (int64_t)((m >> 1) >> (31 - s));
    limb[j] = exact_add_words(limb[j], (low ^ negate) - negate);
    limb[j + 1] = exact_add_words(limb[j + 1], (high ^ negate) - negate);
}

ELEMENT_INLINE void add_special(uint64_t bits, element_float f, seen *saw)
{
    uint64_t magnitude = bits & (element_sign(f) - 1);
    if (magnitude > element_infinity(f)) {
        saw->n_nan++;
    } else if (bits & element_sign(f)) {
        saw->n_neg_inf++;
    } else {
        saw->n_pos_inf++;
    }
}

ELEMENT_INLINE void add_float(int64_t *limb, uint64_t bits, element_float f, seen *saw)
{
    const uint64_t hidden = (uint64_t)1 << f.fraction;
    uint64_t magnitude = bits & (element_sign(f) - 1);
    if (magnitude >= element_infinity(f)) {
        add_special(bits, f, saw);
        return;
    }
    saw->other |= bits ^ element_sign(f);
    uint64_t exponent = magnitude >> f.fraction;
    uint64_t normal = exponent != 0;
    uint64_t m = (magnitude & (hidden - 1)) | (normal << f.fraction);
    unsigned shift = (unsigned)(exponent - normal) + (unsigned)f.lift;
    add_digits(limb, m, shift, -(int64_t)(bits >> (f.bits - 1)));
}

ELEMENT_INLINE void add_floats(const tally_array *x, tally_type type, tally_state *state, seen *saw)
{
    const element_float f = element_float_of(type);
    const ptrdiff_t step = element_step(x, f.bits / 8);
    for (size_t done = 0; done < x->n; done += FLOAT_PIECE) {
        size_t n = x->n - done < FLOAT_PIECE ? x->n - done : FLOAT_PIECE;
        const unsigned char *p = (const unsigned char *)x->data + (ptrdiff_t)done * step;
        for (size_t i = 0; i < n; i++) {
            uint64_t bits = element_bits(type, p + (ptrdiff_t)i * step);
            add_float(state->word + TALLY_STATE_LIMB, bits, f, saw);
        }
        tally_exact_settle(state);
    }
}

static void add_to(int64_t *word, uint64_t n)
{
    *word = exact_add_words(*word, (int64_t)n);
}

static void note_floats(size_t n, tally_nan nan, const seen *saw, tally_state *state)
{
    int64_t *word = state->word;
    bool skip = nan == TALLY_NAN_SKIP;
    uint64_t counted = skip ? n - saw->n_nan : n;
    uint64_t n_nan = skip ? 0 : saw->n_nan;
    add_to(&word[TALLY_STATE_COUNT], counted);
    add_to(&word[TALLY_STATE_NAN], n_nan);
    add_to(&word[TALLY_STATE_POS_INF], saw->n_pos_inf);
    add_to(&word[TALLY_STATE_NEG_INF], saw->n_neg_inf);
    add_to(&word[TALLY_STATE_FLOAT], counted != 0);
    bool other = (saw->other | n_nan | saw->n_pos_inf | saw->n_neg_inf) != 0;
    add_to(&word[TALLY_STATE_NONTRIVIAL], other);
}

/* Sums of the low and high 32 bits of integers; the high ones keep the sign, but for u64. */
typedef struct halves {
    int64_t low, high;
} halves;

ELEMENT_INLINE halves add_integers(const unsigned char *p, size_t n, ptrdiff_t step,
                                   tally_type type)
{
    halves sum = {0, 0};
    for (size_t i = 0; i < n; i++) {
        int64_t v = element_integer(type, p + (ptrdiff_t)i * step);
        sum.low += v & UINT32_MAX;
        sum.high += type == TALLY_TYPE_U64 ? (int64_t)((uint64_t)v >> 32) : v >> 32;
    }
    return sum;
}

/* Neighbours get a loop of their own, which the compiler can vectorise. */
ELEMENT_INLINE halves add_neighbours(const unsigned char *p, size_t n, ptrdiff_t step,
                                     tally_type type, ptrdiff_t size)
{
    return step == size ? add_integers(p, n, size, type) : add_integers(p, n, step, type);
}

static halves add_integers_of(const unsigned char *p, size_t n, ptrdiff_t step, tally_type type)
{
    switch (type) {
    case TALLY_TYPE_I8: return add_neighbours(p, n, step, TALLY_TYPE_I8, 1);
    case TALLY_TYPE_I16: return add_neighbours(p, n, step, TALLY_TYPE_I16, 2);
    case TALLY_TYPE_I32: return add_neighbours(p, n, step, TALLY_TYPE_I32, 4);
    case TALLY_TYPE_U8: return add_neighbours(p, n, step, TALLY_TYPE_U8, 1);
    case TALLY_TYPE_U16: return add_neighbours(p, n, step, TALLY_TYPE_U16, 2);
    case TALLY_TYPE_U32: return add_neighbours(p, n, step, TALLY_TYPE_U32, 4);
    case TALLY_TYPE_U64: return add_neighbours(p, n, step, TALLY_TYPE_U64, 8);
    case TALLY_TYPE_BOOL: return add_neighbours(p, n, step, TALLY_TYPE_BOOL, 1);
    default: return add_neighbours(p, n, step, TALLY_TYPE_I64, 8);
    }
}

static void add_integer_array(const tally_array *x, tally_state *state)
{
    const ptrdiff_t step = element_step(x, (ptrdiff_t)tally_type_size(x->type));
    int64_t *word = state->word;
    for (size_t done = 0; done < x->n;) {
        size_t piece = x->n - done < INTEGER_PIECE ? x->n - done : INTEGER_PIECE;
        const unsigned char *p = (const unsigned char *)x->data + (ptrdiff_t)done * step;
        halves sum = add_integers_of(p, piece, step, x->type);
        add_to(&word[TALLY_STATE_LIMB], (uint64_t)sum.low);
        add_to(&word[TALLY_STATE_LIMB + 1], (uint64_t)sum.high);
        tally_exact_settle(state);
        done += piece;
    }
    add_to(&word[TALLY_STATE_COUNT], x->n);
    add_to(&word[TALLY_STATE_INTEGER], x->n != 0);
    add_to(&word[TALLY_STATE_NONTRIVIAL], x->n != 0);
}

void tally_cpu_add(const tally_array *x, tally_nan nan, tally_state *state)
{
    seen saw = {0, 0, 0, 0};
    switch (x->type) {
    case TALLY_TYPE_F16: add_floats(x, TALLY_TYPE_F16, state, &saw); break;
    case TALLY_TYPE_BF16: add_floats(x, TALLY_TYPE_BF16, state, &saw); break;
    case TALLY_TYPE_F32: add_floats(x, TALLY_TYPE_F32, state, &saw); break;
    case TALLY_TYPE_F64: add_floats(x, TALLY_TYPE_F64, state, &saw); break;
    default: add_integer_array(x, state); return;
    }
    note_floats(x->n, nan, &saw, state);
}

void tally_cpu_add1_f64(double x, tally_state *state)
{
    const element_float f = element_float_of(TALLY_TYPE_F64);
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    seen saw = {0, 0, 0, 0};
    int64_t *limb = state->word + TALLY_STATE_LIMB;
    add_float(limb, bits, f, &saw);
    note_floats(1, TALLY_NAN_PROPAGATE, &saw, state);
    /* Carry from the element's lower limb only as far as there is something to carry. */
    uint64_t exponent = bits >> f.fraction & 0x7ff;
    unsigned j = (unsigned)(exponent - (exponent != 0)) / 32, last = j + 1;
    for (; j + 1 < TALLY_STATE_LIMBS; j++) {
        int64_t carry = limb[j] / EXACT_BASE;
        if (carry == 0 && j > last) {
            break;
        }
        limb[j] %= EXACT_BASE;
        limb[j + 1] = exact_add_words(limb[j + 1], carry);
    }
}
