"""Draws of training examples: one target word and the input words that predict it.

Example p has the inputs ``inputs[starts[p]:starts[p + 1]]`` and the target ``targets[p]``. Every draw is
a pure function of a key and a position, so that examples do not depend on threads or on how the work
is cut into slices.
"""

import numpy as np
from numba import njit, uint64

from pmifact.kernels.alias import pick
from pmifact.kernels.random_bits import below, random_bits


@njit(cache=True, nogil=True, inline="always")
def _kept(token_ids, position, keep, key):
    word = token_ids[position]
    return 0 <= word < len(keep) and (random_bits(key, position) >> uint64(32)) < keep[word]


@njit(cache=True, nogil=True)
def _reach(token_ids, position, step, end, window, keep, key):
    """Return where a walk from `position` to `end` may stop: after `window` kept tokens."""
    found = 0
    while position != end and found < window:
        found += _kept(token_ids, position, keep, key)
        position += step
    return position


@njit(cache=True, nogil=True)
def draw_windows(token_ids, sentence_starts, first, last, keep, window, fixed, key):
    """Draw one example for each kept token at a position in [first, last).

    A token of word w is kept with probability keep[w] / 2^32; out-of-vocabulary tokens (-1) and others
    are removed before windows are laid. The window reaches b tokens to each side within its sentence:
    b = `window` when it is fixed, else drawn uniformly from 1..window. By symmetry the inputs are the
    context words and the target is the focus word.

    token_ids int32[N], sentence_starts int64[S+1], keep uint64[V], key uint64.
    Returns inputs int32[M], starts int64[P+1], targets int32[P], positions int64[P] (of the targets).
    """
    sentence = np.searchsorted(sentence_starts, first, "right") - 1
    beyond = np.searchsorted(sentence_starts, last, "left")
    begin = _reach(token_ids, first - 1, -1, sentence_starts[sentence] - 1, window, keep, key) + 1
    end = _reach(token_ids, last, 1, sentence_starts[beyond], window, keep, key)
    kept = np.empty(end - begin, np.int64)
    inputs = np.empty((last - first) * 2 * window, np.int32)
    starts = np.empty(last - first + 1, np.int64)
    targets = np.empty(last - first, np.int32)
    positions = np.empty(last - first, np.int64)
    starts[0] = 0
    count, filled = 0, 0
    for s in range(sentence, beyond):
        n = 0
        for position in range(max(begin, sentence_starts[s]), min(end, sentence_starts[s + 1])):
            if _kept(token_ids, position, keep, key):
                kept[n] = position
                n += 1
        for i in range(n):
            if kept[i] < first or kept[i] >= last:
                continue
            radius = window if fixed else 1 + below(random_bits(key, kept[i]), window)
            for j in range(max(0, i - radius), min(n, i + radius + 1)):
                if j != i:
                    inputs[filled] = token_ids[kept[j]]
                    filled += 1
            targets[count] = token_ids[kept[i]]
            positions[count] = kept[i]
            count += 1
            starts[count] = filled
    return inputs[:filled], starts[: count + 1], targets[:count], positions[:count]


@njit(cache=True, nogil=True)
def draw_pairs(indptr, indices, row_threshold, row_alias, cell_threshold, cell_alias, first, last, key):
    """Draw the pairs numbered first..last-1 from a count matrix, each cell by its share of the sum.

    A row is drawn from the table of the row sums, then a cell from the table of that row.

    indptr int[V+1], indices int[nnz], row tables of length V, cell tables of length nnz, key uint64.
    Returns the rows int32[last - first] and the columns int32[last - first].
    """
    rows = np.empty(last - first, np.int32)
    columns = np.empty(last - first, np.int32)
    for p in range(last - first):
        row = pick(row_threshold, row_alias, random_bits(key, 2 * (first + p)))
        begin, end = indptr[row], indptr[row + 1]
        cell = pick(cell_threshold[begin:end], cell_alias[begin:end], random_bits(key, 2 * (first + p) + 1))
        rows[p] = row
        columns[p] = indices[begin + cell]
    return rows, columns


@njit(cache=True, nogil=True)
def draw_negatives(threshold, alias, positions, negatives, key):
    """Draw `negatives` words for each position from the table of the noise distribution: int32[P, k]."""
    drawn = np.empty((len(positions), negatives), np.int32)
    for p in range(len(positions)):
        for a in range(negatives):
            drawn[p, a] = pick(threshold, alias, random_bits(key, positions[p] * negatives + a))
    return drawn
