/*
 * test_tree_value.c - from an accumulator to a value: result types, the one more rounding, roots,
 * overflow.
 */
#include "expect.h"

#include <math.h>

#include "draw.h"
#include "naive_tree.h"
#include "root.h"
#include "tree.h"
#include "typed.h"

static tally_item wide_item(int64_t high, uint64_t low)
{
    tally_item item = {.as.i128 = {low, (uint64_t)high}, .index = ITEM_NO_INDEX};
    return item;
}

static tally_item f32_item(float x)
{
    tally_item item = {.as.f32 = x, .index = ITEM_NO_INDEX};
    return item;
}

static tally_item f64_item(double x)
{
    tally_item item = {.as.f64 = x, .index = ITEM_NO_INDEX};
    return item;
}

static tally_value value_of(tally_op op, tally_type type, tally_item item, tally_type out)
{
    tally_value value = {0};
    assert_int_equal(tally_tree_value(op, type, 1, &item, out, &value), TALLY_OK);
    return value;
}

static void default_result_types_are_those_of_the_table(void **state)
{
    static const tally_type sums[TREE_TYPES] = {TALLY_TYPE_F32, TALLY_TYPE_F32, TALLY_TYPE_F32,
                                                TALLY_TYPE_F64, TALLY_TYPE_I64, TALLY_TYPE_I64};
    (void)state;
    for (int t = 0; t < TREE_TYPES; t++) {
        item_kind kind;
        assert_true(tally_item_kind(tree_types[t], &kind));
        tally_item item = kind == ITEM_F32   ? f32_item(4)
                          : kind == ITEM_F64 ? f64_item(4)
                                             : wide_item(0, 4);
        item.index = 77;
        for (int o = 0; o < TREE_OPS; o++) {
            tally_value value = value_of(tree_ops[o], tree_types[t], item, TALLY_TYPE_DEFAULT);
            switch (tree_ops[o]) {
            case TALLY_OP_MIN:
            case TALLY_OP_MAX:
                assert_int_equal(value.type, tree_types[t]);
                assert_true(typed_number(&value) == 4);
                break;
            case TALLY_OP_ARGMIN:
            case TALLY_OP_ARGMAX:
                assert_int_equal(value.type, TALLY_TYPE_U64);
                assert_int_equal(value.as.u64, 77);
                break;
            case TALLY_OP_NORM2:
                assert_int_equal(value.type, kind == ITEM_I128 ? TALLY_TYPE_F64 : sums[t]);
                assert_true(typed_number(&value) == 2);
                break;
            default: assert_int_equal(value.type, sums[t]); assert_true(typed_number(&value) == 4);
            }
        }
    }
}

static void floats_are_rounded_once_more_on_request(void **state)
{
    const tally_op sum = TALLY_OP_SUM;

    (void)state;
    assert_true(value_of(sum, TALLY_TYPE_F16, f32_item(0x1p-149f), TALLY_TYPE_F64).as.f64 ==
                0x1p-149);
    assert_true(value_of(sum, TALLY_TYPE_F64, f64_item(1 + 0x1p-24), TALLY_TYPE_F32).as.f32 == 1);
    assert_true(value_of(sum, TALLY_TYPE_F64, f64_item(1 + 0x1.8p-23), TALLY_TYPE_F32).as.f32 ==
                1 + 0x1p-22f);
    assert_int_equal(value_of(sum, TALLY_TYPE_F32, f32_item(2049), TALLY_TYPE_F16).as.f16, 0x6800);
    assert_int_equal(value_of(sum, TALLY_TYPE_F32, f32_item(65519), TALLY_TYPE_F16).as.f16, 0x7bff);
    assert_int_equal(value_of(sum, TALLY_TYPE_F32, f32_item(-65520), TALLY_TYPE_F16).as.f16,
                     0xfc00);
    assert_int_equal(value_of(sum, TALLY_TYPE_F32, f32_item(257), TALLY_TYPE_BF16).as.bf16, 0x4380);
    assert_int_equal(bits_f32(value_of(sum, TALLY_TYPE_F32, f32_item(NAN), TALLY_TYPE_F32).as.f32),
                     0x7fc00000);
    assert_int_equal(bits_f32(value_of(TALLY_OP_PROD, TALLY_TYPE_F32, f32_item(-0.0f), 0).as.f32),
                     0x80000000);
}

