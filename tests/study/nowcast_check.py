#!/usr/bin/env python3
"""nowcast_check.py — the weights of `sciara nowcast` computed anew, in floating point and by numpy, from a library and the
description in docs/formats/observations.md.

    nowcast_check.py front LIBRARY MEMBER HOUR > front.asc       where a member has lava by then
    nowcast_check.py survey LIBRARY MEMBER ROW FROM TO > survey.csv   its greatest thickness in these columns
    nowcast_check.py weights LIBRARY FOLDER SHARE WHAT...        prints the largest difference to FOLDER/weights.csv
    nowcast_check.py forecast LIBRARY FOLDER FRONT,HOUR,ERROR_M ROW:COL   the largest difference to its probability.tif and to what
                                                                 nowcast_places.csv has of its first place, in the end; and the
                                                                 largest difference that the front makes in the cells themselves

WHAT: front=FILE,HOUR,ERROR_M[,part], dry=ROW:COL,HOUR, arrival=ROW:COL,HOUR,ERROR_H, survey=FILE,HOUR,ERROR_M,
hot=FILE (hours are those of the day, in UTM on its central meridian of 15 degrees),
end=HOUR,ERROR_H (of members with a drawn end), rates=SEED,RATE,FACTOR,SEEN_FACTOR,SEEN... (of members with that rate, times FACTOR^z; seen on the first days)
"""
import csv
import sqlite3
import struct
import subprocess
import sys
from statistics import NormalDist

import numpy as np

from library_check import Library

ODDS = np.log(0.99 / 0.01)
SIDE_M, DAY_H = 400.0, 24.0
NORMAL = NormalDist()


def class_by(edges_h, hour):
    """The last class of arrival that ends by then."""
    return int(np.searchsorted(edges_h, hour, side="right")) - 1


def shifted(mask, row, col, fill):
    """mask[i + row, j + col], and `fill` beyond the grid."""
    out = np.full_like(mask, fill)
    rows, cols = mask.shape
    out[max(0, -row):rows - max(0, row), max(0, -col):cols - max(0, col)] = \
        mask[max(0, row):rows + min(0, row), max(0, col):cols + min(0, col)]
    return out


def distance(mask, most):
    """From each cell to the nearest of the mask, in cells; more than `most`: infinite. First along rows, then across."""
    reach = int(most) + 1
    along = np.where(mask, 0.0, np.inf)
    for col in range(1, reach + 1):
        near = shifted(mask, 0, col, False) | shifted(mask, 0, -col, False)
        along[near & (along > col)] = col
    squared = along ** 2
    for row in range(1, reach + 1):
        for side in (-row, row):
            squared = np.minimum(squared, shifted(along, side, 0, np.inf) ** 2 + row * row)
    return np.where(squared > (reach + 1) ** 2, np.inf, np.sqrt(squared))


def odds_of_front(lava, error_m, cell_m, model_m=0.0):
    """The logarithm of the odds that a cell has lava."""
    sd = max(0.5, np.hypot(error_m, model_m) / cell_m)
    most = 1 + ODDS * sd / (np.pi / np.sqrt(3))
    depth = np.where(lava, distance(~lava, most) - 0.5, 0.5 - distance(lava, most))
    return np.clip(np.pi / np.sqrt(3) * depth / sd, -ODDS, ODDS)


def squares(seen, reach):
    """Cells of `seen` in the square around each."""
    rows, cols = seen.shape
    total = np.zeros((rows + 1, cols + 1))
    total[1:, 1:] = seen.cumsum(0).cumsum(1)
    top, bottom = np.clip(np.arange(rows) - reach, 0, rows), np.clip(np.arange(rows) + reach + 1, 0, rows)
    left, right = np.clip(np.arange(cols) - reach, 0, cols), np.clip(np.arange(cols) + reach + 1, 0, cols)
    return total[bottom][:, right] - total[top][:, right] - total[bottom][:, left] + total[top][:, left]


