"""Arrays with coordinates and a CRS."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import sciara

xarray = pytest.importorskip("xarray")


@pytest.mark.parametrize("name", ["elevation", "thickness", "temperature", "arrival"])
def test_coordinates_and_attributes(run: sciara.Run, name: str) -> None:
    array = getattr(run, name)
    assert isinstance(array, xarray.DataArray) and array.name == name
    assert array.dims == ("y", "x") and array.shape == run.case.shape
    assert np.array_equal(array.x, run.case.x) and np.array_equal(array.y, run.case.y)
    assert array.attrs["units"] == {"temperature": "K", "arrival": "s"}.get(name, "m")
    assert array.attrs["step"] == run.step and array.attrs["time"] == run.time
    assert array.attrs["long_name"] and array.attrs["terrain"].startswith("SYNTHETIC TERRAIN")
    assert np.array_equal(array.values, run.array(name), equal_nan=True)


def test_by_coordinates(run: sciara.Run) -> None:
    vent = run.case.vents[0]
    assert vent.row is not None and vent.col is not None
    x, y = run.case.x[vent.col], run.case.y[vent.row]
    here = run.total_thickness.sel(x=x + 4, y=y - 4, method="nearest")
    assert float(here) == run.array("total_thickness")[vent.row, vent.col] > 0


def test_first_example(run: sciara.Run) -> None:
    """What README.md, python/README.md and the docstring of the package draw"""
    root = pathlib.Path(__file__).parents[2]
    readmes = [root / name for name in ("README.md", "python/README.md") if (root / name).exists()]
    for text in [sciara.__doc__ or "", *(path.read_text(encoding="utf-8") for path in readmes)]:
        assert "lava = run.total_thickness" in text and "lava.where(lava > 0).plot()" in text
    lava = run.total_thickness
    drawn = lava.where(lava > 0)
    assert 0 < int(drawn.count()) < drawn.size  # NaN where there is no lava
    assert float(drawn.min()) > 0


def test_of_a_case(case: sciara.Case) -> None:
    assert np.shares_memory(case.elevation.values, case.array("elevation"))
    assert float(case.elevation.x[0]) == case.bounds[0] + 5


def test_crs(run: sciara.Run) -> None:
    pytest.importorskip("rioxarray")
    assert run.thickness.rio.crs.to_epsg() == 32633
    assert run.thickness.rio.bounds() == run.case.bounds
    assert run.thickness.values.ctypes.data == run.array("thickness").ctypes.data


def test_netcdf_like(run: sciara.Run) -> None:
    """Attributes that any format can keep"""
    for value in run.thickness.attrs.values():
        assert isinstance(value, (str, int, float))


def lava(case: sciara.Case) -> np.ndarray:  # type: ignore[type-arg]
    layer = np.zeros(case.shape)
    layer[60:70, 50:80] = 4
    return layer


def test_terrain_from_a_dataarray(case: sciara.Case) -> None:
    elevation = case.elevation
    plain = sciara.Case.from_arrays(
        case.array("elevation"), cell=10, thickness=lava(case), max_steps=40
    )
    expected = plain.run("reference").digest
    layer = xarray.DataArray(lava(case), coords={"y": case.y, "x": case.x}, dims=("y", "x"))
    for turn in (
        lambda a: a,
        lambda a: a.isel(y=slice(None, None, -1)),
        lambda a: a.isel(x=slice(None, None, -1)),
        lambda a: a.transpose("x", "y"),
        lambda a: a.expand_dims("band"),
    ):
        made = sciara.Case.from_arrays(turn(elevation), thickness=turn(layer), max_steps=40)
        assert made.bounds == case.bounds and made.cell == 10
        assert made.run("reference").digest == expected


def test_crs_of_a_dataarray(case: sciara.Case) -> None:
    pytest.importorskip("rioxarray")
    made = sciara.Case.from_arrays(case.elevation, thickness=lava(case), max_steps=1)
    assert made.crs == "EPSG:32633"
    other = sciara.Case.from_arrays(
        case.elevation, thickness=lava(case), max_steps=1, crs="EPSG:32632"
    )
    assert other.crs == "EPSG:32632"


def test_a_raster_with_holes(case: sciara.Case, tmp_path: pathlib.Path) -> None:
    rioxarray = pytest.importorskip("rioxarray")
    elevation = np.array(case.array("elevation"), dtype=np.float32)
    elevation[:5] = -9999
    holed = case.elevation.copy(data=elevation)
    holed.rio.write_nodata(-9999, inplace=True)
    holed.rio.to_raster(tmp_path / "holed.tif")
    for masked in (False, True):
        opened = rioxarray.open_rasterio(tmp_path / "holed.tif", masked=masked)
        made = sciara.Case.from_arrays(opened, thickness=lava(case), max_steps=1)
        assert made.bounds == case.bounds and made.crs == "EPSG:32633"
        assert np.isnan(made.array("elevation")).sum() == 5 * case.cols  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "coordinates, text",
    [
        (dict(x=np.arange(9) ** 2), "coordinates x are not equidistant; resample the terrain"),
        (dict(y=np.zeros(9)), "coordinates y that do not grow"),
        (dict(y=np.arange(9) * 2), "cells of 1 x 2 m; resample the terrain to square cells"),
    ],
)
def test_refused(coordinates: dict[str, object], text: str) -> None:
    axes = {"x": np.arange(9), "y": np.arange(9), **coordinates}
    elevation = xarray.DataArray(np.zeros((9, 9)), coords=axes, dims=("y", "x"))
    with pytest.raises(sciara.InputError, match=text):
        sciara.Case.from_arrays(elevation)


@pytest.mark.parametrize("how", ["units", "lon", "crs"])
def test_degrees(case: sciara.Case, how: str) -> None:
    """Cells of degrees are refused as what they are, with a remedy"""
    x, y = 15 + np.arange(30) * 0.0008, 37.8 - np.arange(20) * 0.0008
    names = ("lat", "lon") if how == "lon" else ("y", "x")
    ground = xarray.DataArray(np.ones((20, 30)), coords=dict(zip(names, (y, x))), dims=names)
    if how == "crs":
        pytest.importorskip("rioxarray")
        ground = ground.rio.write_crs("EPSG:4326")
    else:
        ground[names[1]].attrs["units"] = "degrees_east"
    with pytest.raises(sciara.InputError, match="elevation: its coordinates are degrees; warp it"):
        sciara.Case.from_arrays(ground, max_steps=5)


def test_remedy_for_degrees(case: sciara.Case) -> None:
    """The remedy gives the terrain: its cells, its heights and its place"""
    pytest.importorskip("rioxarray")
    ground = case.elevation.rio.reproject("EPSG:4326", resampling=1)
    with pytest.raises(sciara.InputError, match="degrees") as refused:
        sciara.Case.from_arrays(ground, max_steps=5)
    remedy = str(refused.value).split("for example ")[1]
    lava: Any = dict(vents=[(1, 30, 30)], rates=[(1, 0, 600, 1)], max_steps=5)
    back = sciara.Case.from_arrays(eval(remedy, {"elevation": ground}), **lava)
    assert back.crs == case.crs and back.cell == pytest.approx(case.cell, rel=0.2)
    inner = case.elevation[40:80, 40:80]
    there = back.elevation.interp(x=inner.x, y=inner.y)
    assert float(abs(there - inner).max()) < 3 and float(inner.max() - inner.min()) > 20
