/* trace_record.c - keeps traces and finds events in them. */
#include "expect.h"

#include <stdlib.h>

#include "plan.h"
#include "trace_record.h"

recording rec;

const setting sum = {.op = TALLY_OP_SUM};
const tally_plan halving_4 = {.shape = TALLY_SHAPE_HALVING, .block = 4};
const double lesson[5] = {3, -1, 4, 0, 2};

static void *copy_of(const void *from, size_t n, size_t size)
{
    void *to = from ? malloc(n * size + 1) : NULL;
    if (to) {
        memcpy(to, from, n * size);
    }
    return to;
}

static void keep(void *user, const trace_event *e)
{
    recording *into = user;
    record *r = &into->r[into->n++];
    /* shared memory, registers, or the one item of a partial */
    size_t items = e->step == TRACE_PARTIAL || e->step == TRACE_RESULT  ? 1
                   : e->step == TRACE_WRITE || e->step == TRACE_BARRIER ? e->n_slots
                                                                        : e->n_lanes;
    assert_true(into->n < RECORDS);
    r->e = *e;
    r->before = copy_of(e->before, items, sizeof *e->before);
    r->after = copy_of(e->after, items, sizeof *e->after);
    r->source = copy_of(e->source, e->n_lanes, sizeof *e->source);
    r->slot = copy_of(e->slot, e->n_lanes, sizeof *e->slot);
    r->role = copy_of(e->role, e->n_lanes, sizeof *e->role);
    r->n_elements = copy_of(e->n_elements, e->n_lanes, sizeof *e->n_elements);
}

void forget_trace(void)
{
    for (size_t i = 0; i < rec.n; i++) {
        free(rec.r[i].before);
        free(rec.r[i].after);
        free(rec.r[i].source);
        free(rec.r[i].slot);
        free(rec.r[i].role);
        free(rec.r[i].n_elements);
    }
    rec.n = 0;
}

void play_array(setting set, tally_plan wanted, const tally_array *x)
{
    const char *why = "";
    trace_options options = {set.op, set.fault, !set.zeroed, set.wave, keep, &rec};

    forget_trace();
    rec.op = set.op;
    rec.type = x->type;
    if (tally_plan_resolve(&wanted, x->type, x->n, &rec.plan, &why) != TALLY_OK) {
        fail_msg("refused: %s", why);
    }
    void *scratch = malloc((size_t)tally_trace_scratch(&rec.plan, x->n));
    assert_non_null(scratch);
    assert_int_equal(tally_trace_run(&options, &rec.plan, x, scratch, &rec.result), TALLY_OK);
    free(scratch);
}

void play(setting set, tally_plan wanted, const double *x, size_t n)
{
    tally_array array = tally_array_dense(TALLY_TYPE_F64, x, n);
    play_array(set, wanted, &array);
}

const record *find(trace_step step, uint32_t stage, uint64_t block, size_t which)
{
    for (size_t i = 0; i < rec.n; i++) {
        const trace_event *e = &rec.r[i].e;
        if (e->step == step && e->stage == stage && e->block == block && which-- == 0) {
            return &rec.r[i];
        }
    }
    return NULL;
}

size_t count_steps(trace_step step)
{
    size_t n = 0;
    for (size_t i = 0; i < rec.n; i++) {
        n += rec.r[i].e.step == step;
    }
    return n;
}

const record *expect_after(const record *r, const double *right, size_t n)
{
    assert_non_null(r);
    for (size_t i = 0; i < n; i++) {
        if (bits_f64(r->after[i].as.f64) != bits_f64(right[i])) {
            fail_msg("item %zu is %a, not %a", i, r->after[i].as.f64, right[i]);
        }
    }
    return r;
}

static const char *first_trouble(void)
{
    for (size_t i = 0; i < rec.n; i++) {
        if (rec.r[i].e.trouble) {
            return rec.r[i].e.trouble->text;
        }
    }
    return "";
}

void expect_trouble(const char *words)
{
    for (size_t i = 0; i < rec.n; i++) {
        if (rec.r[i].e.trouble && strstr(rec.r[i].e.trouble->text, words)) {
            return;
        }
    }
    fail_msg("no event says '%s'; the first trouble is '%s'", words, first_trouble());
}

void expect_no_trouble(void)
{
    assert_string_equal(first_trouble(), "");
}

void expect_same(const tally_item *a, const tally_item *b, size_t n)
{
    assert_memory_equal(a, b, n * sizeof *a);
}
