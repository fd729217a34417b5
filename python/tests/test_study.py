"""Studies: the results of the program, as arrays and tables."""

from __future__ import annotations

import gc
import json
import pathlib
from typing import Any

import numpy as np
import pytest
from conftest import program

import sciara


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("plans")
    program("terrain", folder, "--size", 40, "--quiet")
    volcano = folder / "volcano.cfg"
    lines = [line for line in volcano.read_text().splitlines() if not line.startswith("max_steps")]
    base = "\n".join([*lines, "max_steps 60", ""])
    volcano.write_text(base)
    program("run", volcano, "--variant", "reference", "--output", folder / "truth", "--quiet")
    (folder / "walls.csv").write_text(
        "barrier,x,y,height_m\n1,500150,4170150,5\n1,500250,4170250,\n"
    )
    observed = "outline truth/total_thickness_m_000060.tif\nfit_Pcool 1 10 log\n"
    uncertain = "members 12\nvary_Pcool uniform 2 4\nseed 3\n"
    (folder / "ensemble.cfg").write_text(base + uncertain)
    (folder / "long.cfg").write_text(base + uncertain.replace("12", "800"))
    (folder / "pairs.cfg").write_text(base + uncertain + "barriers walls.csv\n")
    (folder / "fit.cfg").write_text(base + observed + "evaluations 21\nposterior_members 10\n")
    return folder


def summary_of(folder: pathlib.Path) -> Any:
    return json.loads((folder / "summary.json").read_text())


