"""Looking into counts: the contexts of a word, and those that make two words alike."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pmifact.checks import check_choice, check_integer, check_kind, check_number
from pmifact.contexts import PositionalContexts
from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.ppmi import PPMIOptions, shifted_pmi_of

SORTS = ("pmi", "count")


def word_contexts(
    counts: CooccurrenceCounts,
    word: str,
    n: int = 10,
    *,
    sort: str = "pmi",
    min_count: float | None = None,
    shift: float = 1.0,
    smoothing: float = 0.75,
    subsample: float | None = None,
) -> pd.DataFrame:
    """Return the contexts that stand with a word more often than chance has it.

    Parameters
    ----------
    counts : CooccurrenceCounts
        V words and C contexts.
    word : str
        One of the words.
    n : int, default 10
        How many contexts; fewer are returned when there are no more.
    sort : {"pmi", "count"}
        What the best contexts have most of; of equally good ones, the first column comes first.
    min_count : float, optional
        Leave out contexts whose count with the word is smaller; the PMI of rare pairs is high by accident.
    shift, smoothing, subsample
        As in `sppmi`.

    Returns
    -------
    DataFrame
        Columns word, rank, context, for positional contexts offset, count (#(w,c), subsampling aside) and
        pmi: log(#(w,c) / (#(w) P(c))) - log shift, which is below 0 where chance has more. Pairs that never
        occur are left out.

    Raises
    ------
    InputError
        If the word is unknown (`UnknownWordError`) or an option is none of the above.
    """
    check_kind("counts", counts, CooccurrenceCounts, "read_counts")
    check_integer("n", n, least=1)
    check_choice("sort", sort, SORTS)
    if min_count is not None:
        check_number("min_count", min_count, above=0)
    options = PPMIOptions(shift=shift, smoothing=smoothing, subsample=subsample)
    word_id = counts.vocabulary.word_id(word)
    (row,) = _rows(counts, [word_id], options)
    frame = pd.DataFrame(
        {"word": word, **_names(counts, row.columns), "count": row.counts, "pmi": row.pmi},
    )
    if min_count is not None:
        frame = frame[frame["count"] >= min_count]
    frame = frame.sort_values(sort, ascending=False, kind="stable", ignore_index=True)[:n]
    frame.insert(1, "rank", np.arange(1, len(frame) + 1))
    return frame


def shared_contexts(
    counts: CooccurrenceCounts,
    word1: str,
    word2: str,
    n: int = 10,
    *,
    shift: float = 1.0,
    smoothing: float = 0.75,
    subsample: float | None = None,
) -> pd.DataFrame:
    """Return how often two words meet, and the shared contexts that make the cosine of their SPPMI rows.

    The cosine is sum_c M(w1,c) M(w2,c) / (|M(w1)| |M(w2)|) with M the shifted PPMI; a context's share is
    its own product over that sum.

    Parameters
    ----------
    counts : CooccurrenceCounts
        V words and C contexts.
    word1, word2 : str
        Two of the words.
    n : int, default 10
        How many shared contexts; fewer are returned when there are no more.
    shift, smoothing, subsample
        As in `sppmi`.

    Returns
    -------
    DataFrame
        Columns word1, word2; marginal1, marginal2 (#(w) of each); cosine, NaN where a row is zero; shared,
        the number of contexts with M above 0 for both words; part; context, and for positional contexts
        offset; context_marginal (#(c)); count1, count2 (#(w,c), 0 where never observed); pmi1, pmi2 (log
        shift taken off; NaN where never observed); and share.
        First come the rows of part "pair", whose contexts are word2 and word1 themselves, where they are
        among the contexts, without a share; then those of part "shared", the largest share first, ties in
        the order of the columns.

    Raises
    ------
    InputError
        If a word is unknown (`UnknownWordError`) or an option is none of the above.
    """
    check_kind("counts", counts, CooccurrenceCounts, "read_counts")
    check_integer("n", n, least=1)
    options = PPMIOptions(shift=shift, smoothing=smoothing, subsample=subsample)
    ids = [counts.vocabulary.word_id(word) for word in (word1, word2)]
    rows = _rows(counts, ids, options)
    (columns1, sppmi1), (columns2, sppmi2) = (row.positive for row in rows)
    shared, places1, places2 = np.intersect1d(columns1, columns2, assume_unique=True, return_indices=True)
    products = sppmi1[places1] * sppmi2[places2]
    lengths = np.sqrt(sppmi1 @ sppmi1 * (sppmi2 @ sppmi2))
    best = np.argsort(-products, kind="stable")[:n]
    pair = [column for word in dict.fromkeys((word2, word1)) for column in _columns_of(counts, word)]
    columns = np.array([*pair, *shared[best].tolist()], np.int64)
    return pd.DataFrame(
        {
            "word1": word1,
            "word2": word2,
            "marginal1": rows[0].marginal,
            "marginal2": rows[1].marginal,
            "cosine": products.sum() / lengths if lengths else np.nan,
            "shared": len(shared),
            "part": ["pair"] * len(pair) + ["shared"] * len(best),
            **_names(counts, columns),
            "context_marginal": counts.matrix.sum(axis=0, dtype=np.int64)[columns] / counts.unit,
            "count1": rows[0].at(columns, rows[0].counts, 0.0),
            "count2": rows[1].at(columns, rows[1].counts, 0.0),
            "pmi1": rows[0].at(columns, rows[0].pmi, np.nan),
            "pmi2": rows[1].at(columns, rows[1].pmi, np.nan),
            "share": [np.nan] * len(pair) + (products[best] / products.sum()).tolist(),
        }
    )


@dataclass(frozen=True, eq=False)
class _Row:
    """The observed cells of a word: their columns, rising, #(w,c) and shifted PMI; and #(w)."""

    columns: NDArray[np.int64]
    counts: NDArray[np.float64]
    pmi: NDArray[np.float64]
    marginal: float

    @property
    def positive(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The columns and values of the row of the SPPMI matrix, as float32 holds them."""
        values = self.pmi.astype(np.float32).astype(np.float64)
        return self.columns[values > 0], values[values > 0]

    def at(
        self, columns: NDArray[np.int64], values: NDArray[np.float64], missing: float
    ) -> NDArray[np.float64]:
        """Return the values in these columns."""
        found = dict(zip(self.columns.tolist(), values.tolist(), strict=True))
        return np.array([found.get(column, missing) for column in columns.tolist()], np.float64)


def _rows(counts: CooccurrenceCounts, word_ids: list[int], options: PPMIOptions) -> list[_Row]:
    matrix = counts.matrix
    rows = []
    for word_id, pmi in zip(word_ids, shifted_pmi_of(counts, word_ids, options), strict=True):
        cells = slice(*matrix.indptr[word_id : word_id + 2].tolist())
        numerators = matrix.data[cells]
        rows.append(
            _Row(
                columns=matrix.indices[cells].astype(np.int64),
                counts=numerators / counts.unit,
                # Rounded beyond what a logarithm is worth, so that what is equal by definition is a tie.
                pmi=np.round(pmi, 12),
                marginal=int(numerators.sum()) / counts.unit,
            )
        )
    return rows


def _names(counts: CooccurrenceCounts, columns: NDArray[np.int64]) -> dict[str, list[str] | list[int]]:
    """Return what the columns are: their words, and their offsets where they have them."""
    contexts = counts.context_vocabulary
    if not isinstance(contexts, PositionalContexts):
        return {"context": [contexts.words[column] for column in columns.tolist()]}
    places = [contexts.context(column) for column in columns.tolist()]
    return {"context": [word for word, _ in places], "offset": [offset for _, offset in places]}


def _columns_of(counts: CooccurrenceCounts, word: str) -> list[int]:
    """Return the columns whose context is this word."""
    contexts = counts.context_vocabulary
    vocabulary = contexts.vocabulary if isinstance(contexts, PositionalContexts) else contexts
    if word not in vocabulary:
        return []
    return list(range(vocabulary.word_id(word), len(contexts), len(vocabulary)))
