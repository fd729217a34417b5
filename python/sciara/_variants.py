"""The variants; all give the same bits."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from . import _abi, _inputs, _library
from ._library import text


@dataclass(frozen=True)
class Variant:
    name: str
    summary: str  #: one line; "": the variant was not built
    built: bool  #: the library has this variant
    cuda: bool  #: it runs on a GPU
    available: bool  #: it works on this machine and the requested device
    bytes_per_cell: int
    device: str  #: "NVIDIA H200", or the processor's name; "" if not available
    reason: str  #: reason if it is not available


@dataclass(frozen=True)
class Kernel:
    """Resources of a kernel in a step on a CUDA device."""

    name: str
    cols: int  #: number of threads in a block: cols * rows
    rows: int
    registers: int  #: registers of a thread
    shared_bytes: int  #: shared memory of a block
    local_bytes: int  #: memory of a thread for data that did not fit into registers
    blocks: int  #: blocks on a multiprocessor at the same time
    occupancy: float  #: threads of these blocks, divided by the maximum
    limit: str  #: what prevents more blocks: "threads", "blocks", "shared memory" or "registers"


def variants(device: int = 0) -> list[Variant]:
    """All variants, built or not, the fastest on a lava flow first"""
    count = _library.function("sciara_variant_count")()
    names = (_library.function("sciara_variant_name")(i) for i in range(count))
    return [variant(text(name), device) for name in names]


def variant(name: str, device: int = 0) -> Variant:
    """Describes a variant"""
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
    """The kernels in a step of a variant; an empty list for a variant on the CPU"""
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
