import math
from unittest.mock import patch

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, evaluate_analogy, read_analogy, search
from pmifact.evaluation.analogy import answer_set
from pmifact.evaluation.tables import COLUMNS
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary


def make(matrix, words=None):
    words = words or [f"w{i}" for i in range(matrix.shape[0])]
    return WordVectors(Vocabulary(tuple(words), np.ones(len(words), np.int64)), matrix)


def plain_loop(words, matrix, question, *, method, case, restrict_vocab, raw):
    """One question by the words of the specification: (answer or None, covered); float32 throughout."""
    words = words[:restrict_vocab]
    rows = {word: row for word, row in zip(words, matrix, strict=False) if row.any()}
    found = []
    for word in question:
        word = word.lower() if case == "fold" and word not in words else word
        if word not in rows:
            return None, False
        found.append(word)
    a, a_star, b, _ = found

    def cosine(x, y):
        c = np.float32(rows[x] @ rows[y] / np.linalg.norm(rows[x]) / np.linalg.norm(rows[y]))
        return c if method == "add" or raw else (c + np.float32(1)) / np.float32(2)

    best, answer = -math.inf, None
    for x in rows:
        if x in (a, a_star, b):
            continue
        if method == "add":
            score = cosine(x, a_star) - cosine(x, a) + cosine(x, b)
        else:
            score = cosine(x, a_star) * cosine(x, b) / (cosine(x, a) + np.float32(0.001))
        if score > best:
            best, answer = score, x
    return answer, True


# Rows whose cosines are multiples of 1/4, so that every sum is exact in float32 and ties are real ones.
signed_rows = st.one_of(
    st.integers(0, 3).map(lambda i: np.eye(4)[i]),
    st.lists(st.sampled_from([-0.5, 0.5]), min_size=4, max_size=4).map(np.array),
    st.just(np.zeros(4)),
)
rows_of_length = st.tuples(signed_rows, st.sampled_from([0.25, 1.0, 2.0**40])).map(
    lambda pair: pair[0] * pair[1]
)
VOCABULARY = ["cat", "Dog", "dog", "fish", "SUN", "moon", "a", "b", "c", "d", "e"]
asked_words = st.sampled_from([*VOCABULARY, "Cat", "FISH", "sun", "cow"])


@given(
    matrix=st.lists(rows_of_length, min_size=11, max_size=11).map(np.array),
    questions=st.lists(st.tuples(*4 * [asked_words]), min_size=1, max_size=12),
    method=st.sampled_from(["add", "mul"]),
    case=st.sampled_from(["fold", "exact"]),
    restrict_vocab=st.sampled_from([None, 1, 5, 9, 100]),
    kind=st.sampled_from(["dense", "sparse", "sparse not negative"]),
    blocks=st.sampled_from([(1, 1), (2, 3), (5, 4), (4096, 2048)]),
)
def test_answers_equal_a_plain_loop(matrix, questions, method, case, restrict_vocab, kind, blocks):
    matrix = abs(matrix) if kind == "sparse not negative" else matrix
    vectors = make(matrix if kind == "dense" else csr_array(matrix), VOCABULARY)
    options = {"method": method, "case": case, "restrict_vocab": restrict_vocab}
    gold = AnalogySet("toy", tuple(questions), ("",) * len(questions))
    with patch.object(search, "_QUESTIONS", blocks[0]), patch.object(search, "_CANDIDATES", blocks[1]):
        result = answer_set(vectors, gold, **options, threads=2)
    raw = kind != "dense" and matrix.min() >= 0
    for i, question in enumerate(questions):
        answer, covered = plain_loop(VOCABULARY, matrix, question, **options, raw=raw)
        assert result.covered[i] == covered
        assert result.answers[i] == (-1 if answer is None else VOCABULARY.index(answer))
        if covered:
            written = question[3] in VOCABULARY[:restrict_vocab]
            assert result.correct[i] == (answer == (question[3] if written else question[3].lower()))
        else:
            assert not result.correct[i]


