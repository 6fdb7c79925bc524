import json
import math
from itertools import combinations
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact.errors import InputError, UnknownWordError
from pmifact.evaluation import WordLists, bias, evaluate_bias, probe_analogy, read_word_lists
from pmifact.evaluation.word_lists import OWN_LISTS, TESTS
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

TEST = ("x", "y", "a", "b")


def make(matrix, words=None):
    words = words or [f"w{i}" for i in range(matrix.shape[0])]
    return WordVectors(Vocabulary(tuple(words), np.ones(len(words), np.int64)), matrix)


def plain_weat(vectors, lists):
    """Caliskan, Bryson & Narayanan (2017), word by word: the effect size, and p over all splits."""

    def cosine(first, second):
        return float(first @ second) / math.sqrt(float(first @ first) * float(second @ second))

    def association(word):
        vector = vectors[word].astype(float)
        a, b = ([cosine(vector, vectors[other].astype(float)) for other in lists[name]] for name in "ab")
        return sum(a) / len(a) - sum(b) / len(b)

    s = {word: association(word) for word in (*lists["x"], *lists["y"])}
    mean = sum(s.values()) / len(s)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in s.values()) / (len(s) - 1))
    of_x, of_y = (sum(s[word] for word in lists[name]) / len(lists[name]) for name in "xy")
    statistic = sum(s[word] for word in lists["x"]) - sum(s[word] for word in lists["y"])
    larger, splits = 0, 0
    for chosen in combinations(s, len(lists["x"])):
        difference = sum(s[word] if word in chosen else -s[word] for word in s)
        larger += difference > statistic + 1e-9
        splits += 1
    return (of_x - of_y) / deviation if deviation > 1e-9 else math.nan, larger / splits, splits


@given(st.integers(2, 4), st.integers(2, 4), st.integers(1, 3), st.integers(1, 3), st.booleans(), st.data())
def test_the_weat_equals_a_plain_computation(nx, ny, na, nb, sparse, data):
    sizes = (nx, ny, na, nb)
    draw = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    # A few whole numbers, so that equal associations are common.
    matrix = draw.integers(-2, 3, (sum(sizes), 3)) + np.array([0, 0, 3])
    vectors = make(csr_array(matrix) if sparse else matrix)
    ends = np.cumsum([0, *sizes])
    words = vectors.vocabulary.words
    lists = {name: words[ends[at] : ends[at + 1]] for at, name in enumerate(TEST)}
    effect, p, splits = plain_weat(vectors, lists)
    if math.isnan(effect):
        with pytest.raises(InputError, match="no test can be scored"):
            evaluate_bias(vectors, WordLists("drawn", lists), tests=[TEST])
        return
    with patch.object(bias, "_NUMBERS_AT_ONCE", 7):  # blocks of a split or a few
        (row,) = evaluate_bias(vectors, WordLists("drawn", lists), tests=[TEST]).to_dict("records")
    assert row["effect"] == pytest.approx(effect, abs=1e-9)
    assert row["p"] == pytest.approx(p, abs=1e-12)
    assert (row["splits"], row["exact"]) == (splits, True)
    assert (row["covered"], row["total"], row["missing"]) == (sum(sizes), sum(sizes), "")


def planted(size=8, noise=0.3):
    """X near A, Y near B."""
    draw = np.random.default_rng(0)
    poles = np.repeat([[1.0, 0], [0, 1.0]] * 2, size, axis=0)
    vectors = make(np.hstack([poles + noise * draw.random(poles.shape), np.full((4 * size, 1), 0.5)]))
    words = vectors.vocabulary.words
    return vectors, {name: words[at * size : (at + 1) * size] for at, name in enumerate(TEST)}


def test_random_splits_come_near_to_all_splits():
    vectors, lists = planted(6, noise=4)
    lists = {**lists, "x": (*lists["x"][:5], lists["y"][0]), "y": (lists["x"][5], *lists["y"][1:])}
    everything = evaluate_bias(vectors, WordLists("p", lists), tests=[TEST]).iloc[0]
    assert (everything["splits"], everything["exact"]) == (math.comb(12, 6), True)
    drawn = evaluate_bias(vectors, WordLists("p", lists), tests=[TEST], permutations=900, seed=1).iloc[0]
    assert (drawn["splits"], drawn["exact"]) == (900, False)
    assert drawn["effect"] == everything["effect"]
    assert drawn["p"] == pytest.approx(everything["p"], abs=0.05)
    assert drawn["p"] * 901 == pytest.approx(round(drawn["p"] * 901))
    again = [
        evaluate_bias(vectors, WordLists("p", lists), tests=[TEST], permutations=900, seed=seed)["p"][0]
        for seed in (1, 2)
    ]
    assert again[0] == drawn["p"] != again[1]
    assert math.isnan(evaluate_bias(vectors, WordLists("p", lists), tests=[TEST], permutations=0)["p"][0])


def test_a_planted_association_is_found_and_its_opposite_too():
    vectors, lists = planted()
    found = evaluate_bias(vectors, WordLists("p", lists), tests=[TEST, ("x", "y", "b", "a")])
    assert found["effect"][0] > 1.5
    assert found["effect"][1] == pytest.approx(-found["effect"][0])
    assert found["p"].tolist() == [0, pytest.approx(1 - 1 / math.comb(16, 8))]


