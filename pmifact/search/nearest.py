"""The search for the words whose vectors have the largest cosines with given ones."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from pmifact.vectors import WordVectors

Neighbors = tuple[NDArray[np.int64], NDArray[np.float64]]

_NUMBERS_AT_ONCE = 1 << 24  # bounds the cosines, and the dense queries, of a block of queries
# Far more than float32 cosines are off: what comes this near to the best is compared again in float64.
_SLACK = 1e-4
_ROWS_AT_ONCE = 8192


def nearest_to_words(vectors: "WordVectors", word_ids: NDArray[np.int64], n: int) -> Iterator[Neighbors]:
    """Yield the neighbours of each word, itself left out; see `nearest_to_vectors`."""
    at_once = max(1, _NUMBERS_AT_ONCE // max(vectors.matrix.shape))
    for first in range(0, len(word_ids), at_once):
        ids = word_ids[first : first + at_once]
        rows: Any = vectors.matrix[ids]
        queries = rows.toarray() if isinstance(rows, csr_array) else rows
        yield from nearest_to_vectors(vectors, queries.astype(np.float64), n, left_out=ids)


def nearest_to_vectors(
    vectors: "WordVectors",
    queries: NDArray[np.float64],
    n: int,
    *,
    left_out: NDArray[np.int64] | None = None,
) -> Iterator[Neighbors]:
    """Yield the `n` words with the largest cosines with each query.

    Parameters
    ----------
    vectors : WordVectors
        Candidates are the words whose vector is not zero.
    queries : ndarray of float64, shape (k, d)
        Of any length above 0.
    n : int
        How many; fewer where there are no more.
    left_out : ndarray of int64, shape (k,), optional
        The id of a word that is no neighbour of the query.

    Yields
    ------
    word_ids : ndarray of int64, shape (m,)
        The nearest first, ties in the order of the vocabulary.
    cosines : ndarray of float64, shape (m,)
        Rounded to 12 digits, beyond which float32 vectors mean nothing, so that equal ones are ties.
    """
    # Scaled by the largest entry first, so that no square overflows or vanishes.
    queries = queries / np.abs(queries).max(axis=1, keepdims=True)
    queries /= np.sqrt(np.einsum("ij,ij->i", queries, queries))[:, None]
    outside = np.full(len(queries), -1) if left_out is None else left_out
    at_once = max(1, _NUMBERS_AT_ONCE // max(1, *vectors.matrix.shape))
    for first in range(0, len(queries), at_once):
        block = slice(first, first + at_once)
        near = np.ascontiguousarray((vectors.unit @ queries[block].T.astype(np.float32)).T)
        near[:, ~vectors.covered] = -np.inf
        for query, cosines, barred in zip(queries[block], near, outside[block].tolist(), strict=True):
            if barred >= 0:
                cosines[barred] = -np.inf
            candidates = _might_be_best(cosines, n)
            exact = _cosines(vectors, candidates, query)
            best = np.argsort(-exact, kind="stable")[:n]
            yield candidates[best], exact[best]


def _might_be_best(cosines: NDArray[np.float32], n: int) -> NDArray[np.int64]:
    """Return the ids, rising, of all that may be among the `n` largest; -inf never is."""
    least = np.float32(-2)
    if n < len(cosines):
        least = max(least, np.partition(cosines, len(cosines) - n)[len(cosines) - n] - np.float32(_SLACK))
    return np.flatnonzero(cosines >= least)


def _cosines(
    vectors: "WordVectors", word_ids: NDArray[np.int64], query: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the cosines of words with a query of length 1, each added up in the same order."""
    products = np.empty(len(word_ids))
    for first in range(0, len(word_ids), _ROWS_AT_ONCE):
        block = slice(first, first + _ROWS_AT_ONCE)
        rows: Any = vectors.matrix[word_ids[block]].astype(np.float64)
        sparse = isinstance(rows, csr_array)
        products[block] = rows @ query if sparse else np.einsum("ij,j->i", rows, query)
    cosines: NDArray[np.float64] = np.clip(np.round(products / vectors.lengths[word_ids], 12), -1, 1)
    return cosines
