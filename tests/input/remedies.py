"""remedies.py SCIARA ROOT: every command that messages, README and docs propose, executed on files that provoke it.

Run in an empty folder by test_remedies.sh. Each case makes a file, lets the program refuse it or warn of it, takes the
command from the message, executes it as a reader would (words in capitals replaced by what the case says) and compares
what comes out with what went in, by GDAL's own readers and by what the program reads of it. The commands are those of
src/input/text/remedy.h: one that no case has executed fails, and so does one that stands elsewhere. With OLD as third
argument the program is one with other messages: cases only, and how many fail."""
import json
import os
import re
import runpy
import shlex
import shutil
import sqlite3
import struct
import subprocess
import sys

import numpy as np
from osgeo import gdal, ogr, osr

gdal.UseExceptions()
ogr.UseExceptions()
SCIARA, ROOT, OLD = sys.argv[1], sys.argv[2], len(sys.argv) > 3
if os.listdir("."):  # (each case removes the files of the one before)
    sys.exit("remedies.py: run it in an empty folder")
PROGRAMS = r"(?:gdal(?:warp|info|mdimtranslate|srsinfo|buildvrt|_\w+(?:\.py)?)|ogr2ogr|ogrinfo|iconv|sed|awk|unzip)"
OWN = r"(?:" + PROGRAMS + r"|sciara dem)"
executed, failures, passes = [], [], 0
# Kinds that other cases have in another combination wait for THOROUGH.
LATER = set() if OLD or os.environ.get("THOROUGH") else {
    "a .prj of key words",
    "lava that names no CRS",
    "arrivals in weeks",
    "cells that are not square",
    "a mask inside, in feet",
    "zeros in a text grid",
    "degrees, heights above the geoid",
    "World Mercator",
    "feet on the map, heights in metres",
    "feet on the map, heights in declared feet",
    "cells that are not square, in feet",
    "a grid from east to west",
    "zeros beside declared no data",
    "heights below all ground",
    "heights below all ground, a float",
    "infinite values",
    "a mask inside",
    "a mask beside",
    "an alpha band",
    "depths, with an offset",
    "depths in another zone",
    "depths in degrees",
    "a scale of 0, through GDAL",
    "a scale of 0",
    "a GeoKey outside the tables",
    "a scale that is no number",
    "an unknown unit",
    "no georeference, through GDAL",
    "lava on finer cells",
    "an observed raster in another zone",
    "a member crs that is not known",
    "an outline in GML",
    "Web Mercator",
    "nonsense in .aux.xml",
    "truncated GeoKeys",
    "a cell of no size",
    "heights below all ground, in a text grid",
    "lava in degrees",
    "fit_to_a_vector_file_that_is_not_read",
    "a scale that makes values infinite",
    "a rotated grid",
    "gons from Paris",
}


# ---- a ground, known everywhere: a plane in metres of a CRS ----------------------------------------------------------
def srs(text):
    s = osr.SpatialReference()
    s.SetFromUserInput(text)
    s.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return s


def flat(text):
    """A CRS without its heights."""
    return re.sub(r"^(EPSG:\d+)\+\d+$", r"\1", text) if isinstance(text, str) else text


def plane(e, n):
    return 1300 + 0.1 * (e - 500200) + 0.05 * (n - 4170200)


def plane_at(x, y, crs, home):
    """Heights at places in a CRS, by way of the CRS of the ground."""
    if crs is None or srs(flat(crs)).IsSame(srs(home[0])):
        e, n = x, y
    else:
        t = osr.CoordinateTransformation(srs(flat(crs)), srs(home[0]))
        p = np.array(t.TransformPoints(np.column_stack([x.ravel(), y.ravel()]).tolist()))
        e, n = p[:, 0].reshape(x.shape), p[:, 1].reshape(x.shape)
    return plane(e - home[1] + 500200, n - home[2] + 4170200)


METRES = {"": 1, "m": 1, "metre": 1, "ft": 0.3048, "foot": 0.3048, "US survey foot": 1200 / 3937}
UTM = ("EPSG:32633", 500200, 4170200)
SQUARE = (500000, 10, 0, 4170400, 0, -10)
N = 40


def centres(gt, rows, cols):
    col, row = np.meshgrid(np.arange(cols) + 0.5, np.arange(rows) + 0.5)
    return gt[0] + gt[1] * col + gt[2] * row, gt[3] + gt[4] * col + gt[5] * row


def heights(gt=SQUARE, crs=None, home=UTM, rows=N, cols=N):
    return plane_at(*centres(gt, rows, cols), crs, home)


# ---- files -----------------------------------------------------------------------------------------------------------
def tif(name, a, crs=UTM[0], gt=SQUARE, kind=gdal.GDT_Float32, nodata=None, unit=None, scale=None, offset=None, bands=1,
        options=(), form="GTiff"):
    d = gdal.GetDriverByName(form).Create(name, a.shape[1], a.shape[0], bands, kind, list(options))
    if crs:
        d.SetSpatialRef(srs(crs))
    if gt:
        d.SetGeoTransform(gt)
    b = d.GetRasterBand(1)
    if nodata is not None:
        b.SetNoDataValue(nodata)
    if unit:
        b.SetUnitType(unit)
    if scale is not None:
        b.SetScale(scale)
        b.SetOffset(offset or 0)
    b.WriteArray(np.rint(a) if kind in (gdal.GDT_Int16, gdal.GDT_Byte) else a)
    d = None
    return name


def asc(name, a, corner=(500000, 4170000), cell="cellsize 10", nodata="NODATA_value -9999\n", digits="%.4f"):
    with open(name, "w") as f:
        f.write(f"ncols {a.shape[1]}\nnrows {a.shape[0]}\nxllcorner {corner[0]:.12g}\nyllcorner {corner[1]:.12g}\n{cell}\n{nodata}")
        for row in a:
            f.write(" ".join(digits % x for x in row) + "\n")
    return name


def prj(name, crs):
    s = srs(crs)
    with open(name, "w") as f:
        f.write(s.ExportToWkt(["FORMAT=WKT1_ESRI" if not s.IsCompound() else "FORMAT=WKT1_GDAL"]))


def geojson(name, rings, crs=None, kind="Polygon"):
    o = {"type": "FeatureCollection",
         "features": [{"type": "Feature", "properties": {}, "geometry": {"type": kind, "coordinates": rings}}]}
    if crs:
        o["crs"] = {"type": "name", "properties": {"name": crs}}
    with open(name, "w") as f:
        json.dump(o, f)
    return name


BOX = [(500100, 4170100), (500300, 4170100), (500300, 4170250), (500100, 4170250), (500100, 4170100)]
BOX_M2 = 30000


def moved(ring, crs, home=UTM[0]):
    t = osr.CoordinateTransformation(srs(home), srs(crs))
    return [list(t.TransformPoint(*p)[:2]) for p in ring]


def bytes_of(name, edit):
    data = bytearray(open(name, "rb").read())
    edit(data)
    open(name, "wb").write(data)
    return name


# ---- the program and its messages ------------------------------------------------------------------------------------
def start_server():
    """The program, ready to fork (tests/fork_server.c), where that library is built, with PROJ and GDAL."""
    library = os.path.join(os.path.dirname(SCIARA), "../tests/fork_server.so")
    if not os.path.exists(library):
        return None
    proj = os.path.join(os.path.dirname(SCIARA), "../lib/sciara/libsciara_proj.so")
    return subprocess.Popen([SCIARA], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
                            env={**os.environ, "LD_PRELOAD": library, "FORK_SERVER": proj, "FORK_SERVER_GDAL": "yes"})


SERVER = start_server()


def ask_server(words):
    said = [os.path.abspath(".stdout"), os.path.abspath(".stderr")]
    variables = [f"{name}={value}" for name, value in os.environ.items()]
    texts = [os.getpid(), os.getcwd(), *said, 60, 1 + len(words), SCIARA, *words, len(variables), *variables]
    SERVER.stdin.write(b"".join(os.fsencode(str(text)) + b"\0" for text in texts))
    return (int(SERVER.stdout.readline()), *(open(file).read() for file in said))


def run(*words, env=None, limit_kib=None):
    if SERVER and not env and not limit_kib:
        return ask_server(words)
    command = [SCIARA, *words]
    if limit_kib:
        command = ["bash", "-c", f"ulimit -v {limit_kib}; exec \"$@\"", "-"] + command
    r = subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, **(env or {})}, check=False)
    return r.returncode, r.stdout, r.stderr


