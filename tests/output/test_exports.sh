#!/bin/bash
# test_exports.sh — what a run leaves for other programs: GeoJSON, GeoPackage, KMZ, QGIS and NetCDF, read by the programs
# that they are for; hostile names, cases without CRS or at the end of the world, and a folder that is used again.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: output/export, show/gis
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$work PYTHONDONTWRITEBYTECODE=1
# (a folder that shells, XML and URLs would each take amiss)
made="$work/a & b <1> 'é'"
mkdir -p "$work/made" && "$sciara" terrain "$work/made/case" --size 80 --quiet && mv "$work/made" "$made" || exit 1
cd "$made" || exit 1
sed -i '/^max_steps\|^title\|^outline/d' case/volcano.cfg
title='Vulcano <b>&amp; "Søhne"</b> ]]>'
printf '%s\n' 'max_steps 900' "title $title" 'outline flow.json' >>case/volcano.cfg
echo '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:32633"}},"features":[{"type":"Feature","properties":{},
    "geometry":{"type":"Polygon","coordinates":[[[500201,4170201],[500601,4170201],[500601,4170501],[500201,4170201]]]}}]}' >case/flow.json
jq -n '[{LineString: [[500050,4170100],[500700,4170600]]}, {Point: [500100,4170700]}, {Polygon: [[[500600,4170100],[500700,4170100],[500700,4170200],[500600,4170100]]]}] |
    map(to_entries[] | {type: "Feature", properties: {name: "Place"}, geometry: {type: .key, coordinates: .value}}) |
    {type: "FeatureCollection", crs: {type: "name", properties: {name: "EPSG:32633"}}, features: .}' >case/roads.json
(cat case/volcano.cfg && printf '%s\n' 'start_time 2006-07-14T22:00' 'background roads.json') >case/dated.cfg

call run case/dated.cfg --variant reference --every 300 --output run --format kmz,qgis,gpkg,netcdf --layers all --quiet
check "a run" exits 0
for name in isochrones.geojson isochrone_lines.geojson vents.geojson outline.geojson background.geojson isochrones.gpkg run.kmz run.qgz run.nc \
    isochrones.qml vents.qml arrival_h_000900_20060716T0400Z.{tif,qml} total_thickness_m_000300_20060715T0800Z.qml; do
    check "$name is there, and listed" grep -qF "\"$name\"" run/summary.json
    check "... and not empty" [ -s "run/$name" ]
done
call run case/dated.cfg --variant reference --every 300 --output again --format kmz,qgis,gpkg,netcdf --layers all --quiet
for name in isochrones.geojson isochrones.gpkg run.kmz run.qgz run.nc; do
    check "$name: the same bytes again" cmp "run/$name" "again/$name"
done

# ---- GDAL and xarray
for name in isochrones isochrone_lines vents outline; do
    sql="select count(*) n, sum(ST_IsValid(geometry)) valid from $name"
    check "$name.geojson: valid for GDAL" [ "$(ogrinfo -q -dialect SQLite -sql "$sql" "run/$name.geojson" 2>/dev/null |
        sed -n 's/^ *\(n\|valid\) .*= //p' | uniq | wc -l)" = 1 ]
done
cat >look.py <<'END'
import json, sys
from osgeo import gdal, ogr
gdal.UseExceptions()
ogr.UseExceptions()
import numpy as np

run = sys.argv[1]
layer = gdal.Open(f"{run}/arrival_h_000900_20060716T0400Z.tif")
hours = layer.ReadAsArray()
cell = layer.GetGeoTransform()[1] ** 2
lava = hours >= 0
assert 300 < lava.sum() < lava.size / 2, "there is lava"

