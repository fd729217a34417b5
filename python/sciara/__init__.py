"""Lava flows with the cellular automaton Sciara-fv2, on CPU and GPU.

    import sciara

    run = sciara.Case("volcano.cfg").run()
    print(run.digest, run.ledger.volume("solidified"))
    lava = run.total_thickness  # mobile and solidified, an xarray.DataArray if xarray is installed
    lava.where(lava > 0).plot()  # NaN where there is no lava

`Case` is the input; `Case.run` computes it completely, `Case.simulation` step by step; `Snapshot`
is a state. `Plan` is a case that also describes what is uncertain, fitted or varied; it computes
studies: ensembles, calibrations and others. A `Library` has the members of an ensemble, for questions.
`fit` compares a finished run with an observed flow, `compare` compares two runs, `info` shows how a
file is read, `show` paints the pictures of a folder again.

Lengths are in m, times in s since the start of the eruption, temperatures in K; rows count from the
north, columns from the west. Every variant gives the same bits on every machine.
"""

from __future__ import annotations

import importlib.util as _util

if not _util.find_spec("numpy"):  # the wheel does not require numpy, as the command works without it
    raise ImportError("sciara: Python needs numpy: pip install numpy (the command sciara does not)")

from . import _library
from ._case import Case
from ._errors import Cancelled, CaseWarning, DeviceError, Error, FailedError, InputError
from ._finished import Comparison, Estimate, Fit, LayerDifference, Overlap, Scores, compare, fit, info
from ._inputs import ParameterSet, Parameters, Rate, Score, Vent, parameter_set, parameter_sets
from ._progress import Progress
from ._show import show
from ._simulation import Simulation, State
from ._snapshot import Extent, HeatLedger, Ledger, Run, Snapshot
from ._study import Library, Plan, Product, Study, StudyProgress
from ._variants import Kernel, Variant, kernels, variant, variants

#: Version of the loaded library, and its path
__version__: str = _library.text(_library.function("sciara_version")())
library_path: str = _library.path


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "Cancelled",
    "Case",
    "CaseWarning",
    "Comparison",
    "DeviceError",
    "Error",
    "Estimate",
    "Extent",
    "FailedError",
    "Fit",
    "HeatLedger",
    "InputError",
    "Kernel",
    "LayerDifference",
    "Ledger",
    "Library",
    "Overlap",
    "ParameterSet",
    "Parameters",
    "Plan",
    "Product",
    "Progress",
    "Rate",
    "Run",
    "Score",
    "Scores",
    "Simulation",
    "Snapshot",
    "State",
    "Study",
    "StudyProgress",
    "Variant",
    "Vent",
    "__version__",
    "compare",
    "fit",
    "info",
    "kernels",
    "library_path",
    "parameter_set",
    "parameter_sets",
    "show",
    "variant",
    "variants",
]
