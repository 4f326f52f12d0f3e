/*
 * commands.h - what the commands do. Each gives the process's exit code.
 */
#ifndef TALLY_COMMANDS_H
#define TALLY_COMMANDS_H

#include "cli.h"

int cmd_reduce(const cli *parsed);
int cmd_info(const cli *parsed);
int cmd_trace(const cli *parsed);
int cmd_verify(const cli *parsed);

#endif
