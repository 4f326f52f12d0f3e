"""The command's contract: values, options, messages, exit codes, JSON, help."""
import json
import os
import struct
import subprocess

from cli import (TALLY, Skipped, as_json, bf16, claim, contains, equal, lines, main, npy,
                 npy_header, pack, prints, refuses, tally, write)

REDUCTIONS = ["sum", "mean", "min", "max", "argmin", "argmax"]
INF, NAN = float("inf"), float("nan")


@claim
def what_issue_2_must_show():
    prints("1", "sum", "-", stdin="1e16\n1\n-1e16\n")
    prints("9007199254740995", "sum", "-", stdin="9007199254740993\n1\n1\n")
    prints("5.4", "mean", "-", stdin="5.4\n5.4\n5.4\n")
    refuses(3, "-:2:1: '2x' is not a number", "sum", "-", stdin="1\n2x\n")
    refuses(1, "no elements: max of nothing has no value", "max", "-")
    refuses(3, "no-such-file", "sum", "no-such-file")


@claim
def every_reduction_answers():
    for command, value in zip(REDUCTIONS, ["7", "2.3333333333333335", "-1", "5", "1", "2"]):
        prints(value, command, stdin="3\n-1\n5\n")
        prints(value, command, npy("<f8", [3, -1, 5]))


@claim
def standard_input_is_read_if_no_file_is_named():
    prints("6", "sum", stdin="1 2 3")
    prints("6", "sum", "-", stdin="1 2 3")
    refuses(2, "only once", "sum", "-", "-")


@claim
def several_files_make_one_total():
    a, b = write("1\n2\n"), npy("<f4", [0.5, 4])
    prints("7.5", "sum", a, b)
    prints("17.5", "sum", a, "-", b, stdin="10\n")
    prints("1.875", "mean", a, b)
    prints("3", "argmax", a, b)
    prints("2", "argmin", a, b)


@claim
def each_prints_a_line_a_file_and_goes_on_after_a_bad_one():
    a, bad, b = write("1\n2\n"), write("x\n"), write("4\n")
    prints("3\t%s\n4\t%s" % (a, b), "sum", "--each", a, b)
    ran = tally("sum", "--each", a, bad, b, "missing")
    equal((ran.code, ran.out), (3, "3\t%s\n4\t%s\n" % (a, b)))
    contains(ran.err, bad + ":1:1: 'x' is not a number")
    contains(ran.err, "missing")
    empty = write("")
    ran = tally("max", "--each", empty, a)
    equal((ran.code, ran.out), (1, "2\t%s\n" % a))
    ran = tally("sum", "--each", "--json", a, b)
    equal([json.loads(line)["file"] for line in ran.out.splitlines()], [a, b])


@claim
def options_stand_anywhere_and_take_both_forms():
    a = npy("<f4", [16777216, 1])
    for arguments in (["--out", "f32", a], ["--out=f32", a], [a, "--out", "f32"],
                      [a, "--out=f32"], ["--out=f64", "--out=f32", "--", a]):
        prints("16777216", "sum", *arguments)
    with open("-5", "w", encoding="ascii") as file:
        file.write("8\n")
    prints("8", "sum", "--", "-5")
    prints("8", "sum", "./-5")
    refuses(2, "numbers are read from files", "sum", "-5")
    refuses(2, "'-5' is not a whole number", "sum", "--dtype", "u8", "--offset", "-5", a)
    refuses(2, "needs a value", "sum", "--out")
    refuses(2, "takes no value", "sum", "--each=yes", a)


@claim
def out_rounds_once_from_the_exact_total():
    a = npy("<f4", [16777216, 1, 2.0 ** -60])
    prints("16777217", "sum", a)
    prints("16777218", "sum", "--out", "f32", a)
    prints("16777217", "sum", "--out", "f64", a)
    prints("65504", "sum", "--out", "f16", stdin="65504\n15.9\n")
    prints("256", "sum", "--out", "bf16", stdin="256\n1\n")
    prints("16777218", "sum", "--out", "f32", stdin="16777217\n1e-60\n")
    refuses(2, "not one of f16|bf16|f32|f64", "sum", "--out", "f65", a)


