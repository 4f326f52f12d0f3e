/*
 * items.h - binary numbers of one type, each at the same place of equally long records, as pieces.
 * What .npy and raw data have in common.
 */
#ifndef TALLY_ITEMS_H
#define TALLY_ITEMS_H

#include "formats.h"

enum { ITEMS_RECORD_MAX = 1 << 24 }; /* bytes: a record is looked at as a whole */

typedef struct items_layout {
    size_t record; /* bytes from one element to the next, at most ITEMS_RECORD_MAX */
    size_t offset; /* of the element in its record */
    tally_type type;
    reader_order order; /* DEFAULT: this machine's */
    uint64_t count;     /* records; UINT64_MAX: up to the end of the input */
} items_layout;

typedef struct items {
    const reader_input *input;
    items_layout layout;
    size_t size;           /* bytes of an element */
    bool swap;             /* bytes of an element stand the other way round */
    uint64_t done;         /* records handed out */
    unsigned char *buffer; /* for elements that cannot stay where they are, or NULL */
} items;

/* Starts at the source's position. Where the input's size is known, it is checked at once that the
 * records are all there. */
bool items_open(items *it, const reader_input *input, const items_layout *layout,
                reader_error *error);

/* A dense array of the next elements; valid until the next call. */
reader_result items_next(items *it, tally_array *array, reader_error *error);

void items_close(items *it);

#endif
