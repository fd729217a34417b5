# SPDX-License-Identifier: GPL-2.0-or-later
"""The algorithms: each is a row of inputs, and a generator of the commands that it runs.

A generator yields the words of a command and gets what it printed; it returns the outputs. `FOLDER` among
them is what is loaded into the project. A further algorithm is a further row of ALGORITHMS."""
import json
import pathlib

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingException,
    QgsProcessingOutputHtml,
    QgsProcessingOutputNumber,
    QgsProcessingOutputRasterLayer,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterCrs,
    QgsProcessingParameterDateTime,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterPoint,
    QgsProcessingParameterRasterDestination,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterString,
)
from qgis.PyQt.QtCore import QCoreApplication, QThread

from . import program, results
from .inputs import Given, path_of, write_table
from .words import language, tr

SOURCE = QgsProcessing.SourceType
NUMBER = QgsProcessingParameterNumber.Type
OPTIONAL = {"optional": True}


class Input:
    """A parameter of that class, made with the texts in the language of QGIS."""

    def __init__(self, name, kind, text, advanced=False, **more):
        self.name, self.kind, self.text, self.advanced, self.more = name, kind, text, advanced, more

    def make(self):
        made = self.kind(self.name, tr(self.text), **{k: v() if callable(v) else v for k, v in self.more.items()})
        if self.advanced:
            made.setFlags(made.flags() | QgsProcessingParameterDefinition.Flag.FlagAdvanced)
        return made


def layer(name, text, *kinds, **more):
    return Input(name, QgsProcessingParameterFeatureSource, text, types=list(kinds), **{**OPTIONAL, **more})


def number(name, text, default=None, least=None, **more):
    limits = {} if least is None else {"minValue": least}
    return Input(name, QgsProcessingParameterNumber, text, **{"type": NUMBER.Double, "defaultValue": default, "optional": default is None, **limits, **more})


def text(name, label, **more):
    return Input(name, QgsProcessingParameterString, label, **{**OPTIONAL, **more})


FOLDER = Input("FOLDER", QgsProcessingParameterFolderDestination, "Folder for case and results")
TERRAIN = Input("TERRAIN", QgsProcessingParameterRasterLayer, "Terrain")
OUTLINE = layer("OUTLINE", "Observed outline", SOURCE.TypeVectorPolygon)
PLACES = [
    layer("PLACES", "Places of interest", SOURCE.TypeVectorAnyGeometry),
    Input("PLACE_NAME", QgsProcessingParameterField, "Field with the name of a place", advanced=True, parentLayerParameterName="PLACES", **OPTIONAL),
    layer("ROADS", "Roads", SOURCE.TypeVectorLine),
]
LAVA = [
    Input("PARAMETERS", QgsProcessingParameterEnum, "Parameters of the lava", advanced=True, usesStaticStrings=True, defaultValue="etna-2006",
          options=program.parameter_sets),
    number("VENT_RADIUS", "Strong vents are spread up to this distance (m)", 100, 0, advanced=True),
    number("KM", "Kilometres around the vent, of a terrain in degrees", 10, 0.1, advanced=True),
    text("TITLE", "Title", advanced=True),
    text("LINES", "Further lines of the case", advanced=True, multiLine=True),
]
ERUPTION = [
    TERRAIN,
    Input("VENT", QgsProcessingParameterPoint, "Vent: a click on the map", **OPTIONAL),
    number("RATE", "Rate of all vents (m³/s)", 10, 0, optional=True),
    number("HOURS", "Duration of the eruption (h)", 24, 0.001, optional=True),
    Input("START", QgsProcessingParameterDateTime, "Start of the eruption (UTC)", **OPTIONAL),
    layer("VENTS", "Vents (points)", SOURCE.TypeVectorPoint),
    layer("FISSURES", "Fissures (lines)", SOURCE.TypeVectorLine),
    layer("RATES", "Table of rates, in place of rate and duration", SOURCE.TypeVector),
    *PLACES,
    layer("BARRIERS", "Barriers (lines, polygons)", SOURCE.TypeVectorLine, SOURCE.TypeVectorPolygon),
    number("BARRIER_HEIGHT", "Height of barriers without a field height_m, crest_m or depth_m (m)", 10, 0, advanced=True),
    number("RUN_HOURS", "Length of the run (h); empty: half as long again as the eruption", None, 0.001, advanced=True),
    *LAVA,
]
WHOLE = {"type": NUMBER.Integer}


# What is loaded of many runs besides the usual files (results.LAYERS).
LOADED = "probability_above_*m,probability_*h,arrival_p50_h,thickness_p50_m"


# ---- commands ------------------------------------------------------------------------------------------------


