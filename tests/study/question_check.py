#!/usr/bin/env python3
"""question_check.py WHAT LIBRARY ... — what `sciara ask` has to find, computed anew from the library by its description.

    assets LIBRARY MINE NAME:KIND:ROW:COL[:COLS]...             all columns of the table of places of an answer
    compare LIBRARY MINE OTHER NAME:KIND:ROW:COL[:COLS]...      numbers of the difference of two answers (folders)
    exposed LIBRARY MINE NAME:KIND:KM:AMOUNT:ROW:COL[:COLS]...  all sums over points and lines of this length
    given LIBRARY OBSERVED AT LEAST                             members with an overlap of at least LEAST by then, of the
                                                                lava of member OBSERVED by then
"""
import csv
import json
import math
import re
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


def effective(a):
    return sum(a.values())**2 / sum(w * w for w in a.values())


def error_of(p, members):
    return sqrt(p * (1 - p) / members)


def percentile(a, value, percent):
    """Of the members with a value, weighted."""
    below, whole = 0, sum(a[m] for m in value)
    for m in sorted(value, key=value.get):
        below += a[m]
        if below * 100 >= whole * percent:
            return value[m]


def assets(library, mine, texts):
    a = weights(mine)
    read_places(library, [":".join([t.split(":")[0], *t.split(":")[2:]]) for t in texts])
    with open(f"{mine}/assets.csv", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    assert len(rows) == len(texts) > 1
    whole, members = sum(a.values()), effective(a)
    low = [0] + [x / 3600 for x in library.arrivals]
    for k, (row, text) in enumerate(zip(rows, texts)):
        name, kind, _, _, *cells = text.split(":")
        at = {m: library.at[m][k] for m in a if library.at[m][k]}
        came = sum(a[m] for m in at)
        lists = {"arrival": {m: low[x[0]] for m, x in at.items()}, "thickness": {m: library.edges[x[1]] for m, x in at.items()},
                 "share": {m: -(-x[3] * 100 >> 20) / 100 for m, x in at.items()}}
        for column, found in row.items():
            number = re.sub(r"^.*_p?([0-9.]+)[mh]?(_[mh]|_error)?$", r"\1", column)
            quantity = column.split("_")[0]
            event = None
            if column.startswith("probability_above_"):
                event = {m for m, x in at.items() if x[1] > library.edges.index(float(number))}
            elif column.startswith("probability_within_"):
                event = {m for m, x in at.items() if x[0] <= library.arrivals.index(float(number) * 3600)}
            elif quantity == "probability":
                event = at
            if not at and event is None and quantity in lists:
                assert found == "", (name, column)
                continue
            if event is not None:
                p = sum(a[m] for m in event) / whole
                wanted = error_of(p, members) if column.endswith("_error") else p
            elif column in ("name", "kind", "cells"):
                wanted = {"name": name, "kind": kind, "cells": (cells or ["1"])[0]}[column]
                assert found == wanted, (column, found, wanted)
                continue
            elif column == "arrival_first_h":
                wanted = min(lists["arrival"].values())
            elif column == "thickness_mean_m":
                wanted = sum(a[m] * x[2] for m, x in at.items()) / came / 1024
            elif column == "share_mean":
                wanted = sum(a[m] * x[3] for m, x in at.items()) / came / 2**20
            else:
                wanted = percentile(a, lists[quantity], int(number))
            assert near(float(found), wanted), (name, column, found, wanted)
    assert len(rows[0]) > 12 and len({r["probability"] for r in rows}) == len(rows)


def compare(library, mine, other, texts):
    a, b = weights(mine), weights(other)
    places = read_places(library, [":".join([t.split(":")[0], *t.split(":")[2:]]) for t in texts])
    with open(f"{mine}/assets_difference.csv", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    assert [r["name"] for r in rows] == [p[0] for p in places] and len(rows) > 1
    names = ("probability", "probability_compared", "difference", "difference_error", "probability_error", "probability_compared_error")
    for k, row in enumerate(rows):
        found = difference(a, b, {m for m in library.members if library.at[m][k]})
        found += error_of(found[0], effective(a)), error_of(found[1], effective(b))
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
    assert near(summary["area_m2"], q) and near(summary["area_difference_m2"], p - q) and near(summary["effective"], effective(b))
    assert near(summary["area_difference_error_m2"], sqrt(sum(x * x for x in change)))


def exposed(library, mine, texts):
    a, of = weights(mine), [t.split(":") for t in texts]
    read_places(library, [":".join([t[0], *t[4:]]) for t in of])
    members, whole = effective(a), sum(a.values())
    share = {}
    for m in a:
        for k, t in enumerate(of):
            cells = int((t[6:] or [1])[0])
            share[m, k] = -(-library.at[m][k][3] * cells >> 20) / cells if library.at[m][k] else 0
    sums = {"points": ("", [(t[1] == "point", math.ceil) for t in of]), "lines": ("", [(t[1] == "line", math.ceil) for t in of]),
            "length of lines": ("km", [(float(t[2]), float) for t in of]), "people": ("", [(float(t[3]), float) for t in of])}
    with open(f"{mine}/exposed.csv", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    assert [r["what"] for r in rows] == list(sums)
    for row, (unit, parts) in zip(rows, sums.values()):
        value = {m: sum(amount * rule(share[m, k]) for k, (amount, rule) in enumerate(parts)) for m in a}
        mean = sum(a[m] * value[m] for m in a) / whole
        spread = sum(a[m] * (value[m] - mean)**2 for m in a) / whole
        p = sum(a[m] for m in a if value[m] > 0) / whole
        wanted = {"all": sum(amount for amount, _ in parts), "mean": mean, "mean_error": sqrt(spread / (members - 1)),
                  "p05": percentile(a, value, 5), "p50": percentile(a, value, 50), "p95": percentile(a, value, 95),
                  "probability": p, "probability_error": error_of(p, members)}
        assert list(row) == ["what", "unit", *wanted] and row["unit"] == unit and 0 < p < 1
        assert all(near(float(row[n]), x) for n, x in wanted.items()), (row, wanted)


def given(library, observed, at, least):
    last = sum(edge / 3600 < at for edge in library.arrivals)  # the class that `at` lies in
    cells = {m: {c[0] for c in library.cells[m] if c[1] <= last} for m in library.members}
    print(" ".join(str(m) for m in sorted(cells)
                   if len(cells[m] & cells[observed]) >= least * len(cells[m] | cells[observed])))


def main():
    library = Library(sys.argv[2])
    if sys.argv[1] == "compare":
        compare(library, sys.argv[3], sys.argv[4], sys.argv[5:])
    elif sys.argv[1] == "assets":
        assets(library, sys.argv[3], sys.argv[4:])
    elif sys.argv[1] == "exposed":
        exposed(library, sys.argv[3], sys.argv[4:])
    else:
        given(library, int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5]))


if __name__ == "__main__":
    main()
