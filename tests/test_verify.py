"""tally verify: a line a backend, what was executed and what was not, exit codes, JSON."""
import re

from cli import as_json, claim, equal, main, refuses, tally

NAMES = ["cpu", "model 32", "model 64", "cuda", "hip"]


@claim
def every_backend_has_one_line_that_says_what_happened():
    ran = tally("verify", "--quick")
    equal((ran.code, ran.err), (0, ""))
    rows = re.findall(r"^(cpu|model 32|model 64|cuda|hip) +(?:(not built)|executed: (\d+) cases, "
                      r"0 differences)$", ran.out, re.MULTILINE)
    equal([row[0] for row in rows], NAMES)
    equal(len(ran.out.splitlines()), len(NAMES))
    here = as_json("info")["backends"]
    for name, absent, cases in rows:
        equal(here[name.split()[0]] == "here", not absent, name)
        equal(absent or int(cases) > 500, "not built" if absent else True, name)


@claim
def the_whole_matrix_is_larger_and_without_a_difference():
    quick, full = as_json("verify", "--quick"), as_json("verify")
    equal((quick["quick"], full["quick"]), (True, False))
    equal([(row["name"], row.get("wave")) for row in full["backends"]],
          [("cpu", None), ("model", 32), ("model", 64), ("cuda", None), ("hip", None)])
    for few, many in zip(quick["backends"], full["backends"]):
        equal(few["status"], many["status"])
        if many["status"] == "executed":
            equal((many["differences"], many["findings"]), (0, 0))
            equal(many["cases"] > 5 * few["cases"] > 0, True)
        else:
            equal(set(many) - {"wave"}, {"name", "status"})
    equal(full["first_differences"], [])


@claim
def it_takes_no_files_and_no_plan():
    refuses(2, "takes no files", "verify", "x")
    refuses(2, "is not for this command", "verify", "--block", "4")


if __name__ == "__main__":
    main()
