/*
 * test_trace_lessons.c - the numbers that the lessons on two-stage sums give, seen in traces. R1
 * ... R22 are their numbers in the list of requirements.
 */
#include "expect.h"

#include <stdlib.h>

#include "naive_tree.h"
#include "plan.h"
#include "trace_record.h"

static void r1_a_trace_has_all_four_levels(void **state)
{
    double x[300];
    uint64_t taken = 0;
    const tally_plan wanted = {.block = 64, .blocks = 2, .vector = 1};

    (void)state;
    for (int i = 0; i < 300; i++) {
        x[i] = i;
    }
    play(sum, wanted, x, 300);
    for (uint64_t b = 0; b < 2; b++) {
        const record *load = find(TRACE_LOAD, 1, b, 0);
        assert_non_null(load);
        for (int t = 0; t < 64; t++) {
            taken += load->n_elements[t];
        }
        assert_non_null(find(TRACE_ROUND, 1, b, 0));
        assert_non_null(find(TRACE_WRITE, 1, b, 0));
        assert_non_null(find(TRACE_PARTIAL, 1, b, 0));
    }
    assert_int_equal(taken, 300);
    assert_non_null(find(TRACE_LOAD, 2, 0, 0));
    assert_true(rec.result.as.f64 == 299 * 300 / 2);
}

static void r2_lane_values_0_to_31_give_16_48_112_240_496(void **state)
{
    static const double lane_0[] = {16, 48, 112, 240, 496};
    const tally_plan wanted = {.block = 32, .vector = 1};
    double x[32];

    (void)state;
    for (int i = 0; i < 32; i++) {
        x[i] = i;
    }
    play(sum, wanted, x, 32);
    for (size_t i = 0; i < COUNT(lane_0); i++) {
        const record *r = expect_after(find(TRACE_ROUND, 1, 0, i), &lane_0[i], 1);
        assert_int_equal(r->e.tree, 1);
        assert_int_equal(r->e.distance, 16 >> i);
        for (int t = 0; t < 32; t++) { /* all 32 lanes take part */
            assert_true(r->role[t] == TRACE_ACTIVE || r->role[t] == TRACE_OWN);
        }
    }
    assert_true(rec.result.as.f64 == 496);
}

static void r3_a_block_writes_a_slot_a_group_and_one_partial(void **state)
{
    static double x[1024];

    (void)state;
    for (uint32_t block = 1; block <= 1024; block *= 2) {
        tally_plan wanted = {.block = block, .vector = 1};
        uint32_t groups = (block + 31) / 32, written = 0;

        play(sum, wanted, x, block);
        const record *write = find(TRACE_WRITE, 1, 0, 0), *barrier = find(TRACE_BARRIER, 1, 0, 0);
        for (uint32_t t = 0; t < block; t++) {
            written += write->role[t] == TRACE_ACTIVE;
        }
        assert_int_equal(written, groups);
        assert_int_equal(barrier->e.arrived, block);
        assert_null(find(TRACE_BARRIER, 1, 0, 1));
        assert_non_null(find(TRACE_PARTIAL, 1, 0, 0));
        assert_null(find(TRACE_PARTIAL, 1, 0, 1));
    }
}

static void r4_256_lanes_use_8_slots(void **state)
{
    static double x[256];
    const tally_plan wanted = {.block = 256, .vector = 1};

    (void)state;
    play(sum, wanted, x, 256);
    assert_int_equal(find(TRACE_BARRIER, 1, 0, 0)->e.n_slots, 8);
}

static void r5_the_lessons_grid_leaves_32_partials_for_32_lanes(void **state)
{
    static double x[100000];
    const tally_plan wanted = {.block = 256, .blocks = 32, .vector = 1};
    int with_13 = 0, with_12 = 0;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        x[i] = i % 17;
    }
    play(sum, wanted, x, 100000);
    for (uint64_t b = 0; b < 32; b++) {
        const record *load = find(TRACE_LOAD, 1, b, 0);
        for (int t = 0; t < 256; t++) {
            with_13 += load->n_elements[t] == 13;
            with_12 += load->n_elements[t] == 12;
        }
        assert_non_null(find(TRACE_PARTIAL, 1, b, 0));
    }
    assert_int_equal(with_13, 1696);
    assert_int_equal(with_12, 6496);
    assert_null(find(TRACE_PARTIAL, 1, 32, 0));
    assert_int_equal(find(TRACE_LOAD, 2, 0, 0)->e.n_lanes, 32);
    assert_null(find(TRACE_LOAD, 2, 1, 0));
    assert_int_equal(count_steps(TRACE_RESULT), 1);
}

