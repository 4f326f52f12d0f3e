/*
 * test_device.cu - what only a real device can show of the backend cuda. Skipped (77) where there
 * is none.
 *
 *   test_device          every claim but those that end the process's use of the device
 *   test_device fault    a kernel that fails: the error names the call, its code and its words
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thread>
#include <vector>

#include "tally.h"

#define CUDA_MUST(call)                                                                            \
    do {                                                                                           \
        const cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(error_));                                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define CHECK(what, ...)                                                                           \
    do {                                                                                           \
        n_checks++;                                                                                \
        if (!(what)) {                                                                             \
            n_failed++;                                                                            \
            fprintf(stderr, "%s:%d: not so: %s: ", __FILE__, __LINE__, #what);                     \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
        }                                                                                          \
    } while (0)

namespace
{

unsigned n_checks, n_failed;

const tally_op ops[] = {TALLY_OP_SUM,   TALLY_OP_PROD,   TALLY_OP_MIN,
                        TALLY_OP_MAX,   TALLY_OP_ARGMIN, TALLY_OP_ARGMAX,
                        TALLY_OP_NORM1, TALLY_OP_NORM2,  TALLY_OP_NORMINF};
const tally_type types[] = {TALLY_TYPE_F16, TALLY_TYPE_BF16, TALLY_TYPE_F32,
                            TALLY_TYPE_F64, TALLY_TYPE_I32,  TALLY_TYPE_I64};

uint64_t scrambled(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* How the bytes of elements are made: any bits at all; small numbers; zeros of both signs. */
enum pattern { ANY_BITS, SMALL, ZEROS, PATTERNS };

void fill(tally_type type, pattern how, void *data, size_t n, uint64_t seed)
{
    const size_t size = tally_type_size(type);
    for (size_t i = 0; i < n; i++) {
        unsigned char *const at = static_cast<unsigned char *>(data) + i * size;
        const uint64_t random = scrambled(seed * 1000003 + i);
        const int small = static_cast<int>(random % 201) - 100;
        uint64_t bits = random;
        if (how == ZEROS) {
            bits = type == TALLY_TYPE_I32 || type == TALLY_TYPE_I64
                       ? 0
                       : (random & 1) << (size * 8 - 1);
        } else if (how == SMALL) {
            const float f = static_cast<float>(small) / 8;
            const double d = small / 8.0 + static_cast<double>(random >> 40) * 0x1p-40;
            uint32_t word;
            memcpy(&word, &f, sizeof word);
            switch (type) {
            case TALLY_TYPE_F64: memcpy(&bits, &d, sizeof bits); break;
            case TALLY_TYPE_F32: bits = word | (random >> 60); break;
            case TALLY_TYPE_BF16: bits = word >> 16; break;
            case TALLY_TYPE_F16: /* bias 127 - 15; zero and -0 stay */
                bits = f == 0 ? 0 : (word >> 16 & 0x8000) | ((word >> 13 & 0x3ffff) - (112u << 10));
                break;
            default: bits = static_cast<uint64_t>(static_cast<int64_t>(small)); break;
            }
        }
        memcpy(at, &bits, size);
    }
}

bool same(const tally_value &a, const tally_value &b)
{
    const size_t size = tally_type_size(a.type);
    return a.type == b.type && memcmp(&a.as, &b.as, size) == 0;
}

bool order_matters(const tally_plan &plan, tally_op op, tally_type type)
{
    return plan.final == TALLY_FINAL_ATOMIC && type != TALLY_TYPE_I32 && type != TALLY_TYPE_I64 &&
           op != TALLY_OP_MIN && op != TALLY_OP_MAX && op != TALLY_OP_ARGMIN &&
           op != TALLY_OP_ARGMAX && op != TALLY_OP_NORMINF;
}

/* Contexts, and memory that all claims use. */
struct bed {
    tally_context *cpu, *cuda;
    tally_device_result *result;
    unsigned char *device;
    std::vector<unsigned char> host;
};

