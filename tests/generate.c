/* generate.c - the generators, each with the trap that it sets. */
#include "generate.h"

#include <math.h>

static double largest(const format *f)
{
    return ldexp((double)(2 * hidden(f) - 1), f->max_unit);
}

static double smallest(const format *f)
{
    return ldexp(1, f->min_unit);
}

/* Any bits at all: NaN and infinities too, often so in the small formats. */
static size_t any_bits(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);

    for (size_t i = 0; i < n; i++) {
        x[i] = format_decode(f, random_bits(r) >> (64 - f->width));
    }
    return n;
}

/* One binade or two, like measured data. */
static size_t ordinary(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);
    int unit = draw_any_unit(r, f);

    for (size_t i = 0; i < n; i++) {
        x[i] = draw_sign(r, random_bits(r) & (2 * hidden(f) - 1), unit);
    }
    return n;
}

static size_t wide_exponents(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);

    for (size_t i = 0; i < n; i++) {
        x[i] = draw_value(r, f);
    }
    return n;
}

static size_t few_exponents(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);
    int unit[3];

    for (int i = 0; i < 3; i++) {
        unit[i] = draw_any_unit(r, f);
    }
    for (size_t i = 0; i < n; i++) {
        int chosen = unit[random_below(r, 3)];
        x[i] = draw_between(r, f, chosen, chosen);
    }
    return n;
}

/* Exponents within a few precisions of one another: where rounding has something to do. */
static size_t near_exponents(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);
    int span =
        f->max_unit - f->min_unit < 3 * f->precision ? f->max_unit - f->min_unit : 3 * f->precision;
    int low = draw_unit(r, f->min_unit, f->max_unit - span);

    for (size_t i = 0; i < n; i++) {
        x[i] = draw_between(r, f, low, low + span);
    }
    return n;
}

/* x and -x, shuffled: all that stays is "rest" or nothing. */
static size_t cancelling(random_state *r, const format *f, double *x, size_t room, double rest)
{
    size_t n = random_size(r, room) / 2 * 2;

    for (size_t i = 0; i < n; i += 2) {
        x[i] = draw_value(r, f);
        x[i + 1] = -x[i];
    }
    if (rest != 0 && n < room) {
        x[n++] = rest;
    }
    random_shuffle(r, x, n);
    return n;
}

static size_t zero_sum(random_state *r, const format *f, double *x, size_t room)
{
    return cancelling(r, f, x, room, 0);
}

static size_t one_smallest_left(random_state *r, const format *f, double *x, size_t room)
{
    return cancelling(r, f, x, room, random_coin(r) ? -smallest(f) : smallest(f));
}

static size_t one_value_left(random_state *r, const format *f, double *x, size_t room)
{
    return cancelling(r, f, x, room, draw_value(r, f));
}

/* A value and exactly half of its last bit, in pieces; then perhaps a trifle that decides. */
static size_t ties(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = 0;
    int unit = draw_unit(r, f->min_unit + 4, f->max_unit);
    double half = ldexp(1, unit - 1);
    double sign = random_coin(r) ? -1 : 1;

    if (room < 4) {
        return 0;
    }
    x[n++] = sign * ldexp((double)draw_significand(r, f), unit);
    if (random_coin(r)) {
        x[n++] = sign * half;
    } else {
        x[n++] = sign * (half / 2);
        x[n++] = sign * (half / 2);
    }
    if (random_below(r, 3) != 0) {
        x[n++] = draw_sign(r, 1, draw_unit(r, f->min_unit, unit - 2));
    }
    random_shuffle(r, x, n);
    return n;
}

/* 2^(p+2) + {0..7} + {0,8,16,24} and a trifle: every guard, round and sticky bit there is. */
static size_t guard_round_sticky(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = 0;
    int unit = draw_unit(r, f->min_unit + 4, f->max_unit - 5);
    double sign = random_coin(r) ? -1 : 1;

    if (room < 4) {
        return 0;
    }
    x[n++] = sign * ldexp(1, unit + f->precision + 2);
    x[n++] = sign * ldexp((double)random_below(r, 8), unit);
    x[n++] = sign * ldexp((double)(8 * random_below(r, 4)), unit);
    if (random_below(r, 3) != 0) {
        x[n++] = draw_sign(r, 1, draw_unit(r, f->min_unit, unit - 1));
    }
    random_shuffle(r, x, n);
    return n;
}

/* Just below, at and above the point where a sum rounds to infinity: the largest value and about
 * half of its last bit. */
