"""Compares finished runs with observed flows and with each other; describes how files are read."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
from dataclasses import dataclass, fields
from typing import Any, Optional, Union

from . import _abi, _inputs, _library
from ._progress import Watch

Path = Union[str, os.PathLike[str]]
VERDICTS = ("equal", "different", "undecided")
SCORES = ("brier", "brier_skill", "log_score", "roc_area")


@dataclass(frozen=True)
class Overlap:
    """Comparison of the cells of a simulated flow S and an observed flow R. NaN: not known"""

    both: int  #: cells in S and R
    only_simulated: int
    only_observed: int
    simulated: int
    observed: int
    either: int
    jaccard: float  #: |S and R| / |S or R|: e1 of the SCIARA papers
    jaccard_root: float
    precision: float  #: |S and R| / |S|
    recall: float  #: |S and R| / |R|
    f1: float  #: 2 |S and R| / (|S| + |R|)
    over_m2: float  #: area of S without R
    under_m2: float  #: area of R without S
    volume_m3: float  #: of the simulated lava
    outside_m2: float  #: area observed outside the grid, or without terrain
    outside_share: float  #: its share in the whole observed area
    runout_known: bool
    source_row: int  #: cell from which distances count, if vents are not known
    source_col: int
    runout_simulated_m: float  #: distance of the farthest cell from its nearest source
    runout_observed_m: float
    simulated_cut: bool  #: lava has left the terrain: the run-out is a lower bound
    observed_cut: bool  #: the outline ends at the border of the terrain
    runout_difference_m: float  #: simulated - observed


@dataclass(frozen=True)
class Estimate:
    """A score and its standard error; NaN: not defined"""

    value: float
    error: float


@dataclass(frozen=True)
class Scores:
    """Scores of a forecast compared with the observed flow; a run is a forecast with one member"""

    within: str  #: cells of the verification: "the outline's box and 500 m"
    cells: int  #: verified cells
    observed: int  #: observed cells among them
    brier: Estimate
    brier_skill: Estimate
    log_score: Estimate
    roc_area: Estimate
    reliability: float
    resolution: float
    uncertainty: float
    log_reference: float  #: log score of a forecast with the observed share in every cell
    best_jaccard: float  #: best overlap of the cells with at least a probability
    best_probability: float  #: that probability; 0: all cells above 0
    #: with `against`: scores minus the scores of the other forecast, on cells of both
    difference: Optional[dict[str, Estimate]]
    cells_against: int


@dataclass(frozen=True)
class Fit:
    """The result of `fit`; `summary` is the output of `sciara fit --json`"""

    run: str
    outline: str
    members: float  #: effective number of members; 1 for a run
    scores: Scores
    overlap: Optional[Overlap]  #: None for a forecast of many runs
    left_m3: float  #: lava that has left the domain; NaN: not known
    left_share: float
    warning: str  #: lava or outline that the numbers exclude; "": none
    map: Optional[pathlib.Path]  #: path of the map; None: not drawn
    summary: dict[str, Any]


@dataclass(frozen=True)
class LayerDifference:
    """Differences between two rasters on one grid. NaN: not defined"""

    name: str
    cells: int  #: number of cells compared
    differ: int  #: cells with different bits
    missing_a: int  #: cells with data only in b
    missing_b: int  #: cells with data only in a
    largest: float  #: largest abs(a - b)
    row: int  #: first cell with it, in the domain
    col: int
    l1: float  #: sum of abs(a - b)
    l1_relative: float  #: l1 / sum of abs(a)
    both: int  #: cells > 0 in both
    either: int  #: cells > 0 in either
    overlap: float  #: both / either
    empty: bool  #: all cells of both are 0: equal, but this proves nothing


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`; `summary` is the output of `sciara compare --json`"""

    verdict: str  #: "equal", "different" or "undecided"
    reason: str  #: reason if undecided; else ""
    layers: list[LayerDifference]
    digests: Optional[tuple[str, str]]  #: of the exact states at the last step; None: not compared
    notes: list[str]  #: what was not compared
    summary: dict[str, Any]


def _estimates(values: Any) -> list[Estimate]:
    return [Estimate(x.value, x.error) for x in values]


def _scores(s: Any, against: bool) -> Scores:
    values = {f.name: getattr(s, f.name) for f in fields(Scores) if hasattr(s, f.name)}
    values["within"] = _library.text(s.within)
    values.update(zip(SCORES, _estimates(s.score)))
    values["difference"] = dict(zip(SCORES, _estimates(s.difference))) if against else None
    return Scores(**values)


