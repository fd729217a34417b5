# SPDX-License-Identifier: GPL-2.0-or-later
"""Results in the project: a group of layers with styles, times and their origin, a page to print, and the difference
from the result before."""
import array
import json
import pathlib
import re
import textwrap

from osgeo import gdal
from qgis.core import (
    Qgis,
    QgsColorRampShader,
    QgsDateTimeRange,
    QgsLayerMetadata,
    QgsLayerTreeLayer,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemScaleBar,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsMapLayerLegendUtils,
    QgsMarkerSymbol,
    QgsPrintLayout,
    QgsRasterBlock,
    QgsRasterFileWriter,
    QgsRasterLayer,
    QgsRasterShader,
    QgsRectangle,
    QgsSingleBandPseudoColorRenderer,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QByteArray, QDateTime, QFileInfo, Qt
from qgis.PyQt.QtGui import QColor

from .words import tr

# What is loaded of a folder, from the top down: files, what the program calls them (with a number of the file), and
# whether it is shown at once, as the main one always is. Others are for whoever opens them.
LAYERS = [
    (r"vents\.geojson", "Vents", True),
    (r"isochrone_lines\.geojson", "Isochrones", True),
    (r"outline\.geojson", "Observed outline", True),
    (r"total_thickness_m_.*\.tif", "Thickness of the lava", True),
    (r"probability_([\d.]+)y\.tif", "Probability that lava arrives, years: {}", False),
    (r"probability\.tif", "Probability that lava arrives", False),
    (r"probability_(?:in|within)_([\d.]+)h\.tif", "probability that lava arrives within {} h", False),
    (r"probability_above_([\d.]+)m\.tif", "probability that lava gets thicker than {} m", False),
    (r"arrival_p50_h\.tif", "median arrival", False),
    (r"thickness_p50_m\.tif", "Thickness, median", False),
    (r"arrival_h_.*\.tif", "Time of arrival", False),
    (r"max_thickness_m_.*\.tif", "Largest thickness", False),
]
# Of a run without a date: the day that a globe is given, too.
STAND_IN = "2000-01-01T00:00:00Z"
KEPT = "sciara/result"  # the property of a group with the file of its main layer
VENT = {"name": "triangle", "color": "white", "outline_color": "150,0,0", "outline_width": "0.5", "size": "3"}  # as in runs
LESS, MORE = (QColor(33, 102, 172), QColor(166, 190, 230)), (QColor(178, 24, 43), QColor(244, 180, 170))  # much, little
MAP, LEGEND, BAR = (10, 22, 207, 170), (220, 22), (220, 180)  # mm, of a page A4 across


def time_of(items):
    """Of a state: 2026-01-01 09:00 UTC, or hours since the start."""
    if "DATE" in items:
        return items["DATE"][:16].replace("T", " ") + " UTC"
    return tr("{} h", f"{float(items['TIME_S']) / 3600:.4g}")


def open_layer(path, name):
    """A layer with its style, a file next to it; None: it cannot be read."""
    items = {}
    name = name[:1].upper() + name[1:]
    if path.suffix == ".geojson":
        made = QgsVectorLayer(str(path), name, "ogr")
    else:
        data = gdal.Open(str(path))
        items = data.GetMetadata() if data else {}
        if "TIME_S" in items:
            name += ", " + time_of(items)
        made = QgsRasterLayer(str(path), name)
    if re.fullmatch(r"probability_[\d.]+y", path.stem):
        made.loadNamedStyle(str(path.with_name("probability.qml")))
    if path.stem == "vents" and not path.with_suffix(".qml").exists():
        made.setRenderer(QgsSingleSymbolRenderer(QgsMarkerSymbol.createSimple(VENT)))
    made.setCustomProperty("sciara/time_s", items.get("TIME_S", ""))
    made.setCustomProperty("sciara/start", items.get("START_TIME", STAND_IN))
    return made if made.isValid() else None


def numbers_of(name):
    """By which files of one kind are sorted: steps, years, metres."""
    return [float(n) for n in re.findall(r"\d+\.?\d*", name)]


def open_all(folder, case):
    """Layers, with the vents of the case where the folder has none, and whether each is shown: what is shown of all states, the latest first, which covers the others; else of the last."""
    opened = []
    files = {p.name: p for p in (case / "vents.geojson", *folder.iterdir()) if p.exists()}
    for pattern, name, shown in LAYERS:
        found = [f for f in (re.fullmatch(pattern, n) for n in files) if f]
        found.sort(key=lambda f: numbers_of(f.string), reverse=True)
        several = shown or (found and found[0].groups())
        for f in found if several else found[:1]:
            layer = open_layer(files[f.string], tr(name, *f.groups()))
            opened += [(layer, shown)] if layer else []
    return opened


def describe(layer, summary, history, title):
    """Where it comes from, for the page of its properties."""
    said = QgsLayerMetadata()
    said.setTitle(layer.name())
    said.setIdentifier(summary["digest"])
    said.setAbstract("\n".join([title, f"sciara {summary['version']}", tr("Digest") + ": " + summary["digest"],
                                *(w["text"] for w in summary.get("warnings", []))]))
    said.setHistory(history)
    said.setKeywords({"sciara": [summary["version"], summary["digest"]]})
    layer.setMetadata(said)


def moment(layer):
    start = QDateTime.fromString(layer.customProperty("sciara/start").rstrip("Z"), Qt.DateFormat.ISODate)
    start.setTimeSpec(Qt.TimeSpec.UTC)
    return start.addSecs(int(float(layer.customProperty("sciara/time_s"))))


def set_times(project, states, lines):
    """Each state lasts until the next one, the last as long as the one before; returns the range of all."""
    begins = [moment(s) for s in states]
    start = QDateTime.fromString(states[0].customProperty("sciara/start").rstrip("Z"), Qt.DateFormat.ISODate)
    start.setTimeSpec(Qt.TimeSpec.UTC)
    before = begins[-2] if len(begins) > 1 else start
    ends = [*begins[1:], begins[-1].addSecs(max(before.secsTo(begins[-1]), 1))]
    for state, begin, end in zip(states, begins, ends):
        times = state.temporalProperties()
        times.setMode(Qgis.RasterTemporalMode.FixedTemporalRange)
        times.setFixedTemporalRange(QgsDateTimeRange(begin, end, True, False))
        times.setIsActive(True)
    for layer in lines:
        if layer.fields().indexOf("date") >= 0:
            times = layer.temporalProperties()
            times.setMode(Qgis.VectorTemporalMode.FeatureDateTimeInstantFromField)
            times.setStartField("date")
            times.setAccumulateFeatures(True)
            times.setIsActive(True)
    whole = QgsDateTimeRange(begins[0], ends[-1])
    project.timeSettings().setTemporalRange(whole)
    return whole


# ---- the difference ------------------------------------------------------------------------------------------


def values_of(layer, extent, cols, rows):
    """As doubles, row by row, 0 where there are none."""
    block = layer.dataProvider().block(1, extent, cols, rows)
    none = block.noDataValue() if block.hasNoDataValue() else None
    block.convert(Qgis.DataType.Float64)
    found = array.array("d", bytes(block.data()))
    return array.array("d", (0.0 if v != v or v == none else v for v in found))


def lava_of(layer):
    """The part with values above 0, and a tenth around it; all of the layer where there are none."""
    cols, rows, whole = layer.width(), layer.height(), layer.extent()
    values = values_of(layer, whole, cols, rows)
    wet = [r for r in range(rows) if any(values[r * cols : (r + 1) * cols])]
    across = [c for c in range(cols) if any(values[c::cols])]
    if not wet:
        return whole
    side = layer.rasterUnitsPerPixelX()
    part = QgsRectangle(whole.xMinimum() + across[0] * side, whole.yMaximum() - (wet[-1] + 1) * side,
                        whole.xMinimum() + (across[-1] + 1) * side, whole.yMaximum() - wet[0] * side)
    part.scale(1.2)
    return part


def same_cells(a, b):
    """Whether they are parts of one grid."""
    side = a.rasterUnitsPerPixelX()
    apart = [(a.extent().xMinimum() - b.extent().xMinimum()) / side, (a.extent().yMinimum() - b.extent().yMinimum()) / side]
    return a.crs() == b.crs() and abs(side - b.rasterUnitsPerPixelX()) < 1e-9 * side and all(abs(v - round(v)) < 1e-3 for v in apart)


def write_difference(path, new, old):
    """New less old over both; returns what one in fifty of the differences surpasses, 0 where there are none."""
    extent = QgsRectangle(new.extent())
    extent.combineExtentWith(old.extent())
    side = new.rasterUnitsPerPixelX()
    cols, rows = round(extent.width() / side), round(extent.height() / side)
    values = array.array("d", (a - b for a, b in zip(values_of(new, extent, cols, rows), values_of(old, extent, cols, rows))))
    provider = QgsRasterFileWriter(path).createOneBandRaster(Qgis.DataType.Float64, cols, rows, extent, new.crs())
    block = QgsRasterBlock(Qgis.DataType.Float64, cols, rows)
    block.setData(QByteArray(values.tobytes()))
    provider.setEditable(True)
    provider.writeBlock(block, 1)
    provider.setEditable(False)
    apart = sorted(abs(v) for v in values if v)
    return float(f"{apart[len(apart) * 98 // 100]:.2g}") if apart else 0


def difference(path, new, old):
    """A layer in blue where there is less than before, in red where there is more; None: other cells, or the same values."""
    if not same_cells(new, old):
        return None
    most = write_difference(path, new, old)
    made = QgsRasterLayer(path, tr("Difference from the result before"))
    if not most or not made.isValid():
        return None
    ramp = QgsColorRampShader(-most, most)
    ramp.setColorRampType(QgsColorRampShader.Type.Interpolated)
    least, clear = 1e-6 * most, QColor(255, 255, 255, 0)
    stops = (-most, LESS[0]), (-least, LESS[1]), (0.0, clear), (least, MORE[1]), (most, MORE[0])
    ramp.setColorRampItemList([QgsColorRampShader.ColorRampItem(v, colour, f"{v:.2g}") for v, colour in stops])
    shader = QgsRasterShader()
    shader.setRasterShaderFunction(ramp)
    made.setRenderer(QgsSingleBandPseudoColorRenderer(made.dataProvider(), 1, shader))
    return made


def result_before(project, main):
    """The layer of the latest group that shows the same quantity; None: there is none."""
    name = main.source().rsplit("/", 1)[-1].partition("_m_")[0]
    for group in project.layerTreeRoot().findGroups():
        kept = group.customProperty(KEPT, "")
        if pathlib.Path(kept).name.partition("_m_")[0] == name and kept != main.source():
            layer = QgsRasterLayer(kept, "before")
            if layer.isValid():
                return layer
    return None


# ---- group and page ------------------------------------------------------------------------------------------


def add_node(group, layer):
    """With a legend of its classes alone, without the number of the band."""
    node = QgsLayerTreeLayer(layer)
    if isinstance(layer, QgsRasterLayer):
        count = len(layer.legend().createLayerTreeModelLegendNodes(node))
        QgsMapLayerLegendUtils.setLegendNodeOrder(node, list(range(1, count)))
    group.addChildNode(node)  # (only now: lists of layers look once)
    return node


def expand(node, wanted):
    """Also in the list of layers, which heeds changes alone."""
    node.setExpanded(not wanted)
    node.setExpanded(wanted)


def place(item, layout, at, size=None):
    layout.addLayoutItem(item)
    item.attemptMove(QgsLayoutPoint(*at))
    if size:
        item.attemptResize(QgsLayoutSize(*size))
    return item


def label(layout, words, at, points):
    item = QgsLayoutItemLabel(layout)
    item.setText(words)
    if hasattr(item, "setTextFormat"):  # QGIS 3.24 and newer
        letters = item.textFormat()
        letters.setSize(points)
        item.setTextFormat(letters)
    else:
        font = item.font()
        font.setPointSizeF(points)
        item.setFont(font)
    place(item, layout, at, (277, 11))


def add_page(project, name, layers, main, below):
    """A4 across: title, map, legend, scale bar, and where it comes from."""
    page = QgsPrintLayout(project)
    page.initializeDefaults()
    names = {p.name() for p in project.layoutManager().printLayouts()}
    page.setName(next(n for n in (name, *(f"{name} ({i})" for i in range(2, 10000))) if n not in names))
    label(page, name, (10, 8), 18)
    view = place(QgsLayoutItemMap(page), page, MAP[:2], MAP[2:])
    view.setCrs(main.crs())
    part = lava_of(main)
    unit = max(part.width() / MAP[2], part.height() / MAP[3])
    view.setExtent(QgsRectangle.fromCenterAndSize(part.center(), unit * MAP[2], unit * MAP[3]))
    view.setFrameEnabled(True)
    view.setLayers(project.layerTreeRoot().checkedLayers())
    view.setKeepLayerSet(True)
    legend = place(QgsLayoutItemLegend(page), page, LEGEND)
    legend.setLinkedMap(view)
    legend.setAutoUpdateModel(False)
    root = legend.model().rootGroup()
    root.clear()
    legend.setWrapString("|")
    for layer in layers:
        node = add_node(root, layer)
        node.setCustomProperty("legend/title-label", "|".join(textwrap.wrap(layer.name(), 30)))
        legend.model().refreshLayerLegend(node)
    bar = place(QgsLayoutItemScaleBar(page), page, BAR)
    bar.setLinkedMap(view)
    bar.applyDefaultSize()
    label(page, below, (10, 195), 7)
    project.layoutManager().addLayout(page)


def load(project, made, case, commands, name, feedback):
    """The group, on top of the others."""
    folder = pathlib.Path(made["FOLDER"])
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    title = (summary.get("case") or summary.get("plan") or {}).get("title", "")
    name = f"{name}: {title}" if title else name
    opened = open_all(folder, case)
    computed = next(c for c in reversed(commands) if not c.startswith("sciara show "))
    main = next((l for l, _ in opened if QFileInfo(l.source()) == QFileInfo(made["RESULT"] or "")), None)
    if main is None:
        feedback.pushWarning(tr("{} has no layer to show.", folder))
        return
    opened = [(layer, shown or layer is main) for layer, shown in opened]
    old = result_before(project, main)
    apart = difference(str(folder / "difference_from_before.tif"), main, old) if old else None
    if not project.crs().isValid():
        project.setCrs(main.crs())
    for before in project.layerTreeRoot().findGroups():
        if before.customProperty(KEPT):
            before.setItemVisibilityChecked(False)
            expand(before, False)
    group = project.layerTreeRoot().insertGroup(0, name)
    group.setCustomProperty(KEPT, main.source())
    for layer, shown in [*([(apart, False)] if apart else []), *opened]:
        describe(layer, summary, commands, title)
        project.addMapLayer(layer, False)
        node = add_node(group, layer)
        node.setItemVisibilityChecked(shown)
        expand(node, layer in (main, apart))
    expand(group, True)
    states = [l for l, shown in reversed(opened) if shown and l.customProperty("sciara/time_s") and isinstance(l, QgsRasterLayer)]
    if states:
        set_times(project, states, [l for l, _ in opened if isinstance(l, QgsVectorLayer)])
    add_page(project, name, [l for l, shown in opened if shown and l not in states[:-1]], main,
             f"sciara {summary['version']} · {summary['digest']} · {computed}")
