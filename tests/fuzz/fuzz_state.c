/*
 * fuzz_state.c - bytes become operations on exact states, and both oracles judge the outcome.
 *
 * An input is a list of commands. Each names one of four states and an operation; those that add
 * take their elements, bit patterns of f64 or f32, from the bytes that follow. Beside every state
 * runs the plain list of all its elements.
 */
#include <stdio.h>
#include <stdlib.h>

#include "oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

enum { STATES = 4, MOST = 2048 };

typedef struct twin {
    tally_state state;
    double x[MOST];
    size_t n;
} twin;

/* What is left of the input; past its end come zeros. */
typedef struct input {
    const uint8_t *at, *end;
} input;

static uint64_t take(input *in, int nbytes)
{
    uint64_t v = 0;

    for (int i = 0; i < nbytes && in->at < in->end; i++) {
        v |= (uint64_t)*in->at++ << 8 * i;
    }
    return v;
}

static void must(bool right, const char *claim)
{
    if (!right) {
        fprintf(stderr, "not so: %s\n", claim);
        abort();
    }
}

static void add_f64(twin *t, input *in, size_t n, bool one_by_one)
{
    double x[16];

    for (size_t i = 0; i < n; i++) {
        x[i] = f64_bits(take(in, 8));
        if (one_by_one) {
            tally_state_add1_f64(&t->state, x[i]);
        }
        t->x[t->n++] = x[i];
    }
    if (!one_by_one) {
        tally_state_add_f64(&t->state, x, n);
    }
}

static void add_f32(twin *t, input *in, size_t n)
{
    float x[16];

    for (size_t i = 0; i < n; i++) {
        uint32_t bits = (uint32_t)take(in, 4);
        x[i] = f32_bits(bits);
        t->x[t->n++] = format_decode(&format_f32, bits);
    }
    tally_state_add_f32(&t->state, x, n);
}

/* Elements of any float type at some stride, with or without their NaNs. */
static void add_array(twin *t, input *in, size_t n, const format *f, bool skip)
{
    uint8_t field[16 * 8 * 3];
    size_t size = (size_t)f->width / 8;
    ptrdiff_t stride = (ptrdiff_t)(take(in, 1) % 7) - 3;
    uint8_t *first = stride < 0 ? field + 15 * 3 * size : field;
    tally_array array = {first, n, stride, f->type};

    for (size_t i = 0; i < sizeof field; i++) {
        field[i] = 0xff;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = take(in, (int)size);
        memcpy(first + (ptrdiff_t)i * stride * (ptrdiff_t)size, &bits, size);
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        memcpy(&bits, first + (ptrdiff_t)i * stride * (ptrdiff_t)size, size);
        double x = format_decode(f, bits);
        if (!(skip && x != x)) {
            t->x[t->n++] = x;
        }
    }
    must(tally_state_add(&t->state, &array, skip ? TALLY_NAN_SKIP : TALLY_NAN_PROPAGATE) ==
             TALLY_OK,
         "a float array can be added to a float state");
}

static void merge(twin *into, const twin *from, bool as_words)
{
    if (into->n + from->n > MOST) {
        return;
    }
    for (size_t i = 0, n = from->n; i < n; i++) {
        into->x[into->n++] = from->x[i];
    }
    if (as_words) {
        for (int i = 0; i < TALLY_STATE_WORDS; i++) {
            into->state.word[i] += from->state.word[i];
        }
    } else {
        tally_state_merge(&into->state, &from->state);
    }
}

static void save_and_load(twin *t)
{
    uint8_t bytes[TALLY_STATE_BYTES];
    tally_state before = t->state;

    must(tally_state_save(&t->state, bytes, sizeof bytes) == TALLY_OK, "a state can be saved");
    must(tally_state_load(&t->state, bytes, sizeof bytes) == TALLY_OK, "and loaded");
    must(tally_state_equal(&t->state, &before), "and is the same then");
}

/* The state anew from its elements, in two parts and backwards. */
static void rebuild(twin *t, size_t at)
{
    tally_state left, right;

    tally_state_init(&left);
    tally_state_init(&right);
    tally_state_add_f64(&left, t->x, at);
    for (size_t i = t->n; i > at; i--) {
        tally_state_add1_f64(&right, t->x[i - 1]);
    }
    tally_state_merge(&right, &left);
    must(tally_state_equal(&right, &t->state), "order and splitting do not matter");
}

static void judge(const twin *t)
{
    uint64_t got[FORMATS] = {bits_f64(tally_state_round_f64(&t->state)),
                             bits_f32(tally_state_round_f32(&t->state)),
                             tally_state_round_f16(&t->state), tally_state_round_bf16(&t->state)};

    must(tally_state_count(&t->state) == t->n, "the count is right");
    for (int k = 0; k < FORMATS; k++) {
        tally_value mean;
        must(got[k] == oracle_mpfr_sum(t->x, t->n, formats[k]), "MPFR agrees with the sum");
        must(got[k] == oracle_bigint_sum(t->x, t->n, formats[k]), "the big integer agrees");
        tally_status status = tally_state_mean(&t->state, formats[k]->type, &mean);
        must(status == (t->n ? TALLY_OK : TALLY_ERR_EMPTY), "only the mean of nothing is refused");
        if (t->n) {
            uint64_t bits = bits_value(&mean);
            must(bits == oracle_mpfr_mean(t->x, t->n, formats[k]), "MPFR agrees with the mean");
            must(bits == oracle_bigint_mean(t->x, t->n, formats[k]), "and the big integer");
        }
    }
}

static void command(twin *twins, input *in)
{
    uint8_t code = (uint8_t)take(in, 1);
    twin *t = &twins[code % STATES];
    size_t n = take(in, 1) % 16;

    if (t->n + n > MOST) {
        return;
    }
    switch (code / STATES % 10) {
    case 0: add_f64(t, in, n, false); break;
    case 1: add_f64(t, in, n, true); break;
    case 2: add_f32(t, in, n); break;
    case 3: add_array(t, in, n, formats[take(in, 1) % FORMATS], code & 128); break;
    case 4: merge(t, &twins[n % STATES], false); break;
    case 5: merge(t, &twins[n % STATES], true); break;
    case 6: tally_state_canonicalise(&t->state); break;
    case 7: save_and_load(t); break;
    case 8: rebuild(t, t->n ? take(in, 2) % (t->n + 1) : 0); break;
    default: judge(t); break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    static twin twins[STATES];
    input in = {data, data + nbytes};

    for (int i = 0; i < STATES; i++) {
        tally_state_init(&twins[i].state);
        twins[i].n = 0;
    }
    while (in.at < in.end) {
        command(twins, &in);
    }
    for (int i = 0; i < STATES; i++) {
        judge(&twins[i]);
    }
    return 0;
}
