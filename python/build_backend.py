"""Builds the package with setuptools from a copy of the source tree, because setuptools writes build/ and *.egg-info
beside the files that it reads."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from typing import Any, Iterator

from setuptools import build_meta

FILES = ("pyproject.toml", "build_backend.py", "README.md", "sciara")


@contextlib.contextmanager
def _copy() -> Iterator[None]:
    here = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="sciara-python-") as folder:
        for name in FILES:
            if os.path.isdir(name):
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(name, os.path.join(folder, name), ignore=ignored)
            else:
                shutil.copy(name, folder)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    return []


def get_requires_for_build_sdist(config_settings: Any = None) -> list[str]:
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Any = None) -> str:
    metadata_directory = os.path.abspath(metadata_directory)
    with _copy():
        return build_meta.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    wheel_directory = os.path.abspath(wheel_directory)
    with _copy():
        return build_meta.build_wheel(wheel_directory, config_settings)


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    sdist_directory = os.path.abspath(sdist_directory)
    with _copy():
        return build_meta.build_sdist(sdist_directory, config_settings)
