#!/usr/bin/env python3
"""tables.py RECORD - the tables of a record of bench_gpu_tree (see measure.h), as Markdown."""
import sys
from collections import defaultdict


def read(path):
    """The head's lines, and the measurements as dictionaries of words; medians as numbers."""
    head, rows = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#"):
                head.append(line[1:].strip())
            elif line.strip():
                row = dict(word.split("=", 1) for word in line.split())
                for name in ("median", "q1", "q3"):
                    if name in row:
                        row[name] = float(row[name])
                for name in ("n", "blocks", "block", "vector", "offset"):
                    if name in row:
                        row[name] = int(row[name])
                rows.append(row)
    return head, rows


def table(title, names, rows):
    print(f"\n{title}\n")
    print("| " + " | ".join(names) + " |")
    print("|" + "---:|" * len(names))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def power(n):
    k = n.bit_length() - 1
    return f"2^{k}" if n == 1 << k else str(n)


SIZE = {"f32": 4, "f64": 8}


def sizes(rows):
    found = defaultdict(dict)
    for row in rows:
        if row["section"] == "sizes":
            found[row["type"], row["n"]][row["who"]] = row
    for kind in ("f32", "f64"):
        lines = []
        for (of, n), who in found.items():
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


def main():
    head, rows = read(sys.argv[1])
    for line in head:
        print(line)
    tune(rows)
    atomic(rows)
    align(rows)
    by(rows, "shapes", "shape", ["n", "block"],
       "Lane exchange against shared memory, f32, microseconds", ["n", "block"])
    by(rows, "finals", "final", ["blocks"],
       "Finals, f32, n = 2^24, the whole call by the host's clock, microseconds", ["blocks"])
    by(rows, "finals-device", "final", ["blocks"],
       "Finals on the device alone, f32, n = 2^24, microseconds", ["blocks"])
    sizes(rows)


if __name__ == "__main__":
    main()
