"""Models against each other, on the items that all of them cover."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pmifact.checks import check_choice, check_integer, check_kind
from pmifact.errors import InputError
from pmifact.evaluation.accuracy import Totals, resampled_scores
from pmifact.evaluation.analogy import answer_set
from pmifact.evaluation.correlation import CORRELATIONS, correlate, resampled_correlations
from pmifact.evaluation.gold import AnalogySet, SimilaritySet, read_similarity
from pmifact.evaluation.pairs import PairSet, read_analogy_gold
from pmifact.evaluation.questions import Design
from pmifact.evaluation.resampling import LEVEL, RESAMPLES, bootstrap, check_resampling, interval, two_sided
from pmifact.evaluation.significance import holm, mcnemar, williams
from pmifact.evaluation.similarity import pair_cosines
from pmifact.evaluation.ways import AnalogyOptions
from pmifact.resources.progress import Progress, no_progress
from pmifact.vectors import WordVectors

WILLIAMS = "Williams' t"
MCNEMAR = "McNemar, items taken as independent"

COLUMNS = (
    *("dataset", "task", "method", "model1", "model2", "score1", "score2", "difference", "low", "high"),
    *("p", "p_holm", "test", "statistic", "p_test", "p_test_holm", "spread1", "spread2"),
    *("items", "total", "verdict"),
)

Path = str | os.PathLike[str]


@dataclass(eq=False)
class _Measured:
    """What the models say about the n items of one gold set; one row of values a replicate."""

    gold: SimilaritySet | AnalogySet | PairSet
    design: Design | None = None
    values: dict[str, list[NDArray[np.float64]]] = field(default_factory=dict)
    common: NDArray[np.bool_] | None = None  # items that every model covers

    def add(self, name: str, values: NDArray[np.float64], covered: NDArray[np.bool_]) -> None:
        self.values.setdefault(name, []).append(values)
        self.common = covered if self.common is None else self.common & covered


class Comparison:
    """Compares models that are measured one after the other, so that only one has to be in memory.

    The parameters are those of `compare_models`.
    """

    def __init__(
        self,
        *,
        similarity: Iterable[SimilaritySet | Path] = (),
        analogy: Iterable[AnalogySet | PairSet | Path] = (),
        correlation: str = "spearman",
        method: str = "add",
        case: str = "fold",
        restrict_vocab: int | None = None,
        resamples: int = RESAMPLES,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        check_choice("correlation", correlation, CORRELATIONS)
        check_resampling(resamples, seed)
        check_integer("resamples", resamples, least=1)
        self._asking = AnalogyOptions(method=method, case=case, restrict_vocab=restrict_vocab, seed=seed)
        self._correlation, self._resamples, self._seed = correlation, resamples, seed
        self._threads = threads
        sets = [gold if isinstance(gold, SimilaritySet) else read_similarity(gold) for gold in similarity]
        asked = [read_analogy_gold(gold) if isinstance(gold, str | os.PathLike) else gold for gold in analogy]
        if not (sets or asked):
            raise InputError("compare: expected at least one similarity or analogy set, got none")
        self._measured = [_Measured(gold) for gold in [*sets, *asked]]

    def add(self, name: str, vectors: WordVectors, progress: Progress = no_progress) -> None:
        """Measure a model, or, under a name that was added before, another seed of it."""
        check_kind(f"model {name!r}", vectors, WordVectors, "read_vectors")
        for number, gold in enumerate(self.sets):
            if isinstance(gold, SimilaritySet):
                pairs = pair_cosines(vectors, gold, case=self._asking.case)
                self.note(number, name, pairs.cosines, pairs.covered)
                continue
            (result,) = answer_set(vectors, gold, self._asking, threads=self._threads, progress=progress)
            self.note(number, name, result.correct, result.covered, result.design)

    @property
    def sets(self) -> list[SimilaritySet | AnalogySet | PairSet]:
        """The gold sets, those of similarity first."""
        return [measured.gold for measured in self._measured]

    def note(
        self,
        number: int,
        name: str,
        values: NDArray[Any],
        covered: NDArray[np.bool_],
        design: Design | None = None,
    ) -> None:
        """Take what a model says about the gold set with this number, where it is known already.

        The values are the cosines of pairs, or whether questions, of this design, are answered rightly.
        """
        measured = self._measured[number]
        measured.design = design
        measured.add(name, values.astype(np.float64), covered)

    def leave_out_uncovered(self) -> tuple[str, ...]:
        """Forget the sets of which all models cover fewer than 2 items, unless those are all; name them."""
        kept = [one for one in self._measured if one.common is not None and one.common.sum() >= 2]
        if not kept:
            return ()
        left_out = tuple(one.gold.name for one in self._measured if one not in kept)
        self._measured = kept
        return left_out

    def table(self) -> pd.DataFrame:
        """Return the table of `compare_models`."""
        names = list(self._measured[0].values)
        if len(names) < 2:
            raise InputError(f"compare: expected at least two models, got {len(names)}")
        return pd.concat([self._compare(measured) for measured in self._measured], ignore_index=True)

    def _compare(self, measured: _Measured) -> pd.DataFrame:
        common, gold = measured.common, measured.gold
        assert common is not None
        task = "similarity" if isinstance(gold, SimilaritySet) else "analogy"
        if common.sum() < 2:
            raise InputError(
                f"{gold.name}: expected at least 2 items that all of {', '.join(measured.values)} cover, "
                f"got {common.sum()}; compare fewer models or use a larger set"
            )
        replicates = {name: np.array(rows) for name, rows in measured.values.items()}
        scores, resampled = self._scores(measured, np.concatenate(list(replicates.values())), common)
        rows = []
        ends = np.cumsum([len(values) for values in replicates.values()])
        parts = {
            name: slice(end - len(replicates[name]), end) for name, end in zip(replicates, ends, strict=True)
        }
        drawn = {
            name: _mean_of_replicates(resampled[:, part], (self._seed, number))
            for number, (name, part) in enumerate(parts.items())
        }
        for first, second in combinations(parts, 2):
            score1, score2 = (scores[parts[name]] for name in (first, second))
            differences = drawn[first] - drawn[second]
            low, high = interval(differences)
            test, statistic, p_test = self._check(
                gold, replicates[first][:, common], replicates[second][:, common], common
            )
            rows.append(
                {
                    "dataset": gold.name,
                    "task": task,
                    "method": self._correlation if task == "similarity" else self._asking.method,
                    "model1": first,
                    "model2": second,
                    "score1": score1.mean(),
                    "score2": score2.mean(),
                    "difference": score1.mean() - score2.mean(),
                    "low": low,
                    "high": high,
                    "p": two_sided(differences),
                    "test": test,
                    "statistic": statistic,
                    "p_test": p_test,
                    "spread1": score1.std(ddof=1) if len(score1) > 1 else np.nan,
                    "spread2": score2.std(ddof=1) if len(score2) > 1 else np.nan,
                    "items": int(common.sum()),
                    "total": len(common),
                }
            )
        frame = pd.DataFrame(rows)
        frame["p_holm"] = holm(list(frame["p"]))
        frame["p_test_holm"] = holm(list(frame["p_test"]))
        frame["verdict"] = [_verdict(row, len(frame)) for row in frame.to_dict("records")]
        return frame[list(COLUMNS)]

    def _scores(
        self, measured: _Measured, values: NDArray[np.float64], common: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the score of each replicate, shape (r,), and in each resample, shape (resamples, r)."""
        gold, kind = measured.gold, self._correlation
        resampling = {"resamples": self._resamples, "seed": self._seed}
        if isinstance(gold, SimilaritySet):
            people, cosines = gold.scores[common], values[:, common]
            scores = np.array([correlate(people, row, kind) for row in cosines])
            if np.isnan(scores).any():
                raise InputError(
                    f"{gold.name}: the correlation is not defined, because all {len(people)} common items "
                    "have the same gold score or cosine; use a set and models that vary"
                )
            strata = np.zeros(len(people), np.int64)
            return scores, bootstrap(
                lambda counts: resampled_correlations(people, cosines, counts, kind), strata, **resampling
            )
        assert measured.design is not None
        totals = Totals.of(measured.design.section_names)
        correct = values.astype(bool)
        everything = resampled_scores(measured.design, totals, correct, common, **resampling)
        return values[:, common].mean(axis=1), everything[:, :, 0]

    def _check(
        self,
        gold: SimilaritySet | AnalogySet | PairSet,
        first: NDArray[np.float64],
        second: NDArray[np.float64],
        common: NDArray[np.bool_],
    ) -> tuple[str, float, float]:
        """Return the name, the statistic and the p-value of the test beside the bootstrap."""
        single = len(first) == len(second) == 1
        if isinstance(gold, SimilaritySet):
            if not single:
                return WILLIAMS, np.nan, np.nan
            people = gold.scores[common]
            pairs = ((people, first[0]), (people, second[0]), (first[0], second[0]))
            r = [correlate(x, y, self._correlation) for x, y in pairs]
            return WILLIAMS, *williams(r[0], r[1], r[2], len(people))
        if not single:
            return MCNEMAR, np.nan, np.nan
        only_first, only_second = int((first > second).sum()), int((second > first).sum())
        return MCNEMAR, float(only_first - only_second), mcnemar(only_first, only_second)


