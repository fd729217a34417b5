"""The parts of a case that are not arrays: parameters, vents, rates."""

from __future__ import annotations

import ctypes
import dataclasses
import difflib
import functools
import math
import numbers
import operator
import os
import re
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Sequence, Union

import numpy as np

from . import _abi, _arrays, _library
from ._errors import InputError


def integer(what: str, value: Any, bits: int = 64) -> int:
    """Checks an integer of Python or numpy. ctypes would truncate large ones and refuse numpy's."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{what}: {value!r} is no whole number; give one") from None
    if not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
        raise InputError(f"{what}: {number} has more than {bits} bits")
    return number


def text(what: str, value: Union[str, os.PathLike[str], None]) -> Optional[bytes]:
    """A name or a path as bytes for C"""
    if value is None:
        return None
    encoded = os.fsencode(value)
    if b"\0" in encoded:
        raise InputError(f"{what}: {value!r} has a zero byte in it")
    return encoded


def words(what: str, given: Union[str, Iterable[str]]) -> Optional[bytes]:
    """A list of words, or words with commas between them, for C; None: there are none"""
    return text(what, given if isinstance(given, str) else ",".join(given)) or None


_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def steps(every: Union[int, str], clock_s: float) -> int:
    """A number of steps, or a time such as "6h": the nearest whole number of steps, at least 1"""
    if not isinstance(every, str):
        return integer("every", every)
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|min|h|d)\s*", every)
    if not match or float(match[1]) == 0:
        raise InputError(f"every: {every!r}; give a number of steps, or a time such as '90s', '6h'")
    return max(1, math.floor(float(match[1]) * _UNITS[match[2]] / clock_s + 0.5))


def extent(name: Optional[str]) -> int:
    """The number of an extent in enum sciara_layer_extent; None: by the size of the domain"""
    names = (None, "flow", "full")
    if name not in names:
        raise InputError(f"extent: {name!r}; give 'flow' or 'full'")
    return names.index(name)


@dataclass(frozen=True)
class Parameters:
    """Parameters of the model, by their names in a case file (docs/model.md, section 1). A name
    with parentheses is written as Phc_Tsol, or as in Parameters(**{"Phc(Tsol)": 12}).

    The defaults are the parameters published for Etna 2006; tests compare them with the library's."""

    Pclock: float = 120.0  #: s: length of a step
    PTsol: float = 1143.0  #: K: lava solidifies at this temperature
    PTvent: float = 1360.0  #: K: lava leaves a vent at this temperature
    Pr_Tsol: float = 0.5  #: relaxation rate at PTsol
    Pr_Tvent: float = 0.95  #: relaxation rate at PTvent
    Phc_Tsol: float = 40.0  #: m: critical thickness at PTsol
    Phc_Tvent: float = 1.5  #: m: critical thickness at PTvent
    Pcool: float = 2.8  #: cooling
    Prho: float = 2600.0  #: kg/m3: density
    Pepsilon: float = 0.9  #: emissivity
    Psigma: float = 5.68e-8  #: W/(m2 K4): Stefan-Boltzmann constant
    Pcv: float = 1150.0  #: J/(kg K): specific heat

    @classmethod
    def etna2006(cls) -> Parameters:
        """The parameters published for Etna 2006 (Spataro et al. 2010)"""
        structure = _abi.Parameters()
        _library.function("sciara_parameters_etna2006")(ctypes.byref(structure))
        return cls.of(structure)

    @classmethod
    def of(cls, structure: Any) -> Parameters:
        """Makes parameters from a structure of the library"""
        return cls(*(getattr(structure, name) for name, _ in structure._fields_))


_parameters_init = Parameters.__init__


@functools.wraps(_parameters_init)
def _named_init(self: Parameters, *values: float, **named: float) -> None:
    known = [field.name for field in dataclasses.fields(Parameters)]
    given = {re.sub(r"\((\w+)\)$", r"_\1", name): value for name, value in named.items()}
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            remedy = f"did you mean {near[0]}?" if near else f"they are {', '.join(known)}"
            raise TypeError(f"{name!r} is not a parameter; {remedy}")
    _parameters_init(self, *values, **given)


setattr(Parameters, "__init__", _named_init)


@dataclass(frozen=True)
class Score:
    """Agreement of runs with an eruption: mean and standard error of the overlap J of run and
    outline. `of` is the eruption or, if the score is None, the reason."""

    jaccard: Optional[float]
    error: Optional[float]
    of: str


@dataclass(frozen=True)
class ParameterSet:
    """A set of parameters that a case can name (`sciara parameters`, docs/formats/case.md)"""

    name: str
    parameters: Parameters
    calibrated_cell: float  #: m: side of the cells for which the parameters were calibrated
    eruption: str
    source: str
    in_sample: Score  #: agreement with the eruption to which they were fitted
    held_out: Score  #: agreement with an eruption to which they were not fitted
    not_for: str


