/* powers.h - a table of powers of ten, for the fast way from decimal to binary. */
#ifndef TALLY_POWERS_H
#define TALLY_POWERS_H

#include <stdint.h>

/* Below: 19 digits times 10^-343 are less than half of 2^-1074. Above: 10^309 is beyond f64. */
enum { POWER_LOWEST = -342, POWER_HIGHEST = 308, POWERS = POWER_HIGHEST - POWER_LOWEST + 1 };

/* 10^e is at least (high 2^64 + low) 2^(power_top(e) - 127), and less than that with one more unit
 * in the last place. The top bit of high is set. */
typedef struct power_of_ten {
    uint64_t high, low;
} power_of_ten;

extern const power_of_ten powers_of_ten[POWERS]; /* entry e - POWER_LOWEST */

/* floor(log2(10^e)). 217706 / 2^16 is log2(10) to 5e-7, which suffices in this range (the script
 * that writes the table checks each e); the offset keeps the division one of positive numbers. */
static inline int power_top(int e)
{
    return (217706 * e + (2000 << 16)) / 65536 - 2000;
}

#endif
