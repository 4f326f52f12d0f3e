"""tally verify: a line a backend, what was executed and what was not, exit codes, JSON."""
import re

from cli import as_json, claim, equal, main, refuses, tally

NAMES = ["cpu", "model 32", "model 64", "cuda", "hip"]


@claim
def every_backend_has_one_line_that_says_what_happened():
    ran = tally("verify", "--quick")
    equal((ran.code, ran.err), (0, ""))
    rows = re.findall(r"^(cpu|model 32|model 64|cuda|hip) +(?:(not built|compiled only): .+|"
                      r"executed: (\d+) cases, 0 differences"
                      r"(?:; (\d+) also compared with level exact| \(.+\))?)$", ran.out,
                      re.MULTILINE)
    equal([row[0] for row in rows], NAMES)
    equal(len(ran.out.splitlines()), len(NAMES))
    here = as_json("info")["backends"]
    for name, absent, cases, exact in rows:
        equal(here[name.split()[0]]["status"], absent or "here", name)
        equal(0 < int(exact) < int(cases) if name == "cpu" else not exact, True, name)
        equal(bool(absent) or int(cases) > 250, True, name)


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
            equal(many["compared_with_exact"] > few["compared_with_exact"] > 0,
                  many["name"] == "cpu")
            equal(many["cases"] > 5 * few["cases"] > 0, True)
        else:
            equal(set(many) - {"wave", "module"}, {"name", "status", "reason"})
    equal(full["first_differences"], [])


@claim
def one_backend_can_be_asked_for():
    ran = tally("verify", "--quick", "--backend", "cpu")
    equal((ran.code, ran.err, len(ran.out.splitlines())), (0, "", 1))
    for name, found in as_json("info")["backends"].items():
        if found["status"] != "here":
            refuses(4, found["reason"], "verify", "--backend", name)
    refuses(2, "--device is for GPUs", "verify", "--device", "0")
    refuses(2, "--device is for GPUs", "verify", "--device", "0", "--backend", "cpu")
    refuses(2, "--device", "verify", "--device", "x", "--backend", "cuda")


@claim
def it_takes_no_files_and_no_plan():
    refuses(2, "takes no files", "verify", "x")
    refuses(2, "is not for this command", "verify", "--block", "4")


if __name__ == "__main__":
    main()
