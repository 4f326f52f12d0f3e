/*
 * test_text.c - numbers as text: how fields are cut, what is refused and where, and that nothing
 * depends on how the bytes arrive.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_all.h"

/* For string literals that may hold NULs. */
#define TEXT(literal) (literal), sizeof(literal) - 1

static void check_with(const reader_options *options, const char *suffix, const char *text,
                       size_t length, uint64_t n, double sum)
{
    for (int way = 0; way < ROUTES; way++) {
        reading r;
        read_bytes(&r, text, length, (route)way, suffix, options);
        assert_string_equal(r.error, "");
        assert_string_equal(r.warning, "");
        assert_false(r.wrong);
        assert_int_equal(r.n, n);
        assert_true(reading_sum(&r) == sum);
        reading_free(&r);
    }
}

static void check(const char *text, size_t length, uint64_t n, double sum)
{
    reader_options o = plain_options();
    check_with(&o, "", text, length, n, sum);
}

static void separated(char separator, const char *text, size_t length, uint64_t n, double sum)
{
    reader_options o = plain_options();
    o.separator = separator;
    check_with(&o, "", text, length, n, sum);
}

static void refuse_with(char separator, const char *text, size_t length, const char *message)
{
    reader_options o = plain_options();
    o.separator = separator;
    for (int way = 0; way < ROUTES; way++) {
        reading r;
        read_bytes(&r, text, length, (route)way, "", &o);
        assert_string_equal(r.error, message);
        reading_free(&r);
    }
}

static void refuse(const char *text, size_t length, const char *message)
{
    refuse_with(0, text, length, message);
}

static void case_47_marks_and_line_ends(void **state)
{
    (void)state;
    check(TEXT("\xef\xbb\xbf"
               "1\r\n2\r\n3\r\n"),
          3, 6);
    check(TEXT("1\n2\n3"), 3, 6);
    check(TEXT("1\n2\n\n4\n5\n"), 4, 12);
    check(TEXT("1\n2\n\n\n"), 2, 3);
    refuse(TEXT("1\r2\r3"), "IN:1:1: '1\\r2\\r3' is not a number");
    refuse(TEXT("\xff\xfe"
                "1\0\n\0"),
           "IN: is UTF-16 text; expected UTF-8 or ASCII: convert it with iconv -f UTF-16 -t UTF-8");
    refuse(TEXT("\xfe\xff\0"
                "1"),
           "IN: is UTF-16 text; expected UTF-8 or ASCII: convert it with iconv -f UTF-16 -t UTF-8");
    refuse(TEXT("\xff\xfe\0\0"),
           "IN: is UTF-32 text; expected UTF-8 or ASCII: convert it with iconv -f UTF-32 -t UTF-8");
    refuse(TEXT("\0\0\xfe\xff"),
           "IN: is UTF-32 text; expected UTF-8 or ASCII: convert it with iconv -f UTF-32 -t UTF-8");
    check(TEXT("\xef\xbb\xbf"), 0, 0);
    refuse(TEXT("\xef\xbb"), "IN:1:1: '\\xEF\\xBB' is not a number");
    refuse(TEXT("1\n\xef\xbb\xbf"
                "2"),
           "IN:2:1: '\xef\xbb\xbf"
           "2' is not a number");
}

static void case_49_missing_values(void **state)
{
    (void)state;
    refuse(TEXT("1\nNA\n3\n-\nnan\n"), "IN:2:1: 'NA' is not a number");
    refuse(TEXT("1\n-\n"), "IN:2:1: '-' is not a number");
    refuse_with(';', TEXT("1;abc;3"), "IN:1:3: 'abc' is not a number");
    check(TEXT(" 1\t\n  2 \n\t3"), 3, 6);
    reader_options o = plain_options();
    reading r;
    const char text[] = "NAN Nan +Infinity -INF 1e999 -1e999 1\n";
    for (int way = 0; way < ROUTES; way++) {
        read_bytes(&r, TEXT(text), (route)way, "", &o);
        assert_string_equal(r.error, "");
        assert_int_equal(r.n, 7);
        assert_true(isnan(r.element[0].as.f64) && isnan(r.element[1].as.f64));
        assert_true(r.element[2].as.f64 == (double)INFINITY);
        assert_true(r.element[3].as.f64 == (double)-INFINITY);
        assert_true(r.element[4].as.f64 == (double)INFINITY);
        assert_true(r.element[5].as.f64 == (double)-INFINITY);
        assert_int_equal(r.n_warnings, 2);
        assert_string_equal(r.warning, "IN: 2 numbers are beyond the range of f64 in all");
        reading_free(&r);
    }
    read_bytes(&r, TEXT("1\n 1e999 2"), ROUTE_FILE, "", &o);
    assert_int_equal(r.n_warnings, 1);
    assert_string_equal(r.warning,
                        "IN:2:2: '1e999' is beyond the range of f64 and read as an infinity");
    reading_free(&r);
}

