/*
 * measure.h - timing on a device: samples, medians, records. Used by the programs beside it.
 *
 * A record is a text file. Lines "# name: value" say where and of what it was made; every other
 * line is one measurement: words "name=value", the last of them samples=, all of them in
 * microseconds a call, as measured.
 */
#ifndef TALLY_BENCH_MEASURE_H
#define TALLY_BENCH_MEASURE_H

#include <cuda_runtime.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "tally.h"

#define CUDA_MUST(call)                                                                            \
    do {                                                                                           \
        const cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(error_));                                                   \
            exit(4);                                                                               \
        }                                                                                          \
    } while (0)

inline void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

inline void tally_must(tally_context *ctx, tally_status status, const char *what)
{
    if (status != TALLY_OK) {
        tally_error_detail detail = {};
        tally_last_error(ctx, &detail);
        die("%s: %s: %s (%s, %d)", what, tally_status_name(status), detail.what, detail.api,
            detail.native_code);
    }
}

typedef std::vector<double> samples; /* microseconds a call */

inline double median(samples s)
{
    std::sort(s.begin(), s.end());
    return s.size() % 2 != 0 ? s[s.size() / 2] : (s[s.size() / 2 - 1] + s[s.size() / 2]) / 2;
}

inline double quantile(samples s, double part)
{
    std::sort(s.begin(), s.end());
    return s[static_cast<size_t>(part * static_cast<double>(s.size() - 1) + 0.5)];
}

/* Writes one measurement: what it is, median and quartiles, and all samples. */
inline void record(const samples &s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf(" median=%.3f q1=%.3f q3=%.3f samples=", median(s), quantile(s, 0.25),
           quantile(s, 0.75));
    for (size_t i = 0; i < s.size(); i++) {
        printf("%s%.3f", i == 0 ? "" : ",", s[i]);
    }
    putchar('\n');
    fflush(stdout);
}

inline double now_us()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}

/* A call captured "times" times over into one graph, so that what is timed is the device's work and
 * not the host's launching. */
class replay
{
    cudaStream_t stream;
    cudaGraphExec_t graph;
    cudaEvent_t begin, end;
    int times;

  public:
    replay(cudaStream_t on, int n, const std::function<void(cudaStream_t)> &call)
        : stream(on), graph(nullptr), begin(nullptr), end(nullptr), times(n)
    {
        cudaGraph_t captured;
        CUDA_MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        for (int i = 0; i < n; i++) {
            call(stream);
        }
        CUDA_MUST(cudaStreamEndCapture(stream, &captured));
        CUDA_MUST(cudaGraphInstantiate(&graph, captured, 0));
        CUDA_MUST(cudaGraphDestroy(captured));
        CUDA_MUST(cudaEventCreate(&begin));
        CUDA_MUST(cudaEventCreate(&end));
        sample(); /* warm up */
    }
    ~replay()
    {
        cudaGraphExecDestroy(graph);
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
    }
    replay(const replay &) = delete;
    replay &operator=(const replay &) = delete;

    double sample()
    {
        float ms = 0;
        CUDA_MUST(cudaEventRecord(begin, stream));
        CUDA_MUST(cudaGraphLaunch(graph, stream));
        CUDA_MUST(cudaEventRecord(end, stream));
        CUDA_MUST(cudaEventSynchronize(end));
        CUDA_MUST(cudaEventElapsedTime(&ms, begin, end));
        return static_cast<double>(ms) * 1e3 / times;
    }
};

/* Samples of several calls in turn, so that whatever drifts drifts for all of them. */
inline std::vector<samples> alternate(int rounds, const std::vector<std::function<double()>> &calls)
{
    std::vector<samples> taken(calls.size());
    for (int i = 0; i < rounds; i++) {
        for (size_t c = 0; c < calls.size(); c++) {
            taken[c].push_back(calls[c]());
        }
    }
    return taken;
}

/* Microseconds of a call that waits for its own end, by the host's clock. */
inline std::function<double()> timed(const std::function<void()> &call)
{
    return [call]() {
        const double begin = now_us();
        call();
        return now_us() - begin;
    };
}

#endif