@claim
def out_is_refused_where_the_type_is_the_inputs():
    a = npy("<f4", [1, 2])
    prints("2", "max", "--out", "f32", a)
    refuses(2, "keeps the type", "max", "--out", "f64", a)
    refuses(2, "keeps the type", "min", "--out", "f64", npy("<i4", [1]))
    refuses(2, "gives an index", "argmax", "--out", "f64", a)


@claim
def a_finite_total_beyond_the_output_type_warns():
    a = npy("<f2", [65504, 65504])
    ran = prints("inf", "sum", "--out", "f16", a, quiet=False)
    contains(ran.err, "beyond the range of f16")
    prints("inf", "sum", "--out", "f16", "--quiet", a)
    prints("131008", "sum", a)
    prints("inf", "sum", "--out", "f16", npy("<f2", [INF]))


@claim
def nan_propagates_is_skipped_or_is_an_error():
    a = npy("<f8", [1, NAN, 4])
    prints("nan", "sum", a)
    prints("nan", "sum", "--nan", "propagate", a)
    prints("5", "sum", "--nan", "skip", a)
    prints("2.5", "mean", "--nan", "skip", a)
    prints("1", "argmax", a)
    prints("2", "argmax", "--nan", "skip", a)
    for command in REDUCTIONS:
        refuses(1, a + ": there is a NaN", command, "--nan", "error", a)
    prints("5", "sum", "--nan", "error", npy("<f8", [1, 4]))
    refuses(2, "not one of", "sum", "--nan", "drop", a)


@claim
def nothing_has_a_sum_but_no_extreme():
    prints("0", "sum")
    prints("0", "sum", npy("<f8", []))
    for command in REDUCTIONS[1:]:
        refuses(1, "-: no elements: %s of nothing has no value" % command, command)
        refuses(1, "2 files: no elements", command, npy("<f8", []), npy("<f4", []))
        refuses(1, "nothing but NaN", command, "--nan", "skip", npy("<f8", [NAN]))
    prints("0", "sum", "--nan", "skip", npy("<f8", [NAN]))


@claim
def raw_data_has_a_type_an_order_an_offset_and_a_count():
    a = write(b"\xff" + pack(">i2", [1, 256, 3]))
    prints("260", "sum", "--dtype", "i16be", "--offset", 1, a)
    prints("257", "sum", "--dtype=i16be", "--offset=1", "--count=2", a)
    prints("1025", "sum", "--dtype", "i16le", "--offset", 1,
           write(b"\xff" + pack("<i2", [1, 1024])))
    prints("1025", "sum", "--dtype", "i16", write(pack("<i2", [1, 1024])))
    prints("3", "sum", "--dtype", "bf16le", write(bf16([1, 2])))
    prints("3", "sum", "--dtype", "bf16", "--format", "raw", write(bf16([1, 2])))
    prints("2", "sum", "--dtype", "bool", write(b"\x01\x00\xff"))
    refuses(3, "", "sum", "--dtype", "i16", "--count", 9, a)
    refuses(2, "is no type", "sum", "--dtype", "f33", a)
    refuses(2, "is no type", "sum", "--dtype", "f32xe", a)
    refuses(2, "not a whole number", "sum", "--dtype", "u8", "--count", "many", a)
    refuses(2, "not a whole number", "sum", "--dtype", "u8", "--offset", 1 << 64, a)
    refuses(2, "needs its type", "sum", "--offset", 1, a)
    refuses(2, "needs its type", "sum", "--format", "raw", a)


