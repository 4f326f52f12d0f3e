/*
 * reduce_tree.c - runs a tree on a backend, or a faulty one on the model.
 */
#include "reduce_tree.h"

#include <inttypes.h>
#include <string.h>

#include "io/message.h"
#include "on_model.h"
#include "output.h"
#include "tree.h"

enum { NAME_CLIP = 200 };

static void report(const model_result *result)
{
    for (size_t i = 0; i < result->n_reports; i++) {
        const model_report *r = &result->report[i];
        output_message("model, %s: %s (%s, %s:%d, %" PRIu64 " in all)", on_model_check(r->check),
                       r->text, r->kernel, r->file, r->line, r->n);
    }
}

/* A fault goes past the library's front door, which knows none. */
static tally_status run_fault(const settings *s, const tally_array *x, tree_answer *answer)
{
    const model_options options = {.wave = s->backend.wave,
                                   .seed = s->backend.seed,
                                   .fault = s->fault->fault,
                                   .zeroed = s->zeroed};
    model_result result;
    tally_status status = on_model_tree(&options, s->op, &answer->plan, x, NULL, 0, &result);
    if (status == TALLY_OK)
        status = tally_tree_value(s->op, x->type, x->n, &result.item, s->out, &answer->value);
    if (status == TALLY_OK) {
        report(&result);
        answer->n_findings = result.n_findings;
    }
    return status;
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
    status = tally_reduce(ctx, &request, x, &answer->value);
    tally_last_error(ctx, &detail);
    *what = *detail.what ? detail.what : tally_status_text(status);
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
    switch (status) {
    case TALLY_OK: return answer->n_findings > 0 ? EXIT_NO : EXIT_DONE;
    case TALLY_ERR_EMPTY:
        fprintf(stderr, "%s: no elements: %s of nothing has no value\n", shown, op);
        return EXIT_NO;
    case TALLY_ERR_OVERFLOW:
        fprintf(
            stderr,
            "%s: the tree's %s is an integer beyond i64; --out f64 rounds it if 128 bits hold it\n",
            shown, op);
        return EXIT_NO;
    case TALLY_ERR_UNSUPPORTED: output_message("%s", what); return EXIT_USAGE;
    case TALLY_ERR_BACKEND: output_message("%s", what); return EXIT_BACKEND;
    case TALLY_ERR_DEVICE: complain_of_device(ctx); return EXIT_BACKEND;
    default: fprintf(stderr, "%s: %s\n", shown, what); return EXIT_DATA;
    }
}
