"""Skip-gram updates, one small dense block for each example.

The m inputs x_a = words[rows[0, a]] all meet the same n outputs y_b = contexts[rows[1, b]]. With labels
l_b in {0, 1} and s the logistic function, the loss of an example is

    -sum_ab [ l_b log s(x_a.y_b) + (1 - l_b) log s(-x_a.y_b) ]

and one step along the errors E_ab = rate (l_b - s(x_a.y_b)) is

    x_a += sum_b E_ab y_b        y_b += sum_a E_ab x_a

with all x and y on the right as they were before the step. An output of label SKIP takes no part.
Blocks of 2 by 3 rows stay in registers, so buffers hold a few rows more than the largest example; what
stands beyond the real rows meets only errors of 0. Rows are named by an array and an index: a view passed
on would cost a count of references for each.
"""

import math

import numpy as np
from numba import njit

from pmifact.kernels.prefetch import prefetch_to_write

# No assumption that numbers are finite: a diverging run must show, and be stopped by, its NaN.
FAST = {"contract", "reassoc", "nsz", "arcp"}
SKIP = -1
LINE = 64  # bytes in a line of the cache
SPARE = 3  # rows of a buffer beyond the largest example
MEASURED = 64  # the loss is taken of one example in so many: an estimate that costs next to nothing


