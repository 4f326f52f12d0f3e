/*
 * test_cases_long.c - numbered cases with more than 2^31 and 2^32 elements. The arrays are stride 0
 * or untouched zero pages, so that they take time but no memory.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "expect.h"

#include <sys/mman.h>

#include "typed.h"

static void case_2_2_to_the_28_plus_1_ones(void **state)
{
    const float one = 1;
    tally_array array = {&one, ((size_t)1 << 28) + 1, 0, TALLY_TYPE_F32};
    tally_request f32 = {.out = TALLY_TYPE_F32};
    tally_value value;

    (void)state;
    assert_int_equal(reduce_once(NULL, &array, &value), TALLY_OK);
    assert_true(value.as.f64 == 268435457);
    assert_int_equal(reduce_once(&f32, &array, &value), TALLY_OK);
    assert_true(value.as.f32 == 268435456);
}

static void case_29_indices_beyond_32_bits(void **state)
{
    const size_t n = ((size_t)1 << 32) + 3, half = ((size_t)1 << 31) + 2;
    unsigned char *data =
        mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    (void)state;
    assert_true(data != MAP_FAILED);
    data[n - 1] = 7;
    assert_int_equal(reduce_dense(TALLY_OP_ARGMAX, TALLY_TYPE_U8, 0, data, n).as.u64, 4294967298);
    assert_int_equal(reduce_dense(TALLY_OP_MAX, TALLY_TYPE_U8, 0, data, n).as.u64, 7);
    assert_int_equal(reduce_dense(TALLY_OP_SUM, TALLY_TYPE_U8, 0, data, n).as.u64, 7);
    data[half - 1] = 1;
    assert_int_equal(reduce_dense(TALLY_OP_ARGMAX, TALLY_TYPE_U8, 0, data, half).as.u64,
                     2147483649);
    munmap(data, n);
}

static void case_30_counts_beyond_32_bits(void **state)
{
    static const struct {
        size_t n;
        double f64, f32;
    } rows[] = {
        {((size_t)1 << 31) - 1, 2147483647, 2147483648},
        {(size_t)1 << 31, 2147483648, 2147483648},
        {((size_t)1 << 31) + 1, 2147483649, 2147483648},
        {((size_t)1 << 32) + 1, 4294967297, 4294967296},
    };
    const float one = 1;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tally_array array = {&one, rows[i].n, 0, TALLY_TYPE_F32};
        tally_state s;

        tally_state_init(&s);
        assert_int_equal(tally_state_add(&s, &array, TALLY_NAN_PROPAGATE), TALLY_OK);
        assert_int_equal(tally_state_count(&s), rows[i].n);
        assert_true(tally_state_round_f64(&s) == rows[i].f64);
        assert_true(tally_state_round_f32(&s) == (float)rows[i].f32);
    }
}

static void case_30_a_grid_of_more_than_2_to_the_32_bytes(void **state)
{
    const size_t side = 65537;
    tally_state total = {{0}};
    tally_value value;

    (void)state;
    for (size_t row = 0; row < side; row++) {
        unsigned char byte = (unsigned char)(row % 251);
        tally_array array = {&byte, side, 0, TALLY_TYPE_U8};
        assert_int_equal(tally_state_add(&total, &array, TALLY_NAN_PROPAGATE), TALLY_OK);
        if (row == 250 || row == 65536) {
            assert_int_equal(reduce_once(NULL, &array, &value), TALLY_OK);
            assert_int_equal(value.as.u64, row == 250 ? 16384250 : 1638425);
        }
    }
    assert_int_equal(tally_state_value(&total, TALLY_TYPE_DEFAULT, &value), TALLY_OK);
    assert_int_equal(value.as.u64, 536695600400);
    assert_int_equal(tally_state_count(&total), side * side);
}

static void case_34_a_giant_segment_is_exact(void **state)
{
    const float tenth = 0.1f;
    tally_array array = {&tenth, (size_t)1 << 25, 0, TALLY_TYPE_F32};
    tally_request f32 = {.out = TALLY_TYPE_F32};
    tally_value value;

    (void)state;
    assert_int_equal(reduce_once(&f32, &array, &value), TALLY_OK);
    assert_true(value.as.f32 == 3355443.25f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_2_2_to_the_28_plus_1_ones),
        cmocka_unit_test(case_29_indices_beyond_32_bits),
        cmocka_unit_test(case_30_counts_beyond_32_bits),
        cmocka_unit_test(case_30_a_grid_of_more_than_2_to_the_32_bytes),
        cmocka_unit_test(case_34_a_giant_segment_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
