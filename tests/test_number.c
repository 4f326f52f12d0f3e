/* test_number.c - the grammar of numbers, their kinds, and texts that other parsers got wrong. */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "io/bigint.h"
#include "io/number.h"
#include "io/powers.h"

static number parse(const char *text)
{
    /* A block of its own without a NUL: reading past the end is seen by ASan. */
    size_t length = strlen(text);
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    char *exact = length > 0 ? realloc(copy, length) : copy;
    assert_non_null(exact);
    memcpy(exact, text, length);
    number n;
    memset(&n, 0x5a, sizeof n);
    number_kind kind = number_parse(exact, length, &n);
    assert_int_equal(kind, n.kind);
    free(exact);
    return n;
}

static void expect_real(const char *text, uint64_t bits)
{
    number n = parse(text);
    if (n.kind != NUMBER_REAL || bits_f64(n.as.f64) != bits) {
        fail_msg("'%.60s': kind %d, bits %016llx, not %016llx", text, (int)n.kind,
                 (unsigned long long)bits_f64(n.as.f64), (unsigned long long)bits);
    }
}

static void expect_double(const char *text, double value)
{
    expect_real(text, bits_f64(value));
}

static void expect_signed(const char *text, int64_t value)
{
    number n = parse(text);
    assert_int_equal(n.kind, NUMBER_SIGNED);
    assert_true(n.as.i64 == value);
}

static void only_whole_numbers_match(void **state)
{
    (void)state;
    const char *bad[] = {
        "",     "+",        "-",      ".",     "+.",      "-.e1",      "e5",    ".e5", "1e",
        "1e+",  "1e-",      "1.5e",   "1e1.5", "1e5 ",    " 1",        "1 ",    "1\n", "2x",
        "--1",  "+-1",      "0x10",   "1_000", "1,5",     "1.2.3",     "1e5e5", "NA",  "N",
        "na",   "nann",     "nan(1)", "infi",  "infinit", "infinityy", "in",    "- 1", "1f",
        "1.0d", "\xd9\xa1", "1e\xb5", "1..",   "..1",     "1-",        "1+1",   "\xb1"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        if (parse(bad[i]).kind != NUMBER_BAD) {
            fail_msg("'%s' was taken for a number", bad[i]);
        }
    }
    number n;
    assert_int_equal(number_parse("1\0", 2, &n), NUMBER_BAD);
    assert_int_equal(number_parse("1\0002", 3, &n), NUMBER_BAD);
}

static void every_form_of_the_grammar_is_read(void **state)
{
    (void)state;
    expect_double("1.", 1.0);
    expect_double(".5", 0.5);
    expect_double("+.5e+1", 5.0);
    expect_double("-1.E-1", -0.1);
    expect_double("00001.50000", 1.5);
    expect_double("1e0000000000000000000000002", 100.0);
    expect_signed("+7", 7);
    const char *infinities[] = {"inf", "INF", "+Infinity", "iNfInItY"};
    for (size_t i = 0; i < COUNT(infinities); i++) {
        expect_real(infinities[i], 0x7ff0000000000000);
        assert_false(parse(infinities[i]).overflowed);
    }
    expect_real("-INF", 0xfff0000000000000);
    expect_real("NAN", 0x7ff8000000000000);
    expect_real("+nan", 0x7ff8000000000000);
    expect_real("-Nan", 0x7ff8000000000000);
}

static void case_50_fortran_exponents_are_no_numbers(void **state)
{
    (void)state;
    const char *bad[] = {"1.0D+02", "2.5D-01", "-0.38136473436721D+03", "9d9", "5.687138413593-304",
                         "1.0Q+02", "1.0d+02"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(parse(bad[i]).kind, NUMBER_BAD);
    }
}

/* A text of n copies of a character between two others; free() it. */
static char *repeat(const char *before, char c, size_t n, const char *after)
{
    size_t head = strlen(before), tail = strlen(after);
    char *text = malloc(head + n + tail + 1);
    assert_non_null(text);
    memcpy(text, before, head);
    memset(text + head, c, n);
    memcpy(text + head + n, after, tail + 1);
    return text;
}

static void expect_repeat(const char *before, char c, size_t n, const char *after, double value)
{
    char *text = repeat(before, c, n, after);
    expect_double(text, value);
    free(text);
}

static void case_51_a_hundred_thousand_digits_are_one_number(void **state)
{
    (void)state;
    char *nines = repeat("", '9', 100000, "");
    assert_int_equal(parse(nines).kind, NUMBER_WIDE);
    assert_true(number_round(nines, 100000, TALLY_TYPE_F64) == 0x7ff0000000000000);
    free(nines);
    char *real = repeat("", '9', 100000, ".0");
    number n = parse(real);
    assert_int_equal(n.kind, NUMBER_REAL);
    assert_true(n.overflowed);
    assert_true(bits_f64(n.as.f64) == 0x7ff0000000000000);
    free(real);
    expect_repeat("0.", '9', 1000000, "", 1.0);
    expect_repeat("", '7', 1000000, "e-1000000", 0.7777777777777778);
    expect_repeat("9007199254740993.", '0', 1000000, "1", 9007199254740994.0);
    expect_repeat("9007199254740993.", '0', 1000000, "0", 9007199254740992.0);
}

