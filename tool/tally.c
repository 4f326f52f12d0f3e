/*
 * tally.c - the command's main(): finds the command and runs it.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "help.h"
#include "output.h"

static int show_help(const cli_command *command)
{
    if (command)
        help_command(stdout, command);
    else
        help_overview(stdout);
    return output_flush() ? EXIT_DONE : EXIT_DATA;
}

static int cmd_help(const cli *parsed)
{
    if (parsed->n_files == 0)
        return show_help(parsed->value[CLI_SHOW_HELP] ? parsed->command : NULL);
    const char *topic = parsed->files[0];
    const cli_command *command = cli_find_command(topic);
    if (command && parsed->n_files == 1)
        return show_help(command);
    if (command) {
        output_message("help explains one command at a time");
        return EXIT_USAGE;
    }
    const char *nearest = cli_nearest_command(topic);
    output_message("there is no command '%s'%s%s%s", topic,
                   nearest ? "; did you mean 'tally help " : "", nearest ? nearest : "",
                   nearest ? "'?" : "; 'tally --help' lists them");
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    /* With standard output closed, the next file opened would take its place. */
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0) {
        output_message("cannot write to standard output: %s", strerror(errno));
        return EXIT_DATA;
    }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("tally %s\n", tally_version());
        return output_flush() ? EXIT_DONE : EXIT_DATA;
    }
    cli parsed;
    int code = cli_parse(argc, argv, &parsed);
    if (code != 0)
        return code;
    if (parsed.command->kind == CLI_HELP)
        return cmd_help(&parsed);
    if (parsed.value[CLI_SHOW_HELP])
        return show_help(parsed.command);
    switch (parsed.command->kind) {
    case CLI_INFO: return cmd_info(&parsed);
    case CLI_TRACE: return cmd_trace(&parsed);
    case CLI_VERIFY: return cmd_verify(&parsed);
    default: return cmd_reduce(&parsed);
    }
}
