/*
 * test_number_round.c - decimal texts against MPFR, for all four formats, and against strtod:
 * random ones, and halfway points with their neighbours in the last digit written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "expect.h"
#include "io/number.h"
#include "text_oracle.h"

enum { SEED = 54, TEXT_BYTES = 2048 };

static void check(const char *text)
{
    size_t length = strlen(text);
    for (int i = 0; i < FORMATS; i++) {
        const format *f = formats[i];
        text_format t = {f->precision, f->min_unit, f->max_unit + f->precision};
        uint64_t right = text_oracle_bits(text, &t);
        uint64_t bits = number_round(text, length, f->type);
        if (bits != right) {
            fail_msg("%s as %s: %llx, MPFR %llx", text, f->name, (unsigned long long)bits,
                     (unsigned long long)right);
        }
    }
    number n;
    number_kind kind = number_parse(text, length, &n);
    assert_true(kind != NUMBER_BAD);
    if (kind == NUMBER_REAL && bits_f64(n.as.f64) != bits_f64(strtod(text, NULL))) {
        fail_msg("%s: not what strtod says", text);
    }
}

/* Appends n digits. */
static char *put_random_digits(random_state *r, char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        *p++ = (char)('0' + random_below(r, 10));
    }
    return p;
}

static void random_texts_round_as_mpfr_and_strtod_do(void **state)
{
    (void)state;
    random_state r = {SEED};
    for (int i = 0; i < 60000; i++) {
        char text[256], *p = text;
        if (random_coin(&r)) {
            *p++ = '-';
        }
        size_t whole = (size_t)random_below(&r, 25), part = (size_t)random_below(&r, 25);
        p = put_random_digits(&r, p, whole);
        *p++ = '.';
        p = put_random_digits(&r, p, part + (whole + part == 0));
        /* f16 reaches 1e-8 to 1e5, f32 and bf16 1e-46 to 1e39, f64 1e-325 to 1e309 */
        const int reach[] = {8, 45, 345};
        int span = reach[random_below(&r, 3)];
        if (random_below(&r, 4)) {
            p += sprintf(p, "e%d", (int)random_below(&r, (uint64_t)(2 * span + 1)) - span);
        }
        *p = '\0';
        check(text);
    }
}

/* The exact decimal expansion of significand 2^unit. */
static void write_exact(uint64_t significand, int unit, char *text)
{
    mpfr_t value;
    mpfr_init2(value, 64);
    mpfr_set_ui_2exp(value, significand, unit, MPFR_RNDN);
    /* %Re with as many digits as can be: 1075 after the point are enough for 2^-1075 */
    int length = mpfr_snprintf(text, TEXT_BYTES, "%.1100Re", value);
    assert_true(length > 0 && length < TEXT_BYTES - 8);
    mpfr_clear(value);
    /* the zeros at the end say nothing */
    char *e = strchr(text, 'e'), *last = e;
    while (last[-1] == '0' && last[-2] != '.') {
        last--;
    }
    memmove(last, e, strlen(e) + 1);
}

/* The text, and the text with its last digit one lower, one higher, and more digits behind. */
static void check_around(const char *text)
{
    char other[TEXT_BYTES];
    const char *e = strchr(text, 'e');
    size_t n = (size_t)(e - text);
    const char *behind[] = {"1", "0", "000000000000000000000000001", "5", "999999"};
    check(text);
    for (size_t i = 0; i < COUNT(behind); i++) {
        sprintf(other, "%.*s%s%s", (int)n, text, behind[i], e);
        check(other);
    }
    strcpy(other, text);
    if (other[n - 1] > '0') {
        other[n - 1]--;
        check(other);
        sprintf(other, "%.*s%c999%s", (int)n - 1, text, text[n - 1] - 1, e);
        check(other);
    }
    /* cut short: below the halfway point by less than any fixed number of digits shows */
    size_t cut = n > 24 ? 22 : n - 1;
    sprintf(other, "%.*s%s", (int)cut, text, e);
    check(other);
}

static void halfway_points_go_to_even_and_their_neighbours_do_not(void **state)
{
    (void)state;
    random_state r = {SEED + 1};
    char text[TEXT_BYTES];
    for (int i = 0; i < 3000; i++) {
        const format *f = formats[random_below(&r, FORMATS)];
        /* one bit more than the format has; short ones are halfway between subnormals */
        uint64_t m = draw_significand(&r, f);
        int unit = (int)random_below(&r, (uint64_t)(f->max_unit - f->min_unit + 1)) + f->min_unit;
        if (random_below(&r, 4) == 0) {
            m >>= random_below(&r, (uint64_t)f->precision);
            unit = f->min_unit;
        }
        write_exact(2 * m + 1, unit - 1, text);
        check_around(text);
    }
    for (int i = 0; i < FORMATS; i++) {
        const format *f = formats[i];
        write_exact(1, f->min_unit - 1, text); /* half the smallest */
        check_around(text);
        write_exact(2 * ((hidden(f) << 1) - 1) + 1, f->max_unit - 1, text); /* on to infinity */
        check_around(text);
        write_exact(2 * hidden(f) - 1, f->min_unit - 1, text); /* subnormal to normal */
        check_around(text);
    }
}

int main(void)
{
    print_message("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_texts_round_as_mpfr_and_strtod_do),
        cmocka_unit_test(halfway_points_go_to_even_and_their_neighbours_do_not),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    return failures;
}
