/*
 * raw.c - numbers without a header: dtype, offset and count say what they are.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "formats.h"
#include "items.h"
#include "message.h"

static bool skip_offset(const reader_input *input, reader_error *error)
{
    uint64_t offset = input->options->offset, skipped;
    if (!source_skip(input->source, offset, &skipped, error))
        return false;
    if (skipped < offset)
        message_set(error, input->name,
                    "the offset is past the end: expected at least %" PRIu64
                    " bytes, found %" PRIu64,
                    offset, skipped);
    return skipped == offset;
}

static void *raw_open(const reader_input *input, reader_error *error)
{
    const reader_options *options = input->options;
    if (options->dtype == TALLY_TYPE_DEFAULT) {
        message_set(error, input->name, "raw data needs a dtype, such as f32 or f64be");
        return NULL;
    }
    items *it = malloc(sizeof *it);
    if (!it) {
        message_set(error, input->name, "out of memory");
        return NULL;
    }
    items_layout layout = {
        .record = tally_type_size(options->dtype),
        .type = options->dtype,
        .order = options->order ? options->order : READER_ORDER_LITTLE,
        .count = options->count,
    };
    if (skip_offset(input, error) && items_open(it, input, &layout, error))
        return it;
    free(it);
    return NULL;
}

static reader_result raw_next(void *self, reader_piece *piece, reader_error *error)
{
    items *it = self;
    piece->index = it->done;
    piece->step = 1;
    return items_next(it, &piece->array, error);
}

static void raw_close(void *self)
{
    items_close(self);
    free(self);
}

const reader_methods reader_raw = {raw_open, raw_next, raw_close};
