/*
 * test_number_print.c - values as text: the layout by examples, and that the digits are the
 * shortest and closest by a search that shares nothing with src/.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "expect.h"
#include "io/number.h"
#include "text_oracle.h"

enum { SEED = 2 };

static tally_value value_of(const format *f, uint64_t bits)
{
    tally_value v = {.type = f->type};
    switch (f->type) {
    case TALLY_TYPE_F64: v.as.f64 = f64_bits(bits); break;
    case TALLY_TYPE_F32: v.as.f32 = f32_bits((uint32_t)bits); break;
    case TALLY_TYPE_F16: v.as.f16 = (uint16_t)bits; break;
    default: v.as.bf16 = (uint16_t)bits; break;
    }
    return v;
}

static void expect_text(const tally_value *v, const char *right)
{
    char text[NUMBER_TEXT_BYTES];
    size_t length = number_print(v, text);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, right);
}

static void doubles_are_laid_out_as_ecmascript_does(void **state)
{
    (void)state;
    static const struct {
        uint64_t bits;
        const char *text;
    } row[] = {
        {0, "0"},
        {0x8000000000000000, "-0"},
        {0x7ff0000000000000, "inf"},
        {0xfff0000000000000, "-inf"},
        {0x7ff8000000000000, "nan"},
        {0xfff8000000000001, "nan"},
        {0x403619999999999a, "22.1"},
        {0x2b2bff2ee48e0530, "1e-100"},
        {0x444b1ae4d6e2ef50, "1e+21"},
        {0x441ac53a7e04bcda, "123456789012345680000"},
        {0x3e7ad7f29abcaf48, "1e-7"},
        {0x3eb0c6f7a0b5ed8d, "0.000001"},
        {0xbeb0c6f7a0b5ed8d, "-0.000001"},
        {1, "5e-324"},
        {0x7fefffffffffffff, "1.7976931348623157e+308"},
        {0x0010000000000000, "2.2250738585072014e-308"},
        {0x000fffffffffffff, "2.225073858507201e-308"},
        {0x4340000000000000, "9007199254740992"},
        {0x433fffffffffffff, "9007199254740991"},
        {0x3d30000000000000, "5.684341886080802e-14"}, /* 2^-44: the gap below is half */
        {0x44b52d02c7e14af6, "1e+23"},
        {0x3fd3333333333334, "0.30000000000000004"},
        {0x4415af1d78b58c40, "100000000000000000000"},
        {0x40fe240000000000, "123456"},
    };
    for (size_t i = 0; i < COUNT(row); i++) {
        tally_value v = value_of(&format_f64, row[i].bits);
        expect_text(&v, row[i].text);
    }
}

static void small_floats_are_shortest_for_their_own_type(void **state)
{
    (void)state;
    static const struct {
        const format *f;
        uint64_t bits;
        const char *text;
    } row[] = {
        {&format_f32, 0x3dcccccd, "0.1"},
        {&format_f32, 0x4d800000, "268435456"}, /* 2^28: whole numbers in full */
        {&format_f32, 1, "1e-45"},
        {&format_f32, 0x7f7fffff, "3.4028235e+38"},
        {&format_f16, 0x7bff, "65504"},
        {&format_f16, 1, "6e-8"},
        {&format_f16, 0x2e66, "0.1"},
        {&format_bf16, 0x3dcd, "0.1"},
        {&format_bf16, 1, "9e-41"}, /* closer than 1e-40, which has one digit too */
        {&format_bf16, 0x4789, "70144"},
        {&format_bf16, 0xff80, "-inf"},
        {&format_f16, 0xfe01, "nan"},
        {&format_f16, 0x8000, "-0"},
    };
    for (size_t i = 0; i < COUNT(row); i++) {
        tally_value v = value_of(row[i].f, row[i].bits);
        expect_text(&v, row[i].text);
    }
}

static void integers_are_written_in_full(void **state)
{
    (void)state;
    tally_value v = {.type = TALLY_TYPE_I64, .as.i64 = INT64_MIN};
    expect_text(&v, "-9223372036854775808");
    v = (tally_value){.type = TALLY_TYPE_U64, .as.u64 = UINT64_MAX};
    expect_text(&v, "18446744073709551615");
    v = (tally_value){.type = TALLY_TYPE_I8, .as.i64 = -1};
    expect_text(&v, "-1");
    v = (tally_value){.type = TALLY_TYPE_BOOL, .as.u64 = 1};
    expect_text(&v, "1");
    v = (tally_value){.type = TALLY_TYPE_U8, .as.u64 = 0};
    expect_text(&v, "0");
}

static void expect_round_trip(const format *f, uint64_t bits)
{
    tally_value v = value_of(f, bits);
    char text[NUMBER_TEXT_BYTES];
    size_t length = number_print(&v, text);
    assert_in_range(length, 1, NUMBER_TEXT_BYTES - 1);
    uint64_t magnitude = bits & (f->minus - 1);
    uint64_t right = magnitude > f->inf ? f->nan : bits;
    uint64_t back = number_round(text, length, f->type);
    if (back != right) {
        fail_msg("%s %llx prints as %s, which is %llx", f->name, (unsigned long long)bits, text,
                 (unsigned long long)back);
    }
}

