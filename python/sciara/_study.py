"""Studies: many runs of one plan."""

from __future__ import annotations

import contextlib
import csv
import ctypes
import io
import json
import os
import pathlib
import sqlite3
import tempfile
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi, _arrays, _inputs, _library
from ._case import Case
from ._errors import CaseWarning
from ._progress import Watch
from ._snapshot import Formats, formats_mask

KINDS = ("ensemble", "pairs", "calibration", "posterior", "sensitivity", "null", "ask", "nowcast")


@dataclass(frozen=True)
class StudyProgress:
    """The progress of a study."""

    stage: str  #: "members", "searching", "unseen noise", "morris", ...
    done: int  #: runs; in a calibration only those of the present population
    all: int  #: number of all these runs
    begun_with: int  #: runs that an earlier process did
    elapsed_s: float
    evaluations: int  #: evaluations of a calibration before the present population
    budget: int  #: the most evaluations; 0: not a calibration
    best: float  #: best score of a calibration; NaN: none yet

    def __str__(self) -> str:
        search = f", evaluation {self.evaluations:,} of {self.budget:,}" if self.budget else ""
        return f"{self.stage}: {self.done:,} of {self.all:,}{search}, {self.elapsed_s:.0f} s"


StudyProgressOption = Union[bool, Callable[[StudyProgress], Optional[bool]], None]


class _Watch(Watch):
    """A watch for studies, which report a StudyProgress"""

    def __init__(self, progress: StudyProgressOption) -> None:
        super().__init__(progress)  # type: ignore[arg-type]
        self.function = _abi.STUDY_FUNCTION(self._reported)

    def _reported(self, now: Any, _user: Any) -> int:
        structure = now.contents
        try:
            if self._raised is None and self.progress is not None:
                values = {name: getattr(structure, name) for name, _ in structure._fields_}
                values["stage"] = _library.text(structure.stage)
                if self.progress(StudyProgress(**values)):  # type: ignore[arg-type]
                    return 1
        except BaseException as error:
            self._raise_later(error)
        return int(self._raised is not None)


@dataclass(frozen=True)
class Product:
    """A layer or a table of a study."""

    name: str  #: name of the file: "probability.tif", "members.csv"
    unit: str  #: unit of a layer; "": a pure number
    about: str  #: description of a layer, one line
    layer: bool  #: True: a layer; False: a table


