/*
 * expect.h - cmocka with the headers that it wants, and the calls that most tests repeat.
 */
#ifndef TESTS_EXPECT_H
#define TESTS_EXPECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "format.h"
#include "tally.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Opens a context for one call of tally_reduce(); a test that needs one longer opens its own. */
static inline tally_status reduce_once(const tally_request *request, const tally_array *x,
                                       tally_value *out)
{
    tally_context *ctx;
    tally_status status = tally_open(NULL, &ctx);

    if (status == TALLY_OK) {
        status = tally_reduce(ctx, request, x, out);
        tally_close(ctx);
    }
    return status;
}

/* The result of an op on n neighbours; a failure fails the test. */
static inline tally_value reduce_dense(tally_op op, tally_type type, tally_type out,
                                       const void *data, size_t n)
{
    tally_request request = {.op = op, .out = out};
    tally_array x = tally_array_dense(type, data, n);
    tally_value value = {0};

    assert_int_equal(reduce_once(&request, &x, &value), TALLY_OK);
    return value;
}

/* The same where an error is expected: checks it, and that the output kept every byte. */
static inline void expect_refusal(tally_status expected, const tally_request *request,
                                  const tally_array *x)
{
    tally_value value, before;

    memset(&value, 0x5a, sizeof value);
    memcpy(&before, &value, sizeof value);
    assert_int_equal(reduce_once(request, x, &value), expected);
    assert_memory_equal(&value, &before, sizeof value);
}

#endif
