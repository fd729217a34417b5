"""Ctrl-C ends any long operation within a second."""

from __future__ import annotations

import os
import pathlib
import signal
import threading
import time
from typing import Any, Callable, Iterator

import pytest

import sciara


@pytest.fixture
def seconds(long_case: sciara.Case) -> Iterator[Callable[..., float]]:
    """Seconds of processor time from a signal to the exception that it raises out of a call: what
    other work of a busy machine takes does not count, neither then nor before"""
    ended = threading.Event()

    def measure(call: Callable[[], Any], number: int = signal.SIGINT, after: float = 0.2) -> float:
        sent: list[float] = []
        began = time.process_time()

        def send() -> None:
            while time.process_time() < began + after:
                if ended.wait(0.02):
                    return
            sent.append(time.process_time())
            os.kill(os.getpid(), number)

        threading.Thread(target=send).start()
        with pytest.raises((KeyboardInterrupt, TimeoutError)):
            call()
            pytest.fail("it ended by itself")
        return time.process_time() - sent[0]

    yield measure
    ended.set()


def test_advance(long_case: sciara.Case, seconds: Callable[..., float]) -> None:
    simulation = long_case.simulation("reference", threads=1)
    assert seconds(lambda: simulation.advance(10**7)) < 1
    step = simulation.step
    assert 0 < step < 10**7
    assert simulation.advance(1) == step + 1
    assert simulation.snapshot().ledger.closed
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_with_a_progress_function(long_case: sciara.Case, seconds: Callable[..., float]) -> None:
    simulation = long_case.simulation("reference", threads=1, progress=lambda now: None)
    assert seconds(lambda: simulation.advance(10**7)) < 1


def test_run(
    long_case: sciara.Case, seconds: Callable[..., float], tmp_path: pathlib.Path
) -> None:
    assert seconds(lambda: long_case.run("reference", threads=1)) < 1
    out = tmp_path / "out"
    seconds(lambda: long_case.run("reference", threads=1, folder=out, formats="geotiff"))
    assert (tmp_path / "out" / "summary.json").exists()


def test_steps(long_case: sciara.Case, seconds: Callable[..., float]) -> None:
    simulation = long_case.simulation("reference", threads=1)
    assert seconds(lambda: [state.step for state in simulation.steps(every=5000)]) < 1


def test_a_handler_of_the_user(long_case: sciara.Case, seconds: Callable[..., float]) -> None:
    def late(number: int, frame: Any) -> None:
        raise TimeoutError("too late")

    previous = signal.signal(signal.SIGALRM, late)
    try:
        simulation = long_case.simulation("reference", threads=1)
        assert seconds(lambda: simulation.advance(10**7), signal.SIGALRM) < 1
        assert signal.getsignal(signal.SIGALRM) is late
    finally:
        signal.signal(signal.SIGALRM, previous)


def test_a_handler_that_lets_it_go_on(case: sciara.Case, run: sciara.Run) -> None:
    seen = []
    previous = signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
    try:
        simulation = case.simulation("reference", max_steps=run.step)
        os.kill(os.getpid(), signal.SIGUSR1)
        assert simulation.run().digest == run.digest
        assert seen == [signal.SIGUSR1]
    finally:
        signal.signal(signal.SIGUSR1, previous)


def test_another_thread(long_case: sciara.Case) -> None:
    """No signals there; it computes and is cancelled by its progress function"""
    raised: list[Any] = []
    stop = threading.Event()

    def compute() -> None:
        try:
            long_case.run("reference", threads=1, progress=lambda now: stop.is_set())
        except sciara.Cancelled as error:
            raised.append(error)

    thread = threading.Thread(target=compute)
    thread.start()
    time.sleep(0.3)
    stop.set()
    thread.join(60)
    assert len(raised) == 1 and not thread.is_alive()
