"""Counts of several texts to the counts of all of them."""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_choice, check_kind
from pmifact.contexts import Contexts, PositionalContexts
from pmifact.cooccurrence import CooccurrenceCounts, check_sum
from pmifact.counting.columns import MOST_COLUMNS
from pmifact.counting.options import GIVEN, CountOptions
from pmifact.counting.rows import RowBlock, Rows, csr_of_rows
from pmifact.counting.shards import Shards
from pmifact.errors import InputError
from pmifact.notebook import count_of
from pmifact.resources.memory import parse_memory, working_memory
from pmifact.resources.progress import Progress, no_progress
from pmifact.vocabulary import Vocabulary

VOCABULARIES = ("same", "union")
_ENTRIES = 1 << 22  # of all parts together that are added at a time
_ENTRY = 64  # bytes that one of them takes on the way


def merge_counts(
    counts: Sequence[CooccurrenceCounts],
    *,
    vocabulary: str = "same",
    names: Sequence[str] | None = None,
    memory: int | str | None = None,
    scratch: str | os.PathLike[str] | None = None,
    progress: Progress = no_progress,
) -> CooccurrenceCounts:
    """Add counts that were taken with the same options; exact.

    The words' own counts add too, and those of contexts that are not the words. Draws of `subsample` are
    independent between the parts, so their seeds may differ; the result keeps the first.

    Parameters
    ----------
    counts : sequence of CooccurrenceCounts
        The parts.
    vocabulary : {"same", "union"}
        ``same`` refuses parts of different words or contexts. ``union`` takes the words of all, ordered by
        their counts together, ties in code-point order, and the contexts likewise. A word that one part has
        out of vocabulary has no pair from there, nor has a context without a column there; where every part
        holds all of its words (``min_count=1``), the result is that of counting the texts together.
    names : sequence of str, optional
        What messages call the parts, such as their files; ``input 1`` and so on when left out.
    memory : int or str, optional
        Bound on the anonymous memory of the whole process, in bytes or as in ``4GB``; at least 256MB. The
        sum then goes to disk, some rows at a time, and is mapped from there; its numbers are the same.
        Vocabularies, and the longest row, are in memory whatever the limit; parts that were read from files
        are not.
    scratch : path, optional
        Folder for the sum, which the caller removes when the result is no longer needed; left out, it is a
        temporary one that takes no care.
    progress : callable, optional
        Called with (entries added, entries in all).

    Raises
    ------
    InputError
        If there is nothing to merge; if vocabularies or options differ (the message says where), or pairs of
        small counts were left out of a part; if a sum could pass 2^63 - 1, or there would be 2^31 columns or
        more.
    """
    check_choice("vocabulary", vocabulary, VOCABULARIES)
    if not counts:
        raise InputError("merge: expected at least one set of counts, got none")
    named = [f"input {number}" for number in range(1, len(counts) + 1)] if names is None else names
    first = counts[0]
    for part, name in zip(counts, named, strict=True):
        check_kind(name, part, CooccurrenceCounts, "read_counts")
        _check_complete(part, name)
        _check_options(first, part, named[0], name)
        if vocabulary == "same":
            _check_words(first, part, named[0], name)
    check_sum(sum(part.total for part in counts), "the merged counts")
    limit = parse_memory(memory)
    words = _union([part.vocabulary for part in counts], vocabulary)
    contexts = _merged_contexts(counts, words, vocabulary)
    columns = words if contexts is None else contexts
    if len(columns) > MOST_COLUMNS:
        raise InputError(
            f"merge: the sum would have {len(columns):,} columns, and at most {MOST_COLUMNS:,} can be kept; "
            "count with a smaller --context-vocabulary or a narrower --window"
        )
    adding = _Adding(tuple(_Mapped.onto(part, words, columns) for part in counts), (len(words), len(columns)))
    if limit is None:
        matrix = adding.in_memory(progress)
    elif scratch is not None:
        matrix = adding.in_folder(Path(scratch), limit, progress)
    else:
        with TemporaryDirectory(prefix="pmifact-") as folder:  # mapped files stay readable when removed
            matrix = adding.in_folder(Path(folder) / "sum", limit, progress)
    return CooccurrenceCounts(words, matrix, first.unit, first.options, contexts)


