"""Structures and functions of _abi.py are those of sciara.h, as a C compiler reads it."""

from __future__ import annotations

import ctypes
import pathlib
import re
import shutil
import subprocess

import pytest
from conftest import SOURCE

from sciara import _abi

HEADER = SOURCE / "include" / "sciara.h"
STRUCTURES = {
    "sciara_error": _abi.Error,
    "sciara_progress": _abi.Progress,
    "sciara_watcher": _abi.Watcher,
    "sciara_variant": _abi.Variant,
    "sciara_kernel": _abi.Kernel,
    "sciara_parameters": _abi.Parameters,
    "sciara_parameter_score": _abi.ParameterScore,
    "sciara_parameter_set": _abi.ParameterSet,
    "sciara_vent": _abi.Vent,
    "sciara_rate": _abi.Rate,
    "sciara_case_input": _abi.CaseInput,
    "sciara_case_info": _abi.CaseInfo,
    "sciara_options": _abi.Options,
    "sciara_state": _abi.State,
    "sciara_window": _abi.Window,
    "sciara_sum": _abi.Sum,
    "sciara_heat_ledger": _abi.HeatLedger,
    "sciara_ledger": _abi.Ledger,
    "sciara_extent": _abi.Extent,
    "sciara_run_options": _abi.RunOptions,
    "sciara_study_progress": _abi.StudyProgress,
    "sciara_study_options": _abi.StudyOptions,
    "sciara_product": _abi.Product,
    "sciara_overlap": _abi.Overlap,
    "sciara_estimate": _abi.Estimate,
    "sciara_scores": _abi.Scores,
    "sciara_fit_options": _abi.FitOptions,
    "sciara_fit": _abi.Fit,
    "sciara_difference": _abi.Difference,
    "sciara_layer_difference": _abi.LayerDifference,
    "sciara_comparison": _abi.Comparison,
    "sciara_show_progress": _abi.ShowProgress,
    "sciara_show_options": _abi.ShowOptions,
}


def header() -> str:
    return re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)


def test_structures(tmp_path: pathlib.Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("no C compiler")
    lines, expected = [], []
    for name, structure in STRUCTURES.items():
        lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
        expected.append(f"{name} {ctypes.sizeof(structure)}")
        for field, kind in structure._fields_:
            place = f"offsetof(struct {name}, {field}), sizeof(((struct {name} *)0)->{field})"
            lines.append(f'printf("{name}.{field} %zu %zu\\n", {place});')
            offset = getattr(structure, field).offset
            expected.append(f"{name}.{field} {offset} {ctypes.sizeof(kind)}")
    source = tmp_path / "layout.c"
    body = "\n".join(lines)
    source.write_text(f'#include <stdio.h>\n#include "{HEADER}"\nint main(void) {{\n{body}\n}}\n')
    subprocess.run([compiler, str(source), "-o", str(tmp_path / "layout")], check=True)
    said = subprocess.run([str(tmp_path / "layout")], capture_output=True, text=True, check=True)
    assert said.stdout.split("\n")[:-1] == expected


def test_every_structure_and_member() -> None:
    found = re.findall(r"^struct (sciara_\w+) \{(.*?)^\};", header(), re.DOTALL | re.MULTILINE)
    assert {name for name, _ in found} == set(STRUCTURES)
    for name, body in found:
        members = []
        for declaration in filter(None, (part.strip() for part in body.split(";"))):
            words = re.sub(r"\[.*?\]|\*", " ", declaration)
            first, *others = words.split(",")
            members += [first.split()[-1], *(word.strip() for word in others)]
        assert members == [field for field, _ in STRUCTURES[name]._fields_], name


def test_every_function() -> None:
    found = dict(re.findall(r"SCIARA_API [^;(]*?(sciara_\w+)\(([^;]*)\);", header()))
    assert len(found) > 30
    known = dict(_abi.FUNCTIONS)
    known["sciara_sum_value"] = (None, [None])  # not used, because Python has large integers
    assert set(found) == set(known)
    for name, arguments in found.items():
        count = 0 if arguments.strip() == "void" else arguments.count(",") + 1
        assert count == len(known[name][1]), name


def test_enumerations() -> None:
    text = header()

    def members(name: str) -> list[str]:
        found = re.search(rf"enum {name} \{{(.*?)\}}", text, re.DOTALL)
        assert found
        return [member.split("=")[0].strip() for member in found[1].split(",") if member.strip()]

    from sciara import _finished, _progress, _snapshot, _study

    def names(prefix: str, words: object) -> list[str]:
        return [prefix + word.upper().replace(" ", "_") for word in words]  # type: ignore

    assert members("sciara_field") == names("SCIARA_", _snapshot._FIELDS)
    assert [f.number for f in _snapshot._FIELDS.values()] == list(range(8))
    assert members("sciara_phase") == names("SCIARA_", _progress.PHASES)
    assert members("sciara_study_kind") == names("SCIARA_", _study.KINDS)
    formats = [word.replace("gpkg", "geopackage") for _, word in _snapshot._format_names()]
    assert members("sciara_format") == names("SCIARA_", formats)
    assert members("sciara_verdict") == names("SCIARA_", _finished.VERDICTS)
    assert members("sciara_score") == names("SCIARA_", _finished.SCORES)
    assert members("sciara_status") == names(
        "SCIARA_", ["ok", "failed", "input", "device", "cancelled"]
    )
