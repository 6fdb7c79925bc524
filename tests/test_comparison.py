"""Comparison of models: on common items, against plain loops over resamples."""

import math

import numpy as np
import pytest
import scipy.stats

from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, SimilaritySet, compare_models
from pmifact.evaluation.comparison import MCNEMAR, WILLIAMS
from pmifact.evaluation.resampling import draw_counts
from pmifact.evaluation.significance import williams
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

N = 60
WORDS = tuple(f"w{i}" for i in range(2 * N))


def vectors_with(cosines, missing=()):
    """Return vectors on a circle in which pair i has the cosine `cosines[i]`."""
    angles = np.arccos(cosines)
    matrix = np.vstack([np.tile([1.0, 0.0], (N, 1)), np.column_stack([np.cos(angles), np.sin(angles)])])
    matrix[list(missing)] = 0
    return WordVectors(Vocabulary(WORDS, np.ones(2 * N, np.int64)), matrix)


def similarity(rng):
    truth = rng.uniform(-0.9, 0.9, N)
    return SimilaritySet("toy", WORDS[:N], WORDS[N:], truth), truth


def noisy(rng, truth, noise):
    return np.clip(truth + noise * rng.standard_normal(N), -1, 1)


def test_similarity_is_compared_on_common_pairs_by_a_paired_bootstrap():
    rng = np.random.default_rng(1)
    gold, truth = similarity(rng)
    cosines = [noisy(rng, truth, noise) for noise in (0.3, 0.6)]
    models = {"a": vectors_with(cosines[0], missing=[3, 4]), "b": vectors_with(cosines[1], missing=[64, 65])}
    (row,) = compare_models(models, similarity=[gold], resamples=199, seed=5).to_dict("records")
    common = np.setdiff1d(np.arange(N), [3, 4, 5])
    assert (row["items"], row["total"]) == (len(common), N)
    scores = gold.scores[common]
    first, second = (np.round(c[common], 6) for c in cosines)
    rhos = [scipy.stats.spearmanr(scores, c).statistic for c in (first, second)]
    assert [row["score1"], row["score2"]] == pytest.approx(rhos)
    differences = []
    for counts in np.vstack(list(draw_counts(np.zeros(len(common), np.int64), 199, 5))).astype(int):
        drawn = [np.repeat(values, counts) for values in (scores, first, second)]
        differences.append(
            scipy.stats.spearmanr(*drawn[:2]).statistic - scipy.stats.spearmanr(*drawn[::2]).statistic
        )
    assert [row["low"], row["high"]] == pytest.approx(np.quantile(differences, [0.025, 0.975]))
    below = min(np.sum(np.array(differences) <= 0), np.sum(np.array(differences) >= 0))
    assert row["p"] == row["p_holm"] == 2 * (below + 1) / 200
    assert row["test"] == WILLIAMS
    between = scipy.stats.spearmanr(first, second).statistic
    assert (row["statistic"], row["p_test"]) == pytest.approx(williams(*rhos, between, len(common)))
    assert row["verdict"].startswith("a scores higher than b on toy: 0.9")
    assert row["verdict"].endswith(", 57 common items.")


def test_a_model_does_not_differ_from_itself():
    gold, truth = similarity(np.random.default_rng(2))
    model = vectors_with(noisy(np.random.default_rng(3), truth, 0.5))
    table = compare_models({"a": model, "b": model, "c": model}, similarity=[gold], resamples=99)
    assert list(zip(table.model1, table.model2, strict=True)) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert (table[["difference", "low", "high"]] == 0).all(axis=None)
    assert (table[["p", "p_holm", "p_test", "p_test_holm"]] == 1).all(axis=None)
    assert table.verdict[0].startswith("No difference shown between a and b on toy: ")
    assert "p = 1.000 after Holm over 3 pairs of models" in table.verdict[0]


def test_holm_corrects_over_the_pairs_of_models():
    rng = np.random.default_rng(4)
    gold, truth = similarity(rng)
    models = {f"m{noise}": vectors_with(noisy(rng, truth, noise)) for noise in (0.1, 0.6, 0.7)}
    table = compare_models(models, similarity=[gold], resamples=199)
    assert table.p[:2].tolist() == [0.01, 0.01]
    assert table.p_holm[:2].tolist() == pytest.approx([0.03, 0.03])
    assert table.p_holm[2] == table.p[2] > 0.05
    assert table.p_test_holm[0] >= table.p_test[0]


