/* scan.c - the grammar of a number as text. */
#include <string.h>

#include "scan.h"

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Whether the text is this word of lower-case letters, in any case. */
static bool is_word(const char *text, const char *end, const char *word)
{
    for (; text < end && *word; text++, word++) {
        if ((*text | 0x20) != *word) {
            return false;
        }
    }
    return text == end && !*word;
}

static bool scan_special(const char *p, const char *end, scan *s)
{
    s->form = is_word(p, end, "nan") ? SCAN_NAN : SCAN_INF;
    return s->form == SCAN_NAN || is_word(p, end, "inf") || is_word(p, end, "infinity");
}

/* Reads [+-]? digit+ up to the end of the text. Clamped: no text in memory has 10^18 digits, so
 * what is larger decides alone. */
static bool scan_power(const char *p, const char *end, int64_t *power)
{
    const int64_t most = 1000000000000000000;
    bool negative = p < end && *p == '-';
    p += negative || (p < end && *p == '+');
    if (p == end) {
        return false;
    }
    int64_t value = 0;
    for (; p < end; p++) {
        if (!is_digit(*p)) {
            return false;
        }
        value = value < most / 10 ? 10 * value + (*p - '0') : most;
    }
    *power = negative ? -value : value;
    return true;
}

/* Fills in lead, exponent and more where the digits may be too many for lead. */
static void scan_many(scan *s)
{
    const char *p = s->digits;
    const char *point = memchr(p, '.', (size_t)(s->digits_end - p));
    while (p < s->digits_end && (*p == '0' || *p == '.')) {
        p++;
    }
    int n = 0;
    s->lead = 0;
    for (; p < s->digits_end && n < SCAN_LEAD; p++) {
        if (*p != '.') {
            s->lead = 10 * s->lead + (uint64_t)(*p - '0');
            n++;
        }
    }
    /* p is now where lead ends: each digit between there and the point is worth a factor ten */
    if (!point) {
        s->exponent = s->power + (s->digits_end - p);
    } else if (p <= point) {
        s->exponent = s->power + (point - p);
    } else {
        s->exponent = s->power - (p - point - 1);
    }
    while (p < s->digits_end && (*p == '0' || *p == '.')) {
        p++;
    }
    s->more = p < s->digits_end;
}

bool scan_number(const char *text, size_t length, scan *s)
{
    const char *p = text, *end = text + length;
    s->negative = p < end && *p == '-';
    p += s->negative || (p < end && *p == '+');
    s->digits = p;
    uint64_t lead = 0; /* wraps if there are many digits: then scan_many() does it again */
    for (; p < end && is_digit(*p); p++) {
        lead = 10 * lead + (uint64_t)(*p - '0');
    }
    ptrdiff_t n = p - s->digits, fraction = 0;
    s->form = SCAN_INTEGER;
    if (p < end && *p == '.') {
        const char *first = ++p;
        for (; p < end && is_digit(*p); p++) {
            lead = 10 * lead + (uint64_t)(*p - '0');
        }
        fraction = p - first;
        n += fraction;
        s->form = SCAN_REAL;
    }
    s->digits_end = p;
    if (n == 0) {
        return s->form == SCAN_INTEGER && scan_special(p, end, s);
    }
    s->power = 0;
    if (p < end) {
        s->form = SCAN_REAL;
        if ((*p | 0x20) != 'e' || !scan_power(p + 1, end, &s->power)) {
            return false;
        }
    }
    if (n > SCAN_LEAD) {
        scan_many(s);
        return true;
    }
    s->lead = lead;
    s->exponent = s->power - fraction;
    s->more = false;
    return true;
}
