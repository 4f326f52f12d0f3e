"""Faults: what the trace tells, what the model finds, and what is refused."""
import json
import re

from cli import as_json, claim, contains, equal, main, prints, refuses, tally
from tracing import FAULTS, LESSON, document, has_model, steps, trace


@claim
def faults_are_for_the_trace_and_the_model_only():
    for backend in "auto", "cpu", "cuda", "hip":
        for fault in FAULTS:
            refuses(2, "on the model only", "sum", "--level", "tree", "--backend", backend,
                    "--fault", fault)
    refuses(2, "is no fault", "trace", "--values", "1", "--fault", "no-such")
    refuses(2, "needs the shape halving", "trace", *LESSON[:4], "--shape", "wave", "--fault",
            "in-place")
    refuses(2, "needs the shape wave", "trace", *LESSON, "--fault", "wrong-mask")
    refuses(2, "needs contiguous", "trace", *LESSON[:4], "--assign", "grid-stride", "--fault",
            "floor-blocks")


@claim
def a_fault_brings_a_shape_along_that_shows_it_or_is_refused():
    for fault in "no-barrier", "in-place":
        got = document("trace", *LESSON[:4], "--fault", fault)
        equal(got["plan"]["shape"], "halving")
        equal(any("trouble" in event for event in got["events"]), True, fault)
        refuses(2, "4 lanes", "trace", *LESSON[:2], "--block", "2", "--fault", fault)
    refuses(2, "wave with 64 or more", "trace", *LESSON[:4], "--shape", "wave", "--fault",
            "no-barrier")
    refuses(2, "of 2 to 16, or of 64", "trace", "--values", "1,2", "--block", "32", "--fault",
            "wrong-mask")


@claim
def a_wrong_mask_is_told_by_the_width_of_the_wave():
    full = ["--values", ",".join(["1"] * 32), "--block", "32", "--vector", "1", "--fault",
            "wrong-mask"]
    contains(trace(*full, "--wave", "64"), "  ! the mask names 64 lanes, but fewer take part")
    refuses(2, "by part of a wave of 32", "trace", *full)


@claim
def r30_every_fault_is_explained_in_two_languages():
    for lang in "en", "zh":
        listed = trace("--fault", "list", "--lang", lang)
        equal(re.findall(r"^([a-z-]+) \(", listed, re.MULTILINE), FAULTS)
        for fault in FAULTS:
            got = document("trace", *LESSON[:4], "--fault", fault, "--lang", lang)["fault"]
            text = tally("trace", *LESSON[:4], "--fault", fault, "--lang", lang).out
            for part in "situation", "why", "repair":
                equal(len(got[part]) > 8, True)
                squeezed = re.sub(r"\s", "", text)
                contains(squeezed, re.sub(r"\s", "", got[part]))
                contains(re.sub(r"\s", "", listed), re.sub(r"\s", "", got[part]))


@claim
def r30_what_goes_wrong_in_a_step_is_told_in_two_languages():
    for case in ([*LESSON[:4], "--fault", fault] for fault in FAULTS):
        english = tally("trace", *case).out
        chinese = tally("trace", *case, "--lang", "zh").out
        told = re.findall(r"^ +! (.*)", english, re.MULTILINE)
        equal(len(told) > 0, True, case)
        for line in told:
            equal(line.isascii(), True, line)
        told_zh = re.findall(r"^ +! (.*)", chinese, re.MULTILINE)
        equal(len(told_zh), len(told), case)
        for line in told_zh:
            equal(line.isascii(), False, line)
        for lang, ascii_only in ("en", True), ("zh", False):
            got = document("trace", *case, "--lang", lang)
            troubles = {e["trouble"] for e in got["events"] if "trouble" in e}
            equal({text.isascii() for text in troubles}, {ascii_only}, case)
    lost = ["--fault", "floor-blocks", "--values", ",".join(["0.5"] * 61), "--block", "4"]
    contains(trace(*lost), "! the error is larger: rounding does not explain it")
    contains(trace(*lost, "--lang", "zh"), "! 误差更大")


