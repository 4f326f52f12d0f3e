"""What the tests of the command share: running it, writing its inputs, reporting claims.

The command is argv[1], else $TALLY. Only Python's standard library is used.
"""
import itertools
import json
import os
import struct
import subprocess
import sys
import tempfile
import traceback

TALLY = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ["TALLY"])
FOLDER = tempfile.TemporaryDirectory(prefix="tally-cli-")
CLAIMS = []
NUMBERS = itertools.count()


class Skipped(Exception):
    """A claim that cannot be tried here, and why."""


def claim(function):
    """Marks a test; its name is what it claims."""
    CLAIMS.append(function)
    return function


def main():
    """Tries every claim, prints a line for each; the exit code says whether all hold."""
    failed = 0
    with FOLDER:
        os.chdir(FOLDER.name)
        for function in CLAIMS:
            name = function.__name__.replace("_", " ")
            try:
                function()
                print("ok      " + name)
            except Skipped as reason:
                print("skipped %s: %s" % (name, reason))
            except Exception:  # pylint: disable=broad-except  # any failure is one line
                failed += 1
                print("FAILED  %s\n%s" % (name, traceback.format_exc(limit=-2)))
            sys.stdout.flush()
    print("%d claims, %d failed" % (len(CLAIMS), failed))
    sys.exit(1 if failed else 0)


class Ran:
    """One run of the command: exit code, stdout and stderr as text."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return "exit %d, stdout %.300r, stderr %.900r" % (self.code, self.out, self.err)


def tally(*arguments, stdin=b"", env=None, **how):
    """Runs the command; stdin is bytes, or text."""
    stdin = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [TALLY, *map(str, arguments)], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, **(env or {})}, check=False, timeout=300, **how)
    return Ran(done.returncode, done.stdout.decode("utf-8", "surrogateescape"),
               done.stderr.decode("utf-8", "surrogateescape"))


def equal(got, expected, what=""):
    if got != expected:
        raise AssertionError("%s: %.600r is not %.600r" % (what, got, expected))


def contains(text, part):
    if part not in text:
        raise AssertionError("%.600r does not contain %.300r" % (text, part))


def prints(expected, *arguments, stdin=b"", quiet=True, **how):
    """The command prints this value, says nothing else (if quiet), and exits 0."""
    ran = tally(*arguments, stdin=stdin, **how)
    if (ran.code, ran.out) != (0, expected + "\n") or (quiet and ran.err):
        raise AssertionError("%r: expected %.300r, %r" % (arguments, expected, ran))
    return ran


def refuses(code, part, *arguments, stdin=b"", **how):
    """The command prints no value, says this on stderr, and exits so."""
    ran = tally(*arguments, stdin=stdin, **how)
    if ran.code != code or ran.out or part not in ran.err:
        raise AssertionError("%r: expected exit %d and %r, %r" % (arguments, code, part, ran))
    return ran


def as_json(*arguments, stdin=b"", **how):
    """The one JSON object that the command prints with --json."""
    ran = tally(*arguments, "--json", stdin=stdin, **how)
    if ran.code != 0:
        raise AssertionError(repr(ran))
    equal(ran.out.count("\n"), 1, "lines of JSON")
    return json.loads(ran.out)


def write(data, suffix=""):
    """A new file with these bytes, or this text; its name."""
    name = "input%d%s" % (next(NUMBERS), suffix)
    with open(name, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    return name


CODES = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q",
         "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "B"}


def pack(descr, values):
    """The bytes of values of a NumPy type such as "<f4"."""
    order = ">" if descr[0] == ">" else "<"
    return struct.pack("%s%d%s" % (order, len(values), CODES[descr[1:]]), *values)


def npy_header(descr, shape, fortran=False):
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, tuple(shape))
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def npy(descr, values, shape=None, fortran=False):
    """A new .npy file of these values; its name."""
    header = npy_header(descr, (len(values),) if shape is None else shape, fortran)
    return write(header + pack(descr, values), ".npy")


def bf16(values):
    """The bytes of values that bf16 holds exactly."""
    return b"".join(struct.pack("<f", value)[2:] for value in values)


def lines(*values):
    """Text with a value a line."""
    return "".join("%s\n" % value for value in values)
