/* test_model.c - the model's trees: the trace's bits, at both widths, whatever the order of lanes.
 */
#include "expect.h"

#include <stdlib.h>
#include <time.h>

#include "model_cases.h"
#include "typed.h"

enum { SHUFFLES = 100 };

/* No finding, and the expected bits. */
static void expect_clean(const model_options *options, tally_op op, const tally_plan *plan,
                         const tally_array *x, const tally_item *expected)
{
    const char *trouble = model_trouble(options, op, plan, x, expected);

    if (trouble) {
        print_error("%s\n", trouble);
    }
    assert_null(trouble);
}

static void every_op_type_and_plan_gives_the_bits_of_the_trace(void **state)
{
    enum { SEED = 20261130, EACH = 40 };
    static model_case c;
    random_state r = {.at = SEED};
    unsigned runs = 0;

    (void)state;
    for (int i = 0; i < EACH * TREE_TYPES * TREE_OPS; i++) {
        draw_case(&r, tree_ops[i % TREE_OPS], tree_types[i / TREE_OPS % TREE_TYPES], &c);
        tally_item expected = trace_of(c.op, &c.plan, &c.x);
        for (uint32_t wave = 32; wave <= 64; wave *= 2) {
            model_options options = {.wave = wave, .seed = c.seed};
            expect_clean(&options, c.op, &c.plan, &c.x, &expected);
            runs++;
        }
    }
    print_message("%u trees, seed %d\n", runs, SEED);
}

static void R21_shuffles_change_no_snapshot_and_have_no_findings(void **state)
{
    static const tally_plan wanted[] = {
        {.shape = TALLY_SHAPE_WAVE, .block = 64, .blocks = 7, .vector = 3},
        {.shape = TALLY_SHAPE_WAVE, .block = 16, .blocks = 5, .final = TALLY_FINAL_HOST},
        {.shape = TALLY_SHAPE_WAVE, .assign = TALLY_ASSIGN_CONTIGUOUS, .block = 256},
        {.shape = TALLY_SHAPE_HALVING, .block = 32, .stages = 3},
        {.shape = TALLY_SHAPE_HALVING,
         .assign = TALLY_ASSIGN_GRID_STRIDE,
         .block = 128,
         .blocks = 3}};
    static float data[1500];
    tally_array x = tally_array_dense(TALLY_TYPE_F32, data, COUNT(data));
    random_state r = {.at = 7};
    unsigned runs = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(data); i++) {
        data[i] = (float)random_below(&r, 1000000) / 7;
    }
    for (size_t i = 0; i < COUNT(wanted); i++) {
        static tally_item partials[1500], first[1500];
        tally_plan plan;

        assert_int_equal(tally_plan_resolve(&wanted[i], x.type, x.n, &plan, NULL), TALLY_OK);
        tally_item expected = trace_of(TALLY_OP_SUM, &plan, &x);
        for (uint64_t k = 0; k < 2 * (1 + SHUFFLES); k++) { /* seed 0 is the ascending order */
            model_options options = {.wave = k % 2 == 0 ? 32 : 64, .seed = k / 2};
            model_result result;
            tally_item *into = k == 0 ? first : partials;

            assert_int_equal(
                tally_model_tree(&options, TALLY_OP_SUM, &plan, &x, into, COUNT(partials), &result),
                TALLY_OK);
            assert_int_equal(result.n_findings, 0);
            assert_int_equal(result.n_partials, plan.blocks);
            assert_memory_equal(&result.item, &expected, sizeof expected);
            assert_memory_equal(into, first, plan.blocks * sizeof *first);
            runs++;
        }
    }
    print_message("%u clean runs: %zu plans, ascending and %d shuffles, waves of 32 and 64\n", runs,
                  COUNT(wanted), SHUFFLES);
}