@claim
def r28_blocks_rounded_down_lose_the_tail():
    for n, expected in ((0, 0), (1, 0), (4, 10), (5, 10), (9, 36)):
        values = ",".join(map(str, range(1, n + 1)))
        got = as_json("trace", "--values", values, "--block", "4", "--shape", "halving",
                      "--fault", "floor-blocks")
        equal(got["result"]["value"], expected, n)
        equal(got["coverage"]["lost"], n % 4)
        equal(got["fault"]["without"], n * (n + 1) // 2)


@claim
def r29_an_early_exit_shows_how_many_arrived_whatever_the_number():
    got = document("trace", *LESSON, "--fault", "early-exit")
    equal([e["arrived"] for e in steps(got, "barrier") if e["block"] == 1], [1, 1, 1])
    equal((got["fault"]["zeroed"], got["fault"]["zeroed_right"]), (8, True))
    equal(got["fault"]["poisoned_right"], False)
    got = as_json("trace", *LESSON, "--fault", "early-exit", "--zeroed")
    equal(got["result"]["value"], 8)
    text = trace(*LESSON, "--fault", "early-exit", "--zeroed")
    contains(text, "1 of 4 lanes arrived")
    contains(text, "the same: the number does not tell")


WAVE = ["--values", "3,-1,4,0,2", "--block", "4", "--vector", "1", "--blocks", "2"]
GROUPS = ["--values", ",".join(["1"] * 61), "--block", "64", "--vector", "1"]

# A fault, elements and options with which it breaks a rule, and the check that says so.
PROVOKED = [
    ("floor-blocks", LESSON, "coverage"),
    ("floor-blocks", WAVE[:4], "coverage"),
    ("early-exit", LESSON, "barrier"),
    ("early-exit", WAVE, "barrier"),
    ("early-exit", GROUPS, "exchange"),
    ("in-place", LESSON, "race"),
    ("wrong-mask", WAVE, "exchange"),
    ("wrong-mask", GROUPS, "exchange"),
    ("wrong-mask", GROUPS[:2] + ["--block", "256", "--vector", "1"], "exchange"),
    ("no-barrier", LESSON, "race"),
    ("no-barrier", GROUPS, "race"),
    ("no-barrier", WAVE[:4], "race"),
    ("stale-partials", LESSON, "bounds"),
    ("stale-partials", WAVE, "bounds"),
]


@claim
def every_fault_is_found_by_the_model_at_both_widths():
    if not has_model():
        equal(document("trace", *LESSON, "--fault", "early-exit")["fault"]["model"], None)
        return
    equal({fault for fault, _, _ in PROVOKED}, set(FAULTS))
    for fault, arguments, check in PROVOKED:
        for wave in "32", "64":
            for seed in "0", "1", "2":
                model = document("trace", *arguments, "--fault", fault, "--wave", wave, "--seed",
                                seed)["fault"]["model"]
                equal(model["wave"], int(wave))
                equal(check in {report["check"] for report in model["reports"]}, True,
                      (fault, wave, seed, model))
                equal(model["findings"] >= 1, True)
                for report in model["reports"]:
                    equal(bool(report["text"] and report["kernel"] and report["line"]), True)
            contains(tally("trace", *arguments, "--fault", fault, "--wave", wave).out,
                     "\n    %s: " % check)


@claim
def a_fault_in_a_reduction_is_reported_and_exits_1():
    if not has_model():
        return
    ran = tally("sum", "--level", "tree", "--backend", "model", "--block", "4", "--shape",
                "halving", "--fault", "early-exit", "--zeroed", stdin="3 -1 4 0 2")
    equal((ran.code, ran.out), (1, "8\n"))
    contains(ran.err, "model, barrier: ")
    for wave in "32", "64":
        prints("8", "sum", "--level", "tree", "--backend", "model", "--wave", wave, "--seed", "5",
               "--block", "4", stdin="3 -1 4 0 2")


@claim
def poison_on_the_model_is_what_the_trace_shows():
    if not has_model():
        return
    for op in "max", "argmax", "norminf", "sum":
        shape = ["--block", "4", "--shape", "halving", "--fault", "early-exit"]
        traced = document("trace", *LESSON[:2], "--op", op, *shape)
        ran = tally(op, "--level", "tree", "--backend", "model", *shape, stdin="3 -1 4 0 2")
        equal(ran.out, "%d\n" % (traced["fault"]["poisoned"]["index"] if op == "argmax"
                                 else traced["fault"]["poisoned"]))
        equal(traced["fault"]["poisoned_right"], False)


LOST = ["sum", "--level", "tree", "--backend", "model", "--block", "4", "--shape", "halving",
        "--fault", "early-exit"]


@claim
def a_fault_that_leaves_no_value_is_reported_all_the_same():
    if not has_model():
        return
    ran = tally(*LOST, "--json", stdin="3 -1 4 0 2")
    equal(ran.code, 1)
    got = json.loads(ran.out)
    equal((got["level"], got["plan"]["block"], got["fault"]), ("tree", 4, "early-exit"))
    equal("barrier" in [report["check"] for report in got["reports"]], True)
    for out in [], ["--json"]:
        ran = tally("prod", *LOST[1:], *out, stdin="9223372036854775807 3 3 3 2")
        equal(ran.code, 1)
        contains(ran.err, "model, barrier: ")
        contains(ran.err, "model, unwritten: ")
        equal("--out f64" in ran.err, False)
    got = json.loads(ran.out)
    equal((got["value"], got["bits"], got["type"]), (None, None, None))
    equal(len(got["reports"]), ran.err.count("\ntally: model") + 1)


@claim
def json_of_a_faulty_run_does_not_look_like_an_answer():
    if not has_model():
        return
    got = json.loads(tally(*LOST, "--zeroed", "--json", stdin="3 -1 4 0 2").out)
    equal((got["value"], got["fault"]), (8, "early-exit"))
    traced = document("trace", *LESSON, "--fault", "early-exit", "--zeroed")
    equal(got["reports"], traced["fault"]["model"]["reports"])
    equal("fault" in as_json("sum", "--level", "tree", stdin="1"), False)

if __name__ == "__main__":
    main()
