/*
 * cmd_verify.c - verify: the case matrix on every backend that is here, bit by bit beside the
 * trace.
 */
#include "commands.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "on_model.h"
#include "output.h"
#include "plan.h"
#include "presence.h"
#include "settings.h"
#include "total.h"
#include "trace.h"
#include "tree.h"
#include "verify_cases.h"

enum { SHOWN = 5, MOST_PARTIALS = 2048 }; /* differences that are shown; partials of a case */

/* A backend and what became of it. */
typedef struct row {
    const char *name;
    tally_backend_id backend;
    uint32_t wave; /* the model's */
    bool wanted;
    tally_backend_info info;
    tally_context *ctx; /* NULL if it is not here */
    uint64_t n_cases, n_differences, n_findings;
    uint64_t n_exact; /* cases compared with level exact, too: the CPU's */
} row;

/* The trace's answer to one case, which the others are compared with. */
typedef struct reference {
    tally_item item;
    uint64_t n_partials;
    tally_item partials[MOST_PARTIALS];
    tally_status status; /* of value */
    tally_value value;
} reference;

typedef struct run {
    row *rows;
    size_t n_rows;
    tally_array x;
    item_kind kind;
    bool no_memory;
    reference expected;
    tally_item partials[MOST_PARTIALS]; /* of the model */
    char shown[SHOWN][320];
    size_t n_shown;
} run;

/* ---- differences ---- */

