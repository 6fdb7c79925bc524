"""Draws from any distribution in constant time."""

import numpy as np
from numpy.typing import NDArray

AliasTable = tuple[NDArray[np.uint32], NDArray[np.int32]]


def alias_table(weights: NDArray[np.float64]) -> AliasTable:
    """Return the thresholds and the aliases of outcomes 0..n-1 drawn in proportion to their weights.

    Parameters
    ----------
    weights : ndarray of float64, shape (n,)
        Not negative, one at least positive. Each chance is right to 2^-32 / n.
    """
    from pmifact.kernels.alias import fill_alias

    table = np.empty(len(weights), np.uint32), np.empty(len(weights), np.int32)
    fill_alias(np.ascontiguousarray(weights, np.float64), *table)
    return table
