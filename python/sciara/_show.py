"""Painting the pictures of a finished run or study again."""

from __future__ import annotations

import ctypes
import os
import pathlib
import warnings
from typing import Any, Optional, Union

from . import _abi, _inputs, _library
from ._progress import Watch
from ._snapshot import Formats, formats_mask


class _Watch(Watch):
    """Collects the paths of painted files. A signal ends the painting after the present picture."""

    def __init__(self) -> None:
        super().__init__(None)
        self.paths: list[pathlib.Path] = []
        self.notes: list[str] = []
        self.function = _abi.SHOW_FUNCTION(self._painted)

    def _painted(self, now: Any, _user: Any) -> int:
        path, note = now.contents.path, now.contents.note
        try:
            self.paths.append(pathlib.Path(os.fsdecode(path)))
            if note:
                self.notes.append(f"{self.paths[-1]}: {_library.text(note)}")
        except BaseException as error:
            self._raise_later(error)
        return int(self._raised is not None)


def show(
    folder: Union[str, os.PathLike[str]],
    formats: Formats = ("png",),
    output: Union[str, os.PathLike[str], None] = None,
    only: Optional[str] = None,
    language: Optional[str] = None,
    map_size: Optional[tuple[float, float]] = None,
    map_dpi: Optional[float] = None,
    extent: Optional[tuple[float, float, float, float]] = None,
) -> list[pathlib.Path]:
    """Paints the pictures of the folder of a run or a study again, from its record.zip, and returns
    the paths of the files. Nothing is computed. Only record, layers and tables are read, and no file is removed.

    formats: "png", "svg" and "pdf" for pictures; "kmz", "qgis" and "html" (the report) show the layers; "webp" is
    the animation.
    output: folder of the pictures; None: the same folder. only: the name of a single picture, without its ending.
    language: language of maps and the report, "en", "it", ...; None: as recorded.
    map_size: (width, height) of each map in inches; map_dpi: pixels per inch; None: as recorded.
    extent: (west, south, east, north) of maps, in the CRS of the layers, within the terrain of the record."""
    watch, options = _Watch(), _abi.ShowOptions()
    _library.function("sciara_show_options_init")(ctypes.byref(options), ctypes.sizeof(options))
    options.formats = formats_mask(formats)
    options.output = _inputs.text("output", output)
    options.only = _inputs.text("only", only)
    options.language = _inputs.text("language", language)
    options.map_width_in, options.map_height_in = map_size or (0, 0)
    options.map_dpi = map_dpi or 0
    options.extent[:] = extent or (0, 0, 0, 0)
    options.progress = watch.function
    with watch:
        _library.call("sciara_show", _inputs.text("folder", folder), ctypes.byref(options))
    for note in watch.notes:
        warnings.warn(note, stacklevel=2)
    return watch.paths
