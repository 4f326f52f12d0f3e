/*
 * gather.c - copies pieces behind one another, and numbers of a command line.
 */
#include "gather.h"

#include <stdlib.h>
#include <string.h>

#include "io/message.h"
#include "io/number.h"
#include "item.h"
#include "output.h"

static const char no_memory[] = "there is not enough memory for all elements at once, which a tree "
                                "needs; --level exact needs none";

void gather_free(gathered *g)
{
    free(g->data);
    memset(g, 0, sizeof *g);
}

/* Room for n elements of size bytes. */
static bool make_room(gathered *g, uint64_t n, size_t size)
{
    if (n > SIZE_MAX / 2 / size)
        return false;
    size_t needed = (size_t)n * size;
    if (needed <= g->room)
        return true;
    size_t room = needed < 4096 ? 4096 : needed + needed / 2;
    unsigned char *data = realloc(g->data, room);
    if (!data)
        return false;
    g->data = data;
    g->room = room;
    return true;
}

/* The i64 elements of this file become f64: it is text, and not all of its numbers are integers. */
static void turn_real(gathered *g)
{
    for (uint64_t i = g->before; i < g->n; i++) {
        int64_t integer;
        memcpy(&integer, g->data + 8 * i, 8);
        double real = (double)integer;
        memcpy(g->data + 8 * i, &real, 8);
    }
    g->here = TALLY_TYPE_F64;
}

static const char *check_type(gathered *g, tally_type type)
{
    item_kind kind;
    if (!tally_item_kind(type, &kind))
        return "level tree takes elements of f16, bf16, f32, f64, i32 and i64; these are of "
               "another type, or integers beyond i64. --level exact takes every type";
    if (g->here == TALLY_TYPE_DEFAULT)
        g->here = type;
    if (g->type == TALLY_TYPE_DEFAULT || tally_type_size(g->type) == tally_type_size(type))
        return NULL;
    return "the elements are of another type than those before, and a tree adds one type; "
           "--level exact takes them together";
}

/* A piece's element, as the type of this file. */
static void put(gathered *g, uint64_t at, tally_type type, const unsigned char *element)
{
    size_t size = tally_type_size(g->here);
    if (type == g->here) {
        memcpy(g->data + size * at, element, size);
    } else {
        int64_t integer;
        memcpy(&integer, element, 8);
        double real = (double)integer;
        memcpy(g->data + size * at, &real, 8);
    }
}

const char *gather_add(gathered *g, const reader_piece *piece)
{
    const tally_array *x = &piece->array;
    const char *why = check_type(g, piece->wide ? TALLY_TYPE_U64 : x->type);
    if (why)
        return why;
    if (x->type == TALLY_TYPE_F64 && g->here == TALLY_TYPE_I64)
        turn_real(g);
    size_t size = tally_type_size(x->type);
    uint64_t end = g->before + piece->index + (x->n - 1) * piece->step + 1;
    if (!make_room(g, end, size))
        return no_memory;
    const unsigned char *element = x->data;
    for (size_t i = 0; i < x->n; i++)
        put(g, g->before + piece->index + i * piece->step, x->type,
            element + (ptrdiff_t)i * x->stride * (ptrdiff_t)size);
    if (end > g->n)
        g->n = end;
    return NULL;
}

const char *gather_next_file(gathered *g)
{
    tally_type here = g->here;
    g->before = g->n;
    g->here = TALLY_TYPE_DEFAULT;
    if (here == TALLY_TYPE_DEFAULT || g->type == here)
        return NULL;
    if (g->type != TALLY_TYPE_DEFAULT)
        return "the elements are of another type than those before, and a tree adds one type "
               "(text is i64 if all of a file's numbers are integers, else f64)";
    g->type = here;
    return NULL;
}

