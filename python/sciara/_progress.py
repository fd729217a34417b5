"""Progress and Ctrl-C.

The library calls the progress function several times a second, on the thread that called the
library. Python handles signals in this function, so Ctrl-C ends a long computation within a second.
"""

from __future__ import annotations

import signal
import sys
import threading
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any, Callable, Optional, Union

from . import _abi

PHASES = ("reading", "setting up", "computing", "writing")


@dataclass(frozen=True)
class Progress:
    """The progress of a long operation."""

    phase: str  #: "reading", "setting up", "computing" or "writing"
    file: int  #: reading, writing: number of the present file, from 1; 0: none yet
    done: int  #: cells of that file
    all: int  #: number of all cells of that file; 0: not known
    step: int  #: computing: steps done, counted from the start of the eruption
    first_step: int  #: computing: the step at which the run began
    last_step: int  #: computing: the last possible step; 0: not known
    elapsed_s: float  #: since the phase began
    mobile_m: float  #: computing: sum of mobile thickness at the last reduction

    def __str__(self) -> str:
        if self.phase == "computing":
            end = f" of {self.last_step:,}" if self.last_step else ""
            return f"computing: step {self.step:,}{end}, {self.elapsed_s:.0f} s"
        if self.file and self.all:
            return f"{self.phase}: file {self.file}, {100 * self.done // self.all} %"
        return self.phase


#: Called with the progress; returning True cancels the operation, which raises Cancelled.
ProgressFunction = Callable[[Progress], Optional[bool]]
#: True: a line on the standard error stream; None, False: nothing.
ProgressOption = Union[bool, ProgressFunction, None]


class _Line:
    """A line on the terminal that is rewritten each time, and removed at the end"""

    def __init__(self) -> None:
        self.width = 0

    def __call__(self, now: Progress) -> None:
        line = str(now)
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()
        self.width = len(line)

    def end(self) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
            self.width = 0


_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGUSR1)


class Watch:
    """Wraps each long call, which gets `watch.watcher`: `with watch: call(...)`.

    An exception cannot pass through C. If the progress function or a signal's handler raises an
    exception, the watch keeps it and ends the current phase; the end of the `with` raises it. So a
    run that is interrupted while computing still writes its files, unless it is interrupted again.
    The watch also wraps the handlers of signals: Python runs them before the first line of the
    callback, where no `try` in the callback can catch their exceptions.
    """

    def __init__(self, progress: ProgressOption) -> None:
        self.progress: Optional[ProgressFunction]
        self._line = _Line() if progress is True else None
        self.progress = self._line if progress is True else progress or None
        if self.progress is not None and not callable(self.progress):
            raise TypeError("progress: True, None or a function of one argument")
        self._raised: Optional[BaseException] = None
        self._new = False  # the exception has not ended a phase yet
        self._ended: Optional[int] = None  # the phase that the exception has ended
        self._handlers: dict[int, Any] = {}
        self.watcher = _abi.Watcher(_abi.PROGRESS_FUNCTION(self._called), None)

    def _raise_later(self, error: BaseException) -> None:
        self._raised, self._new = error, True

    def _called(self, now: Any, _user: Any) -> int:
        structure = now.contents
        try:
            if self._raised is None and self.progress is not None:
                values = {name: getattr(structure, name) for name, _ in structure._fields_}
                values["phase"] = PHASES[structure.phase]
                if self.progress(Progress(**values)):
                    return 1
        except BaseException as error:
            self._raise_later(error)
        if self._new:
            self._new, self._ended = False, structure.phase
        return int(self._ended == structure.phase)

    def _signalled(self, number: int, frame: Optional[FrameType]) -> None:
        try:
            self._handlers[number](number, frame)
        except BaseException as error:
            self._raise_later(error)

    def __enter__(self) -> Watch:
        self._raised, self._new, self._ended = None, False, None
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler):
                    self._handlers[number] = handler
                    signal.signal(number, self._signalled)
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()
        if self._line:
            self._line.end()
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised from None
