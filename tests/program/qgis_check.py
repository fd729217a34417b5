"""The plug-in in one process of QGIS, for test_qgis.sh: qgis_check.py PLUGINS SCIARA, in a folder with what the shell has made."""
import csv
import json
import os
import pathlib
import stat
import sys
import time
import urllib.request
import xml.etree.ElementTree as xml

sys.path[:0] = ["/usr/share/qgis/python/plugins", sys.argv[1]]
from osgeo import gdal
from qgis.core import (
    QgsApplication, QgsFeature, QgsGeometry, QgsLayerTreeGroup, QgsLayoutItemLegend, QgsPointXY, QgsProcessingContext,
    QgsProcessingException, QgsProcessingFeatureSourceDefinition, QgsProcessingFeedback, QgsProject, QgsRasterLayer, QgsSettings, QgsVectorLayer)
from qgis.PyQt.QtCore import QCoreApplication, Qt

gdal.UseExceptions()
application = QgsApplication([], True)
application.initQgis()
from processing.core.Processing import Processing
from processing.core.ProcessingConfig import ProcessingConfig

Processing.initialize()
import processing
import sciara_lava
from sciara_lava import plugin as plugin_module

HERE, PROGRAM = pathlib.Path.cwd(), sys.argv[2]
failed = 0


def check(what, true):
    global failed
    failed += not true
    print("ok:" if true else "FAILED:", what, flush=True)


class Heard(QgsProcessingFeedback):
    """Keeps the messages of an algorithm; cancels at the first progress if asked to."""

    def __init__(self, cancels=False):
        super().__init__(False)
        self.said, self.warned, self.steps, self.cancels = [], [], 0, cancels
        self.progressChanged.connect(self.step)

    def step(self, share):
        self.steps += 1
        if self.cancels:
            self.cancel()

    def pushInfo(self, text):
        self.said.append(text)

    def pushWarning(self, text):
        self.warned.append(text)


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def same(a, b):
    """Two rasters, in all values, of which there are several."""
    a, b = (gdal.Open(str(r)).ReadAsArray() for r in (a, b))
    return (a == b).all() and a.min() < a.max()


project = QgsProject.instance()
terrain = QgsRasterLayer("made/terrain.tif", "My terrain")
project.addMapLayer(terrain)


def run(name, heard=None, into=None, **given):
    context = QgsProcessingContext()
    if into is not None:
        context.setProject(into)
    return processing.run("sciara:" + name, given, context=context, feedback=heard or Heard())


def refused(what, says, name, **given):
    said = ""
    try:
        run(name, **given)
    except QgsProcessingException as refusal:
        said = str(refusal)
    check(f"{what} is refused, in one line", says in said and "\n" not in said)
    if says not in said:
        print(said)


plug = sciara_lava.classFactory(None)
plug.initProcessing()
ProcessingConfig.setSettingValue("SCIARA_PROGRAM", PROGRAM)
algorithms = {a.name(): a for a in plug.provider.algorithms()}
check("the provider has its algorithms, without a window", set(algorithms) >= {"dem", "run", "forecast", "hazard", "ask", "fit"})

# ---- the bits of the shell
ONE = {"TERRAIN": terrain, "VENT": "500230,4170240 [EPSG:32633]", "RATE": 5, "HOURS": 6}
heard = Heard()
first = run("run", heard, project, **ONE, FOLDER="one")
check("a click: the digest of the shell", first["DIGEST"] == load("one.json")["digest"])
check("... of lava that went somewhere", load("one.json")["lava"]["covered_cells"] > 20)
check("... which is a layer, and a report", gdal.Open(first["RESULT"]) and pathlib.Path(first["REPORT"]).exists())


def layer_of(kind, fields, features, crs="EPSG:32633"):
    made = QgsVectorLayer(f"{kind}?crs={crs}{fields}", kind, "memory")
    for points, values in features:
        f = QgsFeature(made.fields())
        points = [QgsPointXY(*p) for p in points]
        f.setGeometry(QgsGeometry.fromPointXY(points[0]) if kind == "Point" else QgsGeometry.fromPolylineXY(points) if kind == "LineString"
                      else QgsGeometry.fromPolygonXY([points]))
        f.setAttributes(values)
        made.dataProvider().addFeatures([f])
    return made


