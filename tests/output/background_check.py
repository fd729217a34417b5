"""background_check.py — files for a background, and what became of them, by Python alone.

background_check.py make GRID FILE; large GRID FILE: 2,000 buildings and 900 roads; record GRID FILE FOLDER; report FOLDER; globe FOLDER KMZ; names MAP.svg;
legend MAP.svg WORDS...; extent GRID SHARES; rates RATES.csv DATE SUMMARY MAP.svg; gis FOLDER FOLDER: record, and GeoJSON with the project of QGIS;
kinds FOLDER LANGUAGE: what that calls them; vectors FOLDER MAP.svg: lines and areas are paths."""
import csv
import json
import math
import re
import sys
import xml.etree.ElementTree as xml
import zipfile


def grid(path):
    with open(path) as f:
        info = json.load(f)
    return [info[k] for k in ("west_m", "south_m", "cell_m", "cols", "rows")]


def feature(kind, xy, **properties):
    return {"type": "Feature", "properties": properties, "geometry": {"type": kind, "coordinates": xy}}


def write(path, features):
    with open(path, "w") as f:
        json.dump({"type": "FeatureCollection", "features": features}, f)


def ring(x, y, r, corners):
    at = [[x + r * math.cos(2 * math.pi * i / corners), y + r * math.sin(2 * math.pi * i / corners)] for i in range(corners)]
    return [at + at[:1]]


def make(dem, path):
    west, south, cell, cols, rows = grid(dem)
    wide, high = cols * cell, rows * cell
    at = lambda x, y: [west + x * wide, south + y * high]  # shares of the terrain
    bend = [at(-0.2 + 1.4 * i / 400, 0.5 + 0.1 * math.sin(i / 40)) for i in range(401)]
    write(path, [
        feature("LineString", bend, highway="primary_link", name="Main road"),
        feature("LineString", [at(0.1, 0.1), at(0.4, 0.1)], highway="residential"),
        feature("LineString", [at(0.1, 0.9), at(0.4, 0.8)], highway="path"),
        feature("LineString", [at(0.7, -0.5), at(0.7, 1.5)], waterway="stream", name="Brook"),
        feature("Polygon", ring(*at(0.2, 0.3), 0.08 * wide, 60), natural="water", name="Lake"),
        feature("Polygon", ring(*at(0.85, 0.2), 3 * cell, 4), building="yes"),
        feature("Polygon", ring(*at(0.9, 0.3), 0.1 * cell, 4), building="hut"),
        feature("LineString", [at(0, 0.02), at(1, 0.02)], natural="coastline"),
        feature("LineString", [at(0.05, 0.95), at(0.2, 0.97)], unknown="fence"),
        *(feature("Point", at(0.3 + 0.001 * i, 0.6), place="hamlet", name=f"Hamlet {i}") for i in range(1, 13)),
        feature("Point", at(0.9, 0.9), place="hamlet", name="Hamlet"),
        feature("Point", at(0.3, 0.6), place="village", name="Village <&>"),
        feature("Point", at(0.5, 0.2), highway="crossing"),
    ])


def large(dem, path):
    west, south, cell, cols, rows = grid(dem)
    at = lambda i, n: (west + cols * cell * (i * 0.618034 % 1), south + rows * cell * (i * 0.754878 % 1))
    houses = [feature("Polygon", ring(*at(i, 1), 0.3 * cell, 4), building="yes") for i in range(2000)]
    roads = [feature("LineString", [[at(i, 1)[0] + k * 37 % 60, at(i, 1)[1] + k * 53 % 70] for k in range(80)],
                     highway="residential", name=f"Road {i % 50}") for i in range(900)]
    write(path, houses + roads)


