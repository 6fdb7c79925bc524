"""Windowed pair counting, row by row.

The corpus is laid out as one *stream* of int32 word ids in which GAP is a position that counts for
nothing and END closes a sentence. Occurrences are grouped by word, so that all pairs of one focus word
are summed in a dense accumulator before the next word is begun: no pair is ever stored or sorted. The
columns that a row has are listed as they are first seen, and a two-level bitmap puts them in order.
"""

import numpy as np
from llvmlite import ir
from numba import njit, types, uint32, uint64
from numba.extending import intrinsic

from pmifact.kernels.prefetch import prefetch

GAP = -1
END = -2
AHEAD = 12  # occurrences between asking for a stretch of the stream and using it
BAND = 1 << 20  # columns that are added up at a time where rows may be wider


@intrinsic
def _lowest_bit(typing_context, word):
    """Index of the lowest set bit of a uint64 that is not zero."""

    def codegen(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), codegen


@njit(cache=True, nogil=True)
def uniform(seed, position):
    """Return a number in [0, 1) that depends on `seed` and `position` alone (SplitMix64, 53 bits)."""
    z = uint64(seed) * uint64(0xD1342543DE82EF95) + (uint64(position) + uint64(1)) * uint64(
        0x9E3779B97F4A7C15
    )
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    z = z ^ (z >> uint64(31))
    return (z >> uint64(11)) * 2.0**-53


@njit(cache=True, nogil=True)
def lay_stream(token_ids, sentence_starts, span, n_words, keep, seed, close_oov, close_sampled, stream):
    """Write the stream of positions span[0]..span[1] - 1 of a corpus; return its length.

    Position p with word w is kept when uniform(seed, p) < keep[w]; an empty `keep` keeps all. What is
    not kept, and an out-of-vocabulary token, is left out where its flag says close, else becomes GAP.
    Returns -1 - p when position p holds no word id.

    token_ids int32[N], sentence_starts int64[S+1], keep float64[V] or [0], stream int32 (output), with room
    for every position and every sentence end of the span.
    """
    end = 0
    sentence = np.searchsorted(sentence_starts, span[0], side="right")
    for p in range(span[0], span[1]):
        w = token_ids[p]
        if w >= n_words:
            return -1 - p
        if w < 0:
            if not close_oov:
                stream[end] = GAP
                end += 1
        elif len(keep) == 0 or uniform(seed, p) < keep[w]:
            stream[end] = w
            end += 1
        elif not close_sampled:
            stream[end] = GAP
            end += 1
        if p + 1 == sentence_starts[sentence]:
            stream[end] = END
            end += 1
            sentence += 1
    return end


@njit(cache=True, nogil=True)
def count_words(stream, first, last, counts):
    """counts[w] += occurrences of w at the places first..last - 1; stream int32[M], counts int64[V]."""
    for p in range(first, last):
        w = stream[p]
        if w >= 0:
            counts[w] += 1


@njit(cache=True, nogil=True)
def place_words(stream, first, last, cursors, positions):
    """Sort by counting: put the places of word w, ascending, to positions from cursors[w] on.

    Only the places first..last - 1 of the stream are looked at. stream int32[M], cursors int64[V] (moved on),
    positions integer[.] (output).
    """
    for p in range(first, last):
        w = stream[p]
        if w >= 0:
            positions[cursors[w]] = p
            cursors[w] += 1


# The three kernels below add to the accumulator in the same few lines, with no function for it: handing over
# arrays at every pair takes longer than the rest. A column is listed in `seen` without a branch, which would
# be foreseen wrongly at every sixth pair; and places are unsigned, so that none is checked for counting from
# the end.


@njit(cache=True, nogil=True)
def _drain(accumulator, seen, touched, touched_words, indices, data, end):
    """Move the row that stands in the columns `seen`, in their order, to indices and data from `end` on.

    Leaves zeros behind; returns the new end.
    """
    for k in range(len(seen)):
        column = uint64(uint32(seen[k]))
        touched[column >> uint64(6)] |= uint64(1) << (column & uint64(63))
        touched_words[column >> uint64(12)] |= uint64(1) << ((column >> uint64(6)) & uint64(63))
    for top in range(len(touched_words)):
        word_bits = touched_words[top]
        touched_words[top] = uint64(0)
        while word_bits:
            word = (uint64(top) << uint64(6)) + _lowest_bit(word_bits)
            word_bits &= word_bits - uint64(1)
            bits = touched[word]
            touched[word] = uint64(0)
            while bits:
                column = (word << uint64(6)) + _lowest_bit(bits)
                bits &= bits - uint64(1)
                indices[uint64(end)] = column
                data[uint64(end)] = accumulator[column]
                accumulator[column] = 0
                end += 1
    return end


