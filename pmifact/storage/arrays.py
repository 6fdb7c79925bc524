"""`.npy` files: written block by block through a hash, read as checked read-only memory maps."""

import mmap
import re
from collections.abc import Iterator
from concurrent.futures import CancelledError
from math import prod
from pathlib import Path
from threading import Event
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from pmifact.errors import ArtifactError, PmifactError
from pmifact.storage.files import DigestWriter

_BLOCK_BYTES = 1 << 23
# As NumPy writes it for a dtype without fields; at most 64 KiB in version 1.
_HEADER = re.compile(
    rb"\{'descr': '([!-&(-~]{1,9})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,18},?)?(?: \d{1,18},?){0,9})\), \} *\n"
)


def blocks(array: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield (first row, rows) of blocks of about 8 MB, so that work on a map needs little memory."""
    row_bytes = array.itemsize * prod(array.shape[1:])
    step = max(1, _BLOCK_BYTES // max(1, row_bytes))
    for start in range(0, len(array), step):
        yield start, array[start : start + step]


def write_array(path: Path, array: NDArray[Any], dtype: str, stop: Event) -> dict[str, Any]:
    """Write `array` as little-endian `dtype` in C order; return its entry in the manifest.

    Raises `CancelledError` once `stop` is set, by whoever no longer waits for the array.

    Never through a memory map: where the disk is full a map ends the process without a word.
    """
    stored = np.dtype(dtype).newbyteorder("<")
    header = {"descr": stored.str, "fortran_order": False, "shape": array.shape}
    with DigestWriter(path) as file:
        npy.write_array_header_1_0(file, header)
        for _, block in blocks(array):
            if stop.is_set():
                raise CancelledError
            file.write(np.ascontiguousarray(block, dtype=stored))
    return {**file.entry, "dtype": dtype, "shape": list(array.shape)}


def map_array(file: BinaryIO, path: Path, *, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Map the `.npy` file read-only, after checking that it holds exactly this dtype and shape in C order.

    Raises
    ------
    ArtifactError
        If the header says anything else, pickled objects included, or the file has another length.
    """
    expected = np.dtype(dtype).newbyteorder("<")
    found, fortran, found_shape = read_header(file, path)
    if found != expected.str or found_shape != shape or (fortran and len(shape) > 1):
        raise ArtifactError(
            f"{path}: expected {expected.str} of shape {shape} in C order, "
            f"got {found} of shape {found_shape}{' in Fortran order' if fortran else ''}"
        )
    start = file.tell()
    length, size = start + expected.itemsize * prod(shape), file.seek(0, 2)
    if size != length:
        raise ArtifactError(f"{path}: expected {length:,} bytes, as its header says, got {size:,}")
    if not prod(shape):
        return np.empty(shape, expected)
    mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.frombuffer(mapped, expected, prod(shape), start).reshape(shape)


def read_header(
    file: IO[bytes], path: Path, error: type[PmifactError] = ArtifactError
) -> tuple[str, bool, tuple[int, ...]]:
    """Return dtype, Fortran order and shape, and leave `file` at the data.

    NumPy's own reader evaluates the header as Python and lets hostile ones raise what they like.
    """
    file.seek(0)
    start = file.read(10)
    header = file.read(int.from_bytes(start[8:], "little"))
    match = _HEADER.fullmatch(header) if start.startswith(b"\x93NUMPY\x01\x00") else None
    if not match:
        raise error(f"{path}: expected a .npy file of plain numbers, but its header says otherwise")
    shape = tuple(int(length) for length in match[3].split(b",") if length.strip())
    return match[1].decode(), match[2] == b"True", shape
