/*
 * test_decimal.c - exact decimals against GMP's integers and MPFR's decimal expansions.
 */
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "expect.h"
#include "io/decimal.h"
#include "io/number.h"
#include "text_oracle.h"

enum { SEED = 55 };

static decimal *zero(void)
{
    decimal *d = decimal_alloc();
    assert_non_null(d);
    return d;
}

static void add_text(decimal *d, const char *text)
{
    assert_true(decimal_add_integer(d, text, strlen(text)));
}

static void add_doubles(decimal *d, const double *x, size_t n)
{
    tally_state state;
    tally_state_init(&state);
    tally_state_add_f64(&state, x, n);
    assert_true(decimal_add_state(d, &state));
}

static void expect_text(const decimal *d, const char *right)
{
    char *text = decimal_print(d);
    assert_non_null(text);
    assert_string_equal(text, right);
    free(text);
}

static void integers_add_with_carries_and_signs(void **state)
{
    (void)state;
    decimal *d = zero();
    expect_text(d, "0");
    add_text(d, "-000");
    expect_text(d, "0");
    add_text(d, "18446744073709551615");
    add_text(d, "1");
    expect_text(d, "18446744073709551616"); /* case 55 */
    add_text(d, "-18446744073709551617");
    expect_text(d, "-1");
    add_text(d, "+000000000000000000000000000001");
    expect_text(d, "0");
    add_text(d, "999999999999999999999999999");
    add_text(d, "1");
    expect_text(d, "1000000000000000000000000000");
    add_text(d, "-1");
    expect_text(d, "999999999999999999999999999");
    add_text(d, "-1000000000000000000000000000");
    expect_text(d, "-1");
    decimal_free(d);
    decimal_free(NULL);
}

/* A random integer of up to n digits, its sign written in any of the three ways. */
static void draw_integer(random_state *r, size_t n, char *text)
{
    const char *sign[] = {"", "+", "-"};
    char *p = text + sprintf(text, "%s", sign[random_below(r, 3)]);
    char same = random_below(r, 4) == 0 ? '9' : random_below(r, 8) == 0 ? '0' : '\0';
    for (size_t length = 1 + (size_t)random_below(r, n); length > 0; length--) {
        *p++ = same ? same : (char)('0' + random_below(r, 10));
    }
    *p = '\0';
}

static void random_integers_add_as_in_gmp(void **state)
{
    (void)state;
    random_state r = {SEED};
    mpz_t sum, x;
    mpz_inits(sum, x, NULL);
    decimal *d = zero(), *before = zero();
    for (int i = 0; i < 20000; i++) {
        char text[128];
        draw_integer(&r, 80, text);
        assert_true(decimal_set(before, d));
        int order = mpz_set_str(x, text[0] == '+' ? text + 1 : text, 10);
        assert_int_equal(order, 0);
        if (random_below(&r, 50) == 0) {
            /* the very opposite of the sum: back to zero, or next to it */
            mpz_neg(x, sum);
            if (random_coin(&r)) {
                mpz_sub_ui(x, x, 1);
            }
            mpz_get_str(text, 10, x);
        }
        add_text(d, text);
        mpz_add(sum, sum, x);
        char *right = mpz_get_str(NULL, 10, sum);
        expect_text(d, right);
        free(right);
        assert_int_equal(decimal_compare(d, before), mpz_sgn(x));
        assert_int_equal(decimal_compare(before, d), -mpz_sgn(x));
        assert_int_equal(decimal_compare(d, d), 0);
    }
    decimal_free(before);
    decimal_free(d);
    mpz_clears(sum, x, NULL);
}

static void a_long_integer_takes_linear_time(void **state)
{
    (void)state;
    /* quadratic work on a million digits would run into the test's time limit */
    size_t n = 1000000;
    char *nines = malloc(n + 1);
    assert_non_null(nines);
    memset(nines, '9', n);
    nines[n] = '\0';
    decimal *d = zero();
    add_text(d, nines);
    add_text(d, "1");
    char *text = decimal_print(d);
    assert_non_null(text);
    assert_int_equal(strlen(text), n + 1);
    assert_true(text[0] == '1');
    assert_int_equal(strspn(text + 1, "0"), n);
    free(text);
    uint64_t bits;
    assert_true(decimal_round_quotient(d, 3, TALLY_TYPE_F64, &bits));
    assert_true(bits == format_f64.inf);
    decimal_free(d);
    free(nines);
}

