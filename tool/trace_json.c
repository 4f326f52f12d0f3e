/*
 * trace_json.c - a trace as one JSON document: everything that the text shows or leaves out.
 */
#include <stdio.h>

#include "findings.h"
#include "io/number.h"
#include "item_text.h"
#include "output.h"
#include "plan.h"
#include "tracing.h"

/* ---- parts ---- */

static void json_item(const tracing *t, const char *name, const tally_item *item)
{
    char text[ITEM_TEXT_BYTES];
    bool indexed = t->set.op == TALLY_OP_ARGMIN || t->set.op == TALLY_OP_ARGMAX;
    item_text(item, t->kind, text);
    if (!indexed) {
        json_number(name, text);
        return;
    }
    json_open_object(name);
    json_number("value", text);
    if (item->index == ITEM_NO_INDEX)
        json_null("index");
    else
        json_count("index", item->index);
    json_close_object();
}

static void json_items(const tracing *t, const char *name, const tally_item *items, uint64_t n)
{
    json_open_array(name);
    for (uint64_t i = 0; i < n; i++)
        json_item(t, NULL, &items[i]);
    json_close_array();
}

static void json_value(const char *name, tree_number *tree)
{
    const total_result result = tree_number_result(tree);
    json_open_object(name);
    json_result(&result);
    json_close_object();
}

static void json_real(const char *name, double x)
{
    const tally_value value = {.type = TALLY_TYPE_F64, .as.f64 = x};
    char text[NUMBER_TEXT_BYTES];
    number_print(&value, text);
    json_number(name, text);
}

/* Who runs which stage, and whether the partials are folded in an order that a device keeps to. */
static void json_stages(const tracing *t)
{
    json_open_array("stages");
    for (uint32_t stage = 1; stage <= tracing_stages(t); stage++) {
        json_open_object(NULL);
        json_count("stage", stage);
        json_text("by", tracing_on_host(t, stage) ? "host" : "device");
        json_close_object();
    }
    json_close_array();
    json_flag("fixed_order", t->plan.final != TALLY_FINAL_ATOMIC);
}

/* ---- coverage ---- */

static void json_lane(const tracing *t, uint64_t block, uint32_t lane)
{
    uint64_t turns = tracing_sweeps(t) * t->grid.vector;
    json_open_object(NULL);
    json_count("block", block);
    json_count("lane", lane);
    json_open_array("index");
    for (uint64_t turn = 0; turn < turns; turn++)
        json_count(NULL, tally_plan_index(&t->grid, block, lane, turn));
    json_close_array();
    json_open_array("valid");
    for (uint64_t turn = 0; turn < turns; turn++)
        json_flag(NULL, tally_plan_index(&t->grid, block, lane, turn) < t->x.n);
    json_close_array();
    json_close_object();
}

static void json_coverage(const tracing *t)
{
    uint64_t lanes = t->grid.blocks * t->grid.block;
    uint64_t covered = tracing_sweeps(t) * lanes * t->grid.vector;
    json_open_object("coverage");
    json_count("indices", covered);
    json_count("lost", covered < t->x.n ? t->x.n - covered : 0);
    json_open_array("lanes");
    for (uint64_t block = 0; block < t->grid.blocks; block++) {
        for (uint32_t lane = 0; lane < t->grid.block; lane++)
            json_lane(t, block, lane);
    }
    json_close_array();
    json_close_object();
}

/* ---- events ---- */

static const char *const step_names[] = {
    [TRACE_LOAD] = "load",     [TRACE_WRITE] = "write", [TRACE_BARRIER] = "barrier",
    [TRACE_READ] = "read",     [TRACE_ROUND] = "round", [TRACE_PARTIAL] = "partial",
    [TRACE_RESULT] = "result",
};

static const char *const role_names[] = {
    [TRACE_IDLE] = "idle",     [TRACE_ACTIVE] = "active", [TRACE_OWN] = "own",
    [TRACE_PADDED] = "padded", [TRACE_GONE] = "gone",
};

/* Lanes or slots; null for none. */
static void json_places(const char *name, const int32_t *places, uint32_t n)
{
    json_open_array(name);
    for (uint32_t i = 0; i < n; i++) {
        if (places[i] < 0)
            json_null(NULL);
        else
            json_count(NULL, (uint64_t)places[i]);
    }
    json_close_array();
}

static uint32_t items_after(const trace_event *e)
{
    switch (e->step) {
    case TRACE_WRITE:
    case TRACE_BARRIER: return e->n_slots;
    case TRACE_PARTIAL:
    case TRACE_RESULT: return 1;
    default: return e->n_lanes;
    }
}

