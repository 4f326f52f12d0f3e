/* test_plan.c - plans: defaults, what is refused and why, and which lane takes which element. */
#include "expect.h"

#include <stdlib.h>

#include "naive_tree.h"
#include "plan.h"

static tally_plan resolved(tally_plan wanted, tally_type type, uint64_t n)
{
    tally_plan plan;
    const char *why = "";

    if (tally_plan_resolve(&wanted, type, n, &plan, &why) != TALLY_OK) {
        fail_msg("refused: %s", why);
    }
    return plan;
}

static void expect_plan(tally_plan plan, tally_shape shape, tally_assign assign, uint32_t block,
                        uint32_t vector, uint64_t blocks, uint32_t stages)
{
    assert_int_equal(plan.shape, shape);
    assert_int_equal(plan.assign, assign);
    assert_int_equal(plan.block, block);
    assert_int_equal(plan.vector, vector);
    assert_int_equal(plan.blocks, blocks);
    assert_int_equal(plan.stages, stages);
}

static void defaults_depend_on_n_and_type_only(void **state)
{
    const tally_plan nothing = {0}, halving = {.shape = TALLY_SHAPE_HALVING};
    const tally_shape wave = TALLY_SHAPE_WAVE;
    const tally_assign grid = TALLY_ASSIGN_GRID_STRIDE;
    tally_plan plan;

    (void)state;
    assert_int_equal(tally_plan_resolve(NULL, TALLY_TYPE_F64, 1, &plan, NULL), TALLY_OK);
    expect_plan(plan, wave, grid, 32, 2, 1, 2);
    assert_int_equal(plan.final, TALLY_FINAL_DEVICE);
    expect_plan(resolved(nothing, TALLY_TYPE_F32, 128), wave, grid, 32, 4, 1, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_F32, 129), wave, grid, 64, 4, 1, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_F32, 1025), wave, grid, 512, 4, 1, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_F32, 1 << 14), wave, grid, 512, 4, 1, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_F32, (1 << 14) + 1), wave, grid, 512, 4, 5, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_F16, 100000), wave, grid, 512, 8, 13, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_I8, 100000), wave, grid, 512, 16, 7, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_F64, 1 << 20), wave, grid, 512, 2, 512, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_F64, 1 << 24), wave, grid, 512, 2, 512, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_F64, (1 << 24) + 1), wave, grid, 512, 2, 513, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_F64, UINT64_MAX), wave, grid, 512, 2, 4096, 2);
    expect_plan(resolved(nothing, TALLY_TYPE_F64, 0), wave, grid, 32, 2, 0, 2);
    expect_plan(resolved((tally_plan){.block = 4}, TALLY_TYPE_F64, 64), wave, grid, 4, 2, 1, 2);
    expect_plan(resolved((tally_plan){.block = 4}, TALLY_TYPE_F64, 65), wave, grid, 4, 2, 5, 2);
    expect_plan(resolved(halving, TALLY_TYPE_F32, 100000), TALLY_SHAPE_HALVING,
                TALLY_ASSIGN_CONTIGUOUS, 256, 1, 391, 2);
    expect_plan(resolved(halving, TALLY_TYPE_F32, (uint64_t)INT32_MAX * 256), TALLY_SHAPE_HALVING,
                TALLY_ASSIGN_CONTIGUOUS, 256, 1, INT32_MAX, 2);
}

static void resolving_twice_changes_nothing_and_may_be_done_in_place(void **state)
{
    (void)state;
    for (int shape = 0; shape <= TALLY_SHAPE_HALVING; shape++) {
        for (int assign = 0; assign <= TALLY_ASSIGN_CONTIGUOUS; assign++) {
            for (uint64_t n = 0; n < 3000; n += 271) {
                tally_plan wanted = {.shape = (tally_shape)shape,
                                     .assign = (tally_assign)assign,
                                     .block = 64,
                                     .stages = n > 64 ? 3 : 0};
                tally_plan once = resolved(wanted, TALLY_TYPE_F32, n), twice = once;
                assert_int_equal(tally_plan_resolve(&twice, TALLY_TYPE_F32, n, &twice, NULL),
                                 TALLY_OK);
                assert_memory_equal(&once, &twice, sizeof once);
            }
        }
    }
}

