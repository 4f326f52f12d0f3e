#!/usr/bin/env python3
"""tables.py RECORD [SECTION...] - the tables of a record of bench_gpu_tree, as Markdown.

Without a section: all of them, and the head of the record.
"""
import sys
from collections import defaultdict

from record import SIZE, power, read


def table(title, names, rows):
    print(f"\n{title}\n")
    print("| " + " | ".join(names) + " |")
    print("|" + "---:|" * len(names))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def sizes(rows):
    found = defaultdict(dict)
    for row in rows:
        if row["section"] == "sizes":
            found[row["type"], row["n"]][row["who"]] = row
    for kind in ("f32", "f64"):
        lines = []
        for (of, n), who in sorted(found.items()):
            if of != kind:
                continue
            us = [who[name]["median"] for name in ("tally", "cub", "read")]
            spread = (who["tally"]["q3"] - who["tally"]["q1"]) / us[0]
            lines.append([power(n)] + [f"{t:.2f}" for t in us] +
                         [f"{us[1] / us[0]:.3f}", f"{us[2] / us[0]:.3f}",
                          f"{n * SIZE[kind] / us[0] / 1e3:.0f}", f"{100 * spread:.1f} %"])
        if lines:
            table(f"Sum of {kind}, microseconds (medians)",
                  ["n", "tally", "CUB", "plain read", "speed : CUB", "speed : read", "GB/s",
                   "quartiles"], lines)


def by(rows, section, columns, keys, title, shown):
    found = defaultdict(dict)
    for row in rows:
        if row["section"] == section:
            found[tuple(row[key] for key in keys)][row[columns]] = row["median"]
    if not found:
        return
    names = sorted({name for cells in found.values() for name in cells}, key=str)
    table(title, shown + names,
          [[power(part) if key == "n" else str(part) for key, part in zip(keys, at)] +
           [f"{cells[name]:.2f}" if name in cells else "" for name in names]
           for at, cells in found.items()])


def align(rows):
    base = {row["type"]: row["median"] for row in rows
            if row["section"] == "align" and row["offset"] == 0}
    lines = [[row["type"], str(row["offset"]), f"{row['median']:.1f}",
              f"{row['median'] / base[row['type']]:.3f}"]
             for row in rows if row["section"] == "align"]
    if lines:
        table("A base address off by some bytes, n = 2^28, microseconds",
              ["type", "bytes", "time", "to aligned"], lines)


def atomic(rows):
    lines = [[row["final"], row["runs"], row["distinct"]] for row in rows
             if row["section"] == "atomic"]
    if lines:
        table("Different results of one sum", ["final", "runs", "results"], lines)


def tune(rows):
    found = defaultdict(list)
    for row in rows:
        if row["section"] == "tune":
            found[row["type"], row["n"]].append(row)
    for (kind, n), measured in found.items():
        cub = next(row for row in measured if row["blocks"] == 0)
        plans = sorted((row for row in measured if row["blocks"]), key=lambda row: row["median"])
        lines = [[str(row["block"]), str(row["vector"]), str(row["blocks"]),
                  f"{row['median']:.2f}", f"{cub['median'] / row['median']:.3f}"]
                 for row in plans[:6]]
        table(f"Plans for {kind}, n = {power(n)}; CUB {cub['median']:.2f} us",
              ["block", "vector", "blocks", "us", "speed : CUB"], lines)


def sections(rows):
    """What there is to print, by name, the one that matters most last."""
    return {
        "tune": lambda: tune(rows),
        "atomic": lambda: atomic(rows),
        "align": lambda: align(rows),
        "shapes": lambda: by(rows, "shapes", "shape", ["n", "block"],
                             "Lane exchange against shared memory, f32, microseconds",
                             ["n", "block"]),
        "finals": lambda: by(rows, "finals", "final", ["blocks"],
                             "Finals, f32, n = 2^24, the whole call by the host's clock, "
                             "microseconds", ["blocks"]),
        "finals-device": lambda: by(rows, "finals-device", "final", ["blocks"],
                                    "Finals on the device alone, f32, n = 2^24, microseconds",
                                    ["blocks"]),
        "sizes": lambda: sizes(rows),
    }


def main():
    head, rows = read(sys.argv[1])
    known = sections(rows)
    if len(sys.argv) == 2:
        print("\n".join(head))
    for name in sys.argv[2:] or known:
        known[name]()


if __name__ == "__main__":
    main()
