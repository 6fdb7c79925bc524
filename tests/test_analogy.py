import math
from unittest.mock import patch

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, analogy_items, evaluate_analogy, read_analogy
from pmifact.evaluation.analogy import answer_set
from pmifact.evaluation.tables import COLUMNS
from pmifact.evaluation.ways import AnalogyOptions
from pmifact.search import analogies as search
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary


def make(matrix, words=None):
    words = words or [f"w{i}" for i in range(matrix.shape[0])]
    return WordVectors(Vocabulary(tuple(words), np.ones(len(words), np.int64)), matrix)


def answer_questions(vectors, questions, method="add", **options):
    return search.best_answers(vectors, questions, rule=search.Rule(method=method), **options)[1][:, 0]


def plain_loop(words, matrix, question, *, method, control, case, restrict_vocab, raw):
    """One question by the words of the specification: (ranking, covered, right); float32 throughout."""
    words = words[:restrict_vocab]
    rows = {word: row for word, row in zip(words, matrix, strict=False) if row.any()}
    found = []
    for word in question:
        word = word.lower() if case == "fold" and word not in words else word
        if word not in rows:
            return [], False, None
        found.append(word)
    if control == "reversed":
        found = [found[1], found[0], found[3], found[2]]
    a, a_star, b, right = found
    two = np.float32(2)

    def cosine(x, y):
        c = np.float32(rows[x] @ rows[y] / np.linalg.norm(rows[x]) / np.linalg.norm(rows[y]))
        return c if method != "mul" or control in ("only-b", "ignore-a") or raw else (c + 1) / two

    def score(x):
        if control == "only-b":
            return cosine(x, b)
        if control == "ignore-a":
            return cosine(x, a_star) + cosine(x, b)
        if method == "add":
            return cosine(x, a_star) - cosine(x, a) + cosine(x, b)
        if method == "mul":
            return cosine(x, a_star) * cosine(x, b) / (cosine(x, a) + np.float32(0.001))
        along = cosine(x, a_star) - cosine(x, a) - (cosine(b, a_star) - cosine(b, a))
        apart = np.sqrt(two - two * cosine(x, b))
        return along / apart if apart else np.float32(0)

    candidates = [x for x in rows if control == "inputs-kept" or x not in (a, a_star, b)]
    return sorted(candidates, key=score, reverse=True), True, right


# Rows whose cosines are multiples of 1/4, so that every sum is exact in float32 and ties are real ones.
signed_rows = st.one_of(
    st.integers(0, 3).map(lambda i: np.eye(4)[i]),
    st.lists(st.sampled_from([-0.5, 0.5]), min_size=4, max_size=4).map(np.array),
)
rows_of_length = st.tuples(signed_rows, st.sampled_from([0.25, 1.0, 2.0**40])).map(
    lambda pair: pair[0] * pair[1]
)
VOCABULARY = ["cat", "Dog", "dog", "fish", "SUN", "moon", "a", "b", "c", "d", "e"]
# Most words have a vector, so that most questions are asked.
asked_words = st.sampled_from([*VOCABULARY * 3, "Cat", "FISH", "sun", "cow"])


