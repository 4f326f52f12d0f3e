/*
 * test_errors.c - every tally_status provoked, outputs untouched, the detail on the context.
 *
 * Linked with --wrap=calloc and --wrap=malloc, so that memory can run out on command.
 */
#include "expect.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "typed.h"

void *__real_malloc(size_t nbytes);
void *__real_calloc(size_t n, size_t nbytes);
void *__wrap_malloc(size_t nbytes);
void *__wrap_calloc(size_t n, size_t nbytes);

static bool out_of_memory;
static int refused;

void *__wrap_malloc(size_t nbytes)
{
    refused += out_of_memory;
    errno = out_of_memory ? ENOMEM : errno;
    return out_of_memory ? NULL : __real_malloc(nbytes);
}

void *__wrap_calloc(size_t n, size_t nbytes)
{
    refused += out_of_memory;
    errno = out_of_memory ? ENOMEM : errno;
    return out_of_memory ? NULL : __real_calloc(n, nbytes);
}

static tally_context *not_null(void)
{
    static char somewhere;
    return (tally_context *)&somewhere;
}

static void memory_running_out_is_reported(void **state)
{
    tally_context *ctx = not_null();

    (void)state;
    out_of_memory = true;
    refused = 0;
    errno = 4711;
    tally_status status = tally_open(NULL, &ctx);
    out_of_memory = false;
    assert_int_equal(errno, 4711);
    assert_int_equal(status, TALLY_ERR_MEMORY);
    assert_int_equal(refused, 1);
    assert_null(ctx);
}

static void reducing_needs_no_memory(void **state)
{
    static double x[10000];
    tally_array array = tally_array_dense(TALLY_TYPE_F64, x, COUNT(x));
    tally_status status[TALLY_OP_ARGMAX + 1];
    tally_context *ctx;
    tally_value value;

    (void)state;
    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK);
    out_of_memory = true;
    refused = 0;
    for (int op = TALLY_OP_SUM; op <= TALLY_OP_ARGMAX; op++) {
        tally_request request = {.op = (tally_op)op};
        status[op] = tally_reduce(ctx, &request, &array, &value);
    }
    out_of_memory = false;
    for (int op = TALLY_OP_SUM; op <= TALLY_OP_ARGMAX; op++) {
        assert_int_equal(status[op], TALLY_OK);
    }
    assert_int_equal(refused, 0);
    tally_close(ctx);
}

static void a_tree_without_memory_is_refused(void **state)
{
    static double x[10000];
    tally_array array = tally_array_dense(TALLY_TYPE_F64, x, COUNT(x));
    tally_request request = {.level = TALLY_LEVEL_TREE};
    tally_error_detail detail;
    tally_context *ctx;
    tally_value value, before;

    (void)state;
    memset(&value, 0x5a, sizeof value);
    memcpy(&before, &value, sizeof value);
    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK);
    out_of_memory = true;
    refused = 0;
    errno = 4711;
    tally_status status = tally_reduce(ctx, &request, &array, &value);
    out_of_memory = false;
    assert_int_equal(errno, 4711);
    assert_int_equal(status, TALLY_ERR_MEMORY);
    assert_int_equal(refused, 1);
    assert_memory_equal(&value, &before, sizeof value);
    assert_int_equal(tally_last_error(ctx, &detail), TALLY_OK);
    assert_int_equal(detail.status, TALLY_ERR_MEMORY);
    /* no elements need none */
    array.n = 0;
    out_of_memory = true;
    status = tally_reduce(ctx, &request, &array, &value);
    out_of_memory = false;
    assert_int_equal(status, TALLY_OK);
    tally_close(ctx);
}

static void a_backend_that_is_not_there_is_refused(void **state)
{
    (void)state;
    for (int id = TALLY_BACKEND_AUTO; id <= TALLY_BACKEND_MODEL + 1; id++) {
        tally_options options = {.backend = (tally_backend_id)id};
        tally_context *ctx = not_null();
        tally_status status = tally_open(&options, &ctx);

        /* the model is there if a C++ compiler was */
        bool model = id == TALLY_BACKEND_MODEL && status == TALLY_OK;
        if (id == TALLY_BACKEND_AUTO || id == TALLY_BACKEND_CPU || model) {
            assert_int_equal(status, TALLY_OK);
            assert_int_equal(tally_context_backend(ctx),
                             model ? TALLY_BACKEND_MODEL : TALLY_BACKEND_CPU);
            tally_close(ctx);
        } else {
            assert_int_equal(status,
                             id > TALLY_BACKEND_MODEL ? TALLY_ERR_ARGUMENT : TALLY_ERR_BACKEND);
            assert_null(ctx);
        }
    }
    assert_int_equal(tally_open(NULL, NULL), TALLY_ERR_ARGUMENT);
    tally_close(NULL);
}

