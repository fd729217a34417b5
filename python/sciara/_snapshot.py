"""The state of a simulation at one step."""

from __future__ import annotations

import ctypes
import os
import pathlib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Iterable, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _abi, _arrays, _inputs, _library
from ._errors import InputError
from ._progress import ProgressOption, Watch

if TYPE_CHECKING:
    from ._arrays import LabelledArray
    from ._case import Case

#: A format or several: "geotiff", "png", "original"; whole runs have further formats
Formats = Union[str, Iterable[str]]


def _format_names() -> Iterable[tuple[int, str]]:
    """Bits of enum sciara_format and their names"""
    for bit in (1 << i for i in range(31)):
        name = _library.text(_library.function("sciara_format_name")(bit) or b"")
        if name:
            yield bit, name


def formats_mask(formats: Formats) -> int:
    known = {name: bit for bit, name in _format_names()}
    mask = 0
    for name in formats.split(",") if isinstance(formats, str) else formats:
        if name not in known:
            raise InputError(f"formats: {name!r} is not a format; choose {', '.join(known)}")
        mask |= known[name]
    return mask


@dataclass(frozen=True)
class _Field:
    number: int  # enum sciara_field
    units: str
    long_name: str
    stored: bool = True
    metres: bool = True  # values are multiples of 2^-36 m


_FIELDS = {
    "elevation": _Field(0, "m", "elevation with solidified lava"),
    "thickness": _Field(1, "m", "thickness of mobile lava"),
    "temperature": _Field(2, "K", "temperature of lava", metres=False),
    "solidified": _Field(3, "m", "thickness of solidified lava"),
    "max_thickness": _Field(4, "m", "largest thickness of lava so far"),
    "max_temperature": _Field(5, "K", "largest temperature of lava so far", metres=False),
    "total_thickness": _Field(6, "m", "thickness of mobile and solidified lava", stored=False),
    "arrival": _Field(7, "s", "time of arrival since the start of the eruption", stored=False),
}


def _field(name: str) -> _Field:
    if name not in _FIELDS:
        raise InputError(f"{name!r} is no field; the fields are {', '.join(_FIELDS)}")
    return _FIELDS[name]


@dataclass(frozen=True)
class HeatLedger:
    """Exact sums of heat, thickness times temperature, in units of 2^-40 K m:
    initial + emitted == mobile + solidified + left_domain + cooled."""

    initial: int
    emitted: int  #: heat from vents, also to lava in their cells
    mobile: int
    solidified: int  #: heat of solidified lava, when it solidified
    left_domain: int  #: heat of lava that left the domain or entered the sea, at that time
    cooled: int
    unit_J: float  #: energy of a unit, above 0 K

    @property
    def closed(self) -> bool:
        """True; in published arithmetic all sums are 0"""
        out = self.mobile + self.solidified + self.left_domain + self.cooled
        return self.initial + self.emitted == out

    def energy(self, name: str) -> float:
        """Energy in J of one of the sums, for example energy("cooled")"""
        units: int = getattr(self, name)
        return units * self.unit_J


@dataclass(frozen=True)
class Ledger:
    """Exact sums of thickness in units of 2^-36 m:
    initial + emitted == mobile + solidified + left_domain + entered_sea."""

    initial: int
    emitted: int
    mobile: int
    solidified: int
    left_domain: int
    entered_sea: int  #: not part of left_domain
    ground_raised: int  #: changes of the terrain, without lava
    ground_lowered: int
    unit_m3: float  #: volume of a unit
    heat: HeatLedger

    @property
    def closed(self) -> bool:
        """True, except perhaps in published arithmetic"""
        out = self.mobile + self.solidified + self.left_domain + self.entered_sea
        return self.initial + self.emitted == out

    def volume(self, name: str) -> float:
        """Volume in m3 of one of the sums, for example volume("mobile")"""
        units: int = getattr(self, name)
        return units * self.unit_m3


def _sums(ledger: _abi.Ledger | _abi.HeatLedger) -> dict[str, int]:
    return {
        name: (getattr(ledger, name).high << 64) + getattr(ledger, name).low
        for name, kind in ledger._fields_
        if kind is _abi.Sum
    }


@dataclass(frozen=True)
class Extent:
    cells: int  #: cells with mobile or solidified lava
    area_m2: float  #: area of these cells
    runout_m: float  #: distance of the farthest cell from its nearest vent; NaN without vents
    max_thickness_m: float  #: largest sum of mobile and solidified lava so far
    thickest_m: float  #: largest sum of mobile and solidified lava in this state
    left_m3: float  #: volume that has left the domain
    left_share: float  #: left_m3 divided by all lava that was emitted or mobile at the beginning
    front_cells: int  #: cells on the path of the lava to the farthest cell
    front_cells_at_limit: int  #: those that lava crossed at nearly one per step, 20 or more in a row
    sea_m3: float  #: volume that has entered the sea
    sea_share: float  #: sea_m3 divided by all lava that was emitted or mobile at the beginning
    sea_step: int  #: step in which lava first entered the sea; -1: never
    sea_row: int  #: cell of the shore where it did; -1: none
    sea_col: int


