/*
 * number.h - one number as text: read, correctly rounded, and written, in the shortest digits.
 *
 * No locale, no libc conversion, no floating-point arithmetic: integers only, so nothing in the
 * environment can change a digit.
 *
 * Grammar:  integer  [+-]? digit+
 *           real     [+-]? (digit+ '.' digit* | '.' digit+ | digit+) ([eE] [+-]? digit+)?
 *           special  [+-]? (inf | infinity | nan), any case
 * The whole of the text has to match.
 */
#ifndef TALLY_NUMBER_H
#define TALLY_NUMBER_H

#include <stdbool.h>

#include "tally.h"

typedef enum number_kind {
    NUMBER_BAD = 0,      /* not a number */
    NUMBER_SIGNED = 1,   /* an integer that i64 holds */
    NUMBER_UNSIGNED = 2, /* an integer that only u64 holds */
    NUMBER_WIDE = 3,     /* any other integer */
    NUMBER_REAL = 4      /* anything else, rounded to f64 */
} number_kind;

typedef struct number {
    number_kind kind;
    bool overflowed;  /* REAL: finite as written, infinite as f64 */
    bool underflowed; /* REAL: not zero as written, zero as f64 */
    bool minus_zero;  /* SIGNED: an integer zero with a minus sign */
    union {
        int64_t i64;
        uint64_t u64;
        double f64;
    } as;
} number;

number_kind number_parse(const char *text, size_t length, number *out);

/* The bits of the number, integer or real, correctly rounded once to a float type (f16 ... f64).
 * text must match the grammar. */
uint64_t number_round(const char *text, size_t length, tally_type type);

/* Writes value in the fewest digits that read back to the same bits of its type (of several the
 * closest), laid out as ECMAScript's Number::toString (22.1, 1e-100, 1e+21), except that -0 is
 * "-0"; "NaN", "Infinity", "-Infinity" are spelled "nan", "inf", "-inf". Integers in full, and so
 * are whole numbers below 2^53 of the small float types, which the fewest digits would pad with
 * zeros (f16 65504, not 65500): as the same number is written as f64. NUL-terminated; gives the
 * length.
 */
enum { NUMBER_TEXT_BYTES = 32 };
size_t number_print(const tally_value *value, char text[NUMBER_TEXT_BYTES]);

#endif
