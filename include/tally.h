/*
 * tally.h - exact, reproducible reductions of arrays.
 *
 * A reduction turns an array into one value: its sum, mean, minimum, maximum, or the index of an
 * extreme. Here the value is a function of the elements alone: the exact mathematical result,
 * rounded once (to nearest, ties to even). Order, splitting, threads, ranks, alignment, strides,
 * the floating-point environment and the release of the library cannot change a bit of it.
 *
 * The objects
 *   tally_array    where the elements are: pointer, n, stride, type. Nothing is copied.
 *   tally_value    one result with its type.
 *   tally_context  a backend made ready (tally_open/tally_close); what errors are reported through.
 *   tally_state    an exact accumulator: an array of int64 words that merges by plain addition.
 *
 * Names: tally_verb or tally_noun_verb for functions, tally_noun for types, TALLY_KIND_NAME for
 * constants. "n" counts elements, "nbytes" bytes. Outputs come last. open/close make and destroy
 * handles, init prepares a struct that the caller owns.
 *
 * What is there (level exact, backend cpu)
 *
 *   op      | element types         | result type (default)          | of no elements
 *   --------+-----------------------+--------------------------------+-----------------
 *   sum     | f16 bf16 f32 f64      | f64; f16, bf16, f32 on request | +0
 *           | i8 i16 i32 i64, bool  | i64; any float type on request | 0
 *           | u8 u16 u32 u64        | u64; any float type on request | 0
 *   mean    | all                   | f64; f16, bf16, f32 on request | TALLY_ERR_EMPTY
 *   min max | all                   | the element type               | TALLY_ERR_EMPTY
 *   argmin  | all                   | u64 (a 0-based index)          | TALLY_ERR_EMPTY
 *   argmax  |                       |                                |
 *
 * What is there (level tree: f16 bf16 f32 f64 i32 i64 only)
 *
 *   op            | accumulator | result type (default)                    | of no elements
 *   --------------+-------------+------------------------------------------+------------------
 *   sum prod      | f16...f32:  | the accumulator's; any float type on     | 0; prod: 1
 *   norm1 norminf |   f32       |   request. Integers: i64; u64 or any     |
 *   norm2         | f64: f64    |   float type on request (norm2: f64,     |
 *                 | integers:   |   float types only)                      |
 *   min max       |   128 bits  | the element type                         | TALLY_ERR_EMPTY
 *   argmin argmax |             | u64 (a 0-based index)                    | TALLY_ERR_EMPTY
 *
 * A tree rounds after every step, in the order of its plan; without FMA, and with subnormals. The
 * root of norm2 is rounded in the accumulator's type (integers: f64). Its sums start from +0.
 *
 * Special values
 *   NaN       in a sum or mean, or as the extreme of min and max: the canonical quiet NaN, sign
 *             clear (0x7ff8000000000000 for f64). argmin and argmax: the index of the first NaN.
 *             With TALLY_NAN_SKIP, NaN elements are left out, also from the count of a mean.
 *   infinity  +inf and -inf in one sum: NaN. Only one of them: that infinity.
 *   overflow  only the final rounding can overflow (to an infinity). Integer totals are exact in
 *             128 bits; one that its result type cannot hold is TALLY_ERR_OVERFLOW.
 *   zero      a sum is -0 if n >= 1 and every element is -0, else an exact zero is +0. min and max
 *             order -0 before +0. argmin and argmax take them for equal.
 *   ties      argmin and argmax: the lowest index wins.
 *   bool      any non-zero byte is true; a sum counts the true ones.
 *
 * Errors: functions that can fail return a tally_status. On failure outputs are untouched, and a
 * handle becomes NULL. The library never prints, exits, aborts or touches errno.
 *
 * Threads: every function may run at once on different contexts and states. One context or state
 * is for one thread at a time; reading one (rounding, saving, comparing) from several is fine.
 *
 * The floating-point environment: exact results are computed in integers only. Rounding mode, FTZ,
 * DAZ and exception flags are neither looked at nor changed. Level tree replaces them by the
 * default and restores them before it returns.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stddef.h>
#include <stdint.h>

#define TALLY_VERSION_MAJOR 0
#define TALLY_VERSION_MINOR 1
#define TALLY_VERSION_PATCH 0

#if defined(__GNUC__) && !defined(TALLY_API)
#define TALLY_API __attribute__((visibility("default")))
#elif !defined(TALLY_API)
#define TALLY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, "MAJOR.MINOR.PATCH"; the macros say what was compiled
 * against. */