static void what_is_printed_reads_back_to_the_same_bits(void **state)
{
    (void)state;
    random_state r = {SEED};
    for (uint64_t bits = 0; bits < 65536; bits++) {
        expect_round_trip(&format_f16, bits);
        expect_round_trip(&format_bf16, bits);
    }
    for (int i = 0; i < 1000000; i++) {
        expect_round_trip(&format_f64, random_bits(&r));
        expect_round_trip(&format_f32, random_bits(&r) >> 32);
    }
    for (uint64_t exponent = 0; exponent < 2047; exponent++) {
        for (uint64_t m = 0; m < 3; m++) {
            expect_round_trip(&format_f64, (exponent << 52) + m - 1);
        }
    }
}

/* Digits without zeros at either end, and the exponent of the first: "0.05" is "5" and -2. */
typedef struct plain {
    char digits[40];
    long exponent;
} plain;

static plain plain_of(const char *text)
{
    plain x = {"", -1};
    size_t n = 0;
    bool point = false;
    for (; *text && *text != 'e'; text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        if (n > 0 || *text != '0') {
            x.digits[n++] = *text;
            x.exponent += !point;
        } else if (point) {
            x.exponent--;
        }
    }
    while (n > 0 && x.digits[n - 1] == '0') {
        n--;
    }
    x.digits[n] = '\0';
    if (*text == 'e') {
        x.exponent += strtol(text + 1, NULL, 10);
    }
    return x;
}

/* The n digits of v rounded in a direction; whether they read back to bits; their distance to v. */
static bool candidate(const mpfr_t v, size_t n, mpfr_rnd_t direction, const format *f,
                      uint64_t bits, plain *x, mpfr_t distance)
{
    mpfr_exp_t exponent;
    char text[80];
    mpfr_get_str(x->digits, &exponent, 10, n, v, direction);
    x->exponent = exponent - 1;
    snprintf(text, sizeof text, "%c.%se%ld", x->digits[0], x->digits + 1, x->exponent);
    const text_format t = {f->precision, f->min_unit, f->max_unit + f->precision};
    mpfr_set_str(distance, text, 10, MPFR_RNDN);
    mpfr_sub(distance, distance, v, MPFR_RNDN);
    mpfr_abs(distance, distance, MPFR_RNDN);
    return text_oracle_bits(text, &t) == bits;
}

/* bits: positive, finite, not 0 */
static void expect_shortest(const format *f, uint64_t bits)
{
    char text[NUMBER_TEXT_BYTES], right[NUMBER_TEXT_BYTES];
    tally_value printed = value_of(f, bits);
    number_print(&printed, text);
    double x = format_decode(f, bits);
    if (x < 9007199254740992.0 && x == (double)(uint64_t)x) {
        snprintf(right, sizeof right, "%.0f", x);
        assert_string_equal(text, right);
        return;
    }
    mpfr_t v, down_error, up_error;
    mpfr_init2(v, 53);
    mpfr_inits2(400, down_error, up_error, (mpfr_ptr)0);
    mpfr_set_d(v, x, MPFR_RNDN);
    plain down, up, mine = plain_of(text);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        bool lower = candidate(v, n, MPFR_RNDD, f, bits, &down, down_error);
        bool upper = candidate(v, n, MPFR_RNDU, f, bits, &up, up_error);
        done = lower || upper;
        if (done && lower && upper) {
            int order = mpfr_cmp(down_error, up_error);
            lower = order < 0 || (order == 0 && (down.digits[n - 1] - '0') % 2 == 0);
        }
        const plain *best = lower ? &down : &up;
        snprintf(right, sizeof right, "%.*s", (int)n, best->digits);
        for (size_t last = n; last > 1 && right[last - 1] == '0'; last--) {
            right[last - 1] = '\0';
        }
        if (done && (strcmp(mine.digits, right) != 0 || mine.exponent != best->exponent)) {
            fail_msg("%s %llx prints as %s, not %se%ld", f->name, (unsigned long long)bits, text,
                     right, best->exponent - (long)strlen(right) + 1);
        }
    }
    mpfr_clears(v, down_error, up_error, (mpfr_ptr)0);
}

static void no_shorter_and_no_closer_digits_read_back(void **state)
{
    (void)state;
    random_state r = {SEED + 1};
    for (uint64_t bits = 1; bits < format_f16.inf; bits++) {
        expect_shortest(&format_f16, bits);
    }
    for (uint64_t bits = 1; bits < format_bf16.inf; bits++) {
        expect_shortest(&format_bf16, bits);
    }
    for (int i = 0; i < 3000; i++) {
        expect_shortest(&format_f64, 1 + random_below(&r, format_f64.inf - 1));
        expect_shortest(&format_f32, 1 + random_below(&r, format_f32.inf - 1));
        expect_shortest(&format_f64, 1 + random_below(&r, 4096)); /* short subnormals */
        expect_shortest(&format_f32, 1 + random_below(&r, 4096));
    }
    for (uint64_t exponent = 1; exponent < 2047; exponent++) {
        expect_shortest(&format_f64, exponent << 52); /* where the gap below is half */
        if (exponent < 255) {
            expect_shortest(&format_f32, exponent << 23);
        }
    }
}

int main(void)
{
    print_message("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_are_laid_out_as_ecmascript_does),
        cmocka_unit_test(small_floats_are_shortest_for_their_own_type),
        cmocka_unit_test(integers_are_written_in_full),
        cmocka_unit_test(what_is_printed_reads_back_to_the_same_bits),
        cmocka_unit_test(no_shorter_and_no_closer_digits_read_back),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    return failures;
}