def commands(text):
    """The commands in a message."""
    found = re.findall(r"(?:(?<=: )|(?<=\()|(?<=if )|(?<=that )|(?<=with ))(" + OWN + r" .*?)(?= lists:| knows it|\) or |\)$|\n|$|; if | \(2: |; or )",
                       text, re.M)
    return sorted(found, key=lambda c: c.split()[0] in ("gdalinfo", "ogrinfo"))


SHELL = r"[&|;<>$`]"  # needs one


def own(command):
    """A command of sciara, by the server."""
    words = shlex.split(command)
    if words[0] != "sciara" or re.search(SHELL, command):
        return None
    return subprocess.CompletedProcess(command, *run(*words[1:]))


def edited(command):
    """A command of gdal_edit.py, by a fork of this process, which has GDAL's package loaded."""
    words = shlex.split(command)
    script = shutil.which(words[0])
    if words[0] != "gdal_edit.py" or not script or re.search(SHELL, command):
        return None
    child = os.fork()
    if not child:
        sys.argv, status = words, 1
        try:
            runpy.run_path(script, run_name="__main__")
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        finally:
            os._exit(status)
    return subprocess.CompletedProcess(command, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), "", "gdal_edit.py failed")


def execute(command, words, file):
    """What a reader does with it: the name of the file that it made or changed."""
    # (older messages have names of their own)
    out = os.path.splitext(file)[0] + "_old" + os.path.splitext((re.findall(r"\bout\.\w+", command) or ["x.tif"])[0])[1]
    given = {"in.tif": file, "in.asc": file, "in.geojson": file, "in.shp": file, "FILE": file, "IN": file, "out.tif": out,
             "out.geojson": out, "out.gpkg": out, "out.shp": out, "EPSG:n": "EPSG:CODE", "EPSG:326xx": "EPSG:32633",
             **words}
    for _ in range(2):
        for word, value in given.items():
            command = re.sub(r"(?<![\w./])" + re.escape(word) + r"(?![\w./])", lambda m, v=value: str(v), command)
    for part in command.split(" && "):
        r = edited(part) or own(part)
        part = re.sub(r"^sciara ", lambda m: shlex.quote(SCIARA) + " ", part)
        r = r or subprocess.run(part, shell=True, capture_output=True, text=True, timeout=120, check=False)
        if r.returncode:
            break
    if r.returncode:
        raise AssertionError(f"{command}: exit {r.returncode}: {(r.stderr or r.stdout).strip()[:300]}")
    last = command.split(" && ")[-1]
    words = shlex.split(last)
    if words[0] == "ogr2ogr":
        new = [w for w in words[1:] if w.endswith((".geojson", ".gpkg", ".shp"))][0]
    elif words[0] == "iconv":
        new = words[-1].lstrip(">")
    else:
        new = words[-1]
    return new


def case_of(dem, extra=(), name="case.cfg"):
    """A case with a vent in the middle of a DEM."""
    try:
        d = gdal.Open(dem)
        row, col = d.RasterYSize // 2 + 4, d.RasterXSize // 2 + 4
    except RuntimeError:
        row = col = 5
    open("vents.csv", "w").write(f"vent,row,col\n1,{row},{col}\n")
    open("rates.csv", "w").write("vent,from_h,to_h,rate_m3_s\n1,0,1,0.001\n")
    open(name, "w").write(f"dem {dem}\nvents vents.csv\nrates rates.csv\nmax_steps 10\nparameters etna-2006\n" + "".join(f"{x}\n" for x in extra))
    return name


def info(file, *more):
    code, out, err = run("info", file, "--json", *more)
    if code:
        raise AssertionError(f"info {file}: {err.strip()[:400]}")
    return json.loads(out)


def message(*words, **how):
    code, out, err = run(*words, **how)
    text = err + "".join(re.findall(r'"warning":\s*(.*)', out)).replace('\\"', '"').rstrip('",\n')
    return code, text


def proposed(text, pick, file):
    found = commands(text)
    if not found or (pick is not None and pick >= len(found)):
        raise AssertionError(f"no command in: {text.strip()[:400]}")
    executed.append(found[pick or 0])
    return found[pick or 0]


# ---- what the result has to be ---------------------------------------------------------------------------------------


def metres(name):
    """By GDAL: heights in metres (NaN: no data), geotransform, CRS."""
    d = gdal.Open(name)
    b = d.GetRasterBand(1)
    a = b.ReadAsArray().astype(float)
    nodata = b.GetNoDataValue()
    hole = np.isnan(a) if nodata is None or np.isnan(nodata) else (a == nodata) | np.isnan(a)
    alpha_bands = [i for i in range(1, d.RasterCount + 1) if d.GetRasterBand(i).GetColorInterpretation() == gdal.GCI_AlphaBand]
    if alpha_bands or b.GetMaskFlags() & gdal.GMF_PER_DATASET:
        hole |= (d.GetRasterBand(alpha_bands[0]) if alpha_bands else b.GetMaskBand()).ReadAsArray() == 0
    s = d.GetSpatialRef()
    unit = METRES[b.GetUnitType()]
    if s and s.IsCompound() and not b.GetUnitType():
        unit = s.GetTargetLinearUnits("VERT_CS")
    a = (a * (b.GetScale() or 1) + (b.GetOffset() or 0)) * unit
    a[hole] = np.nan
    return a, d.GetGeoTransform(), s


def same_ground(new, extra=(), home=UTM, tolerance=1.0, holes=(), cell=None, crs=None):
    """The terrain in a file is the plane, and the program reads what GDAL reads."""
    a, gt, s = metres(new)
    got = info(case_of(new, extra))
    e = got["elevation_m"]
    x, y = centres(gt, *a.shape)
    code = crs or (s and s.GetAuthorityCode("PROJCS") and "EPSG:" + s.GetAuthorityCode("PROJCS")) or home[0]
    truth = plane_at(x, y, code, home)
    known = ~np.isnan(a)
    assert known.sum() > 0.5 * a.size, f"only {known.sum()} of {a.size} cells have data"
    wrong = np.abs(a - truth)[known].max()
    assert wrong <= tolerance, f"heights differ by {wrong:.1f} m"
    for hx, hy in holes:
        near = np.hypot(x - hx, y - hy)
        assert not known.flat[near.argmin()], "a cell without data has some"
    assert e["cells_with_data"] == known.sum(), f"the program reads {e['cells_with_data']} cells, GDAL {known.sum()}"
    assert abs(e["least"] - a[known].min()) < 1e-3 and abs(e["greatest"] - a[known].max()) < 1e-3, f"the program reads {e['least']} to {e['greatest']} m"
    assert abs(got["west_m"] - gt[0]) < 1e-6 and abs(got["north_m"] - gt[3]) < 1e-6, "the program reads another place"
    assert got["crs"] == code or extra or s is None or not s.GetAuthorityCode("PROJCS"), f"the program reads {got['crs']}"
    if cell:
        assert abs(got["cell_m"] / cell - 1) < 0.06, f"cells of {got['cell_m']} m"


CASES = []


def case(function):
    CASES.append(function)
    return function


def of_dem(name, file, words=None, extra=(), pick=None, why=None, then=same_ground, refused=True, **want):
    """A case of a DEM that is refused or warned of."""
    def body():
        made = file()
        code, text = message("info", case_of(made, extra), "--json")
        assert not refused or code == 2, f"is accepted: {text[:200]}"
        if why:
            assert re.search(why, text), f"another message: {text.strip()[:300]}"
        new = execute(proposed(text, pick, made), words or {}, made)
        then(new, **want)
    body.__name__ = name
    return case(body)


def of_read(name, file, **want):
    """A case of a DEM that is read as it is, through GDAL."""
    def body():
        same_ground(file(), **want)
    body.__name__ = name
    return case(body)


# ---- degrees and other CRSs ------------------------------------------------------------------------------------------
DEGREES = (15.0, 1 / 10800, 0, 37.68, 0, -1 / 10800)
HOME = (UTM[0], 500180, 4170130)


def of_degrees(gt=DEGREES, crs="EPSG:4326", home=HOME):
    a = heights(gt, crs, home)
    a[19:22, 19:22] = np.nan
    x, y = centres(gt, N, N)
    return a, moved([(x[20, 20], y[20, 20])], home[0], flat(crs))