def compare_models(
    models: Mapping[str, WordVectors | Sequence[WordVectors]],
    *,
    similarity: Iterable[SimilaritySet | Path] = (),
    analogy: Iterable[AnalogySet | PairSet | Path] = (),
    correlation: str = "spearman",
    method: str = "add",
    case: str = "fold",
    restrict_vocab: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Compare models in pairs, on the items that all of them cover.

    The difference of two scores is judged by a paired bootstrap: all models are scored on the same resamples
    of the pairs of a similarity set, or, for analogies, of the word pairs that the questions share. Beside
    it stands a test without resampling: Williams' for two correlations with the same human scores, and
    McNemar's for analogies, which takes the questions as independent and so finds differences too easily.

    Parameters
    ----------
    models : mapping of str to WordVectors, or to several of them
        At least two. Several word vectors under one name are seeds of one model: its score is their mean,
        and every resample draws seeds as well (one less than there are, which keeps the variance of the
        mean unbiased). There is then no second test.
    similarity, analogy : iterable of sets or paths
        At least one in all.
    correlation, method, case, restrict_vocab, threads
        As for `evaluate_similarity` and `evaluate_analogy`.
    resamples : int, default 999
        At least 1; with fewer than some hundred, p-values are coarse.
    seed : int, default 0
        Of the resamples.
    progress : Progress
        Called as the analogies of each model are solved.

    Returns
    -------
    DataFrame
        A row for each set and pair of models: dataset, task, method, model1, model2, score1, score2,
        difference (of the scores), low, high (its 95 % interval), p, p_holm (corrected over the pairs of
        models on this set), test, statistic (t, or how many more questions only model1 has right), p_test,
        p_test_holm, spread1, spread2 (standard deviations over seeds, NaN without), items (that all models
        cover), total, and verdict, one sentence.

    Raises
    ------
    InputError
        If an option cannot be used, there are fewer than two models or no sets, or a set has fewer than two
        items that all models cover.
    """
    comparison = Comparison(
        similarity=similarity,
        analogy=analogy,
        correlation=correlation,
        method=method,
        case=case,
        restrict_vocab=restrict_vocab,
        resamples=resamples,
        seed=seed,
        threads=threads,
    )
    for name, seeds in models.items():
        for vectors in [seeds] if isinstance(seeds, WordVectors | str | os.PathLike) else seeds:
            comparison.add(name, vectors, progress)
    return comparison.table()


def _mean_of_replicates(scores: NDArray[np.float64], seed: tuple[int, int]) -> NDArray[np.float64]:
    """Return the mean score of drawn replicates in each resample: shape (resamples, r) to (resamples,).

    r - 1 of r are drawn: with r, the variance of the mean would be too small by (r - 1) / r.
    """
    resamples, replicates = scores.shape
    if replicates == 1:
        return scores[:, 0]
    picks = np.random.default_rng(seed).integers(0, replicates, (resamples, replicates - 1))
    means: NDArray[np.float64] = np.take_along_axis(scores, picks, axis=1).mean(axis=1)
    return means


def _verdict(row: Mapping[Any, Any], pairs: int) -> str:
    """Say in one sentence what the comparison shows."""
    first, second, dataset = row["model1"], row["model2"], row["dataset"]
    figures = (
        f"{row['score1']:.3f} against {row['score2']:.3f}, difference {row['difference']:+.3f} "
        f"({row['low']:+.3f} to {row['high']:+.3f}), p = {row['p_holm']:.3f}"
        f"{f' after Holm over {pairs} pairs of models' if pairs > 1 else ''}, {row['items']:,} common items"
    )
    if not row["p_holm"] <= 1 - LEVEL + 1e-12:
        return f"No difference shown between {first} and {second} on {dataset}: {figures}."
    word = "higher" if row["difference"] > 0 else "lower"
    return f"{first} scores {word} than {second} on {dataset}: {figures}."
