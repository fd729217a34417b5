#!/bin/bash
# test_ensemble_exports.sh — an ensemble for other programs: a KMZ whose pictures lie where GDAL warps the layers to, and a
# style of QGIS for each layer; the folder used again; what is refused.
# Run from the root of the repository, with BUILD naming the build folder.
# tests: output/export, show/gis
. tests/check.sh
needs_sciara
export OMP_NUM_THREADS=1 QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$work PYTHONDONTWRITEBYTECODE=1
cd "$work" || exit 1
"$sciara" terrain made --size 60 --quiet || exit 1
{
    sed '/^max_steps/d' made/volcano.cfg
    printf '%s\n' 'title Many <b>&amp; eruptions' 'run_h 4' 'members 12' 'terrain_error_m 0.5' 'terrain_error_length_m 40' 'seed 3' \
        'vary_rate_factor uniform 0.3 2' 'exceed_m 1' 'arrive_within_h 2' 'outline flow.json'
} >made/plan.cfg
echo '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:32633"}},"features":[{"type":"Feature","properties":{},
    "geometry":{"type":"Polygon","coordinates":[[[500201,4170201],[500401,4170201],[500401,4170401],[500201,4170201]]]}}]}' >made/flow.json
ensemble() { call ensemble made/plan.cfg --layers all --variant reference --quiet --map-size 300x300 --map-dpi 72 "$@"; }

sed 1d made/vents.csv | wc -l >points
ensemble --output many --format kmz,qgis
check "an ensemble" exits 0
check "... its summary lists all that it leaves" cmp <(listed many) <(find many -type f ! -name summary.json ! -name shown.json -printf '%f\n' | sort)
for layer in many/*.tif; do check "... $(basename "$layer") has a style" [ -s "${layer%.tif}.qml" ]; done
check "... there are layers" [ "$(find many -name '*.qml' | wc -l)" = 14 ]
for i in 1 2; do call ensemble made/plan.cfg --variant reference --quiet --shard $i/2 --output "part$i"; done
call merge part1 part2 --quiet --map-size 300x300 --map-dpi 72 --output merged --layers all --format qgis,kmz
for file in ensemble.kmz probability.qml arrival_p50_h.qml thickness_mean_m.qml; do
    check "... merged: the same bytes of $file" cmp "many/$file" "merged/$file"
done
if command -v xmllint >/dev/null; then
    for name in many/*.qml; do xmllint --noout --nonet "$name" 2>/dev/null || check "$name is XML" false; done
    unzip -qp many/ensemble.kmz doc.kml >doc.kml
    check "KML is XML" xmllint --noout --nonet doc.kml
fi

# The classes of probability are those of the record: pictures, styles and page have their ends
unzip -qp many/record.zip record.json | jq -c '[.pictures[].layers[]?.classes // empty | map([.upper, .colour, .label])] | unique' >classes.json
jq -r '"upper = \([.[0][:-1][][0]])"' classes.json >classes.py
check "one legend, of eleven classes in order" jq -e 'length == 1 and (.[0] | length == 11 and (map(.[0]) | . == sort))' classes.json
call report many --output page.html
sed -n 's/.*<script type="application\/json" id="facts">\(.*\)<\/script>.*/\1/p' page.html >facts.json
check "... the page has it, too" cmp <(jq -c .classes.probability facts.json) <(jq -c '.[0]' classes.json)

cat >look.py <<'END'
import zipfile
from xml.etree import ElementTree
from osgeo import gdal, ogr
import numpy as np
gdal.UseExceptions()
ogr.UseExceptions()
kmz = zipfile.ZipFile("many/ensemble.kmz")
assert kmz.testzip() is None
doc = ElementTree.fromstring(kmz.read("doc.kml"))
k = {"k": "http://www.opengis.net/kml/2.2"}
assert doc.find("k:Document/k:name", k).text == "Many <b>&amp; eruptions"
overlays = doc.findall(".//k:GroundOverlay", k)
layers = [o.find("k:Icon/k:href", k).text for o in overlays]
assert len(layers) == 11 and not any("error" in l for l in layers) and layers[0] == "files/probability.png", layers
assert [o.find("k:visibility", k).text for o in overlays] == ["1"] + 10 * ["0"]
from classes import upper
seen, never = set(), False
for o, picture in zip(overlays, layers):
    box = {e.tag.split("}")[1]: float(e.text) for e in o.find("k:LatLonBox", k)}
    gdal.FileFromMemBuffer("/vsimem/o.png", kmz.read(picture))
    shown = gdal.Open("/vsimem/o.png")
    index = shown.ReadAsArray()
    layer = "many/" + picture[6:-4] + ".tif"
    value = gdal.Warp("", layer, format="MEM", dstSRS="EPSG:4326", outputBounds=(box["west"], box["south"], box["east"], box["north"]),
        width=shown.RasterXSize, height=shown.RasterYSize).ReadAsArray()
    probability = picture.startswith("files/probability")
    lava = gdal.Open(layer).ReadAsArray() > (0 if probability else -9999)
    assert (index > 0).sum() > 3 * lava.sum() > 300
    wrong = (index > 0) != (value != -9999)
    if probability:  # (never within that time: as where lava never comes)
        wrong = index != np.where(value <= 0, 0, 1 + np.searchsorted(upper, value))
        seen |= set(np.unique(index))
        never |= (value == 0).any()
    assert wrong.sum() <= 0.005 * index.size, (picture, wrong.sum(), index.size)
