"""Inputs beyond 2^31 and 2^32 elements, and beyond memory. Most are files of holes."""
import os
import signal
import subprocess
import time

from cli import TALLY, Skipped, claim, contains, equal, main, npy_header, prints, refuses, write

MEGABYTE = 1 << 20


def holes(n, **bytes_at):
    """A new u8 .npy file of n zeros, but for byte "i123" at index 123."""
    name = write(npy_header("|u1", (n,)), ".npy")
    begin = os.path.getsize(name)
    try:
        os.truncate(name, begin + n)
    except OSError as error:
        raise Skipped("no file of %d bytes here: %s" % (n, error)) from error
    with open(name, "r+b") as file:
        for place, byte in bytes_at.items():
            file.seek(begin + int(place[1:]))
            file.write(bytes([byte]))
    if os.stat(name).st_blocks * 512 > n // 2:
        raise Skipped("this file system has no holes")
    return name


def run_measured(*arguments, stdin=None):
    """Exit code, standard output, and the most memory that was resident, in bytes."""
    with subprocess.Popen([TALLY, *arguments], stdin=stdin, stdout=subprocess.PIPE) as run:
        out = run.stdout.read().decode()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    return run.returncode, out, usage.ru_maxrss * 1024


@claim
def five_gigabytes_are_summed_within_200_megabytes():
    n = 5_000_000_000
    name = holes(n, i0=3, i4294967296=50, **{"i%d" % (n - 1): 200})
    code, out, resident = run_measured("sum", name)
    equal((code, out), (0, "253\n"))
    equal(resident < 200 * MEGABYTE, True, "resident: %d MB" % (resident // MEGABYTE))
    print("        resident: %d MB" % (resident // MEGABYTE))
    os.remove(name)


@claim
def a_pipe_needs_no_more_memory_than_a_file():
    with subprocess.Popen(["head", "-c", "1G", "/dev/zero"], stdout=subprocess.PIPE) as source:
        code, out, resident = run_measured("sum", "--dtype", "u8", stdin=source.stdout)
    equal((code, out), (0, "0\n"))
    equal(resident < 100 * MEGABYTE, True, "resident: %d MB" % (resident // MEGABYTE))


@claim
def case_29_indices_beyond_2_to_31_and_32():
    a = holes(2 ** 32 + 3, **{"i%d" % (2 ** 32 + 2): 7})
    prints("4294967298", "argmax", a)
    prints("7", "max", a)
    prints("7", "sum", a)
    b = holes(2 ** 31 + 2, **{"i%d" % (2 ** 31 + 1): 1})
    prints("2147483649", "argmax", b)
    prints(str(2 ** 31 + 2 + 2 ** 32 + 2), "argmax", b, a)
    os.remove(a)
    os.remove(b)


@claim
def an_f32_sum_of_2_to_28_plus_1_ones():
    name = write(npy_header("<f4", (2 ** 28 + 1,)), ".npy")
    ones = b"\0\0\x80\x3f" * 2 ** 20
    with open(name, "ab") as file:
        for _ in range(2 ** 8):
            file.write(ones)
        file.write(ones[:4])
    prints("268435457", "sum", name)
    prints("268435456", "sum", "--out", "f32", name)
    prints("1", "mean", name)
    os.remove(name)


@claim
def a_file_that_shrinks_while_it_is_read_gives_no_number():
    name = holes(5_000_000_000)
    with subprocess.Popen([TALLY, "sum", name], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as run:
        time.sleep(0.1)
        os.truncate(name, 4096)
        out, err = run.communicate()
    equal((run.returncode, out), (3, b""))
    equal(err.count(b"\n") in (1, 2), True, err)


@claim
def the_signal_of_vanished_data_is_explained():
    with subprocess.Popen([TALLY, "sum"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as run:
        run.stdin.write(b"1\n" * 300000)  # it is running: it reads
        run.send_signal(signal.SIGBUS)
        out, err = run.communicate()
    equal((run.returncode, out), (3, b""))
    contains(err.decode(), "the input cannot be read any more")


@claim
def a_header_that_promises_too_much_is_refused():
    refuses(3, "", "sum", write(npy_header("<f8", (1 << 60,)), ".npy"))
    refuses(3, "", "sum", write(npy_header("<f8", (1 << 62, 1 << 62)), ".npy"))


if __name__ == "__main__":
    main()
