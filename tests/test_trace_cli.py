"""tally trace: what the lessons show, the coverage, the order's cost, JSON, 80 columns."""
import json
import re

from cli import as_json, claim, contains, equal, main, npy, prints, refuses, tally, write
from tracing import FAULTS, LESSON, steps, trace, widths


# ---- the lessons


@claim
def r9_both_trees_of_the_lesson_are_shown_old_and_new():
    text = trace(*LESSON)
    for rows in (r"old +3 +-1 +4 +0\n +from +<2 +<3 +\. +\.\n +new +7 +-1 +4 +0\n",
                 r"old +7 +-1 +4 +0\n +from +<1 +\. +\. +\.\n +new +6 +-1 +4 +0\n",
                 r"old +2 +0 +0 +0\n +from +<2 +<3 +\. +\.\n +new +2 +0 +0 +0\n"):
        equal(bool(re.search(rows, text)), True, rows + text)
    contains(text, "\npartials   6 2\nresult     8  i64\n")
    equal(text.count("4 of 4 lanes arrived"), 6)


@claim
def r7_r9_in_json():
    got = as_json("trace", *LESSON)
    equal([(e["block"], e["before"], e["after"]) for e in steps(got, "round")],
          [(0, [3, -1, 4, 0], [7, -1, 4, 0]), (0, [7, -1, 4, 0], [6, -1, 4, 0]),
           (1, [2, 0, 0, 0], [2, 0, 0, 0]), (1, [2, 0, 0, 0], [2, 0, 0, 0])])
    equal(steps(got, "round")[0]["source"], [2, 3, None, None])
    equal((got["partials"], got["result"]["value"], got["exact"]["value"], got["ulp"]),
          ([6, 2], 8, 8, 0))


@claim
def r10_what_a_round_finds_is_what_the_round_before_left():
    for event in as_json("trace", *LESSON)["events"]:
        if event["step"] == "round":
            for lane, source in enumerate(event["source"]):
                old = event["before"]
                equal(event["after"][lane], old[lane] + (old[source] if source is not None else 0))


@claim
def r2_lane_0_of_the_wave_tree():
    values = ",".join(map(str, range(32)))
    got = as_json("trace", "--values", values, "--block", "32", "--vector", "1")
    first = [e for e in steps(got, "round") if e["tree"] == 1]
    equal([(e["distance"], e["after"][0]) for e in first],
          [(16, 16), (8, 48), (4, 112), (2, 240), (1, 496)])
    for event in first:
        equal(set(event["role"]), {"active", "own"})
        equal(event["role"].count("own"), event["distance"])
    text = trace("--values", values, "--block", "32", "--vector", "1")
    equal(re.findall(r"new +(\d+)", text)[:5], ["16", "48", "112", "240", "496"])


@claim
def r3_r4_a_block_of_256_writes_8_slots_and_one_partial():
    got = as_json("trace", "--values", ",".join(["1"] * 256), "--block", "256", "--vector", "1")
    (written,) = steps(got, "write")
    equal([slot for slot in written["slot"] if slot is not None], list(range(8)))
    equal([lane for lane, role in enumerate(written["role"]) if role == "active"],
          list(range(0, 256, 32)))
    equal([e["arrived"] for e in steps(got, "barrier")], [256])
    equal(steps(got, "barrier")[0]["shared"], [32] * 8)
    equal(steps(got, "read")[0]["role"][:32], ["active"] * 8 + ["padded"] * 24)
    equal([e["after"] for e in steps(got, "partial")], [[256]])


