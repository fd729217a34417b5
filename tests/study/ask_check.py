#!/usr/bin/env python3
"""ask_check.py LIBRARY FOLDER NAME:ROW:COL[:COLS]... — the members that `sciara ask` has to name, computed anew from the
library with the members and weights of FOLDER/members.csv, as a table."""
import csv
import sys

from library_check import Library, read_places


def percentile(weighted, percent):
    """The least value with at least that share of the weight, and the first member that has it."""
    whole, below = sum(w for _, _, w in weighted), 0
    for value, _, weight in sorted(weighted):
        below += weight
        if below * 100 >= whole * percent:
            return value, min(m for v, m, _ in weighted if v == value)


def named(library, places, weight):
    count = {}
    for m, w in weight.items():
        for cell in library.cells[m]:
            count[cell[0]] = count.get(cell[0], 0) + w
    everywhere, whole = sum(count.values()), sum(weight.values())
    overlap = {}
    for m in weight:
        both = sum(count[c[0]] for c in library.cells[m])
        overlap[m] = both / (everywhere + whole * len(library.cells[m]) - both)
    best = min(weight, key=lambda m: (-overlap[m], m))
    yield "representative", "", "", best, overlap[best]
    for name in ("area_m2", "runout_m"):
        of = [(library.members[m][name], m, w) for m, w in weight.items() if library.members[m][name] is not None]
        for percent in (5, 50, 95):
            value, member = percentile(of, percent)
            yield name, "", percent, member, value
    low = [0] + [x / 3600 for x in library.arrivals]
    for k, place in enumerate(places):
        of = [(low[library.at[m][k][0]], m, w) for m, w in weight.items() if library.at[m][k]]
        for percent in (5, 50, 95) if of else ():
            value, member = percentile(of, percent)
            yield "arrival_h", place[0], percent, member, value


def main():
    library = Library(sys.argv[1])
    places = read_places(library, sys.argv[3:])
    with open(f"{sys.argv[2]}/members.csv", encoding="utf-8") as f:
        weight = {int(r["member"]): int(r["weight"]) for r in csv.DictReader(f)}
    print("name,place,percentile,member,value")
    for name, place, percent, member, value in named(library, places, weight):
        print(f"{name},{place},{percent},{member},{value:.9g}")


main()