static void r13_nothing_is_launched_for_no_elements(void **state)
{
    const tally_plan many = {.blocks = 7}, one = {.stages = 1},
                     contiguous = {.assign = TALLY_ASSIGN_CONTIGUOUS, .blocks = 7};

    (void)state;
    assert_int_equal(resolved(many, TALLY_TYPE_F32, 0).blocks, 0);
    assert_int_equal(resolved(one, TALLY_TYPE_F32, 0).blocks, 0);
    assert_int_equal(resolved(contiguous, TALLY_TYPE_F32, 0).blocks, 0);
}

/* ---- what is refused ---- */

typedef struct refusal {
    tally_plan plan;
    uint64_t n;
    const char *says; /* part of the sentence */
} refusal;

static const refusal refusals[] = {
    {{.shape = (tally_shape)3}, 9, "shape is TALLY_SHAPE_WAVE or TALLY_SHAPE_HALVING"},
    {{.shape = (tally_shape)-1}, 9, "shape is"},
    {{.assign = (tally_assign)3}, 9, "assign is TALLY_ASSIGN_GRID_STRIDE or TALLY_ASSIGN_CONTIG"},
    {{.assign = (tally_assign)-1}, 9, "assign is"},
    {{.final = (tally_final)4}, 9, "final is TALLY_FINAL_DEVICE, TALLY_FINAL_HOST or TALLY_FINAL_"},
    {{.final = (tally_final)-1}, 9, "final is"},
    {{.vector = 65537}, 9, "from 1 to 65536"},
    {{.assign = TALLY_ASSIGN_CONTIGUOUS, .vector = 2}, 9, "vector is 1 with contiguous"},
    {{.shape = TALLY_SHAPE_HALVING, .vector = 4}, 9, "vector is 1 with contiguous"},
    {{.blocks = (uint64_t)INT32_MAX + 1}, 9, "from 1 to 2147483647"},
    {{.blocks = UINT64_MAX}, 0, "from 1 to 2147483647"},
    {{.assign = TALLY_ASSIGN_CONTIGUOUS, .block = 4, .blocks = 2}, 9, "ceil(n / block)"},
    {{.assign = TALLY_ASSIGN_CONTIGUOUS, .block = 4, .blocks = 4}, 9, "ceil(n / block)"},
    {{.assign = TALLY_ASSIGN_CONTIGUOUS, .block = 1},
     (uint64_t)INT32_MAX + 1,
     "more lanes a block"},
    {{.stages = 9}, 9, "from 1 to 8"},
    {{.stages = 1, .blocks = 2}, 9, "one block only"},
    {{.stages = 1, .block = 4, .vector = 1}, 33, "one block only"},
    {{.stages = 3, .final = TALLY_FINAL_ATOMIC}, 9, "final atomic"},
};

static void every_illegal_field_is_refused_with_what_is_legal(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refusals); i++) {
        tally_plan plan, before;
        const char *why = NULL;

        memset(&plan, 0x5a, sizeof plan);
        before = plan;
        assert_int_equal(
            tally_plan_resolve(&refusals[i].plan, TALLY_TYPE_F32, refusals[i].n, &plan, &why),
            TALLY_ERR_ARGUMENT);
        assert_memory_equal(&plan, &before, sizeof plan);
        assert_non_null(why);
        if (!strstr(why, refusals[i].says)) {
            fail_msg("refusal %zu says: %s", i, why);
        }
        assert_int_equal(
            tally_plan_resolve(&refusals[i].plan, TALLY_TYPE_F32, refusals[i].n, &plan, NULL),
            TALLY_ERR_ARGUMENT);
    }
}

