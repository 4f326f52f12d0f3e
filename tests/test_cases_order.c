/* test_cases_order.c - numbered cases about special values, extremes, segments and order. */
#include "expect.h"

#include <float.h>
#include <math.h>

#include "draw.h"
#include "typed.h"

/* The op on some numbers as elements of a type; EMPTY gives status only. */
static tally_status ask(tally_op op, tally_nan nan, tally_type type, const double *numbers,
                        size_t n, tally_value *value)
{
    static unsigned char data[8 * 2100];
    tally_array array = tally_array_dense(type, data, n);
    tally_request request = {.op = op, .nan = nan};

    assert_true(n <= 2100);
    typed_pack(type, numbers, n, data);
    return reduce_once(&request, &array, value);
}

static double number_of(tally_op op, tally_nan nan, tally_type type, const double *numbers,
                        size_t n)
{
    tally_value value = {0};

    assert_int_equal(ask(op, nan, type, numbers, n, &value), TALLY_OK);
    return typed_number(&value);
}

static void case_21_empty_has_a_sum_and_nothing_else(void **state)
{
    tally_value value;

    (void)state;
    for (int t = 0; t < TYPES; t++) {
        assert_int_equal(ask(TALLY_OP_SUM, 0, types[t], NULL, 0, &value), TALLY_OK);
        assert_int_equal(value.as.u64, 0);
        for (int op = TALLY_OP_MEAN; op <= TALLY_OP_ARGMAX; op++) {
            assert_int_equal(ask((tally_op)op, 0, types[t], NULL, 0, &value), TALLY_ERR_EMPTY);
        }
    }
}

static void case_22_nan_in_min_and_max(void **state)
{
    static const double rows[][4] = {{3, 1, 7, NAN}, {NAN, 3, 1, 7}, {3, NAN, 1, 7}};
    static const double down[] = {-INFINITY, NAN}, none[] = {NAN, NAN};
    static double thousand[1000];
    tally_value value;

    (void)state;
    for (int t = 0; t < 2; t++) { /* f64, f32 */
        for (size_t i = 0; i < COUNT(rows); i++) {
            assert_true(isnan(number_of(TALLY_OP_MIN, 0, types[t], rows[i], 4)));
            assert_true(isnan(number_of(TALLY_OP_MAX, 0, types[t], rows[i], 4)));
            assert_true(number_of(TALLY_OP_MIN, TALLY_NAN_SKIP, types[t], rows[i], 4) == 1);
            assert_true(number_of(TALLY_OP_MAX, TALLY_NAN_SKIP, types[t], rows[i], 4) == 7);
        }
        assert_true(isnan(number_of(TALLY_OP_MIN, 0, types[t], down, 2)));
        assert_true(number_of(TALLY_OP_MIN, TALLY_NAN_SKIP, types[t], down, 2) == -INFINITY);
        assert_true(number_of(TALLY_OP_MAX, TALLY_NAN_SKIP, types[t], down, 2) == -INFINITY);
        assert_int_equal(ask(TALLY_OP_MIN, TALLY_NAN_SKIP, types[t], none, 2, &value),
                         TALLY_ERR_EMPTY);
        for (int i = 0; i < 1000; i++) {
            thousand[i] = NAN;
            assert_true(isnan(number_of(TALLY_OP_MIN, 0, types[t], thousand, 1000)));
            assert_true(isnan(number_of(TALLY_OP_MAX, 0, types[t], thousand, 1000)));
            assert_true(number_of(TALLY_OP_ARGMAX, 0, types[t], thousand, 1000) == i);
            thousand[i] = 0;
        }
    }
}

static void case_23_nan_in_argmin_and_argmax(void **state)
{
    static const double late[] = {0, NAN}, two[] = {2, NAN, 5, NAN}, one[] = {NAN};
    static double all[61];
    tally_value value;

    (void)state;
    for (int i = 0; i < 61; i++) {
        all[i] = NAN;
    }
    for (int t = 0; t < FLOAT_TYPES; t++) {
        for (int op = TALLY_OP_ARGMIN; op <= TALLY_OP_ARGMAX; op++) {
            assert_true(number_of((tally_op)op, 0, types[t], all, 58) == 0);
            assert_true(number_of((tally_op)op, 0, types[t], all, 61) == 0);
            assert_true(number_of((tally_op)op, 0, types[t], late, 2) == 1);
            assert_true(number_of((tally_op)op, 0, types[t], two, 4) == 1);
            assert_true(number_of((tally_op)op, 0, types[t], one, 1) == 0);
            assert_int_equal(ask((tally_op)op, TALLY_NAN_SKIP, types[t], all, 61, &value),
                             TALLY_ERR_EMPTY);
        }
        assert_true(number_of(TALLY_OP_ARGMAX, TALLY_NAN_SKIP, types[t], two, 4) == 2);
        assert_true(number_of(TALLY_OP_ARGMIN, TALLY_NAN_SKIP, types[t], two, 4) == 0);
    }
}

