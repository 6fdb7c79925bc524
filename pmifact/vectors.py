"""Word vectors: look-up, nearest words, analogies."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from pmifact.checks import check_choice, check_integer
from pmifact.errors import InputError, UnknownIdError
from pmifact.notebook import SHOWN, count_of, html_table
from pmifact.vocabulary import Vocabulary

INPUTS = ("exclude", "keep")

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
        return (
            f"WordVectors({count_of(len(self), 'word')}, "
            f"{count_of(self.matrix.shape[1], 'dimension')}, {kind})"
        )

    def _repr_html_(self) -> str:
        shown = min(SHOWN, self.matrix.shape[1])
        rows = [
            [word, f"{count:,}", *map(float, _dense_row(self.matrix, word_id)[:shown])]
            for word_id, (word, count) in enumerate(
                zip(self.vocabulary.words[:SHOWN], self.vocabulary.counts[:SHOWN].tolist(), strict=True)
            )
        ]
        columns = ["word", "count", *map(str, range(shown))]
        return html_table(repr(self), rows, columns, more=len(self) - len(rows))

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        """Return a copy of the vector of `word`, dense, shape (d,); raise `UnknownWordError` without one."""
        return _dense_row(self.matrix, self.vocabulary.word_id(word))

    def lookup(self, ids: Any) -> NDArray[np.float32] | csr_array:
        """Return the vectors of words: the product of their one-hot rows and the matrix.

        Parameters
        ----------
        ids : int, str, sequence of str, or array_like of int
            Word ids, or words, in any number and order. An array of ids may have any shape when the vectors
            are dense, and at most one dimension when they are sparse.

        Returns
        -------
        ndarray of float32, shape (..., d), or csr_array of float32, shape (n, d)
            A copy of row ``ids[i]`` in place i, sparse when the vectors are; one id or word gives one dense
            row, of shape (d,).

        Raises
        ------
        InputError
            If an id is outside [0, V) (`UnknownIdError`, also an IndexError), a word is unknown
            (`UnknownWordError`, also a KeyError), or `ids` holds neither integers nor words.
        """
        words = _words_in(ids)
        if isinstance(ids, str):
            array = np.array(self.vocabulary.word_id(ids))
        elif words is not None:
            array = np.array([self.vocabulary.word_id(word) for word in words], np.int64)
        else:
            array = np.asarray(ids)
        if array.dtype.kind not in "iu":
            raise InputError(f"lookup: expected integers or words, got an array of dtype {array.dtype}")
        outside = (array < 0) | (array >= len(self))
        if outside.any():
            raise UnknownIdError(f"lookup: word id {array[outside][0]} is outside [0, {len(self)})")
        if array.ndim == 0:
            return _dense_row(self.matrix, int(array))
        if isinstance(self.matrix, csr_array) and array.ndim > 1:
            raise InputError(
                f"lookup: expected ids in one dimension, since these vectors are sparse, got an array of "
                f"shape {array.shape}; give ids.ravel()"
            )
        rows: NDArray[np.float32] | csr_array = self.matrix[array]
        return rows

    @overload
    def nearest(self, query: str, n: int = 10) -> list[tuple[str, float]]: ...
    @overload
    def nearest(self, query: list[str] | tuple[str, ...], n: int = 10) -> list[list[tuple[str, float]]]: ...
    @overload
    def nearest(
        self, query: Sequence[str] | NDArray[Any], n: int = 10
    ) -> list[tuple[str, float]] | list[list[tuple[str, float]]]: ...
    def nearest(
        self, query: str | Sequence[str] | NDArray[Any], n: int = 10
    ) -> list[tuple[str, float]] | list[list[tuple[str, float]]]:
        """Return the `n` words whose vectors have the largest cosines with the query.

        Parameters
        ----------
        query : str, sequence of str, or ndarray of real numbers, shape (d,) or (k, d)
            A word, a vector, or many of either. A word is not among its own neighbours.
        n : int, default 10
            How many; fewer are returned when the vocabulary has no more.

        Returns
        -------
        list of (str, float)
            Words and cosines, the largest first, ties in the order of the vocabulary; for many queries a
            list of such lists. Words whose vector is zero are left out.

        Raises
        ------
        InputError
            If a word is unknown (`UnknownWordError`), a vector is zero, not finite or of another length than
            d, or `n` is not a positive integer.
        """
        from pmifact.search.nearest import nearest_to_vectors, nearest_to_words

        check_integer("n", n, least=1)
        single = isinstance(query, str)
        words = _words_in([query] if single else query)
        if words is not None:
            ids = np.array([self._id_with_vector(word) for word in words], np.int64)
            found = nearest_to_words(self, ids, n)
        else:
            queries = _queries(query, self.matrix.shape[1])
            single = queries.ndim == 1
            found = nearest_to_vectors(self, np.atleast_2d(queries), n)
        names = self.vocabulary.words
        neighbors = [
            [(names[word_id], cosine) for word_id, cosine in zip(*map(np.ndarray.tolist, pair), strict=True)]
            for pair in found
        ]
        return neighbors[0] if single else neighbors

    def analogy(
        self,
        a: str,
        a_star: str,
        b: str,
        n: int = 10,
        *,
        method: str = "add",
        inputs: str = "exclude",
        threads: int | None = None,
    ) -> list[tuple[str, float]]:
        """Return the `n` best answers x to the question a : a* :: b : x, such as man : king :: woman : x.

        Parameters
        ----------
        a, a_star, b : str
            The three words of the question.
        n : int, default 10
            How many answers; fewer are returned when the vocabulary has no more.
        method : {"add", "mul", "pairdirection"}
            3CosAdd, 3CosMul or PairDirection, as in `evaluate_analogy`.
        inputs : {"exclude", "keep"}
            Whether a, a* and b may be answers. Kept, b or a* is often the best one (Linzen, RepEval 2016).
        threads : int, optional
            All cores by default; the answers do not depend on it.

        Returns
        -------
        list of (str, float)
            Words and their scores by the method, the largest first, ties in the order of the vocabulary.
            Words whose vector is zero are left out.

        Raises
        ------
        InputError
            If a word is unknown (`UnknownWordError`) or its vector is zero, or an option is none of these.
        """
        from pmifact.search.analogies import METHODS, Rule, best_answers

        check_integer("n", n, least=1)
        check_choice("method", method, METHODS)
        check_choice("inputs", inputs, INPUTS)
        scores, answers = best_answers(
            self,
            np.array([[self._id_with_vector(word) for word in (a, a_star, b)]]),
            rule=Rule(method=method, inputs="out" if inputs == "exclude" else "kept"),
            top=min(n, len(self)),
            threads=threads,
        )
        found = answers[0] >= 0
        return [
            (self.vocabulary.words[word_id], score)
            for word_id, score in zip(answers[0][found].tolist(), scores[0][found].tolist(), strict=True)
        ]

    def to_gensim(self) -> Any:
        """Return the vectors as `gensim.models.KeyedVectors`, the words in the same order, with their counts.

        Raises
        ------
        InputError
            If gensim is not installed, or the vectors are sparse.
        """
        from pmifact.bridges import to_gensim

        return to_gensim(self)

    def to_torch(self, *, padding: bool = False, freeze: bool = True) -> Any:
        """Return the vectors as a `torch.nn.Embedding`, whose indices are the word ids.

        Parameters
        ----------
        padding : bool, default False
            Add a row of zeros after the last word and make it the padding row: its index, `padding_idx`, is
            V, so that the indices of the words stay what they are.
        freeze : bool, default True
            Keep the rows as they are while a network is trained.

        Raises
        ------
        InputError
            If torch is not installed, or the vectors are sparse.
        """
        from pmifact.bridges import to_torch

        return to_torch(self, padding=padding, freeze=freeze)

    def _id_with_vector(self, word: str) -> int:
        word_id = self.vocabulary.word_id(word)
        if not self.covered[word_id]:
            raise InputError(f"the vector of {word!r} is zero, so it has no direction and no neighbours")
        return word_id


def _words_in(items: Any) -> list[str] | None:
    """Return the words of a sequence of words, None of anything else."""
    if isinstance(items, np.ndarray) and (items.ndim != 1 or items.dtype.kind not in "OUT"):
        return None
    try:
        words = items.tolist() if isinstance(items, np.ndarray) else list(items)
    except TypeError:
        return None
    return words if all(isinstance(word, str) for word in words) else None


def _queries(vectors: Any, dimensions: int) -> NDArray[np.float64]:
    """Return vectors to look for, shape (d,) or (k, d)."""
    array = np.asarray(vectors)
    if array.dtype.kind not in "fiu" or array.ndim not in (1, 2) or array.shape[-1] != dimensions:
        raise InputError(
            f"nearest: expected a word, a vector of {dimensions} numbers, or many of either, "
            f"got an array of dtype {array.dtype} and shape {array.shape}"
        )
    queries = array.astype(np.float64)
    if not np.isfinite(queries).all():
        raise InputError("nearest: expected finite numbers, got a vector with others")
    if not queries.any(axis=-1).all():
        raise InputError("nearest: a vector is zero, so it has no direction and no neighbours")
    return queries


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
