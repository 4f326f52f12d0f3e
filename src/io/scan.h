/* scan.h - a number's text taken apart (scan.c), and its decimal digits made binary (binary.c). */
#ifndef TALLY_SCAN_H
#define TALLY_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact.h"

typedef enum scan_form { SCAN_INTEGER = 0, SCAN_REAL = 1, SCAN_INF = 2, SCAN_NAN = 3 } scan_form;

/*
 * The magnitude of an integer or real is (lead + rest) 10^exponent, where lead holds the first
 * SCAN_LEAD significant digits (or all) and 0 <= rest < 1 the others; more says that rest > 0.
 */
enum { SCAN_LEAD = 19 }; /* as many as 64 bits always hold */

typedef struct scan {
    scan_form form;
    bool negative;
    bool more;
    uint64_t lead;
    int64_t exponent;
    /* The digits as written, perhaps with a point among them, and the power of ten after them. */
    const char *digits, *digits_end;
    int64_t power;
} scan;

/* Whether the whole text is a number by number.h's grammar; then s is filled in. */
bool scan_number(const char *text, size_t length, scan *s);

/* The bits of an integer or real, correctly rounded to format f, without its sign. */
uint64_t scan_round(const scan *s, exact_format f);

#endif
