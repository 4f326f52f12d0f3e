/*
 * test_fenv.c - the floating-point environment changes no bit of a result, and no call changes the
 * environment: rounding modes, exception flags, and on x86 flush-to-zero and denormals-are-zero.
 */
#include "expect.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>

#include "generate.h"
#include "naive_tree.h"
#include "typed.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#define HAVE_MXCSR 1
#else
#define HAVE_MXCSR 0
#endif

enum { ROOM = 300, ROUNDS = 20, FTZ_AND_DAZ = 0x8040 };

static double x[ROOM];
static unsigned char elements[8 * ROOM];

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/* All the bits of all that the library says about some elements. */
typedef struct results {
    uint64_t bits[6 * FORMATS + FORMATS + 2 + 2 * TREE_OPS];
} results;

static results all_of(tally_context *ctx, tally_type type, size_t n)
{
    tally_array array = tally_array_dense(type, elements, n);
    results all = {{0}};
    size_t at = 0;
    tally_state s;

    for (int op = TALLY_OP_SUM; op <= TALLY_OP_ARGMAX; op++) {
        for (int k = 0; k < FORMATS; k++) {
            bool any = op <= TALLY_OP_MEAN;
            tally_request request = {.op = (tally_op)op,
                                     .out = any ? formats[k]->type : TALLY_TYPE_DEFAULT};
            tally_value value = {0};
            tally_status status = tally_reduce(ctx, &request, &array, &value);
            all.bits[at++] = status == TALLY_OK ? bits_value(&value) : (uint64_t)status;
        }
    }
    for (int i = 0; i < 2 * TREE_OPS; i++) {
        const tally_plan plan = {.block = 8, .blocks = 3};
        tally_request request = {
            .op = tree_ops[i / 2], .level = TALLY_LEVEL_TREE, .plan = i % 2 ? &plan : NULL};
        tally_value value = {0};
        tally_status status = tally_reduce(ctx, &request, &array, &value);
        all.bits[at++] = status == TALLY_OK ? bits_value(&value) : (uint64_t)status;
    }
    tally_state_init(&s);
    tally_state_add(&s, &array, TALLY_NAN_PROPAGATE);
    all.bits[at++] = bits_f64(tally_state_round_f64(&s));
    all.bits[at++] = bits_f32(tally_state_round_f32(&s));
    all.bits[at++] = tally_state_round_f16(&s);
    all.bits[at++] = tally_state_round_bf16(&s);
    all.bits[at++] = type == TALLY_TYPE_F64 ? bits_f64(tally_sum_f64(x, n)) : 0;
    return all;
}

/* Calls the library in some environment; the environment must come back as it was. */
static results in_mode(tally_context *ctx, tally_type type, size_t n, int mode, int flags,
                       unsigned mxcsr)
{
    results all;
    int mode_after, flags_after, errno_after;
    unsigned mxcsr_after = 0;
    fenv_t before;

    fegetenv(&before);
    feclearexcept(FE_ALL_EXCEPT);
    if (flags) {
        feraiseexcept(flags);
    }
    fesetround(mode);
#if HAVE_MXCSR
    _mm_setcsr(_mm_getcsr() | mxcsr);
#endif
    errno = 4711;
    all = all_of(ctx, type, n);
    errno_after = errno;
#if HAVE_MXCSR
    mxcsr_after = _mm_getcsr() & FTZ_AND_DAZ;
#endif
    mode_after = fegetround();
    flags_after = fetestexcept(FE_ALL_EXCEPT);
    fesetenv(&before);
    assert_int_equal(errno_after, 4711);
    assert_int_equal(mode_after, mode);
    assert_int_equal(flags_after, flags);
    assert_int_equal(mxcsr_after, mxcsr);
    return all;
}

static void sweep(int flags, unsigned mxcsr)
{
    random_state r = {51};
    tally_context *ctx;

    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK);
    for (size_t i = 0; i < ROUNDS * n_generators; i++) {
        const format *f = formats[i / n_generators % FORMATS];
        size_t n = generators[i % n_generators].fill(&r, f, x, ROOM);
        results plain;

        format_pack(f, x, n, elements);
        plain = in_mode(ctx, f->type, n, FE_TONEAREST, 0, 0);
        for (size_t m = 0; m < COUNT(modes); m++) {
            results other = in_mode(ctx, f->type, n, modes[m], flags, mxcsr);
            assert_memory_equal(&other, &plain, sizeof plain);
        }
    }
    tally_close(ctx);
}

static void rounding_modes_change_nothing_and_stay(void **state)
{
    (void)state;
    sweep(0, 0);
}

static void raised_flags_stay_raised_and_no_others(void **state)
{
    (void)state;
    sweep(FE_INEXACT | FE_OVERFLOW, 0);
}

static void flushing_subnormals_changes_nothing_and_stays(void **state)
{
    (void)state;
    if (!HAVE_MXCSR) {
        skip();
    }
    sweep(0, FTZ_AND_DAZ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_modes_change_nothing_and_stay),
        cmocka_unit_test(raised_flags_stay_raised_and_no_others),
        cmocka_unit_test(flushing_subnormals_changes_nothing_and_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
