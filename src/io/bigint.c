/* bigint.c - natural numbers of a fixed capacity, in base 2^32, lowest limb first. */
#include <string.h>

#include "bigint.h"

static void trim(bigint *b)
{
    while (b->n > 0 && b->limb[b->n - 1] == 0) {
        b->n--;
    }
}

void bigint_set(bigint *b, uint64_t value)
{
    b->limb[0] = (uint32_t)value;
    b->limb[1] = (uint32_t)(value >> 32);
    b->n = 2;
    trim(b);
}

void bigint_multiply_add(bigint *b, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        b->limb[b->n++] = (uint32_t)carry;
    }
}

void bigint_multiply_power5(bigint *b, int exponent)
{
    enum { STEP = 13 }; /* 5^13 is the largest power in 32 bits */
    uint32_t power = 1220703125;
    for (; exponent >= STEP; exponent -= STEP) {
        bigint_multiply_add(b, power, 0);
    }
    for (power = 1; exponent > 0; exponent--) {
        power *= 5;
    }
    bigint_multiply_add(b, power, 0);
}

void bigint_shift_left(bigint *b, int nbits)
{
    if (b->n == 0) {
        return;
    }
    bigint_multiply_add(b, (uint32_t)1 << nbits % 32, 0);
    int limbs = nbits / 32;
    memmove(b->limb + limbs, b->limb, (size_t)b->n * sizeof b->limb[0]);
    memset(b->limb, 0, (size_t)limbs * sizeof b->limb[0]);
    b->n += limbs;
}

int bigint_bits(const bigint *b)
{
    int nbits = 32 * b->n;
    if (b->n > 0) {
        for (uint32_t top = b->limb[b->n - 1]; !(top >> 31); top <<= 1) {
            nbits--;
        }
    }
    return nbits;
}

int bigint_compare(const bigint *a, const bigint *b)
{
    if (a->n != b->n) {
        return a->n < b->n ? -1 : 1;
    }
    for (int i = a->n - 1; i >= 0; i--) {
        if (a->limb[i] != b->limb[i]) {
            return a->limb[i] < b->limb[i] ? -1 : 1;
        }
    }
    return 0;
}

/* a - factor b into difference; not negative. */
static void subtract_multiple(bigint *difference, const bigint *a, const bigint *b, uint32_t factor)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->n; i++) {
        borrow += i < b->n ? (uint64_t)b->limb[i] * factor : 0;
        uint32_t low = (uint32_t)borrow;
        borrow = (borrow >> 32) + (a->limb[i] < low);
        difference->limb[i] = a->limb[i] - low;
    }
    difference->n = a->n;
    trim(difference);
}

void bigint_subtract(bigint *difference, const bigint *a, const bigint *b)
{
    subtract_multiple(difference, a, b, 1);
}

int bigint_align(int nbits)
{
    return (60 - nbits % 32) % 32;
}

uint32_t bigint_divide(bigint *a, const bigint *b)
{
    if (a->n < b->n) {
        return 0;
    }
    /* b's top limb t has 28 bits, and a < 16 b has no more limbs than b. a's top limb over t + 1 is
     * too small by less than 1 + 16 / t: by one at most, once cut. */
    uint32_t quotient = a->limb[a->n - 1] / (b->limb[b->n - 1] + 1);
    subtract_multiple(a, a, b, quotient);
    if (bigint_compare(a, b) >= 0) {
        subtract_multiple(a, a, b, 1);
        quotient++;
    }
    return quotient;
}
