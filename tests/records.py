"""What the documents show of measurements is in the records, and the plots are drawn from these.

A table in a document comes after "<!-- record: FILE, SECTION -->"; it may show some rows only.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

SOURCE_DIR = os.environ["SOURCE_DIR"]
RECORDS = os.path.join(SOURCE_DIR, "docs", "records")
MARK = re.compile(r"<!-- record: (\S+), (\S+) -->\n((?:\|.*\n)*)")


def script(name, *arguments):
    path = os.path.join(SOURCE_DIR, "bench", "gpu", name)
    return subprocess.run([sys.executable, "-B", path, *arguments], stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def tables_differ(path):
    """How many rows the document has, and how many of them its records do not."""
    n, wrong = 0, 0
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for record, section, table in MARK.findall(text):
        known = set(script("tables.py", os.path.join(RECORDS, record), section).splitlines())
        shown = table.splitlines()[2:]  # without head and rule, which may be translated
        n += len(shown)
        for row in shown:
            if row not in known:
                wrong += 1
                print("%s: %s has no row %s" % (path, record, row))
    return n, wrong


def plots_differ(record, folder):
    """Compares the plots beside a record with new ones, if this gnuplot is the one that made them."""
    script("plots.py", record, folder)
    wrong, n = 0, 0
    for path in glob.glob(os.path.join(folder, "*.svg")):
        with open(path, encoding="utf-8") as new, \
                open(os.path.join(RECORDS, os.path.basename(path)), encoding="utf-8") as old:
            drawn, shown = new.read(), old.read()
        maker = re.compile(r"<desc>.*</desc>")
        if maker.search(drawn).group() != maker.search(shown).group():
            print("another gnuplot drew %s: not compared" % os.path.basename(path))
            continue
        n += 1
        if drawn != shown:
            wrong += 1
            print("%s is not drawn from its record: run bench/gpu/plots.py" % path)
    return n, wrong


def main():
    failed = 0
    tables = [tables_differ(path) for path in sorted(glob.glob(os.path.join(SOURCE_DIR, "docs", "*.md")))]
    print("%d rows of tables shown, %d not in their records" % tuple(map(sum, zip(*tables))))
    failed += sum(wrong for _, wrong in tables) + (sum(n for n, _ in tables) == 0)
    if not any(os.access(os.path.join(d, "gnuplot"), os.X_OK) for d in os.environ["PATH"].split(":")):
        print("gnuplot is not here: plots are not compared")
        return 1 if failed else 0
    for record in sorted(glob.glob(os.path.join(RECORDS, "*.txt"))):
        with tempfile.TemporaryDirectory() as folder:
            n, wrong = plots_differ(record, folder)
            print("%s: %d plots compared, %d differ" % (os.path.basename(record), n, wrong))
            failed += wrong
    return 1 if failed else 0


sys.exit(main())
