/*
 * test_npy.c - .npy files: headers, types, orders, fields, and everything that is refused.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read_all.h"

/* A file under construction. */
typedef struct bytes {
    unsigned char data[70000];
    size_t n;
} bytes;

static bytes made; /* the latest file */

static void put(const void *data, size_t n)
{
    assert_true(made.n + n <= sizeof made.data);
    memcpy(made.data + made.n, data, n);
    made.n += n;
}

/* Magic, version, and a header of the given text, padded with spaces to length bytes. */
static void begin(unsigned version, const char *text, size_t length)
{
    size_t used = strlen(text) + 1;
    if (length < used)
        length = used;
    unsigned char prefix[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0};
    for (int i = 0; i < 4; i++)
        prefix[8 + i] = (unsigned char)(length >> 8 * i);
    made.n = 0;
    put(prefix, version == 1 ? 10 : 12);
    put(text, strlen(text));
    for (size_t i = used; i < length; i++)
        put(" ", 1);
    put("\n", 1);
}

static void put_f64(double v)
{
    put(&v, 8);
}

static void read_made(reading *r, route way, const reader_options *options)
{
    read_bytes(r, made.data, made.n, way, ".npy", options);
}

static void check_with(const reader_options *options, uint64_t n, double sum)
{
    for (int way = 0; way < ROUTES; way++) {
        reading r;
        read_made(&r, (route)way, options);
        assert_string_equal(r.error, "");
        assert_string_equal(r.warning, "");
        assert_false(r.wrong);
        assert_int_equal(r.n, n);
        assert_true(reading_sum(&r) == sum);
        reading_free(&r);
    }
}

static void check(uint64_t n, double sum)
{
    reader_options o = plain_options();
    check_with(&o, n, sum);
}

static void refuse_with(const reader_options *options, const char *message)
{
    for (int way = 0; way < ROUTES; way++) {
        reading r;
        read_made(&r, (route)way, options);
        assert_string_equal(r.error, message);
        assert_true(r.n_pieces == 0 || way == ROUTE_PIPE); /* where only the end can tell */
        reading_free(&r);
    }
}

static void refuse(const char *message)
{
    reader_options o = plain_options();
    o.format = READER_NPY;
    refuse_with(&o, message);
}

/* A header of version 1 alone is refused. */
static void refuse_header(const char *text, const char *message)
{
    begin(1, text, 0);
    put_f64(1);
    refuse(message);
}

static void from_base64(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    made.n = 0;
    uint32_t bits = 0;
    int have = 0;
    for (; *text && *text != '='; text++) {
        bits = bits << 6 | (uint32_t)(strchr(digits, *text) - digits);
        have += 6;
        if (have >= 8) {
            have -= 8;
            unsigned char byte = (unsigned char)(bits >> have);
            put(&byte, 1);
        }
    }
}

static void check_order(const double *expected, uint64_t n)
{
    reader_options o = plain_options();
    o.indexed = true;
    for (int way = 0; way < ROUTES; way++) {
        reading r;
        read_made(&r, (route)way, &o);
        assert_string_equal(r.error, "");
        assert_false(r.wrong);
        assert_int_equal(r.n, n);
        for (uint64_t i = 0; i < n; i++)
            assert_true(element_number(&r.element[i]) == expected[i]);
        reading_free(&r);
    }
}

static void case_42_order_and_endianness(void **state)
{
    (void)state;
    from_base64(
        "k05VTVBZAQBGAHsnZGVzY3InOiAnPGY4JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMyksIH"
        "0gICAgICAgICAgIAoAAAAAAADwPwAAAAAAABBAAAAAAAAAAEAAAAAAAAAUQAAAAAAAAAhAAAAAAAAAGEA=");
    check(6, 21);
    check_order((double[]){1, 2, 3, 4, 5, 6}, 6);
    from_base64(
        "k05VTVBZAQBGAHsnZGVzY3InOiAnPmY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDMsKSwgfS"
        "AgICAgICAgICAgIAo/gAAAQAAAAEBAAAA=");
    check(3, 6);
    check_order((double[]){1, 2, 3}, 3);
}

