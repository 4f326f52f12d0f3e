/*
 * gpu_map_host.h - the part of the map that only the host speaks: devices, memory, copies, waiting.
 *
 * Every function tells what became of the vendor's call, and which one it was (gpu_outcome). Not
 * for the model, which has a machine of its own.
 */
#ifndef TALLY_GPU_MAP_HOST_H
#define TALLY_GPU_MAP_HOST_H

#include <stdio.h>

#include "gpu_map.h"

#if defined(__HIPCC__)
#define GPU_API(name) "hip" #name
#define GPU_NAME      "hip"
#else
#define GPU_API(name) "cuda" #name
#define GPU_NAME      "cuda"
#endif

/* One call of the vendor's API, and its name. */
#define GPU_CALL(name, ...)                                                                        \
    gpu_outcome                                                                                    \
    {                                                                                              \
        GPU_VENDOR(name)(__VA_ARGS__), GPU_API(name)                                               \
    }

/* tree_run.h shares this one between files: no nameless namespace for it. */
struct gpu_outcome {
    gpu_error error;
    const char *api;
    bool failed() const
    {
        return error != gpu_ok;
    }
};

namespace
{

constexpr gpu_outcome gpu_done = {gpu_ok, ""};

#if defined(__HIPCC__)
constexpr gpu_error gpu_error_of_memory = hipErrorOutOfMemory;
#else
constexpr gpu_error gpu_error_of_memory = cudaErrorMemoryAllocation;
#endif

#if defined(__HIPCC__)
constexpr const char *gpu_launch_api = "hipLaunchKernel";
#else
constexpr const char *gpu_launch_api = "cudaLaunchKernelExC";
#endif

/* Takes a failed call's error off the thread, so that the next check does not see it again. */
inline void gpu_forget_error()
{
    (void)GPU_VENDOR(GetLastError)();
}

/* ---- devices ---- */

inline gpu_outcome gpu_count_devices(int *n)
{
    return GPU_CALL(GetDeviceCount, n);
}

inline gpu_outcome gpu_current_device(int *device)
{
    return GPU_CALL(GetDevice, device);
}

inline gpu_outcome gpu_use_device(int device)
{
    return GPU_CALL(SetDevice, device);
}

inline gpu_outcome gpu_versions(int *driver, int *runtime)
{
    const gpu_outcome outcome = GPU_CALL(DriverGetVersion, driver);
    return outcome.failed() ? outcome : GPU_CALL(RuntimeGetVersion, runtime);
}

/* The device's name and kind, for people. */
inline gpu_outcome gpu_describe(int device, char *text, size_t nbytes)
{
#if defined(__HIPCC__)
    hipDeviceProp_t properties;
    const gpu_outcome outcome = GPU_CALL(GetDeviceProperties, &properties, device);
    if (!outcome.failed()) {
        snprintf(text, nbytes, "%s, %s, waves of %d", properties.name, properties.gcnArchName,
                 properties.warpSize);
    }
#else
    cudaDeviceProp properties;
    const gpu_outcome outcome = GPU_CALL(GetDeviceProperties, &properties, device);
    if (!outcome.failed()) {
        snprintf(text, nbytes, "%s, compute capability %d.%d", properties.name, properties.major,
                 properties.minor);
    }
#endif
    return outcome;
}

/* Whether a kernel may be launched before the one before it ends (gpu_grid.overlaps). */
inline gpu_outcome gpu_overlaps(int device, bool *overlaps)
{
#if defined(__HIPCC__)
    (void)device;
    *overlaps = false;
    return gpu_done;
#else
    int major = 0;
    const gpu_outcome outcome =
        GPU_CALL(DeviceGetAttribute, &major, cudaDevAttrComputeCapabilityMajor, device);
    *overlaps = major >= 9;
    return outcome;
#endif
}

/* ---- memory ---- */

inline gpu_outcome gpu_allocate(void **data, size_t nbytes)
{
    return GPU_CALL(Malloc, data, nbytes);
}

inline gpu_outcome gpu_free(void *data)
{
    return GPU_CALL(Free, data);
}

/* Host memory that copies go fast to, and that kernels may write to at *device. */
inline gpu_outcome gpu_allocate_host(void **host, void **device, size_t nbytes)
{
#if defined(__HIPCC__)
    const gpu_outcome outcome = {hipHostMalloc(host, nbytes, hipHostMallocMapped), "hipHostMalloc"};
#else
    const gpu_outcome outcome = GPU_CALL(HostAlloc, host, nbytes, cudaHostAllocMapped);
#endif
    return outcome.failed() ? outcome : GPU_CALL(HostGetDevicePointer, device, *host, 0);
}

inline gpu_outcome gpu_free_host(void *host)
{
#if defined(__HIPCC__)
    return {hipHostFree(host), "hipHostFree"};
#else
    return GPU_CALL(FreeHost, host);
#endif
}

/* Where memory is, seen from a device. */
enum gpu_place { GPU_ON_HOST, GPU_ON_DEVICE, GPU_ON_OTHER_DEVICE };

inline gpu_outcome gpu_find_place(const void *data, int device, gpu_place *place)
{
#if defined(__HIPCC__)
    hipPointerAttribute_t found = {};
    const hipError_t error = hipPointerGetAttributes(&found, data);
    *place = GPU_ON_HOST;
    if (error == hipErrorInvalidValue) { /* it never heard of that memory: the host's own */
        gpu_forget_error();
        return gpu_done;
    }
#if HIP_VERSION_MAJOR >= 6
    const bool on_device = found.type == hipMemoryTypeDevice || found.type == hipMemoryTypeManaged;
    const bool managed = found.type == hipMemoryTypeManaged;
#else
    const bool on_device = found.memoryType == hipMemoryTypeDevice || found.isManaged != 0;
    const bool managed = found.isManaged != 0;
#endif
    const gpu_outcome outcome = {error, "hipPointerGetAttributes"};
#else
    cudaPointerAttributes found = {};
    const gpu_outcome outcome = GPU_CALL(PointerGetAttributes, &found, data);
    const bool managed = found.type == cudaMemoryTypeManaged;
    const bool on_device = managed || found.type == cudaMemoryTypeDevice;
#endif
    *place = !on_device                          ? GPU_ON_HOST
             : managed || found.device == device ? GPU_ON_DEVICE
                                                 : GPU_ON_OTHER_DEVICE;
    return outcome;
}

/* ---- the stream ---- */

inline gpu_outcome gpu_copy_in(gpu_queue queue, void *to, const void *from, size_t nbytes)
{
    return GPU_CALL(MemcpyAsync, to, from, nbytes, GPU_VENDOR(MemcpyHostToDevice), queue);
}

inline gpu_outcome gpu_copy_out(gpu_queue queue, void *to, const void *from, size_t nbytes)
{
    return GPU_CALL(MemcpyAsync, to, from, nbytes, GPU_VENDOR(MemcpyDeviceToHost), queue);
}

inline gpu_outcome gpu_wait(gpu_queue queue)
{
    return GPU_CALL(StreamSynchronize, queue);
}

} // namespace

#endif
