"""Counts of several texts to the counts of all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_choice
from pmifact.contexts import Contexts, PositionalContexts
from pmifact.cooccurrence import CooccurrenceCounts, check_sum
from pmifact.counting.options import CountOptions
from pmifact.errors import InputError
from pmifact.resources.progress import Progress, no_progress
from pmifact.vocabulary import Vocabulary

VOCABULARIES = ("same", "union")
_ENTRIES = 1 << 22  # of all parts together that are added at a time


def merge_counts(
    counts: Sequence[CooccurrenceCounts], *, vocabulary: str = "same", progress: Progress = no_progress
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
    progress : callable, optional
        Called with (entries added, entries in all).

    Raises
    ------
    InputError
        If there is nothing to merge; if vocabularies or options differ (the message says where), or pairs of
        small counts were left out of a part; or if a sum could pass 2^63 - 1.
    """
    check_choice("vocabulary", vocabulary, VOCABULARIES)
    if not counts:
        raise InputError("merge: expected at least one set of counts, got none")
    first = counts[0]
    for number, part in enumerate(counts, 1):
        _check_complete(part, number)
        _check_options(first, part, number)
        if vocabulary == "same":
            _check_words(first, part, number)
    check_sum(sum(part.total for part in counts), "the merged counts")
    words = _union([part.vocabulary for part in counts], vocabulary)
    contexts = _merged_contexts(counts, words, vocabulary)
    parts = [_Mapped.onto(part, words, words if contexts is None else contexts) for part in counts]
    shape = len(words), len(words if contexts is None else contexts)
    return CooccurrenceCounts(words, _added(parts, shape, progress), first.unit, first.options, contexts)


@dataclass(frozen=True)
class _Mapped:
    """A part and where it goes: `row_of` the words of the sum (-1: it has none there), `column_of` its own.

    A map of None changes nothing.
    """

    matrix: csr_array
    row_of: NDArray[np.int64] | None
    column_of: NDArray[np.int64] | None

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
            indices = self.column_of[indices]
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


def _added(parts: Sequence[_Mapped], shape: tuple[int, int], progress: Progress) -> csr_array:
    """Add the parts, some rows at a time."""
    ends = np.cumsum(np.sum([part.entries(shape[0]) for part in parts], axis=0))
    total = int(ends[-1]) if len(ends) else 0

    def blocks() -> Iterator[csr_array]:
        first = 0
        while first < shape[0]:
            before = int(ends[first - 1]) if first else 0
            last = max(int(np.searchsorted(ends, before + _ENTRIES, side="right")), first + 1)
            block = parts[0].rows(first, last, shape[1])
            for part in parts[1:]:
                block = block + part.rows(first, last, shape[1])
            yield block
            progress(int(ends[last - 1]), total)
            first = last

    progress(0, total)
    found = list(blocks())
    indptr = np.concatenate([[0], *(np.diff(block.indptr) for block in found)]).cumsum()
    narrow = np.int32 if indptr[-1] < 2**31 else np.int64
    matrix = csr_array(
        (
            np.concatenate([np.empty(0, np.int64), *(block.data for block in found)]),
            np.concatenate([np.empty(0, narrow), *(block.indices for block in found)]).astype(narrow),
            indptr.astype(narrow),
        ),
        shape=shape,
    )
    matrix.has_canonical_format = True
    return matrix


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


def _column_map(own: Contexts, of_sum: Contexts) -> NDArray[np.int64] | None:
    """Return the column in the sum of each column of a part; None where they are the same."""
    if own.fingerprint == of_sum.fingerprint:
        return None
    if isinstance(own, PositionalContexts) and isinstance(of_sum, PositionalContexts):
        each = _column_map(own.vocabulary, of_sum.vocabulary)
        assert each is not None
        steps = len(of_sum.vocabulary) * np.arange(len(own.offsets))
        return np.add.outer(steps, each).ravel()
    assert isinstance(own, Vocabulary)
    assert isinstance(of_sum, Vocabulary)
    return np.array([of_sum.index[word] for word in own.words], np.int64)


def _check_complete(part: CooccurrenceCounts, number: int) -> None:
    if isinstance(part.options, CountOptions) and part.options.min_pair_count is not None:
        raise InputError(
            f"merge: input {number} was counted with min_pair_count {part.options.min_pair_count}, and the "
            "pairs that it lacks would be missing from the sum; count it without, or all texts together"
        )


def _check_words(first: CooccurrenceCounts, other: CooccurrenceCounts, number: int) -> None:
    for what, ours, theirs in (
        ("vocabularies", first.vocabulary, other.vocabulary),
        ("contexts", first.context_vocabulary, other.context_vocabulary),
    ):
        if ours.fingerprint != theirs.fingerprint:
            raise InputError(
                f"merge: the {what} of input 1 and input {number} differ: "
                f"{_first_difference(_words_of(ours), _words_of(theirs))}; "
                f"count both with the same --vocabulary, or merge with --vocabulary union"
            )


def _check_options(first: CooccurrenceCounts, other: CooccurrenceCounts, number: int) -> None:
    ours, theirs = ({**asdict(part.options), "unit": part.unit} for part in (first, other))
    for name in {**ours, **theirs}:
        if name != "seed" and ours.get(name) != theirs.get(name):
            raise InputError(
                f"merge: input 1 was counted with {name} {ours.get(name)!r}, input {number} with "
                f"{theirs.get(name)!r}; count both with the same options"
            )


def _words_of(contexts: Contexts) -> Sequence[str]:
    return contexts.vocabulary.words if isinstance(contexts, PositionalContexts) else contexts.words


def _first_difference(ours: Sequence[str], theirs: Sequence[str]) -> str:
    for word_id, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            return f"word {word_id} is {a!r} in the first and {b!r} in the other"
    return f"the first has {len(ours):,} words, the other {len(theirs):,}"
