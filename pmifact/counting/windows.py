"""The weights of a window as exact integers: numerators over one common denominator."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

WEIGHTINGS = ("linear", "flat", "harmonic")

_LARGEST_UNIT = 2**31


@dataclass(frozen=True)
class WindowWeights:
    """Weights of the distances 1..L of both sides; weight = numerator / `unit`.

    Parameters
    ----------
    left, right : ndarray of int64, shape (L,)
        Numerators by distance - 1; L may differ between the sides and be 0 on one of them.
    unit : int
        The least common denominator of all weights, or 2^31 when that would be larger.
    rounded : bool
        Whether the weights had to be rounded to multiples of 2^-31.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    unit: int
    rounded: bool


def window_weights(window: tuple[int, int], weighting: str) -> WindowWeights:
    """Return the weights of a window (specification, section 2).

    ``flat``: 1; ``linear``: (L - d + 1) / L with that side's L, the expectation of a window drawn uniformly
    from 1..L (Levy, Goldberg & Dagan 2015); ``harmonic``: 1 / d (GloVe).
    """
    sides = [[_weight(weighting, d, length) for d in range(1, length + 1)] for length in window]
    unit = 1
    for weight in (*sides[0], *sides[1]):
        unit = math.lcm(unit, weight.denominator)
        if unit > _LARGEST_UNIT:
            break
    rounded = unit > _LARGEST_UNIT
    unit = min(unit, _LARGEST_UNIT)
    left, right = (np.array([round(weight * unit) for weight in side], np.int64) for side in sides)
    return WindowWeights(left, right, unit, rounded)


def _weight(weighting: str, distance: int, length: int) -> Fraction:
    if weighting == "flat":
        return Fraction(1)
    if weighting == "linear":
        return Fraction(length - distance + 1, length)
    return Fraction(1, distance)