/* For more than a reading should keep: how many ones there are, and nothing else. */
static uint64_t count_ones(const char *text, size_t length)
{
    char *path = make_file(text, length, "");
    reader_options o = plain_options();
    o.path = path;
    reader_error error;
    reader *in = reader_open(&o, NULL, NULL, &error);
    assert_non_null(in);
    reader_piece piece;
    uint64_t n = 0;
    while (reader_next(in, &piece, &error) == READER_PIECE) {
        assert_int_equal(piece.array.type, TALLY_TYPE_I64);
        const int64_t *values = piece.array.data;
        for (size_t i = 0; i < piece.array.n; i++)
            if (values[i] != 1)
                fail_msg("element %zu of a piece is not 1", i);
        n += piece.array.n;
    }
    assert_int_equal(reader_bytes(in), length);
    reader_close(in);
    remove(path);
    free(path);
    return n;
}

static void case_51_long_lines_and_buffer_edges(void **state)
{
    (void)state;
    char *text = malloc(20000001);
    assert_non_null(text);
    for (int i = 0; i < 5000; i++)
        memcpy(text + 2 * i, i < 4999 ? "1," : "1\n", 2);
    separated(',', text, 10000, 5000, 5000);
    static const size_t blanks[] = {4090, 8190, 65530, 262140, 1048570};
    for (size_t b = 0; b < 5; b++)
        for (size_t k = blanks[b]; k < blanks[b] + 11; k++) {
            memset(text, ' ', k);
            memcpy(text + k, "123456\n", 7);
            for (int way = 0; way < (k < 5000 ? ROUTES : ROUTE_READ); way++) {
                reader_options o = plain_options();
                reading r;
                read_bytes(&r, text, k + 7, (route)way, "", &o);
                assert_int_equal(r.n, 1);
                assert_int_equal(r.element[0].as.i64, 123456);
                reading_free(&r);
            }
        }
    for (size_t i = 0; i < 10000000; i++)
        memcpy(text + 2 * i, "1 ", 2);
    assert_int_equal(count_ones(text, 20000000), 10000000);
    reader_options o = plain_options();
    reading r;
    memset(text, '9', 100000);
    for (int way = 0; way < ROUTES; way++) {
        read_bytes(&r, text, 100000, (route)way, "", &o);
        assert_string_equal(r.error, "");
        assert_int_equal(r.n_wide, 1);
        assert_int_equal(r.n, 1);
        reading_free(&r);
    }
    refuse(
        TEXT("1\n2 3\0\n"),
        "IN:2:4: a NUL byte: this is no text (raw data: say which with --dtype; UTF-16: convert it "
        "with iconv; .npz, .gz: unpack it)");
    free(text);
}

static void a_field_of_more_than_64_mb_is_refused(void **state)
{
    (void)state;
    size_t length = (64u << 20) + 8;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, '0', length);
    text[0] = '\n';
    reader_options o = plain_options();
    reading r;
    read_bytes(&r, text, length, ROUTE_FILE, "", &o);
    assert_string_equal(r.error, "IN:2:1: a field of more than 64 MB");
    reading_free(&r);
    free(text);
}

static void case_53_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "pl_PL.UTF-8"};
    int n_set = 0;
    for (size_t i = 0; i < 3; i++) {
        if (!setlocale(LC_ALL, locales[i]))
            continue; /* not installed */
        n_set++;
        check(TEXT("1.5\n2.25\n"), 2, 3.75);
        separated(',', TEXT("3,3,1\n"), 3, 7);
    }
    setlocale(LC_ALL, "C");
    if (n_set == 0)
        skip();
}

