/*
 * reduce_tree.c - runs a tree on a backend, or a faulty one on the model.
 */
#include "reduce_tree.h"

#include <stdlib.h>
#include <string.h>

#include "findings.h"
#include "io/message.h"
#include "on_model.h"
#include "output.h"
#include "trace.h"

enum { NAME_CLIP = 200 };

/* A fault goes past the library's front door, which knows none. */
static tally_status run_fault(const settings *s, const tally_array *x, tree_answer *answer)
{
    const model_options options = {.wave = s->backend.wave,
                                   .seed = s->backend.seed,
                                   .fault = s->fault->fault,
                                   .zeroed = s->zeroed};
    model_result *model = &answer->model;
    tally_status status = on_model_tree(&options, s->op, &answer->plan, x, NULL, 0, model);
    if (status != TALLY_OK)
        return status;
    findings_print(model); /* whatever becomes of the number */
    return tree_number_of(s->op, x->type, x->n, &model->item, s->out, &answer->number);
}

/* An integer beyond i64. Trees of integers round nothing, so the trace's accumulator is everyone's.
 */
static tally_status run_wide(const settings *s, const tally_array *x, tree_answer *answer)
{
    const trace_options options = {.op = s->op};
    tally_item item;
    void *scratch = malloc((size_t)tally_trace_scratch(&answer->plan, x->n));
    if (!scratch)
        return TALLY_ERR_MEMORY;
    tally_status status = tally_trace_run(&options, &answer->plan, x, scratch, &item);
    free(scratch);
    if (status != TALLY_OK)
        return status;
    return tree_number_of(s->op, x->type, x->n, &item, s->out, &answer->number);
}

static tally_status run(tally_context *ctx, const settings *s, const tally_array *x,
                        tree_answer *answer, const char **what)
{
    const tally_request request = {.op = s->op,
                                   .out = s->out,
                                   .nan = s->nan,
                                   .level = TALLY_LEVEL_TREE,
                                   .plan = &answer->plan};
    tally_error_detail detail;
    tally_status status;
    if (s->fault->fault != FAULT_NONE && x->n > 0) {
        status = run_fault(s, x, answer);
        *what = tally_status_text(status);
        return status;
    }
    status = tally_reduce(ctx, &request, x, &answer->number.value);
    tally_last_error(ctx, &detail);
    *what = *detail.what ? detail.what : tally_status_text(status);
    if (status == TALLY_ERR_OVERFLOW) {
        status = run_wide(s, x, answer);
        *what = tally_status_text(status);
    }
    return status;
}

/* Which call of the vendor's failed, with its number and its words. */
static void complain_of_device(const tally_context *ctx)
{
    tally_error_detail detail;
    tally_last_error(ctx, &detail);
    output_message("%s failed with %d: %s", detail.api, detail.native_code, detail.what);
}

int reduce_tree(tally_context *ctx, const settings *s, const gathered *g, const char *name,
                tree_answer *answer)
{
    char shown[MESSAGE_QUOTE_BYTES(NAME_CLIP)];
    tally_array x = gather_array(g);
    const char *op = tally_op_name(s->op), *what;
    memset(answer, 0, sizeof *answer);
    message_quote(shown, name, strlen(name), NAME_CLIP);
    if (!settings_resolve(s, &x, &answer->plan))
        return EXIT_USAGE;
    tally_status status = run(ctx, s, &x, answer, &what);
    answer->has_value = status == TALLY_OK;
    switch (status) {
    case TALLY_OK: return answer->model.n_findings > 0 ? EXIT_NO : EXIT_DONE;
    case TALLY_ERR_EMPTY:
        fprintf(stderr, "%s: no elements: %s of nothing has no value\n", shown, op);
        return EXIT_NO;
    case TALLY_ERR_OVERFLOW:
        fprintf(stderr, "%s: the tree's %s is an integer beyond 128 bits, in which it adds up\n",
                shown, op);
        return EXIT_NO;
    case TALLY_ERR_UNSUPPORTED: output_message("%s", what); return EXIT_USAGE;
    case TALLY_ERR_BACKEND: output_message("%s", what); return EXIT_BACKEND;
    case TALLY_ERR_DEVICE: complain_of_device(ctx); return EXIT_BACKEND;
    default: fprintf(stderr, "%s: %s\n", shown, what); return EXIT_DATA;
    }
}