static void senseless_arguments_are_refused(void **state)
{
    const double x[] = {1};
    tally_array good = tally_array_dense(TALLY_TYPE_F64, x, 1), bad;
    tally_request request = {0};
    tally_context *ctx;
    tally_value value;

    (void)state;
    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK);
    assert_int_equal(tally_reduce(NULL, &request, &good, &value), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_reduce(ctx, &request, NULL, &value), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_reduce(ctx, &request, &good, NULL), TALLY_ERR_ARGUMENT);
    tally_close(ctx);
    bad = good;
    bad.data = NULL;
    expect_refusal(TALLY_ERR_ARGUMENT, &request, &bad);
    for (int type = -1; type <= TALLY_TYPE_BOOL + 1; type += TALLY_TYPE_BOOL + 2) {
        bad = good;
        bad.type = (tally_type)type;
        expect_refusal(TALLY_ERR_ARGUMENT, &request, &bad);
        request = (tally_request){.out = (tally_type)type};
        expect_refusal(TALLY_ERR_ARGUMENT, &request, &good);
        request = (tally_request){0};
    }
    bad = good;
    bad.type = TALLY_TYPE_DEFAULT;
    expect_refusal(TALLY_ERR_ARGUMENT, &request, &bad);
    request = (tally_request){.op = (tally_op)(TALLY_OP_NORMINF + 1)};
    expect_refusal(TALLY_ERR_ARGUMENT, &request, &good);
    request = (tally_request){.op = (tally_op)-1};
    expect_refusal(TALLY_ERR_ARGUMENT, &request, &good);
    request = (tally_request){.nan = (tally_nan)2};
    expect_refusal(TALLY_ERR_ARGUMENT, &request, &good);
}

static void results_of_the_wrong_type_are_refused(void **state)
{
    const double zero = 0;

    (void)state;
    for (int t = 0; t < TYPES; t++) {
        tally_array x = tally_array_dense(types[t], &zero, 1);
        for (int op = TALLY_OP_SUM; op <= TALLY_OP_ARGMAX; op++) {
            for (int k = 0; k < TYPES; k++) {
                tally_type out = types[k];
                tally_request request = {.op = (tally_op)op, .out = out};
                bool integer = !typed_format(types[t]),
                     wide = out == TALLY_TYPE_I64 || out == TALLY_TYPE_U64;
                bool fits = op == TALLY_OP_SUM    ? typed_format(out) || (integer && wide)
                            : op == TALLY_OP_MEAN ? typed_format(out) != NULL
                            : op <= TALLY_OP_MAX  ? out == types[t]
                                                  : out == TALLY_TYPE_U64;
                if (!fits) {
                    expect_refusal(TALLY_ERR_UNSUPPORTED, &request, &x);
                }
            }
        }
    }
}

static void the_context_keeps_the_latest_error(void **state)
{
    const double x[] = {1};
    tally_array array = tally_array_dense(TALLY_TYPE_F64, x, 1);
    tally_request max = {.op = TALLY_OP_MAX};
    tally_array none = tally_array_dense(TALLY_TYPE_F64, NULL, 0);
    tally_error_detail detail = {0};
    tally_context *ctx;
    tally_value value;

    (void)state;
    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK);
    assert_int_equal(tally_last_error(ctx, &detail), TALLY_OK);
    assert_int_equal(detail.status, TALLY_OK);
    assert_int_equal(tally_reduce(ctx, &max, &none, &value), TALLY_ERR_EMPTY);
    assert_int_equal(tally_reduce(ctx, &max, &array, &value), TALLY_OK);
    assert_int_equal(tally_last_error(ctx, &detail), TALLY_OK);
    assert_int_equal(detail.status, TALLY_ERR_EMPTY);
    assert_int_equal(detail.backend, TALLY_BACKEND_CPU);
    assert_int_equal(detail.native_code, 0);
    assert_string_equal(detail.api, "");
    assert_true(strlen(detail.what) > 0);
    assert_int_equal(tally_reduce(ctx, &max, NULL, &value), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_last_error(ctx, &detail), TALLY_OK);
    assert_int_equal(detail.status, TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_last_error(NULL, &detail), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_last_error(ctx, NULL), TALLY_ERR_ARGUMENT);
    tally_close(ctx);
}

