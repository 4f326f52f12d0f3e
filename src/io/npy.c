/*
 * npy.c - .npy files: magic, version, header, then the elements, in C or Fortran order.
 *
 * Fortran order matters only to indexed readers. The elements are handed out as they lie in the
 * file, cut into pieces within which the C-order index grows by a fixed step.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "items.h"
#include "message.h"
#include "npy_header.h"

enum {
    HEADER_MAX = 1 << 24,  /* bytes; versions 2 and 3 could claim 4 GB */
    SHORT_RUN = 64,        /* a first axis below this is too short for one piece a run */
    SLAB_BYTES = 128 << 10 /* read once for every index of a short first axis: fits a cache */
};

typedef struct npy {
    const reader_input *input;
    npy_header header;
    items items;

    /* Indexed reading of Fortran order; axes of length 1 left out. */
    bool fortran;
    unsigned ndim;
    uint64_t shape[NPY_DIMS];
    uint64_t stride[NPY_DIMS]; /* of the C-order index */
    tally_array rest;          /* read and not yet handed out */
    uint64_t at;               /* number of its first element in the file */
    size_t slab, lane;         /* columns of the slab at rest, and the next of its lanes */
} npy;

static bool read_exactly(const reader_input *input, size_t nbytes, const char *what,
                         source_view *view, reader_error *error)
{
    if (!source_peek(input->source, nbytes, view, error))
        return false;
    if (view->n < nbytes)
        message_set(error, input->name, "truncated .npy %s: expected %zu bytes, found %zu", what,
                    nbytes, view->n);
    return view->n >= nbytes;
}

static uint32_t little(const unsigned char *p, int nbytes)
{
    uint32_t v = 0;
    for (int i = nbytes - 1; i >= 0; i--)
        v = v << 8 | p[i];
    return v;
}

static bool read_header(npy *n, reader_error *error)
{
    const reader_input *input = n->input;
    source_view view;
    if (!source_peek(input->source, 6, &view, error))
        return false;
    if (view.n == 0) {
        message_set(error, input->name, "is empty; expected a .npy file");
        return false;
    }
    if (memcmp(view.data, "\x93NUMPY", view.n < 6 ? view.n : 6) != 0) {
        message_set(error, input->name, "is no .npy file: it does not begin with \\x93NUMPY");
        return false;
    }
    if (!read_exactly(input, 10, "file", &view, error))
        return false;
    unsigned version = view.data[6];
    if (version < 1 || version > 3 || view.data[7] != 0) {
        message_set(error, input->name, ".npy version %u.%u is not known; expected 1.0, 2.0 or 3.0",
                    version, view.data[7]);
        return false;
    }
    size_t prefix = version == 1 ? 10 : 12;
    if (!read_exactly(input, prefix, "file", &view, error))
        return false;
    uint32_t length = little(view.data + 8, version == 1 ? 2 : 4);
    if (length > HEADER_MAX) {
        message_set(error, input->name,
                    "the .npy header claims %" PRIu32 " bytes; more than %d are refused", length,
                    HEADER_MAX);
        return false;
    }
    if (!read_exactly(input, prefix + length, "header", &view, error))
        return false;
    const reader_options *options = input->options;
    npy_choice choice = {options->field, options->dtype, options->order};
    if (!npy_header_parse(view.data + prefix, length, prefix, version, &choice, input->name,
                          &n->header, error))
        return false;
    source_consume(input->source, prefix + length);
    return true;
}

static void plan_fortran(npy *n)
{
    const npy_header *h = &n->header;
    for (unsigned i = 0; i < h->ndim; i++)
        if (h->shape[i] != 1)
            n->shape[n->ndim++] = h->shape[i];
    n->fortran = h->fortran && n->input->options->indexed && n->ndim >= 2 && h->count > 0;
    uint64_t stride = 1;
    for (unsigned i = n->ndim; n->fortran && i-- > 0; stride *= n->shape[i])
        n->stride[i] = stride;
}