constexpr size_t bed_bytes = 1 << 22;

tally_status by_device(bed &b, const tally_request &request, const tally_array &x, tally_value *out)
{
    tally_device_result got;
    memset(&got, 0xa5, sizeof got);
    CUDA_MUST(cudaMemset(b.result, 0xa5, sizeof got));
    const tally_status status = tally_reduce_async(b.cuda, &request, &x, b.result);
    if (status != TALLY_OK) {
        return status;
    }
    CUDA_MUST(cudaDeviceSynchronize());
    CUDA_MUST(cudaMemcpy(&got, b.result, sizeof got, cudaMemcpyDeviceToHost));
    *out = got.value;
    return static_cast<tally_status>(got.status);
}

/* One request over n elements at an offset and a stride: CPU, host memory, device memory and the
 * asynchronous call agree. */
void compare(bed &b, const tally_request &request, tally_type type, size_t n, size_t offset,
             ptrdiff_t stride)
{
    const size_t size = tally_type_size(type);
    const size_t first =
        offset + (stride < 0 && n > 0 ? (n - 1) * size * static_cast<size_t>(-stride) : 0);
    const tally_array here = {b.host.data() + first, n, stride, type};
    const tally_array there = {b.device + first, n, stride, type};
    tally_value expected = {}, got[3] = {};
    const tally_status status = tally_reduce(b.cpu, &request, &here, &expected);
    const tally_status statuses[3] = {tally_reduce(b.cuda, &request, &here, &got[0]),
                                      tally_reduce(b.cuda, &request, &there, &got[1]),
                                      request.plan && request.plan->final == TALLY_FINAL_HOST
                                          ? status
                                          : by_device(b, request, there, &got[2])};
    for (int i = 0; i < 3; i++) {
        CHECK(statuses[i] == status, "way %d, %s of %zu %s: %s, expected %s", i,
              tally_op_name(request.op), n, tally_type_name(type), tally_status_name(statuses[i]),
              tally_status_name(status));
        if (i == 2 && request.plan && request.plan->final == TALLY_FINAL_HOST) {
            continue;
        }
        if (status == TALLY_OK && statuses[i] == TALLY_OK &&
            !(request.plan && order_matters(*request.plan, request.op, type))) {
            CHECK(same(got[i], expected), "way %d, %s of %zu %s, offset %zu, stride %td", i,
                  tally_op_name(request.op), n, tally_type_name(type), offset, stride);
        }
    }
}

void upload(bed &b)
{
    CUDA_MUST(cudaMemcpy(b.device, b.host.data(), b.host.size(), cudaMemcpyHostToDevice));
}

void every_way_gives_the_same_bits(bed &b)
{
    tally_plan plans[6] = {};
    plans[1].shape = TALLY_SHAPE_HALVING;
    plans[2].final = TALLY_FINAL_HOST;
    plans[3].final = TALLY_FINAL_ATOMIC;
    plans[4].block = 64, plans[4].vector = 3, plans[4].blocks = 7;
    plans[5].block = 32, plans[5].shape = TALLY_SHAPE_HALVING, plans[5].stages = 3;
    for (int how = 0; how < PATTERNS; how++) {
        for (tally_type type : types) {
            fill(type, static_cast<pattern>(how), b.host.data(), bed_bytes / tally_type_size(type),
                 7);
            upload(b);
            for (tally_op op : ops) {
                for (const tally_plan &plan : plans) {
                    for (size_t n : {size_t(0), size_t(1), size_t(31), size_t(1000), size_t(4097),
                                     size_t(70001)}) {
                        tally_request request = {};
                        request.op = op;
                        request.level = TALLY_LEVEL_TREE;
                        request.plan = &plan;
                        compare(b, request, type, n, 0, 1);
                    }
                }
            }
        }
    }
}

