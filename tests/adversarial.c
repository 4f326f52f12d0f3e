/*
 * adversarial.c - many hard sums, each compared bit by bit with both oracles.
 *
 * adversarial [--sums N] [--seed S] [--quick] [--only CASE]
 *
 * Case k draws its data from generator k mod (number of generators) and a random state made of the
 * seed and k alone, so that --only k repeats it. Prints the seed, the cases of each generator and
 * an FNV-1a hash of all result bits; the first difference is printed with its input and ends the
 * run with 1.
 */
#include "generate.h"
#include "oracle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 5000, QUICK = 300000 };

typedef struct session {
    uint64_t seed, sums, only;
    bool one;
    tally_context *ctx;
    uint64_t hash, comparisons, elements;
} session;

/* One case: the data as doubles and as elements of the input format. */
typedef struct data {
    uint64_t number;
    const generator *from;
    const format *in;
    size_t n;
    double x[ROOM];
    uint64_t elements[ROOM];
} data;

static void print_input(const session *run, const data *d)
{
    printf("case %" PRIu64 " of seed %" PRIu64 ", generator %s, %zu elements of %s:\n", d->number,
           run->seed, d->from->name, d->n, d->in->name);
    for (size_t i = 0; i < d->n; i++) {
        printf("  0x%0*" PRIx64 "  %a\n", d->in->width / 4, format_encode(d->in, d->x[i]), d->x[i]);
    }
    printf("again with: adversarial --seed %" PRIu64 " --only %" PRIu64 "\n", run->seed, d->number);
}

/* Compares one answer with both oracles. */
static void compare(session *run, const data *d, const char *what, const format *out, bool mean,
                    uint64_t got)
{
    uint64_t (*one)(const double *, size_t, const format *) =
        mean ? oracle_mpfr_mean : oracle_mpfr_sum;
    uint64_t (*two)(const double *, size_t, const format *) =
        mean ? oracle_bigint_mean : oracle_bigint_sum;
    uint64_t mpfr = one(d->x, d->n, out), bigint = two(d->x, d->n, out);

    if (got != mpfr || got != bigint) {
        printf("DIFFERENCE in the %s as %s: got %0*" PRIx64 ", MPFR says %0*" PRIx64
               ", the big integer %0*" PRIx64 "\n",
               what, out->name, out->width / 4, got, out->width / 4, mpfr, out->width / 4, bigint);
        print_input(run, d);
        exit(1);
    }
    for (int i = 0; i < 8; i++) {
        run->hash = (run->hash ^ (got >> 8 * i & 0xff)) * 0x100000001b3;
    }
    run->comparisons++;
}

static void need(const session *run, const data *d, tally_status status, const char *call)
{
    if (status != TALLY_OK) {
        printf("%s gave %s\n", call, tally_status_name(status));
        print_input(run, d);
        exit(1);
    }
}

/* The plain way: one call on the array. */
static void reduce(session *run, const data *d, tally_op op, const format *out)
{
    tally_array array = tally_array_dense(d->in->type, d->elements, d->n);
    tally_request request = {.op = op, .out = out->type};
    tally_value value;

    need(run, d, tally_reduce(run->ctx, &request, &array, &value), "tally_reduce");
    compare(run, d, op == TALLY_OP_MEAN ? "mean" : "sum", out, op == TALLY_OP_MEAN,
            bits_value(&value));
}

/* The long way: states fed in pieces and merged, rounded to everything there is. */
static void pieces(session *run, const data *d, random_state *r)
{
    size_t size = tally_type_size(d->in->type);
    tally_state total, part;

    tally_state_init(&total);
    for (size_t at = 0; at < d->n;) {
        size_t n = 1 + random_below(r, d->n - at);
        tally_array array =
            tally_array_dense(d->in->type, (const char *)d->elements + at * size, n);
        if (n == 1) {
            tally_state_add1_f64(&total, d->x[at]);
        } else {
            tally_state_init(&part);
            need(run, d, tally_state_add(&part, &array, TALLY_NAN_PROPAGATE), "tally_state_add");
            tally_state_merge(&total, &part);
        }
        at += n;
    }
    for (int i = 0; i < FORMATS; i++) {
        tally_value value;

        need(run, d, tally_state_value(&total, formats[i]->type, &value), "tally_state_value");
        compare(run, d, "merged sum", formats[i], false, bits_value(&value));
        if (d->n > 0) {
            need(run, d, tally_state_mean(&total, formats[i]->type, &value), "tally_state_mean");
            compare(run, d, "merged mean", formats[i], true, bits_value(&value));
        }
    }
}

