"""3CosAvg and LRCos against plain loops."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, PairSet, evaluate_analogy
from pmifact.evaluation.analogy import answer_set
from pmifact.evaluation.ways import AnalogyOptions
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary


def planted(rng, pairs=8, dimensions=12, others=40):
    """Words b0... with answers near b + a common offset, and words that have no part in it."""
    sources = rng.standard_normal((pairs, dimensions))
    offset = 2 * rng.standard_normal(dimensions)
    targets = sources + offset + 0.3 * rng.standard_normal((pairs, dimensions))
    twins = sources + offset + 0.5 * rng.standard_normal((pairs, dimensions))
    words = [f"{kind}{i}" for kind in ("b", "t", "u") for i in range(pairs)] + [
        f"o{i}" for i in range(others)
    ]
    matrix = np.vstack([sources, targets, twins, rng.standard_normal((others, dimensions))])
    order = rng.permutation(len(words))
    gold = PairSet(
        "toy",
        (
            *((f"b{i}", (f"t{i}", "absent", f"u{i}")) for i in range(pairs)),
            ("absent", ("t0",)),
            ("o1", ("o2",)),
        ),
        (*("first", "second") * (pairs // 2), "first", "alone"),
    )
    return WordVectors(
        Vocabulary(tuple(words[i] for i in order), np.ones(len(words), np.int64)),
        matrix[order].astype(np.float32),
    ), gold


def rows_of(vectors):
    matrix = vectors.matrix.toarray() if isinstance(vectors.matrix, csr_array) else vectors.matrix
    unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    return dict(zip(vectors.vocabulary.words, unit.astype(np.float64), strict=True))


def covered_pairs(gold, rows, section):
    found = [
        (word, [answer for answer in answers if answer in rows])
        for (word, answers), name in zip(gold.pairs, gold.sections, strict=True)
        if name == section and word in rows
    ]
    return [pair for pair in found if pair[1]]


def average(rows, pairs, left_out):
    others = pairs[:left_out] + pairs[left_out + 1 :]
    sources = np.mean([rows[word] for word, _ in others], axis=0)
    targets = np.mean([np.mean([rows[t] for t in answers], axis=0) for _, answers in others], axis=0)
    query = rows[pairs[left_out][0]] + targets - sources
    return {x: row @ query / np.linalg.norm(query) for x, row in rows.items()}


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("method", ["avg", "lrcos"])
def test_answers_equal_a_plain_loop(method, sparse, monkeypatch):
    monkeypatch.setattr("pmifact.evaluation.relations.CANDIDATES_AT_ONCE", 7)
    monkeypatch.setattr("pmifact.search.analogies.CANDIDATES_AT_ONCE", 7)
    vectors, gold = planted(np.random.default_rng(1))
    if sparse:
        vectors = WordVectors(vectors.vocabulary, csr_array(np.maximum(vectors.matrix, 0)))
    rows = rows_of(vectors)
    (result,) = answer_set(vectors, gold, AnalogyOptions(method=method, seed=3), top=3, threads=2)
    assert result.covered.tolist() == [True] * 8 + [False, False]
    assert result.correct[8:].tolist() == [False, False]
    words = list(vectors.vocabulary.words)
    for number, section in enumerate(("first", "second")):
        pairs = covered_pairs(gold, rows, section)
        right = sorted({words.index(answer) for _, answers in pairs for answer in answers})
        sources = [words.index(word) for word, _ in pairs]
        others = [i for i in range(len(words)) if i not in right and i not in sources]
        drawn = np.random.default_rng((3, number)).choice(others, len(right), replace=False)
        for left_out, (word, answers) in enumerate(pairs):
            if method == "avg":
                scores = average(rows, pairs, left_out)
            else:
                kept = [pair for pair in pairs if pair[0] != word]
                positive = sorted({words.index(answer) for _, right in kept for answer in right})
                negative = [words.index(word) for word, _ in kept] + drawn.tolist()
                model = LogisticRegression(class_weight="balanced", max_iter=1000).fit(
                    np.array([rows[words[i]] for i in positive + negative]),
                    [1] * len(positive) + [0] * len(negative),
                )
                chances = model.predict_proba(np.array(list(rows.values())))[:, 1]
                scores = {
                    x: chance * (row @ rows[word])
                    for (x, row), chance in zip(rows.items(), chances, strict=True)
                }
            ranking = sorted((x for x in rows if x != word), key=scores.get, reverse=True)
            item = next(i for i, pair in enumerate(gold.pairs) if pair[0] == word)
            assert [words[i] for i in result.answers[item]] == ranking[:3]
            assert result.scores[item] == pytest.approx([scores[x] for x in ranking[:3]], abs=1e-5)
            assert result.correct[item] == (ranking[0] in answers)


@pytest.mark.parametrize("method", ["avg", "lrcos"])
def test_a_common_offset_is_found(method):
    vectors, gold = planted(np.random.default_rng(2), pairs=20, others=200)
    table = evaluate_analogy(vectors, gold, method=method).set_index("section")
    assert table.score["all"] > 0.6
    assert list(table.index) == ["all", "macro", "first", "second", "alone"]
    assert table.covered.tolist() == [20, 20, 10, 10, 0]
    assert table.total.tolist() == [22, 22, 11, 10, 1]
    assert 0 < table.low["all"] < table.score["all"] < table.high["all"] <= 1
    assert np.isnan(table.score["alone"])


def test_questions_are_asked_by_their_pairs():
    vectors, _ = planted(np.random.default_rng(2))
    questions = AnalogySet("toy", (("b0", "t0", "b2", "t2"), ("b2", "t2", "b4", "t4")), ("first", "first"))
    (row, _) = evaluate_analogy(vectors, questions, method="avg").itertuples()
    assert (row.covered, row.total) == (3, 3)


def test_pairs_are_asked_by_their_questions():
    vectors, gold = planted(np.random.default_rng(2))
    table = evaluate_analogy(vectors, gold, method="add").set_index("section")
    assert table.total["first"] == 5 * 4
    assert table.covered["first"] == 4 * 3
    assert table.total["alone"] == 0
    assert table.score["all"] > 0.3


def test_controls_need_single_questions():
    vectors, gold = planted(np.random.default_rng(2))
    with pytest.raises(InputError, match="controls: expected one of the methods add, mul, pairdirection"):
        evaluate_analogy(vectors, gold, method="avg", controls=True)