@njit(cache=True, nogil=True)
def count_rows(stream, positions, row_starts, n_columns, left, right, indices, data, row_lengths):
    """Count some consecutive rows into CSR pieces; return the number of entries written.

    data[.., c] = sum over occurrences i of the row's word and contexts j with stream[j] = c, in the same
    sentence, of left[i-j-1] (j < i) or right[j-i-1] (j > i).

    stream int32[M] of contexts, positions integer[.] of focus words, row_starts int64[R+1] (of these R rows,
    into positions), left and right int64[L] numerators, above 0, by distance - 1; output: indices
    int32[>= entries], data int64[>= entries], row_lengths int64[R].
    """
    accumulator = np.zeros(n_columns, np.int64)
    seen = np.empty(n_columns + 1, np.int32)
    touched = np.zeros((n_columns >> 6) + 1, np.uint64)
    touched_words = np.zeros((n_columns >> 12) + 1, np.uint64)
    last = len(stream) - 1
    end = 0
    for row in range(len(row_starts) - 1):
        n_seen = uint64(0)
        for k in range(row_starts[row], row_starts[row + 1]):
            soon = np.int64(positions[min(k + AHEAD, row_starts[-1] - 1)])
            prefetch(stream, max(soon - len(left), 0))
            prefetch(stream, min(soon + len(right), last))
            p = np.int64(positions[k])
            for d in range(min(len(left), p)):
                c = stream[uint64(p - 1 - d)]
                if c < 0:
                    if c == END:
                        break
                    continue
                before = accumulator[uint64(c)]
                seen[n_seen] = c
                n_seen += uint64(before == 0)
                accumulator[uint64(c)] = before + left[uint64(d)]
            for d in range(min(len(right), last - p)):
                c = stream[uint64(p + 1 + d)]
                if c < 0:
                    if c == END:
                        break
                    continue
                before = accumulator[uint64(c)]
                seen[n_seen] = c
                n_seen += uint64(before == 0)
                accumulator[uint64(c)] = before + right[uint64(d)]
        first = end
        end = _drain(accumulator, seen[:n_seen], touched, touched_words, indices, data, first)
        row_lengths[row] = end - first
    return end


@njit(cache=True, nogil=True)
def count_positional_rows(
    stream, positions, row_starts, n_contexts, runs, numerators, indices, data, row_lengths
):
    """Count some consecutive rows by offset into CSR pieces; return the number of entries written.

    data[.., k * n_contexts + c] = the numerator of |o| times the number of occurrences i of the row's word
    with stream[i + o] = c in the same sentence, o the k-th of the offsets -left, ..., -1, 1, ..., right.

    stream int32[M] of contexts; positions integer[.] of focus words, row_starts int64[R+1]; runs int64[P, 2],
    the first and last offset that are added up together, ascending; numerators (left int64[left], right
    int64[right], above 0) by distance - 1; output as in `count_rows`.
    """
    left, right = numerators
    width = n_contexts * (runs[:, 1] - runs[:, 0] + 1).max()
    accumulator = np.zeros(width, np.int64)
    seen = np.empty(width + 1, np.int32)
    touched = np.zeros((width >> 6) + 1, np.uint64)
    touched_words = np.zeros((width >> 12) + 1, np.uint64)
    last = len(stream) - 1
    end = 0
    for row in range(len(row_starts) - 1):
        row_lengths[row] = -end
        for r in range(len(runs)):
            run = runs[r]
            step = np.int64(1 if run[0] > 0 else -1)
            own = right if step > 0 else left
            nearest, farthest = min(abs(run[0]), abs(run[1])), max(abs(run[0]), abs(run[1]))
            n_seen = uint64(0)
            for k in range(row_starts[row], row_starts[row + 1]):
                soon = np.int64(positions[min(k + AHEAD, row_starts[-1] - 1)])
                prefetch(stream, min(max(soon + run[0], 0), last))
                p = np.int64(positions[k])
                for d in range(1, min(farthest, last - p if step > 0 else p) + 1):
                    c = stream[uint64(p + step * d)]
                    if c == END:
                        break
                    if c < 0 or d < nearest:
                        continue
                    column = uint64((step * d - run[0]) * n_contexts + c)
                    before = accumulator[column]
                    seen[n_seen] = column
                    n_seen += uint64(before == 0)
                    accumulator[column] = before + own[uint64(d - 1)]
            first = end
            end = _drain(accumulator, seen[:n_seen], touched, touched_words, indices, data, first)
            place = run[0] - 1 + len(left) if run[0] > 0 else run[0] + len(left)
            for entry in range(first, end):
                indices[entry] += place * n_contexts
        row_lengths[row] += end
    return end


@njit(cache=True, nogil=True)
def add_rows(parts_indices, parts_data, parts_starts, n_columns, indices, data, row_lengths):
    """Add the same consecutive rows of several CSR pieces; return the number of entries written.

    Row r of part k is [parts_starts[k, r], parts_starts[k, r + 1]) of parts_indices and parts_data, which
    hold the parts one after another, in column order, no value 0. parts_starts int64[K, R+1]; output as in
    `count_rows`.
    """
    width = min(n_columns, BAND)
    accumulator = np.zeros(width, np.int64)
    seen = np.empty(width + 1, np.int32)
    touched = np.zeros((width >> 6) + 1, np.uint64)
    touched_words = np.zeros((width >> 12) + 1, np.uint64)
    cursors = np.empty(len(parts_starts), np.int64)
    end = 0
    for row in range(len(row_lengths)):
        row_lengths[row] = -end
        cursors[:] = parts_starts[:, row]
        while True:
            # Of wide rows a band of columns at a time, from the first column that is left.
            low = np.int64(n_columns)
            for part in range(len(parts_starts)):
                if cursors[part] < parts_starts[part, row + 1]:
                    low = min(low, np.int64(parts_indices[cursors[part]]))
            if low == n_columns:
                break
            n_seen = uint64(0)
            for part in range(len(parts_starts)):
                k = cursors[part]
                while k < parts_starts[part, row + 1] and parts_indices[k] - low < width:
                    column = uint64(parts_indices[k] - low)
                    before = accumulator[column]
                    seen[n_seen] = column
                    n_seen += uint64(before == 0)
                    accumulator[column] = before + parts_data[k]
                    k += 1
                cursors[part] = k
            first = end
            end = _drain(accumulator, seen[:n_seen], touched, touched_words, indices, data, first)
            for entry in range(first, end):
                indices[entry] += low
        row_lengths[row] += end
    return end
