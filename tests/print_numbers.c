/* print_numbers.c - writes "BITS TEXT" for doubles, for print_vs_node.sh to compare. */
#include <inttypes.h>
#include <stdio.h>

#include "draw.h"
#include "io/number.h"

static void print(uint64_t bits)
{
    tally_value v = {.type = TALLY_TYPE_F64, .as.f64 = f64_bits(bits)};
    char text[NUMBER_TEXT_BYTES];
    number_print(&v, text);
    printf("%016" PRIx64 " %s\n", bits, text);
}

int main(void)
{
    random_state r = {21};
    for (uint64_t exponent = 0; exponent < 2048; exponent++) {
        print(exponent << 52);
        print((exponent << 52) + 1);
        print((exponent << 52) + 0x000fffffffffffff);
    }
    for (int i = 0; i < 200000; i++) {
        print(random_bits(&r));
        /* numbers that are laid out without an exponent: 2^-24 to 2^80 */
        uint64_t exponent = 1023 - 24 + random_below(&r, 105);
        print(exponent << 52 | random_bits(&r) >> 12);
        print(bits_f64((double)random_below(&r, 1000000) / 1000));
    }
    return ferror(stdout) != 0 || fflush(stdout) != 0;
}