# RFC 7946: degrees, rings to the left; the polygons are where the layer says
bands = json.load(open(f"{run}/isochrones.geojson"))["features"]
assert 4 <= len(bands) <= 8 and "crs" not in json.load(open(f"{run}/isochrones.geojson"))
def area(ring):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:])) / 2
for feature in bands:
    for polygon in feature["geometry"]["coordinates"]:
        for i, ring in enumerate(polygon):
            assert ring[0] == ring[-1] and len(ring) >= 4
            x0, y0 = ring[0]
            turned = area([(x - x0, y - y0) for x, y in ring])
            assert turned > 0 if i == 0 else turned < 0
            assert all(14.99 < x < 15.1 and 37 < y < 38 for x, y in ring)
    p = feature["properties"]
    assert abs(p["reached_m2"] - cell * (lava & (hours <= np.float32(p["time_h"]))).sum()) < 0.5
assert bands[0]["properties"]["date"].startswith("2006-07-1") and abs(bands[-1]["properties"]["time_h"] / hours.max() - 1) < 1e-6
# Each band begins when the one before it ends; the last line is the outline of the whole flow
said = [f["properties"] for f in bands]
lines = [f["properties"] for f in json.load(open(f"{run}/isochrone_lines.geojson"))["features"]]
assert [p["from_h"] for p in said] == [0] + [p["time_h"] for p in said[:-1]]
assert [p["from_date"] for p in said] == ["2006-07-14T22:00:00Z"] + [p["date"] for p in said[:-1]]
assert sum(p["band_m2"] for p in said) == said[-1]["reached_m2"] and all(p["band_m2"] > 0 for p in said)
assert [p["outline"] for p in lines] == [False] * (len(lines) - 1) + [True]
package = ogr.Open(f"{run}/isochrones.gpkg")
assert sorted(package.GetLayer(i).GetName() for i in range(package.GetLayerCount())) == ["background", "bands", "lines", "outline", "reached", "vents"]
ground, layer_of_it = gdal.Open(f"{run}/isochrones.gpkg"), gdal.Open(f"{run}/elevation_after_m_000900_20060716T0400Z.tif")
there, here = (g.GetRasterBand(1).GetMaskBand().ReadAsArray() > 0 for g in (ground, layer_of_it))
assert (there == here).all() and (ground.ReadAsArray()[here] == layer_of_it.ReadAsArray()[here]).all() and here.sum() > 1000
assert ground.GetGeoTransform() == layer_of_it.GetGeoTransform() and ground.GetSpatialRef().GetAuthorityCode(None) == "32633"
assert package.GetLayer("bands").GetSpatialRef().GetAuthorityCode(None) == "32633"
whole = [f.geometry().Clone() for f in package.GetLayer("reached")][-1]
assert whole.IsValid() and abs(whole.GetArea() / (cell * lava.sum()) - 1) < 0.02
covered = sum(f.geometry().GetArea() for f in package.GetLayer("bands"))
assert abs(covered - whole.GetArea()) < 1e-3
vents = json.load(open(f"{run}/vents.geojson"))["features"]
for file, name in (("vents", "vents"), ("outline", "outline"), ("isochrones", "bands"), ("isochrone_lines", "lines")):
    there, here = json.load(open(f"{run}/{file}.geojson"))["features"], list(package.GetLayer(name))
    assert len(there) == len(here) > 0 and all(f.geometry().IsValid() for f in here), name
    for a, b in zip(there, here):
        for key, value in b.items().items():
            same = a["properties"][key]
            assert same == value or abs(same - value) < 1e-6 * value, (name, key, same, value)
        x, y = package.GetLayer(name).GetExtent()[:2]
        assert layer.GetGeoTransform()[0] <= x < y + 1 <= layer.GetGeoTransform()[0] + 81 * cell ** 0.5
assert len(vents) == 2 and all(v["properties"]["emitted_m3"] > 0 for v in vents)
assert layer.GetMetadataItem("STATE_DIGEST") and layer.GetRasterBand(1).GetUnitType() == "h"