static void integers_are_rounded_once_or_refused(void **state)
{
    static const struct {
        int64_t high;
        uint64_t low;
        bool i64, u64;
        double f64;
    } rows[] = {
        {0, 0, true, true, 0},
        {-1, UINT64_MAX, true, false, -1},
        {0, INT64_MAX, true, true, 0x1p63},
        {0, (uint64_t)INT64_MAX + 1, false, true, 0x1p63},
        {0, UINT64_MAX, false, true, 0x1p64},
        {1, 0, false, false, 0x1p64},
        {-1, (uint64_t)1 << 63, true, false, -0x1p63},
        {-1, ((uint64_t)1 << 63) - 1, false, false, -0x1p63},
        {INT64_MAX, UINT64_MAX, false, false, 0x1p127},
        {INT64_MIN, 0, false, false, -0x1p127},
        {0, ((uint64_t)1 << 53) + 1, true, true, 0x1p53},
        {(int64_t)1 << 52, (uint64_t)1 << 63, false, false, 0x1p116},
        {(int64_t)1 << 52, ((uint64_t)1 << 63) + 1, false, false, 0x1p116 + 0x1p64},
    };
    tally_value value;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tally_item item = wide_item(rows[i].high, rows[i].low);
        assert_int_equal(
            tally_tree_value(TALLY_OP_SUM, TALLY_TYPE_I32, 1, &item, TALLY_TYPE_DEFAULT, &value),
            rows[i].i64 ? TALLY_OK : TALLY_ERR_OVERFLOW);
        if (rows[i].i64) {
            assert_int_equal(value.type, TALLY_TYPE_I64);
            assert_true((uint64_t)value.as.i64 == rows[i].low);
        }
        assert_int_equal(
            tally_tree_value(TALLY_OP_PROD, TALLY_TYPE_I64, 1, &item, TALLY_TYPE_U64, &value),
            rows[i].u64 ? TALLY_OK : TALLY_ERR_OVERFLOW);
        if (rows[i].u64) {
            assert_int_equal(value.type, TALLY_TYPE_U64);
            assert_true(value.as.u64 == rows[i].low);
        }
        value = value_of(TALLY_OP_NORM1, TALLY_TYPE_I64, item, TALLY_TYPE_F64);
        assert_true(value.as.f64 == rows[i].f64);
    }
}

static void a_total_that_left_128_bits_is_an_overflow_in_any_type(void **state)
{
    const int64_t lows[] = {INT64_MIN, INT64_MIN};
    tally_array x = tally_array_dense(TALLY_TYPE_I64, lows, 2);
    int64_t twos[130];
    tally_array powers = tally_array_dense(TALLY_TYPE_I64, twos, 127);
    tally_request request = {.op = TALLY_OP_NORM2, .level = TALLY_LEVEL_TREE};
    tally_value value;

    (void)state;
    /* twice 2^126: one more than 128 bits hold */
    expect_refusal(TALLY_ERR_OVERFLOW, &request, &x);
    x.n = 1;
    assert_int_equal(reduce_once(&request, &x, &value), TALLY_OK);
    assert_true(value.as.f64 == 0x1p63);
    for (int i = 0; i < 130; i++) {
        twos[i] = 2;
    }
    request =
        (tally_request){.op = TALLY_OP_PROD, .level = TALLY_LEVEL_TREE, .out = TALLY_TYPE_F64};
    expect_refusal(TALLY_ERR_OVERFLOW, &request, &powers);
    twos[0] = -2; /* -2^127 is there, 2^127 is not */
    assert_int_equal(reduce_once(&request, &powers, &value), TALLY_OK);
    assert_true(value.as.f64 == -0x1p127);
    powers.n = 128;
    expect_refusal(TALLY_ERR_OVERFLOW, &request, &powers);
}

