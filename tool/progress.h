/*
 * progress.h - a bar on stderr for work that takes long, if somebody is there to see it.
 */
#ifndef TALLY_PROGRESS_H
#define TALLY_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool wanted; /* stderr is a terminal that can erase a line, and nobody asked for quiet */
    bool shown;  /* there is a bar on the line now */
    bool colour;
    double begun; /* seconds, as progress_clock() */
    double drawn;
    const char *file;
    double file_begun;
} progress;

/* Seconds on a clock that only moves forward. */
double progress_clock(void);

void progress_begin(progress *p, bool quiet);
/* What follows is about this file; the name is kept. */
void progress_file(progress *p, const char *name);
/* Says that "bytes" of "size" (0: unknown) of the file are done; draws now and then. */
void progress_update(progress *p, uint64_t bytes, uint64_t size);
/* Takes the bar away: before a message, and at the end. */
void progress_erase(progress *p);

#endif
