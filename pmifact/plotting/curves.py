"""Scores against the one option in which models differ."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pmifact.errors import InputError
from pmifact.plotting.labels import shown
from pmifact.plotting.scores import MEASURES, overall
from pmifact.plotting.style import (
    COLUMN,
    check_width,
    legend_below,
    legend_height,
    new_figure,
    series,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_TICKS = 8
_WIDE_RANGE = 8  # times the smallest value, from which on an axis is logarithmic


def draw_curves(
    scores: pd.DataFrame, option: str, values: Mapping[str, float], *, width: float = COLUMN
) -> "Figure":
    """Draw the score on each set against the value of one option.

    Parameters
    ----------
    scores : DataFrame
        A score table; drawn are the rows of section "all" by the first method of each task.
    option : str
        Its name.
    values : mapping of str to float
        The value of each model, by its name.
    width : float
        Of the picture, in inches.

    Returns
    -------
    matplotlib.figure.Figure
        A panel for each task; to be written with `save_picture`.

    Raises
    ------
    InputError
        If it is no score table, a model has no value, or fewer than two values differ.
    PmifactError
        If matplotlib is not installed.
    """
    check_width(width)
    rows = overall(scores)
    unknown = [name for name in rows["model"] if name not in values]
    if unknown or len(set(values.values())) < 2:
        fault = f"none of {unknown[0]}" if unknown else "only one"
        raise InputError(
            f"scores: expected two different values of {option} and one of each model, got {fault}"
        )
    places = rows["model"].map(dict(values)).astype(np.float64)
    tasks = list(dict.fromkeys(rows["task"]))
    sets = rows.groupby("task", sort=False)["dataset"].nunique().sum()
    with styled():
        figure = new_figure(width, 0.62 * width * len(tasks) + legend_height(width, sets))
        panels = figure.subplots(len(tasks), 1, squeeze=False)[:, 0]
        number = 0
        for axes, task in zip(panels, tasks, strict=True):
            own = rows[rows["task"] == task].assign(place=places).sort_values("place", kind="stable")
            for name in dict.fromkeys(rows[rows["task"] == task]["dataset"]):
                line = own[own["dataset"] == name]
                look = series(number)
                number += 1
                axes.plot(
                    *(line["place"], line["score"]),
                    color=look.colour,
                    linestyle=look.dashes,
                    linewidth=1.1,
                    marker=look.marker,
                    markersize=3.2,
                    label=shown(name),
                )
                axes.vlines(line["place"], line["low"], line["high"], color=look.colour, linewidth=0.7)
            if min(values.values()) > 0 and max(values.values()) >= _WIDE_RANGE * min(values.values()):
                axes.set_xscale("log")
            ticks = sorted(set(places))
            if len(ticks) <= _MOST_TICKS:
                axes.set_xticks(ticks, [f"{value:g}" for value in ticks])
                axes.minorticks_off()
            method = str(own["method"].iloc[0])
            axes.set(xlabel=option, ylabel=MEASURES.get(method, method))
            axes.grid(axis="y")
        legend_below(figure, panels)
    return figure
