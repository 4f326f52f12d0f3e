/*
 * test_raw.c - raw numbers: dtype, byte order, offset, count, and what is wrong with them.
 */
#define _DEFAULT_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read_all.h"

static const unsigned char f32_le[] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40};
static const unsigned char f32_be[] = {0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, 0x40, 0x40, 0, 0};

static reader_options raw(tally_type dtype)
{
    reader_options o = plain_options();
    o.dtype = dtype;
    return o;
}

static void check(const void *bytes, size_t nbytes, const reader_options *options, uint64_t n,
                  double sum)
{
    for (int way = 0; way < ROUTES; way++) {
        reading r;
        read_bytes(&r, bytes, nbytes, (route)way, ".bin", options);
        assert_string_equal(r.error, "");
        assert_false(r.wrong);
        assert_int_equal(r.n, n);
        assert_true(reading_sum(&r) == sum);
        assert_int_equal(r.n_warnings, 0);
        reading_free(&r);
    }
}

static void refuse(const void *bytes, size_t nbytes, const reader_options *options,
                   const char *message)
{
    for (int way = 0; way < ROUTES; way++) {
        reading r;
        read_bytes(&r, bytes, nbytes, (route)way, ".bin", options);
        assert_string_equal(r.error, message);
        reading_free(&r);
    }
}

static void both_byte_orders_are_read(void **state)
{
    (void)state;
    reader_options o = raw(TALLY_TYPE_F32);
    check(f32_le, sizeof f32_le, &o, 3, 6);
    o.order = READER_ORDER_LITTLE;
    check(f32_le, sizeof f32_le, &o, 3, 6);
    o.order = READER_ORDER_BIG;
    check(f32_be, sizeof f32_be, &o, 3, 6);
}

static void every_type_is_read_in_both_orders(void **state)
{
    (void)state;
    for (int type = TALLY_TYPE_F16; type <= TALLY_TYPE_BOOL; type++) {
        size_t size = tally_type_size((tally_type)type);
        unsigned char bytes[3 * 8];
        for (size_t i = 0; i < 3 * size; i++)
            bytes[i] = (unsigned char)(1 + i);
        for (int big = 0; big < 2; big++) {
            reader_options o = raw((tally_type)type);
            o.order = big ? READER_ORDER_BIG : READER_ORDER_LITTLE;
            reading r;
            read_bytes(&r, bytes, 3 * size, ROUTE_FILE, ".bin", &o);
            assert_string_equal(r.error, "");
            assert_int_equal(r.n, 3);
            for (size_t i = 0; i < 3; i++) {
                uint64_t bits = 0, got = r.element[i].as.u64;
                for (size_t k = 0; k < size; k++) {
                    size_t byte = big ? size - 1 - k : k;
                    bits |= (uint64_t)bytes[i * size + byte] << 8 * k;
                }
                assert_int_equal(r.element[i].type, type);
                assert_true(got == bits);
            }
            reading_free(&r);
        }
    }
}

static void offset_and_count_choose_a_part(void **state)
{
    (void)state;
    unsigned char bytes[5 + sizeof f32_le] = {9, 9, 9, 9, 9};
    memcpy(bytes + 5, f32_le, sizeof f32_le);
    reader_options o = raw(TALLY_TYPE_F32);
    o.offset = 5; /* not aligned */
    check(bytes, sizeof bytes, &o, 3, 6);
    o.count = 2;
    check(bytes, sizeof bytes, &o, 2, 3);
    o.count = 0;
    check(bytes, sizeof bytes, &o, 0, 0);
    o.offset = sizeof bytes;
    o.count = UINT64_MAX;
    check(bytes, sizeof bytes, &o, 0, 0);
}

static void left_over_bytes_are_an_error(void **state)
{
    (void)state;
    reader_options o = raw(TALLY_TYPE_F32);
    refuse(f32_le, 10, &o,
           "IN: 2 bytes left over: 10 bytes are no whole number of f32 elements; is the dtype or "
           "the offset wrong?");
    o.offset = 1;
    refuse(f32_le, 10, &o,
           "IN: 1 byte left over: 9 bytes are no whole number of f32 elements; is the dtype or "
           "the offset wrong?");
}

static void too_few_elements_are_an_error(void **state)
{
    (void)state;
    reader_options o = raw(TALLY_TYPE_F32);
    o.count = 4;
    refuse(f32_le, 12, &o, "IN: truncated: expected 16 data bytes, found 12");
    o.offset = 13;
    refuse(f32_le, 12, &o, "IN: the offset is past the end: expected at least 13 bytes, found 12");
    o.offset = 0;
    o.count = UINT64_MAX - 1;
    refuse(f32_le, 12, &o,
           "IN: 18446744073709551614 elements of 4 bytes are more than any file can hold");
}

static void options_that_say_nothing_are_refused(void **state)
{
    (void)state;
    reader_options o = plain_options();
    o.format = READER_RAW;
    refuse(f32_le, 12, &o, "IN: raw data needs a dtype, such as f32 or f64be");
    o.order = READER_ORDER_BIG;
    refuse(f32_le, 12, &o, "IN: a byte order goes with a dtype only");
    o = raw(TALLY_TYPE_F32);
    o.field = "a";
    refuse(f32_le, 12, &o, "IN: a field is for .npy files only");
    o.field = NULL;
    o.separator = ',';
    refuse(f32_le, 12, &o, "IN: a separator is for text only");
    o = plain_options();
    o.offset = 4;
    refuse("1\n", 2, &o, "IN: an offset or a count is for raw data only (give its dtype)");
    o = raw(TALLY_TYPE_F32);
    o.format = READER_TEXT;
    refuse("1\n", 2, &o, "IN: a dtype is for raw data and .npy files only");
}

