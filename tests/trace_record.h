/*
 * trace_record.h - a trace kept for tests: every event with arrays of its own, and ways to find
 * one.
 */
#ifndef TESTS_TRACE_RECORD_H
#define TESTS_TRACE_RECORD_H

#include "trace.h"

typedef struct record {
    trace_event e;
    tally_item *before, *after;
    int32_t *source, *slot;
    uint8_t *role;
    uint64_t *n_elements;
} record;

enum { RECORDS = 4000 };

/* The latest trace that was played. */
typedef struct recording {
    tally_op op;
    tally_type type;
    tally_plan plan;
    tally_item result;
    size_t n;
    record r[RECORDS];
} recording;

extern recording rec;

typedef struct setting {
    tally_op op;
    tally_fault fault;
    bool zeroed;   /* shared memory begins as zeros, not as poison */
    uint32_t wave; /* 32 (0 too) or 64 */
} setting;

extern const setting sum;          /* no fault */
extern const tally_plan halving_4; /* the lesson's: shape halving, blocks of 4 */
extern const double lesson[5];     /* and its numbers */

/* Play a plan over an array, or over n doubles; what was recorded before is freed. */
void play_array(setting set, tally_plan wanted, const tally_array *x);
void play(setting set, tally_plan wanted, const double *x, size_t n);
void forget_trace(void);

/* The how manyth event of a step in a stage and block, from 0; NULL if there are fewer. */
const record *find(trace_step step, uint32_t stage, uint64_t block, size_t which);
/* How many events of a step there are. */
size_t count_steps(trace_step step);

/* The event must be there, with these numbers after it. Gives it back. */
const record *expect_after(const record *r, const double *right, size_t n);
/* Items are the same byte for byte. */
void expect_same(const tally_item *a, const tally_item *b, size_t n);
/* Some event's trouble has these words; no event has any. */
void expect_trouble(const char *words);
void expect_no_trouble(void);

#endif
