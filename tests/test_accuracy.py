"""Accuracies over sections and their clustered bootstrap, against plain loops over questions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmifact.evaluation.accuracy import Totals, resampled_scores, section_sums
from pmifact.evaluation.questions import Design
from pmifact.evaluation.resampling import draw_counts

NAMES = ("family", "gram1", "empty", "gram2")


def plain_scores(design, correct, counted, weights):
    """Weighted accuracies, a question at a time."""

    def score(chosen):
        total = sum(w for w, n, c in zip(weights, counted, chosen, strict=True) if n and c)
        right = sum(w for w, n, c, r in zip(weights, counted, chosen, correct, strict=True) if n and c and r)
        return min(1, max(0, right / total)) if total > 0 else math.nan

    sections = {name: score(design.sections == i) for i, name in enumerate(NAMES)}
    known = [value for value in sections.values() if not math.isnan(value)]
    syntactic = (design.sections == 1) | (design.sections == 3)
    return {
        "all": score(np.ones(len(correct), bool)),
        "macro": sum(known) / len(known) if known else math.nan,
        "semantic": score(~syntactic),
        "syntactic": score(syntactic),
        **sections,
    }


@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_scores_and_resamples_equal_a_plain_loop(seed, n):
    rng = np.random.default_rng(seed)
    sections = rng.choice([0, 1, 3], n)
    pair_sections = np.arange(12) % 4
    pairs = rng.integers(0, 12, (n, 2))
    design = Design((("", "", "", ""),) * n, NAMES, sections, pairs, pair_sections)
    totals = Totals.of(NAMES)
    correct = rng.random((2, n)) < 0.5
    counted = rng.random(n) < 0.7
    for row in correct:
        found = totals.scores(section_sums(design, row & counted), section_sums(design, counted))
        expected = plain_scores(design, row, counted, np.ones(n))
        assert totals.names == tuple(expected)
        assert found == pytest.approx(list(expected.values()), nan_ok=True)
    resampled = resampled_scores(design, totals, correct, counted, resamples=3, seed=seed)
    assert resampled.shape == (3, 2, 8)
    for drawn, scores in zip(np.vstack(list(draw_counts(pair_sections, 3, seed))), resampled, strict=True):
        first, second = drawn[pairs].T
        weights = np.where(pairs[:, 0] == pairs[:, 1], first, first + second - 1)
        for row, found in zip(correct, scores, strict=True):
            expected = plain_scores(design, row, counted, weights)
            assert found == pytest.approx(list(expected.values()), nan_ok=True)


def test_pairs_that_stand_alone_are_resampled_as_they_are():
    # With one question a pair, the clustered bootstrap is the plain one.
    n = 400
    each = np.arange(n)
    design = Design((("", "", "", ""),) * n, ("",), np.zeros(n, int), np.column_stack([each, each]), each * 0)
    correct = np.random.default_rng(0).random(n) < 0.3
    found = resampled_scores(
        design, Totals.of(("",)), correct[None], np.ones(n, bool), resamples=2_000, seed=1
    )
    share = correct.mean()
    assert found.std() == pytest.approx(math.sqrt(share * (1 - share) / n), rel=0.06)
