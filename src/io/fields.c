/*
 * fields.c - a field is looked for in what the source shows; where it reaches the end of that, the
 * source is asked to show more, so that no field is ever cut.
 */
#include "fields.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "message.h"

enum {
    STOP = 1, /* may end a field */
    SKIP = 2  /* a blank before a field */
};

enum { FIELD_MAX = 64 << 20 }; /* bytes */

static bool check_separator(const reader_input *input, unsigned char c, reader_error *error)
{
    bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    bool digit = c >= '0' && c <= '9';
    if (!letter && !digit && !strchr("+-.\r\n", c))
        return true;
    char shown[MESSAGE_QUOTE_BYTES(1)];
    message_quote(shown, &c, 1, 1);
    message_set(error, input->name, "'%s' cannot separate fields: it is part of numbers or lines",
                shown);
    return false;
}

static unsigned char separator_of_name(const char *path)
{
    size_t length = strlen(path);
    const char *suffix = length > 4 ? path + length - 4 : "";
    return strcasecmp(suffix, ".csv") == 0 ? ',' : strcasecmp(suffix, ".tsv") == 0 ? '\t' : 0;
}

/* Takes a UTF-8 byte-order mark away, and refuses other encodings. */
static bool check_encoding(const reader_input *input, reader_error *error)
{
    static const struct {
        const char *mark;
        unsigned char length;
        const char *encoding;
    } marks[] = {
        {"\xff\xfe\0\0", 4, "UTF-32"}, /* before the one of UTF-16, which it begins with */
        {"\0\0\xfe\xff", 4, "UTF-32"},
        {"\xff\xfe", 2, "UTF-16"},
        {"\xfe\xff", 2, "UTF-16"},
    };
    source_view view;
    if (!source_peek(input->source, 4, &view, error))
        return false;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (view.n < marks[i].length || memcmp(view.data, marks[i].mark, marks[i].length) != 0)
            continue;
        message_set(error, input->name,
                    "is %s text; expected UTF-8 or ASCII: convert it with iconv -f %s -t UTF-8",
                    marks[i].encoding, marks[i].encoding);
        return false;
    }
    if (view.n >= 3 && memcmp(view.data, "\xef\xbb\xbf", 3) == 0)
        source_consume(input->source, 3);
    return true;
}

bool fields_open(fields *f, const reader_input *input, reader_error *error)
{
    memset(f, 0, sizeof *f);
    f->input = input;
    f->separator = (unsigned char)input->options->separator;
    if (f->separator && !check_separator(input, f->separator, error))
        return false;
    if (!f->separator)
        f->separator = separator_of_name(input->options->path);
    if (!check_encoding(input, error))
        return false;
    f->class[' '] = f->class['\t'] = f->separator ? SKIP : SKIP | STOP;
    f->class['\n'] = f->class['\r'] = STOP;
    if (f->separator)
        f->class[f->separator] = STOP;
    f->line = 1;
    f->position = source_position(input->source);
    f->line_start = f->position;
    return true;
}

static uint64_t position(const fields *f, const unsigned char *at)
{
    return f->position + (uint64_t)(at - f->data);
}

void fields_settle(fields *f)
{
    if (f->at > f->data)
        source_consume(f->input->source, (size_t)(f->at - f->data));
    f->position = position(f, f->at);
    f->data = f->at;
}

/* Gives up what is before f->at and looks for at least one byte more behind the view. */
static bool show_more(fields *f, reader_error *error)
{
    fields_settle(f);
    size_t have = (size_t)(f->end - f->at);
    source_view view;
    if (!source_peek(f->input->source, have + 1, &view, error))
        return false;
    f->data = f->at = view.data;
    f->end = view.data + view.n;
    f->ended = view.n == have;
    return true;
}

/* Does a line end at p? It does at a line feed, at a carriage return directly before one, and at
 * the end of the input. Gives the bytes of that in *length. The view has to show them. */
static bool ends_line(const fields *f, const unsigned char *p, size_t *length)
{
    *length = 0;
    if (p == f->end)
        return f->ended;
    *length = *p == '\n' ? 1 : 2;
    return *p == '\n' || (*p == '\r' && f->end - p > 1 && p[1] == '\n');
}

/* Is p so near the end of the view that what is behind has to be seen first? */
static bool undecided(const fields *f, const unsigned char *p)
{
    return !f->ended && (p == f->end || (*p == '\r' && f->end - p == 1));
}

