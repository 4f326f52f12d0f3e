/*
 * test_verify_cases.c - the matrix of 'tally verify': what a quick run leaves out is cases, never a
 * size, a plan, a type, an op or a pattern.
 */
#include "expect.h"

#include "../tool/verify_cases.h"

enum { SIZES = 7, OPS = TALLY_OP_NORMINF + 1, TYPES = 16, SHAPES = 3 };

typedef struct seen {
    unsigned n;
    bool size[SIZES], op[OPS], type[TYPES], pattern[VERIFY_PATTERNS];
    bool shape[SHAPES], final[TALLY_FINAL_ATOMIC + 1], block[11];
} seen;

/* Blocks of eight lanes and more tell all sizes of the table apart; SIZES for none of them. */
static int size_of(const verify_case *c)
{
    const uint64_t block = c->plan.block;
    const uint64_t sizes[SIZES] = {0, 1, block - 1, block, block + 1, 3 * block + 2, 8 * block + 5};
    int i = 0;
    while (i < SIZES && sizes[i] != c->n) {
        i++;
    }
    return i;
}

static bool note(void *user, const verify_case *c)
{
    seen *s = user;
    s->n++;
    if (c->plan.block >= 8) {
        assert_in_range(size_of(c), 0, SIZES - 1);
        s->size[size_of(c)] = true;
    }
    s->op[c->op] = s->type[c->type] = s->pattern[c->pattern] = true;
    s->shape[c->plan.shape] = s->final[c->plan.final] = true;
    for (int i = 0; i < 11; i++) {
        s->block[i] |= c->plan.block == (uint32_t)1 << i;
    }
    return true;
}

static void expect_same(const bool *quick, const bool *full, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(quick[i], full[i]);
    }
}

static void a_quick_run_sees_every_size_op_type_pattern_and_kind_of_plan(void **state)
{
    static seen quick, full;

    (void)state;
    verify_each(true, note, &quick);
    verify_each(false, note, &full);
    assert_in_range(quick.n, full.n / 20, full.n / 5);
    for (int i = 0; i < SIZES; i++) {
        assert_true(quick.size[i]);
    }
    expect_same(quick.op, full.op, OPS);
    expect_same(quick.type, full.type, TYPES);
    expect_same(quick.pattern, full.pattern, VERIFY_PATTERNS);
    expect_same(quick.shape, full.shape, SHAPES);
    expect_same(quick.final, full.final, TALLY_FINAL_ATOMIC + 1);
    expect_same(quick.block, full.block, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quick_run_sees_every_size_op_type_pattern_and_kind_of_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
