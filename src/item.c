/* item.c - which kind of item an element type is added up in. */
#include "item.h"

int tally_item_kind(tally_type type, item_kind *kind)
{
    switch (type) {
    case TALLY_TYPE_F16:
    case TALLY_TYPE_BF16:
    case TALLY_TYPE_F32: *kind = ITEM_F32; return 1;
    case TALLY_TYPE_F64: *kind = ITEM_F64; return 1;
    case TALLY_TYPE_I32:
    case TALLY_TYPE_I64: *kind = ITEM_I128; return 1;
    default: return 0;
    }
}
