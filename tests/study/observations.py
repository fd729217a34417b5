#!/usr/bin/env python3
"""observations.py — observations in the forms of the services that publish them, and an independent reader of these forms.

    observations.py make FOLDER     writes the files, and the lines of a plan that name them to FOLDER/lines
    observations.py read FOLDER     reads the files by osgeo, json, zipfile and csv: a mask for each front and a plain table for
                                    each list of hot spots, and the lines of a plan that name these to FOLDER/plain

Terrain of 48 x 48 cells of 10 m from 500000, 4170000 in UTM 33N; the eruption begins on 2021-09-19 at 14:00 UTC.
"""
import csv
import datetime
import io
import json
import os
import sys
import zipfile

import numpy as np
from osgeo import gdal, ogr, osr

gdal.UseExceptions()
ogr.UseExceptions()
osr.UseExceptions()
SIDE, WEST, SOUTH, CELL = 48, 500000.0, 4170000.0, 10.0
START = datetime.datetime(2021, 9, 19, 14, tzinfo=datetime.timezone.utc)
UTM, DEGREES = osr.SpatialReference(), osr.SpatialReference()
UTM.ImportFromEPSG(32633)
DEGREES.ImportFromEPSG(4326)
for crs in (UTM, DEGREES):
    crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
TO_DEGREES = osr.CoordinateTransformation(UTM, DEGREES)


def after(minutes):
    return START + datetime.timedelta(minutes=minutes)


def area(number, ring=False):
    """A polygon around the vent, larger with its number; `ring`: what it has more than the one before."""
    def corners(n):
        return [(500203 + 3.1 * n, 4170243 - 17.3 * n), (500213 + 9.7 * n, 4170271 + 2.2 * n),
                (500193 - 4.3 * n, 4170263 + 8.6 * n), (500177 - 8.9 * n, 4170239 - 5.1 * n)]
    polygon = ogr.Geometry(ogr.wkbPolygon)
    for n in (number, number - 1) if ring and number > 1 else (number,):
        line = ogr.Geometry(ogr.wkbLinearRing)
        for x, y in corners(n) + corners(n)[:1]:
            line.AddPoint_2D(x, y)
        polygon.AddGeometry(line)
    return polygon


def write(path, driver, layer, features, crs=UTM, kinds={}, options=[]):
    """features: (geometry in UTM or None, {name: value})."""
    d = ogr.GetDriverByName(driver)
    data = d.Open(path, 1) if os.path.exists(path) else d.CreateDataSource(path)
    named = [g for g, _ in features if g]
    out = data.CreateLayer(layer, crs if named else None, named[0].GetGeometryType() if named else ogr.wkbNone, options)
    for name in features[0][1]:
        out.CreateField(ogr.FieldDefn(name, kinds.get(name, ogr.OFTString)))
    for geometry, values in features:
        feature = ogr.Feature(out.GetLayerDefn())
        for name, value in values.items():
            if value is not None:
                feature.SetField(out.GetLayerDefn().GetFieldIndex(name), value)
        if geometry:
            geometry = geometry.Clone()
            if crs is DEGREES:
                geometry.Transform(TO_DEGREES)
            feature.SetGeometry(geometry)
        out.CreateFeature(feature)
    out = data = None


def pack(path, folder, names, inside=""):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name in sorted(os.listdir(folder)):
            if any(name.startswith(n) for n in names):
                z.write(os.path.join(folder, name), inside + name)


def geojson(path, features, crs=DEGREES, named=False):
    out = []
    for geometry, values in features:
        geometry = geometry.Clone()
        if crs is DEGREES:
            geometry.Transform(TO_DEGREES)
        out.append({"type": "Feature", "properties": values, "geometry": json.loads(geometry.ExportToJson(["COORDINATE_PRECISION=10"]))})
    whole = {"type": "FeatureCollection", "features": out}
    if named:
        whole["crs"] = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}
    with open(path, "w") as f:
        json.dump(whole, f)


# ---- fronts: (line behind the key, how an independent reader takes them)

