"""Token ids to co-occurrence counts: `CooccurrenceCounts` and the function that makes them."""

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_integer, check_kind
from pmifact.contexts import Contexts, PositionalContexts
from pmifact.corpus import EncodedCorpus
from pmifact.counting.columns import choose_contexts, columns_of, tell_unknown
from pmifact.counting.imported import ImportOptions
from pmifact.counting.options import GIVEN, CountOptions
from pmifact.counting.rows import Rows, Rule, count_shard, csr_of_rows, pairs_at_most
from pmifact.counting.shards import TOKENS_PER_SHARD, count_in_shards
from pmifact.counting.stream import Laying, digest, in_memory
from pmifact.counting.windows import window_weights
from pmifact.errors import InputError
from pmifact.notebook import count_of, fraction_of, html_table
from pmifact.resources.memory import parse_memory
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.threads import resolve_threads
from pmifact.vocabulary import Vocabulary

_LARGEST_SUM = 2**63 - 1


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
    contexts : Vocabulary or PositionalContexts, optional
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
    contexts: Contexts | None = None

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
    def context_vocabulary(self) -> Contexts:
        """What the columns are, whether they are the words or not."""
        return self.vocabulary if self.contexts is None else self.contexts

    @property
    def total(self) -> int:
        """Sum of all numerators, |D| times `unit`; exact."""
        return int(self.matrix.data.sum())

    def __repr__(self) -> str:
        contexts = "" if self.contexts is None else f"{count_of(len(self.contexts), 'context')}, "
        return (
            f"CooccurrenceCounts({count_of(len(self.vocabulary), 'word')}, {contexts}"
            f"{count_of(self.matrix.nnz, 'pair')} observed, total {fraction_of(self.total, self.unit)})"
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
    positional: bool = False,
    subsample: float | None = None,
    subsample_mode: str = "before",
    context_vocabulary: int | Vocabulary | Sequence[str] | None = None,
    min_pair_count: int | None = None,
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
    positional : bool
        Make (context word, signed offset j - i) the column, as `PositionalContexts` orders them.
    weighting, oov, subsample, subsample_mode, seed
        As in `CountOptions`.
    context_vocabulary : int, Vocabulary or sequence of str, optional
        Columns for the so many most frequent words, or for these words in this order, alone. Other words keep
        their positions in the windows and are counted as focus words; they have no column. Given words that
        are out of vocabulary have none either, which the log tells.
    min_pair_count : int, optional
        Leave out pairs whose count, once all are counted, is smaller. The sums #(w), #(c) and ``|D|`` are
        taken from the pairs that stay, so that PMI is that of the smaller matrix; such counts cannot be
        merged.
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
        Symmetric when the window is and the columns are the words.

    Raises
    ------
    InputError
        If an option is out of range, the largest possible sum would pass 2^63 - 1, or there would be 2^31
        columns or more.
    """
    check_kind("corpus", corpus, EncodedCorpus, "read_corpus")
    listed = not (context_vocabulary is None or isinstance(context_vocabulary, int | np.integer))
    options = CountOptions(
        window=(window, window) if isinstance(window, (int, np.integer)) else window,
        weighting=weighting,
        oov=oov,
        positional=positional,
        subsample=subsample,
        subsample_mode=subsample_mode,
        context_vocabulary=GIVEN if listed else context_vocabulary,  # type: ignore[arg-type]
        min_pair_count=min_pair_count,
        seed=seed,
    )
    if not len(corpus.vocabulary):
        raise InputError("count: the vocabulary of the corpus is empty")
    tell_unknown(corpus.vocabulary, context_vocabulary)
    contexts = choose_contexts(corpus.vocabulary, context_vocabulary)
    weights = window_weights(options.window, options.weighting)
    # Every token adds at most the whole window's weight, so no sum of the matrix can pass this.
    check_sum(len(corpus.token_ids) * int(weights.left.sum() + weights.right.sum()), "these counts")
    limit = parse_memory(memory)
    rule = Rule(
        n_words=len(corpus.vocabulary),
        columns=columns_of(corpus.vocabulary, contexts, options.offsets_within),
        weights=weights,
        least=(options.min_pair_count or 0) * weights.unit,
    )
    count = partial(_count, corpus, options, rule, resolve_threads(threads), progress)
    if limit is None and len(corpus.token_ids) <= TOKENS_PER_SHARD:
        matrix = count()
    elif scratch is not None:
        matrix = count(limit, Path(scratch))
    else:
        # Mapped files stay readable after they are removed.
        with TemporaryDirectory(prefix="pmifact-") as folder:
            matrix = count(limit, Path(folder))
    columns: Contexts | None = contexts
    if options.positional:
        columns = PositionalContexts(corpus.vocabulary if contexts is None else contexts, options.window)
    return CooccurrenceCounts(corpus.vocabulary, matrix, weights.unit, options, columns)


def keep_probabilities(vocabulary: Vocabulary, threshold: float) -> NDArray[np.float64]:
    """Return min(1, sqrt(t / f)) of each word, f its share of the in-vocabulary tokens; 1 where f = 0."""
    counts = vocabulary.counts.astype(np.float64)
    seen = counts > 0
    keep = np.ones(len(counts))
    keep[seen] = np.minimum(1.0, np.sqrt(threshold * (counts.sum() / counts[seen])))
    return keep


def check_sum(largest: int, what: str) -> None:
    """Raise `InputError` when a sum of numerators could pass what 64-bit integers hold."""
    if largest > _LARGEST_SUM:
        raise InputError(
            f"{what} could sum to {largest:.3g} in units of the common denominator, more than 2^63 - 1; "
            f"use a narrower window or another weighting, or count the corpus in parts"
        )


def _count(
    corpus: EncodedCorpus,
    options: CountOptions,
    rule: Rule,
    threads: int,
    progress: Progress,
    limit: int | None = None,
    folder: Path | None = None,
) -> csr_array:
    """Count in memory, or shard by shard in a folder."""
    keep = np.empty(0)
    if options.subsample is not None:
        keep = keep_probabilities(corpus.vocabulary, options.subsample)
    laying = Laying(
        corpus,
        keep,
        seed=options.seed,
        close_oov=options.oov == "close",
        close_sampled=options.subsample_mode == "before",
    )
    if folder is None:
        stream = in_memory(laying, rule.columns, threads)
        span = 0, len(stream.words)
        rows = Rows(int(pairs_at_most(corpus.vocabulary.counts, rule).sum()), threads)
        for block in count_shard(stream, span, rule, threads, progress):
            rows.append(block.at_least(rule.least))
        return rows.matrix(len(rule.columns))
    # What is left out in the end makes no difference to the shards.
    shaping = asdict(replace(options, min_pair_count=None)) | {"window": list(options.window)}
    plan = {"corpus": digest(corpus), "options": shaping, "columns": rule.columns.fingerprint}
    counted = count_in_shards(laying.pieces(), folder, plan, rule, limit, threads, progress)
    return csr_of_rows(*counted, len(rule.columns))
