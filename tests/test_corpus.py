"""Text to token ids, against an encoder that does everything in the plainest way."""

import gzip
import io
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmifact.corpus import EncodeOptions, encode_corpus
from pmifact.errors import InputError
from pmifact.text.readers import Source
from pmifact.text.tokenizers import named_tokenizer
from pmifact.vocabulary import Vocabulary

WORDS = [
    "a",
    "b",
    "A",
    "B",
    "É",
    "e\u0301",
    "é",
    "ΟΔΟΣ",
    "οδος",
    "οδοσ",
    "İ",
    "i\u0307",
    "ﬁ",
    "fi",
    "ß",
    "\u212b",
    "å",
]
SPACES = [" ", "\t", "\xa0", "\u2028", "\x85", "\0", "\u200b", "\r", "\f", "'", "-", "¨", "\U0001f600"]
lines = st.lists(st.lists(st.sampled_from(WORDS * 2 + SPACES), max_size=8).map("".join), max_size=8)
line_options = st.fixed_dictionaries(
    {
        "tokenizer": st.sampled_from(["whitespace", "words"]),
        "lowercase": st.booleans(),
        "normalize": st.sampled_from(["none", "nfc", "nfkc"]),
        "boundary": st.sampled_from(["line", "blank", "none"]),
        "min_count": st.integers(1, 3),
        "max_vocab": st.none() | st.integers(1, 3),
    }
)


def expected_sentences(texts, *, tokenizer, lowercase, normalize, boundary):
    """Return the lists of tokens; `texts` are inputs, each a list of lines."""
    cut = named_tokenizer(tokenizer)
    sentences = []
    for text in texts:
        sentence = []
        for line in text:
            if boundary == "blank" and not line.strip():
                sentences.append(sentence)
                sentence = []
            normal = line if normalize == "none" else unicodedata.normalize(normalize.upper(), line)
            sentence += [token.lower() if lowercase else token for token in cut(normal)]
            if boundary == "line":
                sentences.append(sentence)
                sentence = []
        sentences.append(sentence)
    return [sentence for sentence in sentences if sentence]


def expected_vocabulary(sentences, *, min_count, max_vocab):
    counts = Counter(token for sentence in sentences for token in sentence)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return dict([(word, count) for word, count in ranked if count >= min_count][:max_vocab])


def assert_encodes(corpus, sentences, counts):
    words = list(counts)
    assert corpus.vocabulary.words == tuple(words)
    assert corpus.vocabulary.counts.tolist() == list(counts.values())
    ids = [words.index(token) if token in counts else -1 for sentence in sentences for token in sentence]
    assert corpus.token_ids.tolist() == ids
    assert corpus.token_ids.dtype == np.int32
    assert corpus.sentence_starts.tolist() == np.cumsum([0, *map(len, sentences)]).tolist()
    assert corpus.sentence_starts.dtype == np.int64


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("corpus")


