"""The best candidates of each analogy question within one block of candidates.

``cosines[u, j]`` is the cosine of question word u and candidate j. ``words[q]`` holds the rows u of the
three words a, a*, b of question q, and ``barred[q]`` the places j of the candidates that get the score
``filler`` instead of their own (outside [0, block) when they are not in this block). ``best[q]`` and
``winners[q]`` take the k largest scores and their places, the lowest j first among equal ones; a winner is
-1 where only scores of -inf are left.
"""

import numpy as np
from numba import njit

# Scores are never NaN and the sign of a zero is of no account: with these two, and no other liberty,
# the maximum is compiled to vector instructions and every score stays what plain float32 gives.
_MAXIMUM = {"nnan", "nsz"}


@njit(cache=True, nogil=True)
def sparse_cosines(
    indptr, indices, data, candidates, word_indptr, word_indices, word_data, place, dense, cosines
):
    """Multiply rows of a CSR matrix by U words, sum by sum in the order of a row's columns.

    Columns that many of the words have, which most of the work is about, are at hand as dense rows.

    indptr, indices, data: CSR, float32[V, C] of length 1; candidates int64[n], its rows; word_*: the words,
    transposed, CSR float32[C, U]; place int64[C], of a column in dense float32[., U], or -1; cosines
    float32[U, n] (output).
    """
    sums = np.empty(len(cosines), np.float32)
    for j in range(len(candidates)):
        sums[:] = 0
        for cell in range(indptr[candidates[j]], indptr[candidates[j] + 1]):
            column, value = indices[cell], data[cell]
            if place[column] >= 0:
                row = dense[place[column]]
                for u in range(len(sums)):
                    sums[u] += value * row[u]
            else:
                for at in range(word_indptr[column], word_indptr[column + 1]):
                    sums[word_indices[at]] += value * word_data[at]
        for u in range(len(sums)):
            cosines[u, j] = sums[u]


@njit(cache=True, nogil=True, fastmath=_MAXIMUM)
def best_sums(cosines, words, barred, filler, best, winners):
    """3CosAdd: cos(x, a*) - cos(x, a) + cos(x, b)."""
    scores = np.empty(cosines.shape[1], np.float32)
    for q in range(len(words)):
        a, a_star, b = cosines[words[q, 0]], cosines[words[q, 1]], cosines[words[q, 2]]
        for j in range(len(scores)):
            scores[j] = a_star[j] - a[j] + b[j]
        _keep_best(scores, barred[q], filler, best[q], winners[q])


@njit(cache=True, nogil=True, fastmath=_MAXIMUM)
def best_ratios(cosines, words, barred, filler, epsilon, best, winners):
    """3CosMul: cos(x, a*) cos(x, b) / (cos(x, a) + epsilon), for cosines that are not negative."""
    scores = np.empty(cosines.shape[1], np.float32)
    for q in range(len(words)):
        a, a_star, b = cosines[words[q, 0]], cosines[words[q, 1]], cosines[words[q, 2]]
        for j in range(len(scores)):
            scores[j] = a_star[j] * b[j] / (a[j] + epsilon)
        _keep_best(scores, barred[q], filler, best[q], winners[q])


@njit(cache=True, nogil=True, fastmath=_MAXIMUM)
def best_directions(cosines, words, barred, filler, offsets, best, winners):
    """PairDirection, |a* - a| times: (x - b).(a* - a) / |x - b|, where offsets[q] = b.(a* - a).

    A candidate in the direction of b has no direction from it and scores 0.
    """
    scores = np.empty(cosines.shape[1], np.float32)
    for q in range(len(words)):
        a, a_star, b = cosines[words[q, 0]], cosines[words[q, 1]], cosines[words[q, 2]]
        for j in range(len(scores)):
            # |x - b|^2; what is smaller than this is rounding errors of float32 cosines.
            square = np.float32(2) - np.float32(2) * b[j]
            along = a_star[j] - a[j] - offsets[q]
            scores[j] = along / np.sqrt(square) if square > np.float32(2e-6) else np.float32(0)
        _keep_best(scores, barred[q], filler, best[q], winners[q])


@njit(cache=True, nogil=True, fastmath=_MAXIMUM)
def best_of(scores, barred, best, winners):
    """Take the best of given scores[q, j], which are overwritten; those barred are out."""
    for q in range(len(scores)):
        _keep_best(scores[q], barred[q], np.float32(-np.inf), best[q], winners[q])


@njit(cache=True, nogil=True, fastmath=_MAXIMUM)
def _keep_best(scores, barred, filler, best, winners):
    for j in barred:
        if 0 <= j < len(scores):
            scores[j] = filler
    for place in range(len(best)):
        largest = np.float32(-np.inf)
        for j in range(len(scores)):
            largest = max(largest, scores[j])
        best[place] = largest
        winners[place] = -1
        if largest > -np.inf:
            for j in range(len(scores)):
                if scores[j] == largest:
                    winners[place] = j
                    scores[j] = -np.inf
                    break
