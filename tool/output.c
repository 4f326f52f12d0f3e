/*
 * output.c - stdout carries results, stderr everything else.
 */
#include "output.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/number.h"
#include "plan.h"

static const char *value_text(const total_result *result, char text[NUMBER_TEXT_BYTES])
{
    if (result->integer)
        return result->integer;
    if (result->value.type == TALLY_TYPE_BOOL)
        return result->value.as.u64 ? "true" : "false";
    number_print(&result->value, text);
    return text;
}

void output_value(const total_result *result)
{
    char text[NUMBER_TEXT_BYTES];
    fputs(value_text(result, text), stdout);
}

static bool first_field;

static void field(const char *name)
{
    if (!first_field)
        putchar(',');
    if (name)
        printf("\"%s\":", name);
    first_field = false;
}

void json_open(void)
{
    putchar('{');
    first_field = true;
}

void json_close(void)
{
    puts("}");
}

void json_open_object(const char *name)
{
    field(name);
    json_open();
}

void json_close_object(void)
{
    putchar('}');
    first_field = false;
}

void json_open_array(const char *name)
{
    field(name);
    putchar('[');
    first_field = true;
}

void json_close_array(void)
{
    putchar(']');
    first_field = false;
}

/* Bytes of the well-formed UTF-8 character that text begins with, 0 if it is none. */
static size_t utf8_length(const unsigned char *text)
{
    size_t length = text[0] < 0x80   ? 1
                    : text[0] < 0xc2 ? 0
                    : text[0] < 0xe0 ? 2
                    : text[0] < 0xf0 ? 3
                    : text[0] < 0xf5 ? 4
                                     : 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    bool overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool surrogate = text[0] == 0xed && text[1] >= 0xa0;
    bool too_large = text[0] == 0xf4 && text[1] >= 0x90;
    return overlong || surrogate || too_large ? 0 : length;
}

/* A file's name may hold any bytes; JSON must be UTF-8: others become U+FFFD. */
static void string(const char *text)
{
    putchar('"');
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = utf8_length(at);
        if (length == 0)
            fputs("\\ufffd", stdout);
        else if (*at == '"' || *at == '\\')
            printf("\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            printf("\\u%04x", *at);
        else
            fwrite(at, 1, length, stdout);
        at += length ? length : 1;
    }
    putchar('"');
}

void json_text(const char *name, const char *text)
{
    field(name);
    string(text);
}

void json_texts(const char *name, char *const *texts, size_t n)
{
    field(name);
    putchar('[');
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            putchar(',');
        string(texts[i]);
    }
    putchar(']');
}

void json_flag(const char *name, bool flag)
{
    field(name);
    fputs(flag ? "true" : "false", stdout);
}

void json_null(const char *name)
{
    field(name);
    fputs("null", stdout);
}

void json_number(const char *name, const char *text)
{
    bool finite = isdigit((unsigned char)text[text[0] == '-']);
    field(name);
    printf(finite ? "%s" : "\"%s\"", text);
}

void json_plan(const tally_plan *plan)
{
    json_open_object("plan");
    json_text("shape", tally_shape_name(plan->shape));
    json_text("assign", tally_assign_name(plan->assign));
    json_text("final", tally_final_name(plan->final));
    json_count("block", plan->block);
    json_count("blocks", plan->blocks);
    json_count("vector", plan->vector);
    json_count("stages", plan->stages);
    json_close_object();
}

void json_count(const char *name, uint64_t n)
{
    field(name);
    printf("%" PRIu64, n);
}

void json_seconds(const char *name, double seconds)
{
    field(name);
    printf("%.6f", seconds);
}

void json_result(const total_result *result)
{
    char buffer[NUMBER_TEXT_BYTES];
    if (!result) {
        json_null("value");
        json_null("bits");
        json_null("type");
        return;
    }
    if (result->value.type == TALLY_TYPE_BOOL)
        json_flag("value", result->value.as.u64 != 0);
    else
        json_number("value", value_text(result, buffer));
    field("bits");
    if (result->integer)
        fputs("null", stdout);
    else
        printf("\"0x%0*" PRIx64 "\"", (int)(2 * tally_type_size(result->value.type)),
               total_bits(&result->value));
    json_text("type", result->integer ? "integer" : tally_type_name(result->value.type));
}

bool output_flush(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    output_message("cannot write to standard output: %s",
                   errno ? strerror(errno) : "it failed earlier");
    return false;
}

void output_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("tally: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}
