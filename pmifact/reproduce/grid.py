"""The hyperparameters of Levy, Goldberg & Dagan (TACL 2015), and the two settings that they compare first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from pmifact.checks import check_choice, check_integer, check_number
from pmifact.reproduce.scoring import check_resamples
from pmifact.reproduce.stages import Windows

SETTINGS = ("window", "weighting", "subsampled", "shift", "smoothing", "power", "contexts")
# What each method has; the others have no value there.
APPLY = {
    "PPMI": ("window", "weighting", "subsampled", "shift", "smoothing"),
    "SVD": SETTINGS,
    "SGNS": ("window", "weighting", "subsampled", "shift", "smoothing", "contexts"),
}
METHODS = tuple(APPLY)


@dataclass(frozen=True, kw_only=True)
class Grid:
    """The values of each hyperparameter.

    Parameters
    ----------
    windows : tuple of int
    weightings : tuple of str
        Flat, or linear: "dyn" none and with.
    subsampled : tuple of bool
        "sub" none and dirty.
    shifts : tuple of int
        "neg".
    smoothings, sgns_smoothings : tuple of float
        "cds"; those of skip-gram apart.
    powers : tuple of float
        "eig"; SVD alone.
    rank : int
        Of SVD and skip-gram.
    epochs : int
        Of skip-gram.
    """

    windows: tuple[int, ...]
    weightings: tuple[str, ...]
    subsampled: tuple[bool, ...] = (False, True)
    shifts: tuple[int, ...]
    smoothings: tuple[float, ...] = (0.75, 1.0)
    sgns_smoothings: tuple[float, ...]
    powers: tuple[float, ...] = (0.0, 0.5, 1.0)
    rank: int
    epochs: int

    def windows_of(self, threshold: float) -> Iterator[Windows]:
        """Yield every way to count."""
        for window, weighting, subsampled in product(self.windows, self.weightings, self.subsampled):
            yield Windows(window=window, weighting=weighting, subsample=threshold if subsampled else None)


GRIDS: dict[str, Grid] = {
    "small": Grid(
        windows=(2, 5), weightings=("linear",), shifts=(1, 5), sgns_smoothings=(0.75,), rank=300, epochs=2
    ),
    "full": Grid(
        windows=(2, 5, 10),
        weightings=("flat", "linear"),
        shifts=(1, 5, 15),
        sgns_smoothings=(0.75, 1.0),
        rank=500,
        epochs=5,
    ),
}
CONTEXTS = ("ignore", "add")
# Tables 2 and 3 of the paper.
VANILLA: Mapping[str, Any] = {
    "window": 2,
    "weighting": "flat",
    "subsampled": False,
    "shift": 1.0,
    "smoothing": 1.0,
    "power": 0.0,
    "contexts": "ignore",
}
WORD2VEC: Mapping[str, Any] = {
    "window": 2,
    "weighting": "linear",
    "subsampled": True,
    "shift": 5.0,
    "smoothing": 0.75,
    "power": 0.0,
    "contexts": "ignore",
}


@dataclass(frozen=True, kw_only=True)
class Levy2015Options:
    """What is trained and measured.

    Parameters
    ----------
    grid : {"small", "full"}
        The hyperparameters.
    rank, epochs : int or None
        Instead of those of the grid.
    learning_rate : float
        Of skip-gram.
    subsample : float
        Threshold of dropping frequent words.
    resamples : int
        Of the bootstrap for intervals.
    seed : int
        Of every random choice: draws, starts, and which items are in which half.

    Raises
    ------
    InputError
        If a value is out of range.
    """

    grid: str = "small"
    rank: int | None = None
    epochs: int | None = None
    learning_rate: float = 0.025
    subsample: float = 1e-5
    resamples: int = 199
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("grid", self.grid, tuple(GRIDS))
        for name in ("rank", "epochs"):
            if getattr(self, name) is not None:
                check_integer(name, getattr(self, name), least=1)
        check_number("learning_rate", self.learning_rate, above=0)
        check_number("subsample", self.subsample, above=0)
        check_resamples(self.resamples)
        check_integer("seed", self.seed, least=0, most=2**63 - 1)
