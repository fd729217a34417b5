"""Studies: what the program computes, as arrays and tables."""

from __future__ import annotations

import gc
import json
import pathlib
from typing import Any

import numpy as np
import pytest
from conftest import SOURCE, program

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
    (folder / "long.cfg").write_text(base + uncertain.replace("12", "6000"))
    (folder / "pairs.cfg").write_text(base + uncertain + "barriers walls.csv\n")
    (folder / "fit.cfg").write_text(base + observed + "evaluations 21\nposterior_members 10\n")
    return folder


def summary_of(folder: pathlib.Path) -> Any:
    return json.loads((folder / "summary.json").read_text())


def test_ensemble(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    program("ensemble", plans / "ensemble.cfg", "--output", tmp_path / "p", "--quiet")
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


def test_readme(
    plans: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines about libraries, against the program"""
    text = (SOURCE / "python" / "README.md").read_text(encoding="utf-8")
    block = next(part for part in text.split("```") if "keep=True" in part)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vents.csv").write_text("vent,x,y\n1,500150,4170150\n2,500250,4170250\n")
    pathlib.Path("density.csv").write_text("vent,x,y,weight\n1,500150,4170150,3\n")
    road = {"type": "LineString", "coordinates": [[500100, 4170150], [500200, 4170150]]}
    feature = {"type": "Feature", "properties": {"name": "Road"}, "geometry": road}
    roads = {"type": "FeatureCollection", "features": [feature]}
    pathlib.Path("roads.geojson").write_text(json.dumps(roads))
    lines = (plans / "volcano.cfg").read_text().replace("dem ", f"dem {plans}/").splitlines()
    lines = [line for line in lines if line.split()[:1] not in (["vents"], ["rates"], ["max_steps"])]
    (tmp_path / "classes.csv").write_text("class,weight,volume_m3,duration_h\nshort,1,20000,4\n")
    more = "vent_list vents.csv\nclasses classes.csv\nrepeats 6\nrun_h 4\nvary_Pcool uniform 2 4\n"
    (tmp_path / "plan.cfg").write_text("\n".join([*lines, more]))
    values = {"plan": sciara.Plan(tmp_path / "plan.cfg"), "sciara": sciara}
    block = block.removeprefix("python").replace(".plot()", "")  # matplotlib may be missing
    exec(block.replace("\nlibrary.ask", "\nroads = library.ask"), values)
    library, large = values["library"], values["large"]
    assert values["forecast"].digest == library.ask().digest
    program("ask", library.path, "--where", "area_m2 > 2e4", "--output", "large", "--quiet")
    assert summary_of(tmp_path / "large")["digest"] == large.digest != library.ask().digest
    assert list(values["roads"]["name"]) == ["Road"]
    block = next(part for part in text.split("```") if ".nowcast(" in part)
    corners = [[500100, 4170100], [500200, 4170100], [500200, 4170200], [500100, 4170100]]
    feature["geometry"] = {"type": "Polygon", "coordinates": [corners]}
    pathlib.Path("front.geojson").write_text(json.dumps(roads))
    seen = "observed_front front.geojson at 1h error_m 10\n"
    pathlib.Path("now.cfg").write_text((tmp_path / "plan.cfg").read_text() + seen)
    exec(block.removeprefix("python").replace(".plot()", ""), values)
    now = values["now"]
    assert now.digest != library.ask().digest and len(now.weights["now"]) == 12
    assert len(set(now.weights["now"])) > 1 and np.nanmax(np.abs(now.array("change_in_all"))) > 0
    program("nowcast", "now.cfg", "--library", library.path, "--output", "now", "--quiet")
    assert summary_of(tmp_path / "now")["digest"] == now.digest
    with pytest.raises(sciara.InputError, match="nothing was seen by then"):
        sciara.Plan("now.cfg").nowcast(library, now_s=60)


def test_pairs(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    study = sciara.Plan(plans / "pairs.cfg").pairs(devices=(), threads=2)
    pairs = ("--with-and-without", "barriers", "--output", tmp_path / "p", "--quiet")
    program("ensemble", plans / "pairs.cfg", *pairs)
    assert study.digest == summary_of(tmp_path / "p")["digest"]
    assert len(study.table("pairs")["member"]) == 12 and len(study.digest) == 16
    assert np.nanmax(np.abs(study.array("probability_difference"))) <= 1


def test_calibration(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    plan = sciara.Plan(plans / "fit.cfg")
    program("calibrate", plan.path, "--output", tmp_path / "p", "--quiet")
    study = plan.calibrate(devices=())
    assert study.text("evaluations.csv") == (tmp_path / "p" / "evaluations.csv").read_text()
    best = study.best
    assert isinstance(best, sciara.Case)
    assert best.parameters.Pcool == pytest.approx(summary_of(tmp_path / "p")["fitted"][0]["best"])
    assert best.run("reference").extent.cells > 0
    posterior = plan.posterior(devices=())
    program("calibrate", plan.path, "--posterior", "--output", tmp_path / "q", "--quiet")
    assert posterior.text("members.csv") == (tmp_path / "q" / "members.csv").read_text()
    forecast = posterior.forecast.ensemble(devices=())
    assert len(forecast.members["member"]) == len(posterior.members["weight"]) >= 10


def test_sensitivity(plans: pathlib.Path, tmp_path: pathlib.Path) -> None:
    study = sciara.Plan(plans / "fit.cfg").sensitivity(method="morris", trajectories=3, devices=())
    assert "morris" in study.summary and len(study.table("morris_points"))
    wanted = ("--method", "morris", "--trajectories", 3, "--output", tmp_path / "p", "--quiet")
    program("sensitivity", plans / "fit.cfg", *wanted)
    assert study.digest == summary_of(tmp_path / "p")["digest"]
    with pytest.raises(ValueError, match="choose morris"):
        sciara.Plan(plans / "fit.cfg").sensitivity(method="other")


def test_null(plans: pathlib.Path) -> None:
    study = sciara.Plan(plans / "fit.cfg").null(devices=())
    assert study.summary["null"]["fitted"] and len(study.table("members")["member"]) == 200
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
