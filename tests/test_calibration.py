"""Do intervals cover, and tests reject, as often as they say? On simulated data whose truth is known."""

import math

import numpy as np
import pytest
from scipy.special import expit

from pmifact.evaluation.accuracy import Totals, resampled_scores
from pmifact.evaluation.correlation import correlate, resampled_correlations
from pmifact.evaluation.questions import Design
from pmifact.evaluation.resampling import bootstrap, interval, two_sided
from pmifact.evaluation.significance import mcnemar, williams

N, RESAMPLES, RUNS = 150, 499, 2_000
PAIRS = np.zeros(N, np.int64)


@pytest.mark.acceptance
def test_intervals_of_rho_cover_and_paired_tests_keep_their_level():
    rng = np.random.default_rng(20)
    covered, rejected = [], []
    for run in range(RUNS):
        # Two models as good as each other, whose errors are partly shared, on harder and easier sets.
        r = (0.3, 0.6, 0.75)[run % 3]
        people, shared, *own = rng.standard_normal((4, N))
        models = np.array([r * people + math.sqrt(1 - r * r) * (0.6 * shared + 0.8 * one) for one in own])
        resampled = bootstrap(
            lambda counts, y=people, x=models: resampled_correlations(y, x, counts, "spearman"),
            PAIRS,
            resamples=RESAMPLES,
            seed=run,
        )
        low, high = interval(resampled[:, 0])
        covered.append(low <= 6 / math.pi * math.asin(r / 2) <= high)
        first, second = (correlate(people, model, "spearman") for model in models)
        between = correlate(*models, "spearman")
        p_bootstrap = two_sided(resampled[:, 0] - resampled[:, 1])
        rejected.append([p_bootstrap <= 0.05, williams(first, second, between, N)[1] <= 0.05])
    coverage, rates = np.mean(covered), np.mean(rejected, axis=0)
    print(f"rho: intervals cover {coverage:.1%}; rejected: bootstrap {rates[0]:.1%}, Williams {rates[1]:.1%}")
    assert 0.93 <= coverage <= 0.97
    assert ((rates >= 0.03) & (rates <= 0.07)).all(), rates


@pytest.mark.acceptance
def test_mcnemar_keeps_its_level_on_independent_items():
    rng = np.random.default_rng(21)
    rejected = []
    for _ in range(RUNS):
        chance = expit(rng.standard_normal(N))
        first, second = rng.random((2, N)) < chance
        rejected.append(mcnemar(int((first & ~second).sum()), int((second & ~first).sum())) <= 0.05)
    assert np.mean(rejected) <= 0.07


def all_pairs_design(sections, pairs):
    """Return the questions of Google's kind: all ordered pairs of pairs within each section."""
    first, second = np.nonzero(~np.eye(pairs, dtype=bool))
    of_section = np.repeat(np.arange(sections), len(first))
    numbers = np.column_stack([np.tile(first, sections), np.tile(second, sections)])
    names = tuple(f"s{i}" for i in range(sections))
    return Design(
        (("", "", "", ""),) * len(of_section),
        names,
        of_section,
        numbers + pairs * of_section[:, None],
        np.repeat(np.arange(sections), pairs),
    )


@pytest.mark.acceptance
@pytest.mark.parametrize(("of_a", "of_b", "mean"), [(0.5, 1.0, 0.0), (0.3, 0.6, 0.0), (0.5, 1.0, 1.5)])
def test_clustered_intervals_cover_where_naive_ones_do_not(of_a, of_b, mean):
    rng = np.random.default_rng(22)
    design, runs = all_pairs_design(4, 30), 600
    totals = Totals.of(design.section_names)
    first, second = design.pairs.T
    questions, pairs = len(design), len(design.pair_sections)
    # A question is answered with the chance that its two word pairs give; truth is the mean over pairs.
    truth = expit(mean + math.hypot(of_a, of_b) * rng.standard_normal(10**6)).mean()
    clustered, naive, rejected = [], [], []
    for run in range(runs):
        # Half of what makes a word pair easy for one model does so for the other, too.
        shared, *own = rng.standard_normal((3, 2, pairs))
        easy = [math.sqrt(0.5) * (shared + one) for one in own]
        correct = np.array(
            [rng.random(questions) < expit(mean + of_a * a[first] + of_b * b[second]) for a, b in easy]
        )
        resampled = resampled_scores(
            design, totals, correct, np.ones(questions, bool), resamples=RESAMPLES, seed=run
        )[:, :, 0]
        low, high = interval(resampled[:, 0])
        clustered.append(low <= truth <= high)
        share = correct[0].mean()
        naive.append(abs(share - truth) <= 1.96 * math.sqrt(share * (1 - share) / questions))
        rejected.append(two_sided(resampled[:, 0] - resampled[:, 1]) <= 0.05)
    print(f"clustered {np.mean(clustered):.1%}, naive {np.mean(naive):.1%}, rejected {np.mean(rejected):.1%}")
    assert 0.92 <= np.mean(clustered) <= 0.98
    assert np.mean(naive) < 0.85
    assert np.mean(rejected) <= 0.07
