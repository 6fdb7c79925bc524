"""Spearman's and Pearson's correlation, of data as they are and of many resamples at once."""

import numpy as np
from numpy.typing import NDArray

CORRELATIONS = ("spearman", "pearson")


def correlate(x: NDArray[np.float64], y: NDArray[np.float64], kind: str) -> float:
    """Return the correlation of x and y, each of shape (n,); NaN where one of them does not vary."""
    return float(resampled_correlations(x, y[None], np.ones((1, len(x))), kind)[0, 0])


def resampled_correlations(
    x: NDArray[np.float64], ys: NDArray[np.float64], counts: NDArray[np.float64], kind: str
) -> NDArray[np.float64]:
    """Return the correlation of x with each y in each resample.

    Parameters
    ----------
    x : ndarray of float64, shape (n,)
        One variable.
    ys : ndarray of float64, shape (k, n)
        The others.
    counts : ndarray of float64, shape (r, n)
        How often each resample holds each item.
    kind : {"spearman", "pearson"}
        Ranks, equal values sharing their mean rank, are those within the resample.

    Returns
    -------
    ndarray of float64, shape (r, k)
        NaN where a resample leaves a variable without variation.
    """
    first = _centred(x, counts, kind)
    columns = []
    for y in ys:
        second = _centred(y, counts, kind)
        products = np.einsum("rn,rn,rn->r", counts, first, second)
        squares = [np.einsum("rn,rn,rn->r", counts, side, side) for side in (first, second)]
        with np.errstate(invalid="ignore", divide="ignore"):
            columns.append(np.clip(products / np.sqrt(squares[0] * squares[1]), -1, 1))
    return np.column_stack(columns)


def ranks(values: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each of n values in each of r resamples, shape (r, n), as `counts`."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    opens = np.ones(len(values), bool)
    opens[1:] = ordered[1:] != ordered[:-1]
    # What is drawn of a group of equal values takes the ranks below+1 to below+drawn, of mean:
    drawn = np.add.reduceat(counts[:, order], np.flatnonzero(opens), axis=1)
    shared = np.cumsum(drawn, axis=1) - drawn + (drawn + 1) / 2
    result = np.empty_like(counts)
    result[:, order] = shared[:, np.cumsum(opens) - 1]
    return result


def _centred(values: NDArray[np.float64], counts: NDArray[np.float64], kind: str) -> NDArray[np.float64]:
    """Return the values, or ranks, less their mean in each resample, shape (r, n); 0 where all are equal."""
    used = ranks(values, counts) if kind == "spearman" else np.broadcast_to(values, counts.shape)
    means = np.einsum("rn,rn->r", counts, used) / counts.sum(axis=1)
    centred: NDArray[np.float64] = used - means[:, None]
    # Rounding errors of the mean are no variation.
    centred[abs(centred) <= 1e-14 * abs(means)[:, None]] = 0
    return centred