TALLY_API const char *tally_version(void);

/* ---- Status ------------------------------------------------------------------------------- */

typedef enum tally_status {
    TALLY_OK = 0,
    TALLY_ERR_ARGUMENT =
        1,               /* a pointer, count or constant that makes no sense: the caller's fault */
    TALLY_ERR_EMPTY = 2, /* no elements, and the op has no value for none */
    TALLY_ERR_OVERFLOW = 3,    /* the exact result is not a value of the result type */
    TALLY_ERR_MEMORY = 4,      /* the system gave no memory */
    TALLY_ERR_UNSUPPORTED = 5, /* this op has no result of the type asked for */
    TALLY_ERR_BACKEND = 6,     /* the backend asked for is not in this build or has no device */
    TALLY_ERR_MIXED = 7,       /* floats and integers met in one state */
    TALLY_ERR_DAMAGED = 8,     /* bytes that are not a whole saved state */
    TALLY_ERR_SPACE = 9,       /* the caller's buffer or workspace is too small */
    TALLY_ERR_DEVICE = 10      /* a call of the device's API failed; the detail says which */
} tally_status;

/*
 * tally_status_name() gives the constant's name ("TALLY_ERR_EMPTY"), tally_status_text() one
 * sentence that says whose fault it is and what to do. Both are constant strings; a number that is
 * no status gets "TALLY_ERR_?" and a sentence that says so.
 */
TALLY_API const char *tally_status_name(tally_status status);
TALLY_API const char *tally_status_text(tally_status status);

/* ---- Types and ops ------------------------------------------------------------------------ */

/* Element and result types. f16 is IEEE binary16, bf16 the upper half of a binary32; both are
 * passed as their bits in a uint16_t. TALLY_TYPE_DEFAULT asks for the default result type. */
typedef enum tally_type {
    TALLY_TYPE_DEFAULT = 0,
    TALLY_TYPE_F16 = 1,
    TALLY_TYPE_BF16 = 2,
    TALLY_TYPE_F32 = 3,
    TALLY_TYPE_F64 = 4,
    TALLY_TYPE_I8 = 5,
    TALLY_TYPE_I16 = 6,
    TALLY_TYPE_I32 = 7,
    TALLY_TYPE_I64 = 8,
    TALLY_TYPE_U8 = 9,
    TALLY_TYPE_U16 = 10,
    TALLY_TYPE_U32 = 11,
    TALLY_TYPE_U64 = 12,
    TALLY_TYPE_BOOL = 13
} tally_type;

typedef enum tally_op {
    TALLY_OP_SUM = 0,
    TALLY_OP_MEAN = 1,
    TALLY_OP_MIN = 2,
    TALLY_OP_MAX = 3,
    TALLY_OP_ARGMIN = 4,
    TALLY_OP_ARGMAX = 5,
    TALLY_OP_PROD = 6,   /* level tree only, as are the norms */
    TALLY_OP_NORM1 = 7,  /* sum of magnitudes */
    TALLY_OP_NORM2 = 8,  /* root of the sum of squares */
    TALLY_OP_NORMINF = 9 /* largest magnitude */
} tally_op;

/* What NaN elements do. Types without NaN take either and are not affected. */
typedef enum tally_nan { TALLY_NAN_PROPAGATE = 0, TALLY_NAN_SKIP = 1 } tally_nan;

/* Names as the command spells them ("f64", "argmax"); NULL for a number that is no type or op.
 * tally_type_size() is the element's size in bytes, 0 for a number that is no type. */
