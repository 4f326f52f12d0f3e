/*
 * reader.c - opens an input, decides which format it is, and hands calls on to that format.
 */
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats.h"
#include "message.h"

enum { NAME_CLIP = 200 }; /* bytes of a path's end that messages show */

struct reader {
    reader_options options;
    char name[MESSAGE_QUOTE_BYTES(NAME_CLIP) + 3];
    source *source;
    reader_input input;
    const reader_methods *methods;
    void *format;
    reader_result state; /* PIECE while there may be more; END and ERROR are final */
    reader_error error;  /* if that is ERROR */
};

void reader_warning(const reader_input *input, const char *format, ...)
{
    if (!input->warn)
        return;
    char rest[sizeof((reader_error *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    reader_error message;
    message_set(&message, input->name, "%s", rest);
    input->warn(input->user, message.text);
}

static bool ends_with(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);
    return length > tail && strcasecmp(path + length - tail, suffix) == 0;
}

/* A file called .npy has to be one: an empty or damaged one is not text that sums to 0. */
static bool choose_format(reader *r, reader_error *error)
{
    static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (r->options.format != READER_AUTO)
        return true;
    source_view view;
    if (!source_peek(r->source, sizeof magic, &view, error))
        return false;
    bool npy = view.n >= sizeof magic && memcmp(view.data, magic, sizeof magic) == 0;
    if (npy || ends_with(r->options.path, ".npy"))
        r->options.format = READER_NPY;
    else if (r->options.dtype != TALLY_TYPE_DEFAULT)
        r->options.format = READER_RAW;
    else
        r->options.format = READER_TEXT;
    return true;
}

/* An option that the format would not look at is a mistake, not a wish to ignore. */
static bool check_options(const reader_options *o, const char *name, reader_error *error)
{
    const char *wrong = NULL;
    if (o->format != READER_RAW && (o->offset != 0 || o->count != UINT64_MAX))
        wrong = "an offset or a count is for raw data only (give its dtype)";
    else if (o->format != READER_NPY && o->field)
        wrong = "a field is for .npy files only";
    else if (o->format != READER_TEXT && o->separator)
        wrong = "a separator is for text only";
    else if (o->format == READER_TEXT && o->dtype != TALLY_TYPE_DEFAULT)
        wrong = "a dtype is for raw data and .npy files only";
    else if (o->dtype == TALLY_TYPE_DEFAULT && o->order != READER_ORDER_DEFAULT)
        wrong = "a byte order goes with a dtype only";
    if (wrong)
        message_set(error, name, "%s%s", o->format == READER_NPY ? "is a .npy file: " : "", wrong);
    return !wrong;
}

static const reader_methods *methods_of(reader_format format)
{
    switch (format) {
    case READER_NPY: return &reader_npy;
    case READER_RAW: return &reader_raw;
    default: return &reader_text;
    }
}

static bool start(reader *r, const source_tuning *tuning, reader_error *error)
{
    r->source = source_open(r->options.path, r->name, tuning, error);
    if (!r->source || !choose_format(r, error) || !check_options(&r->options, r->name, error))
        return false;
    r->input.options = &r->options;
    r->input.source = r->source;
    r->input.name = r->name;
    r->methods = methods_of(r->options.format);
    r->format = r->methods->open(&r->input, error);
    return r->format != NULL;
}

reader *reader_open_tuned(const reader_options *options, const source_tuning *tuning,
                          reader_warn *warn, void *user, reader_error *error)
{
    reader *r = calloc(1, sizeof *r);
    if (!r) {
        message_set(error, options->path, "out of memory");
        return NULL;
    }
    r->options = *options;
    size_t length = strlen(options->path);
    size_t from = length > NAME_CLIP ? length - NAME_CLIP : 0;
    size_t dots = from ? (size_t)sprintf(r->name, "...") : 0;
    message_quote(r->name + dots, options->path + from, length - from, NAME_CLIP);
    r->input.warn = warn;
    r->input.user = user;
    if (start(r, tuning, error))
        return r;
    reader_close(r);
    return NULL;
}

reader *reader_open(const reader_options *options, reader_warn *warn, void *user,
                    reader_error *error)
{
    return reader_open_tuned(options, NULL, warn, user, error);
}

reader_result reader_next(reader *r, reader_piece *piece, reader_error *error)
{
    if (r->state == READER_PIECE) {
        memset(piece, 0, sizeof *piece);
        r->state = r->methods->next(r->format, piece, &r->error);
    }
    if (r->state == READER_ERROR)
        *error = r->error;
    return r->state;
}

uint64_t reader_bytes(const reader *r)
{
    return source_position(r->source);
}

uint64_t reader_size(const reader *r)
{
    uint64_t size = source_size(r->source);
    return size == UINT64_MAX ? 0 : size;
}

void reader_close(reader *r)
{
    if (!r)
        return;
    if (r->format)
        r->methods->close(r->format);
    source_close(r->source);
    free(r);
}