@given(
    matrix=st.lists(rows_of_length, min_size=11, max_size=11).map(np.array),
    zero=st.sets(st.integers(0, 10), max_size=2),
    questions=st.lists(st.tuples(*4 * [asked_words]), min_size=2, max_size=6),
    method=st.sampled_from(["add", "mul", "pairdirection"]),
    case=st.sampled_from(["fold", "exact"]),
    restrict_vocab=st.sampled_from([None, None, 9, 5, 1, 100]),
    kind=st.sampled_from(["dense", "sparse", "sparse not negative"]),
    blocks=st.sampled_from([(1, 1), (2, 3), (5, 4), (4096, 2048)]),
    top=st.sampled_from([1, 2, 5]),
)
def test_answers_equal_a_plain_loop(matrix, zero, questions, method, case, restrict_vocab, kind, blocks, top):
    matrix[list(zero)] = 0
    matrix = abs(matrix) if kind == "sparse not negative" else matrix
    vectors = make(matrix if kind == "dense" else csr_array(matrix), VOCABULARY)
    options = {"method": method, "case": case, "restrict_vocab": restrict_vocab}
    gold = AnalogySet("toy", tuple(questions), ("",) * len(questions))
    asked = AnalogyOptions(**options, controls=True)
    with (
        patch.object(search, "QUESTIONS_AT_ONCE", blocks[0]),
        patch.object(search, "CANDIDATES_AT_ONCE", blocks[1]),
    ):
        results = list(answer_set(vectors, gold, asked, top=top, threads=2))
    labels = [method, f"{method} inputs-kept", "only-b", "ignore-a", f"{method} reversed"]
    assert [result.method for result in results] == labels
    raw = kind != "dense" and matrix.min() >= 0
    for result, control in zip(results, CONTROLS, strict=True):
        for i, question in enumerate(questions):
            ranking, covered, right = plain_loop(
                VOCABULARY, matrix, question, control=control, raw=raw, **options
            )
            expected = [VOCABULARY.index(word) for word in ranking[:top]]
            assert result.covered[i] == covered
            assert result.answers[i].tolist() == expected + [-1] * (top - len(expected))
            assert result.correct[i] == (ranking[:1] == [right])


CONTROLS = ("", "inputs-kept", "only-b", "ignore-a", "reversed")