static void r6_one_two_or_more_stages_agree(void **state)
{
    double x[64];

    (void)state;
    for (int i = 0; i < 64; i++) {
        x[i] = i * 0.25;
    }
    for (uint32_t stages = 1; stages <= 8; stages++) {
        tally_plan wanted = {.block = 4, .vector = 1, .stages = stages};
        wanted.blocks = stages == 1 ? 1 : 0;
        play(sum, wanted, x, 64);
        assert_true(rec.result.as.f64 == 63 * 64 / 2 * 0.25);
        assert_non_null(find(TRACE_LOAD, stages, 0, 0));
        assert_null(find(TRACE_LOAD, stages + 1, 0, 0));
    }
}

static void r7_the_lessons_partials_are_6_and_2_and_the_sum_8(void **state)
{
    static const double partials[] = {6, 2}, eight = 8;

    (void)state;
    play(sum, halving_4, lesson, 5);
    expect_after(find(TRACE_PARTIAL, 1, 0, 0), &partials[0], 1);
    expect_after(find(TRACE_PARTIAL, 1, 1, 0), &partials[1], 1);
    expect_after(find(TRACE_LOAD, 2, 0, 0), partials, 2);
    expect_after(find(TRACE_PARTIAL, 2, 0, 0), &eight, 1);
    expect_after(find(TRACE_RESULT, 2, 0, 0), &eight, 1);
}

static void r9_the_halving_order_is_fixed(void **state)
{
    static const double loaded[2][4] = {{3, -1, 4, 0}, {2, 0, 0, 0}},
                        first[2][4] = {{7, -1, 4, 0}, {2, 0, 0, 0}},
                        second[2][4] = {{6, -1, 4, 0}, {2, 0, 0, 0}};

    (void)state;
    play(sum, halving_4, lesson, 5);
    for (uint64_t b = 0; b < 2; b++) {
        expect_after(find(TRACE_LOAD, 1, b, 0), loaded[b], 4);
        assert_int_equal(expect_after(find(TRACE_ROUND, 1, b, 0), first[b], 4)->e.distance, 2);
        assert_int_equal(expect_after(find(TRACE_ROUND, 1, b, 1), second[b], 4)->e.distance, 1);
        assert_null(find(TRACE_ROUND, 1, b, 2));
    }
}

static void r11_lanes_past_the_end_hold_the_identity_and_reach_every_barrier(void **state)
{
    (void)state;
    for (int o = 0; o < TREE_OPS; o++) {
        tally_item identity = naive_identity(tree_ops[o], TALLY_TYPE_F64);
        play((setting){.op = tree_ops[o]}, halving_4, lesson, 5);
        const record *load = find(TRACE_LOAD, 1, 1, 0);
        for (int t = 1; t < 4; t++) {
            assert_int_equal(load->role[t], TRACE_PADDED);
            assert_int_equal(load->n_elements[t], 0);
            expect_same(&load->after[t], &identity, 1);
        }
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(find(TRACE_BARRIER, 1, 1, i)->e.arrived, 4);
        }
        assert_null(find(TRACE_BARRIER, 1, 1, 3));
    }
}

static void r12_the_second_stage_adds_exactly_the_partials(void **state)
{
    double x[50];

    (void)state;
    for (size_t n = 1; n <= 50; n++) {
        const tally_plan wanted = {.shape = TALLY_SHAPE_HALVING, .block = 4};
        const trace_options options = {.op = TALLY_OP_SUM};
        tally_array array = tally_array_dense(TALLY_TYPE_F64, x, n);
        tally_plan plan;
        tally_item result;

        x[n - 1] = (double)n;
        assert_int_equal(tally_plan_resolve(&wanted, TALLY_TYPE_F64, n, &plan, NULL), TALLY_OK);
        size_t nbytes = (size_t)tally_trace_scratch(&plan, n);
        void *scratch = malloc(nbytes);
        assert_non_null(scratch);
        memset(scratch, 0xff, nbytes); /* all items NaN */
        assert_int_equal(tally_trace_run(&options, &plan, &array, scratch, &result), TALLY_OK);
        assert_true(result.as.f64 == (double)(n * (n + 1) / 2));
        free(scratch);
        play(sum, wanted, x, n);
        uint64_t taken = 0;
        const record *load = find(TRACE_LOAD, 2, 0, 0);
        for (uint32_t t = 0; t < load->e.n_lanes; t++) {
            taken += load->n_elements[t];
        }
        assert_int_equal(taken, (n + 3) / 4);
    }
}

