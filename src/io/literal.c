/*
 * literal.c - see literal.h.
 */
#include "literal.h"

#include <stdio.h>
#include <string.h>

#include "message.h"

bool literal_fail(literal *l, const char *what)
{
    size_t at = l->offset + (size_t)(l->at - l->start);
    message_set(l->error, l->name, "damaged .npy header: %s at byte %zu", what, at);
    return false;
}

static void skip_space(literal *l)
{
    while (l->at < l->end && strchr(" \t\r\n\f", *l->at) && *l->at)
        l->at++;
}

bool literal_sees(literal *l, char c)
{
    skip_space(l);
    return l->at < l->end && *l->at == (unsigned char)c;
}

bool literal_accept(literal *l, char c)
{
    if (!literal_sees(l, c))
        return false;
    l->at++;
    return true;
}

bool literal_expect(literal *l, char c)
{
    if (literal_accept(l, c))
        return true;
    char what[16];
    snprintf(what, sizeof what, "expected '%c'", c);
    return literal_fail(l, what);
}

static int hex_digit(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads the part of an escape behind the backslash. */
static bool escape(literal *l, uint32_t *code)
{
    static const char simple[] = "\\'\"abfnrtv", meaning[] = "\\'\"\a\b\f\n\r\t\v";
    if (l->at == l->end)
        return literal_fail(l, "unfinished escape");
    unsigned char c = *l->at;
    const char *found = c ? strchr(simple, c) : NULL;
    if (found) {
        l->at++;
        *code = (unsigned char)meaning[found - simple];
        return true;
    }
    int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0 || l->end - l->at <= digits)
        return literal_fail(l, "unknown escape");
    *code = 0;
    for (int i = 1; i <= digits; i++) {
        int digit = hex_digit(l->at[i]);
        if (digit < 0)
            return literal_fail(l, "unknown escape");
        *code = *code << 4 | (uint32_t)digit;
    }
    if (*code == 0 || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
        return literal_fail(l, "escape of no character");
    l->at += 1 + digits;
    return true;
}

static size_t put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3f));
    static const unsigned char mark[] = {0, 0, 0xc0, 0xe0, 0xf0};
    to[0] = (char)(mark[length] | code);
    return length;
}

bool literal_string(literal *l, char text[LITERAL_STRING_BYTES])
{
    skip_space(l);
    if (l->at < l->end && *l->at == 'u') /* Python 2's unicode strings */
        l->at++;
    if (l->at == l->end || (*l->at != '\'' && *l->at != '"'))
        return literal_fail(l, "expected a string");
    unsigned char quote = *l->at++;
    size_t length = 0;
    for (;;) {
        if (l->at == l->end || *l->at == '\n')
            return literal_fail(l, "unfinished string");
        if (length + 5 > LITERAL_STRING_BYTES)
            return literal_fail(l, "a string of more than 4090 bytes");
        unsigned char c = *l->at;
        if (c == '\0')
            return literal_fail(l, "a NUL byte");
        l->at++;
        if (c == quote)
            break;
        uint32_t code = c;
        if (c == '\\' && !escape(l, &code))
            return false;
        if (c >= 0x80 && !l->latin1)
            text[length++] = (char)c;
        else
            length += put_utf8(text + length, code);
    }
    text[length] = '\0';
    return true;
}

bool literal_unsigned(literal *l, uint64_t *value)
{
    skip_space(l);
    const unsigned char *first = l->at;
    uint64_t v = 0;
    for (; l->at < l->end && *l->at >= '0' && *l->at <= '9'; l->at++) {
        unsigned digit = *l->at - '0';
        if (v > (UINT64_MAX - digit) / 10)
            return literal_fail(l, "a number of 2^64 or more");
        v = 10 * v + digit;
    }
    if (l->at == first)
        return literal_fail(l, "expected a whole number of 0 or more");
    if (l->at < l->end && *l->at == 'L')
        l->at++;
    *value = v;
    return true;
}

bool literal_bool(literal *l, bool *value)
{
    skip_space(l);
    size_t left = (size_t)(l->end - l->at);
    *value = left >= 4 && memcmp(l->at, "True", 4) == 0;
    if (!*value && !(left >= 5 && memcmp(l->at, "False", 5) == 0))
        return literal_fail(l, "expected True or False");
    l->at += *value ? 4 : 5;
    return true;
}

bool literal_finish(literal *l)
{
    skip_space(l);
    return l->at == l->end || literal_fail(l, "more text than the description");
}