# The KMZ: its pictures lie where GDAL warps the layer to
from xml.etree import ElementTree
import zipfile
kmz = zipfile.ZipFile(f"{run}/run.kmz")
assert kmz.testzip() is None
doc = ElementTree.fromstring(kmz.read("doc.kml"))
k = {"k": "http://www.opengis.net/kml/2.2"}
assert doc.find("k:Document/k:name", k).text == sys.argv[2]
overlays = doc.findall(".//k:GroundOverlay", k)
assert len(overlays) == 3
begins = [o.find("k:TimeSpan/k:begin", k).text for o in overlays]
assert begins == ["2006-07-15T08:00:00Z", "2006-07-15T18:00:00Z", "2006-07-16T04:00:00Z"], begins
assert [o.findtext("k:TimeSpan/k:end", None, k) for o in overlays] == begins[1:] + [None]  # each until the next
spans = doc.findall(".//k:Placemark/k:TimeSpan/k:begin", k)
assert len(spans) == len(bands) and [s.text for s in spans] == [b["properties"]["date"] for b in bands]
look = doc.find("k:Document/k:LookAt", k)
box = {e.tag.split("}")[1]: float(e.text) for e in overlays[-1].find("k:LatLonBox", k)}
assert box["west"] < float(look.find("k:longitude", k).text) < box["east"]
gdal.FileFromMemBuffer("/vsimem/o.png", kmz.read(overlays[-1].find("k:Icon/k:href", k).text))
picture = gdal.Open("/vsimem/o.png")
clear = picture.ReadAsArray() == 0
warped = gdal.Warp("", f"{run}/total_thickness_m_000900_20060716T0400Z.tif", format="MEM", dstSRS="EPSG:4326",
    outputBounds=(box["west"], box["south"], box["east"], box["north"]), width=picture.RasterXSize, height=picture.RasterYSize)
differ = clear != (warped.ReadAsArray() <= 0)
assert (~clear).sum() > 4 * 300 and differ.sum() <= 0.002 * clear.size, (differ.sum(), clear.size)
legend = doc.findall(".//k:ScreenOverlay/k:Icon/k:href", k)
assert [l.text for l in legend] == ["files/legend.png"] and kmz.read(legend[0].text).startswith(b"\x89PNG")
# The outline: one blue on white in all of them
assert "<color>ffa83c00</color>" in kmz.read("doc.kml").decode() and "<gx:outerColor>ffffffff<" in kmz.read("doc.kml").decode()
style = open(f"{run}/outline.qml").read()
assert 'line_color" v="255,255,255,255"' in style and 'line_color" v="0,60,168,255"' in style
# Thin lava is paler than thick lava
items = ElementTree.parse(f"{run}/total_thickness_m_000900_20060716T0400Z.qml").findall(".//item")
grey = [sum(int(i.get("color")[k:k + 2], 16) for k in (1, 3, 5)) for i in items]
assert len(grey) > 8 and float(items[0].get("value")) < float(items[-1].get("value")) and grey == sorted(grey, reverse=True)
# Temperatures are read in degrees Celsius, at round values
heat = ElementTree.parse(f"{run}/temperature_K_000900_20060716T0400Z.qml")
items = [(float(i.get("value")), i.get("label").split(" ")) for i in heat.findall(".//item")]
assert len(items) > 8 and all(label[1] == "\u00b0C" for _, label in items)
assert all(abs(value - 273.15 - float(label[0])) < 1e-6 and float(label[0]) % 10 == 0 for value, label in items[1:-1])
assert all(abs(value - 273.15 - float(label[0])) <= 0.5 for value, label in (items[0], items[-1]))
ends = heat.find(".//rampLegendSettings")
assert [ends.get("minimumLabel"), ends.get("maximumLabel")] == [" ".join(items[0][1]), " ".join(items[-1][1])]
globe = ogr.Open(f"{run}/run.kmz")
assert globe.GetLayerByName("Time of arrival").GetFeatureCount() == len(bands)
END
if ! /usr/bin/python3 -c 'import numpy, osgeo' 2>/dev/null; then
    skip "GDAL and KMZ: python3-gdal or python3-numpy is not installed"
else
    # (as it comes back: a title of XML is a text)
    keep /usr/bin/python3 look.py run "$title"
    check "GDAL reads GeoJSON, GeoPackage and KMZ as the layers are" exits 0
