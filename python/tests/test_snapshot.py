"""Snapshots: views without copies, which outlive all other objects; exact numbers, sums and digests."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest
from conftest import STEPS

import sciara
from sciara import _library, _snapshot

FIELDS = list(_snapshot._FIELDS)
STORED = [name for name, field in _snapshot._FIELDS.items() if field.stored]


def state_of(case: sciara.Case, steps: int) -> sciara.Snapshot:
    simulation = case.simulation("reference", threads=1)
    simulation.advance(steps)
    return simulation.snapshot()


@pytest.mark.parametrize("name", STORED)
def test_no_copy(run: sciara.Run, name: str) -> None:
    array = run.array(name)
    address = _library.function("sciara_snapshot_field")(
        run._snapshot.pointer, _snapshot._FIELDS[name].number
    )
    assert array.ctypes.data == address and array.dtype == np.float64
    assert array.shape == run.case.shape and array.flags.c_contiguous
    assert np.shares_memory(array, run.array(name))
    labelled = np.asarray(getattr(run, name))
    assert labelled.ctypes.data == address


@pytest.mark.parametrize("name", FIELDS)
def test_read_only(run: sciara.Run, name: str) -> None:
    array = run.array(name)
    with pytest.raises(ValueError):
        array[0, 0] = 1
    if name in STORED:
        with pytest.raises(ValueError):
            array.flags.writeable = True


def test_arrival_is_a_view(run: sciara.Run) -> None:
    assert np.shares_memory(run.arrival_step, run.arrival_step)
    assert run.arrival_step.dtype == np.int32


def test_views_outlive_all(case: sciara.Case, volcano: Any, run: sciara.Run) -> None:
    own = sciara.Case(volcano)
    simulation = own.simulation("reference", max_steps=STEPS)
    simulation.advance(STEPS)
    state = simulation.snapshot()
    elevation, arrays = own.array("elevation"), [state.array(name) for name in STORED]
    arrival = state.arrival_step
    part = state.array("thickness")[10:, ::2]
    del own, simulation, state
    gc.collect()
    # These objects would use memory again that was freed.
    others = [state_of(case, 7) for _ in range(20)]
    for name, array in zip(STORED, arrays):
        assert np.array_equal(array, run.array(name), equal_nan=True), name
    assert np.array_equal(arrival, run.arrival_step)
    assert np.array_equal(part, run.array("thickness")[10:, ::2])
    assert np.array_equal(elevation, case.array("elevation"))  # type: ignore[arg-type]
    assert len(others) == 20 and others[0].digest != run.digest


def test_stays_while_steps_go_on(case: sciara.Case) -> None:
    simulation = case.simulation("reference")
    simulation.advance(50)
    state = simulation.snapshot()
    simulation.advance(100)
    assert state.step == 50 and simulation.step == 150
    assert state.digest == state_of(case, 50).digest != simulation.snapshot().digest


def test_fields(run: sciara.Run) -> None:
    mobile, solid = run.array("thickness"), run.array("solidified")
    assert (mobile > 0).sum() > 20 and (solid > 0).sum() > 20
    assert np.array_equal(run.array("total_thickness"), mobile + solid)
    assert (run.array("max_thickness") >= run.array("total_thickness") - 1e-9).all()
    temperature = run.array("temperature")[mobile > 0]
    parameters = run.case.parameters
    assert (temperature >= parameters.PTsol).all() and (temperature <= parameters.PTvent).all()
    arrival = run.array("arrival")
    came = run.arrival_step != 2**31 - 1
    assert np.array_equal(np.isfinite(arrival), came)
    assert np.array_equal(arrival[came], run.arrival_step[came] * 120.0)
    assert came.sum() >= run.extent.cells
    with pytest.raises(sciara.InputError, match="'lava' is no field; the fields are elevation, "):
        run.array("lava")


def test_exact(run: sciara.Run) -> None:
    for name in ("elevation", "thickness", "solidified", "max_thickness", "total_thickness"):
        exact = run.exact(name)
        assert np.array_equal(exact * 2.0**-36, run.array(name)), name
    assert run.ledger.mobile == int(run.exact("thickness").sum())
    assert run.ledger.solidified == int(run.exact("solidified").sum())
    step = run.exact("arrival")
    assert np.array_equal(step == 2**63 - 1, run.arrival_step == 2**31 - 1)
    for name in ("temperature", "max_temperature"):
        with pytest.raises(sciara.InputError):
            run.exact(name)


def test_ledger(run: sciara.Run) -> None:
    ledger = run.ledger
    for name in ("initial", "emitted", "mobile", "solidified", "left_domain"):
        assert type(getattr(ledger, name)) is int
        assert run.summary["ledger"][name]["quanta"] == str(getattr(ledger, name))
        assert run.summary["ledger"][name]["m3"] == pytest.approx(ledger.volume(name), rel=1e-12)
    assert ledger.emitted > 0 and ledger.closed
    assert ledger.initial + ledger.emitted == (
        ledger.mobile + ledger.solidified + ledger.left_domain
    )
    assert ledger.unit_m3 == 100 * 2.0**-36


def test_heat_ledger(run: sciara.Run) -> None:
    heat = run.ledger.heat
    for name in ("initial", "emitted", "mobile", "solidified", "left_domain", "cooled"):
        assert type(getattr(heat, name)) is int
        assert run.summary["heat_ledger"][name]["quanta"] == str(getattr(heat, name))
        assert run.summary["heat_ledger"][name]["J"] == pytest.approx(heat.energy(name), rel=1e-12)
    assert heat.emitted > 0 and heat.solidified > 0 and heat.cooled > 0 and heat.closed
    assert heat.initial + heat.emitted == (
        heat.mobile + heat.solidified + heat.left_domain + heat.cooled
    )
    product = run.array("thickness") * run.array("temperature")
    assert heat.mobile * 2.0**-40 == pytest.approx(np.nansum(product), rel=1e-12)
    p = run.case.parameters
    assert heat.unit_J == pytest.approx(2.0**-40 * 100 * p.Prho * p.Pcv, rel=1e-15)


def test_sums_beyond_64_bits() -> None:
    # 3,000 m on 100,000 cells are more than 2^64 units
    lava = np.full((400, 250), 3000.0)
    case = sciara.Case.from_arrays(np.zeros(lava.shape), cell=10, thickness=lava, max_steps=1)
    ledger = case.run("reference").ledger
    assert ledger.initial == 3000 * 2**36 * lava.size > 2**64
    assert ledger.closed and ledger.mobile > 2**63


def test_extent(run: sciara.Run) -> None:
    extent, lava = run.extent, run.summary["lava"]
    assert extent.cells == (run.array("total_thickness") > 0).sum() == lava["covered_cells"] > 20
    assert extent.area_m2 == extent.cells * 100
    assert extent.runout_m == pytest.approx(lava["runout_m"])
    assert extent.max_thickness_m == run.array("max_thickness").max()


def test_differ(run: sciara.Run, case: sciara.Case) -> None:
    same, other = state_of(case, STEPS), state_of(case, STEPS - 1)
    assert run.differ(same) == (0, "") and same.digest == run.digest
    cells, field = run.differ(other)
    assert cells > 20 and field
    small = sciara.Case.from_arrays(
        np.zeros((5, 5)), cell=10, thickness=np.ones((5, 5)), max_steps=1
    )
    with pytest.raises(sciara.InputError, match="differ"):
        run.differ(state_of(small, 1))


def test_read_by_several_threads(case: sciara.Case) -> None:
    simulation = case.simulation("reference")
    simulation.advance(100)
    state, digests = simulation.snapshot(), []
    threads = [
        threading.Thread(target=lambda: digests.append((state.digest, state.ledger)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    simulation.advance(100)
    for thread in threads:
        thread.join()
    assert len(digests) == 8 and len(set(digests)) == 1


def test_saved_and_gone_on_from(case: sciara.Case, tmp_path: Any) -> None:
    """From its file a state goes on to the bits of a simulation that was not stopped"""
    half = state_of(case, STEPS // 2)
    path = half.save(tmp_path / "half.tif")
    with case.simulation("reference", threads=2, from_state=path) as simulation:
        assert simulation.step == STEPS // 2
        assert simulation.snapshot().digest == half.digest
        simulation.advance(STEPS - STEPS // 2)
        assert simulation.snapshot().digest == state_of(case, STEPS).digest != half.digest
        assert simulation.snapshot().ledger == state_of(case, STEPS).ledger
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(sciara.InputError, match="half.tif: is not a whole state"):
        case.simulation("reference", from_state=path)


PARTS = [
    (slice(0, 40, 2), slice(None)),
    (slice(90, 20, -3), slice(-1, None, -1)),
    (slice(np.int64(30), np.uint8(70), np.int16(7)), slice(10, 100, 200)),
    (slice(None, None, -1), slice(-60, -20, 11)),
    (slice(50, 50), slice(9, 3)),
    (slice(40, 60, -1), slice(500, 900)),
]


@pytest.mark.parametrize("window", PARTS)
def test_part(run: sciara.Run, window: tuple[slice, slice]) -> None:
    """A part is what numpy makes of the layer with the same slices"""
    layer = run.layer("max_thickness")
    assert layer[layer > 0].size > 50
    part = run.part("max_thickness", window)
    assert part.dtype == np.float32 and part.flags.c_contiguous
    assert part.shape == layer[window].shape and np.array_equal(part, layer[window], equal_nan=True)


@pytest.mark.parametrize(
    "window",
    [..., (..., slice(5)), (5, slice(5)), (slice(5),), (slice(5),) * 3, slice(5), None,
     (slice(0, 5, 0), slice(5)), (slice(0.5, 5), slice(5)), [slice(5), slice(5)]],
)
def test_no_part(run: sciara.Run, window: Any) -> None:
    with pytest.raises(sciara.InputError, match="^part: the window is "):
        run.part("thickness", window)
