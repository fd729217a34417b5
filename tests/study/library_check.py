#!/usr/bin/env python3
"""library_check.py LIBRARY — reads a library by its description (docs/formats/library.md, library_sums.c) alone, and prints for random questions
the expression and the digest that `sciara ask` has to find, computed anew from the members that it asks for.

    library_check.py LIBRARY COUNT NAME:ROW:COL[:COLS]...     places: cells of a row of the terrain
    library_check.py LIBRARY COUNT:FOLDER NAME:ROW:COL...     the same with other weights of classes and of vents 1 to 6,
                                                              files that it writes there and names after the digest
    library_check.py LIBRARY sums                             whether its sums are those of its members
    library_check.py LIBRARY members TABLE                    whether its members are those of members.csv
"""
import csv
import math
import random
import sqlite3
import struct
import sys
import zlib

MASK = (1 << 64) - 1


def mix64(x):
    """Of a number, or of an array of 64 bits."""
    x &= MASK
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93 & MASK
    x = (x ^ (x >> 29)) * 0xA0761D6478BD642F & MASK
    return x ^ (x >> 32)


class Library:
    def __init__(self, path, cells=True):
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.key = dict(db.execute("SELECT key, value FROM sciara"))
        self.edges = [float(x) for x in self.key["thickness_edges_m"].split()]
        self.floor = [0] + [min(round(x * 1024), (1 << 22) - 1) for x in self.edges]
        self.arrivals = [float(x) for x in self.key["arrival_edges_s"].split()]
        self.rows, self.cols = int(self.key["rows"]), int(self.key["cols"])
        db.row_factory = sqlite3.Row
        self.members = {r["member"]: dict(r) for r in db.execute("SELECT * FROM members")}
        self.cells = {m: [] for m in self.members}
        self.reached = None  # the same as an array, where a digest is asked for
        for key, blob in db.execute("SELECT tile_member, blob FROM cells") if cells else ():
            self.cells[key & 0xFFFFFF] += self.unpack(key, blob)

    def unpack(self, key, blob):
        across = (self.cols + 31) // 32
        tile = key >> 24
        assert struct.unpack_from("<I", blob)[0] == zlib.crc32(struct.pack("<q", key) + blob[4:])
        first, rows = blob[24], blob[25]
        at = [(first + row) * 32 + bit for row, word in enumerate(struct.unpack_from(f"<{rows}I", blob, 26)) for bit in range(32)
              if word >> bit & 1]
        columns, next_byte = [], 26 + 4 * rows
        for k in range(4):
            least, bits = struct.unpack_from("<IB", blob, 4 + 5 * k)
            size = (len(at) * bits + 7) // 8
            all_bits = int.from_bytes(blob[next_byte:next_byte + size], "little")
            columns.append([least + (all_bits >> i * bits & (1 << bits) - 1) for i in range(len(at))])
            next_byte += size
        assert next_byte + 7 == len(blob)
        for where, arrival, thickness, more, end in zip(at, *columns):
            row, col = tile // across * 32 + where // 32, tile % across * 32 + where % 32
            assert row < self.rows and col < self.cols and end < len(self.floor)
            yield row * self.cols + col, arrival, thickness, self.floor[thickness] + more, None