/* libm's root is correctly rounded, too (IEEE 754 demands it). */
static void roots_are_correctly_rounded(void **state)
{
    random_state r = {12};
    static const double some[] = {0.0,       1,
                                  2,         3,
                                  4,         0x1p-1074,
                                  0x1p-1073, 0x1.fffffffffffffp1023,
                                  INFINITY,  0x1.fffffffffffffp-1023,
                                  -0.0,      0x1p-1022};
    const exact_format f64 = exact_format_of(TALLY_TYPE_F64), f32 = exact_format_of(TALLY_TYPE_F32);

    (void)state;
    for (size_t i = 0; i < COUNT(some); i++) {
        assert_true(tally_root_bits(bits_f64(some[i]), f64) == bits_f64(sqrt(some[i])));
    }
    for (int i = 0; i < 300000; i++) {
        uint64_t bits = random_bits(&r) >> 1;
        double x = f64_bits(bits);
        if (i % 4 == 0) { /* next to a square */
            x = f64_bits((bits & 0xfffffc000000) | 0x3ff0000000000000);
            x = nextafter(x * x, random_coin(&r) ? 0 : 8);
        }
        uint64_t right = isnan(x) ? 0x7ff8000000000000 : bits_f64(sqrt(x));
        assert_true(tally_root_bits(bits_f64(x), f64) == right);
        uint32_t narrow = (uint32_t)(bits >> 10) & 0x7fffffff;
        float y = f32_bits(narrow);
        assert_true(tally_root_bits(narrow, f32) == (isnan(y) ? 0x7fc00000 : bits_f32(sqrtf(y))));
    }
    assert_true(tally_root_bits(bits_f64(-1), f64) == 0x7ff8000000000000);
    assert_true(tally_root_bits(bits_f32(-INFINITY), f32) == 0x7fc00000);
    assert_true(value_of(TALLY_OP_NORM2, TALLY_TYPE_F32, f32_item(2), 0).as.f32 == sqrtf(2));
    assert_true(value_of(TALLY_OP_NORM2, TALLY_TYPE_F64, f64_item(2), 0).as.f64 == sqrt(2));
    assert_true(value_of(TALLY_OP_NORM2, TALLY_TYPE_I32, wide_item(0, 2), 0).as.f64 == sqrt(2));
    /* an integer is rounded to f64 before the root: 2^53 + 1 to 2^53 */
    tally_item odd = wide_item(0, ((uint64_t)1 << 53) + 1);
    assert_true(value_of(TALLY_OP_NORM2, TALLY_TYPE_I64, odd, 0).as.f64 == sqrt(0x1p53));
}

static void result_types_are_those_of_the_table_or_refused(void **state)
{
    (void)state;
    for (int o = 0; o < TREE_OPS; o++) {
        for (int t = 0; t < TREE_TYPES; t++) {
            for (int k = 0; k < TYPES; k++) {
                tally_type type = tree_types[t], out = types[k];
                tally_op op = tree_ops[o];
                bool integer = !typed_format(type),
                     extreme = op == TALLY_OP_MIN || op == TALLY_OP_MAX,
                     index = op == TALLY_OP_ARGMIN || op == TALLY_OP_ARGMAX,
                     wide = out == TALLY_TYPE_I64 || out == TALLY_TYPE_U64;
                bool fits = extreme ? out == type
                            : index
                                ? out == TALLY_TYPE_U64
                                : typed_format(out) || (wide && integer && op != TALLY_OP_NORM2);
                tally_request request = {.op = op, .level = TALLY_LEVEL_TREE, .out = out};
                const double zero = 0;
                tally_array x = tally_array_dense(type, &zero, 1);
                tally_value value;
                if (fits) {
                    assert_int_equal(reduce_once(&request, &x, &value), TALLY_OK);
                    assert_int_equal(value.type, out);
                    assert_true(typed_number(&value) == 0);
                } else {
                    expect_refusal(TALLY_ERR_UNSUPPORTED, &request, &x);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_result_types_are_those_of_the_table),
        cmocka_unit_test(floats_are_rounded_once_more_on_request),
        cmocka_unit_test(integers_are_rounded_once_or_refused),
        cmocka_unit_test(a_total_that_left_128_bits_is_an_overflow_in_any_type),
        cmocka_unit_test(roots_are_correctly_rounded),
        cmocka_unit_test(result_types_are_those_of_the_table_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
