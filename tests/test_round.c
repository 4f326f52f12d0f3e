/* test_round.c - the one rounding: known hard sums, and both sides of every edge of every format.
 */
#include "expect.h"

#include <float.h>
#include <math.h>

#include "oracle.h"

typedef struct vector {
    double expected;
    size_t n;
    double x[9];
} vector;

static const vector hard[] = {
    {0, 0, {0}},
    {1e-100, 7, {1e100, 1, -1e100, 1e-100, 1e50, -1, -1e50}},
    {0x1p53 - 1, 3, {0x1p53, -.5, -0x1p-54}},
    {0x1p53 + 2, 3, {0x1p53, 1, 0x1p-100}},
    {0x1p53 + 12, 3, {0x1p53 + 10, 1, 0x1p-100}},
    {10000000000000002, 3, {1e16, 1, 1e-16}},
    {INFINITY, 2, {DBL_MAX, DBL_MAX * 0x1p-53}},
    {INFINITY, 2, {DBL_MAX, 0x1p970}},
    {DBL_MAX, 2, {DBL_MAX, DBL_MAX * 0x1p-54}},
    {0.30000000000000004, 9, {1e308, 1e308, .1, .1, 1e30, .1, -1e30, -1e308, -1e308}},
    {9.9792015476736e291, 3, {8.98846567431158e307, 8.988465674311579e307, -DBL_MAX}},
    {1.5e-323, 3, {4.9406564584124654e-324, 4.9406564584124654e-324, 4.9406564584124654e-324}},
    /* all-ones significands: the rounding carries out of them, or just does not */
    {-0x1p53 + 1, 2, {-0x1p53 + 1, -.25}},
    {-0x1p53, 2, {-0x1p53 + 1, -.5}},
    {-0x1p53, 2, {-0x1p53 + 1, -.75}},
    {-0x1p53 + 1, 3, {-0x1p53 + 1, -.5, 0x1p-1074}},
    {-0x1p53 + 1, 2, {-0x1p53 + 1, .25}},
    /* just below, at and above 2^1024 - 2^970 */
    {DBL_MAX, 3, {DBL_MAX, 0x1p970, -0x1p-1074}},
    {INFINITY, 3, {DBL_MAX, 0x1p970, 0x1p-1074}},
    {DBL_MAX, 2, {DBL_MAX, 0x1p969}},
    {INFINITY, 4, {DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX}},
    {DBL_MAX, 3, {DBL_MAX, DBL_MAX, -DBL_MAX}},
    /* into and out of the subnormals */
    {DBL_MIN, 2, {DBL_MIN - 0x1p-1074, 0x1p-1074}},
    {DBL_MIN - 0x1p-1074, 2, {DBL_MIN, -0x1p-1074}},
    {-0x1p-1074, 3, {DBL_MAX, -0x1p-1074, -DBL_MAX}},
};

/* The sum of x in f64 and its mirror image, and all roundings of the state against both oracles. */
static void expect_sum(const double *x, size_t n, double expected)
{
    double mirror[16] = {0};

    assert_true(n <= 16);
    for (size_t i = 0; i < n; i++) {
        mirror[n - 1 - i] = -x[i];
    }
    assert_int_equal(bits_f64(tally_sum_f64(x, n)), bits_f64(expected));
    assert_int_equal(bits_f64(tally_sum_f64(mirror, n)), bits_f64(expected == 0 ? 0 : -expected));
    for (int side = 0; side < 2; side++) {
        const double *data = side ? mirror : x;
        tally_state s;

        tally_state_init(&s);
        tally_state_add_f64(&s, data, n);
        uint64_t got[FORMATS] = {bits_f64(tally_state_round_f64(&s)),
                                 bits_f32(tally_state_round_f32(&s)), tally_state_round_f16(&s),
                                 tally_state_round_bf16(&s)};
        for (int k = 0; k < FORMATS; k++) {
            assert_int_equal(got[k], oracle_mpfr_sum(data, n, formats[k]));
            assert_int_equal(got[k], oracle_bigint_sum(data, n, formats[k]));
        }
    }
}

static void hard_vectors_round_correctly(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(hard); i++) {
        expect_sum(hard[i].x, hard[i].n, hard[i].expected);
    }
}

static void harmonic_sum_is_correctly_rounded(void **state)
{
    double x[1000];

    (void)state;
    for (int i = 0; i < 1000; i++) {
        x[i] = 1.0 / (i + 1);
    }
    assert_int_equal(bits_f64(tally_sum_f64(x, 1000)), bits_f64(0x1.df11f45f4e61ap+2));
}