void any_address_and_stride(bed &b)
{
    for (tally_type type : types) {
        fill(type, SMALL, b.host.data(), bed_bytes / tally_type_size(type), 11);
        upload(b);
        tally_request request = {};
        request.op = TALLY_OP_SUM;
        request.level = TALLY_LEVEL_TREE;
        for (size_t offset = 0; offset < 33; offset++) {
            compare(b, request, type, 5003, offset, 1);
        }
        for (ptrdiff_t stride : {-3, -1, 0, 2, 5}) {
            compare(b, request, type, 5003, 0, stride);
        }
    }
}

void graphs_replay(bed &b)
{
    const size_t n = 50000;
    tally_context *ctx = nullptr;
    tally_options options = {};
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA_MUST(cudaStreamCreate(&stream));
    options.backend = TALLY_BACKEND_CUDA;
    options.stream = stream;
    CHECK(tally_open(&options, &ctx) == TALLY_OK, "open with a stream");
    for (tally_final final : {TALLY_FINAL_DEVICE, TALLY_FINAL_ATOMIC}) {
        tally_plan plan = {};
        plan.final = final;
        tally_request request = {};
        request.op = TALLY_OP_MAX;
        request.level = TALLY_LEVEL_TREE;
        request.plan = &plan;
        const tally_array x = tally_array_dense(TALLY_TYPE_F32, b.device, n);
        CUDA_MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        CHECK(tally_reduce_async(ctx, &request, &x, b.result) == TALLY_OK, "capture");
        CUDA_MUST(cudaStreamEndCapture(stream, &graph));
        CUDA_MUST(cudaGraphInstantiate(&exec, graph, 0));
        for (uint64_t seed = 1; seed <= 5; seed++) { /* new elements, the same graph */
            fill(TALLY_TYPE_F32, SMALL, b.host.data(), n, seed);
            upload(b);
            const tally_array here = tally_array_dense(TALLY_TYPE_F32, b.host.data(), n);
            tally_value expected = {};
            tally_device_result got = {};
            CHECK(tally_reduce(b.cpu, &request, &here, &expected) == TALLY_OK, "cpu");
            CUDA_MUST(cudaGraphLaunch(exec, stream));
            CUDA_MUST(cudaStreamSynchronize(stream));
            CUDA_MUST(cudaMemcpy(&got, b.result, sizeof got, cudaMemcpyDeviceToHost));
            CHECK(got.status == TALLY_OK && same(got.value, expected), "replay %d",
                  static_cast<int>(seed));
        }
        CUDA_MUST(cudaGraphExecDestroy(exec));
        CUDA_MUST(cudaGraphDestroy(graph));
    }
    tally_close(ctx);
    CUDA_MUST(cudaStreamDestroy(stream));
}

/* Two contexts with a stream each, from two threads. */
void two_streams_at_once(bed &b)
{
    const size_t n = 300000;
    fill(TALLY_TYPE_F64, SMALL, b.host.data(), n, 3);
    upload(b);
    const tally_array here = tally_array_dense(TALLY_TYPE_F64, b.host.data(), n);
    const tally_array there = tally_array_dense(TALLY_TYPE_F64, b.device, n);
    tally_request request = {};
    request.level = TALLY_LEVEL_TREE;
    tally_value expected = {};
    CHECK(tally_reduce(b.cpu, &request, &here, &expected) == TALLY_OK, "cpu");
    int wrong[2] = {0, 0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; t++) {
        threads.emplace_back([&, t]() {
            cudaStream_t stream;
            tally_context *ctx;
            tally_options options = {};
            CUDA_MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            options.backend = TALLY_BACKEND_CUDA;
            options.stream = stream;
            wrong[t] += tally_open(&options, &ctx) != TALLY_OK;
            for (int i = 0; i < 200; i++) {
                tally_value got = {};
                wrong[t] +=
                    tally_reduce(ctx, &request, &there, &got) != TALLY_OK || !same(got, expected);
            }
            tally_close(ctx);
            CUDA_MUST(cudaStreamDestroy(stream));
        });
    }
    for (std::thread &t : threads) {
        t.join();
    }
    CHECK(wrong[0] + wrong[1] == 0, "%d and %d wrong", wrong[0], wrong[1]);
}

