/*
 * wrap.c - breaks lines at blanks, and at any wide character but closing punctuation.
 */
#include "wrap.h"

#include <stdbool.h>
#include <string.h>

enum { COLUMNS = 80 };

/* Bytes of the UTF-8 character at text. */
static int character_bytes(const char *text)
{
    unsigned char c = (unsigned char)*text;
    int length = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    for (int i = 1; i < length; i++) {
        if (!text[i])
            return i;
    }
    return length;
}

/* What takes three bytes in our texts is Chinese, and two columns wide. */
static bool is_wide(const char *text)
{
    return (unsigned char)*text >= 0xe0;
}

static bool may_begin_line(const char *text)
{
    static const char *const closing[] = {"，", "。", "、", "：", "；", "）", "？", "！", "”"};
    for (size_t i = 0; i < sizeof closing / sizeof *closing; i++) {
        if (strncmp(text, closing[i], strlen(closing[i])) == 0)
            return false;
    }
    return true;
}

/* The bytes that stay together at text, and the columns they take. */
static int unit(const char *text, int *width)
{
    int length = 0;
    *width = 0;
    while (text[length] && text[length] != ' ') {
        const char *at = text + length;
        if (length > 0 && is_wide(at) && may_begin_line(at))
            break;
        if (length > 0 && !is_wide(at) && is_wide(text))
            break;
        length += character_bytes(at);
        *width += is_wide(at) ? 2 : 1;
    }
    return length;
}

void wrap_text(FILE *to, const char *text, int column)
{
    int at = column;
    bool blank = false;
    while (*text) {
        int width, length = unit(text, &width);
        if (at > column && at + blank + width > COLUMNS - 1) {
            fprintf(to, "\n%*s", column, "");
            at = column;
        } else if (at > column && blank) {
            fputc(' ', to);
            at++;
        }
        fprintf(to, "%.*s", length, text);
        at += width;
        text += length;
        blank = *text == ' ';
        text += blank;
    }
    fputc('\n', to);
}