def test_ensemble(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    options = "--output", tmp_path / "p", "--layers", "members", "--quiet"
    program("ensemble", plans / "ensemble.cfg", *options)
    study = sciara.Plan(plans / "ensemble.cfg").ensemble(devices=())
    assert study.digest == summary_of(tmp_path / "p")["digest"] and study.folder is None
    assert study.text("members.csv") == (tmp_path / "p" / "members.csv").read_text()
    assert study.summary["members"]["done"] == 12
    probability = study.array("probability")
    assert probability.shape == study.grid.shape and np.nanmax(probability) == 1
    assert np.array_equal(np.asarray(study.probability), probability, equal_nan=True)
    members = study.members
    assert list(members["member"]) == list(range(12)) and np.isfinite(members["area_m2"]).all()
    assert 2 <= min(members["Pcool"]) <= max(members["Pcool"]) <= 4
    names = [product.name for product in study.products]
    assert "probability.tif" in names and names[-1] == "summary.json"
    with pytest.raises(AttributeError, match="nothing"):
        _ = study.nothing
    with pytest.raises(KeyError, match="no such layer"):
        _ = study["nothing"]


def test_probability_knows_its_place(plans: pathlib.Path) -> None:
    xarray = pytest.importorskip("xarray")
    layer = sciara.Plan(plans / "ensemble.cfg").ensemble(devices=()).probability
    assert isinstance(layer, xarray.DataArray) and layer.attrs["long_name"]
    assert layer.dims == ("y", "x") and float(layer.x[1] - layer.x[0]) == 10
    if "spatial_ref" in layer.coords:
        assert layer.rio.crs.to_epsg() == 32633


def test_library(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    study = sciara.Plan(plans / "ensemble.cfg").ensemble(keep=True, devices=())
    library, seen = study.library, []
    whole, path = study.digest, library.path
    del study
    answer = library.ask(progress=lambda now: bool(seen.append(now.stage)))
    assert answer.digest == whole and seen and set(seen) == {"cells"}
    members = library.members
    assert list(members["member"]) == list(range(12)) and np.isfinite(members["area_m2"]).all()
    assert list(members["digest"]) == list(answer.members["digest"])
    limit = float(np.median(members["Pcool"]))
    program("ask", path, "--where", f"Pcool > {limit!r}", "--output", tmp_path / "p", "--quiet")
    few = library.ask(where=f"Pcool > {limit!r}")
    assert few.digest == summary_of(tmp_path / "p")["digest"] != whole
    assert len(few.members["member"]) == 6 and np.nanmax(few.array("probability")) == 1
    less = library.ask(where=f"Pcool <= {limit!r}", compare=tmp_path / "p", members=True)
    assert less.named_members["name"][0] == "representative"
    assert 0 < np.nanmax(np.abs(less.array("probability_difference"))) <= 1
    observed = plans / "truth" / "total_thickness_m_000060.tif"
    near = library.ask(given=observed, at_s=7200, where="overlap() > 0 and apart_m() >= 0")
    assert near.digest == whole
    with pytest.raises(sciara.InputError, match="exposed people: is not a raster"):
        library.ask(exposed="people")
    (tmp_path / "vents.csv").write_text("vent,x,y,weight\n1,500150,4170150,1\n")
    with pytest.raises(sciara.InputError, match="do not choose among vents"):
        library.ask(vents=tmp_path / "vents.csv")
    with pytest.raises(sciara.InputError, match="no such column: rate"):
        library.ask(where="rate > 1")
    with pytest.raises(sciara.Cancelled):
        library.ask(progress=lambda now: True)
    with pytest.raises(AttributeError, match="library"):
        _ = answer.library
    with pytest.raises(sciara.InputError, match="not a library of sciara"):
        sciara.Library(plans / "ensemble.cfg").ask()
    del library, answer, few, less, near
    gc.collect()
    assert not path.exists()  # it was in a temporary folder


def test_pairs(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    study = sciara.Plan(plans / "pairs.cfg").pairs(devices=(), threads=2)
    pairs = ("--with-and-without", "barriers", "--output", tmp_path / "p", "--quiet")
    program("ensemble", plans / "pairs.cfg", *pairs)
    assert study.digest == summary_of(tmp_path / "p")["digest"]
    assert len(study.table("pairs")["member"]) == 12 and len(study.digest) == 16
    assert np.nanmax(np.abs(study.array("probability_difference"))) <= 1


def test_calibration(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    plan = sciara.Plan(plans / "fit.cfg")
    program("calibrate", plan.path, "--output", tmp_path / "p", "--layers", "all", "--quiet")
    study = plan.calibrate(devices=())
    assert study.text("evaluations.csv") == (tmp_path / "p" / "evaluations.csv").read_text()
    best = study.best
    assert isinstance(best, sciara.Case)
    assert best.parameters.Pcool == pytest.approx(summary_of(tmp_path / "p")["fitted"][0]["best"])
    assert best.run("reference").extent.cells > 0


def test_sensitivity(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    study = sciara.Plan(plans / "fit.cfg").sensitivity(
        method="both", trajectories=3, samples=4, devices=()
    )
    assert {"morris", "sobol"} <= set(study.summary) and len(study.table("morris_points"))
    wanted = ("--method", "both", "--trajectories", 3, "--samples", 4)
    program("sensitivity", plans / "fit.cfg", *wanted, "--output", tmp_path / "p", "--quiet")
    assert study.digest == summary_of(tmp_path / "p")["digest"]
    with pytest.raises(ValueError, match="choose morris"):
        sciara.Plan(plans / "fit.cfg").sensitivity(method="other")


def test_null(plans: pathlib.Path) -> None:
    study = sciara.Plan(plans / "fit.cfg").null(devices=())
    assert study.summary["null"]["fitted"] and len(study.table("members")["member"]) == 1000  # its paths
    assert 0.5 < np.nanmax(study.array("probability")) <= 1
    with pytest.raises(sciara.InputError):
        study.array("arrival_first_h")


def test_folder_and_cancelling(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    plan, folder, seen = sciara.Plan(plans / "long.cfg"), tmp_path / "study", []
    whole = plan.ensemble(devices=()).digest

    def stop(now: sciara.StudyProgress) -> bool:
        seen.append(str(now))
        return True

    with pytest.raises(sciara.Cancelled):
        plan.ensemble(devices=(), folder=folder, progress=stop)
    assert len(seen) == 1 and seen[0].startswith("members: ")
    assert plan.ensemble(devices=(), folder=folder, resume=True).digest == whole
    assert summary_of(folder)["digest"] == whole
    with pytest.raises(ZeroDivisionError):
        plan.ensemble(devices=(), progress=lambda now: bool(1 // 0))
    with pytest.raises(sciara.InputError, match="no barriers"):
        sciara.Plan(plans / "ensemble.cfg").pairs()


def test_products_of_a_nowcast(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Each is listed once, also a table of several places, and can be read"""
    places = [
        {
            "type": "Feature",
            "properties": {"name": f"Hut {i}"},
            "geometry": {"type": "Point", "coordinates": [500105, 4170205 + 10 * i]},
        }
        for i in range(3)
    ]
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32633"}}
    huts = {"type": "FeatureCollection", "crs": crs, "features": places}
    (plans / "huts.geojson").write_text(json.dumps(huts))
    text = (plans / "ensemble.cfg").read_text() + "assets huts.geojson\n"
    (plans / "now.cfg").write_text(text)
    sciara.Plan(plans / "now.cfg").ensemble(devices=(), keep=True, folder=tmp_path / "kept")
    (plans / "now.cfg").write_text(
        text + "observed_front truth/total_thickness_m_000060.tif at 2h error_m 30\n"
    )
    now = sciara.Plan(plans / "now.cfg").nowcast(tmp_path / "kept" / "library.gpkg", devices=())
    names = [product.name for product in now.products]
    assert "nowcast_places.csv" in names and len(names) == len(set(names))
    for product in now.products:
        read = now.array if product.layer else now.text
        assert len(read(product.name.removesuffix(".tif"))) > 0, product
