/*
 * message.c - formats messages and makes untrusted bytes printable.
 */
#include "message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Writes the rest of a message behind what snprintf() said it wrote. */
static void append(reader_error *error, int length, const char *format, va_list arguments)
{
    if (length >= 0 && (size_t)length < sizeof error->text)
        vsnprintf(error->text + length, sizeof error->text - (size_t)length, format, arguments);
}

void message_set(reader_error *error, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(error, snprintf(error->text, sizeof error->text, "%s: ", name), format, arguments);
    va_end(arguments);
}

void message_at(reader_error *error, const char *name, uint64_t line, uint64_t column,
                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(error,
           snprintf(error->text, sizeof error->text, "%s:%" PRIu64 ":%" PRIu64 ": ", name, line,
                    column),
           format, arguments);
    va_end(arguments);
}

/* The length of the printable UTF-8 character at p, 0 if there is none: neither overlong forms nor
 * surrogates, nor the control characters U+0080 to U+009F, which terminals act upon. */
static size_t printable_length(const unsigned char *p, size_t left)
{
    static const struct {
        unsigned char first, last;   /* of the first byte */
        unsigned char second, until; /* of the second; all others are 80...BF */
        unsigned char length;
    } forms[] = {
        {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    if (p[0] >= 0x20 && p[0] < 0x7f)
        return 1;
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        if (p[0] < forms[f].first || p[0] > forms[f].last)
            continue;
        size_t length = forms[f].length;
        if (left < length || p[1] < forms[f].second || p[1] > forms[f].until)
            return 0;
        for (size_t i = 2; i < length; i++)
            if (p[i] < 0x80 || p[i] > 0xbf)
                return 0;
        return length;
    }
    return 0;
}

void message_quote(char *to, const void *bytes, size_t nbytes, size_t clip)
{
    const unsigned char *p = bytes;
    size_t i = 0;
    while (i < nbytes) {
        size_t length = printable_length(p + i, nbytes - i);
        if (i + (length ? length : 1) > clip) {
            to += sprintf(to, "...");
            break;
        }
        if (length) {
            memcpy(to, p + i, length);
            to += length;
            i += length;
            continue;
        }
        switch (p[i]) {
        case '\r': to += sprintf(to, "\\r"); break;
        case '\n': to += sprintf(to, "\\n"); break;
        case '\t': to += sprintf(to, "\\t"); break;
        case '\0': to += sprintf(to, "\\0"); break;
        default: to += sprintf(to, "\\x%02X", p[i]); break;
        }
        i++;
    }
    *to = '\0';
}
