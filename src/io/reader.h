/*
 * reader.h - numbers out of files: .npy, raw, text; from a path or standard input.
 *
 * A reader hands out pieces, one after another, each an array in memory that stays valid until the
 * next call. Files are mapped in windows (a whole-file map would count as memory; plain reads are
 * slower from a warm cache), pipes are read; memory use does not depend on the file's size.
 */
#ifndef TALLY_READER_H
#define TALLY_READER_H

#include <stdbool.h>

#include "tally.h"

typedef enum reader_format {
    READER_AUTO = 0, /* npy if it begins with the magic or is called .npy; raw if a dtype was
                        given; else text */
    READER_NPY = 1,
    READER_RAW = 2,
    READER_TEXT = 3
} reader_format;

typedef enum reader_order {
    READER_ORDER_DEFAULT = 0,
    READER_ORDER_LITTLE = 1,
    READER_ORDER_BIG = 2
} reader_order;

/* All zero, plus a path and count UINT64_MAX, is the default. */
typedef struct reader_options {
    const char *path; /* "-" is standard input */
    reader_format format;
    tally_type dtype;   /* raw: required. npy: read items of this size as this type (bf16) */
    reader_order order; /* of dtype; default: little for raw, the file's for npy */
    uint64_t offset;    /* raw: bytes before the first element */
    uint64_t count;     /* raw: elements to read; UINT64_MAX: all there are */
    const char *field;  /* npy: the field of a structured type, or NULL */
    char separator;     /* text: one byte between fields; 0: by the name (.csv ',', .tsv tab), else
                           white space */
    bool indexed;       /* argmin, argmax: pieces must say the C-order index of their elements */
} reader_options;

typedef struct reader_piece {
    tally_array array; /* n >= 1; any alignment */
    uint64_t index;    /* element i of the array is element index + i * step of the file, */
    uint64_t step;     /* in C order (guaranteed only if options.indexed) */
    /* An integer of text that neither i64 nor u64 holds: array.n is 0, and these are its
     * characters. */
    const char *wide;
    size_t wide_length;
} reader_piece;

typedef enum reader_result { READER_PIECE = 0, READER_END = 1, READER_ERROR = 2 } reader_result;

typedef struct reader reader;

/* A message for people, with the file's name in it: "FILE: what is wrong, what to do". No newline.
 */
typedef struct reader_error {
    char text[640];
} reader_error;

/* Warnings (bytes after the array, 1e999 read as inf) go through this; may be NULL. */
typedef void reader_warn(void *user, const char *text);

/* Opens options->path and reads as far as the header. NULL and *error on failure. Strings in
 * options must outlive the reader. */
reader *reader_open(const reader_options *options, reader_warn *warn, void *user,
                    reader_error *error);

reader_result reader_next(reader *r, reader_piece *piece, reader_error *error);

/* Text only: where element "index" of this file stands is not kept; these count what was read so
 * far. */
uint64_t reader_bytes(const reader *r); /* consumed */
uint64_t reader_size(const reader *r);  /* of the whole input, 0 if unknown (a pipe) */

void reader_close(reader *r); /* NULL is fine */

#endif