static void senseless_calls_are_refused(void **state)
{
    tally_plan plan;
    const char *why = NULL;

    (void)state;
    assert_int_equal(tally_plan_resolve(NULL, TALLY_TYPE_F32, 1, NULL, &why), TALLY_ERR_ARGUMENT);
    assert_string_equal(why, "plan is NULL");
    for (int type = -1; type <= TALLY_TYPE_BOOL + 1; type++) {
        tally_status right =
            type >= TALLY_TYPE_F16 && type <= TALLY_TYPE_BOOL ? TALLY_OK : TALLY_ERR_ARGUMENT;
        assert_int_equal(tally_plan_resolve(NULL, (tally_type)type, 1, &plan, &why), right);
    }
    assert_string_equal(why, "type is no element type");
}

static void r14_block_is_a_power_of_two_up_to_1024(void **state)
{
    (void)state;
    for (uint32_t block = 1; block < 5000; block++) {
        tally_plan wanted = {.block = block}, plan;
        const char *why = NULL;
        bool power = false;

        for (uint32_t p = 1; p <= 1024; p *= 2) {
            power = power || block == p;
        }
        tally_status status = tally_plan_resolve(&wanted, TALLY_TYPE_F32, 9, &plan, &why);
        assert_int_equal(status, power ? TALLY_OK : TALLY_ERR_ARGUMENT);
        if (!power) {
            assert_string_equal(why, "block, the lanes of a block, is a power of two from 1 to "
                                     "1024");
        }
    }
}

/* ---- coverage ---- */

/* Every index exactly once, ascending in each lane, and place() says the same as index(). */
static void expect_coverage(const tally_plan *plan, uint64_t n)
{
    uint8_t *seen = calloc(n + 1, 1);
    uint64_t total = 0;

    assert_non_null(seen);
    for (uint64_t block = 0; block < plan->blocks; block++) {
        for (uint32_t lane = 0; lane < plan->block; lane++) {
            uint64_t count = tally_plan_count(plan, n, block, lane), last = 0;
            for (uint64_t turn = 0; turn < count; turn++) {
                uint64_t index = tally_plan_index(plan, block, lane, turn);
                plan_place place;

                assert_true(index < n);
                assert_int_equal(seen[index], 0);
                assert_true(turn == 0 || index > last);
                last = index;
                seen[index] = 1;
                place = tally_plan_place(plan, index);
                assert_int_equal(place.block, block);
                assert_int_equal(place.lane, lane);
                assert_int_equal(place.turn, turn);
            }
            total += count;
            /* the next one would be past the end */
            assert_true(tally_plan_index(plan, block, lane, count) >= n);
        }
    }
    assert_int_equal(total, n);
    free(seen);
}

static void r1_every_index_belongs_to_one_lane(void **state)
{
    static const uint32_t blocks[] = {1, 2, 4, 32, 256}, vectors[] = {1, 2, 3, 4, 7, 16};
    static const uint64_t sizes[] = {0, 1, 2, 3, 4, 5, 9, 31, 32, 33, 255, 256, 257, 1009, 2500};
    static const uint64_t grids[] = {0, 1, 2, 3, 5, 50};
    int plans = 0;

    (void)state;
    for (size_t b = 0; b < COUNT(blocks); b++) {
        for (size_t i = 0; i < COUNT(sizes); i++) {
            tally_plan wanted = {.assign = TALLY_ASSIGN_CONTIGUOUS, .block = blocks[b]};
            tally_plan plan = resolved(wanted, TALLY_TYPE_F32, sizes[i]);
            expect_coverage(&plan, sizes[i]);
            for (size_t v = 0; v < COUNT(vectors); v++) {
                for (size_t g = 0; g < COUNT(grids); g++, plans++) {
                    wanted =
                        (tally_plan){.block = blocks[b], .vector = vectors[v], .blocks = grids[g]};
                    plan = resolved(wanted, TALLY_TYPE_F32, sizes[i]);
                    expect_coverage(&plan, sizes[i]);
                }
            }
        }
    }
    assert_int_equal(plans, 5 * 15 * 6 * 6);
}