static void differ(run *r, row *backend, const verify_case *c, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void differ(run *r, row *backend, const verify_case *c, const char *format, ...)
{
    backend->n_differences++;
    if (r->n_shown == SHOWN)
        return;
    char what[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(r->shown[r->n_shown++], sizeof r->shown[0],
             "%s: case %" PRIu64 ", %s of %" PRIu64 " %s (%s), %s, %s, %" PRIu64 " blocks of "
             "%" PRIu32 ", vector %" PRIu32 ", final %s, %" PRIu32 " stages: %s",
             backend->name, c->number, tally_op_name(c->op), c->n, tally_type_name(c->type),
             verify_pattern_name(c->pattern), tally_shape_name(c->plan.shape),
             tally_assign_name(c->plan.assign), c->plan.blocks, c->plan.block, c->plan.vector,
             tally_final_name(c->plan.final), c->plan.stages, what);
}

static bool is_indexed(tally_op op)
{
    return op == TALLY_OP_ARGMIN || op == TALLY_OP_ARGMAX;
}

/* The same bits, one NaN being like another. */
static bool same_item(const tally_item *a, const tally_item *b, item_kind kind, tally_op op)
{
    if (a->overflow || b->overflow)
        return a->overflow && b->overflow;
    if (is_indexed(op) && a->index != b->index)
        return false;
    switch (kind) {
    case ITEM_F32:
        return (a->as.f32 != a->as.f32 && b->as.f32 != b->as.f32) ||
               memcmp(&a->as.f32, &b->as.f32, sizeof a->as.f32) == 0;
    case ITEM_F64:
        return (a->as.f64 != a->as.f64 && b->as.f64 != b->as.f64) ||
               memcmp(&a->as.f64, &b->as.f64, sizeof a->as.f64) == 0;
    default: return memcmp(a->as.i128, b->as.i128, sizeof a->as.i128) == 0;
    }
}

static bool same_value(const tally_value *a, const tally_value *b)
{
    return a->type == b->type && total_bits(a) == total_bits(b);
}

/* ---- the backends ---- */

static void keep_partial(void *user, const trace_event *event)
{
    reference *expected = user;
    if (event->step != TRACE_PARTIAL || event->stage != 1)
        return;
    if (expected->n_partials < MOST_PARTIALS)
        expected->partials[expected->n_partials] = event->after[0];
    expected->n_partials++;
}

static void play_trace(run *r, const verify_case *c, void *scratch)
{
    const trace_options options = {
        .op = c->op, .poison = true, .visit = keep_partial, .user = &r->expected};
    r->expected.n_partials = 0;
    r->expected.status = tally_trace_run(&options, &c->plan, &r->x, scratch, &r->expected.item);
    if (r->expected.status == TALLY_OK)
        r->expected.status = tally_tree_value(c->op, c->type, c->n, &r->expected.item,
                                              TALLY_TYPE_DEFAULT, &r->expected.value);
}

/* Whether a tree has to give the exact result: nothing is rounded on the way. */
static bool is_exact(const verify_case *c, item_kind kind)
{
    if (c->op == TALLY_OP_SUM) /* a ramp of 2200 sums up to below 2^24 */
        return kind == ITEM_I128 || c->pattern == PATTERN_RAMP;
    return c->op == TALLY_OP_MIN || c->op == TALLY_OP_MAX || is_indexed(c->op);
}

/* Atomics add up in the order in which blocks finish: only rounding can tell the order. */
static bool order_matters(const verify_case *c, item_kind kind)
{
    return c->plan.final == TALLY_FINAL_ATOMIC && kind != ITEM_I128 &&
           (c->op == TALLY_OP_SUM || c->op == TALLY_OP_PROD || c->op == TALLY_OP_NORM1 ||
            c->op == TALLY_OP_NORM2);
}

/* The public call. False if its answer is not the trace's. */
static bool run_public(run *r, row *backend, const verify_case *c, tally_value *tree,
                       tally_status *status)
{
    const tally_request request = {.op = c->op, .level = TALLY_LEVEL_TREE, .plan = &c->plan};
    *status = tally_reduce(backend->ctx, &request, &r->x, tree);
    if (*status != r->expected.status) {
        tally_error_detail detail;
        tally_last_error(backend->ctx, &detail);
        differ(r, backend, c, "%s (%s), the trace: %s", tally_status_name(*status), detail.what,
               tally_status_name(r->expected.status));
        return false;
    }
    const bool any_order = order_matters(c, r->kind) && backend->backend != TALLY_BACKEND_CPU;
    if (*status == TALLY_OK && !any_order && !same_value(tree, &r->expected.value)) {
        differ(r, backend, c, "the result is not the trace's");
        return false;
    }
    return true;
}

/* The CPU runs the trace itself, by the public call; where nothing is rounded, the exact level,
 * which shares no code with it, has to agree. */
static void run_cpu(run *r, row *backend, const verify_case *c)
{
    tally_value tree, exact;
    tally_status status;
    if (!run_public(r, backend, c, &tree, &status) || !is_exact(c, r->kind))
        return;
    backend->n_exact++;
    tally_request request = {.op = c->op};
    if (status == TALLY_OK && c->op == TALLY_OP_SUM)
        request.out = tree.type;
    tally_status exact_status = tally_reduce(backend->ctx, &request, &r->x, &exact);
    if (exact_status != status || (status == TALLY_OK && !same_value(&tree, &exact)))
        differ(r, backend, c, "the result is not the exact one, though nothing was rounded");
}

/* Atomics leave none to compare. */
static bool compare_partials(run *r, row *backend, const verify_case *c, const model_result *result)
{
    const reference *expected = &r->expected;
    if (result->n_partials != expected->n_partials) {
        differ(r, backend, c, "%" PRIu64 " partials, the trace: %" PRIu64, result->n_partials,
               expected->n_partials);
        return false;
    }
    for (uint64_t i = 0; i < expected->n_partials && i < MOST_PARTIALS; i++) {
        if (!same_item(&r->partials[i], &expected->partials[i], r->kind, c->op)) {
            differ(r, backend, c, "partial %" PRIu64 " is not the trace's", i);
            return false;
        }
    }
    return true;
}

static void run_model(run *r, row *backend, const verify_case *c)
{
    const model_options options = {.wave = backend->wave, .seed = c->number};
    const reference *expected = &r->expected;
    model_result result;
    tally_status status =
        on_model_tree(&options, c->op, &c->plan, &r->x, r->partials, MOST_PARTIALS, &result);
    if (status != TALLY_OK) {
        differ(r, backend, c, "%s", tally_status_name(status));
        return;
    }
    backend->n_findings += result.n_findings;
    if (result.n_findings > 0) {
        differ(r, backend, c, "%s: %s", on_model_check(result.report[0].check),
               result.report[0].text);
        return;
    }
    if (c->n == 0) {
        if (result.n_launches != 0)
            differ(r, backend, c, "%" PRIu64 " launches for no elements", result.n_launches);
        return;
    }
    if (c->plan.final != TALLY_FINAL_ATOMIC && !compare_partials(r, backend, c, &result))
        return;
    if (!order_matters(c, r->kind) && !same_item(&result.item, &expected->item, r->kind, c->op))
        differ(r, backend, c, "the result is not the trace's");
}

static void run_device(run *r, row *backend, const verify_case *c)
{
    const uint64_t launched = tally_context_launches(backend->ctx);
    tally_value tree;
    tally_status status;
    const bool same = run_public(r, backend, c, &tree, &status);
    if (same && (tally_context_launches(backend->ctx) == launched) != (c->n == 0))
        differ(r, backend, c, c->n == 0 ? "a launch for no elements" : "nothing was launched");
}

static void run_backends(run *r, const verify_case *c)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        row *backend = &r->rows[i];
        if (!backend->ctx)
            continue;
        backend->n_cases++;
        switch (backend->backend) {
        case TALLY_BACKEND_CPU: run_cpu(r, backend, c); break;
        case TALLY_BACKEND_MODEL: run_model(r, backend, c); break;
        default: run_device(r, backend, c);
        }
    }
}

static bool run_case(void *user, const verify_case *c)
{
    run *r = user;
    void *data = malloc((size_t)c->n * tally_type_size(c->type) + 1);
    void *scratch = malloc((size_t)tally_trace_scratch(&c->plan, c->n));
    r->no_memory = !data || !scratch;
    if (!r->no_memory) {
        verify_fill(c->type, c->pattern, c->n, data);
        r->x = tally_array_dense(c->type, data, (size_t)c->n);
        (void)tally_item_kind(c->type, &r->kind); /* the matrix has no other types */
        play_trace(r, c, scratch);
        run_backends(r, c);
    }
    free(data);
    free(scratch);
    return !r->no_memory;
}