fi
if command -v xmllint >/dev/null; then
    for name in run/*.qml; do xmllint --noout --nonet "$name" 2>/dev/null || check "$name is XML" false; done
    unzip -qp run/run.kmz doc.kml >doc.kml && unzip -qp run/run.qgz run.qgs >run.qgs
    check "KML is XML" xmllint --noout --nonet doc.kml
    check "the project of QGIS is XML" xmllint --noout --nonet run.qgs
    check "... and knows no folder" fails grep -q "$work" run.qgs
    xml() { xmllint --xpath "$1" run.qgs 2>/dev/null; }
    check "all thicknesses are checked" [ "$(xml 'count(//layer-tree-group[@name="Thickness of the lava"]/layer-tree-layer[@checked="Qt::Checked"])')" = 3 ]
    check "... each from its time to the next" [ "$(xml '//maplayer/temporal[@mode="0"]/fixedRange/*/text()' | tr -d '\n ')" = \
        2006-07-16T04:00:00Z2006-07-16T14:00:00Z2006-07-15T18:00:00Z2006-07-16T04:00:00Z2006-07-15T08:00:00Z2006-07-15T18:00:00Z ]
    check "isochrones come with their dates" [ "$(xml 'count(//maplayer[@type="vector"]/temporal[@mode="1" and @startField="date" and @accumulate="1"])')" = 2 ]
    check "the controller's range is that of the run" [ "$(xml '//ProjectTimeSettings/TemporalRange/*/text()' | tr -d '\n ')" = \
        2006-07-15T08:00:00Z2006-07-16T14:00:00Z ]
    check "it has a page to print" [ "$(xml 'count(//Layouts/Layout/LayoutItem)')" = 4 ]
    wide=$(xml 'string(//mapcanvas/extent/xmax - //mapcanvas/extent/xmin)')
    check "it opens at the lava, not at all of the terrain" awk "BEGIN { exit !($wide > 100 && $wide < 640) }"
fi
cat >open.py <<'END'
import json, sys
import numpy as np, rioxarray, xarray
from pyproj import CRS
run = sys.argv[1]
d = xarray.open_dataset(f"{run}/run.nc", decode_coords="all", decode_timedelta=False)
assert d.time.encoding["calendar"] == "proleptic_gregorian"  # ("standard" is Julian before 1582)
assert d.rio.crs.to_epsg() == 32633 and d.rio.crs == rioxarray.open_rasterio(f"{run}/arrival_h_000900_20060716T0400Z.tif").rio.crs
said = {key: value for key, value in CRS(32633).to_cf().items() if isinstance(value, float) and key in d.crs.attrs}
assert len(said) == 7 and all(d.crs.attrs[key] == value for key, value in said.items()), "the projection in numbers"
assert [str(t)[:16] for t in d.time.values] == ["2006-07-15T08:00", "2006-07-15T18:00", "2006-07-16T04:00"]
assert d.attrs["Conventions"] == "CF-1.8" and d.attrs["title"] == sys.argv[2] and d.thickness.attrs["grid_mapping" if "grid_mapping" in d.thickness.attrs else "units"]
last = "000900_20060716T0400Z"
steps = ["000300_20060715T0800Z", "000600_20060715T1800Z", last]
for name, values in [(f"{n}_{s}", d[v][i]) for n, v in (("thickness_m", "thickness"), ("total_thickness_m", "total_thickness"), ("temperature_K", "temperature"))
                     for i, s in enumerate(steps)] + [(f"arrival_h_{last}", d.arrival), (f"max_thickness_m_{last}", d.max_thickness), (f"elevation_after_m_{last}", d.elevation)]:
    g = rioxarray.open_rasterio(f"{run}/{name}.tif", masked=True)[0]
    assert np.isfinite(g.values).any() and np.array_equal(g.values, values.values, equal_nan=True), name
    assert np.array_equal(g.x, d.x) and np.array_equal(g.y, d.y) and g.rio.transform() == d.rio.transform()
