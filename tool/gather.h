/*
 * gather.h - elements in memory, as one array of one type in C order: what a tree is run over.
 *
 * Text gives i64 where every number of a file is an integer that i64 holds, else f64.
 */
#ifndef TALLY_GATHER_H
#define TALLY_GATHER_H

#include "io/reader.h"

typedef struct gathered {
    tally_type type; /* DEFAULT before the first element */
    uint64_t n;      /* elements; those of the file being read begin at "before" */
    uint64_t before;
    tally_type here; /* type of the elements of the file being read */
    size_t room;     /* bytes of data */
    unsigned char *data;
} gathered;

/* An all-zero struct is empty. */
void gather_free(gathered *g);

/* Adds a piece of the current file; then says that the next pieces are of another file. Both give
 * NULL, or a sentence that says what cannot be done; then the struct is good for gather_free(). */
const char *gather_add(gathered *g, const reader_piece *piece);
const char *gather_next_file(gathered *g);

/* Adds numbers written as "3,-1,0.5", as the given type or, for DEFAULT, as text is. On failure
 * says why on stderr and gives false. */
bool gather_values(gathered *g, const char *values, tally_type type);

/* What was gathered; without elements its type is f64. */
tally_array gather_array(const gathered *g);

/* Elements that are NaN, that are infinite. */
void gather_count(const gathered *g, uint64_t *n_nan, uint64_t *n_inf);

#endif
