"""A sparse matrix as what a solver needs of it: products with dense blocks, in threads."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy.sparse import csr_array

from pmifact.resources.progress import Progress, no_progress

# Columns of a block that are multiplied at a time; with the tile of 4096 rows they fill a megabyte.
PANEL = 64
# More chunks of rows than threads even out what the rows cost.
CHUNKS_PER_THREAD = 4


@dataclass(frozen=True)
class TiledMatrix:
    """A CSR matrix in the order of `pmifact.kernels.spmm`, its rows cut into chunks of equal work.

    ``bounds[i, t]`` is the first segment of tile t that belongs to chunk i.
    """

    shape: tuple[int, int]
    columns: NDArray[np.uint16]
    values: NDArray[np.floating]
    segment_rows: NDArray[np.int64]
    segment_starts: NDArray[np.int64]
    bounds: NDArray[np.int64]

    @classmethod
    def from_csr(cls, matrix: csr_array, *, dtype: DTypeLike, chunks: int) -> "TiledMatrix":
        """Copy a matrix with sorted indices."""
        from pmifact.kernels.spmm import TILE, fill_tiles, measure_tiles

        tiles = -(-matrix.shape[1] // TILE)
        nonzeros, segments = np.zeros(tiles, np.int64), np.zeros(tiles, np.int64)
        measure_tiles(matrix.indptr, matrix.indices, nonzeros, segments)
        first_cell = np.concatenate([[0], np.cumsum(nonzeros)])
        first_segment = np.concatenate([[0], np.cumsum(segments)])
        columns, values = np.empty(matrix.nnz, np.uint16), np.empty(matrix.nnz, dtype)
        segment_rows = np.empty(first_segment[-1], np.int64)
        segment_starts = np.full(first_segment[-1] + 1, matrix.nnz, np.int64)
        fill_tiles(
            matrix.indptr,
            matrix.indices,
            matrix.data,
            first_cell[:-1].copy(),
            first_segment[:-1].copy(),
            columns,
            values,
            segment_rows,
            segment_starts,
        )
        cuts = np.searchsorted(matrix.indptr, np.linspace(0, matrix.nnz, chunks + 1)[1:-1])
        rows = np.concatenate([[0], cuts, [matrix.shape[0]]])
        bounds = [
            first + np.searchsorted(segment_rows[first:last], rows) for first, last in pairwise(first_segment)
        ]
        return cls(matrix.shape, columns, values, segment_rows, segment_starts, np.array(bounds).T.copy())

    def times(self, x: NDArray[np.floating], pool: ThreadPoolExecutor) -> NDArray[np.floating]:
        """Return the product with a block, shape (columns, b)."""
        panels = [x[:, begin : begin + PANEL] for begin in range(0, max(x.shape[1], 1), PANEL)]
        products = [
            self._times_panel(np.ascontiguousarray(panel, self.values.dtype), pool) for panel in panels
        ]
        return products[0] if len(products) == 1 else np.concatenate(products, axis=1)

    def _times_panel(self, x: NDArray[np.floating], pool: ThreadPoolExecutor) -> NDArray[np.floating]:
        from pmifact.kernels.spmm import multiply_segments

        y = np.zeros((self.shape[0], x.shape[1]), x.dtype)

        def multiply(chunk: int) -> None:
            multiply_segments(
                self.columns,
                self.values,
                self.segment_rows,
                self.segment_starts,
                self.bounds[chunk],
                self.bounds[chunk + 1],
                x,
                y,
            )

        list(pool.map(multiply, range(len(self.bounds) - 1)))
        return y


class SparseOperator:
    """A matrix A by its products ``A x`` and ``A^T x``; it counts them and tells `progress`.

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
        pool: ThreadPoolExecutor,
        *,
        dtype: DTypeLike = np.float32,
        chunks: int,
        progress: Progress = no_progress,
    ) -> None:
        transpose, self.symmetric = with_transpose(matrix)
        self.shape: tuple[int, int] = matrix.shape
        self.products = 0
        self._progress = progress
        self._pool = pool
        self._matrix = TiledMatrix.from_csr(matrix, dtype=dtype, chunks=chunks)
        self._transpose = (
            self._matrix if self.symmetric else TiledMatrix.from_csr(transpose, dtype=dtype, chunks=chunks)
        )

    def times(self, x: NDArray[np.floating]) -> NDArray[np.floating]:
        """Return ``A x`` for a block of shape (C, b)."""
        return self._counted(self._matrix, x)

    def transpose_times(self, x: NDArray[np.floating]) -> NDArray[np.floating]:
        """Return ``A^T x`` for a block of shape (R, b)."""
        return self._counted(self._transpose, x)

    def _counted(self, matrix: TiledMatrix, x: NDArray[np.floating]) -> NDArray[np.floating]:
        y = matrix.times(x, self._pool)
        self.products += x.shape[1]
        self._progress(self.products, 0)
        return y


@contextmanager
def sparse_operator(
    matrix: csr_array, *, dtype: DTypeLike = np.float32, threads: int, progress: Progress = no_progress
) -> Iterator[SparseOperator]:
    """Yield the operator of a matrix with sorted indices, which multiplies in this many threads."""
    with ThreadPoolExecutor(threads) as pool:
        yield SparseOperator(matrix, pool, dtype=dtype, chunks=CHUNKS_PER_THREAD * threads, progress=progress)


def with_transpose(matrix: csr_array) -> tuple[csr_array, bool]:
    """Return the transpose of a canonical matrix, canonical too, and whether the two are equal to the bit."""
    transpose = matrix.T.tocsr()
    transpose.sort_indices()
    equal = matrix.shape[0] == matrix.shape[1] and all(
        np.array_equal(getattr(matrix, name), getattr(transpose, name))
        for name in ("indptr", "indices", "data")
    )
    return transpose, equal
