"""Joining words to phrases, from left to right."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _find(columns, first, last, column):
    """Return where `column` stands in the rising columns[first:last], -1 where it does not."""
    while first < last:
        middle = (first + last) // 2
        if columns[middle] < column:
            first = middle + 1
        elif columns[middle] > column:
            last = middle
        else:
            return middle
    return -1


@njit(cache=True, nogil=True)
def join_pairs(token_ids, sentence_starts, row_starts, columns, phrase_ids, joined, joined_starts):
    """Replace each pair of neighbours that is a phrase by one token; return the number of tokens left.

    The pairs of word a are (a, columns[k]) for k in [row_starts[a], row_starts[a + 1]), in rising order, and
    become phrase_ids[k]. What has been joined joins no further. A negative token is part of no pair.

    token_ids int32[N], sentence_starts int64[S+1], row_starts integer[V+1], columns integer[P], phrase_ids
    int32[P]; output: joined int32[N], joined_starts int64[S+1].
    """
    end = 0
    for sentence in range(len(sentence_starts) - 1):
        p, last = sentence_starts[sentence], sentence_starts[sentence + 1]
        while p < last:
            a = token_ids[p]
            found = np.int64(-1)
            if a >= 0 and p + 1 < last and row_starts[a] < row_starts[a + 1]:
                found = _find(columns, row_starts[a], row_starts[a + 1], token_ids[p + 1])
            if found >= 0:
                joined[end] = phrase_ids[found]
                p += 2
            else:
                joined[end] = a
                p += 1
            end += 1
        joined_starts[sentence + 1] = end
    return end