vents = [f["properties"]["vent"] for f in json.load(open(f"{run}/vents.geojson"))["features"] for p in f["geometry"]["coordinates"]]
assert sorted(d.vent.values) == sorted(vents) and all(np.isclose(d.x, x).any() for x in d.vent_x.values)
summary = json.load(open(f"{run}/summary.json"))
assert sorted(zip(d.vent_x.values, d.vent_y.values, d.vent.values)) == sorted((d.x.values[v["col"]], d.y.values[v["row"]], v["id"]) for v in summary["vents"])
assert list(d.step.values) == [300, 600, 900]
assert [d.attrs[k] for k in ("case", "terrain", "state_digest")] == [summary["case"]["name"], summary["case"]["terrain"], summary["digest"]]
outline = json.load(open(f"{run}/outline.geojson"))["features"][0]["properties"]["area_m2"]
assert float(d.observed.sum()) * float(d.x[1] - d.x[0]) ** 2 == outline > 0
END
if ! /usr/bin/python3 -c 'import importlib.util as u; exit(not all(map(u.find_spec, ("xarray", "rioxarray", "netCDF4"))))'; then
    skip "NetCDF: python3-xarray, python3-rioxarray or python3-netcdf4 is not installed"
else
    keep /usr/bin/python3 open.py run "$title"
    check "xarray opens the NetCDF, with its CRS and the values of the layers" exits 0
fi

# ---- QGIS, of a folder that was moved
cat >draw.py <<'END'
import os, sys
import numpy as np
from qgis.core import *
from qgis.PyQt.QtCore import QDateTime, QSize, Qt
from qgis.PyQt.QtGui import QColor, QImage
app = QgsApplication([], True)
app.setPrefixPath("/usr", True)
app.initQgis()
project = QgsProject.instance()
assert project.read(sys.argv[1] + "/run.qgz") and project.title() == sys.argv[2]
assert project.crs().authid() == "EPSG:32633"
nodes = project.layerTreeRoot().findLayers()
assert len(nodes) == 4 + 3 + 7 + 3 + 1 and all(n.layer() and n.layer().isValid() and n.layer().crs().isValid() for n in nodes)
shown = [n.layer() for n in nodes if n.isVisible()]
assert [l.name() for l in shown][-1] == "Terrain" and len(shown) == 7 + 3
def draw(layers, time=None):
    s = QgsMapSettings()
    s.setLayers(layers)
    s.setOutputSize(QSize(320, 320))
    if time:
        begin = QDateTime.fromString(time, Qt.ISODate)
        s.setIsTemporal(True)
        s.setTemporalRange(QgsDateTimeRange(begin, begin.addSecs(60)))
    s.setDestinationCrs(project.crs())
    s.setTransformContext(project.transformContext())
    s.setExtent(shown[-1].extent())
    s.setBackgroundColor(QColor(255, 255, 255))
    job = QgsMapRendererSequentialJob(s)
    job.start()
    job.waitForFinished()
    assert not job.errors()
    picture = job.renderedImage().convertToFormat(QImage.Format_RGB32)
    bits = picture.constBits()
    bits.setsize(320 * 320 * 4)
    return np.frombuffer(bits, np.uint8).reshape(320, 320, 4)[:, :, :3].astype(int)  # blue, green, red
def drawn_in(picture):
    return (picture != 255).any(2).sum()
model = QgsLayerTreeModel(project.layerTreeRoot())
arrival = [n for n in nodes if n.name().startswith("Time of arrival")][0]
classes = [i.label for i in arrival.layer().renderer().shader().rasterShaderFunction().colorRampItemList()]
assert len(classes) > 3 and [r.data(Qt.DisplayRole) for r in model.layerLegendNodes(arrival)] == classes
from osgeo import gdal
lava = gdal.Open(sys.argv[1] + "/total_thickness_m_000900_20060716T0400Z.tif").ReadAsArray() > 0
thickness, relief = [l for l in shown if l.name().startswith("Thickness")][0], shown[-1]
both = draw([thickness, relief])
middle = both[2::4, 2::4]
right = ((middle[:, :, 2] > middle[:, :, 0] + 20) == lava).sum()
assert lava.sum() > 300 and right >= 0.99 * lava.size, right
# The temporal controller: more lava, and more isochrones, at each of three times
grown = [l for l in shown if l.name().startswith("Thickness")]
lines = [l for l in shown if l.name() == "Isochrones"]
for layers in (grown, lines):
    count = []
    for time in ("2006-07-15T09:00:00Z", "2006-07-15T19:00:00Z", "2006-07-16T05:00:00Z"):
        count.append(drawn_in(draw(layers, time)))
    assert 0 < count[0] <= count[1] < count[2] and (layers is lines or count[0] < count[1]), count
