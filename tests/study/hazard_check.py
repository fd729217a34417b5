"""hazard_check.py: what `sciara hazard` finds, from its inputs by numpy alone: the density of past vents and its bandwidth, kinds
and classes of eruptions, and the rates of members and places. Prints the largest relative difference of each. Reads maps
as NAME.asc, which the test has made of them in the current folder.

    hazard_check.py MAPS LIBRARY-FOLDER VENTS CATALOGUE COMPLETE UNTIL CELL EXTENT [PLACE:MEMBERS.csv ...]
"""

import csv
import io
import json
import math
import os
import sys
import zipfile

import numpy as np
from library_check import Library

maps, folder, vents_path, catalogue_path, since, until, cell_m, extent = sys.argv[1:9]
since, until, cell_m, extent = float(since), float(until), float(cell_m), float(extent)


def table(path: str) -> dict[str, np.ndarray]:
    """Its file, or what the record has."""
    folder, name = os.path.split(path)
    text = open(path).read() if os.path.exists(path) else zipfile.ZipFile(f"{folder}/record.zip").read(name).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def number(texts) -> np.ndarray:
    return np.array([float(t) if t else np.nan for t in texts])


def differ(what: str, found, expected) -> None:
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape and np.isfinite(found).all() and np.abs(expected).max() > 0, (what, found, expected)
    print(what, np.abs(found - expected).max() / np.abs(expected).max())


# ---- density: each vent is a list of points

zones, vent_zone, vent_points = [], [], []
for feature in json.load(open(vents_path))["features"]:
    zone, geometry = feature["properties"].get("zone", ""), feature["geometry"]
    if zone not in zones:
        zones.append(zone)
    xy = np.array(geometry["coordinates"], float).reshape(-1, 2)
    if geometry["type"] == "Polygon":
        xy = xy[:-1].mean(axis=0, keepdims=True)
    if geometry["type"] == "LineString":
        at = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))])
        parts = int(np.clip(np.ceil(at[-1] / cell_m), 1, 16))
        middles = (np.arange(parts) + 0.5) * at[-1] / parts
        xy = np.column_stack([np.interp(middles, at, xy[:, 0]), np.interp(middles, at, xy[:, 1])])
    vent_zone.append(zones.index(zone))
    vent_points.append(xy)
vent_zone = np.array(vent_zone)
kinds, opening = table(f"{maps}/hazard_eruptions.csv"), table(f"{maps}/hazard_vents.csv")
middle = np.column_stack([number(opening["x"]), number(opening["y"])])


def kernel(at: np.ndarray, points: np.ndarray, h: float, ratio: float, axis: np.ndarray) -> np.ndarray:
    d = at[:, None, :] - points[None, :, :]
    along, across = d @ axis, d[..., 1] * axis[0] - d[..., 0] * axis[1]
    r2 = (along**2 / ratio + across**2 * ratio) / h**2
    return np.where(r2 < 1, 2 / (np.pi * h**2) * (1 - r2), 0).mean(axis=1)


def score(zone: int, h: float, ratio: float, axis: np.ndarray) -> float:
    mine = [p for p, z in zip(vent_points, vent_zone) if z == zone]
    logs = []
    for i, points in enumerate(mine):
        density = np.mean([kernel(points, other, h, ratio, axis) for k, other in enumerate(mine) if k != i], axis=0)
        with np.errstate(divide="ignore"):
            logs.append(np.log(density).mean())
    return float(np.mean(logs))


shares = []
for z, name in enumerate(zones):
    points, owner = zip(*[(p, len(p)) for p, of in zip(vent_points, vent_zone) if of == z])
    every, weight = np.concatenate(points), np.concatenate([np.full(n, 1 / n) for n in owner])
    moved = every - (weight[:, None] * every).sum(axis=0) / weight.sum()
    values, vectors = np.linalg.eigh((weight[:, None, None] * moved[:, :, None] * moved[:, None, :]).sum(axis=0))
    axis = vectors[:, -1]
    best = (-np.inf, 0, 0)
    for ratio in (1, 1.5, 2, 3, 4):
        k = 0
        while (h := cell_m * 2 ** (k / 4)) <= extent:
            if (found := score(z, h, ratio, axis)) > best[0] + 1e-12:
                best = (found, h, ratio)
            k += 1
    row = int(np.flatnonzero(kinds["zone"] == name)[0])
    differ(f"bandwidth-{z}", [float(kinds["bandwidth_m"][row]), float(kinds["ratio"][row]), float(kinds["score"][row])],
           [best[1], best[2], best[0]])
    sums = sum(kernel(middle, p, best[1], best[2], axis) for p in points)
    shares.append(sums / sums.sum())
    differ(f"density-{z}", number(opening[f"share_{name or 'all'}"]), shares[-1])