static reader_result empty_field(const fields *f, uint64_t start, reader_error *error)
{
    message_at(error, f->input->name, f->line, start - f->line_start + 1, "empty field");
    return READER_ERROR;
}

/* Moves to the first byte of the next field: over blanks, line ends, and empty lines. */
static reader_result find_start(fields *f, reader_error *error)
{
    uint64_t start = position(f, f->at); /* of the field, its leading blanks included */
    for (;;) {
        while (f->at < f->end && (f->class[*f->at] & SKIP))
            f->at++;
        if (undecided(f, f->at)) {
            if (!show_more(f, error))
                return READER_ERROR;
            continue;
        }
        size_t length;
        if (!ends_line(f, f->at, &length))
            break;
        if (f->separated)
            return empty_field(f, start, error);
        if (f->at == f->end)
            return READER_END;
        f->at += length;
        f->line++;
        f->line_start = start = position(f, f->at);
    }
    if (f->separator && *f->at == f->separator)
        return empty_field(f, start, error);
    return READER_PIECE;
}

/* From f->at, a field's first byte, to behind its last one: *length. */
static bool find_end(fields *f, size_t *length, reader_error *error)
{
    const unsigned char *p = f->at + 1;
    for (;;) {
        while (p < f->end && !(f->class[*p] & STOP))
            p++;
        *length = (size_t)(p - f->at);
        if (*length > FIELD_MAX) {
            message_at(error, f->input->name, f->line, position(f, f->at) - f->line_start + 1,
                       "a field of more than %d MB", FIELD_MAX >> 20);
            return false;
        }
        if (undecided(f, p)) {
            if (!show_more(f, error))
                return false;
            p = f->at + *length;
            continue;
        }
        size_t line_end;
        if (ends_line(f, p, &line_end) || *p != '\r')
            return true;
        p++; /* a carriage return on its own belongs to the field */
    }
}

/* The bytes from text up to end are a field; f->at goes behind it and its separator. */
static inline void deliver(fields *f, const unsigned char *text, const unsigned char *end,
                           field *found)
{
    found->text = (const char *)text;
    found->line = f->line;
    found->column = position(f, text) - f->line_start + 1;
    f->separated = f->separator && end < f->end && *end == f->separator;
    f->at = f->separated ? end + 1 : end;
    while (f->class[end[-1]] & SKIP)
        end--;
    found->length = (size_t)(end - text);
}

/* The first byte from p on that stops a field; f->end if none does. Eight bytes at a time: numbers
 * are made of bytes above the blank, so only bytes up to it, and the separator, are looked at. */
static inline const unsigned char *find_stop(const fields *f, const unsigned char *p)
{
    const unsigned char *end = f->end;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    const uint64_t separators = ones * f->separator;
    while (end - p >= 8) {
        uint64_t w;
        memcpy(&w, p, sizeof w);
        /* The lowest bit set is right: a borrow can only reach bytes behind a first hit. */
        uint64_t x = w ^ separators;
        uint64_t hit = (((w - ones * 0x21) & ~w) | ((x - ones) & ~x)) & tops;
        if (!hit) {
            p += 8;
            continue;
        }
        p += __builtin_ctzll(hit) / 8;
        if (f->class[*p] & STOP)
            return p;
        p++;
    }
#endif
    while (p < end && !(f->class[*p] & STOP))
        p++;
    return p;
}

/* Most fields have only blanks and line feeds before them and end well inside the view: those are
 * found here, with everything in registers. False, and nothing is changed, for any other. */
static inline bool find_ordinary(fields *f, field *found)
{
    const unsigned char *at = f->at, *end = f->end, *line = NULL;
    uint64_t lines = 0;
    for (; at < end && (f->class[*at] & SKIP || (*at == '\n' && !f->separated)); at++)
        if (*at == '\n') {
            lines++;
            line = at + 1;
        }
    if (at == end || f->class[*at])
        return false;
    const unsigned char *p = find_stop(f, at + 1);
    if (p == end || p - at > FIELD_MAX || (*p == '\r' && (end - p == 1 || p[1] != '\n')))
        return false;
    f->line += lines;
    if (line)
        f->line_start = position(f, line);
    deliver(f, at, p, found);
    return true;
}

reader_result fields_next(fields *f, field *found, reader_error *error)
{
    if (find_ordinary(f, found))
        return READER_PIECE;
    reader_result result = find_start(f, error);
    if (result != READER_PIECE)
        return result;
    size_t length;
    if (!find_end(f, &length, error))
        return READER_ERROR;
    deliver(f, f->at, f->at + length, found);
    return READER_PIECE;
}
