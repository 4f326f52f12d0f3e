/*
 * tracing.h - what 'tally trace' knows: a plan played over elements, what its order costs, and what
 * a fault does to it. The text and the JSON are two views of it.
 */
#ifndef TALLY_TRACING_H
#define TALLY_TRACING_H

#include "gather.h"
#include "model/model.h"
#include "settings.h"
#include "trace.h"
#include "tree_number.h"

/* How |tree - exact| compares with the rule of thumb of 1e-5 |exact|. */
typedef enum thumb_rule {
    THUMB_NONE = 0, /* it does not apply */
    THUMB_HOLDS = 1,
    THUMB_FAILS = 2,
    THUMB_ZERO = 3 /* the exact result is 0, and no error is small relative to that */
} thumb_rule;

/* The tree's value beside the exact one. */
typedef struct comparison {
    bool has_exact;            /* level exact has this op, or nothing is rounded at level tree */
    tree_number exact;         /* rounded once, of the tree's type */
    bool has_ulp;              /* both are numbers of one type */
    char ulp[ITEM_TEXT_BYTES]; /* representable values between the two: "0" if they are equal */
    bool
        other_element; /* argmin, argmax: the two are different elements, and that is no distance */
    bool has_in_order; /* it did not overflow */
    tree_number in_order; /* one lane takes all elements, from the first to the last */
    bool has_bound;       /* a sum or norm1 of finite floats, nothing overflowed */
    double error;         /* |tree - exact| */
    double magnitude;     /* the sum of |x| */
    double share;         /* |exact| as a share of it: small where terms cancel */
    uint64_t depth;       /* roundings on the longest way from an element to the result */
    double bound;         /* of |tree - exact|, for this depth */
    double bound_any;     /* and for any order of additions */
    thumb_rule thumb;
} comparison;

/* What a fault does to the number, on the trace; and the model's findings. */
typedef struct fault_outcome {
    tally_item clean, poisoned, zeroed; /* without the fault; with it, by what memory begins as */
    bool poisoned_right, zeroed_right;  /* the same value as without the fault */
    tally_status model_status;          /* BACKEND: this build has no model */
    model_result model;
} fault_outcome;

typedef struct tracing {
    settings set;
    bool zh; /* explanations in Chinese */
    item_kind kind;
    tally_array x;
    tally_plan plan;       /* resolved */
    tally_plan grid;       /* as launched: a fault may lose a block */
    void *scratch;         /* of the trace */
    tally_item *partials;  /* of stage 1: grid.blocks */
    tally_item item;       /* the accumulator of the whole */
    tree_number number;    /* the tree's */
    tally_status status;   /* of number: OK, EMPTY, OVERFLOW */
    comparison comparison; /* if status is OK */
    fault_outcome outcome; /* if there is a fault */
} tracing;

/* Plays the plan over x once, telling a visitor (may be NULL); partials are kept. */
tally_status tracing_play(tracing *t, trace_visit *visit, void *user);

/* Fills in t->comparison, t->outcome. Errors: MEMORY. */
tally_status tracing_compare(tracing *t);
tally_status tracing_provoke(tracing *t);

/* One item as text, with its index for argmin and argmax. */
size_t tracing_text(const tracing *t, const tally_item *item, char text[]);

/* Lanes with the same number of elements. */
typedef struct lane_count {
    uint64_t lanes, elements;
} lane_count;

/* How many lanes of the grid take how many elements, most elements first; gives how many kinds
 * there are, which is at most LANE_COUNTS (all V of a lane, or what is left of them at the end). */
enum { LANE_COUNTS = 4 };
size_t tracing_count_lanes(const tracing *t, lane_count counts[LANE_COUNTS]);

/* Passes over all lanes that the assignment makes: each lane takes vector elements in each. */
uint64_t tracing_sweeps(const tracing *t);

/* How many stages the plan goes through, and whether the host folds one of them: the last, or
 * none. */
uint32_t tracing_stages(const tracing *t);
bool tracing_on_host(const tracing *t, uint32_t stage);

/* Of many blocks, text shows the first ones and the last. */
enum { TRACING_BLOCKS = 4 };
bool tracing_shows(uint64_t block, uint64_t blocks);

/* The views. */
void trace_print_text(tracing *t);
void trace_print_json(tracing *t);

#endif
