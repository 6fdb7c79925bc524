"""Word similarity: Spearman's rho between human scores and cosines."""

import os
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_choice
from pmifact.errors import InputError
from pmifact.evaluation.gold import SimilaritySet, read_similarity
from pmifact.evaluation.lookup import CASES, OOV_POLICIES, covered_ids
from pmifact.evaluation.tables import ScoreRow, score_table
from pmifact.vectors import WordVectors


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
    oov: str = "skip",
    case: str = "fold",
    model: str = "model",
) -> pd.DataFrame:
    """Score word vectors by Spearman's rank correlation of cosines with human scores.

    Parameters
    ----------
    vectors : WordVectors
        Dense or sparse.
    gold : SimilaritySet or path
        A path is read with `read_similarity`.
    oov : {"skip", "zero"}
        What happens to a pair with a word that is not in the vocabulary or whose vector is zero: it is left
        out, or its cosine is taken to be 0.
    case : {"fold", "exact"}
        "fold" looks a gold word up as written, and lower-cased if that fails; "exact" only as written.
    model : str
        The name of the model in the table.

    Returns
    -------
    DataFrame
        One row, of section "all" and method "spearman", with the columns of every score table: model,
        dataset, task, section, method, score, low, high, covered, total. low and high are NaN.

    Raises
    ------
    InputError
        If an option is none of the above, the gold file cannot be used (see `read_similarity`), no pair is
        covered, or rho is not defined: fewer than two pairs are left, or all have the same score or cosine.
    """
    check_choice("oov", oov, OOV_POLICIES)
    check_choice("case", case, CASES)
    if not isinstance(gold, SimilaritySet):
        gold = read_similarity(gold)
    pairs = pair_cosines(vectors, gold, case=case)
    covered = int(pairs.covered.sum())
    if covered == 0:
        raise InputError(
            f"none of the {len(gold)} pairs of {gold.name} has vectors for both words in {model} "
            f"({len(vectors):,} words); check the language and the case of both"
        )
    used = pairs.covered if oov == "skip" else np.ones(len(gold), bool)
    rho = _spearman(gold.scores[used], pairs.cosines[used], f"{gold.name} on {model}")
    row = ScoreRow(
        model=model,
        dataset=gold.name,
        task="similarity",
        section="all",
        method="spearman",
        score=rho,
        covered=covered,
        total=len(gold),
    )
    return score_table([row])


def _spearman(scores: NDArray[np.float64], cosines: NDArray[np.float64], what: str) -> float:
    if len(scores) < 2:
        raise InputError(
            f"{what}: Spearman's rho needs at least 2 covered pairs, got {len(scores)}; use a larger set"
        )
    for name, values in (("gold scores", scores), ("cosines", cosines)):
        if values.min() == values.max():
            raise InputError(
                f"{what}: Spearman's rho is not defined, because all {len(values)} {name} "
                f"equal {values[0]:g}; use a set and a model that vary"
            )
    # Pearson's correlation of the ranks, equal values sharing their mean rank, spelled out because
    # scipy.stats takes a second to load.
    ranks = pd.DataFrame({"scores": scores, "cosines": cosines}).rank().to_numpy()
    return float(np.corrcoef(ranks, rowvar=False)[0, 1])