layout = project.layoutManager().layouts()[0]
paper = QgsLayoutExporter.ImageExportSettings()
paper.dpi = 50
assert QgsLayoutExporter(layout).exportToImage("layout.png", paper) == QgsLayoutExporter.Success
assert len([i for i in layout.items() if isinstance(i, (QgsLayoutItemMap, QgsLayoutItemLegend, QgsLayoutItemScaleBar, QgsLayoutItemLabel))]) == 4
for layer in [n.layer() for n in nodes if n.layer().type() == QgsMapLayer.VectorLayer]:
    drawn = drawn_in(draw([layer]))
    assert drawn > 20, (layer.name(), drawn)
for name, renderer in (("arrival_h_000900_20060716T0400Z", "QgsSingleBandPseudoColorRenderer"), ("elevation_after_m_000300_20060715T0800Z", "QgsHillshadeRenderer")):
    layer = QgsRasterLayer(f"{sys.argv[1]}/{name}.tif", name)
    text, done = layer.loadDefaultStyle()
    assert done and type(layer.renderer()).__name__ == renderer, text
print("drawn")
sys.stdout.flush()
os._exit(0)
END
if /usr/bin/python3 -c 'import importlib.util as u; exit(not u.find_spec("qgis"))'; then
    mkdir "moved on" && mv again "moved on/"
    keep /usr/bin/python3 draw.py "moved on/again" "$title"
    check "QGIS opens and draws the project, with all styles" says '^drawn$'
    [ "$code" = 0 ] || cat "$work/stderr"
else
    skip "QGIS: python3-qgis is not installed (tools/install-dependencies qgis)"
fi

# ---- cases that have no such place
gdal_translate -q -of AAIGrid case/terrain.tif case/bare.asc && rm -f case/bare.asc.aux.xml case/bare.prj
sed 's/^dem .*/dem bare.asc/; /^outline/d; /^background/d; /^max_steps/d' case/volcano.cfg >case/bare.cfg && echo 'max_steps 300' >>case/bare.cfg
for format in geojson kmz; do
    refused 2 "$format without a CRS" 'bare\.cfg: (kmz|geojson) needs longitude and latitude.*crs EPSG:n' run case/bare.cfg --format "$format" --output bare
done
check "nothing is left" [ ! -e bare ]
call run case/bare.cfg --variant reference --output bare --format qgis,netcdf --layers all --quiet
check "QGIS and NetCDF need none" exits 0
check "... and have no GeoJSON" [ ! -e bare/isochrones.geojson ]
gdal_translate -q -a_srs EPSG:32701 -a_ullr 180500 8096200 181300 8095400 case/terrain.tif case/far.tif
sed 's/^dem .*/dem far.tif/' case/bare.cfg >case/far.cfg
refused 2 "across the antimeridian" 'far\.cfg: kmz: .*antimeridian' run case/far.cfg --format kmz --output far
call run case/far.cfg 60 --variant reference --format html --output far --quiet
check "... has a page" exits 0
cat >degrees.py <<'END'
import json
facts = json.loads(open("far/report.html").read().split('id="facts">')[1].split("</script>")[0])
lon = facts["degrees"]["lon"]
assert min(lon) < 180 < max(lon) and max(lon) - min(lon) < 0.02, lon  # as PROJ has them, 180 and on
assert facts["degrees"]["error_m"] < 0.01
END
check "... whose longitudes do not jump" /usr/bin/python3 degrees.py
gdal_translate -q -a_srs EPSG:2193 -a_ullr 1820000 5650800 1820800 5650000 case/terrain.tif case/south.tif
sed 's/^dem .*/dem south.tif/' case/bare.cfg >case/south.cfg
call run case/south.cfg --variant reference --output south --format kmz,geojson,netcdf --layers all --quiet
check "the south" exits 0
check "... is in the south" grep -q '\[\[\[\[175\.5[0-9]*,-39\.2' south/isochrones.geojson
check "... also of its NetCDF" grep -q 'ID\["EPSG",2193\]\]$' <(gdalinfo 'NETCDF:"south/run.nc":arrival')

