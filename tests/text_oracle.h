/*
 * text_oracle.h - MPFR's answer to "which number is this text?", for numbers that MPFR's own
 * grammar and number.h's both know.
 */
#ifndef TESTS_TEXT_ORACLE_H
#define TESTS_TEXT_ORACLE_H

#include <gmp.h>
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A float format: bits of precision, the smallest subnormal 2^min_unit, overflow at 2^top. */
typedef struct text_format {
    int precision, min_unit, top;
} text_format;

/* The bits of a finite value that has at most the format's precision. */
static inline uint64_t text_oracle_encode(const mpfr_t value, const text_format *f)
{
    uint64_t hidden = (uint64_t)1 << (f->precision - 1);
    uint64_t bits = 0;
    if (mpfr_inf_p(value)) {
        bits = (uint64_t)(f->top - f->precision - f->min_unit + 2) * hidden;
    } else if (!mpfr_zero_p(value)) {
        mpz_t significand;
        mpz_init(significand);
        long unit = mpfr_get_z_2exp(significand, value);
        mpz_abs(significand, significand);
        if (unit < f->min_unit) {
            mpz_fdiv_q_2exp(significand, significand, (unsigned long)(f->min_unit - unit));
            unit = f->min_unit;
        }
        bits = (uint64_t)(unit - f->min_unit) * hidden + mpz_get_ui(significand);
        mpz_clear(significand);
    }
    if (mpfr_signbit(value)) {
        bits += (uint64_t)(f->top - f->precision - f->min_unit + 3) * hidden;
    }
    return bits;
}

/*
 * Reads the text. MPFR 4.2 adds the digits after the point to the exponent without care: it takes
 * 0.01e-9223372036854775808 for inf. So an exponent beyond a thousand million becomes that.
 */
static inline int text_oracle_read(mpfr_t value, const char *text)
{
    const long long most = 1000000000;
    const char *e = strpbrk(text, "eE");
    long long power = e ? strtoll(e + 1, NULL, 10) : 0;
    if (power >= -most && power <= most) {
        return mpfr_strtofr(value, text, NULL, 10, MPFR_RNDN);
    }
    size_t nbytes = (size_t)(e - text) + 16;
    char *clamped = malloc(nbytes);
    if (!clamped) {
        abort();
    }
    snprintf(clamped, nbytes, "%.*se%lld", (int)(e - text), text, power < 0 ? -most : most);
    int order = mpfr_strtofr(value, clamped, NULL, 10, MPFR_RNDN);
    free(clamped);
    return order;
}

/* The bits of the text, a number without NaN, rounded once to the format. */
static inline uint64_t text_oracle_bits(const char *text, const text_format *f)
{
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t value;
    mpfr_init2(value, f->precision);
    mpfr_set_emin(f->min_unit + 1);
    mpfr_set_emax(f->top);
    int order = text_oracle_read(value, text);
    mpfr_subnormalize(value, order, MPFR_RNDN);
    uint64_t bits = text_oracle_encode(value, f);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    mpfr_clear(value);
    return bits;
}

#endif
