/*
 * item_text.c - items as text.
 */
#include "item_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/number.h"

/* Divides the magnitude in high:low by 10 and gives the remainder. */
static unsigned divide_by_ten(uint64_t *high, uint64_t *low)
{
    /* 32 bits at a time, so that remainder:digit never leaves 64 bits */
    uint64_t part[4] = {*high >> 32, (uint32_t)*high, *low >> 32, (uint32_t)*low};
    uint64_t rest = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t all = rest << 32 | part[i];
        part[i] = all / 10;
        rest = all % 10;
    }
    *high = part[0] << 32 | part[1];
    *low = part[2] << 32 | part[3];
    return (unsigned)rest;
}

static size_t integer_text(const tally_item *item, char text[ITEM_TEXT_BYTES])
{
    uint64_t low = item->as.i128[0], high = item->as.i128[1];
    bool negative = high >> 63;
    char digits[ITEM_TEXT_BYTES];
    size_t at = sizeof digits, length;
    if (item->overflow)
        return (size_t)snprintf(text, ITEM_TEXT_BYTES, "overflow");
    if (negative) {
        high = ~high + (low == 0);
        low = 0 - low;
    }
    do {
        digits[--at] = (char)('0' + divide_by_ten(&high, &low));
    } while (high != 0 || low != 0);
    if (negative)
        digits[--at] = '-';
    length = sizeof digits - at;
    memcpy(text, digits + at, length);
    text[length] = '\0';
    return length;
}

size_t item_text(const tally_item *item, item_kind kind, char text[ITEM_TEXT_BYTES])
{
    tally_value value = {.type = TALLY_TYPE_F64, .as.f64 = item->as.f64};
    if (kind == ITEM_I128)
        return integer_text(item, text);
    if (kind == ITEM_F32)
        value = (tally_value){.type = TALLY_TYPE_F32, .as.f32 = item->as.f32};
    return number_print(&value, text);
}

size_t item_indexed_text(const tally_item *item, item_kind kind, char text[ITEM_TEXT_BYTES])
{
    if (item->index == ITEM_NO_INDEX)
        return (size_t)snprintf(text, ITEM_TEXT_BYTES, "none");
    size_t length = item_text(item, kind, text);
    return length +
           (size_t)snprintf(text + length, ITEM_TEXT_BYTES - length, "@%" PRIu64, item->index);
}