def degrees(unit_m=1, gt=DEGREES, crs="EPSG:4326", home=HOME, kind=gdal.GDT_Float32, scale=1, offset=0, name="dem.tif", **how):
    a, _ = of_degrees(gt, crs, home)
    a = (a / unit_m - offset) / scale
    a[np.isnan(a)] = -32768
    return tif(name, a, crs, gt, kind, nodata=-32768, scale=scale, offset=offset, **how)


HOLE = of_degrees()[1]
WARPED = {"home": HOME, "holes": HOLE}
of_dem("degrees", lambda: degrees(name="my dem's.tif"), {"CELL": 9}, **WARPED, cell=9.2)
of_dem("degrees, a vertical CRS in US survey feet", lambda: degrees(1200 / 3937, crs="EPSG:4326+6360"), **WARPED)
of_dem("degrees, heights above the geoid", lambda: degrees(crs="EPSG:4979"), **WARPED)
of_dem("degrees, feet, scale and offset", lambda: degrees(0.3048, kind=gdal.GDT_Int16, scale=0.2, offset=1000, unit="ft"), **WARPED)
HAWAII = (204.5, 1 / 10800, 0, 19.6, 0, -1 / 10800)
HAWAII_HOME = ("EPSG:32605", 237900, 2168500)
of_dem("degrees from 0 to 360", lambda: degrees(gt=HAWAII, home=HAWAII_HOME), home=HAWAII_HOME)
PARIS = (14.09, 1 / 10000, 0, 41.86, 0, -1 / 10000)
PARIS_HOME = (UTM[0], 500900, 4169000)
of_dem("gons from Paris", lambda: degrees(gt=PARIS, crs="EPSG:4807", home=PARIS_HOME), home=PARIS_HOME)


def degrees_asc(crs=None, unit_m=1, nodata=""):
    a, _ = of_degrees()
    a = a / unit_m
    a[np.isnan(a)] = -9999
    if crs:
        prj("dem.prj", crs)
    return asc("dem.asc", a, (DEGREES[0], DEGREES[3] - N / 10800), f"cellsize {1 / 10800!r}", nodata)


of_dem("degrees that no CRS names, no data that no header names", degrees_asc, **WARPED)
of_dem("degrees and feet in a .prj", lambda: degrees_asc("EPSG:4326+6360", 1200 / 3937, "NODATA_value -9999\n"), **WARPED)


def projected(crs, cell, name="dem.tif", unit_m=1, **how):
    """Around the middle of the ground, in another CRS."""
    x, y = moved([(500200, 4170200)], crs)[0]
    gt = (x - N / 2 * cell, cell, 0, y + N / 2 * cell, 0, -cell)
    a = heights(gt, crs) / unit_m
    return a, gt, (lambda: tif(name, a, flat(crs) if how.pop("bare", None) else crs, gt, **how))


MERCATOR = "EPSG:3857"
of_dem("Web Mercator", projected(MERCATOR, 12)[2], cell=9.5)
of_dem("World Mercator", projected("EPSG:3395", 12)[2], cell=9.5)


def bare(crs, cell, unit_m=1):
    a, gt, _ = projected(crs, cell, unit_m=unit_m)
    return asc("dem.asc", a, (gt[0], gt[3] - N * cell), f"cellsize {cell}")


of_dem("Web Mercator that the case declares", lambda: bare(MERCATOR, 12), extra=["crs EPSG:3857"], then=lambda new: same_ground(new))
FEET = "+proj=utm +zone=33 +datum=WGS84 +units=us-ft"
of_dem("feet on the map, heights in feet that nothing declares", projected(FEET, 32, unit_m=0.3048)[2], {"UNIT": "ft"}, why="", cell=9.8)
of_dem("feet on the map, heights in metres", projected(FEET, 32)[2], {"UNIT": "m"}, cell=9.8)
of_dem("feet on the map, heights in declared feet", projected(FEET, 32, unit_m=0.3048, unit="ft")[2], cell=9.8)
FLORIDA = ("EPSG:32617", 500200, 3170200)


def florida():
    crs = "EPSG:2236"
    x, y = moved([(500200, 3170200)], crs, FLORIDA[0])[0]
    a = heights((x - 600, 30, 0, y + 600, 0, -30), crs, FLORIDA) / 0.3048
    return asc("dem.asc", a, (x - 600, y - 600), "cellsize 30")


of_dem("a CRS in feet that the case declares", florida, {"UNIT": "ft", "EPSG:32633": "EPSG:32617"}, extra=["crs EPSG:2236"],
       then=lambda new: same_ground(new, home=FLORIDA, tolerance=1.5))
of_dem("the case declares another CRS", lambda: tif("dem.tif", heights()), extra=["crs EPSG:32632"],
       then=lambda new: same_ground(new, ["crs EPSG:32632"]))
of_dem("metres that are declared as degrees", lambda: tif("dem.tif", heights(), "EPSG:4326"), {"EPSG:CODE": "EPSG:32633"})


def nonsense_aux():
    tif("dem.tif", heights(), None)
    open("dem.tif.aux.xml", "w").write("<PAMDataset><SRS>nonsense</SRS></PAMDataset>")
    return "dem.tif"


def nonsense_prj():
    open("dem.prj", "w").write("nonsense")
    return asc("dem.asc", heights())


def key_words_prj():
    open("dem.prj", "w").write("Projection    LAMBERT\nDatum WGS84\nSpheroid WGS84\nUnits METERS\nZunits NO\nParameters\n38 0 0\n36 0 0\n15 0 0\n37 0 0\n0\n0\n")
    return asc("dem.asc", heights())


def geokeys(edit):
    def make():
        tif("dem.tif", heights())
        data = bytearray(open("dem.tif", "rb").read())
        at, n = tag(data, 34735)
        keys = list(struct.unpack_from(f"<{n}H", data, at))
        edit(keys)
        struct.pack_into(f"<{n}H", data, at, *keys)
        open("dem.tif", "wb").write(data)
        return "dem.tif"
    return make


def tag(data, wanted):
    """Where the values of a tag of a little-endian TIFF are, and how many."""
    at = struct.unpack_from("<I", data, 4)[0]
    for i in range(struct.unpack_from("<H", data, at)[0]):
        number, kind, count, value = struct.unpack_from("<HHII", data, at + 2 + 12 * i)
        if number == wanted:
            return (value if count * {2: 1, 3: 2, 12: 8}.get(kind, 4) > 4 else at + 2 + 12 * i + 8), count
    raise KeyError(wanted)


def key_outside(keys):
    for i in range(4, len(keys), 4):
        if keys[i + 1] == 34737:
            keys[i + 3] = 5000


def keys_truncated(keys):
    keys[3] = 60


CODE = {"EPSG:CODE": "EPSG:32633", "UNIT": "m", "WEST,SOUTH,EAST,NORTH": "500000,4170000,500400,4170400"}
of_dem("nonsense in .aux.xml", nonsense_aux, CODE)
of_dem("nonsense in .prj", nonsense_prj, CODE)
of_dem("a .prj of key words", key_words_prj, CODE)
of_dem("a GeoKey outside the tables", geokeys(key_outside), CODE)
of_dem("truncated GeoKeys", geokeys(keys_truncated), CODE)


# ---- grids -----------------------------------------------------------------------------------------------------------
def cells(gt, rows=N, cols=N, **how):
    return lambda: tif("dem.tif", heights(gt, rows=rows, cols=cols), gt=gt, **how)


of_dem("cells that are not square", cells((500000, 10, 0, 4170400, 0, -20), 20), cell=10)
of_dem("cells that are not square, in feet", lambda: tif("dem.tif", heights((500000, 10, 0, 4170400, 0, -20), rows=20) / 0.3048, "EPSG:32633+8228", (500000, 10, 0, 4170400, 0, -20)))
of_dem("dx and dy", lambda: asc("dem.asc", heights((500000, 10, 0, 4170400, 0, -20), rows=20), cell="dx 10\ndy 20"), CODE,
       extra=["crs EPSG:32633"], then=lambda new: same_ground(new, ["crs EPSG:32633"], cell=10))
of_dem("a rotated grid", cells((500000, 9.9, 1.4, 4170400, 1.4, -9.9)), cell=10)
of_dem("a grid from south to north", cells((500000, 10, 0, 4170000, 0, 10)), cell=10)
of_dem("a grid from east to west", cells((500400, -10, 0, 4170400, 0, -10)), cell=10)
of_dem("no georeference", lambda: tif("dem.tif", heights(), None, None), CODE)


def vrt_without_place():
    tif("in.tif", heights(), None, None)
    gdal.Translate("dem.vrt", "in.tif", format="VRT")
    return "dem.vrt"


