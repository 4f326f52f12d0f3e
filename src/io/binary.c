/*
 * binary.c - decimal digits to the nearest number of a float type, exactly.
 *
 * Both ways here bring the magnitude into the form that exact_round() takes: its top 59 bits or
 * more, and whether anything lies below them.
 */
#include "bigint.h"
#include "powers.h"
#include "scan.h"

/* integer 2^weight, integer not 0 */
static uint64_t round_u64(uint64_t integer, int weight, bool sticky, exact_format f)
{
    const uint32_t digit[2] = {(uint32_t)integer, (uint32_t)(integer >> 32)};
    return exact_round(digit, 2, weight, sticky, f);
}

/* 10^exponent to 5^exponent is exact in a table entry up to here: 5^55 < 2^128. */
enum { POWER_EXACT = 55 };

/*
 * value 10^exponent, where 5^-exponent divides value: a fraction that ends in binary too.
 * 5^27 is the largest power in 64 bits; the table holds 10^k with 5^k at its top.
 */
static bool round_dyadic(uint64_t value, int exponent, exact_format f, uint64_t *bits)
{
    if (exponent >= 0 || exponent < -27) {
        return false;
    }
    uint64_t power5 = powers_of_ten[-exponent - POWER_LOWEST].high;
    power5 >>= __builtin_ctzll(power5);
    if (value % power5 != 0) {
        return false;
    }
    value /= power5;
    int shift = __builtin_clzll(value);
    *bits = round_u64(value << shift, exponent - shift, false, f);
    return true;
}

/*
 * Multiplies lead by a 128-bit power of ten. The product is known to within less than two units of
 * its 65th bit (or, of a lead that was cut, of a bit near its 60th): nearly always enough to see
 * between which two numbers of 64 bits the value lies, so between which neighbours it rounds.
 */
static bool round_product(const scan *s, exact_format f, uint64_t *bits)
{
    __extension__ typedef unsigned __int128 u128;
    if (s->exponent < POWER_LOWEST || s->exponent > POWER_HIGHEST) {
        return false;
    }
    int exponent = (int)s->exponent;
    const power_of_ten *power = &powers_of_ten[exponent - POWER_LOWEST];
    int shift = __builtin_clzll(s->lead);
    uint64_t lead = s->lead << shift;
    u128 below = (u128)lead * power->low;
    u128 upper = (u128)lead * power->high + (uint64_t)(below >> 64);
    uint64_t high = (uint64_t)(upper >> 64), middle = (uint64_t)upper;
    int weight = power_top(exponent) + 1 - shift;
    bool exact = exponent >= 0 && exponent <= POWER_EXACT;

    if (s->more) {
        /* The value is above the product, by less than one unit of lead: 2^shift of high's units,
         * and one for what the table cut. high has 63 bits at least, a format's numbers and
         * midpoints 54 at most: they are multiples of 2^9. */
        if ((high + ((uint64_t)1 << shift) + 1) >> 9 != high >> 9) {
            return false;
        }
        *bits = round_u64(high, weight, true, f);
        return true;
    }
    if (exact) {
        *bits = round_u64(high, weight, middle != 0 || (uint64_t)below != 0, f);
        return true;
    }
    /* The table cut less than one unit of low, so the value is above the product by less than
     * one unit of middle: short of the next number unless middle is all ones. */
    if (middle == UINT64_MAX) {
        return round_dyadic(s->lead, exponent, f, bits);
    }
    *bits = round_u64(high, weight, true, f);
    return true;
}

/* The first BIGINT_DIGITS significant digits as an integer; how many they are; whether a digit
 * that is not 0 follows. No number or midpoint of a format has more than 768, so that none of them
 * lies between the digits taken and the value. */
static int take_digits(const scan *s, bigint *integer, bool *more)
{
    const char *p = s->digits;
    while (*p == '0' || *p == '.') {
        p++; /* there is another digit: lead is not 0 */
    }
    int n = 0;
    bigint_set(integer, 0);
    for (; p < s->digits_end && n < BIGINT_DIGITS; p++) {
        if (*p != '.') {
            bigint_multiply_add(integer, 10, (uint32_t)(*p - '0'));
            n++;
        }
    }
    while (p < s->digits_end && (*p == '0' || *p == '.')) {
        p++;
    }
    *more = p < s->digits_end;
    return n;
}

/* numerator / 5^power * 2^weight */
static uint64_t round_fraction(bigint *numerator, int power, int weight, bool sticky,
                               exact_format f)
{
    bigint denominator;
    bigint_set(&denominator, 1);
    bigint_multiply_power5(&denominator, power);
    /* Brought to the same length, the quotient is between 1/2 and 2; 15 more steps of 4 bits. */
    int above = bigint_bits(numerator), below = bigint_bits(&denominator);
    int length = above > below ? above : below;
    length += bigint_align(length);
    bigint_shift_left(numerator, length - above);
    bigint_shift_left(&denominator, length - below);
    weight += above - below;
    uint64_t quotient = bigint_divide(numerator, &denominator);
    for (int i = 0; i < 15; i++) {
        bigint_multiply_add(numerator, 16, 0);
        quotient = quotient << 4 | bigint_divide(numerator, &denominator);
    }
    return round_u64(quotient, weight - 60, sticky || numerator->n > 0, f);
}

/* The exact way. */
static uint64_t round_bigint(const scan *s, exact_format f)
{
    /* Out of reach, so that no power below is larger than a bigint holds: lead has at most 19
     * digits, so this is at least 10^310, or less than 10^-342 (and half of 2^-1074 is more). */
    int64_t lead_exponent = s->exponent;
    for (uint64_t lead = s->lead; lead >= 10; lead /= 10) {
        lead_exponent++;
    }
    if (lead_exponent >= 310) {
        return exact_infinity(f);
    }
    if (lead_exponent < -342) {
        return 0;
    }
    bigint integer;
    bool more;
    int exponent = (int)lead_exponent + 1 - take_digits(s, &integer, &more);
    if (exponent < 0) {
        return round_fraction(&integer, -exponent, exponent, more, f);
    }
    bigint_multiply_power5(&integer, exponent);
    bigint_shift_left(&integer, 64); /* bits enough below a small integer's last */
    return exact_round(integer.limb, integer.n, exponent - 64, more, f);
}

uint64_t scan_round(const scan *s, exact_format f)
{
    uint64_t bits;
    if (s->lead == 0) {
        return 0;
    }
    return round_product(s, f, &bits) ? bits : round_bigint(s, f);
}