@claim
def formats_can_be_forced_and_contradictions_are_refused():
    a = npy("<f4", [1, 2])
    n_bytes = os.path.getsize(a)
    prints("3", "sum", "--format", "npy", a)
    prints("3", "sum", "--format", "auto", a)
    equal(as_json("sum", "--format", "raw", "--dtype", "u8", a)["n"], n_bytes)
    refuses(3, "this is no text", "sum", "--format", "text", a)
    refuses(3, "", "sum", "--format", "npy", write("1\n"))
    refuses(2, "do not go together", "sum", "--format", "text", "--dtype", "f32", a)
    refuses(2, "do not go together", "sum", "--field", "x", "-t", ",", a)
    refuses(2, "do not go together", "sum", "--format", "npy", "--offset", "1", a)
    refuses(2, "not one of", "sum", "--format", "csv", a)
    # options of another format than the data's never change what the data is taken for
    refuses(3, "is a .npy file: an offset or a count", "sum", "--dtype", "f32", "--count", 2, a)
    refuses(3, "is a .npy file: an offset or a count", "sum", "--dtype", "f32", "--offset", 4, a)
    refuses(3, "is a .npy file: a separator", "sum", "-t", ",", a)
    refuses(3, "a field is for .npy files only", "sum", "--field", "x", write("1\n"))
    refuses(2, "is not a whole number", "sum", "--dtype", "u8", "--count", (1 << 64) - 1, a)


@claim
def shapes_that_no_memory_holds_are_refused():
    for shape in ("(18446744073709551615,)", "(3, 6148914691236517205)"):
        header = "{'descr': '|u1', 'fortran_order': False, 'shape': %s, }" % shape
        header = header.ljust(117) + "\n"
        data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"\1\2\3"
        refuses(3, "absurd", "sum", write(data))


@claim
def zeros_of_floats_and_integers_have_one_order():
    minus, zero = npy("<f8", [-0.0]), npy("<i8", [0])
    for files in ([minus, zero], [zero, minus]):
        prints("-0", "min", *files)
        prints("0", "max", *files)
        prints("0", "argmax", *files)
    for text in ("0\n-0.0\n", "-0.0\n0\n"):
        prints("-0", "min", stdin=text)
        prints("0", "max", stdin=text)


@claim
def each_shows_one_line_whatever_a_name_is():
    a = os.path.abspath(write("1\n"))
    odd = os.path.join(os.path.dirname(a), "two\nlines")
    os.rename(a, odd)
    equal(tally("sum", "--each", odd).out, "1\t" + odd.replace("\n", "\\n") + "\n")


@claim
def mistyped_version_and_dash_get_a_hint():
    for word in ("-V", "-v", "--verison"):
        refuses(2, "did you mean 'tally --version'", word)
    refuses(2, "tally sum -", "-")


@claim
def a_field_of_a_structured_file_is_read():
    header = npy_header("?", (2,)).replace(b"'?'", b"[('a', '<i2'), ('b', '<f8')]")
    header = header[:8] + (len(header) - 10).to_bytes(2, "little") + header[10:]
    a = write(header + pack("<i2", [1]) + pack("<f8", [2.5]) + pack("<i2", [3]) + pack("<f8", [4]))
    prints("4", "sum", "--field", "a", a)
    prints("6.5", "sum", "--field", "b", a)
    refuses(3, "", "sum", "--field", "c", a)
    refuses(3, "", "sum", a)


@claim
def separators_of_text():
    prints("6", "sum", "-t", ";", stdin="1;2\n3\n")
    prints("6", "sum", "-t;", stdin="1;2\n3\n")
    prints("6", "sum", "-t", "\\t", stdin="1\t2\n3\n")
    prints("6", "sum", "-t", "tab", stdin="1\t2\n3\n")
    prints("6", "sum", write("1,2\n3\n", ".csv"))
    prints("6", "sum", write("1\t2\n3\n", ".tsv"))
    refuses(3, "is not a number", "sum", stdin="1;2\n3\n")
    for bad in ("", ";;", "5", "-", ".", "e", "\n"):
        refuses(2, "cannot separate", "sum", "-t", bad, stdin="1\n")


@claim
def a_backend_that_is_not_there_is_refused():
    prints("3", "sum", "--backend", "cpu", stdin="1 2")
    prints("3", "sum", "--backend", "auto", stdin="1 2")
    here = as_json("info")["backends"]
    for name in ("cuda", "hip"):
        for level in "exact", "tree":
            if here[name]["status"] != "here":
                refuses(4, "--backend %s: %s: %s" % (name, here[name]["status"],
                                                     here[name]["reason"]),
                        "sum", "--level", level, "--backend", name, stdin="1 2")
    refuses(2, "--device is for GPUs", "sum", "--device", "1", stdin="1 2")
    refuses(2, "--backend model is for --level tree", "sum", "--backend", "model", stdin="1 2")
    refuses(2, "not one of", "sum", "--backend", "gpu", stdin="1 2")


