/*
 * oracle_bigint.c - sums and means by schoolbook arithmetic on long fixed-point numbers.
 *
 * Nothing clever on purpose: two magnitudes, word by word additions with a carry, one subtraction,
 * one division with remainder, and a rounding that looks at one bit after the other.
 */
#include "oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what)
{
    fprintf(stderr, "the big-integer oracle is out of its depth: %s\n", what);
    abort();
}

/* number += magnitude * 2^(weight - BIG_LOWEST) */
static void add_shifted(uint32_t *number, uint64_t magnitude, int weight)
{
    unsigned position = (unsigned)(weight - BIG_LOWEST);
    unsigned word = position / 32, shift = position % 32;
    uint64_t low = (magnitude & 0xffffffff) << shift;
    uint64_t high = (magnitude >> 32) << shift;
    uint64_t add[4] = {low & 0xffffffff, (low >> 32) + (high & 0xffffffff), high >> 32, 0};
    uint64_t carry = 0;

    for (unsigned i = 0; i < 4 || carry; i++) {
        if (word + i >= BIG_WORDS) {
            if (carry || (i < 4 && add[i])) {
                fail("a total beyond its top word");
            }
            return;
        }
        uint64_t t = number[word + i] + (i < 4 ? add[i] : 0) + carry;
        number[word + i] = (uint32_t)t;
        carry = t >> 32;
    }
}

void big_init(big_sum *sum)
{
    *sum = (big_sum){.n = 0};
}

void big_add_f64(big_sum *sum, double x)
{
    sum->n++;
    if (isnan(x)) {
        sum->nan = true;
    } else if (isinf(x)) {
        *(x > 0 ? &sum->pos_inf : &sum->neg_inf) = true;
    } else if (x != 0) {
        int exponent;
        double fraction = frexp(fabs(x), &exponent); /* in [1/2, 1) */
        /* fraction * 2^53 is an integer, and x = that integer * 2^(exponent - 53) */
        uint64_t magnitude = (uint64_t)ldexp(fraction, 53);
        add_shifted(x > 0 ? sum->plus : sum->minus, magnitude, exponent - 53);
    }
    if (!(x == 0 && signbit(x))) {
        sum->nontrivial = true;
    }
}

void big_add_integer(big_sum *sum, uint64_t magnitude, bool negative)
{
    sum->n++;
    sum->nontrivial = true;
    add_shifted(negative ? sum->minus : sum->plus, magnitude, 0);
}

/* larger -= smaller */
static void subtract(uint32_t *larger, const uint32_t *smaller)
{
    uint32_t borrow = 0;

    for (int i = 0; i < BIG_WORDS; i++) {
        int64_t t = (int64_t)larger[i] - smaller[i] - borrow;
        borrow = t < 0;
        larger[i] = (uint32_t)(borrow ? t + 0x100000000 : t);
    }
}

static int compare(const uint32_t *a, const uint32_t *b)
{
    for (int i = BIG_WORDS - 1; i >= 0; i--) {
        if (a[i] != b[i]) {
            return a[i] > b[i] ? 1 : -1;
        }
    }
    return 0;
}

static bool bit(const uint32_t *number, int position)
{
    return position >= 0 && (number[position / 32] >> (position % 32) & 1);
}

static bool any_below(const uint32_t *number, int position)
{
    for (int i = 0; i < position / 32; i++) {
        if (number[i]) {
            return true;
        }
    }
    for (int i = position / 32 * 32; i < position; i++) {
        if (bit(number, i)) {
            return true;
        }
    }
    return false;
}

/* The bits of the magnitude rounded to f; more says that the exact value is a little larger. */
static uint64_t round_magnitude(const uint32_t *number, bool more, const format *f)
{
    int word = BIG_WORDS - 1, top, unit;
    uint64_t m = 0, hidden = (uint64_t)1 << (f->precision - 1);

    while (word >= 0 && number[word] == 0) {
        word--;
    }
    if (word < 0) {
        return 0; /* less than 2^-1138: far below half of any smallest subnormal */
    }
    top = 32 * word + 31;
    while (!bit(number, top)) {
        top--;
    }
    /* positions are bits of the number; the last bit of the result is at "unit" */
    unit = top - (f->precision - 1);
    if (unit < f->min_unit - BIG_LOWEST) {
        unit = f->min_unit - BIG_LOWEST;
    }
    for (int i = top; i >= unit; i--) {
        m = 2 * m + bit(number, i);
    }
    bool half = bit(number, unit - 1);
    bool beyond_half = more || any_below(number, unit - 1);
    if (half && (beyond_half || m % 2 == 1)) {
        m++;
    }
    if (m == 2 * hidden) {
        m = hidden;
        unit++;
    }
    if (m < hidden) {
        return m; /* subnormal, or zero */
    }
    uint64_t exponent = (uint64_t)(unit + BIG_LOWEST - f->min_unit + 1);
    uint64_t bits = exponent * hidden + (m - hidden);
    return bits < f->inf ? bits : f->inf;
}

static uint64_t divide_and_round(const big_sum *sum, uint32_t divisor, const format *f)
{
    uint32_t magnitude[BIG_WORDS];
    bool negative = compare(sum->plus, sum->minus) < 0;
    uint64_t remainder = 0;

    if (sum->nan || (sum->pos_inf && sum->neg_inf)) {
        return f->nan;
    }
    if (sum->pos_inf || sum->neg_inf) {
        return f->inf | (sum->neg_inf ? f->minus : 0);
    }
    if (sum->n > 0 && !sum->nontrivial) {
        return f->minus;
    }
    memcpy(magnitude, negative ? sum->minus : sum->plus, sizeof magnitude);
    subtract(magnitude, negative ? sum->plus : sum->minus);
    if (divisor != 1) {
        for (int i = BIG_WORDS - 1; i >= 0; i--) {
            uint64_t t = remainder << 32 | magnitude[i];
            magnitude[i] = (uint32_t)(t / divisor);
            remainder = t % divisor;
        }
    }
    return round_magnitude(magnitude, remainder != 0, f) | (negative ? f->minus : 0);
}

uint64_t big_round(const big_sum *sum, const format *f)
{
    return divide_and_round(sum, 1, f);
}

uint64_t big_mean(const big_sum *sum, const format *f)
{
    if (sum->n == 0 || sum->n > UINT32_MAX) {
        fail("a mean of nothing, or of 2^32 elements");
    }
    return divide_and_round(sum, (uint32_t)sum->n, f);
}

static void add_all(big_sum *sum, const double *x, size_t n)
{
    big_init(sum);
    for (size_t i = 0; i < n; i++) {
        big_add_f64(sum, x[i]);
    }
}

uint64_t oracle_bigint_sum(const double *x, size_t n, const format *f)
{
    big_sum sum;

    add_all(&sum, x, n);
    return big_round(&sum, f);
}

uint64_t oracle_bigint_mean(const double *x, size_t n, const format *f)
{
    big_sum sum;

    add_all(&sum, x, n);
    return big_mean(&sum, f);
}
