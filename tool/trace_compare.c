/*
 * trace_compare.c - what the order of a tree costs: its value beside the exact one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "total.h"
#include "trace_wide.h"
#include "tracing.h"

/* Bits as an integer that grows with the number: neighbours differ by one, and both zeros are 0. */
static int64_t rank_of(const tally_value *value)
{
    int width = 8 * (int)tally_type_size(value->type);
    uint64_t sign = (uint64_t)1 << (width - 1), bits = total_bits(value);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

static bool is_float(tally_type type)
{
    return type >= TALLY_TYPE_F16 && type <= TALLY_TYPE_F64;
}

/* A float value as f64, which holds it exactly. */
static double widened(const tally_value *value)
{
    const tally_array one = tally_array_dense(value->type, &value->as, 1);
    tally_state state;
    tally_state_init(&state);
    tally_state_add(&state, &one, TALLY_NAN_PROPAGATE);
    return tally_state_round_f64(&state);
}

static void measure_floats(comparison *c, const tally_value *tree)
{
    double a = widened(tree), b = widened(&c->exact.value);
    int64_t p = rank_of(tree), q = rank_of(&c->exact.value);
    uint64_t ulp = p < q ? (uint64_t)q - (uint64_t)p : (uint64_t)p - (uint64_t)q;
    c->has_ulp = isnan(a) == isnan(b);
    snprintf(c->ulp, sizeof c->ulp, "%" PRIu64, isnan(a) ? 0 : ulp);
}

/* Which is exact: in_order, a tree of the same integers, in 128 bits. */
static void measure_integers(comparison *c, const tally_item *tree, const tally_item *in_order)
{
    trace_wide a = {tree->as.i128[0], tree->as.i128[1]};
    trace_wide b = {in_order->as.i128[0], in_order->as.i128[1]};
    bool below = wide_less(a, b);
    bool fits = wide_add(below ? &b : &a, wide_negate(below ? a : b));
    const trace_wide off = below ? b : a;
    const tally_item item = {.as.i128 = {off.low, off.high}, .overflow = !fits};
    c->has_ulp = true;
    item_text(&item, ITEM_I128, c->ulp);
}

static void measure(tracing *t, const tally_item *in_order)
{
    comparison *c = &t->comparison;
    if (t->set.op == TALLY_OP_ARGMIN || t->set.op == TALLY_OP_ARGMAX) {
        c->other_element = t->number.value.as.u64 != c->exact.value.as.u64;
        c->has_ulp = !c->other_element;
        snprintf(c->ulp, sizeof c->ulp, "0");
    } else if (is_float(t->number.value.type) && !*t->number.integer) {
        measure_floats(c, &t->number.value);
    } else {
        measure_integers(c, &t->item, in_order);
    }
}

/* The magnitudes of float elements, as an array of its own; data is NULL if there is no memory. */
static tally_array magnitudes(const tally_array *x)
{
    size_t size = tally_type_size(x->type);
    unsigned char *data = malloc(x->n * size + 1);
    const uint64_t mask = ((uint64_t)1 << (8 * size - 1)) - 1;
    for (size_t i = 0; data && i < x->n; i++) {
        const unsigned char *from = (const unsigned char *)x->data + i * size;
        uint16_t half;
        uint32_t word;
        uint64_t bits;
        switch (size) {
        case 2:
            memcpy(&half, from, size);
            half &= (uint16_t)mask;
            memcpy(data + i * size, &half, size);
            break;
        case 4:
            memcpy(&word, from, size);
            word &= (uint32_t)mask;
            memcpy(data + i * size, &word, size);
            break;
        default:
            memcpy(&bits, from, size);
            bits &= mask;
            memcpy(data + i * size, &bits, size);
            break;
        }
    }
    return tally_array_dense(x->type, data, x->n);
}

/* The exact value of an op over x, of the tree's type. */
static bool exact_value(tally_op op, const tally_array *x, tally_type type, tally_value *value)
{
    bool sum = op == TALLY_OP_SUM;
    const tally_request request = {.op = op, .out = sum ? type : TALLY_TYPE_DEFAULT};
    tally_context *ctx;
    tally_status status = tally_open(&(tally_options){.backend = TALLY_BACKEND_CPU}, &ctx);
    if (status == TALLY_OK)
        status = tally_reduce(ctx, &request, x, value);
    tally_close(ctx);
    if (status == TALLY_OK && value->type != type) { /* a maximum of f16, as f32 */
        const tally_array one = tally_array_dense(value->type, &value->as, 1);
        tally_state state;
        tally_state_init(&state);
        tally_state_add(&state, &one, TALLY_NAN_PROPAGATE);
        status = tally_state_value(&state, type, value);
    }
    return status == TALLY_OK;
}

/* Roundings on the longest way: a lane's elements but the first, then a round each time that the
 * number of values halves. Adding the identity rounds nothing. */
static uint64_t depth_of(const tally_plan *plan, uint64_t n)
{
    uint64_t depth = tally_plan_count(plan, n, 0, 0) - 1;
    for (uint32_t lanes = plan->block; lanes > 1; lanes /= 2)
        depth++;
    return depth;
}

static uint64_t whole_depth(const tally_plan *plan, uint64_t n)
{
    uint64_t depth = depth_of(plan, n), partials = plan->blocks;
    if (plan->final == TALLY_FINAL_ATOMIC)
        return depth + partials - 1;
    for (uint32_t stage = 2; stage <= plan->stages; stage++) {
        tally_plan next;
        tally_plan_next(plan, stage, partials, &next);
        depth += depth_of(&next, partials);
        partials = next.blocks;
    }
    return depth;
}

/* With d roundings, each by a factor of at most 1 + u: d u / (1 - d u) times the sum of |x|; a few
 * units more, for this is computed in f64. */
static double bound_of(uint64_t depth, double u, double magnitude)
{
    double du = (double)depth * u;
    return du < 1 ? du / (1 - du) * magnitude * (1 + 0x1p-48) : INFINITY;
}

static void bound_error(tracing *t, const tally_array *terms, const tally_array *absolute)
{
    comparison *c = &t->comparison;
    double u = t->kind == ITEM_F64 ? 0x1p-53 : 0x1p-24, tree = widened(&t->number.value);
    tally_state state, sizes;
    tally_state_init(&state);
    tally_state_init(&sizes);
    tally_state_add(&state, terms, TALLY_NAN_PROPAGATE);
    tally_state_add(&sizes, absolute, TALLY_NAN_PROPAGATE);
    double exact = tally_state_round_f64(&state);
    c->magnitude = tally_state_round_f64(&sizes);
    if (!isfinite(exact) || !isfinite(tree) || !isfinite(c->magnitude) || t->x.n == 0)
        return;
    tally_state_add1_f64(&state, -tree);
    c->error = fabs(tally_state_round_f64(&state));
    c->depth = whole_depth(&t->plan, t->x.n);
    c->bound = bound_of(c->depth, u, c->magnitude);
    c->bound_any = bound_of(t->x.n - 1, u, c->magnitude);
    c->share = c->magnitude > 0 ? fabs(exact) / c->magnitude : 0;
    c->has_bound = true;
    c->thumb = exact == 0 ? THUMB_ZERO : c->error <= 1e-5 * fabs(exact) ? THUMB_HOLDS : THUMB_FAILS;
}

/* One lane that takes everything, in order. */
static tally_status play_in_order(tracing *t, tally_item *item)
{
    const tally_plan serial = {.shape = TALLY_SHAPE_WAVE,
                               .assign = TALLY_ASSIGN_GRID_STRIDE,
                               .final = TALLY_FINAL_DEVICE,
                               .block = 1,
                               .vector = 1,
                               .blocks = t->x.n > 0,
                               .stages = 1};
    const trace_options options = {.op = t->set.op};
    void *scratch = malloc((size_t)tally_trace_scratch(&serial, t->x.n));
    if (!scratch)
        return TALLY_ERR_MEMORY;
    tally_status status = tally_trace_run(&options, &serial, &t->x, scratch, item);
    free(scratch);
    if (status == TALLY_OK)
        t->comparison.has_in_order =
            tree_number_of(t->set.op, t->x.type, t->x.n, item, TALLY_TYPE_DEFAULT,
                           &t->comparison.in_order) == TALLY_OK;
    return status;
}

/* Of integers only a norm2 is rounded, and of no elements nothing is. */
static bool rounds_nothing(const tracing *t)
{
    return t->x.n == 0 || (t->kind == ITEM_I128 && t->set.op != TALLY_OP_NORM2);
}

tally_status tracing_compare(tracing *t)
{
    comparison *c = &t->comparison;
    tally_op op = t->set.op;
    bool floats = is_float(t->x.type);
    bool norm = floats && (op == TALLY_OP_NORM1 || op == TALLY_OP_NORMINF);
    tally_item in_order;
    memset(c, 0, sizeof *c);
    tally_status status = play_in_order(t, &in_order);
    if (status != TALLY_OK)
        return status;
    tally_array absolute = {NULL, 0, 1, t->x.type};
    if (floats) {
        absolute = magnitudes(&t->x);
        if (!absolute.data)
            return TALLY_ERR_MEMORY;
    }
    const tally_array *terms = norm ? &absolute : &t->x;
    tally_op exact = op == TALLY_OP_NORM1     ? TALLY_OP_SUM
                     : op == TALLY_OP_NORMINF ? TALLY_OP_MAX
                                              : op;
    if (t->x.n > 0 && (op <= TALLY_OP_ARGMAX || norm))
        c->has_exact = exact_value(exact, terms, t->number.value.type, &c->exact.value);
    if (!c->has_exact && rounds_nothing(t)) {
        c->has_exact = c->has_in_order;
        c->exact = c->in_order;
    }
    if (c->has_exact)
        measure(t, &in_order);
    if (floats && (op == TALLY_OP_SUM || op == TALLY_OP_NORM1))
        bound_error(t, terms, &absolute);
    free((void *)absolute.data);
    return TALLY_OK;
}
