/*
 * test_trace.c - every event of a trace, replayed from its own old values, and nothing between
 * them.
 */
#include "expect.h"

#include <stdlib.h>

#include "naive_tree.h"
#include "plan.h"
#include "trace_record.h"
#include "typed.h"

/* One round from its old values alone: each taking part combines two of them, all else stays. */
static void replay_round(const record *r)
{
    uint32_t width = r->e.n_lanes < 32 ? r->e.n_lanes : 32;
    for (uint32_t t = 0; t < r->e.n_lanes; t++) {
        tally_item right = r->before[t];
        int32_t source = -1;
        uint8_t role = TRACE_IDLE;
        if (rec.plan.shape == TALLY_SHAPE_HALVING) {
            if (t < r->e.distance) {
                source = (int32_t)(t + r->e.distance);
                role = TRACE_ACTIVE;
            }
        } else if (r->e.tree == 1 || t < width) {
            bool inside = t % width + r->e.distance < width;
            source = (int32_t)(inside ? t + r->e.distance : t);
            role = inside ? TRACE_ACTIVE : TRACE_OWN;
        }
        if (source >= 0) {
            right = naive_combine(rec.op, rec.type, right, r->before[source]);
        }
        assert_int_equal(r->source[t], source);
        assert_int_equal(r->role[t], role);
        assert_memory_equal(&r->after[t], &right, sizeof right);
    }
}

static void replay_load(const record *r, const tally_plan *plan, const tally_array *x,
                        const tally_item *partials, uint64_t n)
{
    for (uint32_t t = 0; t < r->e.n_lanes; t++) {
        tally_item right = naive_identity(rec.op, rec.type);
        uint64_t taken = 0;
        /* every index that place() gives to this lane; place() is tested in test_plan */
        for (uint64_t i = 0; i < n; i++) {
            plan_place place = tally_plan_place(plan, i);
            if (place.block == r->e.block && place.lane == t) {
                tally_item item = x ? naive_map(rec.op, x, i) : partials[i];
                right = naive_combine(rec.op, rec.type, right, item);
                taken++;
            }
        }
        assert_memory_equal(&r->after[t], &right, sizeof right);
        assert_int_equal(r->n_elements[t], taken);
        assert_int_equal(r->role[t], taken > 0 ? TRACE_ACTIVE : TRACE_PADDED);
    }
}

/* The next event, which has to be of this step, stage and block. */
static const record *next_event(size_t *at, trace_step step, uint32_t stage, uint64_t block,
                                uint32_t n_lanes)
{
    const record *r = &rec.r[(*at)++];
    assert_true(*at <= rec.n);
    assert_int_equal(r->e.step, step);
    assert_int_equal(r->e.stage, stage);
    assert_int_equal(r->e.block, block);
    assert_int_equal(r->e.n_lanes, n_lanes);
    assert_null(r->e.trouble);
    return r;
}

static const record *replay_barrier(size_t *at, const record *like, const tally_item *shared)
{
    const record *r = next_event(at, TRACE_BARRIER, like->e.stage, like->e.block, like->e.n_lanes);
    assert_int_equal(r->e.arrived, r->e.n_lanes);
    assert_int_equal(r->e.n_slots, like->e.n_slots);
    expect_same(r->after, shared, r->e.n_slots);
    return r;
}

/* Halving: what was loaded goes to shared memory, and every round begins where the last ended. */
static const tally_item *replay_halving(size_t *at, const record *load)
{
    uint32_t n = load->e.n_lanes;
    const record *r = next_event(at, TRACE_WRITE, load->e.stage, load->e.block, n);
    const tally_item *shared = r->after;

    assert_int_equal(r->e.n_slots, n);
    expect_same(shared, load->after, n);
    for (uint32_t t = 0; t < n; t++) {
        assert_int_equal(r->slot[t], t);
        assert_int_equal(r->role[t], TRACE_ACTIVE);
    }
    replay_barrier(at, r, shared);
    for (uint32_t stride = n / 2; stride > 0; stride /= 2) {
        r = next_event(at, TRACE_ROUND, load->e.stage, load->e.block, n);
        assert_int_equal(r->e.distance, stride);
        assert_int_equal(r->e.tree, 1);
        expect_same(r->before, shared, n);
        replay_round(r);
        shared = r->after;
        replay_barrier(at, r, shared);
    }
    return shared;
}