points = layer_of("Point", "", [([(500230, 4170240)], []), ([(500300, 4170300)], [])])
fissures = layer_of("LineString", "", [([(500200, 4170200), (500200, 4170260)], [])])
walls = layer_of("LineString", "&field=name:string", [([(500280, 4170150), (500280, 4170330)], ["dam"]), ([(500100, 4170100), (500200, 4170100)], ["no"])])
walls.selectByIds([f.id() for f in walls.getFeatures() if f["name"] == "dam"])
project.addMapLayers([points, fissures, walls])
selected = QgsProcessingFeatureSourceDefinition(walls.id(), True)
MANY = {"TERRAIN": terrain, "VENTS": points, "FISSURES": fissures, "BARRIERS": selected, "BARRIER_HEIGHT": 7, "RATE": 5, "HOURS": 6,
        "START": "2026-01-01T00:00:00", "EVERY": 3}
second = run("run", None, project, **MANY, FOLDER="three")
check("points, a line and the selected barrier: the digest of the shell", second["DIGEST"] == load("three.json")["digest"])
check("... which is another", first["DIGEST"] != second["DIGEST"])
check("the barrier has its name", [f["properties"] for f in load("three/case/barriers.geojson")["features"]] == [{"name": "dam", "height_m": 7.0}])
rates = QgsVectorLayer("None?field=from_h:double&field=to_h:double&field=rate_m3_s:double", "rates", "memory")
row = QgsFeature(rates.fields())
row.setAttributes([0.0, 6.0, 5.0])
rates.dataProvider().addFeatures([row])
project.addMapLayer(rates)
elsewhere = layer_of("Point", "", [([(15.0026651, 37.6794022)], [])], "EPSG:4326")
table = run("run", None, None, TERRAIN=terrain, VENTS=elsewhere, RATES=rates, FOLDER="table")
check("a table of rates, and a vent in degrees: the same", table["DIGEST"] == first["DIGEST"])
of_each = QgsVectorLayer("None?field=vent:integer&field=from_h:double&field=to_h:double&field=rate_m3_s:double", "of each", "memory")
for values in ([1, 0.0, 6.0, 5.0], [2, 0.0, 3.0, 1.0]):
    row = QgsFeature(of_each.fields())
    row.setAttributes(values)
    of_each.dataProvider().addFeatures([row])
project.addMapLayer(of_each)
run("run", None, None, TERRAIN=terrain, VENTS=points, RATES=of_each, FOLDER="of_each")
check("... whose last row ends before another: half as long again as the longest", "run_h 9\n" in (HERE / "of_each/case/eruption.cfg").read_text())

heard = Heard()
forecast = run("forecast", heard, project, **ONE, MEMBERS=8, PLACES=points, FOLDER="forecast")
check("a forecast: the probabilities of the shell", same(forecast["RESULT"], "shell/probability.tif"))
check("... with progress", heard.steps > 0)
named = layer_of("Point", "&field=label:string", [([(500300, 4170300)], ["hut"])])
project.addMapLayer(named)
asked = run("ask", None, project, LIBRARY="forecast/output/eruption-forecast/library.gpkg", WHERE="rate_factor > 1", PLACES=named, PLACE_NAME="label",
            ROADS=walls, FOLDER="ask")
check("... with places and roads by their names", [p["name"] for p in csv.DictReader(pathlib.Path(asked["FOLDER"], "assets.csv").open())] == ["hut", "dam", "no"])
check("a question of some members has another answer", gdal.Open(asked["RESULT"]) and asked["DIGEST"] != forecast["DIGEST"])
flow = layer_of("Polygon", "&field=day:datetime", [([(500200, 4170200), (500400, 4170200), (500400, 4170300), (500200, 4170300)], ["2026-01-01T06:00:00"])])
project.addMapLayer(flow)
scores = run("fit", None, None, RUN="one/run", OUTLINE=flow, FOLDER="fit")
lava = gdal.Open(first["RESULT"]).ReadAsArray() > 0
inside = lava * 0
inside[48 - 30 : 48 - 20, 20:40] = 1  # rows from the north
check("the overlap that GDAL counts", abs(scores["OVERLAP"] - (lava & (inside > 0)).sum() / (lava | (inside > 0)).sum()) < 1e-12 and scores["OVERLAP"] > 0.05)
check("... with a map", pathlib.Path(scores["MAP"]).exists())
seen = run("forecast", None, project, **ONE, START="2026-01-01T00:00:00", MEMBERS=8, OBSERVED=flow, DATE="day", FOLDER="seen")
check("observed outlines weigh the forecast", "eruption-forecast-nowcast" in seen["RESULT"] and pathlib.Path(seen["FOLDER"], "bulletin.html").exists()
      and seen["DIGEST"] != forecast["DIGEST"])
