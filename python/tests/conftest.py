"""Fixtures of several tests: the program, a synthetic volcano, and its run by the program.

tests/program/test_python.sh runs pytest with the installed package. It sets SCIARA_PROGRAM to the path of the program,
and SCIARA_SOURCE to the path of the source tree."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess

import pytest

# Threads that wait for each other in a loop are slow if the machine has other work.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import sciara  # noqa: E402

# A shell starts background programs so that they ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

SOURCE = pathlib.Path(os.environ.get("SCIARA_SOURCE") or pathlib.Path(__file__).parents[2])
PROGRAM = os.environ.get("SCIARA_PROGRAM") or str(SOURCE / "build" / "bin" / "sciara")
STEPS = 1500


def program(*arguments: object, status: int = 0) -> str:
    """What it prints; its standard error stream where it is to fail. Studies always paint maps: small ones"""
    studies = ("ask", "ensemble", "calibrate", "nowcast", "sensitivity")
    small = ("--map-size", "300x300", "--map-dpi", "72") if arguments[0] in studies else ()
    done = subprocess.run([PROGRAM, *map(str, arguments + small)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


def library() -> str:
    """The path of the library that is tested"""
    if not os.path.isabs(sciara.library_path):
        pytest.skip("the library of the system is in use")
    return sciara.library_path


@pytest.fixture(scope="session")
def volcano(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A case file: 128 x 128 cells, two vents"""
    folder = tmp_path_factory.mktemp("volcano")
    program("terrain", folder, "--size", 128, "--quiet")
    return folder / "volcano.cfg"


@pytest.fixture(scope="session")
def case(volcano: pathlib.Path) -> sciara.Case:
    return sciara.Case(volcano)


@pytest.fixture(scope="session")
def run(case: sciara.Case) -> sciara.Run:
    return case.run("reference", max_steps=STEPS)


@pytest.fixture(scope="session")
def by_program(volcano: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The folder of the same run"""
    folder = tmp_path_factory.mktemp("program")
    options = ["--variant", "reference", "--format", "geotiff,png", "--layers", "all", "--quiet"]
    program("run", volcano, STEPS, *options, "--output", folder)
    assert json.loads((folder / "summary.json").read_text())["ledger"]["closed"]
    return folder


@pytest.fixture(scope="session")
def long_case() -> sciara.Case:
    """Hours of computing: a sheet of lava with no end"""
    import numpy as np

    size = 400
    ground = np.add.outer(np.arange(size) * 2.0, np.sin(np.arange(size) / 7.0))
    lava = np.full((size, size), 5.0)
    return sciara.Case.from_arrays(ground, cell=10, thickness=lava, max_steps=10**7)