class Plan(_library.Handle):
    """A case file that also describes what is uncertain, fitted or varied (docs/formats/plans.md).
    Each method computes a study of it and returns the result:

        forecast = sciara.Plan("plan.cfg").ensemble(progress=True)
        forecast.probability.plot()     # a layer: an xarray.DataArray if xarray is installed
        forecast.members                # a table: a pandas.DataFrame if pandas is installed

    All methods have these arguments. folder: the folder of state and files. resume: True: continue
    from the state in the folder. threads: number of threads; 0: all. devices: numbers of GPUs;
    (): only processors; None: a GPU if there is one. formats: formats of files, in addition to PNG.
    layers, extent: further files, and what layers show, as in `Case.run`. progress: True, or a function
    of a StudyProgress; if it returns True, the study raises Cancelled."""

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        self.path = pathlib.Path(path)
        self._folder: object = None  # keeps a temporary folder alive

    def ensemble(
        self, *, until_error: Optional[float] = None, keep: bool = False, **common: Any
    ) -> Study:
        """All members and their statistics. until_error: stop at this standard error. keep: keep all
        members in `.library`, for questions. Without a folder the library exists as long as the study."""
        error = -1.0 if until_error is None else until_error
        return Study(self, 0, common, until_error=error, keep=keep)

    def pairs(self, **common: Any) -> Study:
        """Each member with the barriers of the plan and without them"""
        return Study(self, 1, common)

    def calibrate(
        self, *, evaluations: int = 0, seed: int = -1, hold_out: bool = False, **common: Any
    ) -> Study:
        """The parameters that agree best with the observations: `.best` is a case"""
        return Study(self, 2, common, evaluations=evaluations, seed=seed, hold_out=hold_out)

    def posterior(
        self, *, evaluations: int = 0, seed: int = -1, hold_out: bool = False, **common: Any
    ) -> Study:
        """A weighted sample of all parameters that agree well enough: `.forecast` is a plan"""
        return Study(self, 3, common, evaluations=evaluations, seed=seed, hold_out=hold_out)

    def sensitivity(
        self,
        *,
        method: Optional[str] = None,
        samples: int = 0,
        trajectories: int = 0,
        seed: int = -1,
        **common: Any,
    ) -> Study:
        """The effect of each parameter; method: "morris", "sobol" or "both" """
        if method not in (None, "morris", "sobol", "both"):
            raise ValueError(f"method: {method!r}; choose morris, sobol or both")
        chosen = {name: method in (name, "both") for name in ("morris", "sobol")}
        return Study(
            self, 4, common, samples=samples, trajectories=trajectories, seed=seed, **chosen
        )

    def null(self, **common: Any) -> Study:
        """The null model: steepest paths, with a length and a half width that fit the outline. A case
        is enough for it."""
        return Study(self, 5, common)

    def nowcast(
        self,
        library: Union[str, os.PathLike[str], Library],
        *,
        now_s: Optional[float] = None,
        assets: Union[str, os.PathLike[str], None] = None,
        members: bool = False,
        **common: Any,
    ) -> Study:
        """The members that an ensemble of the plan kept in `library`, weighted by the plan's
        observations of a continuing eruption. now_s: later observations do not count; None: all count.
        assets: a file with other places of interest. members: list members to look at in
        `.named_members`."""
        path = library.path if isinstance(library, Library) else library
        texts: dict[str, Any] = {"library": _inputs.text("library", path)}
        texts["assets"] = _inputs.text("assets", assets)
        until = -1.0 if now_s is None else now_s
        return Study(self, 7, common, **texts, now_s=until, members=bool(members))

    def __repr__(self) -> str:
        return f"<sciara.Plan {str(self.path)!r}>"


class Library(_library.Handle):
    """The members that an ensemble kept (library.gpkg), for questions. plan: the present path of
    the plan, if it has moved."""

    def __init__(
        self,
        path: Union[str, os.PathLike[str]],
        *,
        plan: Union[str, os.PathLike[str], None] = None,
    ) -> None:
        self.path, self.plan = pathlib.Path(path), plan
        self._folder: object = None  # keeps a temporary folder alive

    def ask(
        self,
        *,
        where: Optional[str] = None,
        vents: Union[str, os.PathLike[str], None] = None,
        classes: Union[str, os.PathLike[str], None] = None,
        assets: Union[str, os.PathLike[str], None] = None,
        given: Union[str, os.PathLike[str], None] = None,
        at_s: float = 0,
        compare: Union[str, os.PathLike[str], None] = None,
        exposed: Union[str, os.PathLike[str], None] = None,
        members: bool = False,
        **common: Any,
    ) -> Study:
        """The ensemble of the members for which `where` is true. where: an SQL expression on the
        columns of `.members`. vents, classes: files with other weights. assets: a file with other
        places of interest. given: an outline observed at the time at_s, for `overlap()` and
        `apart_m()` in `where`. compare: another condition, or the folder of an answer, for
        `.probability_difference`. exposed: an attribute of the places or a raster, to be summed up in
        `.exposed`. members: list members to look at in `.named_members`. folder, formats, extent and
        progress are as for the studies of a `Plan`."""
        asked = {"of_plan": self.plan, "where": where, "vents": vents, "classes": classes}
        asked |= {"assets": assets, "given": given, "compare": compare, "exposed": exposed}
        texts: dict[str, Any] = {name: _inputs.text(name, value) for name, value in asked.items()}
        return Study(self, 6, common, **texts, at_s=at_s, members=bool(members))

    @property
    def members(self) -> Any:
        """The draws, the outcome and the outline of each member, as a geopandas.GeoDataFrame if
        geopandas is installed; otherwise, without outlines, as a pandas.DataFrame or a dict of arrays"""
        geopandas = _arrays._module("geopandas")
        if geopandas:
            frame = geopandas.read_file(self.path, layer="members").drop(columns="result")
            return frame.sort_values("member", ignore_index=True)
        address = self.path.absolute().as_uri() + "?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as file:
            names = [row[1] for row in file.execute("PRAGMA table_info(members)")]
            names = [name for name in names if name not in ("result", "geom")]
            words = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
            rows = file.execute(f"SELECT {words} FROM members ORDER BY member").fetchall()
        return _frame({name: _values([row[i] for row in rows]) for i, name in enumerate(names)})

    def __repr__(self) -> str:
        return f"<sciara.Library {str(self.path)!r}>"


