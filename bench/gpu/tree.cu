/*
 * tree.cu - how fast trees are on an NVIDIA device, beside CUB and beside a plain read.
 *
 *   bench_gpu_tree [SECTION...]     sizes small finals shapes align atomic tune; default: all but
 * tune
 *
 * Every result is checked, bit by bit, before it is timed: against the library's CPU, or above 2^12
 * elements against a reference that shares no code with it (data.cuh). Prints a record, see
 * measure.h. Exit 1: a wrong result. Exit 4: no device.
 */
#include <cub/device/device_reduce.cuh>
#include <math.h>

#include "data.cuh"
#include "measure.h"

namespace
{

constexpr int rounds = 31;

template <class T> struct type_of;
template <> struct type_of<float> {
    static constexpr tally_type type = TALLY_TYPE_F32;
    static constexpr const char *name = "f32";
    static float get(const tally_value &v)
    {
        return v.as.f32;
    }
};
template <> struct type_of<double> {
    static constexpr tally_type type = TALLY_TYPE_F64;
    static constexpr const char *name = "f64";
    static double get(const tally_value &v)
    {
        return v.as.f64;
    }
};

/* What every section works with. */
struct bench {
    tally_context *cpu, *cuda;
    cudaStream_t stream;
    tally_device_result *result; /* on the device */
    void *data;                  /* on the device: 2^31 doubles at most */
    uint64_t nbytes;
    int processors;
};

template <class T> T *elements(const bench &b)
{
    return static_cast<T *>(b.data);
}

tally_request sum_of(const tally_plan *plan)
{
    tally_request request = {};
    request.op = TALLY_OP_SUM;
    request.level = TALLY_LEVEL_TREE;
    request.plan = plan;
    return request;
}

tally_plan resolved(const tally_plan &wanted, tally_type type, uint64_t n)
{
    tally_plan plan;
    const char *why = "";
    if (tally_plan_resolve(&wanted, type, n, &plan, &why) != TALLY_OK) {
        die("%s", why);
    }
    return plan;
}

void start(const bench &b, const tally_plan *plan, const tally_array &x)
{
    const tally_request request = sum_of(plan);
    tally_must(b.cuda, tally_reduce_async(b.cuda, &request, &x, b.result), "tally_reduce_async");
}

template <class T> T device_sum(const bench &b, const tally_plan *plan, const tally_array &x)
{
    tally_device_result here;
    CUDA_MUST(cudaMemset(b.result, 0xff, sizeof here));
    start(b, plan, x);
    CUDA_MUST(cudaMemcpyAsync(&here, b.result, sizeof here, cudaMemcpyDeviceToHost, b.stream));
    CUDA_MUST(cudaStreamSynchronize(b.stream));
    if (here.status != TALLY_OK || here.value.type != type_of<T>::type) {
        die("the device's status is %d, its type %d", here.status, here.value.type);
    }
    return type_of<T>::get(here.value);
}

template <class T> bool same_bits(T a, T b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Dies unless the device's sum of the first n elements is the tree's. */
template <class T> void check(const bench &b, const tally_plan &wanted, uint64_t n)
{
    const tally_array x = tally_array_dense(type_of<T>::type, b.data, n);
    const tally_plan plan = resolved(wanted, x.type, n);
    const T got = device_sum<T>(b, &plan, x);
    T expected;
    if (n <= 1 << 12 || plan.shape != TALLY_SHAPE_WAVE) {
        std::vector<T> here(n);
        tally_value value;
        const tally_request request = sum_of(&plan);
        CUDA_MUST(cudaMemcpy(here.data(), b.data, n * sizeof(T), cudaMemcpyDeviceToHost));
        const tally_array y = tally_array_dense(x.type, here.data(), n);
        tally_must(b.cpu, tally_reduce(b.cpu, &request, &y, &value), "tally_reduce");
        expected = type_of<T>::get(value);
    } else {
        expected = reference_tree(elements<T>(b), n, plan);
    }
    if (!same_bits(got, expected)) {
        die("%s, n = %llu: the device gives %.17g, the tree is %.17g", type_of<T>::name,
            static_cast<unsigned long long>(n), static_cast<double>(got),
            static_cast<double>(expected));
    }
}

/* ---- CUB ---- */

template <class T> class cub_sum
{
    void *workspace;
    size_t nbytes;
    T *out;

  public:
    explicit cub_sum(uint64_t n) : workspace(nullptr), nbytes(0), out(nullptr)
    {
        CUDA_MUST(cudaMalloc(&out, sizeof(T)));
        CUDA_MUST(cub::DeviceReduce::Sum(nullptr, nbytes, static_cast<T *>(nullptr), out, n));
        CUDA_MUST(cudaMalloc(&workspace, nbytes));
    }
    ~cub_sum()
    {
        cudaFree(workspace);
        cudaFree(out);
    }
    cub_sum(const cub_sum &) = delete;
    cub_sum &operator=(const cub_sum &) = delete;

    void start(const T *x, uint64_t n, cudaStream_t stream)
    {
        CUDA_MUST(cub::DeviceReduce::Sum(workspace, nbytes, x, out, n, stream));
    }

    /* Its order is its own, so a bound is all that can be checked: of n elements in [0, 1), whose
     * sum is near n / 2, added in some tree of depth below 64 steps and 2^12 in a lane. */
    void check(uint64_t n) const
    {
        T got;
        CUDA_MUST(cudaDeviceSynchronize());
        CUDA_MUST(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
        const double expected = static_cast<double>(n) / 2;
        if (!(fabs(got - expected) < 4 * sqrt(static_cast<double>(n)) + 1e-3 * expected)) {
            die("CUB gives %.17g for about %.17g", static_cast<double>(got), expected);
        }
    }
};

/* ---- sizes: against CUB and the plain read ---- */

template <class T> void measure_size(const bench &b, const char *section, uint64_t n, int times)
{
    const tally_array x = tally_array_dense(type_of<T>::type, b.data, n);
    cub_sum<T> cub(n);
    check<T>(b, {}, n);
    const unsigned blocks = static_cast<unsigned>(8 * b.processors);
    unsigned *const out = reinterpret_cast<unsigned *>(b.result);
    replay tally(b.stream, times, [&](cudaStream_t) { start(b, nullptr, x); });
    replay theirs(b.stream, times,
                  [&](cudaStream_t stream) { cub.start(elements<T>(b), n, stream); });
    replay plain(b.stream, times, [&](cudaStream_t stream) {
        read_kernel<<<blocks, 256, 0, stream>>>(static_cast<uint4 *>(b.data), n * sizeof(T) / 16,
                                                out);
    });
    cub.check(n);
    const auto taken =
        alternate(rounds, {[&] { return tally.sample(); }, [&] { return theirs.sample(); },
                           [&] { return plain.sample(); }});
    const char *const who[] = {"tally", "cub", "read"};
    for (size_t i = 0; i < 3; i++) {
        record(taken[i], "section=%s type=%s n=%llu who=%s", section, type_of<T>::name,
               static_cast<unsigned long long>(n), who[i]);
    }
    check<T>(b, {}, n);
}

template <class T> void measure_sizes(const bench &b, int from, int to)
{
    fill(elements<T>(b), b.nbytes / sizeof(T) < 1ull << to ? b.nbytes / sizeof(T) : 1ull << to);
    for (int k = from; k <= to && sizeof(T) << k <= b.nbytes; k++) {
        const int times = k <= 24 ? 20 : k <= 27 ? 8 : 2;
        measure_size<T>(b, "sizes", 1ull << k, times);
    }
}

void section_sizes(const bench &b)
{
    measure_sizes<float>(b, 25, 31);
    measure_sizes<double>(b, 25, 31);
}

void section_small(const bench &b)
{
    measure_sizes<float>(b, 8, 24);
    measure_sizes<double>(b, 8, 24);
}

/* ---- finals: the copy back and the host's work included ---- */

void section_finals(const bench &b)
{
    static const struct {
        tally_final final;
        const char *name;
    } finals[] = {
        {TALLY_FINAL_DEVICE, "device"}, {TALLY_FINAL_HOST, "host"}, {TALLY_FINAL_ATOMIC, "atomic"}};
    const uint64_t n = 1 << 24;
    const tally_array x = tally_array_dense(TALLY_TYPE_F32, b.data, n);
    fill(elements<float>(b), n);
    for (uint64_t blocks = 1; blocks <= 4096; blocks *= 2) {
        std::vector<std::function<double()>> calls;
        tally_plan plans[3];
        tally_value fixed = {};
        for (int f = 0; f < 3; f++) {
            tally_plan wanted = {};
            wanted.blocks = blocks;
            wanted.final = finals[f].final;
            plans[f] = resolved(wanted, x.type, n);
            const tally_request request = sum_of(&plans[f]);
            tally_value value;
            tally_must(b.cuda, tally_reduce(b.cuda, &request, &x, &value), "tally_reduce");
            if (f == 0) {
                fixed = value;
                check<float>(b, plans[f], n);
            } else if (f == 1 && !same_bits(value.as.f32, fixed.as.f32)) {
                die("final host and final device differ with %llu blocks",
                    static_cast<unsigned long long>(blocks));
            }
            calls.push_back(timed([&b, &plans, &x, f]() {
                const tally_request again = sum_of(&plans[f]);
                tally_value ignored;
                tally_must(b.cuda, tally_reduce(b.cuda, &again, &x, &ignored), "tally_reduce");
            }));
        }
        const auto taken = alternate(101, calls);
        for (size_t f = 0; f < 3; f++) {
            record(taken[f], "section=finals type=f32 n=%llu blocks=%llu final=%s",
                   static_cast<unsigned long long>(n), static_cast<unsigned long long>(blocks),
                   finals[f].name);
        }
    }
    /* on the device alone, without the host's part */
    for (uint64_t blocks = 1; blocks <= 4096; blocks *= 2) {
        tally_plan two = {}, atomic = {};
        two.blocks = atomic.blocks = blocks;
        atomic.final = TALLY_FINAL_ATOMIC;
        replay by_device(b.stream, 20, [&](cudaStream_t) { start(b, &two, x); });
        replay by_atomic(b.stream, 20, [&](cudaStream_t) { start(b, &atomic, x); });
        const auto taken = alternate(
            rounds, {[&] { return by_device.sample(); }, [&] { return by_atomic.sample(); }});
        for (size_t f = 0; f < 2; f++) {
            record(taken[f], "section=finals-device type=f32 n=%llu blocks=%llu final=%s",
                   static_cast<unsigned long long>(n), static_cast<unsigned long long>(blocks),
                   f == 0 ? "device" : "atomic");
        }
    }
}

/* ---- shapes: lane exchange against shared memory ---- */

void section_shapes(const bench &b)
{
    fill(elements<float>(b), 1 << 24);
    for (uint32_t block = 32; block <= 1024; block *= 2) {
        for (int k : {14, 20, 24}) {
            const uint64_t n = 1ull << k;
            const tally_array x = tally_array_dense(TALLY_TYPE_F32, b.data, n);
            tally_plan wave = {}, halving = {};
            wave.block = halving.block = block;
            wave.vector = halving.vector = 4;
            wave.shape = TALLY_SHAPE_WAVE;
            halving.shape = TALLY_SHAPE_HALVING;
            wave.assign = halving.assign = TALLY_ASSIGN_GRID_STRIDE;
            check<float>(b, wave, n);
            check<float>(b, halving, n);
            replay one(b.stream, 20, [&](cudaStream_t) { start(b, &wave, x); });
            replay other(b.stream, 20, [&](cudaStream_t) { start(b, &halving, x); });
            const auto taken =
                alternate(rounds, {[&] { return one.sample(); }, [&] { return other.sample(); }});
            for (size_t i = 0; i < 2; i++) {
                record(taken[i], "section=shapes type=f32 n=%llu block=%u shape=%s",
                       static_cast<unsigned long long>(n), block, i == 0 ? "wave" : "halving");
            }
        }
    }
}

/* ---- what a base address off by some bytes costs ---- */

template <class T> void measure_align(const bench &b)
{
    const uint64_t n = 1ull << 28;
    fill(elements<T>(b), n + 16);
    for (size_t offset : {0, 1, 4, 8, 16}) {
        const tally_array x =
            tally_array_dense(type_of<T>::type, static_cast<unsigned char *>(b.data) + offset, n);
        const T once = device_sum<T>(b, nullptr, x);
        if (offset % sizeof(T) == 0) {
            const tally_plan plan = resolved({}, x.type, n);
            const T expected = reference_tree(static_cast<const T *>(x.data), n, plan);
            if (!same_bits(once, expected)) {
                die("%s at offset %zu: %.17g, the tree is %.17g", type_of<T>::name, offset,
                    static_cast<double>(once), static_cast<double>(expected));
            }
        }
        replay call(b.stream, 4, [&](cudaStream_t) { start(b, nullptr, x); });
        record(alternate(rounds, {[&] { return call.sample(); }})[0],
               "section=align type=%s n=%llu offset=%zu", type_of<T>::name,
               static_cast<unsigned long long>(n), offset);
    }
}

void section_align(const bench &b)
{
    measure_align<float>(b);
    measure_align<double>(b);
}

/* ---- how many different results ---- */

void section_atomic(const bench &b)
{
    const uint64_t n = (1 << 22) + 3;
    fill(elements<float>(b), n);
    const tally_array x = tally_array_dense(TALLY_TYPE_F32, b.data, n);
    for (tally_final final : {TALLY_FINAL_DEVICE, TALLY_FINAL_HOST, TALLY_FINAL_ATOMIC}) {
        static const char *const names[] = {"", "device", "host", "atomic"};
        std::vector<uint32_t> seen;
        tally_plan plan = {};
        plan.final = final;
        const tally_request request = sum_of(&plan);
        for (int i = 0; i < 100; i++) {
            tally_value value;
            uint32_t bits;
            tally_must(b.cuda, tally_reduce(b.cuda, &request, &x, &value), "tally_reduce");
            memcpy(&bits, &value.as.f32, sizeof bits);
            seen.push_back(bits);
        }
        std::sort(seen.begin(), seen.end());
        const size_t distinct =
            static_cast<size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
        printf("section=atomic type=f32 n=%llu final=%s runs=100 distinct=%zu\n",
               static_cast<unsigned long long>(n), names[final], distinct);
        if (final != TALLY_FINAL_ATOMIC && distinct != 1) {
            die("a fixed order gave %zu results", distinct);
        }
    }
}

/* ---- tune: which default plan ---- */

template <class T> void tune_size(const bench &b, uint64_t n, int times)
{
    const tally_array x = tally_array_dense(type_of<T>::type, b.data, n);
    const uint32_t pack = 16 / sizeof(T);
    cub_sum<T> cub(n);
    replay theirs(b.stream, times,
                  [&](cudaStream_t stream) { cub.start(elements<T>(b), n, stream); });
    std::vector<std::function<double()>> calls = {[&] { return theirs.sample(); }};
    std::vector<tally_plan> plans(1);
    std::vector<replay *> replays;
    for (uint32_t block : {128u, 256u, 512u, 1024u}) {
        for (uint32_t vector : {pack, 2 * pack}) {
            for (uint64_t blocks :
                 {1ull, 2ull, 4ull, 8ull, 16ull, 32ull, 64ull, 128ull, 256ull, 512ull, 1024ull,
                  1056ull, 2048ull, 4096ull, 8192ull, 1ull << 16}) {
                const uint64_t lanes = block * blocks;
                /* neither idle lanes by the dozen nor lanes with far too much */
                if (lanes * vector > 2 * n || (lanes < 65536 && lanes * vector * 64 < n)) {
                    continue;
                }
                if (lanes < 16384 && n > 1 << 22) {
                    continue;
                }
                tally_plan plan = {};
                plan.block = block;
                plan.vector = vector;
                plan.blocks = blocks;
                check<T>(b, plan, n);
                plans.push_back(plan);
            }
        }
    }
    for (size_t i = 1; i < plans.size(); i++) {
        replays.push_back(
            new replay(b.stream, times, [&](cudaStream_t) { start(b, &plans[i], x); }));
        replay *const one = replays.back();
        calls.push_back([one] { return one->sample(); });
    }
    const auto taken = alternate(9, calls);
    for (size_t i = 0; i < plans.size(); i++) {
        record(taken[i], "section=tune type=%s n=%llu block=%u vector=%u blocks=%llu",
               type_of<T>::name, static_cast<unsigned long long>(n), plans[i].block,
               plans[i].vector, static_cast<unsigned long long>(plans[i].blocks));
    }
    for (replay *one : replays) {
        delete one;
    }
}

void section_tune(const bench &b)
{
    fill(elements<float>(b), 1ull << 30);
    for (int k : {8, 10, 11, 12, 13, 14, 16, 18, 20, 21, 22, 24, 26, 28, 30}) {
        tune_size<float>(b, 1ull << k, k <= 24 ? 20 : 4);
    }
    fill(elements<double>(b), 1ull << 29);
    for (int k : {8, 10, 11, 12, 13, 14, 16, 18, 20, 21, 22, 24, 26, 28, 29}) {
        tune_size<double>(b, 1ull << k, k <= 24 ? 20 : 4);
    }
}

/* ---- */

struct section {
    const char *name;
    void (*run)(const bench &b);
    bool by_default;
};

const section sections[] = {
    {"sizes", section_sizes, true},   {"small", section_small, true},
    {"finals", section_finals, true}, {"shapes", section_shapes, true},
    {"align", section_align, true},   {"atomic", section_atomic, true},
    {"tune", section_tune, false},
};

void print_head(const bench &)
{
    cudaDeviceProp properties;
    int driver, runtime;
    CUDA_MUST(cudaGetDeviceProperties(&properties, 0));
    CUDA_MUST(cudaDriverGetVersion(&driver));
    CUDA_MUST(cudaRuntimeGetVersion(&runtime));
    printf("# device: %s, compute capability %d.%d, %d multiprocessors\n", properties.name,
           properties.major, properties.minor, properties.multiProcessorCount);
    printf("# driver: %d, runtime: %d\n", driver, runtime);
    printf("# tally: %s, CUB: %d\n", tally_version(), CUB_VERSION);
    printf(
        "# unit: microseconds a call; sizes, small, shapes, align, finals-device, tune: by graph "
        "replay, between events; finals: by the host's clock, waiting included\n");
}

} // namespace

int main(int argc, char **argv)
{
    bench b = {};
    tally_options options = {};
    CUDA_MUST(cudaStreamCreate(&b.stream));
    options.backend = TALLY_BACKEND_CUDA;
    options.stream = b.stream;
    if (tally_open(&options, &b.cuda) != TALLY_OK) {
        tally_backend_info info;
        tally_backend_find(TALLY_BACKEND_CUDA, 0, &info);
        fprintf(stderr, "no CUDA: %s\n", info.reason);
        return 4;
    }
    options = {};
    options.backend = TALLY_BACKEND_CPU;
    tally_must(nullptr, tally_open(&options, &b.cpu), "tally_open");
    tally_must(b.cuda, tally_reserve(b.cuda, 64 << 20), "tally_reserve");

    size_t free_bytes, all_bytes;
    cudaDeviceProp properties;
    CUDA_MUST(cudaGetDeviceProperties(&properties, 0));
    b.processors = properties.multiProcessorCount;
    CUDA_MUST(cudaMemGetInfo(&free_bytes, &all_bytes));
    b.nbytes = (16ull << 30) + 256;
    while (b.nbytes > free_bytes * 9 / 10) {
        b.nbytes = b.nbytes / 2 + 128;
    }
    CUDA_MUST(cudaMalloc(&b.data, b.nbytes));
    CUDA_MUST(cudaMalloc(&b.result, sizeof *b.result));

    print_head(b);
    for (const section &s : sections) {
        bool wanted = argc == 1 && s.by_default;
        for (int i = 1; i < argc; i++) {
            wanted = wanted || strcmp(argv[i], s.name) == 0;
        }
        if (wanted) {
            s.run(b);
        }
    }
    tally_close(b.cpu);
    tally_close(b.cuda);
    return 0;
}