/* ---- what is said ---- */

static void print_text(const run *r)
{
    char line[512];
    for (size_t i = 0; i < r->n_rows; i++) {
        const row *b = &r->rows[i];
        presence_line(&b->info, line, sizeof line);
        if (!b->wanted)
            continue;
        if (!b->ctx) {
            printf("%-10s%s\n", b->name, line);
            continue;
        }
        printf("%-10sexecuted: %" PRIu64 " cases, %" PRIu64 " differences", b->name, b->n_cases,
               b->n_differences);
        if (b->n_exact > 0)
            printf("; %" PRIu64 " also compared with level exact", b->n_exact);
        if (*b->info.device)
            printf(" (%s)", b->info.device);
        putchar('\n');
    }
}

static void print_json(const run *r, bool quick)
{
    char *texts[SHOWN];
    json_open();
    json_flag("quick", quick);
    json_open_array("backends");
    for (size_t i = 0; i < r->n_rows; i++) {
        const row *b = &r->rows[i];
        if (!b->wanted)
            continue;
        json_open_object(NULL);
        json_text("name", tally_backend_name(b->backend));
        if (b->wave > 0)
            json_count("wave", b->wave);
        presence_json(&b->info, "executed");
        if (b->ctx) {
            json_count("cases", b->n_cases);
            json_count("differences", b->n_differences);
            json_count("findings", b->n_findings);
            json_count("compared_with_exact", b->n_exact);
        }
        json_close_object();
    }
    json_close_array();
    for (size_t i = 0; i < r->n_shown; i++)
        texts[i] = (char *)r->shown[i];
    json_texts("first_differences", texts, r->n_shown);
    json_close();
}

/* Opens those of the wanted that are here. EXIT_BACKEND: one that was asked for by name is not. */
static int open_rows(run *r, tally_backend_id only, int device)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        row *b = &r->rows[i];
        const tally_options options = {.backend = b->backend, .wave = b->wave, .device = device};
        b->wanted = only == TALLY_BACKEND_AUTO || only == b->backend;
        if (!b->wanted)
            continue;
        tally_backend_find(b->backend, device, &b->info);
        tally_status status = b->info.presence == TALLY_PRESENCE_READY
                                  ? tally_open(&options, &b->ctx)
                                  : TALLY_ERR_BACKEND;
        if (status != TALLY_OK && (status != TALLY_ERR_BACKEND || only != TALLY_BACKEND_AUTO)) {
            char line[512];
            presence_line(&b->info, line, sizeof line);
            output_message("%s: %s", b->name,
                           status == TALLY_ERR_BACKEND ? line : tally_status_text(status));
            return EXIT_BACKEND;
        }
    }
    return EXIT_DONE;
}

static int verify(run *r, const cli *parsed)
{
    bool quick = parsed->value[CLI_QUICK] != NULL;
    int device = 0;
    if (!settings_device(parsed, &device))
        return EXIT_USAGE;
    int code = open_rows(r, settings_backend(parsed->value[CLI_BACKEND]), device);
    if (code != EXIT_DONE)
        return code;
    verify_each(quick, run_case, r);
    if (r->no_memory) {
        output_message("%s", tally_status_text(TALLY_ERR_MEMORY));
        return EXIT_DATA;
    }
    if (parsed->value[CLI_JSON])
        print_json(r, quick);
    else
        print_text(r);
    for (size_t i = 0; i < r->n_rows; i++)
        code = r->rows[i].n_differences > 0 ? EXIT_NO : code;
    if (!parsed->value[CLI_JSON]) {
        for (size_t i = 0; i < r->n_shown; i++)
            output_message("%s", r->shown[i]);
    }
    return output_flush() ? code : EXIT_DATA;
}

int cmd_verify(const cli *parsed)
{
    row rows[] = {
        {.name = "cpu", .backend = TALLY_BACKEND_CPU},
        {.name = "model 32", .backend = TALLY_BACKEND_MODEL, .wave = 32},
        {.name = "model 64", .backend = TALLY_BACKEND_MODEL, .wave = 64},
        {.name = "cuda", .backend = TALLY_BACKEND_CUDA},
        {.name = "hip", .backend = TALLY_BACKEND_HIP},
    };
    if (parsed->n_files > 0) {
        output_message("verify takes no files, and '%s' is one", parsed->files[0]);
        return EXIT_USAGE;
    }
    run *r = calloc(1, sizeof *r);
    if (!r) {
        output_message("%s", tally_status_text(TALLY_ERR_MEMORY));
        return EXIT_DATA;
    }
    r->rows = rows;
    r->n_rows = sizeof rows / sizeof *rows;
    int code = verify(r, parsed);
    for (size_t i = 0; i < r->n_rows; i++)
        tally_close(rows[i].ctx);
    free(r);
    return code;
}