TALLY_API const char *tally_type_name(tally_type type);
TALLY_API size_t tally_type_size(tally_type type);
TALLY_API const char *tally_op_name(tally_op op);

/* ---- Arrays and values -------------------------------------------------------------------- */

/*
 * Element i is at data + i * stride elements, for 0 <= i < n. The stride may be negative or zero.
 * data may have any alignment; it may be NULL if n is 0. No element is written.
 */
typedef struct tally_array {
    const void *data;
    size_t n;
    ptrdiff_t stride; /* in elements; 1 for neighbours */
    tally_type type;
} tally_array;

/* tally_array_dense() describes n neighbours: stride 1. */
TALLY_API tally_array tally_array_dense(tally_type type, const void *data, size_t n);

/* One value and which member of "as" holds it. i8...i64 are in as.i64, bool and u8...u64 in as.u64,
 * f16 and bf16 as their bits. */
typedef struct tally_value {
    tally_type type;
    union {
        double f64;
        float f32;
        uint16_t f16;
        uint16_t bf16;
        int64_t i64;
        uint64_t u64;
    } as;
} tally_value;

/* ---- Conveniences ------------------------------------------------------------------------- */

/*
 * tally_sum_f64() and tally_sum_f32() give the correctly rounded sum of x[0..n-1]. They cannot
 * fail.
 *
 * Memory:   x may be NULL if n is 0
 * Result:   +0 for n == 0; NaN, infinities and zeros as in the table above
 * Accuracy: the exact sum rounded once to the return type (the f32 sum never passes through f64)
 * Threads:  any number at once
 * Cost:     one pass over x
 */
TALLY_API double tally_sum_f64(const double *x, size_t n);
TALLY_API float tally_sum_f32(const float *x, size_t n);

/* ---- Context and reduction ---------------------------------------------------------------- */

/* Who does the work. AUTO takes what is there and fastest; any other is taken or refused. */
typedef enum tally_backend_id {
    TALLY_BACKEND_AUTO = 0,
    TALLY_BACKEND_CPU = 1,
    TALLY_BACKEND_CUDA = 2,
    TALLY_BACKEND_HIP = 3,
    TALLY_BACKEND_MODEL = 4
} tally_backend_id;

/* tally_backend_name() gives "auto", "cpu", "cuda" ...; NULL for a number that is no backend. */
TALLY_API const char *tally_backend_name(tally_backend_id backend);

/* Whether a backend can be used. */
typedef enum tally_presence {
    TALLY_PRESENCE_ABSENT = 0,    /* not in this build, or its module was not found */
    TALLY_PRESENCE_NO_DEVICE = 1, /* compiled and found, but it has no driver or device here */
    TALLY_PRESENCE_READY = 2
} tally_presence;

/* What is known of a backend. Texts are "" where there is nothing to say. */
typedef struct tally_backend_info {
    tally_presence presence;
    int n_devices; /* cuda, hip */
    int driver;    /* the vendor's version numbers, as its API gives them */
    int runtime;
    char device[128];  /* of the device asked for: "NVIDIA H200, compute capability 9.0" */
    char module[1024]; /* the file the backend was loaded from */
    char reason[256];  /* why it is not READY */
} tally_backend_info;

/*
 * tally_backend_find() says whether a backend can be used, with which device, and if not, why.
 *
 * The backends cuda and hip are modules, libtally-cuda.so and libtally-hip.so. They are looked for
 * in the directories that the environment variable TALLY_BACKEND_PATH lists (with ':' between
 * them), beside the file that this code is in, and in the lib directory next to that.
 *
 * Errors:   ARGUMENT  info is NULL, or backend is no backend or AUTO
 */
TALLY_API tally_status tally_backend_find(tally_backend_id backend, int device,
                                          tally_backend_info *info);