@pytest.mark.parametrize("method", ["add", "mul"])
@pytest.mark.parametrize("sparse", [False, True])
def test_thousands_of_words_and_questions_equal_one_dense_product(method, sparse):
    rng = np.random.default_rng(1)
    matrix = rng.standard_normal((2_500, 20))
    if sparse:
        matrix = np.maximum(matrix - 0.5, 0)
    vectors = make(csr_array(matrix.astype(np.float32)) if sparse else matrix)
    ids = rng.integers(0, 2_000, (4_200, 3))
    answers = {
        threads: search.answer_questions(vectors, ids, method=method, limit=2_300, threads=threads)
        for threads in (1, 2, 4)
    }
    assert np.array_equal(answers[1], answers[2])
    assert np.array_equal(answers[1], answers[4])

    matrix = matrix[:2_300]
    unit = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-300)
    cosines = unit @ unit.T
    if method == "mul" and not sparse:
        cosines = (cosines + 1) / 2
    a, a_star, b = (cosines[ids[:, i]] for i in range(3))
    scores = a_star - a + b if method == "add" else a_star * b / (a + 0.001)
    scores[:, ~matrix.any(axis=1)] = -np.inf
    np.put_along_axis(scores, ids, -np.inf, axis=1)
    each = np.arange(len(ids))
    # Where the best two are closer than float32 can tell, either may win.
    np.testing.assert_allclose(scores[each, answers[1]], scores.max(axis=1), rtol=1e-5)
    assert np.mean(answers[1] == scores.argmax(axis=1)) > 0.99


def test_a_question_without_candidates_has_no_answer():
    vectors = make(np.eye(3))
    assert search.answer_questions(vectors, np.array([[0, 1, 2]])).tolist() == [-1]
    assert search.answer_questions(vectors, np.empty((0, 3), np.int64)).tolist() == []


@pytest.mark.parametrize("method", ["add", "mul"])
def test_a_word_without_a_vector_is_no_answer(method):
    # The cosines 0 of the zero row would beat those of the only other candidate.
    vectors = make(np.array([[0, 0], [1, 0], [-1, 0], [0, -1], [2, 1]], np.float32))
    assert search.answer_questions(vectors, np.array([[1, 2, 3]]), method=method).tolist() == [4]


def test_equal_candidates_are_answered_by_the_first_across_blocks():
    matrix = np.tile(np.array([1.0, 1.0], np.float32), (5_000, 1))
    matrix[[7, 4_999, 4_998]] = [[1, 0], [0, 1], [1, 0]]
    found = search.answer_questions(make(matrix), np.array([[7, 4_999, 4_998], [0, 1, 2]]), threads=2)
    assert found.tolist() == [0, 3]


def test_progress_counts_to_the_end():
    seen = []
    vectors = make(np.random.default_rng(0).standard_normal((5_000, 2)))
    search.answer_questions(
        vectors,
        np.zeros((9_000, 3), np.int64),
        threads=2,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(i, 9) for i in range(1, 10)]


SQUARE = {"man": [1, 0, 0], "woman": [1, 1, 0], "king": [1, 0, 1], "queen": [1, 1, 1], "zero": [0, 0, 0]}
RIGHT = ("man", "woman", "king", "queen")
WRONG = ("man", "woman", "king", "man")
OPEN = ("man", "woman", "king", "emperor")


def square():
    return make(np.array(list(SQUARE.values()), np.float32), list(SQUARE))


def gold_of(**sections):
    pairs = [(question, name) for name, questions in sections.items() for question in questions]
    return AnalogySet("toy", tuple(q for q, _ in pairs), tuple(name for _, name in pairs))


@pytest.mark.parametrize("method", ["add", "mul"])
@pytest.mark.parametrize("oov", ["skip", "zero"])
def test_sections_and_subtotals(method, oov):
    gold = gold_of(
        family=[RIGHT, RIGHT, WRONG, OPEN], gram1=[RIGHT, WRONG, WRONG, WRONG], unknown=[OPEN], gram2=[WRONG]
    )
    table = evaluate_analogy(square(), gold, oov=oov, method=method, model="m")
    assert tuple(table.columns) == COLUMNS
    assert set(table.task) == {"analogy"}
    assert set(table.dataset) == {"toy"}
    assert set(table.model) == {"m"}
    assert set(table.method) == {method}
    assert table[["low", "high"]].isna().all(axis=None)
    family = 2 / 3 if oov == "skip" else 2 / 4
    expected = {
        "all": (3 / 8 if oov == "skip" else 3 / 10, 8, 10),
        "macro": ((family + 1 / 4 + 0) / 3 if oov == "skip" else (family + 1 / 4 + 0 + 0) / 4, 8, 10),
        "semantic": (family if oov == "skip" else 2 / 5, 3, 5),
        "syntactic": (1 / 5, 5, 5),
        "family": (family, 3, 4),
        "gram1": (1 / 4, 4, 4),
        "unknown": (math.nan if oov == "skip" else 0, 0, 1),
        "gram2": (0, 1, 1),
    }
    assert list(table.section) == list(expected)
    for row, (score, covered, total) in zip(table.itertuples(), expected.values(), strict=True):
        assert row.score == pytest.approx(score, nan_ok=True)
        assert (row.covered, row.total) == (covered, total)
    assert table.covered.dtype == table.total.dtype == np.int64


