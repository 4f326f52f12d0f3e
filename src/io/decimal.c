/*
 * decimal.c - exact decimal numbers: sign and magnitude, in limbs of nine digits; their addition.
 */
#include <stdlib.h>
#include <string.h>

#include "decimal_limbs.h"

decimal *decimal_alloc(void)
{
    return calloc(1, sizeof(decimal));
}

void decimal_free(decimal *d)
{
    if (d) {
        free(d->limb);
        free(d);
    }
}

static bool reserve(decimal *d, size_t n)
{
    if (n <= d->capacity) {
        return true;
    }
    size_t capacity = n + n / 2 + 8; /* half more, so that a growing total copies seldom */
    uint32_t *limb = realloc(d->limb, capacity * sizeof *limb);
    if (!limb) {
        return false;
    }
    d->limb = limb;
    d->capacity = capacity;
    return true;
}

bool decimal_set(decimal *d, const decimal *from)
{
    if (d == from) {
        return true;
    }
    if (!reserve(d, from->n)) {
        return false;
    }
    if (from->n > 0) {
        memcpy(d->limb, from->limb, from->n * sizeof *d->limb);
    }
    d->n = from->n;
    d->fraction = from->fraction;
    d->negative = from->negative;
    return true;
}

static void trim(decimal *d)
{
    while (d->n > d->fraction && d->limb[d->n - 1] == 0) {
        d->n--;
    }
    size_t zeros = 0;
    while (zeros < d->fraction && d->limb[zeros] == 0) {
        zeros++;
    }
    if (zeros > 0) {
        d->n -= zeros;
        d->fraction -= zeros;
        memmove(d->limb, d->limb + zeros, d->n * sizeof *d->limb);
    }
    if (d->n == 0) {
        d->negative = false;
    }
}

/* Makes d's fraction at least "fraction" limbs, with zeros at its end, and d at least "whole" limbs
 * long above the point; room for one more limb. */
static bool widen(decimal *d, size_t fraction, size_t whole)
{
    size_t more = fraction > d->fraction ? fraction - d->fraction : 0;
    size_t n = d->fraction + more + whole;
    if (n < d->n + more) {
        n = d->n + more;
    }
    if (!reserve(d, n + 1)) {
        return false;
    }
    if (more > 0) {
        memmove(d->limb + more, d->limb, d->n * sizeof *d->limb);
        memset(d->limb, 0, more * sizeof *d->limb);
    }
    d->n += more;
    d->fraction += more;
    memset(d->limb + d->n, 0, (n - d->n) * sizeof *d->limb);
    d->n = n;
    return true;
}

static size_t whole_limbs(const decimal *d)
{
    return d->n - d->fraction;
}

static int compare_magnitudes(const decimal *a, const decimal *b)
{
    if (whole_limbs(a) != whole_limbs(b)) {
        return whole_limbs(a) < whole_limbs(b) ? -1 : 1;
    }
    size_t common = a->n < b->n ? a->n : b->n;
    for (size_t i = 1; i <= common; i++) {
        uint32_t x = a->limb[a->n - i], y = b->limb[b->n - i];
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return (a->n > b->n) - (a->n < b->n); /* the longer fraction does not end in zeros */
}

int decimal_compare(const decimal *a, const decimal *b)
{
    if (a->negative != b->negative) {
        return a->negative ? -1 : 1;
    }
    return a->negative ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
}

/* d += x in magnitude; d is wide enough. x's limb i stands over d's limb i + at. */
static void add_limbs(decimal *d, const decimal *x, size_t at)
{
    uint32_t carry = 0;
    for (size_t i = 0; i < x->n || carry; i++) {
        if (i + at == d->n) {
            d->limb[d->n++] = 0;
        }
        uint32_t sum = d->limb[i + at] + (i < x->n ? x->limb[i] : 0) + carry;
        carry = sum >= DECIMAL_BASE;
        d->limb[i + at] = carry ? sum - DECIMAL_BASE : sum;
    }
}

/* d -= x in magnitude, where the result is not negative. */
static void subtract_limbs(decimal *d, const decimal *x, size_t at)
{
    uint32_t borrow = 0;
    for (size_t i = 0; i < x->n || borrow; i++) {
        uint32_t take = (i < x->n ? x->limb[i] : 0) + borrow;
        borrow = d->limb[i + at] < take;
        d->limb[i + at] += borrow ? DECIMAL_BASE - take : 0 - take;
    }
}

/* d = x - d in magnitude, where the result is not negative; d is as wide as x. */
static void subtract_from(decimal *d, const decimal *x, size_t at)
{
    uint32_t borrow = 0;
    for (size_t i = 0; i < d->n; i++) {
        uint32_t have = i >= at && i - at < x->n ? x->limb[i - at] : 0;
        uint32_t take = d->limb[i] + borrow;
        borrow = have < take;
        d->limb[i] = borrow ? have + DECIMAL_BASE - take : have - take;
    }
}

bool decimal_add(decimal *d, const decimal *x)
{
    int order = d->negative == x->negative ? 1 : compare_magnitudes(d, x);
    if (!widen(d, x->fraction, whole_limbs(x))) {
        return false;
    }
    size_t at = d->fraction - x->fraction;
    if (d->negative == x->negative) {
        add_limbs(d, x, at);
    } else if (order >= 0) {
        subtract_limbs(d, x, at);
    } else {
        subtract_from(d, x, at);
        d->negative = x->negative;
    }
    trim(d);
    return true;
}

bool decimal_add_integer(decimal *d, const char *text, size_t length)
{
    const char *end = text + length;
    bool sign = text < end && (*text == '-' || *text == '+');
    decimal x = {.negative = sign && *text == '-'};
    text += sign;
    while (text < end && *text == '0') {
        text++;
    }
    size_t n_digits = (size_t)(end - text);
    if (!reserve(&x, n_digits / DECIMAL_DIGITS + 1)) {
        return false;
    }
    for (const char *stop = end; stop > text;) {
        const char *p = stop - text > DECIMAL_DIGITS ? stop - DECIMAL_DIGITS : text;
        const char *next = p;
        uint32_t limb = 0;
        for (; p < stop; p++) {
            limb = 10 * limb + (uint32_t)(*p - '0');
        }
        x.limb[x.n++] = limb;
        stop = next;
    }
    x.negative = x.negative && x.n > 0;
    bool added = decimal_add(d, &x);
    free(x.limb);
    return added;
}