/* All zero is the default. */
typedef struct tally_options {
    tally_backend_id backend;
    uint32_t wave;   /* model: lanes a wave, 32 (or 0) or 64 */
    uint64_t seed;   /* model: shuffles the order of lanes and blocks; 0: ascending */
    int device;      /* cuda, hip: the device's number, from 0 */
    void *stream;    /* cuda, hip: the caller's stream (cudaStream_t, hipStream_t), NULL for the
                        default one; everything a context does is ordered by it */
    void *workspace; /* cuda, hip: device memory for partials, aligned to 256 bytes, which the
                        caller keeps until the context is closed; NULL: the context has its own */
    size_t workspace_nbytes;
} tally_options;

typedef struct tally_context tally_context;

/*
 * tally_open() makes a context for the backend that options name and stores it in *ctx.
 *
 * Memory:   options may be NULL for the defaults, and is not kept; free *ctx with tally_close()
 * Errors:   ARGUMENT  ctx is NULL, options->backend is no backend, or an option makes no sense
 *           BACKEND   that backend or device is not there (tally_backend_find() says why); there
 *                     is no silent fallback
 *           DEVICE    its API failed
 *           MEMORY
 *           *ctx is NULL on every error
 */
TALLY_API tally_status tally_open(const tally_options *options, tally_context **ctx);

/* tally_close() frees a context. NULL is fine. */
TALLY_API void tally_close(tally_context *ctx);

/* tally_context_backend() names the backend that the context took (never AUTO).
 * tally_context_launches() counts the kernels that it launched; 0 on the CPU. */
TALLY_API tally_backend_id tally_context_backend(const tally_context *ctx);
TALLY_API uint64_t tally_context_launches(const tally_context *ctx);

/*
 * How exact. EXACT: the exact result, rounded once. TREE: what the plan's two-stage tree gives in
 * the accumulator's own precision, step by step as a GPU does it; the same bits on every backend,
 * but other bits for another plan.
 */
typedef enum tally_level { TALLY_LEVEL_EXACT = 0, TALLY_LEVEL_TREE = 1 } tally_level;

/* How a block folds its lanes: by lane exchange in groups of 32 and once more over the groups, or
 * through shared memory, halving the number of values in every round. */
typedef enum tally_shape {
    TALLY_SHAPE_DEFAULT = 0, /* wave */
    TALLY_SHAPE_WAVE = 1,
    TALLY_SHAPE_HALVING = 2
} tally_shape;

/* Which lane takes which elements. GRID_STRIDE: each of the blocks * block lanes takes vector
 * neighbours, then the vector that lie blocks * block * vector further on, and so on. CONTIGUOUS:
 * block b takes elements b * block ... b * block + block - 1, one a lane. */
typedef enum tally_assign {
    TALLY_ASSIGN_DEFAULT = 0, /* grid-stride for wave, contiguous for halving */
    TALLY_ASSIGN_GRID_STRIDE = 1,
    TALLY_ASSIGN_CONTIGUOUS = 2
} tally_assign;

/* Who folds the partials: a second kernel, the host in the same order, or atomics in whatever order
 * the blocks finish (then the bits of a float sum may change from run to run). */
typedef enum tally_final {
    TALLY_FINAL_DEFAULT = 0, /* device */
    TALLY_FINAL_DEVICE = 1,
    TALLY_FINAL_HOST = 2,
    TALLY_FINAL_ATOMIC = 3
} tally_final;

/*
 * The geometry of one tree: everything its bits depend on beside the data. Zero in a field asks for
 * the default, which depends on n, type and the other fields only, never on the machine.
 */
typedef struct tally_plan {
    tally_shape shape;
    tally_assign assign;
    tally_final final;
    uint32_t block;  /* lanes a block: a power of two, 1...1024. Default, grid-stride: as many as
                        there are pieces (n / vector), 32...512; contiguous: 256 */
    uint32_t vector; /* neighbours a lane takes at a time: 1...65536; default 16 bytes' worth;
                        contiguous: 1 */
    uint64_t blocks; /* blocks in the grid: 1...2^31 - 1. Default, contiguous: ceil(n / block);
                        grid-stride: one while a lane takes at most 8 pieces, then so many that it
                        takes 2 (up to 512 blocks) or 32 (up to 4096). 0 if n is 0: nothing is
                        launched */
    uint32_t stages; /* passes, the first included: 1 (one block only)...8; default 2 */
} tally_plan;

