"""Scores with their intervals, model beside model."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pmifact.errors import InputError
from pmifact.plotting.bars import beside, draw_bars
from pmifact.plotting.labels import shown
from pmifact.plotting.style import (
    COLUMN,
    check_width,
    legend_below,
    legend_height,
    new_figure,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MEASURES = {
    "spearman": "Spearman's rho",
    "pearson": "Pearson's r",
    "add": "Accuracy, 3CosAdd",
    "mul": "Accuracy, 3CosMul",
    "pairdirection": "Accuracy, PairDirection",
    "avg": "Accuracy, 3CosAvg",
    "lrcos": "Accuracy, LRCos",
}
_NEEDED = ("model", "dataset", "task", "section", "method", "score", "low", "high")
_ROW = 0.115  # inches a model takes in a row
_PANEL = 0.5  # inches for the axis of a panel


def overall(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of whole sets by the first method of each task: those that a picture shows.

    Raises
    ------
    InputError
        If it is no score table, or no such row has a score.
    """
    missing = [name for name in _NEEDED if name not in scores.columns]
    if missing:
        raise InputError(f"scores: expected a score table, got one without the column {missing[0]!r}")
    first = scores.groupby("task", sort=False)["method"].transform("first")
    rows = scores[(scores["section"] == "all") & (scores["method"] == first) & scores["score"].notna()]
    if rows.empty:
        raise InputError("scores: expected at least one score of a whole set, got none")
    return rows.reset_index(drop=True)


def draw_scores(scores: pd.DataFrame, *, width: float = COLUMN) -> "Figure":
    """Draw the score of each model on each set, with its interval.

    Parameters
    ----------
    scores : DataFrame
        A score table (see `evaluate_similarity`); drawn are the rows of section "all" by the first method.
    width : float
        Of the picture, in inches.

    Returns
    -------
    matplotlib.figure.Figure
        A panel for each task; to be written with `save_picture`.

    Raises
    ------
    InputError
        If it is no score table, there is nothing to draw, or `width` is out of range.
    PmifactError
        If matplotlib is not installed.
    """
    check_width(width)
    rows = overall(scores)
    models = list(dict.fromkeys(rows["model"]))
    tasks = list(dict.fromkeys(rows["task"]))
    sets = [rows[rows["task"] == task]["dataset"].nunique() for task in tasks]
    with styled():
        step = max(0.17, _ROW * len(models) + 0.07)
        heights = [count * step + _PANEL for count in sets]
        figure = new_figure(width, sum(heights) + legend_height(width, len(models)))
        panels = figure.subplots(len(tasks), 1, squeeze=False, height_ratios=heights)[:, 0]
        for axes, task in zip(panels, tasks, strict=True):
            _draw_panel(axes, rows[rows["task"] == task], models)
        legend_below(figure, panels)
    return figure


def _draw_panel(axes: "Axes", rows: pd.DataFrame, models: list[str]) -> None:
    datasets = list(dict.fromkeys(rows["dataset"]))
    for number, model in enumerate(models):
        own = rows[rows["model"] == model].rename(columns={"score": "value"})
        places = np.array([datasets.index(name) for name in own["dataset"]]) + beside(number, len(models))
        draw_bars(axes, places, own, number, model, along="x")
    axes.set_yticks(range(len(datasets)), [shown(name) for name in datasets])
    axes.set_ylim(len(datasets) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    method = str(rows["method"].iloc[0])
    axes.set_xlabel(MEASURES.get(method, method))
    axes.grid(axis="x")
    axes.set_axisbelow(True)