past = layer_of("Point", "&field=part:string", [([(500080 + 60 * i, 4170040 + 50 * i)], ["rift"]) for i in range(1, 7)])
eruptions = QgsVectorLayer("None?field=date:integer&field=volume_m3:double&field=duration_h:double", "eruptions", "memory")
for values in ([1910, 1e4, 10.0], [1930, 2e4, 12.0], [1950, 1.5e4, 8.0], [1980, 3e4, 20.0], [2000, 1.2e4, 9.0]):
    row = QgsFeature(eruptions.fields())
    row.setAttributes(values)
    eruptions.dataProvider().addFeatures([row])
project.addMapLayers([past, eruptions])
VOLCANO = {"TERRAIN": terrain, "PAST_VENTS": past, "ZONE": "part", "CATALOGUE": eruptions, "UNTIL": 2026, "MEMBERS": 12, "RUN_HOURS": 24, "YEARS": "10 50 100"}
hazard = run("hazard", None, project, **VOLCANO, COMPLETE="1900", PAST_FLOWS=flow, FLOW_DATE="day", FOLDER="volcano")
check("the hazard of the next 100 years: the probabilities of the shell", same(hazard["RESULT"], "hazard_of_shell/probability_100y.tif"))
with next(pathlib.Path(hazard["FOLDER"]).rglob("hazard_flows.csv")).open() as table:
    compared = list(csv.DictReader(table))
check("... compared with a past flow of its area and year", [(row["year"][:5], row["area_m2"]) for row in compared] == [("2026.", "20000")])
run("dem", None, None, SOURCES=[terrain], CELL=20, OUTPUT=str(HERE / "own20.tif"))
check("a terrain: the heights of the shell", same("own20.tif", "shell20.tif"))
degrees = QgsRasterLayer("degrees.tif", "degrees")
project.addMapLayer(degrees)
turned = run("run", None, None, TERRAIN=degrees, VENTS=layer_of("Point", "", [([(500230, 4170240)], [])]), RATE=5, HOURS=6, KM=0.15, FOLDER="turned")
check("a terrain in degrees becomes one in metres", load("turned/run/summary.json")["grid"]["crs"] == "EPSG:32633" and load("turned/run/summary.json")["grid"]["cols"] < 40 and gdal.Open(turned["RESULT"]))

# ---- in the project
groups = [g for g in project.layerTreeRoot().children() if isinstance(g, QgsLayerTreeGroup)]
check("each result has a group, the latest on top", [g.name() for g in groups] == [
    "Hazard of a volcano: My terrain", "Forecast where lava arrives: My terrain", "Ask a library of eruptions: My terrain", "Forecast where lava arrives: My terrain",
    "Simulate a lava flow: My terrain", "Simulate a lava flow: My terrain"])
check("... which alone is shown", [g.itemVisibilityChecked() for g in groups] == [True, False, False, False, False, False])
top = [(n.name(), n.itemVisibilityChecked()) for n in groups[0].children()]
check("... with its main layer", top[:2] == [("Probability that lava arrives, years: 100", True), ("Probability that lava arrives, years: 50", False)]
      and len([shown for _, shown in top if shown]) == 1 and groups[0].children()[0].layer().renderer().shader() is not None)


def layers_of(group):
    return {n.layer().name(): n.layer() for n in group.findLayers()}