def parameter_set(name: str) -> ParameterSet:
    """The set of parameters with a name"""
    s = _abi.ParameterSet()
    _library.call("sciara_parameter_set_get", ctypes.byref(s), text("name", name))

    def known(value: float) -> Optional[float]:
        return None if math.isnan(value) else value

    def score(x: Any) -> Score:
        return Score(known(x.jaccard), known(x.error), _library.text(x.of))

    return ParameterSet(
        _library.text(s.name),
        Parameters.of(s.parameters),
        s.calibrated_cell_m,
        _library.text(s.eruption),
        _library.text(s.source),
        score(s.in_sample),
        score(s.held_out),
        _library.text(s.not_for),
    )


def parameter_sets() -> list[ParameterSet]:
    """All sets, by name"""
    count = _library.function("sciara_parameter_set_count")()
    names = (_library.function("sciara_parameter_set_name")(i) for i in range(count))
    return [parameter_set(_library.text(name)) for name in names]


@dataclass(frozen=True)
class Vent:
    """A cell that emits. Cells with the same id share the rate equally.

    Give row and col of the cell, from 0 in the north-west, or its map coordinates x and y."""

    id: int
    row: Optional[int] = None
    col: Optional[int] = None
    x: Optional[float] = None
    y: Optional[float] = None

    def __post_init__(self) -> None:
        given = [name for name in ("row", "col", "x", "y") if getattr(self, name) is not None]
        if given not in (["row", "col"], ["x", "y"]):
            raise InputError(
                f"vents: vent {self.id!r} has {' and '.join(given) or 'no cell'}; give row and col, "
                "or x and y"
            )
        for name in given[:2] if given[0] == "x" else ():
            value = getattr(self, name)
            if not isinstance(value, numbers.Real) or not math.isfinite(value):
                raise InputError(f"vents: vent {self.id!r} has {name} {value!r}; give a number in m")


@dataclass(frozen=True)
class Rate:
    """Effusion rate of a vent between two times, in seconds since the start of the eruption.
    id 0: the rate of all vents together, which share it equally."""

    id: int
    from_s: float
    to_s: float
    m3_s: float

    @classmethod
    def hours(cls, id: int, from_h: float, to_h: float, m3_s: float) -> Rate:
        """A rate with times in hours"""
        return cls(id, from_h * 3600.0, to_h * 3600.0, m3_s)


VentLike = Union[Vent, Sequence[int]]
RateLike = Union[Rate, Sequence[float]]


def _values(what: str, of: type[Any], given: Any) -> Any:
    """A vent or a rate: the given object, or a new one from a sequence of its values"""
    if isinstance(given, of):
        return given
    names = [field.name for field in dataclasses.fields(of)]
    needed = names[:3] if of is Vent else names
    sequence = isinstance(given, (tuple, list, np.ndarray))
    if not sequence or not len(needed) <= len(given) <= len(names):
        values = ", ".join(needed)
        raise InputError(
            f"{what}: {given!r} is no {what[:-1]}; give a list of sciara.{of.__name__}({values}), or "
            f"of tuples ({values})"
        )
    return of(*given)


def listed(what: str, given: Any) -> list[Any]:
    """An argument with several elements, as a list"""
    if isinstance(given, (str, bytes, os.PathLike)):
        raise InputError(
            f"{what}: is a path, {os.fspath(given)!r}; give a list, or let a case file name it: "
            "sciara.Case('volcano.cfg')"
        )
    try:
        return list(given)
    except TypeError:
        raise InputError(f"{what}: {given!r} is no list; give one, with brackets") from None


def vent_of(given: VentLike, place: _arrays.Grid) -> Any:
    """A vent as a structure of the library"""
    vent: Vent = _values("vents", Vent, given)
    if vent.row is not None and vent.col is not None:
        row, col = integer("vents", vent.row, 32), integer("vents", vent.col, 32)
    else:
        assert vent.x is not None and vent.y is not None
        # A point on an edge belongs to the eastern or northern cell, as in vents.csv.
        col = math.floor((vent.x - place.west) / place.cell)
        row = place.rows - 1 - math.floor((vent.y - place.south) / place.cell)
    if not (0 <= row < place.rows and 0 <= col < place.cols):
        raise InputError(f"vents: vent {vent.id} at row {row}, column {col} is outside the terrain")
    return _abi.Vent(integer("vents", vent.id, 32), row, col)


def rate_of(given: RateLike) -> Any:
    """A rate as a structure of the library"""
    rate: Rate = _values("rates", Rate, given)
    id: Any = rate.id
    if isinstance(id, (float, np.floating)) and id.is_integer():  # an id in an array of floats
        id = int(id)
    return _abi.Rate(integer("rates", id, 32), rate.from_s, rate.to_s, rate.m3_s)
