#!/usr/bin/env python3
"""Writes src/io/powers.c, the table of powers of ten: scripts/make_powers.py > src/io/powers.c

Entry e is 10^e cut (not rounded) to 128 significant bits. tests/test_number.c recomputes it.
"""

LOWEST, HIGHEST = -342, 308


def floor_log2(e):
    """The exponent of 10^e's top bit, exactly."""
    if e >= 0:
        return (10**e).bit_length() - 1
    return -(10**-e).bit_length()  # 10^-e is no power of two


def significand(e):
    shift = 127 - floor_log2(e)
    if e >= 0:
        return 10**e << shift if shift >= 0 else 10**e >> -shift
    return (1 << shift) // 10**-e


print("/* powers.c - powers of ten to 128 bits. Written by scripts/make_powers.py: do not edit. */")
print('#include "powers.h"')
print()
print("/* clang-format off */")
print("const power_of_ten powers_of_ten[POWERS] = {")
row = []
for e in range(LOWEST, HIGHEST + 1):
    assert floor_log2(e) == (217706 * e) >> 16, e  # power_top() in powers.h
    t = significand(e)
    assert 1 << 127 <= t < 1 << 128, e
    row.append("{0x%016x, 0x%016x}," % (t >> 64, t & (1 << 64) - 1))
    if len(row) == 2 or e == HIGHEST:
        print("    " + " ".join(row))
        row = []
print("};")
