"""Tests of whether two models differ that need no resampling, and the correction for many of them."""

from collections.abc import Sequence

import numpy as np


def williams(r12: float, r13: float, r23: float, n: int) -> tuple[float, float]:
    """Test whether two correlations that share a variable are equal (Williams 1959; Steiger 1980).

    Parameters
    ----------
    r12, r13 : float
        The correlations of the human scores with the cosines of either model.
    r23 : float
        The correlation of the cosines of the two models.
    n : int
        How many items they were computed on.

    Returns
    -------
    t, p : float
        t = (r12 - r13) sqrt((n-1)(1+r23) / (2 (n-1)/(n-3) |R| + rbar^2 (1-r23)^3)) with
        |R| = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23 and rbar = (r12+r13)/2, and the two-sided p-value at
        n - 3 degrees of freedom. NaN for fewer than 4 items; no difference gives t = 0, p = 1.
    """
    if n < 4 or np.isnan([r12, r13, r23]).any():
        return np.nan, np.nan
    if r12 == r13:
        return 0.0, 1.0
    from scipy.special import stdtr

    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    mean = (r12 + r13) / 2
    spread = 2 * (n - 1) / (n - 3) * determinant + mean**2 * (1 - r23) ** 3
    if spread <= 0:
        return np.nan, np.nan
    t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / spread)
    return float(t), float(2 * stdtr(n - 3, -abs(t)))


def mcnemar(only_first: int, only_second: int) -> float:
    """Test whether two models answer equally many items rightly, items taken as independent.

    Returns the two-sided exact binomial p-value of the numbers of items that only one of them has right.
    """
    if only_first == only_second:
        return 1.0
    from scipy.special import bdtr

    return float(min(1.0, 2 * bdtr(min(only_first, only_second), only_first + only_second, 0.5)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values that hold for all tests together (Holm 1979); NaN stays NaN and is not counted."""
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    rising = known[np.argsort(p[known], kind="stable")]
    factors = np.arange(len(known), 0, -1)
    adjusted[rising] = np.minimum(1, np.maximum.accumulate(p[rising] * factors))
    return [float(value) for value in adjusted]
