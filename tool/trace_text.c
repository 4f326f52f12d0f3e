/*
 * trace_text.c - a trace to be read on a terminal, every round.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "item_text.h"
#include "trace_item.h"
#include "trace_report.h"
#include "trace_table.h"
#include "tracing.h"
#include "wrap.h"

enum { SLOT_BYTES = 16 };

/* While the events come in. */
typedef struct printer {
    tracing *t;
    bool measuring;   /* a first time, only to find out how wide the cells are */
    int width;        /* of cells */
    lane_view header; /* the lanes that the latest line of lanes named */
    uint64_t blocks;  /* of the stage at hand */
    uint64_t hidden_trouble;
} printer;

/* How many blocks a stage has. */
static void stage_blocks(printer *p, uint32_t stage)
{
    p->blocks = p->t->grid.blocks;
    for (uint32_t s = 2; s <= stage; s++) {
        tally_plan next;
        tally_plan_next(&p->t->plan, s, p->blocks, &next);
        p->blocks = next.blocks;
    }
}

/* ---- cells ---- */

static void mark(char cell[ITEM_TEXT_BYTES], uint8_t role, const char *if_active)
{
    const char *text = role == TRACE_ACTIVE   ? if_active
                       : role == TRACE_OWN    ? "="
                       : role == TRACE_PADDED ? "_"
                       : role == TRACE_GONE   ? "x"
                                              : ".";
    snprintf(cell, ITEM_TEXT_BYTES, "%s", text);
}

static void put_lanes(table *t, size_t row)
{
    t->row[row] = "lane";
    for (size_t i = 0; i < t->view.n; i++)
        snprintf(t->cell[row][i], ITEM_TEXT_BYTES, "%" PRIu32, t->view.lane[i]);
}

static void put_items(const printer *p, table *t, size_t row, const char *what,
                      const tally_item *items)
{
    t->row[row] = what;
    for (size_t i = 0; i < t->view.n; i++)
        tracing_text(p->t, &items[t->view.lane[i]], t->cell[row][i]);
}

static void put_slots(table *t, size_t row, const trace_event *event)
{
    t->row[row] = "slot";
    for (size_t i = 0; i < t->view.n; i++) {
        uint32_t lane = t->view.lane[i];
        char slot[SLOT_BYTES];
        snprintf(slot, sizeof slot, "s%" PRId32, event->slot[lane]);
        mark(t->cell[row][i], event->role[lane], slot);
    }
}

static void put_sources(table *t, size_t row, const trace_event *event)
{
    t->row[row] = "from";
    for (size_t i = 0; i < t->view.n; i++) {
        uint32_t lane = t->view.lane[i];
        char source[SLOT_BYTES];
        snprintf(source, sizeof source, "<%" PRId32, event->source[lane]);
        mark(t->cell[row][i], event->role[lane], source);
    }
}

/* ---- events ---- */

/* Prints a table whose row 0 names the lanes, without that row if the latest line named the same:
 * not so where lines are broken, and each names other lanes. */
static void show(printer *p, table *t, const char *label)
{
    int width = table_width(t);
    if (p->measuring) {
        p->width = width > p->width ? width : p->width;
        return;
    }
    if (lane_view_equal(&t->view, &p->header) && table_is_one_line(t, p->width)) {
        t->n_rows--;
        for (size_t row = 0; row < t->n_rows; row++) {
            t->row[row] = t->row[row + 1];
            memcpy(t->cell[row], t->cell[row + 1], sizeof t->cell[row]);
        }
    }
    p->header = t->view;
    table_print(t, label, p->width);
}

static void show_load(printer *p, const trace_event *e)
{
    table t = {.view = lane_view_of(e->n_lanes, 1), .step = 1, .n_rows = 3};
    put_lanes(&t, 0);
    t.row[1] = "took";
    for (size_t i = 0; i < t.view.n; i++) {
        uint32_t lane = t.view.lane[i];
        char count[24];
        snprintf(count, sizeof count, "%" PRIu64, e->n_elements[lane]);
        mark(t.cell[1][i], e->role[lane], count);
    }
    put_items(p, &t, 2, "holds", e->after);
    show(p, &t, "load");
}

/* Lanes that write are neighbours, or the first ones of their groups. */
static void show_write(printer *p, const trace_event *e)
{
    uint32_t step = e->n_slots == e->n_lanes ? 1 : e->n_lanes / e->n_slots;
    table t = {.view = lane_view_of(e->n_lanes, step), .step = step, .n_rows = 3};
    size_t kept = 0;
    for (size_t i = 0; i < t.view.n; i++) {
        if (e->role[t.view.lane[i]] == TRACE_ACTIVE || e->role[t.view.lane[i]] == TRACE_GONE)
            t.view.lane[kept++] = t.view.lane[i];
    }
    t.view.n = kept;
    put_lanes(&t, 0);
    put_slots(&t, 1, e);
    t.row[2] = "value";
    for (size_t i = 0; i < kept; i++)
        tracing_text(p->t, &e->after[t.view.lane[i] / step], t.cell[2][i]);
    show(p, &t, "write");
}

/* How many lanes, from lane 0, do something. */
static uint32_t taking_part(const trace_event *e)
{
    uint32_t end = e->n_lanes;
    while (end > 1 && e->role[end - 1] == TRACE_IDLE)
        end--;
    return end;
}

