"""Token ids to co-occurrence counts: `CooccurrenceCounts` and the functions that make and add them."""

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_choice, check_integer, check_number
from pmifact.corpus import EncodedCorpus
from pmifact.counting.imported import ImportOptions
from pmifact.counting.rows import count_shard
from pmifact.counting.shards import TOKENS_PER_SHARD, count_in_shards
from pmifact.counting.stream import digest, in_memory, lay_stream
from pmifact.counting.windows import WEIGHTINGS, WindowWeights, window_weights
from pmifact.errors import InputError
from pmifact.notebook import html_table
from pmifact.resources.memory import parse_memory
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.threads import resolve_threads
from pmifact.vocabulary import Vocabulary

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
        The V words of the rows.
    matrix : csr_array of int64, shape (V, C)
        Numerators, indices sorted, no duplicates, no explicit zeros; row = focus word, column = context
        word. The count of a pair is ``matrix[w, c] / unit``.
    unit : int
        The common denominator of the window's weights.
    options : CountOptions or ImportOptions
        How they were counted, or by what other program.
    contexts : Vocabulary, optional
        The C contexts of the columns; None when they are the words of the rows.

    Raises
    ------
    InputError
        If the matrix is no int64 CSR array of the vocabularies' shape.
    """

    vocabulary: Vocabulary
    matrix: csr_array
    unit: int
    options: CountOptions | ImportOptions
    contexts: Vocabulary | None = None

    def __post_init__(self) -> None:
        expected = (len(self.vocabulary), len(self.context_vocabulary))
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
    def context_vocabulary(self) -> Vocabulary:
        """The vocabulary of the columns, whether they are the words or not."""
        return self.vocabulary if self.contexts is None else self.contexts

    @property
    def total(self) -> int:
        """Sum of all numerators, |D| times `unit`; exact."""
        return int(self.matrix.data.sum())

    def __repr__(self) -> str:
        contexts = "" if self.contexts is None else f"{len(self.contexts):,} contexts, "
        return (
            f"CooccurrenceCounts({len(self.vocabulary):,} words, {contexts}"
            f"{self.matrix.nnz:,} pairs observed, total {self.total / self.unit:,.0f})"
        )

    def _repr_html_(self) -> str:
        facts = [(name.replace("_", " "), value) for name, value in vars(self.options).items()]
        return html_table(repr(self), [*facts, ("unit", f"{self.unit:,}")])


def count_cooccurrences(
    corpus: EncodedCorpus,
    *,
    window: int | tuple[int, int] = 5,
    weighting: str = "linear",
    oov: str = "close",
    subsample: float | None = None,
    subsample_mode: str = "before",
    seed: int = 0,
    memory: int | str | None = None,
    scratch: str | os.PathLike[str] | None = None,
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
    memory : int or str, optional
        Bound on the anonymous memory of the whole process, in bytes or as in ``4GB``; at least 256MB. Shards
        of the counts then go to disk, and the matrix of the result is mapped from there; its numbers are the
        same. Without a limit this happens for corpora of more than 64 million tokens only.
    scratch : path, optional
        Folder for the shards. When counting is cut short they stay there, and the same call goes on from
        them; otherwise the caller removes the folder when the result is no longer needed. Left out, a
        temporary folder is used, and nothing is taken up.
    threads : int, optional
        Threads to use; all cores when not given.
    progress : callable, optional
        Called with (work done, work in all), in units of its own.

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
    limit = parse_memory(memory)
    count = partial(_count, corpus, options, weights, resolve_threads(threads), progress)
    if limit is None and len(corpus.token_ids) <= TOKENS_PER_SHARD:
        matrix = count()
    elif scratch is not None:
        matrix = count(limit, Path(scratch))
    else:
        # Mapped files stay readable after they are removed.
        with TemporaryDirectory(prefix="pmifact-") as folder:
            matrix = count(limit, Path(folder))
    return CooccurrenceCounts(corpus.vocabulary, matrix, weights.unit, options)


def merge_counts(counts: Sequence[CooccurrenceCounts]) -> CooccurrenceCounts:
    """Add counts that were taken with one vocabulary and the same options; exact.

    The words' own counts add too, and those of contexts that are not the words. Draws of `subsample` are
    independent between the parts, so their seeds may differ; the result keeps the first.

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
    for part in counts[1:]:
        matrix = csr_array(matrix + part.matrix)
    words = _merged([part.vocabulary for part in counts])
    contexts = None
    if any(part.contexts is not None for part in counts):
        contexts = _merged([part.context_vocabulary for part in counts])
    return CooccurrenceCounts(words, matrix, first.unit, first.options, contexts)