def painted(folder):
    """Names, legends and pages in the language of QGIS."""
    if language() != "en":
        yield ["show", str(folder), "--format", "qgis,html", "--language", language()]


def answer(folder, main):
    """The outputs of a folder with results, of which `main` is the layer to look at."""
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    found = sorted(folder.glob(main), key=lambda p: results.numbers_of(p.stem))
    return {"FOLDER": str(folder), "RESULT": str(found[-1]) if found else None, "DIGEST": summary["digest"],
            "REPORT": str(folder / "report.html")}


def dem(g):
    rasters = [path_of(r) for r in g.algorithm.parameterAsLayerList(g.parameters, "SOURCES", g.context)]
    made = g.algorithm.parameterAsOutputLayer(g.parameters, "OUTPUT", g.context)
    degrees, part = QgsCoordinateReferenceSystem("EPSG:4326"), []
    if g.has("EXTENT"):
        box = g.algorithm.parameterAsExtent(g.parameters, "EXTENT", g.context, degrees)
        edges = box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()
        part = ["--extent", ",".join(f"{v:.15g}" for v in edges)]
    if g.has("AROUND"):
        lon, lat = g.point("AROUND", degrees)
        part += ["--around", f"{lat:.15g},{lon:.15g}", "--km", g.number("KM")]
    wanted = g.algorithm.parameterAsCrs(g.parameters, "CRS", g.context)
    crs = ["--crs", wanted.authid().partition("EPSG:")[2]] if wanted.isValid() else []
    copernicus = ["--copernicus", "--network"] if g.flag("COPERNICUS") else []
    yield ["dem", *rasters, *copernicus, *part, *crs, *g.option("--cell", "CELL"), *g.option("--fill", "FILL"), "--output", made, "--replace"]
    return {"OUTPUT": made}


def run(g):
    terrain, crs = yield from g.terrain()
    folder = g.folder / "run"
    every = ["--every", g.number("EVERY") + "h"] if g.has("EVERY") else []
    resume = ["--resume"] if g.flag("RESUME") else []
    yield ["run", g.write_case(terrain, crs), "--output", str(folder), "--format", "geotiff,qgis,html", "--state", *every, *resume]
    yield from painted(folder)
    return answer(folder, "total_thickness_m_*.tif")


def observed_fronts(g, crs):
    """The line of a plan for outlines with their dates."""
    if not g.has("DATE") or not g.has("START"):
        raise QgsProcessingException(tr("Observed outlines need the field with their dates, and the start of the eruption."))
    file = g.vectors("observed.geojson", ["OBSERVED"], crs, date="DATE")
    return f"observed_fronts case/{file} date date error_m {g.number('OBSERVED_ERROR')}"


def forecast(g):
    """Its plan is drafted anew, of what was chosen now; where that is as before, the program computes only what is new."""
    terrain, crs = yield from g.terrain()
    case = g.write_case(terrain, crs)
    seen = [observed_fronts(g, crs)] if g.has("OBSERVED") else []
    (g.case / "eruption-forecast.cfg").unlink(missing_ok=True)
    yield ["forecast", case, *seen, "--members", g.number("MEMBERS"), "--format", "png,qgis,html", "--layers", LOADED, "--language", language()]
    folder = g.folder / "output" / "eruption-forecast"
    if seen:
        folder = max(folder.with_name("eruption-forecast-nowcast").iterdir(), key=lambda f: (f / "summary.json").stat().st_mtime)
    else:
        yield from painted(folder)
    return answer(folder, "probability.tif")


def hazard(g):
    """Of the next years, by past vents and eruptions."""
    terrain, crs = yield from g.terrain()
    write_table(g.case / "catalogue.csv", g.source("CATALOGUE"))
    lines = ["past_vents " + g.vectors("past_vents.geojson", ["PAST_VENTS"], crs, zone="ZONE"), "catalogue catalogue.csv", "sampling latin"]
    for key, name in (("opening_within", "WITHIN"), ("opening_never", "NEVER")):
        file = g.vectors(f"{key}.geojson", [name], crs)
        lines += [f"{key} {file}"] if file else []
    flows = g.vectors("past_flows.geojson", ["PAST_FLOWS"], crs, date="FLOW_DATE")
    lines += [f"past_flows {flows}"] if flows else []
    lines += [f"{key} {g.number(name)}" for key, name in (("catalogue_until", "UNTIL"), ("members", "MEMBERS"), ("run_h", "RUN_HOURS"))]
    lines += [f"{key} {g.text(name)}" for key, name in (("complete", "COMPLETE"), ("years", "YEARS")) if g.has(name)]
    plan = g.write("volcano.cfg", terrain, lines, crs)
    yield ["hazard", plan, "--format", "png,qgis,html", *(["--layers", "hazard_flows"] if flows else [])]
    folder = g.folder / "output" / "volcano-hazard" / "maps"
    yield from painted(folder)
    return answer(folder, "probability_*y.tif")


