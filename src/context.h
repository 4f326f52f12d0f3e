/* context.h - a backend made ready, and the detail of its latest error. */
#ifndef TALLY_CONTEXT_H
#define TALLY_CONTEXT_H

#include "backend.h"

struct tally_context {
    const tally_backend *backend;
    void *self;
    tally_error_detail error;
};

/* errno is the caller's: what may allocate is put between these. */
int tally_errno_get(void);
void tally_errno_set(int value);

/* Notes an error of the caller's or the library's own, and gives it back. */
tally_status tally_context_fail(tally_context *ctx, tally_status status, const char *what);

/* Notes that the backend's latest call failed with a status, and gives that back. */
tally_status tally_context_backend_failed(tally_context *ctx, tally_status status);

#endif
