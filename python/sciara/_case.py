"""The input of a computation: a case file with all files that it names, or arrays."""

from __future__ import annotations

import ctypes
import dataclasses
import os
import time
import warnings
from typing import TYPE_CHECKING, Any, Iterable, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _abi, _arrays, _inputs, _library
from ._errors import CaseWarning, InputError
from ._inputs import ParameterSet, Parameters, RateLike, Vent, VentLike
from ._progress import ProgressOption, Watch
from ._simulation import Simulation

if TYPE_CHECKING:
    from ._arrays import LabelledArray
    from ._snapshot import Formats, Run


EMISSION = ("integral", "published")  # enum sciara_emission


class Case(_library.Constant):
    """A case: terrain, vents, rates, parameters. It is constant, and any number of simulations
    can use it at the same time.

    `Case(path)` reads a case file (docs/formats.md) with all files that it names.
    `Case.from_arrays(...)` makes a case from arrays. `Case(plan, member=137)` is member 137 of an
    ensemble's plan, with the bits that it has in the ensemble; members are numbered from 0.
    `arithmetic="published"` computes as the published program does, on the CPU. `progress` and all
    errors are as in `Case.run`. A probable mistake in the case is a `CaseWarning`."""

    def __init__(
        self,
        path: Union[str, os.PathLike[str]],
        *,
        member: Optional[int] = None,
        arithmetic: Optional[str] = None,
        progress: ProgressOption = None,
    ) -> None:
        begin = time.perf_counter()
        if member is not None and arithmetic not in (None, "exact"):
            raise InputError("arithmetic: members of an ensemble are computed exactly; leave it out")
        watch = Watch(progress)
        case = _library.Object("sciara_case_free")
        with watch:
            _library.call(
                "sciara_case_load" if member is None else "sciara_case_load_member",
                case.new(),
                _inputs.text("path", path),
                _inputs.text("arithmetic", arithmetic)
                if member is None
                else _inputs.integer("member", member, 64),
                ctypes.byref(watch.watcher),
            )
        self._adopt(case, time.perf_counter() - begin)

    def _adopt(self, case: _library.Object, load_s: float) -> None:
        self._case = case
        self._load_s = load_s
        self._info = info = _abi.CaseInfo()
        _library.function("sciara_case_info")(case.pointer, ctypes.byref(info))
        crs = f"EPSG:{info.epsg}" if info.epsg else None
        self.grid = _arrays.Grid(info.rows, info.cols, info.cell_m, info.west_m, info.south_m, crs)
        if self.warning:
            warnings.warn(f"{self.title}: {self.warning}", CaseWarning, stacklevel=3)

    @classmethod
    def from_arrays(
        cls,
        elevation: Any,
        *,
        vents: Iterable[VentLike] = (),
        rates: Iterable[RateLike] = (),
        parameters: Union[Parameters, ParameterSet, str, None] = None,
        cell: Optional[float] = None,
        west: Optional[float] = None,
        south: Optional[float] = None,
        crs: Any = None,
        max_steps: int = 0,
        run_h: float = 0.0,
        stop_below: float = 0.0,
        thickness: Any = None,
        temperature: Any = None,
        solidified: Any = None,
        first_step: int = 0,
        reduce_every: int = 0,
        emission: str = "integral",
        vent_radius: float = 0.0,
        calibrated_cell: float = 0.0,
        calibrated_clock: float = 0.0,
        name: Optional[str] = None,
        title: Optional[str] = None,
        start_time: Optional[str] = None,
        terrain_source: Optional[str] = None,
        outline: Union[str, os.PathLike[str], None] = None,
    ) -> Case:
        """Makes a case from arrays, which are copied.

        elevation: m, rows from the north, columns from the west; NaN or masked: no data. An
        xarray.DataArray with coordinates x and y, the centres of cells in either direction, provides
        cell, west, south and, with rioxarray, crs.
        vents, rates: `Vent` and `Rate` objects, or tuples of their values in order.
        parameters: `Parameters`; or a set or its name, which also provides calibrated_cell and
        calibrated_clock, so that its Pclock is scaled for cells of another size; None: the parameters
        published for Etna 2006.
        cell, west, south: side of a cell and outer corner of the south-west cell, in m.
        crs: "EPSG:32633", 32633, or a CRS of pyproj or rasterio: projected, in metres.
        max_steps, run_h: end of the run as a number of steps, or in hours; 0: no limit. Give at most
        one of them. stop_below: m; the run ends when mobile thicknesses sum up to at most this.
        thickness, temperature, solidified: initial lava, in m, K and m; masked or NaN: none.
        vent_radius: m; if a vent would emit 2 m or more into a cell in a step, its lava is spread over
        cells up to this distance.
        emission: "integral", or "published": the rate at the end of each step (docs/formats.md).
        calibrated_cell: m; side of the cells for which the parameters were calibrated. Pcool is scaled
        for other cells (docs/model.md, 2.7); 0: not known. calibrated_clock: s; Pclock of the
        calibration; 0: Pclock of parameters.
        Other arguments are as in struct sciara_case_input of sciara.h.
        """
        begin = time.perf_counter()
        ground = _arrays.terrain(elevation)
        cell = ground.cell if cell is None else float(cell)
        if cell is None:
            raise InputError("elevation: its cells have no size; give cell, their side in m")
        west = ground.west if west is None else float(west)
        south = ground.south if south is None else float(south)
        rows, cols = ground.values.shape
        west, south = west or 0.0, south or 0.0
        place = _arrays.Grid(rows, cols, cell, west, south, None)

        entry = _abi.CaseInput()
        _library.function("sciara_case_input_init")(ctypes.byref(entry), ctypes.sizeof(entry))
        entry.rows, entry.cols, entry.cell_m, entry.west_m, entry.south_m = (
            *place.shape,
            cell,
            west,
            south,
        )
        code = _arrays.epsg_of(ground.crs if crs is None else crs)
        entry.epsg = _inputs.integer("crs", code, 32)
        for key, text in (
            ("name", name),
            ("title", title),
            ("start_time", start_time),
            ("terrain_source", terrain_source),
            ("outline", outline),
        ):
            setattr(entry, key, _inputs.text(key, text))
        if isinstance(parameters, str):
            parameters = _inputs.parameter_set(parameters)
        if isinstance(parameters, ParameterSet):
            given, parameters = parameters, parameters.parameters
            calibrated_cell = calibrated_cell or given.calibrated_cell
            if not calibrated_clock:  # scaled with the cell, by the library
                calibrated_clock = parameters.Pclock
                parameters = dataclasses.replace(parameters, Pclock=0.0)
        values = dataclasses.astuple(Parameters.etna2006() if parameters is None else parameters)
        entry.parameters = _abi.Parameters(*values)

        layers = {"elevation_m": ground.values}
        for key, layer in (
            ("thickness_m", thickness),
            ("temperature_K", temperature),
            ("solidified_m", solidified),
        ):
            if layer is not None:
                layers[key] = _lava(key.split("_")[0], layer, ground)
        for key, array in layers.items():
            setattr(entry, key, array.ctypes.data)
        cells = [_inputs.vent_of(vent, place) for vent in _inputs.listed("vents", vents)]
        entry.vents = (_abi.Vent * max(len(cells), 1))(*cells)
        entry.vent_count = len(cells)
        intervals = [_inputs.rate_of(rate) for rate in _inputs.listed("rates", rates)]
        entry.rates = (_abi.Rate * max(len(intervals), 1))(*intervals)
        entry.rate_count = len(intervals)
        entry.first_step = _inputs.integer("first_step", first_step)
        entry.max_steps = _inputs.integer("max_steps", max_steps)
        entry.reduce_every = _inputs.integer("reduce_every", reduce_every)
        entry.run_h = run_h
        entry.vent_radius_m = vent_radius
        entry.stop_below_m = stop_below
        if emission not in EMISSION:
            raise InputError(f"emission: {emission!r} is neither of {', '.join(EMISSION)}")
        entry.emission = EMISSION.index(emission)
        entry.calibrated_cell_m = calibrated_cell
        entry.calibrated_clock_s = calibrated_clock

        case = _library.Object("sciara_case_free")
        _library.call("sciara_case_create", case.new(), ctypes.byref(entry))
        self = cls.__new__(cls)
        self._adopt(case, time.perf_counter() - begin)
        return self

    # ---- properties ---------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the case, used in file names"""
        return _library.text(self._info.name)

    @property
    def title(self) -> str:
        """Title, for maps"""
        return _library.text(self._info.title)

    @property
    def path(self) -> Optional[str]:
        """Path of the case file; None if made from arrays"""
        return os.fsdecode(self._info.path or b"") or None

    @property
    def terrain_source(self) -> str:
        """Source of the terrain; begins with SYNTHETIC TERRAIN if it is synthetic"""
        return _library.text(self._info.terrain_source)

    @property
    def notice(self) -> Optional[str]:
        """Notes on how the case was read; None: there are none"""
        return _library.text(self._info.notice) or None

    @property
    def warning(self) -> Optional[str]:
        """Doubts about the input or the results; None: there are none"""
        return _library.text(self._info.warning) or None

    @property
    def synthetic(self) -> bool:
        """Whether the terrain is synthetic"""
        return bool(self._info.synthetic)

    @property
    def start_time(self) -> Optional[str]:
        """Start of the eruption, UTC, as "2006-07-14T22:00"; None: not known"""
        return _library.text(self._info.start_time) or None

    @property
    def outline(self) -> Optional[str]:
        """Path of the observed outline; None: there is none"""
        return os.fsdecode(self._info.outline or b"") or None

    @property
    def published(self) -> bool:
        """Whether the case was loaded for the arithmetic of the published program"""
        return bool(self._info.published)

    @property
    def rows(self) -> int:
        return self.grid.rows

    @property
    def cols(self) -> int:
        return self.grid.cols

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, columns"""
        return self.grid.shape

    @property
    def cell(self) -> float:
        """Side of a cell, m"""
        return self.grid.cell

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north: outer edges, m"""
        return self.grid.bounds

    @property
    def x(self) -> NDArray[np.float64]:
        """x of the centres of the columns, m"""
        return self.grid.x

    @property
    def y(self) -> NDArray[np.float64]:
        """y of the centres of the rows, from the north, m"""
        return self.grid.y

    @property
    def crs(self) -> Optional[str]:
        """CRS as "EPSG:32633"; None: not known, or without a code (see crs_name)"""
        return self.grid.crs

    @property
    def crs_name(self) -> Optional[str]:
        """Readable name of the CRS; None: not known"""
        return _library.text(self._info.crs_name) or None

    @property
    def parameters(self) -> Parameters:
        """The parameters as given, but with the Pclock that steps have"""
        return Parameters.of(self._info.parameters)

    @property
    def parameter_set(self) -> Optional[str]:
        """The set of parameters that the case file names; None: none"""
        return _library.text(self._info.parameter_set or b"") or None

    @property
    def calibrated_cell(self) -> Optional[float]:
        """Side of the cells for which the parameters were calibrated, m; None: not known"""
        return float(self._info.calibrated_cell_m) or None

    @property
    def scaled_Pcool(self) -> float:
        """Pcool of the steps: scaled for cells of this size"""
        return float(self._info.Pcool_scaled)

    @property
    def proposed_Pclock(self) -> Optional[float]:
        """s: the step with which a front can move as fast as on the cells of the calibration; None:
        none is proposed"""
        return float(self._info.Pclock_proposed) or None

    @property
    def vents(self) -> list[Vent]:
        """The cells that emit"""
        return [self._vent(i)[0] for i in range(self._info.vent_count)]

    @property
    def vent_volumes(self) -> list[float]:
        """Total volume that each vent emits, m3"""
        return [self._vent(i)[1] for i in range(self._info.vent_count)]

    def _vent(self, i: int) -> tuple[Vent, float]:
        vent, volume = _abi.Vent(), ctypes.c_double()
        _library.function("sciara_case_vent")(
            self._case.pointer, i, ctypes.byref(vent), ctypes.byref(volume)
        )
        return Vent(vent.id, vent.row, vent.col), volume.value

    @property
    def volume(self) -> float:
        """Total volume that the vents emit, m3"""
        return float(self._info.volume_m3)

    @property
    def volume_asked(self) -> float:
        """Total volume that the rates request, m3; with the published rule `volume` differs"""
        return float(self._info.asked_m3)

    @property
    def emission(self) -> str:
        """Rule of emission: "integral" or "published" (docs/formats.md)"""
        return EMISSION[self._info.emission]

    def volumes(self, first_step: int, last_step: int) -> tuple[float, float]:
        """Two volumes in m3: the one that the rates request, and the one that the steps emit, from
        step first_step + 1 to last_step"""
        asked, emitted = ctypes.c_double(), ctypes.c_double()
        _library.function("sciara_case_volume")(
            self._case.pointer,
            _inputs.integer("first_step", first_step),
            _inputs.integer("last_step", last_step),
            ctypes.byref(asked),
            ctypes.byref(emitted),
        )
        return asked.value, emitted.value

    @property
    def first_step(self) -> int:
        """Steps done before the initial state"""
        return int(self._info.first_step)

    @property
    def max_steps(self) -> Optional[int]:
        """Last step; None: no limit"""
        return int(self._info.max_steps) or None

    @property
    def stop_below(self) -> Optional[float]:
        """m: the run ends after the eruption when mobile thicknesses sum up to at most this"""
        value = float(self._info.stop_below_m)
        return value if value >= 0 else None

    @property
    def reduce_every(self) -> int:
        """Steps between reductions of mobile lava"""
        return int(self._info.reduce_every)

    @property
    def snapshot_every(self) -> Optional[int]:
        """Steps between files, as in the case; None: only at the end"""
        return int(self._info.snapshot_every) or None

    @property
    def last_vent_step(self) -> int:
        """Last step that emits lava; 0: none"""
        return int(self._info.last_vent_step)

    # ---- its arrays ------------------------------------------------------------------------------

    def array(self, name: str) -> Optional[NDArray[np.float64]]:
        """"elevation", "thickness", "temperature" or "solidified" at the beginning, as a read-only
        view; None: the case has no such array"""
        key = {"temperature": "temperature_K"}.get(name, name + "_m")
        if name not in ("elevation", "thickness", "temperature", "solidified"):
            raise InputError(f"array: {name!r} is no array of a case")
        if not self._info.elevation_m:  # a large terrain has not been read yet
            _library.call("sciara_case_read_terrain", self._case.pointer)
            _library.function("sciara_case_info")(self._case.pointer, ctypes.byref(self._info))
        return _arrays.view(getattr(self._info, key), self.shape, np.float64, self._case)

    @property
    def elevation(self) -> LabelledArray:
        """m; NaN: no data. An xarray.DataArray if xarray is installed, else a numpy array"""
        array = self.array("elevation")
        assert array is not None
        attributes = {"units": "m", "long_name": "elevation", "terrain": self.terrain_source}
        return self.grid.labelled(array, "elevation", attributes)

    # ---- computing it ----------------------------------------------------------------------------

    def simulation(
        self,
        variant: str = "auto",
        *,
        device: int = 0,
        threads: int = 0,
        full_domain: bool = False,
        max_steps: int = 0,
        stop_below: Optional[float] = None,
        from_state: Union[str, os.PathLike[str], None] = None,
        changed: bool = False,
        new_terrain: Optional[str] = None,
        progress: ProgressOption = None,
    ) -> Simulation:
        """Makes a simulation at the first step, with all the memory that it needs.

        variant: a name in `sciara.variants()`; "auto": the fastest that this machine can run.
        device: number of the CUDA device, from 0. threads: threads of the CPU variant; 0: all.
        full_domain: compute every cell in every step, not only cells with lava.
        max_steps, stop_below: limits as in `from_arrays`; 0 and None: as in the case.
        from_state: a file of `Snapshot.save` or of `sciara run --state`. The simulation resumes from it,
        with the bits of an uninterrupted one.
        changed: the case may differ from the case of the state in vents, rates or parameters.
        new_terrain: with changed, the terrain of the case is a later survey and replaces the terrain of
        the state; "with_lava": it includes the lava that has solidified, "without_lava": it does not.
        progress: True for a line on the standard error stream; or a function that is called with a
        `Progress` several times a second, and cancels by returning True.
        """
        options = _abi.Options()
        _library.function("sciara_options_init")(ctypes.byref(options), ctypes.sizeof(options))
        options.variant = _inputs.text("variant", variant)
        options.device = _inputs.integer("device", device, 32)
        options.threads = _inputs.integer("threads", threads, 32)
        options.full_domain = bool(full_domain)
        options.max_steps = _inputs.integer("max_steps", max_steps)
        options.stop_below_m = -1.0 if stop_below is None else stop_below
        options.from_state = _inputs.text("from_state", from_state)
        options.changed = bool(changed)
        if new_terrain is not None:
            kinds = {"with_lava": 1, "without_lava": 2}
            if new_terrain not in kinds:
                raise InputError(f"new_terrain: is {new_terrain!r}; give {' or '.join(kinds)}")
            options.new_terrain = kinds[new_terrain]
        return Simulation(self, options, Watch(progress))

    def run(
        self,
        variant: str = "auto",
        *,
        folder: Union[str, os.PathLike[str], None] = None,
        formats: Formats = ("geotiff", "png"),
        layers: Union[str, Iterable[str]] = (),
        every: Union[int, str, None] = None,
        extent: Optional[str] = None,
        device: int = 0,
        threads: int = 0,
        full_domain: bool = False,
        max_steps: int = 0,
        stop_below: Optional[float] = None,
        progress: ProgressOption = None,
    ) -> Run:
        """Computes the whole case and returns its last state with the summary.

        folder: output folder, with the files of `sciara run --output`; None: no files.
        formats: words of `sciara run --format`, such as "geotiff", "netcdf" and "html" (a report for
            the browser). The error for an unknown word lists all.
        layers: words of `sciara run --layers`, such as "temperature_K", or "all": files in addition to
            the usual ones. Arrays in memory do not depend on them.
        every: also write files every this many steps, or "6h" of simulated time (s, min, h, d);
            0: only at the end; None: as in the case.
        extent: what layers and maps show: "flow", the flow with a margin, or "full", the whole
            domain; None: the flow in a domain of more than 2^20 cells.
        Other arguments are as in `simulation`.

        Ctrl-C ends the run within a second, after the results so far have been written.
        """
        with self.simulation(
            variant,
            device=device,
            threads=threads,
            full_domain=full_domain,
            max_steps=max_steps,
            stop_below=stop_below,
            progress=progress,
        ) as simulation:
            return simulation.run(
                folder=folder, formats=formats, layers=layers, every=every, extent=extent
            )

    def __repr__(self) -> str:
        crs = f", {self.crs}" if self.crs else ""
        size = f"{self.rows} x {self.cols} cells of {self.cell:g} m"
        return f"<sciara.Case {self.title!r}: {size}{crs}>"


def _lava(what: str, layer: ArrayLike, ground: _arrays.Terrain) -> NDArray[np.float64]:
    """Initial lava, flipped like the terrain; cells without data have no lava"""
    values = _arrays.doubles(what, layer, 0.0)
    if values.shape != ground.values.shape:
        raise InputError(
            f"{what}: {values.shape[0]} x {values.shape[1]} cells, the elevation has "
            f"{ground.values.shape[0]} x {ground.values.shape[1]}"
        )
    values = _arrays.flipped(values, ground.flip)
    return np.where(np.isnan(values), 0.0, values)