class Study(_library.Handle):
    """The result of a study; made by the methods of `Plan` and `Library.ask`.

    Its layers and tables are attributes with the names of their files, without the ending:
    `study.probability`, `study.members`. `study["sobol_ST_Phc(Tvent)"]` works for any name."""

    def __init__(self, plan: Union[Plan, Library], kind: int, common: dict[str, Any], **given: Any) -> None:
        self.plan, self.kind = plan, KINDS[kind]
        self.keep = bool(given.get("keep"))
        options = _abi.StudyOptions()
        _library.function("sciara_study_options_init")(
            ctypes.byref(options), ctypes.sizeof(options)
        )
        for name, value in given.items():
            setattr(options, name, value)
        watch = self._take(options, **common)
        self._study = _library.Object("sciara_study_close")
        with watch:
            _library.call(
                "sciara_study_open",
                self._study.new(),
                kind,
                _inputs.text("path", plan.path),
                ctypes.byref(options),
            )
            self._info = info = _abi.CaseInfo()
            _library.function("sciara_study_info")(self._study.pointer, ctypes.byref(info))
            _library.call("sciara_study_run", self._study.pointer)
        crs = f"EPSG:{info.epsg}" if info.epsg else None
        self.grid = _arrays.Grid(info.rows, info.cols, info.cell_m, info.west_m, info.south_m, crs)
        if info.warning:
            warnings.warn(_library.text(info.warning), CaseWarning, stacklevel=4)
        self._written = False
        if self.folder is not None and not self._temporary:
            self.write()

    def _take(
        self,
        options: _abi.StudyOptions,
        *,
        folder: Union[str, os.PathLike[str], None] = None,
        resume: bool = False,
        threads: int = 0,
        devices: Optional[Sequence[int]] = None,
        formats: Formats = (),
        layers: Union[str, Iterable[str]] = (),
        extent: Optional[str] = None,
        progress: StudyProgressOption = None,
    ) -> _Watch:
        self._temporary: Optional[tempfile.TemporaryDirectory[str]] = None
        if folder is None and (self.keep or self.kind in ("calibration", "posterior")):
            self._temporary = tempfile.TemporaryDirectory(prefix="sciara-")
            folder = os.path.join(self._temporary.name, "study")
        self.folder = None if folder is None else pathlib.Path(folder)
        watch = _Watch(progress)
        if devices is not None:
            numbers = (ctypes.c_int * len(devices))(*devices)
            options.devices, options.device_count = numbers, len(devices)
        options.folder = _inputs.text("folder", folder)
        options.resume = resume
        options.threads = _inputs.integer("threads", threads, 32)
        options.formats = formats_mask(formats)
        options.layers = _inputs.words("layers", layers)
        options.extent = _inputs.extent(extent)
        options.progress = watch.function
        self._kept = options, watch
        return watch

    # ---- results ---------------------------------------------------------------------------------

    @property
    def products(self) -> list[Product]:
        """The layers and tables"""
        found: list[Product] = []
        product, function = _abi.Product(), _library.function("sciara_study_product")
        while not function(self._study.pointer, len(found), ctypes.byref(product), None):
            name, unit, about = (
                _library.text(value) for value in (product.name, product.unit, product.about)
            )
            found.append(Product(name, unit, about, bool(product.layer)))
        return found

    def array(self, name: str) -> NDArray[np.float32]:
        """A layer as a numpy array; NaN: no value"""
        out = np.empty(self.grid.shape, np.float32)
        address = out.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        _library.call(
            "sciara_study_layer", self._study.pointer, f"{name}.tif".encode(), address, out.size
        )
        return out

    def text(self, name: str) -> str:
        """A table as the text of its file: text("members.csv")"""
        address = ctypes.c_void_p()
        _library.call(
            "sciara_study_table", self._study.pointer, name.encode(), ctypes.byref(address)
        )
        try:
            return ctypes.string_at(address.value or 0).decode()
        finally:
            _library.function("sciara_text_free")(address)

    def table(self, name: str) -> Any:
        """A table as a pandas.DataFrame if pandas is installed, else as a dict of arrays by column"""
        rows = list(csv.reader(io.StringIO(self.text(f"{name}.csv"))))
        columns = {
            title: _column([row[i] for row in rows[1:]]) for i, title in enumerate(rows[0])
        }
        return _frame(columns)

    def __getitem__(self, name: str) -> Any:
        for product in self.products:
            if product.name == f"{name}.tif":
                attributes = {"units": product.unit or "1", "long_name": product.about}
                return self.grid.labelled(self.array(name), name, attributes)
            if product.name == f"{name}.csv":
                return self.table(name)
        raise KeyError(f"{name}: the {self.kind} has no such layer or table; see products")

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and "_written" in self.__dict__:
            try:
                return self[name]
            except KeyError:
                pass
        return super().__getattr__(name)

    @property
    def digest(self) -> str:
        """Digest of the plan and all results, as the program prints it; "" for a calibration"""
        digest = _library.function("sciara_study_digest")(self._study.pointer)
        return f"{digest:016x}" if digest else ""

    @property
    def summary(self) -> dict[str, Any]:
        """The content of summary.json"""
        summary: dict[str, Any] = json.loads(self.text("summary.json"))
        return summary

    def write(self) -> None:
        """Writes all files to the folder again"""
        _library.call("sciara_study_write", self._study.pointer)
        self._written = True

    def _path(self, name: str) -> pathlib.Path:
        if not self._written:
            self.write()
        assert self.folder is not None
        return self.folder / name

    @property
    def best(self) -> Case:
        """For a calibration: the case with the best parameters"""
        if self.kind != "calibration":
            return self.__getattr__("best")  # type: ignore[no-any-return]
        return Case(self._path("best.cfg"))

    @property
    def forecast(self) -> Plan:
        """For a posterior: a plan with its members"""
        if self.kind != "posterior":
            return self.__getattr__("forecast")  # type: ignore[no-any-return]
        plan = Plan(self._path("forecast.cfg"))
        plan._folder = self._temporary
        return plan

    @property
    def library(self) -> Library:
        """For an ensemble with keep=True: its members, for questions"""
        if not self.keep:
            return self.__getattr__("library")  # type: ignore[no-any-return]
        assert self.folder is not None
        library = Library(self.folder / "library.gpkg")
        library._folder = self._temporary
        return library

    def __repr__(self) -> str:
        return f"<sciara.Study: {self.kind} of {str(self.plan.path)!r}>"


def _frame(columns: dict[str, NDArray[Any]]) -> Any:
    pandas = _arrays._module("pandas")
    return columns if pandas is None else pandas.DataFrame(columns)


def _values(of: list[Any]) -> NDArray[Any]:
    """A column of SQLite as an array. NULL becomes "" among texts, NaN among numbers."""
    if any(isinstance(value, str) for value in of):
        return np.array(["" if value is None else str(value) for value in of])
    if None in of:
        return np.array([np.nan if value is None else float(value) for value in of])
    return np.array(of)


def _column(texts: list[str]) -> NDArray[Any]:
    """A column as integers if possible, else as numbers with NaN for empty cells, else as texts"""
    try:
        return np.array([int(text) for text in texts])
    except (ValueError, OverflowError):
        pass
    try:
        return np.array([float(text) if text else np.nan for text in texts])
    except ValueError:
        return np.array(texts)