static void case_54_text_becomes_the_nearest_double(void **state)
{
    (void)state;
    expect_real("-15.361", 0xc02eb8d4fdf3b646);
    expect_real("-15.361000", 0xc02eb8d4fdf3b646);
    expect_double("0.00000000000001953", 1.953e-14);
    expect_double("2.47069882726808e+20", 247069882726808000000.0);
    expect_signed("5740144768405286912", 5740144768405286912);
    expect_double("1.46761e-313", 0x0.00006ea8a9f6ap-1022);
    expect_signed("20030101", 20030101);
    expect_double("9007199254740993.0000000000000000000000000001", 9007199254740994.0);
    expect_repeat("0.", '0', 400, "1e400", 0.1);
    expect_repeat("0.", '0', 400, "1e401", 1.0);
    expect_repeat("1", '0', 400, "e-400", 1.0);
}

static void case_55_integers_keep_every_digit(void **state)
{
    (void)state;
    expect_signed("9007199254740993", 9007199254740993);
    expect_signed("31825440599", 31825440599);
    expect_signed("007", 7);
    expect_signed("9223372036854775807", INT64_MAX);
    expect_signed("-9223372036854775808", INT64_MIN);
    expect_signed("+0", 0);
    char *zeros = repeat("-", '0', 400, "12");
    expect_signed(zeros, -12);
    free(zeros);
    const char *only_u64[] = {"9223372036854775808", "18446744073709551615",
                              "0000000018446744073709551615"};
    const uint64_t u64[] = {(uint64_t)INT64_MAX + 1, UINT64_MAX, UINT64_MAX};
    for (size_t i = 0; i < COUNT(u64); i++) {
        number n = parse(only_u64[i]);
        assert_int_equal(n.kind, NUMBER_UNSIGNED);
        assert_true(n.as.u64 == u64[i]);
    }
    const char *wide[] = {"18446744073709551616",  "-9223372036854775809",
                          "-18446744073709551615", "99999999999999999999",
                          "100000000000000000000", "340282366920938463463374607431768211456"};
    for (size_t i = 0; i < COUNT(wide); i++) {
        assert_int_equal(parse(wide[i]).kind, NUMBER_WIDE);
    }
}

static void minus_zero_keeps_its_sign(void **state)
{
    (void)state;
    const char *texts[] = {"-0.0", "-.0", "-0e5", "-0e999999999999", "-1e-400"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        expect_real(texts[i], 0x8000000000000000);
    }
    char *zeros = repeat("-", '0', 40, "");
    const char *integers[] = {"-0", "-000", zeros};
    for (size_t i = 0; i < COUNT(integers); i++) {
        assert_int_equal(parse(integers[i]).kind, NUMBER_SIGNED);
        assert_int_equal(parse(integers[i]).as.i64, 0);
        assert_true(parse(integers[i]).minus_zero);
    }
    free(zeros);
    assert_false(parse("0").minus_zero);
    assert_false(parse("+0").minus_zero);
    assert_false(parse("-1").minus_zero);
}

static void numbers_too_small_for_f64_are_told_from_zero(void **state)
{
    (void)state;
    assert_true(parse("1e-400").underflowed);
    assert_true(parse("-2.4703282292062327e-324").underflowed);
    assert_false(parse("2.4703282292062328e-324").underflowed);
    assert_false(parse("0e-400").underflowed);
    assert_false(parse("0.000").underflowed);
}

static void huge_exponents_end_at_zero_or_infinity(void **state)
{
    (void)state;
    expect_double("0e999999999999", 0.0);
    expect_double("0.000e99999999999999999999999999", 0.0);
    expect_double("1e-999999999999999999999", 0.0);
    expect_double("1e-9223372036854775808", 0.0);
    const char *large[] = {
        "1e999999999999999999999", "1e9223372036854775807",       "1e310", "1e309",
        "1.7976931348623159e308",  "0.00001e18446744073709551617"};
    for (size_t i = 0; i < COUNT(large); i++) {
        expect_real(large[i], 0x7ff0000000000000);
        assert_true(parse(large[i]).overflowed);
    }
    assert_false(parse("1.7976931348623158e308").overflowed);
    expect_real("1.7976931348623158e308", 0x7fefffffffffffff);
    expect_real("5e-324", 1);
    expect_real("2.4703282292062328e-324", 1);
    expect_real("2.4703282292062327e-324", 0);
}

