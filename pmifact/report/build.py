"""The contents of a report, gathered model by model so that only one has to be in memory."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pmifact.checks import check_integer
from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, PairSet, SimilaritySet, evaluate_similarity
from pmifact.evaluation.analogy import AnalogyAnswers, analogy_scores, answer_set
from pmifact.evaluation.comparison import Comparison
from pmifact.evaluation.similarity import PairCosines, pair_cosines
from pmifact.evaluation.ways import AnalogyOptions
from pmifact.plotting import draw_curves, draw_map, draw_scores, draw_spectrum
from pmifact.report.mistakes import Mistakes, pair_mistakes, question_mistakes
from pmifact.report.model import ReportModel, Settings
from pmifact.report.neighbors import NeighborTable, nearest_to
from pmifact.report.pictures import embedded
from pmifact.report.settings import compare_settings, varied_option
from pmifact.resources.progress import Progress, no_progress
from pmifact.vectors import WordVectors

if TYPE_CHECKING:
    from markupsafe import Markup

# Over all models; more would make the page too large.
MOST_NEIGHBORS = 60_000
MOST_MODELS = 24
_SECTION_ALL = "all"
_MAP_WIDTH = 5.0  # inches


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """What a report shows, and how models are scored for it.

    Parameters
    ----------
    similarity : tuple of SimilaritySet
        Scored by `correlation`.
    analogy : tuple of AnalogySet or PairSet
        Asked by `method`, among the first `restrict_vocab` words.
    correlation, method, case, oov, restrict_vocab, resamples, seed, threads
        As for `evaluate_similarity` and `evaluate_analogy`; at least one resample where models are compared.
    search_words : int
        The neighbours of so many of the most frequent words can be searched.
    neighbors : int
        How many of each, in each model.
    map_words : int
        So many of the most frequent words are on the maps.
    items : int
        So many pairs and questions that models get wrong are listed for each set.

    Raises
    ------
    InputError
        If a number is out of range.
    """

    similarity: tuple[SimilaritySet, ...] = ()
    analogy: tuple[AnalogySet | PairSet, ...] = ()
    correlation: str = "spearman"
    method: str = "add"
    case: str = "fold"
    oov: str = "skip"
    restrict_vocab: int | None = None
    resamples: int = 999
    seed: int = 0
    threads: int | None = None
    search_words: int = 1_000
    neighbors: int = 10
    map_words: int = 60
    items: int = 50

    def __post_init__(self) -> None:
        check_integer("search_words", self.search_words, least=1, most=10_000)
        check_integer("neighbors", self.neighbors, least=1, most=100)
        check_integer("map_words", self.map_words, least=3, most=300)
        check_integer("items", self.items, least=1, most=1_000)


@dataclass
class _Seen:
    """What is kept of a model after its vectors are gone."""

    name: str
    words: int
    dimensions: int
    settings: Settings
    origin: tuple[tuple[str, str], ...]
    strengths: NDArray[np.float32] | None
    map: "Markup | None" = None


@dataclass
class _Said:
    """What the models say about one gold set."""

    pairs: list[PairCosines] = field(default_factory=list)
    answers: list[AnalogyAnswers] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)


class Report:
    """A report that models are added to, one after the other.

    Parameters
    ----------
    options : ReportOptions
        What it shows.
    """

    def __init__(self, options: ReportOptions) -> None:
        self.options = options
        self._gold = (*options.similarity, *options.analogy)
        self._asking = AnalogyOptions(
            method=options.method,
            case=options.case,
            restrict_vocab=options.restrict_vocab,
            seed=options.seed,
        )
        self._comparison: Comparison | None = None
        if self._gold:
            self._comparison = Comparison(
                similarity=options.similarity,
                analogy=options.analogy,
                correlation=options.correlation,
                method=options.method,
                case=options.case,
                restrict_vocab=options.restrict_vocab,
                resamples=max(options.resamples, 1),
                seed=options.seed,
            )
        self._models: list[_Seen] = []
        self._said = [_Said() for _ in self._gold]
        self._scores: list[pd.DataFrame] = []
        self._neighbors: NeighborTable | None = None
        self._mapped: tuple[str, ...] = ()

    def add(self, model: ReportModel, progress: Progress = no_progress) -> None:
        """Add a model; the first one's most frequent words are those shown of all.

        Raises
        ------
        InputError
            If its name stands already, there are too many models, or it cannot be scored.
        """
        if model.name in self.names:
            raise InputError(f"report: the model {model.name!r} is given twice")
        if len(self._models) == MOST_MODELS:
            raise InputError(f"report: expected at most {MOST_MODELS} models, got more")
        vectors = model.vectors
        seen = _Seen(
            *(model.name, len(vectors), vectors.matrix.shape[1]),
            *(model.settings, model.origin, model.strengths),
        )
        for number, gold in enumerate(self._gold):
            self._score(number, gold, model.name, vectors, progress)
        if self._neighbors is None:
            known = [
                word
                for word, covered in zip(vectors.vocabulary.words, vectors.covered, strict=True)
                if covered
            ]
            self._neighbors = NeighborTable(tuple(known[: self.options.search_words]))
            self._mapped = tuple(known[: self.options.map_words])
        found = nearest_to(
            vectors, self._neighbors.words, self.options.neighbors, threads=self.options.threads
        )
        self._neighbors.add(model.name, found)
        self._models.append(seen)
        seen.map = self._map(model.name, vectors)

    @property
    def names(self) -> list[str]:
        """The names of the models so far."""
        return [model.name for model in self._models]

    def contents(self) -> dict[str, Any]:
        """Return all that the page shows.

        Raises
        ------
        InputError
            If no model was added, or models cannot be compared.
        """
        if self._neighbors is None:
            raise InputError("report: expected at least one model, got none")
        scores = pd.concat(self._scores, ignore_index=True) if self._scores else None
        compared = None
        if self._comparison is not None and len(self._models) > 1 and self.options.resamples:
            compared = self._comparison.table()
        self._bound_neighbors()
        return {
            "names": self.names,
            "models": self._models,
            "settings": compare_settings([model.settings for model in self._models]),
            "scores": [] if scores is None else _score_tables(scores),
            "pictures": self._pictures(scores),
            "verdicts": [] if compared is None else compared.to_dict("records"),
            "pairs": [
                pair_mistakes(gold, said.pairs, self.options.items)
                for gold, said in zip(self._gold, self._said, strict=True)
                if isinstance(gold, SimilaritySet)
            ],
            "questions": [
                self._questions(gold.name, said)
                for gold, said in zip(self._gold, self._said, strict=True)
                if not isinstance(gold, SimilaritySet)
            ],
            "neighbors": self._neighbors,
            "mapped": len(self._mapped),
            "options": self.options,
        }

    def _score(self, number: int, gold: Any, name: str, vectors: WordVectors, progress: Progress) -> None:
        options, said, comparison = self.options, self._said[number], self._comparison
        assert comparison is not None
        resampling: dict[str, Any] = {"resamples": options.resamples, "seed": options.seed}
        if isinstance(gold, SimilaritySet):
            self._scores.append(
                evaluate_similarity(
                    vectors,
                    gold,
                    correlation=options.correlation,
                    oov=options.oov,
                    case=options.case,
                    model=name,
                    **resampling,
                )
            )
            pairs = pair_cosines(vectors, gold, case=options.case)
            said.pairs.append(pairs)
            comparison.note(number, name, pairs.cosines, pairs.covered)
            return
        (answers,) = answer_set(vectors, gold, self._asking, threads=options.threads, progress=progress)
        self._scores.append(analogy_scores(gold, answers, oov=options.oov, model=name, **resampling))
        words = vectors.vocabulary.words
        said.answers.append(answers)
        said.texts.append([words[answer] if answer >= 0 else "" for answer in answers.answers[:, 0]])
        comparison.note(number, name, answers.correct, answers.covered, answers.design)

    def _questions(self, dataset: str, said: _Said) -> Mistakes:
        return question_mistakes(
            dataset,
            said.answers[0].design,
            said.texts,
            [answers.correct for answers in said.answers],
            [answers.covered for answers in said.answers],
            self.options.items,
        )

    def _bound_neighbors(self) -> None:
        """Keep so few words that a page of many models is not too large."""
        assert self._neighbors is not None
        each = self.options.neighbors * len(self._models)
        most = max(1, MOST_NEIGHBORS // each)
        self._neighbors.words = self._neighbors.words[:most]
        self._neighbors.found = [rows[:most] for rows in self._neighbors.found]

    def _map(self, name: str, vectors: WordVectors) -> "Markup | None":
        index, covered = vectors.vocabulary.index, vectors.covered
        words = [word for word in self._mapped if word in index and covered[index[word]]]
        if len(words) < 3:
            return None
        with warnings.catch_warnings():
            # A word whose label found no room is on the page as a point; a reader's fonts are others.
            warnings.simplefilter("ignore", UserWarning)
            try:
                figure = draw_map(vectors, words, width=_MAP_WIDTH)
            except InputError:  # all have the same vector
                return None
        title = f"Map of {len(words)} words in {name}, by the first two principal components"
        return embedded(figure, f"map-{len(self._models)}", title)

    def _pictures(self, scores: pd.DataFrame | None) -> dict[str, Any]:
        pictures: dict[str, Any] = {"curves": None, "scores": None, "spectrum": None, "option": None}
        settings = {model.name: model.settings for model in self._models}
        if scores is not None:
            pictures["scores"] = embedded(
                draw_scores(scores), "scores", "Scores of all models with intervals"
            )
            if varied := varied_option(settings):
                option, values = varied
                figure = draw_curves(scores, option, values)
                pictures["option"] = option
                pictures["curves"] = embedded(figure, "curves", f"Scores against {option}")
        strengths = {model.name: model.strengths for model in self._models if model.strengths is not None}
        if strengths:
            pictures["spectrum"] = embedded(draw_spectrum(strengths), "spectrum", "Singular values")
        return pictures


def _score_tables(scores: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table for each task: a row for each set and section, a cell for each model."""
    tables = []
    models = list(dict.fromkeys(scores["model"]))
    for task, rows in scores.groupby("task", sort=False):
        sets = []
        for dataset, own in rows.groupby("dataset", sort=False):
            lines = {
                str(section): _cells(part, models) for section, part in own.groupby("section", sort=False)
            }
            total = int(own["total"].iloc[0])
            sets.append(
                {"dataset": dataset, "cells": lines.pop(_SECTION_ALL), "total": total, "sections": lines}
            )
        tables.append({"task": task, "method": rows["method"].iloc[0], "sets": sets})
    return tables


def _cells(rows: pd.DataFrame, models: Sequence[str]) -> list[dict[str, Any] | None]:
    by_model = {row["model"]: row for row in rows.to_dict("records")}
    return [_plain(by_model.get(model)) for model in models]


def _plain(row: Any) -> dict[str, Any] | None:
    """Return a score with None for what is not known."""
    if row is None or row["score"] != row["score"]:
        return None
    interval = None if row["low"] != row["low"] else (row["low"], row["high"])
    return {"score": row["score"], "interval": interval, "covered": row["covered"], "total": row["total"]}
