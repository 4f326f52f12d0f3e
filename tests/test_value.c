/* test_value.c - values taken out of states: types, ranges, means, refusals. */
#include "expect.h"

#include <math.h>

#include "oracle.h"
#include "typed.h"

static tally_state state_of(tally_type type, const void *x, size_t n)
{
    tally_array array = tally_array_dense(type, x, n);
    tally_state s;

    tally_state_init(&s);
    assert_int_equal(tally_state_add(&s, &array, TALLY_NAN_PROPAGATE), TALLY_OK);
    return s;
}

static void refused(tally_status expected, const tally_state *s, tally_type out, bool mean)
{
    tally_value value, before;

    memset(&value, 0x5a, sizeof value);
    memcpy(&before, &value, sizeof value);
    assert_int_equal(mean ? tally_state_mean(s, out, &value) : tally_state_value(s, out, &value),
                     expected);
    assert_memory_equal(&value, &before, sizeof value);
}

static void integer_totals_take_the_type_that_holds_them(void **state)
{
    static const struct {
        uint64_t magnitude[3];
        bool negative;
        tally_type type; /* DEFAULT: nothing holds it */
    } rows[] = {
        {{0, 0, 0}, false, TALLY_TYPE_I64},
        {{INT64_MAX, 0, 0}, false, TALLY_TYPE_I64},
        {{INT64_MAX, 1, 0}, false, TALLY_TYPE_U64},
        {{UINT64_MAX, 0, 0}, false, TALLY_TYPE_U64},
        {{UINT64_MAX, 1, 0}, false, TALLY_TYPE_DEFAULT},
        {{UINT64_MAX, UINT64_MAX, UINT64_MAX}, false, TALLY_TYPE_DEFAULT},
        {{1, 0, 0}, true, TALLY_TYPE_I64},
        {{INT64_MAX, 1, 0}, true, TALLY_TYPE_I64},
        {{INT64_MAX, 2, 0}, true, TALLY_TYPE_DEFAULT},
        {{INT64_MAX, INT64_MAX, 2}, true, TALLY_TYPE_DEFAULT},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t total = rows[i].magnitude[0] + rows[i].magnitude[1] + rows[i].magnitude[2];
        tally_state s;
        tally_value value;
        big_sum exact;

        tally_state_init(&s);
        big_init(&exact);
        for (int k = 0; k < 3; k++) {
            uint64_t m = rows[i].magnitude[k];
            int64_t v = rows[i].negative ? -(int64_t)m : 0;
            tally_state part = rows[i].negative ? state_of(TALLY_TYPE_I64, &v, 1)
                                                : state_of(TALLY_TYPE_U64, &m, 1);
            tally_state_merge(&s, &part);
            big_add_integer(&exact, m, rows[i].negative);
        }
        for (int k = 0; k < 3; k++) {
            static const tally_type outs[] = {TALLY_TYPE_DEFAULT, TALLY_TYPE_I64, TALLY_TYPE_U64};
            bool zero = total == 0 && rows[i].type == TALLY_TYPE_I64;
            bool small = rows[i].type == TALLY_TYPE_I64 && !rows[i].negative;
            bool fits = k == 0 ? rows[i].type != TALLY_TYPE_DEFAULT
                               : outs[k] == rows[i].type || zero || small;
            if (!fits) {
                refused(TALLY_ERR_OVERFLOW, &s, outs[k], false);
                continue;
            }
            assert_int_equal(tally_state_value(&s, outs[k], &value), TALLY_OK);
            assert_int_equal(value.type, k == 0 ? rows[i].type : outs[k]);
            assert_int_equal(value.type == TALLY_TYPE_I64 ? (uint64_t)value.as.i64 : value.as.u64,
                             rows[i].negative ? 0 - total : total);
        }
        for (int k = 0; k < FORMATS; k++) {
            assert_int_equal(tally_state_value(&s, formats[k]->type, &value), TALLY_OK);
            assert_int_equal(value.type, formats[k]->type);
            assert_int_equal(bits_value(&value), big_round(&exact, formats[k]));
            assert_int_equal(tally_state_mean(&s, formats[k]->type, &value), TALLY_OK);
            assert_int_equal(bits_value(&value), big_mean(&exact, formats[k]));
        }
    }
}

