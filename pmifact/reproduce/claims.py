"""What the papers claim, tested on models that answer the same items, with paired intervals."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, SimilaritySet
from pmifact.evaluation.comparison import Comparison
from pmifact.evaluation.correlation import correlate, resampled_correlations
from pmifact.evaluation.resampling import bootstrap, interval
from pmifact.evaluation.similarity import pair_cosines
from pmifact.reproduce.costs import Cost, Survey, analogy_steps
from pmifact.reproduce.plan import Stage
from pmifact.reproduce.running import Workshop
from pmifact.reproduce.stages import Reading
from pmifact.resources.progress import Progress
from pmifact.text.readers import Source

SYNTACTIC = "SGNS beats SVD on syntactic analogies"
DEVIATES = "SVD deviates more from the optimal objective than SGNS"
POWERS = "SVD of power 0 or 0.5 beats power 1 on the mean similarity"
SMOOTHED = "PPMI smoothed by 0.75 is no worse than unsmoothed on the mean similarity"
_CLAIM_WIDTH = 28
COLUMNS = ("claim", "at", "first", "second", "score1", "score2", "difference", "low", "high", "verdict")
TITLE = "What the papers claim, tested here"
ON_CLAIMS = (
    "A claim holds when the 95 % interval of the difference is above 0, and fails when it is below; else it "
    "is open at this size, and one of 'no worse' is not contradicted. Both models are scored on the same "
    "resamples: of word pairs for analogies, of pairs for similarity, and on the items that both, or all "
    "settings, cover. Deviations from the optimal objective, "
    "in %, are exact and have no interval: their sign decides."
)


def verdict(low: float, high: float) -> str:
    """Say what the interval of a difference, which a claim wants above 0, tells of the claim."""
    if isnan(low) or isnan(high):
        return "not tested"
    return "holds" if low > 0 else "fails" if high < 0 else "open"


def where(shift: int, rank: int) -> str:
    """Name the models of Levy & Goldberg (2014) of one shift and rank."""
    return f"k = {shift}, d = {rank}"


def claim_row(
    claim: str,
    at: str,
    names: tuple[str, str],
    scores: tuple[float, float],
    ends: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """Return a row of the table of claims.

    Parameters
    ----------
    claim, at : str
        What is claimed, and of which models it is tested.
    names : tuple of str
        The one that is to be better, and the other.
    scores : tuple of float
    ends : tuple of float, optional
        The interval of the difference; without one the difference is exact.
    """
    difference = scores[0] - scores[1]
    low, high = (difference, difference) if ends is None else ends
    values = (claim, at, *names, *scores, difference, low, high, verdict(low, high))
    return dict(zip(COLUMNS, values, strict=True))


def analogy_claim_stage(
    readings: tuple[Reading, Reading],
    gold: tuple[AnalogySet, Source],
    *,
    names: tuple[str, str],
    at: str,
    resamples: int,
    seed: int,
) -> Stage:
    """Return the stage that tests whether the first of two models solves more analogies, by 3CosMul."""
    items, source = gold

    def work(bench: Workshop, progress: Progress) -> pd.DataFrame:
        comparison = Comparison(
            analogy=[items], method="mul", resamples=resamples, seed=seed, threads=bench.threads
        )
        for name, reading in zip(names, readings, strict=True):
            comparison.add(name, reading.vectors(bench, reading.ways[0]), progress)
        try:
            row: Mapping[Any, Any] = comparison.table().iloc[0].to_dict()
        except InputError:  # fewer than two common items: the claim is not tested, and the verdict says so
            row = dict.fromkeys(("score1", "score2", "low", "high"), nan)
        ends = (row["low"], row["high"])
        return pd.DataFrame([claim_row(SYNTACTIC, at, names, (row["score1"], row["score2"]), ends)])

    def cost(survey: Survey) -> Cost:
        ranks = (reading.rank or reading.stage.options["rank"] for reading in readings)
        steps = sum(analogy_steps(len(items), survey.words, rank) for rank in ranks)
        return Cost("analogy", survey.seconds("analogy", steps), 0)

    return Stage(
        name=f"claim-{items.name}-{readings[0].name}",
        kind="scores",
        title=f"Test {names[0]} against {names[1]}, {at}, on {items.name}",
        options={
            "step": "claim",
            "claim": SYNTACTIC,
            "at": at,
            "names": names,
            "ranks": [reading.rank for reading in readings],
            "ways": [dict(reading.ways[0]) for reading in readings],
            "resamples": resamples,
            "seed": seed,
        },
        work=work,
        cost=cost,
        needs=tuple(reading.stage for reading in readings),
        sources=(source,),
    )


@dataclass(frozen=True, kw_only=True)
class Contest:
    """Two values of one hyperparameter, of which the first is claimed to be better.

    Parameters
    ----------
    claim : str
    model : str
        Of which method.
    setting : str
        The hyperparameter.
    first, second : float
        Its values.
    """

    claim: str
    model: str
    setting: str
    first: float
    second: float

    @property
    def names(self) -> tuple[str, str]:
        """The two in words."""
        return f"{self.setting} {self.first:g}", f"{self.setting} {self.second:g}"


def setting_claims_stage(
    readings: Sequence[Reading],
    gold: Iterable[tuple[SimilaritySet, Source]],
    contests: Sequence[Contest],
    *,
    resamples: int,
    seed: int,
) -> Stage:
    """Return the stage that tests values of a hyperparameter on the mean similarity.

    Spearman's rho is taken on each set and averaged over the sets and over all models of a value; a resample
    draws the pairs of each set anew, the same for all models.
    """
    sets = list(gold)
    model = contests[0].model

    def work(bench: Workshop, progress: Progress) -> pd.DataFrame:
        settings: list[dict[str, Any]] = []
        cosines: list[list[NDArray[np.float64]]] = [[] for _ in sets]
        covered = [np.ones(len(items), bool) for items, _ in sets]
        for number, reading in enumerate(readings):
            for way in reading.ways:
                vectors = reading.vectors(bench, way)
                settings.append({**reading.stage.labels, **way})
                for at, (items, _) in enumerate(sets):
                    pairs = pair_cosines(vectors, items)
                    cosines[at].append(pairs.cosines)
                    covered[at] &= pairs.covered
            progress(number + 1, len(readings))
        scores, resampled = _mean_similarity(
            [items.scores[used] for (items, _), used in zip(sets, covered, strict=True)],
            [np.array(rows)[:, used] for rows, used in zip(cosines, covered, strict=True)],
            resamples,
            seed,
        )
        return pd.DataFrame([_settled(contest, settings, scores, resampled) for contest in contests])

    def cost(survey: Survey) -> Cost:
        ways = sum(len(reading.ways) for reading in readings)
        pairs = sum(len(items) for items, _ in sets)
        return Cost("claim", survey.seconds("claim", ways * pairs * (1 + resamples)), 0)

    return Stage(
        name=f"claim-similarity-{model.lower()}",
        kind="scores",
        title=f"Test the {contests[0].setting} of {model} on similarity",
        options={
            "step": "claim",
            "contests": [vars(contest) for contest in contests],
            "ways": [[dict(way) for way in reading.ways] for reading in readings],
            "resamples": resamples,
            "seed": seed,
        },
        work=work,
        cost=cost,
        needs=tuple(dict.fromkeys(reading.stage for reading in readings)),
        sources=tuple(source for _, source in sets),
    )


def _mean_similarity(
    people: list[NDArray[np.float64]], cosines: list[NDArray[np.float64]], resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean of rho over the sets: of each model, shape (m,), and in each resample, (resamples, m).

    Sets whose scores, or cosines of any model, do not vary tell nothing and are left out.
    """
    scores, resampled = [], []
    for number, (human, rows) in enumerate(zip(people, cosines, strict=True)):
        if len(human) < 2 or np.ptp(human) == 0 or (np.ptp(rows, axis=1) == 0).any():
            continue
        scores.append(np.array([correlate(human, row, "spearman") for row in rows]))
        if resamples:
            resampled.append(
                bootstrap(
                    lambda counts, human=human, rows=rows: resampled_correlations(  # type: ignore[misc]
                        human, rows, counts, "spearman"
                    ),
                    np.zeros(len(human), np.int64),
                    resamples=resamples,
                    seed=seed + number,
                )
            )
    models = len(cosines[0]) if cosines else 0
    if not scores:
        return np.full(models, nan), np.full((1, models), nan)
    if not resampled:
        return np.mean(scores, axis=0), np.full((1, models), nan)
    return np.mean(scores, axis=0), np.mean(resampled, axis=0)


