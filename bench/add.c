/*
 * add.c - how fast the exact sum of doubles is on one core, for data of every kind.
 *
 *   bench_add [--at-least MILLION_PER_SECOND] [N]
 *
 * Every sum is checked before it is timed: against the sum of the same elements in another order,
 * added one by one. Prints the median and the spread of 9 runs, beside a plain loop in the same
 * run. Exit 1 if a result is wrong or a median is below --at-least.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tally.h"

enum { RUNS = 9 };

typedef double generator(uint64_t random, size_t i);

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double uniform(uint64_t random, size_t i)
{
    (void)i;
    return (double)(random >> 11) * 0x1p-53;
}

/* Any sign, exponent and fraction, but no infinity and no NaN. */
static double all_exponents(uint64_t random, size_t i)
{
    uint64_t exponent = (random >> 52 & 0x7ff) % 2047;
    (void)i;
    return from_bits((random & ~((uint64_t)0x7ff << 52)) | exponent << 52);
}

static double huge_and_tiny(uint64_t random, size_t i)
{
    double x = 1 + (double)(random >> 11) * 0x1p-53;
    return i % 2 ? x * 0x1p1000 : x * 0x1p-1000;
}

static double minus_zero(uint64_t random, size_t i)
{
    (void)random;
    (void)i;
    return -0.0;
}

static const struct {
    const char *name;
    generator *make;
} kinds[] = {
    {"uniform", uniform},
    {"all exponents", all_exponents},
    {"huge and tiny", huge_and_tiny},
    {"all -0", minus_zero},
};

/* This process's time on its core, so that a busy machine does not count. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill(double *x, size_t n, generator *make)
{
    uint64_t state = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < n; i++) {
        state += 0x9e3779b97f4a7c15;
        uint64_t z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        x[i] = make(z ^ z >> 31, i);
    }
}

/* The sum backwards, one by one. */
static double sum_again(const double *x, size_t n)
{
    tally_state state;
    tally_state_init(&state);
    for (size_t i = n; i > 0; i--) {
        tally_state_add1_f64(&state, x[i - 1]);
    }
    return tally_state_round_f64(&state);
}

static double sum_plain(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

typedef double summing(const double *x, size_t n);

/* Million elements a second, sorted; the results go into a volatile so that the work is done. */
static void measure(summing *sum, const double *x, size_t n, double rate[RUNS])
{
    static volatile double sink;
    for (int i = 0; i < RUNS; i++) {
        double start = now();
        sink = sum(x, n);
        rate[i] = (double)n / (now() - start) * 1e-6;
    }
    qsort(rate, RUNS, sizeof rate[0], ascending);
    (void)sink;
}

static int run(double *x, size_t n, double at_least)
{
    int failed = 0;
    printf("%zu doubles, one core, median of %d runs (slowest...fastest), million a second\n", n,
           RUNS);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double rate[RUNS], plain[RUNS];
        fill(x, n, kinds[k].make);
        double sum = tally_sum_f64(x, n), again = sum_again(x, n);
        if (memcmp(&sum, &again, sizeof sum) != 0) {
            printf("%-14s WRONG: %a, but one by one %a\n", kinds[k].name, sum, again);
            failed = 1;
            continue;
        }
        measure(tally_sum_f64, x, n, rate);
        measure(sum_plain, x, n, plain);
        double median = rate[RUNS / 2];
        printf("%-14s %5.0f (%.0f...%.0f)   a plain loop %5.0f\n", kinds[k].name, median, rate[0],
               rate[RUNS - 1], plain[RUNS / 2]);
        if (median < at_least) {
            printf("%-14s below the %.0f that were asked for\n", "", at_least);
            failed = 1;
        }
    }
    return failed;
}

int main(int argc, char **argv)
{
    double at_least = 0;
    size_t n = (size_t)1 << 23;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--at-least") == 0 && i + 1 < argc) {
            at_least = strtod(argv[++i], NULL);
        } else {
            n = (size_t)strtoull(argv[i], NULL, 10);
        }
    }
    double *x = n ? malloc(n * sizeof *x) : NULL;
    if (!x) {
        fprintf(stderr, "bench_add: no memory for %zu doubles\n", n);
        return 2;
    }
    int failed = run(x, n, at_least);
    free(x);
    return failed;
}
