/*
 * help.h - what tally says about itself, printed from the tables of cli_table.c in 80 columns.
 */
#ifndef TALLY_HELP_H
#define TALLY_HELP_H

#include "cli.h"

void help_overview(FILE *to);
void help_command(FILE *to, const cli_command *command);
/* The one usage line: "usage: tally sum [OPTION]... [FILE]...". */
void help_usage(FILE *to, const cli_command *command);

#endif
