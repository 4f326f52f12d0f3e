/* test_reduce.c - the contract of tally_reduce(), op by op and type by type. */
#include "expect.h"

#include <float.h>
#include <math.h>

#include "typed.h"

static const tally_op ops[] = {TALLY_OP_SUM, TALLY_OP_MEAN,   TALLY_OP_MIN,
                               TALLY_OP_MAX, TALLY_OP_ARGMIN, TALLY_OP_ARGMAX};

/* The default result type by the header's table. */
static tally_type default_result(tally_op op, tally_type type)
{
    switch (op) {
    case TALLY_OP_SUM:
        return typed_format(type)     ? TALLY_TYPE_F64
               : typed_unsigned(type) ? TALLY_TYPE_U64
                                      : TALLY_TYPE_I64;
    case TALLY_OP_MEAN: return TALLY_TYPE_F64;
    case TALLY_OP_MIN:
    case TALLY_OP_MAX: return type;
    default: return TALLY_TYPE_U64;
    }
}

static void every_op_works_on_every_type(void **state)
{
    static const double numbers[] = {3, 1, 7, 0, 2};
    static const double expected[] = {13, 13 / 5.0, 0, 7, 3, 2};
    static const double of_bools[] = {4, 4 / 5.0, 0, 1, 3, 0};
    unsigned char data[sizeof numbers];

    (void)state;
    for (int t = 0; t < TYPES; t++) {
        typed_pack(types[t], numbers, 5, data);
        for (size_t k = 0; k < COUNT(ops); k++) {
            tally_type out = default_result(ops[k], types[t]);
            tally_value implied = reduce_dense(ops[k], types[t], TALLY_TYPE_DEFAULT, data, 5);
            tally_value asked = reduce_dense(ops[k], types[t], out, data, 5);
            double right = types[t] == TALLY_TYPE_BOOL ? of_bools[k] : expected[k];

            assert_int_equal(implied.type, out);
            assert_true(typed_number(&implied) == right);
            assert_int_equal(asked.type, out);
            assert_true(typed_number(&asked) == right);
        }
    }
}

static void negative_numbers_work_in_every_signed_type(void **state)
{
    static const double numbers[] = {-3, -1, -7, 5, -2};
    static const double expected[] = {-8, -8 / 5.0, -7, 5, 2, 3};
    unsigned char data[sizeof numbers];

    (void)state;
    for (int t = 0; t < TYPES; t++) {
        if (typed_unsigned(types[t]) || types[t] == TALLY_TYPE_BOOL) {
            continue;
        }
        typed_pack(types[t], numbers, 5, data);
        for (size_t k = 0; k < COUNT(ops); k++) {
            tally_value value = reduce_dense(ops[k], types[t], TALLY_TYPE_DEFAULT, data, 5);
            assert_true(typed_number(&value) == expected[k]);
        }
    }
}

static void sums_and_means_come_in_any_float_type(void **state)
{
    static const double numbers[] = {3, 1, 7, 0, 2};
    unsigned char data[sizeof numbers];

    (void)state;
    for (int t = 0; t < TYPES; t++) {
        typed_pack(types[t], numbers, 5, data);
        for (int k = 0; k < FLOAT_TYPES; k++) {
            bool is_bool = types[t] == TALLY_TYPE_BOOL;
            tally_value sum = reduce_dense(TALLY_OP_SUM, types[t], types[k], data, 5);
            tally_value mean = reduce_dense(TALLY_OP_MEAN, types[t], types[k], data, 4);

            assert_int_equal(sum.type, types[k]);
            assert_int_equal(mean.type, types[k]);
            assert_true(typed_number(&sum) == (is_bool ? 4 : 13));
            assert_true(typed_number(&mean) == (is_bool ? .75 : 2.75));
        }
    }
}

static void empty_sums_are_zero_and_nothing_else_has_a_value(void **state)
{
    const double nans[] = {NAN, NAN};

    (void)state;
    for (int t = 0; t < TYPES; t++) {
        for (size_t k = 0; k < COUNT(ops); k++) {
            tally_request request = {.op = ops[k]};
            tally_array none = tally_array_dense(types[t], NULL, 0);

            if (ops[k] == TALLY_OP_SUM) {
                tally_value value = reduce_dense(ops[k], types[t], TALLY_TYPE_DEFAULT, NULL, 0);
                assert_int_equal(value.type, default_result(ops[k], types[t]));
                assert_int_equal(value.as.u64, 0);
            } else {
                expect_refusal(TALLY_ERR_EMPTY, &request, &none);
            }
        }
    }
    for (int t = 0; t < FLOAT_TYPES; t++) {
        unsigned char data[sizeof nans];
        tally_array x = tally_array_dense(types[t], data, 2);

        typed_pack(types[t], nans, 2, data);
        for (size_t k = 0; k < COUNT(ops); k++) {
            tally_request request = {.op = ops[k], .nan = TALLY_NAN_SKIP};
            tally_value value;

            if (ops[k] == TALLY_OP_SUM) {
                assert_int_equal(reduce_once(&request, &x, &value), TALLY_OK);
                assert_int_equal(bits_f64(value.as.f64), 0);
            } else {
                expect_refusal(TALLY_ERR_EMPTY, &request, &x);
            }
        }
    }
}