flows = layers_of(groups[4])
states = [l for name, l in flows.items() if name.startswith("Thickness of the lava, 2026-01-01 ")]
times = sorted((s.temporalProperties().fixedTemporalRange() for s in states), key=lambda r: r.begin())
check("states follow one another", len(times) == 3 and all(s.temporalProperties().isActive() for s in states)
      and all(a.end() == b.begin() for a, b in zip(times, times[1:])) and times[0].begin().toString("yyyy-MM-dd HH:mm") == "2026-01-01 03:00")
check("... as the project's time does", project.timeSettings().temporalRange().begin() == times[0].begin())
check("their styles are the program's", all(type(s.renderer()).__name__ == "QgsSingleBandPseudoColorRenderer" for s in states))
said = states[0].metadata()
check("layers have their origin", said.identifier() == second["DIGEST"] and any("sciara run case/eruption.cfg" in h for h in said.history())
      and said.keywords("sciara")[0].startswith("0."))
apart = flows["Difference from the result before"]
new, old = (gdal.Open(r["RESULT"]) for r in (second, first))
wet = [b.GetRasterBand(1).ReadAsArray() for b in (new, old)]
for a in wet:
    a[a == -9999] = 0
made = gdal.Open(apart.source()).ReadAsArray()
check("the difference is new less old", (made == wet[0].astype(float) - wet[1]).all() and abs(made).max() > 0.1)

pages = project.layoutManager().printLayouts()
check("each has a page", len(pages) == 6 and len({p.name() for p in pages}) == 6)
page = next(p for p in pages if p.name() == "Forecast where lava arrives: My terrain")
legend = next(i for i in page.items() if isinstance(i, QgsLayoutItemLegend))
node = next(n for n in legend.model().rootGroup().findLayers() if n.layer().name() == "Probability that lava arrives")
words = [n.data(Qt.ItemDataRole.DisplayRole) for n in legend.model().layerLegendNodes(node)]
style = xml.parse("forecast/output/eruption-forecast/probability.qml")
check("... with the legend of the program's maps", words == [i.get("label") for i in style.iter("item")] and "10 to 25 %" in words)

# ---- refusals
FOLDER = {"FOLDER": "refused"}
refused("no vent", "Give a vent", "run", TERRAIN=terrain, **FOLDER)
refused("a vent elsewhere", "vents.geojson", "run", TERRAIN=terrain, VENT="1,1 [EPSG:32633]", RATE=5, HOURS=6, **FOLDER)
refused("no rate", "Give a rate", "run", TERRAIN=terrain, VENT=ONE["VENT"], RATE=None, **FOLDER)
empty = layer_of("Point", "", [])
project.addMapLayer(empty)
refused("an empty layer", "Give a vent", "run", TERRAIN=terrain, VENTS=empty, **FOLDER)
refused("a wrong line of the case", "eruption.cfg", "run", **ONE, LINES="no_such_key 1", **FOLDER)
refused("an outline without dates", "field with their dates", "forecast", **ONE, OBSERVED=flow, **FOLDER)
refused("a catalogue without a complete period", "complete", "hazard", **VOLCANO, COMPLETE="never", FOLDER="refused")
refused("no raster", "name the rasters", "dem", OUTPUT=str(HERE / "never.tif"))
HERE.joinpath("wrong.gpkg").write_text("no library")
refused("a text as a library", "wrong.gpkg", "ask", LIBRARY="wrong.gpkg", FOLDER="ask_")
refused("a wrong condition", "nonsense", "ask", LIBRARY="forecast/output/eruption-forecast/library.gpkg", WHERE="nonsense > 1", FOLDER="ask_")
refused("no run", "made", "fit", RUN="made", OUTLINE=flow, **FOLDER)
check("what was refused has left no result", not any(HERE.joinpath("refused").glob("*/summary.json")) and not HERE.joinpath("never.tif").exists())

# ---- Cancel
heard = Heard(cancels=True)
given = {**ONE, "RUN_HOURS": 1e6, "FOLDER": "canceled"}
check("a canceled run ends", run("run", heard, project, **given) == {} and any("canceled" in s for s in heard.said))


def step_of():
    return max((int(p.stem.split("_")[1]) for p in HERE.glob("canceled/run/state_*.tif")), default=0)