static void states_add_their_exact_value(void **state)
{
    (void)state;
    decimal *d = zero();
    add_doubles(d, (double[]){0.5}, 1);
    expect_text(d, "0.5");
    add_doubles(d, (double[]){-0.75}, 1);
    expect_text(d, "-0.25");
    add_text(d, "12");
    expect_text(d, "11.75");
    add_doubles(d, (double[]){0.25, -0.0}, 2);
    expect_text(d, "12");
    add_doubles(d, (double[]){0.1}, 1);
    expect_text(d, "12.1000000000000000055511151231257827021181583404541015625");
    add_text(d, "-13");
    expect_text(d, "-0.8999999999999999944488848768742172978818416595458984375");
    tally_state empty;
    tally_state_init(&empty);
    assert_true(decimal_add_state(d, &empty));
    expect_text(d, "-0.8999999999999999944488848768742172978818416595458984375");
    decimal_free(d);
}

static void random_doubles_print_as_in_mpfr(void **state)
{
    (void)state;
    random_state r = {SEED + 1};
    mpfr_t exact;
    mpfr_init2(exact, 53);
    for (int i = 0; i < 3000; i++) {
        double x = draw_value(&r, i % 2 ? &format_f64 : &format_f32);
        char right[1600];
        mpfr_set_d(exact, x, MPFR_RNDN);
        int length = mpfr_snprintf(right, sizeof right, "%.1075Rf", exact);
        assert_in_range(length, 1, sizeof right - 1);
        while (right[length - 1] == '0') {
            right[--length] = '\0';
        }
        if (right[length - 1] == '.') {
            right[--length] = '\0';
        }
        decimal *d = zero();
        add_doubles(d, &x, 1);
        expect_text(d, x == 0 ? "0" : right);
        /* and the total of many, which carry everywhere, comes back to nothing */
        double y[3] = {draw_value(&r, &format_f64), draw_value(&r, &format_f64), -x};
        add_doubles(d, y, 3);
        for (int j = 0; j < 2; j++) {
            y[j] = -y[j];
        }
        add_doubles(d, y, 2);
        expect_text(d, "0");
        decimal_free(d);
    }
    mpfr_clear(exact);
    mpfr_free_cache();
}

static void states_need_not_be_canonical(void **state)
{
    (void)state;
    tally_state s;
    tally_state_init(&s);
    s.word[TALLY_STATE_COUNT] = 5;
    s.word[TALLY_STATE_INTEGER] = 5;
    s.word[TALLY_STATE_NONTRIVIAL] = 1;
    s.word[TALLY_STATE_LIMB] = -3 * ((int64_t)1 << 32) - 7;
    s.word[TALLY_STATE_LIMB + 1] = 4;
    tally_state copy = s;
    decimal *d = zero();
    assert_true(decimal_add_state(d, &s));
    expect_text(d, "4294967289"); /* 4 2^32 - 3 2^32 - 7 */
    assert_memory_equal(&s, &copy, sizeof s);
    s.word[TALLY_STATE_LIMB + 1] = -1;
    assert_true(decimal_add_state(d, &s));
    expect_text(d, "-12884901902"); /* and - 4 2^32 - 7 */
    decimal_free(d);
}

static void integer_states_reach_past_64_bits(void **state)
{
    (void)state;
    tally_state s;
    tally_state_init(&s);
    const uint64_t x[] = {UINT64_MAX, UINT64_MAX, 1};
    const tally_array array = tally_array_dense(TALLY_TYPE_U64, x, COUNT(x));
    assert_int_equal(tally_state_add(&s, &array, TALLY_NAN_PROPAGATE), TALLY_OK);
    decimal *d = zero();
    assert_true(decimal_add_state(d, &s));
    expect_text(d, "36893488147419103231");
    decimal_free(d);
}

static void comparison_is_by_value(void **state)
{
    (void)state;
    decimal *a = zero(), *b = zero();
    assert_int_equal(decimal_compare(a, b), 0);
    add_doubles(a, (double[]){0.5}, 1);
    assert_int_equal(decimal_compare(a, b), 1);
    add_doubles(b, (double[]){0.5, 0x1p-1074}, 2);
    assert_int_equal(decimal_compare(a, b), -1);
    add_doubles(a, (double[]){0x1p-1074}, 1);
    assert_int_equal(decimal_compare(a, b), 0);
    add_text(a, "-2");
    assert_int_equal(decimal_compare(a, b), -1);
    assert_int_equal(decimal_compare(b, a), 1);
    add_text(b, "-3");
    assert_int_equal(decimal_compare(a, b), 1);
    assert_true(decimal_set(b, a));
    assert_true(decimal_set(a, a));
    assert_int_equal(decimal_compare(a, b), 0);
    decimal_free(a);
    decimal_free(b);
}