of_dem("no georeference, through GDAL", vrt_without_place, CODE)
of_dem("a cell of no size", lambda: bytes_of(tif("dem.tif", heights()), lambda d: struct.pack_into("<3d", d, tag(d, 33550)[0], 0, 10, 0)), CODE, why="0 wide|wide")

# ---- what marks no data ----------------------------------------------------------------------------------------------


def with_holes(value, other=None, unit_m=1):
    a = heights() / unit_m
    a[10:20, 10:20] = value
    if other is not None:
        a[5, 30] = other
    return a


IN_BLOCK, IN_CELL = (500150, 4170250), (500305, 4170345)
BOTH = {"holes": [IN_BLOCK, IN_CELL]}
of_dem("zeros", lambda: tif("dem.tif", with_holes(0)), refused=False, holes=[IN_BLOCK])
of_dem("zeros beside declared no data", lambda: tif("dem.tif", with_holes(0, -9999), nodata=-9999), refused=False, **BOTH)
of_dem("zeros beside declared no data, in feet", lambda: tif("dem.tif", with_holes(0, -9999, 0.3048), nodata=-9999, unit="ft"), refused=False, **BOTH)
of_dem("zeros of an offset", lambda: tif("dem.tif", np.where(with_holes(0) == 0, -5000, (heights() - 1000) / 0.2), kind=gdal.GDT_Int16, scale=0.2, offset=1000, nodata=-32768),
       refused=False, holes=[IN_BLOCK])
of_dem("zeros in a text grid", lambda: asc("dem.asc", with_holes(0, -9999)), CODE, extra=["crs EPSG:32633"], refused=False,
       then=lambda new: same_ground(new, ["crs EPSG:32633"], **BOTH))
of_dem("spikes in a text grid without a header for no data", lambda: asc("dem.asc", np.where(with_holes(0, -9999) == 0, heights(), with_holes(0, -9999)) - 0 + np.where(np.arange(N * N).reshape(N, N) == 410, -3000, 0), nodata=""), CODE,
       refused=False, extra=["crs EPSG:32633"], then=lambda new: same_ground(new, ["crs EPSG:32633"], holes=[IN_CELL, (500105, 4170295)]))
of_dem("heights below all ground", lambda: tif("dem.tif", with_holes(-32768, -9999), nodata=-9999), **BOTH)
of_dem("heights below all ground, a float", lambda: tif("dem.tif", with_holes(-3.4028234663852886e38)), holes=[IN_BLOCK])
of_dem("heights below all ground, in a text grid", lambda: asc("dem.asc", with_holes(-32768, -9999)), CODE, extra=["crs EPSG:32633"],
       then=lambda new: same_ground(new, ["crs EPSG:32633"], **BOTH))
of_dem("infinite values", lambda: tif("dem.tif", with_holes(np.inf, -9999), nodata=-9999), **BOTH)
of_dem("infinite values, and no value for no data", lambda: tif("dem.tif", with_holes(-np.inf)), holes=[IN_BLOCK])
of_dem("infinite values, in feet below", lambda: tif("dem.tif", with_holes(-np.inf, -9999, 0.3048), nodata=-9999, unit="ft"), **BOTH)


def masked(nodata=None, inside="YES", unit=None):
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", inside)
    a = with_holes(7, unit_m=METRES[unit or ""])
    if nodata is not None:
        a[5, 30] = nodata
    tif("dem.tif", a, nodata=nodata, unit=unit)
    d = gdal.Open("dem.tif", gdal.GA_Update)
    d.CreateMaskBand(gdal.GMF_PER_DATASET)
    d.GetRasterBand(1).GetMaskBand().WriteArray(np.where(a == 7, 0, 255).astype("u1"))
    d = None
    return "dem.tif"


def alpha(nodata=None, by_tag=True, unit_m=1):
    a = with_holes(7, unit_m=unit_m)
    if nodata is not None:
        a[5, 30] = nodata
    tif("dem.tif", a, bands=2, nodata=nodata, options=["ALPHA=YES"] if by_tag else [], unit="ft" if unit_m != 1 else None)
    d = gdal.Open("dem.tif", gdal.GA_Update)
    d.GetRasterBand(2).WriteArray(np.where(a == 7, 0, 255))
    if not by_tag:
        d.GetRasterBand(2).SetColorInterpretation(gdal.GCI_AlphaBand)
    d = None
    return "dem.tif"


of_read("a mask inside", masked, holes=[IN_BLOCK])
of_read("a mask inside, and no data", lambda: masked(-9999), **BOTH)
of_read("a mask inside, in feet", lambda: masked(unit="ft"), holes=[IN_BLOCK])
of_read("a mask beside", lambda: masked(None, "NO"), holes=[IN_BLOCK])
of_read("an alpha band", alpha, holes=[IN_BLOCK])
of_read("an alpha band, and no data, in feet", lambda: alpha(-9999, unit_m=0.3048), **BOTH)


def damaged_tag(number, size=4):
    """A tag of text with letters in place of its numbers."""
    def edit(data):
        at, n = tag(data, number)
        data[at:at + n - 1] = b"x" * (n - 1)
    return edit


of_dem("no data that is no number", lambda: bytes_of(tif("dem.tif", with_holes(-32768), nodata=-32768), damaged_tag(42113)), {"VALUE": -32768}, holes=[IN_BLOCK])

# ---- what the numbers mean -------------------------------------------------------------------------------------------
of_dem("depths, scaled", lambda: tif("dem.tif", -heights() * 10, "EPSG:32633+5715", kind=gdal.GDT_Int16, scale=0.1, offset=0))
of_dem("depths, with an offset", lambda: tif("dem.tif", -heights() + 1000, "EPSG:32633+5715", scale=1, offset=-1000))


def depths_asc():
    prj("dem.prj", "EPSG:32633+5715")
    return asc("dem.asc", -heights())


of_dem("depths in a text grid", depths_asc, {"EPSG:CODE": "EPSG:32633"})
of_dem("depths in another zone", lambda: tif("dem.tif", -heights((10000, 10, 0, 4186000, 0, -10), "EPSG:32634", ("EPSG:32634", 10200, 4185800)), "EPSG:32634+5715", (10000, 10, 0, 4186000, 0, -10)),
       {"EPSG:CODE": "EPSG:32634"}, home=("EPSG:32634", 10200, 4185800))
of_dem("depths in degrees", lambda: tif("dem.tif", -heights(DEGREES, "EPSG:4326", HOME), "EPSG:4326+5715", DEGREES), home=HOME)


FURLONG = {"UNIT": 201.168}
of_dem("an unknown unit", lambda: tif("dem.tif", heights() / 201.168, unit="furlong"), FURLONG)
of_dem("an unknown unit, scaled", lambda: tif("dem.tif", (heights() / 201.168 - 5) / 0.0005, unit="furlong", kind=gdal.GDT_Int16, scale=0.0005, offset=5),
       FURLONG)


@case
def fathoms():
    """A unit that is known needs no command."""
    tif("dem.tif", heights() / 1.8288 * 10, unit="fathom", kind=gdal.GDT_Int16, scale=0.1)
    got = info(case_of("dem.tif"))
    assert got["height_unit"] == "fathom, converted to metre" and abs(got["elevation_m"]["least"] - heights().min()) < 0.2


of_dem("band and CRS contradict: the CRS is right", lambda: tif("dem.tif", heights() / 0.3048, "EPSG:32633+8228", unit="m"), {"UNIT": "ft"})
of_dem("band and CRS contradict: the band is right", lambda: tif("dem.tif", heights(), "EPSG:32633+8228", unit="m"), {"UNIT": "m"})


def unit_key():
    """A vertical CRS in feet, and a key that says metres."""
    tif("dem.tif", heights(), "EPSG:32633+8228")
    data = bytearray(open("dem.tif", "rb").read())
    at, n = tag(data, 34735)
    keys = list(struct.unpack_from(f"<{n}H", data, at))
    i = keys.index(1026)  # (its citation makes room for the key)
    keys = keys[:i] + keys[i + 4:] + [4099, 0, 1, 9001]
    struct.pack_into(f"<{n}H", data, at, *keys)
    open("dem.tif", "wb").write(data)
    return "dem.tif"


of_dem("the vertical CRS and its unit contradict", unit_key, CODE)