def make_fronts(d):
    lines = []

    def line(text):
        lines.append(text)
    ms = [int(after(30 + 10 * n).timestamp() * 1000) for n in range(4)]
    # a feature service: milliseconds; each date has the new lava
    geojson(f"{d}/service.geojson", [(area(n, True), {"OBJECTID": n, "date": ms[n - 1], "tipo": "colada"}) for n in (1, 2, 3)])
    line("observed_fronts service.geojson date date increments error_m 20")
    # the same form with totals, ISO dates with a zone, and other features
    geojson(f"{d}/zones.geojson", [(area(1), {"day": after(71).astimezone(datetime.timezone(datetime.timedelta(hours=-10))).isoformat(), "kind": "lava"}),
                                   (area(2), {"day": after(72).strftime("%Y-%m-%dT%H:%M:%S.250Z"), "kind": "lava"}),
                                   (area(9), {"day": None, "kind": "cone"})], UTM, True)
    line("observed_fronts zones.geojson date day where 'kind = ''lava''' error_m 20")
    # days alone, as numbers, as texts and as dates of a Shapefile, from the day after
    geojson(f"{d}/days.geojson", [(area(n), {"DATE": 20210919 + n}) for n in (1, 2)])
    line("observed_fronts days.geojson date date error_m 20 correlation_m 100")
    write(f"{d}/survey.shp", "ESRI Shapefile", "survey", [(area(n), {"MAPPED": f"2021/09/{22 + n}"}) for n in (1, 2)], kinds={"MAPPED": ogr.OFTDate})
    line("observed_fronts survey.shp date mapped error_m 30 part")
    write(f"{d}/flows.gpkg", "GPKG", "vents", [(area(7), {"when": "2021/09/25 01:00:00"})], kinds={"when": ogr.OFTDateTime})
    write(f"{d}/flows.gpkg", "GPKG", "lava flow", [(area(n), {"when": f"2021/09/25 0{n}:00:00+00", "source": "drone"}) for n in (2, 3)],
          kinds={"when": ogr.OFTDateTime})
    line("observed_fronts flows.gpkg layer 'lava flow' date when error_m 20")
    # one front of a layer with many
    line("observed_front flows.gpkg layer 'lava flow' where 'strftime(''%H'', \"when\") = ''03''' at 2021-09-26T00:05Z error_m 20")
    write(f"{d}/doc.kml", "LIBKML", "Flows", [(area(n), {"Name": f"flow {n}", "begin": None, "timestamp": f"2021/09/26 1{n}:30:00"}) for n in (2, 3)],
          DEGREES, {"timestamp": ogr.OFTDateTime})
    write(f"{d}/doc.kml", "LIBKML", "Other", [(area(8), {"Name": "other"})], DEGREES)
    pack(f"{d}/flows.kmz", d, ["doc.kml"])
    line("observed_fronts flows.kmz:Flows date timestamp error_m 20")
    line("observed_front doc.kml:Flows at 2021-09-26T23:00Z error_m 20")
    # packages of Copernicus EMS
    name = "EMSR000_AOI01_DEL_MONIT01_"
    os.makedirs(f"{d}/ems", exist_ok=True)
    write(f"{d}/ems/{name}observedEventA_r1_v1.shp", "ESRI Shapefile", "event",
          [(area(4), {"event_type": "2-Volcanic activity", "obj_desc": "Lava flow", "dmg_src_id": 3})], DEGREES, {"dmg_src_id": ogr.OFTInteger})
    geojson(f"{d}/ems/{name}observedEventA_r1_v1.json", [(area(4), {"obj_desc": "Lava flow", "dmg_src_id": 3})])
    write(f"{d}/ems/{name}areaOfInterestA_r1_v1.shp", "ESRI Shapefile", "aoi", [(area(30), {"name": "island"})], DEGREES)
    write(f"{d}/ems/{name}source_r1_v1.dbf", "ESRI Shapefile", "source",
          [(None, {"source_nam": "Sentinel-2A/B", "src_date": "15/09/2021", "source_tm": "T11:53:00Z", "eventphase": "Pre-event", "src_id": 1}),
           (None, {"source_nam": "COSMO-SkyMed", "src_date": "27/09/2021", "source_tm": "T06:29:30Z", "eventphase": "Post-event", "src_id": 3})],
          kinds={"src_id": ogr.OFTInteger})
    pack(f"{d}/{name}r1_v1_vector.zip", f"{d}/ems", [name])
    line(f"observed_front {name}r1_v1_vector.zip error_m 20")
    pack(f"{d}/EMSR001_vector.zip", f"{d}/ems", [name], "EMSR001/")
    line("observed_front EMSR001_vector.zip at 2021-09-27T12:00Z error_m 25")
    # rasters, of which one is meant
    for n in (4, 5):
        with open(f"{d}/ems/mask{n}.asc", "w") as f:
            put_mask(f, draw([area(n)]))
    pack(f"{d}/masks.zip", f"{d}/ems", ["mask"])
    line("observed_front masks.zip:mask5.asc at 2021-09-28T00:00Z error_m 20")
    return lines


