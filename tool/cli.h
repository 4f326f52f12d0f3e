/*
 * cli.h - the command line as data: commands and options are rows of two tables (cli_table.c).
 *
 * Parsing, help, the manual page and the shell completion are all printed from those rows.
 */
#ifndef TALLY_CLI_H
#define TALLY_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tally.h"

/* Exit codes, the same for every command. The worst of several is the largest. */
enum {
    EXIT_DONE = 0,
    EXIT_NO = 1,      /* the answer is "no", or the data has none */
    EXIT_USAGE = 2,   /* the command line makes no sense */
    EXIT_DATA = 3,    /* the input cannot be read, or the output not written */
    EXIT_BACKEND = 4, /* the backend or device asked for is not there */
};

typedef enum cli_kind {
    CLI_REDUCE = 1,
    CLI_INFO = 2,
    CLI_HELP = 4,
    CLI_TRACE = 8,
    CLI_VERIFY = 16
} cli_kind;

typedef struct cli_command {
    const char *name;
    cli_kind kind;
    tally_op op;          /* CLI_REDUCE */
    const char *also;     /* other words people try, for suggestions: " total add " */
    const char *summary;  /* one line, no full stop */
    const char *details;  /* sentences */
    const char *json;     /* what --json gives, where it is not what the option's own help says */
    const char *examples; /* "$ command" lines, each followed by its real output */
} cli_command;

typedef enum cli_option_id {
    CLI_OUT,
    CLI_NAN,
    CLI_EACH,
    CLI_JSON,
    CLI_QUIET,
    CLI_BACKEND,
    CLI_DEVICE,
    CLI_LEVEL,
    CLI_BLOCK,
    CLI_BLOCKS,
    CLI_VECTOR,
    CLI_SHAPE,
    CLI_ASSIGN,
    CLI_FINAL,
    CLI_STAGES,
    CLI_WAVE,
    CLI_SEED,
    CLI_FAULT,
    CLI_ZEROED,
    CLI_VALUES,
    CLI_OP,
    CLI_LANG,
    CLI_QUICK,
    CLI_FORMAT,
    CLI_DTYPE,
    CLI_OFFSET,
    CLI_COUNT,
    CLI_FIELD,
    CLI_SEPARATOR,
    CLI_SHOW_HELP,
    CLI_OPTIONS
} cli_option_id;

/* Commands that read files, that fold by a plan. */
enum { CLI_READS = CLI_REDUCE | CLI_TRACE, CLI_PLANS = CLI_REDUCE | CLI_TRACE };

/* Formats an option can be used with, as bits 1 << reader_format. */
enum { CLI_NPY = 1 << 1, CLI_RAW = 1 << 2, CLI_TEXT = 1 << 3 };

typedef struct cli_option {
    const char *name;     /* long name without dashes, NULL if there is none */
    char letter;          /* short name, 0 if there is none */
    const char *argument; /* its name in help, NULL for a flag */
    bool choices;         /* the argument's name lists all values: "a|b|c" */
    unsigned kinds;       /* cli_kind bits of the commands that take it */
    unsigned formats;     /* CLI_NPY ... bits of the formats that it is for; 0: any */
    const char *help;
} cli_option;

extern const cli_command cli_commands[];
extern const size_t cli_n_commands;
extern const cli_option cli_options[CLI_OPTIONS];

extern const char cli_tagline[]; /* after "tally - " */
extern const char cli_about[];
extern const char cli_files[]; /* what FILE may be */
extern const char cli_exits[]; /* one line a code: "0  done" */
extern const char cli_date[];  /* of the manual page */

typedef struct cli {
    const cli_command *command;
    const char *value[CLI_OPTIONS]; /* NULL if not given; "" for a flag */
    char **files;                   /* what is no option, in order */
    size_t n_files;
} cli;

/* Reads argv, which it reorders. Gives 0, or EXIT_USAGE after a message on stderr. */
int cli_parse(int argc, char **argv, cli *parsed);

/* Writes "--out", "-t": how an option is called, in at most 32 bytes. */
const char *cli_option_text(const cli_option *option, char text[32]);

const cli_command *cli_find_command(const char *name);

/* The word of the table that is nearest to what was typed, or NULL if none is near. */
const char *cli_nearest_command(const char *typed);

#endif