/*
 * tally_plan_resolve() fills in the defaults of *wanted for n elements of a type and checks the
 * rest.
 *
 * Memory:   wanted may be NULL for all defaults; plan may be the same struct; why may be NULL
 * Errors:   ARGUMENT  type is no type, plan is NULL, or a field is not legal; then *why is a
 * constant sentence that says which values are; *plan is untouched
 */
TALLY_API tally_status tally_plan_resolve(const tally_plan *wanted, tally_type type, uint64_t n,
                                          tally_plan *plan, const char **why);

/* What to compute. All zero: the exact sum, default result type, NaN propagates. */
typedef struct tally_request {
    tally_op op;
    tally_type out; /* result type, or TALLY_TYPE_DEFAULT */
    tally_nan nan;  /* level tree: only PROPAGATE */
    tally_level level;
    const tally_plan
        *plan; /* level tree: the geometry, NULL for the default; exact: not looked at */
} tally_request;

/*
 * tally_reduce() reduces the array x as request says and stores the result in *out.
 *
 * Memory:   request may be NULL for a plain sum. Nothing is kept. out may not overlap x's elements.
 *           cuda, hip: x->data may be host memory, which is copied to the device first, or device
 *           or managed memory of the context's device
 * Result:   see the tables at the top
 * Accuracy: sum: the exact sum rounded once. mean: the exact sum over the exact count, rounded
 *           once (so the mean of equal values is that value, also where the sum would overflow).
 *           Level tree: what the plan's order gives, bit for bit the same everywhere
 * Errors:   ARGUMENT     a NULL ctx, x or out; NULL data with n > 0; a constant out of its enum;
 *                        a plan that tally_plan_resolve() refuses
 *           EMPTY        no elements (or only skipped NaN), and op has no value for none
 *           OVERFLOW     an integer total outside of the result type; ask for TALLY_TYPE_F64, or
 *                        use a tally_state, which keeps all of it. Level tree: also one that left
 *                        128 bits on the way
 *           UNSUPPORTED  request->out is not a result type of this op and element type, or this
 *                        level has no such op, element type or nan
 *           MEMORY       level tree only
 *           SPACE        the caller's workspace is too small
 *           DEVICE       cuda, hip: a call of the device's API failed, this one's or one before it
 *                        in the stream
 *           *out is untouched on every error
 * Threads:  one call at a time on a context
 * Cost:     one pass over x (argmin, argmax: a second look at a few pieces); no memory is
 * allocated. Level tree: memory for the partials
 */
TALLY_API tally_status tally_reduce(tally_context *ctx, const tally_request *request,
                                    const tally_array *x, tally_value *out);

/*
 * What an asynchronous call leaves in device memory, written by the device in the order of the
 * stream. status is a tally_status: OK, EMPTY or OVERFLOW; value is written with OK only.
 */
typedef struct tally_device_result {
    tally_value value;
    int32_t status;
    int32_t unused;
} tally_device_result;

/*
 * tally_reduce_async() puts a reduction into the context's stream and returns without waiting for
 * it. It may be captured into a graph. Backends cuda and hip.
 *
 * Memory:   x->data and result are device memory (or managed, or mapped host memory), which must
 *           stay until the stream has passed the call; result is aligned to 8 bytes. The workspace
 *           must be large enough already: see tally_reserve()
 * Result:   *result, on the device; the value as tally_reduce() gives it, type included
 * Errors:   as tally_reduce() has them, but EMPTY and OVERFLOW, which come in result->status
 *           SPACE        the workspace is too small for this request
 *           UNSUPPORTED  also: a backend without a device; final host; an out that is not the
 *                        default result type
 *           DEVICE       a launch failed. A failure on the device itself is seen by the next call
 *                        that waits
 * Threads:  one call in flight on a context: the next may follow in the same stream, and several
 *           streams need a context each
 * Cost:     the launches of the plan; no allocation, no copy, no synchronisation
 */