# ---- a run that goes on, and one that ends early
call run case/dated.cfg 600 --variant reference --every 300 --output part --format kmz,netcdf --layers all --state --quiet
check "a run of 600 steps" exits 0
sed 's/^start_time.*/start_time 2006-07-15/' case/dated.cfg >case/later.cfg
refused 2 "another date of the beginning" '_000[36]00_20060715T(08|18)00Z\.tif: has another date than this case, since start_time was changed' \
    run case/later.cfg --variant reference --every 300 --output part --format kmz,netcdf --layers all --resume
call run case/dated.cfg --variant reference --every 300 --output part --format kmz,netcdf --layers all --resume --quiet
check "it goes on" exits 0
for name in run.kmz run.nc; do check "... $name has it all, to the byte" cmp "part/$name" "run/$name"; done
for kilobytes in 12 45; do
    (ulimit -f $kilobytes && exec "$sciara" run case/dated.cfg --variant reference --output full --format kmz,gpkg,netcdf --layers all) >/dev/null 2>"$work/stderr"
    code=$?
    check "no room for a file of $kilobytes KiB" exits 1
    check "... it says so" complains 'cannot be written'
    check "... and leaves nothing by halves" [ -z "$(find full -name '.sciara-*')" ]
    for name in full/run.kmz full/run.nc full/isochrones.gpkg; do
        [ ! -e "$name" ] || check "... $name is whole" grep -qa 'Made by sciara' "$name"
    done
done

# ---- large layers have overviews, small ones need none
gdal_translate -q -outsize 1100 70 -a_ullr 500000 4170700 511000 4170000 case/terrain.tif case/wide.tif
sed 's/^dem .*/dem wide.tif/' case/bare.cfg >case/wide.cfg
call run case/wide.cfg 2 --variant reference --output wide --format geotiff --layers all --quiet
check "a layer of 1,100 columns has overviews" grep -q 'Overviews: 550x35, 275x18, 138x9' <(gdalinfo wide/total_thickness_m_000002.tif)
check "one of 80 has none" fails grep -q Overviews <(gdalinfo part/total_thickness_m_000600_*.tif)
validator=osgeo_utils.samples.validate_cloud_optimized_geotiff
if /usr/bin/python3 -c "import $validator" 2>/dev/null; then
    for layer in wide/elevation_after_m_000002.tif part/arrival_h_000600_*.tif; do
        check "GDAL's validator: $(basename "$layer")" /usr/bin/python3 -m $validator -q "$layer"
    done
fi

# ---- the folder again
call run case/south.cfg --variant reference --output south --format geotiff --layers all --quiet
check "another run there removes them" [ ! -e south/run.kmz ]
echo mine >south/run.nc
refused 2 "somebody's file" 'run\.nc: would be overwritten' run case/south.cfg --output south --format netcdf
check "it stays" [ "$(cat south/run.nc)" = mine ]
call run case/south.cfg --variant reference --output south --format geotiff --layers all --quiet
check "where it is not written it is left alone" exits 0

# ---- without the libraries, which are loaded (a loader that finds an empty file of that name looks no further)
mkdir empty
for number in {13..60}; do : | tee "empty/libgdal.so.$number" >"empty/libnetcdf.so.$number"; done
for format in gpkg netcdf; do
    LD_LIBRARY_PATH=$PWD/empty refused 2 "$format without its library" '(no libgdal is|is not) installed; install it \(Debian, Ubuntu: [a-z-]*\) or choose [a-z]+$' \
        run case/south.cfg --output without --format $format
done
report
