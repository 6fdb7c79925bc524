"""The best candidate of each analogy question within one block of candidates.

``cosines[u, j]`` is the cosine of question word u and candidate j. ``words[q]`` holds the rows u of the
three words a, a*, b of question q, and ``barred[q]`` their places j among the candidates (outside
[0, block) when they are not in this block). Of equal candidates the lowest j is taken; ``winners[q]``
is -1 when every candidate is barred.
"""

import numpy as np
from numba import njit

# Scores are never NaN and the sign of a zero is of no account: with these two, and no other liberty,
# the maximum is compiled to vector instructions and every score stays what plain float32 gives.
_MAXIMUM = {"nnan", "nsz"}


@njit(cache=True, nogil=True, fastmath=_MAXIMUM)
def best_sums(cosines, words, barred, best, winners):
    """3CosAdd: cos(x, a*) - cos(x, a) + cos(x, b)."""
    scores = np.empty(cosines.shape[1], np.float32)
    for q in range(len(words)):
        a, a_star, b = cosines[words[q, 0]], cosines[words[q, 1]], cosines[words[q, 2]]
        for j in range(len(scores)):
            scores[j] = a_star[j] - a[j] + b[j]
        _keep_best(scores, barred, q, best, winners)


@njit(cache=True, nogil=True, fastmath=_MAXIMUM)
def best_ratios(cosines, words, barred, epsilon, best, winners):
    """3CosMul: cos(x, a*) cos(x, b) / (cos(x, a) + epsilon), for cosines that are not negative."""
    scores = np.empty(cosines.shape[1], np.float32)
    for q in range(len(words)):
        a, a_star, b = cosines[words[q, 0]], cosines[words[q, 1]], cosines[words[q, 2]]
        for j in range(len(scores)):
            scores[j] = a_star[j] * b[j] / (a[j] + epsilon)
        _keep_best(scores, barred, q, best, winners)


@njit(cache=True, nogil=True, fastmath=_MAXIMUM)
def _keep_best(scores, barred, q, best, winners):
    for j in barred[q]:
        if 0 <= j < len(scores):
            scores[j] = -np.inf
    largest = np.float32(-np.inf)
    for j in range(len(scores)):
        largest = max(largest, scores[j])
    best[q] = largest
    winners[q] = -1
    if largest > -np.inf:
        for j in range(len(scores)):
            if scores[j] == largest:
                winners[q] = j
                break