TALLY_API tally_status tally_reduce_async(tally_context *ctx, const tally_request *request,
                                          const tally_array *x, tally_device_result *result);

/*
 * tally_workspace_nbytes() stores how much workspace a request over n elements of a type needs: 0
 * on backends without a device. tally_reserve() makes the context's own workspace at least that
 * large; it waits for the stream.
 *
 * Errors:   ARGUMENT, UNSUPPORTED as for tally_reduce(); reserve: SPACE for a workspace that is the
 *           caller's and too small, MEMORY, DEVICE
 */
TALLY_API tally_status tally_workspace_nbytes(tally_context *ctx, const tally_request *request,
                                              tally_type type, uint64_t n, size_t *nbytes);
TALLY_API tally_status tally_reserve(tally_context *ctx, size_t nbytes);

/* More about the latest error on a context. The strings are constant. */
typedef struct tally_error_detail {
    tally_status status;
    tally_backend_id backend;
    int native_code;  /* the vendor's error number, 0 where no vendor API failed */
    const char *api;  /* the vendor's function that failed, "" if none did */
    const char *what; /* what was wrong, in the vendor's words if api is not "" */
} tally_error_detail;

/* tally_last_error() stores the detail of the latest failed call on ctx, or OK if none has failed.
 * Errors: ARGUMENT if a pointer is NULL. */
TALLY_API tally_status tally_last_error(const tally_context *ctx, tally_error_detail *detail);

/* ---- The exact state ---------------------------------------------------------------------- */

/*
 * A state holds a multiset's exact sum in int64 words. Adding the words of two states, one by one,
 * merges them, so MPI_SUM over MPI_INT64_T, an all-reduce, u64 atomics and files all do, in any
 * order. Sums of floats (of any float types together) and sums of integers (of any integer types
 * and bool together) use the same words with different weights: one state holds one kind. A state
 * in which both met says so forever (TALLY_ERR_MIXED); tally_state_widen() turns an integer state
 * into a float state first.
 *
 * word[TALLY_STATE_LIMB + j] has weight 2^(32 j - 1074) in a float state, 2^(32 j) in an integer
 * state. 68 limbs are 2176 bits: from the smallest subnormal (2^-1074) over the largest double
 * (< 2^1024) to 2^63 of those.
 *
 * Every function here that adds something leaves limbs below 2^32 in magnitude (add1, which is to
 * be quick, only those that it meets), so up to 2^30 states may be added word by word before merge
 * or canonicalise has to see the total. Counts are int64: at most 2^63 - 1 elements.
 */
enum {
    TALLY_STATE_COUNT = 0,      /* elements added */
    TALLY_STATE_FLOAT = 1,      /* > 0: floats were added */
    TALLY_STATE_INTEGER = 2,    /* > 0: integers or bools were added */
    TALLY_STATE_NAN = 3,        /* NaN elements */
    TALLY_STATE_POS_INF = 4,    /* +inf elements */
    TALLY_STATE_NEG_INF = 5,    /* -inf elements */
    TALLY_STATE_NONTRIVIAL = 6, /* > 0: something other than -0 was added */
    TALLY_STATE_LIMB = 7,       /* the first limb, lowest weight first */
    TALLY_STATE_LIMBS = 68,
    TALLY_STATE_WORDS = TALLY_STATE_LIMB + TALLY_STATE_LIMBS
};

typedef struct tally_state {
    int64_t word[TALLY_STATE_WORDS];
} tally_state;

/* tally_state_init() makes an empty state. An all-zero struct is one too. */
TALLY_API void tally_state_init(tally_state *state);

/*
 * tally_state_add_f64() and tally_state_add_f32() add x[0..n-1] to a float state,
 * tally_state_add1_f64() adds one value. They cannot fail.
 *
 * Memory:   x may be NULL if n is 0; adding nothing leaves the state as it is
 * Cost:     one pass over x
 */
TALLY_API void tally_state_add_f64(tally_state *state, const double *x, size_t n);
TALLY_API void tally_state_add_f32(tally_state *state, const float *x, size_t n);
TALLY_API void tally_state_add1_f64(tally_state *state, double x);