def keep_probabilities(vocabulary: Vocabulary, threshold: float) -> NDArray[np.float64]:
    """Return min(1, sqrt(t / f)) of each word, f its share of the in-vocabulary tokens; 1 where f = 0."""
    counts = vocabulary.counts.astype(np.float64)
    seen = counts > 0
    keep = np.ones(len(counts))
    keep[seen] = np.minimum(1.0, np.sqrt(threshold * (counts.sum() / counts[seen])))
    return keep


def _count(
    corpus: EncodedCorpus,
    options: CountOptions,
    weights: WindowWeights,
    threads: int,
    progress: Progress,
    limit: int | None = None,
    folder: Path | None = None,
) -> csr_array:
    """Count in memory, or shard by shard in a folder."""
    n_words = len(corpus.vocabulary)
    keep = np.empty(0)
    if options.subsample is not None:
        keep = keep_probabilities(corpus.vocabulary, options.subsample)
    pieces = lay_stream(
        corpus,
        keep,
        seed=options.seed,
        close_oov=options.oov == "close",
        close_sampled=options.subsample_mode == "before",
    )
    if folder is None:
        stream = in_memory(pieces, len(corpus.token_ids) + len(corpus.sentence_starts))
        blocks = list(count_shard(stream, (0, len(stream)), n_words, weights, threads, progress))
        return _csr(
            np.concatenate([block.lengths for block in blocks]),
            np.concatenate([block.indices for block in blocks]),
            np.concatenate([block.data for block in blocks]),
        )
    plan = {"corpus": digest(corpus), "options": asdict(options) | {"window": list(options.window)}}
    return _csr(*count_in_shards(pieces, folder, plan, n_words, weights, limit, threads, progress))


def _csr(lengths: NDArray[np.int64], indices: NDArray[np.int32], data: NDArray[np.int64]) -> csr_array:
    """Make a square matrix of rows that are in order, and tell SciPy what it would check at every use."""
    indptr = np.concatenate([[0], lengths]).cumsum()
    if indptr[-1] < 2**31:  # SciPy keeps both index arrays in one dtype
        indptr = indptr.astype(np.int32)
    matrix = csr_array((data, indices, indptr), shape=(len(lengths), len(lengths)))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


def _check_sum(largest: int, what: str) -> None:
    if largest > _LARGEST_SUM:
        raise InputError(
            f"{what} could sum to {largest:.3g} in units of the common denominator, more than 2^63 - 1; "
            f"use a narrower window or another weighting, or count the corpus in parts"
        )


def _merged(vocabularies: Sequence[Vocabulary]) -> Vocabulary:
    """Return the words that all have, with the sums of their counts."""
    return Vocabulary(vocabularies[0].words, np.sum([each.counts for each in vocabularies], axis=0))


def _check_mergeable(first: CooccurrenceCounts, other: CooccurrenceCounts, number: int) -> None:
    for what, ours, theirs in (
        ("vocabularies", first.vocabulary, other.vocabulary),
        ("contexts", first.context_vocabulary, other.context_vocabulary),
    ):
        if ours.fingerprint != theirs.fingerprint:
            raise InputError(
                f"merge: the {what} of input 1 and input {number} differ: "
                f"{_first_difference(ours.words, theirs.words)}; "
                f"count both with the same --vocabulary"
            )
    ours_options, theirs_options = ({**asdict(part.options), "unit": part.unit} for part in (first, other))
    for name in {**ours_options, **theirs_options}:
        ours_value, theirs_value = ours_options.get(name), theirs_options.get(name)
        if name != "seed" and ours_value != theirs_value:
            raise InputError(
                f"merge: input 1 was counted with {name} {ours_value!r}, input {number} with "
                f"{theirs_value!r}; count both with the same options"
            )


def _first_difference(ours: Sequence[str], theirs: Sequence[str]) -> str:
    for word_id, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            return f"word {word_id} is {a!r} in the first and {b!r} in the other"
    return f"the first has {len(ours):,} words, the other {len(theirs):,}"
