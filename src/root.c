/* root.c - square root by digits of two: one more than the format keeps, and a remainder. */
#include "root.h"

/* floor(sqrt(m * 4^shift)) and whether something remains. m < 2^55, the root below 2^56. */
static uint64_t floor_root(uint64_t m, int shift, bool *remains)
{
    uint64_t root = 0, rest = 0;
    /* two binary digits of the radicand give one of the root: rest <= 2 root stays below 2^57 */
    for (int at = 54 + 2 * shift; at >= 0; at -= 2) {
        int down = at - 2 * shift;
        uint64_t pair = down >= 0 ? m >> down & 3 : 0;
        rest = rest << 2 | pair;
        root <<= 1;
        if (rest > 2 * root) {
            rest -= 2 * root + 1;
            root++;
        }
    }
    *remains = rest != 0;
    return root;
}

uint64_t tally_root_bits(uint64_t bits, exact_format f)
{
    uint64_t hidden = (uint64_t)1 << (f.precision - 1);
    uint64_t exponent = bits >> (f.precision - 1), m = bits & (hidden - 1);
    bool remains;
    if (bits == 0 || bits == exact_sign(f) || bits == exact_infinity(f)) {
        return bits;
    }
    if (bits > exact_infinity(f)) { /* the sign bit is above the exponent */
        return exact_nan(f);
    }
    int unit = f.lowest; /* weight of m's last bit */
    if (exponent > 0) {
        m |= hidden;
        unit += (int)exponent - 1;
    }
    while (m < hidden) {
        m <<= 1;
        unit--;
    }
    if (unit % 2 != 0) {
        m <<= 1;
        unit--;
    }
    /* m has precision or one more digits; with 4^shift its root has precision + 1 or more */
    int shift = f.precision / 2 + 2;
    uint64_t root = floor_root(m, shift, &remains);
    uint32_t digit[2] = {(uint32_t)root, (uint32_t)(root >> 32)};
    return exact_round(digit, 2, unit / 2 - shift, remains, f);
}
