"""Results and refusals of fit, compare and info are those of the program, to the last digit."""

from __future__ import annotations

import json
import math
import pathlib
import re
from typing import Any

import pytest
from conftest import program

import sciara

TOTAL = "total_thickness_m_000080.tif"
FLOW = [[500100, 4170100], [500330, 4170120], [500300, 4170400], [500120, 4170380], [500100, 4170100]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Two runs, the ensemble of a plan that has seen the second, and an outline"""
    made = tmp_path_factory.mktemp("finished")
    program("terrain", made / "case", "--size", 48, "--quiet")
    text = (made / "case/volcano.cfg").read_text()
    text = re.sub("(?m)^max_steps .*", "max_steps 80", text)
    cases = {
        "a": text,
        "b": re.sub("(?m)^Pcool .*", "Pcool 5", text),
        "plan": f"{text}members 5\nvary_Pcool uniform 2 6\noutline ../b/{TOTAL}\n",
    }
    for name, lines in cases.items():
        (made / f"case/{name}.cfg").write_text(lines)
    for name in "ab":
        folder = ["--output", made / name, "--quiet", "--format", "geotiff", "--state"]
        program("run", made / f"case/{name}.cfg", "--variant", "reference", *folder)
    program("ensemble", made / "case/plan.cfg", "--output", made / "e", "--quiet")
    shape = {"type": "Polygon", "coordinates": [FLOW]}
    (made / "flow.json").write_text(json.dumps(shape))
    return made


def same(number: float, printed: Any) -> bool:
    """To the last digit that is printed"""
    return math.isnan(number) if printed is None else printed in (number, float(f"{number:.15g}"))


FITS: list[dict[str, Any]] = [
    {"run": "a", "outline": f"b/{TOTAL}"},
    {"run": "a", "outline": "flow.json", "threshold": 0.5, "within": "200m"},
    {"run": f"a/{TOTAL}", "outline": "flow.json", "case": "case/a.cfg", "discrepancy": 30},
    {"run": "e"},
    {"run": "e", "outline": "flow.json", "against": "e"},
]


def words(given: dict[str, Any]) -> list[str]:
    """The command line of the same"""
    options = [f"--{k}={v}" for k, v in given.items() if k not in ("run", "outline")]
    return [given["run"], *filter(None, [given.get("outline")]), *options, "--no-map"]


@pytest.mark.parametrize("given", FITS)
def test_fit(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]) -> None:
    monkeypatch.chdir(folder)
    printed = json.loads(program("fit", *words(given), "--json"))
    f = sciara.fit(**given)
    assert f.summary == printed and f.run == printed["run"] and f.outline == printed["outline"]
    scores = printed["verification"]
    assert f.scores.cells == scores["cells"] > f.scores.observed == scores["observed_cells"] > 0
    for name in ("brier", "brier_skill", "log_score", "roc_area"):
        found = getattr(f.scores, name)
        assert same(found.value, scores[name]) and same(found.error, scores[f"{name}_error"])
    for name in ("best_jaccard", "best_probability", "reliability", "resolution", "uncertainty"):
        assert same(getattr(f.scores, name), scores[name])
    if "against" in given:
        assert f.scores.difference and f.scores.difference["brier"].value == 0
    if given["run"] == "e":
        assert f.overlap is None and same(f.members, printed["effective_members"])
        return
    assert f.overlap and same(f.overlap.jaccard, printed["jaccard"]) and 0 < f.overlap.jaccard < 1
    for name in ("simulated", "observed", "both", "either"):
        assert getattr(f.overlap, name) == printed[f"{name}_cells"] > 0
    for name in ("recall", "f1", "volume_m3", "runout_observed_m", "runout_difference_m"):
        assert same(getattr(f.overlap, name), printed[name])


def test_map(folder: pathlib.Path) -> None:
    path = folder / "map.svg"
    assert sciara.fit(folder / "a", folder / "flow.json", map=path).map == path
    assert path.read_text().startswith("<?xml")
    path.write_text("mine")
    with pytest.raises(sciara.InputError, match="would be overwritten, but was not written by sciara"):
        sciara.fit(folder / "a", folder / "flow.json", map=path)
    assert path.read_text() == "mine"


def test_compare(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for a, b, verdict in (
        ("a", "b", "different"),
        ("a", "a/state_000080.tif", "equal"),
        ("case/terrain.tif", "case/terrain.tif", "equal"),
        (f"a/{TOTAL}", f"b/{TOTAL}", "different"),
        ("case", "e", "undecided"),
    ):
        status = ("equal", "different", "undecided").index(verdict)
        found = sciara.compare(a, b)
        assert found.verdict == verdict
        if not status:  # else program() gives the standard error stream
            assert found.summary == json.loads(program("compare", a, b, "--json"))
        assert [x["name"] for x in found.summary["layers"]] == [x.name for x in found.layers]
        for layer, printed in zip(found.layers, found.summary["layers"]):
            assert layer.differ == printed["differ"] and same(layer.overlap, printed["overlap"])
            assert (layer.row, layer.col) == (printed["largest_row"], printed["largest_col"])
    assert sciara.compare("a", "a").digests and sciara.compare("a", "b").layers[0].differ > 0
    assert sciara.compare("case", "e").reason


def test_info(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    kinds = ["case", "plan", "run", "raster", "state", "vectors"]
    paths = ["case/a.cfg", "case/plan.cfg", "a", f"a/{TOTAL}", "a/state_000080.tif", "flow.json"]
    for kind, path in zip(kinds, paths):
        found, printed = sciara.info(path), json.loads(program("info", path, "--json"))
        for machine in (found, printed):
            machine.pop("on_this_machine", None)
        assert found == printed and found["kind"] == kind


@pytest.mark.parametrize(
    "given",
    [
        {"run": "a"},
        {"run": "nowhere", "outline": "flow.json"},
        {"run": "a", "outline": "nowhere"},
        {"run": "a", "outline": "flow.json", "within": "0"},
        {"run": "a", "outline": "flow.json", "discrepancy": 1e6},
        {"run": "a", "outline": "flow.json", "threshold": 1e6},
        {"run": "a", "outline": "flow.json", "against": "b"},
        {"run": "e", "case": "case/a.cfg"},
        {"run": "case/a.cfg", "outline": "flow.json"},
    ],
)
def test_refused(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any]) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(sciara.InputError) as refused:
        sciara.fit(**given)
    said = re.sub(r"option '(\w+)'", r"--\1", str(refused.value))
    assert f"sciara: {said}\n" == program("fit", *words(given), status=2)


def test_refused_likewise(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for a, b in (("a", "nowhere"), ("a", "flow.json"), ("flow.json", "case/terrain.tif")):
        with pytest.raises(sciara.InputError) as refused:
            sciara.compare(a, b)
        assert f"sciara: {refused.value}\n" == program("compare", a, b, status=2)
    for path in ("nowhere", "case/vents.csv"):
        with pytest.raises(sciara.InputError) as refused:
            sciara.info(path)
        assert f"sciara: {refused.value}\n" == program("info", path, status=2)
    with pytest.raises(sciara.InputError, match="threshold"):
        sciara.fit("a", "flow.json", threshold=math.nan)
