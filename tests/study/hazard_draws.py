"""hazard_draws.py: what `sciara hazard` makes of vents that are drawn anew, by numpy alone, for a volcano of one zone and one class whose
vents have a bandwidth: the 5 and 95 % of the rate of each place, none above those of all eruptions. Prints the largest relative
difference of each.

    hazard_draws.py MAPS LIBRARY-FOLDER VENTS PLACES SEED BANDWIDTH CELL EXTENT
"""

import csv
import json
import sys
from statistics import NormalDist

import numpy as np
from library_check import Library
from nowcast_check import philox

maps, folder, vents_path, places_path, seed, h, cell_m, extent = sys.argv[1:9]
seed, h, cell_m, cells = int(seed), float(h), float(cell_m), int(extent) // int(cell_m)
DRAWS, ZONES = 100, 1 << 16
features = [[f["geometry"]["coordinates"] for f in json.load(open(path))["features"]] for path in (vents_path, places_path)]
past, places = np.array(features[0], float), [tuple(p) for p in features[1]]
corner = np.floor(past.min(axis=0) / 1000) * 1000
middles = corner + (np.stack(np.meshgrid(np.arange(cells), np.arange(cells)), axis=-1).reshape(-1, 2) + 0.5) * cell_m


def kernel(at: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Of each place and point, to a factor."""
    r2 = ((at[:, None] - points[None]) ** 2).sum(axis=2) / h**2
    return np.maximum(0, 1 - r2)


def sharpened(points: np.ndarray) -> np.ndarray:
    k = kernel(points, points)
    return (points + k @ points / k.sum(axis=1, keepdims=True)) / 2


def unit(stream: int, k: int, i: int) -> float:
    return float((int(philox(seed, ZONES + stream, [k], i)[0]) >> 12 << 1 | 1) * 2.0**-53)


def normals(stream: int) -> np.ndarray:
    """Of the middles of equal parts, in an order that is drawn."""
    u = np.zeros(DRAWS)
    for i in range(DRAWS):
        k = int(unit(stream, i, 0) * (i + 1))
        u[i], u[k] = u[k], (i + 0.5) / DRAWS
    return np.array([NormalDist().inv_cdf(x) for x in u])


def gamma(shape: float, normal):
    """Of mean 1, after Wilson and Hilferty."""
    return (1 - 1 / (9 * shape) + normal / (3 * shape**0.5)) ** 3


def quantile(u: float, draws: np.ndarray) -> float:
    return float(np.interp(u * (DRAWS + 1) - 1, np.arange(DRAWS), np.sort(draws)))


def drawn(points: np.ndarray, k: int) -> np.ndarray:
    """As many: each is one of these, and stands where its kernel may have it, turned from the north."""
    u = np.array([unit(500, k, i) for i in range(3 * len(points))]).reshape(-1, 3)
    r, turn = h * np.sqrt(1 - np.sqrt(1 - u[:, 1])), 2 * np.pi * u[:, 2]
    return points[(u[:, 0] * len(points)).astype(int)] + np.stack([-r * np.sin(turn), r * np.cos(turn)], axis=1)


library = Library(f"{folder}/library.gpkg")
opening = list(csv.DictReader(open(f"{maps}/hazard_vents.csv")))
vent = np.array([[float(opening[int(m["vent"]) - 1][c]) for c in "xy"] for m in library.members.values()])
q = np.array([float(opening[int(m["vent"]) - 1]["drawn"]) for m in library.members.values()])
assert len(set(map(tuple, vent))) > 9 and set(map(tuple, vent)) <= set(map(tuple, middles))
kinds = list(csv.DictReader(open(f"{maps}/hazard_eruptions.csv")))
assert len(kinds) == 1
rate, shape = float(kinds[0]["annual_rate"]), float(kinds[0]["shape"])
assert shape > 1000
together, few = rate * gamma(shape, normals(0)), normals(400)


def parts(points: np.ndarray) -> np.ndarray:
    """Of the rate, what each member has by the density of these vents."""
    part = kernel(vent, points).sum(axis=1) / q
    return rate * part / part.sum()


def by_place(part: np.ndarray) -> np.ndarray:
    return np.array([part[reached].sum() for reached in reaches])


# lava stays in the cell of its vent
by_cell = [len(reached) == 1 for reached in library.cells.values()]
assert all(by_cell) and len(by_cell) == len(vent) > 200
reaches = [(np.abs(vent - place) < cell_m / 2).all(axis=1) for place in places]
best = sharpened(past)
mine, as_they_are, sharp = parts(past), by_place(parts(past)), by_place(parts(best))
by_draw = np.array([by_place(parts(sharpened(drawn(best, k)))) for k in range(DRAWS)])
Z95 = 1.6448536269514722
above = set()
for i, row in enumerate(csv.DictReader(open(f"{maps}/hazard_places.csv"))):
    inside = reaches[i]
    expected = {"annual_rate": as_they_are[i]}
    if inside.any():
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = np.where((by_draw[:, i] > 0) | (sharp[i] > 0), np.minimum(sharp[i] / by_draw[:, i], 20) * sharp[i], as_they_are[i])
        p = as_they_are[i] / rate
        n = as_they_are[i] ** 2 / ((1 - p) ** 2 * (mine[inside] ** 2).sum() + p**2 * (mine[~inside] ** 2).sum())
        for name, sign, u in (("p05", -1, 0.05), ("p95", 1, 0.95)):
            bounds = {"vents": (quantile(u, spread), rate), "runs": (as_they_are[i] * gamma(n, sign * Z95), rate),
                      "all": (quantile(u, spread * together / rate * gamma(n, few)), quantile(u, together))}
            above |= {cause for cause, (bound, most) in bounds.items() if bound > 1.01 * most}
            expected |= {f"annual_rate_{name}_{cause}": min(bound) for cause, bound in bounds.items()}
    else:  # of independent runs none
        expected["annual_rate_p95_runs"] = expected["annual_rate_p95_all"] = -np.log(0.05) * (mine**2).sum() / rate
    found = [float(row[name]) for name in expected]
    print(row["place"], np.abs(np.array(found) - list(expected.values())).max() / max(expected.values()))
assert above == {"vents", "all"}, above