static void float_and_empty_states_default_to_f64(void **state)
{
    const float x[] = {1.5f, 2};
    tally_state s = state_of(TALLY_TYPE_F32, x, 2), empty = {{0}};
    tally_value value;

    (void)state;
    assert_int_equal(tally_state_value(&s, TALLY_TYPE_DEFAULT, &value), TALLY_OK);
    assert_int_equal(value.type, TALLY_TYPE_F64);
    assert_true(value.as.f64 == 3.5);
    assert_int_equal(tally_state_mean(&s, TALLY_TYPE_DEFAULT, &value), TALLY_OK);
    assert_int_equal(value.type, TALLY_TYPE_F64);
    assert_true(value.as.f64 == 1.75);
    assert_int_equal(tally_state_value(&empty, TALLY_TYPE_DEFAULT, &value), TALLY_OK);
    assert_int_equal(value.type, TALLY_TYPE_F64);
    assert_int_equal(bits_f64(value.as.f64), 0);
    assert_int_equal(tally_state_value(&empty, TALLY_TYPE_I64, &value), TALLY_OK);
    assert_int_equal(value.type, TALLY_TYPE_I64);
    assert_int_equal(value.as.i64, 0);
    assert_int_equal(tally_state_value(&empty, TALLY_TYPE_U64, &value), TALLY_OK);
    assert_int_equal(value.type, TALLY_TYPE_U64);
    assert_int_equal(value.as.u64, 0);
}

static void other_types_and_senseless_calls_are_refused(void **state)
{
    const double x = 1;
    const int64_t i = 1;
    tally_state floats = state_of(TALLY_TYPE_F64, &x, 1),
                integers = state_of(TALLY_TYPE_I64, &i, 1);
    tally_state empty = {{0}};
    const tally_state *const all[] = {&floats, &integers, &empty};
    tally_value value;

    (void)state;
    for (size_t k = 0; k < COUNT(all); k++) {
        for (int t = 0; t < TYPES; t++) {
            bool wide = types[t] == TALLY_TYPE_I64 || types[t] == TALLY_TYPE_U64;
            if (typed_format(types[t])) {
                continue;
            }
            if (!wide || all[k] == &floats) {
                refused(TALLY_ERR_UNSUPPORTED, all[k], types[t], false);
            }
            if (all[k] != &empty) {
                refused(TALLY_ERR_UNSUPPORTED, all[k], types[t], true);
            }
        }
        refused(TALLY_ERR_UNSUPPORTED, all[k], (tally_type)99, false);
        assert_int_equal(tally_state_value(all[k], 0, NULL), TALLY_ERR_ARGUMENT);
        assert_int_equal(tally_state_mean(all[k], 0, NULL), TALLY_ERR_ARGUMENT);
    }
    refused(TALLY_ERR_EMPTY, &empty, TALLY_TYPE_F64, true);
    refused(TALLY_ERR_ARGUMENT, NULL, TALLY_TYPE_F64, false);
    refused(TALLY_ERR_ARGUMENT, NULL, TALLY_TYPE_F64, true);
    assert_int_equal(tally_state_value(&empty, 0, &value), TALLY_OK);
}

static void adding_senseless_arrays_is_refused(void **state)
{
    const double x = 1;
    tally_array good = tally_array_dense(TALLY_TYPE_F64, &x, 1), bad = good;
    tally_state s = state_of(TALLY_TYPE_F64, &x, 1), before = s;

    (void)state;
    assert_int_equal(tally_state_add(NULL, &good, TALLY_NAN_PROPAGATE), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_state_add(&s, NULL, TALLY_NAN_PROPAGATE), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_state_add(&s, &good, (tally_nan)2), TALLY_ERR_ARGUMENT);
    bad.data = NULL;
    assert_int_equal(tally_state_add(&s, &bad, TALLY_NAN_PROPAGATE), TALLY_ERR_ARGUMENT);
    bad = good;
    bad.type = TALLY_TYPE_DEFAULT;
    assert_int_equal(tally_state_add(&s, &bad, TALLY_NAN_PROPAGATE), TALLY_ERR_ARGUMENT);
    assert_memory_equal(&s, &before, sizeof s);
}