# ---- hot spots

SPOTS = [(500231, 4170222), (500269, 4170181), (500187, 4170257), (500255, 4170141)]
CSV = "latitude longitude bright_ti4 scan track acq_date acq_time satellite instrument confidence version bright_ti5 frp daynight".split()


def spots(day, clock, confidences, **more):
    rows = []
    for i, ((x, y), confidence) in enumerate(zip(SPOTS, confidences)):
        lon, lat, _ = TO_DEGREES.TransformPoint(float(x), float(y))
        rows.append({"latitude": f"{lat:.6f}", "longitude": f"{lon:.6f}", "bright_ti4": "340.1", "scan": f"{0.04 + 0.01 * i:.2f}", "track": "0.05",
                     "acq_date": day, "acq_time": clock, "satellite": "N", "instrument": "VIIRS", "confidence": confidence, "version": "2.0NRT",
                     "bright_ti5": "290", "frp": f"{1 + 5 * i}.5", "daynight": "N", **more})
    return rows


def table(path, rows, columns=CSV):
    with open(path, "w") as f:
        f.write(",".join(columns) + "\n")
        f.writelines(",".join(str(r[c]) for c in columns) + "\n" for r in rows)


def points(rows):
    out = []
    for (x, y), r in zip(SPOTS, rows):
        g = ogr.Geometry(ogr.wkbPoint)
        g.AddPoint_2D(float(x), float(y))
        out.append((g, r))
    return out


def make_spots(d):
    """The files of hot spots, and whether their power counts."""
    table(f"{d}/nrt.csv", spots("2021-09-29", "0112", "nhln"))
    table(f"{d}/modis.csv", spots("2021-09-29", "905", ["77", "100", "30", "55"], satellite="Terra", instrument="MODIS"))
    clipped = spots("2021-09-29", "13:45:30", "nhhn", instrument="", satellite="N20")
    table(f"{d}/clipped.txt.csv", clipped, [c for c in CSV if c not in ("scan", "track", "instrument")])
    area_api = spots("2021-09-29", "1502", ["nominal", "High", "low", "n"], country_id="ESP")
    table(f"{d}/area.csv", area_api, ["country_id"] + CSV)
    landsat = spots("2021-09-29", "16:20", "HMLH", satellite="L8", scan="3211", track="1877", path="189", row="34")
    table(f"{d}/landsat.csv", landsat, "latitude longitude path row scan track acq_date acq_time satellite confidence daynight".split())
    table(f"{d}/power.csv", spots("2021-09-30", "0030", "nnhh"))
    pack(f"{d}/archive.zip", d, ["power.csv"])
    web = [{k: v for k, v in r.items() if k not in ("latitude", "longitude")} | {"acq_date": None, "acq_time": 1632963600000 + 60000} for r in spots("", "", "nhhn")]
    geojson(f"{d}/web.geojson", [(g, r) for g, r in points(web)])
    firms = spots("2021-09-30", "0130", "nnhl")
    write(f"{d}/firms.shp", "ESRI Shapefile", "firms",
          points([{k.upper(): (float(v) if k in ("latitude", "longitude", "scan", "track", "frp") else v) for k, v in r.items()} for r in firms]), DEGREES,
          {"ACQ_DATE": ogr.OFTDate, **{k: ogr.OFTReal for k in ("LATITUDE", "LONGITUDE", "SCAN", "TRACK", "FRP")}})
    pack(f"{d}/DL_FIRE_SV-C2_1.zip", d, ["firms."])
    geojson(f"{d}/firms.geojson", points(spots("2021-09-30", "0230", "nnhl")))
    return ["nrt.csv", "modis.csv", "clipped.txt.csv", "area.csv", "landsat.csv", "archive.zip frp", "web.geojson", "DL_FIRE_SV-C2_1.zip", "firms.geojson"]


# ---- the independent reader

