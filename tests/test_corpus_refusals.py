"""Sources, options and arrays that encoding refuses, and what it says of them."""

from pathlib import Path

import numpy as np
import pytest

from pmifact.corpus import EncodedCorpus, EncodeOptions, encode_corpus
from pmifact.errors import InputError
from pmifact.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("missing", "missing: there is no such file or directory; to encode lines of text, give an iterator"),
        (["the cat", "sat"], r"the cat: there is no such file .* as iter\(lines\)"),
        ([], "source: there is nothing in it"),
        (iter([]), "source: there is nothing in it"),
        (b"text", "source: expected paths"),
        (3, "source: expected paths"),
        (None, "source: expected paths"),
        ((path for path in [Path("x")]), "source: to read files give their paths in a list"),
        (iter(["a", ["b"]]), r"source: expected item 2 to be a line \(str\) as the first is, got \['b'\]"),
        (iter(["a", None]), "source: expected item 2 to be a line"),
        ([["a"], "b"], "token list 2: expected a list of tokens, got 'b'"),
        ([None], "token list 1: expected a list of tokens, got None"),
        (iter(["", " \u2028"]), "expected at least one token, got none"),
        ([[], []], "expected at least one token, got none"),
        (iter(["\ud800"]), r"line 1: the token '\\ud800' holds a lone surrogate"),
    ],
)
def test_sources_that_cannot_be_used(source, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        encode_corpus(source, min_count=1)


def test_a_text_without_any_token_is_refused(tmp_path):
    (tmp_path / "x").write_bytes("\ufeff \n\r\n\x85".encode())
    with pytest.raises(InputError, match="x: expected at least one token, got none"):
        encode_corpus(tmp_path)
    for name in ("y", "z", "zz"):
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=r"x, .*y, .*z and 1 more: expected at least one token"):
        encode_corpus(tmp_path, tokenizer=str.split)
    with pytest.raises(InputError, match="expected at least one token, got none"):
        encode_corpus(tmp_path, vocabulary=["a"])


def test_min_count_too_large_names_the_most_frequent_word():
    with pytest.raises(InputError, match="no word occurs 5 times; the most frequent, 'a', occurs 2 times"):
        encode_corpus(iter(["b a b a c"]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tokenizer": "word"}, "tokenizer: expected one of whitespace, words, got 'word'"),
        ({"tokenizer": "cut"}, "tokenizer: expected one of whitespace, words, got 'cut'"),
        ({"tokenizer": 3}, "tokenizer: expected one of whitespace, words or a callable, got 3"),
        ({"normalize": "nfd"}, "normalize: expected one of none, nfc, nfkc, got 'nfd'"),
        ({"boundary": "page"}, "boundary: expected one of line, blank, none, got 'page'"),
        ({"lowercase": "yes"}, "lowercase: expected True or False, got 'yes'"),
        ({"min_count": 0}, "min_count: expected an integer of at least 1, got 0"),
        ({"min_count": 2.5}, "min_count: expected an integer of at least 1, got 2.5"),
        ({"max_vocab": 0}, "max_vocab: expected an integer of at least 1, got 0"),
        ({"encoding": "rot13"}, "encoding: expected the name of a text encoding"),
        ({"errors": "ignore"}, "errors: expected one of strict, replace, got 'ignore'"),
        ({"encoding": "latin-1"}, "encoding: has no effect on lines"),
        ({"errors": "replace"}, "errors: has no effect on lines"),
        ({"vocabulary": ["a"], "max_vocab": 3}, "max_vocab: has no effect on a given vocabulary"),
        ({"vocabulary": []}, "vocabulary: expected at least one word"),
        ({"vocabulary": "abc"}, "vocabulary: expected a Vocabulary or a sequence of words, got 'abc'"),
        ({"vocabulary": {"a", "b"}}, "vocabulary: expected a Vocabulary or a sequence of words"),
        ({"vocabulary": ["a b"]}, "vocabulary: expected words, .* got 'a b'"),
        ({"vocabulary": [3]}, "vocabulary: expected words, .* got 3"),
        ({"vocabulary": ["a", "a"]}, "vocabulary: the word 'a' stands twice"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    with pytest.raises(InputError, match=message):
        encode_corpus(iter(["a b"]), **options)


@pytest.mark.parametrize("options", [{"tokenizer": "words"}, {"tokenizer": str.split}, {"boundary": "none"}])
def test_options_that_do_not_apply_to_token_lists(options):
    with pytest.raises(InputError, match=f"{next(iter(options))}: has no effect on token lists"):
        encode_corpus([["a", "b"]], **options)


def test_options_are_plain_numbers():
    options = EncodeOptions(min_count=np.int64(3), max_vocab=np.int32(2))
    assert type(options.min_count) is type(options.max_vocab) is int
    assert (
        EncodeOptions(tokenizer="python:module.name", given_vocabulary=True).tokenizer == "python:module.name"
    )
    with pytest.raises(InputError, match="tokenizer: expected one of whitespace, words, cut, got 'other'"):
        EncodeOptions(tokenizer="other")


@pytest.mark.parametrize(
    ("token_ids", "starts", "message"),
    [
        (
            np.zeros(2, np.int64),
            np.array([0, 2]),
            "token_ids: expected a one-dimensional array of int32, got int64",
        ),
        ([0, 0], np.array([0, 2]), "token_ids: expected"),
        (
            np.zeros(2, np.int32),
            np.array([0, 2], np.int32),
            "sentence_starts: expected a one-dimensional array of int64",
        ),
        (
            np.zeros(2, np.int32),
            np.array([0, 1]),
            "sentence_starts: expected to begin with 0 and to end with 2 tokens",
        ),
        (np.zeros(2, np.int32), np.array([1, 2]), r"got \[1, 2\]"),
        (np.zeros(2, np.int32), np.empty(0, np.int64), "got no entry"),
    ],
)
def test_arrays_that_make_no_corpus(token_ids, starts, message):
    with pytest.raises(InputError, match=message):
        EncodedCorpus(Vocabulary(("a",), np.array([2])), token_ids, starts)
