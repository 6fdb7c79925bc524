"""Word vectors: look-up and nearest neighbours."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from pmifact.checks import check_integer
from pmifact.errors import InputError
from pmifact.vocabulary import Vocabulary

_ROWS_AT_ONCE = 8192  # bounds the float64 temporaries of a pass over the rows


@dataclass(frozen=True, eq=False)
class WordVectors:
    """One vector a word.

    Parameters
    ----------
    vocabulary : Vocabulary
        V words.
    matrix : ndarray of float32, shape (V, d), or csr_array of float32, shape (V, C)
        Row i is the vector of word i; sparse for the rows of an SPPMI matrix. Other real dtypes and
        sparse formats are converted.

    Raises
    ------
    InputError
        If the rows do not match the words, or a number is not finite in float32 (the word is named).
    """

    vocabulary: Vocabulary
    matrix: NDArray[np.float32] | csr_array

    def __post_init__(self) -> None:
        matrix = _float32_matrix(self.matrix)
        if matrix.ndim != 2 or matrix.shape[0] != len(self.vocabulary):
            raise InputError(
                f"vectors: expected one row for each of the {len(self.vocabulary)} words of the vocabulary, "
                f"got an array of shape {matrix.shape}"
            )
        row = _first_not_finite(matrix)
        if row is not None:
            raise InputError(
                f"vectors: the vector of {self.vocabulary.words[row]!r} (row {row}) holds a number that is "
                "not finite in float32; remove the word or repair the numbers"
            )
        object.__setattr__(self, "matrix", matrix)

    @cached_property
    def lengths(self) -> NDArray[np.float64]:
        """Float64[V]: the Euclidean length of each row, which float64 holds whatever float32 does."""
        matrix = self.matrix
        if isinstance(matrix, csr_array):
            squares = np.square(matrix.data, dtype=np.float64)
            return np.sqrt(np.bincount(_rows_of(matrix), weights=squares, minlength=len(self)))
        lengths = np.empty(len(self))
        for start in range(0, len(self), _ROWS_AT_ONCE):
            rows = matrix[start : start + _ROWS_AT_ONCE].astype(np.float64)
            lengths[start : start + _ROWS_AT_ONCE] = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        return lengths

    @cached_property
    def covered(self) -> NDArray[np.bool_]:
        """Bool[V]: whether a word has a vector, which a row of zeros is not."""
        return self.lengths > 0

    @cached_property
    def unit(self) -> NDArray[np.float32] | csr_array:
        """The rows scaled to length 1, sparse when `matrix` is; a zero row stays zero."""
        matrix = self.matrix
        divisors = np.where(self.covered, self.lengths, 1.0)
        if isinstance(matrix, csr_array):
            data = (matrix.data / divisors[_rows_of(matrix)]).astype(np.float32)
            return csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)
        unit = np.empty_like(matrix)
        for start in range(0, len(self), _ROWS_AT_ONCE):
            rows = slice(start, start + _ROWS_AT_ONCE)
            unit[rows] = matrix[rows] / divisors[rows, None]
        return unit

    def __len__(self) -> int:
        return len(self.vocabulary)

    def __contains__(self, word: object) -> bool:
        return word in self.vocabulary

    def __repr__(self) -> str:
        kind = "sparse" if isinstance(self.matrix, csr_array) else "dense"
        return f"WordVectors({len(self):,} words, {self.matrix.shape[1]:,} dimensions, {kind})"

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        """Return a copy of the vector of `word`, dense, shape (d,); raise `UnknownWordError` without one."""
        return _dense_row(self.matrix, self.vocabulary.word_id(word))

    def nearest(self, word: str, n: int = 10) -> list[tuple[str, float]]:
        """Return the `n` words whose vectors have the largest cosine with that of `word`.

        Parameters
        ----------
        word : str
            A word of the vocabulary; it is not among its own neighbours.
        n : int, default 10
            How many; fewer are returned when the vocabulary has no more.

        Returns
        -------
        list of (str, float)
            Words and cosines, the largest first, ties in the order of the vocabulary. Words whose
            vector is zero are left out.

        Raises
        ------
        InputError
            If `word` is unknown (`UnknownWordError`), its vector is zero, or `n` is not a positive integer.
        """
        check_integer("n", n, least=1)
        word_id = self.vocabulary.word_id(word)
        if not self.covered[word_id]:
            raise InputError(f"the vector of {word!r} is zero, so it has no direction and no neighbours")
        cosines = np.clip(self.unit @ _dense_row(self.unit, word_id), -1, 1)
        candidates = np.flatnonzero(self.covered)
        candidates = candidates[candidates != word_id]
        best = candidates[np.argsort(-cosines[candidates], kind="stable")[:n]]
        return [(self.vocabulary.words[i], float(cosines[i])) for i in best]


def _float32_matrix(matrix: Any) -> NDArray[np.float32] | csr_array:
    """Return `matrix` as float32, dense and C-contiguous or CSR without duplicates; copied only if needed."""
    array = matrix if issparse(matrix) else np.asarray(matrix)
    if array.dtype.kind not in "fiub":
        raise InputError(f"vectors: expected an array of real numbers, got dtype {array.dtype}")
    with np.errstate(over="ignore"):  # what overflows is reported as not finite, with its word
        if not issparse(array):
            return np.ascontiguousarray(array, dtype=np.float32)
        sparse = csr_array(array, dtype=np.float32)
    if not sparse.has_canonical_format:
        sparse = sparse.copy()
        sparse.sum_duplicates()
    return sparse


def _first_not_finite(matrix: NDArray[np.float32] | csr_array) -> int | None:
    values = matrix.data if isinstance(matrix, csr_array) else matrix
    # The extremes need no temporary as large as the matrix, and a NaN is carried into both.
    if not values.size or (np.isfinite(values.min()) and np.isfinite(values.max())):
        return None
    if isinstance(matrix, csr_array):
        return int(_rows_of(matrix)[np.flatnonzero(~np.isfinite(values))[0]])
    return int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])


def _rows_of(matrix: csr_array) -> NDArray[np.int64]:
    """Return the row of each stored value."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def _dense_row(matrix: NDArray[np.float32] | csr_array, row: int) -> NDArray[np.float32]:
    dense: NDArray[np.float32]
    if isinstance(matrix, csr_array):
        dense = np.zeros(matrix.shape[1], np.float32)
        stored = slice(matrix.indptr[row], matrix.indptr[row + 1])
        dense[matrix.indices[stored]] = matrix.data[stored]
        return dense
    dense = matrix[row]
    return dense.copy()
