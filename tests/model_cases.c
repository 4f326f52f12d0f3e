/* model_cases.c - draws trees, runs them on the model, compares. */
#include "model_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "trace.h"
#include "typed.h"

const tally_type tree_types[TREE_TYPES] = {TALLY_TYPE_F16, TALLY_TYPE_BF16, TALLY_TYPE_F32,
                                           TALLY_TYPE_F64, TALLY_TYPE_I32,  TALLY_TYPE_I64};
const tally_op tree_ops[TREE_OPS] = {TALLY_OP_SUM,   TALLY_OP_PROD,   TALLY_OP_MIN,
                                     TALLY_OP_MAX,   TALLY_OP_ARGMIN, TALLY_OP_ARGMAX,
                                     TALLY_OP_NORM1, TALLY_OP_NORM2,  TALLY_OP_NORMINF};

/* ---- drawing ---- */

typedef enum mood { TAME, ANY, SPECIAL, ZEROS, MOODS } mood;

static double draw_float(random_state *r, const format *f, mood m)
{
    static const double special[] = {0.0, -0.0, 1.0, 1.0, -1.0, INFINITY, -INFINITY, NAN};
    const int unit = 1 - f->precision; /* of numbers from 1 to 2 */

    switch (m) {
    case TAME: return draw_between(r, f, unit - 2, unit + 2);
    case ANY: return draw_value(r, f);
    case ZEROS: return random_below(r, 2) ? -0.0 : 0.0;
    default: return special[random_below(r, sizeof special / sizeof special[0])];
    }
}

static void draw_element(random_state *r, tally_type type, mood m, unsigned char *at)
{
    const format *f = typed_format(type);

    if (f) {
        typed_put(type, at, draw_float(r, f, m));
        return;
    }
    uint64_t bits = random_bits(r);
    if (m != ANY) {
        bits = (bits & 7) - 4;
    }
    memcpy(at, &bits, tally_type_size(type));
}

static tally_array draw_array(random_state *r, tally_type type, unsigned char *memory)
{
    static const ptrdiff_t strides[] = {1, 1, 2, -1};
    ptrdiff_t stride = strides[random_below(r, 4)];
    size_t n = random_size(r, CASE_ROOM), size = tally_type_size(type);
    mood m = (mood)random_below(r, MOODS);
    unsigned char *lowest = memory + random_below(r, 8);
    size_t last = n > 0 ? (n - 1) * (stride == 2 ? 2 : 1) : 0;

    for (size_t i = 0; i <= last; i++) {
        draw_element(r, type, m, lowest + i * size);
    }
    return (tally_array){
        .data = stride < 0 ? lowest + last * size : lowest, .n = n, .stride = stride, .type = type};
}

static tally_plan draw_plan(random_state *r, tally_type type, size_t n)
{
    tally_plan wanted, plan;

    do {
        wanted = (tally_plan){.shape = (tally_shape)random_below(r, 3)};
        wanted.assign = (tally_assign)random_below(r, 3);
        wanted.final = (tally_final)random_below(r, 4);
        wanted.block = (uint32_t)1 << random_below(r, 8);
        if (random_below(r, 20) == 0) {
            wanted.block *= 8;
        }
        wanted.vector = (uint32_t)random_below(r, 6);
        wanted.blocks = random_below(r, 20);
        wanted.stages = (uint32_t)random_below(r, 5);
    } while (tally_plan_resolve(&wanted, type, n, &plan, NULL) != TALLY_OK);
    return plan;
}

void draw_case(random_state *r, tally_op op, tally_type type, model_case *c)
{
    c->op = op;
    c->x = draw_array(r, type, c->memory);
    c->plan = draw_plan(r, type, c->x.n);
    c->seed = random_bits(r);
    if (c->plan.final == TALLY_FINAL_ATOMIC) {
        c->seed = 0; /* the order of blocks decides, and the trace's is ascending */
    }
}

/* ---- comparing ---- */

tally_item trace_of(tally_op op, const tally_plan *plan, const tally_array *x)
{
    trace_options options = {.op = op};
    void *scratch = malloc(tally_trace_scratch(plan, x->n));
    tally_item item;

    if (!scratch || tally_trace_run(&options, plan, x, scratch, &item) != TALLY_OK) {
        fprintf(stderr, "no trace of %s of %s\n", tally_op_name(op), tally_type_name(x->type));
        exit(99);
    }
    free(scratch);
    return item;
}

const char *model_trouble(const model_options *options, tally_op op, const tally_plan *plan,
                          const tally_array *x, const tally_item *expected)
{
    static char text[1024];
    static model_result result;
    tally_status status = tally_model_tree(options, op, plan, x, NULL, 0, &result);
    const model_report *r = &result.report[0];
    char what[400];

    if (status != TALLY_OK) {
        snprintf(what, sizeof what, "%s", tally_status_name(status));
    } else if (result.n_findings > 0) {
        snprintf(what, sizeof what, "%s at %s:%d: %s", tally_model_check_name(r->check), r->file,
                 r->line, r->text);
    } else if (memcmp(&result.item, expected, sizeof *expected) != 0) {
        snprintf(what, sizeof what, "other bits");
    } else {
        return NULL;
    }
    snprintf(
        text, sizeof text,
        "%s (%s of %zu %s, %s, %s, final %s, block %u, vector %u, blocks %llu, stages %u, wave "
        "%u, seed %llu)",
        what, tally_op_name(op), x->n, tally_type_name(x->type), tally_shape_name(plan->shape),
        tally_assign_name(plan->assign), tally_final_name(plan->final), plan->block, plan->vector,
        (unsigned long long)plan->blocks, plan->stages, options->wave,
        (unsigned long long)options->seed);
    return text;
}
