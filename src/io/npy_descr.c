/*
 * npy_descr.c - the type in a .npy header: '<f4', or a list of fields such as [('a', '<f4')].
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "npy_header.h"

/* One type string, taken apart. */
typedef struct descr {
    char text[64];   /* printable, for messages */
    char kind;       /* numpy's letter; '[' for a list of fields */
    uint64_t size;   /* bytes */
    tally_type type; /* DEFAULT: none of ours */
    reader_order order;
} descr;

static tally_type find_type(char kind, uint64_t size)
{
    static const struct {
        char kind;
        unsigned char size;
        tally_type type;
    } types[] = {
        {'f', 2, TALLY_TYPE_F16}, {'f', 4, TALLY_TYPE_F32}, {'f', 8, TALLY_TYPE_F64},
        {'i', 1, TALLY_TYPE_I8},  {'i', 2, TALLY_TYPE_I16}, {'i', 4, TALLY_TYPE_I32},
        {'i', 8, TALLY_TYPE_I64}, {'u', 1, TALLY_TYPE_U8},  {'u', 2, TALLY_TYPE_U16},
        {'u', 4, TALLY_TYPE_U32}, {'u', 8, TALLY_TYPE_U64}, {'b', 1, TALLY_TYPE_BOOL},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].kind == kind && types[i].size == size)
            return types[i].type;
    return TALLY_TYPE_DEFAULT;
}

static const char *kind_text(char kind)
{
    switch (kind) {
    case 'O': return "Python objects, which only Python can load";
    case 'c': return "complex numbers";
    case 'S':
    case 'a':
    case 'U': return "strings";
    case 'M': return "dates";
    case 'm': return "time spans";
    case 'V': return "bytes of no type";
    default: return "no type of ours";
    }
}

/* Takes '<f4' apart; l stands behind it. */
static bool parse_text(literal *l, const char *text, descr *d)
{
    message_quote(d->text, text, strlen(text), 12);
    const char *p = text;
    char order = *p && strchr("<>=|", *p) ? *p++ : '=';
    d->order = order == '<'   ? READER_ORDER_LITTLE
               : order == '>' ? READER_ORDER_BIG
                              : READER_ORDER_DEFAULT;
    d->kind = *p ? *p++ : '?';
    d->size = 0;
    const char *digits = p;
    for (; *p >= '0' && *p <= '9' && d->size <= NPY_RECORD_MAX; p++)
        d->size = 10 * d->size + (uint64_t)(*p - '0');
    if (d->kind == 'O' && p == digits)
        d->size = sizeof(void *);
    bool unit = (d->kind == 'M' || d->kind == 'm') && *p == '[';
    if (!strchr("fiubcSaUMmVO", d->kind) || (p == digits && d->kind != 'O') || (*p && !unit)) {
        message_set(l->error, l->name, "unsupported type '%s' in the .npy header", d->text);
        return false;
    }
    if (d->kind == 'U')
        d->size *= 4;
    d->type = find_type(d->kind, d->size);
    return true;
}

/* Applies choice->dtype. */
static bool settle_type(literal *l, const npy_choice *choice, descr *d)
{
    size_t wanted = tally_type_size(choice->dtype);
    if (choice->dtype != TALLY_TYPE_DEFAULT && d->kind != 'O') {
        if (d->size != wanted) {
            message_set(l->error, l->name,
                        "dtype %s has %zu byte%s, the items ('%s') have %" PRIu64
                        ": a dtype re-reads items of its own size only",
                        tally_type_name(choice->dtype), wanted, wanted == 1 ? "" : "s", d->text,
                        d->size);
            return false;
        }
        d->type = choice->dtype;
        if (choice->order != READER_ORDER_DEFAULT)
            d->order = choice->order;
    }
    if (d->type != TALLY_TYPE_DEFAULT)
        return true;
    message_set(l->error, l->name, "unsupported type '%s' (%s); %s", d->text, kind_text(d->kind),
                d->kind == 'V' && d->size == 2
                    ? "if these are bfloat16 numbers, give the dtype bf16"
                    : "supported are f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8 and b1");
    return false;
}

/* What is known while a list of fields is read. */
typedef struct field_list {
    const char *wanted; /* or NULL */
    unsigned n;         /* fields, padding left out */
    unsigned n_found;   /* of the wanted name; without one, all */
    descr found;
    bool is_array;   /* the found one has a shape of its own */
    uint64_t offset; /* of the found one */
    uint64_t record; /* bytes so far */
    char names[300]; /* for messages */
    bool clipped;    /* names ends in "..." */
} field_list;

static bool parse_list(literal *l, field_list *f, unsigned depth);

/* A field's type: a string, or a list of fields, of which only the size counts here. */
static bool parse_field_type(literal *l, descr *d, unsigned depth)
{
    if (literal_sees(l, '[')) {
        field_list nested = {.wanted = NULL};
        memset(d, 0, sizeof *d);
        d->kind = '[';
        if (!parse_list(l, &nested, depth + 1))
            return false;
        d->size = nested.record;
        return true;
    }
    char text[LITERAL_STRING_BYTES];
    return literal_string(l, text) && parse_text(l, text, d);
}