static void check_path(const char *path, const char *message)
{
    reader_options o = raw(TALLY_TYPE_F32);
    o.path = path;
    reading r;
    read_path(&r, &o, NULL);
    assert_string_equal(r.error, message);
    reading_free(&r);
}

static void files_that_cannot_be_read_say_why(void **state)
{
    (void)state;
    check_path("/nonexistent/x", "/nonexistent/x: cannot be opened: No such file or directory");
    check_path("/tmp", "/tmp: cannot be read: Is a directory");
    check_path("", ": cannot be opened: No such file or directory");
    check_path("/dev/null/a\nb\x1b[1m",
               "/dev/null/a\\nb\\x1B[1m: cannot be opened: Not a directory");
    if (geteuid() == 0)
        return; /* who may read everything */
    char *path = make_file("", 0, "");
    chmod(path, 0);
    char message[4200];
    snprintf(message, sizeof message, "%s: cannot be opened: Permission denied", path);
    check_path(path, message);
    unlink(path);
    free(path);
}

static void a_long_path_leaves_room_for_the_message(void **state)
{
    (void)state;
    char path[1001];
    memset(path, 'x', 1000);
    path[1000] = '\0';
    reader_options o = raw(TALLY_TYPE_F32);
    o.path = path;
    reading r;
    read_path(&r, &o, NULL);
    assert_non_null(strstr(r.error, "xxx: cannot be opened: File name too long"));
    assert_memory_equal(r.error, "...xxx", 6);
    reading_free(&r);
}

/* More than a buffer, more than a window: the pieces meet without a gap. */
static void long_data_come_in_order(void **state)
{
    (void)state;
    enum { N = 300000 };
    uint16_t *values = malloc(N * sizeof *values);
    assert_non_null(values);
    for (int big = 0; big < 2; big++) {
        for (size_t i = 0; i < N; i++) {
            unsigned v = (unsigned)(i * 7919) & 0xffff;
            unsigned char two[2] = {(unsigned char)v, (unsigned char)(v >> 8)};
            unsigned char owt[2] = {two[1], two[0]};
            memcpy(&values[i], big ? owt : two, 2);
        }
        for (int way = 0; way < ROUTE_PIPE; way++) {
            reader_options o = raw(TALLY_TYPE_U16);
            o.order = big ? READER_ORDER_BIG : READER_ORDER_LITTLE;
            reading r;
            read_bytes(&r, values, N * 2, (route)way, ".bin", &o);
            assert_string_equal(r.error, "");
            assert_int_equal(r.n, N);
            assert_false(r.wrong);
            for (size_t i = 0; i < N; i++)
                if (r.element[i].as.u64 != (i * 7919 & 0xffff))
                    fail_msg("element %zu is wrong on route %d", i, way);
            reading_free(&r);
        }
    }
    free(values);
}

static void a_file_cut_short_while_read_is_noticed(void **state)
{
    (void)state;
    unsigned char bytes[8192 * 4] = {0};
    char *path = make_file(bytes, sizeof bytes, ".bin");
    reader_options o = raw(TALLY_TYPE_U8);
    o.path = path;
    source_tuning tuning = {.window = 4096};
    reader_error error;
    reader_piece piece;
    reader *r = reader_open_tuned(&o, &tuning, NULL, NULL, &error);
    assert_non_null(r);
    assert_int_equal(reader_next(r, &piece, &error), READER_PIECE);
    assert_int_equal(reader_size(r), sizeof bytes);
    assert_int_equal(reader_bytes(r), piece.array.n);
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(reader_next(r, &piece, &error), READER_ERROR);
    assert_non_null(strstr(error.text, "was cut short while it was read: expected 32768 bytes, "
                                       "found 100"));
    assert_int_equal(reader_next(r, &piece, &error), READER_ERROR); /* and stays one */
    reader_close(r);
    unlink(path);
    free(path);
}

/* Standard input may be a file that someone has read from already. */
static void standard_input_begins_where_it_stands(void **state)
{
    (void)state;
    char *path = make_file(f32_le, sizeof f32_le, ".bin");
    int saved = dup(STDIN_FILENO);
    assert_non_null(freopen(path, "rb", stdin));
    assert_int_equal(lseek(STDIN_FILENO, 4, SEEK_SET), 4);
    reader_options o = raw(TALLY_TYPE_F32);
    o.path = "-";
    reading r;
    read_path(&r, &o, NULL);
    assert_string_equal(r.error, "");
    assert_int_equal(r.n, 2);
    assert_true(reading_sum(&r) == 5);
    reading_free(&r);
    dup2(saved, STDIN_FILENO);
    close(saved);
    unlink(path);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_byte_orders_are_read),
        cmocka_unit_test(every_type_is_read_in_both_orders),
        cmocka_unit_test(offset_and_count_choose_a_part),
        cmocka_unit_test(left_over_bytes_are_an_error),
        cmocka_unit_test(too_few_elements_are_an_error),
        cmocka_unit_test(options_that_say_nothing_are_refused),
        cmocka_unit_test(files_that_cannot_be_read_say_why),
        cmocka_unit_test(a_long_path_leaves_room_for_the_message),
        cmocka_unit_test(long_data_come_in_order),
        cmocka_unit_test(a_file_cut_short_while_read_is_noticed),
        cmocka_unit_test(standard_input_begins_where_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