def scale_of_0(form):
    def make():
        a = heights() * 10
        if form == "asc":
            asc("dem.asc", a)
            open("dem.asc.aux.xml", "w").write('<PAMDataset><PAMRasterBand band="1"><Offset>0</Offset><Scale>0</Scale></PAMRasterBand></PAMDataset>')
            return "dem.asc"
        tif("dem.tif", a, scale=0, offset=0)
        if form == "vrt":
            gdal.Translate("dem.vrt", "dem.tif", format="VRT")
            return "dem.vrt"
        return "dem.tif"
    return make


TENTH = {"SCALE,OFFSET": "0.1,0", "EPSG:CODE": "EPSG:32633"}
of_dem("a scale of 0", scale_of_0("tif"), TENTH)
of_dem("a scale of 0, through GDAL", scale_of_0("vrt"), TENTH)
of_dem("a scale of 0 beside a text grid", scale_of_0("asc"), TENTH, extra=["crs EPSG:32633"], then=lambda new: same_ground(new, ["crs EPSG:32633"]))


def scale_too_large():
    asc("dem.asc", heights() * 10)
    open("dem.asc.aux.xml", "w").write('<PAMDataset><PAMRasterBand band="1"><Offset>0</Offset><Scale>1e308</Scale></PAMRasterBand></PAMDataset>')
    return "dem.asc"


of_dem("a scale that makes values infinite", scale_too_large, TENTH, extra=["crs EPSG:32633"], then=lambda new: same_ground(new, ["crs EPSG:32633"]))


def scale_of_letters():
    tif("dem.tif", heights() * 10, scale=0.125, offset=0)
    return bytes_of("dem.tif", lambda d: d.__setitem__(slice(d.index(b">0.125") + 1, d.index(b">0.125") + 6), b"xxxxx"))


of_dem("a scale that is no number", scale_of_letters, TENTH)
of_dem("whole metres", lambda: tif("dem.tif", np.rint(heights(rows=110, cols=110)), kind=gdal.GDT_Int16), {"CELL": 10}, refused=False, tolerance=1.5)


# ---- other forms of files --------------------------------------------------------------------------------------------
of_read("samples of 12 bits", lambda: tif("dem.tif", heights() * 2, kind=gdal.GDT_UInt16, options=["NBITS=12"], scale=0.5, offset=0, unit="m"), tolerance=0.5)


of_read("half floats", lambda: tif("dem.tif", heights(), options=["NBITS=16"]))


def aux_of_text(content, ground=None):
    asc("dem.asc", with_holes(0) if ground is None else ground, nodata="")
    open("dem.asc.aux.xml", "w").write(f"<PAMDataset>{content}</PAMDataset>")
    return "dem.asc"


of_dem("no data beside a text grid", lambda: aux_of_text('<PAMRasterBand band="1"><NoDataValue>0</NoDataValue></PAMRasterBand>'), {**CODE, "VALUE": 0},
       extra=["crs EPSG:32633"], why="a value for no data, which GDAL does not read", then=lambda new: same_ground(new, ["crs EPSG:32633"], holes=[IN_BLOCK]))
of_dem("a CRS beside a text grid", lambda: aux_of_text(f"<SRS>{srs(UTM[0]).ExportToWkt()}</SRS>", heights()), CODE, why="does not read for a text grid", then=lambda new: None)


def large_tiles():
    tif("dem.tif", heights(), options=["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16", "SPARSE_OK=TRUE"], kind=gdal.GDT_Float32)
    big = tif("big.tif", np.full((16, 16), 1300.0), options=["TILED=YES", "BLOCKXSIZE=8192", "BLOCKYSIZE=4112", "SPARSE_OK=TRUE", "COMPRESS=DEFLATE"])
    return big


of_dem("large tiles", large_tiles, then=lambda new: level(new))


def level(new):
    a, gt, _ = metres(new)
    got = info(case_of(new))["elevation_m"]
    assert np.all(a == 1300) and a.size == 256 and got["least"] == got["greatest"] == 1300, "heights differ"


def several():
    tif("a.tif", heights())
    gdal.Translate("dem.gpkg", "a.tif", format="GPKG", outputType=gdal.GDT_Int16, creationOptions=["RASTER_TABLE=first", "TILE_FORMAT=TIFF"])
    tif("b.tif", heights())
    gdal.Translate("dem.gpkg", "b.tif", format="GPKG", outputType=gdal.GDT_Float32, creationOptions=["APPEND_SUBDATASET=YES", "RASTER_TABLE=second"])
    return "dem.gpkg"


@case
def several_named():
    """Each of the names that the message lists is a raster."""
    code, text = message("info", case_of(several()))
    listed = re.search(r"several rasters (\w+), (\w+); name one of them, as (\S+)$", text)
    assert listed.groups() == ("first", "second", "dem.gpkg:first"), text
    for name in listed.groups()[:2]:
        code, out, err = run("dem", f"dem.gpkg:{name}", "--output", f"{name}.tif")
        assert code == 0, err


@case
def format_listed():
    """gdalinfo knows a format that is not read here."""
    gdal.Translate("dem.png", tif("a.tif", heights()), format="PNG", outputType=gdal.GDT_UInt16)
    code, text = message("info", case_of("dem.png"))
    listed = re.search(r"gdalinfo (\S+) knows", text)
    executed.append(listed[0][:-6])
    assert "Driver: PNG" in subprocess.run(["gdalinfo", listed[1]], capture_output=True, text=True, check=True).stdout


def xyz():
    a = heights()
    x, y = centres(SQUARE, N, N)
    with open("dem.xyz", "w") as f:
        for row in range(N):
            for col in range(N):
                f.write(f"{x[row, col]} {y[row, col]} {a[row, col]:.3f}\n")
    return "dem.xyz"


of_dem("a format that only GDAL knows", xyz, CODE, extra=["crs EPSG:32633"], then=lambda new: same_ground(new, ["crs EPSG:32633"]))


def netcdf(dims, cf, west=500000, south=4170000, variable="elevation"):
    """A variable of these dimensions, in their order."""
    d = gdal.GetDriverByName("netCDF").CreateMultiDimensional("dem.nc")
    g = d.GetRootGroup()
    number, text = gdal.ExtendedDataType.Create(gdal.GDT_Float64), gdal.ExtendedDataType.CreateString()
    at = {"x": west + 5 + 10.0 * np.arange(N), "y": south + 5 + 10.0 * np.arange(30)}
    along = [g.CreateDimension(k, None, None, len(at[k])) for k in dims]
    for k, dim in zip(dims, along):
        v = g.CreateMDArray(k, [dim], number)
        v.Write(at[k])
        for name, value in (("standard_name", f"projection_{k}_coordinate"), ("units", "m")) if cf else ():
            v.CreateAttribute(name, [], text).Write(value)
    v = g.CreateMDArray(variable, along, number)
    if cf:
        v.SetSpatialRef(srs(UTM[0]))
    a = plane(*np.meshgrid(at["x"], at["y"]))
    v.Write(np.ascontiguousarray(a if dims == "yx" else a.T))
    v = g = along = None
    d = None
    return "dem.nc"


@case
def netcdf_as_usual():
    """The rows are rows: nothing is refused."""
    same_ground(netcdf("yx", True), ["crs EPSG:32633"])
    code, text = message("info", case_of(netcdf("yx", False)))
    assert code == 2 and "no georeference" in text, text
    code, text = message("info", case_of(netcdf("xy", False)))
    assert code == 2 and "rows and columns are exchanged" in text, text  # (by the names of its dimensions)


of_dem("a netCDF whose rows are columns", lambda: netcdf("xy", True), extra=["crs EPSG:32633"], then=lambda new: same_ground(new, ["crs EPSG:32633"]))


def utf16():
    asc("plain.asc", heights())
    open("dem.asc", "w", encoding="utf-16").write(open("plain.asc").read())
    return "dem.asc"


@case
def hostile_names():
    """What a file calls its variable, or how its name ends, is no command."""
    def grid():
        open("dem.asc;touch struck", "w", encoding="utf-16").write("ncols 3\n")
        return "dem.asc;touch struck"
    for file in (netcdf("xy", True, variable="a' `touch struck` '"), grid()):
        text = message("info", file)[1]
        command = re.search("(gdalmdimtranslate|iconv) .*", text)
        assert command, text
        subprocess.run(["sh", "-c", command[0]], stderr=subprocess.DEVNULL)
        assert not os.path.exists("struck"), text


of_dem("a text grid in UTF-16", utf16, extra=["crs EPSG:32633"], then=lambda new: same_ground(new, ["crs EPSG:32633"]))


