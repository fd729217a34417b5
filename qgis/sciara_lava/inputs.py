# SPDX-License-Identifier: GPL-2.0-or-later
"""From what was chosen in the dialog to the files of a case, which the program reads."""
import csv
import json
import pathlib

from qgis.core import (
    NULL,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProcessingException,
    QgsProviderRegistry,
    QgsRasterLayer,
    QgsUnitTypes,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QDate, QDateTime, Qt, QVariant

from .words import tr


def path_of(layer):
    """The file of a raster, which the program reads itself."""
    parts = QgsProviderRegistry.instance().decodeUri("gdal", layer.source())
    path = parts.get("path", "")
    if layer.providerType() != "gdal" or parts.get("layerName") or not pathlib.Path(path).is_file():
        raise QgsProcessingException(tr("{} is not a file on this machine: export it as a GeoTIFF and choose that.", layer.name()))
    return str(pathlib.Path(path).resolve())


def plain(value):
    """A value of an attribute, as JSON and CSV have it."""
    if value is None or value == NULL or isinstance(value, QVariant):
        return None
    if isinstance(value, (QDate, QDateTime)):
        return value.toString(Qt.DateFormat.ISODate)
    return value if isinstance(value, (bool, int, float, str)) else str(value)


# Positions are passed on as they are, to the last bit, which QGIS's own text of a geometry rounds.
def positions(points):
    return [[p.x(), p.y()] for p in points]


def geometry_of(geometry):
    """As GeoJSON; arcs become lines, heights are dropped."""
    geometry = QgsGeometry(geometry.constGet().segmentize())
    geometry.convertToMultiType()
    kind = geometry.type()
    if kind == QgsWkbTypes.GeometryType.PointGeometry:
        made = "Point", positions(geometry.asMultiPoint())
    elif kind == QgsWkbTypes.GeometryType.LineGeometry:
        made = "LineString", [positions(line) for line in geometry.asMultiPolyline()]
    else:
        made = "Polygon", [[positions(ring) for ring in area] for area in geometry.asMultiPolygon()]
    one = len(made[1]) == 1
    return {"type": made[0] if one else "Multi" + made[0], "coordinates": made[1][0] if one else made[1]}


def feature_of(geometry, properties):
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def features_of(source, crs, context, **renamed):
    """All features in that CRS; `renamed`: attribute of the program = field of the layer."""
    request = QgsFeatureRequest()
    request.setDestinationCrs(crs, context.transformContext())
    for feature in source.getFeatures(request):
        properties = {name: plain(feature[name]) for name in source.fields().names()}
        properties.update({name: plain(feature[field]) for name, field in renamed.items() if field})
        if feature.hasGeometry():
            yield feature_of(geometry_of(feature.geometry()), {k: v for k, v in properties.items() if v is not None})


def write_features(path, features, crs):
    collection = {"type": "FeatureCollection", "features": features}
    code = crs.authid().partition("EPSG:")[2]
    if code:
        collection["crs"] = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:EPSG::{code}"}}
    path.write_text(json.dumps(collection), encoding="utf-8")


def write_table(path, source, **constant):
    """Its columns as the program reads them, and the `constant` ones that it lacks; returns the rows."""
    names = source.fields().names()
    more = {name: value for name, value in constant.items() if name not in map(str.lower, names)}
    rows = [{**more, **{n: "" if plain(f[n]) is None else plain(f[n]) for n in names}} for f in source.getFeatures()]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*more, *names])
        writer.writeheader()
        writer.writerows(rows)
    return rows


def end_of(rows):
    """When the last rate ends, in hours; None: some row has no number there."""
    try:
        return max(float(next(v for k, v in row.items() if k.lower() in ("to", "to_h"))) for row in rows)
    except (StopIteration, ValueError):
        return None


