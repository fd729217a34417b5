"""The variants; all give the same bits."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from . import _abi, _inputs, _library
from ._library import text


@dataclass(frozen=True)
class Variant:
    name: str
    summary: str  #: one line; "" where it was not built
    built: bool  #: into this library
    cuda: bool  #: runs on a GPU
    available: bool  #: on this machine, on the device asked for
    bytes_per_cell: int
    device: str  #: "NVIDIA H200", or the processor's name; "" where not available
    reason: str  #: why it is not available


@dataclass(frozen=True)
class Kernel:
    """Resources of a kernel of a step on a CUDA device."""

    name: str
    cols: int  #: threads of a block
    rows: int
    registers: int  #: of a thread
    shared_bytes: int  #: of a block
    local_bytes: int  #: of a thread: what did not fit into registers
    blocks: int  #: that a multiprocessor holds at once
    occupancy: float  #: their threads, as a share of all that there is room for
    limit: str  #: why not more blocks: "threads", "blocks", "shared memory" or "registers"


def variants(device: int = 0) -> list[Variant]:
    """All variants, built or not, the fastest on a lava flow first"""
    count = _library.function("sciara_variant_count")()
    names = (_library.function("sciara_variant_name")(i) for i in range(count))
    return [variant(text(name), device) for name in names]


def variant(name: str, device: int = 0) -> Variant:
    """The variant of that name"""
    v = _abi.Variant()
    _library.call("sciara_variant_describe", ctypes.byref(v), _inputs.text("name", name), device)
    return Variant(
        text(v.name),
        text(v.summary),
        bool(v.built),
        bool(v.cuda),
        bool(v.available),
        v.bytes_per_cell,
        text(v.device),
        text(v.reason),
    )


def kernels(name: str, device: int = 0) -> list[Kernel]:
    """The kernels of a step of a variant; none for one that runs on the CPU"""
    room = 16
    found, count = (_abi.Kernel * room)(), ctypes.c_int()
    _library.call(
        "sciara_variant_kernels",
        found,
        room,
        ctypes.byref(count),
        _inputs.text("name", name),
        device,
    )
    return [
        Kernel(
            text(k.name),
            k.cols,
            k.rows,
            k.registers,
            k.shared_bytes,
            k.local_bytes,
            k.blocks,
            k.occupancy,
            text(k.limit),
        )
        for k in found[: min(count.value, room)]
    ]
