"""Tiles of a degree, named as those of Copernicus GLO-30, for `sciara dem --from`, and a server of the loopback that has them.

tiles.py make FOLDER    writes tiles of 600 x 600 cells around 38 degrees north, 15 degrees east, and sea.tif, 0 m in the place of the
                        one that is not there
tiles.py serve FOLDER   of FOLDER/ADDRESS/NAME: as it is, or in the ways of `Handler`; its port goes to FOLDER/port, a line of what
                        it sent to FOLDER/log
tiles.py check FOLDER NETWORK.tif FILES.tif
                        the same heights and a notice, of requests for the tiles alone and bytes of the blocks needed
"""
import http.server
import os
import re
import sys
import time

FOLDER = sys.argv[2]
NAME = "Copernicus_DSM_COG_10_{lat}_00_{lon}_00_DEM.tif"
TILES = [(37, 14), (37, 15), (38, 14)]
SEA = (38, 15)
CELLS, BLOCK, CHUNK = 600, 128, 16384


def name_of(lat, lon):
    return NAME.format(lat=f"N{lat:02}", lon=f"E{lon:03}")


def make():
    import numpy as np
    from osgeo import gdal

    gdal.UseExceptions()
    numbers = np.random.default_rng(1)
    cell = 1 / CELLS
    for lat, lon in [*TILES, SEA]:
        data = gdal.GetDriverByName("MEM").Create("", CELLS, CELLS, 1, gdal.GDT_Float32)
        data.SetProjection("EPSG:4326")
        data.SetGeoTransform([lon - cell / 2, cell, 0, lat + 1 + cell / 2, 0, -cell])
        row, col = np.mgrid[0:CELLS, 0:CELLS]
        land = (900 + 300 * np.sin(col / 40) * np.cos(row / 30) + numbers.normal(0, 5, row.shape)).astype("f4")
        data.GetRasterBand(1).WriteArray(land * ((lat, lon) != SEA))
        to = f"{FOLDER}/" + ("sea.tif" if (lat, lon) == SEA else name_of(lat, lon))
        gdal.GetDriverByName("COG").CreateCopy(to, data, 0, [f"BLOCKSIZE={BLOCK}", "COMPRESS=DEFLATE", "PREDICTOR=3"])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, code, head, body=b"", length=None):
        with open(f"{FOLDER}/log", "a") as log:
            log.write(f"{self.command} {self.path} {code} {head.get('Content-Range', '-').replace(' ', '=')} {len(body)}\n")
        self.send_response(code)
        for key, value in head.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def do_GET(self):
        _, way, name = self.path.split("/", 2)
        path = f"{FOLDER}/{name}"
        span = re.match(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        first = int(span[1]) if span else 0
        way, late = way.removeprefix("late-"), way.startswith("late-")
        odd = first >= CHUNK if late else "N38" in name  # what is not the head of a tile, or some tile
        if way.isdigit() and odd:
            return self.answer(int(way), {})
        if way == "page":
            return self.answer(200, {"Content-Type": "text/html"}, b"<html>Please log in</html>")
        if way == "silent" and odd:
            open(f"{FOLDER}/waits", "w").close()
            time.sleep(60)
        if not os.path.isfile(path):
            return self.answer(404, {})
        whole = open(path, "rb").read()
        if self.command == "HEAD":
            return self.answer(200, {"Accept-Ranges": "bytes"}, length=len(whole))
        last = min(int(span[2]), len(whole) - 1) if span else len(whole) - 1
        part = whole[first : last + 1]
        head = {"Content-Range": f"bytes {first}-{last}/{len(whole)}"}
        if way == "short" and odd:
            self.close_connection = True
            return self.answer(206, head, part[: len(part) // 2], len(part))
        return self.answer(206 if span else 200, head, part)

    do_HEAD = do_GET

    def do_CONNECT(self):  # as a proxy
        self.answer(403, {})


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    with open(f"{FOLDER}/port.part", "w") as f:
        f.write(str(server.server_address[1]))
    os.rename(f"{FOLDER}/port.part", f"{FOLDER}/port")
    server.serve_forever()


def check(network, files):
    import numpy as np
    from osgeo import gdal, osr

    gdal.UseExceptions()
    a, b = gdal.Open(network), gdal.Open(files)
    assert a.GetGeoTransform() == b.GetGeoTransform() and a.RasterXSize == b.RasterXSize
    heights = a.ReadAsArray()
    assert heights.max() > 1000 and (heights == 0).mean() > 0.2  # land and sea
    assert a.ReadRaster() == b.ReadRaster()
    assert "Copernicus WorldDEM-30 © DLR e.V." in a.GetMetadataItem("ATTRIBUTION")
    assert "N38_00_E015_00_DEM.tif (EPSG:4326; metre (not declared); not there: sea)" in a.GetMetadataItem("PREPARED")
    assert b.GetMetadataItem("ATTRIBUTION") is None

    # which blocks the terrain lies on, with 3 cells around it
    g = a.GetGeoTransform()
    utm, degrees = osr.SpatialReference(a.GetProjection()), osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    for s in utm, degrees:
        s.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    edge = np.linspace(0, 1, 50)
    x, y = (v.ravel() for v in np.meshgrid(g[0] + edge * a.RasterXSize * g[1], g[3] + edge * a.RasterYSize * g[5]))
    there = np.array(osr.CoordinateTransformation(utm, degrees).TransformPoints(np.stack([x, y], 1).tolist()))
    log = [line.split() for line in open(f"{FOLDER}/log")]
    log = [line for line in log if line[1].startswith("/ok/")]
    assert {line[1] for line in log} == {"/ok/" + name_of(*t) for t in [*TILES, SEA]}, log
    for lat, lon in TILES:
        data = gdal.Open(f"{FOLDER}/{name_of(lat, lon)}")  # (which its band does not keep)
        band = data.GetRasterBand(1)
        mine = [line for line in log if line[1].endswith(name_of(lat, lon))]
        col = ((there[:, 0] - lon) * CELLS + 0.5).clip(0, CELLS - 1)
        row = ((lat + 1 - there[:, 1]) * CELLS + 0.5).clip(0, CELLS - 1)
        most = 0
        for i in range(max(0, int(row.min()) - 12) // BLOCK, min(CELLS - 1, int(row.max()) + 12) // BLOCK + 1):
            for j in range(max(0, int(col.min()) - 12) // BLOCK, min(CELLS - 1, int(col.max()) + 12) // BLOCK + 1):
                most += int(band.GetMetadataItem(f"BLOCK_SIZE_{j}_{i}", "TIFF")) + 2 * CHUNK
        sent = sum(int(line[4]) for line in mine if line[0] == "GET")
        size = os.path.getsize(f"{FOLDER}/{name_of(lat, lon)}")
        assert 0 < sent <= most + 2 * CHUNK < size / 2, (sent, most, size)
        seen = sorted(tuple(map(int, re.findall(r"\d+", line[3]))) for line in mine if line[0] == "GET")
        assert all(a[1] < b[0] for a, b in zip(seen, seen[1:])), seen  # nothing twice


if __name__ == "__main__":
    {"make": make, "serve": serve, "check": lambda: check(*sys.argv[3:])}[sys.argv[1]]()