def statistics(classes, arrivals, shares, members, reached):
    """The digest of counters: members as weights, reached as an array of weight, place, arrival, thickness, q, share."""
    import numpy as np

    weight, place, arrival, thickness, q, share = reached.T.astype(np.int64)
    stride = classes + arrivals + (101 if shares else 0) + 4
    places, index = np.unique(place, return_inverse=True)
    added = [(thickness, weight), (classes + arrival, weight), (stride - 4, weight * (q >> 11)), (stride - 3, weight * (q & 2047))]
    if shares:
        added += [(classes + arrivals + (share * 100 + 0xFFFFF >> 20), weight), (stride - 2, weight * (share >> 11)),
                  (stride - 1, weight * (share & 2047))]
    count = sum(np.bincount(index * stride + counter, value, stride * len(places)) for counter, value in added)
    assert count.max(initial=0) < 1 << 53  # so sums are exact
    at = np.flatnonzero(count)
    count = count[at].astype(np.uint64)
    at = (places[at // stride] * stride + at % stride).astype(np.uint64)
    squares = sum(w * w for w in members)
    total = mix64(len(members)) + mix64(sum(members) ^ 0x9E3779B97F4A7C15)
    total += mix64(squares & MASK ^ 0xBF58476D1CE4E5B9) + mix64(squares >> 64 ^ 0x94D049BB133111EB)
    counter = mix64(mix64(at // stride + 0x9E3779B97F4A7C15) + at % stride)
    return total + int(mix64(count ^ counter).sum(dtype=np.uint64)) & MASK


def numbers(blob):
    """Of 7 bits a byte, the lowest first; the upper bit: more follow."""
    x = shift = 0
    for byte in blob:
        x |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield x
            x = shift = 0


def read_sums(library, path):
    """Of each cell: weights by class of thickness and of arrival, and the two sums of thickness, as (part, class): sum."""
    found, across = {}, (library.cols + 31) // 32
    for tile, blob in sqlite3.connect(path).execute("SELECT tile, blob FROM sums"):
        assert struct.unpack("<I", blob[-4:])[0] == zlib.crc32(blob[:-4])
        word = numbers(blob[:-4])
        assert next(word) == tile
        while (at := next(word)) < 1024:
            place = (tile // across * 32 + at // 32) * library.cols + tile % across * 32 + at % 32
            count = found[place] = {}
            for part in range(2):
                first, classes = next(word), next(word)
                count.update({(part, first + k): next(word) for k in range(classes)})
            count.update({(2, k): next(word) for k in range(2)})
        assert next(word, None) is None
    return found


def check_sums(library, path):
    sums = {}
    for m, cells in library.cells.items():
        weight = library.members[m]["weight"]
        for place, arrival, thickness, q, _ in cells:
            count = sums.setdefault(place, {})
            for key, value in (((0, thickness), weight), ((1, arrival), weight),
                               ((2, 0), weight * (q >> 11)), ((2, 1), weight * (q & 2047))):
                count[key] = count.get(key, 0) + value
    found = {p: {k: v for k, v in count.items() if v} for p, count in read_sums(library, path).items()}
    assert len(found) > 100 and found == {p: {k: v for k, v in c.items() if v} for p, c in sums.items()}


def check_members(library, path):
    with open(path) as file:
        rows = {int(row["member"]): row for row in csv.DictReader(file)}
    assert rows and rows.keys() == library.members.keys()
    for member, row in rows.items():
        for name, text in row.items():
            value = library.members[member][name]
            if value is None or isinstance(value, str):
                assert text == (value or ""), (member, name)
            else:
                assert abs(float(text) - value) <= 1e-8 * abs(value), (member, name)


def at_place(library, cells, member):
    """What a member did at a place: (arrival, thickness, q, share), or None."""
    here = [c for c in library.cells[member] if c[0] in cells]
    if not here:
        return None
    return (min(c[1] for c in here), max(c[2] for c in here), max(c[3] for c in here),
            max(1, (len(here) << 20) // len(cells)))


def digest(library, places, weight):
    import numpy as np  # (who only reads a library needs none)

    classes, arrivals = len(library.edges) + 1, len(library.arrivals) + 1
    if library.reached is None:
        library.reached = np.array([(m, *c[:4], 0) for m in library.members for c in library.cells[m]], np.uint64)
    of = np.zeros(max(library.members) + 1, np.uint64)
    of[list(weight)] = list(weight.values())
    cells = library.reached.copy()
    cells[:, 0] = of[cells[:, 0]]
    cells = cells[cells[:, 0] > 0]
    assets = [(w, k, *library.at[m][k]) for m, w in weight.items() for k in range(len(places)) if library.at[m][k]]
    assets = np.array(assets, np.uint64).reshape(-1, 6)
    total = mix64(int(library.key["plan_digest"], 16))
    total += statistics(classes, arrivals, False, list(weight.values()), cells)
    total += mix64(statistics(classes, arrivals, True, list(weight.values()), assets))
    for m in weight:
        total += mix64(int(library.members[m]["digest"], 16) ^ mix64(m + 0xD1342543DE82EF95))
    return mix64(total)


def conditions(library, places):
    """A random condition as SQL, and as a function of a member."""
    column = random.choice(["Pcool", "vent", "area_m2", "runout_m", "max_thickness_m", "member", "class", "place"])
    if column == "class":
        name = random.choice([r["class"] for r in library.members.values()])
        return f"class = '{name}'", lambda m: library.members[m]["class"] == name
    if column == "place":
        k = random.randrange(len(places))
        hour = random.choice([2, 6, 12])
        low = [0] + [x / 3600 for x in library.arrivals]
        return (f"arrival_h('{places[k][0]}') < {hour}",
                lambda m: library.at[m][k] is not None and low[library.at[m][k][0]] < hour)
    value = random.choice([r[column] for r in library.members.values()])
    above = random.random() < 0.5
    return (f"{column} {'>=' if above else '<='} {value!r}",
            lambda m: library.members[m][column] is not None
            and (library.members[m][column] >= value if above else library.members[m][column] <= value))


def read_places(library, texts):
    places = []
    for text in texts:
        name, row, col, *cols = text.split(":")
        first = int(row) * library.cols + int(col)
        places.append((name, set(range(first, first + int((cols or [1])[0])))))
    library.at = {m: [at_place(library, p[1], m) for p in places] for m in library.members}
    return places


def rounded(weight):
    """Whole numbers in proportion, without a common divisor: at most 2^24 where they are not whole."""
    most = max(weight.values())
    whole = most <= 1 << 24 and all(w == int(w) for w in weight.values())
    found = {m: max(1, round(w if whole else w * ((1 << 24) / most))) for m, w in weight.items() if w > 0}
    return {m: w // math.gcd(*found.values()) for m, w in found.items()}


def share(weight):
    """Whole weights as they are, others as parts of their sum."""
    whole = all(isinstance(w, int) for w in weight.values())
    total = 0
    for w in weight.values():
        total += w
    return ("weight", weight) if whole else ("probability", {name: w / total for name, w in weight.items()})


def weighed(library, folder, number, mine):
    """Files with random weights, and what the members then weigh: their own times the new by the old weights."""
    old, new = {"short": 6, "long": 3}, {name: random.randint(0, 9) for name in ("short", "long")}
    if random.random() < 0.5:
        new["short"] = random.randint(1, 63) / 64
        new["long"] = 1 - new["short"]
    elif not any(new.values()):
        new["long"] = 1
    vents, files = None, f"{folder}/classes{number}.csv"
    name, new_share = share(new)
    with open(files, "w") as f:
        f.write(f"class,{name},volume_m3,duration_h\n")
        f.writelines(f"{name},{w},{of}\n" for (name, w), of in zip(new.items(), ("20000,6", "40000,20")))
    if random.random() < 0.6:
        vents = {v: random.choice([1, 3, 8]) for v in random.sample(range(1, 7), random.randint(2, 6))}
        with open(f"{folder}/vents{number}.csv", "w") as f:
            f.write("vent,x,y,weight\n")
            f.writelines(f"{v},{500250 + 100 * v},4170350,{w}\n" for v, w in vents.items())
        files += f" {folder}/vents{number}.csv"
    weight = {}
    for m in mine:
        row = library.members[m]
        weight[m] = float(row["weight"])
        if vents:
            weight[m] *= vents.get(row["vent"], 0)
        weight[m] *= new_share[row["class"]] / old[row["class"]]
    return files, weight


def main_weights(library, places, count, folder):
    random.seed(29)
    number = 0
    while number < count:
        sql, true = conditions(library, places) if random.random() < 0.4 else ("1", lambda m: True)
        files, weight = weighed(library, folder, number, [m for m in library.members if true(m)])
        if weight and max(weight.values()) > 0:
            print(f"{digest(library, places, rounded(weight)):016x} {files if ' ' in files else files + ' -'} {sql}")
            number += 1


def main():
    library = Library(sys.argv[1])
    if sys.argv[2] == "sums":
        return check_sums(library, sys.argv[1])
    if sys.argv[2] == "members":
        return check_members(library, sys.argv[3])
    places = read_places(library, sys.argv[3:])
    if ":" in sys.argv[2]:
        count, folder = sys.argv[2].split(":")
        return main_weights(library, places, int(count), folder)
    random.seed(28)
    print(f"{digest(library, places, {m: r['weight'] for m, r in library.members.items()}):016x} 1")
    count = int(sys.argv[2])
    while count:
        (a, one), (b, two) = conditions(library, places), conditions(library, places)
        both = random.random() < 0.5
        weight = {m: r["weight"] for m, r in library.members.items()
                  if (one(m) and two(m) if both else one(m) or two(m))}
        if not weight or len(weight) == len(library.members):
            continue
        print(f"{digest(library, places, weight):016x} ({a}) {'and' if both else 'or'} ({b})")
        count -= 1


if __name__ == "__main__":
    main()
