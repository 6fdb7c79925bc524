import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from pmifact.evaluation.correlation import correlate, ranks, resampled_correlations
from pmifact.evaluation.resampling import bootstrap, draw_counts, interval, two_sided
from pmifact.evaluation.significance import holm, mcnemar, williams

STRATA = np.array([2, 0, 0, 1, 2, 2, 0])


def test_every_resample_draws_each_stratum_as_often_as_it_is_large():
    counts = np.vstack(list(draw_counts(STRATA, 4_000, 0)))
    assert counts.shape == (4_000, 7)
    for stratum, size in enumerate((3, 1, 3)):
        assert (counts[:, stratum == STRATA].sum(axis=1) == size).all()
    assert np.allclose(counts.mean(axis=0), 1, atol=0.06)
    # Of 3 units, drawn 3 times, each has the variance 3 (1/3) (2/3).
    assert counts[:, 0].var() == pytest.approx(2 / 3, abs=0.06)
    assert np.corrcoef(counts[:, 0], counts[:, 1])[0, 1] == pytest.approx(0, abs=0.06)


def test_resamples_do_not_depend_on_how_they_are_cut_into_blocks(monkeypatch):
    whole = np.vstack(list(draw_counts(STRATA, 50, 3)))
    monkeypatch.setattr("pmifact.evaluation.resampling._NUMBERS_AT_ONCE", 7 * 6)
    blocks = list(draw_counts(STRATA, 50, 3))
    assert [len(block) for block in blocks] == 8 * [6] + [2]
    assert np.array_equal(np.vstack(blocks), whole)


values = st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=20)


@given(values, st.integers(0, 2**32 - 1), st.sampled_from(["spearman", "pearson"]))
def test_resampled_correlations_are_those_of_the_repeated_items(x, seed, kind):
    rng = np.random.default_rng(seed)
    x = np.array(x)
    ys = rng.integers(-3, 3, (2, len(x))).astype(float)
    counts = np.vstack(list(draw_counts(np.zeros(len(x), np.int64), 5, seed)))
    found = resampled_correlations(x, ys, counts, kind)
    for row, count in zip(found, counts.astype(int), strict=True):
        for value, y in zip(row, ys, strict=True):
            pair = np.repeat(x, count), np.repeat(y, count)
            if min(len(set(side)) for side in pair) == 1:
                assert math.isnan(value)
            else:
                scipys = scipy.stats.spearmanr if kind == "spearman" else scipy.stats.pearsonr
                assert value == pytest.approx(scipys(*pair).statistic, abs=1e-12)


@given(values)
def test_ranks_share_ties(x):
    x = np.array(x)
    assert ranks(x, np.ones((1, len(x))))[0].tolist() == scipy.stats.rankdata(x).tolist()


def test_a_correlation_without_variation_is_not_defined():
    # 0.1 is no binary fraction: the rounding errors of its mean must not pass for variation.
    for kind in ("spearman", "pearson"):
        assert math.isnan(correlate(np.full(7, 0.1), np.arange(7.0), kind))


def test_intervals_and_tests_leave_out_what_is_not_defined():
    resampled = np.array([*range(101), math.nan], float)
    assert interval(resampled) == pytest.approx((2.5, 97.5))
    assert two_sided(resampled - 2) == pytest.approx(2 * 4 / 102)
    assert two_sided(2 - resampled) == pytest.approx(2 * 4 / 102)
    assert two_sided(np.zeros(99)) == 1
    assert np.isnan(interval(np.full(3, math.nan))).all()
    assert math.isnan(two_sided(np.full(3, math.nan)))


def test_bootstrap_gathers_all_blocks():
    means = bootstrap(
        lambda counts: counts @ np.arange(7.0)[:, None] / 7, np.zeros(7, np.int64), resamples=5_000, seed=1
    )
    assert means.shape == (5_000, 1)
    assert means.std() == pytest.approx(np.arange(7).std() / math.sqrt(7), rel=0.05)


def test_williams_by_the_published_formula():
    n, r12, r13, r23 = 103, 0.5, 0.4, 0.1
    determinant = 1 - 0.25 - 0.16 - 0.01 + 2 * 0.5 * 0.4 * 0.1
    expected = 0.1 * math.sqrt(102 * 1.1 / (2 * 102 / 100 * determinant + 0.45**2 * 0.9**3))
    t, p = williams(r12, r13, r23, n)
    assert t == pytest.approx(expected, rel=1e-12)
    assert p == pytest.approx(2 * scipy.stats.t.sf(expected, 100), rel=1e-9)
    assert williams(r13, r12, r23, n) == pytest.approx((-t, p))
    assert williams(0.4, 0.4, 0.1, n) == (0, 1)
    assert williams(0.4, 0.4, 1.0, n) == (0, 1)
    assert np.isnan(williams(0.5, 0.4, 0.1, 3)).all()
    assert np.isnan(williams(0.5, 0.4, math.nan, 30)).all()


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_binomial_test(first, second):
    expected = scipy.stats.binomtest(first, first + second).pvalue if first + second else 1
    assert mcnemar(first, second) == pytest.approx(expected)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, math.nan, 0.005]) == pytest.approx(
        [0.03, 0.06, 0.06, math.nan, 0.02], nan_ok=True
    )
    assert holm([0.6, 0.9]) == [1, 1]
    assert holm([]) == []