def test_rows_of_sets_with_few_sections():
    def sections(**by_name):
        return list(evaluate_analogy(square(), gold_of(**by_name)).section)

    assert sections(**{"": [RIGHT]}) == ["all"]
    assert sections(family=[RIGHT]) == ["all", "family"]
    assert sections(family=[RIGHT], city=[OPEN]) == ["all", "macro", "family", "city"]
    assert sections(gram1=[RIGHT]) == ["all", "syntactic", "gram1"]
    assert sections(gram2=[RIGHT], gram1=[RIGHT]) == ["all", "macro", "syntactic", "gram2", "gram1"]


def test_a_path_is_read(tmp_path):
    path = tmp_path / "my-questions.txt"
    path.write_text(": family\nMan Woman King Queen\nMan Woman Zero Queen\n")
    for gold in (path, str(path)):
        table = evaluate_analogy(square(), gold)
        assert table.loc[0, ["dataset", "section", "score", "covered", "total"]].tolist() == [
            "my-questions",
            "all",
            1.0,
            1,
            2,
        ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"case": "exact"},
            r"none of the 1 questions of toy has vectors for all four words in m \(5 words\)",
        ),
        ({"case": "exact", "oov": "zero"}, "none of the 1 questions"),
        ({"restrict_vocab": 3}, r"none of the 1 questions of toy .* in m \(3 words\); check"),
        ({"restrict_vocab": 0}, "restrict_vocab: expected an integer of at least 1"),
        ({"threads": 0}, "threads: expected an integer of at least 1"),
        ({"method": "cosine"}, "method: expected one of add, mul, got 'cosine'"),
        ({"oov": "other"}, "oov: expected one of skip, zero"),
        ({"case": "other"}, "case: expected one of fold, exact"),
    ],
)
def test_what_cannot_be_scored_is_one_sentence(options, said):
    gold = gold_of(family=[("Man", "Woman", "King", "Queen")])
    with pytest.raises(InputError, match=said):
        evaluate_analogy(square(), gold, model="m", **options)


@pytest.mark.parametrize("restrict_vocab", [None, 700])
@pytest.mark.parametrize("oov", ["skip", "zero"])
def test_gensim_gives_the_same_answers_on_google(shared_data, oov, restrict_vocab):
    path = shared_data / "analogy" / "questions-words.txt"
    gold = read_analogy(path)
    rng = np.random.default_rng(3)
    names = list(dict.fromkeys(word.lower() for question in gold.questions for word in question))
    # A pair's difference is shared within a section, so that a good part of the answers is right.
    step = {name: rng.standard_normal(30) for name in gold.section_names}
    place = {word: rng.standard_normal(30) for word in names}
    for (a, a_star, _, _), section in zip(gold.questions, gold.sections, strict=True):
        place[a_star.lower()] = place[a.lower()] + step[section] + 1.2 * rng.standard_normal(30)
    words = [word for word in names if rng.random() < 0.95]
    matrix = np.array([place[word] for word in words], np.float32)
    keyed = KeyedVectors(30)
    keyed.add_vectors(words, matrix)
    _, sections = keyed.evaluate_word_analogies(
        str(path), restrict_vocab=restrict_vocab or len(words), dummy4unknown=oov == "zero"
    )
    table = evaluate_analogy(make(matrix, words), gold, oov=oov, restrict_vocab=restrict_vocab)
    ours = table.set_index("section")
    assert 0.1 < ours.score["all"] < 0.9
    for section in sections:
        name = "all" if section["section"] == "Total accuracy" else section["section"]
        answered = len(section["correct"]) + len(section["incorrect"])
        assert answered == ours.loc[name, "covered" if oov == "skip" else "total"]
        if answered:
            assert ours.score[name] == pytest.approx(len(section["correct"]) / answered, abs=1e-12)