def _settled(
    contest: Contest,
    settings: list[dict[str, Any]],
    scores: NDArray[np.float64],
    resampled: NDArray[np.float64],
) -> dict[str, Any]:
    """Return the row of one contest: the mean over the models of each value."""
    of = [
        np.array([setting[contest.setting] == value for setting in settings])
        for value in (contest.first, contest.second)
    ]
    first, second = (float(scores[at].mean()) if at.any() else nan for at in of)
    ends = (nan, nan)
    if all(at.any() for at in of):
        ends = interval(resampled[:, of[0]].mean(axis=1) - resampled[:, of[1]].mean(axis=1))
    at = f"mean of {int(of[0].sum())} settings each"
    return claim_row(contest.claim, at, contest.names, (first, second), ends)


def claims_page(table: pd.DataFrame, line_break: str) -> pd.DataFrame:
    """Lay the table of claims out as it is shown."""

    def line(row: Mapping[Any, Any]) -> list[str]:
        sides = ((row["first"], row["score1"]), (row["second"], row["score2"]))
        digits = 3 if all(abs(score) <= 1 for _, score in sides) else 2
        claim = textwrap.wrap(row["claim"], _CLAIM_WIDTH) if line_break == "\n" else [row["claim"]]
        difference = f"{row['difference']:+.{digits}f}"
        if row["low"] != row["high"]:
            difference += f"{line_break}{row['low']:+.{digits}f} to {row['high']:+.{digits}f}"
        return [
            line_break.join([*claim, row["at"]]),
            line_break.join(f"{name}: {score:.{digits}f}" for name, score in sides),
            difference,
            row["verdict"],
        ]

    columns = ["claim", "scores", "difference", "verdict"]
    return pd.DataFrame([line(row) for row in table.to_dict("records")], columns=columns, dtype=str)
