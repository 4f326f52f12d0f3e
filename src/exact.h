/*
 * exact.h - exact sums as digits, and the one routine that rounds them.
 *
 * The rounding is plain integer code in a header, so that host, device, model and WebAssembly
 * compile the very same text; EXACT_FN says how a function is declared there.
 *
 * A magnitude is digit[0..n-1] in base 2^32, lowest first: sum of digit[i] * 2^(32 i + weight).
 */
#ifndef TALLY_EXACT_H
#define TALLY_EXACT_H

#include <stdbool.h>

#include "tally.h"

#ifndef EXACT_FN
#define EXACT_FN static inline
#endif

#define EXACT_BASE ((int64_t)1 << 32)
#define EXACT_LOWEST                                                                               \
    (-1074)                /* weight of a float state's first limb: the smallest subnormal double */
#define EXACT_INT_BIT 1074 /* where 2^0 is in a float state: bit 18 of limb 33 */

/* A binary float type: bits of precision, exponent of the smallest subnormal, and the exponent of
 * the first power of two that is too large. */
typedef struct exact_format {
    int precision;
    int lowest;
    int top;
} exact_format;

/* The format of a float type; of f64 for any other. */
EXACT_FN exact_format exact_format_of(tally_type type)
{
    const exact_format f16 = {11, -24, 16};
    const exact_format bf16 = {8, -133, 128};
    const exact_format f32 = {24, -149, 128};
    const exact_format f64 = {53, -1074, 1024};
    switch (type) {
    case TALLY_TYPE_F16: return f16;
    case TALLY_TYPE_BF16: return bf16;
    case TALLY_TYPE_F32: return f32;
    default: return f64;
    }
}

/* The bits of a format's infinity: one above the largest finite number. */
EXACT_FN uint64_t exact_infinity(exact_format f)
{
    uint64_t exponents = (uint64_t)(f.top - f.precision - f.lowest + 2);
    return exponents << (f.precision - 1);
}

/* The canonical quiet NaN: infinity with the top fraction bit. */
EXACT_FN uint64_t exact_nan(exact_format f)
{
    return exact_infinity(f) | (uint64_t)1 << (f.precision - 2);
}

/* The sign bit. */
EXACT_FN uint64_t exact_sign(exact_format f)
{
    /* infinity's exponent field is all ones: one more carries into the sign */
    return exact_infinity(f) + ((uint64_t)1 << (f.precision - 1));
}

/* The position of the highest set bit of v, which is not 0. */
EXACT_FN int exact_top_bit(uint32_t v)
{
    int bit = 0;
    for (int step = 16; step > 0; step >>= 1) {
        if (v >> step) {
            v >>= step;
            bit += step;
        }
    }
    return bit;
}

/* The 64 bits of a magnitude that begin at bit "at" (>= 0). */
EXACT_FN uint64_t exact_window(const uint32_t *digit, int n, int at)
{
    int j = at / 32, shift = at % 32;
    uint64_t low = j < n ? digit[j] : 0;
    uint64_t middle = j + 1 < n ? digit[j + 1] : 0;
    uint64_t high = j + 2 < n ? digit[j + 2] : 0;
    uint64_t window = (low | middle << 32) >> shift;
    return shift ? window | high << (64 - shift) : window;
}

/* Whether any bit below bit "end" is set. */
EXACT_FN bool exact_any_below(const uint32_t *digit, int n, int end)
{
    for (int j = 0; j < n && 32 * j < end; j++) {
        uint32_t mask = end - 32 * j >= 32 ? UINT32_MAX : ((uint32_t)1 << (end - 32 * j)) - 1;
        if (digit[j] & mask) {
            return true;
        }
    }
    return false;
}

/*
 * Rounds a magnitude to the nearest number of the format, ties to even: the number's bits without a
 * sign; too large gives the bits of infinity. "sticky" adds something between 0 and 2^weight,
 * exclusive.
 *
 * The magnitude must reach down far enough to decide: weight <= format.lowest (with sticky: below
 * it), or its highest bit at least precision + 1 above weight.
 */
EXACT_FN uint64_t exact_round(const uint32_t *digit, int n, int weight, bool sticky, exact_format f)
{
    int top = n - 1;
    while (top >= 0 && digit[top] == 0) {
        top--;
    }
    if (top < 0) {
        return 0;
    }
    int exponent = 32 * top + exact_top_bit(digit[top]) + weight;
    if (exponent >= f.top) {
        return exact_infinity(f);
    }
    /* the result's last place: precision bits from the top, but not below the subnormals' */
    int place = exponent - (f.precision - 1);
    if (place < f.lowest) {
        place = f.lowest;
    }
    int drop = place - weight;
    uint64_t kept = exact_window(digit, n, drop);
    if (drop > 0) {
        bool half = exact_window(digit, n, drop - 1) & 1;
        bool rest = sticky || exact_any_below(digit, n, drop - 1);
        if (half && (rest || (kept & 1))) {
            kept++;
        }
    }
    /* The leading bit of a normal number counts one up in the exponent field; so does a carry out
     * of the rounding, up to the bits of infinity. */
    return ((uint64_t)(place - f.lowest) << (f.precision - 1)) + kept;
}

/* ---- states (exact.c) ---- */

/* Words come from callers, files and other ranks: a nonsensical one may wrap, but stays defined. */
EXACT_FN int64_t exact_add_words(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Whether floats and integers met in the state. */
EXACT_FN bool exact_is_mixed(const tally_state *state)
{
    return state->word[TALLY_STATE_FLOAT] != 0 && state->word[TALLY_STATE_INTEGER] != 0;
}

/* A limb's magnitude, whatever it is. */
EXACT_FN uint64_t exact_magnitude(int64_t limb)
{
    return limb < 0 ? 0 - (uint64_t)limb : (uint64_t)limb;
}

/* Carries, so that every limb is below 2^32 in magnitude; signs may differ. */
void tally_exact_settle(tally_state *state);

/* Rounds a state's sum (divisor 0) or sum / divisor to a float type: the bits with sign. */
uint64_t tally_exact_bits(const tally_state *state, uint64_t divisor, tally_type type);

#endif
