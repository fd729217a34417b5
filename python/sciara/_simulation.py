"""A simulation: a case that is being computed."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pathlib
import threading
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Optional, Union

from . import _abi, _inputs, _library
from ._progress import Watch
from ._snapshot import Formats, Run, Snapshot, formats_mask

if TYPE_CHECKING:
    from ._case import Case


@dataclass(frozen=True)
class State:
    """The status of a simulation."""

    step: int  #: steps done, counted from the start of the eruption
    time: float  #: s since the start of the eruption
    ended: bool  #: max_steps has been reached, or the stopping rule has ended the run
    stopped: bool  #: the stopping rule has ended the run
    mobile_m: float  #: sum of mobile thickness at the last reduction
    steps_s: float  #: wall-clock time of the steps so far
    device_ms: float  #: time of these steps on the device
    memory_bytes: int  #: GPU memory in use; for a CPU variant, host memory
    variant: str  #: "published" for published arithmetic
    device: str  #: "NVIDIA H200", or the processor's name
    threads: int  #: 0 on a GPU
    full_domain: bool


class Simulation(_library.Handle):
    """Computes a case step by step. `Case.simulation` makes it.

    Only one thread at a time may use a simulation; several simulations can run at once on several
    threads. Its memory is freed at the end of a `with`, by `close()`, or with the last reference."""

    def __init__(self, case: Case, options: _abi.Options, watch: Watch) -> None:
        self._case = case
        self._lock = threading.Lock()
        self._watch = watch
        self._simulation: Optional[_library.Object] = None
        options.watcher = watch.watcher
        simulation = _library.Object("sciara_free")
        with self._watch:
            _library.call(
                "sciara_create", simulation.new(), case._case.pointer, ctypes.byref(options)
            )
        self._simulation = simulation

    @contextlib.contextmanager
    def _used(self) -> Iterator[ctypes.c_void_p]:
        """The simulation, for one call. Meanwhile neither other threads nor the progress function can
        use it."""
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("this simulation is in use, by another thread or by a call that has not ended")
        try:
            if self._simulation is None:
                raise RuntimeError("this simulation is closed")
            yield self._simulation.pointer
        finally:
            self._lock.release()

    # ---- status ----------------------------------------------------------------------------------

    @property
    def case(self) -> Case:
        """The case of the simulation"""
        return self._case

    @property
    def state(self) -> State:
        """The status of the simulation"""
        state = _abi.State()
        with self._used() as pointer:
            _library.function("sciara_state")(pointer, ctypes.byref(state))
            return State(
                state.step,
                state.time_s,
                bool(state.ended),
                bool(state.stopped),
                state.mobile_m,
                state.steps_s,
                state.device_ms,
                state.memory_bytes,
                _library.text(state.variant),
                _library.text(state.device),
                state.threads,
                bool(state.full_domain),
            )

    @property
    def step(self) -> int:
        """Steps done, counted from the start of the eruption"""
        return self.state.step

    @property
    def time(self) -> float:
        """s since the start of the eruption"""
        return self.state.time

    @property
    def ended(self) -> bool:
        """Whether max_steps has been reached, or the stopping rule has ended the run"""
        return self.state.ended

    @property
    def variant(self) -> str:
        """The variant that computes the simulation"""
        return self.state.variant

    # ---- steps -----------------------------------------------------------------------------------

    def advance(self, steps: int = 1) -> int:
        """Makes `steps` steps, or fewer if the run ends. Returns the current step. After an exception
        the state is that of the last complete step, and the simulation can continue."""
        with self._used() as pointer, self._watch:
            _library.call("sciara_advance", pointer, _inputs.integer("steps", steps))
        return self.step

    def advance_to(
        self, *, step: Optional[int] = None, seconds: float = 0, hours: float = 0, days: float = 0
    ) -> int:
        """Advances to a step, or to the last step that ends by a time since the start of the eruption
        (the sum of seconds, hours and days). Returns the current step."""
        if step is not None:
            if seconds or hours or days:
                raise ValueError("advance_to: give a step, or a time in seconds, hours and days")
            return self.advance(max(step - self.step, 0))
        time_s = seconds + 3600.0 * hours + 86400.0 * days
        with self._used() as pointer, self._watch:
            _library.call("sciara_advance_to", pointer, time_s)
        return self.step

    def snapshot(self) -> Snapshot:
        """The present state. Steps can continue while it is copied."""
        snapshot = _library.Object("sciara_snapshot_free")
        with self._used() as pointer:
            _library.call("sciara_snapshot_take", snapshot.new(), pointer)
        return Snapshot(self._case, snapshot)

    def steps(self, every: int = 100) -> Iterator[Snapshot]:
        """Computes to the end and yields the state after every `every` steps and the last one:

            for state in simulation.steps(every=100):
                print(state.time, float(state.thickness.max()))
        """
        if every < 1:
            raise ValueError(f"every: {every} steps; give at least 1")
        while not self.ended:
            before = self.step
            if self.advance(every) == before:
                break
            yield self.snapshot()

    def run(
        self,
        *,
        folder: Union[str, os.PathLike[str], None] = None,
        formats: Formats = ("geotiff", "png"),
        layers: Union[str, Iterable[str]] = (),
        every: Union[int, str, None] = None,
        extent: Optional[str] = None,
    ) -> Run:
        """Computes from the present step to the end, as `Case.run`"""
        options = _abi.RunOptions()
        _library.function("sciara_run_options_init")(ctypes.byref(options), ctypes.sizeof(options))
        options.folder = _inputs.text("folder", folder)
        options.formats = formats_mask(formats)
        options.layers = _inputs.words("layers", layers)
        options.every = -1 if every is None else _inputs.steps(every, self._case.parameters.Pclock)
        options.extent = _inputs.extent(extent)
        options.load_s = self._case._load_s
        last = _library.Object("sciara_snapshot_free")
        with self._used() as pointer:
            with self._watch:
                _library.call("sciara_run", pointer, ctypes.byref(options), last.new())
            summary = _summary(pointer)
        return Run(self._case, last, summary, None if folder is None else pathlib.Path(folder))

    # ---- its memory ------------------------------------------------------------------------------

    def close(self) -> None:
        """Frees the memory of the simulation. Snapshots remain."""
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("this simulation is in use, by another thread or by a call that has not ended")
        self._simulation = None
        self._lock.release()

    def __copy__(self) -> Simulation:
        raise TypeError("a simulation cannot be copied; take a snapshot, or make another from the case")

    def __deepcopy__(self, memo: Any) -> Simulation:
        return self.__copy__()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._simulation is None:
            return f"<sciara.Simulation of {self._case.title!r}, closed>"
        state = self.state
        how = f"by {state.variant} at step {state.step}"
        return f"<sciara.Simulation of {self._case.title!r} {how}>"


def _summary(pointer: ctypes.c_void_p) -> dict[str, Any]:
    address = _library.function("sciara_summary")(pointer)
    if not address:
        raise MemoryError("sciara_summary")
    try:
        text = ctypes.string_at(address)
    finally:
        _library.function("sciara_text_free")(address)
    summary: dict[str, Any] = json.loads(text)
    return summary
