"""Alias tables (Walker; Vose): a draw from any distribution over n outcomes in constant time.

Outcome i is kept when a uniform 32-bit number is below ``threshold[i]`` and otherwise becomes
``alias[i]``, with i itself drawn uniformly from 0..n-1.
"""

import numpy as np
from numba import int64, njit, uint64

from pmifact.kernels.random_bits import below


@njit(cache=True, nogil=True)
def fill_alias(weights, threshold, alias):
    """Build the table of one distribution; weights are not negative and one is positive.

    weights float64[n], threshold uint32[n] (output), alias int32[n] (output).
    """
    n = len(weights)
    scale = n / weights.sum()
    share = weights * scale
    order = np.empty(n, np.int64)  # shares below 1 in the first `few` places, the others after them
    few, last = 0, n
    for i in range(n):
        threshold[i] = 0xFFFFFFFF
        alias[i] = i
        if share[i] < 1.0:
            order[few] = i
            few += 1
        else:
            last -= 1
            order[last] = i
    done = 0
    while done < few < n:
        small, large = order[done], order[few]
        threshold[small] = min(int64(share[small] * 4294967296.0), int64(0xFFFFFFFF))
        alias[small] = large
        share[large] -= 1.0 - share[small]
        done += 1
        if share[large] < 1.0:
            few += 1


@njit(cache=True, nogil=True, inline="always")
def pick(threshold, alias, bits):
    """Return an outcome from 64 random bits: the lower half draws the place, the upper half the side."""
    place = below(bits, uint64(len(threshold)))
    return int64(place) if (bits >> uint64(32)) < uint64(threshold[place]) else int64(alias[place])