@claim
def r5_counts_of_100000_elements_in_32_blocks_of_256():
    name = write("".join("%d\n" % i for i in range(100000)))
    plan = ["--block", "256", "--blocks", "32", "--vector", "1"]
    got = as_json("trace", *plan, name)
    taken = [sum(lane["valid"]) for lane in got["coverage"]["lanes"]]
    equal((len(taken), taken.count(13), taken.count(12)), (8192, 1696, 6496))
    seen = [i for lane in got["coverage"]["lanes"]
            for i, valid in zip(lane["index"], lane["valid"]) if valid]
    equal(sorted(seen), list(range(100000)), "every index once")
    equal(len(got["partials"]), 32)
    equal([(e["lanes"], e["elements"]) for e in steps(got, "load", 2)], [(32, [1] * 32)])
    equal(got["result"]["value"], 99999 * 100000 // 2)
    text = trace(*plan, name)
    contains(text, "1696 lanes take 13 elements, 6496 lanes take 12 elements\n")
    contains(text, "blocks 3 to 30: --json shows them")


@claim
def r6_one_two_and_more_stages_agree():
    values = ",".join(map(str, range(1, 65)))
    for stages in "2", "3", "4":
        got = as_json("trace", "--values", values, "--block", "4", "--shape", "halving",
                      "--stages", stages)
        equal(got["result"]["value"], 64 * 65 // 2)
    got = as_json("trace", "--values", values, "--block", "64", "--vector", "1", "--stages", "1")
    equal((got["result"]["value"], got["partials"]), (64 * 65 // 2, [64 * 65 // 2]))


@claim
def r8_the_first_n_numbers():
    for n in 0, 1, 4, 5, 9:
        values = ",".join(map(str, range(1, n + 1)))
        for shape in "halving", "wave":
            got = as_json("trace", "--values", values, "--block", "4", "--shape", shape)
            equal(got["result"]["value"], n * (n + 1) // 2, (n, shape))
            prints(str(n * (n + 1) // 2), "sum", "--level", "tree", "--block", "4", "--shape",
                   shape, stdin=values.replace(",", "\n"))


@claim
def r12_the_second_stage_takes_exactly_the_partials():
    for n in 5, 9, 17, 33:
        got = as_json("trace", "--values", ",".join(["1"] * n), "--block", "4", "--shape",
                      "halving")
        blocks = (n + 3) // 4
        equal(len(got["partials"]), blocks)
        equal(sum(sum(e["elements"]) for e in steps(got, "load", 2)), blocks)


@claim
def r13_nothing_is_launched_for_no_elements():
    got = as_json("trace", "--values", "", "--block", "4")
    equal((got["plan"]["blocks"], got["coverage"]["indices"], got["partials"]), (0, 0, []))
    equal([e["step"] for e in got["events"]], ["result"])
    equal(got["result"]["value"], 0)
    contains(trace("--values", ""), "nothing is launched")
    contains(trace("--values", "", "--op", "max", code=1), "max of nothing has no value")


@claim
def r14_illegal_plans_are_refused_with_what_is_legal():
    for block in "0", "3", "33", "2048", "4294967552":
        refuses(2, "power of two from 1 to 1024", "trace", "--values", "1", "--block", block)
        refuses(2, "power of two from 1 to 1024", "sum", "--level", "tree", "--block", block)
        refuses(2, "power of two from 1 to 1024", "sum", "--block", block)
    refuses(2, "1 to 65536", "trace", "--values", "1", "--vector", "0")
    refuses(2, "1 to 2147483647", "trace", "--values", "1", "--blocks", "0")
    refuses(2, "1 to 8", "trace", "--values", "1", "--stages", "9")
    refuses(2, "one block only", "trace", "--values", "1,2", "--blocks", "2", "--stages", "1")
    for text in "4x", "-1", "", "18446744073709551616":
        for option, legal in (("--block", "power of two from 1 to 1024"),
                              ("--blocks", "from 1 to 2147483647"),
                              ("--vector", "from 1 to 65536"), ("--stages", "from 1 to 8")):
            for command in ["trace", "--values", "1"], ["sum", "--level", "tree"]:
                refuses(2, "%s '%s': " % (option, text), *command, option, text)
                refuses(2, legal, *command, option, text)
    refuses(2, "leave it out", "trace", *LESSON, "--blocks", "7")
    refuses(2, "take fewer blocks", "trace", "--values", "1", "--blocks", "2000000000")
    refuses(2, "take fewer elements, or --assign grid-stride", "trace", "--block", "4",
            "--shape", "halving", write("1\n" * 5000000))
    refuses(2, "can be traced", "trace", "--values", "1", "--blocks", "2000000000")


@claim
def r15_the_coverage_has_an_index_and_a_flag_for_every_place():
    got = as_json("trace", *LESSON)
    equal([(lane["index"], lane["valid"]) for lane in got["coverage"]["lanes"]],
          [([i], [i < 5]) for i in range(8)])
    text = trace(*LESSON)
    contains(text, "indices 0 to 7")
    equal(re.findall(r"block \d +((?:\d+[+-] ?)+)\n", text),
          ["0+ 1+ 2+ 3+", "4+ 5- 6- 7-"])
    nine = trace("--values", ",".join("123456789"), "--block", "4", "--shape", "halving")
    equal(re.findall(r"block \d +((?:\d+[+-] *)+)\n", nine),
          ["0+  1+  2+  3+", "4+  5+  6+  7+", "8+  9- 10- 11-"])


@claim
def r18_the_order_has_its_price_and_a_bound():
    got = as_json("trace", "--values", "1e16,1,-1e16,1", "--block", "1", "--blocks", "1",
                  "--vector", "1")
    equal((got["result"]["value"], got["exact"]["value"], got["in_order"]["value"]), (1, 2, 1))
    equal((got["error"], got["rule_1e-5"], got["depth"]), (1, "fails", 3))
    equal(got["error"] <= got["bound"] <= got["bound_any_order"], True)
    got = as_json("trace", "--values", "1e16,1,-1e16,-1", "--block", "1", "--blocks", "1",
                  "--vector", "1")
    equal((got["exact"]["value"], got["rule_1e-5"]), (0, "no help"))
    got = as_json("trace", "--values", "0.1,0.2,0.3", "--block", "4", "--vector", "1")
    equal((got["in_order"]["value"], got["result"]["value"], got["exact"]["value"]),
          (0.6000000000000001, 0.6000000000000001, 0.6))
    equal((got["ulp"], got["rule_1e-5"]), (1, "holds"))
    text = trace("--values", "1e16,1,-1e16,1", "--block", "2", "--vector", "1")
    contains(text, "1e-5 rule  |tree - exact| <= 1e-5 |exact| ")
    contains(text, "\nbound ")


@claim
def an_index_that_is_wrong_is_another_element_not_a_distance():
    lost = ["--op", "argmin", "--values", "5,4,3,2,1", "--block", "4", "--fault", "floor-blocks"]
    contains(trace(*lost), "\nresult     3  u64\n")
    contains(trace(*lost), "\nexact      4\nerror      another element\n")
    got = as_json("trace", *lost)
    equal((got["ulp"], got["error"]), (None, "another element"))
    got = as_json("trace", *lost[:6])
    equal((got["ulp"], "error" in got), (0, False))
    none = tally("trace", "--op", "argmin", "--values", "5,4", "--block", "4", "--fault",
                 "floor-blocks")
    equal(none.code, 1)
    contains(none.out, "result     none: argmin of nothing has no value\n")


@claim
def only_the_last_stage_is_folded_on_the_host():
    case = ["--values", ",".join(["1"] * 64), "--block", "4", "--shape", "halving", "--stages",
            "3", "--final"]
    text = trace(*case, "host")
    equal(re.findall(r"^stage (\d)( on the host)?, block 0", text, re.MULTILINE),
          [("1", ""), ("2", ""), ("3", " on the host")])
    equal([(s["stage"], s["by"]) for s in as_json("trace", *case, "host")["stages"]],
          [(1, "device"), (2, "device"), (3, "host")])
    equal({s["by"] for s in as_json("trace", *case, "device")["stages"]}, {"device"})


@claim
def atomics_are_said_to_have_no_order():
    case = ["--values", "1,2,3,4,5", "--block", "2", "--vector", "1", "--final"]
    told = "\natomic     the partials are added here in block order; a device fixes no order\n"
    contains(trace(*case, "atomic"), told)
    equal(told in trace(*case, "device"), False)
    for final, fixed, stages in ("atomic", False, 1), ("device", True, 2):
        got = as_json("trace", *case, final)
        equal((got["fixed_order"], len(got["stages"])), (fixed, stages))


# ---- elements


@claim
def elements_come_from_the_command_line_or_from_files():
    for values, dtype, expected in (("1,2", None, "i64"), ("1,2.5", None, "f64"),
                                    ("1,2", "f32", "f32"), ("1,2", "i32", "i32"),
                                    ("0.5", "bf16", "bf16")):
        forced = ["--dtype", dtype] if dtype else []
        equal(as_json("trace", "--values", values, *forced)["type"], expected)
    equal(as_json("trace", npy("<f4", [1, 2]))["type"], "f32")
    equal(as_json("trace", write("1\n2.5\n3\n"))["result"]["value"], 6.5)
    equal(as_json("trace", stdin="1 2")["n"], 2)
    fortran = npy("<f8", [1, 2, 3, 4, 5, 6], (2, 3), fortran=True)
    got = as_json("trace", fortran, "--block", "4", "--shape", "halving")
    equal(steps(got, "load")[0]["after"], [1, 3, 5, 2], "C order")


@claim
def bad_elements_are_refused():
    refuses(2, "'x' is not a number", "trace", "--values", "1,x")
    refuses(2, "'' is not a number", "trace", "--values", "1,,2")
    refuses(2, "beyond i64", "trace", "--values", "9223372036854775808")
    refuses(2, "no value of the integer type", "trace", "--values", "1.5", "--dtype", "i32")
    refuses(2, "no value of the integer type", "trace", "--values", "3000000000", "--dtype", "i32")
    refuses(2, "a tree takes f16", "trace", "--values", "1", "--dtype", "u8")
    refuses(2, "one of the two", "trace", "--values", "1", "file")
    refuses(2, "is for files", "trace", "--values", "1", "--format", "text")
    refuses(3, "level tree takes", "trace", npy("|u1", [1, 2]))
    refuses(3, "another type", "trace", npy("<f4", [1]), npy("<f8", [1]))
    refuses(3, "another type", "trace", npy("<i8", [1]), npy("<f8", [1]))
    refuses(3, "not a number", "trace", stdin="1\n2x\n")
    refuses(3, "no-such-file", "trace", "no-such-file")


@claim
def r22_every_op_goes_through_the_levels():
    values = "3,-1,4,0,2"
    for op, expected in (("prod", 0), ("min", -1), ("max", 4), ("argmin", 1), ("argmax", 2),
                         ("norm1", 10), ("norminf", 4), ("norm2", 30 ** 0.5)):
        got = as_json("trace", "--values", values, "--block", "4", "--op", op)
        equal(got["result"]["value"], expected, op)
        prints(repr(expected), op, "--level", "tree", "--block", "4",
               stdin=values.replace(",", "\n"))
    got = as_json("trace", "--values", values, "--op", "argmax", "--block", "4")
    equal(got["partials"], [{"value": 4, "index": 2}])


# ---- the form


@claim
def a_trace_fits_80_columns():
    long = ",".join(["0.1", "-1e-300", "1.2345678901234567e-300", "1e300"] * 20)
    cases = [LESSON, ["--values", "-1.2345678901234567e-300", "--block", "4"], ["--values", long],
             ["--values", long, "--block", "64", "--vector", "1"],
             ["--values", long, "--block", "4", "--shape", "halving", "--final", "host"],
             ["--values", long, "--op", "argmax", "--block", "8", "--stages", "3", "--assign",
              "contiguous"],
             ["--values", ",".join(["1"] * 1100), "--block", "1024", "--vector", "3"]]
    cases += [LESSON[:4] + ["--fault", fault] for fault in FAULTS]
    cases += [LESSON[:4] + ["--fault", fault, "--lang", "zh"] for fault in FAULTS]
    for case in cases:
        text = tally("trace", *case).out
        equal(text.count("\n") > 20, True, case)
        for line, width in zip(text.splitlines(), widths(text)):
            equal(width <= 80, True, "%r: %r" % (case, line))


@claim
def rounds_that_take_several_lines_keep_their_lanes():
    text = trace("--values", ",".join(["0.1", "-1.5e-300"] * 32), "--block", "64", "--vector",
                 "1")
    first = text[text.index("  offset 16"):text.index("  offset 8")]
    equal(first.count("lane ") > 1, True, first)
    equal(first.count("lane "), first.count("old "), first)
    contains(text, ".. lanes between, not shown\n")
    equal(".. lanes" in trace(*LESSON), False)


@claim
def roles_are_told_apart_by_signs():
    text = trace("--values", "1,2,3", "--block", "8", "--vector", "1")
    equal(bool(re.search(r"took +1 +1 +1 +_ +_", text)), True)
    equal(bool(re.search(r"from +<4 +<5 +<6 +<7 +=", text)), True)
    gone = tally("trace", *LESSON, "--fault", "early-exit").out
    equal(bool(re.search(r"took +1 +x\n", gone)), True)


@claim
def json_is_one_document_with_every_event():
    for case in (LESSON, ["--values", "nan,inf,1"], ["--values", "1,2", "--op", "argmin"],
                 LESSON + ["--fault", "early-exit"], ["--values", "0.5", "--dtype", "bf16"]):
        ran = tally("trace", *case, "--json")
        got = json.loads(ran.out, parse_constant=lambda word: 1 / 0)
        equal({"op", "type", "n", "plan", "coverage", "events", "partials", "result", "fault"}
              <= set(got), True)
        equal(got["events"][-1]["step"], "result")
        for event in got["events"]:
            if event["step"] == "round":
                equal({len(event[name]) for name in ("role", "source", "before", "after")},
                      {event["lanes"]})
    equal(as_json("trace", "--values", "nan,1")["result"]["value"], "nan")


if __name__ == "__main__":
    main()