static void r13_no_elements_are_no_event_but_the_result(void **state)
{
    (void)state;
    play(sum, halving_4, lesson, 0);
    assert_int_equal(rec.n, 1);
    assert_int_equal(rec.r[0].e.step, TRACE_RESULT);
    assert_true(rec.result.as.f64 == 0);
}

static void r18_order_changes_the_sum_and_the_plan_fixes_it(void **state)
{
    /* 1e16 swallows a 1; pairs of 1 first do not get lost */
    static const double x[] = {1e16, 1, 1, 1};
    const tally_plan one_lane = {.block = 1, .vector = 4}, four = {.block = 4, .vector = 1};

    (void)state;
    play(sum, one_lane, x, 4);
    assert_true(rec.result.as.f64 == 1e16);
    play(sum, four, x, 4);
    assert_true(rec.result.as.f64 == 1e16 + 2);
}

static void r20_only_lanes_that_exist_exchange(void **state)
{
    static double x[16];

    (void)state;
    for (uint32_t block = 2; block <= 16; block *= 2) {
        const tally_plan wanted = {.block = block, .vector = 1};
        play(sum, wanted, x, block);
        for (size_t i = 0; i < rec.n; i++) {
            const record *r = &rec.r[i];
            for (uint32_t t = 0; r->e.step == TRACE_ROUND && t < r->e.n_lanes; t++) {
                assert_in_range(r->source[t], 0, r->e.n_lanes - 1);
            }
        }
        /* the first distance is half of the block: no lane beyond it is named */
        assert_int_equal(find(TRACE_ROUND, 1, 0, 0)->e.distance, block / 2);
    }
}

static void r21_the_order_of_lanes_does_not_matter_to_a_round(void **state)
{
    double x[32];

    (void)state;
    for (int i = 0; i < 32; i++) {
        x[i] = 1.0 / (i + 1);
    }
    for (int shape = TALLY_SHAPE_WAVE; shape <= TALLY_SHAPE_HALVING; shape++) {
        const tally_plan wanted = {.shape = (tally_shape)shape, .block = 32, .vector = 1};
        play(sum, wanted, x, 32);
        for (size_t i = 0; i < rec.n; i++) {
            const record *r = &rec.r[i];
            tally_item mine[32];
            if (r->e.step != TRACE_ROUND) {
                continue;
            }
            memcpy(mine, r->before, r->e.n_lanes * sizeof *mine);
            for (uint32_t k = 0; k < r->e.n_lanes; k++) {
                uint32_t t = (k * 13 + 5) % r->e.n_lanes; /* 13 is prime to any power of two */
                if (r->source[t] >= 0) {
                    mine[t] = naive_combine(TALLY_OP_SUM, TALLY_TYPE_F64, r->before[t],
                                            r->before[r->source[t]]);
                }
            }
            expect_same(mine, r->after, r->e.n_lanes);
        }
    }
}

static void atomic_partials_are_added_in_block_order(void **state)
{
    const tally_plan wanted = {
        .shape = TALLY_SHAPE_HALVING, .block = 4, .final = TALLY_FINAL_ATOMIC};

    (void)state;
    play(sum, wanted, lesson, 5);
    assert_true(rec.result.as.f64 == 8);
    assert_null(find(TRACE_LOAD, 2, 0, 0));
    assert_int_equal(count_steps(TRACE_PARTIAL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r1_a_trace_has_all_four_levels),
        cmocka_unit_test(r2_lane_values_0_to_31_give_16_48_112_240_496),
        cmocka_unit_test(r3_a_block_writes_a_slot_a_group_and_one_partial),
        cmocka_unit_test(r4_256_lanes_use_8_slots),
        cmocka_unit_test(r5_the_lessons_grid_leaves_32_partials_for_32_lanes),
        cmocka_unit_test(r6_one_two_or_more_stages_agree),
        cmocka_unit_test(r7_the_lessons_partials_are_6_and_2_and_the_sum_8),
        cmocka_unit_test(r9_the_halving_order_is_fixed),
        cmocka_unit_test(r11_lanes_past_the_end_hold_the_identity_and_reach_every_barrier),
        cmocka_unit_test(r12_the_second_stage_adds_exactly_the_partials),
        cmocka_unit_test(r13_no_elements_are_no_event_but_the_result),
        cmocka_unit_test(r18_order_changes_the_sum_and_the_plan_fixes_it),
        cmocka_unit_test(r20_only_lanes_that_exist_exchange),
        cmocka_unit_test(r21_the_order_of_lanes_does_not_matter_to_a_round),
        cmocka_unit_test(atomic_partials_are_added_in_block_order),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    forget_trace();
    return failed;
}