static void one_case(session *run, data *d, uint64_t number)
{
    random_state r = {run->seed * 0xd1342543de82ef95 + number};
    uint64_t kind = number / n_generators;
    static const format *const inputs[8] = {&format_f64, &format_f32, &format_f64,  &format_f16,
                                            &format_f64, &format_f64, &format_bf16, &format_f64};

    d->number = number;
    d->from = &generators[number % n_generators];
    d->in = inputs[kind % 8];
    d->n = d->from->fill(&r, d->in, d->x, ROOM);
    format_pack(d->in, d->x, d->n, d->elements);
    run->elements += d->n;
    if (d->in == &format_f64) {
        compare(run, d, "sum", &format_f64, false, bits_f64(tally_sum_f64(d->x, d->n)));
    } else if (d->in == &format_f32) {
        float sum = tally_sum_f32((const float *)d->elements, d->n);
        compare(run, d, "sum", &format_f32, false, bits_f32(sum));
    } else {
        reduce(run, d, TALLY_OP_SUM, d->in);
    }
    if (kind / 8 % 4 == 0) {
        const format *out = formats[random_below(&r, FORMATS)];
        reduce(run, d, TALLY_OP_SUM, out);
        if (d->n > 0) {
            reduce(run, d, TALLY_OP_MEAN, out);
        }
        pieces(run, d, &r);
    }
}

static uint64_t parse_number(const char *option, const char *text)
{
    char *end;
    uint64_t value = text ? strtoull(text, &end, 0) : 0;

    if (!text || end == text || *end) {
        fprintf(stderr, "adversarial: %s needs a number\n", option);
        exit(2);
    }
    return value;
}

static void arguments(session *run, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            run->sums = QUICK;
        } else if (strcmp(argv[i], "--sums") == 0) {
            run->sums = parse_number(argv[i], argv[i + 1]);
            i++;
        } else if (strcmp(argv[i], "--seed") == 0) {
            run->seed = parse_number(argv[i], argv[i + 1]);
            i++;
        } else if (strcmp(argv[i], "--only") == 0) {
            run->one = true;
            run->only = parse_number(argv[i], argv[i + 1]);
            i++;
        } else {
            fprintf(stderr, "adversarial [--sums N] [--seed S] [--quick] [--only CASE]\n");
            exit(2);
        }
    }
}

int main(int argc, char **argv)
{
    static data d;
    session run = {.seed = 1, .sums = 10000000, .hash = 0xcbf29ce484222325};

    arguments(&run, argc, argv);
    if (tally_open(NULL, &run.ctx) != TALLY_OK) {
        fprintf(stderr, "adversarial: no context\n");
        return 1;
    }
    if (run.one) {
        one_case(&run, &d, run.only);
        print_input(&run, &d);
    }
    for (uint64_t i = 0; !run.one && i < run.sums; i++) {
        one_case(&run, &d, i);
    }
    tally_close(run.ctx);
    oracle_mpfr_end();
    printf("seed %" PRIu64 "\n", run.seed);
    for (size_t g = 0; !run.one && g < n_generators; g++) {
        uint64_t cases = run.sums / n_generators + (g < run.sums % n_generators);
        printf("  %-20s %10" PRIu64 " cases\n", generators[g].name, cases);
    }
    printf("sums %" PRIu64 ", elements %" PRIu64 ", comparisons %" PRIu64
           " with two oracles each, no difference\nresult hash %016" PRIx64 "\n",
           run.one ? 1 : run.sums, run.elements, run.comparisons, run.hash);
    return 0;
}
