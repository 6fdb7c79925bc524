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
def join_pairs(token_ids, sentence_starts, span, before, row_starts, columns, phrase_ids, joined, ends):
    """Replace each pair of neighbours that is a phrase by one token, from place span[0] to span[1].

    The pairs of word a are (a, columns[k]) for k in [row_starts[a], row_starts[a + 1]), in rising order, and
    become phrase_ids[k]. What has been joined joins no further. A negative token is part of no pair.

    Returns the number of tokens written, of sentences that ended, and the place to go on from, which is one
    after span[1] when a pair lay across it.

    token_ids int32[N], sentence_starts int64[S+1], row_starts int64[V+1], columns int32[P], phrase_ids
    int32[P], `before` the tokens written before; output: joined int32, and ends int64 of the sentences.
    """
    sentence = np.searchsorted(sentence_starts, span[0], side="right") - 1
    p, last = np.int64(span[0]), sentence_starts[sentence + 1]
    written, ended = 0, 0
    while p < span[1]:
        a = token_ids[p]
        found = np.int64(-1)
        if a >= 0 and p + 1 < last and row_starts[a] < row_starts[a + 1]:
            found = _find(columns, row_starts[a], row_starts[a + 1], token_ids[p + 1])
        if found >= 0:
            joined[written] = phrase_ids[found]
            p += 2
        else:
            joined[written] = a
            p += 1
        written += 1
        if p == last:
            ends[ended] = before + written
            ended += 1
            sentence += 1
            if sentence + 1 < len(sentence_starts):
                last = sentence_starts[sentence + 1]
    return written, ended, p