static size_t overflow_edge(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = 0;
    double sign = random_coin(r) ? -1 : 1;
    double half = ldexp(1, f->max_unit - 1);

    if (room < 5) {
        return 0;
    }
    x[n++] = sign * largest(f);
    switch (random_below(r, 4)) {
    case 0: x[n++] = sign * half; break;
    case 1:
        x[n++] = sign * half;
        x[n++] = draw_sign(r, 1, draw_unit(r, f->min_unit, f->max_unit - 2));
        break;
    case 2: x[n++] = sign * (half - half / (double)hidden(f)); break;
    default:
        x[n++] = sign * largest(f);
        x[n++] = -sign * largest(f);
        x[n++] = sign * half;
    }
    if (random_below(r, 4) == 0) {
        x[n++] = draw_sign(r, 1, f->min_unit);
    }
    random_shuffle(r, x, n);
    return n;
}

/* Partial sums far beyond the largest value, a total perhaps not. */
static size_t huge(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);

    for (size_t i = 0; i < n; i++) {
        x[i] = random_below(r, 4) ? draw_between(r, f, f->max_unit, f->max_unit)
                                  : draw_sign(r, 2 * hidden(f) - 1, f->max_unit);
    }
    return n;
}

static size_t subnormals(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);

    for (size_t i = 0; i < n; i++) {
        x[i] = random_below(r, 8) ? draw_sign(r, random_bits(r) & (hidden(f) - 1), f->min_unit)
                                  : draw_between(r, f, f->min_unit, f->min_unit);
    }
    return n;
}

/* Nearly all are -0; the rest decides the sign of a zero. */
static size_t minus_zeros(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);

    for (size_t i = 0; i < n; i++) {
        x[i] = -0.0;
    }
    if (n > 0 && random_below(r, 3) == 0) {
        x[random_below(r, n)] = 0.0;
    }
    if (n > 1 && random_below(r, 6) == 0) {
        x[0] = draw_value(r, f);
        x[n - 1] = -x[0];
    }
    return n;
}

/* Infinities and NaNs among numbers; one at the very end or at the edge of a block. */
static size_t specials(random_state *r, const format *f, double *x, size_t room)
{
    static const double kinds[3] = {INFINITY, -INFINITY, NAN};
    size_t n = ordinary(r, f, x, room), edges = 1 + random_below(r, 2);

    for (size_t i = 0; n > 0 && i < edges; i++) {
        size_t block = (size_t)1 << random_below(r, 8);
        size_t at = random_below(r, 3) == 0 ? n - 1 : n / block * block;
        x[at < n ? at : n - 1] = kinds[random_below(r, 3)];
    }
    return n;
}

/* Odd multiples of half a unit on top of multiples of the unit: a half-unit tie splits by parity
 * wherever partial sums are rounded. */
static size_t half_units(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);
    int unit = draw_unit(r, f->min_unit + 1, f->max_unit);

    for (size_t i = 0; i < n; i++) {
        x[i] = random_coin(r) ? draw_sign(r, random_bits(r) % hidden(f), unit)
                              : draw_sign(r, 2 * (random_bits(r) % hidden(f)) + 1, unit - 1);
    }
    return n;
}

/* Every element, or every block of elements, one binade above the last. */
static size_t rising(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room), block = (size_t)1 << random_below(r, 5);
    int unit = draw_any_unit(r, f);

    for (size_t i = 0; i < n; i++) {
        x[i] = draw_between(r, f, unit, unit);
        if ((i + 1) % block == 0 && unit < f->max_unit) {
            unit++;
        }
    }
    return n;
}

static size_t huge_last(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);
    int middle = (f->min_unit + f->max_unit) / 2;

    for (size_t i = 0; i < n; i++) {
        x[i] = draw_between(r, f, f->min_unit, middle);
    }
    if (n > 0) {
        x[n - 1] = draw_between(r, f, middle, f->max_unit);
    }
    return n;
}

/* Powers of two and their neighbours, one last bit below and above. */
static size_t power_neighbours(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);
    int unit = draw_any_unit(r, f);

    for (size_t i = 0; i < n; i++) {
        switch (random_below(r, 3)) {
        case 0: x[i] = draw_sign(r, 2 * hidden(f) - 1, unit); break;
        case 1: x[i] = draw_sign(r, hidden(f), unit); break;
        default: x[i] = draw_sign(r, hidden(f) + 1, unit);
        }
        if (random_below(r, 8) == 0) {
            unit = draw_any_unit(r, f);
        }
    }
    return n;
}

/* 127 to 129 additions, or 4095 to 4097, of one largest magnitude of one sign: accumulators that
 * are flushed every so often must hold them. */
