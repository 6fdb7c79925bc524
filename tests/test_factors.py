from dataclasses import replace

import numpy as np
import pytest

from pmifact import Factors, InputError, Vocabulary, factorize
from pmifact.postprocessing import postprocessed


def factors_of(words, strengths, contexts, vocabulary=True, **rest):
    arrays = [np.asarray(a, np.float32) for a in (words, strengths, contexts)]
    names = tuple(f"w{i}" for i in range(len(arrays[0])))
    return Factors(Vocabulary(names, np.ones(len(names), np.int64)) if vocabulary else None, *arrays, **rest)


@pytest.fixture
def factors():
    rng = np.random.default_rng(2)
    return factors_of(rng.standard_normal((6, 3)), [4, 1, 0.25], rng.standard_normal((6, 3)))


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_rank_counts_the_strengths(factors):
    assert factors.rank == 3
    assert repr(factors) == "Factors(6 words, 6 contexts, rank 3)"


@pytest.mark.parametrize(("power", "weights"), [(0, [1, 1, 1]), (0.5, [2, 1, 0.5]), (1, [4, 1, 0.25])])
def test_power_weighs_the_dimensions(factors, power, weights):
    rows = factors.words * np.array(weights)
    result = factors.vectors(power=power, normalize=False)
    assert result.vocabulary is factors.vocabulary
    assert result.matrix.dtype == np.float32
    np.testing.assert_allclose(result.matrix, rows, rtol=1e-6)
    np.testing.assert_allclose(factors.vectors(power=power).matrix, unit(rows), rtol=1e-6)


def test_the_power_is_a_half_unless_said(factors):
    np.testing.assert_array_equal(
        factors.vectors().matrix, factors.vectors(power=0.5, contexts="ignore").matrix
    )


def test_add_normalises_both_sides_before_adding(factors):
    weights = np.array([2, 1, 0.5])
    both = unit(factors.words * weights) + unit(factors.contexts * weights)
    np.testing.assert_allclose(factors.vectors(contexts="add", normalize=False).matrix, both, rtol=1e-5)
    np.testing.assert_allclose(factors.vectors(contexts="add").matrix, unit(both), rtol=1e-5)


def test_add_raw_adds_before_it_normalises(factors):
    both = (factors.words + factors.contexts) * np.array([2, 1, 0.5])
    raw = factors.vectors(contexts="add-raw", normalize=False).matrix
    np.testing.assert_allclose(raw, both, rtol=1e-5)
    np.testing.assert_allclose(factors.vectors(contexts="add-raw").matrix, unit(both), rtol=1e-5)
    assert not np.allclose(unit(both), factors.vectors(contexts="add").matrix, rtol=1e-2)


@pytest.mark.parametrize("contexts", ["ignore", "add", "add-raw"])
@pytest.mark.parametrize("options", [{"center": True}, {"remove_top": 2}])
def test_postprocessing_comes_after_adding_and_before_normalising(factors, contexts, options):
    before = factors.vectors(contexts=contexts, normalize=False)
    expected = postprocessed(before, **options)
    kept = factors.vectors(contexts=contexts, normalize=False, **options)
    np.testing.assert_allclose(kept.matrix, expected.matrix, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(
        factors.vectors(contexts=contexts, **options).matrix, expected.unit, rtol=1e-4, atol=1e-5
    )


def test_adding_contexts_of_a_symmetric_matrix_deletes_negative_eigenvalues():
    vectors = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 5)))[0]
    matrix = (vectors * [5, -4, 3, -2, 1]) @ vectors.T
    vocabulary = Vocabulary(tuple("abcde"), np.ones(5, np.int64))
    added = factorize(matrix, rank=5, vocabulary=vocabulary).vectors(contexts="add", normalize=False).matrix
    lengths = np.linalg.norm(added, axis=0)
    np.testing.assert_allclose(lengths[[1, 3]], 0, atol=1e-5)
    assert (lengths[[0, 2, 4]] > 0.1).all()


def test_a_zero_row_stays_zero():
    factors = factors_of([[1, 2], [0, 0]], [2, 1], [[1, 0], [0, 0]])
    for contexts in ("ignore", "add"):
        vectors = factors.vectors(contexts=contexts)
        np.testing.assert_array_equal(vectors.matrix[1], [0, 0])
        assert list(vectors.covered) == [True, False]