@dataclass(frozen=True)
class _ColumnMap:
    """The column in the sum of each column of a part, which are those of `place` at each offset in turn."""

    place: NDArray[np.int64]
    of_sum: int  # context words of the sum

    def __call__(self, columns: NDArray[Any]) -> NDArray[np.int64]:
        offset, context = np.divmod(columns.astype(np.int64), len(self.place))
        mapped: NDArray[np.int64] = offset * self.of_sum + self.place[context]
        return mapped


@dataclass(frozen=True)
class _Mapped:
    """A part and where it goes: `row_of` the words of the sum (-1: it has none there), `column_of` its own.

    A map of None changes nothing.
    """

    matrix: csr_array
    row_of: NDArray[np.int64] | None
    column_of: _ColumnMap | None

    @classmethod
    def onto(cls, part: CooccurrenceCounts, words: Vocabulary, contexts: Contexts) -> "_Mapped":
        """Map a part onto the words and contexts of the sum."""
        row_of = None
        if part.vocabulary.words != words.words:
            row_of = np.array([part.vocabulary.index.get(word, -1) for word in words.words], np.int64)
        return cls(part.matrix, row_of, _column_map(part.context_vocabulary, contexts))

    def rows(self, first: int, last: int, n_columns: int) -> csr_array:
        """Return the rows first..last-1 of the sum that this part has a share in."""
        matrix = self.matrix
        if self.row_of is None:
            begin, end = int(matrix.indptr[first]), int(matrix.indptr[last])
            lengths = np.diff(matrix.indptr[first : last + 1])
            cells: slice | NDArray[np.int64] = slice(begin, end)
        else:
            own = self.row_of[first:last]
            starts = np.where(own < 0, 0, matrix.indptr[own]).astype(np.int64)
            lengths = np.where(own < 0, 0, matrix.indptr[own + 1] - starts)
            ends = np.cumsum(lengths)
            cells = np.arange(int(ends[-1])) + np.repeat(starts - ends + lengths, lengths)
        indices = matrix.indices[cells]
        if self.column_of is not None:
            indices = self.column_of(indices)
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        found = csr_array((matrix.data[cells], indices, indptr), shape=(last - first, n_columns))
        found.sort_indices()
        return found

    def entries(self, n_rows: int) -> NDArray[np.int64]:
        """Return how many entries this part has in each row of the sum."""
        lengths: NDArray[np.int64] = np.diff(self.matrix.indptr).astype(np.int64)
        if self.row_of is None:
            return lengths
        entries: NDArray[np.int64] = np.where(self.row_of < 0, 0, lengths[self.row_of])
        return entries