def away(p, a, b):
    """Of a position from a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy or 1)
    t = max(0, min(1, t))
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def farthest(of, from_, inside):
    """Of what is `inside`, how far it is from the other line at most."""
    if len(of) < 9:
        of = [[a[k] + i / 100 * (b[k] - a[k]) for k in (0, 1)] for a, b in zip(of, of[1:]) for i in range(101)]
    return max(min(away(p, a, b) for a, b in zip(from_, from_[1:])) for p in of if inside(p))


def record(dem, path, folder):
    west, south, cell, cols, rows = grid(dem)
    east, north = west + cols * cell, south + rows * cell
    there = json.loads(zipfile.ZipFile(f"{folder}/record.zip").read("record.json"))
    with open(path) as f:
        given = json.load(f)["features"]
    shown = {}
    for f in there["background"]:
        shown.setdefault((f["look"], f["label"]), []).append(f)
    assert {key: len(of) for key, of in shown.items()} == {
        ("main_road", "Main road"): 1, ("road", ""): 1, ("track", ""): 1, ("river", "Brook"): 1, ("water", "Lake"): 1,
        ("building", ""): 2, ("coast", ""): 1, ("line", ""): 1, ("place", "Village <&>"): 1, ("place", "Hamlet"): 1, **{("place", f"Hamlet {i}"): 1 for i in range(1, 13)}}, shown.keys()
    sizes = {f["properties"]["name"]: ["city", "town", "village", "suburb", "hamlet"].index(f["properties"]["place"])
             for f in given if "place" in f["properties"]}
    ranks = [sizes[f["label"]] for f in there["background"] if f["look"] == "place"]
    assert ranks == sorted(ranks) and len(set(ranks)) == 2, ranks
    inside = lambda p: west <= p[0] <= east and south <= p[1] <= north
    lines = {f["properties"].get("name"): f["geometry"]["coordinates"] for f in given}
    lines["Lake"] = lines["Lake"][0]
    saved = 0
    for name in ("Main road", "Brook", "Lake"):
        (f,) = [f for (_, label), of in shown.items() for f in of if label == name]
        xy = list(zip(f["xy"][::2], f["xy"][1::2]))
        assert len(f["parts"]) == 1 and f["parts"][0] == len(xy) and all(map(inside, xy)), name
        detail = cell / 4 + cell / 8 * math.sqrt(2)  # and what is rounded off
        assert farthest(lines[name], xy, inside) <= detail and farthest(xy, lines[name], inside) <= detail, name
        saved += len(lines[name]) - len(xy)
    assert saved > 100, saved  # (a bend of 401 positions needs no more than a few of them)
    dots = [f for f in shown["building", ""] if len(f["xy"]) == 2]
    assert len(dots) == 1  # the hut
    maps = [p for p in there["pictures"] if p["kind_of_picture"] in ("map", "report", "layers")]
    assert len(maps) > 2 and all(p.get("background") == 1 for p in maps), [p["name"] for p in maps]


def report(folder):
    """The page has what the record has, in cells from the north-west corner."""
    with open(f"{folder}/report.html") as f:
        facts = json.loads(re.search(r'id="facts">(.*?)</script>', f.read(), re.S)[1])
    there = json.loads(zipfile.ZipFile(f"{folder}/record.zip").read("record.json"))["background"]
    g, shown = facts["grid"], facts["background"]["features"]
    assert [(f["look"], f.get("name", "")) for f in shown] == [(f["look"], f["label"]) for f in there]
    assert {f["look"] for f in shown} <= facts["background"]["looks"].keys() and len(shown) > 8
    for f, of in zip(shown, there):
        xy = [v for part in f["parts"] for v in part]
        assert [len(part) for part in f["parts"]] == [2 * n for n in of["parts"]]
        for i, cells in enumerate(xy):
            metres = g["south_m"] + (g["rows"] - cells) * g["cell_m"] if i % 2 else g["west_m"] + cells * g["cell_m"]
            assert abs(metres - of["xy"][i]) <= 0.006 * g["cell_m"], (f["look"], i)


def utm33(lon, lat):
    """Easting and northing by the series of Krueger, to a millimetre."""
    n, k = 1 / 595.514459, 0.9996 * 6367449.145823
    e = 2 * math.sqrt(n) / (1 + n)
    t = math.sinh(math.atanh(math.sin(math.radians(lat))) - e * math.atanh(e * math.sin(math.radians(lat))))
    away = math.radians(lon - 15)
    x, y = math.atan2(t, math.cos(away)), math.atanh(math.sin(away) / math.hypot(1, t))
    a = [n / 2 - 2 / 3 * n**2 + 5 / 16 * n**3, 13 / 48 * n**2 - 3 / 5 * n**3, 61 / 240 * n**3]
    north = x + sum(a[j] * math.sin(2 * (j + 1) * x) * math.cosh(2 * (j + 1) * y) for j in range(3))
    east = y + sum(a[j] * math.cos(2 * (j + 1) * x) * math.sinh(2 * (j + 1) * y) for j in range(3))
    return [500000 + k * east, k * north]


def globe(folder, path):
    """A KMZ has what the record has, but for dots without a name."""
    tree = xml.fromstring(zipfile.ZipFile(path).read("doc.kml"))
    tag = "{http://www.opengis.net/kml/2.2}"
    marks = [m for m in tree.iter(tag + "Placemark") if "#background_" in m.find(tag + "styleUrl").text]
    there = [f for f in json.loads(zipfile.ZipFile(f"{folder}/record.zip").read("record.json"))["background"]
             if f["label"] or len(f["xy"]) > 2]
    assert len(marks) == len(there) > 8, (len(marks), len(there))
    styles = {s.get("id") for s in tree.iter(tag + "Style")}
    for mark, f in zip(marks, there):
        look = mark.find(tag + "styleUrl").text[1:]
        assert look == "background_" + f["look"] and look in styles and (mark.find(tag + "name").text or "") == f["label"]
        at = [v for c in mark.iter(tag + "coordinates") for p in c.text.split() for v in utm33(*map(float, p.split(",")[:2]))]
        assert len(at) == len(f["xy"]) and all(abs(a - b) < 0.05 for a, b in zip(at, f["xy"])), (look, at[:2], f["xy"][:2])


def turn(ring):
    """Twice the area to the left of a closed ring."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, ring[1:]))


