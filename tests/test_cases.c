/*
 * test_cases.c - bugs that others had, as numbered cases: those about sums, means and rounding.
 * test_cases_order.c has the ones about extremes and order, test_cases_long.c the large ones.
 */
#include "expect.h"

#include <float.h>
#include <math.h>

#include "oracle.h"
#include "typed.h"

/* n times the same element, by stride 0. */
static tally_value repeated(tally_op op, tally_type type, tally_type out, double number, size_t n)
{
    unsigned char element[8];
    tally_array array = {element, n, 0, type};
    tally_request request = {.op = op, .out = out};
    tally_value value = {0};

    typed_put(type, element, number);
    assert_int_equal(reduce_once(&request, &array, &value), TALLY_OK);
    return value;
}

static double f64_of(tally_op op, const double *x, size_t n)
{
    return reduce_dense(op, TALLY_TYPE_F64, TALLY_TYPE_F64, x, n).as.f64;
}

#define F64_OF(op, ...)                                                                            \
    f64_of(op, (const double[]){__VA_ARGS__}, COUNT(((const double[]){__VA_ARGS__})))
#define SUM(...)  F64_OF(TALLY_OP_SUM, __VA_ARGS__)
#define MEAN(...) F64_OF(TALLY_OP_MEAN, __VA_ARGS__)

static void assert_f64(double got, double expected)
{
    assert_int_equal(bits_f64(got), bits_f64(expected));
}

static void case_1_f32_sums_pass_2_to_the_24(void **state)
{
    const float x[] = {16777216, 1, 1, 1, 1}, back[] = {1, 1, 1, 1, 16777216};
    static const uint32_t bits[] = {0x4b800000, 0x4b800001, 0x4b800002, 0x4b800002};

    (void)state;
    for (size_t n = 2; n <= 5; n++) {
        assert_int_equal(bits_f32(tally_sum_f32(x, n)), bits[n - 2]);
        assert_int_equal(bits_f32(tally_sum_f32(back + 5 - n, n)), bits[n - 2]);
        assert_f64(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_F32, 0, x, n).as.f64,
                   16777216.0 + (double)(n - 1));
    }
}

static void case_2_long_f32_sums_do_not_stop_growing(void **state)
{
    const tally_type f32 = TALLY_TYPE_F32;

    (void)state;
    assert_f64(repeated(TALLY_OP_SUM, f32, 0, 1, 20000000).as.f64, 20000000);
    assert_f64(repeated(TALLY_OP_MEAN, f32, 0, 1, 20000000).as.f64, 1);
    assert_true(repeated(TALLY_OP_SUM, f32, f32, 1, ((size_t)1 << 24) + 3).as.f32 == 0x1p24f + 4);
    assert_f64(repeated(TALLY_OP_SUM, f32, 0, 0x1p-26, (size_t)1 << 25).as.f64, 0.5);
    assert_true(repeated(TALLY_OP_SUM, f32, f32, .5, 12 * 48 * 720).as.f32 == 207360);
}

static void case_3_bf16_sums_do_not_stick_at_256(void **state)
{
    static const struct {
        size_t n;
        double bf16, f32;
    } rows[] = {{257, 256, 257}, {259, 260, 259}, {512, 512, 512}, {70000, 70144, 70000}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int k = 0; k < FORMATS; k++) {
            tally_value sum =
                repeated(TALLY_OP_SUM, TALLY_TYPE_BF16, formats[k]->type, 1, rows[i].n);
            tally_value mean =
                repeated(TALLY_OP_MEAN, TALLY_TYPE_BF16, formats[k]->type, 1, rows[i].n);
            if (formats[k] == &format_bf16) {
                assert_true(typed_number(&sum) == rows[i].bf16);
            } else if (formats[k] != &format_f16) {
                assert_true(typed_number(&sum) == rows[i].f32);
            }
            assert_true(typed_number(&mean) == 1);
        }
    }
}

static void case_5_f16_means_survive_sums_beyond_f16(void **state)
{
    const tally_type f16 = TALLY_TYPE_F16;

    (void)state;
    assert_f64(repeated(TALLY_OP_MEAN, f16, 0, 500, 300).as.f64, 500);
    assert_int_equal(repeated(TALLY_OP_MEAN, f16, f16, 500, 300).as.f16,
                     format_encode(&format_f16, 500));
    assert_int_equal(repeated(TALLY_OP_SUM, f16, f16, 500, 300).as.f16, format_f16.inf);
    assert_true(repeated(TALLY_OP_SUM, f16, TALLY_TYPE_F32, 500, 300).as.f32 == 150000);
    assert_int_equal(repeated(TALLY_OP_SUM, f16, f16, 1, 65519).as.f16, 0x7bff);
    assert_int_equal(repeated(TALLY_OP_SUM, f16, f16, 1, 65520).as.f16, 0x7c00);
    assert_true(repeated(TALLY_OP_SUM, f16, TALLY_TYPE_F32, 1, 65519).as.f32 == 65519);
    assert_true(repeated(TALLY_OP_SUM, f16, TALLY_TYPE_F32, 1, 65520).as.f32 == 65520);
    assert_f64(repeated(TALLY_OP_MEAN, f16, 0, 1, 65520).as.f64, 1);
}

