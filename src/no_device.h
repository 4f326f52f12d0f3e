/* no_device.h - what backends without a device answer where the seam asks for one. */
#ifndef TALLY_NO_DEVICE_H
#define TALLY_NO_DEVICE_H

#include "backend.h"

#ifdef __cplusplus
extern "C" {
#endif

void tally_no_device_describe(int device, tally_backend_info *info);
tally_status tally_no_device_async(void *self, tally_op op, const tally_plan *plan,
                                   const tally_array *x, tally_device_result *result);
size_t tally_no_device_workspace(void *self, tally_op op, tally_type type, const tally_plan *plan);
tally_status tally_no_device_reserve(void *self, size_t nbytes);

#ifdef __cplusplus
}
#endif

#endif
