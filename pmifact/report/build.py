"""The contents of a report, gathered model by model so that only one has to be in memory."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.evaluation import SimilaritySet
from pmifact.plotting import draw_curves, draw_map, draw_scores, draw_spectrum
from pmifact.report.model import ReportModel, Settings
from pmifact.report.neighbors import NeighborTable, nearest_to
from pmifact.report.options import ReportOptions
from pmifact.report.pictures import embedded
from pmifact.report.scoring import SetScores
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
    mapped: int = 0


class Report:
    """A report that models are added to, one after the other.

    Parameters
    ----------
    options : ReportOptions
        What it shows.
    """

    def __init__(self, options: ReportOptions) -> None:
        self.options = options
        self._sets = [SetScores(gold, options) for gold in (*options.similarity, *options.analogy)]
        self._models: list[_Seen] = []
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
        for one in self._sets:
            one.add(model.name, vectors, progress)
        if self._neighbors is None:
            known = [
                word
                for word, covered in zip(vectors.vocabulary.words, vectors.covered, strict=True)
                if covered
            ]
            self._neighbors = NeighborTable(tuple(known[: self.options.search_words]))
            self._mapped = tuple(known[: self.options.map_words])
        found = nearest_to(vectors, self._neighbors.words, self.options.neighbors)
        self._neighbors.add(model.name, found)
        self._models.append(seen)
        index, covered = vectors.vocabulary.index, vectors.covered
        drawn = [word for word in self._mapped if word in index and covered[index[word]]]
        seen.mapped, seen.map = len(drawn), self._map(model.name, vectors, drawn)

    @property
    def names(self) -> list[str]:
        """The names of the models so far."""
        return [model.name for model in self._models]

    def contents(self) -> dict[str, Any]:
        """Return all that the page shows.

        Raises
        ------
        InputError
            If no model was added.
        """
        if self._neighbors is None:
            raise InputError("report: expected at least one model, got none")
        verdicts = [row for one in self._sets for row in one.compare()]
        tables = [table for one in self._sets for table in one.scores()]
        scores = pd.concat(tables, ignore_index=True) if tables else None
        used = [one for one in self._sets if not one.left_out]
        self._bound_neighbors()
        return {
            "names": self.names,
            "models": self._models,
            "settings": compare_settings([model.settings for model in self._models]),
            "scores": [] if scores is None else _score_tables(scores),
            "left_out": [one.left_out for one in self._sets if one.left_out],
            "undecided": [one.undecided for one in self._sets if one.undecided],
            "pictures": self._pictures(scores),
            "verdicts": verdicts,
            "pairs": [one.mistakes() for one in used if isinstance(one.gold, SimilaritySet)],
            "questions": [one.mistakes() for one in used if not isinstance(one.gold, SimilaritySet)],
            "neighbors": self._neighbors,
            "mapped": len(self._mapped),
            "options": self.options,
        }

    def _bound_neighbors(self) -> None:
        """Keep so few words that a page of many models is not too large."""
        assert self._neighbors is not None
        each = self.options.neighbors * len(self._models)
        most = max(1, MOST_NEIGHBORS // each)
        self._neighbors.words = self._neighbors.words[:most]
        self._neighbors.found = [rows[:most] for rows in self._neighbors.found]

    def _map(self, name: str, vectors: WordVectors, words: Sequence[str]) -> "Markup | None":
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