def test_words_without_a_vector_are_counted_and_named():
    vectors, lists = planted()
    matrix = vectors.matrix.copy()
    matrix[1] = 0
    lists = {**lists, "x": (*lists["x"], "Cow"), "a": ("W16", "ox", *lists["a"][1:])}
    row = evaluate_bias(make(matrix), WordLists("p", lists), tests=[TEST], model="m").iloc[0]
    assert row["missing"] == "w1 Cow ox"
    assert (row["covered"], row["total"]) == (31, 34)
    kept = {**lists, "x": ("w0", *lists["x"][2:8]), "a": ("w16", *lists["a"][2:])}
    assert row["effect"] == pytest.approx(plain_weat(vectors, kept)[0])
    exact = evaluate_bias(make(matrix), WordLists("p", lists), tests=[TEST], case="exact").iloc[0]
    assert exact["missing"] == "w1 Cow W16 ox"


def test_a_test_with_too_few_words_is_not_scored():
    vectors, lists = planted()
    lists = WordLists("p", {**lists, "one": ("w0", "cow"), "none": ("cow",)})
    rows = evaluate_bias(vectors, lists, tests=[TEST, ("one", "y", "a", "b"), ("x", "y", "a", "none")])
    assert rows["effect"].isna().tolist() == [False, True, True]
    assert rows["p"].isna().tolist() == [False, True, True]
    assert rows["splits"].tolist()[1:] == [0, 0]
    with pytest.raises(InputError, match=r"p: no test can be scored: .* in m \(32 words\)"):
        evaluate_bias(vectors, lists, tests=[("one", "y", "a", "b")], model="m")


@pytest.mark.parametrize(
    ("tests", "fault"),
    [
        ([("x", "y", "a")], "expected the names of four lists"),
        ([("x", "y", "a", "z")], "p: there is no list 'z'; there are x, y, a, b"),
        ([("x", "x", "a", "b")], "p: 'w0' is in x and in x, the two targets"),
        ((), "p: no test is known for the lists x, y, a, b"),
    ],
)
def test_tests_that_cannot_be_are_refused(tests, fault):
    vectors, lists = planted()
    with pytest.raises(InputError, match=fault):
        evaluate_bias(vectors, WordLists("p", lists), tests=tests)


# --- word lists ---------------------------------------------------------------------------------------


def test_the_lists_of_wefe_hold_the_ten_tests_of_caliskan(shared_data):
    lists = read_word_lists(shared_data / "bias/wefe_WEAT.json")
    assert lists.name == "wefe_WEAT"
    assert lists.known_tests == TESTS[3:]
    assert lists.lists["flowers"][:2] == ("aster", "clover")
    assert set(lists.lists) == {title for test in TESTS[3:] for title in test}


def test_our_own_lists_hold_our_own_tests():
    assert OWN_LISTS.known_tests == TESTS[:3]
    assert {len(words) for words in OWN_LISTS.lists.values()} == {8}


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{", "expected JSON, got something else: Expecting"),
        ("[1]", "expected an object of lists of words, .* got list"),
        ('{"x": "abc"}', "expected an object of lists of words, .* got str under 'x'"),
        ('{"x": ["a", 3]}', "list 'x': expected words"),
        ('{"x": ["a", ""]}', "list 'x': expected words"),
        ('{"x": []}', "list 'x' is empty"),
        ('{"x": ["a", "b", "a"]}', "list 'x' holds the word 'a' twice"),
        ('{"x": ["a"], "x": ["b"]}', "the name 'x' twice"),
        ('{"x": [NaN]}', "expected JSON, got NaN"),
        ("[" * 100_000, "expected JSON"),
    ],
)
def test_files_that_are_no_word_lists_are_refused(tmp_path, content, fault):
    path = tmp_path / "lists.json"
    path.write_text(content)
    with pytest.raises(InputError, match=fault) as caught:
        read_word_lists(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_faults_are_told_with_where_the_lists_are_from(tmp_path):
    vectors, lists = planted()
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(lists))
    with pytest.raises(InputError, match=f"^{path}: there is no list 'z'"):
        evaluate_bias(vectors, path, tests=[("x", "y", "a", "z")])
    with pytest.raises(InputError, match=r"^the lists of pmifact: there is no list 'z'"):
        evaluate_bias(vectors, OWN_LISTS, tests=[("men", "women", "work", "z")])


def test_files_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"absent.json: expected readable word lists, got No such file"):
        read_word_lists(tmp_path / "absent.json")
    (tmp_path / "latin.json").write_bytes(json.dumps({"x": ["a"]}).encode() + b"\xff")
    with pytest.raises(InputError, match=r"latin.json: expected UTF-8"):
        read_word_lists(tmp_path / "latin.json")


# --- the probe ----------------------------------------------------------------------------------------


def test_the_probe_stands_beside_the_plain_neighbors():
    words = ["man", "woman", "doctor", "nurse", "car"]
    matrix = np.array([[1, 0, 0.2], [0, 1, 0.2], [0.3, 0.3, 1], [0.2, 0.6, 1], [0, 0.1, 0.1]])
    vectors = make(matrix, words)
    found = probe_analogy(vectors, "man", "woman", "doctor", 2, model="m")
    assert list(found.columns) == ["model", "task", "a", "a_star", "b", "way", "rank", "word", "score"]
    for way, expected in (
        ("inputs excluded", vectors.analogy("man", "woman", "doctor", 2)),
        ("inputs kept", vectors.analogy("man", "woman", "doctor", 2, inputs="keep")),
        ("neighbors", vectors.nearest("doctor", 2)),
    ):
        rows = found[found["way"] == way]
        assert list(zip(rows["word"], rows["score"], strict=True)) == expected
        assert rows["rank"].tolist() == [1, 2]
    with pytest.raises(UnknownWordError):
        probe_analogy(vectors, "man", "woman", "surgeon")