static void small_types_are_rounded_once(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tally_type type;
        uint64_t bits;
    } row[] = {
        {"65519", TALLY_TYPE_F16, 0x7bff},
        {"65520", TALLY_TYPE_F16, 0x7c00},
        {"-65520", TALLY_TYPE_F16, 0xfc00},
        /* halfway between 1 and its f16 neighbour, and a little: by way of f64 it rounds to 1 */
        {"1.00048828125000000000000001", TALLY_TYPE_F16, 0x3c01},
        {"1.00048828125", TALLY_TYPE_F16, 0x3c00},
        {"16777217.00000000000000000000001", TALLY_TYPE_F32, 0x4b800001},
        {"16777217", TALLY_TYPE_F32, 0x4b800000},
        {"257.00000000000000000000000001", TALLY_TYPE_BF16, 0x4381},
        {"257", TALLY_TYPE_BF16, 0x4380},
        {"-nan", TALLY_TYPE_F16, 0x7e00},
        {"nan", TALLY_TYPE_BF16, 0x7fc0},
        {"-inf", TALLY_TYPE_F32, 0xff800000},
        {"-0", TALLY_TYPE_F32, 0x80000000},
        {"3e-8", TALLY_TYPE_F16, 1},
        {"2.98023223876953125e-8", TALLY_TYPE_F16, 0},
        {"2.98023223876953125000000001e-8", TALLY_TYPE_F16, 1},
    };
    for (size_t i = 0; i < COUNT(row); i++) {
        uint64_t bits = number_round(row[i].text, strlen(row[i].text), row[i].type);
        if (bits != row[i].bits) {
            fail_msg("%s as %s: %llx, not %llx", row[i].text, tally_type_name(row[i].type),
                     (unsigned long long)bits, (unsigned long long)row[i].bits);
        }
    }
}

static void a_rounding_mode_changes_nothing(void **state)
{
    (void)state;
    const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < COUNT(modes); i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        number n = parse("0.1"), m = parse("-0.3");
        tally_value value = {.type = TALLY_TYPE_F64, .as.f64 = n.as.f64};
        char text[NUMBER_TEXT_BYTES];
        number_print(&value, text);
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        assert_true(bits_f64(n.as.f64) == 0x3fb999999999999a);
        assert_true(bits_f64(m.as.f64) == 0xbfd3333333333333);
        assert_string_equal(text, "0.1");
    }
}

/* The table against the big integers: entry <= 10^e < entry + one unit, as |e| powers of five. */
static void table_of_powers_is_exact(void **state)
{
    (void)state;
    for (int e = POWER_LOWEST; e <= POWER_HIGHEST; e++) {
        const power_of_ten *entry = &powers_of_ten[e - POWER_LOWEST];
        assert_true(entry->high >> 63);
        bigint cut, next, power, one;
        bigint_set(&cut, entry->high);
        bigint_shift_left(&cut, 64);
        bigint low;
        bigint_set(&low, entry->low);
        for (int i = 0; i < low.n; i++) {
            cut.limb[i] = low.limb[i];
        }
        next = cut;
        bigint_set(&one, 1);
        bigint_multiply_add(&next, 1, 1);
        bigint_set(&power, 1);
        bigint_multiply_power5(&power, e < 0 ? -e : e);
        int shift = power_top(e) - 127 - e; /* entry 2^shift against 5^e */
        if (e < 0) {
            /* entry 5^-e 2^shift against 1; shift is negative */
            bigint_multiply_power5(&cut, -e);
            bigint_multiply_power5(&next, -e);
            bigint_shift_left(&one, -shift);
            power = one;
        } else if (shift >= 0) {
            bigint_shift_left(&cut, shift);
            bigint_shift_left(&next, shift);
        } else {
            bigint_shift_left(&power, -shift);
        }
        if (bigint_compare(&cut, &power) > 0 || bigint_compare(&power, &next) >= 0) {
            fail_msg("10^%d is wrong in the table", e);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_whole_numbers_match),
        cmocka_unit_test(every_form_of_the_grammar_is_read),
        cmocka_unit_test(case_50_fortran_exponents_are_no_numbers),
        cmocka_unit_test(case_51_a_hundred_thousand_digits_are_one_number),
        cmocka_unit_test(case_54_text_becomes_the_nearest_double),
        cmocka_unit_test(case_55_integers_keep_every_digit),
        cmocka_unit_test(minus_zero_keeps_its_sign),
        cmocka_unit_test(numbers_too_small_for_f64_are_told_from_zero),
        cmocka_unit_test(huge_exponents_end_at_zero_or_infinity),
        cmocka_unit_test(small_types_are_rounded_once),
        cmocka_unit_test(a_rounding_mode_changes_nothing),
        cmocka_unit_test(table_of_powers_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
