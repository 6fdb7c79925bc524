"""A spectrum against the noise of its counts, and the loss of every rank."""

from typing import TYPE_CHECKING, Any

import numpy as np

from pmifact.plotting.spectrum import plain_numbers
from pmifact.plotting.style import COLUMN, FAINT, check_width, new_figure, series, styled
from pmifact.spectrum import RankChoice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Where a name stands, in points from what it names.
_BESIDE: dict[str, Any] = {"textcoords": "offset points", "xytext": (14, 2)}
_LEFT: dict[str, Any] = {"textcoords": "offset points", "xytext": (-8, -3), "ha": "right"}
_TOP: dict[str, Any] = {"textcoords": "offset points", "xytext": (-3, -9), "ha": "right"}


def draw_rank_choice(choice: RankChoice, *, width: float = COLUMN) -> "Figure":
    """Draw what `choose_rank` found: singular values, what of them is signal, and the PIP loss of each rank.

    Parameters
    ----------
    choice : RankChoice
        From `choose_rank`.
    width : float
        Of the picture, in inches.

    Returns
    -------
    matplotlib.figure.Figure
        To be written with `save_picture`.

    Raises
    ------
    InputError
        If `width` is out of range.
    PmifactError
        If matplotlib is not installed.
    """
    check_width(width)
    ranks = np.arange(1, len(choice.singular_values) + 1)
    with styled():
        figure = new_figure(width, 1.15 * width)
        spectrum, losses = figure.subplots(2, 1, sharex=True)
        values, signal = series(0), series(1)
        spectrum.plot(ranks, choice.singular_values, color=values.colour, linewidth=1.1)
        spectrum.annotate("singular values", (1, choice.singular_values[0]), color=values.colour, **_BESIDE)
        seen = choice.signal > 0
        if seen.any():
            spectrum.plot(ranks[seen], choice.signal[seen], color=signal.colour, linestyle=signal.dashes)
            last = (ranks[seen][-1], choice.signal[seen][-1])
            spectrum.annotate("signal", last, color=signal.colour, **_LEFT)
        spectrum.set(xscale="log", yscale="log", ylabel="Singular value")
        plain_numbers(spectrum.yaxis)
        finite = np.isfinite(choice.losses)
        losses.plot(ranks[finite], choice.losses[finite], color=values.colour, linewidth=1.1)
        losses.set(xlabel="Rank", ylabel="Expected PIP loss (rank 0: 1)")
        for axes in (spectrum, losses):
            axes.grid(axis="both", which="major")
        plain_numbers(losses.xaxis)
        if choice.rank:
            _mark(losses, choice.rank, float(choice.losses[choice.rank - 1]))
    return figure


def _mark(axes: "Axes", rank: int, loss: float) -> None:
    axes.axvline(rank, color=FAINT, linewidth=0.7)
    axes.plot([rank], [loss], marker="o", markersize=3.5, color=series(0).colour)
    axes.annotate(f"rank {rank}", (rank, 1), xycoords=("data", "axes fraction"), **_TOP)