static void one_value(const char *text, double value)
{
    reader_options o = plain_options();
    reading r;
    read_bytes(&r, text, strlen(text), ROUTE_FILE, "", &o);
    assert_string_equal(r.error, "");
    assert_int_equal(r.n, 1);
    assert_true(element_number(&r.element[0]) == value);
    reading_free(&r);
}

static void case_54_reals_are_correctly_rounded(void **state)
{
    (void)state;
    one_value("-15.361", -15.361);
    one_value("-15.361000", -15.361);
    one_value("0.00000000000001953", 1.953e-14);
    one_value("1.46761e-313", 1.46761e-313);
    one_value("20030101", 20030101);
    one_value("9007199254740993.0000000000000000000000000001", 9007199254740994.0);
    char text[500] = "0.";
    memset(text + 2, '0', 400);
    strcpy(text + 402, "1e400");
    one_value(text, 0.1);
}

static void case_55_integers_stay_integers(void **state)
{
    (void)state;
    reader_options o = plain_options();
    for (int way = 0; way < ROUTES; way++) {
        reading r;
        read_bytes(&r, TEXT("9007199254740993\n1\n1\n"), (route)way, "", &o);
        assert_int_equal(r.n_pieces, 1);
        assert_int_equal(r.element[0].type, TALLY_TYPE_I64);
        assert_true(r.element[0].as.i64 == INT64_C(9007199254740993));
        reading_free(&r);
        read_bytes(&r, TEXT("18446744073709551615\n1\n"), (route)way, "", &o);
        assert_int_equal(r.n_pieces, 1);
        assert_int_equal(r.element[0].type, TALLY_TYPE_U64);
        assert_true(r.element[0].as.u64 == UINT64_MAX);
        reading_free(&r);
        read_bytes(&r, TEXT("1 18446744073709551616 -9223372036854775809 2"), (route)way, "", &o);
        assert_string_equal(r.error, "");
        assert_false(r.wrong);
        assert_int_equal(r.n_wide, 2);
        assert_string_equal(r.wide, "-9223372036854775809");
        assert_int_equal(r.n, 4);
        assert_int_equal(r.element[0].as.i64, 1);
        assert_int_equal(r.element[3].as.i64, 2);
        reading_free(&r);
    }
}

/* A piece of f64 says that a real was seen; integers in it are exact. */
static void types_tell_what_was_seen(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tally_type type[4];
        uint64_t n_pieces;
    } cases[] = {
        {"1 2", {TALLY_TYPE_I64, TALLY_TYPE_I64}, 1},
        {"1.5 2 3", {TALLY_TYPE_F64, TALLY_TYPE_F64, TALLY_TYPE_F64}, 1},
        {"1 2.5 3", {TALLY_TYPE_I64, TALLY_TYPE_F64, TALLY_TYPE_F64}, 2},
        {"-0. 9007199254740992 -9007199254740992",
         {TALLY_TYPE_F64, TALLY_TYPE_F64, TALLY_TYPE_F64},
         1},
        {"-0. 9007199254740993 .5", {TALLY_TYPE_F64, TALLY_TYPE_I64, TALLY_TYPE_F64}, 3},
        {"-0. -9007199254740993 .5", {TALLY_TYPE_F64, TALLY_TYPE_I64, TALLY_TYPE_F64}, 3},
        /* "-0" is what it stands beside */
        {"-0", {TALLY_TYPE_F64}, 1},
        {"-0 -0", {TALLY_TYPE_F64, TALLY_TYPE_F64}, 1},
        {"-0 -0 .5 -0", {TALLY_TYPE_F64, TALLY_TYPE_F64, TALLY_TYPE_F64, TALLY_TYPE_F64}, 1},
        {"-0 9007199254740993 -0", {TALLY_TYPE_I64, TALLY_TYPE_I64, TALLY_TYPE_I64}, 1},
        {"7 -0 .5 -0", {TALLY_TYPE_I64, TALLY_TYPE_I64, TALLY_TYPE_F64, TALLY_TYPE_F64}, 2},
        {"-0 18446744073709551615 -0", {TALLY_TYPE_I64, TALLY_TYPE_U64, TALLY_TYPE_U64}, 2},
        {"nan 9223372036854775808 .5", {TALLY_TYPE_F64, TALLY_TYPE_U64, TALLY_TYPE_F64}, 3},
        {"-1 9223372036854775808 1 -1",
         {TALLY_TYPE_I64, TALLY_TYPE_U64, TALLY_TYPE_U64, TALLY_TYPE_I64},
         3},
        {"-9223372036854775808 9223372036854775807", {TALLY_TYPE_I64, TALLY_TYPE_I64}, 1},
    };
    reader_options o = plain_options();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        reading r;
        read_bytes(&r, cases[i].text, strlen(cases[i].text), ROUTE_FILE, "", &o);
        assert_string_equal(r.error, "");
        assert_false(r.wrong);
        assert_int_equal(r.n_pieces, cases[i].n_pieces);
        for (uint64_t k = 0; k < r.n; k++)
            assert_int_equal(r.element[k].type, cases[i].type[k]);
        reading_free(&r);
    }
}

