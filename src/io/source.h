/*
 * source.h - the bytes of one input: a regular file, mapped in windows, or anything else, read into
 * a buffer. The only place that opens, maps and reads, and that reports its failures.
 */
#ifndef TALLY_SOURCE_H
#define TALLY_SOURCE_H

#include "reader.h"

typedef struct source source;

/* Sizes that no result may depend on; 0 takes the default. Tests make them small. */
typedef struct source_tuning {
    size_t window; /* bytes mapped at a time: 64 MB */
    size_t chunk;  /* bytes read at a time: 256 KB */
    bool read;     /* read regular files too */
} source_tuning;

typedef struct source_view {
    const unsigned char *data;
    size_t n;
} source_view;

/* Opens path, or standard input for "-". name is what messages call it. Both must outlive the
 * source. tuning may be NULL. NULL and *error on failure. */
source *source_open(const char *path, const char *name, const source_tuning *tuning,
                    reader_error *error);
void source_close(source *s); /* NULL is fine */

/*
 * Shows the bytes at the position: at least want of them, fewer only if the input ends there. The
 * view is valid until the next peek or skip. Memory grows with the bytes that are there, never with
 * want alone.
 */
bool source_peek(source *s, size_t want, source_view *view, reader_error *error);

/* Moves the position over nbytes that the last view showed. */
void source_consume(source *s, size_t nbytes);

/* Moves the position over nbytes, fewer if the input ends: *skipped. */
bool source_skip(source *s, uint64_t nbytes, uint64_t *skipped, reader_error *error);

uint64_t source_position(const source *s); /* bytes consumed */

/* The bytes from where the source began to the end, or UINT64_MAX if that is not known. */
uint64_t source_size(const source *s);

#endif
