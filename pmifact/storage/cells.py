"""Cells of a matrix that another program counted, to the matrix of our own counts."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from pmifact.errors import InputError


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


def check_sum(amounts: NDArray[np.int64], what: str) -> None:
    """Raise `InputError` when numbers of at least 0 add up to more than 64-bit integers hold."""
    # The float only rules out that the exact sum of the halves could pass 64 bits itself.
    exact = (int((amounts >> 32).sum()) << 32) + int((amounts & 0xFFFFFFFF).sum())
    if amounts.sum(dtype=np.float64) > 2.0**64 or exact > 2**63 - 1:
        raise InputError(
            f"{what}: the counts add up to more than 2^63 - 1, which 64-bit integers cannot hold"
        )