before = step_of()
run("run", Heard(cancels=True), project, **given, RESUME=True)
check("... with a state, from which it continues", 0 < before < step_of())
run("forecast", Heard(cancels=True), project, **ONE, MEMBERS=2000, FOLDER="half")
check("a canceled forecast keeps its state", any(HERE.glob("half/output/eruption-forecast/*.state")))

# ---- which program
old_program, none = HERE / "old_sciara", HERE / "one.json"
old_program.write_text("#!/bin/sh\necho 'sciara 0.1.9'\n")
old_program.chmod(old_program.stat().st_mode | stat.S_IXUSR)
for what, named, says in (("an older program", old_program, "0.2 or newer"), ("a text as a program", none, "is not a program")):
    ProcessingConfig.setSettingValue("SCIARA_PROGRAM", str(named))
    refused(what, says, "run", **ONE, **FOLDER)
ProcessingConfig.setSettingValue("SCIARA_PROGRAM", "")
path = os.environ["PATH"]
os.environ["PATH"] = str(HERE)
refused("no program at all", "Three ways to have it", "run", **ONE, **FOLDER)
wheel = HERE / "wheel/sciara/_bundle/bin"
wheel.mkdir(parents=True)
(HERE / "wheel/sciara/__init__.py").touch()
(wheel / "sciara").symlink_to(PROGRAM)
sys.path.insert(0, str(HERE / "wheel"))
check("the wheel in Python is found", plugin_module.program.find() == str(wheel / "sciara"))
(HERE / "sciara").symlink_to(PROGRAM)
check("... after the one on the PATH", plugin_module.program.find() == str(HERE / "sciara"))
os.environ["PATH"] = path
ProcessingConfig.setSettingValue("SCIARA_PROGRAM", PROGRAM)

# ---- Italian
QgsSettings().setValue("locale/overrideFlag", True)
QgsSettings().setValue("locale/userLocale", "it_IT")
plug.provider.refreshAlgorithms()
rows = sciara_lava.words.table()
shown = [t for a in plug.provider.algorithms() for t in (a.displayName(), a.shortHelpString(), *(p.description() for p in a.parameterDefinitions()),
                                                         *(o.description() for o in a.outputDefinitions()))]
italian = {row["it"] for row in rows.values()}
check("all texts of the dialogs are Italian", len(shown) > 80 and set(shown) <= italian)
other = run("forecast", None, project, **ONE, MEMBERS=4, FOLDER="seen")
check("the same folder with other input has the forecast of that", load(pathlib.Path(other["FOLDER"], "summary.json"))["members"]["planned"] == 4)
top = layers_of(project.layerTreeRoot().children()[0])
check("... and layers and legends", "Probabilità che arrivi la lava" in top and "da 10 a 25 %" in pathlib.Path(other["FOLDER"], "probability.qml").read_text())

# ---- the button


class Window:
    """What the plug-in calls of the window of QGIS."""

    def __init__(self):
        self.told = []

    def mainWindow(self):
        return None

    def activeLayer(self):
        return terrain

    def messageBar(self):
        return self

    def pushMessage(self, _title, text, _level, _seconds):
        self.told.append(text)

    def addToolBarIcon(self, action):
        self.action = action

    def addPluginToMenu(self, *_):
        pass

    removeToolBarIcon = removePluginMenu = addPluginToMenu


opened = []
plugin_module.QDesktopServices = type("Services", (), {"openUrl": staticmethod(lambda url: opened.append(url.toString()))})
plug.unload()
window = Window()
plug = sciara_lava.classFactory(window)
plug.initGui()
window.action.trigger()
end = time.monotonic() + 60
while not opened and time.monotonic() < end:
    QCoreApplication.processEvents()
    time.sleep(0.01)
with urllib.request.urlopen(opened[0], timeout=30) as page:
    check("the button opens the page of the terrain", page.status == 200 and b"<html" in page.read())
plug.unload()
try:
    urllib.request.urlopen(opened[0], timeout=5)
except OSError:
    check("... which ends with QGIS", True)
else:
    check("... which ends with QGIS", False)

print("ok: the end" if not failed else f"{failed} failed", flush=True)
os._exit(failed > 0)