/* A workspace of the caller's: as large as the query says, with anything in it, and nothing written
 * behind its end. */
void workspaces_of_the_callers(bed &b)
{
    const size_t n = 100000, guard = 256;
    fill(TALLY_TYPE_I64, SMALL, b.host.data(), n, 5);
    upload(b);
    const tally_array here = tally_array_dense(TALLY_TYPE_I64, b.host.data(), n);
    const tally_array there = tally_array_dense(TALLY_TYPE_I64, b.device, n);
    for (tally_final final : {TALLY_FINAL_DEVICE, TALLY_FINAL_ATOMIC}) {
        for (tally_op op : ops) {
            tally_plan plan = {};
            plan.final = final;
            plan.stages = final == TALLY_FINAL_DEVICE ? 3 : 2;
            plan.block = 32;
            plan.vector = 1;
            plan.blocks = 3000;
            tally_request request = {};
            request.op = op;
            request.level = TALLY_LEVEL_TREE;
            request.plan = &plan;
            size_t nbytes = 0;
            unsigned char *workspace;
            tally_context *ctx;
            tally_options options = {};
            CHECK(tally_workspace_nbytes(b.cuda, &request, TALLY_TYPE_I64, n, &nbytes) ==
                          TALLY_OK &&
                      nbytes > 0,
                  "query");
            CUDA_MUST(cudaMalloc(&workspace, nbytes + guard));
            options.backend = TALLY_BACKEND_CUDA;
            options.workspace = workspace;
            options.workspace_nbytes = nbytes;
            CHECK(tally_open(&options, &ctx) == TALLY_OK, "open with a workspace");
            tally_value expected = {}, got = {};
            const tally_status status = tally_reduce(b.cpu, &request, &here, &expected);
            for (int i = 0; i < 2; i++) {
                CUDA_MUST(cudaMemset(workspace, 0xee - i, nbytes + guard));
                const tally_status again = tally_reduce(ctx, &request, &there, &got);
                CHECK(again == status && (status != TALLY_OK || same(got, expected)),
                      "%s in a workspace full of %x: %s", tally_op_name(op), 0xee - i,
                      tally_status_name(again));
                unsigned char behind[guard];
                CUDA_MUST(cudaMemcpy(behind, workspace + nbytes, guard, cudaMemcpyDeviceToHost));
                for (unsigned char byte : behind) {
                    CHECK(byte == 0xee - i, "written behind the workspace");
                }
            }
            options.workspace_nbytes = nbytes - 256;
            tally_close(ctx);
            CHECK(tally_open(&options, &ctx) == TALLY_OK, "open with too little");
            CHECK(tally_reduce(ctx, &request, &there, &got) == TALLY_ERR_SPACE, "too little");
            CHECK(tally_reduce_async(ctx, &request, &there, b.result) == TALLY_ERR_SPACE,
                  "too little, asynchronously");
            CHECK(tally_reserve(ctx, nbytes) == TALLY_ERR_SPACE, "reserve");
            tally_close(ctx);
            CUDA_MUST(cudaFree(workspace));
        }
    }
}