static void nan_propagates_as_the_canonical_one_or_is_skipped(void **state)
{
    static const double numbers[] = {4, 2, NAN, 8, NAN, 2};
    static const double skipped[] = {16, 4, 2, 8, 1, 3};

    (void)state;
    for (int t = 0; t < FLOAT_TYPES; t++) {
        const format *f = typed_format(types[t]);
        unsigned char data[sizeof numbers];
        size_t size = typed_pack(types[t], numbers, 1, data);
        tally_array x = tally_array_dense(types[t], data, 6);
        /* NaNs of either sign, quiet and signalling, with a payload */
        uint64_t odd[2] = {f->minus | f->nan | 1, f->inf | 1};

        typed_pack(types[t], numbers, 6, data);
        memcpy(data + 2 * size, &odd[0], size);
        memcpy(data + 4 * size, &odd[1], size);
        for (size_t k = 0; k < COUNT(ops); k++) {
            tally_request request = {.op = ops[k], .nan = TALLY_NAN_SKIP};
            tally_value value = reduce_dense(ops[k], types[t], TALLY_TYPE_DEFAULT, data, 6);

            if (ops[k] >= TALLY_OP_ARGMIN) {
                assert_int_equal(value.as.u64, 2);
            } else {
                assert_int_equal(bits_value(&value), typed_format(value.type)->nan);
            }
            assert_int_equal(reduce_once(&request, &x, &value), TALLY_OK);
            assert_true(typed_number(&value) == skipped[k]);
        }
    }
}

static void infinities_add_up_as_in_arithmetic(void **state)
{
    static const struct {
        double x[3], sum;
    } rows[] = {
        {{INFINITY, 1, INFINITY}, INFINITY}, {{-INFINITY, 1, 2}, -INFINITY},
        {{INFINITY, -INFINITY, 1}, NAN},     {{-INFINITY, 5, INFINITY}, NAN},
        {{NAN, INFINITY, 1}, NAN},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int t = 0; t < FLOAT_TYPES; t++) {
            for (int k = 0; k < FLOAT_TYPES; k++) {
                const format *out = typed_format(types[k]);
                uint64_t bits = format_encode(out, rows[i].sum);
                unsigned char data[24];

                typed_pack(types[t], rows[i].x, 3, data);
                tally_value sum = reduce_dense(TALLY_OP_SUM, types[t], types[k], data, 3);
                tally_value mean = reduce_dense(TALLY_OP_MEAN, types[t], types[k], data, 3);
                assert_int_equal(bits_value(&sum), bits);
                assert_int_equal(bits_value(&mean), bits);
            }
        }
    }
}

static void zeros_have_the_sign_of_the_contract(void **state)
{
    static const struct {
        double x[2], sum, min, max;
        uint64_t argmin, argmax;
    } rows[] = {
        {{-0.0, -0.0}, -0.0, -0.0, -0.0, 0, 0},
        {{-0.0, 0.0}, 0.0, -0.0, 0.0, 0, 0},
        {{0.0, -0.0}, 0.0, -0.0, 0.0, 0, 0},
        {{0.0, 0.0}, 0.0, 0.0, 0.0, 0, 0},
        {{1, -1}, 0.0, -1, 1, 1, 0},
        {{-0.0, -1}, -1, -1, -0.0, 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int t = 0; t < FLOAT_TYPES; t++) {
            const format *f = typed_format(types[t]);
            unsigned char data[16];
            tally_value v[6];

            typed_pack(types[t], rows[i].x, 2, data);
            for (size_t k = 0; k < COUNT(ops); k++) {
                v[k] = reduce_dense(ops[k], types[t], TALLY_TYPE_DEFAULT, data, 2);
            }
            assert_int_equal(bits_value(&v[0]), bits_f64(rows[i].sum));
            assert_int_equal(bits_value(&v[1]), bits_f64(rows[i].sum / 2));
            assert_int_equal(bits_value(&v[2]), format_encode(f, rows[i].min));
            assert_int_equal(bits_value(&v[3]), format_encode(f, rows[i].max));
            assert_int_equal(v[4].as.u64, rows[i].argmin);
            assert_int_equal(v[5].as.u64, rows[i].argmax);
        }
    }
}

static void integer_sums_use_the_whole_range(void **state)
{
    const int64_t top[] = {INT64_MAX, 1, -1}, bottom[] = {INT64_MIN, -1, 1};
    const uint64_t all[] = {(uint64_t)1 << 63, ((uint64_t)1 << 63) - 1};

    (void)state;
    assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_I64, 0, top, 3).as.i64, INT64_MAX);
    assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_I64, 0, bottom, 3).as.i64, INT64_MIN);
    assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_U64, 0, all, 2).as.u64, UINT64_MAX);
}