static void case_25_signed_zeros(void **state)
{
    static const double minus[] = {-0.0, -0.0}, both[] = {-0.0, 0.0}, turned[] = {0.0, -0.0};
    static const double cancel[] = {1, -1};
    double alternating[32];

    (void)state;
    for (int i = 0; i < 32; i++) {
        alternating[i] = i % 2 ? -0.0 : 0.0;
    }
    for (int t = 0; t < FLOAT_TYPES; t++) {
        assert_true(signbit(number_of(TALLY_OP_SUM, 0, types[t], minus, 2)));
        assert_false(signbit(number_of(TALLY_OP_SUM, 0, types[t], both, 2)));
        assert_false(signbit(number_of(TALLY_OP_SUM, 0, types[t], cancel, 2)));
        assert_false(signbit(number_of(TALLY_OP_SUM, 0, types[t], NULL, 0)));
        assert_false(signbit(number_of(TALLY_OP_MAX, 0, types[t], both, 2)));
        assert_false(signbit(number_of(TALLY_OP_MAX, 0, types[t], turned, 2)));
        assert_false(signbit(number_of(TALLY_OP_MAX, 0, types[t], alternating, 32)));
        assert_true(signbit(number_of(TALLY_OP_MIN, 0, types[t], both, 2)));
        assert_true(signbit(number_of(TALLY_OP_MIN, 0, types[t], turned, 2)));
        assert_true(signbit(number_of(TALLY_OP_MIN, 0, types[t], alternating, 32)));
        assert_true(number_of(TALLY_OP_ARGMAX, 0, types[t], both, 2) == 0);
        assert_true(number_of(TALLY_OP_ARGMIN, 0, types[t], turned, 2) == 0);
    }
}

static void case_26_infinities_do_not_leak(void **state)
{
    static const struct {
        double x[3], sum, mean;
        size_t n;
    } rows[] = {
        {{INFINITY, INFINITY}, INFINITY, INFINITY, 2},
        {{INFINITY, 1e308, -1e308}, INFINITY, INFINITY, 3},
        {{INFINITY, -INFINITY}, NAN, NAN, 2},
        {{NAN, 1}, NAN, NAN, 2},
        {{1e308, 1e308}, INFINITY, 1e308, 2}, /* from here on: one array's segments, in turn */
        {{1, 2}, 3, 1.5, 2},
        {{NAN, 1}, NAN, NAN, 2},
        {{3}, 3, 3, 1},
        {{INFINITY, -INFINITY}, NAN, NAN, 2},
        {{4}, 4, 4, 1},
    };
    tally_context *ctx;

    (void)state;
    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK); /* one context for all of them */
    for (size_t i = 0; i < COUNT(rows); i++) {
        tally_array x = tally_array_dense(TALLY_TYPE_F64, rows[i].x, rows[i].n);
        tally_request mean = {.op = TALLY_OP_MEAN};
        tally_value value;

        assert_int_equal(tally_reduce(ctx, NULL, &x, &value), TALLY_OK);
        assert_int_equal(bits_f64(value.as.f64), format_encode(&format_f64, rows[i].sum));
        assert_int_equal(tally_reduce(ctx, &mean, &x, &value), TALLY_OK);
        assert_int_equal(bits_f64(value.as.f64), format_encode(&format_f64, rows[i].mean));
    }
    tally_close(ctx);
}

