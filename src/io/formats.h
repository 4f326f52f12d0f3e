/*
 * formats.h - what reader.c and the formats share. A format is a table of functions and the object
 * that its open made.
 */
#ifndef TALLY_FORMATS_H
#define TALLY_FORMATS_H

#include "message.h"
#include "reader.h"
#include "source.h"

/* What a format is opened with; everything outlives the format. */
typedef struct reader_input {
    const reader_options *options;
    source *source;
    const char *name; /* of the file, printable */
    reader_warn *warn;
    void *user;
} reader_input;

/* Passes "NAME: " and the formatted rest on to input->warn, if there is one. */
void reader_warning(const reader_input *input, const char *format, ...) MESSAGE_FORMAT(2, 3);

typedef struct reader_methods {
    /* reads as far as the header; NULL and *error on failure */
    void *(*open)(const reader_input *input, reader_error *error);
    reader_result (*next)(void *self, reader_piece *piece, reader_error *error);
    void (*close)(void *self);
} reader_methods;

extern const reader_methods reader_npy;
extern const reader_methods reader_raw;
extern const reader_methods reader_text;

/* reader_open() with other sizes of windows and buffers; no result depends on them. For tests. */
reader *reader_open_tuned(const reader_options *options, const source_tuning *tuning,
                          reader_warn *warn, void *user, reader_error *error);

#endif
