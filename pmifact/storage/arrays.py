"""`.npy` files: written block by block through a hash, read as checked read-only memory maps."""

import mmap
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from pmifact.errors import ArtifactError
from pmifact.storage.files import DigestWriter

_BLOCK_BYTES = 1 << 23


def blocks(array: NDArray[Any]) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield (first row, rows) of blocks of about 8 MB, so that work on a map needs little memory."""
    row_bytes = array.itemsize * prod(array.shape[1:])
    step = max(1, _BLOCK_BYTES // max(1, row_bytes))
    for start in range(0, len(array), step):
        yield start, array[start : start + step]


def write_array(path: Path, array: NDArray[Any], dtype: str) -> dict[str, Any]:
    """Write `array` as little-endian `dtype` in C order; return its entry in the manifest.

    Never through a memory map: where the disk is full a map ends the process without a word.
    """
    stored = np.dtype(dtype).newbyteorder("<")
    header = {"descr": stored.str, "fortran_order": False, "shape": array.shape}
    with DigestWriter(path) as file:
        npy.write_array_header_1_0(file, header)
        for _, block in blocks(array):
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
    found_shape, fortran, found = _read_header(file, path)
    if found != expected or found_shape != shape or (fortran and len(shape) > 1):
        raise ArtifactError(
            f"{path}: expected {expected.str} of shape {shape} in C order, "
            f"got {found.str} of shape {found_shape}{' in Fortran order' if fortran else ''}"
        )
    start = file.tell()
    length, size = start + expected.itemsize * prod(shape), file.seek(0, 2)
    if size != length:
        raise ArtifactError(f"{path}: expected {length:,} bytes, as its header says, got {size:,}")
    if not prod(shape):
        return np.empty(shape, expected)
    try:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as problem:
        raise ArtifactError(f"{path}: cannot be mapped into memory: {problem.strerror}") from problem
    return np.frombuffer(mapped, expected, prod(shape), start).reshape(shape)


def _read_header(file: BinaryIO, path: Path) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    file.seek(0)
    try:
        # Only version 1 is ever written here, and its header cannot be longer than 64 KiB.
        if npy.read_magic(file) != (1, 0):
            raise ValueError("the format is not version 1.0")
        shape, fortran, dtype = npy.read_array_header_1_0(file)
    except (ValueError, TypeError, OverflowError, RecursionError, MemoryError) as problem:
        raise ArtifactError(f"{path}: expected a .npy file, but its header is damaged") from problem
    return shape, fortran, dtype
