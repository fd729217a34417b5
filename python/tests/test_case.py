"""Cases from files and from arrays, and refused input."""

from __future__ import annotations

import csv
import dataclasses
import pathlib
from typing import Any

import numpy as np
import pytest
from conftest import STEPS, program
from numpy.typing import NDArray

import sciara

PARAMETERS = sciara.Parameters.etna2006()


def rates_of(volcano: pathlib.Path) -> list[sciara.Rate]:
    lines = (volcano.parent / "rates.csv").read_text().split()[1:]
    rows = [[float(word) for word in line.split(",")] for line in lines]
    return [sciara.Rate.hours(int(row[0]), *row[1:]) for row in rows]


def inputs(case: sciara.Case, volcano: pathlib.Path) -> dict[str, Any]:
    """What from_arrays needs, besides the terrain, for the same case"""
    return dict(
        cell=case.cell,
        west=case.bounds[0],
        south=case.bounds[1],
        crs=case.crs,
        vents=case.vents,
        rates=rates_of(volcano),
        max_steps=STEPS,
    )


def digest(case: sciara.Case) -> str:
    return case.run("reference").digest


def test_properties(case: sciara.Case, volcano: pathlib.Path) -> None:
    assert (case.rows, case.cols, case.shape, case.cell) == (128, 128, (128, 128), 10)
    assert case.name == "volcano" and case.path == str(volcano)
    assert case.crs == "EPSG:32633" and "UTM zone 33N" in (case.crs_name or "")
    assert case.synthetic and case.terrain_source.startswith("SYNTHETIC TERRAIN")
    assert case.max_steps == 16000 and case.first_step == 0 and case.snapshot_every is None
    assert case.parameters == PARAMETERS
    assert [vent.id for vent in case.vents] == [1, 2]
    assert case.volume == pytest.approx(sum(case.vent_volumes), rel=1e-15)
    whole = 2 * 86400 * 2 * (1 + 1.6 + 1.4 + 1.2 + 0.5)
    assert case.emission == "integral" and case.warning is None
    assert case.volume_asked == pytest.approx(whole, rel=1e-15)
    assert case.volume == pytest.approx(whole, abs=2 * 100 * 2**-36, rel=1e-15)
    assert case.volumes(0, 720) == pytest.approx((2 * 86400, 2 * 86400), rel=1e-15)
    assert case.last_vent_step == 10 * 86400 // 120
    assert case.start_time is None and case.outline is None and case.stop_below is None
    assert not case.published
    west, south, east, north = case.bounds
    assert (east - west, north - south) == (1280, 1280)
    assert case.x[0] == west + 5 and case.x[-1] == east - 5
    assert case.y[0] == north - 5 and case.y[-1] == south + 5
    assert "128 x 128" in repr(case)


def test_arrays_of_a_case(case: sciara.Case) -> None:
    elevation = case.array("elevation")
    assert elevation is not None and elevation.dtype == np.float64
    assert 0 < np.ptp(elevation) < 10000
    assert not elevation.flags.writeable and np.shares_memory(elevation, case.array("elevation"))
    assert case.array("thickness") is None
    with pytest.raises(sciara.InputError, match="'lava' is no array"):
        case.array("lava")


def test_from_arrays_is_from_file(case: sciara.Case, volcano: pathlib.Path, run: Any) -> None:
    made = sciara.Case.from_arrays(case.array("elevation"), **inputs(case, volcano))
    assert made.bounds == case.bounds and made.crs == case.crs and made.vents == case.vents
    assert made.volume == case.volume and made.path is None and made.name == "case"
    assert run.ledger.mobile > 0 and run.ledger.solidified > 0
    assert digest(made) == run.digest


def test_emission_rule(case: sciara.Case, volcano: pathlib.Path) -> None:
    given = {**inputs(case, volcano), "emission": "published"}
    made = sciara.Case.from_arrays(case.array("elevation"), **given)
    assert made.emission == "published" and made.volume_asked == case.volume_asked
    # The first interval has a step less, because no step ends at 0 s (docs/formats/rates.md)
    assert made.volume == pytest.approx(case.volume - 2 * 120, rel=1e-12)
    assert digest(made) != digest(case)
    with pytest.raises(sciara.InputError, match="'sampled' is neither of integral, published"):
        sciara.Case.from_arrays(case.array("elevation"), **{**given, "emission": "sampled"})
    given["rates"] = [(1, 0, 3600, 1.7), (2, 0, 3600, 1.7)]
    much = sciara.Case.from_arrays(case.array("elevation"), **{**given, "emission": "integral"})
    assert "up to 2.04 m of lava in a step" in (much.notice or "") and much.warning is None