static void case_43_headers(void **state)
{
    (void)state;
    from_base64("k05VTVBZAgBEAAAAeydkZXNjcic6ICc8ZjQnLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOi"
                "AoMywpLCB9ICAgICAgICAgIAoAAIA/AAAAQAAAgEA=");
    check(3, 7);
    from_base64("k05VTVBZAgA7AAAAeydkZXNjcic6ICc8ZjgnLCAnZm9ydHJhbl9vcmRlcic6IFRydWUsICdzaGFwZSc6IC"
                "gyLCAyKSwgfQoAAAAAAADwPwAAAAAAAABAAAAAAAAACEAAAAAAAAAQQA==");
    check(4, 10);
    check_order((double[]){1, 3, 2, 4}, 4);
    from_base64("k05VTVBZAwBEAAAAeydkZXNjcic6IFsoJ86UJywgJzxmNCcpXSwgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZS"
                "wgJ3NoYXBlJzogKDIsKSwgfQoAAMA/AAAgQA==");
    reader_options o = plain_options();
    o.field = "\xce\x94";
    check_with(&o, 2, 4);
    check(2, 4); /* the only field there is */
    from_base64("k05VTVBZAQBGAHsnZGVzY3InOiAnPGY4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKD"
                "E4NCksIH0gICAgICAgICAgIAoAAAAAAADwPw==");
    refuse("IN: damaged .npy header: the shape is no tuple: expected ',' before ')' at byte 64");
    begin(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", 4096 - 10);
    put_f64(3);
    assert_int_equal(made.n, 4096 + 8);
    check(1, 3);
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': (np.int64(3),), }",
                  "IN: damaged .npy header: expected a whole number of 0 or more at byte 61");
    made.n = 0;
    put("\x93NUMPY\x02\0\xff\xff\xff\xff{'descr'", 20);
    refuse("IN: the .npy header claims 4294967295 bytes; more than 16777216 are refused");
}

static void headers_of_any_length_are_read(void **state)
{
    (void)state;
    for (unsigned version = 1; version <= 3; version++) {
        size_t lengths[] = {58, 117, 118, 255, 256, 65535};
        for (size_t i = 0; i < 6; i++) {
            begin(version, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", lengths[i]);
            put_f64(1);
            put_f64(2);
            check(2, 3);
        }
    }
}

static void dictionaries_are_read_as_python_would(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"shape\":(2,),\"descr\":\"<f8\",\"fortran_order\":False}",
        "  {\n'fortran_order' :\tTrue ,'shape': ( 2L , ) , 'descr' : '<f8' , }  ",
        "{'descr': '\\x3cf8', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': u'<f8', 'fortran_order': False, u'shape': (1,2,1)}",
        "{'descr': '=f8', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '|f8', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': 'f8', 'fortran_order': False, 'shape': (2,)}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        begin(1, texts[i], 0);
        put_f64(1);
        put_f64(2);
        check(2, 3);
    }
}