static size_t full_accumulator(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_below(r, 64) ? 127 : 4095;
    double value = draw_sign(r, 2 * hidden(f) - 1, draw_any_unit(r, f));

    n += random_below(r, 3);
    n = n < room ? n : room;
    for (size_t i = 0; i < n; i++) {
        x[i] = value;
    }
    return n;
}

/* 2^k - 2^j by halves, so that a carry or a borrow runs over a long row of ones or zeros. */
static size_t long_carries(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = 0;

    while (n + 2 <= room && (n == 0 || random_below(r, 4))) {
        double sign = random_coin(r) ? -1 : 1;
        x[n++] = sign * ldexp(1, draw_unit(r, f->min_unit, f->max_unit + f->precision - 1));
        x[n++] = -sign * ldexp(1, draw_unit(r, f->min_unit, f->max_unit + f->precision - 1));
    }
    return n;
}

/* Significands of all ones laid end to end, then one last bit that carries through all of them. */
static size_t all_ones(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = 0, most = 1 + random_below(r, 40);
    int unit = draw_any_unit(r, f), first = unit;
    double sign = random_coin(r) ? -1 : 1;

    for (; n < most && n + 1 < room && unit <= f->max_unit; unit += f->precision) {
        x[n++] = sign * ldexp((double)(2 * hidden(f) - 1), unit);
    }
    if (n < room && random_coin(r)) {
        double last = ldexp(1, random_coin(r) ? first : f->min_unit);
        x[n++] = random_coin(r) ? sign * last : -sign * last;
    }
    random_shuffle(r, x, n);
    return n;
}

static size_t equal_values(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);
    double value = draw_value(r, f);

    for (size_t i = 0; i < n; i++) {
        x[i] = value;
    }
    return n;
}

static size_t ramp(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);

    for (size_t i = 0; i < n; i++) {
        x[i] = (double)((i + 1) % (2 * hidden(f)));
    }
    return n;
}

static size_t huge_and_tiny(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);
    int near = f->precision;

    for (size_t i = 0; i < n; i++) {
        int high = draw_unit(r, f->max_unit - near / 2, f->max_unit);
        int low = draw_unit(r, f->min_unit, f->min_unit + near / 2);
        x[i] = draw_sign(r, draw_significand(r, f), i % 2 ? low : high);
    }
    return n;
}

/* Single bits whose exponents differ by multiples of 32 from the lowest: the edges of limbs. */
static size_t limb_edges(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = random_size(r, room);
    int top = f->max_unit + f->precision - 1;
    uint64_t limbs = (uint64_t)((top - f->min_unit) / 32 + 1);

    for (size_t i = 0; i < n; i++) {
        int exponent = f->min_unit + 32 * (int)random_below(r, limbs);
        exponent -= random_coin(r);
        x[i] = draw_sign(r, 1, exponent < f->min_unit ? f->min_unit : exponent);
    }
    return n;
}

/* A number taken apart: pieces whose signs alternate and whose sum is that number. */
static size_t taken_apart(random_state *r, const format *f, double *x, size_t room)
{
    size_t n = 0, most = random_size(r, room);
    int unit = draw_unit(r, f->min_unit + 1, f->max_unit);

    while (n + 1 < most) {
        uint64_t whole = draw_significand(r, f), part = random_below(r, whole);
        x[n++] = ldexp((double)part, unit);
        x[n++] = ldexp((double)(whole - part), unit);
        if (n < most) {
            x[n++] = -ldexp((double)whole, unit);
        }
        if (n < most && random_coin(r)) {
            x[n++] = draw_sign(r, 1, draw_unit(r, f->min_unit, unit));
        }
    }
    random_shuffle(r, x, n);
    return n;
}

const generator generators[] = {
    {"any-bits", any_bits},
    {"ordinary", ordinary},
    {"wide-exponents", wide_exponents},
    {"few-exponents", few_exponents},
    {"near-exponents", near_exponents},
    {"zero-sum", zero_sum},
    {"one-smallest-left", one_smallest_left},
    {"one-value-left", one_value_left},
    {"ties", ties},
    {"guard-round-sticky", guard_round_sticky},
    {"overflow-edge", overflow_edge},
    {"huge", huge},
    {"subnormals", subnormals},
    {"minus-zeros", minus_zeros},
    {"specials", specials},
    {"half-units", half_units},
    {"rising", rising},
    {"huge-last", huge_last},
    {"power-neighbours", power_neighbours},
    {"full-accumulator", full_accumulator},
    {"long-carries", long_carries},
    {"all-ones", all_ones},
    {"equal-values", equal_values},
    {"ramp", ramp},
    {"huge-and-tiny", huge_and_tiny},
    {"limb-edges", limb_edges},
    {"taken-apart", taken_apart},
};
const size_t n_generators = sizeof generators / sizeof generators[0];
