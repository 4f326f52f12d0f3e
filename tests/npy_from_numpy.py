"""Writes .npy files with numpy and a listing of what tally has to answer for each.

npy_from_numpy.py FOLDER writes FOLDER/*.npy and FOLDER/expected.tsv, lines of
    file TAB further arguments TAB op TAB exit status TAB standard output
The answers are computed from the elements with fractions, never with numpy's own reductions.
"""
import itertools
import os
import sys
from fractions import Fraction

import numpy

FLOATS = ["f2", "f4", "f8"]
INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def layout(digits):
    """A repr() of a float, written as ECMAScript does (and nan, inf as tally does)."""
    sign = "-" if digits.startswith("-") else ""
    digits = digits.lstrip("-")
    if digits in ("nan", "inf"):
        return sign + digits
    mantissa, _, exponent = digits.partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)  # of 0.DIGITS * 10^point
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    if not digits:
        return sign + "0"
    k = len(digits)
    if k <= point <= 21:
        return sign + digits + "0" * (point - k)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    tail = "." + digits[1:] if k > 1 else ""
    return f"{sign}{digits[0]}{tail}e{point - 1:+d}"


def shortest(value):
    """A numpy scalar of any type in tally's digits; whole numbers below 2^53 in full."""
    if isinstance(value, numpy.floating):
        if abs(value) < 2**53 and float(value).is_integer() and value != 0:
            return str(int(value))
        return layout(numpy.format_float_scientific(value, unique=True, trim="-"))
    return str(int(value))


def exact_sum(elements, n_for_mean=None):
    """The sum, or mean, of numpy floats, rounded once to f64, in tally's digits."""
    floats = [float(x) for x in elements]  # f2, f4, f8: exact
    if any(x != x for x in floats) or {float("inf"), float("-inf")} <= set(floats):
        return "nan"
    for infinity in (float("inf"), float("-inf")):
        if infinity in floats:
            return layout(repr(infinity))
    total = sum(map(Fraction, floats), Fraction(0)) / (n_for_mean or 1)
    if total == 0:
        negative = floats and all(str(x) == "-0.0" for x in floats)
        return "-0" if negative else "0"
    try:
        return layout(repr(total.numerator / total.denominator))  # Python rounds this correctly
    except OverflowError:
        return "inf" if total > 0 else "-inf"


def arg_extreme(elements, largest):
    """The first NaN, else the first of the largest or smallest, in C order."""
    for i, x in enumerate(elements):
        if x != x:
            return i
    best = 0
    for i, x in enumerate(elements):
        if (x > elements[best]) if largest else (x < elements[best]):
            best = i
    return best


def extreme(elements, largest):
    """min or max: NaN if there is one; -0 is below +0."""
    at = arg_extreme(elements, largest)
    best = elements[at]
    if best == 0 and isinstance(best, numpy.floating):
        wanted = "0" if largest else "-0"
        return wanted if wanted in [shortest(x) for x in elements if x == 0] else shortest(best)
    return "nan" if best != best else shortest(best)


def answers(array):
    """(op, exit status, output) for every op."""
    elements = list(array.reshape(-1, order="C"))  # of the logical order, whatever memory holds
    kind = array.dtype.kind
    n = len(elements)
    if kind == "f":
        yield "sum", 0, exact_sum(elements)
    else:
        yield "sum", 0, str(sum(int(x) for x in elements))
    if n == 0:
        for op in ("mean", "min", "max", "argmin", "argmax"):
            yield op, 1, ""
        return
    if kind == "f":
        yield "mean", 0, exact_sum(elements, n)
    else:
        total = sum(int(x) for x in elements)
        yield "mean", 0, layout(repr(total / n))
    if kind == "b":
        yield "min", 0, "true" if all(elements) else "false"
        yield "max", 0, "true" if any(elements) else "false"
    else:
        yield "min", 0, extreme(elements, False)
        yield "max", 0, extreme(elements, True)
    yield "argmin", 0, str(arg_extreme(elements, False))
    yield "argmax", 0, str(arg_extreme(elements, True))


def values(code, shape, random):
    """An array of a type with values all over its range."""
    n = int(numpy.prod(shape, dtype=object))
    dtype = numpy.dtype(code)
    if dtype.kind == "b":
        return (random.integers(0, 2, n) == 1).reshape(shape)
    bits = random.integers(0, 256, n * dtype.itemsize, dtype="u1")
    array = bits.view(dtype).copy()
    if dtype.kind == "f":
        array[~numpy.isfinite(array)] = 1.5
    return array.reshape(shape)