@njit(cache=True, nogil=True)
def _ask_for(array, row):
    """Prefetch a row: the rows of the next example lie far apart, and each would be waited for."""
    d = array.shape[1]
    for place in range(row * d, (row + 1) * d, LINE // array.itemsize):
        prefetch_to_write(array, place)


@njit(cache=True, nogil=True, fastmath=FAST)
def update_block(words, contexts, rows, labels, m, n, rate, x, y, errors):
    """Take one step for one example of m inputs and n outputs (formulas above).

    words, contexts float[., d]; rows int32[2, .]; labels int8[.]; rate of the same kind as words; x, y and
    errors as `buffers` makes them.
    """
    d = words.shape[1]
    one, zero = errors.dtype.type(1), errors.dtype.type(0)
    for a in range(m):
        row = rows[0, a]
        for t in range(d):
            x[a, t] = words[row, t]
    for b in range(n):
        row = rows[1, b]
        for t in range(d):
            y[b, t] = contexts[row, t]

    for a in range(0, m, 2):
        for b in range(0, n, 3):
            p00, p01, p02, p10, p11, p12 = zero, zero, zero, zero, zero, zero
            for t in range(d):
                x0, x1, y0, y1, y2 = x[a, t], x[a + 1, t], y[b, t], y[b + 1, t], y[b + 2, t]
                p00 += x0 * y0
                p01 += x0 * y1
                p02 += x0 * y2
                p10 += x1 * y0
                p11 += x1 * y1
                p12 += x1 * y2
            errors[a, b], errors[a, b + 1], errors[a, b + 2] = p00, p01, p02
            errors[a + 1, b], errors[a + 1, b + 1], errors[a + 1, b + 2] = p10, p11, p12

    for a in range(m):
        for b in range(n):
            error = zero
            if labels[b] != SKIP:
                label = one if labels[b] else zero
                error = rate * (label - one / (one + math.exp(-errors[a, b])))
            errors[a, b] = error
        errors[a, n] = zero
    for b in range(n):
        errors[m, b] = zero

    # The buffers hold what stood before the step. A sum of many rows is stored once, not once for each.
    for b in range(n):
        row = rows[1, b]
        a = 0
        while a + 4 <= m:
            e0, e1, e2, e3 = errors[a, b], errors[a + 1, b], errors[a + 2, b], errors[a + 3, b]
            for t in range(d):
                low = e0 * x[a, t] + e1 * x[a + 1, t]
                contexts[row, t] += low + e2 * x[a + 2, t] + e3 * x[a + 3, t]
            a += 4
        while a < m:
            e0, e1 = errors[a, b], errors[a + 1, b]
            for t in range(d):
                contexts[row, t] += e0 * x[a, t] + e1 * x[a + 1, t]
            a += 2
    for a in range(m):
        row = rows[0, a]
        b = 0
        while b + 6 <= n:
            e0, e1, e2 = errors[a, b], errors[a, b + 1], errors[a, b + 2]
            e3, e4, e5 = errors[a, b + 3], errors[a, b + 4], errors[a, b + 5]
            for t in range(d):
                low = e0 * y[b, t] + e1 * y[b + 1, t] + e2 * y[b + 2, t]
                words[row, t] += low + e3 * y[b + 3, t] + e4 * y[b + 4, t] + e5 * y[b + 5, t]
            b += 6
        while b < n:
            e0, e1 = errors[a, b], errors[a, b + 1]
            for t in range(d):
                words[row, t] += e0 * y[b, t] + e1 * y[b + 1, t]
            b += 2


@njit(cache=True, nogil=True, fastmath=FAST)
def block_loss(words, contexts, rows, labels, m, n):
    """Return the loss of one example (formula above), stable for products of any size."""
    loss = 0.0
    for a in range(m):
        for b in range(n):
            if labels[b] != SKIP:
                product = words.dtype.type(0)
                for t in range(words.shape[1]):
                    product += words[rows[0, a], t] * contexts[rows[1, b], t]
                wrong = -product if labels[b] else product
                loss += max(wrong, 0.0) + math.log1p(math.exp(-abs(wrong)))
    return loss


@njit(cache=True, nogil=True)
def buffers(words, starts, outputs):
    """Return rows, labels, x, y and errors for the largest of the examples and `outputs` outputs."""
    inputs = 0
    for p in range(len(starts) - 1):
        inputs = max(inputs, starts[p + 1] - starts[p])
    most, d = max(inputs, outputs) + SPARE, words.shape[1]
    x = np.zeros((inputs + SPARE, d), words.dtype)
    y = np.zeros((outputs + SPARE, d), words.dtype)
    errors = np.zeros((inputs + SPARE, outputs + SPARE), words.dtype)
    return np.zeros((2, most), np.int32), np.zeros(most, np.int8), x, y, errors


@njit(cache=True, nogil=True)
def train_negatives(words, contexts, inputs, starts, targets, negatives, exact, rates):
    """Negative sampling: the outputs are the target (label 1) and its negatives (label 0).

    All inputs of an example share its negatives. A negative that equals the target is kept when `exact`,
    else skipped, as word2vec does.

    words, contexts float[V, d] (updated); inputs int32[M], starts int64[P+1], targets int32[P],
    negatives int32[P, k]; rates float[2]: the learning rate falls from the first to the second.
    Returns the summed loss of the measured examples and the number of their pairs.
    """
    n = negatives.shape[1] + 1
    rows, labels, x, y, errors = buffers(words, starts, n)
    labels[0] = 1
    loss, pairs, seen = 0.0, 0, 0
    for p in range(len(targets)):
        m = starts[p + 1] - starts[p]
        if m == 0:
            continue
        for a in range(m):
            rows[0, a] = inputs[starts[p] + a]
        rows[1, 0] = targets[p]
        for b in range(1, n):
            rows[1, b] = negatives[p, b - 1]
            labels[b] = SKIP if rows[1, b] == targets[p] and not exact else 0
        if p + 1 < len(targets) and starts[p + 2] > starts[p + 1]:
            _ask_for(words, inputs[starts[p + 2] - 1])  # the others were inputs a moment ago
            _ask_for(contexts, targets[p + 1])
            for b in range(n - 1):
                _ask_for(contexts, negatives[p + 1, b])
        rate = words.dtype.type(rates[0] + (rates[1] - rates[0]) * p / len(targets))
        if seen % MEASURED == 0:
            loss += block_loss(words, contexts, rows, labels, m, n)
            pairs += m
        seen += 1
        update_block(words, contexts, rows, labels, m, n, rate, x, y, errors)
    return loss, pairs


@njit(cache=True, nogil=True)
def train_paths(words, nodes, inputs, starts, targets, path_starts, path_nodes, path_codes, rates):
    """Hierarchical softmax: the outputs are the inner nodes on the target's path, label 1 for side 0.

    words float[V, d], nodes float[V - 1, d] (both updated); inputs int32[M], starts int64[P+1],
    targets int32[P]; path_starts int64[V+1], path_nodes int32, path_codes int8; rates float[2] as above.
    Returns the summed loss of the measured examples and the number of their pairs.
    """
    longest = 0
    for word in range(len(path_starts) - 1):
        longest = max(longest, path_starts[word + 1] - path_starts[word])
    rows, labels, x, y, errors = buffers(words, starts, longest)
    loss, pairs, seen = 0.0, 0, 0
    for p in range(len(targets)):
        m = starts[p + 1] - starts[p]
        if m == 0:
            continue
        for a in range(m):
            rows[0, a] = inputs[starts[p] + a]
        first = path_starts[targets[p]]
        n = path_starts[targets[p] + 1] - first
        for b in range(n):
            rows[1, b] = path_nodes[first + b]
            labels[b] = 1 - path_codes[first + b]
        rate = words.dtype.type(rates[0] + (rates[1] - rates[0]) * p / len(targets))
        if seen % MEASURED == 0:
            loss += block_loss(words, nodes, rows, labels, m, n)
            pairs += m
        seen += 1
        update_block(words, nodes, rows, labels, m, n, rate, x, y, errors)
    return loss, pairs