assert len(seen) >= 5 and never, seen
globe = ogr.Open("many/ensemble.kmz")
names = [globe.GetLayer(i).GetName() for i in range(globe.GetLayerCount())]
assert "Vents" in names and globe.GetLayerByName("Vents").GetFeatureCount() == int(open("points").read()), names
assert "Observed outline" in [name.text for name in doc.findall(".//k:Placemark/k:name", k)]
print("alike")
END
if /usr/bin/python3 -c 'import numpy, osgeo' 2>/dev/null; then
    keep /usr/bin/python3 look.py
    check "pictures are the layers, as GDAL warps them" says '^alike$'
    [ "$code" = 0 ] || cat "$work/stderr"
else
    skip "GDAL and KMZ: python3-gdal or python3-numpy is not installed"
fi

cat >draw.py <<'END'
import glob, os, sys
from xml.etree import ElementTree
from qgis.core import *
from classes import upper
app = QgsApplication([], True)
app.setPrefixPath("/usr", True)
app.initQgis()
for path in glob.glob("many/*.tif"):
    layer = QgsRasterLayer(path, path)
    text, done = layer.loadDefaultStyle()
    shader = layer.renderer().shader().rasterShaderFunction()
    assert done and layer.isValid() and type(shader).__name__ == "QgsColorRampShader", (path, text)
    ramp = [(i.value, i.color.name()) for i in shader.colorRampItemList()]
    assert ramp == [(float(i.get("value")), i.get("color")) for i in ElementTree.parse(path[:-3] + "qml").iter("item")], path
    if "probability" in path and "error" not in path:
        assert [value for value, _ in ramp] == [0, *upper, float("inf")], path
    most = layer.dataProvider().bandStatistics(1).maximumValue
    assert 0 < most <= max(value for value, _ in ramp) + 1e-6, (path, most)
print("drawn")
sys.stdout.flush()
os._exit(0)
END
if /usr/bin/python3 -c 'import importlib.util as u; exit(not u.find_spec("qgis"))'; then
    keep /usr/bin/python3 draw.py
    check "QGIS takes the styles" says '^drawn$'
    [ "$code" = 0 ] || cat "$work/stderr"
else
    skip "QGIS: python3-qgis is not installed (tools/install-dependencies qgis)"
fi

# ---- the folder again
ensemble --output many --resume --format kmz
check "going on: exit status 0" exits 0
check "... the KMZ is written again" cmp many/ensemble.kmz merged/ensemble.kmz
check "... styles that are not are gone" [ -z "$(find many -name '*.qml')" ]
check "... layers are not" [ -s many/probability.tif ]
echo mine >many/probability.qml
ensemble --output many
check "without these formats" exits 0
check "... somebody's style is left alone" [ "$(cat many/probability.qml)" = mine ]
check "... the KMZ of before is gone" [ ! -e many/ensemble.kmz ]
refused 2 "... and not written to" 'probability.qml: would be overwritten' \
    ensemble made/plan.cfg --output many --format qgis

# ---- without lava
sed 's/,[^,]*$/,0/; 1s/,0$/,rate_m3_s/' made/rates.csv >made/none.csv
sed 's/^rates .*/rates none.csv/; /^vary_rate/d' made/plan.cfg >made/none.cfg
call ensemble made/none.cfg --variant reference --quiet --output none --layers all --format kmz,qgis --map-size 300x300 --map-dpi 72
check "no lava anywhere" exits 0
check "... no picture" [ "$(unzip -Z1 none/ensemble.kmz)" = doc.kml ]

# ---- many members
sed 's/^members .*/members 1000/; s/^run_h .*/run_h 0.1/' made/none.cfg >made/thousand.cfg
call ensemble made/thousand.cfg --variant reference --quiet --output thousand --layers all --format svg --map-size 900x700
check "a thousand members" exits 0
check "... have a separator on the map" grep -q '>[^<]*: 1,000 simulated eruptions' thousand/map_probability.svg

# ---- the best of a calibration
{ grep -v '^members\|^vary' made/plan.cfg && printf '%s\n' 'fit_Pcool 1 10 log' 'evaluations 5' 'finalist_members 2'; } >made/calibration.cfg
call calibrate made/calibration.cfg --variant reference --quiet --output fitted --layers all --format kmz,qgis --map-size 300x300 --map-dpi 72
check "a calibration" exits 0
check "... of its best" [ -s fitted/ensemble.kmz -a -s fitted/probability.qml ]

# ---- what has none
sed 's/^crs.*//; s/^dem .*/dem bare.asc/; /^outline/d' made/plan.cfg >made/bare.cfg
if gdal_translate -q -of AAIGrid made/terrain.tif made/bare.asc 2>/dev/null; then
    rm -f made/bare.asc.aux.xml made/bare.prj
    refused 2 "a KMZ without a CRS" 'bare\.cfg: kmz needs longitude and latitude' \
        ensemble made/bare.cfg --format kmz --output never
fi
printf 'barrier,x,y,height_m\n1,500150,4170150,5\n1,500250,4170250,\n' >made/walls.csv
{ cat made/plan.cfg && echo 'barriers walls.csv'; } >made/walled.cfg
refused 2 "pairs" '--format kmz needs layers that --with-and-without does not write; remove one of the two' \
    ensemble made/walled.cfg --with-and-without barriers --format kmz --output never
refused 2 "a part" 'give --format to sciara merge instead' ensemble made/plan.cfg --shard 1/2 --format qgis --output never
refused 2 "sensitivity" "--format kmz: " sensitivity made/plan.cfg --format kmz --output never
check "nothing is left" [ ! -e never ]
report
