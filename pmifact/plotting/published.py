"""Figures with their intervals beside those that a paper prints."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pmifact.errors import InputError
from pmifact.plotting.bars import beside, draw_bars
from pmifact.plotting.labels import shown
from pmifact.plotting.style import (
    FAINT,
    PAGE,
    check_width,
    legend_below,
    legend_height,
    new_figure,
    series,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NEEDED = ("at", "series", "value", "low", "high", "paper")
_PANEL = 1.75  # inches: the height of a panel


def draw_published(
    panels: Mapping[str, pd.DataFrame], *, columns: int = 3, paper: str = "paper", width: float = PAGE
) -> "Figure":
    """Draw values with their intervals, and hollow, beside each, the paper's.

    Parameters
    ----------
    panels : mapping of str to DataFrame
        Title and values of each panel: columns at (what stands on the x axis, in order), series, value, low
        and high (NaN without an interval), paper (NaN where the paper has no figure).
    columns : int
        Panels beside each other.
    paper : str
        What the paper's figures are called.
    width : float
        Of the picture, in inches.

    Returns
    -------
    matplotlib.figure.Figure
        To be written with `save_picture`.

    Raises
    ------
    InputError
        If there is nothing to draw, or `width` is out of range.
    PmifactError
        If matplotlib is not installed.
    """
    check_width(width)
    drawn = {title: table for title, table in panels.items() if table["value"].notna().any()}
    if not drawn:
        raise InputError("published: expected at least one value to draw, got none")
    names = list(dict.fromkeys(name for table in drawn.values() for name in table["series"]))
    rows = -(-len(drawn) // columns)
    with styled():
        figure = new_figure(width, rows * _PANEL + legend_height(width, len(names) + 1))
        grid = figure.subplots(rows, columns, squeeze=False)
        axes = grid.ravel()
        for panel, (title, table) in zip(axes, drawn.items(), strict=False):
            _draw_panel(panel, table[list(_NEEDED)], names, paper)
            panel.set_title(shown(title), loc="left")
        for panel in axes[len(drawn) :]:
            panel.set_axis_off()
        legend_below(figure, axes)
    return figure


def _draw_panel(axes: "Axes", table: pd.DataFrame, names: list[str], paper: str) -> None:
    places = list(dict.fromkeys(table["at"]))
    for number, name in enumerate(names):
        own, look = table[table["series"] == name], series(number)
        x = np.array([places.index(at) for at in own["at"]]) + beside(number, len(names))
        draw_bars(axes, x, own, number, name, along="y")
        axes.plot(
            *(x, own["paper"]),
            linestyle="",
            marker=look.marker,
            markersize=4.4,
            markerfacecolor="none",
            markeredgecolor=look.colour,
            markeredgewidth=0.7,
        )
    if table["paper"].notna().any():
        # Nothing but a name; as these bars, it comes after the other names.
        axes.errorbar(
            *([], []),
            linestyle="",
            marker="o",
            markersize=4.4,
            color=FAINT,
            markerfacecolor="none",
            markeredgewidth=0.7,
            label=paper,
        )
    axes.set_xticks(range(len(places)), [shown(str(at)) for at in places])
    axes.set_xlim(-0.5, len(places) - 0.5)
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="y")
    axes.set_axisbelow(True)
