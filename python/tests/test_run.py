"""A run from Python equals a run of the program: digest, summary, layers, files, refusals."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from conftest import SOURCE, STEPS, program
from numpy.typing import NDArray

import sciara

LAYERS = {
    "thickness": ("thickness_m", 1),
    "temperature": ("temperature_K", 1),
    "solidified": ("solidified_m", 1),
    "total_thickness": ("total_thickness_m", 1),
    "elevation": ("elevation_after_m", 1),
    "arrival": ("arrival_h", 3600),
    "max_thickness": ("max_thickness_m", 1),
    "max_temperature": ("max_temperature_K", 1),
}


@pytest.fixture(scope="module")
def written(
    run: sciara.Run, by_program: pathlib.Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, NDArray[np.float32]]:
    """The layers as GDAL reads them, all at once, NaN where they have no data"""
    folder = tmp_path_factory.mktemp("layers")
    files = [str(by_program / f"{file}_{STEPS:06d}.tif") for file, _ in LAYERS.values()]
    together, raw = str(folder / "layers.vrt"), str(folder / "layers.raw")
    subprocess.run(["gdalbuildvrt", "-q", "-separate", together, *files], check=True)
    subprocess.run(["gdal_translate", "-q", "-of", "ENVI", together, raw], check=True)
    values = np.fromfile(raw, "<f4").reshape(len(files), *run.case.shape)
    values = np.where(values == -9999, np.float32(np.nan), values)
    return dict(zip(LAYERS, values))


def test_digest_and_summary(run: sciara.Run, by_program: pathlib.Path) -> None:
    summary = json.loads((by_program / "summary.json").read_text())
    assert run.step == STEPS and run.ledger.mobile > 0 and run.ledger.solidified > 0
    assert run.digest == summary["digest"] == run.summary["digest"]
    for key in ("software", "version", "grid", "parameters", "vents", "ledger", "lava", "case"):
        assert run.summary[key] == summary[key], key
    assert run.folder is None and run.summary["timing"]["load_s"] > 0


@pytest.mark.skipif(not shutil.which("gdal_translate"), reason="gdal_translate is not installed")
@pytest.mark.parametrize("name", LAYERS)
def test_layers(run: sciara.Run, written: dict[str, NDArray[np.float32]], name: str) -> None:
    layer = run.layer(name)
    data = np.isfinite(written[name])
    assert layer.dtype == np.float32 and data.sum() > 20
    if name == "arrival":  # s here, h in the layer, each rounded once
        layer = (run.array(name) / LAYERS[name][1]).astype(np.float32)
    assert np.array_equal(np.isfinite(layer), data)
    assert np.array_equal(layer[data].view(np.uint32), written[name][data].view(np.uint32))


def same_files(a: pathlib.Path, b: pathlib.Path, but: tuple[str, ...] = ()) -> None:
    names = sorted(f.name for f in a.iterdir())
    others = sorted(f.name for f in b.iterdir() if f.stem not in but)
    assert names == others and len(names) > 8
    for name in names:
        if name != "summary.json":
            assert (a / name).read_bytes() == (b / name).read_bytes(), name


def test_files(case: sciara.Case, by_program: pathlib.Path, tmp_path: pathlib.Path) -> None:
    run = case.run("reference", max_steps=STEPS, folder=tmp_path / "out", layers="all")
    assert run.folder == tmp_path / "out"
    same_files(run.folder, by_program)
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary == run.summary


@pytest.mark.parametrize("every", [STEPS // 2 - 50, "1400min"])
def test_files_along_the_way(
    case: sciara.Case, volcano: pathlib.Path, tmp_path: pathlib.Path, every: int | str
) -> None:
    options = ["--every", STEPS // 2 - 50, "--layers", "solidified_m,temperature_K"]
    options += ["--format", "geotiff", "--quiet"]
    options += ["--variant", "reference", "--output", tmp_path / "program"]
    program("run", volcano, STEPS, *options)
    folder = tmp_path / "python"
    layers = "temperature_K", "solidified_m"
    case.run(
        "reference", max_steps=STEPS, folder=folder, formats="geotiff", layers=layers, every=every
    )
    assert (folder / "temperature_K_001400.tif").exists()
    assert not (folder / "thickness_m_001400.tif").exists()
    same_files(folder, tmp_path / "program")


def test_extent(tmp_path: pathlib.Path) -> None:
    program("terrain", tmp_path / "made", "--size", 320, "--quiet")
    case = sciara.Case(tmp_path / "made" / "volcano.cfg")
    runs = {
        name: case.run(
            "reference", max_steps=200, folder=tmp_path / name, formats="geotiff", extent=name
        )
        for name in ("flow", "full")
    }
    assert runs["flow"].digest == runs["full"].digest
    assert runs["flow"].summary["extent"]["rows"] < case.rows
    assert "extent" not in runs["full"].summary
    with pytest.raises(sciara.InputError, match="give 'flow' or 'full'"):
        case.run("reference", folder=tmp_path / "none", extent="lava")
    assert not (tmp_path / "none").exists()


def test_report(case: sciara.Case, volcano: pathlib.Path, tmp_path: pathlib.Path) -> None:
    made = case.run("reference", max_steps=STEPS, folder=tmp_path / "run", formats=["html"])
    assert made.folder and (made.folder / f"total_thickness_m_{STEPS:06d}.tif").exists()
    options = ["--format", "html", "--quiet", "--variant", "reference"]
    program("run", volcano, STEPS, *options, "--output", tmp_path / "by")
    page, by_program = ((tmp_path / f / "report.html").read_text() for f in ("run", "by"))
    assert made.digest in page and made.digest in by_program and len(page) > 20000
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "report.html").write_text("mine")
    with pytest.raises(sciara.InputError, match="report.html"):
        case.run("reference", max_steps=STEPS, folder=tmp_path / "own", formats=["html"])
    assert [f.name for f in (tmp_path / "own").iterdir()] == ["report.html"]


def test_write(run: sciara.Run, by_program: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with run.case.simulation("reference", max_steps=STEPS) as simulation:
        simulation.advance(STEPS)
        state = simulation.snapshot()
    assert state.write(tmp_path / "new", ["geotiff", "png"]) == tmp_path / "new"
    (tmp_path / "new" / "summary.json").touch()
    # only a run has a timeline, a record and a list of pictures
    same_files(tmp_path / "new", by_program, but=("timeline", "record", "shown"))
    with pytest.raises(sciara.InputError, match="formats: 'jpeg' is not a format; choose geotiff"):
        state.write(tmp_path, "jpeg")


def test_a_folder_that_cannot_be_made(run: sciara.Run, tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(sciara.Error, match="file/below"):
        run.write(tmp_path / "file" / "below")


def test_published_arithmetic(volcano: pathlib.Path) -> None:
    case = sciara.Case(volcano, arithmetic="published")
    assert case.published
    run = case.run(max_steps=100)
    said = json.loads(program("run", volcano, 100, "--published", "--no-output", "--json"))
    assert run.digest == said["digest"] and run.summary["totals"] == said["totals"]
    exact = sciara.Case(volcano).run("reference", max_steps=100)
    assert run.digest != exact.digest
    with pytest.raises(sciara.InputError):
        run.exact("thickness")
    with pytest.raises(sciara.InputError):
        sciara.Case(volcano, arithmetic="approximate")


def test_show(by_program: pathlib.Path, tmp_path: pathlib.Path) -> None:
    painted = sciara.show(by_program, output=tmp_path / "again")
    assert len(painted) == 3 and sorted(painted) == sorted((tmp_path / "again").glob("*.png"))
    for path in painted:
        assert path.read_bytes() == (by_program / path.name).read_bytes(), path.name
    small = sciara.show(
        by_program,
        formats="png,svg",
        output=tmp_path / "small",
        only=f"map_{STEPS:06d}",
        language="it",
        map_size=(8, 5),
        map_dpi=60,
    )
    assert [path.name for path in small] == [f"map_{STEPS:06d}.png", f"map_{STEPS:06d}.svg"]
    assert small[0].read_bytes()[16:24] == bytes.fromhex("000001e00000012c")  # 480 x 300
    assert "curve di livello" in small[1].read_text()
    for wrong in (dict(only="map_x"), dict(formats="geotiff"), dict(language="x"), dict(map_dpi=1)):
        with pytest.raises(sciara.InputError):
            sciara.show(by_program, output=tmp_path / "never", **wrong)  # type: ignore[arg-type]
    with pytest.raises(sciara.InputError, match="record.zip: No such file"):
        sciara.show(tmp_path / "small", output=tmp_path / "never")
    assert not (tmp_path / "never").exists()


@pytest.mark.parametrize("options", [dict(variant="fast"), dict(threads=-1), dict(device=-1)])
def test_options_refused(case: sciara.Case, volcano: pathlib.Path, options: dict[str, Any]) -> None:
    with pytest.raises(sciara.InputError) as refused:
        case.simulation(**options)
    assert str(next(iter(options.values()))) in str(refused.value)


def test_a_variant_that_cannot_run(case: sciara.Case) -> None:
    missing = [v for v in sciara.variants() if not v.available]
    if not missing:
        pytest.skip("this machine can run them all")
    with pytest.raises(sciara.DeviceError) as refused:
        case.run(missing[0].name)
    said = str(refused.value)
    assert missing[0].name in said or missing[0].reason in said


def test_etna(tmp_path: pathlib.Path) -> None:
    real = os.environ.get("ETNA2006_DIR")
    if not real or not pathlib.Path(real).is_dir():
        pytest.skip("skipped: ETNA2006_DIR names no folder")
    shutil.copytree(SOURCE / "data", tmp_path / "data", ignore=shutil.ignore_patterns("etna2006"))
    fetch = [str(SOURCE / "tools" / "fetch-etna2006"), str(tmp_path / "data" / "etna2006")]
    subprocess.run(fetch, check=True, capture_output=True)
    case = sciara.Case(tmp_path / "data" / "etna2006.cfg")
    run = case.run("reference")
    said = json.loads(program("run", case.path, "--no-output", "--json"))
    assert (run.step, run.digest) == (16000, said["digest"])
    assert run.ledger.closed and run.ledger.emitted == 3229664626776634  # README.md


def test_no_module_is_needed_but_numpy(volcano: pathlib.Path) -> None:
    code = """
import sys
for name in ("xarray", "rioxarray", "pandas", "tqdm"):
    sys.modules[name] = None
import numpy, sciara
run = sciara.Case(sys.argv[1]).run("reference", max_steps=60)
assert type(run.thickness) is numpy.ndarray and run.thickness.max() > 0
assert type(run.arrival) is numpy.ndarray
print(run.digest)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(volcano)], capture_output=True, text=True, check=True
    )
    said = json.loads(program("run", volcano, 60, "--no-output", "--json"))
    assert done.stdout.strip() == said["digest"]