static void every_guard_round_and_sticky_bit_counts(void **state)
{
    static const double trifle[] = {0, 1e-45, -1e-45};

    (void)state;
    for (int low = 0; low < 8; low++) {
        for (int high = 0; high < 32; high += 8) {
            for (int k = 0; k < 3; k++) {
                double x[] = {0x1p55, low, high, trifle[k]};
                /* the last bit of 2^55...2^56 is 8; 2^55 + high is a multiple of it */
                int over = low + (low == 4 ? (k == 1) - (k == 2) : 0);
                double up = over > 4 || (over == 4 && high % 16 == 8) ? 8 : 0;
                expect_sum(x, 4, 0x1p55 + high + up);
            }
        }
    }
}

static void f32_sum_never_passes_through_f64(void **state)
{
    const float x[] = {0x1p24f, 1, 0x1p-60f};
    const float mirror[] = {-0x1p24f, -1, -0x1p-60f};

    (void)state;
    assert_int_equal(bits_f32(tally_sum_f32(x, 3)), bits_f32(0x1p24f + 2));
    assert_int_equal(bits_f32(tally_sum_f32(x, 2)), bits_f32(0x1p24f));
    assert_int_equal(bits_f32(tally_sum_f32(mirror, 3)), bits_f32(-0x1p24f - 2));
}

static void millions_of_the_largest_cancel(void **state)
{
    enum { PAIRS = 1 << 12, ROUNDS = 1 << 11 }; /* 2^23 pairs */
    static double x[2 * PAIRS], mirror[2 * PAIRS];
    tally_state s;

    (void)state;
    for (int i = 0; i < PAIRS; i++) {
        x[2 * i] = DBL_MAX;
        x[2 * i + 1] = -1;
        mirror[2 * i] = -DBL_MAX;
        mirror[2 * i + 1] = 1;
    }
    tally_state_init(&s);
    for (int i = 0; i < ROUNDS; i++) {
        tally_state_add_f64(&s, x, 2 * PAIRS);
    }
    assert_true(tally_state_round_f64(&s) == INFINITY);
    for (int i = 0; i < ROUNDS - 1; i++) {
        tally_state_add_f64(&s, mirror, 2 * PAIRS);
    }
    assert_true(tally_state_round_f64(&s) == INFINITY); /* 2^12 DBL_MAX are left */
    tally_state_add_f64(&s, mirror, 2 * PAIRS);
    assert_int_equal(bits_f64(tally_state_round_f64(&s)), 0);
    for (int i = 0; i < ROUNDS; i++) {
        tally_state_add_f64(&s, mirror, 2 * PAIRS);
    }
    assert_true(tally_state_round_f64(&s) == -INFINITY);
}

/* One edge of a format: elements (as doubles) and the bits their exact sum rounds to. */
static void expect_edge(const format *f, uint64_t expected, size_t n, const double *x)
{
    double mirror[4] = {0};
    tally_value value;

    for (int side = 0; side < 2; side++) {
        uint64_t bits = side ? expected | f->minus : expected; /* also a zero keeps its sign */
        const double *data = side ? mirror : x;
        for (size_t i = 0; i < n; i++) {
            mirror[i] = -x[i];
        }
        value = reduce_dense(TALLY_OP_SUM, TALLY_TYPE_F64, f->type, data, n);
        assert_int_equal(value.type, f->type);
        assert_int_equal(bits_value(&value), bits);
        assert_int_equal(oracle_mpfr_sum(data, n, f), bits);
        assert_int_equal(oracle_bigint_sum(data, n, f), bits);
    }
}

#define EDGE(f, expected, ...)                                                                     \
    expect_edge(f, expected, COUNT(((const double[]){__VA_ARGS__})), (const double[]){__VA_ARGS__})

static void overflow_starts_half_a_last_bit_beyond_the_largest(void **state)
{
    (void)state;
    for (int k = 0; k < FORMATS; k++) {
        const format *f = formats[k];
        double last = ldexp(1, f->max_unit), half = last / 2, tiny = 0x1p-1074;
        double largest = format_decode(f, f->inf - 1);

        EDGE(f, f->inf - 1, largest);
        EDGE(f, f->inf - 1, largest, half / 2);
        EDGE(f, f->inf - 1, largest, half, -tiny);
        EDGE(f, f->inf, largest, half);
        EDGE(f, f->inf, largest, half, tiny);
        EDGE(f, f->inf, largest, last);
        EDGE(f, f->inf - 2, largest, -last);
        EDGE(f, f->inf, largest, largest);
    }
    EDGE(&format_f16, 0x7bff, 65519);
    EDGE(&format_f16, 0x7c00, 65520);
    EDGE(&format_f16, 0x7c00, DBL_MAX, DBL_MAX);
}

