"""Arrays put away in a file and mapped back, so that they take no memory of their own."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.resources.views import read_only

Scalar = TypeVar("Scalar", bound=np.generic)


class Spool:
    """A file that arrays are appended to, by any thread.

    Parameters
    ----------
    path : Path
        The file; made anew. It has to stay until the arrays are no longer needed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        with refusals_explained(path):
            self._file = open(path, "wb", buffering=0)  # noqa: SIM115  # closed by `close`

    def keep(self, array: NDArray[Scalar]) -> NDArray[Scalar]:
        """Append an array; return the same values, read-only, mapped from the file."""
        if array.size == 0:  # which cannot be mapped
            return array
        with self._lock, refusals_explained(self._path):
            offset = self._file.tell()
            write_all(self._file, array)
        return np.asarray(np.memmap(self._path, array.dtype, "r", offset, array.shape))

    def close(self) -> None:
        """Close the file; what was kept stays mapped."""
        self._file.close()


class ScatteredFile:
    """A file of one long array that is written in parts, in any order and by any thread.

    Parameters
    ----------
    path : Path
        The file; made anew.
    dtype : type
        Of the array.
    """

    def __init__(self, path: Path, dtype: type[np.generic]) -> None:
        self._path = path
        self._dtype = np.dtype(dtype)

    def __enter__(self) -> Self:
        """Open the file."""
        with refusals_explained(self._path):
            self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        """Close the file."""
        os.close(self._descriptor)

    def place(self, offset: int, values: NDArray[Any]) -> None:
        """Write values from place `offset` of the array on."""
        left = memoryview(values.astype(self._dtype, copy=False)).cast("B")
        position = offset * self._dtype.itemsize
        with refusals_explained(self._path):
            while left:
                written = os.pwrite(self._descriptor, left, position)
                left, position = left[written:], position + written

    def mapped(self) -> NDArray[Any]:
        """Return the array, mapped from the file."""
        return map_file(self._path, self._dtype)


def on_disk(pieces: Iterable[NDArray[Any]], path: Path, dtype: type[np.generic]) -> NDArray[Any]:
    """Write pieces one after another to a file, and map it."""
    with refusals_explained(path), open(path, "wb") as file:
        for piece in pieces:
            write_all(file, piece)
    return map_file(path, np.dtype(dtype))


def map_file(path: Path, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the array that a file holds, mapped."""
    if path.stat().st_size == 0:  # which cannot be mapped
        return read_only(np.empty(0, dtype))
    return read_only(np.memmap(path, dtype, "r"))


def write_all(file: Any, array: NDArray[Any]) -> None:
    """Write the bytes of an array; a raw file may take fewer at a time."""
    left = memoryview(np.ascontiguousarray(array)).cast("B")
    while left:
        left = left[file.write(left) :]


@contextmanager
def refusals_explained(path: Path) -> Iterator[None]:
    """Turn what the file system refuses into a sentence."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{path}: unfinished work cannot be written here: {error.strerror or error}; "
            "free space there, or write the result elsewhere"
        ) from error