static void atomic_ends_are_clean_in_any_order_and_exact_where_order_does_not_matter(void **state)
{
    static const tally_op ops[] = {TALLY_OP_SUM, TALLY_OP_PROD, TALLY_OP_MAX, TALLY_OP_ARGMAX};
    static const tally_type kinds[] = {TALLY_TYPE_F32, TALLY_TYPE_F64, TALLY_TYPE_I64};
    tally_plan wanted = {.block = 32, .blocks = 9, .final = TALLY_FINAL_ATOMIC};

    (void)state;
    for (size_t i = 0; i < COUNT(ops) * COUNT(kinds); i++) {
        tally_op op = ops[i / COUNT(kinds)];
        tally_type type = kinds[i % COUNT(kinds)];
        static unsigned char data[8 * 500];
        tally_array x = tally_array_dense(type, data, 500);
        tally_plan plan;

        for (size_t k = 0; k < x.n; k++) { /* sums and products are exact */
            double v = op == TALLY_OP_PROD ? (k % 9 == 0 ? 2 : 1) : (double)(k * k % 97);
            typed_put(type, data + k * tally_type_size(type), v);
        }
        assert_int_equal(tally_plan_resolve(&wanted, type, x.n, &plan, NULL), TALLY_OK);
        tally_item expected = trace_of(op, &plan, &x);
        for (uint64_t seed = 0; seed < 20; seed++) {
            model_options options = {.wave = seed % 2 == 0 ? 32 : 64, .seed = seed};
            expect_clean(&options, op, &plan, &x, &expected);
        }
    }
}

static void R7_partials_of_the_lesson(void **state)
{
    static const int32_t data[] = {3, -1, 4, 0, 2};
    static const uint64_t right[] = {6, 2};
    tally_plan wanted = {.shape = TALLY_SHAPE_HALVING, .block = 4}, plan;
    tally_array x = tally_array_dense(TALLY_TYPE_I32, data, COUNT(data));
    tally_item partials[3] = {{.index = 99}, {.index = 99}, {.index = 99}};
    model_options options = {.wave = 64};
    model_result result;

    (void)state;
    assert_int_equal(tally_plan_resolve(&wanted, x.type, x.n, &plan, NULL), TALLY_OK);
    assert_int_equal(tally_model_tree(&options, TALLY_OP_SUM, &plan, &x, partials, 3, &result),
                     TALLY_OK);
    assert_int_equal(result.n_launches, 2);
    assert_int_equal(result.n_partials, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(partials[i].as.i128[0], right[i]);
        assert_int_equal(partials[i].as.i128[1], 0);
    }
    assert_int_equal(partials[2].index, 99); /* nothing behind them */
    assert_int_equal(result.item.as.i128[0], 8);
}

static void R6_one_two_or_more_stages_agree(void **state)
{
    static int64_t data[4000];
    tally_array x = tally_array_dense(TALLY_TYPE_I64, data, COUNT(data));
    model_options options = {.wave = 32, .seed = 3};
    model_result result;

    (void)state;
    for (size_t i = 0; i < COUNT(data); i++) {
        data[i] = (int64_t)i + 1;
    }
    for (uint32_t stages = 1; stages <= 5; stages++) {
        tally_plan wanted = {.block = 8, .blocks = stages == 1 ? 1 : 300, .stages = stages}, plan;

        assert_int_equal(tally_plan_resolve(&wanted, x.type, x.n, &plan, NULL), TALLY_OK);
        assert_int_equal(tally_model_tree(&options, TALLY_OP_SUM, &plan, &x, NULL, 0, &result),
                         TALLY_OK);
        assert_int_equal(result.n_findings, 0);
        assert_int_equal(result.n_launches, stages);
        assert_int_equal(result.item.as.i128[0], 4000 * 4001 / 2);
    }
}

static void R13_no_elements_launch_nothing(void **state)
{
    tally_array x = tally_array_dense(TALLY_TYPE_F64, NULL, 0);
    model_options options = {.wave = 32};
    model_result result;
    tally_plan plan;

    (void)state;
    assert_int_equal(tally_plan_resolve(NULL, x.type, 0, &plan, NULL), TALLY_OK);
    for (size_t i = 0; i < TREE_OPS; i++) {
        tally_item expected = trace_of(tree_ops[i], &plan, &x);

        assert_int_equal(tally_model_tree(&options, tree_ops[i], &plan, &x, NULL, 0, &result),
                         TALLY_OK);
        assert_int_equal(result.n_launches, 0);
        assert_int_equal(result.n_findings, 0);
        assert_memory_equal(&result.item, &expected, sizeof expected);
    }
}

