"""Word similarity: the correlation of human scores with cosines."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_choice, check_kind
from pmifact.errors import InputError
from pmifact.evaluation.correlation import CORRELATIONS, correlate, resampled_correlations
from pmifact.evaluation.gold import SimilaritySet, read_similarity
from pmifact.evaluation.lookup import CASES, OOV_POLICIES, covered_ids, refuse_uncovered
from pmifact.evaluation.resampling import RESAMPLES, bootstrap, check_resampling, interval
from pmifact.evaluation.tables import ScoreRow, score_table
from pmifact.vectors import WordVectors

_STATISTICS = {"spearman": "Spearman's rho", "pearson": "Pearson's r"}


@dataclass(frozen=True, eq=False)
class PairCosines:
    """What a model says about the n pairs of a similarity set.

    Parameters
    ----------
    cosines : ndarray of float64, shape (n,)
        0 where the pair is not covered.
    covered : ndarray of bool, shape (n,)
        Whether both words of the pair have a vector.
    """

    cosines: NDArray[np.float64]
    covered: NDArray[np.bool_]


def pair_cosines(vectors: WordVectors, gold: SimilaritySet, *, case: str = "fold") -> PairCosines:
    """Return the cosine of each pair of `gold`; `case` as in `evaluate_similarity`."""
    first = covered_ids(vectors, gold.words1, case=case)
    second = covered_ids(vectors, gold.words2, case=case)
    covered = (first >= 0) & (second >= 0)
    cosines = np.zeros(len(gold))
    first, second = first[covered], second[covered]
    rows1, rows2 = (vectors.matrix[ids].astype(np.float64) for ids in (first, second))
    if isinstance(rows1, csr_array):
        products = rows1.multiply(rows2).sum(axis=1)
    else:
        products = np.einsum("ij,ij->i", rows1, rows2)
    # Rounded beyond what float32 vectors can mean, so that equal cosines (of words with themselves,
    # for one) share a rank and are not put in an order by rounding errors.
    cosines[covered] = np.round(products / vectors.lengths[first] / vectors.lengths[second], 12)
    return PairCosines(cosines, covered)


def evaluate_similarity(
    vectors: WordVectors,
    gold: SimilaritySet | str | os.PathLike[str],
    *,
    correlation: str = "spearman",
    like: str | None = None,
    oov: str = "skip",
    case: str = "fold",
    resamples: int = RESAMPLES,
    seed: int = 0,
    model: str = "model",
) -> pd.DataFrame:
    """Score word vectors by the correlation of cosines with human scores.

    Parameters
    ----------
    vectors : WordVectors
        Dense or sparse.
    gold : SimilaritySet or path
        A path is read with `read_similarity`.
    correlation : {"spearman", "pearson"}
        Of ranks, the standard; or of the numbers themselves.
    like : {"hyperwords"}, optional
        Add the rows that hyperwords' rules give, one at a time and all together: "spearman oov-zero";
        "spearman gold-as-text", the human scores ranked as texts, "10" before "9"; and "spearman hyperwords",
        both, on lower-cased words. For sets that were read from a file.
    oov : {"skip", "zero"}
        What happens to a pair with a word that is not in the vocabulary or whose vector is zero: it is left
        out, or its cosine is taken to be 0.
    case : {"fold", "exact"}
        "fold" looks a gold word up as written, and lower-cased if that fails; "exact" only as written.
    resamples : int, default 999
        Bootstrap resamples of the pairs; 0 leaves the interval out.
    seed : int, default 0
        Of the resamples.
    model : str
        The name of the model in the table.

    Returns
    -------
    DataFrame
        One row (more with `like`), of section "all" and method "spearman" or "pearson", with the columns of
        every score table: model, dataset, task, section, method, score, low, high, covered, total. low and
        high are the ends of the 95 % percentile interval.

    Raises
    ------
    InputError
        If an option is none of the above, the gold file cannot be used (see `read_similarity`), no pair is
        covered, or the correlation is not defined: fewer than two pairs are left, or all have the same
        score or cosine.
    """
    check_kind("vectors", vectors, WordVectors, "read_vectors")
    check_choice("correlation", correlation, CORRELATIONS)
    check_choice("oov", oov, OOV_POLICIES)
    check_choice("case", case, CASES)
    check_resampling(resamples, seed)
    if not isinstance(gold, SimilaritySet):
        gold = read_similarity(gold)
    rows = []
    for method, scores, policy, looked_up in _ways(gold, correlation, oov, case, like):
        pairs = pair_cosines(vectors, gold, case=looked_up)
        refuse_uncovered(pairs.covered, gold.name, "pairs", "both words", model, len(vectors))
        used = pairs.covered if policy == "skip" else np.ones(len(gold), bool)
        score, (low, high) = score_pairs(
            scores[used],
            pairs.cosines[used],
            kind=correlation,
            resamples=resamples,
            seed=seed,
            what=f"{gold.name} on {model}",
        )
        rows.append(
            ScoreRow(
                model=model,
                dataset=gold.name,
                task="similarity",
                section="all",
                method=method,
                score=score,
                low=low,
                high=high,
                covered=int(pairs.covered.sum()),
                total=len(gold),
            )
        )
    return score_table(rows)


def _ways(
    gold: SimilaritySet, correlation: str, oov: str, case: str, like: str | None
) -> Iterator[tuple[str, NDArray[np.float64], str, str]]:
    """Yield the name of each way to score a set, and its human scores, OOV policy and letter case."""
    yield correlation, gold.scores, oov, case
    if like is None:
        return
    check_choice("like", like, ("hyperwords",))
    if correlation != "spearman":
        raise InputError(f"like hyperwords: expected the correlation spearman, got {correlation!r}")
    if gold.texts is None:
        raise InputError(
            f"like hyperwords: expected the scores of {gold.name} as they are written, got numbers alone; "
            "read the set with read_similarity, or give its texts"
        )
    # The order of texts is all that their ranks depend on.
    places = np.unique([text.lower() for text in gold.texts], return_inverse=True)[1].astype(np.float64)
    yield "spearman oov-zero", gold.scores, "zero", case
    yield "spearman gold-as-text", places, oov, case
    yield "spearman hyperwords", places, "zero", "lower"


def similarity_items(
    vectors: WordVectors,
    gold: SimilaritySet | str | os.PathLike[str],
    *,
    oov: str = "skip",
    case: str = "fold",
    model: str = "model",
) -> pd.DataFrame:
    """Return what `evaluate_similarity` compares, one row a pair in the order of the set.

    The columns are model, dataset, task, word1, word2, gold (the human score), cosine and covered. The
    cosine of a pair that is not covered is NaN where `oov` leaves the pair out, and 0 where it counts it.
    """
    check_choice("oov", oov, OOV_POLICIES)
    check_choice("case", case, CASES)
    if not isinstance(gold, SimilaritySet):
        gold = read_similarity(gold)
    pairs = pair_cosines(vectors, gold, case=case)
    columns: Mapping[str, object] = {
        "model": model,
        "dataset": gold.name,
        "task": "similarity",
        "word1": gold.words1,
        "word2": gold.words2,
        "gold": gold.scores,
        "cosine": np.where(pairs.covered, pairs.cosines, np.nan if oov == "skip" else 0.0),
        "covered": pairs.covered,
    }
    return pd.DataFrame(columns)


def score_pairs(
    scores: NDArray[np.float64],
    cosines: NDArray[np.float64],
    *,
    kind: str,
    resamples: int,
    seed: int,
    what: str,
) -> tuple[float, tuple[float, float]]:
    """Return the correlation of the used pairs, and its interval (NaN without resamples).

    Raises
    ------
    InputError
        If it is not defined; `what` names the set and the model.
    """
    name = _STATISTICS[kind]
    if len(scores) < 2:
        raise InputError(
            f"{what}: {name} needs at least 2 covered pairs, got {len(scores)}; use a larger set"
        )
    for side, values in (("gold scores", scores), ("cosines", cosines)):
        if values.min() == values.max():
            raise InputError(
                f"{what}: {name} is not defined, because all {len(values)} {side} equal {values[0]:g}; "
                "use a set and a model that vary"
            )
    score = correlate(scores, cosines, kind)
    if not resamples:
        return score, (np.nan, np.nan)
    resampled = bootstrap(
        lambda counts: resampled_correlations(scores, cosines[None], counts, kind),
        np.zeros(len(scores), np.int64),
        resamples=resamples,
        seed=seed,
    )
    return score, interval(resampled[:, 0])