static void case_6_the_mean_of_equal_values_is_that_value(void **state)
{
    (void)state;
    assert_f64(repeated(TALLY_OP_MEAN, TALLY_TYPE_F64, 0, 5.4, 3).as.f64, 5.4);
    assert_f64(repeated(TALLY_OP_MEAN, TALLY_TYPE_F64, 0, 14.3, 7).as.f64, 14.3);
    assert_f64(repeated(TALLY_OP_MEAN, TALLY_TYPE_F64, 0, 1.1, 1000).as.f64, 1.1);
    assert_f64(repeated(TALLY_OP_MEAN, TALLY_TYPE_F32, 0, 2.1f, 1000).as.f64, 2.0999999046325684);
    for (size_t n = 1; n < 200; n++) {
        for (int k = 1; k < 40; k++) {
            assert_f64(repeated(TALLY_OP_MEAN, TALLY_TYPE_F64, 0, k / 7.0, n).as.f64, k / 7.0);
        }
    }
}

static void case_7_large_terms_cancel_and_small_ones_stay(void **state)
{
    (void)state;
    assert_f64(SUM(1e30, 1, 3, -1e30), 4);
    assert_f64(MEAN(1e30, 1, 3, -1e30), 1);
    assert_f64(SUM(1e16, 1, -1e16), 1);
    assert_f64(SUM(1, 1e100, 1e50, 1, -1e50, -1e100), 2);
    assert_f64(SUM(1, 0x1p-53, 0x1p-200), 0x1.0000000000001p+0);
    assert_f64(SUM(1, 0x1p-53), 1);
}

static void case_9_the_doubles_are_summed_not_their_decimals(void **state)
{
    (void)state;
    assert_f64(SUM(0.2, 21.9), 22.099999999999998);
    assert_f64(SUM(0.4, 44.4), 44.8);
    assert_f64(SUM(.05, .05, -.45, .05, .05, .05, .05, .05, .05, .05), 0x1p-56);
}

static void case_10_only_the_final_rounding_may_overflow(void **state)
{
    (void)state;
    assert_f64(SUM(1.5e308, 1.5e308, -1.5e308, -1.5e308, .25), .25);
    assert_f64(SUM(1.7e308, 1.7e308), INFINITY);
    assert_f64(MEAN(1.7e308, 1.7e308), 1.7e308);
    assert_f64(SUM(DBL_MAX, 0x1p969), DBL_MAX);
    assert_f64(SUM(DBL_MAX, 0x1p970), INFINITY);
}

static void case_15_narrow_integers_are_summed_wide(void **state)
{
    (void)state;
    assert_int_equal(repeated(TALLY_OP_SUM, TALLY_TYPE_I8, 0, 1, 100000).as.i64, 100000);
    assert_int_equal(repeated(TALLY_OP_SUM, TALLY_TYPE_U32, 0, 2e9, 3).as.u64, 6000000000);
    assert_int_equal(repeated(TALLY_OP_SUM, TALLY_TYPE_I32, 0, INT32_MAX, 8).as.i64, 17179869176);
    assert_int_equal(repeated(TALLY_OP_SUM, TALLY_TYPE_U8, 0, 255, 1000).as.u64, 255000);
    assert_int_equal(repeated(TALLY_OP_SUM, TALLY_TYPE_I32, 0, 1e9, 3).as.i64, 3000000000);
}

static void case_17_only_the_total_decides_about_integer_overflow(void **state)
{
    const int64_t big[] = {INT64_MAX, INT64_MAX},
                  orders[][3] = {{INT64_MAX, 1, -2}, {INT64_MAX, -2, 1}, {1, INT64_MAX, -2},
                                 {1, -2, INT64_MAX}, {-2, INT64_MAX, 1}, {-2, 1, INT64_MAX}};
    const uint64_t fits[] = {(uint64_t)1 << 63, ((uint64_t)1 << 63) - 1}, not [] = {UINT64_MAX, 1};
    tally_array a = tally_array_dense(TALLY_TYPE_I64, big, 2);
    tally_array d = tally_array_dense(TALLY_TYPE_U64, not, 2);
    tally_request sum = {.op = TALLY_OP_SUM};

    (void)state;
    expect_refusal(TALLY_ERR_OVERFLOW, &sum, &a);
    assert_f64(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_I64, TALLY_TYPE_F64, big, 2).as.f64,
               1.8446744073709552e19);
    for (size_t i = 0; i < COUNT(orders); i++) {
        assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_I64, 0, orders[i], 3).as.i64,
                         9223372036854775806);
    }
    assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_U64, 0, fits, 2).as.u64, UINT64_MAX);
    expect_refusal(TALLY_ERR_OVERFLOW, &sum, &d);
}

