/*
 * text.c - numbers written as text, collected into arrays of one type.
 *
 * A piece of i64 or u64 says that only integers were seen in it, a piece of f64 that a real was:
 * the total of integers has to stay exact, and be printed as one. "-0" is the real -0 among reals,
 * and in a text of nothing else; beside integers it is the integer 0. Where the pieces end depends
 * on the text alone, never on how it arrived.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    bool undecided;   /* all that is collected is "-0": integers or reals, by what follows */
    bool any_integer; /* integers other than "-0" were seen */
    bool any_real;
    uint64_t index;   /* fields handed out or collected */
    bool held;        /* a number read, for which the next piece has to be another one */
    number_kind kind; /* of it */
    number held_number;
    field held_field;
    uint64_t n_overflowed;  /* numbers beyond f64 */
    uint64_t n_underflowed; /* numbers below it */
    union {
        int64_t i64[VALUES];
        uint64_t u64[VALUES];
        double f64[VALUES];
    } values;
} text;

static void *text_open(const reader_input *input, reader_error *error)
{
    text *t = calloc(1, sizeof *t);
    if (!t) {
        message_set(error, input->name, "out of memory");
        return NULL;
    }
    t->input = input;
    if (fields_open(&t->fields, input, error))
        return t;
    free(t);
    return NULL;
}

/* What to try, where the field shows what happened. */
static const char *hint_at(const text *t, const field *f)
{
    static const struct {
        char separator;
        const char *hint;
    } hints[] = {{',', " (fields between commas: -t ,)"},
                 {';', " (fields between semicolons: -t ';')"},
                 {'|', " (fields between bars: -t '|')"}};
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (memchr(f->text, hints[i].separator, f->length))
            return hints[i].hint;
    bool separated = t->fields.separator != 0;
    bool letter = (f->text[0] | 0x20) >= 'a' && (f->text[0] | 0x20) <= 'z';
    if (separated && f->line == 1 && f->column == 1 && letter)
        return " (a header line is left out by: tail -n +2)";
    return f->text[0] == '"' ? " (quotes are not read)" : "";
}

static void refuse(const text *t, const field *f, reader_error *error)
{
    const char *name = t->input->name;
    for (size_t i = 0; i < f->length; i++) {
        if (f->text[i] != '\0')
            continue;
        message_at(error, name, f->line, f->column + i,
                   "a NUL byte: this is no text (raw data: say which with --dtype; UTF-16: "
                   "convert it with iconv; .npz, .gz: unpack it)");
        return;
    }
    char shown[MESSAGE_QUOTE_BYTES(TOKEN_CLIP)];
    message_quote(shown, f->text, f->length, TOKEN_CLIP);
    message_at(error, name, f->line, f->column, "'%s' is not a number%s", shown, hint_at(t, f));
}

/* Warns of a number that f64 does not hold; of the first of each sort only. */
static void note_range(text *t, const field *f, const number *value)
{
    uint64_t *n = value->overflowed ? &t->n_overflowed : &t->n_underflowed;
    if ((*n)++ > 0 || !t->input->warn)
        return;
    char shown[MESSAGE_QUOTE_BYTES(TOKEN_CLIP)];
    message_quote(shown, f->text, f->length, TOKEN_CLIP);
    reader_error message;
    message_at(&message, t->input->name, f->line, f->column, "'%s' is %s", shown,
               value->overflowed ? "beyond the range of f64 and read as an infinity"
                                 : "too small for f64 and read as 0");
    t->input->warn(t->input->user, message.text);
}

/* The numbers collected are "-0", and are to be reals. */
static void become_real(text *t)
{
    t->undecided = false;
    t->type = TALLY_TYPE_F64;
    for (size_t i = 0; i < t->n; i++)
        t->values.f64[i] = -0.0;
}

static bool add_minus_zero(text *t)
{
    if (t->n == 0) {
        t->type = t->any_real ? TALLY_TYPE_F64 : TALLY_TYPE_I64;
        t->undecided = !t->any_real && !t->any_integer;
    }
    if (t->type == TALLY_TYPE_F64)
        t->values.f64[t->n++] = -0.0;
    else
        t->values.i64[t->n++] = 0;
    return true;
}

static bool add_real(text *t, double value)
{
    t->any_real = true;
    if (t->undecided)
        become_real(t);
    if (t->type != TALLY_TYPE_F64 && t->n > 0)
        return false;
    t->type = TALLY_TYPE_F64;
    t->values.f64[t->n++] = value;
    return true;
}

static bool add_signed(text *t, int64_t value)
{
    const int64_t exact = (int64_t)1 << 53; /* every integer up to here is a double */
    t->any_integer = true;
    t->undecided = false;
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
    t->any_integer = true;
    t->undecided = false;
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
    case NUMBER_SIGNED: return value->minus_zero ? add_minus_zero(t) : add_signed(t, value->as.i64);
    case NUMBER_UNSIGNED: return add_unsigned(t, value->as.u64);
    case NUMBER_REAL: return add_real(t, value->as.f64);
    default: t->any_integer = true; return false;
    }
}

static void hand_out(text *t, reader_piece *piece)
{
    if (t->undecided && !t->any_integer)
        become_real(t);
    fields_settle(&t->fields);
    piece->array = tally_array_dense(t->type, &t->values, t->n);
    piece->index = t->index - t->n;
    piece->step = 1;
}

/* Begins a piece with the number that ended the one before; true if it is one on its own. */
static bool begin(text *t, reader_piece *piece)
{
    t->n = 0;
    t->undecided = false;
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
    if (t->n_underflowed > 1)
        reader_warning(t->input, "%" PRIu64 " numbers are too small for f64 in all",
                       t->n_underflowed);
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
        if (kind == NUMBER_REAL && (value.overflowed || value.underflowed))
            note_range(t, &f, &value);
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
