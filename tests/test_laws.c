/*
 * test_laws.c - what must not matter does not: order, splitting, the shape of merging, stride,
 * alignment. Same bits, and the same canonical state byte for byte.
 */
#include "expect.h"

#include <math.h>
#include <stdlib.h>

#include "generate.h"
#include "oracle.h"
#include "typed.h"

enum { ROOM = 600 };

static double x[ROOM];

static tally_state state_of_array(const tally_array *array)
{
    tally_state s;

    tally_state_init(&s);
    assert_int_equal(tally_state_add(&s, array, TALLY_NAN_PROPAGATE), TALLY_OK);
    return s;
}

static tally_state state_of(const double *data, size_t n)
{
    tally_array array = tally_array_dense(TALLY_TYPE_F64, data, n);

    return state_of_array(&array);
}

static void assert_same(tally_state a, tally_state b)
{
    tally_state_canonicalise(&a);
    tally_state_canonicalise(&b);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(bits_f64(tally_state_round_f64(&a)), bits_f64(tally_state_round_f64(&b)));
}

static void any_permutation_is_the_same(void **state)
{
    random_state r = {61};

    (void)state;
    for (size_t i = 0; i < 20 * n_generators; i++) {
        size_t n = generators[i % n_generators].fill(&r, &format_f64, x, ROOM);
        tally_state first = state_of(x, n);
        uint64_t bits = oracle_bigint_sum(x, n, &format_f64);

        for (int round = 0; round < 5; round++) {
            random_shuffle(&r, x, n);
            assert_same(state_of(x, n), first);
            assert_int_equal(bits_f64(tally_sum_f64(x, n)), bits);
        }
    }
}

static void any_split_merges_to_the_same(void **state)
{
    random_state r = {62};

    (void)state;
    for (size_t i = 0; i < 3 * n_generators; i++) {
        size_t n = generators[i % n_generators].fill(&r, &format_f64, x, 150);
        tally_state whole = state_of(x, n);

        for (size_t at = 0; at <= n; at++) {
            tally_state left = state_of(x, at), right = state_of(x + at, n - at), other = right;
            tally_state_merge(&right, &left);
            tally_state_merge(&left, &other);
            assert_same(left, whole);
            assert_same(right, whole);
        }
    }
}

/* Pieces merged two at a time, drawn at random: every shape of tree and every order. */
static void merging_in_any_order_is_the_same(void **state)
{
    enum { PIECES = 40 };
    random_state r = {63};

    (void)state;
    for (size_t i = 0; i < 10 * n_generators; i++) {
        size_t n = generators[i % n_generators].fill(&r, &format_f64, x, ROOM);
        tally_state piece[PIECES], whole = state_of(x, n);
        size_t left = 0;

        for (size_t at = 0; at < n; left++) {
            size_t step = left == PIECES - 1 ? n - at : 1 + random_below(&r, n / 10 + 1);
            step = step < n - at ? step : n - at;
            piece[left] = state_of(x + at, step);
            if (random_coin(&r)) {
                tally_state_canonicalise(&piece[left]);
            }
            at += step;
        }
        while (left > 1) {
            size_t into = random_below(&r, left - 1);
            tally_state_merge(&piece[into], &piece[--left]);
        }
        if (left == 1) {
            assert_same(piece[0], whole);
        }
    }
}

/* The sizes at which loops, pieces and blocks begin and end. */
static const size_t sizes[] = {0,    1,    2,    3,    4,    5,    7,    8,    9,    15,   16,
                               17,   31,   32,   33,   63,   64,   65,   127,  128,  129,  255,
                               256,  257,  511,  512,  513,  997,  1023, 1024, 1025, 2047, 2048,
                               2049, 4095, 4096, 4097, 8191, 8192, 8193, 65537};

/* Patterns of numbers that every type has, negative ones where it has them. */
static double pattern(int kind, size_t i, size_t n, random_state *r)
{
    switch (kind) {
    case 0: return 1;
    case 1: return (double)(i % 100);
    case 2: return (double)random_below(r, 128);
    case 3: return i == n - 1 ? 1 : 0; /* only the last counts */
    default: return i == 0 ? 127 : 0;  /* only the first counts */
    }
}

