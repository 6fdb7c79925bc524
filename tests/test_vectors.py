from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import coo_array, csr_array

from pmifact.errors import InputError, UnknownWordError
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

# A few whole numbers, so that zero rows and ties are common.
small_matrices = st.tuples(st.integers(1, 12), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float32, shape, elements=st.integers(-2, 2).map(float))
)


def make(matrix, words=None):
    words = words or [f"w{i}" for i in range(matrix.shape[0])]
    return WordVectors(Vocabulary(tuple(words), np.ones(len(words), np.int64)), matrix)


@given(small_matrices, st.booleans(), st.integers(1, 15))
def test_nearest_equals_a_plain_loop(matrix, sparse, n):
    vectors = make(csr_array(matrix) if sparse else matrix)
    unit = vectors.unit.toarray() if sparse else vectors.unit
    for i in range(len(matrix)):
        if not matrix[i].any():
            continue
        cosines = {}
        for j in range(len(matrix)):
            if j != i and matrix[j].any():
                cosines[j] = float(
                    matrix[i] @ matrix[j] / np.linalg.norm(matrix[i]) / np.linalg.norm(matrix[j])
                )
        found = vectors.nearest(f"w{i}", n)
        assert len(found) == min(n, len(cosines))
        best = sorted(cosines.values(), reverse=True)[: len(found)]
        assert [cosine for _, cosine in found] == pytest.approx(best, abs=1e-6)
        for word, cosine in found:
            assert cosine == pytest.approx(cosines[int(word[1:])], abs=1e-6)
        # Ties, exact ones, stand in the order of the vocabulary.
        for (first, cosine1), (second, cosine2) in pairwise(found):
            if np.array_equal(unit[int(first[1:])], unit[int(second[1:])]):
                assert cosine1 == cosine2
                assert int(first[1:]) < int(second[1:])


@given(small_matrices, st.booleans())
def test_unit_rows_have_length_one_and_zero_rows_stay_zero(matrix, sparse):
    vectors = make(csr_array(matrix) if sparse else matrix)
    assert isinstance(vectors.unit, csr_array) == sparse
    assert vectors.unit.dtype == np.float32
    unit = vectors.unit.toarray() if sparse else vectors.unit
    covered = matrix.any(axis=1)
    assert np.array_equal(vectors.covered, covered)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), covered.astype(float), rtol=1e-6)
    np.testing.assert_allclose(unit * np.linalg.norm(matrix, axis=1)[:, None], matrix, rtol=1e-6)


@pytest.mark.parametrize("sparse", [False, True])
def test_rows_of_any_size_that_float32_holds_have_a_direction(sparse):
    matrix = np.array([[3, 4], [3e-30, 4e-30], [3e30, 4e30], [1e-45, 0], [0, 3e38]], np.float32)
    vectors = make(csr_array(matrix) if sparse else matrix)
    unit = vectors.unit.toarray() if sparse else vectors.unit
    np.testing.assert_allclose(unit, [[0.6, 0.8]] * 3 + [[1, 0], [0, 1]], rtol=1e-6)
    assert vectors.covered.all()
    assert vectors.nearest("w0", 2) == [("w1", pytest.approx(1)), ("w2", pytest.approx(1))]


def test_many_rows_are_scaled_block_by_block():
    matrix = np.random.default_rng(0).standard_normal((20_000, 2)).astype(np.float32)
    np.testing.assert_allclose(np.linalg.norm(make(matrix).unit, axis=1), 1, rtol=1e-6)


def test_a_stored_zero_is_not_a_vector():
    matrix = csr_array((np.zeros(1, np.float32), np.array([0]), np.array([0, 1, 1])), shape=(2, 3))
    assert not make(matrix).covered.any()


def test_duplicate_entries_are_added_and_the_input_is_left_alone():
    data, indices = np.array([3, 1, 3], np.float32), np.array([1, 0, 1])
    given = csr_array((data, indices, np.array([0, 3])), shape=(1, 2))
    np.testing.assert_allclose(make(given)["w0"], [1, 6])
    assert given.nnz == 3


@pytest.mark.parametrize(
    "convert", [lambda m: m.astype(np.int64), np.asfortranarray, coo_array, lambda m: m.tolist()]
)
def test_other_kinds_of_matrix_are_converted(convert):
    matrix = np.array([[1.0, 2.0], [0.0, 3.0]])
    vectors = make(matrix)
    converted = WordVectors(vectors.vocabulary, convert(matrix))
    assert converted.matrix.dtype == np.float32
    assert np.array_equal(converted["w0"], [1, 2])


@pytest.mark.parametrize("sparse", [False, True])
def test_look_up_gives_a_dense_copy(sparse):
    matrix = np.array([[1, 0, 2], [0, 0, 3]], np.float32)
    vectors = make(csr_array(matrix) if sparse else matrix, ["cat", "dog"])
    row = vectors["dog"]
    assert row.dtype == np.float32
    assert row.tolist() == [0, 0, 3]
    row[:] = 9
    assert vectors["dog"].tolist() == [0, 0, 3]
    assert "cat" in vectors
    assert "cow" not in vectors
    assert len(vectors) == 2
    assert repr(vectors) == f"WordVectors(2 words, 3 dimensions, {'sparse' if sparse else 'dense'})"
    with pytest.raises(UnknownWordError, match="'cow' is not among the 2 words"):
        vectors["cow"]
    with pytest.raises(KeyError):
        vectors.nearest("cow")


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.filterwarnings("error")
def test_a_number_that_is_not_finite_names_its_word(bad, sparse):
    matrix = np.array([[1, 2], [0, 0], [3, bad]])
    with pytest.raises(InputError, match=r"the vector of 'fish' \(row 2\) holds a number that is not finite"):
        make(csr_array(matrix) if sparse else matrix, ["cat", "dog", "fish"])


@pytest.mark.parametrize(
    "matrix", [np.ones((2, 2)), np.ones(3), np.ones((3, 1, 1)), csr_array(np.ones((4, 1)))]
)
def test_a_matrix_that_does_not_match_the_words_is_refused(matrix):
    with pytest.raises(InputError, match="expected one row for each of the 3 words"):
        make(matrix, ["a", "b", "c"])


@pytest.mark.parametrize("matrix", [np.array([["x"]]), np.ones((1, 1), complex), np.array([[None]])])
def test_what_is_not_numbers_is_refused(matrix):
    with pytest.raises(InputError, match="expected an array of real numbers, got dtype"):
        make(matrix, ["a"])


def test_a_zero_vector_has_no_neighbours():
    vectors = make(np.array([[0, 0], [1, 0]], np.float32))
    with pytest.raises(InputError, match="the vector of 'w0' is zero"):
        vectors.nearest("w0")
    assert vectors.nearest("w1") == []


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "3"])
def test_n_must_be_a_positive_integer(n):
    with pytest.raises(InputError, match="n: expected an integer of at least 1"):
        make(np.ones((2, 2))).nearest("w0", n)