def _values(of: type[Any], structure: Any, **more: Any) -> Any:
    """A dataclass with the values of the fields of the same names in a structure"""
    for field in fields(of):
        if field.name not in more:
            value = getattr(structure, field.name)
            more[field.name] = bool(value) if str(field.type) == "bool" else value
    return of(**more)


def _lines(text: Optional[bytes]) -> list[str]:
    return _library.text(text).splitlines()


def fit(
    run: Path,
    outline: Optional[Path] = None,
    *,
    case: Optional[Path] = None,
    dem: Optional[Path] = None,
    threshold: float = 0.0,
    within: Optional[Path] = None,
    discrepancy: float = 0.0,
    against: Optional[Path] = None,
    map: Optional[Path] = None,
) -> Fit:
    """Compares the lava of a run, mobile and solidified, with an observed outline, as `sciara fit` does.

    run: the folder of a run or of a forecast, such as an ensemble, or a raster of lava thickness.
    case, dem: if `run` is a raster, the case with its vents and terrain, or its terrain.
    outline: a raster, inside where > 0, or polygons of a vector file; None: the outline of the case.
    threshold: m; thinner lava does not count. within: cells on which forecasts are verified: up to a
    distance such as "500m" from the outline, or in polygons of a file. discrepancy: m; verifies the mean
    probability of the cells within this distance. against: the folder of another forecast for comparison.
    map: a file, .png, .svg or .pdf, for a map of hits, misses and false alarms."""
    watch, options = Watch(None), _abi.FitOptions()
    _library.function("sciara_fit_options_init")(ctypes.byref(options), ctypes.sizeof(options))
    options.outline = _inputs.text("outline", outline)
    options.case_path = _inputs.text("case", case)
    options.dem = _inputs.text("dem", dem)
    options.threshold_m, options.discrepancy_m = threshold, discrepancy
    options.within = _inputs.text("within", within)
    options.against = _inputs.text("against", against)
    options.map = _inputs.text("map", map)
    options.watcher = watch.watcher
    found = ctypes.POINTER(_abi.Fit)()
    with watch:
        _library.call(
            "sciara_fit", ctypes.byref(found), _inputs.text("run", run), ctypes.byref(options)
        )
    try:
        f = found.contents
        return Fit(
            os.fsdecode(f.run),
            os.fsdecode(f.outline),
            f.members,
            _scores(f.scores, against is not None),
            _values(Overlap, f.overlap) if f.overlap.simulated else None,
            f.left_m3,
            f.left_share,
            _library.text(f.warning),
            pathlib.Path(os.fsdecode(f.map)) if f.map else None,
            json.loads(f.json),
        )
    finally:
        _library.function("sciara_fit_free")(found)


def compare(a: Path, b: Path) -> Comparison:
    """Compares two folders of runs, layer by layer, or two rasters, as `sciara compare` does. A state
    is compared like a folder with the layers of its step."""
    watch, found = Watch(None), ctypes.POINTER(_abi.Comparison)()
    with watch:
        _library.call(
            "sciara_compare",
            ctypes.byref(found),
            _inputs.text("a", a),
            _inputs.text("b", b),
            ctypes.byref(watch.watcher),
        )
    try:
        c = found.contents
        return Comparison(
            VERDICTS[c.verdict],
            _library.text(c.reason),
            [
                _values(LayerDifference, x.d, name=_library.text(x.name), row=x.row, col=x.col)
                for x in c.layer[: c.count]
            ],
            (_library.text(c.digest_a), _library.text(c.digest_b)) if c.digest_a else None,
            _lines(c.notes),
            json.loads(c.json),
        )
    finally:
        _library.function("sciara_comparison_free")(found)


def info(path: Path) -> dict[str, Any]:
    """Describes how a case, a plan, a raster, a vector file, a state or the folder of a run is read:
    the output of `sciara info --json`"""
    watch, found = Watch(None), ctypes.c_void_p()
    with watch:
        _library.call(
            "sciara_info",
            ctypes.byref(found),
            _inputs.text("path", path),
            ctypes.byref(watch.watcher),
        )
    try:
        return dict(json.loads(ctypes.string_at(found)))
    finally:
        _library.function("sciara_text_free")(found)
