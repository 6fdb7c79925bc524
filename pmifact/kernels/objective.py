"""The skip-gram objective, row by row of a block of products."""

import math

import numpy as np
from numba import njit

_LOG_2 = math.log(2.0)


@njit(cache=True, nogil=True)
def row_objectives(products, first, indptr, indices, counts, unit, scale, share):
    """Return sum_c #(w,c) log s(x_c) + scale_w share_c log s(-x_c) of each row w, #(w,c) = counts / unit.

    log s(x) = -log(1 + exp(-x)) is taken so that exp meets no positive number. Counts are added as whole
    numbers; their unit divides the sum.

    products float64[B, V], of the rows from `first`; indptr, indices, counts: CSR of int64; scale,
    share float64[V]. Returns float64[B].
    """
    values = np.empty(len(products))
    for i in range(len(products)):
        w = first + i
        noise = 0.0
        for c in range(products.shape[1]):
            x = products[i, c]
            if x == 0.0:
                noise += share[c] * _LOG_2
            else:
                noise += share[c] * (max(x, 0.0) + math.log1p(math.exp(-abs(x))))
        observed = 0.0
        for cell in range(indptr[w], indptr[w + 1]):
            x = products[i, indices[cell]]
            observed += counts[cell] * (max(-x, 0.0) + math.log1p(math.exp(-abs(x))))
        values[i] = -observed / unit - scale[w] * noise
    return values
