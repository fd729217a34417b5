"""The examples of python/README.md, in their order, give the results of the program."""

from __future__ import annotations

import ast
import csv
import json
import pathlib
from typing import Any

import numpy as np
import pytest
from conftest import SOURCE, program

import sciara

CLASSES = "class,weight,volume_m3,duration_h\nsmall,1,15000,10\nlarge,1,45000,10\n"
UNCERTAIN = """vent_list two.csv
classes classes.csv
repeats 3
run_h 10
vary_Pcool uniform 2 4
"""
FITTED = """max_steps 60
outline truth/total_thickness_m_000060.tif
fit_Pcool 1 10 log
evaluations 21
posterior_members 10
samples 4
"""


def feature_collection(kind: str, corners: Any) -> str:
    feature = {"type": "Feature", "properties": {"name": "Road"}}
    feature["geometry"] = {"type": kind, "coordinates": corners}
    return json.dumps({"type": "FeatureCollection", "features": [feature]})


def without(text: str, *names: str) -> str:
    """A case without these keys"""
    return "".join(f"{line}\n" for line in text.splitlines() if line.split()[0] not in names)


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The files that the examples name"""
    monkeypatch.chdir(tmp_path)
    program("terrain", ".", "--size", 90, "--quiet")
    plain = without(pathlib.Path("volcano.cfg").read_text(), "max_steps")
    south = 4170000 + 10 * (90 - 1 - 63) + 5  # of row 63
    files = {
        "volcano.cfg": plain + "max_steps 60\n",
        "arrays.cfg": without(plain, "vents", "rates", "Pclock", "calibrated_cell_m")
        + "Pclock 60\nrun_h 60\nvents made.csv\nrates made_rates.csv\n",
        "made.csv": f"vent,x,y\n1,500505,{south}\n2,500700,4170800\n",
        "made_rates.csv": "vent,from_h,to_h,rate_m3_s\n1,0,24,2.5\n2,6,30,3\n",
        "two.csv": "vent,x,y\n1,500350,4170350\n2,500450,4170450\n",
        "density.csv": "vent,x,y,weight\n1,500350,4170350,3\n",
        "classes.csv": CLASSES,
        "plan.cfg": without(plain, "vents", "rates") + UNCERTAIN,
        "now.cfg": without(plain, "vents", "rates")
        + UNCERTAIN
        + "observed_front front.geojson at 1h error_m 10\n",
        "fit.cfg": plain + FITTED,
        "roads.geojson": feature_collection("LineString", [[500300, 4170350], [500400, 4170350]]),
        "front.geojson": feature_collection(
            "Polygon",
            [[[500300, 4170300], [500400, 4170300], [500400, 4170400], [500300, 4170300]]],
        ),
    }
    for name, text in files.items():
        pathlib.Path(name).write_text(text)
    return tmp_path


def execute(block: str, values: dict[str, Any]) -> Any:
    """The value of its last line; without pictures, as matplotlib may be missing, and on paper with few pixels"""
    lines = [line for line in block.removeprefix("python\n").splitlines() if ".plot()" not in line]
    text = "\n".join(lines).replace('"cfamo"', '"reference"')
    tree = ast.parse(text.replace("map_size=(11.7, 8.3)", "map_size=(11.7, 8.3), map_dpi=40"))
    last = tree.body[-1]
    value = ast.Expression(tree.body.pop().value) if isinstance(last, ast.Expr) else None
    exec(compile(tree, "README.md", "exec"), values)
    return value and eval(compile(value, "README.md", "eval"), values)


def by_program(*arguments: object) -> pathlib.Path:
    """The folder that a command has written"""
    folder = pathlib.Path("by_program") / str(len(list(pathlib.Path().glob("by_program/*"))))
    program(*arguments, "--output", folder, "--quiet")
    return folder


def digest(folder: pathlib.Path) -> str:
    return str(json.loads((folder / "summary.json").read_text())["digest"])


def test_readme(folder: pathlib.Path) -> None:
    text = (SOURCE / "python" / "README.md").read_text(encoding="utf-8")
    run, made, steps, studies, asked, seen, finished, shown = [
        block for block in text.split("```") if block.startswith("python\n")
    ]
    values: dict[str, Any] = {}

    execute(run, values)
    once = by_program("run", "volcano.cfg", "--variant", "reference", "--format", "geotiff")
    assert values["run"].digest == digest(once) and np.nanmax(values["lava"]) > 0
    once.rename("truth")

    values["elevation"] = sciara.Case("volcano.cfg").array("elevation")
    execute(made, values)
    execute(steps, values)
    arrays = by_program("run", "arrays.cfg", "--variant", "reference", "--format", "geotiff")
    assert values["state"].digest == digest(arrays) and values["state"].step == 3600

    table = execute(studies, values)
    forecast, best, later = values["forecast"], values["best"], values["later"]
    assert forecast.digest == digest(by_program("ensemble", "plan.cfg"))
    assert list(forecast.members["member"]) == list(range(12))
    assert 1 < best.parameters.Pcool < 10
    posterior = by_program("calibrate", "fit.cfg", "--posterior")
    assert later.ensemble().digest == digest(by_program("ensemble", posterior / "forecast.cfg"))
    with open(by_program("sensitivity", "fit.cfg", "--method", "sobol") / "sobol.csv") as file:
        rows = list(csv.DictReader(file))
    for name in rows[0]:
        texts = np.array([row[name] for row in rows])
        numbers = np.asarray(table[name]).dtype.kind in "fi"
        wanted = np.where(texts == "", "nan", texts).astype(float) if numbers else texts
        assert np.array_equal(np.asarray(table[name]), wanted, equal_nan=bool(numbers))

    roads = execute(asked, values)
    library, large = values["library"], values["large"]
    assert values["forecast"].digest == forecast.digest == library.ask().digest
    assert large.digest == digest(by_program("ask", library.path, "--where", "area_m2 > 2e4"))
    assert large.digest != forecast.digest and list(roads["name"]) == ["Road"]

    weights, now = execute(seen, values), values["now"]
    assert now.digest == digest(by_program("nowcast", "now.cfg", "--library", library.path))
    assert now.digest != forecast.digest and len(set(weights["now"])) > 1
    assert len(weights["now"]) == 12 and np.nanmax(np.abs(now.array("change_in_all"))) > 0
    with pytest.raises(sciara.InputError, match="has no observation by then"):
        sciara.Plan("now.cfg").nowcast(library, now_s=60)

    volume_m3, found = execute(finished, values), values["found"]
    printed = json.loads(program("fit", "output/plan", "front.geojson", "--json"))
    assert found.summary == printed and 0 < found.scores.brier.value < 1
    assert volume_m3 == json.loads(program("info", "volcano.cfg", "--json"))["volume_m3"] > 0

    pictures = {path.stem for path in pathlib.Path("output/plan").glob("*.png")}
    painted = execute(shown, values)
    assert pictures and pictures < {path.stem for path in painted}
    assert all(path.read_bytes().startswith(b"%PDF") for path in painted)
