"""What the tests of traces, trees and faults share: the lesson, and running a trace."""
import json
import unicodedata

from cli import as_json, equal, tally

LESSON = ["--values", "3,-1,4,0,2", "--block", "4", "--shape", "halving"]
FAULTS = ["floor-blocks", "early-exit", "in-place", "wrong-mask", "no-barrier", "stale-partials"]


def trace(*arguments, code=0, **how):
    """The text of a trace that says nothing on stderr."""
    ran = tally("trace", *arguments, **how)
    equal((ran.code, ran.err), (code, ""), arguments)
    return ran.out


def document(*arguments):
    """The JSON of a trace, of one without a result too (exit 1)."""
    return json.loads(tally(*arguments, "--json").out)


def steps(traced, step, stage=1):
    return [event for event in traced["events"]
            if event["step"] == step and event["stage"] == stage]


def has_model():
    return as_json("info")["backends"]["model"]["status"] == "here"


def widths(text):
    """The columns that each line takes on a terminal."""
    return [sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
            for line in text.splitlines()]
