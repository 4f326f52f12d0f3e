/*
 * test_module.c DIRECTORY - backends in modules: found, refused or not there, each with its reason;
 * and what the core makes of what they answer. DIRECTORY has the fake modules (fake_module.c) in
 * directories of their own: good, old, other; broken has a file that is no module.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include "expect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "typed.h"

static const char *fakes;

static void look_in(const char *first, const char *second)
{
    char path[4096];
    snprintf(path, sizeof path, ":%s/%s::%s/%s:", fakes, first, fakes, second);
    assert_int_equal(setenv("TALLY_BACKEND_PATH", path, 1), 0);
}

static tally_backend_info found(tally_backend_id id, int device)
{
    tally_backend_info info;
    memset(&info, 0x5a, sizeof info);
    errno = 4711;
    assert_int_equal(tally_backend_find(id, device, &info), TALLY_OK);
    assert_int_equal(errno, 4711);
    return info;
}

static void expect_refused(const char *directory, tally_presence presence, const char *reason)
{
    tally_context *ctx = (tally_context *)&fakes;
    const tally_options options = {.backend = TALLY_BACKEND_CUDA};
    look_in("nowhere", directory);
    tally_backend_info info = found(TALLY_BACKEND_CUDA, 0);
    assert_int_equal(info.presence, presence);
    assert_non_null(strstr(info.reason, reason));
    assert_string_equal(info.device, "");
    errno = 4711;
    assert_int_equal(tally_open(&options, &ctx), TALLY_ERR_BACKEND);
    assert_int_equal(errno, 4711);
    assert_null(ctx);
}

static void what_cannot_be_used_says_why(void **state)
{
    (void)state;
    expect_refused("old", TALLY_PRESENCE_ABSENT, "not of this version");
    expect_refused("other", TALLY_PRESENCE_ABSENT, "not of this version");
    expect_refused("broken", TALLY_PRESENCE_NO_DEVICE, "libtally-cuda.so");
    assert_non_null(strstr(found(TALLY_BACKEND_CUDA, 0).module, "/broken/libtally-cuda.so"));
}

static void the_first_that_is_there_decides(void **state)
{
    (void)state;
    look_in("good", "old");
    assert_int_equal(found(TALLY_BACKEND_CUDA, 0).presence, TALLY_PRESENCE_READY);
    look_in("old", "good");
    assert_int_equal(found(TALLY_BACKEND_CUDA, 0).presence, TALLY_PRESENCE_ABSENT);
}

static void arguments_are_checked(void **state)
{
    tally_backend_info info;
    (void)state;
    assert_int_equal(tally_backend_find(TALLY_BACKEND_CUDA, 0, NULL), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_backend_find(TALLY_BACKEND_AUTO, 0, &info), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_backend_find((tally_backend_id)99, 0, &info), TALLY_ERR_ARGUMENT);
    assert_int_equal(found(TALLY_BACKEND_CPU, 0).presence, TALLY_PRESENCE_READY);
}

static tally_context *open_fake(void)
{
    tally_context *ctx;
    const tally_options options = {.backend = TALLY_BACKEND_CUDA, .device = 1};
    look_in("nowhere", "good");
    assert_int_equal(tally_open(&options, &ctx), TALLY_OK);
    return ctx;
}

static void a_module_is_described_and_opened(void **state)
{
    tally_context *ctx = open_fake();
    tally_backend_info info = found(TALLY_BACKEND_CUDA, 1);
    (void)state;
    assert_int_equal(info.presence, TALLY_PRESENCE_READY);
    assert_int_equal(info.n_devices, 2);
    assert_int_equal(info.driver, 12);
    assert_int_equal(info.runtime, 34);
    assert_string_equal(info.device, "a fake");
    assert_string_equal(info.reason, "");
    assert_int_equal(tally_context_backend(ctx), TALLY_BACKEND_CUDA);
    assert_int_equal(tally_context_launches(ctx), 7);
    tally_close(ctx);

    const tally_options third = {.backend = TALLY_BACKEND_CUDA, .device = 2};
    assert_int_equal(tally_open(&third, &ctx), TALLY_ERR_BACKEND);
    assert_null(ctx);
    info = found(TALLY_BACKEND_CUDA, 2);
    assert_int_equal(info.presence, TALLY_PRESENCE_NO_DEVICE);
    assert_string_equal(info.reason, "there is no such device");
    /* the other vendor's module is not there */
    assert_int_equal(found(TALLY_BACKEND_HIP, 0).presence, TALLY_PRESENCE_ABSENT);
}

static void a_failing_device_is_told_in_its_own_words(void **state)
{
    static const double x[] = {1, 2, 3};
    const tally_array array = tally_array_dense(TALLY_TYPE_F64, x, COUNT(x));
    const tally_request request = {.level = TALLY_LEVEL_TREE};
    tally_context *ctx = open_fake();
    tally_error_detail detail;
    tally_value value, before;
    (void)state;
    memset(&value, 0x5a, sizeof value);
    memcpy(&before, &value, sizeof value);
    assert_int_equal(tally_reduce(ctx, &request, &array, &value), TALLY_ERR_DEVICE);
    assert_memory_equal(&value, &before, sizeof value);
    assert_int_equal(tally_last_error(ctx, &detail), TALLY_OK);
    assert_int_equal(detail.status, TALLY_ERR_DEVICE);
    assert_int_equal(detail.backend, TALLY_BACKEND_CUDA);
    assert_int_equal(detail.native_code, 42);
    assert_string_equal(detail.api, "fakeLaunch");
    assert_string_equal(detail.what, "it broke");
    tally_close(ctx);
}

