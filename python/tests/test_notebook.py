"""The cells of docs/python.ipynb run. The committed notebook has their outputs, and nothing of a machine. It is
computed with Etna 2006 if ETNA2006_DIR has the terrain, otherwise with synthetic terrain.

docs/questions.ipynb has no outputs; its cells run here, without a kernel."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import warnings
from typing import Any

import numpy as np
import pytest
from conftest import PROGRAM, SOURCE, library

NOTEBOOK = SOURCE / "docs" / "python.ipynb"


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook["cells"] for output in cell.get("outputs", [])]


def pictures(notebook: Any) -> int:
    return sum("image/jpeg" in output.get("data", {}) for output in outputs(notebook))


def test_committed() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    notebook = json.loads(text)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 5 and [cell["execution_count"] for cell in code] == list(
        range(1, len(code) + 1)
    )
    first = [line for line in "".join(code[0]["source"]).split("\n") if line.strip()]
    assert len(first) == 10  # from case to map in ten lines
    assert pictures(notebook) == 5
    assert not [output for output in outputs(notebook) if output.get("name") == "stderr"]
    assert "SYNTHETIC" not in json.dumps(outputs(notebook))
    assert len(text) < 1_500_000
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    for word in ("/home/", "/root/", "/tmp/", "object at 0x", " at 0x"):
        assert word not in text, word


def test_questions(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = json.loads((SOURCE / "docs" / "questions.ipynb").read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4 and not outputs(notebook)
    monkeypatch.chdir(tmp_path)
    values: dict[str, Any] = {}
    code = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    assert len(code) > 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for cell in code:
            exec(cell, values)
    forecast, here, east = values["forecast"], values["here"], values["east"]
    assert forecast.digest == values["library"].ask().digest != here.digest != east.digest
    assert 0 < len(here.members["member"]) < len(values["members"]["member"])
    assert 0 < values["cells"][1] < values["cells"][0]  # one vent has more certain results than all vents
    assert np.nanmax(np.abs(values["difference"])) > 0
    assert list(values["less"].named_members["name"]) == ["representative"] + 3 * ["area_m2"] + 3 * ["runout_m"]


def test_cells_run(tmp_path: pathlib.Path) -> None:
    if not os.environ.get("THOROUGH"):  # a kernel with its libraries takes longer than all other tests here
        pytest.skip("cells of the notebook: THOROUGH is not set")
    for module in ("nbconvert", "ipykernel", "matplotlib", "rioxarray"):
        if not importlib.util.find_spec(module):
            pytest.skip(f"cells of the notebook: there is no {module}")
    (tmp_path / "docs").mkdir()
    shutil.copy(NOTEBOOK, tmp_path / "docs")
    shutil.copytree(SOURCE / "data", tmp_path / "data", ignore=shutil.ignore_patterns("etna2006"))
    environment = {**os.environ, "SCIARA": PROGRAM, "SCIARA_LIBRARY": library()}
    environment["ETNA2006_URL"] = "http://127.0.0.1:9/nothing"  # nobody answers
    fetch = [str(SOURCE / "tools" / "fetch-etna2006"), str(tmp_path / "data" / "etna2006")]
    subprocess.run(fetch, check=True, env=environment, capture_output=True)

    computed = tmp_path / "docs" / "computed.ipynb"
    copy = tmp_path / "docs" / "python.ipynb"
    command = [str(SOURCE / "tools" / "notebook"), str(copy), str(computed)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    committed = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    notebook = json.loads(computed.read_text(encoding="utf-8"))
    assert pictures(notebook) == pictures(committed)
    if "Etna 2006, University" in json.dumps(outputs(notebook)):
        assert texts(notebook) == texts(committed)


def texts(notebook: Any) -> list[str]:
    """What is printed: volumes, area and digest of Etna 2006, equal to the last digit"""
    return ["".join(o["text"]) for o in outputs(notebook) if o["output_type"] == "stream"]
