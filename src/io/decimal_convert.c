/* decimal_convert.c - decimals from exact states, to text, and to one rounded quotient. */
#include <stdlib.h>

#include "decimal_limbs.h"
#include "exact.h"
#include "number.h"

/* Takes the limb above the point off the bits below it: returns floor(f DECIMAL_BASE), leaves the
 * rest. */
static uint32_t next_fraction_limb(uint32_t *f, size_t n)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        carry += (uint64_t)f[i] * DECIMAL_BASE;
        f[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return (uint32_t)carry;
}

/* Divides by DECIMAL_BASE: returns the remainder. */
static uint32_t next_whole_limb(uint32_t *w, size_t n)
{
    uint64_t rest = 0;
    for (size_t i = n; i-- > 0;) {
        rest = rest << 32 | w[i];
        w[i] = (uint32_t)(rest / DECIMAL_BASE);
        rest %= DECIMAL_BASE;
    }
    return (uint32_t)rest;
}

static bool all_zero(const uint32_t *digit, size_t n)
{
    while (n > 0 && digit[n - 1] == 0) {
        n--;
    }
    return n == 0;
}

/*
 * A float state's limbs shifted left by 14 bits have the point between two limbs: 34 below it, and
 * 35 from it on. Each bit below the point becomes one decimal digit.
 */
enum {
    STATE_SHIFT = (32 - EXACT_INT_BIT % 32) % 32,
    STATE_POINT = (EXACT_INT_BIT + STATE_SHIFT) / 32,
    STATE_DIGITS = TALLY_STATE_LIMBS + 1,
    STATE_FRACTION_LIMBS = (EXACT_INT_BIT + DECIMAL_DIGITS - 1) / DECIMAL_DIGITS,
    STATE_WHOLE_LIMBS = (32 * TALLY_STATE_LIMBS) / 29 + 1 /* a limb holds more than 29 bits */
};

bool decimal_add_state(decimal *d, const tally_state *state)
{
    tally_state s = *state;
    tally_state_canonicalise(&s);
    bool is_float = s.word[TALLY_STATE_FLOAT] > 0;
    uint32_t digit[STATE_DIGITS] = {0};
    uint32_t limb[STATE_FRACTION_LIMBS + STATE_WHOLE_LIMBS];
    decimal x = {.limb = limb};
    int shift = is_float ? STATE_SHIFT : 0;
    for (int j = 0; j < TALLY_STATE_LIMBS; j++) {
        int64_t word = s.word[TALLY_STATE_LIMB + j];
        x.negative |= word < 0;
        uint64_t shifted = (uint64_t)(word < 0 ? -word : word) << shift;
        digit[j] |= (uint32_t)shifted;
        digit[j + 1] |= (uint32_t)(shifted >> 32);
    }
    size_t point = is_float ? STATE_POINT : 0;
    uint32_t *whole = digit + point;
    while (!all_zero(digit, point)) {
        x.fraction++;
        limb[STATE_FRACTION_LIMBS - x.fraction] = next_fraction_limb(digit, point);
    }
    x.limb = limb + STATE_FRACTION_LIMBS - x.fraction;
    x.n = x.fraction;
    while (!all_zero(whole, STATE_DIGITS - point)) {
        x.limb[x.n++] = next_whole_limb(whole, STATE_DIGITS - point);
    }
    return decimal_add(d, &x);
}

/* Writes limb as "width" digits. */
static char *put_limb(char *p, uint32_t limb, int width)
{
    for (int i = width; i-- > 0; limb /= 10) {
        p[i] = (char)('0' + limb % 10);
    }
    return p + width;
}

char *decimal_print(const decimal *d)
{
    char *text = malloc(DECIMAL_DIGITS * d->n + 4); /* a sign, a zero, a point, an end */
    if (!text) {
        return NULL;
    }
    char *p = text;
    if (d->negative) {
        *p++ = '-';
    }
    size_t i = d->n;
    if (i == d->fraction) {
        *p++ = '0';
    } else {
        uint32_t top = d->limb[--i];
        int width = 1;
        for (uint32_t rest = top; rest >= 10; rest /= 10) {
            width++;
        }
        p = put_limb(p, top, width);
    }
    while (i > d->fraction) {
        p = put_limb(p, d->limb[--i], DECIMAL_DIGITS);
    }
    if (d->fraction > 0) {
        *p++ = '.';
        while (i > 0) {
            p = put_limb(p, d->limb[--i], DECIMAL_DIGITS);
        }
        while (p[-1] == '0') {
            p--;
        }
    }
    *p = '\0';
    return text;
}

bool decimal_round_quotient(const decimal *d, uint64_t n, tally_type type, uint64_t *bits)
{
    __extension__ typedef unsigned __int128 u128;
    /* No float, and no midpoint of two, has more than 768 significant digits. What lies below 90
     * limbs (at least 802) is one more digit that is not 0. */
    enum { KEPT = 90, EXPONENT_BYTES = 24 };
    char text[1 + DECIMAL_DIGITS * KEPT + 1 + EXPONENT_BYTES];
    char *p = text;
    if (d->negative) {
        *p++ = '-';
    }
    uint64_t rest = 0;
    int64_t exponent = DECIMAL_DIGITS * ((int64_t)d->n - (int64_t)d->fraction);
    size_t i = d->n;
    for (int kept = 0; kept < KEPT; exponent -= DECIMAL_DIGITS) {
        if (i == 0 && rest == 0) {
            break;
        }
        u128 value = (u128)rest * DECIMAL_BASE + (i > 0 ? d->limb[--i] : 0);
        uint32_t limb = (uint32_t)(value / n);
        rest = (uint64_t)(value % n);
        if (kept > 0 || limb != 0) {
            p = put_limb(p, limb, DECIMAL_DIGITS);
            kept++;
        }
    }
    bool below = rest != 0 || !all_zero(d->limb, i);
    *p++ = below ? '1' : '0'; /* a digit in any case: the value may be 0 */
    exponent--;
    *p++ = 'e';
    *p++ = exponent < 0 ? '-' : '+';
    uint64_t power = exponent < 0 ? -(uint64_t)exponent : (uint64_t)exponent;
    int width = 1;
    for (uint64_t left = power; left >= 10; left /= 10) {
        width++;
    }
    for (int j = width; j-- > 0; power /= 10) {
        p[j] = (char)('0' + power % 10);
    }
    p += width;
    *bits = number_round(text, (size_t)(p - text), type);
    return true;
}
