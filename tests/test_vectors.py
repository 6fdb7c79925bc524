import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import coo_array, csr_array

from pmifact.errors import InputError, UnknownIdError, UnknownWordError
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

# A few whole numbers, so that zero rows and ties are common.
small_matrices = st.tuples(st.integers(1, 12), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float32, shape, elements=st.integers(-2, 2).map(float))
)


def make(matrix, words=None):
    words = words or [f"w{i}" for i in range(matrix.shape[0])]
    return WordVectors(Vocabulary(tuple(words), np.ones(len(words), np.int64)), matrix)


def plain_neighbors(matrix, query, n, left_out=-1):
    """Return (word id, cosine) by a loop over the words; equal cosines stay in the order of the ids."""
    cosines = {}
    for j, row in enumerate(matrix.astype(np.float64)):
        if j != left_out and row.any():
            cosines[j] = round(float(query @ row) / math.sqrt(float(query @ query) * float(row @ row)), 9)
    return sorted(cosines.items(), key=lambda item: -item[1])[:n]


@given(small_matrices, st.booleans(), st.integers(1, 15))
def test_nearest_equals_a_plain_loop(matrix, sparse, n):
    vectors = make(csr_array(matrix) if sparse else matrix)
    words = [i for i in range(len(matrix)) if matrix[i].any()]
    expected = {i: plain_neighbors(matrix, matrix[i].astype(np.float64), n, left_out=i) for i in words}
    for i in words:
        found = vectors.nearest(f"w{i}", n)
        assert [word for word, _ in found] == [f"w{j}" for j, _ in expected[i]]
        assert [cosine for _, cosine in found] == pytest.approx([cosine for _, cosine in expected[i]])
    assert vectors.nearest([f"w{i}" for i in words], n) == [vectors.nearest(f"w{i}", n) for i in words]


@given(small_matrices, st.booleans(), st.integers(1, 15), st.data())
def test_nearest_to_a_vector_equals_a_plain_loop(matrix, sparse, n, data):
    vectors = make(csr_array(matrix) if sparse else matrix)
    numbers = arrays(np.int64, (2, matrix.shape[1]), elements=st.integers(-2, 2))
    queries = data.draw(numbers.filter(lambda rows: rows.any(axis=1).all()))
    found = vectors.nearest(queries, n)
    assert found == [vectors.nearest(query, n) for query in queries]
    # The length of a query does not matter.
    assert vectors.nearest(queries * 1e200, n) == found
    for query, neighbors in zip(queries, found, strict=True):
        expected = plain_neighbors(matrix, query, n)
        assert [word for word, _ in neighbors] == [f"w{j}" for j, _ in expected]
        assert [cosine for _, cosine in neighbors] == pytest.approx([cosine for _, cosine in expected])


def test_many_queries_are_searched_block_by_block(monkeypatch):
    monkeypatch.setattr("pmifact.search.nearest._NUMBERS_AT_ONCE", 100)
    monkeypatch.setattr("pmifact.search.nearest._ROWS_AT_ONCE", 3)
    matrix = np.random.default_rng(0).standard_normal((40, 5)).astype(np.float32)
    found = make(matrix).nearest([f"w{i}" for i in range(40)], 7)
    for i, neighbors in enumerate(found):
        expected = plain_neighbors(matrix, matrix[i].astype(np.float64), 7, left_out=i)
        assert [word for word, _ in neighbors] == [f"w{j}" for j, _ in expected]


@pytest.mark.parametrize("sparse", [False, True])
def test_equal_vectors_are_ties_however_long_and_far_apart(sparse):
    draw = np.random.default_rng(1)
    matrix = np.repeat(draw.standard_normal((7, 301)), 50, axis=0) * np.tile([1, 2, 4, 8, 0.5], 70)[:, None]
    vectors = make(csr_array(matrix) if sparse else matrix)
    for neighbors in vectors.nearest([f"w{i}" for i in range(0, 350, 9)], 100):
        for (first, cosine1), (second, cosine2) in pairwise(neighbors):
            assert cosine1 > cosine2 or int(first[1:]) < int(second[1:])
    assert [cosine for _, cosine in vectors.nearest("w0", 49)] == [1.0] * 49


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


@pytest.mark.parametrize(
    "query",
    [np.ones(3), np.ones((2, 2, 2)), np.array(1.0), 3, np.array(["a", None], object), 1j * np.ones(2)],
)
def test_what_is_neither_words_nor_vectors_is_refused(query):
    with pytest.raises(InputError, match="expected a word, a vector of 2 numbers, or many of either"):
        make(np.ones((2, 2))).nearest(query)


@pytest.mark.parametrize(
    ("query", "fault"), [([[1, 1], [0, 0]], "a vector is zero"), ([1, np.nan], "expected finite numbers")]
)
def test_a_query_without_a_direction_is_refused(query, fault):
    with pytest.raises(InputError, match=f"nearest: {fault}"):
        make(np.ones((2, 2))).nearest(np.array(query))


def test_no_query_has_no_answer():
    assert make(np.ones((2, 2))).nearest([]) == []


# --- look-up ------------------------------------------------------------------------------------------


@given(small_matrices, st.booleans(), st.data())
def test_looking_ids_up_is_the_product_with_one_hot_rows(matrix, sparse, data):
    vectors = make(csr_array(matrix) if sparse else matrix)
    ids = data.draw(st.lists(st.integers(0, len(matrix) - 1), max_size=8))
    expected = np.eye(len(matrix), dtype=np.float32)[np.array(ids, int)] @ matrix
    for asked in (ids, np.array(ids, np.uint8), tuple(ids), [f"w{i}" for i in ids]):
        found = vectors.lookup(asked)
        assert isinstance(found, csr_array) == sparse
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found.toarray() if sparse else found, expected)
    for place, i in enumerate(ids):
        np.testing.assert_array_equal(vectors.lookup(i), expected[place])
        np.testing.assert_array_equal(vectors.lookup(f"w{i}"), expected[place])