static const tally_item *replay_rounds(size_t *at, const record *from, uint32_t tree)
{
    const tally_item *lane = from->after;
    uint32_t n = from->e.n_lanes;
    for (uint32_t offset = (n < 32 ? n : 32) / 2; offset > 0; offset /= 2) {
        const record *r = next_event(at, TRACE_ROUND, from->e.stage, from->e.block, n);
        assert_int_equal(r->e.tree, tree);
        assert_int_equal(r->e.distance, offset);
        expect_same(r->before, lane, n);
        replay_round(r);
        lane = r->after;
    }
    return lane;
}

static const tally_item *replay_wave(size_t *at, const record *load)
{
    uint32_t n = load->e.n_lanes, width = n < 32 ? n : 32, groups = (n + 31) / 32;
    const tally_item identity = naive_identity(rec.op, rec.type);
    const tally_item *lane = replay_rounds(at, load, 1);
    const record *write = next_event(at, TRACE_WRITE, load->e.stage, load->e.block, n);

    assert_int_equal(write->e.n_slots, groups);
    for (uint32_t t = 0; t < n; t++) {
        bool writes = t % width == 0;
        assert_int_equal(write->role[t], writes ? TRACE_ACTIVE : TRACE_IDLE);
        assert_int_equal(write->slot[t], writes ? (int)(t / width) : -1);
        if (writes) {
            expect_same(&write->after[t / width], &lane[t], 1);
        }
    }
    replay_barrier(at, write, write->after);
    const record *read = next_event(at, TRACE_READ, load->e.stage, load->e.block, n);
    for (uint32_t t = 0; t < n; t++) {
        assert_int_equal(read->role[t], t < groups  ? TRACE_ACTIVE
                                        : t < width ? TRACE_PADDED
                                                    : TRACE_IDLE);
        assert_int_equal(read->slot[t], t < groups ? (int)t : -1);
        expect_same(&read->after[t],
                    t < groups  ? &write->after[t]
                    : t < width ? &identity
                                : &lane[t],
                    1);
    }
    return replay_rounds(at, read, 2);
}

/* The whole trace: nothing missing, nothing more, every value from the ones before it. */
static void replay(const tally_array *x)
{
    static tally_item partials[1000], left[1000];
    tally_plan plan = rec.plan;
    uint64_t n = x->n;
    size_t at = 0;

    for (uint32_t stage = 1; x->n > 0 && stage <= rec.plan.stages; stage++) {
        if (stage > 1) {
            tally_plan_next(&rec.plan, stage, n, &plan);
        }
        for (uint64_t b = 0; b < plan.blocks; b++) {
            const record *load = next_event(&at, TRACE_LOAD, stage, b, plan.block);
            replay_load(load, &plan, stage == 1 ? x : NULL, partials, n);
            const tally_item *folded = plan.shape == TALLY_SHAPE_HALVING ? replay_halving(&at, load)
                                                                         : replay_wave(&at, load);
            const record *partial = next_event(&at, TRACE_PARTIAL, stage, b, plan.block);
            expect_same(partial->after, folded, 1);
            left[b] = folded[0];
        }
        n = plan.blocks;
        memcpy(partials, left, n * sizeof *left);
    }
    const record *result = next_event(&at, TRACE_RESULT, x->n > 0 ? rec.plan.stages : 1, 0, 1);
    const tally_item right = x->n > 0 ? partials[0] : naive_identity(rec.op, rec.type);
    expect_same(result->after, &right, 1);
    expect_same(&rec.result, &right, 1);
    assert_int_equal(at, rec.n);
}

