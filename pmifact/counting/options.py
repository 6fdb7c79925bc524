"""How pairs are counted."""

from dataclasses import dataclass

import numpy as np

from pmifact.checks import LARGEST_WINDOW, check_choice, check_integer, check_number
from pmifact.counting.windows import WEIGHTINGS
from pmifact.errors import InputError

OOV_POLICIES = ("close", "gap")
SUBSAMPLE_MODES = ("before", "after")
GIVEN = "given"  # what the options remember of context words that were listed


@dataclass(frozen=True, kw_only=True)
class CountOptions:
    """How pairs are counted (specification, section 2); saved with the counts.

    Parameters
    ----------
    window : (int, int)
        Context positions to the left and to the right; 0 switches a side off.
    weighting : {"linear", "flat", "harmonic"}
        Weight of a pair at distance d: (L - d + 1) / L, 1, or 1 / d.
    oov : {"close", "gap"}
        An out-of-vocabulary token is removed before windows are laid, or keeps its position.
    positional : bool
        Whether a column is a context word at one signed offset, or a context word wherever it stands.
    subsample : float, optional
        Threshold t: a token of relative frequency f is dropped with probability max(0, 1 - sqrt(t / f)).
    subsample_mode : {"before", "after"}
        A dropped token is removed before windows are laid, or keeps its position.
    context_vocabulary : int or "given", optional
        Columns are so many of the most frequent words, or words that were listed; all words when None.
    min_pair_count : int, optional
        Pairs of a smaller count were left out.
    seed : int
        Seed of the draws of `subsample`, in [0, 2^63).

    Raises
    ------
    InputError
        If a value is none of these.
    """

    window: tuple[int, int] = (5, 5)
    weighting: str = "linear"
    oov: str = "close"
    positional: bool = False
    subsample: float | None = None
    subsample_mode: str = "before"
    context_vocabulary: int | str | None = None
    min_pair_count: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        try:
            left, right = self.window
        except (TypeError, ValueError):
            raise InputError(f"window: expected one or two whole numbers, got {self.window!r}") from None
        for side in (left, right):
            check_integer("window", side, least=0, most=LARGEST_WINDOW)
        if left == right == 0:
            raise InputError("window: at least one side must reach 1 position, got 0 on both")
        object.__setattr__(self, "window", (int(left), int(right)))
        check_choice("weighting", self.weighting, WEIGHTINGS)
        check_choice("oov", self.oov, OOV_POLICIES)
        if not isinstance(self.positional, bool | np.bool_):
            raise InputError(f"positional: expected True or False, got {self.positional!r}")
        if self.subsample is not None:
            check_number("subsample", self.subsample, above=0.0)
            object.__setattr__(self, "subsample", float(self.subsample))
        check_choice("subsample_mode", self.subsample_mode, SUBSAMPLE_MODES)
        if self.context_vocabulary is not None and self.context_vocabulary != GIVEN:
            check_integer("context_vocabulary", self.context_vocabulary, least=1)
        if self.min_pair_count is not None:
            check_integer("min_pair_count", self.min_pair_count, least=1, most=2**31)
        check_integer("seed", self.seed, least=0, most=2**63 - 1)

    @property
    def offsets_within(self) -> tuple[int, int] | None:
        """The window of positional contexts, None of others."""
        return self.window if self.positional else None
