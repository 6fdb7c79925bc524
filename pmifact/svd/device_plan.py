"""What of the solver lies where: how large its basis is on a GPU, and how much is left for the matrix."""

from typing import NamedTuple

from pmifact.device import Device
from pmifact.errors import DeviceError, InputError

# Blocks of columns, on either side of the matrix, that are there at a time beside the basis.
_WORK_BLOCKS = 8
# What libraries, kernels and the fragments of the memory pool take of what is free.
_OWN_PART = 0.1


class Shapes(NamedTuple):
    """The sizes that decide about memory; bytes of one number are `itemsize`."""

    rows: int
    columns: int
    nonzeros: int
    rank: int
    block: int
    itemsize: int


class DevicePlan(NamedTuple):
    """Vectors that the basis may hold, and bytes that blocks of the matrix may take; None is no limit."""

    capacity: int
    room: int | None


def device_plan(shapes: Shapes, usual: int, device: Device, memory: int | None) -> DevicePlan:
    """Share the free memory of a device, or the limit if it is less, between basis and matrix.

    The basis shrinks before the matrix has to be streamed: a restart costs a few products, streaming slows
    all of them. Only for a matrix larger than half of the memory both give way.

    Raises
    ------
    InputError, DeviceError
        If not even the smallest basis fits: under the limit, or on the device.
    """
    rows, columns, nonzeros, rank, block, itemsize = shapes
    usual, least = min(usual, columns), min(rank + 4 * block, columns)
    free = device.free_memory()
    limits = [limit for limit in (free, memory) if limit is not None]
    if not limits:
        return DevicePlan(usual, None)
    # At the end four blocks of left vectors and two of right ones, as many columns as the rank.
    work = (4 * rows + 2 * columns) * rank + _WORK_BLOCKS * block * (rows + columns)
    budget = int(min(limits) * (1 - _OWN_PART)) - work * itemsize - 4 * 8 * usual**2
    vector = columns * itemsize
    matrix = 2 * (nonzeros * (itemsize + 4) + 4 * (max(rows, columns) + 1))
    capacity = min(usual, (budget - min(matrix, budget // 2)) // vector)
    if capacity < least:
        needed = min(limits) + 2 * (least * vector - budget // 2)
        if memory is not None and memory == min(limits):
            raise InputError(
                f"memory: this matrix and rank need about {needed / 2**20:.0f}MB on a GPU, "
                f"got {memory / 2**20:.0f}MB"
            )
        raise DeviceError(
            f"gpu: this matrix and rank need about {needed / 1e9:.1f} GB, and {device.title} has "
            f"{min(limits) / 1e9:.1f} GB free; lower the rank, or take device cpu"
        )
    return DevicePlan(int(capacity), int(budget - capacity * vector))
