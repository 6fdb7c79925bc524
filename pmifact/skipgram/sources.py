"""Where training examples come from: the windows of a corpus, or the cells of a count matrix."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pmifact.contexts import Contexts
from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.corpus import EncodedCorpus
from pmifact.errors import InputError
from pmifact.skipgram.options import SkipgramOptions
from pmifact.skipgram.sampling import alias_table
from pmifact.vocabulary import Vocabulary

INPUTS_OF_A_TARGET = 4  # as many as a flat window of 2 has
_PLACES = 200_000  # for inputs in one slice of a corpus: few enough for the cache, many enough for Python


@dataclass(frozen=True, eq=False)
class Examples:
    """Targets and the inputs that predict them.

    Parameters
    ----------
    inputs : ndarray of int32, shape (M,)
        Word ids; example p has ``inputs[starts[p]:starts[p + 1]]``.
    starts : ndarray of int64, shape (P + 1,)
        From 0 to M.
    targets : ndarray of int32, shape (P,)
        Word ids.
    positions : ndarray of int64, shape (P,)
        A number of each example, unique in its epoch: what further draws depend on.
    """

    inputs: NDArray[np.int32]
    starts: NDArray[np.int64]
    targets: NDArray[np.int32]
    positions: NDArray[np.int64]


class ExampleSource(Protocol):
    """A source of examples: `size` units of work an epoch, in slices of `step` units.

    `vocabulary` has the inputs; `contexts` the targets, or None when those are the same words. `occurrences`,
    int64[C], are the counts of the targets: of the noise distribution and of the Huffman code.
    """

    vocabulary: Vocabulary
    contexts: Contexts | None
    size: int
    step: int
    occurrences: NDArray[np.int64]

    def draw(self, first: int, last: int, key: np.uint64) -> Examples:
        """Draw the examples of the units first..last-1; the same for the same key."""


class CorpusWindows:
    """Windows over the tokens of a corpus; the unit of work is a token."""

    def __init__(self, corpus: EncodedCorpus, options: SkipgramOptions) -> None:
        assert options.window is not None
        assert options.subsample is not None
        self.vocabulary = corpus.vocabulary
        self.contexts: Contexts | None = None
        self.size = len(corpus.token_ids)
        self.step = max(1_000, _PLACES // (2 * options.window))
        self.occurrences = corpus.vocabulary.counts
        if not self.size or not self.occurrences.any():
            raise InputError("corpus: expected tokens that are words of its vocabulary, got none")
        _check_words("corpus", self.occurrences)
        self._token_ids = read_only(corpus.token_ids)
        self._sentence_starts = read_only(corpus.sentence_starts)
        # A token is kept when 32 random bits are below this; 2^32 stands for certainty.
        self._keep = np.ceil(keep_probabilities(self.occurrences, options.subsample) * 2.0**32).astype(
            np.uint64
        )
        self._window = options.window
        self._fixed = bool(options.fixed_window)

    def draw(self, first: int, last: int, key: np.uint64) -> Examples:
        """Draw the windows around the tokens kept of the positions first..last-1."""
        from pmifact.kernels.examples import draw_windows

        words = len(self.vocabulary)
        worst = int(self._token_ids[first:last].max())
        if worst >= words:
            raise InputError(
                f"corpus: expected word ids below {words:,}, the size of its vocabulary, got {worst}"
            )
        return Examples(
            *draw_windows(
                self._token_ids,
                self._sentence_starts,
                first,
                last,
                self._keep,
                self._window,
                self._fixed,
                key,
            )
        )


class CountPairs:
    """Pairs drawn from a count matrix by their share of its sum (Levy & Goldberg, NIPS 2014).

    The unit of work is a pair; an epoch has as many as the counts add up to. Rows are the inputs, columns
    the targets. An example is one target with some inputs drawn for it, which share its negatives as those
    of a window do: the expectation of a step is that of single pairs, and the rows of the target and of its
    negatives are fetched once for all.

    Parameters
    ----------
    counts : CooccurrenceCounts
    group : int
        Inputs of an example. Pairs are independent draws only when it is 1.
    """

    step = 20_000

    def __init__(self, counts: CooccurrenceCounts, group: int) -> None:
        from pmifact.kernels.examples import fill_cells

        self.vocabulary, self.contexts = counts.vocabulary, counts.contexts
        if not counts.matrix.nnz:
            raise InputError("counts: expected at least one observed pair, got none")
        self.size = max(1, round(counts.total / counts.unit))
        self.occurrences = counts.matrix.sum(axis=0, dtype=np.int64)
        _check_words("counts", self.occurrences)
        by_target = counts.matrix.T.tocsr()
        self._indptr = read_only(by_target.indptr)
        self._targets = alias_table(self.occurrences)
        self._cells = np.empty((by_target.nnz, 3), np.uint32)
        fill_cells(self._indptr, read_only(by_target.indices), read_only(by_target.data), self._cells)
        self._group = group

    def draw(self, first: int, last: int, key: np.uint64) -> Examples:
        """Draw the pairs numbered first..last-1; `first` is a multiple of the group."""
        from pmifact.kernels.examples import draw_pairs

        return Examples(*draw_pairs(self._indptr, self._cells, *self._targets, self._group, first, last, key))


def keep_probabilities(counts: NDArray[np.int64], threshold: float) -> NDArray[np.float64]:
    """Return word2vec's chance that a token is kept, min(1, sqrt(t / f) + t / f), f its share of all tokens.

    A threshold t of 0 keeps every token.
    """
    keep = np.ones(len(counts))
    seen = counts > 0
    if threshold:
        ratio = threshold * counts.sum(dtype=np.float64) / counts[seen]
        keep[seen] = np.minimum(1.0, np.sqrt(ratio) + ratio)
    return keep


def _check_words(source: str, occurrences: NDArray[np.int64]) -> None:
    if (words := np.count_nonzero(occurrences)) < 2:
        raise InputError(f"{source}: skip-gram tells words apart and needs two that occur, got {words}")


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a plain view that cannot be written: kernels meet one type for memory and memory maps alike."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view
