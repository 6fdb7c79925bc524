"""The skip-gram objective, row by row of a block of products; and single products of a model."""

import math

import numpy as np
from numba import njit

from pmifact.kernels.softplus import softplus

_CHUNK = 1024  # columns at a time: their values stay in the first cache


# Reassociated: the sum of a chunk is taken in several parts at once, in an order that nothing changes.
@njit(cache=True, nogil=True, fastmath={"contract", "reassoc"})
def _dot(left, right):
    total = 0.0
    for j in range(len(left)):
        total += left[j] * right[j]
    return total


@njit(cache=True, nogil=True)
def row_objectives(products, first, indptr, indices, counts, unit, scale, share):
    """Return sum_c #(w,c) log s(x_c) + scale_w share_c log s(-x_c) of each row w, #(w,c) = counts / unit.

    -log s(-x) = log(1 + exp(x)), and -log s(x) is that less x. Counts are added as whole numbers; their
    unit divides the sum.

    products float64[B, V], of the rows from `first`; indptr, indices, counts: CSR of int64; scale,
    share float64[V]. Returns float64[B].
    """
    values = np.empty(len(products))
    costs, powers = np.empty(_CHUNK), np.empty(_CHUNK)
    columns = products.shape[1]
    for i in range(len(products)):
        w = first + i
        noise = 0.0
        for c in range(0, columns, _CHUNK):
            size = min(_CHUNK, columns - c)
            softplus(products[i, c : c + size], costs[:size], powers[:size])
            noise += _dot(costs[:size], share[c : c + size])
        observed = 0.0
        for cell in range(indptr[w], indptr[w + 1]):
            x = products[i, indices[cell]]
            observed += counts[cell] * (max(-x, 0.0) + math.log1p(math.exp(-abs(x))))
        values[i] = -observed / unit - scale[w] * noise
    return values


@njit(cache=True, nogil=True)
def dense_cells(left, right, rows, columns, cells):
    """Write left[rows] . right[columns] into `cells`; left, right float64[., d], the others of length n."""
    for i in range(len(cells)):
        cells[i] = _dot(left[rows[i]], right[columns[i]])


@njit(cache=True, nogil=True)
def sparse_cells(indptr, indices, data, rows, columns, cells):
    """Write the cells (rows, columns) of a CSR matrix into `cells`, 0 where it has none; columns in order."""
    for i in range(len(cells)):
        low, high = indptr[rows[i]], indptr[rows[i] + 1]
        end = high
        while low < high:
            middle = (low + high) >> 1
            if indices[middle] < columns[i]:
                low = middle + 1
            else:
                high = middle
        cells[i] = data[low] if low < end and indices[low] == columns[i] else 0.0