class Given:
    """What was chosen: `algorithm` with `parameters`, and the folder for case and results."""

    def __init__(self, algorithm, parameters, context, feedback):
        self.algorithm, self.parameters, self.context, self.feedback = algorithm, parameters, context, feedback
        self.folder = None
        if algorithm.parameterDefinition("FOLDER"):
            self.folder = pathlib.Path(algorithm.parameterAsFileOutput(parameters, "FOLDER", context)).resolve()
            (self.folder / "case").mkdir(parents=True, exist_ok=True)
        self.case = self.folder and self.folder / "case"

    def has(self, name):
        return self.parameters.get(name) not in (None, "", NULL)

    def _as(self, kind, name, *more):
        return getattr(self.algorithm, "parameterAs" + kind)(self.parameters, name, self.context, *more)

    def text(self, name):
        return self._as("String", name)

    def path(self, name):
        """Whole, as commands run in the folder of the case."""
        return str(pathlib.Path(self.text(name)).resolve())

    def number(self, name):
        return f"{self._as('Double', name):.15g}"

    def flag(self, name):
        return self._as("Boolean", name)

    def raster(self, name):
        return self._as("RasterLayer", name)

    def source(self, name):
        """None where nothing was chosen."""
        source = self._as("Source", name)
        if source is None and self.has(name):
            raise QgsProcessingException(self.algorithm.invalidSourceError(self.parameters, name))
        return source

    def option(self, option, name):
        """["--option", value] if it was given."""
        if not self.has(name):
            return []
        numeric = self.algorithm.parameterDefinition(name).type() == "number"
        return [option, self.number(name) if numeric else self.text(name)]

    def point(self, name, crs):
        p = self._as("Point", name, crs)
        return p.x(), p.y()

    # ---- files of a case --------------------------------------------------------------------------

    def vectors(self, file, names, crs=None, default=None, **renamed):
        """Those layers together as `file` of the case, which is returned; None: none was chosen. `renamed`:
        attribute = parameter with its field; `default`: attributes of features that have none of these."""
        sources = [s for s in map(self.source, names) if s]
        if not sources:
            return None
        if crs is None:  # any that the program knows
            crs = sources[0].sourceCrs()
            crs = crs if crs.authid().startswith("EPSG:") else QgsCoordinateReferenceSystem("EPSG:4326")
        fields = {attribute: self.text(name) for attribute, name in renamed.items() if self.has(name)}
        features = [f for s in sources for f in features_of(s, crs, self.context, **{
            attribute: field for attribute, field in fields.items() if field in s.fields().names()})]
        if not features:
            raise QgsProcessingException(tr("{}: no feature is selected, or the layer is empty.", sources[0].sourceName()))
        for f in features:
            if default and not set(map(str.lower, f["properties"])) & {"height_m", "crest_m", "depth_m"}:
                f["properties"].update(default)
        write_features(self.case / file, features, crs)
        return file

    def write_vents(self, crs):
        """The click, points and lines; vents are numbered in this order unless all have numbers."""
        features = []
        if self.has("VENT"):
            features.append(feature_of({"type": "Point", "coordinates": list(self.point("VENT", crs))}, {}))
        for source in filter(None, map(self.source, ("VENTS", "FISSURES"))):
            features += features_of(source, crs, self.context)
        if not features:
            raise QgsProcessingException(tr("Give a vent: a click on the map, points, or fissures as lines."))
        for f in features:
            f["properties"] = {k.lower(): v for k, v in f["properties"].items() if k.lower() == "vent"}
        if not all(f["properties"] for f in features):
            for number, f in enumerate(features, 1):
                f["properties"] = {"vent": number}
        write_features(self.case / "vents.geojson", features, crs)

    def middle(self, crs):
        """Where the eruption is."""
        if self.has("VENT"):
            return self.point("VENT", crs)
        for source in filter(None, map(self.source, ("VENTS", "FISSURES", "PAST_VENTS"))):
            if not source.featureCount():
                continue
            turned = QgsCoordinateTransform(source.sourceCrs(), crs, self.context.transformContext())
            p = turned.transform(source.sourceExtent().center())
            return p.x(), p.y()
        raise QgsProcessingException(tr("Give a vent: a click on the map, points, or fissures as lines."))

    def write_rates(self):
        """Returns when they end, in hours; None: not known."""
        rates = self.source("RATES")
        if rates:
            return end_of(write_table(self.case / "rates.csv", rates, vent="*"))
        if not self.has("RATE") or not self.has("HOURS"):
            raise QgsProcessingException(tr("Give a rate and its duration, or a table of rates."))
        (self.case / "rates.csv").write_text(f"vent,from_h,to_h,rate_m3_s\n*,0,{self.number('HOURS')},{self.number('RATE')}\n")
        return self._as("Double", "HOURS")

    def write(self, name, terrain, lines, crs):
        """Writes a case or a plan of these lines and what all have, and returns its name in the folder."""
        title = self.text("TITLE") if self.has("TITLE") else self.raster("TERRAIN").name()
        lines = [*terrain, f'title "{title}"', f"parameters {self.text('PARAMETERS')}", f"vent_radius_m {self.number('VENT_RADIUS')}", *lines]
        places = self.vectors("places.geojson", ["PLACES", "ROADS"], crs, name="PLACE_NAME")
        lines += [f"assets {places}"] if places else []
        lines += self.text("LINES").splitlines() if self.has("LINES") else []
        (self.case / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
        return f"case/{name}"

    def write_case(self, terrain, crs):
        """One eruption; `terrain`: the lines about the terrain."""
        self.write_vents(crs)
        end_h = self.write_rates()
        if not end_h and not self.has("RUN_HOURS"):
            raise QgsProcessingException(tr("Give the length of the run: the table of rates has no hours at which they end."))
        run_h = self.number("RUN_HOURS") if self.has("RUN_HOURS") else f"{1.5 * end_h:.15g}"
        lines = ["vents vents.geojson", "rates rates.csv", f"run_h {run_h}"]
        if self.has("START"):
            lines.append("start_time " + self._as("DateTime", "START").toString("yyyy-MM-ddTHH:mm:ss"))
        barriers = self.vectors("barriers.geojson", ["BARRIERS"], crs, {"height_m": self._as("Double", "BARRIER_HEIGHT")})
        lines += [f"barriers {barriers}"] if barriers else []
        return self.write("eruption.cfg", terrain, lines, crs)

    def terrain(self):
        """A generator: lines of a case about the terrain, and its CRS. What is in degrees or feet becomes metres by `sciara dem`."""
        layer = self.raster("TERRAIN")
        if layer is None:
            raise QgsProcessingException(self.algorithm.invalidRasterError(self.parameters, "TERRAIN"))
        path, crs = path_of(layer), layer.crs()
        if not crs.isValid() or crs.mapUnits() == QgsUnitTypes.DistanceUnit.DistanceMeters:
            named = layer.dataProvider().crs().isValid() or not crs.authid().startswith("EPSG:")
            return [f'dem "{path}"'] + ([] if named else [f"crs {crs.authid()}"]), crs
        made = str(self.case / "terrain.tif")
        degrees = QgsCoordinateReferenceSystem("EPSG:4326")
        lon, lat = self.middle(degrees)
        yield ["dem", path, "--around", f"{lat:.15g},{lon:.15g}", "--km", self.number("KM"), "--output", made, "--replace", "--quiet"]
        return ["dem terrain.tif"], QgsRasterLayer(made).crs()
