import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from pmifact import InputError, Vocabulary, WordVectors
from pmifact.postprocessing import postprocessed


def vectors_of(matrix):
    names = tuple(f"w{i}" for i in range(matrix.shape[0]))
    return WordVectors(Vocabulary(names, np.ones(len(names), np.int64)), matrix)


def anisotropic(rows=50, dimensions=6, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal((rows, dimensions)) * 2.0 ** -np.arange(dimensions) + 3).astype(np.float32)


def all_but_the_top(matrix, count):
    """Mu & Viswanath's steps, word by word, with scikit-learn's principal components."""
    mean = matrix.mean(axis=0)
    components = PCA(count).fit(matrix - mean).components_
    result = []
    for vector in matrix - mean:
        result.append(vector - sum((component @ vector) * component for component in components))
    return np.array(result)


def test_the_mean_is_subtracted():
    matrix = anisotropic()
    found = postprocessed(vectors_of(matrix), center=True)
    np.testing.assert_allclose(found.matrix, matrix - matrix.mean(axis=0), atol=1e-5)
    np.testing.assert_allclose(found.matrix.mean(axis=0), 0, atol=1e-6)


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("center", [False, True])
def test_top_components_are_removed_as_in_the_paper(count, center):
    matrix = anisotropic()
    found = postprocessed(vectors_of(matrix), center=center, remove_top=count)
    np.testing.assert_allclose(found.matrix, all_but_the_top(matrix.astype(float), count), atol=1e-5)


@given(st.integers(0, 1000), st.integers(1, 4), st.integers(6, 40))
def test_what_is_left_has_no_mean_and_lower_rank(seed, count, rows):
    matrix = anisotropic(rows=rows, seed=seed)
    left = postprocessed(vectors_of(matrix), remove_top=count).matrix.astype(float)
    np.testing.assert_allclose(left.mean(axis=0), 0, atol=1e-5)
    values = np.linalg.svd(matrix - matrix.mean(axis=0, dtype=float), compute_uv=False)
    np.testing.assert_allclose(
        np.linalg.svd(left, compute_uv=False), np.r_[values[count:], np.zeros(count)], atol=1e-4
    )


def test_words_without_a_vector_have_no_part_in_it():
    matrix = anisotropic()
    with_zeros = np.zeros((2 * len(matrix), matrix.shape[1]), np.float32)
    with_zeros[1::2] = matrix
    found = postprocessed(vectors_of(with_zeros), remove_top=2)
    assert not found.covered[::2].any()
    np.testing.assert_allclose(
        found.matrix[1::2], postprocessed(vectors_of(matrix), remove_top=2).matrix, atol=1e-5
    )


def test_many_rows_are_done_in_blocks(monkeypatch):
    vectors = vectors_of(anisotropic())
    whole = postprocessed(vectors, remove_top=2)
    monkeypatch.setattr("pmifact.postprocessing._ROWS_AT_ONCE", 7)
    np.testing.assert_allclose(postprocessed(vectors, remove_top=2).matrix, whole.matrix, atol=1e-6)


def test_extreme_lengths_stay_finite():
    matrix = anisotropic().astype(float)
    for scale in (1e36, 1e-36):
        found = postprocessed(vectors_of(matrix * scale), remove_top=1).matrix / np.float64(scale)
        np.testing.assert_allclose(found, all_but_the_top(matrix, 1), atol=1e-4)


def test_nothing_asked_is_nothing_done():
    vectors = vectors_of(anisotropic())
    assert postprocessed(vectors) is vectors


@pytest.mark.parametrize("options", [{"center": True}, {"remove_top": 1}])
def test_vectors_that_have_no_mean_to_take_off_are_refused(options):
    with pytest.raises(InputError, match=r"these are sparse, .*; factorize the counts"):
        postprocessed(vectors_of(sp.csr_array(anisotropic())), **options)
    with pytest.raises(InputError, match="all of them are zero"):
        postprocessed(vectors_of(np.zeros((3, 2))), **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"center": 1}, "^center: expected True or False, got 1"),
        ({"remove_top": 0}, "^remove_top: expected an integer of at least 1, got 0"),
        ({"remove_top": 6}, "^remove_top: expected less than the 6 dimensions of the vectors, got 6"),
    ],
)
def test_unusable_options_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        postprocessed(vectors_of(anisotropic()), **options)
