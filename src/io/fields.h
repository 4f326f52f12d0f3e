/*
 * fields.h - cuts text into fields, at white space or at a separator, and knows where each stands.
 */
#ifndef TALLY_FIELDS_H
#define TALLY_FIELDS_H

#include "formats.h"

typedef struct field {
    const char *text;
    size_t length;
    uint64_t line, column; /* from 1; columns count bytes */
} field;

typedef struct fields {
    const reader_input *input;
    unsigned char separator;   /* 0: white space */
    unsigned char class[256];  /* what a byte does, see fields.c */
    const unsigned char *data; /* the view */
    uint64_t position;         /* of its first byte in the input: the source's */
    const unsigned char *at, *end;
    bool ended;     /* the view reaches the end of the input */
    bool separated; /* a separator stands before at, on this line */
    uint64_t line;
    uint64_t line_start; /* position of the line's first byte in the input */
} fields;

/* Decides on the separator and looks at how the text is encoded. */
bool fields_open(fields *f, const reader_input *input, reader_error *error);

/* The next field, valid until the next call: READER_PIECE, or END, or ERROR. */
reader_result fields_next(fields *f, field *found, reader_error *error);

/* Tells the source how far the fields have come, for those who show progress. */
void fields_settle(fields *f);

#endif
