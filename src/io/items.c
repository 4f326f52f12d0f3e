/*
 * items.c - dense numbers in this machine's byte order are handed out where they are; others are
 * gathered into a buffer first.
 */
#include "items.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

enum { BUFFER_BYTES = 256 << 10 }; /* stays in a second-level cache */

static bool little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* The input holds found bytes from the first record on. */
static bool check_found(const items *it, uint64_t found, reader_error *error)
{
    const items_layout *layout = &it->layout;
    const char *type = tally_type_name(layout->type);
    if (layout->count == UINT64_MAX) {
        uint64_t over = found % layout->record;
        if (over == 0)
            return true;
        message_set(error, it->input->name,
                    "%" PRIu64 " byte%s left over: %" PRIu64
                    " bytes are no whole number of %s elements; is the dtype or the offset wrong?",
                    over, over == 1 ? "" : "s", found, type);
        return false;
    }
    uint64_t expected = layout->count * layout->record;
    if (found >= expected)
        return true;
    message_set(error, it->input->name,
                "truncated: expected %" PRIu64 " data bytes, found %" PRIu64, expected, found);
    return false;
}

bool items_open(items *it, const reader_input *input, const items_layout *layout,
                reader_error *error)
{
    memset(it, 0, sizeof *it);
    it->input = input;
    it->layout = *layout;
    it->size = tally_type_size(layout->type);
    if (layout->order != READER_ORDER_DEFAULT && it->size > 1)
        it->swap = (layout->order == READER_ORDER_LITTLE) != little_endian();
    if (layout->count != UINT64_MAX && layout->count > UINT64_MAX / layout->record) {
        message_set(error, input->name,
                    "%" PRIu64 " elements of %zu bytes are more than any file can hold",
                    layout->count, layout->record);
        return false;
    }
    uint64_t size = source_size(input->source);
    if (size != UINT64_MAX && !check_found(it, size - source_position(input->source), error))
        return false;
    if (it->swap || layout->record != it->size) {
        it->buffer = malloc(BUFFER_BYTES);
        if (!it->buffer) {
            message_set(error, input->name, "out of memory");
            return false;
        }
    }
    return true;
}

void items_close(items *it)
{
    free(it->buffer);
}

static void gather16(unsigned char *to, const unsigned char *from, size_t n, size_t record,
                     bool swap)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t v;
        memcpy(&v, from + i * record, sizeof v);
        if (swap)
            v = (uint16_t)(v >> 8 | v << 8);
        memcpy(to + i * sizeof v, &v, sizeof v);
    }
}

static uint32_t swap32(uint32_t v)
{
    return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

static void gather32(unsigned char *to, const unsigned char *from, size_t n, size_t record,
                     bool swap)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t v;
        memcpy(&v, from + i * record, sizeof v);
        if (swap)
            v = swap32(v);
        memcpy(to + i * sizeof v, &v, sizeof v);
    }
}

static void gather64(unsigned char *to, const unsigned char *from, size_t n, size_t record,
                     bool swap)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t v;
        memcpy(&v, from + i * record, sizeof v);
        if (swap)
            v = (uint64_t)swap32((uint32_t)v) << 32 | swap32((uint32_t)(v >> 32));
        memcpy(to + i * sizeof v, &v, sizeof v);
    }
}

static void gather(const items *it, const unsigned char *from, size_t n)
{
    size_t record = it->layout.record;
    from += it->layout.offset;
    switch (it->size) {
    case 2: gather16(it->buffer, from, n, record, it->swap); break;
    case 4: gather32(it->buffer, from, n, record, it->swap); break;
    case 8: gather64(it->buffer, from, n, record, it->swap); break;
    default:
        for (size_t i = 0; i < n; i++)
            it->buffer[i] = from[i * record];
    }
}

reader_result items_next(items *it, tally_array *array, reader_error *error)
{
    const items_layout *layout = &it->layout;
    bool counted = layout->count != UINT64_MAX;
    if (counted && it->done == layout->count)
        return READER_END;
    source_view view;
    if (!source_peek(it->input->source, layout->record, &view, error))
        return READER_ERROR;
    size_t n = view.n / layout->record;
    if (n == 0) {
        uint64_t found = it->done * layout->record + view.n;
        return check_found(it, found, error) ? READER_END : READER_ERROR;
    }
    if (counted && n > layout->count - it->done)
        n = (size_t)(layout->count - it->done);
    if (it->buffer && n > BUFFER_BYTES / it->size)
        n = BUFFER_BYTES / it->size;
    if (it->buffer)
        gather(it, view.data, n);
    *array = tally_array_dense(layout->type, it->buffer ? it->buffer : view.data, n);
    source_consume(it->input->source, n * layout->record);
    it->done += n;
    return READER_PIECE;
}