static void what_the_model_does_not_have_is_refused(void **state)
{
    static const float data[2] = {1, 2};
    tally_array x = tally_array_dense(TALLY_TYPE_F32, data, 2), u8 = x;
    model_options odd_wave = {.wave = 48}, misfit = {.fault = FAULT_IN_PLACE}, fine = {0};
    model_result result;
    tally_plan plan;

    (void)state;
    u8.type = TALLY_TYPE_U8;
    assert_int_equal(tally_plan_resolve(NULL, x.type, 2, &plan, NULL), TALLY_OK);
    assert_int_equal(tally_model_tree(&odd_wave, TALLY_OP_SUM, &plan, &x, NULL, 0, &result),
                     TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_model_tree(&misfit, TALLY_OP_SUM, &plan, &x, NULL, 0, &result),
                     TALLY_ERR_UNSUPPORTED);
    assert_int_equal(tally_model_tree(&fine, TALLY_OP_MEAN, &plan, &x, NULL, 0, &result),
                     TALLY_ERR_UNSUPPORTED);
    assert_int_equal(tally_model_tree(&fine, TALLY_OP_SUM, &plan, &u8, NULL, 0, &result),
                     TALLY_ERR_UNSUPPORTED);
    assert_int_equal(tally_model_tree(&fine, TALLY_OP_SUM, &plan, &x, NULL, 0, &result), TALLY_OK);
}

static void the_backend_gives_the_value_of_the_cpu_and_nothing_exact(void **state)
{
    static double data[777];
    tally_array x = tally_array_dense(TALLY_TYPE_F64, data, COUNT(data));
    tally_request tree = {.op = TALLY_OP_NORM2, .level = TALLY_LEVEL_TREE}, exact = {0};
    tally_request largest = {.op = TALLY_OP_MAX};
    tally_options options = {.backend = TALLY_BACKEND_MODEL, .wave = 7};
    tally_context *ctx, *cpu;
    tally_error_detail detail;
    tally_value value, expected;

    (void)state;
    for (size_t i = 0; i < COUNT(data); i++) {
        data[i] = 1.0 / (double)(i + 1);
    }
    assert_int_equal(tally_open(&options, &ctx), TALLY_ERR_ARGUMENT);
    assert_null(ctx);
    assert_int_equal(tally_open(NULL, &cpu), TALLY_OK);
    assert_int_equal(tally_context_backend(cpu),
                     TALLY_BACKEND_CPU); /* AUTO never takes the model */
    assert_int_equal(tally_reduce(cpu, &tree, &x, &expected), TALLY_OK);
    for (options.wave = 0; options.wave <= 64; options.wave += 32) {
        options.seed = options.wave;
        assert_int_equal(tally_open(&options, &ctx), TALLY_OK);
        assert_int_equal(tally_context_backend(ctx), TALLY_BACKEND_MODEL);
        assert_int_equal(tally_reduce(ctx, &tree, &x, &value), TALLY_OK);
        assert_int_equal(value.as.u64, expected.as.u64);
        assert_int_equal(tally_reduce(ctx, &exact, &x, &value), TALLY_ERR_UNSUPPORTED);
        assert_int_equal(tally_last_error(ctx, &detail), TALLY_OK);
        assert_non_null(strstr(detail.what, "backend cpu"));
        assert_int_equal(tally_reduce(ctx, &largest, &x, &value), TALLY_ERR_UNSUPPORTED);
        tally_close(ctx);
    }
    tally_close(cpu);
}

static void a_million_elements_take_seconds_not_minutes(void **state)
{
    enum { MILLION = 1000000, MOST_SECONDS = 60 }; /* a few; more with sanitizers */
    float *data = malloc(MILLION * sizeof *data);
    model_options options = {.wave = 32, .seed = 1};
    tally_plan plan;

    (void)state;
    assert_non_null(data);
    for (size_t i = 0; i < MILLION; i++) {
        data[i] = (float)(i % 1013) / 3;
    }
    tally_array x = tally_array_dense(TALLY_TYPE_F32, data, MILLION);
    assert_int_equal(tally_plan_resolve(NULL, x.type, x.n, &plan, NULL), TALLY_OK);
    tally_item expected = trace_of(TALLY_OP_SUM, &plan, &x);
    clock_t begun = clock();
    expect_clean(&options, TALLY_OP_SUM, &plan, &x, &expected);
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    print_message("%d elements in %.1f s\n", MILLION, seconds);
    assert_true(seconds < MOST_SECONDS);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_op_type_and_plan_gives_the_bits_of_the_trace),
        cmocka_unit_test(R21_shuffles_change_no_snapshot_and_have_no_findings),
        cmocka_unit_test(atomic_ends_are_clean_in_any_order_and_exact_where_order_does_not_matter),
        cmocka_unit_test(R7_partials_of_the_lesson),
        cmocka_unit_test(R6_one_two_or_more_stages_agree),
        cmocka_unit_test(R13_no_elements_launch_nothing),
        cmocka_unit_test(what_the_model_does_not_have_is_refused),
        cmocka_unit_test(the_backend_gives_the_value_of_the_cpu_and_nothing_exact),
        cmocka_unit_test(a_million_elements_take_seconds_not_minutes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