def ask(g):
    library, folder = g.path("LIBRARY"), g.folder / "answer"
    beside = pathlib.Path(library).parents[2] / "case" / "eruption-forecast.cfg"  # where a forecast has put it
    plan = ["--plan", g.path("PLAN") if g.has("PLAN") else str(beside)] if g.has("PLAN") or beside.exists() else []
    outline = g.vectors("outline.geojson", ["OUTLINE"])
    given = ["--given", f"case/{outline}", *g.option("--at", "AT")] if outline else []
    places = g.vectors("places.geojson", ["PLACES", "ROADS"], name="PLACE_NAME")
    yield ["ask", library, *plan, *g.option("--where", "WHERE"), *given, *(["--assets", f"case/{places}"] if places else []), "--output", str(folder),
           "--format", "png,qgis,html", "--layers", LOADED]
    yield from painted(folder)
    return answer(folder, "probability.tif")


SCORES = {"OVERLAP": ("jaccard", "Overlap J, from 0 to 1"), "PRECISION": ("precision", "Precision"), "RECALL": ("recall", "Recall"),
          "BRIER": ("brier", "Brier score"), "LOG_SCORE": ("log_score", "Log score")}


def fit(g):
    outline = g.vectors("outline.geojson", ["OUTLINE"])
    drawn = str(g.folder / "fit.png")
    printed = yield ["fit", g.path("RUN"), f"case/{outline}", "--threshold", g.number("THRESHOLD"), "--json", "--map", drawn]
    found = json.loads(printed)
    scores = {**found.get("verification", {}), **found}
    made = {name: scores[key] for name, (key, _) in SCORES.items() if scores.get(key) is not None}
    for name, value in made.items():
        g.feedback.pushInfo(f"{tr(SCORES[name][1])}: {value:.4g}")
    return {**made, "MAP": found.get("map", "")}


# ---- the table -----------------------------------------------------------------------------------------------


class Row:
    """An algorithm: name, title, help, inputs, commands, and outputs as (class, name, text)."""

    def __init__(self, name, title, about, inputs, commands, outputs=None):
        self.name, self.title, self.about, self.inputs, self.commands = name, title, about, inputs, commands
        self.outputs = outputs if outputs is not None else [
            (QgsProcessingOutputRasterLayer, "RESULT", "Result"), (QgsProcessingOutputString, "DIGEST", "Digest"),
            (QgsProcessingOutputHtml, "REPORT", "Report")]