def no_gdal():
    os.makedirs("empty", exist_ok=True)
    for number in range(26, 61):
        open(f"empty/libgdal.so.{number}", "w").close()
    return {"LD_LIBRARY_PATH": os.path.abspath("empty")}


@case
def too_large():
    """More cells than fit the memory: a part, or coarser cells."""
    gt = (500000, 10, 0, 4170400, 0, -10)
    tif("dem.tif", heights(gt, rows=1000, cols=1000), gt=gt)
    for limit in range(90000, 400000, 10000):
        code, text = message("info", case_of("dem.tif"), limit_kib=limit)
        if "crop it" in text:
            break
    else:
        raise AssertionError("no limit of memory refuses it")
    for pick, words in ((0, {"LAT,LON": "37.677,15.003", "KM": 0.2}), (1, {"CELL": 40})):
        new = execute(proposed(text, pick, "dem.tif"), words, "dem.tif")
        same_ground(new, cell=40 if pick else 10)
        os.remove(new)


# ---- layers on the grid of the DEM -----------------------------------------------------------------------------------
def dome(x, y):
    return np.maximum(0, 8 - np.hypot(x - 500200, y - 4170200) / 20)


def of_layer(name, key, make, then, words=None, pick=None):
    @case
    def body():
        tif("ground.tif", heights())
        tif("thick.tif", dome(*centres(SQUARE, N, N)))
        layer = make()
        code, text = message("info", case_of("ground.tif", [f"{key} {layer}"] + ["thickness thick.tif"] * (key != "thickness")))
        assert code == 2, "is accepted"
        then(execute(proposed(text, pick, layer), words or {}, layer))
    body.__name__ = name


def volume(new, more=1):
    a, gt, _ = metres(new)
    x, y = centres(gt, *a.shape)
    got = np.nansum(a) * gt[1] * -gt[5]
    want = dome(*centres(SQUARE, N, N)).sum() * 100
    assert abs(got / want - 1) < 0.02, f"{got:.0f} m3 in place of {want:.0f}"
    assert np.nanmax(np.abs(np.nan_to_num(a) - dome(x, y))) < 0.9, "the lava lies elsewhere"
    code, text = message("info", case_of("ground.tif", [f"thickness {new}"]))
    if code and more:
        volume(execute(proposed(text, None, new), {}, new), more - 1)
    else:
        assert not code, text[:300]


def thickness(crs, cell, name="lava.tif", **how):
    x, y = moved([(500200, 4170200)], crs)[0]
    n = int(400 / cell) + 4 if cell > 1e-3 else 60
    gt = (x - n / 2 * cell, cell, 0, y + n / 2 * cell, 0, -cell)
    cx, cy = centres(gt, n, n)
    p = np.array(moved(np.column_stack([cx.ravel(), cy.ravel()]).tolist(), UTM[0], crs))
    return tif(name, dome(p[:, 0], p[:, 1]).reshape(n, n) / how.pop("unit_m", 1), how.pop("said", crs), gt, **how)


of_layer("lava on finer cells", "thickness", lambda: thickness(UTM[0], 2), volume)
of_layer("lava in degrees", "thickness", lambda: thickness("EPSG:4326", 1 / 10800), volume)
of_layer("lava in another zone, in feet", "thickness", lambda: thickness("EPSG:32634", 8, unit_m=0.3048, unit="ft"), volume)
of_layer("lava in degrees, on ground in a CRS without a code", "thickness", lambda: custom_ground() and thickness("EPSG:4326", 1 / 10800), lambda new: volume(new) or any("gdalsrsinfo" in c for c in executed) or missing())
of_layer("lava that names no CRS", "thickness", lambda: thickness(UTM[0], 5, said=None), volume)
of_layer("temperatures in another unit", "temperature", lambda: tif("celsius.tif", np.full((N, N), 1000.0), unit="degC"),
         lambda new: kelvins(new), {"SCALE": 1, "OFFSET": 273.15, "K": "K"})


@case
def a_survey_on_another_grid():
    """Heights of a survey, on the grid of the DEM; what names no CRS has that of the DEM."""
    tif("ground.tif", heights())
    for crs, gt in (("EPSG:32634", None), (UTM[0], (499990, 5, 0, 4170410, 0, -5)), (None, (499990, 5, 0, 4170410, 0, -5))):
        if gt is None:
            x, y = moved([(500200, 4170200)], crs)[0]
            gt = (x - 300, 10, 0, y + 300, 0, -10)
        tif("survey.tif", heights(gt, crs, rows=90, cols=90), crs, gt)
        code, text = message("info", case_of("ground.tif", ["terrain_update 10s survey.tif with_lava"]))
        assert code == 2, "is accepted"
        new = execute(proposed(text, None, "survey.tif"), {}, "survey.tif")
        a, b = metres(new), metres("ground.tif")
        assert a[1] == b[1] and a[0].shape == b[0].shape and np.nanmax(np.abs(a[0] - b[0])) < 0.1 and not np.isnan(a[0]).any(), "heights differ"
        code, text = message("info", case_of("ground.tif", [f"terrain_update 10s {new} with_lava"]))
        assert not code, text[:300]
        os.remove(new)


def custom_ground():
    return tif("ground.tif", heights(), "+proj=tmerc +lon_0=15 +k=0.9996 +x_0=500000 +datum=WGS84 +nadgrids=@null" if False else "+proj=tmerc +lat_0=1 +lon_0=15 +k=0.9996 +x_0=500000 +y_0=110530.11 +datum=WGS84")


def missing():
    raise AssertionError("no command names the CRS of the ground")


def kelvins(new):
    tif("thick.tif", dome(*centres(SQUARE, N, N)))
    code, text = message("info", case_of("ground.tif", ["thickness thick.tif", f"temperature {new}"]))
    assert not code, text[:300]
    d = gdal.Open(new)
    b = d.GetRasterBand(1)
    assert b.GetUnitType() == "K" and abs(b.ReadAsArray()[0, 0] * (b.GetScale() or 1) + (b.GetOffset() or 0) - 1273.15) < 1e-6, "not kelvins"


def of_holes(name, scale, offset, unit):
    @case
    def body():
        """Lava that flows into a hole of the DEM."""
        x, _ = centres(SQUARE, N, N)
        truth = 1300 - 0.4 * (x - 500200)
        stored = (truth / METRES[unit] - offset) / scale
        hole = np.zeros((N, N), bool)
        hole[18:22, 22:25] = True
        tif("dem.tif", np.where(hole, -32768, stored), kind=gdal.GDT_Int16 if unit else gdal.GDT_Float32, scale=scale if unit else None,
            offset=offset, unit=unit, nodata=-32768)
        case_of("dem.tif", ["crs EPSG:32633"])
        open("vents.csv", "w").write("vent,row,col\n1,20,18\n")
        open("rates.csv", "w").write("vent,from_h,to_h,rate_m3_s\n1,0,10,5\n")
        text = open("case.cfg").read().replace("max_steps 10", "max_steps 150")
        open("case.cfg", "w").write(text)
        code, text, err = run("run", "case.cfg", "--no-output", "--variant", "reference")
        assert not code, err
        new = execute(proposed(text, None, "dem.tif"), {}, "dem.tif")
        got, _, _ = metres(new)
        assert np.abs(got - truth)[~hole].max() < 0.1, "heights differ"
        assert not np.isnan(got).any() and np.abs(got - truth).max() < 5, "the hole is not filled"
        assert info(case_of(new))["elevation_m"]["cells_without_data"] == 0
    body.__name__ = name


of_holes("holes that swallow lava", 1, 0, "")
of_holes("holes that swallow lava, in scaled feet", 0.2, 1000, "ft")


@case
def thickness_out_of_range():
    """A value of thickness that marks no data."""
    a = dome(*centres(SQUARE, N, N)) / 0.3048
    a[0, 0], a[0, 1] = 32767, -9999
    tif("lava.tif", a, unit="ft", nodata=-9999)
    asc("truth.asc", np.full((N, N), 1.0))
    code, text = message("fit", "lava.tif", geojson("box.json", [[list(p) for p in BOX]], "EPSG:32633"), "--no-map")
    assert code == 2, "is accepted"
    new = execute(proposed(text, None, "lava.tif"), {}, "lava.tif")
    got, _, _ = metres(new)
    assert np.isnan(got[0, 0]) and np.isnan(got[0, 1]) and abs(np.nanmax(got) - dome(*centres(SQUARE, N, N)).max()) < 1e-3, "thicknesses differ"
    code, text = message("fit", new, "box.json", "--no-map")
    assert not code, text[:300]


