"""How every picture looks: sizes of a paper, one font, colours that differ in hue and in lightness.

Nothing outside a picture is changed: matplotlib's settings are put back, and pyplot is not used.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pmifact.checks import check_number
from pmifact.errors import PmifactError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Figure  # for the rooms that do not know matplotlib

COLUMN, PAGE = 3.35, 6.9  # inches: of one column, and across two
FONT = "DejaVu Sans"  # comes with matplotlib, so that a picture is the same everywhere
FONT_SIZE = 7.0  # points
INK, FAINT = "#1a1a1a", "#767676"

_NARROWEST, _WIDEST = 2.0, 40.0
_LEGEND_LINE, _LEGEND_NAME = 0.17, 1.1  # inches: the height of a line, the width of a name
_ALWAYS = {
    "font.family": [FONT, "sans-serif"],
    "font.sans-serif": [FONT],  # and in an SVG, what its reader has
    "font.size": FONT_SIZE,
    "axes.labelsize": FONT_SIZE,
    "axes.titlesize": FONT_SIZE,
    "xtick.labelsize": FONT_SIZE,
    "ytick.labelsize": FONT_SIZE,
    "legend.fontsize": FONT_SIZE,
    "legend.frameon": False,
    "text.color": INK,
    "text.parse_math": False,  # a word may hold a $
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": FAINT,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.4,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "pmifact",  # the same picture is the same bytes
}
# What says where matplotlib draws and stores, not what a picture looks like.
_NOT_STYLE = ("backend", "interactive", "toolbar", "webagg", "tk.", "timezone", "date.", "savefig.directory")


@dataclass(frozen=True)
class Series:
    """How the marks of one series look.

    Parameters
    ----------
    colour : str
        Of Okabe & Ito's eight, which people with any colour vision tell apart, in the order of lightness
        that also tells neighbours apart in grey.
    marker : str
        So that a series is known without its colour.
    dashes : str or tuple
        Of its line.
    """

    colour: str
    marker: str
    dashes: Any


SERIES = (
    Series("#0072b2", "o", "-"),
    Series("#d55e00", "s", (0, (4, 1.5))),
    Series("#009e73", "^", (0, (1, 1.2))),
    Series("#b0568a", "D", (0, (4, 1.2, 1, 1.2))),
    Series("#4a4a4a", "v", (0, (8, 2))),
    Series("#a87900", "P", (0, (2, 1, 2, 3))),
    Series("#3a9bd6", "X", (0, (6, 1, 1, 1, 1, 1))),
)


def series(number: int) -> Series:
    """Return how the series with this number looks; looks repeat after the last."""
    return SERIES[number % len(SERIES)]


@contextmanager
def styled() -> Iterator[None]:
    """Draw and save in the style of this module, whatever the user's own settings are."""
    matplotlib = import_matplotlib()
    defaults = {
        name: value
        for name, value in matplotlib.rcParamsDefault.items()
        if not name.startswith(_NOT_STYLE) and name in matplotlib.rcParams
    }
    with matplotlib.rc_context({**defaults, **_ALWAYS}):
        yield


def import_matplotlib() -> Any:
    """Return matplotlib.

    Raises
    ------
    PmifactError
        If it is not installed; the message says how to install it.
    """
    try:
        import matplotlib
    except ImportError as problem:
        raise PmifactError(
            "pictures are drawn by matplotlib, which is not installed; pip install 'pmifact[plot]'"
        ) from problem
    return matplotlib


def new_figure(
    width: float, height: float, *, layout: Literal["constrained"] | None = "constrained"
) -> "Figure":
    """Return an empty figure of this size in inches; call it within `styled`."""
    from matplotlib.figure import Figure as Figure  # for the rooms that do not know matplotlib

    return Figure(figsize=(width, height), dpi=72, layout=layout)


def check_width(width: float) -> None:
    """Raise `InputError` unless a picture may be so wide."""
    check_number("width", width, above=_NARROWEST - 1e-9, most=_WIDEST)


def legend_height(width: float, names: int) -> float:
    """Return how high, in inches, the legend of so many names is under a picture of this width."""
    return _LEGEND_LINE * -(-names // _columns(width)) if names > 1 else 0.0


def legend_below(figure: "Figure", panels: Iterable["Axes"]) -> None:
    """Put the names of all series of the panels under them, each once; a single one needs none."""
    named: dict[str, Any] = {}
    for axes in panels:
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
            named.setdefault(name, handle)
    if len(named) > 1:
        columns = min(len(named), _columns(figure.get_figwidth()))
        figure.legend(named.values(), named.keys(), loc="outside lower center", ncols=columns)


def _columns(width: float) -> int:
    return max(1, int(width / _LEGEND_NAME))