def test_seeds_are_replicates():
    rng = np.random.default_rng(5)
    gold, truth = similarity(rng)
    seeds = [vectors_with(noisy(rng, truth, noise)) for noise in (0.2, 0.4, 0.9)]
    other = vectors_with(noisy(rng, truth, 0.5))
    table = compare_models({"a": seeds, "b": other}, similarity=[gold], resamples=999)
    single = [compare_models({"a": one, "b": other}, similarity=[gold]).score1[0] for one in seeds]
    (row,) = table.to_dict("records")
    assert row["score1"] == pytest.approx(np.mean(single))
    assert row["spread1"] == pytest.approx(np.std(single, ddof=1))
    assert math.isnan(row["spread2"])
    assert math.isnan(row["p_test"])
    # The seeds' spread is part of the uncertainty: items alone would give a third of this width.
    assert row["high"] - row["low"] > 3.0 * np.std(single, ddof=1) / math.sqrt(3)


def analogy_models(rng):
    words = [f"{half}{i}" for half in "ab" for i in range(12)]
    base = rng.standard_normal((12, 5))

    def model(noise):
        matrix = np.vstack([base, base + [2, 0, 0, 0, 0] + noise * rng.standard_normal((12, 5))])
        return WordVectors(Vocabulary(tuple(words), np.ones(24, np.int64)), matrix)

    questions = tuple((f"a{p}", f"b{p}", f"a{q}", f"b{q}") for p in range(12) for q in range(12) if p != q)
    return {"fine": model(0.1), "coarse": model(1.5)}, AnalogySet("toy", questions, ("s",) * len(questions))


def test_analogies_are_compared_by_word_pairs():
    models, gold = analogy_models(np.random.default_rng(6))
    (row,) = compare_models(models, analogy=[gold], resamples=499, seed=1).to_dict("records")
    assert (row["task"], row["method"], row["test"]) == ("analogy", "add", MCNEMAR)
    assert (row["items"], row["total"]) == (132, 132)
    assert row["score1"] > row["score2"] + 0.3
    assert row["low"] < row["difference"] < row["high"]
    assert row["p"] == pytest.approx(0.004)
    assert row["statistic"] == pytest.approx(132 * row["difference"])
    assert row["p_test"] < 1e-6
    assert row["verdict"].startswith("fine scores higher than coarse on toy: ")
    (back,) = compare_models(dict(reversed(models.items())), analogy=[gold], resamples=499, seed=1).to_dict(
        "records"
    )
    assert back["difference"] == -row["difference"]
    assert [back["low"], back["high"]] == pytest.approx([-row["high"], -row["low"]])
    assert back["verdict"].startswith("coarse scores lower than fine on toy: ")


def test_what_cannot_be_compared_is_one_sentence():
    gold, truth = similarity(np.random.default_rng(7))
    model = vectors_with(truth)
    with pytest.raises(InputError, match="at least one similarity or analogy set, got none"):
        compare_models({"a": model, "b": model})
    with pytest.raises(InputError, match="at least two models, got 1"):
        compare_models({"a": model}, similarity=[gold])
    with pytest.raises(InputError, match="resamples: expected an integer of at least 1"):
        compare_models({"a": model, "b": model}, similarity=[gold], resamples=0)
    with pytest.raises(InputError, match="correlation: expected one of"):
        compare_models({"a": model, "b": model}, similarity=[gold], correlation="kendall")
    halves = {"a": vectors_with(truth, range(30)), "b": vectors_with(truth, range(30, N))}
    with pytest.raises(InputError, match="toy: expected at least 2 items that all of a, b cover, got 0"):
        compare_models(halves, similarity=[gold])
    flat = vectors_with(np.full(N, 0.5))
    with pytest.raises(InputError, match="toy: the correlation is not defined"):
        compare_models({"a": model, "b": flat}, similarity=[gold])
