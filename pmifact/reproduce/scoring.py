"""The scores of word vectors on a gold set: on the whole of it, and on each of two random halves."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, SimilaritySet
from pmifact.evaluation.analogy import AnalogyAnswers, analogy_scores, answer_set
from pmifact.evaluation.correlation import correlate
from pmifact.evaluation.similarity import pair_cosines, score_pairs
from pmifact.evaluation.ways import AnalogyOptions
from pmifact.vectors import WordVectors


@dataclass(frozen=True, kw_only=True)
class Score:
    """One score; the fields are columns of a table.

    Parameters
    ----------
    dataset, method : str
        The gold set, and how it was scored: spearman, add or mul.
    score, low, high : float
        Spearman's rho or the share of right answers, and its 95 % interval; NaN when undefined.
    covered, total : int
        Items whose words have vectors, and all items.
    first_half, second_half : float
        The score on each of the random halves of the set.
    """

    dataset: str
    method: str
    score: float
    low: float
    high: float
    covered: int
    total: int
    first_half: float
    second_half: float


def halves(items: int, seed: int) -> NDArray[np.bool_]:
    """Return which items are in the first half, drawn at random: bool[items]."""
    first = np.zeros(items, bool)
    first[np.random.default_rng(seed).permutation(items)[: items // 2]] = True
    return first


def score_set(
    vectors: WordVectors,
    gold: SimilaritySet | AnalogySet,
    methods: Sequence[str],
    *,
    resamples: int,
    seed: int,
    threads: int,
) -> Iterator[dict[str, object]]:
    """Yield the rows of a model on one set: by Spearman's rho, or by each of the analogy `methods`."""
    if isinstance(gold, SimilaritySet):
        yield asdict(_similarity(vectors, gold, resamples, seed))
        return
    for method in methods:
        for answers in answer_set(vectors, gold, AnalogyOptions(method=method, seed=seed), threads=threads):
            yield asdict(_analogy(gold, answers, resamples, seed))


def _similarity(vectors: WordVectors, gold: SimilaritySet, resamples: int, seed: int) -> Score:
    pairs = pair_cosines(vectors, gold)
    used, first = pairs.covered, halves(len(gold), seed)
    score, ends = nan, (nan, nan)
    # Where too few pairs are covered for a correlation, the score is unknown, and coverage says why.
    if _varied(gold.scores[used]) and _varied(pairs.cosines[used]):
        score, ends = score_pairs(
            gold.scores[used],
            pairs.cosines[used],
            kind="spearman",
            resamples=resamples,
            seed=seed,
            what=gold.name,
        )

    def of(half: NDArray[np.bool_]) -> float:
        human, cosines = gold.scores[used & half], pairs.cosines[used & half]
        return correlate(human, cosines, "spearman") if _varied(human) and _varied(cosines) else nan

    return Score(
        dataset=gold.name,
        method="spearman",
        score=score,
        low=ends[0],
        high=ends[1],
        covered=int(used.sum()),
        total=len(gold),
        first_half=of(first),
        second_half=of(~first),
    )


def _varied(values: NDArray[np.float64]) -> bool:
    return len(values) > 1 and bool(values.min() < values.max())


def _analogy(gold: AnalogySet, answers: AnalogyAnswers, resamples: int, seed: int) -> Score:
    covered, first = answers.covered, halves(len(gold), seed)
    score = low = high = nan
    if covered.any():
        table = analogy_scores(gold, answers, oov="skip", resamples=resamples, seed=seed, model="")
        score, low, high = (float(table[name].iloc[0]) for name in ("score", "low", "high"))

    def of(half: NDArray[np.bool_]) -> float:
        asked = covered & half
        return float(answers.correct[asked].mean()) if asked.any() else nan

    return Score(
        dataset=gold.name,
        method=answers.method,
        score=score,
        low=low,
        high=high,
        covered=int(covered.sum()),
        total=len(gold),
        first_half=of(first),
        second_half=of(~first),
    )


def check_resamples(resamples: int) -> None:
    """Raise `InputError` unless so many resamples give an interval."""
    if not isinstance(resamples, int) or isinstance(resamples, bool) or resamples < 0:
        raise InputError(f"resamples: expected an integer of at least 0, got {resamples!r}")
