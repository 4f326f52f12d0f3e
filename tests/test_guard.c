/*
 * test_guard.c - no byte outside of the elements is read: buffers that end, or begin, exactly at a
 * page that nobody may touch.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "expect.h"

#include <sys/mman.h>
#include <unistd.h>

#include "item.h"
#include "typed.h"

enum { MOST = 4100 };

/* A stretch of pages with a forbidden page on either side. */
typedef struct guarded {
    unsigned char *map, *begin, *end;
    size_t nbytes;
} guarded;

static guarded make_guarded(size_t nbytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t inside = (nbytes + page - 1) / page * page;
    guarded g = {.nbytes = inside + 2 * page};

    g.map = mmap(NULL, g.nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(g.map != MAP_FAILED);
    g.begin = g.map + page;
    g.end = g.begin + inside;
    assert_int_equal(mprotect(g.map, page, PROT_NONE), 0);
    assert_int_equal(mprotect(g.end, page, PROT_NONE), 0);
    return g;
}

static double numbers[MOST];

/* All ops on n elements at data; a stray read ends the program. */
static void reduce_all(tally_context *ctx, tally_type type, const void *data, size_t n)
{
    size_t size = tally_type_size(type);
    const char *last = (const char *)data + (n ? (n - 1) * size : 0);
    tally_array ahead = {data, n, 1, type}, back = {last, n, -1, type};

    for (int op = 0; op <= TALLY_OP_ARGMAX; op++) {
        tally_request request = {.op = (tally_op)op};
        tally_value one, two;
        tally_status right = n == 0 && op != TALLY_OP_SUM ? TALLY_ERR_EMPTY : TALLY_OK;

        assert_int_equal(tally_reduce(ctx, &request, &ahead, &one), right);
        assert_int_equal(tally_reduce(ctx, &request, &back, &two), right);
        if (right == TALLY_OK && op <= TALLY_OP_MAX) {
            assert_true(typed_number(&one) == typed_number(&two));
        }
    }
    /* a tree of few lanes, and one that has lanes past the end */
    for (uint32_t block = 2; block <= 64; block *= 32) {
        const tally_plan plan = {.block = block};
        tally_request request = {.op = TALLY_OP_MAX, .level = TALLY_LEVEL_TREE, .plan = &plan};
        item_kind kind;
        tally_value value;
        tally_status right = !tally_item_kind(type, &kind) ? TALLY_ERR_UNSUPPORTED
                             : n == 0                      ? TALLY_ERR_EMPTY
                                                           : TALLY_OK;

        assert_int_equal(tally_reduce(ctx, &request, &ahead, &value), right);
        assert_int_equal(tally_reduce(ctx, &request, &back, &value), right);
    }
}

static void sizes_at_both_ends_of_the_pages(tally_type type, size_t from, size_t to)
{
    guarded g = make_guarded(MOST * 8);
    size_t size = tally_type_size(type);
    tally_context *ctx;

    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK);
    for (size_t n = from; n <= to; n++) {
        typed_pack(type, numbers, n, g.begin);
        reduce_all(ctx, type, g.begin, n);
        typed_pack(type, numbers, n, g.end - n * size);
        reduce_all(ctx, type, g.end - n * size, n);
    }
    tally_close(ctx);
    munmap(g.map, g.nbytes);
}

static void small_arrays_are_read_within_bounds(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++) {
        sizes_at_both_ends_of_the_pages(types[t], 0, 130);
    }
}

static void arrays_around_a_block_are_read_within_bounds(void **state)
{
    (void)state;
    for (int t = 0; t < TYPES; t++) {
        sizes_at_both_ends_of_the_pages(types[t], 4093, 4100);
    }
}

static void states_and_saved_bytes_are_kept_within_bounds(void **state)
{
    guarded g = make_guarded(TALLY_STATE_BYTES), h = make_guarded(sizeof(tally_state));
    const double x[] = {1, -0x1p1023, 0x1p-1074};

    (void)state;
    for (int side = 0; side < 2; side++) {
        unsigned char *bytes = side ? g.end - TALLY_STATE_BYTES : g.begin;
        unsigned char *at = side ? h.end - sizeof(tally_state) : h.begin;
        tally_state *s = (tally_state *)(void *)at;

        tally_state_init(s);
        tally_state_add_f64(s, x, 3);
        for (int i = 0; i < 64; i++) {
            tally_state_add1_f64(s, x[1]);
        }
        assert_int_equal(tally_state_save(s, bytes, TALLY_STATE_BYTES), TALLY_OK);
        assert_int_equal(tally_state_load(s, bytes, TALLY_STATE_BYTES), TALLY_OK);
        tally_state_merge(s, s);
        tally_state_widen(s);
        assert_int_equal(tally_state_count(s), 2 * (3 + 64));
    }
    munmap(g.map, g.nbytes);
    munmap(h.map, h.nbytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_arrays_are_read_within_bounds),
        cmocka_unit_test(arrays_around_a_block_are_read_within_bounds),
        cmocka_unit_test(states_and_saved_bytes_are_kept_within_bounds),
    };
    for (int i = 0; i < MOST; i++) {
        numbers[i] = i * 37 % 100;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