static void asynchronous_calls_are_checked_before_they_are_passed_on(void **state)
{
    static const double x[13] = {1, 2, 3};
    const tally_array array = tally_array_dense(TALLY_TYPE_F64, x, 3);
    const tally_array thirteen = tally_array_dense(TALLY_TYPE_F64, x, 13);
    const tally_array bytes = tally_array_dense(TALLY_TYPE_U8, x, 3);
    const tally_plan bad_plan = {.block = 3};
    tally_request request = {.level = TALLY_LEVEL_TREE};
    tally_device_result result = {.status = -1};
    tally_error_detail detail;
    tally_context *ctx = open_fake();
    (void)state;
    assert_int_equal(tally_reduce_async(NULL, &request, &array, &result), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_reduce_async(ctx, &request, NULL, &result), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_reduce_async(ctx, &request, &array, NULL), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_reduce_async(ctx, NULL, &array, &result), TALLY_ERR_UNSUPPORTED);
    assert_int_equal(tally_reduce_async(ctx, &request, &bytes, &result), TALLY_ERR_UNSUPPORTED);
    request.plan = &bad_plan;
    assert_int_equal(tally_reduce_async(ctx, &request, &array, &result), TALLY_ERR_ARGUMENT);
    request.plan = NULL;
    request.out = TALLY_TYPE_F32;
    assert_int_equal(tally_reduce_async(ctx, &request, &array, &result), TALLY_ERR_UNSUPPORTED);
    request.out = TALLY_TYPE_DEFAULT;
    assert_int_equal(result.status, -1);
    assert_int_equal(tally_reduce_async(ctx, &request, &array, &result), TALLY_OK);
    assert_int_equal(result.value.as.u64, 3);
    assert_int_equal(tally_reduce_async(ctx, &request, &thirteen, &result), TALLY_ERR_SPACE);
    assert_int_equal(tally_last_error(ctx, &detail), TALLY_OK);
    assert_int_equal(detail.native_code, 42);
    tally_close(ctx);
}

static void workspaces_are_asked_for(void **state)
{
    const tally_plan plan = {.blocks = 50};
    tally_request request = {.level = TALLY_LEVEL_TREE, .plan = &plan};
    tally_context *ctx = open_fake();
    size_t nbytes = 1;
    (void)state;
    assert_int_equal(tally_workspace_nbytes(ctx, &request, TALLY_TYPE_F32, 1000, &nbytes),
                     TALLY_OK);
    assert_int_equal(nbytes, 150);
    assert_int_equal(tally_workspace_nbytes(NULL, &request, TALLY_TYPE_F32, 1, &nbytes),
                     TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_workspace_nbytes(ctx, &request, TALLY_TYPE_F32, 1, NULL),
                     TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_workspace_nbytes(ctx, &request, TALLY_TYPE_U8, 1, &nbytes),
                     TALLY_ERR_UNSUPPORTED);
    request.level = TALLY_LEVEL_EXACT;
    assert_int_equal(tally_workspace_nbytes(ctx, &request, TALLY_TYPE_F32, 1, &nbytes),
                     TALLY_ERR_UNSUPPORTED);
    assert_int_equal(tally_reserve(NULL, 1), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_reserve(ctx, 4096), TALLY_OK);
    assert_int_equal(tally_reserve(ctx, 4097), TALLY_ERR_MEMORY);
    tally_close(ctx);
}

static void backends_without_a_device_have_no_stream(void **state)
{
    static const double x[] = {1, 2, 3};
    const tally_array array = tally_array_dense(TALLY_TYPE_F64, x, COUNT(x));
    const tally_request tree = {.level = TALLY_LEVEL_TREE};
    tally_device_result result = {.status = -1};
    tally_error_detail detail;
    tally_context *ctx;
    size_t nbytes = 1;
    (void)state;
    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK);
    assert_int_equal(tally_reduce_async(ctx, &tree, &array, &result), TALLY_ERR_UNSUPPORTED);
    assert_int_equal(tally_last_error(ctx, &detail), TALLY_OK);
    assert_non_null(strstr(detail.what, "no device"));
    assert_int_equal(result.status, -1);
    assert_int_equal(tally_workspace_nbytes(ctx, &tree, TALLY_TYPE_F64, 3, &nbytes), TALLY_OK);
    assert_int_equal(nbytes, 0);
    nbytes = 1;
    assert_int_equal(tally_workspace_nbytes(ctx, NULL, TALLY_TYPE_U8, 3, &nbytes), TALLY_OK);
    assert_int_equal(nbytes, 0);
    assert_int_equal(tally_reserve(ctx, 1 << 20), TALLY_OK);
    assert_int_equal(tally_context_launches(ctx), 0);
    tally_close(ctx);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_used_says_why),
        cmocka_unit_test(the_first_that_is_there_decides),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(a_module_is_described_and_opened),
        cmocka_unit_test(a_failing_device_is_told_in_its_own_words),
        cmocka_unit_test(asynchronous_calls_are_checked_before_they_are_passed_on),
        cmocka_unit_test(workspaces_are_asked_for),
        cmocka_unit_test(backends_without_a_device_have_no_stream),
    };
    if (argc != 2) {
        fprintf(stderr, "usage: test_module DIRECTORY\n");
        return 2;
    }
    fakes = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
