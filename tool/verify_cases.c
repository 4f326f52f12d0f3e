/*
 * verify_cases.c - the tables of the matrix, and its data.
 */
#include "verify_cases.h"

#include <math.h>
#include <string.h>

#include "total.h"

static const tally_op ops[] = {
    TALLY_OP_SUM,    TALLY_OP_PROD,  TALLY_OP_MIN,   TALLY_OP_MAX,     TALLY_OP_ARGMIN,
    TALLY_OP_ARGMAX, TALLY_OP_NORM1, TALLY_OP_NORM2, TALLY_OP_NORMINF,
};

static const tally_type types[] = {
    TALLY_TYPE_F16, TALLY_TYPE_BF16, TALLY_TYPE_F32, TALLY_TYPE_F64, TALLY_TYPE_I32, TALLY_TYPE_I64,
};

/* Blocks smaller than a group, of one group, of several; all of the rest of a plan at least once.
 */
static const tally_plan plans[] = {
    {.shape = TALLY_SHAPE_WAVE, .block = 1, .blocks = 3},
    {.shape = TALLY_SHAPE_WAVE, .block = 4, .vector = 1, .final = TALLY_FINAL_HOST},
    {.shape = TALLY_SHAPE_WAVE, .block = 32, .assign = TALLY_ASSIGN_CONTIGUOUS},
    {.shape = TALLY_SHAPE_WAVE, .block = 64, .vector = 3, .blocks = 2},
    {.shape = TALLY_SHAPE_WAVE, .block = 128, .blocks = 1, .stages = 1},
    {.shape = TALLY_SHAPE_WAVE, .block = 256},
    {.shape = TALLY_SHAPE_WAVE, .block = 16, .blocks = 5, .final = TALLY_FINAL_ATOMIC},
    {.shape = TALLY_SHAPE_HALVING, .block = 4},
    {.shape = TALLY_SHAPE_HALVING, .block = 8, .stages = 3},
    {.shape = TALLY_SHAPE_HALVING, .block = 64, .final = TALLY_FINAL_HOST},
    {.shape = TALLY_SHAPE_HALVING, .block = 128, .assign = TALLY_ASSIGN_GRID_STRIDE, .vector = 2},
};

/* n is about so many blocks, and so many elements more. */
static const struct {
    uint32_t blocks;
    int32_t more;
} sizes[] = {{0, 0}, {0, 1}, {1, -1}, {1, 0}, {1, 1}, {3, 2}, {8, 5}};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* One case in so many is run. It shares no factor with how many sizes, plans, types, ops and
 * patterns there are, so that all of them have their turn. */
enum { QUICK_STEP = 13 };

static bool run_sizes(verify_case *c, const tally_plan *wanted, bool quick,
                      bool (*run)(void *user, const verify_case *c), void *user)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        c->number++;
        c->pattern = (verify_pattern)(c->number % VERIFY_PATTERNS);
        c->n = (uint64_t)((int64_t)sizes[i].blocks * wanted->block + sizes[i].more);
        if (quick && c->number % QUICK_STEP != 0)
            continue;
        if (tally_plan_resolve(wanted, c->type, c->n, &c->plan, NULL) == TALLY_OK && !run(user, c))
            return false;
    }
    return true;
}

void verify_each(bool quick, bool (*run)(void *user, const verify_case *c), void *user)
{
    verify_case c = {.number = 0};
    for (size_t op = 0; op < COUNT(ops); op++) {
        for (size_t type = 0; type < COUNT(types); type++) {
            for (size_t plan = 0; plan < COUNT(plans); plan++) {
                c.op = ops[op];
                c.type = types[type];
                if (!run_sizes(&c, &plans[plan], quick, run, user))
                    return;
            }
        }
    }
}

const char *verify_pattern_name(verify_pattern pattern)
{
    static const char *const names[VERIFY_PATTERNS] = {
        [PATTERN_RAMP] = "ramp", [PATTERN_EQUAL] = "equal", [PATTERN_SIGNED] = "signed",
        [PATTERN_WIDE] = "wide", [PATTERN_ZEROS] = "zeros", [PATTERN_SPECIAL] = "special",
    };
    return names[pattern];
}

/* ---- data ---- */

/* 64 bits that look random, of element i (the finaliser of SplitMix64). */
static uint64_t scramble(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static double real_of(tally_type type, verify_pattern pattern, uint64_t i)
{
    /* exponents of "wide": well inside of the type, so that a sum of squares stays finite for most
     */
    int reach = type == TALLY_TYPE_F16 ? 12 : type == TALLY_TYPE_F64 ? 400 : 50;
    uint64_t random = scramble(i);
    double sign = random & 1 ? -1 : 1, fraction = (double)(random >> 12) * 0x1p-52;
    int exponent = (int)(random >> 1 & 0x7ff) % (2 * reach + 1) - reach;
    switch (pattern) {
    case PATTERN_RAMP: return (double)(i % 61 + 1);
    case PATTERN_EQUAL: return 0.1;
    case PATTERN_SIGNED: return sign * (1 + fraction);
    case PATTERN_WIDE: return sign * ldexp(1 + fraction, exponent);
    case PATTERN_ZEROS: return i % 5 == 3 ? 0.0 : -0.0;
    default: return random % 11 == 5 ? sign * HUGE_VAL : random % 397 == 17 ? NAN : sign * fraction;
    }
}

static int64_t integer_of(tally_type type, verify_pattern pattern, uint64_t i)
{
    bool narrow = type == TALLY_TYPE_I32;
    int64_t low = narrow ? INT32_MIN : INT64_MIN, high = narrow ? INT32_MAX : INT64_MAX;
    int64_t random = (int64_t)scramble(i);
    switch (pattern) {
    case PATTERN_RAMP: return (int64_t)(i % 61 + 1);
    case PATTERN_EQUAL: return -7;
    case PATTERN_SIGNED: return random % 3;
    case PATTERN_WIDE: return narrow ? (int32_t)random : random;
    case PATTERN_ZEROS: return 0;
    default: return random % 5 == 0 ? low : random % 5 == 1 ? high : random % 1000;
    }
}

/* The bits of x rounded to a float type. */
static uint64_t float_bits(tally_type type, double x)
{
    tally_value value;
    tally_state state;
    tally_state_init(&state);
    tally_state_add1_f64(&state, x);
    (void)tally_state_value(&state, type, &value); /* a float state has every float value */
    return total_bits(&value);
}

void verify_fill(tally_type type, verify_pattern pattern, uint64_t n, void *data)
{
    size_t size = tally_type_size(type);
    bool integer = type == TALLY_TYPE_I32 || type == TALLY_TYPE_I64;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t bits = integer ? (uint64_t)integer_of(type, pattern, i)
                                : float_bits(type, real_of(type, pattern, i));
        uint16_t half = (uint16_t)bits;
        uint32_t word = (uint32_t)bits;
        const void *from = size == 2 ? (void *)&half : size == 4 ? (void *)&word : (void *)&bits;
        memcpy((unsigned char *)data + size * i, from, size);
    }
}