def test_resolution(case: sciara.Case, volcano: pathlib.Path) -> None:
    assert case.calibrated_cell == 10 and case.scaled_Pcool == case.parameters.Pcool
    assert case.proposed_Pclock is None
    ground = case.array("elevation")
    given = {**inputs(case, volcano), "cell": 20}
    plain = sciara.Case.from_arrays(ground, **given)
    assert plain.calibrated_cell is None and "0.25 times as fast" in (plain.warning or "")
    scaled = sciara.Case.from_arrays(ground, **given, calibrated_cell=10, calibrated_clock=60)
    assert scaled.calibrated_cell == 10 and scaled.warning is None
    assert scaled.parameters == PARAMETERS and scaled.scaled_Pcool == 4 * PARAMETERS.Pcool
    assert scaled.proposed_Pclock is None  # 120 s already
    assert digest(scaled) != digest(plain)
    own = sciara.Case.from_arrays(ground, **given, calibrated_cell=20)
    assert digest(own) == digest(plain)


def test_parameter_sets(case: sciara.Case, volcano: pathlib.Path) -> None:
    sets = {s.name: s for s in sciara.parameter_sets()}
    etna = sets["etna-2006"]
    assert etna.parameters == PARAMETERS and etna.calibrated_cell == 10
    assert (etna.in_sample.jaccard or 0) > 0.5 and etna.held_out.jaccard is None
    assert "Spataro" in etna.source and etna.not_for and etna.eruption
    assert sets["etna-2001-daily"] == sciara.parameter_set("etna-2001-daily")
    with pytest.raises(sciara.InputError, match="did you mean etna-2006"):
        sciara.parameter_set("etna2006")
    ground = case.array("elevation")
    given = {**inputs(case, volcano), "cell": 20}
    named = sciara.Case.from_arrays(ground, **{**given, "parameters": "etna-2006"})
    assert (named.calibrated_cell, named.proposed_Pclock, named.parameter_set) == (10, None, None)
    assert named.scaled_Pcool == 4 * PARAMETERS.Pcool and named.parameters.Pclock == 240
    given["parameters"] = dataclasses.replace(PARAMETERS, Pclock=240)
    assert digest(named) == digest(sciara.Case.from_arrays(ground, **given, calibrated_cell=10))
    path = volcano.with_name("named.cfg")
    keys = "dem terrain.tif\nvents vents.csv\nrates rates.csv\nmax_steps 60\n"
    path.write_text(keys + "parameters etna-2006\nPcool 3\n")
    read = sciara.Case(path)
    assert read.parameter_set == "etna-2006" and read.calibrated_cell == 10
    assert read.parameters == dataclasses.replace(PARAMETERS, Pcool=3)


def test_vents_by_coordinates(case: sciara.Case, volcano: pathlib.Path, run: Any) -> None:
    given = inputs(case, volcano)
    given["vents"] = [
        sciara.Vent(v.id, x=case.x[v.col] - case.cell / 2, y=case.y[v.row] + 4.9)
        for v in case.vents
    ]
    assert digest(sciara.Case.from_arrays(case.array("elevation"), **given)) == run.digest
    given["vents"] = np.array([(v.id, v.row, v.col) for v in case.vents])
    given["rates"] = np.array([(r.id, r.from_s, r.to_s, r.m3_s) for r in given["rates"]])
    assert digest(sciara.Case.from_arrays(case.array("elevation"), **given)) == run.digest


@pytest.mark.parametrize(
    "values, text",
    [
        (dict(), "vent 1 has no cell; give row and col, or x and y"),
        (dict(x=500100), "vent 1 has x; give"),
        (dict(row=5, y=4170100), "vent 1 has row and y; give"),
        (dict(row=5, col=5, x=500100, y=4170100), "row and col and x and y; give"),
        (dict(x=np.nan, y=4170100), "vent 1 has x nan; give a number in m"),
        (dict(x=500100, y=np.float32(np.inf)), "vent 1 has y "),
        (dict(x="500100", y=4170100), "vent 1 has x '500100'; give a number in m"),
    ],
)
def test_vents_without_a_place(values: dict[str, Any], text: str) -> None:
    with pytest.raises(sciara.InputError) as refused:
        sciara.Vent(1, **values)
    assert text in str(refused.value)


