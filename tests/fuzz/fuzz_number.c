/*
 * fuzz_number.c - any bytes as a number: the grammar against a POSIX regular expression, the value
 * against MPFR in all four formats, and the way back through print.
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"
#include "text_oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

static const struct {
    tally_type type;
    text_format format;
} row[] = {
    {TALLY_TYPE_F64, {53, -1074, 1024}},
    {TALLY_TYPE_F32, {24, -149, 128}},
    {TALLY_TYPE_F16, {11, -24, 16}},
    {TALLY_TYPE_BF16, {8, -133, 128}},
};

static void require(bool holds, const char *what, const char *text)
{
    if (!holds) {
        fprintf(stderr, "%s: '%s'\n", what, text);
        abort();
    }
}

typedef struct grammar {
    regex_t integer, minus_zero, real, infinity, nan;
} grammar;

static const grammar *grammar_get(void)
{
    static grammar g;
    static bool ready;
    if (!ready) {
        const int flags = REG_EXTENDED | REG_NOSUB;
        bool bad = regcomp(&g.integer, "^[+-]?[0-9]+$", flags) ||
                   regcomp(&g.minus_zero, "^-0+$", flags) ||
                   regcomp(&g.real, "^[+-]?([0-9]+\\.[0-9]*|\\.[0-9]+|[0-9]+)([eE][+-]?[0-9]+)?$",
                           flags) ||
                   regcomp(&g.infinity, "^[+-]?(inf|infinity)$", flags | REG_ICASE) ||
                   regcomp(&g.nan, "^[+-]?nan$", flags | REG_ICASE);
        require(!bad, "a regular expression is wrong", "");
        ready = true;
    }
    return &g;
}

static bool matches(const regex_t *expression, const char *text)
{
    return regexec(expression, text, 0, NULL, 0) == 0;
}

static tally_value value_of(tally_type type, uint64_t bits)
{
    tally_value v = {.type = type};
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case TALLY_TYPE_F64: memcpy(&v.as.f64, &bits, sizeof bits); break;
    case TALLY_TYPE_F32: memcpy(&v.as.f32, &low, sizeof low); break;
    case TALLY_TYPE_F16: v.as.f16 = (uint16_t)bits; break;
    default: v.as.bf16 = (uint16_t)bits; break;
    }
    return v;
}

static void check_value(const char *text, size_t length, const number *n)
{
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        uint64_t right = text_oracle_bits(text, &row[i].format);
        uint64_t bits = number_round(text, length, row[i].type);
        require(bits == right, "number_round() and MPFR differ", text);
        char printed[NUMBER_TEXT_BYTES];
        tally_value v = value_of(row[i].type, bits);
        size_t printed_length = number_print(&v, printed);
        require(number_round(printed, printed_length, row[i].type) == bits,
                "what is printed reads back differently", printed);
        if (row[i].type == TALLY_TYPE_F64 && n->kind == NUMBER_REAL) {
            require(memcmp(&n->as.f64, &bits, sizeof bits) == 0, "parse and round differ", text);
        }
    }
}

/* The kind of an integer, by MPFR: its value and the limits of the types are exact. */
static number_kind integer_kind(const char *text, size_t length)
{
    mpfr_t value;
    mpfr_init2(value, 4 * (mpfr_prec_t)length + 64);
    mpfr_set_str(value, text, 10, MPFR_RNDN);
    number_kind kind = NUMBER_WIDE;
    if (mpfr_cmp_si(value, INT64_MIN) >= 0 && mpfr_cmp_si(value, INT64_MAX) <= 0) {
        kind = NUMBER_SIGNED;
    } else if (mpfr_sgn(value) > 0 && mpfr_cmp_ui(value, UINT64_MAX) <= 0) {
        kind = NUMBER_UNSIGNED;
    }
    mpfr_clear(value);
    return kind;
}

static void check_text(const char *text, size_t length, const number *n)
{
    const grammar *g = grammar_get();
    bool finite = matches(&g->real, text), infinite = matches(&g->infinity, text);
    if (matches(&g->nan, text)) {
        require(n->kind == NUMBER_REAL && n->as.f64 != n->as.f64, "a NaN is none", text);
        return;
    }
    require((n->kind != NUMBER_BAD) == (finite || infinite), "the grammar says otherwise", text);
    if (n->kind == NUMBER_BAD) {
        return;
    }
    require(n->minus_zero == matches(&g->minus_zero, text), "minus_zero is wrong", text);
    if (matches(&g->integer, text)) {
        require(n->kind == integer_kind(text, length), "the kind is wrong", text);
    } else {
        require(n->kind == NUMBER_REAL, "a real is none", text);
        double most = 1.7976931348623157e308;
        bool is_infinite = n->as.f64 > most || n->as.f64 < -most;
        require(n->overflowed == (finite && is_infinite), "overflowed is wrong", text);
    }
    check_value(text, length, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    if (nbytes > 4096) {
        return 0; /* MPFR's work grows with the square of it */
    }
    number n;
    char *exact = calloc(nbytes > 0 ? nbytes : 1, 1), *text = malloc(nbytes + 1);
    require(exact && text, "no memory", "");
    if (nbytes > 0) {
        memcpy(exact, data, nbytes);
        memcpy(text, data, nbytes);
    }
    text[nbytes] = '\0';
    number_parse(exact, nbytes, &n);
    if (memchr(text, '\0', nbytes)) {
        require(n.kind == NUMBER_BAD, "a NUL was taken for a part of a number", text);
    } else {
        check_text(text, nbytes, &n);
    }
    free(text);
    free(exact);
    mpfr_free_cache();
    return 0;
}
