#!/usr/bin/env python3
"""plots.py RECORD DIRECTORY - draws a record of bench_gpu_tree with gnuplot, as SVG files there.

The files are named for the record and what they show: NAME-speed.svg (against CUB), NAME-bandwidth.svg,
NAME-finals.svg, NAME-shapes.svg.
"""
import os
import subprocess
import sys
from collections import defaultdict

from record import SIZE, read

COLOURS = {"f32": "#1f6feb", "f64": "#bc4c00", "device": "#1f6feb", "host": "#57606a",
           "atomic": "#bc4c00", "wave": "#1f6feb", "halving": "#bc4c00", "plain read, f32": "#9db8dd",
           "plain read, f64": "#ddb89d"}

STYLE = """set terminal svg size 720,400 font "sans-serif,12" background "#ffffff"
set border 3 lc rgb "#57606a"
set tics nomirror textcolor rgb "#24292f"
set grid ytics lc rgb "#d0d7de" lt 1
set key top left reverse Left
set logscale x 2
"""


def draw(path, labels, lines, extra=""):
    """Draws lines, each (name, [(x, low, middle, high)...])."""
    title, x_name, y_name = labels
    plots, data = [], []
    for number, (name, points) in enumerate(lines):
        colour = COLOURS[name]
        data.append("$line%d << END\n%s\nEND\n" %
                    (number, "\n".join("%d %.6g %.6g %.6g" % (x, middle, low, high)
                                       for x, low, middle, high in points)))
        plots.append('$line%d using 1:2 with lines lw 2 lc rgb "%s" title "%s"' %
                     (number, colour, name))
        plots.append('$line%d using 1:2:3:4 with yerrorbars lw 1 pt 7 ps 0.4 lc rgb "%s" notitle' %
                     (number, colour))
    script = (STYLE + 'set output "%s"\nset title "%s"\nset xlabel "%s"\nset ylabel "%s"\n' %
              (path, title, x_name, y_name) + extra + "".join(data) +
              "plot " + ", ".join(plots) + "\n")
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def quartiles(row, of=lambda us: us):
    return sorted(of(row[name]) for name in ("q1", "median", "q3"))


def sizes_of(rows):
    found = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        if row["section"] == "sizes":
            found[row["type"]][row["n"]][row["who"]] = row
    return {kind: sorted(by_n.items()) for kind, by_n in found.items()}


POWERS = 'set format x "2^{%L}"\n'


def speed(rows, path):
    lines = [(kind, [(n, *quartiles(who["tally"], lambda us, cub=who["cub"]["median"]: cub / us))
                     for n, who in by_n])
             for kind, by_n in sizes_of(rows).items()]
    if lines:
        draw(path, ("Sums: speed of tally's tree, CUB = 1 (median, quartiles)", "elements", "speed"),
             lines, POWERS + "set yrange [0.8:]\nset arrow from graph 0,first 1 to graph 1,first 1 "
             'nohead lc rgb "#24292f"\n')


def bandwidth(rows, path):
    lines = []
    for kind, by_n in sizes_of(rows).items():
        for who, name in (("read", "plain read, " + kind), ("tally", kind)):
            lines.append((name, [(n, *quartiles(
                of[who], lambda us, nbytes=n * SIZE[kind]: nbytes / us / 1e3)) for n, of in by_n]))
    if lines:
        draw(path, ("Sums: gigabytes a second (small arrays stay in the cache)", "elements", "GB/s"),
             lines, POWERS)


def by_name(rows, section, key, x):
    found = defaultdict(list)
    for row in rows:
        if row["section"] == section:
            found[row[key]].append((row[x], *quartiles(row)))
    return sorted(found.items())


def finals(rows, path):
    lines = by_name(rows, "finals", "final", "blocks")
    if lines:
        draw(path, ("The last stage: f32, 2^{24} elements, the whole call by the host's clock",
                    "blocks", "microseconds"), lines, "set logscale y\nset key top right\n")


def shapes(rows, path):
    most = max((row["n"] for row in rows if row["section"] == "shapes"), default=0)
    lines = by_name([row for row in rows if row.get("n") == most], "shapes", "shape", "block")
    if lines:
        draw(path, ("Lane exchange (wave) against shared memory (halving): f32, 2^{%d} elements" %
                    (most.bit_length() - 1), "lanes a block", "microseconds"), lines,
             "set yrange [0:]\nset key bottom right\n")


def main():
    record, directory = sys.argv[1:]
    _, rows = read(record)
    name = os.path.splitext(os.path.basename(record))[0]
    for what, plot in (("speed", speed), ("bandwidth", bandwidth), ("finals", finals),
                       ("shapes", shapes)):
        plot(rows, os.path.join(directory, "%s-%s.svg" % (name, what)))


if __name__ == "__main__":
    main()