static void every_status_has_a_name_and_a_sentence(void **state)
{
    static const char *const names[] = {
        "TALLY_OK",          "TALLY_ERR_ARGUMENT",    "TALLY_ERR_EMPTY",   "TALLY_ERR_OVERFLOW",
        "TALLY_ERR_MEMORY",  "TALLY_ERR_UNSUPPORTED", "TALLY_ERR_BACKEND", "TALLY_ERR_MIXED",
        "TALLY_ERR_DAMAGED", "TALLY_ERR_SPACE",       "TALLY_ERR_DEVICE"};

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_string_equal(tally_status_name((tally_status)i), names[i]);
        assert_true(strlen(tally_status_text((tally_status)i)) > 0);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(tally_status_text((tally_status)i),
                                    tally_status_text((tally_status)k));
        }
    }
    for (int bad = -1; bad <= (int)COUNT(names); bad += 1 + (int)COUNT(names)) {
        assert_string_equal(tally_status_name((tally_status)bad), "TALLY_ERR_?");
        assert_true(strlen(tally_status_text((tally_status)bad)) > 0);
    }
}

static void names_and_sizes_are_those_of_the_command(void **state)
{
    static const char *const type_names[] = {"f16", "bf16", "f32", "f64", "i8",  "i16", "i32",
                                             "i64", "u8",   "u16", "u32", "u64", "bool"};
    static const size_t sizes[] = {2, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1};
    static const char *const op_names[] = {"sum",    "mean", "min",   "max",   "argmin",
                                           "argmax", "prod", "norm1", "norm2", "norminf"};

    (void)state;
    for (int i = 0; i < TYPES; i++) {
        assert_string_equal(tally_type_name((tally_type)(i + 1)), type_names[i]);
        assert_int_equal(tally_type_size((tally_type)(i + 1)), sizes[i]);
    }
    for (int i = 0; i < (int)COUNT(op_names); i++) {
        assert_string_equal(tally_op_name((tally_op)i), op_names[i]);
    }
    assert_null(tally_type_name(TALLY_TYPE_DEFAULT));
    assert_null(tally_type_name((tally_type)14));
    assert_int_equal(tally_type_size((tally_type)14), 0);
    assert_null(tally_op_name((tally_op)COUNT(op_names)));
    assert_null(tally_backend_name((tally_backend_id)5));
    assert_string_equal(tally_backend_name(TALLY_BACKEND_CPU), "cpu");
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", TALLY_VERSION_MAJOR, TALLY_VERSION_MINOR,
             TALLY_VERSION_PATCH);
    assert_string_equal(tally_version(), version);
}

static void errno_is_never_touched(void **state)
{
    const double x[] = {NAN, INFINITY, 0x1p-1074};
    tally_array array = tally_array_dense(TALLY_TYPE_F64, x, 3);
    tally_array none = tally_array_dense(TALLY_TYPE_F64, NULL, 0);
    tally_request mean = {.op = TALLY_OP_MEAN};
    tally_options nowhere = {.backend = TALLY_BACKEND_CUDA};
    tally_context *ctx;
    tally_value value;

    (void)state;
    errno = 4711;
    assert_int_equal(tally_open(&nowhere, &ctx), TALLY_ERR_BACKEND);
    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK);
    assert_int_equal(tally_reduce(ctx, &mean, &array, &value), TALLY_OK);
    assert_int_equal(tally_reduce(ctx, &mean, &none, &value), TALLY_ERR_EMPTY);
    tally_close(ctx);
    assert_int_equal(errno, 4711);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_running_out_is_reported),
        cmocka_unit_test(reducing_needs_no_memory),
        cmocka_unit_test(a_tree_without_memory_is_refused),
        cmocka_unit_test(a_backend_that_is_not_there_is_refused),
        cmocka_unit_test(senseless_arguments_are_refused),
        cmocka_unit_test(results_of_the_wrong_type_are_refused),
        cmocka_unit_test(the_context_keeps_the_latest_error),
        cmocka_unit_test(every_status_has_a_name_and_a_sentence),
        cmocka_unit_test(names_and_sizes_are_those_of_the_command),
        cmocka_unit_test(errno_is_never_touched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
