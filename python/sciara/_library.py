"""Finds, loads and calls libsciara.so.0. During a call ctypes lets other Python threads run."""

from __future__ import annotations

import ctypes
import difflib
import os
import pathlib
import re
import sys
import threading
from typing import Any, Iterator, Optional

from . import _abi, _errors

NAME = "libsciara.so.0"


def _candidates() -> Iterator[str]:
    """Paths of the library: only SCIARA_LIBRARY if it is set; otherwise in the wheel, next to the package, in lib/
    of Python's environment, in the folders of the system's loader, and in the build folder of the source tree."""
    named = os.environ.get("SCIARA_LIBRARY")
    if named:
        yield named
        return
    package = pathlib.Path(__file__).resolve().parent
    for folder in (package / "_bundle" / "lib", package, pathlib.Path(sys.prefix) / "lib"):
        if (folder / NAME).exists():
            yield str(folder / NAME)
    yield NAME
    root = package.parent.parent
    if (root / "include" / "sciara.h").exists():
        yield str(root / os.environ.get("BUILD", "build") / "lib" / NAME)


def _load() -> tuple[ctypes.CDLL, str]:
    tried = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
            for name, (result, arguments) in _abi.FUNCTIONS.items():
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
            return library, path
        except (OSError, AttributeError) as error:
            tried.append(str(error))
    raise ImportError(
        f"sciara: cannot load the library {NAME} ({'; '.join(tried)}); build it with make in the "
        "source tree, install it with make install, or set SCIARA_LIBRARY to its path"
    )


_library, path = _load()


def _processors() -> int:
    """The number of threads that OpenMP may use, found without calling OpenMP"""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return int(asked) if asked.isdecimal() else len(os.sched_getaffinity(0))


def function(name: str) -> Any:
    return getattr(_library, name)


# Threads that have made objects. OpenMP keeps helper threads for each of them, which do not exist in a child of
# fork(). A child of such a thread would wait for them for ever (docs/library.md, "Threads").
_makers: set[int] = set()
_lost: Optional[int] = None  # in a child of such a thread, the child's thread
_MAKE = re.compile("sciara_(case_(load|create|read)|create$|run$|show$|fit$|compare$|info$|study_(open|run))")


def _forked() -> None:
    global _lost
    here = threading.get_ident()
    _lost = here if here in _makers else None
    _makers.clear()


if _processors() > 1:
    os.register_at_fork(after_in_child=_forked)


def _check_fork(name: str) -> None:
    if not _MAKE.match(name):
        return
    if threading.get_ident() == _lost:
        raise _errors.FailedError(
            "this process was forked from one that had used sciara, whose threads it lacks; start it "
            "another way: multiprocessing.get_context('spawn')"
        )
    _makers.add(threading.get_ident())


def call(name: str, *arguments: Any) -> None:
    """Calls a function that returns a status and writes an error. Raises the error."""
    _check_fork(name)
    error = _abi.Error()
    if getattr(_library, name)(*arguments, ctypes.byref(error)):
        raise _errors.of(error)


def text(value: Optional[bytes]) -> str:
    return "" if value is None else value.decode(errors="replace")


class Object:
    """A case, a simulation or a snapshot of the library, freed with the last reference to it.
    Arrays that are views of its memory hold a reference."""

    __slots__ = ("pointer", "_free")

    def __init__(self, free: str) -> None:
        self.pointer = ctypes.c_void_p()
        self._free = function(free)

    def __del__(self) -> None:
        pointer = getattr(self, "pointer", None)
        if pointer:
            self._free(pointer)

    def new(self) -> Any:
        """The output argument of a library function that makes an object"""
        return ctypes.byref(self.pointer)


class Handle:
    """The base of classes for objects of the library. The error for an unknown attribute suggests a
    similar one."""

    def __getattr__(self, name: str) -> Any:
        known = [word for word in dir(type(self)) if not word.startswith("_")]
        near = [] if name.startswith("_") else difflib.get_close_matches(name, known, 1)
        remedy = f"; did you mean {near[0]!r}?" if near else ""
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}{remedy}")

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled; pickle its arrays")


class Constant(Handle):
    """The base of classes for constant objects of the library. A copy of one is the object itself."""

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self
