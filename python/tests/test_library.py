"""Finding the library, its version, its variants, its parameters."""

from __future__ import annotations

import importlib.metadata
import os
import pathlib
import shutil
import subprocess
import sys
import venv

import numpy
import pytest
from conftest import library, program

import sciara


def environment_of(copy: pathlib.Path) -> pathlib.Path:
    return copy.parents[1] / "environment"


def imported(folder: pathlib.Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What an interpreter of its own says of a copy of the package in a folder, in an environment
    of its own too, for that of the tests may have a library"""
    code = "import sciara; print(sciara.library_path)"
    packages = pathlib.Path(numpy.__file__).parents[1]
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("SCIARA", "LD_", "BUILD"))}
    return subprocess.run(
        [environment_of(folder) / "bin" / "python", "-c", code],
        env={**clean, "PYTHONPATH": f"{folder}:{packages}", **environment},
        cwd=folder,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def copy(tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the package far from any library"""
    package = pathlib.Path(sciara.__file__).parent
    ignored = shutil.ignore_patterns("*.so*")
    folder = tmp_path / "tree" / "python"
    shutil.copytree(package, folder / "sciara", ignore=ignored)
    venv.create(environment_of(folder), symlinks=True)
    return folder


def test_named_by_the_environment(copy: pathlib.Path) -> None:
    done = imported(copy, SCIARA_LIBRARY=library())
    assert (done.returncode, done.stdout.strip()) == (0, library())


def test_what_is_named_is_not_replaced(copy: pathlib.Path) -> None:
    shutil.copy(library(), copy / "sciara" / "libsciara.so.0")
    done = imported(copy, SCIARA_LIBRARY="/nowhere/libsciara.so.0")
    assert done.returncode == 1
    assert "/nowhere/libsciara.so.0" in done.stderr


def test_beside_the_package(copy: pathlib.Path) -> None:
    beside = copy / "sciara" / "libsciara.so.0"
    shutil.copy(library(), beside)
    done = imported(copy)
    assert (done.returncode, done.stdout.strip()) == (0, str(beside)), done.stderr


def test_in_the_environment(copy: pathlib.Path) -> None:
    installed = environment_of(copy) / "lib" / "libsciara.so.0"
    shutil.copy(library(), installed)
    done = imported(copy)
    assert (done.returncode, done.stdout.strip()) == (0, str(installed)), done.stderr


def test_by_the_loader_of_the_system(copy: pathlib.Path) -> None:
    done = imported(copy, LD_LIBRARY_PATH=os.path.dirname(library()))
    assert (done.returncode, done.stdout.strip()) == (0, "libsciara.so.0"), done.stderr


@pytest.mark.parametrize("build", ["build", "elsewhere"])
def test_in_a_source_tree(copy: pathlib.Path, build: str) -> None:
    tree = copy.parent
    (tree / "include").mkdir()
    (tree / "include" / "sciara.h").touch()
    (tree / build / "lib").mkdir(parents=True)
    built = tree / build / "lib" / "libsciara.so.0"
    shutil.copy(library(), built)
    done = imported(copy, **({} if build == "build" else {"BUILD": build}))
    if done.stdout.strip() == "libsciara.so.0":
        pytest.skip("the library of the system comes first")
    assert (done.returncode, done.stdout.strip()) == (0, str(built)), done.stderr


def test_nowhere(copy: pathlib.Path) -> None:
    done = imported(copy)
    if done.returncode == 0:
        pytest.skip("the library of the system is found")
    last = done.stderr.strip().split("\n")[-1]
    assert last.startswith("ImportError: sciara: cannot load the library libsciara.so.0")
    assert "build it with make" in last and "SCIARA_LIBRARY" in last


def test_another_library_of_that_name(copy: pathlib.Path) -> None:
    import _ctypes

    done = imported(copy, SCIARA_LIBRARY=_ctypes.__file__)
    assert done.returncode == 1
    assert "sciara_version" in done.stderr.strip().split("\n")[-1]


@pytest.mark.parametrize("begun", [False, True])
def test_forked(volcano: pathlib.Path, begun: bool) -> None:
    """A child of a process that has used the library is refused what would wait for ever; one of a process
    that has not computes, and what it inherits goes on"""
    code = f"""
import os, sys
import sciara
path = {str(volcano)!r}
simulation = sciara.Case(path).simulation() if {begun} else None
if os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
if simulation:
    print(simulation.advance(5), flush=True)
print(sciara.Case(path).run(max_steps=5).step, flush=True)
"""
    paths = os.pathsep.join([str(pathlib.Path(sciara.__file__).parents[1]), *sys.path])
    child = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert child.stdout == "5\n"
    last = child.stderr.strip().split("\n")[-1]
    refused = last.startswith("sciara.") and "forked" in last and "get_context('spawn')" in last
    assert (child.returncode, refused) == ((1, True) if begun else (0, False)), child.stderr


def test_version() -> None:
    assert sciara.__version__ and sciara.__version__ in program("--version")
    try:
        installed = importlib.metadata.version("sciara")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is not installed")
    assert installed == sciara.__version__.split("+")[0]  # without the commit


def test_variants() -> None:
    variants = sciara.variants()
    names = [v.name for v in variants]
    assert len(names) == len(set(names)) == 7
    said = program("variants")
    for v in variants:
        assert v.name in said
        assert v == sciara.variant(v.name)
        if v.available:
            assert v.built and v.device and v.bytes_per_cell > 0
        else:
            assert v.reason
    reference = sciara.variant("reference")
    assert reference.available and not reference.cuda
    assert sciara.kernels("reference") == []
    with pytest.raises(sciara.InputError, match="nothing"):
        sciara.variant("nothing")


def test_parameters() -> None:
    assert sciara.Parameters() == sciara.Parameters.etna2006()
    assert sciara.Parameters(Pclock=60).Pclock == 60