/* One number, as bits of a type; false if the type does not hold it. */
static bool put_number(gathered *g, const char *text, size_t length, const number *parsed)
{
    size_t size = tally_type_size(g->type);
    uint64_t bits;
    if (g->type == TALLY_TYPE_I32 || g->type == TALLY_TYPE_I64) {
        int64_t low = g->type == TALLY_TYPE_I32 ? INT32_MIN : INT64_MIN;
        int64_t high = g->type == TALLY_TYPE_I32 ? INT32_MAX : INT64_MAX;
        if (parsed->kind != NUMBER_SIGNED || parsed->as.i64 < low || parsed->as.i64 > high)
            return false;
        bits = (uint64_t)parsed->as.i64;
    } else {
        bits = number_round(text, length, g->type);
    }
    uint16_t half = (uint16_t)bits;
    uint32_t word = (uint32_t)bits;
    const void *from = size == 2 ? (void *)&half : size == 4 ? (void *)&word : (void *)&bits;
    memcpy(g->data + size * g->n++, from, size);
    return true;
}

static bool refuse_value(const char *text, size_t length, const char *why)
{
    char shown[MESSAGE_QUOTE_BYTES(40)];
    message_quote(shown, text, length, 40);
    output_message("--values: '%s' %s", shown, why);
    return false;
}

/* The length of the number that values begins with; gives what is behind its comma, or NULL. */
static const char *next_value(const char *values, size_t *length)
{
    *length = strcspn(values, ",");
    return values[*length] ? values + *length + 1 : NULL;
}

/* The type that text gets: i64 if every number is such an integer, else f64. */
static bool natural_type(const char *values, tally_type *type)
{
    size_t length;
    number parsed;
    *type = *values ? TALLY_TYPE_I64 : TALLY_TYPE_F64;
    for (const char *at = values, *next; at; at = next) {
        next = next_value(at, &length);
        number_kind kind = number_parse(at, length, &parsed);
        if (kind == NUMBER_REAL)
            *type = TALLY_TYPE_F64;
        if (kind == NUMBER_UNSIGNED || kind == NUMBER_WIDE)
            return refuse_value(at, length, "is an integer beyond i64; --dtype f64 rounds it");
    }
    return true;
}

bool gather_values(gathered *g, const char *values, tally_type type)
{
    item_kind kind;
    size_t length;
    number parsed;
    g->type = type;
    if (type == TALLY_TYPE_DEFAULT && !natural_type(values, &g->type))
        return false;
    if (!tally_item_kind(g->type, &kind)) {
        output_message("--dtype %s: a tree takes f16, bf16, f32, f64, i32 and i64",
                       tally_type_name(type));
        return false;
    }
    for (const char *at = *values ? values : NULL, *next; at; at = next) {
        next = next_value(at, &length);
        if (number_parse(at, length, &parsed) == NUMBER_BAD)
            return refuse_value(at, length, "is not a number; write them as 3,-1,0.5");
        if (!make_room(g, g->n + 1, tally_type_size(g->type))) {
            output_message("%s", no_memory);
            return false;
        }
        if (!put_number(g, at, length, &parsed))
            return refuse_value(at, length, "is no value of the integer type");
    }
    return true;
}

tally_array gather_array(const gathered *g)
{
    tally_type type = g->type == TALLY_TYPE_DEFAULT ? TALLY_TYPE_F64 : g->type;
    return tally_array_dense(type, g->data, (size_t)g->n);
}

void gather_count(const gathered *g, uint64_t *n_nan, uint64_t *n_inf)
{
    /* exponent field all ones; its lowest bit is the lowest of an infinity's bits */
    const uint64_t infinity = g->type == TALLY_TYPE_F16    ? 0x7c00
                              : g->type == TALLY_TYPE_BF16 ? 0x7f80
                              : g->type == TALLY_TYPE_F32  ? 0x7f800000
                                                           : 0x7ff0000000000000;
    size_t size = tally_type_size(g->type);
    *n_nan = *n_inf = 0;
    if (g->type == TALLY_TYPE_I32 || g->type == TALLY_TYPE_I64)
        return;
    for (uint64_t i = 0; i < g->n; i++) {
        uint16_t half;
        uint32_t word;
        uint64_t bits;
        const unsigned char *element = g->data + size * i;
        memcpy(size == 2   ? (void *)&half
               : size == 4 ? (void *)&word
                           : (void *)&bits,
               element, size);
        bits = size == 2 ? half : size == 4 ? word : bits;
        bits &= ((uint64_t)1 << (8 * size - 1)) - 1;
        *n_nan += bits > infinity;
        *n_inf += bits == infinity;
    }
}
