/*
 * gen_docs.c - prints the manual page ("gen_docs man") or the bash completion ("gen_docs bash").
 *
 * A program of the build: both come from the tables that the command itself is driven by.
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* One word or line for mdoc: a backslash is written \e, and it may not begin like a request. */
static void man_put(const char *text, size_t length)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else
            putchar(text[i]);
    }
}

/* Prose, in short lines and with each sentence on lines of its own, as mdoc wants it. */
static void man_prose(const char *text)
{
    enum { COLUMNS = 76 };
    size_t column = 0;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > 0 && column + word > COLUMNS) {
            putchar('\n');
            column = 0;
        } else if (column > 0) {
            putchar(' ');
        }
        man_put(text, word);
        column += word + 1;
        if (text[word - 1] == '.') {
            putchar('\n');
            column = 0;
        }
        text += word + (text[word] == ' ');
    }
    if (column > 0)
        putchar('\n');
}

static void man_lines(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        man_put(text, length);
        putchar('\n');
        text += length + 1;
    }
}

static void man_command(const cli_command *command)
{
    printf(".It Cm %s\n", command->name);
    man_prose(command->summary);
    puts(".Pp");
    man_prose(command->details);
    if (command->json) {
        puts(".Pp\nWith\n.Fl \\-json :");
        man_prose(command->json);
    }
    if (*command->examples) {
        puts(".Bd -literal -offset indent");
        man_lines(command->examples);
        puts(".Ed");
    }
}

static void man_option(const cli_option *option)
{
    if (option->name)
        printf(".It Fl \\-%s", option->name);
    else
        printf(".It Fl %c", option->letter);
    if (option->argument)
        printf(" Ar %s", option->argument);
    putchar('\n');
    man_prose(option->help);
}

static void man_exits(void)
{
    for (const char *at = cli_exits; *at;) {
        int length = (int)strcspn(at, "\n");
        printf(".It %.1s\n%.*s\n", at, length - 3, at + 3);
        at += length + 1;
    }
}

static void print_man(void)
{
    printf(".Dd %s\n.Dt TALLY 1\n.Os\n.Sh NAME\n.Nm tally\n.Nd %s\n", cli_date, cli_tagline);
    puts(".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar option ...\n.Op Ar file ...\n"
         ".Nm\n.Fl \\-help | Fl \\-version\n.Sh DESCRIPTION");
    man_prose(cli_about);
    puts(".Pp");
    man_prose(cli_files);
    puts(".Sh COMMANDS\n.Bl -tag -width Ds");
    for (size_t i = 0; i < cli_n_commands; i++)
        man_command(&cli_commands[i]);
    puts(".El\n.Sh OPTIONS\nOptions stand anywhere after the command;\n.Fl \\-\nends them.\n"
         ".Bl -tag -width Ds");
    for (size_t i = 0; i < CLI_OPTIONS; i++)
        man_option(&cli_options[i]);
    puts(".El\n.Sh ENVIRONMENT\n.Bl -tag -width NO_COLOR\n.It Ev NO_COLOR\n"
         "If set and not empty, the progress bar has no colour.\n.El\n"
         ".Sh EXIT STATUS\n.Bl -tag -width Ds");
    man_exits();
    puts(".El\n.Sh STANDARDS\nNumbers are printed in the shortest digits that read back to the "
         "same bits,\nlaid out as ECMAScript does.");
}

/* The words of commands, or of the options of one kind of command. */
static void bash_words(unsigned kind)
{
    const char *space = "";
    char text[32];
    for (size_t i = 0; kind == 0 && i < cli_n_commands; i++, space = " ")
        printf("%s%s", space, cli_commands[i].name);
    for (size_t i = 0; i < CLI_OPTIONS; i++) {
        const cli_option *option = &cli_options[i];
        if (!(option->kinds & kind))
            continue;
        printf("%s%s", space, cli_option_text(option, text));
        space = " ";
    }
}

static void bash_values(void)
{
    char text[32];
    for (size_t i = 0; i < CLI_OPTIONS; i++) {
        const cli_option *option = &cli_options[i];
        if (!option->argument)
            continue;
        printf("    %s) ", cli_option_text(option, text));
        if (option->choices) {
            fputs("words='", stdout);
            for (const char *c = option->argument; *c; c++)
                putchar(*c == '|' ? ' ' : *c);
            puts("' ;;");
        } else {
            puts("return ;;");
        }
    }
}

static void bash_commands(void)
{
    static const cli_kind kinds[] = {CLI_REDUCE, CLI_TRACE, CLI_VERIFY, CLI_INFO, CLI_HELP};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *bar = "        ";
        for (size_t i = 0; i < cli_n_commands; i++) {
            if (cli_commands[i].kind != kinds[k])
                continue;
            printf("%s%s", bar, cli_commands[i].name);
            bar = " | ";
        }
        fputs(") words='", stdout);
        bash_words(kinds[k]);
        puts("' ;;");
    }
}

static void print_bash(void)
{
    puts("# Completion of tally for bash; made by gen_docs from the command's own tables.\n"
         "_tally() {\n"
         "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
         "    COMPREPLY=()\n"
         "    # Bash takes --out=f32 for three words.\n"
         "    if [[ $current == '=' ]]; then\n"
         "        current=\n"
         "    elif [[ $before == '=' ]]; then\n"
         "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    fi\n"
         "    case $before in");
    bash_values();
    fputs("    esac\n"
          "    if [[ -z $words && ($COMP_CWORD == 1 || ${COMP_WORDS[1]} == help) ]]; then\n"
          "        words='",
          stdout);
    bash_words(0);
    puts(" --help --version'\n"
         "    elif [[ -z $words && $current == -* ]]; then\n"
         "        case ${COMP_WORDS[1]} in");
    bash_commands();
    puts("        esac\n"
         "    fi\n"
         "    # No words: names of files, by the option below.\n"
         "    [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "}\n"
         "complete -o default -F _tally tally");
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "man") == 0)
        print_man();
    else if (argc == 2 && strcmp(argv[1], "bash") == 0)
        print_bash();
    else
        return fputs("usage: gen_docs man|bash\n", stderr), EXIT_USAGE;
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_DATA;
}
