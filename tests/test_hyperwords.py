"""The rules of hyperwords: each artefact beside the right way, against its published procedure."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact.errors import InputError
from pmifact.evaluation import (
    AnalogySet,
    PairSet,
    SimilaritySet,
    evaluate_analogy,
    evaluate_similarity,
    read_similarity,
)
from pmifact.evaluation.analogy import answer_set
from pmifact.evaluation.ways import AnalogyOptions
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

VOCABULARY = ["cat", "dog", "fish", "sun", "moon", "sea", "zero"]


def make(matrix):
    return WordVectors(Vocabulary(tuple(VOCABULARY), np.ones(len(VOCABULARY), np.int64)), matrix)


def guess(unit, sparse, question, *, method, row_0, zeroed, epsilon):
    """Return the answer to one question: all words in rows, as hyperwords has it, with float32 numbers."""
    known = [VOCABULARY.index(word) if word in VOCABULARY else None for word in question]
    if not row_0 and any(i is None or not unit[i].any() for i in known):
        return None
    a, a_star, b = (unit @ unit[0 if i is None else i] for i in known[:3])
    if not sparse and (method == "mul" or zeroed):
        a, a_star, b = ((cosines + np.float32(1)) / np.float32(2) for cosines in (a, a_star, b))
    scores = a_star - a + b if method == "add" else a_star * b / (a + np.float32(epsilon))
    for i in known[:3]:
        if i is not None:
            scores[i] = 0 if zeroed else -np.inf
    if not zeroed:
        scores[~unit.any(axis=1)] = -np.inf
    return int(scores.argmax()) if scores.max() > -np.inf else None


# Cosines that are multiples of 1/4, so that float32 holds every sum exactly.
rows = st.one_of(
    st.integers(0, 3).map(lambda i: np.eye(4)[i]),
    st.lists(st.sampled_from([-0.5, 0.5]), min_size=4, max_size=4).map(np.array),
)
asked = st.sampled_from([*VOCABULARY * 3, "cow", "Sun"])


@given(
    matrix=st.lists(rows, min_size=7, max_size=7).map(lambda found: np.array(found, np.float32)),
    zero=st.booleans(),
    questions=st.lists(st.tuples(*4 * [asked]), min_size=1, max_size=6),
    method=st.sampled_from(["add", "mul"]),
    sparse=st.booleans(),
)
def test_answers_are_those_of_hyperwords(matrix, zero, questions, method, sparse):
    matrix[-1] *= not zero
    matrix = abs(matrix) if sparse else matrix
    vectors = make(csr_array(matrix) if sparse else matrix)
    gold = AnalogySet("toy", tuple(questions), ("",) * len(questions))
    results = answer_set(vectors, gold, AnalogyOptions(method=method, like="hyperwords", case="exact"))
    found = {result.method: result for result in results}
    rules = {
        method: (False, False, 0.001),
        f"{method} oov-row-0": (True, False, 0.001),
        f"{method} inputs-zero": (False, True, 0.001),
        **({"mul epsilon-0.01": (False, False, 0.01)} if method == "mul" else {}),
        f"{method} hyperwords": (True, True, 0.01),
    }
    assert list(found) == list(rules)
    for label, (row_0, zeroed, epsilon) in rules.items():
        for i, question in enumerate(questions):
            question = tuple(map(str.lower, question)) if label.endswith("hyperwords") else question
            answer = guess(
                matrix, sparse, question, method=method, row_0=row_0, zeroed=zeroed, epsilon=epsilon
            )
            assert found[label].answers[i, 0] == (-1 if answer is None else answer), label
            right = answer is not None and VOCABULARY[answer] == question[3]
            assert found[label].correct[i] == right, label


def test_every_question_counts_where_words_borrow_row_0():
    matrix = np.vstack([np.eye(6), np.zeros(6)]).astype(np.float32)
    gold = AnalogySet("toy", (("cat", "dog", "fish", "sun"), ("cow", "dog", "fish", "moon")), ("", ""))
    table = evaluate_analogy(make(matrix), gold, like="hyperwords").set_index("method")
    assert table.covered.tolist() == [1] * 4
    assert table.total.tolist() == [2] * 4
    # With cat's vector for the unknown word, the second question has the answer sun, too.
    assert table.score.to_dict() == {
        "add": 1.0,
        "add oov-row-0": 0.5,
        "add inputs-zero": 1.0,
        "add hyperwords": 0.5,
    }


def test_similarity_by_the_rules_of_hyperwords(tmp_path):
    path = tmp_path / "toy.txt"
    path.write_text("cat dog 10\nCat fish 9.0\ncat sun 2.5\ncat moon 11\ncow sun 3\n")
    matrix = np.zeros((7, 2), np.float32)
    matrix[:5] = [[1, 0], [5, 1], [4, 1], [1, 1], [6, 1]]
    table = evaluate_similarity(make(matrix), path, like="hyperwords").set_index("method")
    cosines = [5 / 26**0.5, 4 / 17**0.5, 0.5**0.5, 6 / 37**0.5]
    numbers, as_text = [10, 9, 2.5, 11, 3], [0, 4, 2, 1, 3]  # "10" < "11" < "2.5" < "3" < "9.0"

    def rho(scores, cosines):
        return pytest.approx(scipy.stats.spearmanr(scores, cosines).statistic)

    assert table.score.to_dict() == {
        "spearman": rho(numbers[:4], cosines),
        "spearman oov-zero": rho(numbers, [*cosines, 0]),
        "spearman gold-as-text": rho(as_text[:4], cosines),
        "spearman hyperwords": rho(as_text, [*cosines, 0]),
    }
    assert table.covered.tolist() == [4] * 4


def test_men_ranked_as_text_is_another_set(shared_data):
    # The published trap: ranking MEN's scores as texts leaves rho = .36 to the right order of them.
    (path,) = (shared_data / "similarity" / "hyperwords").glob("*[mM][eE][nN]*")
    gold = read_similarity(path)
    as_text = np.unique(gold.texts, return_inverse=True)[1]
    assert scipy.stats.spearmanr(gold.scores, as_text).statistic == pytest.approx(0.36, abs=0.01)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"like": "gensim"}, "like: expected one of hyperwords, got 'gensim'"),
        ({"like": "hyperwords", "method": "avg"}, "its methods, add and mul, got 'avg'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options, said):
    gold = AnalogySet("toy", (("cat", "dog", "fish", "sun"),), ("",))
    with pytest.raises(InputError, match=said):
        evaluate_analogy(make(np.eye(7)), gold, **options)


def test_sets_that_hyperwords_cannot_read_are_refused():
    vectors = make(np.eye(7))
    with pytest.raises(InputError, match="questions of four words, got the pair set toy"):
        evaluate_analogy(vectors, PairSet("toy", (("cat", ("dog",)),) * 2, ("", "")), like="hyperwords")
    gold = SimilaritySet("toy", ("cat", "sun"), ("dog", "sun"), np.array([1.0, 2.0]))
    with pytest.raises(InputError, match="the scores of toy as they are written, got numbers alone"):
        evaluate_similarity(vectors, gold, like="hyperwords")
    with pytest.raises(InputError, match="the text of each of the 2 scores, got 1"):
        SimilaritySet("toy", ("cat", "sun"), ("dog", "sun"), np.array([1.0, 2.0]), ("1",))
    gold = SimilaritySet("toy", ("cat", "sun"), ("dog", "sun"), np.array([1.0, 2.0]), ("1", "2"))
    with pytest.raises(InputError, match="expected the correlation spearman, got 'pearson'"):
        evaluate_similarity(vectors, gold, like="hyperwords", correlation="pearson")
    with pytest.raises(InputError, match="like: expected one of hyperwords"):
        evaluate_similarity(vectors, gold, like="gensim")