def strided(array: NDArray[Any]) -> NDArray[Any]:
    wide = np.zeros((array.shape[0] * 2, array.shape[1] * 3), array.dtype)
    wide[::2, ::3] = array
    return wide[::2, ::3]


@pytest.mark.parametrize(
    "shape",
    [
        np.asfortranarray,
        strided,
        lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
        lambda a: a.astype(a.dtype.newbyteorder()),
        lambda a: a.astype(np.longdouble),
        lambda a: a[np.newaxis],
        lambda a: np.ma.masked_array(a),
        lambda a: a.tolist(),
    ],
)
def test_layouts(case: sciara.Case, volcano: pathlib.Path, run: Any, shape: Any) -> None:
    elevation = shape(case.array("elevation"))
    assert digest(sciara.Case.from_arrays(elevation, **inputs(case, volcano))) == run.digest


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int16, np.uint32])
def test_types(case: sciara.Case, volcano: pathlib.Path, dtype: Any) -> None:
    elevation = case.array("elevation").astype(dtype)  # type: ignore[union-attr]
    made = sciara.Case.from_arrays(elevation, **inputs(case, volcano))
    assert np.array_equal(made.array("elevation"), elevation.astype(np.float64))  # type: ignore
    same = sciara.Case.from_arrays(elevation.astype(np.float64), **inputs(case, volcano))
    assert digest(made) == digest(same)


def test_holes(case: sciara.Case, volcano: pathlib.Path, run: Any) -> None:
    elevation = np.array(case.array("elevation"))
    hole = (slice(80, 90), slice(30, 40))
    masked = np.ma.masked_array(elevation, np.zeros(elevation.shape, bool))
    masked[hole] = np.ma.masked
    elevation[hole] = np.nan
    made = [sciara.Case.from_arrays(e, **inputs(case, volcano)) for e in (elevation, masked)]
    for m in made:
        assert np.isnan(m.array("elevation")[hole]).all()  # type: ignore[index]
        assert np.isnan(m.array("elevation")).sum() == 100  # type: ignore[arg-type]
    states = [m.run("reference") for m in made]
    assert states[0].digest == states[1].digest == run.digest  # no lava came near
    assert np.isnan(states[0].array("elevation")[hole]).all()
    assert (states[0].exact("elevation")[hole] == -(2**63)).all()
    assert np.isnan(states[0].layer("elevation")[hole]).all()


def test_arrays_are_copied(case: sciara.Case, volcano: pathlib.Path, run: Any) -> None:
    elevation = np.array(case.array("elevation"))
    made = sciara.Case.from_arrays(elevation, **inputs(case, volcano))
    elevation[:] = 0
    assert digest(made) == run.digest


def test_lava_at_the_beginning(case: sciara.Case) -> None:
    elevation = case.array("elevation")
    lava = np.full(case.shape, np.nan)
    lava[60:70, 60:70] = 3
    made = sciara.Case.from_arrays(elevation, cell=10, thickness=lava, max_steps=50)
    state = made.simulation("reference").snapshot()
    assert state.array("thickness").sum() == 300
    assert state.array("temperature").max() == PARAMETERS.PTvent
    cold = np.where(lava > 0, 1200.0, 0.0)
    zeros = np.ma.masked_invalid(lava)
    cooler = sciara.Case.from_arrays(
        elevation, cell=10, thickness=zeros, temperature=cold, solidified=lava / 3, max_steps=50
    )
    state = cooler.simulation("reference").snapshot()
    assert state.array("thickness").sum() == 300 and state.array("solidified").sum() == 100
    assert state.array("temperature").max() == 1200
    assert digest(made) != digest(cooler)
    with pytest.raises(sciara.InputError, match="thickness: 10 x 10 cells, the elevation has"):
        sciara.Case.from_arrays(elevation, cell=10, thickness=np.ones((10, 10)))


class Crs:
    def to_epsg(self) -> int:
        return 32633