static void integer_sums_beyond_the_range_are_refused_or_floats(void **state)
{
    const int64_t top[] = {INT64_MAX, 1}, bottom[] = {INT64_MIN, -1};
    const uint64_t all[] = {UINT64_MAX, 1};
    tally_array rows[] = {tally_array_dense(TALLY_TYPE_I64, top, 2),
                          tally_array_dense(TALLY_TYPE_I64, bottom, 2),
                          tally_array_dense(TALLY_TYPE_U64, all, 2)};
    static const double as_f64[] = {0x1p63, -0x1p63, 0x1p64};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tally_request sum = {.op = TALLY_OP_SUM};
        expect_refusal(TALLY_ERR_OVERFLOW, &sum, &rows[i]);
        tally_value value =
            reduce_dense(TALLY_OP_SUM, rows[i].type, TALLY_TYPE_F64, rows[i].data, 2);
        assert_true(value.as.f64 == as_f64[i]);
    }
}

static void integers_round_once_to_any_float_type(void **state)
{
    const int64_t x[] = {((int64_t)1 << 53) + 1, 0, 0}, y[] = {(int64_t)1 << 53, 1, 1};
    const int64_t tie[] = {65519, 1}, mean[] = {INT64_MAX, INT64_MAX, INT64_MAX - 3};

    (void)state;
    assert_true(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_I64, TALLY_TYPE_F64, x, 3).as.f64 == 0x1p53);
    assert_true(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_I64, TALLY_TYPE_F64, y, 3).as.f64 ==
                0x1p53 + 2);
    assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_I64, TALLY_TYPE_F16, tie, 1).as.f16,
                     0x7bff);
    assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_I64, TALLY_TYPE_F16, tie, 2).as.f16,
                     0x7c00);
    /* INT64_MAX - 1 on average: far above 2^53, rounds to 2^63 */
    assert_true(reduce_dense(TALLY_OP_MEAN, TALLY_TYPE_I64, 0, mean, 3).as.f64 == 0x1p63);
    /* 2^52 + 1/2 is a tie */
    assert_true(reduce_dense(TALLY_OP_MEAN, TALLY_TYPE_I64, 0, x, 2).as.f64 == 0x1p52);
}

static void any_byte_but_zero_is_true(void **state)
{
    unsigned char data[300];

    (void)state;
    for (int i = 0; i < 300; i++) {
        data[i] = (unsigned char)i;
    }
    assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_BOOL, 0, data, 300).as.i64, 298);
    tally_value max = reduce_dense(TALLY_OP_MAX, TALLY_TYPE_BOOL, 0, data, 300);
    assert_int_equal(max.type, TALLY_TYPE_BOOL);
    assert_int_equal(max.as.u64, 1);
    assert_int_equal(reduce_dense(TALLY_OP_ARGMAX, TALLY_TYPE_BOOL, 0, data, 300).as.u64, 1);
    assert_int_equal(reduce_dense(TALLY_OP_ARGMIN, TALLY_TYPE_BOOL, 0, data + 1, 299).as.u64, 255);
}

static void no_request_is_a_plain_sum(void **state)
{
    const float x[] = {1, 2, 3.5f};
    tally_array array = tally_array_dense(TALLY_TYPE_F32, x, 3);
    tally_value value;

    (void)state;
    assert_int_equal(reduce_once(NULL, &array, &value), TALLY_OK);
    assert_int_equal(value.type, TALLY_TYPE_F64);
    assert_true(value.as.f64 == 6.5);
    assert_true(tally_sum_f32(x, 3) == 6.5f);
    assert_true(tally_sum_f64(NULL, 0) == 0 && !signbit(tally_sum_f64(NULL, 0)));
    assert_true(tally_sum_f32(NULL, 0) == 0 && !signbit(tally_sum_f32(NULL, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_op_works_on_every_type),
        cmocka_unit_test(negative_numbers_work_in_every_signed_type),
        cmocka_unit_test(sums_and_means_come_in_any_float_type),
        cmocka_unit_test(empty_sums_are_zero_and_nothing_else_has_a_value),
        cmocka_unit_test(nan_propagates_as_the_canonical_one_or_is_skipped),
        cmocka_unit_test(infinities_add_up_as_in_arithmetic),
        cmocka_unit_test(zeros_have_the_sign_of_the_contract),
        cmocka_unit_test(integer_sums_use_the_whole_range),
        cmocka_unit_test(integer_sums_beyond_the_range_are_refused_or_floats),
        cmocka_unit_test(integers_round_once_to_any_float_type),
        cmocka_unit_test(any_byte_but_zero_is_true),
        cmocka_unit_test(no_request_is_a_plain_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