def test_ids_of_any_shape_are_looked_up_in_dense_vectors():
    matrix = np.arange(6).reshape(3, 2)
    vectors = make(matrix)
    np.testing.assert_array_equal(vectors.lookup([[0, 2], [1, 1]]), matrix[[[0, 2], [1, 1]]])
    vectors.lookup([0, 1])[:] = 9
    assert vectors["w0"].tolist() == [0, 1]
    with pytest.raises(InputError, match=r"ids in one dimension, .* got an array of shape \(1, 2\)"):
        make(csr_array(matrix)).lookup([[0, 2]])


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("ids", [3, -1, [0, 3], [-1], np.array([2**63], np.uint64), [[0], [7]]])
def test_an_id_outside_the_vocabulary_is_both_kinds_of_error(ids, sparse):
    matrix = np.ones((3, 2))
    vectors = make(csr_array(matrix) if sparse else matrix)
    with pytest.raises(UnknownIdError, match=r"word id -?\d+ is outside \[0, 3\)") as caught:
        vectors.lookup(ids)
    assert isinstance(caught.value, IndexError)
    assert isinstance(caught.value, InputError)


@pytest.mark.parametrize("words", ["cow", ["w0", "cow"], np.array(["cow"])])
def test_looking_up_an_unknown_word_is_both_kinds_of_error(words):
    with pytest.raises(UnknownWordError, match="'cow' is not among the 2 words") as caught:
        make(np.ones((2, 2))).lookup(words)
    assert isinstance(caught.value, KeyError)


@pytest.mark.parametrize("ids", [[0.0, 1.0], [True, False], [0, "w0"], None])
def test_what_is_neither_ids_nor_words_cannot_be_looked_up(ids):
    with pytest.raises(InputError, match="lookup: expected integers or words"):
        make(np.ones((2, 2))).lookup(ids)


# --- analogies ----------------------------------------------------------------------------------------


def plain_analogy(matrix, question, method, *, mapped, keep):
    """Return {word id: score} by a loop over the candidates (Levy & Goldberg, CoNLL 2014)."""
    unit = {i: row / np.linalg.norm(row) for i, row in enumerate(matrix.astype(np.float64)) if row.any()}
    a, a_star, b = (unit[i] for i in question)
    scores = {}
    for i, x in unit.items():
        if i in question and not keep:
            continue
        to_a, to_a_star, to_b = ((x @ y + mapped) / (1 + mapped) for y in (a, a_star, b))
        if method == "add":
            scores[i] = x @ a_star - x @ a + x @ b
        elif method == "mul":
            scores[i] = to_a_star * to_b / (to_a + 0.001)
        else:
            lengths = np.linalg.norm(x - b) * np.linalg.norm(a_star - a)
            scores[i] = (x - b) @ (a_star - a) / lengths if lengths > 1e-6 else 0.0
    return scores


@pytest.mark.parametrize("method", ["add", "mul", "pairdirection"])
@pytest.mark.parametrize("inputs", ["exclude", "keep"])
@given(matrix=small_matrices, sparse=st.booleans(), n=st.integers(1, 15), data=st.data())
def test_an_analogy_equals_a_plain_loop(method, inputs, matrix, sparse, n, data):
    matrix = np.abs(matrix) if sparse else matrix
    vectors = make(csr_array(matrix) if sparse else matrix)
    words = np.flatnonzero(matrix.any(axis=1)).tolist()
    if not words:
        return
    question = data.draw(st.tuples(*[st.sampled_from(words)] * 3))
    expected = plain_analogy(matrix, question, method, mapped=not sparse, keep=inputs == "keep")
    found = vectors.analogy(*(f"w{i}" for i in question), n, method=method, inputs=inputs, threads=1)
    assert len(found) == min(n, len(expected))
    best = sorted(expected.values(), reverse=True)[: len(found)]
    assert [score for _, score in found] == pytest.approx(best, rel=1e-3, abs=2e-3)
    for word, score in found:
        assert score == pytest.approx(expected[int(word[1:])], rel=1e-3, abs=2e-3)
    for (first, score1), (second, score2) in pairwise(found):
        assert score1 > score2 or int(first[1:]) < int(second[1:])


def test_kept_inputs_may_answer():
    vectors = make(np.array([[1, 0], [1, 0.1], [0, 1], [0.1, 1]]), ["man", "king", "woman", "queen"])
    assert [word for word, _ in vectors.analogy("man", "king", "woman")] == ["queen"]
    kept = [word for word, _ in vectors.analogy("man", "king", "woman", 2, inputs="keep")]
    assert kept == ["woman", "queen"]


def test_a_question_that_cannot_be_asked_is_refused():
    vectors = make(np.array([[1.0, 0], [0, 0]]))
    with pytest.raises(InputError, match="the vector of 'w1' is zero"):
        vectors.analogy("w0", "w0", "w1")
    with pytest.raises(UnknownWordError):
        vectors.analogy("w0", "cow", "w0")
    for option, choices in (("method", "add, mul, pairdirection"), ("inputs", "exclude, keep")):
        with pytest.raises(InputError, match=f"{option}: expected one of {choices}, got 'x'"):
            vectors.analogy("w0", "w0", "w0", **{option: "x"})
    with pytest.raises(InputError, match="n: expected an integer of at least 1"):
        vectors.analogy("w0", "w0", "w0", 0)