@pytest.mark.parametrize("crs", ["EPSG:32633", "epsg:32633", 32633, np.int64(32633), Crs()])
def test_crs(case: sciara.Case, crs: Any) -> None:
    thickness = np.ones(case.shape)
    known = dict(cell=10, west=500000, south=4170000, thickness=thickness, max_steps=1)
    made = sciara.Case.from_arrays(case.array("elevation"), crs=crs, **known)  # type: ignore
    assert made.crs == "EPSG:32633"
    assert sciara.Case.from_arrays(case.array("elevation"), **known).crs is None  # type: ignore


@pytest.mark.parametrize(
    "change, text",
    [
        (dict(elevation=np.zeros(9)), "elevation: 1 dimensions; give an array of rows and columns"),
        (dict(elevation=np.zeros((2, 9, 9))), "elevation: 3 dimensions"),
        (dict(elevation=np.zeros((9, 9), complex)), "elevation: elements of type complex128"),
        (dict(elevation=np.full((9, 9), "a")), "elevation: elements of type <U1; give numbers"),
        (dict(cell=None), "elevation: its cells have no size; give cell"),
        (dict(cell=-1), ""),
        (dict(vents=[(1, 500, 5)]), "vents: vent 1 at row 500, column 5 is outside the terrain"),
        (dict(vents=[dict(id=1, row=5, col=5)]), "vents: {'id': 1, 'row': 5, 'col': 5} is no vent; give"),
        (dict(vents=sciara.Vent(1, 5, 5)), "vents: Vent(id=1, row=5, col=5, x=None, y=None) is no list"),
        (dict(vents="vents.csv"), "vents: is a path, 'vents.csv'; give a list"),
        (dict(vents=["vents.csv"]), "vents: 'vents.csv' is no vent; give a list of sciara.Vent(id, row, col)"),
        (dict(vents=[(1, 5.5, 5)]), "vents: 5.5 is no whole number"),
        (dict(rates=[dict(id=1, from_s=0, to_s=5, m3_s=2)]), "of sciara.Rate(id, from_s, to_s, m3_s)"),
        (dict(rates=[(1, 0, 5)]), "rates: (1, 0, 5) is no rate; give"),
        (dict(elevation="dem.tif"), "elevation: is a path, 'dem.tif'; give an array, as rasterio"),
        (dict(elevation=pathlib.Path("dem.tif")), "elevation: is a path, 'dem.tif'"),
        (dict(thickness="lava.tif"), "thickness: is a path, 'lava.tif'"),
        (dict(parameters="etna"), "did you mean etna-2006?"),
        (dict(vents=[(1, 5, 5)], rates=[(1, 3, 2, 1)]), ""),
        (dict(vents=[(1, 5, 5)], rates=[(1, 0, 2400, -1)]), ""),
        (dict(elevation=np.full((30, 30), 20000.0)), ""),
        (dict(elevation=np.full((30, 30), np.inf)), ""),
        (dict(thickness=-np.ones((128, 128))), ""),
        (dict(thickness=np.full((128, 128), np.inf)), ""),
        (dict(parameters=sciara.Parameters(Pclock=-1)), "Pclock"),
        (dict(parameters=sciara.Parameters(PTsol=np.nan)), "PTsol"),
        (dict(vents=[(2**32 + 1, 5, 5)]), "vents: 4294967297 has more than 32 bits"),
        (dict(max_steps=2**64 + 10), "max_steps: 18446744073709551626 has more than 64 bits"),
        (dict(crs=2**32 + 32633), "crs: 4294999929 has more than 32 bits"),
        (dict(title="a\0b"), "title: 'a\\x00b' has a zero byte in it"),
        (dict(elevation=np.zeros((0, 5))), ""),
        (dict(crs="WGS 84"), "crs: 'WGS 84' names no EPSG code; give one, as in 'EPSG:32633'"),
        (dict(crs="EPSG:4326"), "4326"),
        (dict(name="a/b"), "a/b"),
        (dict(start_time="yesterday"), "start_time: give a date and time in UTC"),
    ],
)
def test_refused(case: sciara.Case, change: dict[str, Any], text: str) -> None:
    given: dict[str, Any] = dict(elevation=case.array("elevation"), cell=10, max_steps=10)
    given.update(vents=[(1, 63, 50)], rates=[(1, 0, 86400, 2)])
    sciara.Case.from_arrays(**given)
    given.update(change)
    with pytest.raises(sciara.InputError) as refused:
        sciara.Case.from_arrays(**given)
    assert text in str(refused.value) and "\n" not in str(refused.value)
    assert len(str(refused.value)) > 10


