/* trace_block.h - one block of a trace: its lanes have loaded, it folds them, and tells each step.
 */
#ifndef TALLY_TRACE_BLOCK_H
#define TALLY_TRACE_BLOCK_H

#include "trace.h"

/* Arrays have n_lanes entries; they are reused from block to block. */
typedef struct trace_block {
    const trace_options *options;
    item_kind kind;
    uint32_t stage;
    bool on_host; /* which has no lanes: none of their faults */
    uint64_t block;
    uint32_t n_lanes;
    tally_item identity;
    tally_item unwritten; /* what shared memory and the register of a lane that left hold */
    tally_item *lane;     /* registers */
    tally_item *before;
    tally_item *shared;
    uint64_t *n_elements;
    int32_t *source;
    int32_t *slot;
    uint8_t *role;
    uint8_t *gone; /* 1: returned early */
} trace_block;

/* Fills in what all of a block's events have in common and calls the visitor, if there is one. */
void tally_trace_tell(const trace_block *b, trace_event *event);

/* Whether the lanes of this stage make this mistake. */
bool tally_trace_faulty(const trace_block *b, tally_fault fault);

/* Fold the block: the partial is where they point to. */
const tally_item *tally_trace_wave(trace_block *b);
const tally_item *tally_trace_halving(trace_block *b);

#endif
