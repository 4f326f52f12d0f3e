/*
 * test_trace_faults.c - what each fault does to a trace, also where the number stays right.
 */
#include "expect.h"

#include <math.h>

#include "plan.h"
#include "trace_record.h"

static setting faulty(tally_fault fault, bool zeroed)
{
    return (setting){.op = TALLY_OP_SUM, .fault = fault, .zeroed = zeroed};
}

static void r28_floor_blocks_lose_the_tail(void **state)
{
    static const size_t sizes[] = {0, 1, 4, 5, 9};
    static const double lost[] = {0, 0, 10, 10, 36}, right[] = {0, 1, 10, 15, 45};
    static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        play(faulty(FAULT_FLOOR_BLOCKS, false), halving_4, x, sizes[i]);
        assert_true(rec.result.as.f64 == lost[i]);
        if (lost[i] != right[i]) {
            expect_trouble("are in no block");
        } else {
            expect_no_trouble();
        }
        play(sum, halving_4, x, sizes[i]); /* repaired */
        assert_true(rec.result.as.f64 == right[i]);
    }
}

static void r29_early_exit_is_right_by_luck_on_zeroed_memory_only(void **state)
{
    (void)state;
    play(faulty(FAULT_EARLY_EXIT, true), halving_4, lesson, 5);
    assert_true(rec.result.as.f64 == 8);
    assert_int_equal(find(TRACE_BARRIER, 1, 1, 0)->e.arrived, 1);
    assert_int_equal(find(TRACE_BARRIER, 1, 1, 0)->e.n_lanes, 4);
    for (int t = 1; t < 4; t++) {
        assert_int_equal(find(TRACE_LOAD, 1, 1, 0)->role[t], TRACE_GONE);
        assert_int_equal(find(TRACE_WRITE, 1, 1, 0)->slot[t], -1);
    }
    expect_trouble("never arrive");
    play(faulty(FAULT_EARLY_EXIT, false), halving_4, lesson, 5);
    assert_true(isnan(rec.result.as.f64));
    assert_int_equal(find(TRACE_BARRIER, 1, 1, 0)->e.arrived, 1);
    expect_trouble("a slot that nobody wrote");
}

static void early_exit_breaks_exchanges_and_slots(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5};
    const tally_plan wanted = {.block = 64, .assign = TALLY_ASSIGN_CONTIGUOUS};

    (void)state;
    play(faulty(FAULT_EARLY_EXIT, true), wanted, x, 5);
    assert_true(rec.result.as.f64 == 15);
    expect_trouble("asked for its register");
    expect_trouble("nobody writes that group's slot");
    assert_int_equal(find(TRACE_BARRIER, 1, 0, 0)->e.arrived, 5);
    play(faulty(FAULT_EARLY_EXIT, false), wanted, x, 5);
    assert_true(isnan(rec.result.as.f64));
    /* a block without any element leaves no partial */
    const tally_plan idle = {.block = 4, .vector = 1, .blocks = 3};
    play(faulty(FAULT_EARLY_EXIT, false), idle, x, 5);
    expect_trouble("nobody writes this block's partial");
}

static void in_place_adds_some_elements_twice(void **state)
{
    static const double after[] = {10, 3, 4, 0};

    (void)state;
    play(faulty(FAULT_IN_PLACE, false), halving_4, lesson, 4);
    /* stride 1: lanes 1, 2, 0; lane 0 adds lane 1's -1 + 4 */
    expect_after(find(TRACE_ROUND, 1, 0, 1), after, 4);
    assert_null(find(TRACE_ROUND, 1, 0, 0)->e.trouble);
    assert_true(rec.result.as.f64 == 10);
    expect_trouble("changed in this very round");
    /* where what is added twice is nothing the number is right all the same */
    static const double x[] = {3, -1, 0, 0};
    play(faulty(FAULT_IN_PLACE, false), halving_4, x, 4);
    assert_true(rec.result.as.f64 == 2);
    expect_trouble("changed in this very round");
}

static void wrong_masks_are_told_although_the_number_is_right(void **state)
{
    double x[1024];

    (void)state;
    for (int i = 0; i < 1024; i++) {
        x[i] = i;
    }
    for (uint32_t wave = 32; wave <= 64; wave *= 2) {
        setting set = faulty(FAULT_WRONG_MASK, false);
        set.wave = wave;
        for (uint32_t block = 2; block <= 1024; block *= 2) {
            const tally_plan wanted = {.block = block, .vector = 1, .stages = 1, .blocks = 1};
            /* one full wave of 32, or 32 of them, are what the mask names: refused */
            if (wave == 64 || (block != 32 && block != 1024)) {
                play(set, wanted, x, block);
                assert_true(rec.result.as.f64 == (double)(block * (block - 1) / 2));
                expect_trouble(wave == 64 ? "names 64 lanes" : "names 32 lanes");
            }
        }
    }
}