/* The mean of n times the same integer. */
static double mean_of_i64(int64_t v, size_t n)
{
    tally_array array = {&v, n, 0, TALLY_TYPE_I64};
    tally_request mean = {.op = TALLY_OP_MEAN};
    tally_value value = {0};

    assert_int_equal(reduce_once(&mean, &array, &value), TALLY_OK);
    return value.as.f64;
}

static void case_18_means_of_large_integers_do_not_wrap(void **state)
{
    const int64_t a[] = {INT64_MAX, 1};
    const int64_t c[] = {-1303487490025821099, -8371390547526583103, -2572374159461887095};
    const uint64_t f = 132542363533234561;
    tally_array u64 = {&f, 999, 0, TALLY_TYPE_U64};
    tally_request mean = {.op = TALLY_OP_MEAN};
    tally_value value = {0};

    (void)state;
    assert_f64(reduce_dense(TALLY_OP_MEAN, TALLY_TYPE_I64, 0, a, 2).as.f64, 4611686018427387904.0);
    assert_f64(mean_of_i64(20150515061816532, 500), 20150515061816532.0);
    assert_f64(reduce_dense(TALLY_OP_MEAN, TALLY_TYPE_I64, 0, c, 3).as.f64, -4.0824173990047636e18);
    assert_f64(repeated(TALLY_OP_MEAN, TALLY_TYPE_I32, 0, INT32_MAX, 2).as.f64, 2147483647);
    assert_f64(repeated(TALLY_OP_MEAN, TALLY_TYPE_I8, 0, 127, 2).as.f64, 127);
    assert_int_equal(reduce_once(&mean, &u64, &value), TALLY_OK);
    assert_f64(value.as.f64, 132542363533234560.0);
}

static void case_19_bools_are_counted(void **state)
{
    const unsigned char x[] = {1, 0, 1}, odd[] = {2, 0, 255};
    const tally_type type = TALLY_TYPE_BOOL;
    tally_value sum = reduce_dense(TALLY_OP_SUM, type, 0, x, 3);

    (void)state;
    assert_int_equal(sum.type, TALLY_TYPE_I64);
    assert_int_equal(sum.as.i64, 2);
    assert_f64(reduce_dense(TALLY_OP_MEAN, type, 0, x, 3).as.f64, 0.6666666666666666);
    assert_int_equal(reduce_dense(TALLY_OP_MAX, type, 0, x, 3).as.u64, 1);
    assert_int_equal(reduce_dense(TALLY_OP_ARGMIN, type, 0, x, 3).as.u64, 1);
    assert_int_equal(reduce_dense(TALLY_OP_SUM, type, 0, odd, 3).as.i64, 2);
    assert_int_equal(repeated(TALLY_OP_SUM, type, 0, 1, 300).as.i64, 300);
}

static void case_55_large_integers_keep_their_last_digit(void **state)
{
    const int64_t a[] = {9007199254740993, 1, 1}, zero[] = {-168067, 168067, 141091, -141091};
    const uint64_t c[] = {18446744073709551615u, 1};
    tally_array array = tally_array_dense(TALLY_TYPE_U64, c, 2);
    tally_request sum = {.op = TALLY_OP_SUM};

    (void)state;
    assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_I64, 0, a, 3).as.i64, 9007199254740995);
    assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_I64, 0, zero, 4).as.i64, 0);
    expect_refusal(TALLY_ERR_OVERFLOW, &sum, &array);
    assert_f64(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_U64, TALLY_TYPE_F64, c, 2).as.f64, 0x1p64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_1_f32_sums_pass_2_to_the_24),
        cmocka_unit_test(case_2_long_f32_sums_do_not_stop_growing),
        cmocka_unit_test(case_3_bf16_sums_do_not_stick_at_256),
        cmocka_unit_test(case_5_f16_means_survive_sums_beyond_f16),
        cmocka_unit_test(case_6_the_mean_of_equal_values_is_that_value),
        cmocka_unit_test(case_7_large_terms_cancel_and_small_ones_stay),
        cmocka_unit_test(case_9_the_doubles_are_summed_not_their_decimals),
        cmocka_unit_test(case_10_only_the_final_rounding_may_overflow),
        cmocka_unit_test(case_15_narrow_integers_are_summed_wide),
        cmocka_unit_test(case_17_only_the_total_decides_about_integer_overflow),
        cmocka_unit_test(case_18_means_of_large_integers_do_not_wrap),
        cmocka_unit_test(case_19_bools_are_counted),
        cmocka_unit_test(case_55_large_integers_keep_their_last_digit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