def draw(polygons):
    """Cells with their middle in a polygon, even-odd within each."""
    x = WEST + CELL * (np.arange(SIDE) + 0.5)
    y = SOUTH + CELL * (SIDE - np.arange(SIDE) - 0.5)
    x, y = np.meshgrid(x, y)
    out = np.zeros((SIDE, SIDE), bool)
    for polygon in polygons:
        odd = np.zeros((SIDE, SIDE), bool)
        parts = [polygon] if polygon.GetGeometryName() == "POLYGON" else [polygon.GetGeometryRef(i) for i in range(polygon.GetGeometryCount())]
        for part in parts:
            for r in range(part.GetGeometryCount()):
                p = part.GetGeometryRef(r).GetPoints()
                for a, b in zip(p, p[1:]):
                    across = (a[1] > y) != (b[1] > y)
                    with np.errstate(divide="ignore", invalid="ignore"):
                        odd ^= across & (x < a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]))
        out |= odd
    return out


def put_mask(f, mask):
    f.write(f"ncols {SIDE}\nnrows {SIDE}\nxllcorner {WEST:.0f}\nyllcorner {SOUTH:.0f}\ncellsize 10\n")
    f.writelines(" ".join(str(int(v)) for v in row) + "\n" for row in mask)


def attributes(path):
    data = gdal.OpenEx(path, gdal.OF_VECTOR)
    return [f.items() for f in data.GetLayer(0)]


def features(path, layer=None, keep=lambda f: True):
    """(geometry in UTM, date as text or number of the attribute) of a file, by GDAL."""
    data = gdal.OpenEx(path, gdal.OF_VECTOR)
    layer = data.GetLayerByName(layer) if layer else data.GetLayer(0)
    crs = layer.GetSpatialRef() or DEGREES
    crs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    to = osr.CoordinateTransformation(crs, UTM)
    out = []
    for f in layer:
        if not keep(f):
            continue
        g = f.GetGeometryRef().Clone()
        if not crs.IsSame(UTM):
            g.Transform(to)
        out.append((g, f.items()))
    return out


def read_fronts(d):
    lines = []

    def front(name, mask, moment, words):
        with open(f"{d}/plain_{name}.asc", "w") as f:
            put_mask(f, mask)
        lines.append(f"observed_front plain_{name}.asc at {moment:%Y-%m-%dT%H:%M:%SZ} {words}")

    def of(minutes, of=START):
        return of + datetime.timedelta(minutes=minutes)
    utc = datetime.timezone.utc
    union = np.zeros((SIDE, SIDE), bool)
    for n, (g, v) in enumerate(sorted(features(f"{d}/service.geojson"), key=lambda f: f[1]["date"])):
        union = union | draw([g])
        front(f"service{n}", union, datetime.datetime.fromtimestamp(v["date"] / 1000, utc), "error_m 20")
    with open(f"{d}/zones.geojson") as f:
        whole = json.load(f)["features"]
    for n, feature in enumerate(f for f in whole if f["properties"]["kind"] == "lava"):
        day = feature["properties"]["day"].replace("Z", "+00:00")
        front(f"zones{n}", draw([ogr.CreateGeometryFromJson(json.dumps(feature["geometry"]))]),
              datetime.datetime.fromisoformat(day.replace(".250", "")).astimezone(utc), "error_m 20")
    for n, (g, v) in enumerate(features(f"{d}/days.geojson")):
        front(f"days{n}", draw([g]), datetime.datetime.strptime(str(v["DATE"]), "%Y%m%d"), "error_m 20 correlation_m 100")
    for n, (g, v) in enumerate(features(f"{d}/survey.shp")):
        front(f"survey{n}", draw([g]), datetime.datetime.strptime(v["MAPPED"], "%Y/%m/%d"), "error_m 30 part")
    flows = features(f"{d}/flows.gpkg", "lava flow")
    for n, (g, v) in enumerate(flows):
        front(f"flows{n}", draw([g]), datetime.datetime.strptime(v["when"][:19], "%Y/%m/%d %H:%M:%S"), "error_m 20")
    front("one", draw([g for g, v in flows if v["when"][11:13] == "03"]), datetime.datetime(2021, 9, 26, 0, 5), "error_m 20")
    kml = features(f"{d}/doc.kml", "Flows")
    for n, (g, v) in enumerate(kml):
        front(f"kml{n}", draw([g]), datetime.datetime.strptime(v["timestamp"][:19], "%Y/%m/%d %H:%M:%S"), "error_m 20")
    front("kml", draw([g for g, v in kml]), datetime.datetime(2021, 9, 26, 23), "error_m 20")
    event, = (n for n in os.listdir(f"{d}/ems") if n.endswith("observedEventA_r1_v1.shp"))
    shown = features(f"{d}/ems/{event}")
    source = attributes(f"{d}/ems/{event.replace('observedEventA', 'source').replace('.shp', '.dbf')}")
    when, = {datetime.datetime.strptime(s["src_date"] + s["source_tm"], "%d/%m/%YT%H:%M:%SZ") for s in source if s["src_id"] in [v["dmg_src_id"] for g, v in shown]}
    front("ems", draw([g for g, v in shown]), when, "error_m 20")
    front("ems_at", draw([g for g, v in shown]), datetime.datetime(2021, 9, 27, 12), "error_m 25")
    with zipfile.ZipFile(f"{d}/masks.zip") as z:
        rows = z.read("mask5.asc").decode().splitlines()[5:]
    front("mask", np.array([[int(v) for v in row.split()] for row in rows], bool), datetime.datetime(2021, 9, 28), "error_m 20")
    return lines