shares = np.array(shares)

# ---- eruptions

catalogue = table(catalogue_path)
day = np.timedelta64(1, "D")
year = np.array([1970 + (np.datetime64(t) - np.datetime64("1970-01-01")) / day / 365.2425 if "-" in t else float(t) for t in catalogue["date"]])
error = number(catalogue["error_y"])
volume, hours, rate = (number(catalogue[c]) for c in ("volume_m3", "duration_h", "mean_rate_m3_s"))
duration = np.where(np.isnan(hours), volume / rate, hours * 3600)
volume = np.where(np.isnan(volume), duration * rate, volume)
q = np.array([math.erfc((since - y) / (s * 2**0.5)) / 2 if s > 0 else float(y >= since) for y, s in zip(year, error)])
zone_of = np.array([zones.index(t) if t in zones else (0 if zones == [""] else -1) for t in catalogue["zone"]])
known = zone_of >= 0
part = np.array([q[zone_of == k].sum() for k in range(len(zones))]) / q[known].sum()
sized = ~np.isnan(volume) & (q > 0)
order = np.argsort(volume[sized], kind="stable")
v, d = volume[sized][order], duration[sized][order]
usual = np.exp(np.nanmean(np.log(v / d)))
classes = min(5, len(v))
groups = [slice(len(v) * j // classes, len(v) * (j + 1) // classes) for j in range(classes)]
middle_volume = np.array([np.exp(np.log(v[g]).mean()) for g in groups])
middle_rate = [np.exp(np.nanmean(np.log(v[g] / d[g]))) if np.isfinite(d[g]).any() else usual for g in groups]
nearest = [np.argmin(np.abs(np.log(x / middle_volume))) for x in v]
# of each volume, how much of its eruptions is in each group
within = {x: [float((v[g] == x).sum() / (v == x).sum()) for g in groups] for x in v}
assert any(within[x][k] == 0 for x, k in zip(v, nearest))
count = lambda use: sum(q[i] * np.array(within[volume[i]]) for i in np.flatnonzero(use & sized))
pooled = count(np.ones(len(q), bool))
shape, years, share = [], [], []
for k in range(len(zones)):
    mine = q * np.where(known, zone_of == k, part[k])
    a = mine.sum() + 0.5 / len(zones)
    shrink = a / (a + (mine * (1 - mine)).sum())
    shape.append(a * shrink)
    years.append((until - since) * shrink)
    own = count(zone_of == k)
    share.append((own + pooled / pooled.sum()) / (own.sum() + 1))
shape, years, share = np.array(shape), np.array(years), np.array(share)
differ("shapes", number(kinds["shape"]), np.repeat(shape, classes))
differ("periods", number(kinds["period_y"]), np.repeat(years, classes))
differ("rates", number(kinds["annual_rate"]), np.repeat(shape / years, classes))
differ("shares", number(kinds["share"]), share.ravel())
differ("volumes", number(kinds["volume_m3"]), np.tile(middle_volume, len(zones)))
differ("durations", number(kinds["duration_h"]), np.tile(middle_volume / middle_rate / 3600, len(zones)))

# ---- members and places

mean = shape / years
likely = (mean / mean.sum()) @ shares
drawn = likely / likely.sum() / 2 + np.sqrt(likely) / np.sqrt(likely).sum() / 2
differ("drawn", number(opening["drawn"]), drawn)
drawn_class = (mean / mean.sum()) @ share / 2 + 0.5 / classes
library = Library(f"{folder}/library.gpkg")
members = {name: np.array([m[name] for m in library.members.values()]) for name in library.members[0]}
vent = members["vent"].astype(int) - 1
size = np.array([int(t.removeprefix("size_")) - 1 for t in members["class"]])
w = shares[:, vent] * share[:, size] / drawn[vent] / drawn_class[size]
differ("weights", members["weight"].astype(float) / 2**18, np.maximum(np.rint(2**18 * (mean / mean.sum()) @ w), 1) / 2**18)
parts = w / w.sum(axis=1, keepdims=True) * mean[:, None]
# lava that leaves the terrain: how often, and how broad 95 % of those flows are
gone, area, runout = (members[c].astype(float) for c in ("volume_off_terrain_m3", "area_m2", "runout_m"))
gone = gone > 0
assert 0 < gone.sum() < len(gone)
broad, by = (area / runout)[gone], parts[:, gone].sum(axis=0)
order = np.argsort(broad)
half, p95 = (broad[order][np.searchsorted(np.cumsum(by[order]) / by.sum(), u)] for u in (0.5, 0.95))
assert math.ceil(half / cell_m) < math.ceil(p95 / cell_m)
summary = json.load(open(f"{maps}/summary.json"))["hazard"]
differ("leaves", [summary["annual_rate_off_terrain"]], [by.sum()])
differ("margin", [summary["margin_m"]], [max(1, math.ceil(p95 / cell_m)) * cell_m])
places = table(f"{maps}/hazard_places.csv")
flows, cells = table(f"{maps}/hazard_flows.csv"), int(sys.argv[8]) ** 2 // int(cell_m) ** 2
everywhere = sum(parts[:, m].sum() * len(reached) for m, reached in library.cells.items())
by_cell = {tuple(m): d for m, d in zip(middle, likely)}
for of in sys.argv[9:]:
    name, path = of.split(":")
    reached = np.isin(members["member"], table(path)["member"].astype(int))
    assert 0 < reached.sum() < len(reached), name
    row = int(np.flatnonzero(places["place"] == name)[0])
    expected = parts[:, reached].sum()
    differ(f"place-{name}", [float(places["annual_rate"][row])], [expected])
    # a flow that covers that cell alone
    x, y = json.load(open(f"{maps}/../../../made/places.json"))["features"][row]["geometry"]["coordinates"]
    found = [float(flows[c][row]) for c in ("score", "score_of_vents")]
    differ(f"flow-{name}", found, [math.log(0.99 * cells * p + 0.01) for p in (expected / everywhere, by_cell[x, y] / likely.sum())])
    of_50 = -math.expm1(-50 * expected)
    assert float(flows[f"in_class_{1 + sum(of_50 > 10.0**k for k in range(-4, 0))}"][row]) == 1
    for t in ("1", "50"):
        differ(f"years-{name}-{t}", [float(places[f"probability_{t}y"][row])], [1 - np.exp(-expected * float(t))])
# all other columns, of points
weights, causes = members["weight"].astype(float), ("frequency", "vents", "runs", "all")
for feature in json.load(open(f"{maps}/../../../made/places.json"))["features"]:
    if feature["geometry"]["type"] != "Point":
        continue
    name, (x, y) = feature["properties"]["name"], feature["geometry"]["coordinates"]
    row = {c: v[int(np.flatnonzero(places["place"] == name)[0])] for c, v in places.items()}
    at = (int(extent // cell_m) - 1 - int(y - 4170000) // int(cell_m)) * int(extent // cell_m) + int(x - 500000) // int(cell_m)
    here = [next((c[2] for c in reached if c[0] == at), -1) for reached in library.cells.values()]
    by_zone = parts[:, np.array(here) >= 0].sum(axis=1)
    whole, above = by_zone.sum(), [weights[np.array(here) > k].sum() for k in range(-1, len(library.edges))]
    wanted = {"annual_rate": whole, "return_period_y": 1 / whole if whole else None}
    wanted |= {f"part_{z}": part / (whole or 1) for z, part in zip(zones, by_zone)}
    low, high = ({c: float(row[f"annual_rate_{p}_{c}"]) for c in causes} for p in ("p05", "p95"))
    assert row["driver"] == (max(causes[:3], key=lambda c: high[c] - low[c]) if whole else "")
    assert low["all"] < whole < high["all"] if whole else low["all"] == 0 < high["all"]
    for t in ("1", "10", "50"):
        chance = [-math.expm1(-float(t) * rate) for rate in (whole, low["all"], high["all"])]
        wanted |= {f"probability_{t}y{end}": p for end, p in zip(("", "_p05", "_p95"), chance)}
        likely_edges = sum(-math.expm1(-float(t) * whole * a / above[0]) >= 0.1 for a in above[1:]) if whole else 0
        wanted[f"thickness_{t}y_m"] = library.edges[likely_edges - 1] if likely_edges else None
    assert len(row) == len(wanted) + 11, set(row) - set(wanted)
    for column, value in wanted.items():
        assert row[column] == "" if value is None else abs(float(row[column]) - value) <= 1e-5 * value, (name, column, row[column], value)

# ---- maps, cell by cell

side = int(extent // cell_m)


def layer(name: str) -> np.ndarray:
    head, rows = {}, open(f"{name}.asc").read().splitlines()
    while rows[0][0].isalpha():
        key, value = rows.pop(0).split()
        head[key.lower()] = value
    values = np.array([row.split() for row in rows], float)
    assert values.shape == (side, side)
    nodata = float(head.get("nodata_value", "nan"))
    return np.where(values == nodata, np.nan, values)


by_zone, left = np.zeros((len(zones), side * side)), np.zeros(side * side, bool)
weight, exceeds = members["weight"].astype(float), np.zeros((len(library.edges) + 1, side * side))
for i, reached in enumerate(library.cells.values()):
    at, classes = np.array([c[0] for c in reached]), np.array([c[2] for c in reached])
    by_zone[:, at] += parts[:, i, None]
    left[at] |= gone[i]
    exceeds[0, at] += weight[i]
    for k in range(len(library.edges)):
        exceeds[k + 1, at] += weight[i] * (classes > k)
by_zone, left, exceeds = by_zone.reshape(-1, side, side), left.reshape(side, side), exceeds.reshape(-1, side, side)
rate = by_zone.sum(axis=0)
lava = rate > 0
with np.errstate(divide="ignore", invalid="ignore"):
    highest = (-np.expm1(-50 * rate * exceeds[1:] / exceeds[0]) >= 0.1).sum(axis=0)
thickest = np.concatenate([[np.nan], library.edges])[highest]
next_vent = np.full((side, side), np.nan)
for (x, y), density in zip(middle, likely / likely.sum() / (cell_m * 1e-3) ** 2):
    next_vent[side - 1 - int(y % 1000 // cell_m) % side, int(x % 1000 // cell_m)] = density
rates_of = {name: (layer(f"annual_rate_p05_{name}"), layer(f"annual_rate_p95_{name}")) for name in ("frequency", "vents", "runs")}
spread = np.array([high - low for low, high in rates_of.values()])
assert len(set(np.nanargmax(spread[:, lava], axis=0))) == 3
for name, values in {"annual_rate": rate, "return_period_y": 1 / np.where(lava, rate, np.nan), "probability_50y": -np.expm1(-50 * rate),
                     "zone_1": by_zone[0] / np.where(lava, rate, np.nan), "thickness_50y_m": thickest, "vent_opening": next_vent,
                     "driver": 1 + np.where(lava, np.argmax(np.nan_to_num(spread), axis=0), np.nan)}.items():
    found, values = layer(name), np.where(lava | (name == "vent_opening"), values, np.nan)
    there = values > 0 if name in ("vent_opening", "thickness_50y_m", "zone_1") else lava
    assert 20 < there.sum() < lava.size, (name, there.sum())
    assert (np.isnan(found) | (found == 0) == ~there).all(), name
    differ(f"map-{name}", found[there], values[there])
# around lava at the border alone
border = np.ones((side, side), bool)
border[1:-1, 1:-1] = False
rows, cols = np.nonzero(left & border)
assert len(rows) and (left & ~border).sum() > len(rows)
all_rows, all_cols = np.indices((side, side))
far = math.floor((summary["margin_m"] / cell_m) ** 2 + 1e-9)
near = ((all_rows[..., None] - rows) ** 2 + (all_cols[..., None] - cols) ** 2).min(axis=2) <= far
assert 0 < near.sum() < (left | near).sum()
assert (np.nan_to_num(layer("margin")) == near).all()
assert (number(flows["area_m2"]) == cell_m**2).all() and list(flows["year"]) == ["1980", "", ""]
gain = number(flows["score"]) - number(flows["score_of_vents"])
assert len(gain) > 2
differ("gain", [summary["past_flows"][k] for k in ("mean_gain", "mean_gain_error")], [gain.mean(), gain.std(ddof=1) / len(gain) ** 0.5])
