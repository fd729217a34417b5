"""Errors as exceptions. Their text is the line that the program would print."""

from __future__ import annotations

from . import _abi


class Error(Exception):
    """Base of all errors of the library."""


class CaseWarning(UserWarning):
    """A warning of the program about a case: probably a mistake."""


class InputError(Error, ValueError):
    """Invalid input: a case file, an array, an option."""


class DeviceError(Error, RuntimeError):
    """There is no CUDA device, or none that is suitable."""


class FailedError(Error, RuntimeError):
    """Disk full, CUDA error or out of memory."""


class Cancelled(Error):
    """The progress function returned True, which cancels."""


_OF_STATUS: dict[int, type[Error]] = {
    _abi.FAILED: FailedError,
    _abi.INPUT: InputError,
    _abi.DEVICE: DeviceError,
    _abi.CANCELLED: Cancelled,
}


def of(error: _abi.Error) -> Error:
    return _OF_STATUS.get(error.status, FailedError)(error.text.decode(errors="replace"))