@dataclass(frozen=True)
class _Adding:
    """Parts to be added to a matrix of a shape, some rows at a time."""

    parts: tuple[_Mapped, ...]
    shape: tuple[int, int]

    def in_memory(self, progress: Progress) -> csr_array:
        """Return the sum."""
        ends = self._ends()
        rows = Rows(int(ends[-1]) if len(ends) else 0, threads=1)
        for block in self._blocks(ends, _ENTRIES, progress):
            rows.append(block)
        return rows.matrix(self.shape[1])

    def in_folder(self, folder: Path, limit: int, progress: Progress) -> csr_array:
        """Return the sum, mapped from files in a folder."""
        shutil.rmtree(folder, ignore_errors=True)  # what a killed run left is of other counts, perhaps
        most = min(_ENTRIES, max(working_memory(limit) // _ENTRY, 1))
        shards = Shards(folder, {"sum": list(self.shape)})
        summed = shards.mapped(0, self._blocks(self._ends(), most, progress))
        return csr_of_rows(*summed, self.shape[1])

    def _ends(self) -> NDArray[np.int64]:
        """Return the entries of all parts together in the rows up to each."""
        entries = np.zeros(self.shape[0], np.int64)
        for part in self.parts:
            entries += part.entries(self.shape[0])
        return np.cumsum(entries)

    def _blocks(self, ends: NDArray[np.int64], most: int, progress: Progress) -> Iterator[RowBlock]:
        """Yield the rows of the sum, those of `most` entries at a time, and one row at least."""
        first, total = 0, int(ends[-1]) if len(ends) else 0
        progress(0, total)
        while first < self.shape[0]:
            before = int(ends[first - 1]) if first else 0
            last = max(int(np.searchsorted(ends, before + most, side="right")), first + 1)
            block = self.parts[0].rows(first, last, self.shape[1])
            for part in self.parts[1:]:
                block = block + part.rows(first, last, self.shape[1])
            lengths = np.diff(block.indptr).astype(np.int64)
            yield RowBlock(block.indices.astype(np.int32), block.data, lengths)
            progress(int(ends[last - 1]), total)
            first = last


def _union(vocabularies: Sequence[Vocabulary], how: str) -> Vocabulary:
    """Return the words of all with the sums of their counts; those of the first where all have the same."""
    first = vocabularies[0]
    if how == "same" or all(each.words == first.words for each in vocabularies):
        return Vocabulary(first.words, np.sum([each.counts for each in vocabularies], axis=0))
    sums: dict[str, int] = {}
    for each in vocabularies:
        for word, count in zip(each.words, each.counts.tolist(), strict=True):
            sums[word] = sums.get(word, 0) + count
    ranked = sorted(sums.items(), key=lambda entry: (-entry[1], entry[0]))
    return Vocabulary(tuple(word for word, _ in ranked), np.array([count for _, count in ranked], np.int64))


def _merged_contexts(counts: Sequence[CooccurrenceCounts], words: Vocabulary, how: str) -> Contexts | None:
    contexts = [part.context_vocabulary for part in counts]
    if all(part.contexts is None for part in counts):
        return None
    context_words = _union(
        [each.vocabulary if isinstance(each, PositionalContexts) else each for each in contexts], how
    )
    if isinstance(contexts[0], PositionalContexts):
        return PositionalContexts(context_words, contexts[0].window)
    return None if how == "union" and context_words.words == words.words else context_words


def _column_map(own: Contexts, of_sum: Contexts) -> _ColumnMap | None:
    """Return the column in the sum of each column of a part; None where they are the same."""
    if own.fingerprint == of_sum.fingerprint:
        return None
    words, of_all = (
        each.vocabulary if isinstance(each, PositionalContexts) else each for each in (own, of_sum)
    )
    return _ColumnMap(np.array([of_all.index[word] for word in words.words], np.int64), len(of_all))


def _check_complete(part: CooccurrenceCounts, name: str) -> None:
    if isinstance(part.options, CountOptions) and part.options.min_pair_count is not None:
        raise InputError(
            f"merge: {name} was counted with --min-pair-count {part.options.min_pair_count}, and the "
            "pairs that it lacks would be missing from the sum; count it without, or all texts together"
        )


def _check_words(first: CooccurrenceCounts, other: CooccurrenceCounts, its_name: str, name: str) -> None:
    for what, ours, theirs in (
        ("words", first.vocabulary, other.vocabulary),
        ("contexts", first.context_vocabulary, other.context_vocabulary),
    ):
        if ours.fingerprint != theirs.fingerprint:
            raise InputError(
                f"merge: the {what} of {its_name} and {name} differ: "
                f"{_first_difference(_words_of(ours), _words_of(theirs))}; "
                f"count both with the same --vocabulary, or merge with --vocabulary union"
            )


def _check_options(first: CooccurrenceCounts, other: CooccurrenceCounts, its_name: str, name: str) -> None:
    ours, theirs = ({**asdict(part.options), "unit": part.unit} for part in (first, other))
    for option in {**ours, **theirs}:
        if option != "seed" and ours.get(option) != theirs.get(option):
            raise InputError(
                f"merge: {its_name} was made with {as_typed(option, ours.get(option))}, {name} with "
                f"{as_typed(option, theirs.get(option))}; make both with the same options"
            )


def as_typed(option: str, value: Any) -> str:
    """Return an option of a count as it is typed; what is none, as of imported counts, by its name."""
    if option in ("unit", "imported", "rounded"):
        return f"no {option} counts" if value is None else f"{option} {value}"
    flag = f"--{option.replace('_', '-')}"
    if value is None or value is False:
        return f"no {flag}"
    if value is True:
        return flag
    if isinstance(value, tuple):
        return f"{flag} {value[0]}" if value[0] == value[1] else f"{flag} {value[0]},{value[1]}"
    return f"{flag} FILE" if value == GIVEN else f"{flag} {value}"


def _words_of(contexts: Contexts) -> Sequence[str]:
    return contexts.vocabulary.words if isinstance(contexts, PositionalContexts) else contexts.words


def _first_difference(ours: Sequence[str], theirs: Sequence[str]) -> str:
    for word_id, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            return f"word {word_id} is {a!r} in the first and {b!r} in the other"
    return f"the first has {count_of(len(ours), 'word')}, the other {len(theirs):,}"