static void subnormals_round_to_even_at_ties(void **state)
{
    (void)state;
    for (int k = 1; k < FORMATS; k++) { /* half of f64's smallest is no double; see the means */
        const format *f = formats[k];
        double s = ldexp(1, f->min_unit), tiny = 0x1p-1074;
        uint64_t hidden = (uint64_t)1 << (f->precision - 1); /* bits of the smallest normal */

        EDGE(f, 0, tiny);
        EDGE(f, 0, s / 2);
        EDGE(f, 0, s / 2, -tiny);
        EDGE(f, 1, s / 2, tiny);
        EDGE(f, 1, s);
        EDGE(f, 2, s, s / 2);
        EDGE(f, 1, s, s / 2, -tiny);
        EDGE(f, 2, 2 * s, s / 2);
        EDGE(f, 3, 2 * s, s / 2, tiny);
        EDGE(f, hidden - 1, ldexp((double)hidden, f->min_unit), -s, s / 4);
        EDGE(f, hidden, ldexp((double)hidden, f->min_unit), -s, s / 2);
        EDGE(f, hidden, ldexp((double)hidden, f->min_unit), -s / 2);
        EDGE(f, hidden - 1, ldexp((double)hidden, f->min_unit), -s / 2, -tiny);
        EDGE(f, hidden, ldexp((double)hidden, f->min_unit), s / 2);
        EDGE(f, hidden + 1, ldexp((double)hidden, f->min_unit), s / 2, tiny);
    }
}

static void normals_round_to_even_at_ties(void **state)
{
    (void)state;
    for (int k = 0; k < FORMATS; k++) {
        const format *f = formats[k];
        double last = ldexp(1, 1 - f->precision), half = last / 2, tiny = 0x1p-1074;
        uint64_t one = format_encode(f, 1), two = format_encode(f, 2);

        EDGE(f, one, 1, half);
        EDGE(f, one, 1, half, -tiny);
        EDGE(f, one + 1, 1, half, tiny);
        EDGE(f, one + 2, 1, last, half);
        EDGE(f, one + 1, 1, last, half, -tiny);
        EDGE(f, one + 2, 1, last, half, tiny);
        EDGE(f, two, 2, -last, half);
        EDGE(f, two - 1, 2, -last, half, -tiny);
        EDGE(f, two, 2, -half);
        EDGE(f, two, 2, -half / 2);
        EDGE(f, one, 1, -half / 2);
        EDGE(f, one - 1, 1, -half / 2, -tiny);
    }
}

static void means_round_the_quotient_once(void **state)
{
    static const vector means[] = {
        {0, 2, {0x1p-1074, 0}}, /* half of the smallest: a tie */
        {0x1p-1073, 2, {3 * 0x1p-1074, 0}},
        {0x1p-1074, 3, {0x1p-1074, 0x1p-1074, 0}},
        {0, 3, {0x1p-1074, 0, 0}},
        {5.4, 3, {5.4, 5.4, 5.4}},
        {DBL_MAX, 3, {DBL_MAX, DBL_MAX, DBL_MAX}},
        {1.0 / 3, 3, {1, 0, 0}},
        {0x1p53, 2, {0x1p53 + 2, 0x1p53}},
        {1, 2, {1, 1 + 0x1p-52}},                     /* a tie: down to even */
        {1 + 0x1p-51, 2, {1 + 0x1p-52, 1 + 0x1p-51}}, /* a tie: up to even */
        {1 + 0x1p-52, 3, {1 + 0x1p-52, 1 + 0x1p-52, 1 + 0x1p-52}},
        {0x1p970, 5, {DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX, 5 * 0x1p970}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(means); i++) {
        double mirror[9] = {0};
        for (int side = 0; side < 2; side++) {
            const double *x = side ? mirror : means[i].x;
            size_t n = means[i].n;
            for (size_t k = 0; k < n; k++) {
                mirror[k] = -means[i].x[k];
            }
            /* a negative mean that underflows is -0 */
            tally_value value = reduce_dense(TALLY_OP_MEAN, TALLY_TYPE_F64, 0, x, n);
            assert_int_equal(bits_f64(value.as.f64),
                             bits_f64(side ? -means[i].expected : means[i].expected));
            for (int k = 0; k < FORMATS; k++) {
                value = reduce_dense(TALLY_OP_MEAN, TALLY_TYPE_F64, formats[k]->type, x, n);
                assert_int_equal(bits_value(&value), oracle_mpfr_mean(x, n, formats[k]));
                assert_int_equal(bits_value(&value), oracle_bigint_mean(x, n, formats[k]));
            }
        }
    }
}

static int end(void **state)
{
    (void)state;
    oracle_mpfr_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_vectors_round_correctly),
        cmocka_unit_test(harmonic_sum_is_correctly_rounded),
        cmocka_unit_test(every_guard_round_and_sticky_bit_counts),
        cmocka_unit_test(f32_sum_never_passes_through_f64),
        cmocka_unit_test(millions_of_the_largest_cancel),
        cmocka_unit_test(overflow_starts_half_a_last_bit_beyond_the_largest),
        cmocka_unit_test(subnormals_round_to_even_at_ties),
        cmocka_unit_test(normals_round_to_even_at_ties),
        cmocka_unit_test(means_round_the_quotient_once),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
