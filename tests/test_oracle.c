/* test_oracle.c - the judges judged: the two oracles agree, and know what is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "generate.h"
#include "oracle.h"

static void formats_read_back_every_value(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++) {
        const format *f = formats[i];
        random_state r = {7};
        for (uint32_t k = 0; k < 1 << 16; k++) {
            uint64_t bits = f->width == 16 ? k : random_bits(&r) >> (64 - f->width);
            uint64_t magnitude = bits & (f->minus - 1);
            assert_int_equal(format_encode(f, format_decode(f, bits)),
                             magnitude > f->inf ? f->nan : bits);
        }
        assert_int_equal(format_encode(f, 1),
                         format_encode(f, 0.5) + ((uint64_t)1 << (f->precision - 1)));
    }
    assert_int_equal(format_encode(&format_f64, -DBL_MAX), bits_f64(-DBL_MAX));
    assert_int_equal(format_encode(&format_f32, FLT_MIN / 2), bits_f32(FLT_MIN / 2));
    assert_true(format_decode(&format_f16, 0x7bff) == 65504);
    assert_true(format_decode(&format_bf16, 0x3f80) == 1);
}

static void both_say(const double *x, size_t n, const format *f, uint64_t expected)
{
    assert_int_equal(oracle_mpfr_sum(x, n, f), expected);
    assert_int_equal(oracle_bigint_sum(x, n, f), expected);
}

static void oracles_know_what_is_known(void **state)
{
    (void)state;
    double tie[] = {0x1p24, 1, 0x1p-60};
    double tenth[] = {0.1, 0.1, 0.1};
    double top[] = {DBL_MAX, 0x1p970};
    double third[] = {1, 0, 0};

    both_say(tie, 2, &format_f32, bits_f32(0x1p24f));
    both_say(tie, 3, &format_f32, bits_f32(0x1p24f + 2));
    both_say(tenth, 3, &format_f64, bits_f64(0x1.3333333333334p-2)); /* a tie: to even */
    both_say(top, 2, &format_f64, bits_f64(INFINITY));
    both_say(top, 1, &format_f16, 0x7c00);
    assert_int_equal(oracle_mpfr_mean(third, 3, &format_f64), bits_f64(1.0 / 3));
    assert_int_equal(oracle_bigint_mean(third, 3, &format_f64), bits_f64(1.0 / 3));
}

static void oracles_agree_on_every_generator(void **state)
{
    enum { ROOM = 600, ROUNDS = 400 };
    static double x[ROOM];
    random_state r = {20};

    (void)state;
    for (size_t i = 0; i < n_generators * ROUNDS; i++) {
        const format *in = formats[i / n_generators % FORMATS];
        size_t n = generators[i % n_generators].fill(&r, in, x, ROOM);
        for (int k = 0; k < FORMATS; k++) {
            uint64_t sum = oracle_bigint_sum(x, n, formats[k]);
            assert_int_equal(oracle_mpfr_sum(x, n, formats[k]), sum);
            if (n > 0) {
                uint64_t mean = oracle_bigint_mean(x, n, formats[k]);
                assert_int_equal(oracle_mpfr_mean(x, n, formats[k]), mean);
            }
        }
    }
}

static int end(void **state)
{
    (void)state;
    oracle_mpfr_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_read_back_every_value),
        cmocka_unit_test(oracles_know_what_is_known),
        cmocka_unit_test(oracles_agree_on_every_generator),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
