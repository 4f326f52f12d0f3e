/* trace_item.h - what a lane does with items, in plain C. The kernels have their own text. */
#ifndef TALLY_TRACE_ITEM_H
#define TALLY_TRACE_ITEM_H

#include "item.h"
#include "tally.h"

/* What a lane holds before its first element. */
tally_item tally_trace_identity(tally_op op, item_kind kind);

/* What memory holds that nobody wrote: poison (a NaN, or a large odd number), or zeros. */
tally_item tally_trace_unwritten(item_kind kind, int poison);

/* a = a combined with b; a NaN becomes the canonical one. */
void tally_trace_combine(tally_op op, item_kind kind, tally_item *a, const tally_item *b);

/* a = a combined with what op makes of element index of x. */
void tally_trace_take(tally_op op, item_kind kind, const tally_array *x, uint64_t index,
                      tally_item *a);

#endif
