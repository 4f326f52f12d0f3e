/*
 * trace_coverage.c - the head of a trace as text: which lane takes which elements.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace_report.h"
#include "trace_table.h"
#include "wrap.h"

static void put_index(char cell[ITEM_TEXT_BYTES], uint64_t first, uint64_t n, char flag)
{
    size_t length = strlen(cell);
    if (n == 1)
        snprintf(cell + length, ITEM_TEXT_BYTES - length, "%" PRIu64 "%c", first, flag);
    else if (n > 1)
        snprintf(cell + length, ITEM_TEXT_BYTES - length, "%" PRIu64 "..%" PRIu64 "%c", first,
                 first + n - 1, flag);
}

static void coverage_of_block(const tracing *t, uint64_t block, uint64_t sweep, table *cells)
{
    uint32_t vector = t->grid.vector;
    memset(cells, 0, sizeof *cells);
    cells->view = lane_view_of(t->grid.block, 1);
    cells->step = 1;
    cells->n_rows = 1;
    cells->row[0] = "";
    for (size_t i = 0; i < cells->view.n; i++) {
        uint64_t first = tally_plan_index(&t->grid, block, cells->view.lane[i], sweep * vector);
        uint64_t valid = first >= t->x.n ? 0 : t->x.n - first < vector ? t->x.n - first : vector;
        put_index(cells->cell[0][i], first, valid, '+');
        put_index(cells->cell[0][i], first + valid, vector - valid, '-');
    }
}

/* Prints a sweep, with cells of at least *width; or only finds out the width. */
static void print_sweep(const tracing *t, uint64_t sweep, int *width, bool print)
{
    uint64_t blocks = t->grid.blocks;
    table cells;
    char label[40];
    for (uint64_t block = 0; block < blocks; block++) {
        if (!tracing_shows(block, blocks)) {
            if (print)
                puts("  ..");
            block = blocks - 2;
            continue;
        }
        coverage_of_block(t, block, sweep, &cells);
        int widest = table_width(&cells);
        *width = widest > *width ? widest : *width;
        snprintf(label, sizeof label, "block %" PRIu64, block);
        if (print)
            table_print(&cells, label, *width);
    }
}

static void print_counts(const tracing *t)
{
    lane_count counts[LANE_COUNTS];
    size_t n = tracing_count_lanes(t, counts), length = 0;
    char text[LANE_COUNTS * 80] = "";
    for (size_t i = 0; i < n; i++) {
        bool one = counts[i].lanes == 1;
        char elements[48] = "none";
        if (counts[i].elements > 0)
            snprintf(elements, sizeof elements, "%" PRIu64 " element%s", counts[i].elements,
                     counts[i].elements == 1 ? "" : "s");
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%s%" PRIu64 " lane%s %s %s", i > 0 ? ", " : "", counts[i].lanes,
                                   one ? "" : "s", one ? "takes" : "take", elements);
    }
    fputs("  ", stdout);
    wrap_text(stdout, text, 2);
}

void trace_print_coverage(const tracing *t)
{
    int width = 0;
    uint64_t sweeps = tracing_sweeps(t);
    uint64_t sweep = t->grid.blocks * t->grid.block * t->grid.vector, covered = sweeps * sweep;
    if (sweeps == 0) {
        puts("\ncoverage   no block at all");
        return;
    }
    printf("\ncoverage   indices 0 to %" PRIu64 ": + holds an element, - lies past the end\n",
           covered - 1);
    for (uint64_t s = 0; s<sweeps; s += sweeps> 1 ? sweeps - 1 : 1)
        print_sweep(t, s, &width, false);
    for (uint64_t s = 0; s<sweeps; s += sweeps> 1 ? sweeps - 1 : 1) {
        if (sweeps > 1)
            printf("  sweep %" PRIu64 " of %" PRIu64 "\n", s, sweeps);
        print_sweep(t, s, &width, true);
    }
    print_counts(t);
    if (covered < t->x.n)
        printf(t->zh ? "  ! 下标 %" PRIu64 " 到 %" PRIu64 " 不属于任何块\n"
                     : "  ! indices %" PRIu64 " to %" PRIu64 " are in no block\n",
               covered, (uint64_t)t->x.n - 1);
}