def gis(folder, of):
    """All features in their order, kind and place, rings by RFC 7946; and a symbol of the project for each."""
    there = json.loads(zipfile.ZipFile(f"{folder}/record.zip").read("record.json"))["background"]
    with open(f"{of}/background.geojson") as f:
        features = json.load(f)["features"]
    assert len(features) == len(there) > 8
    drawn = set()
    for f, r in zip(features, there):
        assert f["properties"]["kind"] == r["look"] and f["properties"].get("name", "") == r["label"]
        shape, xy = f["geometry"]["type"], f["geometry"]["coordinates"]
        assert shape == {1: "MultiPoint"}.get(len(r["xy"]) // 2, shape)
        if shape == "MultiPolygon":
            xy = [ring for polygon in xy for ring in polygon]
            assert all(ring[0] == ring[-1] and (turn(ring) > 0) == (i == 0) for i, ring in enumerate(xy))
        flat = sorted(xy if shape == "MultiPoint" else [p for part in xy for p in part])
        at, own = [utm33(*p) for p in flat], list(zip(r["xy"][::2], r["xy"][1::2]))
        assert len(at) == len(own) and all(min(math.dist(p, q) for q in own) < 0.05 for p in at), r["look"]
        drawn.add((shape.removeprefix("Multi"), r["look"]))
    tree = xml.fromstring(zipfile.ZipFile(f"{of}/run.qgz").read("run.qgs"))
    layers = [m for m in tree.iter("maplayer") if m.findtext("datasource").startswith("./background.geojson|geometrytype=")]
    styled = {(m.findtext("datasource").split("=")[1], c.get("value")) for m in layers for c in m.iter("category")}
    assert styled == drawn and len(layers) == 3, (styled ^ drawn)
    for m in layers:
        assert {c.get("symbol") for c in m.iter("category")} == {s.get("name") for s in m.iter("symbol")}
    listed = [n.get("id") for n in tree.iter("layer-tree-layer")]
    order = [listed.index(m.findtext("id")) for m in layers]
    assert order == sorted(order) and listed.index("layer_vents_1") < order[0]
    assert max(order) == len([n for n in tree.find("layer-tree-group").iter("layer-tree-layer")]) - 2  # the relief is below


def kinds(of, language):
    names = {"en": {"main_road": "main road", "road": "road", "track": "track", "river": "river", "water": "water", "coast": "coast",
                    "building": "building", "place": "place", "line": "other line"},
             "it": {"main_road": "strada principale", "road": "strada", "track": "sentiero o pista", "river": "fiume", "water": "acqua",
                    "coast": "costa", "building": "edificio", "place": "luogo", "line": "altra linea"}}[language]
    tree = xml.fromstring(zipfile.ZipFile(f"{of}/run.qgz").read("run.qgs"))
    layers = [m for m in tree.iter("maplayer") if "background.geojson" in m.findtext("datasource")]
    said = {c.get("value"): c.get("label") for m in layers for c in m.iter("category")}
    assert said == names, said


def paths_of(path, colour):
    """Of that colour the positions of each piece."""
    found = []
    for e in xml.parse(path).iter():
        of = e.get("style", "") + " " + " ".join(f"{k}:{v};" for k, v in e.attrib.items())
        percent = [round(float(v) * 2.55) for m in re.findall(r"(?:stroke|fill):rgb\(([^)]*)\)", of) for v in re.findall(r"([\d.]+)%", m)]
        if list(colour) in [percent[i:i + 3] for i in range(0, len(percent), 3)]:
            a, _, _, d, x0, y0 = map(float, re.findall(r"[-\d.e]+", e.get("transform", "matrix(1,0,0,1,0,0)")[7:]))
            for piece in re.split(r"M", e.get("d", ""))[1:]:
                found.append([(x0 + a * float(x), y0 + d * float(y)) for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", piece)])
    return found


def vectors(folder, path):
    """The road is a path along the positions of the record, in one scale; the lake is filled; each building is there."""
    there = json.loads(zipfile.ZipFile(f"{folder}/record.zip").read("record.json"))["background"]
    of = lambda look: [list(zip(f["xy"][::2], f["xy"][1::2])) for f in there if f["look"] == look]
    (road,), (lake,) = of("main_road"), of("water")
    drawn = [max(paths_of(path, (255, 255, 253)), key=len), max(paths_of(path, (163, 196, 222)), key=len)]
    (x0, y0), (x1, _) = min(drawn[0]), max(drawn[0])
    scale = (x1 - x0) / (max(road)[0] - min(road)[0])
    assert scale > 0 and len(road) > 4 and len(lake) > 4
    for record_xy, on_page in zip((road, lake), drawn):
        at = [(x0 + scale * (x - min(road)[0]), y0 - scale * (y - min(road)[1])) for x, y in record_xy]
        assert len(on_page) > 4 and max(min(math.dist(p, q) for q in on_page) for p in at) < 0.3, (len(on_page), at[:2], on_page[:2])
    houses = [p for p in paths_of(path, (72, 70, 76)) if len(p) > 0]
    assert len(houses) >= 2 + 1, houses  # a square, a dot; and the sample of the legend


def texts_of(path):
    return [e.text for e in xml.parse(path).iter() if e.text and e.tag.endswith("text")]


def legend(path, *words):
    has = {t for t in texts_of(path) if t in ("road", "river or lake", "coast", "building")}
    assert has == set(words), has


def extent(dem, shares):
    west, south, cell, cols, rows = grid(dem)
    x0, y0, x1, y1 = map(float, shares.split(","))
    print(f"{west + x0 * cols * cell},{south + y0 * rows * cell},{west + x1 * cols * cell},{south + y1 * rows * cell}")


def rates(path, day, summary, picture):
    with open(summary) as f:
        about = json.load(f)
    hours = about["run"]["time_s"] / 3600
    with open(path) as f:
        rows = [list(map(float, row)) for row in csv.reader(f) if row and row[0][0].isdigit()]
    m3 = sum(rate * 3600 * max(0, min(until, hours) - start) for _, start, until, rate in rows)
    assert 1e4 < m3 < 1e5 and abs(m3 - about["emission"]["asked_m3"]) < 1e-6 * m3
    said = f"Effusion rates: {round(m3):,} m³ in {int(hours)} h {round(hours % 1 * 60)} min from {day} 21:00 UTC;"
    assert said in " ".join(texts_of(picture)), (said, texts_of(picture))


def names(path):
    texts = texts_of(path)
    for name in ("Main road", "Brook", "Lake", "Village <&>", "Hamlet", "road", "river or lake", "coast", "building"):
        assert name in texts, (name, texts)
    assert not {f"Hamlet {i}" for i in range(1, 13)} <= set(texts), texts  # where the village is, which has room first


{"make": make, "large": large, "record": record, "report": report, "globe": globe, "names": names, "legend": legend, "extent": extent, "rates": rates,
 "gis": gis, "kinds": kinds, "vectors": vectors}[sys.argv[1]](*sys.argv[2:])
