/*
 * test_tree.c - level tree on the CPU: the bits of the naive tree over ops, types, plans and sizes,
 * and what is refused.
 */
#include "expect.h"

#include <math.h>
#include <stdlib.h>

#include "generate.h"
#include "naive_tree.h"
#include "plan.h"
#include "trace.h"
#include "typed.h"

enum { ROOM = 5000 };

static double numbers[ROOM];
static unsigned char elements[8 * ROOM];

/* The accumulator of a plan; scratch is exactly what was asked for, so that sanitizers see more. */
static tally_item run_tree(tally_op op, const tally_plan *plan, const tally_array *x)
{
    const trace_options options = {.op = op};
    void *scratch = malloc((size_t)tally_trace_scratch(plan, x->n));
    tally_item item;

    assert_non_null(scratch);
    memset(&item, 0x5a, sizeof item);
    assert_int_equal(tally_trace_run(&options, plan, x, scratch, &item), TALLY_OK);
    free(scratch);
    return item;
}

/* ---- the matrix ---- */

static const tally_plan plans[] = {
    {0},
    {.block = 1},
    {.block = 2, .vector = 1},
    {.block = 8, .vector = 3, .blocks = 5},
    {.block = 32, .vector = 1, .blocks = 3},
    {.block = 64, .vector = 2, .blocks = 7, .stages = 3},
    {.block = 1024, .vector = 1},
    {.block = 4, .vector = 1, .blocks = 40, .stages = 8},
    {.block = 16, .assign = TALLY_ASSIGN_CONTIGUOUS},
    {.block = 128, .assign = TALLY_ASSIGN_CONTIGUOUS, .stages = 3},
    {.block = 64, .blocks = 100, .final = TALLY_FINAL_HOST},
    {.block = 64, .blocks = 10, .final = TALLY_FINAL_ATOMIC},
    {.block = 64, .blocks = 1, .stages = 1},
    {.shape = TALLY_SHAPE_HALVING},
    {.shape = TALLY_SHAPE_HALVING, .block = 1},
    {.shape = TALLY_SHAPE_HALVING, .block = 4},
    {.shape = TALLY_SHAPE_HALVING, .block = 4, .stages = 5},
    {.shape = TALLY_SHAPE_HALVING, .block = 64, .final = TALLY_FINAL_ATOMIC},
    {.shape = TALLY_SHAPE_HALVING, .block = 1024},
    {.shape = TALLY_SHAPE_HALVING,
     .assign = TALLY_ASSIGN_GRID_STRIDE,
     .block = 32,
     .vector = 5,
     .blocks = 9},
};

static void expect_naive(tally_op op, const tally_plan *wanted, const tally_array *x)
{
    tally_plan plan;

    assert_int_equal(tally_plan_resolve(wanted, x->type, x->n, &plan, NULL), TALLY_OK);
    tally_item got = run_tree(op, &plan, x), right = naive_tree(op, &plan, x, NULL);
    if (memcmp(&got, &right, sizeof got) != 0) {
        fail_msg("%s of %zu %s, plan %zu: %016llx %016llx %lld %u, not %016llx %016llx %lld %u",
                 tally_op_name(op), x->n, tally_type_name(x->type), (size_t)(wanted - plans),
                 (unsigned long long)got.as.i128[0], (unsigned long long)got.as.i128[1],
                 (long long)got.index, got.overflow, (unsigned long long)right.as.i128[0],
                 (unsigned long long)right.as.i128[1], (long long)right.index, right.overflow);
    }
}

/* Fills elements with n values of a type that tend to break a tree. */
static void draw_elements(random_state *r, tally_type type, size_t n)
{
    const format *f = typed_format(type);
    size_t have = 0;

    if (f) {
        while (have < n) {
            const generator *g = &generators[random_below(r, n_generators)];
            have += g->fill(r, f, numbers + have, n - have);
        }
        format_pack(f, numbers, n, elements);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        /* magnitudes of every length, the extremes often */
        int64_t v = (int64_t)random_bits(r) >> random_below(r, 64);
        if (random_below(r, 8) == 0) {
            v = random_coin(r) ? INT64_MIN : INT64_MAX;
        }
        int32_t narrow = v == INT64_MIN ? INT32_MIN : v == INT64_MAX ? INT32_MAX : (int32_t)v;
        if (type == TALLY_TYPE_I32) {
            memcpy(elements + 4 * i, &narrow, 4);
        } else {
            memcpy(elements + 8 * i, &v, 8);
        }
    }
}

static void the_naive_tree_gives_the_same_bits(void **state)
{
    static const size_t sizes[] = {0,   1,   2,   3,   4,    5,    15,   16,   17,  31,
                                   32,  33,  63,  64,  65,   127,  128,  129,  255, 256,
                                   257, 511, 512, 513, 1023, 1024, 1025, 2053, 4999};
    random_state r = {9};
    int runs = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        for (int t = 0; t < TREE_TYPES; t++) {
            tally_array x = tally_array_dense(tree_types[t], elements, sizes[i]);
            draw_elements(&r, tree_types[t], sizes[i]);
            for (size_t p = 0; p < COUNT(plans); p++) {
                for (int o = 0; o < TREE_OPS; o++, runs++) {
                    expect_naive(tree_ops[o], &plans[p], &x);
                }
            }
        }
    }
    print_message("%d trees\n", runs);
}