def divide(sights, cell_m, side_m=SIDE_M, age_h=DAY_H):
    """Sights (hour, odds, all_seen) to what a member gains in each cell, by time; odds NaN: not seen."""
    reach = int(side_m / cell_m / 2)
    gains = []
    for hour, odds, _ in sights:
        def count(sights):
            """Cells of the square that any of them sees."""
            if any(whole for _, _, whole in sights):
                return np.full(odds.shape, float((2 * reach + 1) ** 2))
            return squares(np.any([~np.isnan(other) for _, other, _ in sights], axis=0), reach)

        same = [s for s in sights if s[0] == hour]
        earlier = sum((np.exp(-(hour - t) / age_h) * count([s for s in sights if s[0] == t])
                       for t in {s[0] for s in sights if s[0] < hour}), np.zeros(odds.shape))
        with np.errstate(divide="ignore", invalid="ignore"):
            gains.append(np.nan_to_num(odds / (sum(count([s]) for s in same) * (1 + earlier / count(same)))))
    return gains


def effective(w):
    return w.sum() ** 2 / (w * w).sum()


def temper(log_likelihood, before, share):
    """Weights with an effective number of at least that share, and the power."""
    relative = log_likelihood - log_likelihood[before > 0].max()
    low, high = 0.0, 1.0
    least = share * effective(before)
    if effective(before * np.exp(relative)) >= least:
        return before * np.exp(relative), 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if effective(before * np.exp(middle * relative)) >= least:
            low = middle
        else:
            high = middle
    return before * np.exp(low * relative), low


def philox(seed, stream, i, j):
    """64 bits for each number i (Philox4x32-10)."""
    i = np.asarray(i, np.uint64)
    low = np.uint64(0xFFFFFFFF)
    c = [i & low, i >> np.uint64(32), np.full_like(i, j), np.full_like(i, stream)]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [q >> np.uint64(32) ^ c[1] ^ np.uint64(key[0]), q & low, p >> np.uint64(32) ^ c[3] ^ np.uint64(key[1]), p & low]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0] | c[1] << np.uint64(32)


def daily_errors(seed, members, days, correlation):
    """The normal numbers z of members' rates, an AR(1) process: (members, days)."""
    out = np.zeros((len(members), days))
    for day in range(days):
        u = ((philox(seed, 67, members, day) >> np.uint64(12) << np.uint64(1) | np.uint64(1)).astype(float)) * 2.0 ** -53
        own = np.array([NORMAL.inv_cdf(x) for x in u])
        out[:, day] = own if not day else correlation * out[:, day - 1] + np.sqrt(1 - correlation ** 2) * own
    return out


def rates_gain(rates, seen, factor, correlation, floor=0.0):
    """Of members with these daily rates, by those seen: errors of the logarithm, correlated from day to day."""
    miss = np.log((seen + floor) / (rates + floor)) / np.log(factor)
    new = np.concatenate([miss[:, :1], (miss[:, 1:] - correlation * miss[:, :-1]) / np.sqrt(1 - correlation ** 2)], axis=1)
    return -np.minimum(12, new ** 2 / 2)


def read_blob(blob):
    """Cells of a tile, and their columns: class of arrival, class of thickness, what is more than its floor, at the end."""
    first, rows = blob[24], blob[25]
    at = 32 * first + np.flatnonzero(np.unpackbits(np.frombuffer(blob, np.uint8, 4 * rows, 26), bitorder="little"))
    columns, begin = [], 26 + 4 * rows
    for k in range(4):
        least, bits = struct.unpack_from("<IB", blob, 4 + 5 * k)
        size = (len(at) * bits + 7) // 8
        packed = np.unpackbits(np.frombuffer(blob, np.uint8, size, begin), bitorder="little")[:len(at) * bits]
        columns.append(least + packed.reshape(len(at), bits) @ (1 << np.arange(bits, dtype=np.int64)))
        begin += size
    return at, columns


