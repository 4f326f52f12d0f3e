/*
 * trace_table.h - a few rows of cells, a column a lane, in 80 columns: what does not fit side by
 * side continues below.
 */
#ifndef TALLY_TRACE_TABLE_H
#define TALLY_TRACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "item_text.h"

enum { TABLE_ROWS = 4, TABLE_COLUMNS = 48, TABLE_LABEL = 13, TABLE_HEAD = 20 };

/* The lanes that are shown: all of a few, else the first ones, the first of each group and the
 * last. */
typedef struct lane_view {
    size_t n;
    uint32_t lane[TABLE_COLUMNS];
} lane_view;

/* Of lanes 0, step, 2 step ... below end. */
lane_view lane_view_of(uint32_t end, uint32_t step);
bool lane_view_equal(const lane_view *a, const lane_view *b);

typedef struct table {
    lane_view view;
    uint32_t step; /* between neighbours: wherever more lie between two columns, ".." is shown */
    size_t n_rows;
    const char *row[TABLE_ROWS]; /* what each row says */
    char cell[TABLE_ROWS][TABLE_COLUMNS][ITEM_TEXT_BYTES];
} table;

/* The widest cell. */
int table_width(const table *t);
/* Whether all columns stand on one line. */
bool table_is_one_line(const table *t, int width);
/* Prints the rows with cells of at least this width; label stands before the first. */
void table_print(const table *t, const char *label, int width);

#endif