static void indices_use_64_bits(void **state)
{
    const uint64_t n = ((uint64_t)1 << 40) + 12345;
    const tally_plan big = {.block = 1024, .vector = 65536, .blocks = INT32_MAX}, usual = {0};
    tally_plan plans[] = {resolved(big, TALLY_TYPE_F32, UINT64_MAX),
                          resolved(usual, TALLY_TYPE_F32, n)};
    const uint64_t indices[] = {0, 4294967295u, 4294967296u, n - 1};

    (void)state;
    for (size_t i = 0; i < COUNT(plans); i++) {
        for (size_t k = 0; k < COUNT(indices); k++) {
            plan_place p = tally_plan_place(&plans[i], indices[k]);
            assert_int_equal(tally_plan_index(&plans[i], p.block, p.lane, p.turn), indices[k]);
            assert_true(p.turn < tally_plan_count(&plans[i], n, p.block, p.lane));
        }
    }
}

static void r5_the_lessons_grid_has_8192_lanes_of_12_or_13(void **state)
{
    const tally_plan wanted = {.block = 256, .blocks = 32, .vector = 1};
    tally_plan plan = resolved(wanted, TALLY_TYPE_F32, 100000), next;
    int with_13 = 0, with_12 = 0;

    (void)state;
    for (uint64_t block = 0; block < 32; block++) {
        for (uint32_t lane = 0; lane < 256; lane++) {
            uint64_t count = tally_plan_count(&plan, 100000, block, lane);
            with_13 += count == 13;
            with_12 += count == 12;
        }
    }
    assert_int_equal(with_13, 1696);
    assert_int_equal(with_12, 6496);
    expect_coverage(&plan, 100000);
    tally_plan_next(&plan, 2, 32, &next);
    expect_plan(next, TALLY_SHAPE_WAVE, TALLY_ASSIGN_GRID_STRIDE, 32, 1, 1, 2);
}

static void r11_a_contiguous_element_belongs_to_one_block(void **state)
{
    const tally_plan wanted = {.shape = TALLY_SHAPE_HALVING, .block = 4};

    (void)state;
    for (uint64_t n = 0; n < 40; n++) {
        tally_plan plan = resolved(wanted, TALLY_TYPE_F32, n);
        assert_int_equal(plan.blocks, (n + 3) / 4);
        for (uint64_t i = 0; i < plan.blocks * 4; i++) {
            plan_place place = tally_plan_place(&plan, i);
            assert_int_equal(place.block, i / 4);
            assert_int_equal(place.lane, i % 4);
            assert_int_equal(place.turn, 0);
            /* lanes past the end take nothing */
            assert_int_equal(tally_plan_count(&plan, n, i / 4, (uint32_t)(i % 4)), i < n);
        }
    }
}

static void r15_coverage_tables_have_valid_flags(void **state)
{
    const tally_plan wanted = {.assign = TALLY_ASSIGN_CONTIGUOUS, .block = 4};
    tally_plan plan = resolved(wanted, TALLY_TYPE_F32, 5);
    static const int valid[8] = {1, 1, 1, 1, 1, 0, 0, 0};

    (void)state;
    assert_int_equal(plan.blocks, 2);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(tally_plan_index(&plan, i / 4, i % 4, 0), i);
        assert_int_equal(tally_plan_count(&plan, 5, i / 4, i % 4), valid[i]);
    }
    assert_int_equal(resolved(wanted, TALLY_TYPE_F32, 9).blocks, 3);
}

/* ---- further stages ---- */

static void the_last_stage_has_the_next_power_of_two_of_lanes(void **state)
{
    static const struct {
        uint64_t partials;
        uint32_t lanes;
    } rows[] = {{1, 1}, {2, 2}, {3, 4}, {5, 8}, {31, 32}, {32, 32}, {129, 256}, {5000, 512}};
    tally_plan plan, next;

    (void)state;
    for (int shape = TALLY_SHAPE_WAVE; shape <= TALLY_SHAPE_HALVING; shape++) {
        for (size_t i = 0; i < COUNT(rows); i++) {
            tally_plan wanted = {.shape = (tally_shape)shape,
                                 .assign = TALLY_ASSIGN_GRID_STRIDE,
                                 .blocks = rows[i].partials};
            plan = resolved(wanted, TALLY_TYPE_F32, 1000000);
            tally_plan_next(&plan, 2, rows[i].partials, &next);
            expect_plan(next, (tally_shape)shape, TALLY_ASSIGN_GRID_STRIDE, rows[i].lanes, 1, 1, 2);
            expect_coverage(&next, rows[i].partials);
        }
    }
}

