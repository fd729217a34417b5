"""Sources of `sciara dem` and what has to become of them, read independently by GDAL's Python.

dem.py make FOLDER: writes the sources, and `commands`: a line NAME, a tab, and words with tabs between them.
dem.py check FOLDER: compares NAME.tif with a slope of which the height at each place is known.
"""
import subprocess
import sys
import zipfile

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
osr.UseExceptions()
SIDE = 72  # cells of most sources
DEGREES = osr.SpatialReference()
DEGREES.ImportFromEPSG(4326)
DEGREES.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
FOLDER = sys.argv[2]
US_FT, FT = 1200 / 3937, 0.3048


def crs(text):
    s = osr.SpatialReference()
    s.SetFromUserInput(text)
    s.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return s


def height(lon, lat, at):
    """A slope of 0.5 with hills that bilinear interpolation follows: a shift of a tenth of 30 m changes it by 1.5 m."""
    x = (np.remainder(lon - at[1] + 180, 360) - 180) * 111320 * np.cos(np.radians(at[0]))
    y = (lat - at[0]) * 111320
    return 1500 + 0.4 * x + 0.3 * y + 40 * np.sin(x / 700) * np.cos(y / 900)


class Source:
    """A raster of that slope around a place, in a CRS, by its cells there. Columns and rows of odd numbers can lie higher, those
    of even numbers lower: in larger cells nothing of it is left."""

    def __init__(self, name, at, text="EPSG:4326", cell=None, turn=None, shift=(0, 0), size=(SIDE, SIDE), stripes=(0, 0)):
        self.path, self.at, self.text, self.stripes = f"{FOLDER}/{name}", at, text, stripes
        self.crs = crs(text)
        to = osr.CoordinateTransformation(DEGREES, flat(self.crs))
        x, y, _ = to.TransformPoint(at[1], at[0])
        dx, dy = cell or (0.0003, 0.0003)
        a, b = turn or (1, 0)  # of the axes
        x, y = x + shift[0], y + shift[1]
        rows, cols = size
        self.rows, self.cols = rows, cols
        self.place = [x - a * dx * cols / 2 - b * dy * rows / 2, a * dx, b * dy,
                      y + a * dy * rows / 2 - b * dx * cols / 2, b * dx, -a * dy]

    def heights(self):
        g = self.place
        row, col = np.mgrid[0 : self.rows, 0 : self.cols] + 0.5
        x, y = g[0] + col * g[1] + row * g[2], g[3] + col * g[4] + row * g[5]
        there = np.stack([x.ravel(), y.ravel()], 1)
        if self.text != "EPSG:4326":
            there = np.array(osr.CoordinateTransformation(flat(self.crs), DEGREES).TransformPoints(there.tolist()))
        waves = self.stripes[0] * (2 * np.floor(col % 2) - 1) + self.stripes[1] * (2 * np.floor(row % 2) - 1)
        return height(there[:, 0], there[:, 1], self.at).reshape(x.shape) + waves

    def write(self, kind=gdal.GDT_Float32, driver="GTiff", unit="", scale=1.0, offset=0.0, metres=1.0, options=(),
              nodata=None, hole=None, bands=1, named=True, lifted=0, least=-np.inf):
        data = gdal.GetDriverByName(driver).Create(self.path, self.cols, self.rows, bands, kind, list(options))
        data.SetGeoTransform(self.place)
        if named:
            data.SetSpatialRef(self.crs)
        band = data.GetRasterBand(1)
        stored = ((self.heights() + lifted) / metres - offset) / scale
        stored = np.maximum(stored, least)
        if kind in (gdal.GDT_Int16, gdal.GDT_Int32):
            stored = np.rint(stored)
        if hole is not None:
            stored[30:40, 30:40] = hole
        if unit:
            band.SetUnitType(unit)
        if scale != 1 or offset:
            band.SetScale(scale)
            band.SetOffset(offset)
        if nodata is not None:
            band.SetNoDataValue(nodata)
        band.WriteArray(stored.astype({gdal.GDT_Float32: "f4", gdal.GDT_Float64: "f8", gdal.GDT_Int16: "i2",
                                       gdal.GDT_Int32: "i4"}[kind]))
        if bands == 2:
            alpha = np.full((self.rows, self.cols), 255, "u1")
            alpha[30:40, 30:40] = 0
            data.GetRasterBand(2).SetColorInterpretation(gdal.GCI_AlphaBand)
            data.GetRasterBand(2).WriteArray(alpha)
        return data


