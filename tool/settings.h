/*
 * settings.h - what the options of a reduction ask for, checked and in the library's terms.
 */
#ifndef TALLY_SETTINGS_H
#define TALLY_SETTINGS_H

#include "cli.h"
#include "fault.h"
#include "io/reader.h"

typedef struct settings {
    tally_op op;
    tally_type out;
    tally_nan nan;
    bool nan_is_error;
    bool each, json, quiet;
    tally_level level;
    tally_plan plan;        /* as asked for: zeros are defaults */
    const fault_row *fault; /* "none" if none was asked for */
    bool zeroed;            /* shared memory begins as zeros */
    tally_options backend;  /* who does the work, with the model's wave and seed */
    reader_options reader;  /* all but the path */
} settings;

/* Gives 0, or EXIT_USAGE after a message on stderr. */
int settings_read(const cli *parsed, settings *s);

/* --backend's word; AUTO for none. --device's number: false after a message, if it is none. */
tally_backend_id settings_backend(const char *word);
bool settings_device(const cli *parsed, int *device);

/* A whole number without a sign; false if it is none. */
bool settings_parse(const char *text, uint64_t *value);
/* The same; false after a message that names the option. */
bool settings_count(const char *option, const char *text, uint64_t *value);

/* settings_plan.c: the plan, the fault and the model's options, as settings_read(). */
int settings_read_plan(const cli *parsed, settings *s);

/* Resolves the plan for x and checks that the fault fits it; false after a message on stderr. */
bool settings_resolve(const settings *s, const tally_array *x, tally_plan *plan);

#endif