@pytest.mark.parametrize("strengths", [[1e30, 1e29], [1e-30, 1e-31], [3e38, 1e38]])
def test_extreme_strengths_keep_directions(strengths):
    words = [[1, 2], [-1, 3]]
    expected = unit(np.array(words) * np.array(strengths) ** 1.5)
    np.testing.assert_allclose(
        factors_of(words, strengths, words).vectors(power=1.5).matrix, expected, rtol=1e-5
    )


def test_lengths_beyond_float32_are_refused():
    with pytest.raises(InputError, match="longer than float32"):
        factors_of([[1, 2]], [1e30, 1], [[1, 2]]).vectors(power=2, normalize=False)


def test_skip_gram_factors_pass_through():
    words = np.arange(8).reshape(4, 2)
    result = factors_of(words, [1, 1], words).vectors(normalize=False)
    np.testing.assert_array_equal(result.matrix, words)


def test_vectors_without_vocabulary_are_refused():
    with pytest.raises(InputError, match="need a vocabulary"):
        factors_of([[1.0]], [1], [[1.0]], vocabulary=False).vectors()


def test_adding_contexts_that_are_not_the_words_is_refused():
    with pytest.raises(InputError, match="2 words and 3 contexts that"):
        factors_of([[1], [2]], [1], [[1], [2], [3]]).vectors(contexts="add")
    named = Vocabulary(("x", "y"), np.array([1, 1]))
    factors = replace(factors_of([[1], [0]], [1], [[1], [0]]), context_vocabulary=named)
    for asked in ("add", "add-raw"):
        sentence = f"^contexts: {asked} needs .* 2 words and 2 contexts that are not the same; use ignore"
        with pytest.raises(InputError, match=sentence):
            factors.vectors(contexts=asked)
    with pytest.raises(InputError, match=r"contexts: expected a float32 array of shape \(2, 1\)"):
        replace(factors, contexts=np.ones((3, 1), np.float32))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("power", -1), ("power", np.nan), ("power", "x"), ("contexts", "sum")),
        *(("center", 1), ("remove_top", 0), ("remove_top", 3), ("remove_top", 1.5)),
    ],
)
def test_unusable_options_are_refused(factors, option, value):
    with pytest.raises(InputError, match=f"^{option}: expected"):
        factors.vectors(**{option: value})


GOOD = {
    "words": np.ones((2, 2), np.float32),
    "strengths": np.array([2, 1], np.float32),
    "contexts": np.ones((3, 2), np.float32),
    "residuals": np.zeros(2, np.float32),
}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("words", np.ones((2, 2)), r"words: expected a float32 array of shape \(2, 2\), got float64"),
        ("words", np.ones((3, 2), np.float32), r"words: expected .* shape \(2, 2\), got float32 \(3, 2\)"),
        ("words", [[1.0, 1.0], [1.0, 1.0]], "words: expected .* got list"),
        ("words", np.full((2, 2), np.nan, np.float32), "words: holds a value that is not finite"),
        ("contexts", np.ones((3, 1), np.float32), r"contexts: expected .* shape \(3, 2\)"),
        ("contexts", np.full((3, 2), -np.inf, np.float32), "contexts: holds a value that is not finite"),
        ("strengths", np.ones((2, 1), np.float32), "words: expected|strengths: expected"),
        ("strengths", np.array([1, 2], np.float32), "none negative, in descending order"),
        ("strengths", np.array([1, -2], np.float32), "none negative, in descending order"),
        ("residuals", np.zeros(1, np.float32), r"residuals: expected .* shape \(2,\)"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name, value, message):
    vocabulary = Vocabulary(("a", "b"), np.array([2, 1]))
    Factors(vocabulary, **GOOD)
    with pytest.raises(InputError, match=message):
        Factors(vocabulary, **(GOOD | {name: value}))


def test_rank_0_is_refused():
    with pytest.raises(InputError, match="at least one strength"):
        factors_of(np.ones((2, 0)), [], np.ones((2, 0)))
