#!/usr/bin/env python3
"""question_check.py WHAT LIBRARY ... — what `sciara ask` has to find, computed anew from the library by its description.

    compare LIBRARY MINE OTHER NAME:KIND:ROW:COL[:COLS]...      numbers of the difference of two answers (folders)
    exposed LIBRARY MINE NAME:SIZE:AMOUNT:ROW:COL[:COLS]...     sums over the places, of lines SIZE is their length in km
    given LIBRARY OBSERVED AT LEAST                             members with an overlap of at least LEAST by then, of the
                                                                lava of member OBSERVED by then
"""
import csv
import json
import sys
from math import sqrt

from library_check import Library, read_places


def weights(folder):
    with open(f"{folder}/members.csv", encoding="utf-8") as f:
        return {int(r["member"]): int(r["weight"]) for r in csv.DictReader(f)}


def difference(a, b, there):
    """p, q, p - q and its error, where lava of the members `there` comes; by the sum over all members."""
    A, B = sum(a.values()), sum(b.values())
    p, q = sum(a.get(m, 0) for m in there) / A, sum(b.get(m, 0) for m in there) / B
    change = (a.get(m, 0) / A * ((m in there) - p) - b.get(m, 0) / B * ((m in there) - q) for m in a.keys() | b.keys())
    return p, q, p - q, sqrt(sum(x * x for x in change))


def near(x, y):
    return abs(x - y) <= 1e-5 * max(abs(x), abs(y)) + 1e-9


def compare(library, mine, other, texts):
    a, b = weights(mine), weights(other)
    places = read_places(library, [":".join([t.split(":")[0], *t.split(":")[2:]]) for t in texts])
    with open(f"{mine}/assets_difference.csv", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    assert [r["name"] for r in rows] == [p[0] for p in places] and len(rows) > 1
    names = ("probability", "probability_compared", "difference", "difference_error")
    for k, row in enumerate(rows):
        found = difference(a, b, {m for m in library.members if library.at[m][k]})
        assert row["kind"] == texts[k].split(":")[1]
        assert all(near(float(row[n]), x) for n, x in zip(names, found)), (row, found)
    assert any(float(r["difference_error"]) > 0 for r in rows)
    cells = {}
    for m in a.keys() | b.keys():
        for c in library.cells[m]:
            cells.setdefault(c[0], set()).add(m)
    found = [difference(a, b, there) for there in cells.values()]
    with open(f"{mine}/summary.json", encoding="utf-8") as f:
        summary = json.load(f)["compared"]
    area = float(library.key["cell_m"]) ** 2
    assert summary["members"] == len(b) and summary["members_in_both"] == len(a.keys() & b.keys())
    assert near(summary["largest_probability_error"], max(f[3] for f in found))
    less, more = (sum(area for f in found if s * f[2] > 2 * f[3] + 1e-12) for s in (-1, 1))
    assert near(summary["less_probable_m2"], less) and near(summary["more_probable_m2"], more) and less + more > 0
    sizes = {m: library.members[m]["area_m2"] for m in library.members}
    A, B = sum(a.values()), sum(b.values())
    p, q = (sum(w[m] * sizes[m] for m in w) / sum(w.values()) for w in (a, b))
    change = [a.get(m, 0) / A * (sizes[m] - p) - b.get(m, 0) / B * (sizes[m] - q) for m in a.keys() | b.keys()]
    assert near(summary["area_difference_m2"], p - q)
    assert near(summary["area_difference_error_m2"], sqrt(sum(x * x for x in change)))


def exposed(library, mine, texts):
    a, of = weights(mine), [t.split(":") for t in texts]
    read_places(library, [":".join([t[0], *t[3:]]) for t in of])
    cells = [int((t[5:] or [1])[0]) for t in of]
    length = {m: 0.0 for m in a}
    amount, came = dict(length), dict(length)
    for m in a:
        for k, t in enumerate(of):
            share = -(-library.at[m][k][3] * cells[k] >> 20) / cells[k] if library.at[m][k] else 0
            amount[m] += float(t[2]) * share
            if float(t[1]):
                length[m] += float(t[1]) * share
                came[m] += share > 0
    with open(f"{mine}/exposed.csv", encoding="utf-8") as f:
        rows = {r["what"]: r for r in csv.DictReader(f)}
    for name, value in (("lines", came), ("length of lines", length), ("people", amount)):
        whole, below, mean = sum(a.values()), 0, sum(a[m] * value[m] for m in a) / sum(a.values())
        assert near(float(rows[name]["mean"]), mean) and mean > 0, (rows[name], mean)
        want, at = [5, 50, 95], []
        for m in sorted(a, key=value.get):
            below += a[m]
            while want and below * 100 >= whole * want[0]:
                at.append(value[m]), want.pop(0)
        assert all(near(float(rows[name][n]), x) for n, x in zip(("p05", "p50", "p95"), at)), (rows[name], at)
        assert near(float(rows[name]["probability"]), sum(a[m] for m in a if value[m] > 0) / whole)
        n = whole**2 / sum(w * w for w in a.values())
        spread = sum(a[m] * (value[m] - mean) ** 2 for m in a) / whole
        assert near(float(rows[name]["mean_error"]), sqrt(spread / (n - 1)))


def given(library, observed, at, least):
    last = sum(edge / 3600 < at for edge in library.arrivals)  # the class that `at` lies in
    cells = {m: {c[0] for c in library.cells[m] if c[1] <= last} for m in library.members}
    print(" ".join(str(m) for m in sorted(cells)
                   if len(cells[m] & cells[observed]) >= least * len(cells[m] | cells[observed])))


def main():
    library = Library(sys.argv[2])
    if sys.argv[1] == "compare":
        compare(library, sys.argv[3], sys.argv[4], sys.argv[5:])
    elif sys.argv[1] == "exposed":
        exposed(library, sys.argv[3], sys.argv[4:])
    else:
        given(library, int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5]))


if __name__ == "__main__":
    main()