/* The count may need more than 32 bits: the division then takes another path. */
static void means_of_more_than_2_to_the_32_elements_are_exact(void **state)
{
    static const struct {
        double x;
        int doublings;
        double extra, mean;
    } rows[] = {
        {5.4, 40, 5.4, 5.4},
        {-1.1, 62, -1.1, -1.1},
        {1, 33, 0, 1 - 0x1p-33},       /* 2^33 / (2^33 + 1), rounded */
        {0x1p-1074, 50, 0, 0x1p-1074}, /* just below one smallest */
        {0x1.fffffffffffffp+1023, 61, 0x1.fffffffffffffp+1023, 0x1.fffffffffffffp+1023},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tally_state s = state_of(TALLY_TYPE_F64, &rows[i].x, 1);
        tally_value value;

        for (int k = 0; k < rows[i].doublings; k++) {
            tally_state_merge(&s, &s);
        }
        tally_state_add1_f64(&s, rows[i].extra);
        assert_int_equal(tally_state_count(&s), ((uint64_t)1 << rows[i].doublings) + 1);
        assert_int_equal(tally_state_mean(&s, TALLY_TYPE_F64, &value), TALLY_OK);
        assert_int_equal(bits_f64(value.as.f64), bits_f64(rows[i].mean));
    }
}

/* Means of so many elements that the quotient is a tie, or a tie but for a remainder far below. */
static void means_of_many_elements_know_a_tie_from_a_near_tie(void **state)
{
    static const struct {
        int64_t n, units, mean; /* units and mean in 2^-1074 */
    } rows[] = {
        {((int64_t)1 << 32) - 1, (int64_t)1 << 31, 1}, /* 1/2 and a little */
        {((int64_t)1 << 32) - 1, ((int64_t)1 << 31) - 1, 0},
        {((int64_t)1 << 33) + 1, ((int64_t)1 << 32) + 1, 1},
        {((int64_t)1 << 33) + 1, (int64_t)1 << 32, 0},
        {(int64_t)1 << 33, (int64_t)1 << 32, 0}, /* exactly 1/2 */
        {(int64_t)1 << 34, (int64_t)3 << 33, 2}, /* exactly 3/2 */
        {(int64_t)3 << 33, (int64_t)3 << 32, 0},
        {(int64_t)3 << 33, (int64_t)9 << 32, 2},
        {((int64_t)1 << 62) - 1, (int64_t)1 << 61, 1},
        {INT64_MAX, (int64_t)1 << 62, 1},
        {INT64_MAX, ((int64_t)1 << 62) - 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            tally_state s = {{0}};
            tally_value value;

            s.word[TALLY_STATE_COUNT] = rows[i].n;
            s.word[TALLY_STATE_FLOAT] = s.word[TALLY_STATE_NONTRIVIAL] = 1;
            s.word[TALLY_STATE_LIMB] = sign * (rows[i].units & UINT32_MAX);
            s.word[TALLY_STATE_LIMB + 1] = sign * (rows[i].units >> 32);
            assert_int_equal(tally_state_mean(&s, TALLY_TYPE_F64, &value), TALLY_OK);
            assert_int_equal(bits_f64(value.as.f64),
                             (uint64_t)rows[i].mean | (sign < 0 ? format_f64.minus : 0));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_totals_take_the_type_that_holds_them),
        cmocka_unit_test(float_and_empty_states_default_to_f64),
        cmocka_unit_test(other_types_and_senseless_calls_are_refused),
        cmocka_unit_test(adding_senseless_arrays_is_refused),
        cmocka_unit_test(means_of_more_than_2_to_the_32_elements_are_exact),
        cmocka_unit_test(means_of_many_elements_know_a_tie_from_a_near_tie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
