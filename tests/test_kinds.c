/* test_kinds.c - states of floats and of integers: widening one into the other, and mixing them. */
#include "expect.h"

#include <float.h>
#include <math.h>

#include "oracle.h"

static tally_state state_of(const double *x, size_t n)
{
    tally_state s;

    tally_state_init(&s);
    tally_state_add_f64(&s, x, n);
    return s;
}

static tally_state state_of_i64(const int64_t *x, size_t n)
{
    tally_array array = tally_array_dense(TALLY_TYPE_I64, x, n);
    tally_state s;

    tally_state_init(&s);
    assert_int_equal(tally_state_add(&s, &array, TALLY_NAN_PROPAGATE), TALLY_OK);
    return s;
}

static tally_state mixed_state(void)
{
    tally_state s = state_of((const double[]){1.5, NAN}, 2);
    tally_state i = state_of_i64((const int64_t[]){7}, 1);

    tally_state_merge(&s, &i);
    return s;
}

static void widening_keeps_the_exact_sum_and_count(void **state)
{
    static const int64_t rows[][3] = {
        {0, 0, 0},
        {1, -1, 0},
        {-1, 0, 0},
        {INT64_MAX, INT64_MAX, INT64_MAX},
        {INT64_MIN, INT64_MIN, INT64_MIN},
        {INT64_MAX, INT64_MIN, 0},
        {0xffffffff, 1, -0x100000000},
        {-0x100000001, 0x100000000, -5},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        big_sum expected;
        tally_state s = state_of_i64(rows[i], 3), widened = s;

        big_init(&expected);
        for (int k = 0; k < 3; k++) {
            int64_t v = rows[i][k];
            big_add_integer(&expected, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0);
        }
        tally_state_widen(&widened);
        assert_int_equal(tally_state_count(&widened), 3);
        assert_int_equal(widened.word[TALLY_STATE_INTEGER], 0);
        assert_true(widened.word[TALLY_STATE_FLOAT] > 0);
        assert_int_equal(bits_f64(tally_state_round_f64(&s)), big_round(&expected, &format_f64));
        assert_int_equal(bits_f64(tally_state_round_f64(&widened)),
                         big_round(&expected, &format_f64));
        assert_int_equal(bits_f32(tally_state_round_f32(&widened)),
                         big_round(&expected, &format_f32));
        /* what is below f64's last bit is still there: a float can be added and taken away */
        tally_state_add_f64(&widened, (const double[]){0x1p900, -0x1p900, -0x1p62, -0x1p62}, 4);
        for (int k = 0; k < 2; k++) {
            big_add_integer(&expected, (uint64_t)1 << 62, true);
        }
        assert_int_equal(bits_f64(tally_state_round_f64(&widened)),
                         big_round(&expected, &format_f64));
    }
}

static void widening_leaves_all_other_states_alone(void **state)
{
    tally_state rows[] = {{{0}},
                          state_of((const double[]){-0.0, -0.0}, 2),
                          state_of((const double[]){1.5, -DBL_MAX}, 2),
                          state_of((const double[]){NAN}, 1),
                          mixed_state()};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tally_state before = rows[i];
        tally_state_widen(&rows[i]);
        assert_memory_equal(&rows[i], &before, sizeof before);
    }
}

static void mixing_is_reported_forever(void **state)
{
    tally_state s = state_of_i64((const int64_t[]){7}, 1), before = s, m = mixed_state(), other;
    tally_array one = tally_array_dense(TALLY_TYPE_F64, (const double[]){1}, 1);
    tally_value value, untouched;
    unsigned char bytes[TALLY_STATE_BYTES] = {0}, same[TALLY_STATE_BYTES] = {0};

    (void)state;
    assert_int_equal(tally_state_add(&s, &one, TALLY_NAN_PROPAGATE), TALLY_ERR_MIXED);
    assert_memory_equal(&s, &before, sizeof s);
    tally_state_add_f64(&s, (const double[]){1}, 1); /* cannot fail, so it mixes */
    for (int i = 0; i < 2; i++) {
        tally_state *mixed = i ? &m : &s;
        other = state_of((const double[]){INFINITY}, 1);
        tally_state_merge(mixed, &other);
        memset(&value, 0x5a, sizeof value);
        memcpy(&untouched, &value, sizeof value);
        assert_int_equal(bits_f64(tally_state_round_f64(mixed)), format_f64.nan);
        assert_int_equal(bits_f32(tally_state_round_f32(mixed)), format_f32.nan);
        assert_int_equal(tally_state_round_f16(mixed), format_f16.nan);
        assert_int_equal(tally_state_round_bf16(mixed), format_bf16.nan);
        assert_int_equal(tally_state_value(mixed, 0, &value), TALLY_ERR_MIXED);
        assert_int_equal(tally_state_mean(mixed, 0, &value), TALLY_ERR_MIXED);
        assert_memory_equal(&value, &untouched, sizeof value);
        assert_int_equal(tally_state_save(mixed, bytes, sizeof bytes), TALLY_ERR_MIXED);
        assert_memory_equal(bytes, same, sizeof bytes);
        tally_state_canonicalise(mixed);
        assert_int_equal(mixed->word[TALLY_STATE_FLOAT], 1);
        assert_int_equal(mixed->word[TALLY_STATE_INTEGER], 1);
        for (int j = TALLY_STATE_NAN; j < TALLY_STATE_WORDS; j++) {
            assert_true(mixed->word[j] == 0 || j == TALLY_STATE_NONTRIVIAL);
        }
    }
    /* the same multiset, mixed in another order, is the same state */
    other = state_of((const double[]){1.5, NAN, INFINITY}, 3);
    before = state_of_i64((const int64_t[]){7}, 1);
    tally_state_merge(&before, &other);
    assert_true(tally_state_equal(&before, &m));
}

static void mixing_follows_from_adding_words_too(void **state)
{
    tally_state f = state_of((const double[]){2}, 1), i = state_of_i64((const int64_t[]){2}, 1);

    (void)state;
    for (int k = 0; k < TALLY_STATE_WORDS; k++) {
        f.word[k] += i.word[k];
    }
    assert_int_equal(bits_f64(tally_state_round_f64(&f)), format_f64.nan);
    assert_int_equal(tally_state_value(&f, 0, &(tally_value){0}), TALLY_ERR_MIXED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widening_keeps_the_exact_sum_and_count),
        cmocka_unit_test(widening_leaves_all_other_states_alone),
        cmocka_unit_test(mixing_is_reported_forever),
        cmocka_unit_test(mixing_follows_from_adding_words_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