def of_grid(name, crs, cell):
    @case
    def body():
        """An observed raster in another CRS than what it is compared with."""
        tif("lava.tif", dome(*centres(SQUARE, N, N)))
        x, y = moved([(500200, 4170200)], crs)[0]
        gt = (x - 30 * cell, cell, 0, y + 30 * cell, 0, -cell)
        cx, cy = centres(gt, 60, 60)
        p = np.array(moved(np.column_stack([cx.ravel(), cy.ravel()]).tolist(), UTM[0], crs))
        seen = (dome(p[:, 0], p[:, 1]) > 0).reshape(60, 60).astype(float)
        tif("seen.tif", seen, crs, gt)
        code, text = message("fit", "lava.tif", "seen.tif", "--no-map")
        assert code == 2, "is accepted"
        new = "seen.tif"
        for _ in range(2):
            new = execute(proposed(text, None, new), {}, new)
            code, out, err = run("fit", "lava.tif", new, "--no-map", "--json")
            if not code:
                break
            text = err
        assert not code, err[:300]
        o = json.loads(out)
        assert o["jaccard"] > 0.93, f"jaccard {o['jaccard']}"
    body.__name__ = name


of_grid("an observed raster in degrees", "EPSG:4326", 1 / 10800)
of_grid("an observed raster in another zone", "EPSG:32634", 10)


# ---- calibration -----------------------------------------------------------------------------------------------------
def of_arrivals(name, make, words, hours):
    @case
    def body():
        tif("ground.tif", heights())
        file = make()
        case_of("ground.tif")
        plan = open("case.cfg").read() + f"observed_arrivals {file}\nfit_Pcool 1 5\nterrain_error_m 0.5\nevaluations 5\npopulation 4\nnoise_members 2\nfinalist_members 2\n"
        open("plan.cfg", "w").write(plan)
        code, text = message("calibrate", "plan.cfg", "--output", "fitted")
        new = execute(proposed(text, None, file), words, file)
        d = gdal.Open(new)
        b = d.GetRasterBand(1)
        a = b.ReadAsArray() * (b.GetScale() or 1) + (b.GetOffset() or 0)
        assert abs(a[20, 20] - hours) < 1e-6, f"{a[20, 20]} h in place of {hours}"
        open("plan.cfg", "w").write(plan.replace(file, new))
        code, after = message("calibrate", "plan.cfg", "--output", "again")
        assert not code and not commands(after), after[:300]
    body.__name__ = name


def arrivals(unit, value, far):
    def make():
        a = np.full((N, N), far, float)
        a[18:23, 18:23] = value
        return tif("arrivals.tif", a, unit=unit, nodata=-9999)
    return make


of_arrivals("arrivals in weeks", arrivals("weeks", 0.25 / 168, -9999), {"SCALE": 168, "OFFSET": 0}, 0.25)
of_arrivals("arrivals of 0 where no lava came", arrivals("h", 0.25, 0), {}, 0.25)


# ---- vector files ----------------------------------------------------------------------------------------------------
def same_area(new, extra=()):
    got = info(case_of("ground.tif", [f"outline {new}", *extra]))["outline_file"]
    assert abs(got["area_m2"] / BOX_M2 - 1) < 0.02, f"{got['area_m2']} m2 in place of {BOX_M2}"
    assert got["outside_share"] < 1e-6, "a part lies elsewhere"


def of_outline(name, make, words=None, pick=None, then=same_area, key="outline"):
    @case
    def body():
        tif("ground.tif", heights())
        file = make()
        code, text = message("info", case_of("ground.tif", [f"{key} {file}"]))
        assert code == 2, "is accepted"
        plain = file.split(":")[0]
        then(execute(proposed(text, pick, plain), words or {}, plain))
    body.__name__ = name


def translated(name, form, crs=UTM[0], options="", source=None):
    geojson("box.json", [[list(p) for p in BOX]], UTM[0])
    gdal.VectorTranslate(name, source or "box.json", format=form, dstSRS=crs, reproject=True, layerName="box")
    return name


def shapefile_with_nonsense():
    translated("box.shp", "ESRI Shapefile")
    open("box.prj", "w").write("nonsense")
    return "box.shp"


def many_layers():
    translated("all.gpkg", "GPKG", "EPSG:4326")
    geojson("roads.json", [[500100, 4170100], [500200, 4170200]], UTM[0], "LineString")
    gdal.VectorTranslate("all.gpkg", "roads.json", format="GPKG", layerName="my roads", accessMode="update", dstSRS="EPSG:4326", reproject=True)
    return "all.gpkg"


def package_with_a_view():
    many_layers()
    db = sqlite3.connect("all.gpkg")
    db.execute("CREATE VIEW v AS SELECT nothing_known(fid) FROM box")
    db.commit()
    return "all.gpkg:box"


ZONE = {"EPSG:CODE": "EPSG:32633"}
of_outline("a .prj that is not known", shapefile_with_nonsense, ZONE)
of_outline("a member crs that is not known", lambda: geojson("box.json", [[list(p) for p in BOX]], "my own"), ZONE)
of_outline("metres that are declared as those of another zone", lambda: geojson("box.json", [[list(p) for p in BOX]], "EPSG:32632"), ZONE)
of_outline("metres that are declared as degrees", lambda: geojson("box.json", [[list(p) for p in BOX]], "EPSG:4326"), ZONE, pick=0)
of_outline("a position far away", lambda: far_box(),
           {"WEST": 14.5, "SOUTH": 37, "EAST": 15.5, "NORTH": 38}, pick=1)
of_outline("a view that is not plain SQL", package_with_a_view, {"LAYER": "box"})
of_outline("a table of points", lambda: open("houses.csv", "w").write("name,px,py\nHut,500150,4170150\nBarn,500250,4170200\n") and "houses.csv",
           {"X": "px", "Y": "py", "EPSG:CODE": "EPSG:32633"}, key="assets", then=lambda new: points(new))
of_outline("places in a format that only GDAL knows", lambda: translated("box.gml", "GML"), key="assets")
of_outline("... and that GDAL knows it", lambda: translated("box.gml", "GML"), key="assets", pick=1, then=lambda new: None)
of_outline("a format that only GDAL knows", lambda: translated("box.fgb", "FlatGeobuf"))
of_outline("an outline in GML", lambda: translated("box.gml", "GML"))
of_outline("an outline in UTF-16", lambda: (geojson("plain.json", [[list(p) for p in BOX]], UTM[0]), open("box.geojson", "w", encoding="utf-16").write(open("plain.json").read()))[0] and "box.geojson")


def far_box():
    o = {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [moved(BOX, "EPSG:4326")]}},
        {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[[-75, 0], [-74, 0], [-74, 1], [-75, 0]]]}}]}
    json.dump(o, open("box.json", "w"))
    return "box.json"


def points(new):
    got = info(case_of("ground.tif", [f"assets {new}"]))["assets_file"]
    assert got["features"] == 2 and got["points"] == 2 and not got.get("features_outside"), got


@case
def vector_without_gdal():
    tif("ground.tif", heights())
    for file, made in ((translated("box.shp", "ESRI Shapefile", "EPSG:3004"), "box.geojson"), (many_layers() + ":box", "all.geojson")):
        code, text = message("info", case_of("ground.tif", [f"outline {file}"]), env=no_gdal())
        assert code == 2
        same_area(execute(proposed(text, None, file.split(":")[0]), {}, file.split(":")[0]))


@case
def fit_to_a_vector_file_that_is_not_read():
    tif("lava.tif", dome(*centres(SQUARE, N, N)))
    tif("ground.tif", heights())
    code, text = message("fit", "lava.tif", translated("box.fgb", "FlatGeobuf"), "--no-map")
    assert code == 2
    new = execute(proposed(text, None, "box.fgb"), {}, "box.fgb")
    code, out, err = run("fit", "lava.tif", new, "--no-map", "--json")
    assert not code, err
    same_area(new)


@case
def across_the_antimeridian():
    """A line from 179.9 to -179.9 degrees, drawn around the Earth, over terrain at 180."""
    x, y = moved([(179.999, -16.92)], "EPSG:32701", "EPSG:4326")[0]
    gt = (x - 2000, 100, 0, y + 2000, 0, -100)
    tif("ground.tif", np.full((N, N), 1300.0) + np.arange(N), "EPSG:32701", gt)
    geojson("road.json", [[179.99, -16.92], [-179.99, -16.92]], None, "LineString")
    code, text = message("info", case_of("ground.tif", ["assets road.json"]))
    assert code == 2, "is accepted"
    new = execute(proposed(text, None, "road.json"), {}, "road.json")
    got = info(case_of("ground.tif", [f"assets {new}"]))["assets_file"]
    assert abs(got["length_m"] - 2130) < 30, got