/* Known sizes are checked before anything is read: nobody waits an hour for this warning. */
static void warn_of_more(const npy *n)
{
    uint64_t size = source_size(n->input->source);
    if (size == UINT64_MAX)
        return;
    uint64_t more = size - source_position(n->input->source) - n->header.nbytes;
    if (more > 0)
        reader_warning(n->input, "%" PRIu64 " byte%s after the array %s not read", more,
                       more == 1 ? "" : "s", more == 1 ? "is" : "are");
}

static void *npy_open(const reader_input *input, reader_error *error)
{
    npy *n = calloc(1, sizeof *n);
    if (!n) {
        message_set(error, input->name, "out of memory");
        return NULL;
    }
    n->input = input;
    if (read_header(n, error)) {
        const npy_item *item = &n->header.item;
        items_layout layout = {item->record, item->offset, item->type, item->order,
                               n->header.count};
        if (items_open(&n->items, input, &layout, error)) {
            plan_fortran(n);
            warn_of_more(n);
            return n;
        }
    }
    free(n);
    return NULL;
}

/* A pipe tells only at the end whether more follows. */
static reader_result finish(npy *n, reader_error *error)
{
    source_view view;
    if (source_size(n->input->source) != UINT64_MAX)
        return READER_END;
    if (!source_peek(n->input->source, 1, &view, error))
        return READER_ERROR;
    if (view.n > 0)
        reader_warning(n->input, "bytes after the array are not read");
    return READER_END;
}

/* The C-order index of element (0, i1, i2, ...), where column counts these in Fortran order. */
static uint64_t column_index(const npy *n, uint64_t column)
{
    uint64_t index = 0;
    for (unsigned i = 1; i < n->ndim; i++) {
        index += column % n->shape[i] * n->stride[i];
        column /= n->shape[i];
    }
    return index;
}

static void advance(npy *n, size_t elements)
{
    n->rest.data = (const char *)n->rest.data + elements * n->items.size;
    n->rest.n -= elements;
    n->at += elements;
}

/* How many whole columns at rest make a slab along the second axis; 0 if a run is better. */
static size_t find_slab(const npy *n)
{
    uint64_t height = n->shape[0];
    if (height >= SHORT_RUN || n->at % height != 0 || n->rest.n < 2 * height)
        return 0;
    uint64_t columns = n->rest.n / height;
    uint64_t fits = SLAB_BYTES / (height * n->items.size);
    uint64_t before_edge = n->shape[1] - n->at / height % n->shape[1];
    columns = columns < fits ? columns : fits;
    return (size_t)(columns < before_edge ? columns : before_edge);
}

static reader_result next_fortran(npy *n, reader_piece *piece, reader_error *error)
{
    if (n->rest.n == 0) {
        reader_result result = items_next(&n->items, &n->rest, error);
        if (result != READER_PIECE)
            return result;
    }
    uint64_t height = n->shape[0];
    if (n->slab == 0) {
        n->slab = find_slab(n);
        n->lane = 0;
    }
    piece->array = n->rest;
    piece->index = column_index(n, n->at / height) + (n->at % height + n->lane) * n->stride[0];
    if (n->slab > 0) {
        piece->array.data = (const char *)n->rest.data + n->lane * n->items.size;
        piece->array.n = n->slab;
        piece->array.stride = (ptrdiff_t)height;
        piece->step = n->stride[1];
        if (++n->lane == height) {
            advance(n, n->slab * (size_t)height);
            n->slab = 0;
        }
        return READER_PIECE;
    }
    uint64_t run = height - n->at % height;
    if (piece->array.n > run)
        piece->array.n = (size_t)run;
    piece->step = n->stride[0];
    advance(n, piece->array.n);
    return READER_PIECE;
}

static reader_result npy_next(void *self, reader_piece *piece, reader_error *error)
{
    npy *n = self;
    reader_result result;
    if (n->fortran) {
        result = next_fortran(n, piece, error);
    } else {
        piece->index = n->items.done;
        piece->step = 1;
        result = items_next(&n->items, &piece->array, error);
    }
    return result == READER_END ? finish(n, error) : result;
}

static void npy_close(void *self)
{
    npy *n = self;
    items_close(&n->items);
    free(n);
}

const reader_methods reader_npy = {npy_open, npy_next, npy_close};
