"""Finished runs: against what was observed, against each other; and how files are read."""

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
    """The cells of a simulated flow S and of an observed flow R. NaN: not known"""

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
    outside_m2: float  #: area observed outside the grid, or where it has no terrain
    outside_share: float  #: of all that was observed
    runout_known: bool
    source_row: int  #: where distances count from, if vents are not known
    source_col: int
    runout_simulated_m: float  #: of the farthest cell from its nearest source
    runout_observed_m: float
    simulated_cut: bool  #: lava has left the terrain: the run-out is a lower bound
    observed_cut: bool  #: the same of the outline
    runout_difference_m: float  #: simulated - observed


@dataclass(frozen=True)
class Estimate:
    """A score and its standard error; NaN: not defined"""

    value: float
    error: float


@dataclass(frozen=True)
class Scores:
    """A forecast, or a run as a forecast of one member, against what was observed"""

    within: str  #: where it is verified
    cells: int  #: there
    observed: int  #: of these
    brier: Estimate
    brier_skill: Estimate
    log_score: Estimate
    roc_area: Estimate
    reliability: float
    resolution: float
    uncertainty: float
    log_reference: float  #: the log score of the observed share in every cell
    best_jaccard: float  #: the best overlap that cells of a probability have,
    best_probability: float  #: this one or more; 0: above 0
    #: with `against`: scores less those of the other forecast, on cells in both
    difference: Optional[dict[str, Estimate]]
    cells_against: int


@dataclass(frozen=True)
class Fit:
    """What `fit` found; `summary` is what `sciara fit --json` prints"""

    run: str
    outline: str
    members: float  #: effective number of a forecast; of a run 1
    scores: Scores
    overlap: Optional[Overlap]  #: None: it is a forecast of many runs
    left_m3: float  #: lava that has left the domain; NaN: not known
    left_share: float
    warning: str  #: what the numbers exclude
    map: Optional[pathlib.Path]  #: that was written
    summary: dict[str, Any]


@dataclass(frozen=True)
class LayerDifference:
    """How two rasters of one grid differ. NaN: not defined"""

    name: str
    cells: int  #: compared
    differ: int  #: cells whose bits differ
    missing_a: int  #: cells with data in b only
    missing_b: int  #: in a only
    largest: float  #: abs(a - b)
    row: int  #: of the first cell of it, in the domain
    col: int
    l1: float  #: sum of abs(a - b)
    l1_relative: float  #: l1 / sum of abs(a)
    both: int  #: cells > 0 in both
    either: int  #: in either
    overlap: float  #: both / either
    empty: bool  #: neither has a value other than 0: equal, but meaningless


@dataclass(frozen=True)
class Comparison:
    """What `compare` found; `summary` is what `sciara compare --json` prints"""

    verdict: str  #: "equal", "different" or "undecided"
    reason: str  #: why it is undecided
    layers: list[LayerDifference]
    digests: Optional[tuple[str, str]]  #: of the exact states at the last step; None: not compared
    notes: list[str]  #: what else was not compared
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
    """A dataclass from the members of a structure that have its names"""
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

    run: the folder of a run, of an ensemble or another forecast, or a raster of lava thickness (then
    `case` or `dem` give its vents and terrain). outline: a raster, inside where > 0, or polygons of a
    vector file; None: that of the case. threshold: lava thinner than that many metres does not count.
    within: "500m", or polygons: where forecasts are verified. discrepancy: verifies the mean probability
    of the cells that near, in metres. against: the folder of another forecast. map: a file, .png, .svg
    or .pdf, for a map of hits, misses and false alarms."""
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
    stands for a folder with the layers of its step."""
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
    """How a case, a plan, a raster, a vector file, a state or the folder of a run is read: what
    `sciara info --json` prints"""
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