static void show_read(printer *p, const trace_event *e)
{
    table t = {.view = lane_view_of(taking_part(e), 1), .step = 1, .n_rows = 3};
    put_lanes(&t, 0);
    put_slots(&t, 1, e);
    put_items(p, &t, 2, "holds", e->after);
    show(p, &t, "read");
}

static void show_round(printer *p, const trace_event *e)
{
    bool halving = p->t->plan.shape == TALLY_SHAPE_HALVING;
    uint32_t end = halving || e->tree == 1 ? e->n_lanes : taking_part(e);
    table t = {.view = lane_view_of(end, 1), .step = 1, .n_rows = 4};
    char label[SLOT_BYTES];
    snprintf(label, sizeof label, "%s %" PRIu32, halving ? "stride" : "offset", e->distance);
    put_lanes(&t, 0);
    put_items(p, &t, 1, "old", e->before);
    put_sources(&t, 2, e);
    put_items(p, &t, 3, "new", e->after);
    show(p, &t, label);
}

static void show_line(const printer *p, const char *label, const char *text)
{
    if (!p->measuring)
        printf("  %-*s%s\n", TABLE_LABEL - 2, label, text);
}

static void show_title(printer *p, const trace_event *e)
{
    if (p->measuring)
        return;
    bool host = tracing_on_host(p->t, e->stage);
    printf("\nstage %" PRIu32 "%s, block %" PRIu64 " of %" PRIu64 ": %" PRIu32 " lane%s\n",
           e->stage, host ? " on the host" : "", e->block, p->blocks, e->n_lanes,
           e->n_lanes == 1 ? "" : "s");
    p->header.n = 0;
}

static void show_event(printer *p, const trace_event *e)
{
    char text[ITEM_TEXT_BYTES + 64];
    switch (e->step) {
    case TRACE_LOAD:
        show_title(p, e);
        show_load(p, e);
        break;
    case TRACE_WRITE: show_write(p, e); break;
    case TRACE_READ: show_read(p, e); break;
    case TRACE_ROUND: show_round(p, e); break;
    case TRACE_BARRIER:
        snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32 " lanes arrived", e->arrived,
                 e->n_lanes);
        show_line(p, "barrier", text);
        break;
    case TRACE_PARTIAL:
        tracing_text(p->t, &e->after[0], text);
        show_line(p, "partial", text);
        break;
    case TRACE_RESULT: break;
    }
    if (e->trouble && !p->measuring) {
        fputs("  ! ", stdout);
        wrap_text(stdout, p->t->zh ? e->trouble->zh : e->trouble->text, 4);
    }
}

static void visit(void *user, const trace_event *e)
{
    printer *p = user;
    if (e->step == TRACE_RESULT) {
        if (!p->measuring)
            putchar('\n');
        show_event(p, e);
        return;
    }
    if (e->step == TRACE_LOAD && e->block == 0)
        stage_blocks(p, e->stage);
    if (tracing_shows(e->block, p->blocks)) {
        show_event(p, e);
        return;
    }
    p->hidden_trouble += e->trouble != NULL;
    if (e->step == TRACE_LOAD && e->block == TRACING_BLOCKS - 1 && !p->measuring)
        printf("\nstage %" PRIu32 ", blocks %" PRIu64 " to %" PRIu64 ": --json shows them\n",
               e->stage, e->block, p->blocks - 2);
}

/* ---- the whole ---- */

static void print_plan(const tracing *t)
{
    const tally_plan *plan = &t->plan;
    printf("plan       %s of %zu %s: %s, %s, vector %" PRIu32 ",\n"
           "           %" PRIu64 " block%s of %" PRIu32 " lane%s, %" PRIu32 " stage%s, final %s\n",
           tally_op_name(t->set.op), t->x.n, tally_type_name(t->x.type),
           tally_shape_name(plan->shape), tally_assign_name(plan->assign), plan->vector,
           plan->blocks, plan->blocks == 1 ? "" : "s", plan->block, plan->block == 1 ? "" : "s",
           plan->stages, plan->stages == 1 ? "" : "s", tally_final_name(plan->final));
}

static void print_signs(const tracing *t)
{
    char text[ITEM_TEXT_BYTES];
    puts("\nsigns      <t combines with lane t's value   = gets its own value back\n"
         "           . takes no part                   _ no element: holds the identity");
    if (lane_view_of(t->plan.block, 1).n < t->plan.block)
        puts("           .. lanes between, not shown");
    if (t->set.fault->fault == FAULT_NONE)
        return;
    const tally_item unwritten = tally_trace_unwritten(t->kind, !t->set.zeroed);
    item_text(&unwritten, t->kind, text);
    printf("           x returned early                  %s: unwritten\n", text);
}

void trace_print_text(tracing *t)
{
    printer p = {.t = t, .measuring = true};
    print_plan(t);
    if (t->x.n == 0) {
        puts("\nNo elements: nothing is launched.\n");
    } else {
        trace_print_coverage(t);
        print_signs(t);
        (void)tracing_play(t, visit, &p);
        p.measuring = false;
        (void)tracing_play(t, visit, &p);
        if (p.hidden_trouble > 0)
            printf(t->zh ? "  ! 未显示的块里还有 %" PRIu64 " 处\n"
                         : "  ! and %" PRIu64 " more in the blocks that are not shown\n",
                   p.hidden_trouble);
    }
    trace_print_results(t);
    if (t->set.fault->fault != FAULT_NONE)
        trace_print_fault(t);
}