/* The host has no lanes, and none of their faults. */
static void the_stage_of_the_host_is_right_under_any_fault_of_lanes(void **state)
{
    static const tally_fault faults[] = {FAULT_IN_PLACE, FAULT_NO_BARRIER, FAULT_EARLY_EXIT};
    static const double x[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    tally_plan host = halving_4;

    (void)state;
    host.final = TALLY_FINAL_HOST;
    for (size_t i = 0; i < COUNT(faults); i++) {
        size_t n_troubles = 0;
        play(faulty(faults[i], true), host, x, 13);
        for (size_t k = 0; k < rec.n; k++) {
            assert_true(rec.r[k].e.stage == 1 || !rec.r[k].e.trouble);
            n_troubles += rec.r[k].e.trouble != NULL;
        }
        assert_true(n_troubles > 0);
    }
}

/* A plan on which a fault is accepted shows it, given elements enough. */
static void faults_change_something_or_are_refused(void **state)
{
    static double x[5000];
    unsigned shown = 0, refused = 0;

    (void)state;
    for (int i = 0; i < 5000; i++) {
        x[i] = 1;
    }
    for (unsigned k = 0; k < 11 * 2 * 2 * 3 * 3; k++) {
        static const tally_fault faults[] = {FAULT_IN_PLACE, FAULT_WRONG_MASK, FAULT_NO_BARRIER};
        tally_plan wanted = {.block = (uint32_t)1 << k % 11, .vector = 1}, plan;
        setting set = faulty(faults[k / 44 % 3], true);
        set.wave = k / 11 % 2 ? 64 : 32;
        wanted.shape = k / 22 % 2 ? TALLY_SHAPE_WAVE : TALLY_SHAPE_HALVING;
        wanted.final = (tally_final)(k / 132 % 3 + 1);
        wanted.blocks = wanted.shape == TALLY_SHAPE_WAVE ? 3 : 0;
        size_t n = 3 * (size_t)wanted.block - 1;
        assert_int_equal(tally_plan_resolve(&wanted, TALLY_TYPE_F64, n, &plan, NULL), TALLY_OK);
        if (tally_fault_misfit(set.fault, &plan, set.wave)) {
            trace_options none = {.fault = set.fault, .wave = set.wave};
            tally_array array = tally_array_dense(TALLY_TYPE_F64, x, n);
            tally_item item;
            assert_int_equal(tally_trace_run(&none, &plan, &array, x, &item),
                             TALLY_ERR_UNSUPPORTED);
            refused++;
        } else {
            play(set, wanted, x, n);
            expect_trouble("");
            shown++;
        }
    }
    assert_in_range(shown, 60, 396);
    assert_in_range(refused, 60, 396);
}

static void without_a_barrier_lanes_read_too_early(void **state)
{
    static const double x[] = {1, 2, 3, 4};
    double ramp[64];
    const tally_plan wave = {.block = 64, .vector = 1, .stages = 1};

    (void)state;
    play(faulty(FAULT_NO_BARRIER, false), halving_4, x, 4);
    /* lane 0: 1 + 3, then + 2, which lane 1 has not yet made 6 */
    assert_true(rec.result.as.f64 == 6);
    assert_int_equal(count_steps(TRACE_BARRIER), 2); /* after the first write, in both stages */
    expect_trouble("not brought up to date");
    for (int i = 0; i < 64; i++) {
        ramp[i] = i;
    }
    play(faulty(FAULT_NO_BARRIER, true), wave, ramp, 64);
    assert_true(rec.result.as.f64 == 496);
    assert_int_equal(count_steps(TRACE_BARRIER), 0);
    expect_trouble("have not written yet");
    expect_trouble("too late");
    play(faulty(FAULT_NO_BARRIER, false), wave, ramp, 64);
    assert_true(isnan(rec.result.as.f64));
}

static void stale_partials_are_added_behind_the_last(void **state)
{
    double x[40];

    (void)state;
    for (int i = 0; i < 40; i++) {
        x[i] = 1;
    }
    for (size_t n = 1; n <= 40; n++) {
        for (uint32_t stages = 2; stages <= 4; stages++) {
            const tally_plan wanted = {.shape = TALLY_SHAPE_HALVING, .block = 4, .stages = stages};
            play(faulty(FAULT_STALE_PARTIALS, false), wanted, x, n);
            assert_true(isnan(rec.result.as.f64));
            expect_trouble("no block has written");
            play(faulty(FAULT_STALE_PARTIALS, true), wanted, x, n);
            assert_true(rec.result.as.f64 == (double)n);
            expect_trouble("no block has written");
        }
    }
}

static void faults_that_a_plan_cannot_have_are_refused(void **state)
{
    const tally_plan full = {.block = 32, .blocks = 1, .stages = 1},
                     pairs = {.block = 2, .shape = TALLY_SHAPE_HALVING};
    const tally_plan wave = {.block = 4}, one = {.blocks = 1, .stages = 1},
                     atomic = {.final = TALLY_FINAL_ATOMIC};
    const struct {
        tally_fault fault;
        const tally_plan *plan;
        const char *words;
    } rows[] = {
        {FAULT_FLOOR_BLOCKS, &wave, "contiguous"},
        {FAULT_IN_PLACE, &wave, "halving"},
        {FAULT_WRONG_MASK, &halving_4, "wave"},
        {FAULT_WRONG_MASK, &full, "2 to 16, or of 64 to 512 lanes"},
        {FAULT_NO_BARRIER, &wave, "halving with 4 lanes a block or more, or wave with 64"},
        {FAULT_NO_BARRIER, &pairs, "halving with 4 lanes a block or more"},
        {FAULT_IN_PLACE, &pairs, "4 lanes a block or more"},
        {FAULT_STALE_PARTIALS, &one, "second stage"},
        {FAULT_STALE_PARTIALS, &atomic, "second stage"},
        {FAULTS, &wave, "no fault"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        trace_options options = {.fault = rows[i].fault};
        tally_array x = tally_array_dense(TALLY_TYPE_F64, lesson, 5);
        tally_item item;
        tally_plan plan;
        char scratch[1];

        assert_int_equal(tally_plan_resolve(rows[i].plan, x.type, 5, &plan, NULL), TALLY_OK);
        assert_non_null(strstr(tally_fault_misfit(rows[i].fault, &plan, 0), rows[i].words));
        assert_int_equal(tally_trace_run(&options, &plan, &x, scratch, &item),
                         TALLY_ERR_UNSUPPORTED);
    }
}

static void ops_and_types_without_a_tree_are_refused(void **state)
{
    tally_plan plan;
    tally_item item;
    char scratch[1];
    tally_array x = tally_array_dense(TALLY_TYPE_F64, lesson, 5);
    trace_options options = {.op = TALLY_OP_MEAN};

    (void)state;
    assert_int_equal(tally_plan_resolve(NULL, TALLY_TYPE_F64, 5, &plan, NULL), TALLY_OK);
    assert_int_equal(tally_trace_run(&options, &plan, &x, scratch, &item), TALLY_ERR_UNSUPPORTED);
    options.op = (tally_op)10;
    assert_int_equal(tally_trace_run(&options, &plan, &x, scratch, &item), TALLY_ERR_UNSUPPORTED);
    options.op = TALLY_OP_SUM;
    x.type = TALLY_TYPE_U64;
    assert_int_equal(tally_trace_run(&options, &plan, &x, scratch, &item), TALLY_ERR_UNSUPPORTED);
}

static void r30_every_fault_is_explained_three_times_in_two_languages(void **state)
{
    static const char *const names[] = {"none",       "floor-blocks", "early-exit",    "in-place",
                                        "wrong-mask", "no-barrier",   "stale-partials"};

    (void)state;
    assert_int_equal(COUNT(names), FAULTS);
    for (int i = 0; i < FAULTS; i++) {
        const fault_row *row = &tally_faults[i];
        const char *const texts[] = {row->situation,    row->why,    row->repair,
                                     row->zh_situation, row->zh_why, row->zh_repair};
        assert_int_equal(row->fault, i);
        assert_string_equal(row->name, names[i]);
        assert_ptr_equal(tally_fault_find(names[i]), row);
        assert_true(strstr(row->shapes, "halving") || strstr(row->shapes, "wave"));
        for (size_t k = 0; k < COUNT(texts); k++) {
            /* English is ASCII; Chinese is not */
            bool ascii = true;
            for (const char *c = texts[k]; *c; c++) {
                ascii = ascii && (unsigned char)*c < 128;
            }
            assert_true(strlen(texts[k]) > 10);
            assert_int_equal(ascii, k < 3);
            assert_true(k < 3 ? texts[k][strlen(texts[k]) - 1] == '.'
                              : strcmp(texts[k] + strlen(texts[k]) - 3, "。") == 0);
        }
    }
    assert_null(tally_fault_find("early"));
    assert_null(tally_fault_find("early-exits"));
    assert_null(tally_fault_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r28_floor_blocks_lose_the_tail),
        cmocka_unit_test(r29_early_exit_is_right_by_luck_on_zeroed_memory_only),
        cmocka_unit_test(early_exit_breaks_exchanges_and_slots),
        cmocka_unit_test(in_place_adds_some_elements_twice),
        cmocka_unit_test(wrong_masks_are_told_although_the_number_is_right),
        cmocka_unit_test(the_stage_of_the_host_is_right_under_any_fault_of_lanes),
        cmocka_unit_test(faults_change_something_or_are_refused),
        cmocka_unit_test(without_a_barrier_lanes_read_too_early),
        cmocka_unit_test(stale_partials_are_added_behind_the_last),
        cmocka_unit_test(faults_that_a_plan_cannot_have_are_refused),
        cmocka_unit_test(ops_and_types_without_a_tree_are_refused),
        cmocka_unit_test(r30_every_fault_is_explained_three_times_in_two_languages),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    forget_trace();
    return failed;
}
