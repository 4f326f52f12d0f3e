/*
 * cmd_reduce.c - the reductions: files in, one value out (or one a file).
 */
#define _POSIX_C_SOURCE 200809L
#include "commands.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "findings.h"
#include "gather.h"
#include "help.h"
#include "io/message.h"
#include "io/number.h"
#include "output.h"
#include "presence.h"
#include "progress.h"
#include "reduce_tree.h"
#include "settings.h"
#include "total.h"

enum { NAME_CLIP = 200 }; /* bytes of a file's name that a message shows */

typedef struct run {
    settings set;
    const cli *parsed;
    tally_context *ctx;
    progress bar;
    gathered elements; /* level tree: of the result at hand */
    uint64_t nbytes;   /* read so far for the result at hand */
    double begun;
    char device[128]; /* "" if the backend has none */
} run;

/* One line on stderr, of a problem that names its file first. */
static void complain(run *r, const char *text)
{
    progress_erase(&r->bar);
    fprintf(stderr, "%s\n", text);
}

/* The same, put together: the name is shown so that its bytes cannot act on a terminal. */
static void complain_about(run *r, const char *name, const char *format, ...) MESSAGE_FORMAT(3, 4);

static void complain_about(run *r, const char *name, const char *format, ...)
{
    char shown[MESSAGE_QUOTE_BYTES(NAME_CLIP)];
    va_list arguments;
    progress_erase(&r->bar);
    message_quote(shown, name, strlen(name), NAME_CLIP);
    fprintf(stderr, "%s: ", shown);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

static void warn(void *user, const char *text)
{
    run *r = user;
    if (r->set.quiet)
        return;
    progress_erase(&r->bar);
    fprintf(stderr, "warning: %s\n", text);
}

/* A mapped file that shrinks while it is read has no bytes to give: the system's only word for
 * that is this signal. */
static void input_vanished(int signal_number)
{
    static const char text[] =
        "\ntally: the input cannot be read any more: a file shrank, or its disk failed\n";
    (void)signal_number;
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(EXIT_DATA);
}

/* Level tree: puts one piece, or (NULL) the end of its file, behind the others. */
static int gather_piece(run *r, const reader_piece *piece, const char *path)
{
    const char *why = piece ? gather_add(&r->elements, piece) : gather_next_file(&r->elements);
    if (why)
        complain_about(r, path, "%s", why);
    return why ? EXIT_DATA : EXIT_DONE;
}

/* Adds one piece. Gives an exit code, after a message if it is not 0. */
static int add_piece(run *r, total *t, const reader_piece *piece, const char *path)
{
    tally_status status = total_add(r->ctx, t, piece);
    if (status != TALLY_OK) {
        complain_about(r, path, "%s", tally_status_text(status));
        return status == TALLY_ERR_BACKEND ? EXIT_BACKEND : EXIT_DATA;
    }
    if (r->set.nan_is_error && t->fold.n_nan > 0) {
        complain_about(r, path, "there is a NaN in it, and --nan error was asked for");
        return EXIT_NO;
    }
    return EXIT_DONE;
}

/* Adds one file. Gives an exit code, after a message if it is not 0. */
static int add_file(run *r, total *t, const char *path)
{
    reader_options options = r->set.reader;
    reader_error error;
    reader_piece piece;
    options.path = path;
    reader *in = reader_open(&options, warn, r, &error);
    if (!in) {
        number ignored;
        complain(r, error.text);
        if (access(path, F_OK) != 0 && number_parse(path, strlen(path), &ignored) != NUMBER_BAD)
            output_message("arguments are files; for numbers: printf '%%s\\n' %s ... | tally %s",
                           path, r->parsed->command->name);
        return EXIT_DATA;
    }
    progress_file(&r->bar, path);
    int code = EXIT_DONE;
    reader_result step = READER_END;
    while (code == EXIT_DONE && (step = reader_next(in, &piece, &error)) == READER_PIECE) {
        code = r->set.level == TALLY_LEVEL_TREE ? gather_piece(r, &piece, path)
                                                : add_piece(r, t, &piece, path);
        progress_update(&r->bar, reader_bytes(in), reader_size(in));
    }
    if (code == EXIT_DONE && step == READER_ERROR) {
        complain(r, error.text);
        code = EXIT_DATA;
    }
    if (code == EXIT_DONE && r->set.level == TALLY_LEVEL_TREE)
        code = gather_piece(r, NULL, path);
    r->nbytes += reader_bytes(in);
    reader_close(in);
    return code;
}

/* Says why there is no value, about one file or all of them. */
static int explain(run *r, const total *t, tally_status status, char **files, size_t n_files)
{
    const char *op = r->parsed->command->name;
    char all[32];
    snprintf(all, sizeof all, "%zu files", n_files);
    const char *name = n_files == 1 ? files[0] : all;
    switch (status) {
    case TALLY_ERR_EMPTY:
        complain_about(r, name, "%s: %s of nothing has no value",
                       t->fold.n_skipped > 0 ? "nothing but NaN, which is skipped" : "no elements",
                       op);
        return EXIT_NO;
    case TALLY_ERR_UNSUPPORTED:
        complain_about(r, name, "%s keeps the type of its elements, and %s is another: drop --out",
                       op, tally_type_name(r->set.out));
        return EXIT_USAGE;
    default: complain_about(r, name, "%s", tally_status_text(status)); return EXIT_DATA;
    }
}

/* The members of a result's JSON that depend on the level. */
typedef struct counts {
    uint64_t n, n_nan, n_inf, n_skipped;
    const tree_answer *tree; /* level tree, else NULL */
} counts;

/* result is NULL where a fault left none. */
static void print_json(run *r, const total_result *result, const counts *c, char **files,
                       size_t n_files)
{
    json_open();
    json_result(result);
    json_text("op", tally_op_name(r->set.op));
    json_count("n", c->n);
    json_count("nan", c->n_nan);
    json_count("inf", c->n_inf);
    json_count("skipped", c->n_skipped);
    json_text("level", c->tree ? "tree" : "exact");
    if (c->tree)
        json_plan(&c->tree->plan);
    else
        json_null("plan");
    if (r->set.fault->fault != FAULT_NONE) {
        json_text("fault", r->set.fault->name);
        findings_json(&c->tree->model);
    }
    json_text("backend", tally_backend_name(tally_context_backend(r->ctx)));
    if (*r->device)
        json_text("device", r->device);
    else
        json_null("device"); /* the CPU and the model are none */
    if (r->set.each)
        json_text("file", files[0]);
    else
        json_texts("files", files, n_files);
    json_count("bytes", r->nbytes);
    json_seconds("seconds", progress_clock() - r->begun);
    json_close();
}

/* A file's name behind its value: one line a file, whatever bytes the name has. */
static void print_name(const char *name)
{
    char shown[MESSAGE_QUOTE_BYTES(PATH_MAX)];
    message_quote(shown, name, strlen(name), PATH_MAX);
    printf("\t%s", shown);
}

static int print_result(run *r, const total_result *result, const counts *c, char **files,
                        size_t n_files)
{
    if (r->set.json) {
        print_json(r, result, c, files, n_files);
    } else if (result) {
        output_value(result);
        if (r->set.each)
            print_name(files[0]);
        putchar('\n');
    }
    return output_flush() ? EXIT_DONE : EXIT_DATA;
}

static int print_total(run *r, const total *t, char **files, size_t n_files)
{
    const counts c = {total_count(t), t->fold.n_nan, t->fold.n_pos_inf + t->fold.n_neg_inf,
                      t->fold.n_skipped, NULL};
    total_result result;
    tally_status status = total_value(t, r->set.out, &result);
    if (status != TALLY_OK)
        return explain(r, t, status, files, n_files);
    if (result.overflowed && !r->set.quiet)
        output_message("the exact result is finite, but beyond the range of %s: %s",
                       tally_type_name(result.value.type),
                       result.value.type == TALLY_TYPE_F64 ? "inf stands for it" : "try --out f64");
    int code = print_result(r, &result, &c, files, n_files);
    free(result.integer);
    return code;
}

static int print_tree(run *r, char **files, size_t n_files)
{
    counts c = {.n = r->elements.n};
    tree_answer answer;
    gather_count(&r->elements, &c.n_nan, &c.n_inf);
    if (r->set.nan_is_error && c.n_nan > 0) {
        complain_about(r, files[0], "there is a NaN in %s, and --nan error was asked for",
                       n_files == 1 ? "it" : "it or in a file after it");
        return EXIT_NO;
    }
    int code = reduce_tree(r->ctx, &r->set, &r->elements, files[0], &answer);
    if (!answer.has_value && answer.model.n_findings == 0)
        return code;
    const total_result result = tree_number_result(&answer.number);
    c.tree = &answer;
    int printed = print_result(r, answer.has_value ? &result : NULL, &c, files, n_files);
    return printed > code ? printed : code;
}

/* Reduces files to one value and prints it. */
static int reduce_files(run *r, char **files, size_t n_files)
{
    total t;
    int code = EXIT_DONE;
    total_init(&t, r->set.op, r->set.nan);
    r->nbytes = 0;
    r->begun = progress_clock();
    for (size_t i = 0; i < n_files && code == EXIT_DONE; i++) {
        code = add_file(r, &t, files[i]);
        total_next_file(&t);
    }
    progress_erase(&r->bar);
    if (code == EXIT_DONE)
        code = r->set.level == TALLY_LEVEL_TREE ? print_tree(r, files, n_files)
                                                : print_total(r, &t, files, n_files);
    gather_free(&r->elements);
    total_free(&t);
    return code;
}

static int reduce_each(run *r, char **files, size_t n_files)
{
    int worst = EXIT_DONE;
    for (size_t i = 0; i < n_files; i++) {
        int code = reduce_files(r, &files[i], 1);
        if (code > worst)
            worst = code;
        if (ferror(stdout))
            break;
    }
    return worst;
}

/* Says why there is no backend, or that it cannot do what is asked for. */
static int open_backend(run *r)
{
    const tally_options *wanted = &r->set.backend;
    const char *name = tally_backend_name(wanted->backend);
    tally_backend_info found;
    char line[512];
    tally_status status = tally_open(wanted, &r->ctx);
    switch (status) {
    case TALLY_OK: break;
    case TALLY_ERR_BACKEND:
        tally_backend_find(wanted->backend, wanted->device, &found);
        presence_line(&found, line, sizeof line);
        output_message("--backend %s: %s; 'tally info' lists what there is", name, line);
        return EXIT_BACKEND;
    case TALLY_ERR_MEMORY: output_message("%s", tally_status_text(status)); return EXIT_DATA;
    default: output_message("%s", tally_status_text(status)); return EXIT_BACKEND;
    }
    tally_backend_id id = tally_context_backend(r->ctx);
    if (r->set.level == TALLY_LEVEL_EXACT && id != TALLY_BACKEND_CPU) {
        tally_close(r->ctx);
        output_message("--backend %s runs trees only, so far: add --level tree, or take cpu", name);
        return EXIT_USAGE;
    }
    if (id == TALLY_BACKEND_CUDA || id == TALLY_BACKEND_HIP) {
        tally_backend_find(id, wanted->device, &found);
        snprintf(r->device, sizeof r->device, "%s", found.device);
    }
    return EXIT_DONE;
}

int cmd_reduce(const cli *parsed)
{
    static char standard_input[] = "-";
    char *default_files[] = {standard_input};
    run r = {.parsed = parsed};
    int code = settings_read(parsed, &r.set);
    if (code != 0)
        return code;
    if (parsed->n_files == 0 && isatty(STDIN_FILENO)) {
        help_usage(stderr, parsed->command);
        fprintf(stderr,
                "Name a file, or pipe numbers in: seq 10 | tally %s\n"
                "'tally %s --help' tells more.\n",
                parsed->command->name, parsed->command->name);
        return EXIT_USAGE;
    }

    code = open_backend(&r);
    if (code != EXIT_DONE)
        return code;

    sigaction(SIGBUS, &(struct sigaction){.sa_handler = input_vanished}, NULL);
    char **files = parsed->n_files > 0 ? parsed->files : default_files;
    size_t n_files = parsed->n_files > 0 ? parsed->n_files : 1;
    progress_begin(&r.bar, r.set.quiet);
    code = r.set.each ? reduce_each(&r, files, n_files) : reduce_files(&r, files, n_files);
    progress_erase(&r.bar);
    tally_close(r.ctx);
    return code;
}
