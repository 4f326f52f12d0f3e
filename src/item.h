/*
 * item.h - what a lane holds while a tree adds up: the accumulator's value, of one of three kinds.
 *
 * Only the layout and the table of kinds are here. How items are combined is written down twice, on
 * purpose: in plain C for the trace, and in the kernels; the tests compare the two.
 */
#ifndef TALLY_ITEM_H
#define TALLY_ITEM_H

#include "tally.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum item_kind {
    ITEM_F32 = 0, /* f16, bf16, f32 */
    ITEM_F64 = 1, /* f64 */
    ITEM_I128 = 2 /* integers: two's complement in 128 bits */
} item_kind;

#define ITEM_NO_INDEX UINT64_MAX

typedef struct tally_item {
    union {
        float f32;
        double f64;
        uint64_t i128[2]; /* low, high */
    } as;
    uint64_t index;    /* argmin, argmax: of the element; ITEM_NO_INDEX: the identity */
    uint32_t overflow; /* 1: 128 bits did not hold it (a product, a sum of squares) */
    uint32_t unused;   /* 0, so that items compare byte for byte */
} tally_item;

/* The element types that trees take: f16, bf16, f32, f64, i32, i64. False for any other. */
int tally_item_kind(tally_type type, item_kind *kind);

#ifdef __cplusplus
}
#endif

#endif