static void r10_every_event_follows_from_its_old_values(void **state)
{
    static const tally_plan plans[] = {
        {.block = 1, .blocks = 3},
        {.block = 4, .vector = 2, .blocks = 3},
        {.block = 32, .vector = 1, .blocks = 2},
        {.block = 128, .vector = 3, .blocks = 4},
        {.block = 8, .vector = 1, .blocks = 20, .stages = 4},
        {.block = 16, .assign = TALLY_ASSIGN_CONTIGUOUS},
        {.block = 64, .blocks = 1, .stages = 1},
        {.shape = TALLY_SHAPE_HALVING, .block = 1},
        {.shape = TALLY_SHAPE_HALVING, .block = 16},
        {.shape = TALLY_SHAPE_HALVING, .block = 4, .stages = 3},
        {.shape = TALLY_SHAPE_HALVING,
         .block = 64,
         .blocks = 3,
         .assign = TALLY_ASSIGN_GRID_STRIDE},
    };
    static const size_t sizes[] = {0, 1, 2, 5, 31, 64, 77};
    double numbers[77];
    unsigned char data[sizeof numbers];

    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        numbers[i] = (double)((i * 37 + 11) % 64) - 20;
    }
    for (size_t p = 0; p < COUNT(plans); p++) {
        for (size_t i = 0; i < COUNT(sizes); i++) {
            for (int t = 0; t < TREE_TYPES; t++) {
                for (int o = 0; o < TREE_OPS; o++) {
                    tally_array x = tally_array_dense(tree_types[t], data, sizes[i]);
                    typed_pack(tree_types[t], numbers, sizes[i], data);
                    play_array((setting){.op = tree_ops[o]}, plans[p], &x);
                    replay(&x);
                }
            }
        }
    }
}

static void nothing(void *user, const trace_event *event)
{
    (void)user;
    (void)event;
}

/* Blocks without elements are passed over where nobody looks on: the same bits, and soon. */
static void blocks_without_elements_cost_nothing_and_change_nothing(void **state)
{
    static const double x[] = {-0.0, 3, -7};
    static const int64_t i[] = {3, INT64_MIN, 9};

    (void)state;
    for (int k = 0; k < 9 * 2 * 2 * 3; k++) {
        static const tally_op ops[] = {TALLY_OP_SUM,   TALLY_OP_PROD,   TALLY_OP_MIN,
                                       TALLY_OP_MAX,   TALLY_OP_ARGMIN, TALLY_OP_ARGMAX,
                                       TALLY_OP_NORM1, TALLY_OP_NORM2,  TALLY_OP_NORMINF};
        const bool integers = k / 9 % 2;
        const tally_array array =
            tally_array_dense(integers ? TALLY_TYPE_I64 : TALLY_TYPE_F64,
                              integers ? (const void *)i : x, (size_t)(1 + k / 36));
        const tally_plan wanted = {.shape = k / 18 % 2 ? TALLY_SHAPE_HALVING : TALLY_SHAPE_WAVE,
                                   .assign = TALLY_ASSIGN_GRID_STRIDE,
                                   .block = 4,
                                   .vector = 1,
                                   .blocks = 70,
                                   .stages = 3};
        trace_options options = {.op = ops[k % 9]};
        tally_plan plan;
        tally_item quiet, told;

        assert_int_equal(tally_plan_resolve(&wanted, array.type, array.n, &plan, NULL), TALLY_OK);
        void *scratch = malloc((size_t)tally_trace_scratch(&plan, array.n));
        assert_non_null(scratch);
        assert_int_equal(tally_trace_run(&options, &plan, &array, scratch, &quiet), TALLY_OK);
        options.visit = nothing;
        assert_int_equal(tally_trace_run(&options, &plan, &array, scratch, &told), TALLY_OK);
        expect_same(&quiet, &told, 1);
        free(scratch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_without_elements_cost_nothing_and_change_nothing),
        cmocka_unit_test(r10_every_event_follows_from_its_old_values),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    forget_trace();
    return failed;
}
