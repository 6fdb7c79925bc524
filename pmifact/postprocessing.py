"""Word vectors less what all of them share: their mean, and the directions of their largest variance."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from pmifact.checks import check_integer
from pmifact.errors import InputError
from pmifact.vectors import WordVectors

_ROWS_AT_ONCE = 8192  # bounds the float64 temporaries of a pass over the rows


def check_postprocessing(*, center: bool, remove_top: int | None) -> None:
    """Raise `InputError` unless `postprocessed` may be asked for this."""
    if not isinstance(center, bool | np.bool_):
        raise InputError(f"center: expected True or False, got {center!r}")
    if remove_top is not None:
        check_integer("remove_top", remove_top, least=1)


def postprocessed(
    vectors: WordVectors, *, center: bool = False, remove_top: int | None = None
) -> WordVectors:
    """Return word vectors less their mean, and less their projection on the top principal components.

    With mu the mean of the vectors and u_1, ..., u_D the principal components of the vectors less mu,

        v'(w) = x - sum_i (u_i . x) u_i,    x = v(w) - mu

    (all-but-the-top: Mu & Viswanath 2018, "Simple and effective postprocessing for word representations").
    Their algorithm 1 as printed has u_i . v(w) in the sum, which would leave in each vector the constant
    -sum_i (u_i . mu) u_i, in the very directions to be removed. Words whose vector is zero have none: they
    stay zero, and count neither in the mean nor in the components.

    Parameters
    ----------
    vectors : WordVectors
        Dense, shape (V, d).
    center : bool
        Whether to subtract the mean; without `remove_top` nothing else is.
    remove_top : int or None
        D, from 1 to d - 1; the mean is subtracted first, whether `center` is set or not. The paper advises
        about d / 100. None removes no component.

    Returns
    -------
    WordVectors
        Float32; the same object when nothing is asked.

    Raises
    ------
    InputError
        If an option is out of range, the vectors are sparse, or none of them is other than zero.
    """
    check_postprocessing(center=center, remove_top=remove_top)
    if not center and remove_top is None:
        return vectors
    matrix = vectors.matrix
    if issparse(matrix):
        raise InputError(
            "vectors: these are sparse, and without their mean no cell would be zero; factorize the counts, "
            "and take the mean or the top components off the factors"
        )
    dimensions = matrix.shape[1]
    if remove_top is not None and remove_top >= dimensions:
        raise InputError(
            f"remove_top: expected less than the {dimensions} dimensions of the vectors, got {remove_top}"
        )
    covered = np.flatnonzero(vectors.covered)
    if not len(covered):
        raise InputError("vectors: all of them are zero, so they have no mean to take off")
    mean = _mean(matrix, covered)
    top = np.zeros((dimensions, 0)) if remove_top is None else _components(matrix, covered, mean, remove_top)
    result = np.zeros_like(matrix)
    for block in _blocks(covered):
        centered = matrix[block] - mean
        result[block] = centered - (centered @ top) @ top.T
    return WordVectors(vectors.vocabulary, result)


def _mean(matrix: NDArray[np.float32], rows: NDArray[np.intp]) -> NDArray[np.float64]:
    total = np.zeros(matrix.shape[1])
    for block in _blocks(rows):
        total += matrix[block].sum(axis=0, dtype=np.float64)
    return total / len(rows)


def _components(
    matrix: NDArray[np.float32], rows: NDArray[np.intp], mean: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Return the first principal components of the rows, in columns."""
    scatter = np.zeros((matrix.shape[1], matrix.shape[1]))
    for block in _blocks(rows):
        centered = matrix[block] - mean
        scatter += centered.T @ centered
    components: NDArray[np.float64] = np.linalg.eigh(scatter)[1][:, -count:]
    return components


def _blocks(rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    return [rows[start : start + _ROWS_AT_ONCE] for start in range(0, len(rows), _ROWS_AT_ONCE)]
