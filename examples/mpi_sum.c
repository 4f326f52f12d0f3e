/*
 * mpi_sum.c - a sum over MPI ranks: the same bits for every number of ranks.
 *
 *   mpicc mpi_sum.c -ltally && mpirun -n 7 ./a.out
 *
 * Each rank adds its slice into a tally_state. A state's words merge by plain integer addition, so
 * MPI's own MPI_SUM joins the ranks; no special operation and no particular order is needed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>
#include <tally.h>

enum { N_ELEMENTS = 1000003 };

/* Element i of the data: both signs and 120 binades, so that a sum in double depends on its order.
 */
static double element(uint64_t i)
{
    uint64_t mix = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mix = (mix ^ (mix >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
    mix ^= mix >> 32;
    uint64_t sign = mix & 1;
    uint64_t exponent = 1023 - 60 + (mix >> 1) % 120;
    uint64_t fraction = mix >> 12;
    uint64_t bits = sign << 63 | exponent << 52 | fraction;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, n_ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);

    size_t begin = (size_t)N_ELEMENTS * (size_t)rank / (size_t)n_ranks;
    size_t end = (size_t)N_ELEMENTS * ((size_t)rank + 1) / (size_t)n_ranks;
    double *x = malloc((end - begin + 1) * sizeof *x);
    if (!x) {
        fprintf(stderr, "rank %d: no memory\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    double naive = 0;
    for (size_t i = begin; i < end; i++) {
        x[i - begin] = element(i);
        naive += x[i - begin];
    }

    tally_state mine, total;
    tally_state_init(&mine);
    tally_state_add_f64(&mine, x, end - begin);
    free(x);
    MPI_Reduce(mine.word, total.word, TALLY_STATE_WORDS, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);

    double naive_total = 0;
    MPI_Reduce(&naive, &naive_total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);

    if (rank == 0) {
        double sum = tally_state_round_f64(&total);
        uint64_t bits;
        memcpy(&bits, &sum, sizeof bits);
        printf("tally %.17g 0x%016" PRIx64 "\n", sum, bits);
        fprintf(stderr, "%d ranks; added in double: %.17g\n", n_ranks, naive_total);
    }
    MPI_Finalize();
    return 0;
}
