/*
 * test_mixed.c - reductions over pieces of different types: f64, i64 and u64 in one sequence.
 *
 * Every random sequence is reduced by a fold and by the plain rules written down here; exact values
 * are compared through the oracle's big integers.
 */
#include "expect.h"

#include <math.h>
#include <string.h>

#include "draw.h"
#include "fold.h"
#include "oracle.h"

__extension__ typedef __int128 wide;

enum { PIECES = 3, LONGEST = 4, ROUNDS = 30000 };

typedef struct element {
    tally_type type;
    double f64;
    wide integer;
} element;

typedef struct sequence {
    element at[PIECES * LONGEST];
    size_t n, n_pieces, length[PIECES];
    tally_type type[PIECES];
    bool one_type;
} sequence;

static const double reals[] = {0.0,      -0.0,      5,          5.5,    -5.5,    4.9999,     0.5,
                               -0.5,     0x1p53,    0x1p53 + 2, 0x1p62, 0x1p63,  -0x1p63,    0x1p64,
                               0x1p65,   -0x1p64,   1e300,      -1e300, 1e-300,  -0x1p-1074, NAN,
                               INFINITY, -INFINITY, 1,          -1,     0x1.8p1, 0x1p11};
static const int64_t signeds[] = {0,
                                  5,
                                  6,
                                  -5,
                                  -6,
                                  1,
                                  -1,
                                  ((int64_t)1 << 53) + 1,
                                  INT64_MAX,
                                  INT64_MIN,
                                  INT64_MIN + 1,
                                  (int64_t)1 << 62,
                                  3,
                                  2048};
static const uint64_t unsigneds[] = {0,
                                     5,
                                     6,
                                     1,
                                     ((uint64_t)1 << 53) + 1,
                                     INT64_MAX,
                                     (uint64_t)INT64_MAX + 1,
                                     UINT64_MAX,
                                     UINT64_MAX - 1,
                                     3,
                                     2048};

static element draw_element(random_state *r, tally_type type)
{
    element e = {type, 0, 0};
    bool small = random_coin(r); /* so that ties and near-ties are common */
    if (type == TALLY_TYPE_F64) {
        e.f64 = reals[random_below(r, small ? 7 : COUNT(reals))];
    } else if (type == TALLY_TYPE_I64) {
        e.integer = signeds[random_below(r, small ? 5 : COUNT(signeds))];
    } else {
        e.integer = (wide)unsigneds[random_below(r, small ? 3 : COUNT(unsigneds))];
    }
    return e;
}

static void draw_sequence(random_state *r, sequence *s)
{
    static const tally_type kinds[] = {TALLY_TYPE_F64, TALLY_TYPE_I64, TALLY_TYPE_U64};
    memset(s, 0, sizeof *s);
    s->n_pieces = 1 + random_below(r, PIECES);
    s->one_type = true;
    for (size_t p = 0; p < s->n_pieces; p++) {
        s->type[p] = kinds[random_below(r, 3)];
        s->length[p] = random_below(r, LONGEST + 1);
        s->one_type = s->one_type && s->type[p] == s->type[0];
        for (size_t i = 0; i < s->length[p]; i++) {
            s->at[s->n++] = draw_element(r, s->type[p]);
        }
    }
}

static void feed(const sequence *s, tally_context *ctx, tally_fold *fold)
{
    size_t first = 0;
    for (size_t p = 0; p < s->n_pieces; p++) {
        uint64_t words[LONGEST] = {0};
        for (size_t i = 0; i < s->length[p]; i++) {
            const element *e = &s->at[first + i];
            words[i] = e->type == TALLY_TYPE_F64 ? bits_f64(e->f64) : (uint64_t)e->integer;
        }
        tally_array x = tally_array_dense(s->type[p], words, s->length[p]);
        assert_int_equal(tally_fold_add(ctx, fold, &x, first, 1), TALLY_OK);
        first += s->length[p];
    }
}

static bool is_real(const element *e)
{
    return e->type == TALLY_TYPE_F64;
}

static void add_exactly(big_sum *sum, const element *e, bool negate)
{
    if (is_real(e)) {
        big_add_f64(sum, negate ? -e->f64 : e->f64);
    } else {
        bool negative = (e->integer < 0) != negate;
        big_add_integer(sum, (uint64_t)(e->integer < 0 ? -e->integer : e->integer), negative);
    }
}

static bool is_minus_zero(const element *e)
{
    return is_real(e) && e->f64 == 0 && signbit(e->f64);
}

/* -1, 0, 1 by exact value; neither is a NaN. */
static int order(const element *a, const element *b, bool zeros_equal)
{
    double x = is_real(a) && isinf(a->f64) ? a->f64 : 0,
           y = is_real(b) && isinf(b->f64) ? b->f64 : 0;
    if (x != 0 || y != 0) {
        return (x > y) - (x < y);
    }
    big_sum difference;
    big_init(&difference);
    add_exactly(&difference, a, false);
    add_exactly(&difference, b, true);
    double sign = format_decode(&format_f64, big_round(&difference, &format_f64));
    if (sign == 0 && !zeros_equal) {
        return is_minus_zero(b) - is_minus_zero(a);
    }
    return (sign > 0) - (sign < 0);
}

static bool is_nan(const element *e)
{
    return is_real(e) && isnan(e->f64);
}

