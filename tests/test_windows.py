from fractions import Fraction

import pytest

from pmifact.counting.windows import window_weights


@pytest.mark.parametrize(
    ("window", "weighting", "left", "right", "unit"),
    [
        ((2, 2), "flat", [1, 1], [1, 1], 1),
        ((5, 5), "linear", [5, 4, 3, 2, 1], [5, 4, 3, 2, 1], 5),
        ((2, 3), "linear", [6, 3], [6, 4, 2], 6),
        ((0, 3), "harmonic", [], [6, 3, 2], 6),
        ((4, 1), "harmonic", [12, 6, 4, 3], [12], 12),
    ],
)
def test_weights_are_numerators_over_the_least_common_denominator(window, weighting, left, right, unit):
    weights = window_weights(window, weighting)
    assert weights.left.tolist() == left
    assert weights.right.tolist() == right
    assert weights.unit == unit
    assert not weights.rounded


def test_a_very_wide_harmonic_window_is_rounded_to_multiples_of_two_to_the_minus_31():
    weights = window_weights((100, 100), "harmonic")
    assert weights.rounded
    assert weights.unit == 2**31
    for distance, numerator in enumerate(weights.left.tolist(), 1):
        assert abs(Fraction(numerator, 2**31) - Fraction(1, distance)) <= Fraction(1, 2**32)


def test_the_widest_exact_harmonic_window():
    # lcm(1..22) = 232,792,560 < 2^31 < lcm(1..23)
    assert not window_weights((22, 22), "harmonic").rounded
    assert window_weights((23, 23), "harmonic").rounded