@pytest.mark.parametrize("method", ["add", "mul", "pairdirection"])
@pytest.mark.parametrize("sparse", [False, True])
def test_thousands_of_words_and_questions_equal_one_dense_product(method, sparse):
    rng = np.random.default_rng(1)
    matrix = rng.standard_normal((2_500, 20))
    if sparse:
        matrix = np.maximum(matrix - 0.5, 0)
    vectors = make(csr_array(matrix.astype(np.float32)) if sparse else matrix)
    ids = rng.integers(0, 2_000, (4_200, 3))
    answers = {
        threads: answer_questions(vectors, ids, method=method, limit=2_300, threads=threads)
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
    if method == "pairdirection":
        along = a_star - a - np.take_along_axis(a_star - a, ids[:, 2:], axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            scores = np.where(b < 1 - 1e-9, along / np.sqrt(2 - 2 * b), 0)
    else:
        scores = a_star - a + b if method == "add" else a_star * b / (a + 0.001)
    scores[:, ~matrix.any(axis=1)] = -np.inf
    np.put_along_axis(scores, ids, -np.inf, axis=1)
    each = np.arange(len(ids))
    # Where the best two are closer than float32 can tell, either may win.
    np.testing.assert_allclose(scores[each, answers[1]], scores.max(axis=1), rtol=1e-5, atol=1e-6)
    assert np.mean(answers[1] == scores.argmax(axis=1)) > 0.99


def test_a_question_without_candidates_has_no_answer():
    vectors = make(np.eye(3))
    assert answer_questions(vectors, np.array([[0, 1, 2]])).tolist() == [-1]
    assert answer_questions(vectors, np.empty((0, 3), np.int64)).tolist() == []


@pytest.mark.parametrize("method", ["add", "mul"])
def test_a_word_without_a_vector_is_no_answer(method):
    # The cosines 0 of the zero row would beat those of the only other candidate.
    vectors = make(np.array([[0, 0], [1, 0], [-1, 0], [0, -1], [2, 1]], np.float32))
    assert answer_questions(vectors, np.array([[1, 2, 3]]), method=method).tolist() == [4]


def test_equal_candidates_are_answered_by_the_first_across_blocks():
    matrix = np.tile(np.array([1.0, 1.0], np.float32), (5_000, 1))
    matrix[[7, 4_999, 4_998]] = [[1, 0], [0, 1], [1, 0]]
    found = answer_questions(make(matrix), np.array([[7, 4_999, 4_998], [0, 1, 2]]), threads=2)
    assert found.tolist() == [0, 3]


def test_progress_counts_to_the_end():
    seen = []
    vectors = make(np.random.default_rng(0).standard_normal((5_000, 2)))
    answer_questions(
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
        ({"threads": 0}, "threads: expected an integer from 1 to 1024"),
        ({"method": "cosine"}, "method: expected one of add, mul, .*, got 'cosine'"),
        ({"oov": "other"}, "oov: expected one of skip, zero"),
        ({"case": "other"}, "case: expected one of fold, exact"),
    ],
)
def test_what_cannot_be_scored_is_one_sentence(options, said):
    gold = gold_of(family=[("Man", "Woman", "King", "Queen")])
    with pytest.raises(InputError, match=said):
        evaluate_analogy(square(), gold, model="m", **options)


@pytest.mark.parametrize(("oov", "restrict_vocab"), [("skip", 700), ("zero", None)])
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


def test_items_say_what_was_answered():
    vectors = square()
    gold = gold_of(family=[RIGHT, WRONG, OPEN])
    items = analogy_items(vectors, gold, controls=True, model="m", threads=1)
    assert list(items.columns) == [
        *(
            "model",
            "dataset",
            "task",
            "section",
            "method",
            "a",
            "a_star",
            "b",
            "b_star",
            "covered",
            "correct",
        ),
        *(f"{name}{place}" for place in range(1, 6) for name in ("answer", "score")),
    ]
    labels = ["add", "add inputs-kept", "only-b", "ignore-a", "add reversed"]
    assert items.method.tolist() == [label for label in labels for _ in range(3)]
    right, wrong, unknown = items.to_dict("records")[:3]
    assert [right[name] for name in ("model", "dataset", "task", "section")] == [
        *("m", "toy", "analogy", "family")
    ]
    assert [right[name] for name in ("a", "a_star", "b", "b_star")] == list(RIGHT)
    assert (right["covered"], right["correct"], right["answer1"], right["answer2"]) == (
        *(True, True, "queen", ""),
    )
    expected = (2 / math.sqrt(6)) - (1 / math.sqrt(3)) + (2 / math.sqrt(6))
    assert right["score1"] == pytest.approx(expected)
    assert math.isnan(right["score2"])
    assert (wrong["covered"], wrong["correct"], wrong["answer1"]) == (True, False, "queen")
    assert (unknown["covered"], unknown["correct"], unknown["answer1"]) == (False, False, "")
    kept = items[items.method == "add inputs-kept"].iloc[0]
    assert kept.answer4 != ""
    table = evaluate_analogy(vectors, gold, controls=True)
    for label in labels:
        mine = items[(items.method == label) & items.covered]
        scored = table[(table.method == label) & (table.section == "all")]
        assert scored.score.tolist() == [mine.correct.mean()]


def test_the_interval_draws_word_pairs_and_is_wider_for_it():
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(40)]
    matrix = rng.standard_normal((40, 6))
    matrix[20:] = matrix[:20] + [3, 0, 0, 0, 0, 0] + 0.8 * rng.standard_normal((20, 6))
    questions = tuple(
        (words[p], words[20 + p], words[q], words[20 + q]) for p in range(20) for q in range(20) if p != q
    )
    gold = AnalogySet("toy", questions, ("",) * len(questions))
    (row,) = evaluate_analogy(make(matrix, words), gold, seed=2).itertuples()
    assert 0.1 < row.score < 0.9
    assert row.low < row.score < row.high
    assert row.high - row.low > 1.3 * 2 * 1.96 * math.sqrt(row.score * (1 - row.score) / len(questions))
    again, other, none = (
        evaluate_analogy(make(matrix, words), gold, **options)[["low", "high"]].to_numpy()[0]
        for options in ({"seed": 2}, {"seed": 3}, {"resamples": 0})
    )
    assert again.tolist() == [row.low, row.high] != other.tolist()
    assert np.isnan(none).all()