/* 'name', or ('title', 'name'). */
static bool parse_name(literal *l, char name[LITERAL_STRING_BYTES])
{
    if (!literal_accept(l, '('))
        return literal_string(l, name);
    return literal_string(l, name) && literal_expect(l, ',') && literal_string(l, name) &&
           literal_expect(l, ')');
}

/* Adds "NAME (TYPE)" to the list for messages, or a last "..." once it is full. */
static void list_name(field_list *f, const char *name, const descr *d, bool is_array)
{
    if (f->clipped)
        return;
    size_t used = strlen(f->names);
    char shown[MESSAGE_QUOTE_BYTES(40)];
    message_quote(shown, name, strlen(name), 40);
    const char *type = d->kind == '[' ? "fields" : d->text;
    f->clipped = used + strlen(shown) + strlen(type) + sizeof ",  ( array), ..." > sizeof f->names;
    if (f->clipped)
        strcpy(f->names + used, f->n ? ", ..." : "...");
    else
        sprintf(f->names + used, "%s%s (%s%s)", f->n ? ", " : "", shown, type,
                is_array ? " array" : "");
}

static void note_field(field_list *f, const char *name, const descr *d, bool is_array)
{
    if (*name == '\0') /* padding */
        return;
    list_name(f, name, d, is_array);
    f->n++;
    if (f->wanted && strcmp(name, f->wanted) != 0)
        return;
    f->n_found++;
    f->found = *d;
    f->is_array = is_array;
    f->offset = f->record;
}

/* ('name', type) or ('name', type, shape) */
static bool parse_field(literal *l, field_list *f, unsigned depth)
{
    char name[LITERAL_STRING_BYTES];
    descr d;
    if (!literal_expect(l, '(') || !parse_name(l, name) || !literal_expect(l, ',') ||
        !parse_field_type(l, &d, depth))
        return false;
    uint64_t count = 1, shape[NPY_DIMS];
    unsigned ndim;
    bool comma = literal_accept(l, ','), is_array = comma && !literal_sees(l, ')');
    if (is_array && !(npy_shape_parse(l, &ndim, shape)))
        return false;
    if (is_array && !npy_shape_count(ndim, shape, &count))
        count = UINT64_MAX;
    if (is_array)
        literal_accept(l, ',');
    if (!literal_expect(l, ')'))
        return false;
    if (d.kind == 'O') { /* then numpy pickles the whole array: there are no records */
        message_set(l->error, l->name, "unsupported type '%s' (%s)", d.text, kind_text(d.kind));
        return false;
    }
    note_field(f, name, &d, is_array);
    if (d.size > 0 && count > (NPY_RECORD_MAX - f->record) / d.size) {
        message_set(l->error, l->name, "unsupported: items of more than %d bytes", NPY_RECORD_MAX);
        return false;
    }
    f->record += count * d.size;
    return true;
}

static bool parse_list(literal *l, field_list *f, unsigned depth)
{
    if (depth > 8)
        return literal_fail(l, "fields within fields, more than 8 deep");
    if (!literal_expect(l, '['))
        return false;
    for (bool comma = true; !literal_accept(l, ']'); comma = literal_accept(l, ',')) {
        if (!comma)
            return literal_fail(l, "expected ',' or ']'");
        if (!parse_field(l, f, depth))
            return false;
    }
    return true;
}

static bool choose_field(literal *l, const field_list *f)
{
    char wanted[MESSAGE_QUOTE_BYTES(40)] = "";
    if (f->wanted)
        message_quote(wanted, f->wanted, strlen(f->wanted), 40);
    if (f->n == 0)
        message_set(l->error, l->name, "the items have no fields");
    else if (f->n_found == 0)
        message_set(l->error, l->name, "there is no field '%s'; there are: %s", wanted, f->names);
    else if (f->n_found > 1 && !f->wanted)
        message_set(l->error, l->name, "the items have several fields; choose one of: %s",
                    f->names);
    else if (f->n_found > 1)
        message_set(l->error, l->name, "there are %u fields '%s'", f->n_found, wanted);
    else if (f->is_array || f->found.kind == '[')
        message_set(l->error, l->name,
                    "unsupported: the field is not one number an item; there are: %s", f->names);
    else
        return true;
    return false;
}

bool npy_descr_parse(literal *l, const npy_choice *choice, npy_item *item)
{
    descr d;
    if (literal_sees(l, '[')) {
        field_list f = {.wanted = choice->field};
        if (!parse_list(l, &f, 0) || !choose_field(l, &f))
            return false;
        d = f.found;
        item->offset = (size_t)f.offset;
        item->record = (size_t)f.record;
        if (!settle_type(l, choice, &d))
            return false;
    } else {
        char text[LITERAL_STRING_BYTES];
        if (!literal_string(l, text) || !parse_text(l, text, &d))
            return false;
        if (choice->field) {
            message_set(l->error, l->name, "a field was chosen, but the items are plain '%s'",
                        d.text);
            return false;
        }
        if (!settle_type(l, choice, &d))
            return false;
        item->offset = 0;
        item->record = (size_t)d.size;
    }
    item->type = d.type;
    item->order = d.order;
    return true;
}