def written(folder, texts):
    paths = [folder / f"{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes("\n".join([*text, ""] if text else text).encode())
    return paths


def check(source, texts, options, **others):
    sentences = expected_sentences(
        texts, **{name: options[name] for name in ("tokenizer", "lowercase", "normalize", "boundary")}
    )
    counts = expected_vocabulary(sentences, min_count=options["min_count"], max_vocab=options["max_vocab"])
    if not counts:
        with pytest.raises(InputError, match="no word occurs" if sentences else "at least one token"):
            encode_corpus(source, **options, **others)
        return None
    corpus = encode_corpus(source, **options, **others)
    assert_encodes(corpus, sentences, counts)
    assert corpus.options == EncodeOptions(**options, **others)
    return corpus


# Against the plain encoder


@given(st.lists(lines, min_size=1, max_size=3), line_options)
def test_files(folder, texts, options):
    # A file has no carriage return at a line's end, nor a byte-order mark.
    texts = [[line.rstrip("\r") for line in text] for text in texts]
    corpus = check(written(folder, texts), texts, options)
    assert corpus is None or [Path(source.name).name for source in corpus.sources] == [
        f"{number}.txt" for number in range(len(texts))
    ]


@given(lines, line_options)
def test_iterable_of_lines(text, options):
    text = ["a a a", *(line.rstrip("\r") for line in text)]
    check(iter(text), [text], options)
    check((line + "\n" for line in text), [text], options)
    check(iter(["\r\n".join(text)]), [text], options)


@given(lines, st.booleans(), st.sampled_from(["none", "nfc"]), st.integers(1, 3))
def test_token_lists(text, lowercase, normalize, min_count):
    sentences = [["a", "a", "a"], *(line.split() for line in text)]
    options = {"lowercase": lowercase, "normalize": normalize, "min_count": min_count}
    corpus = encode_corpus(sentences, **options)
    assert corpus.options == EncodeOptions(tokenizer="cut", **options)
    plain = {"tokenizer": "whitespace", "boundary": "line", "lowercase": lowercase, "normalize": normalize}
    expected = expected_sentences([[" ".join(sentence) for sentence in sentences]], **plain)
    assert_encodes(corpus, expected, expected_vocabulary(expected, min_count=min_count, max_vocab=None))


@given(lines, st.lists(st.sampled_from([*WORDS[:6], "zebra"]), unique=True, min_size=1), st.booleans())
def test_given_vocabulary(text, words, lowercase):
    text = ["b A a", *text]
    options = {"tokenizer": "words", "lowercase": lowercase, "normalize": "none", "boundary": "line"}
    sentences = expected_sentences([text], **options)
    counts = Counter(token for sentence in sentences for token in sentence)
    for vocabulary in (words, tuple(words), Vocabulary(tuple(words), np.arange(len(words)))):
        corpus = encode_corpus(iter(text), **options, vocabulary=vocabulary)
        assert_encodes(corpus, sentences, {word: counts[word] for word in words})
        assert corpus.options == EncodeOptions(**options, given_vocabulary=True)


@given(st.lists(lines, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_vocabulary_does_not_depend_on_the_order_of_shards(folder, texts, shuffler):
    texts.append(["a b a B"])
    paths = written(folder, texts)
    first = encode_corpus(paths, lowercase=True, min_count=2)
    shuffler.shuffle(paths)
    assert encode_corpus(paths, lowercase=True, min_count=2).vocabulary == first.vocabulary


# Rules of the specification


def test_ties_stand_in_code_point_order():
    corpus = encode_corpus(iter(["b a é Z z \U0001d400 \uff21 é"]), min_count=1)
    assert corpus.vocabulary.words == ("é", "Z", "a", "b", "z", "\uff21", "\U0001d400")


def test_tokens_are_lower_cased_one_by_one_after_cutting():
    corpus = encode_corpus(iter(["ΟΔΟΣ'Α ΟΔΟΣ-Α İ"]), tokenizer="words", lowercase=True, min_count=1)
    assert set(corpus.vocabulary.words) == {"οδος'α".replace("ς", "σ"), "οδος", "α", "i\u0307"}


def test_normalisation_comes_before_cutting():
    assert encode_corpus(iter(["a\u2002b¨c"]), normalize="nfkc", min_count=1).vocabulary.words == (
        "a",
        "b",
        "\u0308c",
    )
    assert encode_corpus(iter(["e\u0301"]), normalize="nfc", min_count=1).vocabulary.words == ("é",)


def test_boundaries(tmp_path):
    (tmp_path / "1").write_bytes("a b\n \u2003\t\nc\nd\n\n\n".encode())
    (tmp_path / "2").write_bytes(b"e\nf")
    starts = {"line": [0, 2, 3, 4, 5, 6], "blank": [0, 2, 4, 6], "none": [0, 4, 6]}
    for boundary, expected in starts.items():
        corpus = encode_corpus(tmp_path, boundary=boundary, min_count=1)
        assert corpus.sentence_starts.tolist() == expected


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b a\n")))
    corpus = encode_corpus("-", min_count=1)
    assert corpus.token_ids.tolist() == [0, 1, 0]
    assert [source.name for source in corpus.sources] == ["standard input"]


def test_an_open_text_file_is_an_iterable_of_lines(tmp_path):
    path = tmp_path / "x"
    path.write_text("a b\n\na\n")
    with open(path) as file:
        corpus = encode_corpus(file, boundary="blank", min_count=1)
    assert corpus.sentence_starts.tolist() == [0, 2, 3]
    assert corpus.sources == ()


def test_encoding_and_errors_reach_the_reader(tmp_path):
    path = tmp_path / "x"
    path.write_bytes("é é\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"x, line 1: the byte 0xe9 at offset 0 is not valid utf-8"):
        encode_corpus(path, min_count=1)
    assert encode_corpus(path, min_count=1, encoding="latin-1").vocabulary.words == ("é",)
    assert encode_corpus(path, min_count=1, errors="replace").vocabulary.words == ("\ufffd",)


def test_sources_and_progress(tmp_path):
    data = gzip.compress(b"a b\n" * 10)
    (tmp_path / "1.gz").write_bytes(data)
    (tmp_path / "2.txt").write_bytes(b"a\n")
    reports = []
    corpus = encode_corpus(tmp_path, min_count=1, progress=lambda done, total: reports.append((done, total)))
    assert reports[-1] == (len(data) + 2, len(data) + 2)
    assert reports == sorted(reports)
    assert [source.size for source in corpus.sources] == [len(data), 2]
    assert all(isinstance(source, Source) for source in corpus.sources)


# Tokenizers of the caller


def test_a_callable_tokenizer_is_named_in_the_options():
    corpus = encode_corpus(iter(["abc", "ab"]), tokenizer=list, min_count=1)
    assert corpus.vocabulary.words == ("a", "b", "c")
    assert corpus.options.tokenizer == "python:builtins.list"
    lazy = encode_corpus(
        iter(["a_b", "a"]), tokenizer=lambda line: (part for part in line.split("_")), min_count=1
    )
    assert lazy.sentence_starts.tolist() == [0, 2, 3]
    assert lazy.options.tokenizer.endswith("<lambda>")
    assert (
        encode_corpus(iter(["a b"]), tokenizer=str.split, min_count=1).options.tokenizer == "python:str.split"
    )


def test_numpy_strings_become_plain_ones():
    corpus = encode_corpus(np.array([["a", "b"], ["a", "c"]]), min_count=1)
    assert corpus.vocabulary.words == ("a", "b", "c")
    assert {type(word) for word in corpus.vocabulary.words} == {str}


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("", "the token '' is empty"),
        ("New York", "the token 'New York' holds white space"),
        ("a\u2028", r"the token 'a\\u2028' holds white space"),
        ("\ud800", r"the token '\\ud800' holds a lone surrogate"),
        (None, "expected every token to be a str, got None"),
        (b"a", "expected every token to be a str, got b'a'"),
        (["a"], r"expected every token to be a str, got \['a'\]"),
    ],
)
def test_a_token_that_cannot_be_kept_is_refused_where_it_enters(tmp_path, token, message):
    path = tmp_path / "x"
    path.write_text("good\nbad\n")
    cuts = {"good": ["a", "b"], "bad": ["a", token, "new", "newer"]}
    with pytest.raises(InputError, match=f"x, line 2: {message}"):
        encode_corpus(path, tokenizer=cuts.__getitem__, min_count=1)
    with pytest.raises(InputError, match=f"^line 2: {message}"):
        encode_corpus(iter(cuts), tokenizer=cuts.__getitem__, min_count=1)
    with pytest.raises(InputError, match=f"^token list 2: {message}"):
        encode_corpus(list(cuts.values()), min_count=1)


def test_a_token_that_normalisation_cuts_is_refused():
    with pytest.raises(
        InputError, match=r"token list 1: the token '¨a' becomes ' ̈a'; a token must not be empty"
    ):
        encode_corpus([["¨a"]], normalize="nfkc")


@pytest.mark.parametrize("cut", ["ab", b"ab", None, 3])
def test_a_tokenizer_must_give_a_list(cut):
    with pytest.raises(InputError, match=f"line 1: expected a list of tokens, got {cut!r}"):
        encode_corpus(iter(["x"]), tokenizer=lambda line: cut)


def test_errors_of_the_tokenizer_itself_are_not_hidden():
    with pytest.raises(ZeroDivisionError):
        encode_corpus(iter(["x"]), tokenizer=lambda line: [1 / 0])


def test_repr_is_short():
    assert (
        repr(encode_corpus(iter(["a b", "a"]), min_count=2)) == "EncodedCorpus(1 word, 3 tokens, 2 sentences)"
    )


# Real text


def test_odd_text(shared_data):
    folder = shared_data / "odd" / "text"
    for name, tokenizer in (("hi_pud_sentences.txt", "words"), ("head500.noblanks.cor.bz2", "whitespace")):
        corpus = encode_corpus(folder / name, tokenizer=tokenizer)
        assert corpus.token_ids.size > 10_000
        assert np.all(np.diff(corpus.sentence_starts) > 0)
        assert not any("\r" in word for word in corpus.vocabulary.words)
    one, other = (
        encode_corpus(folder / f"vecto_sense_small.txt.{ending}", min_count=1) for ending in ("gz", "xz")
    )
    assert one.vocabulary == other.vocabulary
    assert np.array_equal(one.token_ids, other.token_ids)


@pytest.mark.acceptance
def test_wikipedia_against_the_plain_encoder(shared_data):
    path = shared_data / "corpus" / "enwiki2015_00.txt.gz"
    options = {"tokenizer": "words", "lowercase": True, "normalize": "nfc", "boundary": "blank"}
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        sentences = expected_sentences([file.read().split("\n")], **options)
    counts = expected_vocabulary(sentences, min_count=20, max_vocab=None)
    corpus = encode_corpus(path, min_count=20, **options)
    ids = {word: word_id for word_id, word in enumerate(counts)}
    assert dict(zip(corpus.vocabulary.words, corpus.vocabulary.counts.tolist(), strict=True)) == counts
    assert corpus.vocabulary.words == tuple(counts)
    expected = np.array([ids.get(token, -1) for sentence in sentences for token in sentence], np.int32)
    assert np.array_equal(corpus.token_ids, expected)
    assert np.array_equal(corpus.sentence_starts, np.cumsum([0, *map(len, sentences)]))
