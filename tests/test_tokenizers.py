"""Tokenizers, against loops that ask for the category of each character."""

import sys
import unicodedata
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmifact.errors import InputError
from pmifact.text import tokenizers
from pmifact.text.tokenizers import TOKENIZERS, named_tokenizer, whitespace, words

SIGNS = [
    "'",
    "\u2019",
    "''",
    "_",
    "-",
    " ",
    "\u2028",
    "\x85",
    "\0",
    "\r",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\U0001f600",
]
PARTS = [
    "a",
    "Z",
    "9",
    "é",
    "e\u0301",
    "\u0301",
    "कि",
    "ß",
    "İ",
    "語",
    "²",
    "Ⅷ",
    "\U0001d400",
    "\U0001e900",
    "\u20dd",
]
hostile = st.lists(st.sampled_from(SIGNS + PARTS) | st.characters(), max_size=40).map("".join)
ascii_text = st.text(st.sampled_from("ab9Z'_- \t\0."), max_size=40)


def expected_whitespace(line):
    tokens, token = [], ""
    for character in line + " ":
        if not character.isspace():
            token += character
        elif token:
            tokens.append(token)
            token = ""
    return tokens


def expected_words(line):
    def in_word(place):
        return 0 <= place < len(line) and unicodedata.category(line[place])[0] in "LNM"

    tokens, token = [], ""
    for place, character in enumerate(line):
        inner = character in "'\u2019" and in_word(place - 1) and in_word(place + 1)
        if in_word(place) or inner:
            token += character
        elif token:
            tokens.append(token)
            token = ""
    return [*tokens, token] if token else tokens


@given(hostile | ascii_text)
def test_against_loops(line):
    assert list(words(line)) == expected_words(line)
    assert list(whitespace(line)) == expected_whitespace(line)


@given(hostile | ascii_text, st.sampled_from([1, 2, 5, 20]))
def test_a_long_line_is_cut_in_pieces_with_the_same_tokens(line, piece):
    with patch.object(tokenizers, "_PIECE", piece):
        assert list(words(line)) == expected_words(line)
        assert list(whitespace(line)) == expected_whitespace(line)


def test_a_long_line_without_white_space():
    with patch.object(tokenizers, "_PIECE", 10):
        assert list(words("é" * 1_000)) == ["é" * 1_000]
        assert list(whitespace("-" * 1_000)) == ["-" * 1_000]
        assert list(words(" " * 1_000)) == []


ASSIGNED = [
    chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) not in ("Cn", "Co")
]


@pytest.mark.parametrize("last", ["\x7f", "\uffff", chr(sys.maxunicode)])
def test_words_knows_the_category_of_every_character(last):
    characters = [character for character in ASSIGNED if character <= last]
    assert list(words(" ".join(characters))) == [
        character for character in characters if unicodedata.category(character)[0] in "LNM"
    ]


def test_whitespace_knows_every_space():
    line = "x".join(["", *ASSIGNED])
    spaced = "".join(" " if character.isspace() else character for character in line)
    assert list(whitespace(line)) == spaced.split(" ")


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("Don't stop, rock'n'roll!", ["Don't", "stop", "rock'n'roll"]),
        ("l\u2019été 'quoted' dogs'", ["l\u2019été", "quoted", "dogs"]),
        ("a''b a'\u2019b", ["a", "b", "a", "b"]),
        ("snake_case e-mail 3.14", ["snake", "case", "e", "mail", "3", "14"]),
        ("संयुक्त राष्ट्र", ["संयुक्त", "राष्ट्र"]),
        ("e\u0301te\u0301 \u0301", ["e\u0301te\u0301", "\u0301"]),
        ("", []),
        (" \t\u2028", []),
    ],
)
def test_words_by_example(line, tokens):
    assert list(words(line)) == tokens


def test_whitespace_keeps_punctuation_and_zero_width_characters():
    assert list(whitespace("a,b\xa0c\u200bd\x85e\u2028f\x1cg")) == ["a,b", "c\u200bd", "e", "f", "g"]


def test_named_tokenizer():
    assert [named_tokenizer(name) for name in TOKENIZERS] == [whitespace, words]
    with pytest.raises(InputError, match="tokenizer: expected one of whitespace, words, got 'word'"):
        named_tokenizer("word")


def test_odd_texts(shared_data):
    for name in ("de_pud_sentences.txt", "hi_pud_sentences.txt"):
        text = (shared_data / "odd" / "text" / name).read_text(encoding="utf-8")
        for line in text.split("\n"):
            assert list(words(line)) == expected_words(line)