class Members:
    """The arrivals of all members of a library or one of them, a class for each cell; 65535: no lava. It reads tile by tile."""

    def __init__(self, path, only=None, thickness=False):
        library = Library(path, cells=False)
        self.shape = library.rows, library.cols
        self.edges_h = np.array(library.arrivals) / 3600
        self.number = [m for m in sorted(library.members) if only in (None, m)]
        self.row = library.members
        self.weight = np.array([library.members[m]["weight"] for m in self.number], float)
        self.arrival = np.full((len(self.number), library.rows * library.cols), 65535, np.uint16)
        self.thickness_m = np.zeros(self.arrival.shape, np.float32) if thickness else None
        across, floor = (library.cols + 31) // 32, np.array(library.floor)
        index = {m: i for i, m in enumerate(self.number)}
        cells = sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("SELECT tile_member, blob FROM cells")
        for tile, i, blob in ((key >> 24, index.get(key & 0xFFFFFF), blob) for key, blob in cells):
            if i is None:
                continue
            at, (arrival, classes, more, _) = read_blob(blob)
            place = (tile // across * 32 + at // 32) * library.cols + tile % across * 32 + at % 32
            self.arrival[i, place] = arrival
            if thickness:
                self.thickness_m[i, place] = (floor[classes] + more) / 1024

    def lava(self, i, hour):
        return (self.arrival[i] <= class_by(self.edges_h, hour)).reshape(self.shape)

    def gain(self, gain, hour):
        """Of each member, in all cells that have lava by then."""
        cells = np.flatnonzero(gain)
        return (self.arrival[:, cells] <= class_by(self.edges_h, hour)) @ gain.ravel()[cells]

    def survey_gain(self, seen, share, hour, error_m):
        """Of each member, by how much it misses the thickness in each cell."""
        cells = np.flatnonzero(share)
        there = self.arrival[:, cells] <= class_by(self.edges_h, hour)
        miss = (np.where(there, self.thickness_m[:, cells], 0) - seen.ravel()[cells]) / error_m
        return -(np.minimum(miss ** 2 / 2, ODDS) @ share.ravel()[cells])

    def hot_gain(self, spots, cell_m):
        """Of each member: odds of the spots with lava in their circle by then, each by how many show the same."""
        rows, cols = np.divmod(np.arange(self.arrival.shape[1]), self.shape[1])
        total = np.zeros(len(self.number))
        for hour, row, col, radius, odds in spots:
            def alike(at):
                return sum(np.hypot(row - r, col - c) < radius + q or max(abs(row - r), abs(col - c)) <= SIDE_M / cell_m / 2
                           for h, r, c, q, _ in spots if h == at)

            n = alike(hour) * (1 + sum(np.exp(-(hour - h) / DAY_H) for h in {s[0] for s in spots if s[0] < hour} if alike(h)))
            inside = np.hypot(rows + 0.5 - row, cols + 0.5 - col) <= radius
            inside |= (rows == int(row)) & (cols == int(col))
            total += odds / n * np.any(self.arrival[:, inside] <= class_by(self.edges_h, hour), axis=1)
        return total

    def arrival_gain(self, place, hour, error_h):
        first = self.arrival[:, place]
        low = np.concatenate([[0], self.edges_h])
        high = np.concatenate([self.edges_h, [self.edges_h[-1]]])
        known = np.minimum(first, len(self.edges_h))
        miss = 0.5 * (low[known] + high[known]) - hour
        variance = error_h ** 2 + (high[known] - low[known]) ** 2 / 12
        likely = np.where(first == 65535, 0, np.exp(-0.5 * miss ** 2 / variance))
        return np.log(0.01 + 0.99 * likely)


def write_front(members, i, hour):
    lava = members.lava(i, hour)
    print(f"ncols {lava.shape[1]}\nnrows {lava.shape[0]}\nxllcorner 500000\nyllcorner 4170000\ncellsize 10\n"
          "NODATA_value -9999")
    for row in lava:
        print(" ".join("1" if cell else "0" for cell in row))


def utm33(lat_deg, lon_deg):
    """WGS 84 to UTM zone 33, by the series of Krüger (1912) to n^3."""
    a, f = 6378137.0, 1 / 298.257223563
    n = f / (2 - f)
    lat, lon = np.radians(lat_deg), np.radians(lon_deg - 15)
    e = 2 * np.sqrt(n) / (1 + n)
    t = np.sinh(np.arctanh(np.sin(lat)) - e * np.arctanh(e * np.sin(lat)))
    xi, eta = np.arctan2(t, np.cos(lon)), np.arctanh(np.sin(lon) / np.hypot(1, t))
    alpha = (n / 2 - 2 * n ** 2 / 3 + 5 * n ** 3 / 16, 13 * n ** 2 / 48 - 3 * n ** 3 / 5, 61 * n ** 3 / 240)
    radius = a / (1 + n) * (1 + n ** 2 / 4 + n ** 4 / 64) * 0.9996
    y = xi + sum(k * np.sin(2 * j * xi) * np.cosh(2 * j * eta) for j, k in enumerate(alpha, 1))
    x = eta + sum(k * np.cos(2 * j * xi) * np.sinh(2 * j * eta) for j, k in enumerate(alpha, 1))
    return 500000 + radius * x, radius * y


def read_spots(members, path, cell_m):
    """Hour, row, column and radius in cells, odds; of rows in the grid after hour 0."""
    spots = set()
    with open(path, encoding="utf-8") as f:
        for row in csv.DictReader(f):
            hour = 24 * (int(row["acq_date"][-2:]) - 14) + int(row["acq_time"]) // 100 + int(row["acq_time"]) % 100 / 60 - 22
            x, y = utm33(float(row["latitude"]), float(row["longitude"]))
            at = members.shape[0] - (y - 4170000) / cell_m, (x - 500000) / cell_m
            percent = {"l": 50, "n": 90, "h": 99}.get(row["confidence"]) or min(99, max(50, float(row["confidence"])))
            radius = 500 * np.hypot(float(row["scan"]), float(row["track"])) / cell_m
            if hour > 0 and all(0 <= v < most for v, most in zip(at, members.shape)):
                spots.add((hour, *at, radius, np.log(percent / (100 - percent))))
    return sorted(spots)


def read_survey(members, path):
    """Thickness, NaN: not surveyed; of several points in a cell the thickest."""
    if not path.endswith(".csv"):
        seen = np.loadtxt(path, skiprows=6)
        return np.where(seen == -9999, np.nan, np.maximum(seen, 0))
    seen = np.full(members.shape, np.nan)
    with open(path, encoding="utf-8") as f:
        for row in csv.DictReader(f):
            at = members.shape[0] - 1 - int((float(row["y"]) - 4170000) // 10), int((float(row["x"]) - 500000) // 10)
            seen[at] = np.fmax(seen[at], max(0, float(row["thickness_m"])))
    return seen


def read_sight(members, text):
    kind, rest = text.split("=")
    at, hour, *more = rest.split(",")
    odds = np.full(members.shape, np.nan)
    if kind == "front":
        lava = np.loadtxt(at, skiprows=6) > 0
        odds = odds_of_front(lava, float(more[0]), 10)
        if more[1:]:
            odds[~lava] = np.nan
        return kind, float(hour), odds, not more[1:]
    if kind == "survey":
        return kind, float(hour), read_survey(members, at), False, float(more[0])
    row, col = (int(x) for x in at.split(":"))
    if kind == "dry":
        odds[row, col] = -ODDS
        return kind, float(hour), odds, False
    return kind, float(hour), row * members.shape[1] + col, float(more[0])


def gain_of_rates(members, text):
    seed, rate, factor, seen_factor, *seen = (float(x) for x in text.split("=")[1].split(","))
    z = daily_errors(int(seed), members.number, 1, 0)
    rates = rate * factor ** np.repeat(z, len(seen), axis=1)
    return rates_gain(rates, np.array(seen), seen_factor, 0.7, 0.01 * np.mean(seen)).sum(axis=1)


def gain_of_end(members, text):
    """The last step with lava, of 120 s, is the one in which the drawn end lies."""
    hour, error_h = (float(x) for x in text.split("=")[1].split(","))
    end_h = np.ceil(np.array([float(members.row[m]["eruption_end_h"]) for m in members.number]) * 30 - 1e-9) / 30
    return np.log(0.01 + 0.99 * np.exp(-((end_h - hour) / error_h) ** 2 / 2))


def line_length(lava):
    """Of the outline, in cells: edges between cells, of which a line at any angle has 4 / pi times its length."""
    return np.pi / 4 * ((lava[1:] != lava[:-1]).sum() + (lava[:, 1:] != lava[:, :-1]).sum())


def gain_of_growth(members, texts, cell_m, side_m=SIDE_M, age_h=DAY_H):
    """Of each member, by the growth between fronts (HOUR, lava, ERROR_M) that show all: what the joint density of two areas, of which
    the errors have the correlation r, has more than r / (1 + r) less of each (docs/formats/observations.md)."""
    fronts = sorted({(float(hour), path, float(error_m)) for path, hour, error_m in texts})
    total = np.zeros(len(members.number))
    for hour, path, error_m in fronts:
        earlier = [f for f in fronts if f[0] < hour]
        if not earlier:
            continue
        variance, lava = [], []
        for h, p, e in (earlier[-1], (hour, path, error_m)):
            lava.append(np.loadtxt(p, skiprows=6) > 0)
            variance.append(max(0.5, e / cell_m) ** 2 * side_m / cell_m * line_length(lava[-1]))
        r = np.exp(-(hour - earlier[-1][0]) / age_h)
        grown = [(members.arrival <= class_by(members.edges_h, h)).sum(1) for h in (earlier[-1][0], hour)]
        z2 = ((grown[1] - grown[0]) - (lava[1].sum() - float(lava[0].sum()))) ** 2 / (np.mean(variance) * (1 - r * r) / r)
        total += np.log(0.01 + 0.99 * np.exp(-z2 / 2)) / sum(f[0] == hour for f in fronts)
    return total


def in_the_cell(came, reached, odds):
    """By weights that add up to 1, cells along the last axis: that lava comes, given the odds that it had when the cell was seen. Where it
    was seen dry, and most members had lava, these count as (1 + later) / 2 at most, where `later` is the share of the members without
    lava at the margin to which it still comes; lava comes later as to members without any and, with a tenth of the weight, as there."""
    margin, gain = (np.where(odds < 0, came * part, 0).sum(-1, keepdims=True) for part in (1 - came, reached - came))
    later = np.divide(gain, margin, out=np.zeros_like(gain), where=margin > 0)
    most = (1 + later) / 2
    many = (odds < 0) & (came > most)
    prior = np.where(many, most, came)
    had = np.exp(odds) * prior / (np.exp(odds) * prior + 1 - prior)
    comes = np.where(many, reached - came + 0.1 * later, reached - came)
    return had + np.divide((1 - had) * comes, 1 - came + 0.1 * many, out=np.zeros_like(had), where=(came < 1) | many)


def check_forecast(members, folder, front, place):
    """Of each cell: weights of members with lava when the front was seen count times the odds that it had; inside it lava is."""
    path, hour, error_m = front.split(",")
    with open(f"{folder}/weights.csv", encoding="utf-8") as f:
        weight = np.array([float(row["now"]) for row in csv.DictReader(f)])
    with open(f"{folder}/nowcast_places.csv", encoding="utf-8") as f:
        at_place = float([row["now"] for row in csv.DictReader(f) if not row["within_h"]][0])
    grid = subprocess.run(["gdal_translate", "-q", "-of", "AAIGrid", f"{folder}/probability.tif", "/vsistdout/"], check=True,
                          capture_output=True, text=True).stdout.splitlines()
    found = np.array([[float(x) for x in line.split()] for line in grid if len(line.split()) > 2])
    share = weight / weight.sum()
    came, reached = (share @ (members.arrival <= last) for last in (class_by(members.edges_h, float(hour)), 65534))
    lava = np.loadtxt(path, skiprows=6) > 0
    odds = odds_of_front(lava, float(error_m), 10).ravel()
    p = np.where(lava.ravel(), 1, in_the_cell(came, reached, odds))
    row, col = (int(x) for x in place.split(":"))
    differ = max(abs(np.where(found.ravel() < 0, 0, found.ravel()) - p).max(), abs(at_place - p[row * members.shape[1] + col]))
    print(f"{differ:.2e} cells {abs(p - reached).max():.3f}")


def check_posterior(members, folder, weights):
    """Each range of posterior.csv is one of the members' values of that name: a share of the weights lies below, the rest above."""
    with open(f"{folder}/posterior.csv", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    names = [row["quantity"] for row in rows]
    drawn = next(iter(members.row.values()))
    names_of_library = list(drawn)[list(drawn).index("weight") + 1:list(drawn).index("steps")]
    assert names == [*names_of_library, "area_m2", "runout_m", "emitted_m3"], names
    for row in rows:
        value = np.array([m[row["quantity"]] for m in members.row.values()], dtype=float)
        for when in ("before", "now"):
            weight = np.array([float(w[when]) for w in weights])
            for share in (5, 50, 95):
                at = float(row[f"{when}_p{share:02}"])
                near = 1e-5 * abs(at) + 1e-9
                below, to = (weight[value < at - near].sum() / weight.sum(), weight[value <= at + near].sum() / weight.sum())
                assert below <= share / 100 + 1e-12 and to >= share / 100 - 1e-12, (row, when, share)


def main():
    if sys.argv[1] == "forecast":
        return check_forecast(Members(sys.argv[2]), *sys.argv[3:])
    if sys.argv[1] == "front":
        return write_front(Members(sys.argv[2], int(sys.argv[3])), 0, float(sys.argv[4]))
    if sys.argv[1] == "survey":
        members, row = Members(sys.argv[2], int(sys.argv[3]), thickness=True), int(sys.argv[4])
        print("x,y,thickness_m")
        for col in range(int(sys.argv[5]), int(sys.argv[6])):
            print(f"{500005 + 10 * col},{4171195 - 10 * row},{members.thickness_m[0, row * members.shape[1] + col]}")
        return None
    members = Members(sys.argv[2], thickness=any(text.startswith("survey=") for text in sys.argv[5:]))
    rates = [text for text in sys.argv[5:] if text.startswith("rates=")]
    hot = [text for text in sys.argv[5:] if text.startswith("hot=")]
    ends = [text for text in sys.argv[5:] if text.startswith("end=")]
    sights = sorted((read_sight(members, text) for text in sys.argv[5:] if text not in rates + hot + ends), key=lambda s: s[1])
    total = sum((gain_of_rates(members, text) for text in rates), np.zeros(len(members.number)))
    total += sum(gain_of_end(members, text) for text in ends) / max(1, len(ends))
    total += members.hot_gain(sorted({s for text in hot for s in read_spots(members, text[4:], 10)}), 10)
    cells = [s for s in sights if s[0] != "arrival"]
    ones = [np.where(np.isnan(s[2]), np.nan, 1.0) for s in cells]
    for gain, share, sight in zip(divide([s[1:4] for s in cells], 10),
                                  divide([(s[1], one, s[3]) for s, one in zip(cells, ones)], 10), cells):
        total += (members.survey_gain(np.nan_to_num(sight[2]), share, sight[1], sight[4]) if sight[0] == "survey"
                  else members.gain(gain, sight[1]))
    whole = [text[6:].split(",") for text in sys.argv[5:] if text.startswith("front=") and not text.endswith(",part")]
    total += gain_of_growth(members, whole, 10)
    for _, hour, place, error_h in (s for s in sights if s[0] == "arrival"):
        total += members.arrival_gain(place, hour, error_h)
    weight, power = temper(total, members.weight, float(sys.argv[4]))
    with open(f"{sys.argv[3]}/weights.csv", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    check_posterior(members, sys.argv[3], rows)
    found = np.array([float(row["now"]) for row in rows])
    weight, found = weight / weight.max(), found / found.max()
    print(f"{abs(weight - found).max():.2e} power {power:.4f} spread {weight.min() / weight.max():.3g}")


if __name__ == "__main__":
    main()
