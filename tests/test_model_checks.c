/* test_model_checks.c - what the model finds: each fault by its name, and mistakes of learners. */
#include "expect.h"

#include <math.h>
#include <stdio.h>

#include "model/model.h"
#include "model_kernels.h"
#include "plan.h"
#include "trace.h"

static const float lesson[] = {3, -1, 4, 0, 2};

static const model_report *find(const model_result *result, model_check check)
{
    for (size_t i = 0; i < result->n_reports; i++) {
        if (result->report[i].check == check) {
            return &result->report[i];
        }
    }
    return NULL;
}

static model_result run_fault(const char *name, const tally_plan *wanted, const float *data,
                              size_t n, uint32_t wave, uint64_t seed, bool zeroed)
{
    const fault_row *row = tally_fault_find(name);
    tally_array x = tally_array_dense(TALLY_TYPE_F32, data, n);
    model_result result;
    tally_plan plan;

    assert_non_null(row);
    model_options options = {.wave = wave, .seed = seed, .fault = row->fault, .zeroed = zeroed};
    assert_int_equal(tally_plan_resolve(wanted, x.type, n, &plan, NULL), TALLY_OK);
    assert_int_equal(tally_model_tree(&options, TALLY_OP_SUM, &plan, &x, NULL, 0, &result),
                     TALLY_OK);
    return result;
}

/* ---- the faults of fault.h ---- */

static void each_fault_is_found_at_both_widths_in_any_order(void **state)
{
    static const struct {
        const char *name;
        tally_plan plan;
        model_check check;
        const char *kernel;
    } rows[] = {
        {"floor-blocks",
         {.shape = TALLY_SHAPE_HALVING, .block = 4},
         MODEL_COVERAGE,
         "tree_halving"},
        {"floor-blocks",
         {.shape = TALLY_SHAPE_HALVING, .block = 8},
         MODEL_COVERAGE,
         "tree_halving"},
        {"early-exit", {.shape = TALLY_SHAPE_HALVING, .block = 4}, MODEL_BARRIER, "tree_halving"},
        {"early-exit", {.shape = TALLY_SHAPE_WAVE, .block = 16}, MODEL_EXCHANGE, "tree_wave"},
        {"early-exit", {.shape = TALLY_SHAPE_WAVE, .block = 16}, MODEL_BARRIER, "tree_wave"},
        {"in-place", {.shape = TALLY_SHAPE_HALVING, .block = 4}, MODEL_RACE, "tree_halving"},
        {"wrong-mask", {.shape = TALLY_SHAPE_WAVE, .block = 4}, MODEL_EXCHANGE, "tree_wave"},
        {"wrong-mask", {.shape = TALLY_SHAPE_WAVE, .block = 256}, MODEL_EXCHANGE, "tree_wave"},
        {"no-barrier", {.shape = TALLY_SHAPE_WAVE, .block = 64}, MODEL_RACE, "tree_wave"},
        {"no-barrier", {.shape = TALLY_SHAPE_HALVING, .block = 4}, MODEL_RACE, "tree_halving"},
        {"stale-partials",
         {.shape = TALLY_SHAPE_HALVING, .block = 4},
         MODEL_BOUNDS,
         "tree_halving"},
        {"stale-partials", {.shape = TALLY_SHAPE_WAVE, .block = 4}, MODEL_BOUNDS, "tree_wave"},
        {"stale-partials", {.block = 4, .final = TALLY_FINAL_HOST}, MODEL_BOUNDS, "host_fold"},
    };
    unsigned runs = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (uint64_t k = 0; k < 20; k++) {
            uint32_t wave = k % 2 == 0 ? 32 : 64;
            model_result result = run_fault(rows[i].name, &rows[i].plan, lesson, COUNT(lesson),
                                            wave, k / 2, k % 4 < 2);
            const model_report *report = find(&result, rows[i].check);

            if (!report) {
                print_error("%s: wave %u, seed %u: %u findings, none of kind %s\n", rows[i].name,
                            wave, (unsigned)k / 2, (unsigned)result.n_findings,
                            tally_model_check_name(rows[i].check));
            }
            assert_non_null(report);
            assert_string_equal(report->kernel, rows[i].kernel);
            if (result.n_launches > 0 && strcmp(report->kernel, "host_fold") != 0) {
                assert_non_null(strstr(report->file, "gpu/tree.cuh"));
                assert_true(report->line > 0);
            }
            runs++;
        }
    }
    print_message("%u runs of %d faults, each found by name, waves of 32 and 64\n", runs,
                  FAULTS - 1);
}

static void every_fault_of_the_table_is_in_the_test_above(void **state)
{
    (void)state;
    assert_int_equal(FAULTS, 7); /* none and the six names there: add a row with a fault */
}

