/* test_extreme.c - min, max, argmin, argmax against a search that takes one element at a time. */
#include "expect.h"

#include <math.h>
#include <stdlib.h>

#include "draw.h"
#include "typed.h"

typedef struct answer {
    bool found;
    size_t at;    /* argmin, argmax */
    double value; /* min, max */
} answer;

/* The contract, element by element. Numbers are small enough to be exact as doubles. */
static answer search(tally_type type, const char *data, size_t n, ptrdiff_t step, bool largest,
                     bool skip)
{
    answer a = {false, 0, 0};

    for (size_t i = 0; i < n; i++) {
        double x = typed_get(type, data + (ptrdiff_t)i * step);

        if (isnan(x) && skip) {
            continue;
        }
        if (a.found && isnan(a.value)) {
            break;
        }
        if (!a.found || isnan(x) || (largest ? x > a.value : x < a.value)) {
            a = (answer){true, i, x};
        } else if (x == 0 && a.value == 0 && signbit(x) != signbit(a.value)) {
            /* a tie for the index; for the value -0 < +0 */
            a.value = largest ? 0.0 : -0.0;
        }
    }
    return a;
}

static void expect_same(tally_context *ctx, tally_type type, const void *data, size_t n,
                        ptrdiff_t stride)
{
    tally_array x = {.data = data, .n = n, .stride = stride, .type = type};
    ptrdiff_t step = stride * (ptrdiff_t)tally_type_size(type);

    for (int k = 0; k < 4; k++) {
        bool largest = k & 1, skip = k & 2;
        answer a = search(type, data, n, step, largest, skip);
        tally_request value_of = {.op = largest ? TALLY_OP_MAX : TALLY_OP_MIN,
                                  .nan = skip ? TALLY_NAN_SKIP : TALLY_NAN_PROPAGATE};
        tally_request index_of = {.op = largest ? TALLY_OP_ARGMAX : TALLY_OP_ARGMIN,
                                  .nan = value_of.nan};
        tally_status right = a.found ? TALLY_OK : TALLY_ERR_EMPTY;
        tally_value value, index;

        assert_int_equal(tally_reduce(ctx, &value_of, &x, &value), right);
        assert_int_equal(tally_reduce(ctx, &index_of, &x, &index), right);
        if (a.found) {
            assert_int_equal(index.as.u64, a.at);
            assert_int_equal(value.type, type);
            if (typed_format(type)) {
                assert_int_equal(bits_value(&value), format_encode(typed_format(type), a.value));
            } else {
                assert_true(typed_number(&value) == a.value);
            }
        }
    }
}

static int open_context(void **state)
{
    return tally_open(NULL, (tally_context **)state);
}

static int close_context(void **state)
{
    tally_close(*state);
    return 0;
}

static const size_t sizes[] = {1,   2,    3,    7,    8,    9,    15,   16,   17,   31,   32,  33,
                               63,  64,   65,   127,  128,  129,  255,  256,  257,  511,  512, 513,
                               997, 1023, 1024, 1025, 4095, 4096, 4097, 8191, 8193, 12289};

/* Few different values, so that ties are everywhere; -0 and +0; seldom a NaN or an infinity. */
static void draw_elements(random_state *r, tally_type type, char *data, size_t n, bool specials)
{
    size_t size = tally_type_size(type);
    uint64_t kinds = 1 + random_below(r, 100);

    for (size_t i = 0; i < n; i++) {
        double x = (double)random_below(r, kinds);
        bool negative = random_coin(r) && !typed_unsigned(type);
        if (typed_format(type) && specials && random_below(r, n + 20) == 0) {
            static const double special[] = {NAN, INFINITY, -INFINITY};
            x = special[random_below(r, 3)];
        }
        typed_put(type, data + i * size, negative ? -x : x);
    }
}

static void all_types_and_sizes_agree_with_the_search(void **state)
{
    static char data[12289 * 8];
    random_state r = {41};

    for (int t = 0; t < TYPES; t++) {
        for (size_t i = 0; i < COUNT(sizes); i++) {
            for (int round = 0; round < 4; round++) {
                size_t n = sizes[i], last = (n - 1) * tally_type_size(types[t]);
                draw_elements(&r, types[t], data, n, round & 1);
                expect_same(*state, types[t], data, n, 1);
                expect_same(*state, types[t], data + last, n, -1);
                expect_same(*state, types[t], data, (n + 2) / 3, 3);
                expect_same(*state, types[t], data, n, 0);
            }
        }
    }
}

static void a_single_best_is_found_wherever_it_is(void **state)
{
    enum { N = 4097 + 63 };
    static double numbers[N];
    static char data[8 * N];

    for (int t = 0; t < TYPES; t++) {
        size_t size = tally_type_size(types[t]);
        typed_pack(types[t], numbers, N, data);
        for (size_t at = 0; at < N; at += at < 70 || at > 4000 ? 1 : 61) {
            tally_array x = tally_array_dense(types[t], data, N);
            tally_request argmax = {.op = TALLY_OP_ARGMAX};
            tally_value value;

            typed_put(types[t], data + at * size, 1);
            assert_int_equal(tally_reduce(*state, &argmax, &x, &value), TALLY_OK);
            assert_int_equal(value.as.u64, at);
            typed_put(types[t], data + at * size, 0);
        }
    }
}

