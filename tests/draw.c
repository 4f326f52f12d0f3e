/* draw.c - splitmix64 and what the generators draw from it. */
#include "draw.h"

#include <math.h>

uint64_t random_bits(random_state *r)
{
    uint64_t z = r->at += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* The bias of a remainder does not matter here: limits are small. */
uint64_t random_below(random_state *r, uint64_t limit)
{
    return random_bits(r) % limit;
}

bool random_coin(random_state *r)
{
    return random_bits(r) >> 63;
}

void random_shuffle(random_state *r, double *x, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = random_below(r, i);
        double t = x[j];
        x[j] = x[i - 1];
        x[i - 1] = t;
    }
}

size_t random_size(random_state *r, size_t most)
{
    uint64_t kind = random_below(r, 512);
    size_t n = kind == 0   ? random_below(r, most + 1)
               : kind == 1 ? 0
               : kind < 16 ? random_below(r, 300)
                           : 1 + random_below(r, 40);

    return n < most ? n : most;
}

/* significand * 2^unit, sign by coin; the significand must fit f. */
double draw_sign(random_state *r, uint64_t significand, int unit)
{
    double x = ldexp((double)significand, unit);

    return random_coin(r) ? -x : x;
}

uint64_t hidden(const format *f)
{
    return (uint64_t)1 << (f->precision - 1);
}

/* A significand of full length. */
uint64_t draw_significand(random_state *r, const format *f)
{
    return hidden(f) | (random_bits(r) & (hidden(f) - 1));
}

int draw_unit(random_state *r, int low, int high)
{
    return low + (int)random_below(r, (uint64_t)(high - low + 1));
}

int draw_any_unit(random_state *r, const format *f)
{
    return draw_unit(r, f->min_unit, f->max_unit);
}

double draw_between(random_state *r, const format *f, int low, int high)
{
    uint64_t significand = draw_significand(r, f);

    return draw_sign(r, significand, draw_unit(r, low, high));
}

double draw_value(random_state *r, const format *f)
{
    return draw_between(r, f, f->min_unit, f->max_unit);
}