@claim
def integers_are_exact_at_any_size():
    prints("36893488147419103230", "sum", npy("<u8", [2 ** 64 - 1, 2 ** 64 - 1]))
    prints("-18446744073709551616", "sum", npy("<i8", [-2 ** 63, -2 ** 63]))
    prints("9223372036854775808", "sum", npy("<i8", [2 ** 63 - 1, 1]))
    prints("%d" % (10 ** 40 + 5), "sum", stdin=lines(10 ** 40, 5))
    prints("5", "sum", stdin=lines(10 ** 40, 5, -10 ** 40))
    prints("1e+40", "sum", stdin=lines(10 ** 40, 0.5))
    prints("5.5", "sum", stdin=lines(10 ** 40, 5.5, -10 ** 40))
    prints("0", "sum", stdin=lines(10 ** 40, -10 ** 40))
    prints("2.5", "mean", stdin=lines(10 ** 40, 5, 5, 0, -10 ** 40, 2, 0.5, 2.5, 2.5, 7.5))
    prints("5e+39", "mean", stdin=lines(10 ** 40, 0))
    prints("1e+21", "sum", "--out", "f64", stdin=lines(10 ** 21))
    prints("inf", "sum", "--quiet", "--out", "f32", stdin=lines(10 ** 40))
    prints("nan", "sum", stdin=lines(10 ** 40, "nan"))
    prints("-inf", "mean", stdin=lines(10 ** 40, "-inf"))


@claim
def wide_integers_compare_exactly():
    big = 10 ** 40
    prints("%d" % (big + 1), "max", stdin=lines(big, big + 1, 7))
    prints("%d" % -(big + 1), "min", stdin=lines(-big, -(big + 1), 7))
    prints("1", "argmax", stdin=lines(big, big + 1, big + 1))
    prints("7", "min", stdin=lines(big, 7))
    prints("1", "argmin", stdin=lines(big, 7))
    prints("2", "argmax", stdin=lines(7, big, "1e41"))
    prints("1e+41", "max", stdin=lines(7, big, "1e41"))
    prints("inf", "max", stdin=lines(big, "inf"))
    prints("1e+40", "max", stdin=lines(big, 0.5))
    prints("0", "argmax", stdin=lines(2 ** 70, "1180591620717411303424.0"))
    prints("0", "argmax", stdin=lines("1180591620717411303424.0", 2 ** 70))
    prints("1", "argmax", stdin=lines("1180591620717411303424.0", 2 ** 70 + 1))
    prints("1", "argmax", stdin=lines(big, "nan"))
    prints("0", "argmax", "--nan", "skip", stdin=lines(big, "nan"))
    refuses(2, "keeps the type", "max", "--out", "f64", stdin=lines(big))


@claim
def json_tells_everything_on_one_line():
    a = npy("<f4", [1, NAN, INF, -INF, 3])
    got = as_json("sum", "--nan", "skip", a)
    seconds = got.pop("seconds")
    equal(isinstance(seconds, float) and 0 <= seconds < 60, True)
    equal(got, {"value": "nan", "bits": "0x7ff8000000000000", "type": "f64", "op": "sum", "n": 4,
                "nan": 1, "inf": 2, "skipped": 1, "level": "exact", "plan": None, "backend": "cpu", "device": None,
                "files": [a], "bytes": os.path.getsize(a)})
    equal(as_json("sum", stdin="1 2")["bits"], "0x0000000000000003")
    equal(as_json("sum", "--out", "f32", stdin="1")["bits"], "0x3f800000")
    equal(as_json("sum", "--out", "bf16", stdin="1")["bits"], "0x3f80")
    equal(as_json("min", npy("|i1", [-1]))["bits"], "0xff")
    equal(as_json("max", npy("|b1", [0, 1]))["value"], True)
    equal(as_json("sum", stdin="inf")["value"], "inf")
    equal(as_json("sum", stdin="-inf")["value"], "-inf")
    wide = as_json("sum", stdin=lines(10 ** 30))
    equal((wide["value"], wide["bits"], wide["type"]), (10 ** 30, None, "integer"))
    equal(as_json("argmax", stdin="1 5 2")["value"], 1)
    equal(as_json("mean", stdin="1 5 2.1")["n"], 3)