/* The context's own workspace: too small until it is reserved; nothing grows behind one's back. */
void workspaces_of_the_library(bed &b)
{
    tally_context *ctx;
    tally_options options = {};
    options.backend = TALLY_BACKEND_CUDA;
    CHECK(tally_open(&options, &ctx) == TALLY_OK, "open");
    tally_plan plan = {};
    plan.blocks = 100000;
    tally_request request = {};
    request.op = TALLY_OP_ARGMAX;
    request.level = TALLY_LEVEL_TREE;
    request.plan = &plan;
    const tally_array there = tally_array_dense(TALLY_TYPE_I64, b.device, 1000);
    size_t nbytes;
    CHECK(tally_reduce_async(ctx, &request, &there, b.result) == TALLY_ERR_SPACE, "before");
    CHECK(tally_workspace_nbytes(ctx, &request, TALLY_TYPE_I64, 1000, &nbytes) == TALLY_OK,
          "query");
    CHECK(tally_reserve(ctx, nbytes) == TALLY_OK, "reserve");
    CHECK(tally_reduce_async(ctx, &request, &there, b.result) == TALLY_OK, "after");
    CUDA_MUST(cudaDeviceSynchronize());
    tally_close(ctx);
}

void launches_are_counted(bed &b)
{
    tally_request request = {};
    request.level = TALLY_LEVEL_TREE;
    tally_value value;
    const tally_array none = tally_array_dense(TALLY_TYPE_F32, b.device, 0);
    const tally_array one_block = tally_array_dense(TALLY_TYPE_F32, b.device, 300);
    const tally_array many = tally_array_dense(TALLY_TYPE_F32, b.device, 1000000);
    const uint64_t begin = tally_context_launches(b.cuda);
    CHECK(tally_reduce(b.cuda, &request, &none, &value) == TALLY_OK, "none");
    CHECK(tally_context_launches(b.cuda) == begin, "R13: a launch for nothing");
    CHECK(tally_reduce(b.cuda, &request, &one_block, &value) == TALLY_OK, "one block");
    CHECK(tally_context_launches(b.cuda) == begin + 1, "one block is one launch");
    CHECK(tally_reduce(b.cuda, &request, &many, &value) == TALLY_OK, "many");
    CHECK(tally_context_launches(b.cuda) == begin + 3, "two stages are two launches");
}

void refusals(bed &b)
{
    tally_context *ctx;
    tally_options options = {};
    options.backend = TALLY_BACKEND_CUDA;
    options.device = 1000;
    CHECK(tally_open(&options, &ctx) == TALLY_ERR_BACKEND && !ctx, "device 1000");
    options.device = 0;
    options.workspace = b.device + 8;
    CHECK(tally_open(&options, &ctx) == TALLY_ERR_ARGUMENT && !ctx, "a workspace off by 8");
    tally_request request = {};
    tally_value value;
    const tally_array x = tally_array_dense(TALLY_TYPE_F32, b.device, 10);
    tally_plan plan = {};
    CHECK(tally_reduce_async(b.cuda, &request, &x, b.result) == TALLY_ERR_UNSUPPORTED, "exact");
    CHECK(tally_reduce(b.cuda, &request, &x, &value) == TALLY_ERR_UNSUPPORTED, "exact");
    request.level = TALLY_LEVEL_TREE;
    CHECK(tally_reduce_async(b.cpu, &request, &x, b.result) == TALLY_ERR_UNSUPPORTED, "on the CPU");
    CHECK(tally_reduce_async(b.cuda, &request, &x, nullptr) == TALLY_ERR_ARGUMENT, "no result");
    request.out = TALLY_TYPE_F64;
    CHECK(tally_reduce_async(b.cuda, &request, &x, b.result) == TALLY_ERR_UNSUPPORTED, "out");
    request.out = TALLY_TYPE_DEFAULT;
    plan.final = TALLY_FINAL_HOST;
    request.plan = &plan;
    CHECK(tally_reduce_async(b.cuda, &request, &x, b.result) == TALLY_ERR_UNSUPPORTED, "host");
    tally_error_detail detail;
    CHECK(tally_last_error(b.cuda, &detail) == TALLY_OK && detail.what[0], "it says why");
    /* and the context is as good as before */
    request.plan = nullptr;
    CHECK(tally_reduce(b.cuda, &request, &x, &value) == TALLY_OK, "afterwards");
}