static void a_nan_wins_at_every_position(void **state)
{
    enum { N = 1000 };
    static double numbers[N];
    static char data[8 * N];

    for (int i = 0; i < N; i++) {
        numbers[i] = i % 7 - 3;
    }
    numbers[500] = INFINITY;
    for (int t = 0; t < FLOAT_TYPES; t++) {
        size_t size = tally_type_size(types[t]);
        typed_pack(types[t], numbers, N, data);
        for (size_t at = 0; at < N; at++) {
            typed_put(types[t], data + at * size, NAN);
            expect_same(*state, types[t], data, N, 1);
            typed_put(types[t], data + at * size, numbers[at]);
        }
        typed_put(types[t], data + 998 * size, NAN);
        typed_put(types[t], data + 3 * size, NAN); /* the first of two */
        expect_same(*state, types[t], data, N, 1);
    }
}

static void the_ends_of_every_range_are_in_order(void **state)
{
    const int64_t i64[] = {0, INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN};
    const uint64_t u64[] = {(uint64_t)1 << 63, UINT64_MAX, 0, UINT64_MAX - 1, INT64_MAX};
    const int64_t only[] = {INT64_MIN, INT64_MIN};
    const uint64_t zeros[] = {0, 0};

    assert_int_equal(reduce_dense(TALLY_OP_MIN, TALLY_TYPE_I64, 0, i64, 5).as.i64, INT64_MIN);
    assert_int_equal(reduce_dense(TALLY_OP_MAX, TALLY_TYPE_I64, 0, i64, 5).as.i64, INT64_MAX);
    assert_int_equal(reduce_dense(TALLY_OP_ARGMIN, TALLY_TYPE_I64, 0, i64, 5).as.u64, 2);
    assert_int_equal(reduce_dense(TALLY_OP_ARGMAX, TALLY_TYPE_I64, 0, i64, 5).as.u64, 1);
    assert_int_equal(reduce_dense(TALLY_OP_MIN, TALLY_TYPE_U64, 0, u64, 5).as.u64, 0);
    assert_int_equal(reduce_dense(TALLY_OP_MAX, TALLY_TYPE_U64, 0, u64, 5).as.u64, UINT64_MAX);
    assert_int_equal(reduce_dense(TALLY_OP_ARGMAX, TALLY_TYPE_U64, 0, u64, 5).as.u64, 1);
    /* the value that a search might take for "nothing yet" */
    assert_int_equal(reduce_dense(TALLY_OP_MAX, TALLY_TYPE_I64, 0, only, 2).as.i64, INT64_MIN);
    assert_int_equal(reduce_dense(TALLY_OP_ARGMAX, TALLY_TYPE_I64, 0, only, 2).as.u64, 0);
    assert_int_equal(reduce_dense(TALLY_OP_MAX, TALLY_TYPE_U64, 0, zeros, 2).as.u64, 0);
    for (int t = 0; t < FLOAT_TYPES; t++) {
        static const double up[] = {INFINITY, INFINITY}, down[] = {-INFINITY, NAN};
        char data[16];
        typed_pack(types[t], up, 2, data);
        expect_same(*state, types[t], data, 2, 1); /* the min of +inf is +inf */
        typed_pack(types[t], down, 2, data);
        expect_same(*state, types[t], data, 2, 1);
    }
}

static void neighbouring_subnormals_are_told_apart(void **state)
{
    for (int t = 0; t < FLOAT_TYPES; t++) {
        double s = ldexp(1, typed_format(types[t])->min_unit);
        const double numbers[] = {-s, 0.0, 2 * s, -0.0, s, -2 * s, 2 * s};
        char data[sizeof numbers];

        typed_pack(types[t], numbers, COUNT(numbers), data);
        expect_same(*state, types[t], data, COUNT(numbers), 1);
    }
}

static void a_million_elements_and_three(void **state)
{
    const size_t n = ((size_t)1 << 20) + 3;
    random_state r = {42};
    char *data = malloc(n * 8);

    assert_non_null(data);
    for (int t = 0; t < TYPES; t++) {
        draw_elements(&r, types[t], data, n, false);
        typed_put(types[t], data + (n - 1) * tally_type_size(types[t]), 101);
        expect_same(*state, types[t], data, n, 1);
    }
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types_and_sizes_agree_with_the_search),
        cmocka_unit_test(a_single_best_is_found_wherever_it_is),
        cmocka_unit_test(a_nan_wins_at_every_position),
        cmocka_unit_test(the_ends_of_every_range_are_in_order),
        cmocka_unit_test(neighbouring_subnormals_are_told_apart),
        cmocka_unit_test(a_million_elements_and_three),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
