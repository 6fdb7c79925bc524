"""Cells of a matrix that another program counted, to the matrix of our own counts."""

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from pmifact.counting.rows import RowBlock, csr_of_rows
from pmifact.counting.shards import Shards
from pmifact.errors import InputError
from pmifact.resources.memory import working_memory
from pmifact.resources.progress import no_progress

MOST = 2**63 - 1
_BYTES_PER_CELL = 200  # while a piece is put in order
Cells = tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.int64]]


def cells_at_a_time(limit: int | None, cells: int) -> int:
    """Return how many of so many cells to work on at a time under a limit on memory, in bytes."""
    return max(cells if limit is None else min(cells, working_memory(limit) // _BYTES_PER_CELL), 1)


def csr_of(
    rows: NDArray[np.integer],
    columns: NDArray[np.integer],
    amounts: NDArray[np.int64],
    shape: tuple[int, int],
) -> csr_array:
    """Add what stands in the same cell; rows sorted, nothing twice, no zeros."""
    matrix = csr_array(coo_array((amounts, (rows, columns)), shape=shape))
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def csr_of_pieces(
    pieces: Iterable[Cells],
    shape: tuple[int, int],
    *,
    limit: int | None,
    scratch: str | os.PathLike[str] | None,
    threads: int,
) -> csr_array:
    """Add the cells of all pieces, as `csr_of` does those of one.

    Under a limit on memory the matrix is mapped from files in `scratch`, or from files that are removed
    already; without one there is a single piece.
    """
    if limit is None:
        (cells,) = pieces
        return csr_of(*cells, shape)
    if scratch is not None:
        return _summed(pieces, shape, limit, Path(scratch) / "cells", threads)
    with TemporaryDirectory(prefix="pmifact-") as folder:  # mapped files stay readable when removed
        return _summed(pieces, shape, limit, Path(folder) / "cells", threads)


def check_sum(amounts: NDArray[np.int64], what: str, before: int = 0) -> int:
    """Return the sum of numbers of at least 0 and of what came before.

    Raises
    ------
    InputError
        If it is more than 64-bit integers hold.
    """
    # The float only rules out that the exact sum of the halves could pass 64 bits itself.
    exact = before + (int((amounts >> 32).sum()) << 32) + int((amounts & 0xFFFFFFFF).sum())
    if amounts.sum(dtype=np.float64) > 2.0**64 or exact > MOST:
        raise InputError(
            f"{what}: the counts add up to more than 2^63 - 1, which 64-bit integers cannot hold"
        )
    return exact


def _summed(
    pieces: Iterable[Cells], shape: tuple[int, int], limit: int, folder: Path, threads: int
) -> csr_array:
    shutil.rmtree(folder, ignore_errors=True)  # what a killed run left is of other cells, perhaps
    shards = Shards(folder, {"cells": list(shape)})
    n_pieces = 0
    for cells in pieces:
        shards.write(n_pieces, _rows(csr_of(*cells, shape)))
        n_pieces += 1
    room = working_memory(limit) // 24
    rows = shards.sum(range(n_pieces), shape[1], room=room, threads=threads, progress=no_progress)
    return csr_of_rows(*rows, shape[1])


def _rows(matrix: csr_array) -> Iterator[RowBlock]:
    lengths = np.diff(matrix.indptr).astype(np.int64)
    yield RowBlock(matrix.indices.astype(np.int32), matrix.data, lengths)
