"""A sparse matrix of the host by its products on a device, in blocks of rows that fit there."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from pmifact.device import Device
from pmifact.errors import InputError
from pmifact.resources.progress import Progress, no_progress
from pmifact.svd.operators import with_transpose

# Columns, and the nonzeros of one matrix, are counted in 32 bits: with 64, cuSPARSE before CUDA 13.3 fails.
MOST_COLUMNS = MOST_NONZEROS = 2**31 - 1
_INDEX_BYTES = 4
# Of the room, so large a part is one block that comes and goes; two are there at a time.
_PASSING_PART = 0.25


class RowBlocks:
    """A CSR matrix cut into blocks of whole rows: some stay on the device, the others come for each product.

    Parameters
    ----------
    matrix : csr_array
        Canonical; it is kept, and must not change.
    device : Device
        With sparse matrices.
    dtype : str
        ``float32`` or ``float64``, of the products.
    room : int or None
        Bytes that the blocks may take on the device; None is no limit.
    """

    def __init__(self, matrix: csr_array, device: Device, *, dtype: str, room: int | None) -> None:
        if matrix.shape[1] > MOST_COLUMNS:
            raise InputError(
                f"device: the GPU counts columns in 32 bits, and this matrix has {matrix.shape[1]:,}; use cpu"
            )
        self.shape: tuple[int, int] = matrix.shape
        self._matrix, self._device, self._dtype = matrix, device, np.dtype(dtype)
        self._cell_bytes: int = self._dtype.itemsize + _INDEX_BYTES
        size = self._bytes(slice(0, matrix.shape[0]))
        passing = room is not None and size > room
        most = MOST_NONZEROS
        if passing and room is not None:
            most = min(most, max(1, int(_PASSING_PART * room) // self._cell_bytes))
        self._rows = [*_cut(matrix.indptr, most)]
        left = None if room is None else room * (1 - 2 * _PASSING_PART) if passing else room
        self._resident: dict[int, Any] = {}
        for number, rows in enumerate(self._rows):
            if left is not None:
                left -= self._bytes(rows)
                if left < 0:
                    break
            self._resident[number] = self._load(rows)

    @property
    def passing(self) -> int:
        """How many blocks come from the host for each product."""
        return len(self._rows) - len(self._resident)

    def times(self, x: Any) -> Any:
        """Return the product with a block on the device, shape (columns, b)."""
        if len(self._rows) == 1 and self._resident:
            return self._resident[0] @ x
        y = self._device.xp.empty((self.shape[0], x.shape[1]), dtype=x.dtype)
        for number, rows in enumerate(self._rows):
            resident = self._resident.get(number)
            y[rows, :] = (self._load(rows) if resident is None else resident) @ x
        return y

    def _load(self, rows: slice) -> Any:
        indptr = self._matrix.indptr[rows.start : rows.stop + 1]
        cells = slice(int(indptr[0]), int(indptr[-1]))
        return self._device.csr(
            self._matrix.data[cells].astype(self._dtype, copy=False),
            self._matrix.indices[cells].astype(np.int32, copy=False),
            (indptr - indptr[0]).astype(np.int32),
            self.shape[1],
        )

    def _bytes(self, rows: slice) -> int:
        indptr = self._matrix.indptr
        cells = int(indptr[rows.stop]) - int(indptr[rows.start])
        return cells * self._cell_bytes + len(indptr[rows]) * _INDEX_BYTES


class StreamedOperator:
    """A matrix A by its products ``A x`` and ``A^T x`` on a device; it counts them and tells `progress`.

    Attributes
    ----------
    shape : tuple of int
        (R, C).
    symmetric : bool
        Whether A = A^T to the bit; then A is kept once.
    products : int
        Columns multiplied so far, by A or its transpose.
    """

    def __init__(
        self,
        matrix: csr_array,
        device: Device,
        *,
        dtype: str,
        room: int | None = None,
        progress: Progress = no_progress,
    ) -> None:
        transpose, self.symmetric = with_transpose(matrix)
        self.shape: tuple[int, int] = matrix.shape
        self.products = 0
        self._progress = progress
        if room is not None and not self.symmetric:
            room //= 2
        self._matrix = RowBlocks(matrix, device, dtype=dtype, room=room)
        # Rows of a stored transpose: cuSPARSE adds into a product with A^T in no fixed order.
        self._transpose = (
            self._matrix if self.symmetric else RowBlocks(transpose, device, dtype=dtype, room=room)
        )

    @property
    def passing(self) -> int:
        """How many blocks of A, and of A^T where it is another matrix, come from the host each time."""
        return self._matrix.passing + (0 if self.symmetric else self._transpose.passing)

    def times(self, x: Any) -> Any:
        """Return ``A x`` for a block of shape (C, b)."""
        return self._counted(self._matrix, x)

    def transpose_times(self, x: Any) -> Any:
        """Return ``A^T x`` for a block of shape (R, b)."""
        return self._counted(self._transpose, x)

    def _counted(self, matrix: RowBlocks, x: Any) -> Any:
        y = matrix.times(x)
        self.products += x.shape[1]
        self._progress(self.products, 0)
        return y


def _cut(indptr: np.ndarray[Any, Any], most: int) -> Iterator[slice]:
    """Cut rows into blocks of at most so many nonzeros, at least a row each."""
    row, rows = 0, len(indptr) - 1
    while row < rows:
        stop = int(np.searchsorted(indptr, int(indptr[row]) + most, side="right")) - 1
        stop = min(max(stop, row + 1), rows)
        yield slice(row, stop)
        row = stop
