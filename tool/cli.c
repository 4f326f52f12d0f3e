/*
 * cli.c - reads a command line by the tables of cli_table.c.
 */
#include "cli.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "help.h"

const cli_command *cli_find_command(const char *name)
{
    for (size_t i = 0; i < cli_n_commands; i++) {
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    }
    return NULL;
}

/* Edits (insert, drop, replace, swap neighbours) that turn a into b; a large number if either is
 * too long to be a slip of the fingers. */
static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 24 };
    size_t row[LONGEST + 1][LONGEST + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return SIZE_MAX;
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                row[i][j] = i + j;
                continue;
            }
            size_t best = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (row[i - 1][j] + 1 < best)
                best = row[i - 1][j] + 1;
            if (row[i][j - 1] + 1 < best)
                best = row[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                row[i - 2][j - 2] + 1 < best)
                best = row[i - 2][j - 2] + 1;
            row[i][j] = best;
        }
    }
    return row[n][m];
}

/* Two slips in a word of six letters are a slip, two in "abc" are another word. */
static bool is_near(const char *typed, const char *word, size_t *nearest)
{
    size_t distance = edit_distance(typed, word);
    if (distance >= *nearest || distance > (strlen(word) + 2) / 3)
        return false;
    *nearest = distance;
    return true;
}

const char *cli_nearest_command(const char *typed)
{
    char spaced[32];
    snprintf(spaced, sizeof spaced, " %s ", typed);
    for (char *c = spaced; *c; c++)
        *c = (char)tolower((unsigned char)*c);

    const char *name = NULL;
    size_t nearest = SIZE_MAX;
    for (size_t i = 0; i < cli_n_commands; i++) {
        if (strstr(cli_commands[i].also, spaced))
            return cli_commands[i].name;
        if (is_near(typed, cli_commands[i].name, &nearest))
            name = cli_commands[i].name;
    }
    return name;
}

static const char *nearest_option(const char *typed, cli_kind kind)
{
    const char *name = NULL;
    size_t nearest = SIZE_MAX;
    for (size_t i = 0; i < CLI_OPTIONS; i++) {
        const cli_option *option = &cli_options[i];
        if (option->name && (option->kinds & kind) && is_near(typed, option->name, &nearest))
            name = option->name;
    }
    return name;
}

static int unknown_command(const char *typed)
{
    const char *nearest = cli_nearest_command(typed);
    size_t far = SIZE_MAX;
    fprintf(stderr, "tally: '%s' is no command of tally", typed);
    if (nearest)
        fprintf(stderr, "; did you mean 'tally %s'?\n", nearest);
    else if (access(typed, F_OK) == 0)
        fprintf(stderr, "; to add its numbers up: tally sum %s\n", typed);
    else if (strcmp(typed, "-") == 0)
        fprintf(stderr, "; to add the numbers of standard input up: tally sum -\n");
    else if (strcasecmp(typed, "-v") == 0 || is_near(typed, "--version", &far))
        fprintf(stderr, "; did you mean 'tally --version'?\n");
    else if (typed[0] == '-')
        fprintf(stderr, "; the command comes first: tally COMMAND %s\n", typed);
    else
        fprintf(stderr, "; 'tally --help' lists them\n");
    return EXIT_USAGE;
}

static int unknown_option(const char *typed, const cli_command *command)
{
    fprintf(stderr, "tally %s: '%s' is no option", command->name, typed);
    if (typed[1] == '-') {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
        const char *nearest = nearest_option(name, command->kind);
        if (nearest) {
            fprintf(stderr, "; did you mean --%s?\n", nearest);
            return EXIT_USAGE;
        }
    } else if (isdigit((unsigned char)typed[1]) || typed[1] == '.') {
        fprintf(stderr, "; numbers are read from files: printf '%%s\\n' %s | tally %s\n", typed,
                command->name);
        return EXIT_USAGE;
    }
    fprintf(stderr, "; 'tally %s --help' lists them (a file of this name: ./%s)\n", command->name,
            typed);
    return EXIT_USAGE;
}

/* The option that arg calls, or NULL. *attached is its argument if it is part of arg. */
static const cli_option *match_option(const char *arg, const char **attached)
{
    *attached = NULL;
    for (size_t i = 0; i < CLI_OPTIONS; i++) {
        const cli_option *option = &cli_options[i];
        if (arg[1] == '-' && option->name) {
            size_t length = strlen(option->name);
            if (strncmp(arg + 2, option->name, length) != 0)
                continue;
            if (arg[2 + length] == '=')
                *attached = arg + 2 + length + 1;
            if (arg[2 + length] == '=' || arg[2 + length] == '\0')
                return option;
        } else if (arg[1] != '-' && option->letter && arg[1] == option->letter) {
            if (arg[2] == '\0')
                return option;
            if (option->argument) {
                *attached = arg + 2;
                return option;
            }
        }
    }
    return NULL;
}

static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (const char *at = choices; length > 0;) {
        size_t step = strcspn(at, "|");
        if (step == length && strncmp(at, value, length) == 0)
            return true;
        if (at[step] == '\0')
            return false;
        at += step + 1;
    }
    return false;
}

/* Takes the option at argv[*at] and its argument, which may be argv[*at + 1]. */
static int take_option(int argc, char **argv, int *at, cli *parsed)
{
    const char *name = parsed->command->name;
    const char *value;
    char text[32];
    const cli_option *option = match_option(argv[*at], &value);
    if (!option)
        return unknown_option(argv[*at], parsed->command);
    cli_option_text(option, text);
    if (!(option->kinds & parsed->command->kind)) {
        fprintf(stderr, "tally %s: %s is not for this command\n", name, text);
        return EXIT_USAGE;
    }
    if (!option->argument && value) {
        fprintf(stderr, "tally %s: %s takes no value\n", name, text);
        return EXIT_USAGE;
    }
    if (option->argument && !value) {
        if (*at + 1 >= argc) {
            fprintf(stderr, "tally %s: %s needs a value: %s %s\n", name, text, text,
                    option->argument);
            return EXIT_USAGE;
        }
        value = argv[++*at];
    }
    if (option->choices && !is_choice(option->argument, value)) {
        fprintf(stderr, "tally %s: %s '%s' is not one of %s\n", name, text, value,
                option->argument);
        return EXIT_USAGE;
    }
    parsed->value[option - cli_options] = value ? value : "";
    return 0;
}

int cli_parse(int argc, char **argv, cli *parsed)
{
    memset(parsed, 0, sizeof *parsed);
    if (argc < 2) {
        help_overview(stderr);
        return EXIT_USAGE;
    }
    bool asks_help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    parsed->command = cli_find_command(asks_help ? "help" : argv[1]);
    if (!parsed->command)
        return unknown_command(argv[1]);

    parsed->files = argv + 2;
    bool options_ended = false;
    for (int at = 2; at < argc; at++) {
        if (!options_ended && strcmp(argv[at], "--") == 0) {
            options_ended = true;
        } else if (!options_ended && argv[at][0] == '-' && argv[at][1] != '\0') {
            int code = take_option(argc, argv, &at, parsed);
            if (code != 0)
                return code;
        } else {
            parsed->files[parsed->n_files++] = argv[at];
        }
    }
    return 0;
}
