"""Arrays from the library (views of its memory, DataArrays) and arrays of users for the library."""

from __future__ import annotations

import functools
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._errors import InputError

if TYPE_CHECKING:
    import xarray  # if it is not installed, type checkers treat its arrays as Any

    #: Type of an attribute like run.thickness: an xarray.DataArray if xarray is installed,
    #: else a numpy array.
    LabelledArray = xarray.DataArray


@functools.lru_cache(maxsize=None)
def _module(name: str) -> Any:
    """An optional module, imported at first use; None if it is not installed"""
    try:
        return __import__(name)
    except ImportError:
        return None


# ---- arrays from the library -------------------------------------------------------------------


class _Memory:
    """Memory of an object of the library. The object exists as long as an array views its memory."""

    def __init__(self, address: int, shape: tuple[int, ...], dtype: Any, owner: object) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "data": (address, True),  # read-only
            "shape": shape,
            "typestr": np.dtype(dtype).str,
        }


def view(
    address: Optional[int], shape: tuple[int, ...], dtype: Any, owner: object
) -> Optional[NDArray[Any]]:
    """The memory at an address as a read-only array with a reference to its owner; None: address 0"""
    return np.asarray(_Memory(address, shape, dtype, owner)) if address else None


@dataclass(frozen=True)
class Grid:
    """Position of the cells: row 0 in the north, column 0 in the west, lengths in m."""

    rows: int
    cols: int
    cell: float
    west: float  #: outer corner of the south-west cell
    south: float
    crs: Optional[str]  #: "EPSG:32633"; None: not known

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.cols

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north: outer edges"""
        east, north = self.west + self.cols * self.cell, self.south + self.rows * self.cell
        return self.west, self.south, east, north

    @property
    def x(self) -> NDArray[np.float64]:
        """x of the centres of the columns"""
        return self.west + (np.arange(self.cols) + 0.5) * self.cell

    @property
    def y(self) -> NDArray[np.float64]:
        """y of the centres of the rows, from the north"""
        return self.south + (self.rows - 0.5 - np.arange(self.rows)) * self.cell

    def labelled(self, array: NDArray[Any], name: str, attributes: dict[str, Any]) -> LabelledArray:
        """The array with coordinates, CRS and attributes, not copied, if xarray is installed; otherwise
        the array itself"""
        xarray = _module("xarray")
        if xarray is None:
            return array  # type: ignore[return-value]
        coordinates = _coordinates(self)
        labelled: LabelledArray = xarray.DataArray(
            array, coords=coordinates, dims=("y", "x"), name=name, attrs=attributes
        )
        if "spatial_ref" in coordinates:
            labelled.encoding["grid_mapping"] = "spatial_ref"
        return labelled


@functools.lru_cache(maxsize=16)
def _coordinates(grid: Grid) -> dict[str, Any]:
    """x, y and, if rioxarray is installed, the CRS"""
    xarray = _module("xarray")
    axes = {
        name: (name, centres, {"units": "m", "long_name": words, "standard_name": standard})
        for name, centres, words, standard in (
            ("y", grid.y, "northing", "projection_y_coordinate"),
            ("x", grid.x, "easting", "projection_x_coordinate"),
        )
    }
    empty = xarray.DataArray(np.broadcast_to(0, grid.shape), coords=axes, dims=("y", "x"))
    if grid.crs and _module("rioxarray"):
        empty.rio.write_crs(grid.crs, inplace=True)
        empty.rio.write_transform(inplace=True)
    return dict(empty.coords)


# ---- arrays for the library --------------------------------------------------------------------


def doubles(what: str, values: Any, missing: float) -> NDArray[np.float64]:
    """An array of two dimensions as float64, row by row. Cells that are masked or without data become
    `missing`."""
    no_data = None
    if hasattr(values, "dims"):
        no_data = values.attrs.get("_FillValue")
        if "x" in values.dims and "y" in values.dims:
            values = values.transpose(..., "y", "x")
        values = values.values
    mask = None
    if isinstance(values, (str, bytes, os.PathLike)):
        raise InputError(
            f"{what}: is a path, {os.fspath(values)!r}; give an array, as rasterio.open(path).read(1, "
            "masked=True) or rioxarray.open_rasterio(path, masked=True) reads one"
        )
    if isinstance(values, np.ma.MaskedArray):
        mask, values = np.broadcast_to(values.mask, values.shape), values.data
    array = np.asarray(values)
    if array.ndim == 3 and array.shape[0] == 1:  # a raster of one band
        array, mask = array[0], mask[0] if mask is not None else None
    if array.ndim != 2:
        raise InputError(f"{what}: {array.ndim} dimensions; give an array of rows and columns")
    if array.dtype.kind not in "fiu":
        raise InputError(f"{what}: elements of type {array.dtype}; give numbers")
    result = np.ascontiguousarray(array, dtype=np.float64)
    for holes in (mask, None if no_data is None else array == no_data):
        if holes is not None:
            result = np.where(holes, missing, result)
    return result


def epsg_of(crs: Union[str, int, Any, None]) -> int:
    """The EPSG code of "EPSG:32633", 32633, or a CRS of pyproj or rasterio; 0 for None"""
    if crs is None:
        return 0
    if isinstance(crs, (int, np.integer)) and not isinstance(crs, bool):
        return int(crs)
    if isinstance(crs, str):
        match = re.fullmatch(r"\s*EPSG:\s*(\d+)\s*", crs, re.IGNORECASE)
        if match:
            return int(match.group(1))
    elif hasattr(crs, "to_epsg"):
        code = crs.to_epsg()
        if code:
            return int(code)
    raise InputError(f"crs: {crs!r} names no EPSG code; give one, as in 'EPSG:32633'")


@dataclass
class Terrain:
    """An array and the position of its cells; None: not known"""

    values: NDArray[np.float64]
    cell: Optional[float] = None
    west: Optional[float] = None
    south: Optional[float] = None
    crs: Any = None
    flip: tuple[bool, bool] = (False, False)  # whether the array was flipped north-south, west-east


def _check_metres(elevation: Any, crs: Any) -> None:
    """Refuses cells in degrees, which their CRS or the units of their coordinates show"""
    names = ("x", "y", "lon", "lat", "longitude", "latitude")
    units = [elevation[name].attrs.get("units") for name in names if name in elevation.coords]
    if getattr(crs, "is_geographic", False) or any(str(u).startswith("degree") for u in units):
        raise InputError(
            "elevation: its coordinates are degrees; warp it to metres, for example "
            "elevation.rio.reproject(elevation.rio.estimate_utm_crs(), resampling=1)"
        )


def _axis(name: str, values: NDArray[np.float64]) -> tuple[float, float]:
    """First value and step of equidistant coordinates"""
    step = (values[-1] - values[0]) / (len(values) - 1)
    if not np.isfinite(step) or step == 0:
        raise InputError(f"elevation: coordinates {name} that do not grow; give centres of cells")
    if np.abs(np.diff(values) - step).max() > abs(step) * 1e-3:
        raise InputError(f"elevation: coordinates {name} are not equidistant; resample the terrain")
    return float(values[0]), float(step)


def terrain(elevation: Any) -> Terrain:
    """Terrain from an array, or from a DataArray with coordinates x and y of the centres of its cells"""
    result = Terrain(doubles("elevation", elevation, np.nan))
    coordinates = getattr(elevation, "coords", {})
    rows, cols = result.values.shape
    if hasattr(elevation, "coords") and _module("rioxarray"):
        result.crs = elevation.rio.crs
    if hasattr(elevation, "coords"):
        _check_metres(elevation, result.crs)
    if "x" not in coordinates or "y" not in coordinates or rows < 2 or cols < 2:
        return result
    x, dx = _axis("x", np.asarray(elevation["x"].values, dtype=np.float64))
    y, dy = _axis("y", np.asarray(elevation["y"].values, dtype=np.float64))
    if abs(abs(dx) - abs(dy)) > abs(dx) * 1e-3:
        raise InputError(
            f"elevation: cells of {abs(dx):g} x {abs(dy):g} m; resample the terrain to square cells"
        )
    result.cell = abs(dx)
    result.west = min(x, x + dx * (cols - 1)) - abs(dx) / 2
    result.south = min(y, y + dy * (rows - 1)) - abs(dy) / 2
    result.flip = dy > 0, dx < 0
    result.values = flipped(result.values, result.flip)
    return result


def flipped(values: NDArray[np.float64], flip: tuple[bool, bool]) -> NDArray[np.float64]:
    south_first, east_first = flip
    if south_first:
        values = values[::-1]
    if east_first:
        values = values[:, ::-1]
    return np.ascontiguousarray(values)
