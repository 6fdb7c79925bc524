"""Draws of training examples: one target word and the input words that predict it.

Example p has the inputs ``inputs[starts[p]:starts[p + 1]]`` and the target ``targets[p]``. Every draw is
a pure function of a key and a position, so that examples do not depend on threads or on how the work
is cut into slices.
"""

import numpy as np
from numba import int64, njit, uint64

from pmifact.kernels.alias import fill_alias, pick
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
def fill_cells(indptr, indices, data, cells):
    """Write, for each cell of a CSR matrix, its part of the alias table of its row: one fetch serves a draw.

    indptr int[C+1], indices int[nnz], data int64[nnz] positive; cells uint32[nnz, 3] (output): the threshold,
    the column, and the column that is drawn at or above the threshold.
    """
    for row in range(len(indptr) - 1):
        first, last = indptr[row], indptr[row + 1]
        if first == last:
            continue
        threshold, alias = np.empty(last - first, np.uint32), np.empty(last - first, np.int32)
        fill_alias(data[first:last].astype(np.float64), threshold, alias)
        for place in range(last - first):
            cells[first + place, 0] = threshold[place]
            cells[first + place, 1] = indices[first + place]
            cells[first + place, 2] = indices[first + alias[place]]


@njit(cache=True, nogil=True)
def draw_pairs(indptr, cells, target_threshold, target_alias, group, first, last, key):
    """Draw the pairs numbered first..last-1 from a count matrix, in examples of `group` inputs.

    A target, a row of this matrix, is drawn from the table of the row sums; then each of its inputs, a cell
    of that row, from the table of the row: each pair by its share of the sum. `group` divides `first`; the
    last example may have fewer inputs.

    indptr int[C+1]; cells uint32[nnz, 3] of `fill_cells`; the table of the targets, of length C; key uint64.
    Returns inputs int32[M], starts int64[P+1], targets int32[P], positions int64[P] (the number of each
    example).
    """
    examples = (last - first + group - 1) // group
    places, sides = np.empty(last - first, np.int64), np.empty(last - first, np.uint32)
    inputs = np.empty(last - first, np.int32)
    starts = np.empty(examples + 1, np.int64)
    targets = np.empty(examples, np.int32)
    positions = np.empty(examples, np.int64)
    starts[0] = 0
    for p in range(examples):
        positions[p] = first // group + p
        draw = positions[p] * (group + 1)  # the number of the first of its random draws
        row = pick(target_threshold, target_alias, random_bits(key, draw))
        targets[p] = row
        starts[p + 1] = min(starts[p] + group, last - first)
        begin, width = indptr[row], uint64(indptr[row + 1] - indptr[row])
        for a in range(starts[p + 1] - starts[p]):
            bits = random_bits(key, draw + 1 + a)
            places[starts[p] + a] = begin + int64(below(bits, width))
            sides[starts[p] + a] = bits >> uint64(32)
    # By itself: loads that wait for nothing else wait for the memory together.
    for i in range(last - first):
        cell = places[i]
        inputs[i] = cells[cell, 1] if sides[i] < cells[cell, 0] else cells[cell, 2]
    return inputs, starts, targets, positions


@njit(cache=True, nogil=True)
def draw_negatives(threshold, alias, positions, negatives, key):
    """Draw `negatives` words for each position from the table of the noise distribution: int32[P, k]."""
    drawn = np.empty((len(positions), negatives), np.int32)
    for p in range(len(positions)):
        for a in range(negatives):
            drawn[p, a] = pick(threshold, alias, random_bits(key, positions[p] * negatives + a))
    return drawn
