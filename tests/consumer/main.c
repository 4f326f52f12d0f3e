/* main.c - uses an installed tally, as C and as C++: prints the library's version and a sum. */
#include <stdio.h>
#include <string.h>

#include <tally.h>

int main(void)
{
    char compiled[32];
    snprintf(compiled, sizeof compiled, "%d.%d.%d", TALLY_VERSION_MAJOR, TALLY_VERSION_MINOR,
             TALLY_VERSION_PATCH);
    if (strcmp(compiled, tally_version()) != 0) {
        fprintf(stderr, "header %s, library %s\n", compiled, tally_version());
        return 1;
    }
    const double x[] = {1e16, 1.0, -1e16};
    printf("%s %g\n", tally_version(), tally_sum_f64(x, 3));
    return 0;
}