/* The caller's current device, errors of its own, and floats of the host's stay as they are. */
void nothing_of_the_callers_changes(bed &b)
{
    tally_request request = {};
    request.level = TALLY_LEVEL_TREE;
    tally_value value;
    const tally_array x = tally_array_dense(TALLY_TYPE_F32, b.device, 10000);
    int device = -1;
    CHECK(tally_reduce(b.cuda, &request, &x, &value) == TALLY_OK, "sum");
    CUDA_MUST(cudaGetDevice(&device));
    CHECK(device == 0, "device %d", device);
    CUDA_MUST(cudaGetLastError());
}

/* n reaches far beyond the allocation: the kernel fails, and every later call says so. */
int fault(tally_context *cuda, void *device)
{
    tally_request request = {};
    request.level = TALLY_LEVEL_TREE;
    tally_value value;
    tally_error_detail detail;
    const tally_array x = tally_array_dense(TALLY_TYPE_F32, device, 1ull << 42);
    value.as.u64 = 0x1234567812345678;
    const tally_status status = tally_reduce(cuda, &request, &x, &value);
    tally_last_error(cuda, &detail);
    printf("%s: %s failed with %d: %s\n", tally_status_name(status), detail.api, detail.native_code,
           detail.what);
    const bool told = status == TALLY_ERR_DEVICE && detail.native_code == cudaErrorIllegalAddress &&
                      strcmp(detail.api, "cudaStreamSynchronize") == 0 && detail.what[0] &&
                      value.as.u64 == 0x1234567812345678;
    const tally_array y = tally_array_dense(TALLY_TYPE_F32, device, 10);
    const bool still = tally_reduce(cuda, &request, &y, &value) == TALLY_ERR_DEVICE;
    tally_close(cuda);
    puts(told && still ? "1 test passed" : "1 test FAILED");
    return told && still ? 0 : 1;
}

const struct {
    const char *name;
    void (*run)(bed &b);
} claims[] = {
    {"every way gives the same bits", every_way_gives_the_same_bits},
    {"any address and stride", any_address_and_stride},
    {"graphs replay", graphs_replay},
    {"two streams at once", two_streams_at_once},
    {"workspaces of the caller's", workspaces_of_the_callers},
    {"workspaces of the library", workspaces_of_the_library},
    {"launches are counted", launches_are_counted},
    {"refusals", refusals},
    {"nothing of the caller's changes", nothing_of_the_callers_changes},
};

} // namespace

int main(int argc, char **argv)
{
    bed b = {};
    tally_options options = {};
    options.backend = TALLY_BACKEND_CUDA;
    if (tally_open(&options, &b.cuda) != TALLY_OK) {
        tally_backend_info info;
        tally_backend_find(TALLY_BACKEND_CUDA, 0, &info);
        printf("skipped: %s\n", info.reason);
        return info.presence == TALLY_PRESENCE_NO_DEVICE ? 77 : 1;
    }
    b.host.resize(bed_bytes);
    CUDA_MUST(cudaMalloc(&b.device, bed_bytes));
    CUDA_MUST(cudaMalloc(&b.result, sizeof *b.result));
    if (argc > 1 && strcmp(argv[1], "fault") == 0) {
        return fault(b.cuda, b.device);
    }
    options = {};
    options.backend = TALLY_BACKEND_CPU;
    if (tally_open(&options, &b.cpu) != TALLY_OK || tally_reserve(b.cuda, 1 << 20) != TALLY_OK) {
        return 1;
    }
    for (const auto &claim : claims) {
        const unsigned failed = n_failed, checks = n_checks;
        claim.run(b);
        printf("%-34s %s (%u checks)\n", claim.name, n_failed == failed ? "ok" : "FAILED",
               n_checks - checks);
    }
    tally_close(b.cpu);
    tally_close(b.cuda);
    printf("%u checks, %u failed\n", n_checks, n_failed);
    return n_failed > 0 ? 1 : 0;
}
