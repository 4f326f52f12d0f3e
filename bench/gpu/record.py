"""record.py - reads a record of bench_gpu_tree (its form: measure.h)."""
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


SIZE = {"f32": 4, "f64": 8}


def power(n):
    k = n.bit_length() - 1
    return f"2^{k}" if n == 1 << k else str(n)
