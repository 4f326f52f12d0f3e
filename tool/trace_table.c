/*
 * trace_table.c - lays rows of lanes out.
 */
#include "trace_table.h"

#include <stdio.h>
#include <string.h>

#include "plan.h"

enum { COLUMNS = 79, ALL_SHOWN = 16, FIRST_SHOWN = 4 };

static void show(lane_view *view, uint32_t lane)
{
    if (view->n == 0 || view->lane[view->n - 1] < lane)
        view->lane[view->n++] = lane;
}

lane_view lane_view_of(uint32_t end, uint32_t step)
{
    lane_view view = {.n = 0};
    uint32_t n = (end + step - 1) / step; /* at most 1024 */
    for (uint32_t i = 0; i < n; i++) {
        bool leads = i * step % PLAN_GROUP == 0 && step < PLAN_GROUP;
        if (n <= ALL_SHOWN || i < FIRST_SHOWN || leads || i == n - 1)
            show(&view, i * step);
    }
    return view;
}

bool lane_view_equal(const lane_view *a, const lane_view *b)
{
    return a->n == b->n && memcmp(a->lane, b->lane, a->n * sizeof *a->lane) == 0;
}

int table_width(const table *t)
{
    size_t width = 0;
    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t i = 0; i < t->view.n; i++) {
            size_t length = strlen(t->cell[row][i]);
            width = length > width ? length : width;
        }
    }
    return (int)width;
}

static bool gap_before(const table *t, size_t column)
{
    return column > 0 && t->view.lane[column] != t->view.lane[column - 1] + t->step;
}

/* The first column that does not fit on the line that begins with column "from". */
static size_t line_end(const table *t, size_t from, int width)
{
    int at = TABLE_HEAD;
    size_t i = from;
    for (; i < t->view.n; i++) {
        at += (i > from && gap_before(t, i) ? 3 : 0) + 1 + width;
        if (at > COLUMNS && i > from)
            break;
    }
    return i;
}

bool table_is_one_line(const table *t, int width)
{
    return line_end(t, 0, width) == t->view.n;
}

void table_print(const table *t, const char *label, int width)
{
    for (size_t from = 0, to; from < t->view.n; from = to) {
        to = line_end(t, from, width);
        for (size_t row = 0; row < t->n_rows; row++) {
            printf("  %-*s%-*s", TABLE_LABEL - 2, from == 0 && row == 0 ? label : "",
                   TABLE_HEAD - TABLE_LABEL, t->row[row]);
            for (size_t i = from; i < to; i++)
                printf("%s %*s", gap_before(t, i) && i > from ? " .." : "", width, t->cell[row][i]);
            putchar('\n');
        }
    }
}
