"""Token ids to co-occurrence counts: `CooccurrenceCounts` and the functions that make and add them."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_choice, check_integer, check_number
from pmifact.corpus import EncodedCorpus
from pmifact.counting import RowBlock, count_shard
from pmifact.errors import InputError
from pmifact.progress import Progress, no_progress
from pmifact.threads import resolve_threads
from pmifact.vocabulary import Vocabulary
from pmifact.windows import WEIGHTINGS, window_weights

OOV_POLICIES = ("close", "gap")
SUBSAMPLE_MODES = ("before", "after")

_LARGEST_WINDOW = 100_000
_LARGEST_SUM = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class CountOptions:
    """How pairs are counted (specification, section 2); saved with the counts.

    Parameters
    ----------
    window : (int, int)
        Context positions to the left and to the right; 0 switches a side off.
    weighting : {"linear", "flat", "harmonic"}
        Weight of a pair at distance d: (L - d + 1) / L, 1, or 1 / d.
    oov : {"close", "gap"}
        An out-of-vocabulary token is removed before windows are laid, or keeps its position.
    subsample : float, optional
        Threshold t: a token of relative frequency f is dropped with probability max(0, 1 - sqrt(t / f)).
    subsample_mode : {"before", "after"}
        A dropped token is removed before windows are laid, or keeps its position.
    seed : int
        Seed of the draws of `subsample`, in [0, 2^63).

    Raises
    ------
    InputError
        If a value is none of these.
    """

    window: tuple[int, int] = (5, 5)
    weighting: str = "linear"
    oov: str = "close"
    subsample: float | None = None
    subsample_mode: str = "before"
    seed: int = 0

    def __post_init__(self) -> None:
        try:
            left, right = self.window
        except (TypeError, ValueError):
            raise InputError(f"window: expected one or two whole numbers, got {self.window!r}") from None
        for side in (left, right):
            check_integer("window", side, least=0, most=_LARGEST_WINDOW)
        if left == right == 0:
            raise InputError("window: at least one side must reach 1 position, got 0 on both")
        object.__setattr__(self, "window", (int(left), int(right)))
        check_choice("weighting", self.weighting, WEIGHTINGS)
        check_choice("oov", self.oov, OOV_POLICIES)
        if self.subsample is not None:
            check_number("subsample", self.subsample, above=0.0)
            object.__setattr__(self, "subsample", float(self.subsample))
        check_choice("subsample_mode", self.subsample_mode, SUBSAMPLE_MODES)
        check_integer("seed", self.seed, least=0, most=2**63 - 1)


@dataclass(frozen=True, eq=False)
class CooccurrenceCounts:
    """Exact co-occurrence counts.

    Parameters
    ----------
    vocabulary : Vocabulary
        The V words of the rows, and of the columns.
    matrix : csr_array of int64, shape (V, V)
        Numerators, indices sorted, no duplicates, no explicit zeros; row = focus word, column = context
        word. The count of a pair is ``matrix[w, c] / unit``.
    unit : int
        The common denominator of the window's weights.
    options : CountOptions
        How they were counted.

    Raises
    ------
    InputError
        If the matrix is no int64 CSR array of the vocabulary's shape.
    """

    vocabulary: Vocabulary
    matrix: csr_array
    unit: int
    options: CountOptions

    def __post_init__(self) -> None:
        expected = (len(self.vocabulary), len(self.vocabulary))
        if (
            not isinstance(self.matrix, csr_array)
            or self.matrix.dtype != np.int64
            or self.matrix.shape != expected
        ):
            raise InputError(
                f"counts: expected a csr_array of int64 of shape {expected}, got "
                f"{type(self.matrix).__name__} of {getattr(self.matrix, 'dtype', 'no dtype')} "
                f"of shape {getattr(self.matrix, 'shape', ())}"
            )
        check_integer("unit", self.unit, least=1)

    @property
    def total(self) -> int:
        """Sum of all numerators, |D| times `unit`; exact."""
        return int(self.matrix.data.sum())

    def __repr__(self) -> str:
        return (
            f"CooccurrenceCounts({len(self.vocabulary):,} words, {self.matrix.nnz:,} pairs observed, "
            f"total {self.total / self.unit:,.0f})"
        )


def count_cooccurrences(
    corpus: EncodedCorpus,
    *,
    window: int | tuple[int, int] = 5,
    weighting: str = "linear",
    oov: str = "close",
    subsample: float | None = None,
    subsample_mode: str = "before",
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> CooccurrenceCounts:
    """Count every (focus word, context word) pair within a window, exactly.

    For focus position i and context position j of one sentence with 1 <= ``|i - j|`` <= L, the pair adds the
    weight of its distance. Sums are kept in 64-bit integer numerators over the least common denominator of
    the weights, so the result does not depend on the number of threads or on the order of sentences.

    Parameters
    ----------
    corpus : EncodedCorpus
        N tokens over V words.
    window : int or (int, int)
        Context positions on both sides, or to the left and to the right.
    weighting, oov, subsample, subsample_mode, seed
        As in `CountOptions`.
    threads : int, optional
        Threads to use; all cores when not given.
    progress : callable, optional
        Called with (pairs visited, pairs to visit); an upper bound, in window positions.

    Returns
    -------
    CooccurrenceCounts
        Symmetric when the window is.

    Raises
    ------
    InputError
        If an option is out of range, or the largest possible sum would pass 2^63 - 1.
    """
    options = CountOptions(
        window=(window, window) if isinstance(window, (int, np.integer)) else window,
        weighting=weighting,
        oov=oov,
        subsample=subsample,
        subsample_mode=subsample_mode,
        seed=seed,
    )
    if not len(corpus.vocabulary):
        raise InputError("count: the vocabulary of the corpus is empty")
    weights = window_weights(options.window, options.weighting)
    # Every token adds at most the whole window's weight, so no sum of the matrix can pass this.
    _check_sum(len(corpus.token_ids) * int(weights.left.sum() + weights.right.sum()), "these counts")
    stream = _lay_stream(corpus, options)
    n_words = len(corpus.vocabulary)
    blocks = list(count_shard(stream, (0, len(stream)), n_words, weights, resolve_threads(threads), progress))
    matrix = _assembled(blocks, n_words)
    return CooccurrenceCounts(corpus.vocabulary, matrix, weights.unit, options)


def merge_counts(counts: Sequence[CooccurrenceCounts]) -> CooccurrenceCounts:
    """Add counts that were taken with one vocabulary and the same options; exact.

    The words' own counts add too. Draws of `subsample` are independent between the parts, so their seeds may
    differ; the result keeps the first.

    Raises
    ------
    InputError
        If there is nothing to merge, if vocabularies or options differ (the message says where), or if a
        sum could pass 2^63 - 1.
    """
    if not counts:
        raise InputError("merge: expected at least one set of counts, got none")
    first = counts[0]
    for number, other in enumerate(counts[1:], 2):
        _check_mergeable(first, other, number)
    _check_sum(sum(part.total for part in counts), "the merged counts")
    matrix = first.matrix
    tokens = first.vocabulary.counts
    for part in counts[1:]:
        matrix = csr_array(matrix + part.matrix)
        tokens = tokens + part.vocabulary.counts
    return CooccurrenceCounts(Vocabulary(first.vocabulary.words, tokens), matrix, first.unit, first.options)


def keep_probabilities(vocabulary: Vocabulary, threshold: float) -> NDArray[np.float64]:
    """Return min(1, sqrt(t / f)) of each word, f its share of the in-vocabulary tokens; 1 where f = 0."""
    counts = vocabulary.counts.astype(np.float64)
    seen = counts > 0
    keep = np.ones(len(counts))
    keep[seen] = np.minimum(1.0, np.sqrt(threshold * (counts.sum() / counts[seen])))
    return keep


def _lay_stream(corpus: EncodedCorpus, options: CountOptions) -> NDArray[np.int32]:
    from pmifact.kernels.cooccurrence import lay_stream

    keep = np.empty(0)
    if options.subsample is not None:
        keep = keep_probabilities(corpus.vocabulary, options.subsample)
    n_tokens = len(corpus.token_ids)
    stream = np.empty(n_tokens + len(corpus.sentence_starts) - 1, np.int32)
    length = lay_stream(
        read_only(corpus.token_ids),
        read_only(corpus.sentence_starts),
        (0, n_tokens),
        len(corpus.vocabulary),
        keep,
        options.seed,
        options.oov == "close",
        options.subsample_mode == "before",
        stream,
    )
    if length < 0:
        position = -1 - length
        raise InputError(
            f"corpus: token {position} has the id {corpus.token_ids[position]}, "
            f"outside the {len(corpus.vocabulary):,} words of its vocabulary"
        )
    return read_only(stream[:length])


def _assembled(blocks: Sequence[RowBlock], n_words: int) -> csr_array:
    indptr = np.concatenate([[0], *(block.lengths for block in blocks)]).cumsum()
    indices = np.concatenate([block.indices for block in blocks])
    data = np.concatenate([block.data for block in blocks])
    if indptr[-1] < 2**31:  # SciPy keeps both index arrays in one dtype
        indptr = indptr.astype(np.int32)
    return _canonical(csr_array((data, indices, indptr), shape=(n_words, n_words)))


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view that cannot be written to, so that kernels are compiled for one kind of array only."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def _canonical(matrix: csr_array) -> csr_array:
    """Tell SciPy what is known: rows sorted, nothing twice; else it would check at every use."""
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


def _check_sum(largest: int, what: str) -> None:
    if largest > _LARGEST_SUM:
        raise InputError(
            f"{what} could sum to {largest:.3g} in units of the common denominator, more than 2^63 - 1; "
            f"use a narrower window or another weighting, or count the corpus in parts"
        )


def _check_mergeable(first: CooccurrenceCounts, other: CooccurrenceCounts, number: int) -> None:
    if first.vocabulary.fingerprint != other.vocabulary.fingerprint:
        raise InputError(
            f"merge: the vocabularies of input 1 and input {number} differ: "
            f"{_first_difference(first.vocabulary.words, other.vocabulary.words)}; "
            f"count both with the same --vocabulary"
        )
    for field in fields(CountOptions):
        ours, theirs = getattr(first.options, field.name), getattr(other.options, field.name)
        if field.name != "seed" and ours != theirs:
            raise InputError(
                f"merge: input 1 was counted with {field.name} {ours!r}, input {number} with {theirs!r}; "
                f"count both with the same options"
            )


def _first_difference(ours: Sequence[str], theirs: Sequence[str]) -> str:
    for word_id, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            return f"word {word_id} is {a!r} in the first and {b!r} in the other"
    return f"the first has {len(ours):,} words, the other {len(theirs):,}"