SURE = {"l": "l", "n": "n", "h": "h", "low": "l", "nominal": "n", "High": "h", "H": "h", "M": "n", "L": "l"}


def read_spots(d):
    """Plain tables of FIRMS, with a pixel's size in each row."""
    lines = []

    def plain(name, rows, words=""):
        rows = [{**r, "frp": r.get("frp", "1")} for r in rows]
        table(f"{d}/plain_{name}.csv", rows, "latitude longitude scan track acq_date acq_time confidence frp".split())
        lines.append(f"observed_hot_spots plain_{name}.csv{words}")

    def rows(text, size=None):
        out = []
        for r in csv.DictReader(io.StringIO(text)):
            clock = r["acq_time"].replace(":", "")
            clock = clock.zfill(4) if len(clock) <= 4 else clock
            out.append({**r, "acq_time": clock, "confidence": SURE.get(r["confidence"], r["confidence"]), **(dict(scan=size, track=size) if size else {})})
        return out

    def text(name):
        with open(f"{d}/{name}") as f:
            return f.read()
    plain("nrt", rows(text("nrt.csv")))
    plain("modis", rows(text("modis.csv")))
    # (a plain clock has no seconds)
    clipped = rows(text("clipped.txt.csv"), 0.375)
    plain("clipped", [{**r, "acq_time": f"{r['acq_time'][:2]}:{r['acq_time'][2:4]}:{r['acq_time'][4:]}"} for r in clipped])
    plain("area", rows(text("area.csv")))
    plain("landsat", rows(text("landsat.csv"), 0.03))
    with zipfile.ZipFile(f"{d}/archive.zip") as z:
        plain("power", rows(z.read("power.csv").decode()), " frp")
    with open(f"{d}/web.geojson") as f:
        web = json.load(f)["features"]
    out = []
    for feature in web:
        moment = datetime.datetime.fromtimestamp(feature["properties"]["acq_time"] / 1000, datetime.timezone.utc)
        lon, lat = feature["geometry"]["coordinates"][:2]
        out.append({**feature["properties"], "longitude": repr(lon), "latitude": repr(lat), "acq_date": f"{moment:%Y-%m-%d}", "acq_time": f"{moment:%H%M}"})
    plain("web", out)
    shapes = [{k.lower(): v for k, v in f.items()} for f in attributes(f"{d}/firms.shp")]
    plain("shape", [{**s, "acq_date": s["acq_date"].replace("/", "-")} for s in shapes])
    with open(f"{d}/firms.geojson") as f:
        plain("json", [feature["properties"] for feature in json.load(f)["features"]])
    return lines


if __name__ == "__main__":
    what, folder = sys.argv[1:]
    if what == "make":
        found = make_fronts(folder) + [f"observed_hot_spots {name}" for name in make_spots(folder)]
    else:
        found = read_fronts(folder) + read_spots(folder)
    with open(f"{folder}/{'lines' if what == 'make' else 'plain'}", "w") as f:
        f.write("\n".join(found) + "\n")