static void special_values_go_through_every_plan(void **state)
{
    static const double special[] = {NAN, INFINITY, -INFINITY, -0.0,    0.0,
                                     1,   -1,       2,         0x1p-14, 0x1p15};
    random_state r = {10};
    double x[300];

    (void)state;
    for (int round = 0; round < 60; round++) {
        size_t n = 1 + random_below(&r, COUNT(x));
        /* from all specials down to zeros only, so that each decides some of the results */
        size_t first = random_below(&r, 5), kinds = 1 + random_below(&r, COUNT(special) - first);
        for (size_t i = 0; i < n; i++) {
            x[i] = special[first + random_below(&r, kinds)];
        }
        for (int t = 0; t < FLOAT_TYPES; t++) {
            tally_array array = tally_array_dense(types[t], elements, n);
            typed_pack(types[t], x, n, elements);
            for (size_t p = 0; p < COUNT(plans); p++) {
                for (int o = 0; o < TREE_OPS; o++) {
                    expect_naive(tree_ops[o], &plans[p], &array);
                }
            }
        }
    }
}

static void every_half_is_widened_exactly(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++) {
        tally_type type = t ? TALLY_TYPE_BF16 : TALLY_TYPE_F16;
        for (uint32_t bits = 0; bits < 65536; bits++) {
            uint16_t half = (uint16_t)bits;
            tally_array x = tally_array_dense(type, &half, 1);
            tally_plan plan;
            double right = format_decode(typed_format(type), bits);

            assert_int_equal(tally_plan_resolve(NULL, type, 1, &plan, NULL), TALLY_OK);
            tally_item item = run_tree(TALLY_OP_MAX, &plan, &x);
            assert_int_equal(bits_f32(item.as.f32),
                             isnan(right) ? 0x7fc00000 : bits_f32((float)right));
        }
    }
}

static void strides_and_alignments_change_nothing(void **state)
{
    static const ptrdiff_t strides[] = {1, 2, 3, -1, -4, 0};
    static unsigned char shifted[sizeof elements + 8];
    random_state r = {11};

    (void)state;
    for (int t = 0; t < TREE_TYPES; t++) {
        size_t size = tally_type_size(tree_types[t]), n = 1000;
        draw_elements(&r, tree_types[t], 4 * n);
        for (size_t s = 0; s < COUNT(strides); s++) {
            for (size_t by = 0; by < size; by++) {
                unsigned char *start = shifted + by;
                tally_array x = {start, n, strides[s], tree_types[t]};
                memcpy(shifted + by, elements, 4 * n * size);
                if (strides[s] < 0) {
                    x.data = start + (4 * n - 1) * size;
                }
                expect_naive(TALLY_OP_SUM, &plans[0], &x);
                expect_naive(TALLY_OP_ARGMIN, &plans[3], &x);
            }
        }
    }
}

/* Fails where a product and a sum are fused: the fused result is another number. */
static void squares_are_rounded_before_they_are_added(void **state)
{
    /* (1 + e)^2 loses e^2 when it is rounded; together with the small square it would round up */
    const double x[] = {0x1.4p-27, 1 + 0x1p-27};
    const float x32[] = {0x1p-13f, 1 + 0x1p-12f};
    const double square = x[1] * x[1], small = x[0] * x[0];
    const float square32 = x32[1] * x32[1], small32 = x32[0] * x32[0];
    const tally_plan wanted = {.block = 1, .vector = 2, .blocks = 1};
    tally_array array = tally_array_dense(TALLY_TYPE_F64, x, 2);
    tally_array array32 = tally_array_dense(TALLY_TYPE_F32, x32, 2);
    tally_plan plan;

    (void)state;
    assert_int_equal(tally_plan_resolve(&wanted, TALLY_TYPE_F64, 2, &plan, NULL), TALLY_OK);
    assert_true(fma(x[1], x[1], small) != square + small);
    assert_true(run_tree(TALLY_OP_NORM2, &plan, &array).as.f64 == square + small);
    assert_true(fmaf(x32[1], x32[1], small32) != square32 + small32);
    assert_true(run_tree(TALLY_OP_NORM2, &plan, &array32).as.f32 == square32 + small32);
}

/* ---- calls ---- */

static void r8_ramps_sum_to_n_n_plus_1_over_2(void **state)
{
    (void)state;
    for (int t = 0; t < TREE_TYPES; t++) {
        for (size_t n = 0; n <= 60; n++) { /* 60 * 61 / 2 = 1830, exact even in f16 */
            for (size_t i = 0; i < n; i++) {
                numbers[i] = (double)i + 1;
            }
            typed_pack(tree_types[t], numbers, n, elements);
            for (size_t p = 0; p < COUNT(plans); p++) {
                tally_request request = {.level = TALLY_LEVEL_TREE, .plan = &plans[p]};
                tally_array x = tally_array_dense(tree_types[t], elements, n);
                tally_value value;
                assert_int_equal(reduce_once(&request, &x, &value), TALLY_OK);
                assert_true(typed_number(&value) == (double)(n * (n + 1) / 2));
            }
        }
    }
}