static void white_space_separates_fields(void **state)
{
    (void)state;
    check(TEXT(""), 0, 0);
    check(TEXT("\n \t \r\n"), 0, 0);
    check(TEXT("1  2\t3\n  4\r\n5"), 5, 15);
    refuse(TEXT("1\n2x\n"), "IN:2:1: '2x' is not a number");
    refuse(TEXT("1 \r 2"), "IN:1:3: '\\r' is not a number");
    refuse(TEXT("1\r\r\n"), "IN:1:1: '1\\r' is not a number");
    refuse(TEXT("1\r"), "IN:1:1: '1\\r' is not a number");
    refuse(TEXT("\n\n  1,5"), "IN:3:3: '1,5' is not a number (fields between commas: -t ,)");
    refuse(TEXT("1\v2"), "IN:1:1: '1\\x0B2' is not a number");
    refuse(TEXT("1\xc2\xa0"
                "2"),
           "IN:1:1: '1\xc2\xa0"
           "2' is not a number");
    refuse(TEXT("\x1b[31m"), "IN:1:1: '\\x1B[31m' is not a number");
    refuse(TEXT("\xc0\x80\xe9\xc2\x9b"), "IN:1:1: '\\xC0\\x80\\xE9\\xC2\\x9B' is not a number");
}

static void one_byte_separates_fields(void **state)
{
    (void)state;
    separated(',', TEXT("1,2,3\n4,5,6\n"), 6, 21);
    separated(',', TEXT(" 1 ,\t2\t, 3 \r\n\r\n  \n4"), 4, 10);
    separated('\t', TEXT("1\t 2 \t3"), 3, 6);
    separated(' ', TEXT("1 2 3\n"), 3, 6);
    separated('\xa7',
              TEXT("1\xa7"
                   "2"),
              2, 3);
    refuse_with(',', TEXT("1,,3"), "IN:1:3: empty field");
    refuse_with(',', TEXT(",1"), "IN:1:1: empty field");
    refuse_with(',', TEXT("5\n1,"), "IN:2:3: empty field");
    refuse_with(',', TEXT("1,\n2"), "IN:1:3: empty field");
    refuse_with(',', TEXT("1, \r\n2"), "IN:1:3: empty field");
    refuse_with(',', TEXT("1,  ,2"), "IN:1:3: empty field");
    refuse_with(' ', TEXT("1  2"), "IN:1:3: empty field");
    refuse_with(',', TEXT("1,2 3"), "IN:1:3: '2 3' is not a number");
    refuse_with(',', TEXT("1, 2\rx\r\n"), "IN:1:4: '2\\rx' is not a number");
    refuse_with(',', TEXT("1;2"),
                "IN:1:1: '1;2' is not a number (fields between semicolons: -t ';')");
    refuse_with('\t', TEXT("1 \t 2\t"), "IN:1:7: empty field");
}

static void a_name_ending_in_csv_or_tsv_chooses_the_separator(void **state)
{
    (void)state;
    reader_options o = plain_options();
    for (int way = 0; way < ROUTE_PIPE; way++) {
        reading r;
        read_bytes(&r, "1,2", 3, (route)way, ".csv", &o);
        assert_int_equal(r.n, 2);
        reading_free(&r);
        read_bytes(&r, "1\t\n", 3, (route)way, ".TSV", &o);
        assert_string_equal(r.error, "IN:1:3: empty field");
        reading_free(&r);
        o.separator = ';';
        read_bytes(&r, "1;2", 3, (route)way, ".csv", &o);
        assert_int_equal(r.n, 2);
        reading_free(&r);
        o.separator = 0;
    }
}

