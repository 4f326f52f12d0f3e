/* no_device.c - the CPU and the model are always ready, and need no workspace. */
#include "no_device.h"

void tally_no_device_describe(int device, tally_backend_info *info)
{
    (void)device;
    info->presence = TALLY_PRESENCE_READY;
}

/* tally_reduce_async() says what is wrong. */
tally_status tally_no_device_async(void *self, tally_op op, const tally_plan *plan,
                                   const tally_array *x, tally_device_result *result)
{
    (void)self, (void)op, (void)plan, (void)x, (void)result;
    return TALLY_ERR_UNSUPPORTED;
}

size_t tally_no_device_workspace(void *self, tally_op op, tally_type type, const tally_plan *plan)
{
    (void)self, (void)op, (void)type, (void)plan;
    return 0;
}

tally_status tally_no_device_reserve(void *self, size_t nbytes)
{
    (void)self, (void)nbytes;
    return TALLY_OK;
}
