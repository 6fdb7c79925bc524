"""Numbering of tokens; `test_corpus` compares it with the plain encoder through all options."""

import random

import numpy as np
import pytest

from pmifact.errors import InputError
from pmifact.text import numbering
from pmifact.text.numbering import Numbering
from pmifact.vocabulary import Vocabulary


def numbered(sentences, fold=None):
    numbers = Numbering(fold)
    for number, sentence in enumerate(sentences, 1):
        numbers.add(sentence, "line ", number)
        numbers.end_sentence()
    return numbers


def test_sentences_without_tokens_are_dropped():
    assert numbered([[], ["a", "b"], [], ["a"], []]).sentence_starts().tolist() == [0, 2, 3]


def test_the_rest_is_out_of_vocabulary():
    sentences = [["c", "b", "a", "b", "c", "d"]]
    vocabulary, token_ids = numbered(sentences).choose(min_count=2, max_vocab=None)
    assert vocabulary == Vocabulary(("b", "c"), np.array([2, 2]))
    assert token_ids.tolist() == [1, 0, -1, 0, 1, -1]
    vocabulary, token_ids = numbered(sentences).look_up(Vocabulary(("d", "x"), np.array([7, 7])))
    assert vocabulary == Vocabulary(("d", "x"), np.array([1, 0]))
    assert token_ids.tolist() == [-1, -1, -1, -1, -1, 0]


def test_a_fold_is_called_for_each_type_only():
    seen = []

    def fold(token):
        seen.append(token)
        return token.lower()

    numbers = Numbering(fold)
    for _ in range(100):
        numbers.add(["a", "A", "b"], "line ", 1)
    vocabulary, token_ids = numbers.choose(min_count=1, max_vocab=None)
    assert len(seen) <= 6
    assert vocabulary == Vocabulary(("a", "b"), np.array([200, 100]))
    assert token_ids.tolist() == [0, 0, 1] * 100


def test_small_blocks_count_and_renumber_the_same(monkeypatch):
    shuffler = random.Random(5)
    tokens = shuffler.choices("abcABCd", k=1_000)
    whole, blocks = Numbering(str.lower), Numbering(str.lower)
    whole.add(tokens, "line ", 1)
    blocks.add(tokens, "line ", 1)
    expected, expected_ids = whole.choose(min_count=1, max_vocab=3)
    monkeypatch.setattr(numbering, "_BLOCK", 7)
    vocabulary, token_ids = blocks.choose(min_count=1, max_vocab=3)
    assert vocabulary == expected
    assert np.array_equal(token_ids, expected_ids)


def test_every_new_token_of_a_sentence_is_checked():
    for place in range(3):
        tokens = ["a", "b", "c"]
        tokens[place] = "x y"
        with pytest.raises(InputError, match="line 7: the token 'x y' holds white space"):
            Numbering().add(tokens, "line ", 7)


def test_the_most_frequent_word_is_named_when_none_reaches_min_count():
    with pytest.raises(
        InputError, match="no word occurs 1,000 times; the most frequent, 'a', occurs 2 times"
    ):
        numbered([["b", "a", "B", "a"]], str.lower).choose(min_count=1_000, max_vocab=None)