static void damaged_dictionaries_are_refused(void **state)
{
    (void)state;
#define DAMAGED "IN: damaged .npy header: "
    refuse_header("", DAMAGED "expected '{' at byte 11");
    refuse_header("[]", DAMAGED "expected '{' at byte 10");
    refuse_header("{'descr': '<f8', 'fortran_order': False}",
                  DAMAGED "one of the keys descr, fortran_order, shape is missing at byte 50");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}",
                  DAMAGED "unknown key at byte 66");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'descr': '<f8', 'shape': (1,)}",
                  DAMAGED "a key for the second time at byte 51");
    refuse_header("{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}",
                  DAMAGED "expected ',' or '}' at byte 26");
    refuse_header("{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
                  DAMAGED "expected True or False at byte 44");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
                  DAMAGED "more text than the description at byte 66");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
                  DAMAGED "expected ',' or '}' at byte 65");
    refuse_header("{'descr': '<f8", DAMAGED "unfinished string at byte 24");
    refuse_header("{'descr': '<f8\\q'", DAMAGED "unknown escape at byte 25");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
                  DAMAGED "expected a whole number of 0 or more at byte 61");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551616,)}",
                  DAMAGED "a number of 2^64 or more at byte 80");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1 2)}",
                  DAMAGED "expected ',' or ')' at byte 63");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': [1]}",
                  DAMAGED "the shape is no tuple: expected '(' at byte 60");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                  "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                  "1,1,1,1,1,1,1,1,1,1,1)}",
                  DAMAGED "a shape of more than 64 dimensions at byte 189");
    refuse_header("{'descr': [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', "
                  "'<f8')])])])])])])])])])], 'fortran_order': False, 'shape': (1,)}",
                  DAMAGED "fields within fields, more than 8 deep at byte 83");
#undef DAMAGED
}

static void absurd_shapes_are_refused_before_reading(void **state)
{
    (void)state;
    refuse_header(
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
        "IN: the shape in the .npy header is absurd: more than 2^63 elements or 2^64 bytes");
    refuse_header(
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,)}",
        "IN: the shape in the .npy header is absurd: more than 2^63 elements or 2^64 bytes");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693951,)}",
                  "IN: truncated: expected 18446744073709551608 data bytes, found 8");
    begin(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 0)}", 0);
    check(0, 0);
}