def test_a_run_without_an_end() -> None:
    case = sciara.Case.from_arrays(np.zeros((9, 9)), cell=10, thickness=np.ones((9, 9)))
    assert case.simulation("reference").advance(20) == 20
    with pytest.raises(sciara.InputError, match="neither a maximum of steps nor a stopping rule"):
        case.run("reference")


def broken(volcano: pathlib.Path, folder: pathlib.Path, old: str, new: str) -> pathlib.Path:
    """The case with one thing changed"""
    text = volcano.read_text()
    assert old in text
    for name in ("terrain.tif", "vents.csv", "rates.csv", "roads.geojson"):
        text = text.replace(f" {name}", f" {volcano.parent / name}")
    (folder / "broken.cfg").write_text(text.replace(old, new))
    return folder / "broken.cfg"


@pytest.mark.parametrize(
    "old, new",
    [("Pclock 120", "Pclock -5"), ("Pcv 1150", ""), ("dem ", "dam "), ("Prho", "Prho # 1\nPrhu")],
)
def test_the_same_text_as_the_program(
    volcano: pathlib.Path, tmp_path: pathlib.Path, old: str, new: str
) -> None:
    path = broken(volcano, tmp_path, old, new)
    said = program("run", path, "--no-output", status=2)
    with pytest.raises(sciara.InputError) as refused:
        sciara.Case(path)
    assert said == f"sciara: {refused.value}\n"
    assert isinstance(refused.value, ValueError) and isinstance(refused.value, sciara.Error)


def test_a_file_that_is_not_there(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "nothing.cfg"
    said = program("run", path, status=2)
    with pytest.raises(sciara.InputError) as refused:
        sciara.Case(str(path))
    assert said == f"sciara: {refused.value}\n"


def plan_of(volcano: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """The volcano with members that differ in their rates and cooling"""
    plan = folder / "plan.cfg"
    lines = volcano.read_text().splitlines()
    kept = [line for line in lines if not line.startswith("max_steps")]
    text = "\n".join(kept)
    for name in ("terrain.tif", "vents.csv", "rates.csv", "roads.geojson"):
        text = text.replace(name, str(volcano.parent / name))
    plan.write_text(
        text + "\nmax_steps 200\nmembers 5\nseed 3\nvary_rate_factor lognormal 1 1.3\n"
        "vary_Pcool uniform 2 4\n"
    )
    return plan


def test_member_of_a_plan(volcano: pathlib.Path, tmp_path: pathlib.Path) -> None:
    plan = plan_of(volcano, tmp_path)
    options = "--layers", "members", "--variant", "reference", "--quiet"
    program("ensemble", plan, "--output", tmp_path / "out", *options)
    rows = list(csv.DictReader((tmp_path / "out" / "members.csv").open()))
    assert len({row["digest"] for row in rows}) == 5
    for row in rows:
        case = sciara.Case(plan, member=int(row["member"]))
        assert case.parameters.Pcool == pytest.approx(float(row["Pcool"]), abs=0)
        result = case.run("reference")
        assert result.digest == row["digest"]
        assert (result.thickness.values > 0).any()


def test_members_that_there_are_not(volcano: pathlib.Path, tmp_path: pathlib.Path) -> None:
    plan = plan_of(volcano, tmp_path)
    for member, words in ((5, "numbered from 0 to 4"), (-1, "no member -1")):
        with pytest.raises(sciara.InputError, match=words):
            sciara.Case(plan, member=member)
    with pytest.raises(sciara.InputError, match="makes this a plan"):
        sciara.Case(plan)
    with pytest.raises(sciara.InputError, match="number of members is missing"):
        sciara.Case(volcano, member=0)
    with pytest.raises(sciara.InputError, match="computed exactly"):
        sciara.Case(plan, member=0, arithmetic="published")
    with pytest.raises((sciara.InputError, TypeError)):
        sciara.Case(plan, member="one")  # type: ignore[arg-type]
