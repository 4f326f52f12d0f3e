/*
 * read_all.h - for tests of the readers: makes inputs out of bytes and collects what is read.
 */
#ifndef TALLY_READ_ALL_H
#define TALLY_READ_ALL_H

#include "io/formats.h"

/* How the bytes get to the reader. */
typedef enum route {
    ROUTE_FILE,       /* a mapped file */
    ROUTE_FILE_SMALL, /* the same through windows of one page */
    ROUTE_READ,       /* a file that is read, three bytes at a time */
    ROUTE_PIPE,       /* a pipe into which another process puts one byte after another */
    ROUTES
} route;

typedef struct element {
    tally_type type; /* DEFAULT: nothing came, or a wide integer */
    union {
        double f64;
        float f32;
        int64_t i64;
        uint64_t u64; /* bool, and f16 and bf16 as bits, too */
    } as;
} element;

typedef struct reading {
    element *element; /* by C-order index */
    uint64_t n, capacity;
    uint64_t n_pieces;
    bool wrong;  /* a piece broke the rules of reader.h, or two gave the same index */
    bool failed; /* at open or later, with this message: */
    char error[sizeof(reader_error)];
    unsigned n_warnings;
    char warning[sizeof(reader_error)]; /* the latest */
    char wide[64];                      /* the latest wide integer, clipped */
    unsigned n_wide;
} reading;

/* Reads nbytes on the given route with options (path may be NULL; suffix is the end of the file's
 * name). The name in messages is replaced by "IN". */
void read_bytes(reading *r, const void *bytes, size_t nbytes, route way, const char *suffix,
                const reader_options *options);
/* Reads what options->path names. */
void read_path(reading *r, const reader_options *options, const source_tuning *tuning);
void reading_free(reading *r);

/* The value of an element as a number that is exact for all tests here. */
double element_number(const element *e);
/* The sum of these, in plain double arithmetic. */
double reading_sum(const reading *r);

/* A new file with these bytes; unlink() and free() the path. */
char *make_file(const void *bytes, size_t nbytes, const char *suffix);

/* Options with nothing asked for. */
reader_options plain_options(void);

#endif