static void json_lanes(const trace_event *e)
{
    if (e->role) {
        json_open_array("role");
        for (uint32_t i = 0; i < e->n_lanes; i++)
            json_text(NULL, role_names[e->role[i]]);
        json_close_array();
    }
    if (e->n_elements) {
        json_open_array("elements");
        for (uint32_t i = 0; i < e->n_lanes; i++)
            json_count(NULL, e->n_elements[i]);
        json_close_array();
    }
    if (e->source)
        json_places("source", e->source, e->n_lanes);
    if (e->slot)
        json_places("slot", e->slot, e->n_lanes);
}

static void visit(void *user, const trace_event *e)
{
    const tracing *t = user;
    json_open_object(NULL);
    json_text("step", step_names[e->step]);
    json_count("stage", e->stage);
    json_count("block", e->block);
    json_count("lanes", e->n_lanes);
    if (e->step == TRACE_ROUND) {
        json_count("tree", e->tree);
        json_count("distance", e->distance);
    }
    if (e->step == TRACE_BARRIER)
        json_count("arrived", e->arrived);
    json_lanes(e);
    if (e->before)
        json_items(t, "before", e->before, e->n_lanes);
    if (e->after)
        json_items(t, e->step == TRACE_WRITE || e->step == TRACE_BARRIER ? "shared" : "after",
                   e->after, items_after(e));
    if (e->trouble)
        json_text("trouble", t->zh ? e->trouble->zh : e->trouble->text);
    json_close_object();
}

/* ---- results ---- */

static void json_comparison(comparison *c)
{
    static const char *const thumb[] = {
        [THUMB_HOLDS] = "holds", [THUMB_FAILS] = "fails", [THUMB_ZERO] = "no help"};
    if (c->has_in_order)
        json_value("in_order", &c->in_order);
    else
        json_null("in_order");
    if (c->has_exact)
        json_value("exact", &c->exact);
    else
        json_null("exact");
    if (c->has_ulp)
        json_number("ulp", c->ulp);
    else
        json_null("ulp");
    if (c->other_element)
        json_text("error", "another element");
    if (!c->has_bound)
        return;
    json_real("error", c->error);
    json_real("sum_of_magnitudes", c->magnitude);
    json_count("depth", c->depth);
    json_real("bound", c->bound);
    json_real("bound_any_order", c->bound_any);
    json_text("rule_1e-5", thumb[c->thumb]);
}

static void json_model(const tracing *t)
{
    const fault_outcome *o = &t->outcome;
    if (o->model_status != TALLY_OK) {
        json_null("model");
        return;
    }
    json_open_object("model");
    json_count("wave", t->set.backend.wave == 64 ? 64 : 32);
    json_count("seed", t->set.backend.seed);
    json_flag("zeroed", t->set.zeroed);
    json_count("launches", o->model.n_launches);
    json_count("findings", o->model.n_findings);
    findings_json(&o->model);
    json_close_object();
}

static void json_fault(const tracing *t)
{
    const fault_row *fault = t->set.fault;
    const fault_outcome *o = &t->outcome;
    json_open_object("fault");
    json_text("name", fault->name);
    json_text("situation", t->zh ? fault->zh_situation : fault->situation);
    json_text("why", t->zh ? fault->zh_why : fault->why);
    json_text("repair", t->zh ? fault->zh_repair : fault->repair);
    json_item(t, "without", &o->clean);
    json_item(t, "poisoned", &o->poisoned);
    json_flag("poisoned_right", o->poisoned_right);
    json_item(t, "zeroed", &o->zeroed);
    json_flag("zeroed_right", o->zeroed_right);
    json_model(t);
    json_close_object();
}

void trace_print_json(tracing *t)
{
    json_open();
    json_text("op", tally_op_name(t->set.op));
    json_text("type", tally_type_name(t->x.type));
    json_count("n", t->x.n);
    json_plan(&t->plan);
    json_stages(t);
    json_coverage(t);
    json_open_array("events");
    (void)tracing_play(t, visit, t);
    json_close_array();
    json_items(t, "partials", t->partials, t->grid.blocks);
    if (t->status == TALLY_OK) {
        json_value("result", &t->number);
        json_comparison(&t->comparison);
    } else {
        json_null("result");
        json_text("why_none", tally_status_name(t->status));
    }
    if (t->set.fault->fault != FAULT_NONE)
        json_fault(t);
    else
        json_null("fault");
    json_close();
}
