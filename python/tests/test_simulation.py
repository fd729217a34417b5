"""Steps: their end, states between them, threads, locks and memory."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest
from conftest import STEPS

import sciara


def test_steps_are_the_run(case: sciara.Case, run: sciara.Run) -> None:
    simulation = case.simulation("reference", threads=1, max_steps=STEPS)
    assert (simulation.step, simulation.time, simulation.ended) == (0, 0, False)
    assert simulation.variant == "reference" and simulation.state.threads == 1
    seen = []
    for state in simulation.steps(every=STEPS // 2 - 50):
        assert state.step == simulation.step and state.time == state.step * 120
        seen.append((state.step, float(state.array("total_thickness").sum())))
    assert [step for step, _ in seen] == [STEPS // 2 - 50, STEPS - 100, STEPS]
    assert 0 < seen[0][1] < seen[1][1] < seen[2][1]
    assert simulation.ended and not simulation.state.stopped
    assert simulation.advance(100) == STEPS
    assert simulation.snapshot().digest == run.digest
    assert list(simulation.steps()) == []


def test_one_by_one(case: sciara.Case) -> None:
    simulation = case.simulation("reference")
    for step in range(1, 31):
        assert simulation.advance() == step
    assert simulation.snapshot().digest == case.run("reference", max_steps=30).digest


def test_advance_to(case: sciara.Case) -> None:
    simulation = case.simulation("reference", max_steps=STEPS)
    assert simulation.advance_to(hours=1) == 30
    assert simulation.advance_to(seconds=3600 + 239.9) == 31
    assert simulation.advance_to(hours=1) == 31
    assert simulation.advance_to(step=40) == 40
    with pytest.raises(ValueError, match="give a step, or a time"):
        simulation.advance_to(step=41, hours=50)
    assert simulation.step == 40
    assert simulation.advance_to(step=10) == 40
    assert simulation.advance_to(hours=1, seconds=3600) == 60
    assert simulation.advance_to(days=30) == STEPS
    assert simulation.ended


def test_stopping_rule(case: sciara.Case) -> None:
    lava = np.zeros(case.shape)
    lava[60, 40:60] = np.arange(20) / 5  # thin lava solidifies first
    short = sciara.Case.from_arrays(case.array("elevation"), cell=10, thickness=lava, stop_below=9)
    assert short.max_steps is None and short.stop_below == 9
    simulation = short.simulation("reference")
    assert simulation.advance(10**6) < 10**6
    assert simulation.ended and simulation.state.stopped and simulation.state.mobile_m <= 9
    with short.simulation("reference", stop_below=2) as longer:
        longer.advance(10**6)
        assert longer.state.mobile_m <= 2 and longer.step > simulation.step


def test_run_from_the_present_step(case: sciara.Case, run: sciara.Run) -> None:
    simulation = case.simulation("reference", max_steps=STEPS)
    simulation.advance(123)
    last = simulation.run()
    assert last.digest == run.digest and last.summary["run"]["step"] == STEPS


def test_full_domain(case: sciara.Case, run: sciara.Run) -> None:
    simulation = case.simulation("reference", full_domain=True, max_steps=STEPS)
    assert simulation.state.full_domain
    assert simulation.run().digest == run.digest


def test_several_on_several_threads(case: sciara.Case, run: sciara.Run) -> None:
    digests: list[str] = []

    def compute() -> None:
        with case.simulation("reference", threads=1, max_steps=STEPS) as simulation:
            for state in simulation.steps(every=37):
                assert state.ledger.closed
            digests.append(state.digest)

    threads = [threading.Thread(target=compute) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert digests == [run.digest] * 6


def test_other_threads_run_meanwhile(long_case: sciara.Case) -> None:
    begun, stop, counted = threading.Event(), threading.Event(), []

    def progress(now: sciara.Progress) -> bool:
        begun.set()
        return now.phase == "computing" and stop.is_set()

    def count() -> None:
        begun.wait(30)
        for n in range(10**5):
            counted.append(n)
        stop.set()

    thread = threading.Thread(target=count)
    thread.start()
    with long_case.simulation("reference", threads=1, progress=progress) as simulation:
        with pytest.raises(sciara.Cancelled):
            simulation.advance(10**7)
    thread.join()
    assert len(counted) == 10**5


def test_one_thread_at_a_time(long_case: sciara.Case) -> None:
    errors: list[Any] = []

    def progress(now: sciara.Progress) -> bool:
        if now.phase != "computing":
            return False
        for use in (simulation.advance, simulation.snapshot, simulation.close):
            try:
                use()
            except RuntimeError as error:
                errors.append(str(error))
        thread = threading.Thread(target=lambda: pytest.raises(RuntimeError, simulation.advance))
        thread.start()
        thread.join()
        return True

    simulation = long_case.simulation("reference", threads=1, progress=progress)
    with pytest.raises(sciara.Cancelled):
        simulation.advance(10**7)
    assert errors == ["this simulation is in use, by another thread or by a call that has not ended"] * 3
    step = simulation.step
    assert 0 < step < 10**7


def test_cancelled_goes_on(case: sciara.Case, run: sciara.Run) -> None:
    calls: list[sciara.Progress] = []

    def progress(now: sciara.Progress) -> bool:
        calls.append(now)
        return now.phase == "computing"

    simulation = case.simulation("reference", max_steps=STEPS, progress=progress)
    for _ in range(10**5):
        try:
            simulation.advance(STEPS)
        except sciara.Cancelled:
            continue
        if simulation.ended:
            break
    assert simulation.snapshot().digest == run.digest


def test_progress(long_case: sciara.Case) -> None:
    calls: list[sciara.Progress] = []

    def progress(now: sciara.Progress) -> bool:
        calls.append(now)
        return len([c for c in calls if c.phase == "computing"]) > 3

    simulation = long_case.simulation("reference", threads=1, progress=progress)
    with pytest.raises(sciara.Cancelled):
        simulation.advance(10**7)
    computing = [c for c in calls if c.phase == "computing"]
    steps = [c.step for c in computing]
    assert steps == sorted(steps) and steps[-1] > 0
    assert computing[0].last_step == 10**7 and computing[-1].mobile_m > 0
    assert computing[-1].elapsed_s > computing[0].elapsed_s
    assert str(computing[-1]).startswith(f"computing: step {steps[-1]:,} of 10,000,000")


def test_exceptions_of_the_progress_function(long_case: sciara.Case) -> None:
    def progress(now: sciara.Progress) -> None:
        if now.phase == "computing":
            raise ZeroDivisionError("of mine")

    simulation = long_case.simulation("reference", threads=1, progress=progress)
    with pytest.raises(ZeroDivisionError, match="of mine"):
        simulation.advance(10**7)
    with pytest.raises(TypeError):
        long_case.simulation(progress=3)  # type: ignore[arg-type]


def test_progress_line(case: sciara.Case, capfd: pytest.CaptureFixture[str]) -> None:
    plain = case.run("reference", max_steps=50)
    assert capfd.readouterr() == ("", "")
    watched = case.run("reference", max_steps=50, progress=True)
    out, err = capfd.readouterr()
    assert out == "" and "\n" not in err
    assert plain.digest == watched.digest


def test_closed(case: sciara.Case) -> None:
    with case.simulation("reference") as simulation:
        simulation.advance(10)
        state = simulation.snapshot()
    simulation.close()
    assert "closed" in repr(simulation)
    for use in (simulation.advance, simulation.snapshot, lambda: simulation.step):
        with pytest.raises(RuntimeError, match="this simulation is closed"):
            use()
    assert state.step == 10 and state.ledger.closed


def resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_memory_comes_back() -> None:
    ground = np.add.outer(np.arange(400.0), np.zeros(400))
    lava = np.ones(ground.shape)

    def once() -> None:
        case = sciara.Case.from_arrays(ground, cell=10, thickness=lava, max_steps=100)
        simulation = case.simulation("reference")
        simulation.advance(1)
        assert simulation.snapshot().array("thickness").sum() > 0

    once()
    gc.collect()
    before = resident_bytes()
    for _ in range(10):
        once()
    gc.collect()
    one = 400 * 400 * 69  # bytes of one simulation, by the table in docs/guide.md
    assert resident_bytes() - before < 2 * one