class Listing:
    def __init__(self, folder):
        self.folder = folder
        self.lines = []

    def add(self, name, array, arguments="", version=None, meaning=None):
        """Writes array; meaning is what tally shall take it for, if that is not the array."""
        with open(os.path.join(self.folder, name + ".npy"), "wb") as file:
            numpy.lib.format.write_array(file, array, version=version)
        for op, status, text in answers(array if meaning is None else meaning):
            self.lines.append(f"{name}.npy\t{arguments}\t{op}\t{status}\t{text}\n")

    def add_again(self, name, arguments, meaning):
        for op, status, text in answers(meaning):
            self.lines.append(f"{name}.npy\t{arguments}\t{op}\t{status}\t{text}\n")


def plain_files(listing, random):
    shapes = [(), (1,), (0,), (37,), (5, 7), (2, 3, 4), (3, 0, 2), (70, 3), (3, 700)]
    for code, shape in itertools.product(FLOATS + INTEGERS + ["b1"], shapes):
        array = values(code, shape, random)
        word = "x".join(map(str, shape)) or "scalar"
        for order, endian in itertools.product("CF", "<>"):
            if numpy.dtype(code).itemsize == 1 and endian == ">":
                continue
            if order == "F" and (len(shape) < 2 or (endian == ">" and shape != (5, 7))):
                continue
            stored = numpy.asarray(array, dtype=endian + code, order=order)
            name = f"{code}_{word}_{order}_{'little' if endian == '<' else 'big'}"
            listing.add(name, stored, meaning=array)


def special_values(listing):
    nan, inf = float("nan"), float("inf")
    cases = {
        "nan": [1, nan, 3], "inf": [1, inf, 3], "both": [inf, 1, -inf], "zeros": [0.0, -0.0, 0.0],
        "minus": [-0.0, -0.0], "cancel": [1.5, 2.0, -3.5], "two_nans": [nan, nan],
        "minus_inf": [-inf, 2, -inf],
    }
    for code, (name, elements) in itertools.product(FLOATS, cases.items()):
        listing.add(f"{code}_{name}", numpy.array(elements, code))
    listing.add("f8_overflow", numpy.array([1.7e308, 1.7e308]))
    listing.add("f8_scales", numpy.array([1, 1e100, 1e50, 1, -1e50, -1e100]))
    listing.add("f8_subnormal", numpy.array([5e-324, 5e-324, -1e-323, 5e-324]))
    listing.add("i8_extreme", numpy.array([2**63 - 1, 2**63 - 1, -(2**63)], "i8"))
    listing.add("u8_extreme", numpy.array([2**64 - 1, 2**64 - 1], "u8"))


def headers(listing, random):
    array = values("f4", (11,), random)
    for version in (1, 2, 3):
        listing.add(f"version_{version}", array, version=(version, 0))
    # 9000 names make a header that version 1 cannot hold.
    wide = numpy.zeros(2, [(f"field{i}", "<f4") for i in range(9000)])
    wide["field8999"] = [1.5, 2.5]
    listing.add("wide", wide, "--field field8999", version=(2, 0), meaning=wide["field8999"])


def records(listing, random):
    for align in (False, True):
        dtype = numpy.dtype([("a", "u1"), ("b", "<f8"), ("s", "S3"), ("\u0394", ">i2"),
                             ("f", ">f4"), ("v", "<f4", (2,))], align=align)
        array = numpy.zeros((3, 41), dtype)
        for field in ("a", "b", "\u0394", "f"):
            array[field] = values(dtype[field].str[1:], (3, 41), random)
        for order in "CF":
            name = f"record_{'aligned' if align else 'packed'}_{order}"
            stored = numpy.asarray(array, order=order)
            first = True
            for field in ("a", "b", "\u0394", "f"):
                meaning = array[field].astype(dtype[field].str[1:])
                if first:
                    listing.add(name, stored, f"--field {field}", version=(3, 0), meaning=meaning)
                else:
                    listing.add_again(name, f"--field {field}", meaning)
                first = False


def bfloat16(listing):
    """bf16 as numpy stores it, for ml_dtypes (V2) and by hand (u2): the upper half of an f4."""
    numbers = numpy.array([1, -2.5, 3.140625, 0.5, -2.5, 1024], "f4")
    upper = (numbers.view("u4") >> 16).astype("u2")
    for code in ("u2", "V2"):
        listing.add(f"bf16_{code}", upper.view(code), "--dtype bf16", meaning=numbers)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: npy_from_numpy.py FOLDER")
    listing = Listing(sys.argv[1])
    random = numpy.random.default_rng(20260101)
    plain_files(listing, random)
    special_values(listing)
    headers(listing, random)
    records(listing, random)
    bfloat16(listing)
    with open(os.path.join(sys.argv[1], "expected.tsv"), "w", encoding="utf-8") as file:
        file.writelines(listing.lines)


if __name__ == "__main__":
    main()