/*
 * tally_state_add() adds an array of any type and stride; with TALLY_NAN_SKIP, without its NaNs.
 *
 * Errors:   ARGUMENT  a NULL pointer (data: with n > 0), a type or nan out of its enum
 *           MIXED     the array's kind is not the state's; the state is untouched
 */
TALLY_API tally_status tally_state_add(tally_state *state, const tally_array *x, tally_nan nan);

/* tally_state_merge() adds the words of from to into. The same state may be both (it then counts
 * twice). States of different kinds make a mixed one. */
TALLY_API void tally_state_merge(tally_state *into, const tally_state *from);

/* tally_state_count() gives how many elements were added (skipped NaNs were not). */
TALLY_API uint64_t tally_state_count(const tally_state *state);

/*
 * tally_state_round_f64(), _f32, _f16 and _bf16 give the exact sum, float or integer, rounded once
 * to that type (f16 and bf16 as bits). A mixed state gives NaN.
 */
TALLY_API double tally_state_round_f64(const tally_state *state);
TALLY_API float tally_state_round_f32(const tally_state *state);
TALLY_API uint16_t tally_state_round_f16(const tally_state *state);
TALLY_API uint16_t tally_state_round_bf16(const tally_state *state);

/*
 * tally_state_value() stores the sum as a value of type out: TALLY_TYPE_DEFAULT (f64 for a float or
 * empty state; for an integer state i64 if that holds it, else u64), a float type, or for integer
 * and empty states TALLY_TYPE_I64 or TALLY_TYPE_U64. tally_state_mean() does the same for the mean:
 * float types, default f64.
 *
 * Errors:   ARGUMENT     a NULL pointer
 *           EMPTY        mean of no elements
 *           OVERFLOW     the integer is not a value of type out
 *           MIXED        floats and integers met in this state
 *           UNSUPPORTED  out is none of the types named above
 */
TALLY_API tally_status tally_state_value(const tally_state *state, tally_type out,
                                         tally_value *value);
TALLY_API tally_status tally_state_mean(const tally_state *state, tally_type out,
                                        tally_value *value);

/*
 * tally_state_canonicalise() rewrites a state into its canonical form: every limb below 2^32 in
 * magnitude and of the sum's sign, the words FLOAT, INTEGER, NAN, POS_INF, NEG_INF and NONTRIVIAL
 * 0 or 1. Any NaN, or both infinities: NAN is 1, no infinity, limbs zero. One infinity: limbs zero.
 * Mixed: limbs and specials zero. Two states of the same multiset are then equal byte for byte;
 * tally_state_equal() compares two states so (1 equal, 0 not) and changes neither.
 */
TALLY_API void tally_state_canonicalise(tally_state *state);
TALLY_API int tally_state_equal(const tally_state *a, const tally_state *b);

/* tally_state_widen() turns an integer state into the float state of the same exact sum and count
 * (then all zeros are +0). Float, empty and mixed states stay as they are. */
TALLY_API void tally_state_widen(tally_state *state);

/*
 * tally_state_save() writes the canonical form into TALLY_STATE_BYTES bytes: "TALLYSUM", format
 * version and word count (u32 each), the words (i64), CRC-32 of all before it (u32), zero (u32);
 * little-endian on every machine. tally_state_load() reads it back.
 *
 * Errors:   ARGUMENT  a NULL pointer
 *           SPACE     save: nbytes < TALLY_STATE_BYTES
 *           MIXED     save: floats and integers met in this state
 *           DAMAGED   load: nbytes is not TALLY_STATE_BYTES, another version, a wrong checksum, or
 *                     words that are no canonical form; *state is untouched
 */
#define TALLY_STATE_BYTES (8 + 8 + 8 * TALLY_STATE_WORDS + 8)
TALLY_API tally_status tally_state_save(const tally_state *state, void *buffer, size_t nbytes);
TALLY_API tally_status tally_state_load(tally_state *state, const void *buffer, size_t nbytes);

#ifdef __cplusplus
}
#endif

#endif