static void case_27_the_lowest_index_wins_ties(void **state)
{
    static const double a[] = {2, 3, 0, 3, 3}, b[] = {1, 3, 1, 3, 1},
                        rows[][4] = {{1, 1, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
    static const double zeros[2001],
        constant[16] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};

    (void)state;
    for (int t = 0; t < TYPES - 1; t++) { /* bool has no 3 */
        assert_true(number_of(TALLY_OP_ARGMAX, 0, types[t], a, 5) == 1);
        assert_true(number_of(TALLY_OP_ARGMIN, 0, types[t], a, 5) == 2);
        assert_true(number_of(TALLY_OP_ARGMAX, 0, types[t], b, 5) == 1);
        assert_true(number_of(TALLY_OP_ARGMIN, 0, types[t], b, 5) == 0);
        assert_true(number_of(TALLY_OP_ARGMAX, 0, types[t], zeros, 2001) == 0);
        assert_true(number_of(TALLY_OP_ARGMIN, 0, types[t], zeros, 2001) == 0);
        assert_true(number_of(TALLY_OP_ARGMAX, 0, types[t], constant, 16) == 0);
        for (int i = 0; i < 3; i++) {
            assert_true(number_of(TALLY_OP_ARGMAX, 0, types[t], rows[i], 4) == (i == 1));
            assert_true(number_of(TALLY_OP_ARGMIN, 0, types[t], rows[i], 4) == 0);
        }
    }
}

static void case_31_empty_segments_keep_their_place(void **state)
{
    static const double data[] = {1, 2, 4, 8, 16};
    static const size_t offsets[] = {0, 0, 2, 2, 5, 5};
    static const double sums[] = {0, 3, 0, 28, 0}, maxima[] = {0, 2, 0, 16, 0};

    (void)state;
    for (int i = 0; i < 5; i++) {
        const double *at = data + offsets[i];
        size_t n = offsets[i + 1] - offsets[i];
        tally_value value;

        assert_true(number_of(TALLY_OP_SUM, 0, TALLY_TYPE_F64, at, n) == sums[i]);
        if (n == 0) {
            assert_int_equal(ask(TALLY_OP_MAX, 0, TALLY_TYPE_F64, at, n, &value), TALLY_ERR_EMPTY);
        } else {
            assert_true(number_of(TALLY_OP_MAX, 0, TALLY_TYPE_F64, at, n) == maxima[i]);
            assert_true(number_of(TALLY_OP_MEAN, 0, TALLY_TYPE_F64, at, n) ==
                        (n == 2 ? 1.5 : 9.333333333333334));
        }
    }
}

static void case_38_one_bit_pattern_for_any_order(void **state)
{
    static double tenths[250000], x[1000];
    random_state r = {38};

    (void)state;
    for (int i = 0; i < 250000; i++) {
        tenths[i] = .1;
    }
    assert_true(tally_sum_f64(tenths, 250000) == 25000);
    for (int i = 0; i < 1000; i++) {
        static const double scale[] = {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3};
        x[i] = (i % 2 ? -1.0 : 1.0) / (i + 1) * scale[i % 7];
    }
    for (int round = 0; round < 100; round++) {
        assert_int_equal(bits_f64(tally_sum_f64(x, 1000)), 0x4055f91689728813);
        random_shuffle(&r, x, 1000);
    }
}

static void case_39_the_address_does_not_matter(void **state)
{
    static unsigned char data[64 + 430 * 8];
    double x[430], total[131];

    (void)state;
    for (int i = 0; i < 430; i++) {
        x[i] = 1.0 / (i + 1);
    }
    for (size_t n = 0; n <= 130; n++) {
        total[n] = tally_sum_f64(x, n);
    }
    for (size_t shift = 0; shift < 64; shift++) {
        memcpy(data + shift, x, sizeof x);
        tally_value value = reduce_dense(TALLY_OP_SUM, TALLY_TYPE_F64, 0, data + shift, 430);
        assert_int_equal(bits_f64(value.as.f64), 0x401a91933bc44dfc);
        for (size_t n = 1; n <= 130; n++) {
            value = reduce_dense(TALLY_OP_SUM, TALLY_TYPE_F64, 0, data + shift, n);
            assert_int_equal(bits_f64(value.as.f64), bits_f64(total[n]));
        }
    }
}

static void case_41_no_tail_is_dropped_or_read_twice(void **state)
{
    static const size_t sizes[] = {1,    2,    3,    31,   32,   33,   63,    64,      65,
                                   127,  128,  129,  255,  256,  257,  511,   512,     513,
                                   1023, 1024, 1025, 4095, 4096, 4097, 82369, 1048576, 1048577};
    static int32_t ints[1048577 + 8];
    static float floats[1048577 + 8];

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        size_t n = sizes[i];
        for (size_t k = 0; k < n + 8; k++) {
            ints[k] = k < n ? 1 : 99;
            floats[k] = k < n ? 1 : 99;
        }
        for (int t = 0; t < 2; t++) {
            tally_type type = t ? TALLY_TYPE_F32 : TALLY_TYPE_I32;
            const void *data = t ? (const void *)floats : ints;
            static const double right[] = {0, 1, 1, 1, 0, 0};
            for (int op = 0; op <= TALLY_OP_ARGMAX; op++) {
                tally_value value = reduce_dense((tally_op)op, type, 0, data, n);
                assert_true(typed_number(&value) == (op == 0 ? (double)n : right[op]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_21_empty_has_a_sum_and_nothing_else),
        cmocka_unit_test(case_22_nan_in_min_and_max),
        cmocka_unit_test(case_23_nan_in_argmin_and_argmax),
        cmocka_unit_test(case_25_signed_zeros),
        cmocka_unit_test(case_26_infinities_do_not_leak),
        cmocka_unit_test(case_27_the_lowest_index_wins_ties),
        cmocka_unit_test(case_31_empty_segments_keep_their_place),
        cmocka_unit_test(case_38_one_bit_pattern_for_any_order),
        cmocka_unit_test(case_39_the_address_does_not_matter),
        cmocka_unit_test(case_41_no_tail_is_dropped_or_read_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
