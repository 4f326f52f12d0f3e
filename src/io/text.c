/*
 * text.c - numbers written as text, collected into arrays of one type.
 *
 * A piece of i64 or u64 says that only integers were seen in it, a piece of f64 that a real was:
 * the total of integers has to stay exact, and be printed as one. Where the pieces end depends on
 * the text alone, never on how it arrived.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "fields.h"
#include "formats.h"
#include "message.h"
#include "number.h"

enum {
    VALUES = 16384, /* 128 KB of them: stays in a second-level cache */
    TOKEN_CLIP = 60 /* bytes of a field that messages show */
};

typedef struct text {
    const reader_input *input;
    fields fields;
    tally_type type; /* of what is collected: I64, U64, F64; DEFAULT while there is nothing */
    size_t n;
    uint64_t index;   /* fields handed out or collected */
    bool held;        /* a number read, for which the next piece has to be another one */
    number_kind kind; /* of it */
    number held_number;
    field held_field;
    uint64_t n_overflowed; /* numbers beyond f64 */
    union {
        int64_t i64[VALUES];
        uint64_t u64[VALUES];
        double f64[VALUES];
    } values;
} text;

static void *text_open(const reader_input *input, reader_error *error)
{
    text *t = malloc(sizeof *t);
    if (!t) {
        message_set(error, input->name, "out of memory");
        return NULL;
    }
    t->input = input;
    t->type = TALLY_TYPE_DEFAULT;
    t->n = 0;
    t->index = 0;
    t->held = false;
    t->n_overflowed = 0;
    if (fields_open(&t->fields, input, error))
        return t;
    free(t);
    return NULL;
}

static void refuse(const text *t, const field *f, reader_error *error)
{
    const char *name = t->input->name;
    for (size_t i = 0; i < f->length; i++) {
        if (f->text[i] != '\0')
            continue;
        message_at(error, name, f->line, f->column + i,
                   "a NUL byte: this is no text (raw data needs a dtype; UTF-16 needs iconv)");
        return;
    }
    char shown[MESSAGE_QUOTE_BYTES(TOKEN_CLIP)];
    message_quote(shown, f->text, f->length, TOKEN_CLIP);
    message_at(error, name, f->line, f->column, "'%s' is not a number", shown);
}

static void note_overflow(text *t, const field *f)
{
    if (t->n_overflowed++ > 0 || !t->input->warn)
        return;
    char shown[MESSAGE_QUOTE_BYTES(TOKEN_CLIP)];
    message_quote(shown, f->text, f->length, TOKEN_CLIP);
    reader_error message;
    message_at(&message, t->input->name, f->line, f->column,
               "'%s' is beyond the range of f64 and read as an infinity", shown);
    t->input->warn(t->input->user, message.text);
}

static bool add_real(text *t, double value)
{
    if (t->type != TALLY_TYPE_F64 && t->n > 0)
        return false;
    t->type = TALLY_TYPE_F64;
    t->values.f64[t->n++] = value;
    return true;
}

static bool add_signed(text *t, int64_t value)
{
    const int64_t exact = (int64_t)1 << 53; /* every integer up to here is a double */
    if (t->n == 0)
        t->type = TALLY_TYPE_I64;
    if (t->type == TALLY_TYPE_I64)
        t->values.i64[t->n++] = value;
    else if (t->type == TALLY_TYPE_F64 && value >= -exact && value <= exact)
        t->values.f64[t->n++] = (double)value;
    else if (t->type == TALLY_TYPE_U64 && value >= 0)
        t->values.u64[t->n++] = (uint64_t)value;
    else
        return false;
    return true;
}

static bool add_unsigned(text *t, uint64_t value)
{
    if (t->type != TALLY_TYPE_U64 && t->n > 0)
        return false;
    t->type = TALLY_TYPE_U64;
    t->values.u64[t->n++] = value;
    return true;
}

/* Collects a number; false if it does not go with those that are there. */
static bool add(text *t, number_kind kind, const number *value)
{
    switch (kind) {
    case NUMBER_SIGNED: return add_signed(t, value->as.i64);
    case NUMBER_UNSIGNED: return add_unsigned(t, value->as.u64);
    case NUMBER_REAL: return add_real(t, value->as.f64);
    default: return false;
    }
}

static void hand_out(text *t, reader_piece *piece)
{
    fields_settle(&t->fields);
    piece->array = tally_array_dense(t->type, &t->values, t->n);
    piece->index = t->index - t->n;
    piece->step = 1;
}

/* Begins a piece with the number that ended the one before; true if it is one on its own. */
static bool begin(text *t, reader_piece *piece)
{
    t->n = 0;
    if (!t->held)
        return false;
    t->held = false;
    t->index++;
    if (add(t, t->kind, &t->held_number))
        return false;
    piece->wide = t->held_field.text;
    piece->wide_length = t->held_field.length;
    piece->index = t->index - 1;
    piece->step = 1;
    return true;
}

static void finish(const text *t)
{
    if (t->n_overflowed > 1)
        reader_warning(t->input, "%" PRIu64 " numbers are beyond the range of f64 in all",
                       t->n_overflowed);
}

static reader_result text_next(void *self, reader_piece *piece, reader_error *error)
{
    text *t = self;
    if (begin(t, piece))
        return READER_PIECE;
    while (t->n < VALUES) {
        field f;
        reader_result result = fields_next(&t->fields, &f, error);
        if (result == READER_ERROR)
            return result;
        if (result == READER_END) {
            if (t->n > 0)
                break;
            finish(t);
            return READER_END;
        }
        number value;
        number_kind kind = number_parse(f.text, f.length, &value);
        if (kind == NUMBER_BAD) {
            refuse(t, &f, error);
            return READER_ERROR;
        }
        if (kind == NUMBER_REAL && value.overflowed)
            note_overflow(t, &f);
        if (!add(t, kind, &value)) {
            t->held = true;
            t->kind = kind;
            t->held_number = value;
            t->held_field = f;
            if (t->n > 0)
                break;
            begin(t, piece);
            return READER_PIECE;
        }
        t->index++;
    }
    hand_out(t, piece);
    return READER_PIECE;
}

static void text_close(void *self)
{
    free(self);
}

const reader_methods reader_text = {text_open, text_next, text_close};