/* The place of the extreme; n if there is none. */
static size_t find_extreme(const sequence *s, tally_op op, tally_nan nan)
{
    bool largest = op == TALLY_OP_MAX || op == TALLY_OP_ARGMAX;
    bool indexed = op == TALLY_OP_ARGMIN || op == TALLY_OP_ARGMAX;
    size_t best = s->n;
    for (size_t i = 0; i < s->n; i++) {
        const element *e = &s->at[i];
        if (is_nan(e)) {
            if (nan == TALLY_NAN_PROPAGATE) {
                return i;
            }
            continue;
        }
        int o = best == s->n ? 0 : order(e, &s->at[best], indexed);
        if (best == s->n || (largest ? o > 0 : o < 0)) {
            best = i;
        }
    }
    return best;
}

static bool any_real(const sequence *s, tally_nan nan)
{
    bool any = false;
    for (size_t i = 0; i < s->n; i++) {
        any |= is_real(&s->at[i]) && (nan == TALLY_NAN_PROPAGATE || !is_nan(&s->at[i]));
    }
    return any;
}

static size_t count(const sequence *s, tally_nan nan)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        n += nan == TALLY_NAN_PROPAGATE || !is_nan(&s->at[i]);
    }
    return n;
}

/* An exact integer as the type that holds it. */
static tally_status integer_value(wide v, tally_type only, tally_value *value)
{
    if (only != TALLY_TYPE_U64 && v >= INT64_MIN && v <= INT64_MAX) {
        value->type = TALLY_TYPE_I64;
        value->as.i64 = (int64_t)v;
        return TALLY_OK;
    }
    value->type = TALLY_TYPE_U64;
    value->as.u64 = (uint64_t)v;
    return only == TALLY_TYPE_I64 || v < 0 || v > (wide)UINT64_MAX ? TALLY_ERR_OVERFLOW : TALLY_OK;
}

static void set_real(tally_value *value, uint64_t bits)
{
    value->type = TALLY_TYPE_F64;
    memcpy(&value->as.f64, &bits, sizeof bits);
}

static tally_status expect_extreme(const sequence *s, tally_op op, tally_nan nan,
                                   tally_value *value)
{
    size_t at = find_extreme(s, op, nan);
    if (at == s->n) {
        return TALLY_ERR_EMPTY;
    }
    const element *e = &s->at[at];
    if (op == TALLY_OP_ARGMIN || op == TALLY_OP_ARGMAX) {
        value->type = TALLY_TYPE_U64;
        value->as.u64 = at;
        return TALLY_OK;
    }
    if (!any_real(s, nan)) {
        return integer_value(e->integer, s->one_type ? e->type : TALLY_TYPE_DEFAULT, value);
    }
    big_sum one;
    big_init(&one);
    add_exactly(&one, e, false);
    set_real(value, big_round(&one, &format_f64));
    return TALLY_OK;
}

static tally_status expect_sum(const sequence *s, tally_op op, tally_nan nan, tally_value *value)
{
    big_sum total;
    wide integers = 0;
    big_init(&total);
    for (size_t i = 0; i < s->n; i++) {
        if (nan == TALLY_NAN_PROPAGATE || !is_nan(&s->at[i])) {
            add_exactly(&total, &s->at[i], false);
            integers += s->at[i].integer;
        }
    }
    if (op == TALLY_OP_MEAN) {
        if (count(s, nan) == 0) {
            return TALLY_ERR_EMPTY;
        }
        set_real(value, big_mean(&total, &format_f64));
        return TALLY_OK;
    }
    bool real = any_real(s, nan);
    if (count(s, nan) == 0) { /* of nothing: +0 of the one type, else f64 */
        real = !s->one_type || s->type[0] == TALLY_TYPE_F64;
    }
    if (real) {
        set_real(value, big_round(&total, &format_f64));
        return TALLY_OK;
    }
    return integer_value(integers, s->one_type ? s->type[0] : TALLY_TYPE_DEFAULT, value);
}

static void check(const sequence *s, tally_context *ctx, tally_op op, tally_nan nan, int round)
{
    tally_fold fold;
    tally_value expected = {0}, value = {0};
    tally_fold_init(&fold, op, nan);
    feed(s, ctx, &fold);
    bool sums = op == TALLY_OP_SUM || op == TALLY_OP_MEAN;
    tally_status right =
        sums ? expect_sum(s, op, nan, &expected) : expect_extreme(s, op, nan, &expected);
    tally_status status = tally_fold_value(&fold, TALLY_TYPE_DEFAULT, &value);
    bool same =
        status == right &&
        (status != TALLY_OK || (value.type == expected.type && value.as.u64 == expected.as.u64));
    if (!same) {
        print_error(
            "round %d, %s, nan %d: %s 0x%016llx (type %d), expected %s 0x%016llx (type %d)\n",
            round, tally_op_name(op), nan, tally_status_name(status),
            (unsigned long long)value.as.u64, value.type, tally_status_name(right),
            (unsigned long long)expected.as.u64, expected.type);
    }
    assert_true(same);
    assert_int_equal(fold.n, count(s, nan));
    assert_int_equal(fold.n_skipped, s->n - count(s, nan));
}

static void sequences_of_any_types_have_one_exact_answer(void **state)
{
    random_state r = {20261130};
    tally_context *ctx;
    (void)state;
    assert_int_equal(tally_open(NULL, &ctx), TALLY_OK);
    for (int round = 0; round < ROUNDS; round++) {
        sequence s;
        draw_sequence(&r, &s);
        for (int op = TALLY_OP_SUM; op <= TALLY_OP_ARGMAX; op++) {
            check(&s, ctx, (tally_op)op, TALLY_NAN_PROPAGATE, round);
            check(&s, ctx, (tally_op)op, TALLY_NAN_SKIP, round);
        }
    }
    tally_close(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_of_any_types_have_one_exact_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