class Snapshot(_library.Constant):
    """The state of a simulation at one step. It does not change while the simulation continues.

    Fields such as `state.thickness` are xarray.DataArrays with coordinates x and y, units, step,
    time (s) and, with rioxarray, the CRS; without xarray they are numpy arrays.
    `state.array("thickness")` is always a numpy array. A stored field is not copied: the array is a
    read-only view of the snapshot's memory, which exists as long as any view."""

    def __init__(self, case: Case, snapshot: _library.Object) -> None:
        self._case = case
        self._snapshot = snapshot

    def wait(self) -> None:
        """Waits for the copy; all other methods do so automatically"""
        _library.call("sciara_snapshot_wait", self._snapshot.pointer)

    @property
    def case(self) -> Case:
        """The case of the simulation"""
        return self._case

    @property
    def step(self) -> int:
        """Steps done, counted from the start of the eruption"""
        return int(_library.function("sciara_snapshot_step")(self._snapshot.pointer))

    @property
    def time(self) -> float:
        """s since the start of the eruption"""
        return self.step * self._case.parameters.Pclock

    # ---- fields ----------------------------------------------------------------------------------

    def array(self, name: str) -> NDArray[np.float64]:
        """A field as a read-only array of float64; a view if the field is stored.

        "elevation": m, of the ground including solidified lava; NaN: no data.
        "thickness": m, mobile lava. "solidified": m, so far. "total_thickness": m, the sum of both.
        "temperature": K, remains after lava has left; 0 in cells that never had lava.
        "max_thickness", "max_temperature": the largest so far.
        "arrival": s since the start of the eruption until lava arrived; NaN: never.
        """
        field = _field(name)
        self.wait()
        if field.stored:
            address = _library.function("sciara_snapshot_field")(
                self._snapshot.pointer, field.number
            )
            array = _arrays.view(address, self._case.shape, np.float64, self._snapshot)
            assert array is not None  # after wait()
        elif name == "arrival":
            step = self.arrival_step
            came = step != _abi.INT32_MAX
            array = np.where(came, step * self._case.parameters.Pclock, np.nan)
        else:
            array = self.array("thickness") + self.array("solidified")
        array.flags.writeable = False
        return array

    @property
    def arrival_step(self) -> NDArray[np.int32]:
        """First step that ended with lava in each cell, as a read-only view; 2^31 - 1: never"""
        self.wait()
        address = _library.function("sciara_snapshot_arrival_step")(self._snapshot.pointer)
        array = _arrays.view(address, self._case.shape, np.int32, self._snapshot)
        assert array is not None
        return array

    def layer(self, name: str) -> NDArray[np.float32]:
        """A field as in its GeoTIFF layer: float32, with NaN in cells without data, or without lava at
        this step. "arrival" is in s; the layer has h."""
        out = np.empty(self._case.shape, np.float32)
        self._read("sciara_snapshot_read", name, out, ctypes.c_float)
        return out

    @property
    def window(self) -> tuple[slice, slice]:
        """The rows and columns that the simulation held in memory. Outside them the state is as at the
        beginning. In a domain of more than 2^20 cells they follow the lava."""
        held = _abi.Window()
        _library.call("sciara_snapshot_window", self._snapshot.pointer, ctypes.byref(held))
        return (
            slice(held.row0, held.row0 + held.rows),
            slice(held.col0, held.col0 + held.cols),
        )

    def part(self, name: str, window: tuple[slice, slice]) -> NDArray[np.float32]:
        """layer(name)[window], but without arrays of the whole domain. window: two slices, of rows and
        of columns, with any step"""
        if not (
            isinstance(window, tuple)
            and len(window) == 2
            and all(isinstance(one, slice) for one in window)
        ):
            raise InputError(
                f"part: the window is {window!r}; give two slices, of rows and of columns"
            )
        try:
            rows, cols = (range(*one.indices(n)) for one, n in zip(window, self._case.shape))
        except (TypeError, ValueError) as error:  # slice("a"), slice(0, 5, 0)
            raise InputError(f"part: the window is {window!r}; {error}") from None
        field = _field(name)
        if not rows or not cols:
            return np.empty((len(rows), len(cols)), np.float32)
        row0, col0 = min(rows[0], rows[-1]), min(cols[0], cols[-1])
        held = _abi.Window(row0, col0, abs(rows[-1] - rows[0]) + 1, abs(cols[-1] - cols[0]) + 1)
        out = np.empty((held.rows, held.cols), np.float32)
        pointer = out.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        _library.call(
            "sciara_snapshot_read_window",
            self._snapshot.pointer,
            field.number,
            ctypes.byref(held),
            pointer,
            out.size,
        )
        return np.ascontiguousarray(out[:: rows.step, :: cols.step])

    def exact(self, name: str) -> NDArray[np.int64]:
        """A length in units of 2^-36 m ("arrival": in steps); -2^63: no data, 2^63 - 1: never"""
        out = np.empty(self._case.shape, np.int64)
        self._read("sciara_snapshot_read_exact", name, out, ctypes.c_int64)
        return out

    def _read(self, function: str, name: str, out: NDArray[Any], element: Any) -> None:
        pointer = out.ctypes.data_as(ctypes.POINTER(element))
        _library.call(function, self._snapshot.pointer, _field(name).number, pointer, out.size)

    def _labelled(self, name: str) -> LabelledArray:
        field = _field(name)
        attributes: dict[str, Any] = {"units": field.units, "long_name": field.long_name}
        attributes.update(step=self.step, time=self.time, case=self._case.name)
        if self._case.start_time:
            attributes["start_time"] = self._case.start_time
        if self._case.terrain_source:
            attributes["terrain"] = self._case.terrain_source
        return self._case.grid.labelled(self.array(name), name, attributes)

    @property
    def elevation(self) -> LabelledArray:
        """m, of the ground including solidified lava; NaN: no data"""
        return self._labelled("elevation")

    @property
    def thickness(self) -> LabelledArray:
        """m, mobile lava"""
        return self._labelled("thickness")

    @property
    def temperature(self) -> LabelledArray:
        """K, remains after lava has left; 0 in cells that never had lava"""
        return self._labelled("temperature")

    @property
    def solidified(self) -> LabelledArray:
        """m, lava solidified so far"""
        return self._labelled("solidified")

    @property
    def total_thickness(self) -> LabelledArray:
        """m, mobile and solidified lava"""
        return self._labelled("total_thickness")

    @property
    def max_thickness(self) -> LabelledArray:
        """m, largest sum of mobile and solidified lava so far"""
        return self._labelled("max_thickness")

    @property
    def max_temperature(self) -> LabelledArray:
        """K, largest so far; 0 in cells that never had lava"""
        return self._labelled("max_temperature")

    @property
    def arrival(self) -> LabelledArray:
        """s since the start of the eruption until lava arrived; NaN: never"""
        return self._labelled("arrival")

    # ---- numbers ---------------------------------------------------------------------------------

    @property
    def ledger(self) -> Ledger:
        """The exact ledger of all lava"""
        ledger = _abi.Ledger()
        _library.call("sciara_snapshot_ledger", self._snapshot.pointer, ctypes.byref(ledger))
        heat = HeatLedger(unit_J=ledger.heat.unit_J, **_sums(ledger.heat))
        return Ledger(unit_m3=ledger.unit_m3, heat=heat, **_sums(ledger))

    @property
    def digest(self) -> str:
        """Digest of every bit of every field, 16 hexadecimal digits, as the program prints it"""
        self.wait()
        return f"{_library.function('sciara_snapshot_digest')(self._snapshot.pointer):016x}"

    @property
    def extent(self) -> Extent:
        extent = _abi.Extent()
        _library.call("sciara_snapshot_extent", self._snapshot.pointer, ctypes.byref(extent))
        return Extent(*(getattr(extent, field.name) for field in fields(Extent)))

    def differ(self, other: Snapshot) -> tuple[int, str]:
        """The number of cells with different bits in any field, and the first such field ("": none)"""
        self.wait()
        other.wait()
        field = ctypes.c_char_p()
        cells = _library.function("sciara_snapshot_differ")(
            self._snapshot.pointer, other._snapshot.pointer, ctypes.byref(field)
        )
        if cells == _abi.SIZE_MAX:
            raise InputError(f"differ: {self._case.shape} and {other._case.shape} cells")
        return int(cells), _library.text(field.value)

    # ---- files -----------------------------------------------------------------------------------

    def write(
        self,
        folder: Union[str, os.PathLike[str]],
        formats: Formats = ("geotiff", "png"),
        *,
        progress: ProgressOption = None,
    ) -> pathlib.Path:
        """Writes layers and maps to a folder, which is made if needed (docs/formats.md)"""
        watch = Watch(progress)
        with watch:
            _library.call(
                "sciara_snapshot_write",
                self._snapshot.pointer,
                _inputs.text("folder", folder),
                formats_mask(formats),
                ctypes.byref(watch.watcher),
            )
        return pathlib.Path(folder)

    def save(self, path: Union[str, os.PathLike[str]]) -> pathlib.Path:
        """Writes the exact state to a file, from which `Case.simulation(from_state=...)` resumes: a
        GeoTIFF of Float64 (docs/formats.md)"""
        _library.call("sciara_snapshot_save", self._snapshot.pointer, _inputs.text("path", path))
        return pathlib.Path(path)

    def __repr__(self) -> str:
        return f"<sciara.{type(self).__name__} of {self._case.title!r} at step {self.step}>"


class Run(Snapshot):
    """The last state of a whole run, with the results of the run."""

    def __init__(
        self,
        case: Case,
        snapshot: _library.Object,
        summary: dict[str, Any],
        folder: Optional[pathlib.Path],
    ) -> None:
        super().__init__(case, snapshot)
        #: Content of summary.json (docs/formats.md)
        self.summary = summary
        #: Folder of the files; None: there are none
        self.folder = folder
