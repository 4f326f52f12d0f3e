/*
 * backend.h - the seam between the reductions and whoever computes them.
 *
 * A backend is one table of functions, every one of them set. Its getter returns NULL where the
 * backend is not in this build or the machine lacks it, so that callers need no #if.
 */
#ifndef TALLY_BACKEND_H
#define TALLY_BACKEND_H

#include <stdbool.h>

#include "item.h"
#include "tally.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was seen while looking for an extreme, and where the extreme is. */
typedef struct tally_extreme {
    bool found;         /* false: no element, or only skipped NaNs */
    size_t at;          /* index into the array of the first best element, or of the first NaN */
    uint64_t n_nan;     /* NaN elements, skipped ones too */
    uint64_t n_pos_inf; /* +inf elements */
    uint64_t n_neg_inf; /* -inf elements */
} tally_extreme;

typedef struct tally_extreme_query {
    bool largest;     /* max, argmax */
    bool zeros_equal; /* argmin, argmax: -0 ties with +0; else -0 < +0 */
    tally_nan nan;    /* PROPAGATE: the first NaN is the extreme; SKIP: NaNs are not there */
} tally_extreme_query;

/* Changes whenever anything does that the core and a module share: this table, or the structs that
 * it passes on. A module of another number is not used. */
#define TALLY_BACKEND_ABI 1

typedef struct tally_backend {
    uint32_t abi;
    tally_backend_id id;
    /* says whether the backend is READY with a device, and what is known of it */
    void (*describe)(int device, tally_backend_info *info);
    /* makes what a context needs (may stay NULL) / frees it */
    tally_status (*open)(const tally_options *options, void **self);
    void (*close)(void *self);
    /* adds x to a state of x's kind; x was checked, n may be 0 */
    tally_status (*add)(void *self, const tally_array *x, tally_nan nan, tally_state *state);
    /* finds the extreme of x; x was checked, n may be 0 */
    tally_status (*extreme)(void *self, const tally_array *x, const tally_extreme_query *query,
                            tally_extreme *result);
    /* runs a resolved plan over x, n > 0: the accumulator of the whole, before any root; called
     * with the default floating-point environment */
    tally_status (*tree)(void *self, tally_op op, const tally_plan *plan, const tally_array *x,
                         tally_item *result);
    /* the same into the stream, n may be 0; the result and its status are left on the device */
    tally_status (*tree_async)(void *self, tally_op op, const tally_plan *plan,
                               const tally_array *x, tally_device_result *result);
    /* how much device memory a resolved plan needs / makes the workspace at least that large */
    size_t (*workspace)(void *self, tally_op op, tally_type type, const tally_plan *plan);
    tally_status (*reserve)(void *self, size_t nbytes);
    /* kernels launched since open */
    uint64_t (*launches)(void *self);
    /* why the latest call failed: fills native_code, api and what, all constant; "" and 0 where its
     * status says it all */
    void (*failure)(void *self, tally_error_detail *detail);
} tally_backend;

const tally_backend *tally_backend_cpu(void);
const tally_backend *tally_backend_model(void); /* NULL where no C++ compiler built it */
const tally_backend *tally_backend_cuda(void);  /* these two: NULL where no module is found */
const tally_backend *tally_backend_hip(void);

#ifdef __cplusplus
}
#endif

#endif
