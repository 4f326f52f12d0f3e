/*
 * settings.h - what the options of a reduction ask for, checked and in the library's terms.
 */
#ifndef TALLY_SETTINGS_H
#define TALLY_SETTINGS_H

#include "cli.h"
#include "io/reader.h"

typedef struct settings {
    tally_op op;
    tally_type out;
    tally_nan nan;
    bool nan_is_error;
    bool each, json, quiet;
    tally_backend_id backend;
    reader_options reader; /* all but the path */
} settings;

/* Gives 0, or EXIT_USAGE after a message on stderr. */
int settings_read(const cli *parsed, settings *s);

#endif
