/*
 * help.c - lays the tables out for a terminal.
 */
#include "help.h"

#include <string.h>

#include "wrap.h"

/* Where the text begins: the names of options have the columns before it. */
enum { OPTION_COLUMN = 18 };

static void print_options(FILE *to, const cli_command *command)
{
    for (size_t i = 0; i < CLI_OPTIONS; i++) {
        const cli_option *option = &cli_options[i];
        const char *help = i == CLI_JSON && command->json ? command->json : option->help;
        if (!(option->kinds & command->kind))
            continue;
        char text[32], head[96];
        cli_option_text(option, text);
        int length = snprintf(head, sizeof head, "  %s%s%s", text, option->argument ? " " : "",
                              option->argument ? option->argument : "");
        if (length < OPTION_COLUMN)
            fprintf(to, "%-*s", OPTION_COLUMN, head);
        else
            fprintf(to, "%s\n%*s", head, OPTION_COLUMN, "");
        wrap_text(to, help, OPTION_COLUMN);
    }
}

/* "$ " lines and their output, indented. */
static void print_examples(FILE *to, const char *examples)
{
    while (*examples) {
        int length = (int)strcspn(examples, "\n");
        fprintf(to, "  %.*s\n", length, examples);
        examples += length + 1;
    }
}

void help_usage(FILE *to, const cli_command *command)
{
    const char *rest = command->kind == CLI_REDUCE  ? "[OPTION]... [FILE]..."
                       : command->kind == CLI_TRACE ? "[OPTION]... --values V,V,... | [FILE]..."
                       : command->kind == CLI_HELP  ? "[COMMAND]"
                                                    : "[OPTION]...";
    fprintf(to, "usage: tally %s %s\n", command->name, rest);
}

void help_overview(FILE *to)
{
    fprintf(to, "tally - %s\n\n", cli_tagline);
    wrap_text(to, cli_about, 0);
    fputs("\nusage: tally COMMAND [OPTION]... [FILE]...\n       tally --help | --version\n\n", to);
    wrap_text(to, cli_files, 0);
    fputs("\nCommands\n", to);
    for (size_t i = 0; i < cli_n_commands; i++)
        fprintf(to, "  %-8s%s\n", cli_commands[i].name, cli_commands[i].summary);
    fputs("\nExamples\n", to);
    for (size_t i = 0; i < 2; i++)
        print_examples(to, cli_commands[i].examples);
    fputs("\n'tally COMMAND --help' lists a command's options.\n", to);
}

void help_command(FILE *to, const cli_command *command)
{
    fprintf(to, "tally %s - %s\n\n", command->name, command->summary);
    help_usage(to, command);
    fputc('\n', to);
    wrap_text(to, command->details, 0);
    if (command->kind & CLI_READS) {
        fputc('\n', to);
        wrap_text(to, cli_files, 0);
    }
    if (*command->examples) {
        fputs("\nExamples\n", to);
        print_examples(to, command->examples);
    }
    fputs("\nOptions\n", to);
    print_options(to, command);
    if (command->kind & (CLI_READS | CLI_VERIFY)) {
        fputs("\nExit status\n", to);
        print_examples(to, cli_exits);
    }
}