ALGORITHMS = [
    Row("dem", "Prepare a terrain", "Makes one terrain in metres of all rasters: square cells of a projected CRS, heights in metres. "
        "Copernicus GLO-30 is read from its public server, around a point or in an extent.",
        [Input("SOURCES", QgsProcessingParameterMultipleLayers, "Rasters of heights", layerType=SOURCE.TypeRaster, **OPTIONAL),
         Input("COPERNICUS", QgsProcessingParameterBoolean, "Read Copernicus GLO-30 from the network, in place of rasters", defaultValue=False),
         Input("AROUND", QgsProcessingParameterPoint, "Middle of the terrain", **OPTIONAL),
         number("KM", "Kilometres from there to each side", 10, 0.1),
         Input("EXTENT", QgsProcessingParameterExtent, "Extent, in place of the middle", **OPTIONAL),
         number("CELL", "Side of a cell (m); empty: as in the finest raster", None, 0.001),
         Input("CRS", QgsProcessingParameterCrs, "CRS, projected, in metres; empty: UTM", **OPTIONAL),
         number("FILL", "Holes up to this many cells across are filled", 0, 0, advanced=True, **WHOLE),
         Input("OUTPUT", QgsProcessingParameterRasterDestination, "Terrain")],
        dem, []),
    Row("run", "Simulate a lava flow", "One eruption on the terrain: where its lava goes, when it arrives, how thick it becomes.",
        [*ERUPTION, number("EVERY", "Hours between layers; empty: at the end", None, 0.001),
         Input("RESUME", QgsProcessingParameterBoolean, "Continue what was canceled in this folder", advanced=True, defaultValue=False), FOLDER],
        run),
    Row("forecast", "Forecast where lava arrives", "Many eruptions, with what is uncertain about rates, vents, lava and terrain: the probability "
        "that lava arrives, weighed by observed outlines if there are any. In a folder of its own it continues what was canceled.",
        [*ERUPTION, number("MEMBERS", "Number of eruptions", 100, 2, **WHOLE),
         layer("OBSERVED", "Observed outlines", SOURCE.TypeVectorPolygon),
         Input("DATE", QgsProcessingParameterField, "Field with their dates", parentLayerParameterName="OBSERVED", **OPTIONAL),
         number("OBSERVED_ERROR", "Error of their line (m)", 30, 0.1, advanced=True), FOLDER],
        forecast),
    Row("hazard", "Hazard of a volcano", "From past vents and a catalogue of eruptions: how often lava comes, and the probability in the next years. The catalogue is "
        "a table with date, volume_m3, duration_h, zone; cells may be empty.",
        [TERRAIN, layer("PAST_VENTS", "Past vents", SOURCE.TypeVectorAnyGeometry, optional=False),
         Input("ZONE", QgsProcessingParameterField, "Field with their zone", parentLayerParameterName="PAST_VENTS", **OPTIONAL),
         layer("CATALOGUE", "Catalogue of eruptions (table)", SOURCE.TypeVector, optional=False),
         number("UNTIL", "Year in which the catalogue ends", 2026, **WHOLE),
         text("COMPLETE", "Complete since the year; or VOLUME:YEAR ...", optional=False), text("YEARS", "Next years", defaultValue="1 10 50"),
         number("RUN_HOURS", "Length of a run (h)", 72, 0.001), number("MEMBERS", "Number of eruptions", 1000, 2, **WHOLE), *PLACES,
         layer("PAST_FLOWS", "Past flows, with which the map is compared", SOURCE.TypeVectorPolygon, advanced=True),
         Input("FLOW_DATE", QgsProcessingParameterField, "Field with their dates", advanced=True, parentLayerParameterName="PAST_FLOWS", **OPTIONAL),
         layer("WITHIN", "Vents open within (polygons)", SOURCE.TypeVectorPolygon, advanced=True),
         layer("NEVER", "Vents never open in (polygons)", SOURCE.TypeVectorPolygon, advanced=True), *LAVA, FOLDER],
        hazard),
    Row("ask", "Ask a library of eruptions", "Probabilities from the eruptions that a forecast has kept, of those for which a condition is true or "
        "that agree with an observed outline. Nothing is computed again.",
        [Input("LIBRARY", QgsProcessingParameterFile, "Library (library.gpkg)", extension="gpkg"),
         text("WHERE", "Condition, such as rate_factor > 1.2"), OUTLINE, text("AT", "Time of the outline, such as 36h"), *PLACES,
         Input("PLAN", QgsProcessingParameterFile, "Plan of the library; empty: the one that the library names", advanced=True, **OPTIONAL), FOLDER],
        ask),
    Row("fit", "Compare with an observed outline", "Overlap, precision and recall of a simulated flow, or the scores of a forecast, with a map of hits "
        "and misses.",
        [Input("RUN", QgsProcessingParameterFile, "Folder of a run or a forecast", behavior=QgsProcessingParameterFile.Behavior.Folder),
         layer("OUTLINE", "Observed outline", SOURCE.TypeVectorPolygon, optional=False),
         number("THRESHOLD", "Ignore lava thinner than this (m)", 0, 0, advanced=True), FOLDER],
        fit, [(QgsProcessingOutputNumber, name, text) for name, (_, text) in SCORES.items()] + [(QgsProcessingOutputString, "MAP", "Map")]),
]


class Algorithm(QgsProcessingAlgorithm):
    def __init__(self, row):
        super().__init__()
        self.row, self.given, self.made, self.commands = row, None, None, []

    def createInstance(self):
        return Algorithm(self.row)

    def name(self):
        return self.row.name

    def displayName(self):
        return tr(self.row.title)

    def shortHelpString(self):
        return tr(self.row.about)

    def initAlgorithm(self, config=None):
        for row in self.row.inputs:
            self.addParameter(row.make())
        for kind, name, label in self.row.outputs:
            self.addOutput(kind(name, tr(label)))

    def processAlgorithm(self, parameters, context, feedback):
        given = self.given = Given(self, parameters, context, feedback)
        steps, printed = self.row.commands(given), None
        while True:
            try:
                command = steps.send(printed)
            except StopIteration as end:
                self.made = end.value
                return end.value
            self.commands.append(program.written(command))
            printed = program.run(command, str(given.folder or "."), feedback)
            if printed is None:
                kept = given.folder and tr("Canceled. What was computed is kept in {}: the same folder continues it.", given.folder)
                feedback.pushInfo(kept or tr("Canceled."))
                return {}

    def postProcessAlgorithm(self, context, feedback):
        # (a model may run in a thread of its own, where a project must not be changed)
        here = QThread.currentThread() == QCoreApplication.instance().thread()
        if here and self.made and "RESULT" in self.made and context.project():
            results.load(context.project(), self.made, self.given.case, self.commands, self.displayName(), feedback)
        return {}
