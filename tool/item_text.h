/*
 * item_text.h - what a lane holds, as text: the shortest digits, integers of 128 bits in full.
 */
#ifndef TALLY_ITEM_TEXT_H
#define TALLY_ITEM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "item.h"

enum { ITEM_TEXT_BYTES = 64 };

/* The value alone: "0.1", "nan", "-170141183460469231731687303715884105728"; "overflow" where 128
 * bits did not hold it. */
size_t item_text(const tally_item *item, item_kind kind, char text[ITEM_TEXT_BYTES]);

/* For argmin and argmax: "VALUE@INDEX", "none" for the identity. */
size_t item_indexed_text(const tally_item *item, item_kind kind, char text[ITEM_TEXT_BYTES]);

#endif