static void separators_that_numbers_or_lines_need_are_refused(void **state)
{
    (void)state;
    for (const char *c = "0123456789.+-eEinfINFaty"; *c; c++) {
        char message[100];
        snprintf(message, sizeof message,
                 "IN: '%c' cannot separate fields: it is part of numbers or lines", *c);
        refuse_with(*c, TEXT("1\n"), message);
    }
    refuse_with('\n', TEXT("1\n"),
                "IN: '\\n' cannot separate fields: it is part of numbers or lines");
    refuse_with('\r', TEXT("1\n"),
                "IN: '\\r' cannot separate fields: it is part of numbers or lines");
}

static void long_tokens_are_clipped_in_messages(void **state)
{
    (void)state;
    refuse(TEXT("123456789012345678901234567890123456789012345678901234567890x"),
           "IN:1:1: '123456789012345678901234567890123456789012345678901234567890...' is not a "
           "number");
    refuse(TEXT("12345678901234567890123456789012345678901234567890123456789\xc3\xa9xxxx"),
           "IN:1:1: '12345678901234567890123456789012345678901234567890123456789...' is not a "
           "number");
}

/* The pieces, not only the values, are the same with every buffer size. */
static void pieces_do_not_depend_on_the_buffer(void **state)
{
    (void)state;
    char *text = malloc(400000);
    assert_non_null(text);
    static const char *const fields[] = {"1",     "-22",
                                         "3.5e7", "18446744073709551615",
                                         "\r\n",  "123456789012345678901",
                                         "nan",   "9007199254740993"};
    size_t length = 0;
    for (uint32_t i = 0, random = 1; i < 40000; i++, random = random * 1664525 + 1013904223)
        length += (size_t)sprintf(text + length, "%s ", fields[random >> 24 & (i % 5000 ? 1 : 7)]);
    char *path = make_file(text, length, ".txt");
    reader_options o = plain_options();
    o.path = path;
    reading whole;
    read_path(&whole, &o, NULL);
    assert_string_equal(whole.error, "");
    assert_true(whole.n_pieces > 3);
    for (size_t chunk = 1; chunk <= 7; chunk++) {
        source_tuning tuning = {.window = 4096, .chunk = chunk, .read = chunk < 7};
        reading r;
        read_path(&r, &o, &tuning);
        assert_false(r.wrong);
        assert_int_equal(r.n, whole.n);
        assert_int_equal(r.n_pieces, whole.n_pieces);
        for (uint64_t i = 0; i < r.n; i++) {
            assert_int_equal(r.element[i].type, whole.element[i].type);
            assert_true(r.element[i].as.u64 == whole.element[i].as.u64);
        }
        reading_free(&r);
    }
    reading_free(&whole);
    remove(path);
    free(path);
    free(text);
}

static void files_in_proc_have_no_size_and_are_read(void **state)
{
    (void)state;
    reader_options o = plain_options();
    o.path = "/proc/sys/kernel/pid_max";
    reading r;
    read_path(&r, &o, NULL);
    if (r.failed && strstr(r.error, "cannot be opened"))
        skip();
    assert_int_equal(r.n, 1);
    assert_true(element_number(&r.element[0]) > 0);
    reading_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_47_marks_and_line_ends),
        cmocka_unit_test(case_49_missing_values),
        cmocka_unit_test(case_51_long_lines_and_buffer_edges),
        cmocka_unit_test(case_53_locale_does_not_matter),
        cmocka_unit_test(case_54_reals_are_correctly_rounded),
        cmocka_unit_test(case_55_integers_stay_integers),
        cmocka_unit_test(a_field_of_more_than_64_mb_is_refused),
        cmocka_unit_test(types_tell_what_was_seen),
        cmocka_unit_test(white_space_separates_fields),
        cmocka_unit_test(one_byte_separates_fields),
        cmocka_unit_test(a_name_ending_in_csv_or_tsv_chooses_the_separator),
        cmocka_unit_test(separators_that_numbers_or_lines_need_are_refused),
        cmocka_unit_test(long_tokens_are_clipped_in_messages),
        cmocka_unit_test(pieces_do_not_depend_on_the_buffer),
        cmocka_unit_test(files_in_proc_have_no_size_and_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