@claim
def json_escapes_the_names_of_files():
    name = 'a"b\\c\n\t\u00e9.txt'
    with open(name, "w", encoding="ascii") as file:
        file.write("1\n")
    equal(as_json("sum", name)["files"], [name])
    with open(b"bad\xff\xed\xa0\x80.txt", "w", encoding="ascii") as file:
        file.write("1\n")
    ran = subprocess.run([TALLY, "sum", "--json", b"bad\xff\xed\xa0\x80.txt"],
                         stdout=subprocess.PIPE, check=True)
    equal(json.loads(ran.stdout.decode())["files"], ["bad\ufffd\ufffd\ufffd\ufffd.txt"])


@claim
def quiet_hides_warnings_but_not_errors():
    contains(prints("inf", "sum", stdin="1e999\n", quiet=False).err, "1e999")
    prints("inf", "sum", "--quiet", stdin="1e999\n")
    refuses(3, "is not a number", "sum", "--quiet", stdin="x\n")


@claim
def output_that_cannot_be_written_is_exit_3():
    for arguments in (["sum"], ["sum", "--json"], ["info"], ["--help"], ["--version"],
                      ["help", "sum"]):
        with open("/dev/full", "w", encoding="ascii") as full:
            ran = subprocess.run([TALLY, *arguments], input=b"1\n", stdout=full,
                                 stderr=subprocess.PIPE, check=False)
        equal(ran.returncode, 3, arguments)
        contains(ran.stderr.decode(), "cannot write to standard output: No space left")
        ran = subprocess.run(["sh", "-c", '"$@" >&-', "sh", TALLY, *arguments], input=b"1\n",
                             stderr=subprocess.PIPE, check=False)
        equal(ran.returncode, 3, arguments)
        contains(ran.stderr.decode(), "cannot write to standard output")


@claim
def a_closed_pipe_ends_it_quietly():
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run([TALLY, "sum"], input=b"1\n", stdout=writing, stderr=subprocess.PIPE,
                         check=False)
    os.close(writing)
    equal((ran.returncode, ran.stderr), (-13, b""))


@claim
def inputs_that_cannot_be_read_are_exit_3():
    refuses(3, "missing: ", "sum", "missing")
    refuses(3, "", "sum", "/")
    refuses(3, "arguments are files", "sum", "1", "2")
    ran = subprocess.run(["sh", "-c", '"$1" sum <&-', "sh", TALLY], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    equal((ran.returncode, ran.stdout), (3, b""))
    if os.geteuid() != 0:
        name = write("1\n")
        os.chmod(name, 0)
        refuses(3, name, "sum", name)


def decimal_comma():
    """The environment of a locale that writes 1,5: one that is installed, or made here."""
    made = subprocess.run(["sh", "-c", "localedef -i de_DE -f UTF-8 ./de_DE.UTF-8"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0
    env = {"LC_ALL": "de_DE.UTF-8", **({"LOCPATH": os.getcwd()} if made else {})}
    point = subprocess.run(["locale", "decimal_point"], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, env={**os.environ, **env}, check=False)
    if point.stdout != b",\n":
        raise Skipped("there is no locale with a decimal comma, and none could be made")
    return env


@claim
def case_53_the_locale_does_not_matter():
    env = decimal_comma()
    prints("3.75", "sum", stdin="1.5\n2.25\n", env=env)
    prints("7", "sum", "-t", ",", stdin="3,3,1\n", env=env)
    refuses(3, "'1,5' is not a number", "sum", stdin="1,5\n", env=env)
    equal(as_json("mean", stdin="1\n2\n", env=env)["value"], 1.5)


if __name__ == "__main__":
    main()
