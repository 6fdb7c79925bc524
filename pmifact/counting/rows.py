"""Counting the pairs of a stream: a shard of it at a time, each row by row in threads."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.counting.columns import Columns
from pmifact.counting.stream import Stream
from pmifact.counting.windows import WindowWeights
from pmifact.resources.progress import Progress

_NARROW_PLACES = 2**32  # from so many on, places take 64 bits
_PAIRS_PER_BLOCK = 2_000_000  # one block keeps a thread busy for some 10 ms


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
        if least <= 1:  # which no entry is below
            return self
        kept = self.data >= least
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

    @property
    def reach(self) -> int:
        """Context positions of a focus position."""
        return len(self.weights.left) + len(self.weights.right)


class Rows:
    """Blocks of rows put one after another into a CSR matrix, with no second copy of it at any time.

    Parameters
    ----------
    most : int
        Entries that there are at most.
    threads : int
        How many copy a block; memory that was never touched takes longer to write to than rows to count.
    """

    def __init__(self, most: int, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads)
        # Half of it has been enough for any text, and what is not written to takes no memory.
        self._indices = np.empty(most // 2 + 1, np.int32)
        self._data = np.empty(most // 2 + 1, np.int64)
        self._lengths: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        self._end = 0

    def append(self, block: RowBlock) -> None:
        """Copy the next rows."""
        end = self._end + len(block.data)
        if end > len(self._data):
            self._resize(2 * end)

        def copy(first: int, last: int) -> None:
            self._indices[self._end + first : self._end + last] = block.indices[first:last]
            self._data[self._end + first : self._end + last] = block.data[first:last]

        cuts = [len(block.data) * part // self._threads for part in range(self._threads + 1)]
        list(self._pool.map(copy, cuts, cuts[1:]))
        self._lengths.append(block.lengths)
        self._end = end

    def matrix(self, n_columns: int) -> csr_array:
        """Return all rows; none can be appended any more."""
        self._pool.shutdown()
        self._resize(self._end)
        return csr_of_rows(np.concatenate(self._lengths), self._indices, self._data, n_columns)

    def _resize(self, size: int) -> None:
        for array in (self._indices, self._data):
            array.resize(size, refcheck=False)  # nobody else has seen them


class _Buffers:
    """Room for the rows of one block, used again for another when these have been taken."""

    def __init__(self, room: int) -> None:
        self.indices = np.empty(room, np.int32)
        self.data = np.empty(room, np.int64)


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
    ``3 * threads * pairs_per_block`` entries, of 12 bytes, are in memory at a time, and those of a block only
    until the next one is asked for. Progress is told in focus positions, which are tokens.
    """
    row_starts, positions = group_by_word(stream.words, span, rule.n_words, threads)
    pairs = pairs_at_most(np.diff(row_starts), rule)
    bounds = cut_rows(np.diff(row_starts) * rule.reach, pairs_per_block or _PAIRS_PER_BLOCK)
    room = max(int(pairs[slice(*rows)].sum()) for rows in bounds)
    count_rows = _counter(stream.contexts, positions, rule)

    def count_block(rows: tuple[int, int], into: _Buffers) -> RowBlock:
        lengths = np.empty(rows[1] - rows[0], np.int64)
        used = count_rows(row_starts[rows[0] : rows[1] + 1], into.indices, into.data, lengths)
        return RowBlock(into.indices[:used], into.data[:used], lengths)

    done, total = 0, int(row_starts[-1])
    progress(done, total)
    # Few blocks at a time are begun, so that finished ones do not pile up.
    begun: deque[tuple[tuple[int, int], _Buffers, Future[RowBlock]]] = deque()
    free = [_Buffers(room) for _ in range(min(3 * threads, len(bounds)))]
    left = iter(bounds)
    with ThreadPoolExecutor(threads) as pool:
        while True:
            for rows in islice(left, len(free)):
                into = free.pop()
                begun.append((rows, into, pool.submit(count_block, rows, into)))
            if not begun:
                return
            rows, buffers, counted = begun.popleft()
            yield counted.result()
            free.append(buffers)
            done = int(row_starts[rows[1]])
            progress(done, total)


def pairs_at_most(occurrences: NDArray[np.int64], rule: Rule) -> NDArray[np.int64]:
    """Return how many entries a row has at most: one for each visited pair, and one for each column."""
    return np.minimum(occurrences * rule.reach, len(rule.columns))


def group_by_word(
    words: NDArray[np.int32], span: tuple[int, int], n_words: int, threads: int
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return (row starts, places): ``places[row_starts[w]:row_starts[w + 1]]`` are those of w, ascending.

    Only the places in `span` are looked at.
    """
    from pmifact.kernels.cooccurrence import count_words, place_words

    first, last = span
    # A part has counts of its own, which should take little memory beside the places.
    parts = max(1, min(threads, (last - first) // (8 * n_words)))
    cuts = [first + (last - first) * part // parts for part in range(parts + 1)]
    counts = np.zeros((parts, n_words), np.int64)
    # 32 bits do for all but the largest corpora, and halve what is read at random.
    places = np.empty(last - first, np.uint32 if len(words) < _NARROW_PLACES else np.int64)
    with ThreadPoolExecutor(parts) as pool:
        list(pool.map(count_words, repeat(words), cuts, cuts[1:], counts))
        row_starts = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
        cursors = np.cumsum(counts, axis=0) - counts + row_starts[:-1]
        list(pool.map(place_words, repeat(words), cuts, cuts[1:], cursors, repeat(places)))
    return row_starts, places


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