def flat(s):
    """Without heights; those of a compound CRS are its second part."""
    t = s.Clone()
    if t.IsCompound():
        t.StripVertical() if hasattr(t, "StripVertical") else t.DemoteTo2D()
    elif t.GetAxesCount() == 3:
        t.DemoteTo2D()
    t.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return t


ETNA, IDAHO, HAWAII, PARIS = (37.75, 14.99), (43.2, -113.5), (19.4, -155.3), (45.5, 2.6)
wanted = {}  # NAME: (place, (source files), words, kilometres, hole)


def want(name, at, sources, *words, km=0.7, hole=False):
    wanted[name] = (at, [s.path if isinstance(s, Source) else f"{FOLDER}/{s}" for s in sources], list(words), km, hole)


def simple(name, at=ETNA, text="EPSG:4326", cell=None, words=(), km=0.7, hole=False, ending=".tif", turn=None, **how):
    s = Source(name + "-source" + ending, at, text, cell, turn)
    s.write(**how)
    want(name, at, [s], *words, km=km, hole=hole)
    return s


def whole_turn(name, lon):
    """Around the Earth, from `lon` to `lon` again; written where both ends meet alone."""
    ends, cells = 40, 1200000
    options = ["SPARSE_OK=YES", "TILED=YES", "BLOCKXSIZE=16384", "BLOCKYSIZE=16"]
    data = gdal.GetDriverByName("GTiff").Create(f"{FOLDER}/{name}", cells, SIDE, 1, gdal.GDT_Float32, options)
    west = lon - 360 if lon else 0
    data.SetGeoTransform([west, 0.0003, 0, -17.5 + SIDE / 2 * 0.0003, 0, -0.0003])
    data.SetSpatialRef(DEGREES)
    row, col = np.mgrid[0:SIDE, 0:ends] + 0.5
    for first in (0, cells - ends):
        values = height(west + (first + col) * 0.0003, -17.5 + (SIDE / 2 - row) * 0.0003, (-17.5, lon))
        data.GetRasterBand(1).WriteArray(values.astype("f4"), first, 0)


def make():
    metres, feet = (30, 30), (90, 90)
    simple("degrees")
    simple("utm", text="EPSG:32632", cell=metres)
    simple("not_square", cell=(0.0006, 0.0003), km=0.6)
    simple("south_up", cell=(0.0003, -0.0003))
    simple("turned", text="EPSG:32633", cell=metres, turn=(0.8, 0.6), km=0.6)
    simple("point", options=["COMPRESS=DEFLATE"])
    with_point = gdal.Open(f"{FOLDER}/point-source.tif", gdal.GA_Update)
    with_point.SetMetadataItem("AREA_OR_POINT", "Point")
    with_point = None
    simple("ft_us_by_band", IDAHO, "EPSG:2242", feet, unit="US survey foot", metres=US_FT)
    simple("ft_us_by_crs", IDAHO, "EPSG:2242+6360", feet, metres=US_FT)
    simple("ft_by_band", IDAHO, "EPSG:26912", metres, unit="ft", metres=FT)
    simple("ft_by_crs", IDAHO, "EPSG:4269+8228", metres=FT)
    simple("ft_us_said", IDAHO, "EPSG:2242", feet, metres=US_FT, words=["--heights", "us-ft"])
    simple("ft_said", IDAHO, "EPSG:4326", metres=FT, words=["--heights", "ft"])
    simple("metres_said", IDAHO, "EPSG:2242", feet, words=["--heights", "m"])
    simple("geoid", text="EPSG:4326+5773")
    simple("ellipsoid", text="EPSG:4979")
    simple("to_ellipsoid", text="EPSG:4326+5773", words=["--vertical", "4979"])
    simple("to_geoid", text="EPSG:4979", words=["--vertical", "5773"])
    simple("depths", text="EPSG:4326+5715", metres=-1)
    simple("depths_scaled", text="EPSG:4326+5715", metres=-1, kind=gdal.GDT_Int32, scale=0.01, offset=-1000)
    s = Source("scaled-source.tif", ETNA)
    s.write(kind=gdal.GDT_Int16, scale=0.1, nodata=-32768, hole=-32768)
    want("scaled", ETNA, [s], hole=True)
    simple("offset", kind=gdal.GDT_Int16, scale=0.5, offset=-1000, metres=FT, unit="ft")
    s = Source("hole_said-source.tif", ETNA)
    s.write(kind=gdal.GDT_Int32, hole=-32768)
    want("hole_said", ETNA, [s], "--nodata", "-32768", hole=True)
    s = Source("two_holes-source.tif", ETNA)
    data = s.write(kind=gdal.GDT_Int32, hole=-32768, nodata=-1)
    data.GetRasterBand(1).WriteArray(np.full((6, 6), -1, "i4"), 45, 30)  # (the mask of it counts, too)
    data = None
    want("two_holes", ETNA, [s], "--nodata=-32768", hole=True)
    s = Source("alpha-source.tif", ETNA)
    s.write(bands=2)
    want("alpha", ETNA, [s], hole=True)
    s = Source("mask-source.tif", ETNA)
    data = s.write()
    data.CreateMaskBand(gdal.GMF_PER_DATASET)
    mask = np.full((SIDE, SIDE), 255, "u1")
    mask[30:40, 30:40] = 0
    data.GetRasterBand(1).GetMaskBand().WriteArray(mask)
    data = None
    want("mask", ETNA, [s], hole=True)
    s = Source("no_crs-source.tif", ETNA, "EPSG:32633", metres)
    s.write(named=False)
    want("no_crs", ETNA, [s], "--source-crs", "EPSG:32633")

    # no data that is not declared; on a coast, 0 is none
    for k, mark in enumerate((-9999, -32768, -32767, -99999, 65535, 0, -4321, 0), 1):
        s = Source(f"mark_{k}-source.tif", ETNA)
        s.write(kind=gdal.GDT_Int32, hole=mark, scale=0.1 if mark == 65535 else 1,
                **({"lifted": -1500, "least": 0} if k == 8 else {}))
    s = Source("mark_9-source.tif", ETNA)
    data = s.write(kind=gdal.GDT_Int32)
    data.GetRasterBand(1).WriteArray(np.full((1, SIDE), -9999, "i4"), 0, SIDE - 1)
    data = None
    s = Source("blend-source.tif", ETNA)
    s.write(hole=-9000 - 7 * np.arange(100).reshape(10, 10))

    # longitudes
    s = Source("east-source.tif", HAWAII)
    s.place[0] += 360
    s.write()
    want("east", HAWAII, [s])
    for name, lon in (("greenwich", 0.0), ("antimeridian", 180.0)):
        whole_turn(name + "-source.tif", lon)
        want(name, (-17.5, lon), [name + "-source.tif"], km=0.6)
    at = (-17.5, 180.0)
    two = []
    for k, shift in ((0, -36), (1, 36)):
        s = Source(f"both_sides_{k}.tif", at, size=(SIDE, 72))
        s.place[0] = (180.0 if k == 0 else -180.0) + (-72 * 0.0003 if k == 0 else 0)
        s.write()
        two.append(s)
    want("both_sides", at, two)
    simple("paris", PARIS, "EPSG:4807", cell=(0.0003333, 0.0003333))
    simple("ferro", (47.5, 14.5), "EPSG:4805")
    simple("pole", (85.5, 30.0), "EPSG:3413", metres, words=["--crs", "EPSG:5041"])
    simple("datum", IDAHO, "EPSG:26712", metres)

    # several
    tiles = []
    for row in (0, 1):
        for col in (0, 1):
            s = Source(f"tile_{row}{col}.tif", ETNA, shift=((col - 0.5) * SIDE * 0.0003, (0.5 - row) * SIDE * 0.0003))
            s.write(kind=gdal.GDT_Float32, options=["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"])
            tiles.append(s)
    want("tiles", ETNA, tiles, km=1)
    gdal.BuildVRT(f"{FOLDER}/vrt-source.vrt", [s.path for s in tiles]).FlushCache()
    want("vrt", ETNA, ["vrt-source.vrt"], km=1)
    a = Source("mixed_a.tif", ETNA, "EPSG:32633", metres, shift=(-500, 0))
    a.write()
    b = Source("mixed_b.tif", ETNA, "EPSG:3035", (30, 30), shift=(1000, 0))
    b.write(unit="ft", metres=FT)
    want("mixed", ETNA, [a, b])
    with zipfile.ZipFile(f"{FOLDER}/zip-source.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(tiles[0].path, "folder/tile.tif")
    with zipfile.ZipFile(f"{FOLDER}/tiles-source.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for k, tile in enumerate(tiles):
            archive.write(tile.path, f"part {k}/tile.tif" if k else "first.tif")
    want("zip_of_tiles", ETNA, ["tiles-source.zip"], km=1)
    middle = (ETNA[0] + SIDE * 0.0003 / 2, ETNA[1] - SIDE * 0.0003 / 2)
    wanted["zip"] = (ETNA, [f"{FOLDER}/zip-source.zip"], [f"--around={middle[0]},{middle[1]}"], 0.7, False)

    # formats
    memory = Source("x", ETNA)
    memory.path = ""
    data = memory.write(driver="MEM")
    gdal.GetDriverByName("AAIGrid").CreateCopy(f"{FOLDER}/grid-source.asc", data, options=["DECIMAL_PRECISION=4"])
    want("grid", ETNA, ["grid-source.asc"])
    for bottom in ("YES", "NO"):
        gdal.GetDriverByName("netCDF").CreateCopy(f"{FOLDER}/netcdf_{bottom}.nc", data,
                                                  options=[f"WRITE_BOTTOMUP={bottom}"])
        want("netcdf_" + bottom, ETNA, [f"netcdf_{bottom}.nc"])
    # a netCDF whose coordinates alone say that they are degrees, with one variable and with two
    for name, words in (("conventions", []), ("variables", ["float z2(lat, lon); z2:units = \"ft\";"])):
        g, z = memory.place, memory.heights()
        axes = ([g[3] + g[5] * (k + 0.5) for k in range(SIDE)], [g[0] + g[1] * (k + 0.5) for k in range(SIDE)])
        lists = [", ".join(f"{v:.9g}" for v in np.ravel(a)) for a in (*axes, z, z / FT)]
        text = (f"netcdf x {{ dimensions: lat = {SIDE}; lon = {SIDE}; variables: double lat(lat); lat:units = "
                f"\"degrees_north\"; double lon(lon); lon:units = \"degrees_east\"; float z1(lat, lon); z1:units = "
                f"\"m\"; {''.join(words)} data: lat = {lists[0]}; lon = {lists[1]}; z1 = {lists[2]}; "
                f"{'z2 = ' + lists[3] + ';' if words else ''} }}")
        subprocess.run(["ncgen", "-o", f"{FOLDER}/{name}.nc"], input=text, text=True, check=True)
        want(name, ETNA, [name + (".nc:z2" if words else ".nc")], *(["--source-crs", "4326"] if words else []))
    data = memory.write(driver="MEM", kind=gdal.GDT_Int16)
    gdal.GetDriverByName("JP2OpenJPEG").CreateCopy(f"{FOLDER}/jp2-source.jp2", data,
                                                   options=["QUALITY=100", "REVERSIBLE=YES"])
    want("jp2", ETNA, ["jp2-source.jp2"])
    hgt = Source("x", (37.5, 14.5), cell=(1 / 1200, 1 / 1200), size=(1201, 1201))
    hgt.heights().round().astype(">i2").tofile(f"{FOLDER}/N37E014.hgt")
    want("hgt", (37.5, 14.5), ["N37E014.hgt"], "--cell", "90", km=3)
    s = Source("filled-source.tif", ETNA)
    s.write(nodata=-1, hole=-1)
    want("filled", ETNA, [s], "--fill", "14")  # as if there were none
    data = gdal.GetDriverByName("GTiff").Create(f"{FOLDER}/over_pole.tif", 90, 90, 1, gdal.GDT_Float32)
    data.SetSpatialRef(crs("EPSG:3413"))
    data.SetGeoTransform([-4500, 100, 0, 4500, 0, -100])
    data.GetRasterBand(1).WriteArray(np.add.outer(9.0 * np.arange(90), 5.0 * np.arange(90)) + 100)
    data = None
    raised = Source("raised.tif", ETNA)
    raised.write(unit="m", lifted=40)
    feet = Source("feet.tif", ETNA)
    feet.write(metres=FT)
    simple("cubic", words=["--resample", "cubic"])
    s = Source("like-grid.tif", ETNA, "EPSG:32633", (25, 25), size=(40, 50))
    s.write()
    wanted["like"] = (ETNA, [f"{FOLDER}/degrees-source.tif"], ["--like", s.path], 0, False)

    # cells of which several make one of the terrain
    for name, text, cell, turn, size, stripes in (
            ("fine_columns", "EPSG:32633", (6, 60), None, (40, 360), (10, 0)),
            ("fine_rows", "EPSG:32633", (60, 6), None, (360, 40), (0, 10)),
            ("fine_turned", "EPSG:32633", (6, 40), (0.8, 0.6), (90, 600), (10, 0)),
            ("fine_degrees", "EPSG:4326", (0.00005, 0.00005), None, (480, 600), (10, 10)),
            ("fine_somewhat", "EPSG:32633", (19, 19), None, (110, 110), (3, 3)),
            ("fine_far_north", "EPSG:4326", (0.0002, 0.0002), None, (120, 720), (10, 0))):
        s = Source(name + "-source.tif", (78.2, 15.6) if "north" in name else ETNA, text, cell, turn, size=size, stripes=stripes)
        s.write()
        want(name, s.at, [s])
    s = Source("fine_small-source.tif", ETNA, "EPSG:32633", (6, 6), size=(120, 120), stripes=(5, 5))
    s.write()  # on a source of 30 m that needs no means
    want("fine_and_other", ETNA, ["utm33-source.tif", s])
    Source("utm33-source.tif", ETNA, "EPSG:32633", metres).write()
    s = Source("fine_reduced-source.tif", ETNA, "EPSG:32633", (6, 6), size=(360, 360), stripes=(10, 10))
    s.write().BuildOverviews("NEAREST", [2, 4, 8])
    want("fine_reduced", ETNA, [s])

    with open(f"{FOLDER}/commands", "w", encoding="utf-8") as out:
        for name, (at, sources, words, km, _) in wanted.items():
            part = [] if name in ("zip", "like") else [f"--around={at[0]},{at[1]}"]
            size = ["--km", str(km)] if km else []
            cell = [] if "--cell" in words or name == "like" else ["--cell", "30"]
            print(name, *sources, *part, *size, *cell, *words, sep="\t", file=out)
    with open(f"{FOLDER}/wanted", "w", encoding="utf-8") as out:
        for name, (at, _, _, km, hole) in wanted.items():
            print(name, at[0], at[1], km, int(hole), file=out)


def check():
    random, bad = np.random.default_rng(1), 0
    for line in open(f"{FOLDER}/wanted", encoding="utf-8"):
        name, lat, lon, km, hole = line.split()
        at = float(lat), float(lon)
        data = gdal.Open(f"{FOLDER}/{name}.tif")
        g, band = data.GetGeoTransform(), data.GetRasterBand(1)
        values = band.ReadAsArray()
        rows, cols = values.shape
        row, col = random.integers(0, rows, 100), random.integers(0, cols, 100)
        to = osr.CoordinateTransformation(data.GetSpatialRef(), DEGREES)
        places = np.stack([g[0] + (col + 0.5) * g[1], g[3] + (row + 0.5) * g[5]], 1)
        there = np.array(to.TransformPoints(places.tolist()))
        found, right = values[row, col], height(there[:, 0], there[:, 1], at)
        if name in ("to_ellipsoid", "to_geoid"):
            up = osr.CoordinateTransformation(crs("EPSG:4326+5773"), crs("EPSG:4979"))
            geoid = np.array(up.TransformPoints(np.c_[there[:, :2], 0 * right].tolist()))[:, 2]
            assert 40 < geoid.min() and geoid.max() < 45
            shift, same = (geoid, "geoid") if name == "to_ellipsoid" else (-geoid, "ellipsoid")
            before = gdal.Open(f"{FOLDER}/{same}.tif").ReadAsArray()[row, col].astype(float)
            assert np.abs(found - before - shift).max() < 2e-4, "a shift is that of the middle of its cell"
            found = found - shift
        near = np.pad(values == -9999, 2)  # GDAL leans on the cells that are there
        hole_near = np.any([np.roll(near, (i, j), (0, 1)) for i in (-2, -1, 0, 1, 2) for j in (-2, -1, 0, 1, 2)], 0)
        known = ~hole_near[2:-2, 2:-2][row, col]
        if name == "fine_and_other":  # beside the edge of a source GDAL leans on its cells alone
            middle = np.maximum(np.abs(row + 0.5 - rows / 2), np.abs(col + 0.5 - cols / 2)) * 30
            known &= np.abs(middle - 360) > 40
            assert (middle < 320).sum() > 5
        most = np.abs(found - right)[known].max()
        whole = 0.5 if name in ("jp2", "hgt", "hole_said", "two_holes") else 0
        cell = 90 if name == "hgt" else 30
        missing = int((values == -9999).sum())
        size = 2 * int(np.ceil(float(km) * 1000 / cell))
        faults = []
        if not most < 0.05 * cell + whole:
            faults.append(f"differs by {most:.3f} m")
        if known.sum() < 80 or (missing > 0) != (hole == "1") or missing > 200:
            faults.append(f"{missing} cells without data")
        if size and (abs(rows - size) > 1e-6 or abs(cols - size) > 1e-6):
            faults.append(f"{rows} x {cols} cells")
        if band.GetUnitType() != "m" or band.GetNoDataValue() != -9999 or "sciara" not in data.GetMetadataItem("PREPARED"):
            faults.append("tags")
        bad += bool(faults)
        print(name, "good" if not faults else "; ".join(faults), f"{most:.3f}")
    return bad


if sys.argv[1] == "make":
    make()
else:
    sys.exit(check())