static void case_45_truncated_and_trailing(void **state)
{
    (void)state;
    begin(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (128,), }", 0);
    for (int i = 0; i < 64; i++)
        put_f64(1);
    reader_options o = plain_options();
    for (int way = 0; way < ROUTES; way++) {
        reading r;
        read_made(&r, (route)way, &o);
        assert_string_equal(r.error, "IN: truncated: expected 1024 data bytes, found 512");
        reading_free(&r);
    }
    for (int way = 0; way < ROUTES; way++) {
        begin(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", 0);
        put_f64(1);
        put_f64(2);
        put("abc", 3);
        reading r;
        read_made(&r, (route)way, &o);
        assert_string_equal(r.error, "");
        assert_int_equal(r.n_warnings, 1);
        assert_string_equal(r.warning, way == ROUTE_PIPE
                                           ? "IN: bytes after the array are not read"
                                           : "IN: 3 bytes after the array are not read");
        assert_true(reading_sum(&r) == 3);
        reading_free(&r);
    }
    made.n = 0;
    refuse("IN: is empty; expected a .npy file");
    put("\x93NUMPY", 6);
    refuse("IN: truncated .npy file: expected 10 bytes, found 6");
    put("\1\0\x40\0{'descr'", 12);
    refuse("IN: truncated .npy header: expected 74 bytes, found 18");
    made.n = 0;
    put("\x93NUMPY\2\0\x40\0", 10);
    refuse("IN: truncated .npy file: expected 12 bytes, found 10");
    made.n = 0;
    put("1 2 3\n", 6);
    refuse("IN: is no .npy file: it does not begin with \\x93NUMPY");
    made.n = 0;
    put("\x93NUMPY\4\0\x40\0", 10);
    refuse("IN: .npy version 4.0 is not known; expected 1.0, 2.0 or 3.0");
}

static void a_file_called_npy_is_never_text(void **state)
{
    (void)state;
    made.n = 0;
    reader_options o = plain_options();
    reading r;
    read_made(&r, ROUTE_FILE, &o);
    assert_string_equal(r.error, "IN: is empty; expected a .npy file");
    reading_free(&r);
}

static void case_46_scalars_and_unsupported_types(void **state)
{
    (void)state;
    from_base64("k05VTVBZAQBGAHsnZGVzY3InOiAnPGY4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKC"
                "ksIH0gICAgICAgICAgICAgIAoAAAAAAAAUQA==");
    check(1, 5);
    check_order((double[]){5}, 1);
#define SHAPE     ", 'fortran_order': False, 'shape': (1,), }"
#define SUPPORTED "; supported are f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8 and b1"
    refuse_header(
        "{'descr': '|O'" SHAPE,
        "IN: unsupported type '|O' (Python objects, which only Python can load)" SUPPORTED);
    /* numpy pickles an array if any field of it is an object: there are no records to read */
    refuse_header("{'descr': [('a', '<f8'), ('o', 'O')]" SHAPE,
                  "IN: unsupported type 'O' (Python objects, which only Python can load)");
    refuse_header("{'descr': [('a', '<f8'), ('n', [('o', '|O')])]" SHAPE,
                  "IN: unsupported type '|O' (Python objects, which only Python can load)");
    refuse_header("{'descr': '<c8'" SHAPE,
                  "IN: unsupported type '<c8' (complex numbers)" SUPPORTED);
    refuse_header("{'descr': '<U4'" SHAPE, "IN: unsupported type '<U4' (strings)" SUPPORTED);
    refuse_header("{'descr': '|S5'" SHAPE, "IN: unsupported type '|S5' (strings)" SUPPORTED);
    refuse_header("{'descr': '<M8[ns]'" SHAPE, "IN: unsupported type '<M8[ns]' (dates)" SUPPORTED);
    refuse_header("{'descr': '<m8[ns]'" SHAPE,
                  "IN: unsupported type '<m8[ns]' (time spans)" SUPPORTED);
    refuse_header("{'descr': '|V8'" SHAPE,
                  "IN: unsupported type '|V8' (bytes of no type)" SUPPORTED);
    refuse_header("{'descr': '<f16'" SHAPE,
                  "IN: unsupported type '<f16' (no type of ours)" SUPPORTED);
    refuse_header("{'descr': '<x4'" SHAPE, "IN: unsupported type '<x4' in the .npy header");
    refuse_header("{'descr': ''" SHAPE, "IN: unsupported type '' in the .npy header");
    refuse_header("{'descr': '<f8x'" SHAPE, "IN: unsupported type '<f8x' in the .npy header");
    refuse_header("{'descr': '<f'" SHAPE, "IN: unsupported type '<f' in the .npy header");
    refuse_header("{'descr': '<f99999999999999999999'" SHAPE,
                  "IN: unsupported type '<f9999999999...' in the .npy header");
    refuse_header("{'descr': ('<f8', (2,))" SHAPE,
                  "IN: damaged .npy header: expected a string at byte 20");
#undef SUPPORTED
}

static void every_type_is_read_in_both_orders(void **state)
{
    (void)state;
    static const struct {
        const char *descr;
        tally_type type;
    } types[] = {
        {"f2", TALLY_TYPE_F16}, {"f4", TALLY_TYPE_F32}, {"f8", TALLY_TYPE_F64},
        {"i1", TALLY_TYPE_I8},  {"i2", TALLY_TYPE_I16}, {"i4", TALLY_TYPE_I32},
        {"i8", TALLY_TYPE_I64}, {"u1", TALLY_TYPE_U8},  {"u2", TALLY_TYPE_U16},
        {"u4", TALLY_TYPE_U32}, {"u8", TALLY_TYPE_U64}, {"b1", TALLY_TYPE_BOOL},
    };
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (int big = 0; big < 2; big++) {
            char text[100];
            snprintf(text, sizeof text, "{'descr': '%c%s'" SHAPE, big ? '>' : '<', types[t].descr);
            begin(1, text, 0);
            size_t size = tally_type_size(types[t].type);
            uint64_t bits = 0;
            for (size_t i = 0; i < size; i++) {
                unsigned char byte = (unsigned char)(0x11 * (i + 1));
                put(&byte, 1);
                bits |= (uint64_t)byte << 8 * (big ? size - 1 - i : i);
            }
            reader_options o = plain_options();
            reading r;
            read_made(&r, ROUTE_FILE, &o);
            assert_string_equal(r.error, "");
            assert_int_equal(r.n, 1);
            assert_int_equal(r.element[0].type, types[t].type);
            uint64_t mask = size == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
            assert_true((r.element[0].as.u64 & mask) == bits);
            reading_free(&r);
        }
    }
}

