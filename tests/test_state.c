/* test_state.c - the exact state: what its words mean, adding, merging, comparing. */
#include "expect.h"

#include <float.h>
#include <math.h>

#include "generate.h"
#include "oracle.h"

enum { ROOM = 600 };

static const int64_t limb_base = (int64_t)1 << 32;

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

static void init_is_all_zero_and_sums_to_plus_zero(void **state)
{
    tally_state s, zero = {{0}};

    (void)state;
    memset(&s, 0xff, sizeof s);
    tally_state_init(&s);
    assert_memory_equal(&s, &zero, sizeof s);
    assert_int_equal(bits_f64(tally_state_round_f64(&s)), 0);
    assert_int_equal(tally_state_count(&s), 0);
}

static void seen_words_are_as_documented(void **state)
{
    static const struct {
        double x[3];
        size_t n;
        int64_t nan, pos_inf, neg_inf, nontrivial; /* in the canonical form */
    } rows[] = {
        {{-0.0, -0.0}, 2, 0, 0, 0, 0},
        {{-0.0, 0.0}, 2, 0, 0, 0, 1},
        {{0x1p-1074}, 1, 0, 0, 0, 1},
        {{NAN, 1}, 2, 1, 0, 0, 1},
        {{-NAN}, 1, 1, 0, 0, 1},
        {{INFINITY, 1}, 2, 0, 1, 0, 1},
        {{-INFINITY, 1, -INFINITY}, 3, 0, 0, 1, 1},
        {{-INFINITY, INFINITY}, 2, 1, 0, 0, 1},
        {{NAN, INFINITY, -INFINITY}, 3, 1, 0, 0, 1},
        {{NAN, INFINITY, 1}, 3, 1, 0, 0, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tally_state s = state_of(rows[i].x, rows[i].n);
        bool finite = !rows[i].nan && !rows[i].pos_inf && !rows[i].neg_inf;

        tally_state_canonicalise(&s);
        assert_int_equal(s.word[TALLY_STATE_COUNT], rows[i].n);
        assert_int_equal(s.word[TALLY_STATE_FLOAT], 1);
        assert_int_equal(s.word[TALLY_STATE_INTEGER], 0);
        assert_int_equal(s.word[TALLY_STATE_NAN], rows[i].nan);
        assert_int_equal(s.word[TALLY_STATE_POS_INF], rows[i].pos_inf);
        assert_int_equal(s.word[TALLY_STATE_NEG_INF], rows[i].neg_inf);
        assert_int_equal(s.word[TALLY_STATE_NONTRIVIAL], rows[i].nontrivial);
        for (int j = 0; j < TALLY_STATE_LIMBS && !finite; j++) {
            assert_int_equal(s.word[TALLY_STATE_LIMB + j], 0);
        }
    }
}

/* A single power of two is one bit of one limb, at the documented weight. */
static void limbs_weigh_what_the_header_says(void **state)
{
    (void)state;
    for (int e = -1074; e < 1024; e++) {
        double x = ldexp(1, e);
        tally_state s = state_of(&x, 1);
        tally_state_canonicalise(&s);
        for (int j = 0; j < TALLY_STATE_LIMBS; j++) {
            int64_t expected = j == (e + 1074) / 32 ? (int64_t)1 << (e + 1074) % 32 : 0;
            assert_int_equal(s.word[TALLY_STATE_LIMB + j], expected);
        }
    }
    for (int e = 0; e < 63; e++) {
        int64_t x = (int64_t)1 << e;
        tally_state s = state_of_i64(&x, 1);
        tally_state_canonicalise(&s);
        assert_int_equal(s.word[TALLY_STATE_INTEGER], 1);
        for (int j = 0; j < TALLY_STATE_LIMBS; j++) {
            int64_t expected = j == e / 32 ? (int64_t)1 << e % 32 : 0;
            assert_int_equal(s.word[TALLY_STATE_LIMB + j], expected);
        }
    }
}

/* Canonical limbs: below 2^32 in magnitude, all of one sign. */
static void assert_canonical(const tally_state *s)
{
    bool plus = false, minus = false;

    for (int j = 0; j < TALLY_STATE_LIMBS; j++) {
        int64_t limb = s->word[TALLY_STATE_LIMB + j];
        assert_true(limb > -limb_base && limb < limb_base);
        plus |= limb > 0;
        minus |= limb < 0;
    }
    assert_false(plus && minus);
    for (int i = TALLY_STATE_FLOAT; i < TALLY_STATE_LIMB; i++) {
        assert_true(s->word[i] == 0 || s->word[i] == 1);
    }
}

static void every_function_leaves_small_limbs_and_canonical_form_is_canonical(void **state)
{
    static double x[ROOM];
    random_state r = {31};

    (void)state;
    for (size_t i = 0; i < 100 * n_generators; i++) {
        size_t n = generators[i % n_generators].fill(&r, &format_f64, x, ROOM);
        tally_state s = state_of(x, n / 2), again;

        for (size_t k = n / 2; k < n; k++) {
            tally_state_add1_f64(&s, x[k]);
        }
        for (int j = 0; j < TALLY_STATE_LIMBS; j++) {
            int64_t limb = s.word[TALLY_STATE_LIMB + j];
            assert_true(limb > -limb_base && limb < limb_base);
        }
        uint64_t bits = oracle_bigint_sum(x, n, &format_f64);
        assert_int_equal(bits_f64(tally_state_round_f64(&s)), bits);
        tally_state_canonicalise(&s);
        assert_canonical(&s);
        assert_int_equal(bits_f64(tally_state_round_f64(&s)), bits);
        again = s;
        tally_state_canonicalise(&again);
        assert_memory_equal(&again, &s, sizeof s);
    }
}

static void count_counts_all_but_skipped_nans(void **state)
{
    const double x[] = {1, NAN, -0.0, INFINITY, NAN};
    tally_array array = tally_array_dense(TALLY_TYPE_F64, x, 5);
    tally_state s = state_of(x, 5);

    (void)state;
    assert_int_equal(tally_state_count(&s), 5);
    tally_state_init(&s);
    assert_int_equal(tally_state_add(&s, &array, TALLY_NAN_SKIP), TALLY_OK);
    assert_int_equal(tally_state_count(&s), 3);
    assert_true(tally_state_round_f64(&s) == INFINITY);
}

static void adding_nothing_changes_nothing(void **state)
{
    const double nan = NAN;
    tally_state s = state_of_i64((const int64_t[]){3}, 1), before = s;
    tally_array none = tally_array_dense(TALLY_TYPE_F32, NULL, 0);
    tally_array skipped = tally_array_dense(TALLY_TYPE_F64, &nan, 1);

    (void)state;
    tally_state_add_f64(&s, NULL, 0);
    tally_state_add_f32(&s, NULL, 0);
    assert_int_equal(tally_state_add(&s, &none, TALLY_NAN_PROPAGATE), TALLY_OK);
    assert_memory_equal(&s, &before, sizeof s);
    /* a state of skipped NaNs only is still empty */
    tally_state_init(&s);
    assert_int_equal(tally_state_add(&s, &skipped, TALLY_NAN_SKIP), TALLY_OK);
    assert_int_equal(tally_state_count(&s), 0);
    assert_int_equal(bits_f64(tally_state_round_f64(&s)), 0);
    assert_true(tally_state_equal(&s, &(tally_state){{0}}));
}

static void one_by_one_is_all_at_once(void **state)
{
    static double x[ROOM];
    random_state r = {32};

    (void)state;
    for (size_t i = 0; i < 40 * n_generators; i++) {
        size_t n = generators[i % n_generators].fill(&r, &format_f64, x, ROOM);
        tally_state all = state_of(x, n), one, merged = {{0}};

        tally_state_init(&one);
        for (size_t k = 0; k < n; k++) {
            tally_state single = state_of(&x[k], 1);
            tally_state_add1_f64(&one, x[k]);
            tally_state_merge(&merged, &single);
        }
        assert_true(tally_state_equal(&all, &one));
        assert_true(tally_state_equal(&all, &merged));
    }
}

static void merging_with_itself_counts_twice(void **state)
{
    const double x[] = {0x1.fffffffffffffp+1023, -3, 0x1p-1074},
                 twice[] = {x[0], x[0], x[1], x[1], x[2], x[2]};
    tally_state s = state_of(x, 3), expected = state_of(twice, 6);

    (void)state;
    tally_state_merge(&s, &s);
    assert_true(tally_state_equal(&s, &expected));
    assert_int_equal(tally_state_count(&s), 6);
}

static void equal_tells_states_apart_and_changes_neither(void **state)
{
    tally_state a = state_of((const double[]){1, 2}, 2), b = state_of((const double[]){2, 1}, 2);
    tally_state other = state_of((const double[]){1, 2 + DBL_EPSILON * 2}, 2);
    tally_state more = state_of((const double[]){1, 2, 0}, 3);
    tally_state integer = state_of_i64((const int64_t[]){1, 2}, 2);
    tally_state a_before = a, b_before = b;

    (void)state;
    assert_int_equal(tally_state_equal(&a, &b), 1);
    assert_int_equal(tally_state_equal(&a, &other), 0);
    assert_int_equal(tally_state_equal(&a, &more), 0);
    assert_int_equal(tally_state_equal(&a, &integer), 0);
    assert_memory_equal(&a, &a_before, sizeof a);
    assert_memory_equal(&b, &b_before, sizeof b);
}

static void adding_the_words_merges(void **state)
{
    enum { STATES = 1000 };
    static double x[ROOM];
    random_state r = {33};
    tally_state merged = {{0}}, words = {{0}};
    big_sum expected;

    (void)state;
    big_init(&expected);
    for (int i = 0; i < STATES; i++) {
        /* no NaNs and infinities, which would hide the limbs */
        const generator *g = &generators[1 + random_below(&r, 12)];
        size_t n = g->fill(&r, &format_f64, x, ROOM);
        tally_state s = state_of(x, n);

        for (size_t k = 0; k < n; k++) {
            big_add_f64(&expected, x[k]);
        }
        tally_state_merge(&merged, &s);
        for (int k = 0; k < TALLY_STATE_WORDS; k++) {
            words.word[k] += s.word[k];
        }
    }
    assert_true(tally_state_equal(&merged, &words));
    assert_int_equal(tally_state_count(&words), expected.n);
    for (int k = 0; k < FORMATS; k++) {
        tally_value value;
        assert_int_equal(tally_state_value(&words, formats[k]->type, &value), TALLY_OK);
        assert_int_equal(bits_value(&value), big_round(&expected, formats[k]));
    }
}

/* 2^30 states of the largest limbs of either sign, added as words at once. */
static void a_billion_states_may_be_added_as_words(void **state)
{
    double x[2 * 41];
    size_t n = 0;

    (void)state;
    for (int e = -1074; e + 53 <= 1024; e += 53) {
        x[n++] = ldexp(0x1p53 - 1, e);
    }
    for (int side = 0; side < 2; side++) {
        tally_state one = state_of(x, n), words = one, doubled = one;
        for (int i = 0; i < TALLY_STATE_WORDS; i++) {
            words.word[i] *= (int64_t)1 << 30;
        }
        for (int i = 0; i < 30; i++) {
            tally_state_merge(&doubled, &doubled);
        }
        assert_true(tally_state_equal(&words, &doubled));
        for (size_t i = 0; i < n; i++) {
            x[i] = -x[i];
        }
    }
}

/* Words that are no state at all, as a damaged buffer may hold: every call ends, and says the same
 * thing twice. (That nothing undefined happens on the way is for UBSan to see.) */
static void nonsensical_words_stay_defined(void **state)
{
    static const int64_t edges[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1, -1, (int64_t)1 << 62};
    random_state r = {35};

    (void)state;
    for (int i = 0; i < 2000; i++) {
        tally_state s = {{0}}, same;
        unsigned char bytes[TALLY_STATE_BYTES], again[TALLY_STATE_BYTES];
        tally_value value;

        for (int j = 0; j < TALLY_STATE_WORDS; j++) {
            bool limb = j >= TALLY_STATE_LIMB;
            if (i < 5 ? limb : random_below(&r, limb ? 3 : 6) == 0) {
                s.word[j] = i < 5 ? edges[i] : edges[random_below(&r, COUNT(edges))];
            }
        }
        if (i >= 5 && i < 10) { /* the top limb alone */
            s = (tally_state){{1, 1, 0, 0, 0, 0, 1}};
            s.word[TALLY_STATE_WORDS - 1] = edges[i - 5];
        }
        same = s;
        assert_int_equal(bits_f64(tally_state_round_f64(&s)),
                         bits_f64(tally_state_round_f64(&same)));
        assert_true(tally_state_equal(&s, &same));
        tally_state_mean(&s, TALLY_TYPE_F64, &value);
        tally_state_value(&s, TALLY_TYPE_DEFAULT, &value);
        if (tally_state_save(&s, bytes, sizeof bytes) == TALLY_OK) {
            assert_int_equal(tally_state_save(&same, again, sizeof again), TALLY_OK);
            assert_memory_equal(bytes, again, sizeof bytes);
            tally_state_load(&same, bytes, sizeof bytes);
        }
        tally_state_merge(&s, &s);
        tally_state_widen(&s);
        tally_state_canonicalise(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_is_all_zero_and_sums_to_plus_zero),
        cmocka_unit_test(seen_words_are_as_documented),
        cmocka_unit_test(limbs_weigh_what_the_header_says),
        cmocka_unit_test(every_function_leaves_small_limbs_and_canonical_form_is_canonical),
        cmocka_unit_test(count_counts_all_but_skipped_nans),
        cmocka_unit_test(adding_nothing_changes_nothing),
        cmocka_unit_test(one_by_one_is_all_at_once),
        cmocka_unit_test(merging_with_itself_counts_twice),
        cmocka_unit_test(equal_tells_states_apart_and_changes_neither),
        cmocka_unit_test(adding_the_words_merges),
        cmocka_unit_test(a_billion_states_may_be_added_as_words),
        cmocka_unit_test(nonsensical_words_stay_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