static void every_size_and_type_gives_the_exact_total(void **state)
{
    static double numbers[65537];
    static unsigned char data[8 * 65537];
    random_state r = {64};

    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        for (size_t i = 0; i < COUNT(sizes); i++) {
            size_t n = sizes[i];
            double total = 0, truths = 0;

            for (size_t k = 0; k < n; k++) {
                numbers[k] = pattern(kind, k, n, &r);
                total += numbers[k]; /* exact: small integers */
                truths += numbers[k] != 0;
            }
            for (int t = 0; t < TYPES; t++) {
                double right = types[t] == TALLY_TYPE_BOOL ? truths : total;
                typed_pack(types[t], numbers, n, data);
                tally_value sum = reduce_dense(TALLY_OP_SUM, types[t], 0, data, n);
                assert_true(typed_number(&sum) == right);
                if (n > 0) {
                    tally_value mean = reduce_dense(TALLY_OP_MEAN, types[t], 0, data, n);
                    assert_true(mean.as.f64 == right / (double)n); /* one rounding as well */
                }
            }
        }
    }
}

static void a_million_and_three_elements(void **state)
{
    const size_t n = ((size_t)1 << 20) + 3;
    double *data = malloc(n * sizeof *data);
    random_state r = {65};
    big_sum exact;

    (void)state;
    assert_non_null(data);
    for (int wide = 0; wide < 2; wide++) {
        big_init(&exact);
        for (size_t i = 0; i < n; i++) {
            data[i] = wide ? draw_value(&r, &format_f64) : draw_between(&r, &format_f64, -60, -50);
            big_add_f64(&exact, data[i]);
        }
        assert_int_equal(bits_f64(tally_sum_f64(data, n)), big_round(&exact, &format_f64));
    }
    free(data);
}

/* Elements at stride s in a field of NaNs and other noise that must not be looked at. */
static void any_stride_is_the_same(void **state)
{
    static const ptrdiff_t strides[] = {1, -1, 2, -2, 3, 7, -16, 61};
    static unsigned char dense[8 * ROOM], field[8 * ROOM * 61];
    random_state r = {66};

    (void)state;
    for (size_t i = 0; i < 8 * n_generators; i++) {
        const format *f = formats[i / n_generators % FORMATS];
        size_t size = (size_t)f->width / 8;
        size_t n = generators[i % n_generators].fill(&r, f, x, 200);

        format_pack(f, x, n, dense);
        tally_array whole = tally_array_dense(f->type, dense, n);
        tally_state right = state_of_array(&whole);
        for (size_t k = 0; k < COUNT(strides); k++) {
            size_t step = (size_t)labs((long)strides[k]) * size;
            unsigned char *first = strides[k] > 0 || n == 0 ? field : field + (n - 1) * step;
            memset(field, 0xff, sizeof field);
            for (size_t j = 0; j < n; j++) {
                memcpy(strides[k] > 0 ? first + j * step : first - j * step, dense + j * size,
                       size);
            }
            tally_array array = {first, n, strides[k], f->type};
            assert_same(state_of_array(&array), right);
        }
    }
}

static void stride_zero_repeats_one_element(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++) {
        unsigned char element[8];
        tally_array array = {element, 5000, 0, types[t]};
        tally_request sum = {.op = TALLY_OP_SUM};
        tally_value value;

        typed_put(types[t], element, 3);
        assert_int_equal(reduce_once(&sum, &array, &value), TALLY_OK);
        assert_true(typed_number(&value) == (types[t] == TALLY_TYPE_BOOL ? 5000 : 15000));
    }
}

static void any_alignment_is_the_same(void **state)
{
    static double numbers[300];
    static unsigned char data[8 * 300 + 128];
    random_state r = {67};

    (void)state;
    for (int t = 0; t < TYPES; t++) {
        size_t n = 257;
        for (size_t i = 0; i < n; i++) {
            numbers[i] = pattern(2, i, n, &r);
        }
        typed_pack(types[t], numbers, n, data);
        tally_value first[TALLY_OP_ARGMAX + 1];
        for (int op = 0; op <= TALLY_OP_ARGMAX; op++) {
            first[op] = reduce_dense((tally_op)op, types[t], 0, data, n);
        }
        for (size_t shift = 0; shift < 64; shift++) {
            memset(data, 0xff, sizeof data);
            typed_pack(types[t], numbers, n, data + shift);
            for (int op = 0; op <= TALLY_OP_ARGMAX; op++) {
                tally_value value = reduce_dense((tally_op)op, types[t], 0, data + shift, n);
                assert_int_equal(value.type, first[op].type);
                assert_true(typed_number(&value) == typed_number(&first[op]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_permutation_is_the_same),
        cmocka_unit_test(any_split_merges_to_the_same),
        cmocka_unit_test(merging_in_any_order_is_the_same),
        cmocka_unit_test(every_size_and_type_gives_the_exact_total),
        cmocka_unit_test(a_million_and_three_elements),
        cmocka_unit_test(any_stride_is_the_same),
        cmocka_unit_test(stride_zero_repeats_one_element),
        cmocka_unit_test(any_alignment_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