static void a_dtype_re_reads_items_of_its_own_size(void **state)
{
    (void)state;
    static const char *const descrs[] = {"<V2", "|V2", "<u2", "<i2", "<f2"};
    reader_options o = plain_options();
    for (size_t i = 0; i < 5; i++) {
        char text[100];
        snprintf(text, sizeof text, "{'descr': '%s'" SHAPE, descrs[i]);
        begin(1, text, 0);
        put("\x80\x3f", 2);
        o.dtype = TALLY_TYPE_BF16;
        reading r;
        read_made(&r, ROUTE_FILE, &o);
        assert_string_equal(r.error, "");
        assert_int_equal(r.element[0].type, TALLY_TYPE_BF16);
        assert_int_equal(r.element[0].as.u64, 0x3f80);
        reading_free(&r);
        o.dtype = TALLY_TYPE_F32;
        snprintf(
            text, sizeof text,
            "IN: dtype f32 has 4 bytes, the items ('%s') have 2: a dtype re-reads items of its "
            "own size only",
            descrs[i]);
        refuse_with(&o, text);
    }
    begin(1, "{'descr': '|V2'" SHAPE, 0);
    put("\x3f\x80", 2);
    refuse("IN: unsupported type '|V2' (bytes of no type); if these are bfloat16 numbers, give the "
           "dtype bf16");
    o.dtype = TALLY_TYPE_BF16;
    o.order = READER_ORDER_BIG;
    reading r;
    read_made(&r, ROUTE_FILE, &o);
    assert_int_equal(r.element[0].as.u64, 0x3f80);
    reading_free(&r);
    begin(1, "{'descr': '>u2'" SHAPE, 0); /* the file's own order holds for the dtype */
    put("\x3f\x80", 2);
    o.order = READER_ORDER_DEFAULT;
    read_made(&r, ROUTE_FILE, &o);
    assert_int_equal(r.element[0].as.u64, 0x3f80);
    reading_free(&r);
    begin(1, "{'descr': '|O'" SHAPE, 0);
    put_f64(0);
    o.dtype = TALLY_TYPE_U64;
    refuse_with(&o, "IN: unsupported type '|O' (Python objects, which only Python can load); "
                    "supported are f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8 and b1");
#undef SHAPE
}

#define STRUCTURED                                                                                 \
    "{'descr': [('a', '|u1'), ('', '|V2'), (('title', 'b'), '>f4'), ('s', '|S3'), "                \
    "('v', '<f4', (2,)), ('n', [('x', '<i2')]), ('c', '<i8')], 'fortran_order': False, "           \
    "'shape': (2,), }"

static void put_records(void)
{
    begin(1, STRUCTURED, 0);
    put("\7\0\0\x3f\x80\0\0xyz\1\1\1\1\2\2\2\2\3\3\x05\0\0\0\0\0\0\0", 28);
    put("\x08\0\0\x40\0\0\0xyz\1\1\1\1\2\2\2\2\3\3\xff\xff\xff\xff\xff\xff\xff\xff", 28);
}

static void one_field_of_records_is_read(void **state)
{
    (void)state;
    reader_options o = plain_options();
    put_records();
    o.field = "a";
    check_with(&o, 2, 15);
    o.field = "b";
    check_with(&o, 2, 3);
    o.field = "c";
    check_with(&o, 2, 4);
    o.dtype = TALLY_TYPE_U32;
    o.field = "b";
    check_with(&o, 2, 0x3f800000 + 0x40000000);
}