static void stages_between_are_contiguous(void **state)
{
    const tally_plan wanted = {.block = 8, .blocks = 100, .stages = 4};
    tally_plan plan = resolved(wanted, TALLY_TYPE_F32, 1000), next;

    (void)state;
    tally_plan_next(&plan, 2, 100, &next);
    expect_plan(next, TALLY_SHAPE_WAVE, TALLY_ASSIGN_CONTIGUOUS, 8, 1, 13, 4);
    expect_coverage(&next, 100);
    tally_plan_next(&plan, 3, 13, &next);
    expect_plan(next, TALLY_SHAPE_WAVE, TALLY_ASSIGN_CONTIGUOUS, 8, 1, 2, 4);
    tally_plan_next(&plan, 4, 2, &next);
    expect_plan(next, TALLY_SHAPE_WAVE, TALLY_ASSIGN_GRID_STRIDE, 2, 1, 1, 4);
}

static void names_are_those_of_the_command(void **state)
{
    (void)state;
    assert_string_equal(tally_shape_name(TALLY_SHAPE_WAVE), "wave");
    assert_string_equal(tally_shape_name(TALLY_SHAPE_HALVING), "halving");
    assert_string_equal(tally_assign_name(TALLY_ASSIGN_GRID_STRIDE), "grid-stride");
    assert_string_equal(tally_assign_name(TALLY_ASSIGN_CONTIGUOUS), "contiguous");
    assert_string_equal(tally_final_name(TALLY_FINAL_DEVICE), "device");
    assert_string_equal(tally_final_name(TALLY_FINAL_HOST), "host");
    assert_string_equal(tally_final_name(TALLY_FINAL_ATOMIC), "atomic");
    assert_null(tally_shape_name(TALLY_SHAPE_DEFAULT));
    assert_null(tally_assign_name((tally_assign)3));
    assert_null(tally_final_name((tally_final)-1));
}

static void items_are_of_three_kinds(void **state)
{
    static const item_kind kinds[TREE_TYPES] = {ITEM_F32, ITEM_F32,  ITEM_F32,
                                                ITEM_F64, ITEM_I128, ITEM_I128};
    int n = 0;

    (void)state;
    for (int type = -1; type <= TALLY_TYPE_BOOL + 1; type++) {
        item_kind kind = (item_kind)99;
        n += tally_item_kind((tally_type)type, &kind);
    }
    assert_int_equal(n, TREE_TYPES);
    for (int t = 0; t < TREE_TYPES; t++) {
        item_kind kind;
        assert_true(tally_item_kind(tree_types[t], &kind));
        assert_int_equal(kind, kinds[t]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_depend_on_n_and_type_only),
        cmocka_unit_test(resolving_twice_changes_nothing_and_may_be_done_in_place),
        cmocka_unit_test(r13_nothing_is_launched_for_no_elements),
        cmocka_unit_test(every_illegal_field_is_refused_with_what_is_legal),
        cmocka_unit_test(senseless_calls_are_refused),
        cmocka_unit_test(r14_block_is_a_power_of_two_up_to_1024),
        cmocka_unit_test(r1_every_index_belongs_to_one_lane),
        cmocka_unit_test(indices_use_64_bits),
        cmocka_unit_test(r5_the_lessons_grid_has_8192_lanes_of_12_or_13),
        cmocka_unit_test(r11_a_contiguous_element_belongs_to_one_block),
        cmocka_unit_test(r15_coverage_tables_have_valid_flags),
        cmocka_unit_test(the_last_stage_has_the_next_power_of_two_of_lanes),
        cmocka_unit_test(stages_between_are_contiguous),
        cmocka_unit_test(names_are_those_of_the_command),
        cmocka_unit_test(items_are_of_three_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