static void r22_other_operations_go_through_the_same_tree(void **state)
{
    static const double x[] = {3, -1, 4, 0.5, -2, 5};
    static const double right[TREE_OPS] = {9.5, 60, -2, 5, 4, 5, 15.5, 0, 5};

    (void)state;
    for (int o = 0; o < TREE_OPS; o++) {
        for (int t = 0; t < FLOAT_TYPES; t++) {
            for (size_t p = 0; p < COUNT(plans); p++) {
                tally_request request = {
                    .op = tree_ops[o], .level = TALLY_LEVEL_TREE, .plan = &plans[p]};
                tally_array array = tally_array_dense(types[t], elements, 6);
                tally_value value;
                typed_pack(types[t], x, 6, elements);
                assert_int_equal(reduce_once(&request, &array, &value), TALLY_OK);
                double expected = tree_ops[o] != TALLY_OP_NORM2  ? right[o]
                                  : value.type == TALLY_TYPE_F64 ? sqrt(55.25)
                                                                 : sqrtf(55.25f);
                assert_true(typed_number(&value) == expected);
            }
        }
    }
}

static void nothing_has_the_values_of_the_table(void **state)
{
    (void)state;
    for (int o = 0; o < TREE_OPS; o++) {
        for (int t = 0; t < TREE_TYPES; t++) {
            tally_request request = {.op = tree_ops[o], .level = TALLY_LEVEL_TREE};
            tally_array none = tally_array_dense(tree_types[t], NULL, 0);
            tally_value value;
            if (tree_ops[o] >= TALLY_OP_MIN && tree_ops[o] <= TALLY_OP_ARGMAX) {
                expect_refusal(TALLY_ERR_EMPTY, &request, &none);
                continue;
            }
            assert_int_equal(reduce_once(&request, &none, &value), TALLY_OK);
            assert_true(typed_number(&value) == (tree_ops[o] == TALLY_OP_PROD));
            assert_false(signbit(typed_number(&value)));
        }
    }
}

/* A refusal at level tree, and what the context says about it. */
static void expect_words(tally_status status, tally_request request, tally_type type,
                         const char *words)
{
    const double one = 0;
    tally_array x = tally_array_dense(type, &one, 1);
    tally_error_detail detail;
    tally_context *ctx;
    tally_value value;

    expect_refusal(status, &request, &x);
    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK);
    assert_int_equal(tally_reduce(ctx, &request, &x, &value), status);
    assert_int_equal(tally_last_error(ctx, &detail), TALLY_OK);
    assert_int_equal(detail.status, status);
    if (!strstr(detail.what, words)) {
        fail_msg("\"%s\" is not in \"%s\"", words, detail.what);
    }
    tally_close(ctx);
}

static void what_level_tree_lacks_is_refused_with_a_reason(void **state)
{
    const tally_level tree = TALLY_LEVEL_TREE;
    const tally_plan bad = {.block = 3};
    tally_request mean = {.op = TALLY_OP_MEAN, .level = tree},
                  skip = {.nan = TALLY_NAN_SKIP, .level = tree}, sum = {.level = tree},
                  planned = {.level = tree, .plan = &bad}, level = {.level = (tally_level)2};

    (void)state;
    expect_words(TALLY_ERR_UNSUPPORTED, mean, TALLY_TYPE_F32, "no mean");
    expect_words(TALLY_ERR_UNSUPPORTED, skip, TALLY_TYPE_F32, "TALLY_NAN_SKIP");
    expect_words(TALLY_ERR_ARGUMENT, planned, TALLY_TYPE_F32, "power of two");
    expect_words(TALLY_ERR_ARGUMENT, level, TALLY_TYPE_F32, "level");
    for (int t = 0; t < TYPES; t++) {
        bool has = false;
        for (int k = 0; k < TREE_TYPES; k++) {
            has = has || types[t] == tree_types[k];
        }
        if (!has) {
            expect_words(TALLY_ERR_UNSUPPORTED, sum, types[t], "f16, bf16, f32, f64, i32 and i64");
        }
    }
    for (int o = TALLY_OP_PROD; o <= TALLY_OP_NORMINF; o++) {
        tally_request exact = {.op = (tally_op)o};
        expect_words(TALLY_ERR_UNSUPPORTED, exact, TALLY_TYPE_F32, "level tree only");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_naive_tree_gives_the_same_bits),
        cmocka_unit_test(special_values_go_through_every_plan),
        cmocka_unit_test(every_half_is_widened_exactly),
        cmocka_unit_test(strides_and_alignments_change_nothing),
        cmocka_unit_test(squares_are_rounded_before_they_are_added),
        cmocka_unit_test(r8_ramps_sum_to_n_n_plus_1_over_2),
        cmocka_unit_test(r22_other_operations_go_through_the_same_tree),
        cmocka_unit_test(nothing_has_the_values_of_the_table),
        cmocka_unit_test(what_level_tree_lacks_is_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
