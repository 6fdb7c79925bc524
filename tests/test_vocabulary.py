"""The vocabulary: what it refuses, and how words and ids find each other."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmifact.errors import InputError, UnknownIdError, UnknownWordError
from pmifact.vocabulary import Vocabulary

distinct_words = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1), unique=True, max_size=12
)


@given(distinct_words)
def test_words_and_ids_find_each_other(words):
    vocabulary = Vocabulary(tuple(words), np.arange(len(words)))
    assert len(vocabulary) == len(words)
    assert vocabulary.counts.dtype == np.int64
    for word_id, word in enumerate(words):
        assert vocabulary.word_id(word) == word_id
        assert vocabulary.word(word_id) == word
        assert word in vocabulary
    assert vocabulary.fingerprint == hashlib.sha256("\n".join(words).encode()).hexdigest()
    assert vocabulary == Vocabulary(tuple(words), np.arange(len(words)))


def test_fingerprint_is_of_the_words_in_order_alone():
    base = Vocabulary(("a", "b"), np.array([2, 1]))
    assert base.fingerprint == Vocabulary(("a", "b"), np.array([9, 0])).fingerprint
    assert base.fingerprint != Vocabulary(("b", "a"), np.array([2, 1])).fingerprint
    assert base != Vocabulary(("a", "b"), np.array([9, 0]))
    assert base != "a b"


def test_unknown_words_and_ids_are_also_lookup_errors():
    vocabulary = Vocabulary(("a", "b"), np.array([2, 1]))
    with pytest.raises(
        UnknownWordError, match="the word 'c' is not among the 2 words of the vocabulary"
    ) as caught:
        vocabulary.word_id("c")
    assert isinstance(caught.value, KeyError)
    for word_id in (-1, 2):
        with pytest.raises(UnknownIdError, match=rf"word id {word_id} is outside \[0, 2\)") as caught:
            vocabulary.word(word_id)
        assert isinstance(caught.value, IndexError)
    assert "c" not in vocabulary
    assert 3 not in vocabulary


@pytest.mark.parametrize(
    ("words", "counts", "message"),
    [
        (("a", "b", "a"), [1, 1, 1], "the word 'a' stands twice"),
        (("a", ""), [1, 1], "word 1 is empty"),
        (("a", "\ud800"), [1, 1], r"the word '\\ud800' holds a lone surrogate"),
        (("a", "b"), [1, -1], "word 'b' has the negative count -1"),
        (("a", "b"), [1], r"one integer count for each of 2 words, got an array of shape \(1,\)"),
        (("a", "b"), [1.0, 2.0], "dtype float64"),
        (("a", "b"), [[1], [2]], r"shape \(2, 1\)"),
    ],
)
def test_what_is_refused(words, counts, message):
    with pytest.raises(InputError, match=message):
        Vocabulary(words, np.array(counts))


def test_repr_is_short():
    assert repr(Vocabulary(("a", "b"), np.array([1_000, 1]))) == "Vocabulary(2 words, 1,001 tokens)"
    assert repr(Vocabulary(("a",), np.array([1]))) == "Vocabulary(1 word, 1 token)"


def test_an_empty_vocabulary():
    vocabulary = Vocabulary((), np.empty(0))
    assert len(vocabulary) == 0
    assert vocabulary.counts.dtype == np.int64


def test_an_unknown_word_is_told_the_words_spelt_like_it():
    words = ("the", "France", "french", "franc", "frances", "dance", "Zürich", "zurich")
    vocabulary = Vocabulary(words, np.ones(len(words), np.int64))
    assert vocabulary.near_spellings("FRANCE") == ["France"]
    assert vocabulary.near_spellings("frances2", n=1) == ["frances"]
    assert vocabulary.near_spellings("ZÜRICH") == ["Zürich"]
    assert vocabulary.near_spellings("xylophone") == []
    with pytest.raises(UnknownWordError, match=r"of the vocabulary; did you mean 'frances'.*\?$"):
        vocabulary.word_id("francess")
    with pytest.raises(UnknownWordError, match=r"of the vocabulary$"):
        vocabulary.word_id("xylophone")


def test_other_counts_leave_the_words_and_the_first_counts():
    first = Vocabulary(("b", "a"), np.array([2, 1]))
    assert first.index["a"] == 1
    other = first.with_counts(np.array([0, 7], np.int32))
    assert other == Vocabulary(("b", "a"), np.array([0, 7]))
    assert (first.counts.tolist(), other.counts.dtype) == ([2, 1], np.int64)
    assert other.fingerprint == first.fingerprint
    for counts in ([1], [1, -1], [0.5, 1]):
        with pytest.raises(InputError, match="vocabulary: "):
            first.with_counts(np.array(counts))
