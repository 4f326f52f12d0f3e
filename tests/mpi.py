"""examples/mpi_sum.c prints the same bits for 1, 2 and 7 ranks: those of Python's math.fsum."""
import math
import os
import shutil
import struct
import subprocess
import sys

N_ELEMENTS = 1000003
MASK = 2**64 - 1


def element_bits(i):
    """The example's data, written a second time."""
    mix = (i + 1) * 0x9E3779B97F4A7C15 & MASK
    mix = (mix ^ mix >> 29) * 0xBF58476D1CE4E5B9 & MASK
    mix ^= mix >> 32
    exponent = 1023 - 60 + (mix >> 1) % 120
    return (mix & 1) << 63 | exponent << 52 | mix >> 12


def main():
    program = os.path.join(os.environ["BUILD_DIR"], "examples/example_mpi_sum")
    if not shutil.which("mpirun") or not os.path.exists(program):
        print("skipped: MPI is not installed (scripts/packages.sh test)")
        return 77
    bits = struct.pack("<%dQ" % N_ELEMENTS, *map(element_bits, range(N_ELEMENTS)))
    data = struct.unpack("<%dd" % N_ELEMENTS, bits)
    exact = math.fsum(data)
    if sum(data) == exact:
        print("the data are too easy: a plain sum is right, too")
        return 1
    expected = "tally %.17g 0x%016x\n" % (exact, struct.unpack("<Q", struct.pack("<d", exact))[0])

    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    failed = False
    for n_ranks in (1, 2, 7):
        run = subprocess.run(
            ["mpirun", "--oversubscribe", "-n", str(n_ranks), program],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        print(run.stdout + run.stderr, end="")
        if run.returncode != 0 or run.stdout != expected:
            print("%d ranks: exit %d; expected %s" % (n_ranks, run.returncode, expected))
            failed = True
    return failed


sys.exit(main())
