"""Words that are excluded are out of vocabulary, however the text comes."""

import logging
from collections import Counter

import numpy as np
import pytest
from cli_samples import in_process, write_text
from hypothesis import assume, given
from hypothesis import strategies as st

from pmifact import encode_corpus
from pmifact.errors import InputError
from pmifact.storage import read_corpus, read_manifest
from pmifact.text.words import fingerprint_of
from pmifact.vocabulary import Vocabulary

words_of = st.text("abC", min_size=1, max_size=2)
texts = st.lists(st.lists(words_of, min_size=1, max_size=8), min_size=1, max_size=8)


@given(texts, st.sets(words_of), st.integers(1, 2), st.none() | st.integers(1, 3), st.booleans())
def test_the_rest_is_as_without_them(tmp_path_factory, text, exclude, min_count, max_vocab, lowercase):
    tokens = [[word.lower() if lowercase else word for word in sentence] for sentence in text]
    counts = Counter(word for sentence in tokens for word in sentence)
    left = {word: n for word, n in counts.items() if n >= min_count and word not in exclude}
    assume(left)
    chosen = sorted(left, key=lambda word: (-left[word], word))[:max_vocab]
    path = tmp_path_factory.mktemp("text") / "text"
    path.write_text("\n".join(map(" ".join, text)))
    ways = ((path, {}), (path, {"memory": "256MB"}), (path, {"tokenizer": str.split}), (text, {}))
    for source, more in ways:
        corpus = encode_corpus(
            source,
            exclude=exclude,
            min_count=min_count,
            max_vocab=max_vocab,
            lowercase=lowercase,
            **more,
        )
        assert list(corpus.vocabulary.words) == chosen
        assert corpus.vocabulary.counts.tolist() == [left[word] for word in chosen]
        ids = [chosen.index(word) if word in chosen else -1 for sentence in tokens for word in sentence]
        assert corpus.token_ids.tolist() == ids
        assert corpus.options.exclude == fingerprint_of(exclude)


def test_a_given_vocabulary_loses_them_too():
    corpus = encode_corpus(iter(["a b c a"]), vocabulary=["c", "a", "b"], exclude=["a", "x"])
    assert corpus.vocabulary == Vocabulary(("c", "b"), np.array([1, 1]))
    assert corpus.token_ids.tolist() == [-1, 1, 0, -1]
    with pytest.raises(InputError, match="exclude: every word of the given vocabulary is excluded"):
        encode_corpus(iter(["a"]), vocabulary=["a"], exclude=["a"])
    with pytest.raises(InputError, match="the word 'a' stands twice"):
        encode_corpus(iter(["a"]), vocabulary=["a", "a", "b"], exclude=["a"])


def test_excluded_words_that_are_not_there_are_told(caplog):
    with caplog.at_level(logging.INFO):
        encode_corpus(iter(["a b c a"]), exclude=["a", "b"], min_count=1)
        assert caplog.messages == []
        encode_corpus(iter(["a b c a b"]), exclude=["x", "a", "c", "A"], min_count=2)
        encode_corpus(iter(["a b c a"]), vocabulary=["c", "a"], exclude=["a", "b"])
    assert caplog.messages == [
        "3 of 4 excluded words would not be in the vocabulary anyway, such as 'A'",
        "1 of 2 excluded words would not be in the vocabulary anyway, such as 'b'",
    ]


@pytest.mark.parametrize(
    ("exclude", "message"),
    [
        ("the", "exclude: expected a Vocabulary or an iterable of words, got 'the'"),
        (7, "exclude: expected a Vocabulary or an iterable"),
        (["a b"], "exclude: expected words, which are not empty nor hold white space, got 'a b'"),
        ([""], "exclude: expected words"),
        ([["a"]], "exclude: expected words"),
        (["a"], "no word occurs 1 time but those that are excluded"),
    ],
)
def test_what_cannot_be_excluded_is_refused(tmp_path, exclude, message):
    (tmp_path / "text").write_text("a a\n")
    for source in (tmp_path / "text", iter(["a a"])):
        with pytest.raises(InputError, match=message):
            encode_corpus(source, min_count=1, exclude=exclude)


def test_stop_words_from_the_command_line(tmp_path, capsys):
    text = write_text(tmp_path / "small.txt")
    (tmp_path / "stop").write_text("the\nof\nnowhere\n")
    args = ["--exclude", tmp_path / "stop", "--quiet"]
    for command, suffix in (("encode", "corpus"), ("count", "counts"), ("phrases", "joined.corpus")):
        done = in_process(capsys, command, text, "-o", tmp_path / f"x.{suffix}", *args)
        assert done.status == 0, done.err
        manifest = read_manifest(tmp_path / f"x.{suffix}")
        options = [*manifest["history"], manifest][0]["options"]
        assert options["exclude"] == fingerprint_of(["the", "of", "nowhere"])
    corpus = read_corpus(tmp_path / "x.corpus")
    assert {"the", "of"}.isdisjoint(corpus.vocabulary.words)
    stopped = [word for word in text.read_text().split() if word in ("the", "of")]
    assert (corpus.token_ids < 0).sum() == len(stopped)
    shown = " ".join(in_process(capsys, "info", tmp_path / "x.counts").out.split())
    assert f"exclude sha256 {fingerprint_of(['the', 'of', 'nowhere'])[:12]}" in shown
    refused = in_process(capsys, "count", tmp_path / "x.corpus", "-o", tmp_path / "y.counts", *args)
    assert refused.status == 2
    assert "--exclude: has no effect on" in refused.err


def test_an_error_names_options_as_they_are_typed(tmp_path, capsys):
    text = write_text(tmp_path / "small.txt")
    refused = in_process(capsys, "count", text, "-o", tmp_path / "x.counts", "--min-count", "10000")
    assert refused.err.startswith("Error: --min-count: no word occurs 10,000 times; the most frequent, ")
    assert refused.err.endswith("; give a smaller --min-count\n")
    refused = in_process(capsys, "encode", text, "-o", tmp_path / "x.corpus", "--field", "body")
    assert refused.err.startswith("Error: --field: has no effect on text files")
