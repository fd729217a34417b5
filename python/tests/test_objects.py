"""Use of objects: warnings, misspelt names, copies, use after close, times as text."""

from __future__ import annotations

import copy
import dataclasses
import gc
import pathlib
import pickle
import warnings
from typing import Any, Optional

import numpy as np
import pytest
from conftest import STEPS

import sciara


def made(rate_m3_s: float, cell: float = 10) -> sciara.Case:
    ground = np.add.outer(np.arange(40) * 3.0, np.zeros(40))
    given: Any = dict(cell=cell, vents=[(1, 30, 20)], rates=[(1, 0, 3600, rate_m3_s)], max_steps=60)
    return sciara.Case.from_arrays(ground, **given)


def test_a_probable_mistake_is_a_warning(volcano: pathlib.Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert made(0.5).warning is None
        sciara.Case(volcano)
        assert "m of lava in a step" in (made(5.0).notice or "")  # a note is no warning
    with pytest.warns(sciara.CaseWarning, match="too long: cells of 20 m") as seen:
        case = made(0.5, cell=20)
    assert case.warning and case.warning in str(seen[0].message)
    path = volcano.with_name("quick.cfg")
    keys = "dem terrain.tif\nvents vents.csv\nrates quick.csv\nmax_steps 60\n"
    path.write_text(keys + "parameters etna-2006\n")
    volcano.with_name("quick.csv").write_text("vent,from_h,to_h,rate_m3_s\n1,0,1,0\n2,0,1,0\n")
    with pytest.warns(sciara.CaseWarning) as seen:
        sciara.Case(path)
    assert seen[0].filename == __file__


def test_misspelt_names(run: sciara.Run) -> None:
    with pytest.raises(AttributeError, match="'Run' has no attribute 'thikness'.*'thickness'"):
        run.thikness
    with pytest.raises(AttributeError, match="'Case'.*did you mean 'volume'"):
        run.case.volum
    with pytest.raises(AttributeError, match="no attribute 'zzzzzz'$"):
        run.case.zzzzzz
    with run.case.simulation("reference") as simulation:
        with pytest.raises(AttributeError, match="'Simulation'.*did you mean 'advance'"):
            simulation.advanc
    assert not hasattr(run, "__array_interface__")
    assert set(dir(sciara)) == set(sciara.__all__)


def test_parameters_by_their_names_in_files() -> None:
    named = sciara.Parameters(Pcool=3, **{"Phc(Tsol)": 12.0, "Pr(Tvent)": 0.9})
    assert named == dataclasses.replace(
        sciara.Parameters(), Pcool=3, Phc_Tsol=12.0, Pr_Tvent=0.9
    )
    assert sciara.Parameters(60.0).Pclock == 60.0
    with pytest.raises(TypeError, match=r"'Pcol' is not a parameter; did you mean Pcool\?"):
        sciara.Parameters(Pcol=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="'viscosity' is not a parameter; they are Pclock, PTsol"):
        sciara.Parameters(viscosity=3)  # type: ignore[call-arg]


@pytest.mark.parametrize("every", ["4h", "240min", "14400s", "14400 s", 120])
def test_times_between_files(case: sciara.Case, tmp_path: pathlib.Path, every: Any) -> None:
    case.run("reference", max_steps=400, folder=tmp_path, formats="geotiff", every=every)
    steps = sorted(int(p.stem.rsplit("_", 1)[1]) for p in tmp_path.glob("total_thickness_m_*.tif"))
    assert steps == [120, 240, 360, 400]


@pytest.mark.parametrize("every", ["6", "h", "-6h", "0h", "6 weeks", ""])
def test_times_refused(case: sciara.Case, tmp_path: pathlib.Path, every: str) -> None:
    with pytest.raises(sciara.InputError, match="give a number of steps, or a time such as"):
        case.run("reference", max_steps=400, folder=tmp_path / "out", every=every)
    assert not (tmp_path / "out").exists()


def test_copies_live_on() -> None:
    case = made(0.5)
    state = case.run("reference")
    digest, mean = state.digest, float(state.total_thickness.mean())
    assert mean > 0
    for duplicate in (copy.copy, copy.deepcopy):
        twin, later = duplicate(case), duplicate(state)
        view = later.array("total_thickness")
        assert twin.run("reference").digest == later.digest == digest
        for _ in range(3):
            duplicate(twin), duplicate(later)
        gc.collect()
        assert float(view.mean()) == mean
    del case, state
    gc.collect()
    assert twin.run("reference").digest == later.digest == digest
    for what in (twin, later):
        with pytest.raises(TypeError, match="cannot be pickled; pickle its arrays"):
            pickle.dumps(what)


def test_a_simulation_has_no_copy(case: sciara.Case) -> None:
    with case.simulation("reference") as simulation:
        simulation.advance(200)
        for duplicate in (copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="a simulation cannot be copied"):
                duplicate(simulation)
        state = simulation.snapshot()
        digest = state.digest
    with pytest.raises(RuntimeError, match="is closed"):
        simulation.advance(1)
    gc.collect()
    assert state.digest == digest and float(state.array("thickness").max()) > 0


def test_a_callback_that_calls_back(case: sciara.Case, tmp_path: pathlib.Path) -> None:
    refused: list[str] = []
    simulation: Optional[sciara.Simulation] = None

    def intrude(now: sciara.Progress) -> None:
        assert simulation is not None or now.phase == "setting up"
        for call in ("snapshot", "close", "advance") if simulation else ():
            with pytest.raises(RuntimeError) as error:
                getattr(simulation, call)()
            refused.append(str(error.value))

    simulation = case.simulation("reference", max_steps=STEPS, progress=intrude)
    simulation.advance(STEPS)
    state = simulation.snapshot()
    assert refused and all("is in use" in text for text in refused)
    assert state.digest == case.run("reference", max_steps=STEPS).digest

    seen: list[str] = []
    state.write(tmp_path, progress=lambda now: seen.append(state.digest))  # type: ignore[arg-type]
    assert seen and set(seen) == {state.digest}
