"""The spectrum of factors: how fast singular values fall."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.factors import Factors
from pmifact.plotting.labels import shown
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


def draw_spectrum(models: Mapping[str, Factors | NDArray[np.float32]], *, width: float = COLUMN) -> "Figure":
    """Draw the singular values of one or several truncated SVDs, both axes logarithmic.

    Parameters
    ----------
    models : mapping of str to Factors or to ndarray of float32, shape (d,)
        The strengths of each model, under its name.
    width : float
        Of the picture, in inches.

    Returns
    -------
    matplotlib.figure.Figure
        To be written with `save_picture`.

    Raises
    ------
    InputError
        If there is no model, a model is skip-gram, which has no singular values, or `width` is out of range.
    PmifactError
        If matplotlib is not installed.
    """
    check_width(width)
    if not models:
        raise InputError("spectrum: expected at least one model, got none")
    for name, model in models.items():
        if isinstance(model, Factors) and model.options.get("trainer") == "skipgram":
            raise InputError(f"spectrum: {name} was trained by skip-gram, which has no singular values")
    with styled():
        figure = new_figure(width, 0.66 * width + legend_height(width, len(models)))
        axes = figure.add_subplot(xscale="log", yscale="log")
        for number, (name, model) in enumerate(models.items()):
            strengths = model.strengths if isinstance(model, Factors) else model
            positive = strengths[strengths > 0]
            look = series(number)
            axes.plot(
                np.arange(1, len(positive) + 1),
                positive,
                color=look.colour,
                linestyle=look.dashes,
                linewidth=1.1,
                marker=look.marker,
                markersize=3,
                # One mark at each doubling, as the axis goes.
                markevery=sorted({2**power - 1 for power in range(32) if 2**power <= len(positive)}),
                label=shown(name),
            )
        axes.set(xlabel="Number of the singular value", ylabel="Singular value")
        for axis in (axes.xaxis, axes.yaxis):
            plain_numbers(axis)
        axes.grid(axis="both", which="major")
        legend_below(figure, [axes])
    return figure


def plain_numbers(axis: object) -> None:
    """Write 1, 2, 5, 10, ... at a logarithmic axis, as many as its range needs."""
    from matplotlib.axis import Axis
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    assert isinstance(axis, Axis)
    low, high = axis.get_view_interval()
    digits = (1.0,) if high / low > 1_000 else (1.0, 2.0, 5.0) if high / low > 6 else tuple(range(1, 10))
    axis.set_major_locator(LogLocator(base=10, subs=digits, numticks=20))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
    axis.set_minor_formatter(NullFormatter())