@case
def as_ogr2ogr_does():
    """Longitude and latitude come to where `ogr2ogr -t_srs` brings them, also where datums differ by metres."""
    for crs, x, y in (("EPSG:26905", -155.3, 19.4), ("EPSG:6635", -155.3, 19.4), ("EPSG:31467", 9.0, 48.0), ("EPSG:32119", -79.0, 35.5)):
        ring = [[x, y], [x + 0.001, y], [x + 0.001, y + 0.001], [x, y]]
        geojson("degrees.json", [ring])
        gdal.VectorTranslate("there.gpkg", "degrees.json", format="GPKG", dstSRS=crs, reproject=True)
        d = ogr.Open("there.gpkg")
        west, east, south, north = d.GetLayer(0).GetExtent()
        gt = (np.floor(west) - 200, 10, 0, np.floor(north) + 200, 0, -10)
        tif("ground.tif", np.full((N * 2, N * 2), 1000.0) + np.arange(N * 2) / 7, crs, gt)
        got = info(case_of("ground.tif", ["outline degrees.json"]))["outline_file"]
        for key, value in (("west", west), ("east", east), ("south", south), ("north", north)):
            assert abs(got[key] - value) < 0.01, f"{crs}: {key} {got[key]}, by ogr2ogr {value}"
        d = None
        os.remove("there.gpkg")


# ---- README and docs -------------------------------------------------------------------------------------------------
def of_document(command):
    """Its command on a DEM in degrees with heights above the ellipsoid's geoid, scaled feet."""
    def body():
        degrees(1200 / 3937, crs="EPSG:4326+6360")
        text = re.sub(r"-te [\d ]+", "-te 500000 4169900 500300 4170300 ", command)
        text = text if re.search(r"\.tif\b", text) else text + " in.tif out.tif"
        text = re.sub(r"\b(in|any)\.tif", "dem.tif", re.sub(r"\b(out|dem)\.tif$", "out.tif", text))
        r = subprocess.run(text, shell=True, capture_output=True, text=True, check=False)
        assert not r.returncode, r.stderr
        if "-t_srs" in text:
            same_ground("out.tif", home=HOME)
        else:
            a, b = metres("dem.tif"), metres("out.tif")
            assert np.array_equal(a[0], b[0], equal_nan=True) and a[1] == b[1] and a[2].IsSame(b[2]), "not the same raster"
    body.__name__ = f"document: {command}"
    return body


OUTSIDE = {"ogr2ogr -t_srs"}  # (words for what messages propose)


def documents():
    found = []
    names = ["README.md"] + [f"docs/{n}" for n in sorted(os.listdir(f"{ROOT}/docs")) if n.endswith(".md") and n != "corrections.md"]
    for name in names:
        text = open(f"{ROOT}/{name}").read()
        blocks = re.findall(r"^    (" + PROGRAMS + r" .*)$", text, re.M)
        spans = [" ".join(s.split()) for s in re.findall(r"(?<!`)`(" + PROGRAMS + r"\s[^`]*)`", text)]
        found += [c for c in blocks + spans if c not in OUTSIDE]
    return found


# ---- what the sources can print --------------------------------------------------------------------------------------
def macros():
    """The commands of remedy.h as patterns, by their names; those that only others use have none."""
    text = re.sub(r"/\*.*?\*/", "", open(f"{ROOT}/src/input/text/remedy.h").read(), flags=re.S).replace("\\\n", " ")
    raw = dict(re.findall(r"^#define (REMEDY_\w+)\s+(.+)$", text, re.M))
    used = "".join(open(os.path.join(d, f)).read() for d, _, names in os.walk(f"{ROOT}/src") for f in names
                   if f.endswith((".c", ".h")) and f != "remedy.h")

    def expand(name):
        parts = re.findall(r'"((?:[^"\\]|\\.)*)"|(REMEDY_\w+)', raw[name])
        return "".join(expand(word) if word else part for part, word in parts)

    found = {}
    for name in raw:
        if name in ("REMEDY_IN", "REMEDY_OUT", "REMEDY_NEW") or not re.search(rf"\b{name}\b", used):
            continue
        whole = expand(name)
        if whole.startswith('\\"$('):
            continue  # (a word of a command)
        inner = [whole] if re.match(OWN + " ", whole) else re.findall(r"\((" + OWN + r" [^)]*)\)", whole)
        assert inner, f"{name} has no command"
        for i, command in enumerate(inner):
            pattern = re.escape(command.replace('\\"', '"'))
            for mark, value in (("\\\\1", r"(?:'.*'|[^ &]+)"), ("\\\\2", r"'?[^ &]*?")):
                pattern = pattern.replace(mark, value)
            pattern = re.sub(r"%(?:\\\.)?[\d\\.]*[sdg]", r"[^&]*?", pattern)
            found[f"{name}.{i}"] = pattern.replace("_new\\.tif", "_new\\.tif'?").replace("\\.vrt", "\\.vrt'?").replace("geojson", "geojson'?")
    return found


def strays():
    """Commands that stand elsewhere in the sources."""
    found = []
    for top in ("src", "include", "python"):
        for d, _, names in os.walk(f"{ROOT}/{top}"):
            for f in names:
                if not f.endswith((".c", ".h", ".js", ".html", ".py")) or f == "remedy.h" or "/tests" in d:
                    continue
                text = re.sub(r"/\*.*?\*/", "", open(os.path.join(d, f), errors="replace").read(), flags=re.S)
                found += [f"{f}: {m}" for m in re.findall(r"\b" + PROGRAMS + r" (?:-|[\w%./]+\.)[^\"\n]*", text) if "import" not in m]
    return found


def of_terrain():
    """Programs of GDAL that a text proposes, but of remedy.h those for other rasters than a DEM."""
    others = {"REMEDY_WARP", "REMEDY_CONVERTED", "REMEDY_NODATA"}
    files = [os.path.join(d, f) for top in ("src", "include", "docs") for d, _, names in os.walk(f"{ROOT}/{top}") for f in names
             if f.endswith((".c", ".h", ".js", ".html", ".md", ".tsv")) and f != "corrections.md"] + [f"{ROOT}/README.md"]
    found = []
    for name in files:
        text = re.sub(r"/\*.*?\*/", "", open(name, errors="replace").read(), flags=re.S)
        if name.endswith("remedy.h"):
            text = "".join(m[0] for m in re.finditer(r"^#define (REMEDY_\w+)(?:.*\\\n)*.*$", text, re.M) if m[1] not in others)
        found += [f"{name}: {m}" for m in re.findall(r"\b(?:gdalwarp|gdal_translate|gdal_edit|gdal_fillnodata|gdal_calc|gdalbuildvrt)\b.*", text)]
    return found


# ---- all -------------------------------------------------------------------------------------------------------------
def attempt(body):
    global passes
    for f in os.listdir("."):
        if os.path.isfile(f):
            os.remove(f)
    try:
        body()
        passes += 1
    except Exception as problem:  # pylint: disable=broad-except
        failures.append(body.__name__)
        print(f"FAILED: {body.__name__}: {type(problem).__name__ if not isinstance(problem, AssertionError) else ''} {problem}")


def main():
    only = os.environ.get("REMEDIES_ONLY")
    for body in CASES + ([] if OLD else [of_document(c) for c in documents()]):
        if (only in body.__name__) if only else body.__name__ not in LATER:
            attempt(body)
    if not OLD and not only:
        for name, pattern in macros().items():
            assert pattern
            if not any(re.fullmatch(pattern, c) for c in executed):
                failures.append(name)
                print(f"FAILED: no case executes {name}: {pattern}")
        for stray in strays():
            failures.append(stray)
            print(f"FAILED: a command outside src/input/text/remedy.h: {stray}")
        for stray in of_terrain():
            failures.append(stray)
            print(f"FAILED: sciara dem prepares a DEM: {stray}")
    print(f"{passes} of {passes + len(failures)} checks passed: {len(set(executed))} commands")
    if SERVER:
        SERVER.communicate()  # (to its end)
    sys.exit(1 if failures else 0)


main()