static void fields_that_cannot_be_read_are_refused(void **state)
{
    (void)state;
#define THERE_ARE "a (|u1), b (>f4), s (|S3), v (<f4 array), n (fields), c (<i8)"
    reader_options o = plain_options();
    put_records();
    refuse_with(&o, "IN: the items have several fields; choose one of: " THERE_ARE);
    o.field = "z\n";
    refuse_with(&o, "IN: there is no field 'z\\n'; there are: " THERE_ARE);
    o.field = "";
    refuse_with(&o, "IN: there is no field ''; there are: " THERE_ARE);
    o.field = "v";
    refuse_with(&o, "IN: unsupported: the field is not one number an item; there are: " THERE_ARE);
    o.field = "n";
    refuse_with(&o, "IN: unsupported: the field is not one number an item; there are: " THERE_ARE);
    o.field = "s";
    refuse_with(&o, "IN: unsupported type '|S3' (strings); supported are f2 f4 f8, i1 i2 i4 i8, "
                    "u1 u2 u4 u8 and b1");
    begin(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", 0);
    put_f64(1);
    refuse_with(&o, "IN: a field was chosen, but the items are plain '<f8'");
    begin(1, "{'descr': [], 'fortran_order': False, 'shape': (1,), }", 0);
    o.field = NULL;
    refuse_with(&o, "IN: the items have no fields");
    begin(1, "{'descr': [('a', '<f8'), ('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", 0);
    o.field = "a";
    refuse_with(&o, "IN: there are 2 fields 'a'");
    begin(1,
          "{'descr': [('a', '<f8', (4294967296, 4294967296))], 'fortran_order': False, 'shape': "
          "(1,), }",
          0);
    refuse_with(&o, "IN: unsupported: items of more than 16777216 bytes");
    begin(1,
          "{'descr': [('a', '<f8'), ('b', '|V16777209')], 'fortran_order': False, 'shape': "
          "(1,), }",
          0);
    refuse_with(&o, "IN: unsupported: items of more than 16777216 bytes");
}

static void names_are_latin_1_up_to_version_2_and_utf_8_in_3(void **state)
{
    (void)state;
    reader_options o = plain_options();
    o.field = "\xc3\xa9";
    begin(1, "{'descr': [('\xe9', '<f8'), ('e', '<f8')], 'fortran_order': False, 'shape': (1,)}",
          0);
    put_f64(1);
    put_f64(2);
    check_with(&o, 1, 1);
    begin(3,
          "{'descr': [('\xc3\xa9', '<f8'), ('e', '<f8')], 'fortran_order': False, 'shape': (1,)}",
          0);
    put_f64(1);
    put_f64(2);
    check_with(&o, 1, 1);
    begin(1, "{'descr': [('\\u00e9', '<f8'), ('e', '<f8')], 'fortran_order': False, 'shape': (1,)}",
          0);
    put_f64(1);
    put_f64(2);
    check_with(&o, 1, 1);
}

static void a_long_list_of_fields_is_clipped(void **state)
{
    (void)state;
    char text[20000] = "{'descr': [";
    for (int i = 0; i < 500; i++)
        sprintf(text + strlen(text), "('field%d', '<f8'), ", i);
    strcat(text, "], 'fortran_order': False, 'shape': (1,)}");
    begin(1, text, 0);
    for (int i = 0; i < 500; i++)
        put_f64(i);
    reader_options o = plain_options();
    reading r;
    read_made(&r, ROUTE_FILE, &o);
    assert_non_null(strstr(r.error, "choose one of: field0 (<f8), field1 (<f8), "));
    assert_string_equal(r.error + strlen(r.error) - 5, ", ...");
    reading_free(&r);
    o.field = "field499";
    check_with(&o, 1, 499);
}

/* Every element's value is its C-order index; they are written in Fortran order. */
static void put_fortran(const unsigned *shape, unsigned ndim)
{
    char text[200] = "{'descr': '<u4', 'fortran_order': True, 'shape': (";
    uint32_t n = 1;
    for (unsigned i = 0; i < ndim; i++) {
        sprintf(text + strlen(text), "%u,", shape[i]);
        n *= shape[i];
    }
    strcat(text, ")}");
    begin(1, text, 0);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t left = k, index = 0, at[8];
        for (unsigned i = 0; i < ndim; left /= shape[i], i++)
            at[i] = left % shape[i];
        for (unsigned i = 0; i < ndim; i++)
            index = index * shape[i] + at[i];
        put(&index, 4);
    }
}

