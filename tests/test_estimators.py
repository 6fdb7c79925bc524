"""scikit-learn's own checks, and the estimators against the functions that they stand for."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.decomposition import TruncatedSVD
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from pmifact import InputError, KrylovSVD, PPMITransformer, Vocabulary, factorize, sppmi
from pmifact.cooccurrence import CooccurrenceCounts, CountOptions

COUNTS = np.random.default_rng(0).poisson(0.7, (40, 25))


def large(shape=(300, 260), seed=0):
    rng = np.random.default_rng(seed)
    return sp.random_array(shape, density=0.1, rng=rng, data_sampler=rng.exponential).tocsr()


@parametrize_with_checks([PPMITransformer(), KrylovSVD(threads=1)])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)  # there are no exceptions


# --- PPMITransformer ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, np.float64, np.float32])
@pytest.mark.parametrize("options", [{}, {"shift": 1.5, "smoothing": 1.0}])
def test_ppmi_of_the_fitted_matrix_is_that_of_the_function(options, dtype):
    square = COUNTS[:25]
    vocabulary = Vocabulary(tuple(f"w{i}" for i in range(25)), np.ones(25, np.int64))
    counts = CooccurrenceCounts(vocabulary, sp.csr_array(square.astype(np.int64)), 1, CountOptions())
    expected = sppmi(counts, **options).toarray()
    found = PPMITransformer(**options).fit_transform(square.astype(dtype))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    assert found.dtype == (np.float32 if dtype == np.float32 else np.float64)


@given(st.integers(0, 1000), st.sampled_from([0.5, 1.0, 3.0]), st.sampled_from([0.25, 0.75, 1.0]))
def test_new_rows_meet_the_fitted_columns(seed, shift, smoothing):
    rng = np.random.default_rng(seed)
    fitted, new = rng.poisson(1.0, (6, 5)), rng.poisson(1.0, (4, 5))
    if not fitted.any():
        return
    found = PPMITransformer(shift=shift, smoothing=smoothing).fit(fitted).transform(new)
    column = fitted.sum(axis=0) ** smoothing * (fitted.sum(axis=0) > 0)
    for row, cells in zip(new, found, strict=True):
        for count, probability, cell in zip(row, column / column.sum(), cells, strict=True):
            if count == 0 or probability == 0:
                assert cell == 0
            else:
                pmi = np.log(count / (row.sum() * probability)) - np.log(shift)
                assert cell == pytest.approx(max(pmi, 0), abs=1e-12)


@pytest.mark.parametrize("convert", [sp.csr_array, sp.csr_matrix, sp.coo_array, sp.csc_matrix])
def test_sparse_counts_stay_sparse(convert):
    dense = PPMITransformer().fit_transform(COUNTS)
    found = PPMITransformer().fit_transform(convert(COUNTS))
    assert found.format == "csr"
    assert isinstance(found, sp.sparray) == issubclass(convert, sp.sparray)
    assert found.nnz == np.count_nonzero(dense)
    np.testing.assert_array_equal(found.toarray(), dense)


def test_column_sums_of_integers_are_exact():
    column = np.array([[2**53, 1], [1, 1], [1, 1]])
    assert PPMITransformer().fit(column).column_sums_[0] == 2.0**53 + 2


def test_names_go_through():
    frame = pd.DataFrame(COUNTS[:, :3], columns=["a", "b", "c"])
    transformer = PPMITransformer().set_output(transform="pandas").fit(frame)
    assert list(transformer.get_feature_names_out()) == ["a", "b", "c"]
    assert list(transformer.transform(frame).columns) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("options", "matrix", "message"),
    [
        ({}, [[0, 0], [0, 0]], "every count is zero"),
        ({}, [[1, -1]], "Negative values"),
        ({"shift": 0}, [[1, 2]], "^shift: expected"),
        ({"smoothing": 2}, [[1, 2]], "^smoothing: expected"),
    ],
)
def test_counts_that_have_no_ppmi_are_refused(options, matrix, message):
    with pytest.raises(ValueError, match=message):
        PPMITransformer(**options).fit(matrix)


# --- KrylovSVD ----------------------------------------------------------------------------------------


def test_svd_is_that_of_the_function():
    matrix = large()
    factors = factorize(matrix, rank=6, tol=1e-6, seed=3)
    svd = KrylovSVD(6, tol=1e-6, random_state=3).fit(matrix)
    np.testing.assert_array_equal(svd.components_, factors.contexts.T)
    np.testing.assert_array_equal(svd.singular_values_, factors.strengths)
    np.testing.assert_array_equal(svd.residuals_, factors.residuals)


@pytest.mark.parametrize("convert", [sp.csr_array, sp.csr_matrix, lambda matrix: matrix.toarray()])
def test_it_stands_in_for_truncated_svd(convert):
    matrix = convert(large())
    ours = KrylovSVD(6, tol=1e-7).fit(matrix)
    theirs = TruncatedSVD(6, algorithm="arpack", random_state=0).fit(sp.csr_matrix(matrix))
    signs = np.sign((ours.components_ * theirs.components_).sum(axis=1))
    np.testing.assert_allclose(ours.components_, signs[:, None] * theirs.components_, atol=1e-4)
    for name in ("singular_values_", "explained_variance_", "explained_variance_ratio_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-4)
    expected = theirs.transform(sp.csr_matrix(matrix)) * signs
    np.testing.assert_allclose(ours.transform(matrix), expected, atol=1e-3)
    np.testing.assert_array_equal(ours.transform(matrix), KrylovSVD(6, tol=1e-7).fit_transform(matrix))


@pytest.mark.parametrize("power", [0, 0.5, 1, 2])
def test_the_power_weighs_the_dimensions(power):
    matrix = large()
    factors = factorize(matrix, rank=4, tol=1e-6)
    svd = KrylovSVD(4, tol=1e-6, power=power)
    found = svd.fit_transform(matrix)
    np.testing.assert_allclose(found, factors.words * factors.strengths**power, atol=1e-4)
    back = svd.inverse_transform(found)
    np.testing.assert_allclose(back, matrix @ factors.contexts @ factors.contexts.T, atol=1e-4)


def test_the_random_start_is_the_users():
    matrix = large()
    one, same = (KrylovSVD(3, random_state=np.random.RandomState(5)).fit(matrix) for _ in range(2))
    np.testing.assert_array_equal(one.components_, same.components_)
    other = KrylovSVD(3, random_state=6).fit(matrix)
    assert not np.array_equal(one.residuals_, other.residuals_)
    assert KrylovSVD(3, random_state=None).fit(matrix).singular_values_[0] > 0


def test_a_column_that_never_varies_explains_nothing():
    svd = KrylovSVD(1).fit(np.ones((4, 3)))
    assert svd.explained_variance_[0] == pytest.approx(0, abs=1e-12)
    assert np.isnan(svd.explained_variance_ratio_[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_components": 0}, "^n_components: expected"),
        ({"n_components": 26}, r"^n_components: .*n_samples=40 and n_features=25, got 26"),
        ({"power": -1}, "^power: expected"),
        ({"tol": 0}, "^tol: expected"),
        ({"device": "tpu"}, "^device: expected one of cpu, gpu, auto"),
    ],
)
def test_unusable_options_are_refused_when_it_is_fitted(options, message):
    svd = KrylovSVD(**options)
    with pytest.raises(InputError, match=message):
        svd.fit(COUNTS)
    with pytest.raises(NotFittedError):
        svd.transform(COUNTS)


# --- together -----------------------------------------------------------------------------------------

TEXTS = [
    *["the cat chased the mouse", "a mouse ran from the cat", "the dog chased a cat"] * 5,
    *["stocks fell on the market", "the market sold stocks", "a bank bought stocks"] * 5,
]


def test_a_pipeline_from_text_to_vectors():
    pipeline = make_pipeline(CountVectorizer(), PPMITransformer(), KrylovSVD(2, power=0.5))
    found = clone(pipeline).fit_transform(TEXTS)
    assert found.shape == (30, 2)
    cosines = (unit := found / np.linalg.norm(found, axis=1, keepdims=True)) @ unit.T
    assert cosines[:15, :15].min() > cosines[:15, 15:].max()
    assert list(pipeline.fit(TEXTS).get_feature_names_out()) == ["krylovsvd0", "krylovsvd1"]


def test_its_options_can_be_searched():
    pipeline = make_pipeline(PPMITransformer(), KrylovSVD(2))
    grid = GridSearchCV(
        pipeline,
        {"ppmitransformer__shift": [1, 2]},
        scoring=lambda model, rows: float(model.transform(rows).var()),
    )
    assert grid.fit(sp.csr_matrix(COUNTS)).best_params_["ppmitransformer__shift"] in (1, 2)