static void R29_early_exit_is_right_by_luck_on_zeros_and_wrong_on_poison(void **state)
{
    const tally_plan plan = {.shape = TALLY_SHAPE_HALVING, .block = 4};

    (void)state;
    for (uint32_t wave = 32; wave <= 64; wave *= 2) {
        for (int zeroed = 0; zeroed < 2; zeroed++) {
            model_result result =
                run_fault("early-exit", &plan, lesson, COUNT(lesson), wave, wave, zeroed);
            const model_report *report = find(&result, MODEL_BARRIER);

            assert_true(zeroed ? result.item.as.f32 == 8 : isnan(result.item.as.f32));
            assert_non_null(report);
            assert_int_equal(report->block, 1); /* [2], and three lanes without an element */
            assert_int_equal(report->arrived, 1);
            assert_int_equal(report->expected, 4);
            assert_non_null(strstr(report->text, "1 of 4 lanes arrived at the barrier"));
            assert_non_null(find(&result, MODEL_UNWRITTEN));
        }
    }
}

/* Poison is no op's identity, and the same as the trace's. */
static void poison_spoils_every_op_as_on_the_trace(void **state)
{
    static const int32_t integers[] = {3, -1, 4, 0, 2};
    static const tally_op ops[] = {TALLY_OP_SUM,    TALLY_OP_MAX,   TALLY_OP_MIN,
                                   TALLY_OP_ARGMAX, TALLY_OP_NORM1, TALLY_OP_NORMINF};
    const tally_plan wanted = {.shape = TALLY_SHAPE_HALVING, .block = 4};
    static unsigned char scratch[4096];

    (void)state;
    for (size_t i = 0; i < 2 * COUNT(ops); i++) {
        const bool floats = i % 2;
        const tally_op op = ops[i / 2];
        const tally_array x = tally_array_dense(floats ? TALLY_TYPE_F32 : TALLY_TYPE_I32,
                                                floats ? (const void *)lesson : integers, 5);
        model_options options = {.fault = FAULT_EARLY_EXIT};
        trace_options traced = {.op = op, .fault = FAULT_EARLY_EXIT, .poison = true};
        tally_plan plan;
        tally_item expected, clean;
        model_result result;

        assert_int_equal(tally_plan_resolve(&wanted, x.type, x.n, &plan, NULL), TALLY_OK);
        assert_true(tally_trace_scratch(&plan, x.n) <= sizeof scratch);
        assert_int_equal(tally_trace_run(&traced, &plan, &x, scratch, &expected), TALLY_OK);
        traced.fault = FAULT_NONE;
        assert_int_equal(tally_trace_run(&traced, &plan, &x, scratch, &clean), TALLY_OK);
        assert_int_equal(tally_model_tree(&options, op, &plan, &x, NULL, 0, &result), TALLY_OK);
        assert_memory_equal(&result.item, &expected, sizeof expected);
        if (floats || op != TALLY_OP_MIN) { /* a large number spoils no minimum */
            assert_memory_not_equal(&result.item, &clean, sizeof clean);
        }
    }
}

static void R28_floor_blocks_loses_the_tail(void **state)
{
    static const float wrong[] = {0, 0, 0, 0, 10, 10, 10, 10, 36, 36};
    const tally_plan plan = {.shape = TALLY_SHAPE_HALVING, .block = 4};
    float data[COUNT(wrong)];

    (void)state;
    for (size_t n = 1; n < COUNT(wrong); n++) {
        data[n - 1] = (float)n;
        model_result result = run_fault("floor-blocks", &plan, data, n, 32, 0, false);

        assert_true(result.item.as.f32 == wrong[n]);
        assert_int_equal(result.n_findings, n % 4 != 0);
        assert_int_equal(result.n_partials, n / 4);
        assert_int_equal(result.n_launches, n < 4 ? 0 : 2);
    }
}

/* ---- kernels of learners ---- */

static model_result run(kernel_name kernel, uint32_t lanes, uint32_t wave, uint64_t seed)
{
    model_options options = {.wave = wave, .seed = seed};
    model_result result;

    assert_int_equal(run_kernel(kernel, &options, lanes, &result), TALLY_OK);
    assert_int_equal(result.n_launches, 1);
    return result;
}

static void R20_blocks_of_33_and_48_lanes_are_clean_and_right(void **state)
{
    static const uint32_t lanes[] = {1, 3, 24, 31, 33, 48, 63, 65, 100, 1000, 1023, 1024};

    (void)state;
    for (size_t i = 0; i < COUNT(lanes); i++) {
        for (uint64_t k = 0; k < 6; k++) {
            uint32_t wave = k % 2 == 0 ? 32 : 64;
            for (kernel_name kernel = KERNEL_TREE_WAVE; kernel <= KERNEL_TREE_HALVING; kernel++) {
                model_result result = run(kernel, lanes[i], wave, k / 2);
                assert_int_equal(result.n_findings, 0);
                assert_true(result.item.as.f32 == (float)lanes[i]);
            }
            model_result result = run(KERNEL_VOTE, lanes[i], wave, k / 2);
            assert_int_equal(result.n_findings, 0);
            assert_true(result.item.as.f32 == (float)(lanes[i] < 32 ? lanes[i] : 32));
        }
    }
}

