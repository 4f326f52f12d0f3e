/* oracle_mpfr.c - sums and means by MPFR: one correct rounding, subnormals and overflow included.
 */
#include "oracle.h"

#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

/* Wide enough for any sum of fewer than 2^64 doubles: 1074 + 1024 + 64 bits, and some. */
enum { EXACT = 2304 };

/* The operands live on from call to call; mpfr_init2 would dominate otherwise. */
static struct {
    mpfr_t *value;
    mpfr_ptr *pointer;
    size_t n;
} operands;

static void need(size_t n)
{
    if (n <= operands.n) {
        return;
    }
    operands.value = realloc(operands.value, n * sizeof *operands.value);
    operands.pointer = realloc(operands.pointer, n * sizeof *operands.pointer);
    if (!operands.value || !operands.pointer) {
        fprintf(stderr, "no memory for the MPFR oracle\n");
        abort();
    }
    for (size_t i = operands.n; i < n; i++) {
        mpfr_init2(operands.value[i], 53);
    }
    for (size_t i = 0; i < n; i++) {
        operands.pointer[i] = operands.value[i];
    }
    operands.n = n;
}

void oracle_mpfr_end(void)
{
    for (size_t i = 0; i < operands.n; i++) {
        mpfr_clear(operands.value[i]);
    }
    free(operands.value);
    free(operands.pointer);
    operands.value = NULL;
    operands.pointer = NULL;
    operands.n = 0;
    mpfr_free_cache();
}

/* The special cases of the contract; false if the sum is an ordinary number. */
static bool special(const double *x, size_t n, const format *f, uint64_t *bits)
{
    bool nan = false, plus = false, minus = false, all_minus_zero = n > 0;

    for (size_t i = 0; i < n; i++) {
        nan |= isnan(x[i]);
        plus |= isinf(x[i]) && x[i] > 0;
        minus |= isinf(x[i]) && x[i] < 0;
        all_minus_zero &= x[i] == 0 && signbit(x[i]);
    }
    if (nan || (plus && minus)) {
        *bits = f->nan;
    } else if (plus || minus) {
        *bits = f->inf | (minus ? f->minus : 0);
    } else if (n == 0 || all_minus_zero) {
        *bits = n == 0 ? 0 : f->minus;
    } else {
        return false;
    }
    return true;
}

/* Brings a value, rounded to the precision of f with an unbounded exponent, into f's range. The
 * ternary value says on which side the exact value lies, so that no tie is rounded twice. */
static uint64_t finish(mpfr_t value, int ternary, const format *f)
{
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    bool zero;

    /* MPFR's significands are in [1/2, 1) */
    mpfr_set_emin(f->min_unit + 1);
    mpfr_set_emax(f->max_unit + f->precision);
    ternary = mpfr_check_range(value, ternary, MPFR_RNDN);
    mpfr_subnormalize(value, ternary, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    zero = mpfr_zero_p(value);
    return format_encode(f,
                         zero ? (mpfr_signbit(value) ? -0.0 : 0.0) : mpfr_get_d(value, MPFR_RNDZ));
}

static int sum_to(mpfr_t total, const double *x, size_t n)
{
    need(n);
    for (size_t i = 0; i < n; i++) {
        mpfr_set_d(operands.value[i], x[i], MPFR_RNDN);
    }
    return mpfr_sum(total, operands.pointer, n, MPFR_RNDN);
}

uint64_t oracle_mpfr_sum(const double *x, size_t n, const format *f)
{
    uint64_t bits;
    mpfr_t total;

    if (special(x, n, f, &bits)) {
        return bits;
    }
    mpfr_init2(total, f->precision);
    int ternary = sum_to(total, x, n);
    bits = mpfr_zero_p(total) ? 0 : finish(total, ternary, f); /* an exact zero is +0 */
    mpfr_clear(total);
    return bits;
}

uint64_t oracle_mpfr_mean(const double *x, size_t n, const format *f)
{
    uint64_t bits;
    mpfr_t total, mean;

    if (special(x, n, f, &bits)) {
        return bits;
    }
    mpfr_init2(total, EXACT);
    mpfr_init2(mean, f->precision);
    if (sum_to(total, x, n) != 0) {
        fprintf(stderr, "the MPFR oracle's exact total is not exact\n");
        abort();
    }
    int ternary = mpfr_div_ui(mean, total, (unsigned long)n, MPFR_RNDN);
    bits = mpfr_zero_p(total) ? 0 : finish(mean, ternary, f);
    mpfr_clear(total);
    mpfr_clear(mean);
    return bits;
}
