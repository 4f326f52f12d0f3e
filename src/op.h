/* op.h - the tables of ops and element types; everything that differs between them is a column. */
#ifndef TALLY_OP_H
#define TALLY_OP_H

#include <stdbool.h>

#include "fold.h"
#include "tally.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum op_kernel {
    OP_KERNEL_ADD = 0,     /* adds up an exact state */
    OP_KERNEL_EXTREME = 1, /* looks for the best element */
    OP_KERNEL_NONE = 2     /* level exact does not have this op */
} op_kernel;

typedef struct op_row {
    tally_op op;
    const char *name;
    op_kernel kernel; /* at level exact */
    bool mean;        /* ADD: the total is divided by the count */
    bool largest;     /* EXTREME: the best is the largest */
    bool index;       /* EXTREME: the result is where it is */
    bool tree;        /* level tree has this op */
} op_row;

typedef struct type_row {
    tally_type type;
    const char *name;
    size_t size;
    tally_class class_of;
    tally_type sum; /* default type of a sum */
} type_row;

/* NULL for a number that is no op, no type (DEFAULT is none). */
const op_row *tally_op_find(tally_op op);
const type_row *tally_type_find(tally_type type);

#ifdef __cplusplus
}
#endif

#endif
