/* test_decimal_memory.c - decimals with an allocator that fails. */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "io/decimal.h"

/* The test is linked so that these stand before the allocator of the library (--wrap). */
void *__real_malloc(size_t nbytes);
void *__real_realloc(void *block, size_t nbytes);
void *__real_calloc(size_t n, size_t nbytes);
void *__wrap_malloc(size_t nbytes);
void *__wrap_realloc(void *block, size_t nbytes);
void *__wrap_calloc(size_t n, size_t nbytes);

static int allocations_left = INT_MAX; /* those after them fail */
static int allocations_failed;

static bool may_allocate(void)
{
    if (allocations_left == 0) {
        allocations_failed++;
        return false;
    }
    allocations_left--;
    return true;
}

void *__wrap_malloc(size_t nbytes)
{
    return may_allocate() ? __real_malloc(nbytes) : NULL;
}

void *__wrap_realloc(void *block, size_t nbytes)
{
    return may_allocate() ? __real_realloc(block, nbytes) : NULL;
}

void *__wrap_calloc(size_t n, size_t nbytes)
{
    return may_allocate() ? __real_calloc(n, nbytes) : NULL;
}

static decimal *zero(void)
{
    decimal *d = decimal_alloc();
    assert_non_null(d);
    return d;
}

static void add_text(decimal *d, const char *text)
{
    assert_true(decimal_add_integer(d, text, strlen(text)));
}

static void expect_text(const decimal *d, const char *right)
{
    char *text = decimal_print(d);
    assert_non_null(text);
    assert_string_equal(text, right);
    free(text);
}

static void without_memory_nothing_changes(void **state)
{
    (void)state;
    char nines[301];
    memset(nines, '9', 300);
    nines[300] = '\0';
    tally_state tiny;
    tally_state_init(&tiny);
    tally_state_add1_f64(&tiny, 0x1p-1000);
    decimal *large = zero();
    add_text(large, nines);

    decimal *d = zero();
    add_text(d, "-5");
    allocations_failed = 0;
    allocations_left = 0;
    decimal *none = decimal_alloc();
    bool set = decimal_set(d, large);
    bool added = decimal_add_integer(d, nines, 300);
    bool added_state = decimal_add_state(d, &tiny);
    char *text = decimal_print(d);
    allocations_left = 1; /* for the text's own limbs, not for d's */
    bool added_late = decimal_add_integer(d, nines, 300);
    allocations_left = INT_MAX;
    assert_int_equal(allocations_failed, 6);
    assert_null(none);
    assert_null(text);
    assert_false(set || added || added_state || added_late);

    expect_text(d, "-5");
    add_text(d, "6");
    expect_text(d, "1");
    assert_true(decimal_set(d, large));
    expect_text(d, nines);
    decimal_free(d);
    decimal_free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