static void fortran_order_gives_c_order_indices(void **state)
{
    (void)state;
    static const unsigned shapes[][4] = {
        {7, 1, 1, 1},  {2, 3, 1, 1},    {3, 2, 5, 1},   {1, 4, 1, 3},    {2, 3, 4, 5},
        {64, 3, 2, 1}, {65, 2, 2, 1},   {63, 40, 1, 1}, {3, 4000, 1, 1}, {2, 1, 1000, 3},
        {1, 1, 1, 1},  {4000, 3, 1, 1}, {5, 7, 11, 13},
    };
    reader_options o = plain_options();
    o.indexed = true;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        put_fortran(shapes[s], 4);
        uint64_t n = 1;
        for (int i = 0; i < 4; i++)
            n *= shapes[s][i];
        for (int way = 0; way < ROUTES; way++) {
            reading r;
            read_made(&r, (route)way, &o);
            assert_string_equal(r.error, "");
            assert_false(r.wrong);
            assert_int_equal(r.n, n);
            for (uint64_t i = 0; i < n; i++)
                assert_int_equal(r.element[i].as.u64, i);
            reading_free(&r);
        }
    }
}

static void a_short_first_axis_does_not_make_short_pieces(void **state)
{
    (void)state;
    put_fortran((const unsigned[]){3, 4000}, 2);
    reader_options o = plain_options();
    o.indexed = true;
    reading r;
    read_made(&r, ROUTE_FILE, &o);
    assert_int_equal(r.n, 12000);
    assert_int_equal(r.n_pieces, 3);
    reading_free(&r);
    o.indexed = false;
    read_made(&r, ROUTE_FILE, &o);
    assert_int_equal(r.n_pieces, 1);
    reading_free(&r);
}

static void zero_size_shapes_have_no_elements(void **state)
{
    (void)state;
    static const char *const shapes[] = {"(0,)", "(0, 4)", "(4, 0)", "(2, 0, 3)"};
    reader_options o = plain_options();
    o.indexed = true;
    for (size_t i = 0; i < 4; i++)
        for (int fortran = 0; fortran < 2; fortran++) {
            char text[100];
            snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': %s, 'shape': %s, }",
                     fortran ? "True" : "False", shapes[i]);
            begin(1, text, 0);
            check(0, 0);
            check_with(&o, 0, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_42_order_and_endianness),
        cmocka_unit_test(case_43_headers),
        cmocka_unit_test(case_45_truncated_and_trailing),
        cmocka_unit_test(case_46_scalars_and_unsupported_types),
        cmocka_unit_test(headers_of_any_length_are_read),
        cmocka_unit_test(dictionaries_are_read_as_python_would),
        cmocka_unit_test(damaged_dictionaries_are_refused),
        cmocka_unit_test(absurd_shapes_are_refused_before_reading),
        cmocka_unit_test(a_file_called_npy_is_never_text),
        cmocka_unit_test(every_type_is_read_in_both_orders),
        cmocka_unit_test(a_dtype_re_reads_items_of_its_own_size),
        cmocka_unit_test(one_field_of_records_is_read),
        cmocka_unit_test(fields_that_cannot_be_read_are_refused),
        cmocka_unit_test(names_are_latin_1_up_to_version_2_and_utf_8_in_3),
        cmocka_unit_test(a_long_list_of_fields_is_clipped),
        cmocka_unit_test(fortran_order_gives_c_order_indices),
        cmocka_unit_test(a_short_first_axis_does_not_make_short_pieces),
        cmocka_unit_test(zero_size_shapes_have_no_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