/* d / n by GMP's fractions: exact, then one rounding by MPFR's own division of integers. */
static uint64_t quotient_oracle(const mpz_t sum, uint64_t n, const format *f)
{
    const text_format t = {f->precision, f->min_unit, f->max_unit + f->precision};
    mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t top, bottom, quotient;
    mpfr_init2(top, 4096);
    mpfr_init2(bottom, 64);
    mpfr_init2(quotient, f->precision);
    mpfr_set_z(top, sum, MPFR_RNDN);
    mpfr_set_ui(bottom, n, MPFR_RNDN);
    int order = mpfr_div(quotient, top, bottom, MPFR_RNDN);
    mpfr_set_emin(t.min_unit + 1);
    mpfr_set_emax(t.top);
    order = mpfr_check_range(quotient, order, MPFR_RNDN);
    mpfr_subnormalize(quotient, order, MPFR_RNDN);
    uint64_t bits = text_oracle_encode(quotient, &t);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    mpfr_clears(top, bottom, quotient, (mpfr_ptr)0);
    return bits;
}

static void quotients_are_rounded_once(void **state)
{
    (void)state;
    random_state r = {SEED + 2};
    mpz_t sum;
    mpz_init(sum);
    for (int i = 0; i < 4000; i++) {
        char text[512];
        draw_integer(&r, i % 4 == 0 ? 400 : 20, text);
        uint64_t n = random_bits(&r) >> random_below(&r, 64);
        n += n == 0;
        mpz_set_str(sum, text[0] == '+' ? text + 1 : text, 10);
        if (i % 2) {
            /* a halfway point of f64 times n, and one less or more */
            mpz_set_ui(sum, 2 * draw_significand(&r, &format_f64) + 1);
            mpz_mul_ui(sum, sum, n);
            mpz_mul_2exp(sum, sum, random_below(&r, 100));
            mpz_add_ui(sum, sum, random_below(&r, 3));
            mpz_sub_ui(sum, sum, 1);
            mpz_get_str(text, 10, sum);
        }
        decimal *d = zero();
        add_text(d, text);
        for (int j = 0; j < FORMATS; j++) {
            uint64_t bits, right = quotient_oracle(sum, n, formats[j]);
            assert_true(decimal_round_quotient(d, n, formats[j]->type, &bits));
            if (bits != right) {
                fail_msg("%s / %llu as %s: %llx, not %llx", text, (unsigned long long)n,
                         formats[j]->name, (unsigned long long)bits, (unsigned long long)right);
            }
        }
        decimal_free(d);
    }
    mpz_clear(sum);
}

static void quotients_of_fractions_reach_the_smallest_numbers(void **state)
{
    (void)state;
    uint64_t bits;
    decimal *d = zero();
    assert_true(decimal_round_quotient(d, 7, TALLY_TYPE_F64, &bits));
    assert_true(bits == 0);
    add_doubles(d, (double[]){0x1p-1074, 0x1p-1074, 0x1p-1074}, 3);
    assert_true(decimal_round_quotient(d, 2, TALLY_TYPE_F64, &bits)); /* 1.5: to even */
    assert_true(bits == 2);
    assert_true(decimal_round_quotient(d, 6, TALLY_TYPE_F64, &bits)); /* 0.5: to even */
    assert_true(bits == 0);
    assert_true(decimal_round_quotient(d, 5, TALLY_TYPE_F64, &bits)); /* 0.6 */
    assert_true(bits == 1);
    assert_true(decimal_round_quotient(d, UINT64_MAX, TALLY_TYPE_F64, &bits));
    assert_true(bits == 0);
    decimal_free(d);

    d = zero();
    add_doubles(d, (double[]){-1.0, -0x1p-1074}, 2);
    assert_true(decimal_round_quotient(d, 1, TALLY_TYPE_F64, &bits));
    assert_true(bits == bits_f64(-1.0));
    add_doubles(d, (double[]){-0x1p-53}, 1); /* a halfway point and 2^-1074 more */
    assert_true(decimal_round_quotient(d, 1, TALLY_TYPE_F64, &bits) && bits == bits_f64(-1.0) + 1);
    add_doubles(d, (double[]){0x1p-1074}, 1);
    assert_true(decimal_round_quotient(d, 1, TALLY_TYPE_F64, &bits) && bits == bits_f64(-1.0));
    decimal_free(d);

    d = zero();
    add_doubles(d, (double[]){5.4, 5.4, 5.4}, 3);
    assert_true(decimal_round_quotient(d, 3, TALLY_TYPE_F64, &bits) && bits == bits_f64(5.4));
    decimal_free(d);
}

int main(void)
{
    print_message("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_add_with_carries_and_signs),
        cmocka_unit_test(random_integers_add_as_in_gmp),
        cmocka_unit_test(a_long_integer_takes_linear_time),
        cmocka_unit_test(states_add_their_exact_value),
        cmocka_unit_test(random_doubles_print_as_in_mpfr),
        cmocka_unit_test(states_need_not_be_canonical),
        cmocka_unit_test(integer_states_reach_past_64_bits),
        cmocka_unit_test(comparison_is_by_value),
        cmocka_unit_test(quotients_are_rounded_once),
        cmocka_unit_test(quotients_of_fractions_reach_the_smallest_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
