"""Which contexts a few words have: one pass over the token ids, a bit a context."""

import numpy as np
from numba import njit, uint64

from pmifact.kernels.cooccurrence import uniform


@njit(cache=True, nogil=True)
def _is_kept(w, p, n_words, keep, seed):
    """Whether position p with the id w counts, as `lay_stream` would have it."""
    return 0 <= w < n_words and (len(keep) == 0 or uniform(seed, p) < keep[w])


@njit(cache=True, nogil=True)
def _mark_window(token_ids, sentence, p, columns, keep, seed, closes, window, seen_row):
    """Set the bits of the columns of position p, whose sentence is token_ids[sentence[0]:sentence[1]]."""
    column_of, stride = columns
    for step, reach, first in ((-1, window[0], window[0] - 1), (1, window[1], window[0])):
        q, taken = p + step, 0
        while taken < reach and sentence[0] <= q < sentence[1]:
            c = token_ids[q]
            if _is_kept(c, q, len(column_of), keep, seed):
                if column_of[c] >= 0:
                    column = column_of[c] + stride * (first + step * taken)
                    seen_row[column >> 6] |= uint64(1) << uint64(column & 63)
                taken += 1
            elif not closes[0 if c < 0 else 1]:
                taken += 1
            q += step


@njit(cache=True, nogil=True)
def mark_contexts(token_ids, sentence_starts, span, row_of, columns, keep, seed, closes, window, seen):
    """Set bit c of seen[row_of[w + 1]] for every column c of every position of w in the span.

    A row of -1 is left out. The pairs are those of `pmifact.kernels.cooccurrence`: out-of-vocabulary tokens
    take no place in a window when closes[0], and those not kept none when closes[1].

    token_ids int32[N], sentence_starts int64[S+1], span (first, last), row_of int32[V + 1] (row_of[0] is that
    of an out-of-vocabulary token, -1), columns (column_of int64[V], -1 for a word without one; what the k-th
    offset adds to it, over k), keep float64[V] or [0], window (left, right), seen uint64[R, (C >> 6) + 1]
    (output; what was set stays set).
    """
    n_words = len(row_of) - 1
    sentence = np.searchsorted(sentence_starts, span[0], side="right") - 1
    for p in range(span[0], span[1]):
        w = token_ids[p]
        slot = np.uint32(w + 1)  # one test for ids on both sides of the vocabulary, in the loop that matters
        if slot > n_words or row_of[slot] < 0 or not _is_kept(w, p, n_words, keep, seed):
            continue
        while sentence_starts[sentence + 1] <= p:
            sentence += 1
        bounds = sentence_starts[sentence], sentence_starts[sentence + 1]
        _mark_window(token_ids, bounds, p, columns, keep, seed, closes, window, seen[row_of[slot]])


@njit(cache=True, nogil=True)
def count_bits(rows, counts):
    """counts[r] += the bits that are set in rows[r]; rows uint64[R, W], counts int64[R]."""
    for r in range(len(rows)):
        for bits in rows[r]:
            while bits:
                bits &= bits - uint64(1)
                counts[r] += 1
