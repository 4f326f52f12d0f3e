/*
 * cmd_trace.c - trace: elements in, every round of their tree out.
 */
#include "commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "help.h"
#include "output.h"
#include "trace_report.h"
#include "tracing.h"

/* Every lane is played, and every element twice more for the comparison: seconds at this size. */
enum { MOST_LANES = 1 << 22, MOST_ELEMENTS = 1 << 24 };

static tally_op find_op(const char *name)
{
    const char *known;
    for (int op = TALLY_OP_SUM; name && (known = tally_op_name((tally_op)op)); op++) {
        if (strcmp(known, name) == 0)
            return (tally_op)op;
    }
    return TALLY_OP_SUM;
}

/* ---- elements ---- */

static void warn(void *user, const char *text)
{
    if (!((const settings *)user)->quiet)
        fprintf(stderr, "%s\n", text);
}

static bool read_file(settings *s, gathered *g, const char *path)
{
    reader_options options = s->reader;
    reader_error error;
    reader_piece piece;
    options.path = path;
    reader *in = reader_open(&options, warn, s, &error);
    if (!in) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    const char *why = NULL;
    reader_result step;
    while (!why && (step = reader_next(in, &piece, &error)) == READER_PIECE) {
        why = gather_add(g, &piece);
        if (!why && g->n > MOST_ELEMENTS)
            why = "too long to be traced: at most 16777216 elements";
    }
    if (!why && step == READER_ERROR)
        fprintf(stderr, "%s\n", error.text);
    else if (!why)
        why = gather_next_file(g);
    reader_close(in);
    if (why)
        output_message("%s: %s", path, why);
    return !why && step != READER_ERROR;
}

static int read_elements(const cli *parsed, settings *s, gathered *g)
{
    static const cli_option_id for_files[] = {CLI_FORMAT, CLI_OFFSET, CLI_COUNT, CLI_FIELD,
                                              CLI_SEPARATOR};
    const char *values = parsed->value[CLI_VALUES];
    if (values) {
        char text[32];
        for (size_t i = 0; i < sizeof for_files / sizeof *for_files; i++) {
            if (parsed->value[for_files[i]]) {
                output_message("%s is for files, and --values are none",
                               cli_option_text(&cli_options[for_files[i]], text));
                return EXIT_USAGE;
            }
        }
        if (parsed->n_files > 0) {
            output_message("--values and a file ('%s'): one of the two", parsed->files[0]);
            return EXIT_USAGE;
        }
        return gather_values(g, values, s->reader.dtype) ? 0 : EXIT_USAGE;
    }
    if (parsed->n_files == 0 && isatty(STDIN_FILENO)) {
        help_usage(stderr, parsed->command);
        fputs("For a start: tally trace --values 3,-1,4,0,2 --block 4 --shape halving\n", stderr);
        return EXIT_USAGE;
    }
    if (parsed->n_files == 0 && !read_file(s, g, "-"))
        return EXIT_DATA;
    for (size_t i = 0; i < parsed->n_files; i++) {
        if (!read_file(s, g, parsed->files[i]))
            return EXIT_DATA;
    }
    return 0;
}

/* ---- the trace ---- */

static bool is_small(const tally_plan *plan)
{
    if (plan->blocks <= MOST_LANES / plan->block)
        return true;
    output_message("%" PRIu64 " blocks of %" PRIu32
                   " lanes are more than can be traced (%d lanes): take fewer %s",
                   plan->blocks, plan->block, MOST_LANES,
                   plan->assign == TALLY_ASSIGN_CONTIGUOUS ? "elements, or --assign grid-stride"
                                                           : "blocks");
    return false;
}

/* Plays the trace once, in silence, and works out all that is said about it. */
static tally_status work_out(tracing *t)
{
    t->grid = t->plan;
    if (t->set.fault->fault == FAULT_FLOOR_BLOCKS)
        t->grid.blocks = t->x.n / t->plan.block;
    t->scratch = malloc((size_t)tally_trace_scratch(&t->plan, t->x.n));
    t->partials = malloc((size_t)(t->plan.blocks + 1) * sizeof *t->partials);
    if (!t->scratch || !t->partials)
        return TALLY_ERR_MEMORY;
    tally_status status = tracing_play(t, NULL, NULL);
    if (status != TALLY_OK)
        return status;
    t->status =
        tree_number_of(t->set.op, t->x.type, t->x.n, &t->item, TALLY_TYPE_DEFAULT, &t->number);
    if (t->status == TALLY_OK)
        status = tracing_compare(t);
    if (status == TALLY_OK && t->set.fault->fault != FAULT_NONE)
        status = tracing_provoke(t);
    return status;
}

static int trace_elements(tracing *t, const gathered *g)
{
    t->x = gather_array(g);
    (void)tally_item_kind(t->x.type, &t->kind); /* nothing else is gathered */
    if (!settings_resolve(&t->set, &t->x, &t->plan) || !is_small(&t->plan))
        return EXIT_USAGE;
    tally_status status = work_out(t);
    if (status != TALLY_OK) {
        output_message("%s", tally_status_text(status));
    } else if (t->set.json) {
        trace_print_json(t);
    } else {
        trace_print_text(t);
    }
    free(t->scratch);
    free(t->partials);
    if (status != TALLY_OK)
        return EXIT_DATA;
    if (!output_flush())
        return EXIT_DATA;
    return t->status == TALLY_OK ? EXIT_DONE : EXIT_NO;
}

int cmd_trace(const cli *parsed)
{
    const char *lang = parsed->value[CLI_LANG], *fault = parsed->value[CLI_FAULT];
    tracing t;
    memset(&t, 0, sizeof t);
    t.zh = lang && strcmp(lang, "zh") == 0;
    if (fault && strcmp(fault, "list") == 0) {
        trace_print_faults(t.zh);
        return output_flush() ? EXIT_DONE : EXIT_DATA;
    }
    int code = settings_read(parsed, &t.set);
    if (code != 0)
        return code;
    t.set.op = find_op(parsed->value[CLI_OP]);
    gathered g = {.type = TALLY_TYPE_DEFAULT};
    code = read_elements(parsed, &t.set, &g);
    if (code == 0)
        code = trace_elements(&t, &g);
    gather_free(&g);
    return code;
}
