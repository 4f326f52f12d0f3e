/* best.h - the best element so far of min, max, argmin and argmax, across all element types. */
#ifndef TALLY_BEST_H
#define TALLY_BEST_H

#include "fold.h"
#include "op.h"

/* The element at p as a best's bits: a float widened to f64 (a NaN canonical), else its 64-bit
 * integer. */
uint64_t tally_best_bits(const type_row *type, const unsigned char *p);

/* Whether candidate c of class cc is to replace the best b of class cb. A tie goes to the lower
 * index. */
bool tally_best_is_better(const op_row *op, tally_class cc, const tally_best *c, tally_class cb,
                          const tally_best *b);

#endif
