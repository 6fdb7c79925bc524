"""Counting the pairs of a stream: a shard of it at a time, each row by row in threads."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.counting.columns import Columns
from pmifact.counting.stream import Stream
from pmifact.counting.windows import WindowWeights
from pmifact.resources.progress import Progress

_NARROW_PLACES = 2**32  # from so many on, places take 64 bits
_PAIRS_PER_BLOCK = 4_000_000  # one block keeps a thread busy for some 10 ms


@dataclass(frozen=True)
class RowBlock:
    """Some consecutive rows of a CSR matrix, in column order.

    Parameters
    ----------
    indices : ndarray of int32, shape (entries,)
    data : ndarray of int64, shape (entries,)
    lengths : ndarray of int64, shape (rows,)
        Entries of each row.
    """

    indices: NDArray[np.int32]
    data: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def at_least(self, least: int) -> "RowBlock":
        """Return the same rows without the entries below `least`."""
        kept = self.data >= least
        if kept.all():
            return self
        before = np.concatenate([[0], np.cumsum(kept)])
        ends = np.concatenate([[0], np.cumsum(self.lengths)])
        return RowBlock(self.indices[kept], self.data[kept], np.diff(before[ends]))


@dataclass(frozen=True)
class Rule:
    """What is counted, whatever the text.

    Parameters
    ----------
    n_words : int
        Rows.
    columns : Columns
    weights : WindowWeights
    least : int
        Numerators below this are left out when all is counted.
    """

    n_words: int
    columns: Columns
    weights: WindowWeights
    least: int = 0


def count_shard(
    stream: Stream,
    span: tuple[int, int],
    rule: Rule,
    threads: int,
    progress: Progress,
    pairs_per_block: int | None = None,
) -> Iterator[RowBlock]:
    """Count all pairs whose focus stands at a place in `span`; all rows, in order.

    The contexts may stand outside, so that shards can be cut anywhere, within a sentence too. At most
    ``5 * threads * pairs_per_block`` entries, of 12 bytes, are in memory at a time. Progress is told in focus
    positions, which are tokens.
    """
    from pmifact.kernels.cooccurrence import group_by_word

    first, last = span
    row_starts = np.zeros(rule.n_words + 1, np.int64)
    # 32 bits do for all but the largest corpora, and halve what is read at random.
    positions = np.empty(last - first, np.uint32 if len(stream.words) < _NARROW_PLACES else np.int64)
    group_by_word(stream.words, first, last, row_starts, positions)
    # A row has at most one entry a visited pair, and at most one a column.
    pairs = np.diff(row_starts) * (len(rule.weights.left) + len(rule.weights.right))
    count_rows = _counter(stream.contexts, positions, rule)

    def count_block(rows: tuple[int, int]) -> RowBlock:
        room = int(np.minimum(pairs[slice(*rows)], len(rule.columns)).sum())
        indices, data = np.empty(room, np.int32), np.empty(room, np.int64)
        lengths = np.empty(rows[1] - rows[0], np.int64)
        used = count_rows(row_starts[rows[0] : rows[1] + 1], indices, data, lengths)
        return RowBlock(indices[:used].copy(), data[:used].copy(), lengths)

    bounds = cut_rows(pairs, pairs_per_block or _PAIRS_PER_BLOCK)
    done, total = 0, int(row_starts[-1])
    progress(done, total)
    with ThreadPoolExecutor(threads) as pool:
        # Few blocks at a time are asked for, so that finished ones do not pile up.
        for some in range(0, len(bounds), 4 * threads):
            asked = bounds[some : some + 4 * threads]
            for rows, block in zip(asked, pool.map(count_block, asked), strict=True):
                yield block
                done = int(row_starts[rows[1]])
                progress(done, total)


def _counter(contexts: NDArray[np.int32], positions: NDArray[Any], rule: Rule) -> Callable[..., int]:
    """Return the kernel that counts rows, with everything but the rows filled in."""
    from pmifact.kernels import cooccurrence as kernels

    left, right = rule.weights.left, rule.weights.right
    if rule.columns.window is None:
        return lambda starts, *room: kernels.count_rows(
            contexts, positions, starts, len(rule.columns), left, right, *room
        )
    runs = rule.columns.passes(kernels.BAND)
    return lambda starts, *room: kernels.count_positional_rows(
        contexts, positions, starts, rule.columns.contexts, runs, (left, right), *room
    )


def cut_rows(weights: NDArray[np.int64], most: int) -> list[tuple[int, int]]:
    """Cut rows into runs of a weight of about `most`; a row that is heavier stands at the end of its run."""
    ends = np.cumsum(weights)
    targets = np.arange(most, int(ends[-1]), most)
    cuts = np.unique(np.concatenate([[0], np.searchsorted(ends, targets) + 1, [len(weights)]]))
    return [(int(a), int(b)) for a, b in pairwise(cuts)]


def csr_of_rows(
    lengths: NDArray[np.int64], indices: NDArray[np.int32], data: NDArray[np.int64], n_columns: int
) -> csr_array:
    """Make a matrix of rows that are in order, and tell SciPy what it would check at every use."""
    indptr = np.concatenate([[0], lengths]).cumsum()
    if indptr[-1] < 2**31:  # SciPy keeps both index arrays in one dtype
        indptr = indptr.astype(np.int32)
    matrix = csr_array((data, indices, indptr), shape=(len(lengths), n_columns))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix
