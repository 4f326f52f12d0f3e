/* exact.c - the words of a state: carrying, canonical form, merging, widening, dividing, rounding.
 */
#include "exact.h"

#include <string.h>

enum {
    LIMB = TALLY_STATE_LIMB,
    LIMBS = TALLY_STATE_LIMBS,
    /* A quotient's extra digits. Rounding wants one bit below 2^-1074; a sticky bit does for the
       rest. */
    EXTRA = 1,
    DIGITS = LIMBS + EXTRA
};

void tally_state_init(tally_state *state)
{
    memset(state, 0, sizeof *state);
}

void tally_exact_settle(tally_state *state)
{
    int64_t *limb = state->word + LIMB;
    int64_t carry = 0;
    /* Division rounds toward zero: digits keep their sign, and a small negative total has no
     * borrows running through all the limbs above it. The top limb takes what is left; 2^63
     * elements of the largest magnitude do not fill it. */
    for (int j = 0; j < LIMBS - 1; j++) {
        int64_t v = exact_add_words(limb[j], carry);
        carry = v / EXACT_BASE;
        limb[j] = v % EXACT_BASE;
    }
    limb[LIMBS - 1] = exact_add_words(limb[LIMBS - 1], carry);
}

void tally_state_merge(tally_state *into, const tally_state *from)
{
    for (int i = 0; i < TALLY_STATE_WORDS; i++) {
        into->word[i] = exact_add_words(into->word[i], from->word[i]);
    }
    tally_exact_settle(into);
}

uint64_t tally_state_count(const tally_state *state)
{
    return (uint64_t)state->word[TALLY_STATE_COUNT];
}

static void clear_limbs(tally_state *s)
{
    memset(s->word + LIMB, 0, LIMBS * sizeof s->word[0]);
}

/* Gives all limbs the sum's sign, or clears them where the sum is no finite number. */
static void canonicalise_limbs(tally_state *s)
{
    int64_t *limb = s->word + LIMB;
    tally_exact_settle(s);
    int top = LIMBS - 1;
    while (top > 0 && limb[top] == 0) {
        top--;
    }
    /* Digits below a digit cannot outweigh it, so the top one has the sign of the sum. */
    int64_t sign = limb[top] < 0 ? -1 : 1;
    for (int j = 0; j < top; j++) {
        if (limb[j] * sign < 0) {
            limb[j] += sign * EXACT_BASE;
            limb[j + 1] -= sign;
        }
    }
}

void tally_state_canonicalise(tally_state *state)
{
    int64_t *word = state->word;
    for (int i = TALLY_STATE_FLOAT; i < LIMB; i++) {
        word[i] = word[i] != 0;
    }
    if (word[TALLY_STATE_POS_INF] && word[TALLY_STATE_NEG_INF]) {
        word[TALLY_STATE_NAN] = 1;
    }
    if (word[TALLY_STATE_NAN] || exact_is_mixed(state)) {
        word[TALLY_STATE_POS_INF] = word[TALLY_STATE_NEG_INF] = 0;
    }
    if (exact_is_mixed(state)) {
        word[TALLY_STATE_NAN] = 0;
    }
    if (word[TALLY_STATE_NAN] || word[TALLY_STATE_POS_INF] || word[TALLY_STATE_NEG_INF] ||
        exact_is_mixed(state)) {
        clear_limbs(state);
    } else {
        canonicalise_limbs(state);
    }
}

int tally_state_equal(const tally_state *a, const tally_state *b)
{
    tally_state x = *a, y = *b;
    tally_state_canonicalise(&x);
    tally_state_canonicalise(&y);
    return memcmp(&x, &y, sizeof x) == 0;
}

void tally_state_widen(tally_state *state)
{
    int64_t *word = state->word;
    if (word[TALLY_STATE_INTEGER] == 0 || exact_is_mixed(state)) {
        return;
    }
    tally_exact_settle(state);
    /* 2^0 is in the middle of a float limb: 2^18 times a digit stays below 2^50 until it is
     * carried. */
    const int first = EXACT_INT_BIT / 32, shift = EXACT_INT_BIT % 32;
    for (int j = LIMBS - 1; j >= 0; j--) {
        word[LIMB + j] = j < first ? 0 : word[LIMB + j - first] * ((int64_t)1 << shift);
    }
    tally_exact_settle(state);
    word[TALLY_STATE_FLOAT] = word[TALLY_STATE_INTEGER];
    word[TALLY_STATE_INTEGER] = 0;
}

/* (remainder * 2^32 + digit) / divisor; the remainder is below the divisor and becomes the new one.
 */
static uint32_t divide_digit(uint64_t *remainder, uint32_t digit, uint64_t divisor)
{
    if (divisor <= UINT32_MAX) {
        uint64_t v = *remainder << 32 | digit;
        *remainder = v % divisor;
        return (uint32_t)(v / divisor);
    }
    /* Bit by bit; the 65th bit of the doubled remainder is the carry. */
    uint64_t r = *remainder;
    uint32_t quotient = 0;
    for (int bit = 31; bit >= 0; bit--) {
        uint64_t carry = r >> 63;
        r = r << 1 | (digit >> bit & 1);
        quotient <<= 1;
        if (carry || r >= divisor) {
            r -= divisor;
            quotient |= 1;
        }
    }
    *remainder = r;
    return quotient;
}

static bool divide_digits(uint32_t digit[DIGITS], uint64_t divisor)
{
    uint64_t remainder = 0;
    for (int j = DIGITS - 1; j >= 0; j--) {
        digit[j] = divide_digit(&remainder, digit[j], divisor);
    }
    return remainder != 0;
}

uint64_t tally_exact_bits(const tally_state *state, uint64_t divisor, tally_type type)
{
    const exact_format f = exact_format_of(type);
    tally_state s = *state;
    tally_state_widen(&s);
    tally_state_canonicalise(&s);
    if (s.word[TALLY_STATE_NAN] || exact_is_mixed(&s)) {
        return exact_nan(f);
    }
    if (s.word[TALLY_STATE_POS_INF]) {
        return exact_infinity(f);
    }
    if (s.word[TALLY_STATE_NEG_INF]) {
        return exact_infinity(f) | exact_sign(f);
    }
    uint32_t digit[DIGITS] = {0};
    bool negative = s.word[TALLY_STATE_COUNT] > 0 && !s.word[TALLY_STATE_NONTRIVIAL];
    for (int j = 0; j < LIMBS; j++) {
        int64_t v = s.word[LIMB + j];
        negative |= v < 0;
        digit[EXTRA + j] = (uint32_t)exact_magnitude(v);
    }
    bool sticky = divisor != 0 && divide_digits(digit, divisor);
    uint64_t bits = exact_round(digit, DIGITS, EXACT_LOWEST - 32 * EXTRA, sticky, f);
    return negative ? bits | exact_sign(f) : bits;
}
