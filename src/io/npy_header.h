/*
 * npy_header.h - the text in a .npy file's header: what type, order and shape the data have.
 */
#ifndef TALLY_NPY_HEADER_H
#define TALLY_NPY_HEADER_H

#include "literal.h"
#include "reader.h"

enum {
    NPY_DIMS = 64,           /* dimensions; numpy itself stops there */
    NPY_RECORD_MAX = 1 << 24 /* bytes of an item */
};

/* What of the data is wanted. */
typedef struct npy_choice {
    const char *field;  /* of a structured type, or NULL */
    tally_type dtype;   /* instead of the file's, or DEFAULT */
    reader_order order; /* of dtype; DEFAULT: the file's */
} npy_choice;

/* Where the numbers are in the items. */
typedef struct npy_item {
    size_t record; /* bytes of an item */
    size_t offset; /* of the number in it */
    tally_type type;
    reader_order order; /* DEFAULT: this machine's, or of no matter */
} npy_item;

typedef struct npy_header {
    npy_item item;
    bool fortran;
    unsigned ndim;
    uint64_t shape[NPY_DIMS];
    uint64_t count;  /* items: the product of the shape */
    uint64_t nbytes; /* of the data */
} npy_header;

/* Parses the dictionary, nbytes of text that begin at byte offset of the file "name". version is 1,
 * 2 or 3. Looks at nothing but these bytes. False and *error on failure. */
bool npy_header_parse(const void *text, size_t nbytes, size_t offset, unsigned version,
                      const npy_choice *choice, const char *name, npy_header *header,
                      reader_error *error);

/* The value of 'descr', at l: a type, or a list of fields of which choice takes one. */
bool npy_descr_parse(literal *l, const npy_choice *choice, npy_item *item);

/* "(3, 4)" at l. */
bool npy_shape_parse(literal *l, unsigned *ndim, uint64_t shape[NPY_DIMS]);

/* The product of shape; false if 64 bits do not hold it. Any dimension 0 makes it 0. */
bool npy_shape_count(unsigned ndim, const uint64_t *shape, uint64_t *count);

#endif