static void R20_a_full_mask_in_a_wave_that_is_not_full_is_found(void **state)
{
    static const struct {
        uint32_t lanes, wave;
        bool right;
    } rows[] = {{33, 32, false}, {33, 64, false}, {48, 32, false}, {48, 64, false}, {32, 32, true},
                {32, 64, false}, {96, 32, true},  {96, 64, false}, {64, 64, true},  {4, 32, false}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (kernel_name kernel = KERNEL_FULL_MASK; kernel <= KERNEL_VOTE_FULL; kernel += 2) {
            model_result result = run(kernel, rows[i].lanes, rows[i].wave, i);

            assert_int_equal(result.n_findings == 0, rows[i].right);
            if (!rows[i].right) {
                const model_report *report = find(&result, MODEL_EXCHANGE);
                char block_has[40];

                snprintf(block_has, sizeof block_has, "the block has %u lanes", rows[i].lanes);
                assert_non_null(report);
                assert_non_null(strstr(report->text, block_has));
                assert_non_null(
                    strstr(report->text, kernel == KERNEL_VOTE_FULL ? "vote" : "exchange"));
            }
        }
    }
}

static void mistakes_of_learners_are_found_and_end(void **state)
{
    static const struct {
        kernel_name kernel;
        const char *name;
        model_check check;
        const char *text;
    } rows[] = {
        {KERNEL_TWO_BARRIERS, "two_barriers", MODEL_BARRIER, "20 of 40 lanes arrived"},
        {KERNEL_HALF_EXCHANGE, "half_exchange", MODEL_EXCHANGE, "waits elsewhere, in line"},
        {KERNEL_NOT_NAMED, "not_named", MODEL_EXCHANGE, "its mask does not name it"},
        {KERNEL_ENDLESS, "endless", MODEL_BARRIER, "would never end"},
        {KERNEL_OUTSIDE, "outside", MODEL_BOUNDS, "writes element 40 of shared memory"},
        {KERNEL_OUTSIDE, "outside", MODEL_BOUNDS, "reads element 40 of shared memory"},
        {KERNEL_OUTSIDE, "outside", MODEL_BOUNDS, "writes element 1 of the partials"},
        {KERNEL_SAME_PARTIAL, "same_partial", MODEL_RACE, "has been written before"},
        {KERNEL_SAME_WORD, "same_word", MODEL_RACE, "writes element 0 of shared memory"},
        {KERNEL_LATE_WRITE, "late_write", MODEL_RACE, "element 0 of shared memory"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (uint64_t k = 0; k < 40; k++) {
            model_result result = run(rows[i].kernel, 40, k % 2 == 0 ? 32 : 64, k / 2);
            bool found = false;

            for (size_t j = 0; j < result.n_reports; j++) {
                const model_report *report = &result.report[j];
                found = found || (report->check == rows[i].check && report->line > 0 &&
                                  strcmp(report->kernel, rows[i].name) == 0 &&
                                  strstr(report->file, "model_kernels.cpp") &&
                                  strstr(report->text, rows[i].text));
            }
            if (!found) {
                print_error("%s, %u: %s\n", rows[i].name, (unsigned)k,
                            result.n_reports > 0 ? result.report[0].text : "clean");
            }
            assert_true(found);
        }
    }
}

static void equal_findings_are_counted_and_described_once(void **state)
{
    const tally_plan plan = {.shape = TALLY_SHAPE_HALVING, .block = 64};
    static float data[64 * 50];

    (void)state;
    model_result result = run_fault("in-place", &plan, data, COUNT(data), 32, 9, false);
    uint64_t counted = 0;
    for (size_t i = 0; i < result.n_reports; i++) {
        counted += result.report[i].n;
        for (size_t j = 0; j < i; j++) {
            assert_false(result.report[i].check == result.report[j].check &&
                         result.report[i].line == result.report[j].line);
        }
    }
    assert_in_range(result.n_reports, 1, MODEL_REPORTS - 1);
    assert_true(counted > 50);
    assert_int_equal(counted, result.n_findings);
}

static void checks_have_names(void **state)
{
    (void)state;
    for (int check = 0; check < MODEL_CHECKS; check++) {
        assert_non_null(tally_model_check_name((model_check)check));
        for (int other = 0; other < check; other++) {
            assert_string_not_equal(tally_model_check_name((model_check)check),
                                    tally_model_check_name((model_check)other));
        }
    }
    assert_null(tally_model_check_name(MODEL_CHECKS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_is_found_at_both_widths_in_any_order),
        cmocka_unit_test(every_fault_of_the_table_is_in_the_test_above),
        cmocka_unit_test(R29_early_exit_is_right_by_luck_on_zeros_and_wrong_on_poison),
        cmocka_unit_test(poison_spoils_every_op_as_on_the_trace),
        cmocka_unit_test(R28_floor_blocks_loses_the_tail),
        cmocka_unit_test(R20_blocks_of_33_and_48_lanes_are_clean_and_right),
        cmocka_unit_test(R20_a_full_mask_in_a_wave_that_is_not_full_is_found),
        cmocka_unit_test(mistakes_of_learners_are_found_and_end),
        cmocka_unit_test(equal_findings_are_counted_and_described_once),
        cmocka_unit_test(checks_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
