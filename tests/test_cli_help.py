"""What the command says about itself, and to those who mistype."""
import os
import re
import subprocess

from cli import TALLY, as_json, claim, contains, equal, main, refuses, tally, write

REDUCTIONS = ["sum", "mean", "min", "max", "argmin", "argmax", "prod", "norm1", "norm2", "norminf"]


@claim
def unknown_words_get_the_nearest_known_one():
    refuses(2, "did you mean 'tally sum'?", "smu")
    refuses(2, "did you mean 'tally mean'?", "average")
    refuses(2, "did you mean 'tally max'?", "MAXIMUM")
    refuses(2, "'tally --help' lists them", "xylophone")
    a = write("1\n")
    refuses(2, "to add its numbers up: tally sum " + a, a)
    refuses(2, "did you mean --json?", "sum", "--jsno")
    refuses(2, "did you mean --out?", "sum", "--uot=f32")
    refuses(2, "is no option", "sum", "-x")
    refuses(2, "the command comes first", "--json", "sum")
    refuses(2, "did you mean 'tally help argmin'?", "help", "argmi")


@claim
def messages_show_names_so_that_a_terminal_is_safe():
    name = "red\x1b[31m.txt"
    with open(name, "w", encoding="ascii") as file:
        file.write("")
    equal("\x1b" in refuses(1, "no elements", "max", name).err, False)
    equal("\x1b" in refuses(3, "", "sum", name + "x").err, False)


@claim
def info_tells_the_version_and_the_backends():
    ran = tally("info")
    equal((ran.code, ran.err), (0, ""))
    got = as_json("info")
    rows = re.findall(r"^(?:backends)? +(cpu|cuda|hip|model) +(here|compiled only|not built)(.*)$",
                      ran.out, re.MULTILINE)
    equal([(name, found["status"]) for name, found in got["backends"].items()],
          [(name, status) for name, status, _ in rows])
    equal([name for name, _, _ in rows], ["cpu", "cuda", "hip", "model"])
    equal(rows[0], ("cpu", "here", ""))
    for name, status, more in rows:  # whatever is not here says why
        found = got["backends"][name]
        equal(more, ": " + found["reason"] if status != "here" else
              ": " + found["device"] if "device" in found else "", name)
    equal(set(got), {"version", "compiler", "build", "processor", "backends"})
    equal(tally("--version").out, "tally %s\n" % got["version"])
    refuses(2, "--nan is not for this command", "info", "--nan", "skip")
    refuses(2, "takes no files", "info", "x")


@claim
def help_fits_80_columns_and_names_everything():
    overview = tally("--help")
    equal((overview.code, overview.err), (0, ""))
    equal(tally("help").out, overview.out)
    equal(tally("-h").out, overview.out)
    for command in REDUCTIONS + ["trace", "verify", "info", "help"]:
        contains(overview.out, "\n  %-8s" % command)
        text = tally(command, "--help")
        equal((text.code, text.err), (0, ""))
        equal(tally("help", command).out, text.out)
        longest = max(map(len, (overview.out + text.out).expandtabs().splitlines()))
        equal(longest < 80, True, "%s: longest line of help is %d" % (command, longest))
    for option in ("--out", "--nan", "--each", "--json", "--quiet", "--backend", "--format",
                   "--dtype", "--offset", "--count", "--field", "-t", "--help", "--level",
                   "--block", "--blocks", "--vector", "--shape", "--assign", "--final", "--stages",
                   "--wave", "--seed", "--fault", "--zeroed"):
        contains(tally("sum", "--help").out, "\n  " + option)
    for option in ("--values", "--op", "--lang", "--block", "--fault", "--zeroed"):
        contains(tally("trace", "--help").out, "\n  " + option)
    usage = tally()
    equal((usage.code, usage.out, usage.err), (2, "", overview.out))
    refuses(2, "one command at a time", "help", "sum", "max")


def keys_of(value):
    """All names of a JSON document's members."""
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


@claim
def help_names_what_json_gives():
    floats = ["--values", "0.5,0.25,3", "--block", "4", "--shape", "halving"]
    plan = {"shape", "assign", "final", "block", "blocks", "vector"}
    fault = {"name", "situation", "why", "repair", "poisoned_right", "zeroed_right"}
    for command, arguments, explained in (("trace", floats, plan), ("verify", ["--quick"], set()),
                                          ("trace", floats[:-1] + ["wave"], plan),
                                          ("trace", floats + ["--fault", "in-place"], plan | fault)):
        text = re.sub(r"\s+", " ", tally(command, "--help").out)
        told = text[text.index("--json"):]
        got = as_json(command, *arguments)
        if got.get("fault"):
            got["fault"]["model"] = None
        for key in keys_of(got) - explained:
            equal(bool(re.search(r"\b%s\b" % re.escape(key), told)), True, (command, key))
    equal("Of a reduction" in tally("verify", "--help").out, False)
    contains(tally("info", "--help").out, "version, compiler, build")


@claim
def the_examples_of_help_are_real():
    n = 0
    for command in REDUCTIONS + ["trace"]:
        text = re.search(r"\nExamples\n((?:  .*\n)+)", tally(command, "--help").out).group(1)
        for part in re.split(r"^  \$ ", text, flags=re.MULTILINE)[1:]:
            line, _, expected = part.partition("\n")
            path = os.path.dirname(TALLY) + ":" + os.environ["PATH"]
            ran = subprocess.run(["bash", "-c", line], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, env={**os.environ, "PATH": path},
                                 check=False)
            equal(ran.stdout.decode(), re.sub(r"^  ", "", expected, flags=re.MULTILINE), line)
            n += 1
    equal(n >= 17, True, "examples found: %d" % n)


if __name__ == "__main__":
    main()
