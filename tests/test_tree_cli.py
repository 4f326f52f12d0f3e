"""Level tree of the reductions: values, integers of any size, what is refused."""
import resource

from cli import as_json, claim, contains, equal, main, npy, prints, refuses, write
from tracing import has_model, trace


@claim
def level_tree_of_a_file():
    one = write("1e16\n1\n-1e16\n1\n")
    prints("2", "sum", one)
    prints("1", "sum", "--level", "tree", "--block", "1", "--blocks", "1", "--vector", "1", one)
    got = as_json("sum", "--level", "tree", "--block", "2", "--blocks", "2", "--vector", "1", one)
    equal((got["level"], got["backend"], got["n"], got["type"]), ("tree", "cpu", 4, "f64"))
    equal(got["plan"], {"shape": "wave", "assign": "grid-stride", "final": "device", "block": 2,
                        "blocks": 2, "vector": 1, "stages": 2})
    equal(as_json("sum", one)["level"], "exact")
    equal(as_json("max", "--level", "tree", stdin="1 nan inf -inf")["nan"], 1)
    equal(as_json("max", "--level", "tree", stdin="1 nan inf -inf")["inf"], 2)
    a, b = write("1\n2\n"), write("3\n")
    prints("6", "sum", "--level", "tree", a, b)
    prints("3\t%s\n3\t%s" % (a, b), "sum", "--each", "--level", "tree", a, b)
    prints("2", "argmax", "--level", "tree", a, b)
    prints("0.5", "sum", "--level", "tree", "--out", "f16", stdin="0.5")


@claim
def blocks_without_elements_do_not_take_minutes():
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    prints("1", "sum", "--level", "tree", "--blocks", "5000000", "--block", "1024", stdin="1")
    equal(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 5, True)


@claim
def what_a_tree_does_not_do_is_refused():
    refuses(2, "a mean has no tree", "mean", "--level", "tree")
    refuses(2, "takes every element", "sum", "--level", "tree", "--nan", "skip")
    refuses(1, "there is a NaN", "sum", "--level", "tree", "--nan", "error", stdin="nan")
    refuses(1, "max of nothing has no value", "max", "--level", "tree")
    refuses(3, "beyond i64", "sum", "--level", "tree", stdin="9223372036854775808")
    refuses(3, "level tree takes", "sum", "--level", "tree", npy("|b1", [1]))
    refuses(1, "integer beyond 128 bits", "prod", "--level", "tree", stdin="4294967296 " * 4)
    prints("9223372036854776000", "sum", "--level", "tree", "--out", "f64",
           stdin="9223372036854775807 1")
    for op in "prod", "norm1", "norm2", "norminf":
        refuses(2, "at level tree only", op, stdin="1")


@claim
def options_of_a_tree_are_refused_where_they_mean_nothing():
    for option in (["--shape", "wave"], ["--assign", "contiguous"], ["--vector", "2"],
                   ["--stages", "2"], ["--fault", "no-barrier"], ["--zeroed"]):
        refuses(2, "is for --level tree", "sum", *option, stdin="1")
    refuses(2, "--final atomic is for --level tree", "sum", "--final", "atomic")
    prints("3", "sum", "--block", "64", "--blocks", "3", "--final", "host", stdin="1 2")
    prints("3", "sum", "--final", "device", stdin="1 2")
    refuses(2, "--wave is for the model", "sum", "--level", "tree", "--wave", "64")
    refuses(2, "--seed is for the model", "trace", "--values", "1", "--seed", "3")
    refuses(2, "--zeroed is for --fault", "trace", "--values", "1", "--zeroed")
    refuses(2, "is not one of wave|halving", "sum", "--level", "tree", "--shape", "butterfly")


@claim
def integers_are_printed_whole_up_to_128_bits():
    most = 2 ** 63 - 1
    cases = [("sum", [most, 1], 2 ** 63), ("sum", [most] * 3, 3 * most),
             ("sum", [-most] * 3, -3 * most), ("prod", [most, -4], -4 * most),
             ("norm1", [-most - 1, 2], 2 ** 63 + 2), ("norminf", [-most - 1], 2 ** 63),
             ("prod", [2 ** 62, 2 ** 62], 2 ** 124)]
    for op, numbers, expected in cases:
        stdin = " ".join(map(str, numbers))
        kind = "i64" if abs(expected) <= most else \
            "u64" if 0 < expected < 2 ** 64 else "integer"
        for backend in ["cpu", "model"] if has_model() else ["cpu"]:
            tree = ["--level", "tree", "--block", "4", "--backend", backend]
            prints(str(expected), op, *tree, stdin=stdin)
            got = as_json(op, *tree, stdin=stdin)
            equal((got["value"], got["type"]), (expected, kind))
        values = ["--op", op, "--values", stdin.replace(" ", ","), "--block", "4"]
        got = as_json("trace", *values)
        equal((got["result"]["value"], got["exact"]["value"], got["in_order"]["value"]),
              (expected,) * 3, op)
        equal((got["result"]["type"], got["ulp"]), (kind, 0))
        contains(trace(*values), "\nresult     %d  %s\n" % (expected, kind))
        contains(trace(*values), "\nexact      %d\nerror      none" % expected)
    lost = trace("--values", ",".join([str(most)] * 5), "--block", "4", "--shape", "halving",
                 "--fault", "floor-blocks")
    contains(lost, "\nexact      %d\nerror      off by %d\n" % (5 * most, most))


@claim
def the_exact_result_is_known_where_nothing_is_rounded():
    for op, expected in (("norm1", 5), ("norminf", 3), ("prod", 6)):
        got = as_json("trace", "--values", "-3,-2", "--op", op)
        equal((got["exact"]["value"], got["ulp"]), (expected, 0), op)
    for op in "sum", "norm1", "norm2", "norminf", "prod":
        got = as_json("trace", "--values", "", "--op", op)
        equal((got["exact"]["value"], got["ulp"]), (1 if op == "prod" else 0, 0), op)
    contains(trace("--values", "0.5", "--op", "norm2"), "not known: level exact has no norm2 yet")

if __name__ == "__main__":
    main()
