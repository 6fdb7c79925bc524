"""Values with the bars of their intervals, series beside series."""

from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pmifact.plotting.labels import shown
from pmifact.plotting.style import series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARK = 3.2  # points
_SPREAD = 0.72  # of the distance of two places, taken by their series


def beside(number: int, count: int) -> float:
    """Return how far from its place the series with this number stands, of so many."""
    return _SPREAD * (number - (count - 1) / 2) / max(count, 2)


def draw_bars(
    axes: "Axes",
    places: NDArray[np.float64],
    values: pd.DataFrame,
    number: int,
    name: str,
    *,
    along: Literal["x", "y"],
) -> None:
    """Draw the values of one series, and a bar where there is an interval.

    Parameters
    ----------
    axes : Axes
    places : ndarray of float64, shape (n,)
        Where they stand on the other axis.
    values : DataFrame of n rows
        Columns value, low and high; the last two are NaN without an interval.
    number, name
        Of the series: its look, and what the legend says.
    along : {"x", "y"}
        The axis of the values.
    """
    look = series(number)
    known = values["low"].notna() & values["high"].notna()
    ends = np.where(known, [values["value"] - values["low"], values["high"] - values["value"]], 0)
    x, y = (values["value"], places) if along == "x" else (places, values["value"])
    axes.errorbar(
        *(x, y),
        **{f"{along}err": np.maximum(ends.astype(np.float64), 0)},  # type: ignore[arg-type]
        linestyle="",
        marker=look.marker,
        markersize=_MARK,
        color=look.colour,
        elinewidth=0.9,
        capsize=1.5,
        capthick=0.9,
        label=shown(name),
    )
