"""Columns that are not the words: contexts by offset, chosen contexts, and pairs that are too rare."""

import logging
from dataclasses import replace

import numpy as np
import pytest
from counting_samples import (
    as_fractions,
    assert_same_files,
    corpus_of,
    count,
    options_of,
    sentences_of,
    slow_counts,
    slow_triples,
    windows,
)
from hypothesis import given
from hypothesis import strategies as st

from pmifact.contexts import PositionalContexts
from pmifact.cooccurrence import CountOptions, count_cooccurrences
from pmifact.counting import shards as spill
from pmifact.counting.columns import Columns, choose_contexts
from pmifact.errors import InputError, UnknownIdError
from pmifact.kernels import cooccurrence as kernels
from pmifact.vocabulary import Vocabulary


def named(counts):
    """Return {(focus id, context word, offset)}: count, read through the names of the columns."""
    found = {}
    for (row, column), weight in as_fractions(counts).items():
        word, offset = counts.contexts.context(column)
        found[row, int(word[1:]), offset] = weight
    return found


@given(sentences_of, options_of)
def test_positional_counts_equal_a_loop(text, options):
    n_words, sentences = text
    counts = count(corpus_of(sentences, n_words), replace(options, positional=True))
    assert named(counts) == slow_triples(sentences, options)
    assert counts.matrix.shape == (n_words, n_words * sum(options.window))
    rows = counts.matrix
    for row in range(n_words):
        assert (np.diff(rows.indices[rows.indptr[row] : rows.indptr[row + 1]]) > 0).all()


@given(sentences_of, options_of)
def test_offsets_add_up_to_plain_counts(text, options):
    n_words, sentences = text
    corpus = corpus_of(sentences, n_words)
    apart = count(corpus, replace(options, positional=True)).matrix
    sums = sum(apart[:, first : first + n_words] for first in range(0, apart.shape[1], n_words))
    assert (sums != count(corpus, options).matrix).nnz == 0


@given(sentences_of, options_of, st.integers(1, 30), st.integers(1, 3), st.data())
def test_memory_and_threads_do_not_matter(text, options, tokens_per_shard, threads, data):
    n_words, sentences = text
    corpus = corpus_of(sentences, n_words)
    more = {
        "positional": data.draw(st.booleans()),
        "context_vocabulary": data.draw(st.none() | st.integers(1, n_words)),
        "min_pair_count": data.draw(st.none() | st.integers(1, 4)),
    }
    options = replace(options, **more)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spill, "working_memory", lambda limit: 16 * tokens_per_shard)
        sharded = count(corpus, options, memory="1GB", threads=threads)
    assert_same_files(sharded, count(corpus, options, threads=1))


@pytest.mark.parametrize("band", [1, 7, 64])
def test_narrow_bands_add_up_to_the_same(monkeypatch, band):
    """As when there are millions of columns: a pass takes few offsets, and a sum few columns at a time."""
    rng = np.random.default_rng(0)
    sentences = [(rng.zipf(1.3, 30) % 40).tolist() for _ in range(40)]
    corpus = corpus_of(sentences, 40)
    options = CountOptions(window=(3, 4), weighting="harmonic", positional=True)
    expected = count(corpus, options)
    assert named(expected) == slow_triples(sentences, options)
    monkeypatch.setattr(kernels, "BAND", band)  # of the passes alone: a compiled kernel keeps its own
    monkeypatch.setattr(kernels, "add_rows", kernels.add_rows.py_func)
    monkeypatch.setattr(kernels, "_drain", kernels._drain.py_func)
    monkeypatch.setattr(kernels, "_lowest_bit", lambda bits: (int(bits) & -int(bits)).bit_length() - 1)
    monkeypatch.setattr(spill, "working_memory", lambda limit: 16 * 300)
    assert_same_files(count(corpus, options), expected)
    assert_same_files(count(corpus, options, memory="1GB"), expected)


def test_more_columns_than_32_bits_tell_apart_are_refused():
    assert len(Columns(2**31 // 10, None, (5, 5))) == 2**31 // 10 * 10
    with pytest.raises(InputError, match=r"are 2,147,483,650 columns, and at most 2,147,483,647 can be"):
        Columns(2**31 // 10 + 1, None, (5, 5))


def test_positional_contexts_are_told_by_word_and_offset():
    words = Vocabulary(("a", "b"), np.array([3, 2]))
    contexts = PositionalContexts(words, (1, 2))
    assert [contexts.context(column) for column in range(len(contexts))] == [
        *(("a", -1), ("b", -1), ("a", 1), ("b", 1), ("a", 2), ("b", 2))
    ]
    assert contexts.counts.tolist() == [3, 2] * 3
    assert contexts.fingerprint != PositionalContexts(words, (2, 1)).fingerprint
    assert contexts != PositionalContexts(words, (2, 1))
    assert repr(contexts) == "PositionalContexts(2 words, 1 to the left, 2 to the right)"
    with pytest.raises(UnknownIdError, match=r"column 6 is outside \[0, 6\)"):
        contexts.context(6)
    with pytest.raises(InputError, match="at least one side"):
        PositionalContexts(words, (0, 0))


@given(sentences_of, options_of, st.data())
def test_other_words_keep_their_positions_and_have_no_column(text, options, data):
    n_words, sentences = text
    chosen = data.draw(st.lists(st.integers(0, n_words - 1), unique=True, min_size=1))
    corpus = corpus_of(sentences, n_words)
    counts = count_of(corpus, options, [f"w{word_id}" for word_id in chosen])
    whole = slow_counts(sentences, options)
    if counts.contexts is None:
        assert chosen == list(range(n_words))
        chosen = list(range(n_words))
    else:
        assert counts.contexts.words == tuple(f"w{word_id}" for word_id in chosen)
        assert counts.contexts.counts.tolist() == corpus.vocabulary.counts[chosen].tolist()
        assert counts.options.context_vocabulary == "given"
    assert as_fractions(counts) == {
        (focus, chosen.index(context)): weight
        for (focus, context), weight in whole.items()
        if context in chosen
    }


def count_of(corpus, options, words):
    return count_cooccurrences(
        corpus,
        window=options.window,
        weighting=options.weighting,
        oov=options.oov,
        subsample=options.subsample,
        subsample_mode=options.subsample_mode,
        seed=options.seed,
        context_vocabulary=words,
    )


def test_the_most_frequent_words_are_chosen():
    vocabulary = Vocabulary(("rare", "b", "a", "often"), np.array([1, 5, 5, 9]))
    chosen = choose_contexts(vocabulary, 3)
    assert chosen == Vocabulary(("often", "a", "b"), np.array([9, 5, 5]))
    assert choose_contexts(vocabulary, None) is None
    assert choose_contexts(vocabulary, vocabulary) is None
    assert choose_contexts(Vocabulary(("a", "b"), np.array([2, 1])), 7) is None


def test_more_contexts_than_words_are_told(caplog):
    corpus = corpus_of([[0, 1, 2, 3]], 4)
    with caplog.at_level(logging.INFO):
        for asked in (3, 4, 999):
            assert count_cooccurrences(corpus, context_vocabulary=asked).matrix.shape == (4, min(asked, 4))
    assert caplog.messages == ["999 context words were asked for, and the vocabulary has 4: all are contexts"]


def test_contexts_out_of_vocabulary_are_told(caplog):
    corpus = corpus_of([[0, 1, 0]], 2)
    with caplog.at_level(logging.WARNING):
        counts = count_cooccurrences(corpus, context_vocabulary=["x", "w1", "y"])
    assert caplog.messages == ["out of vocabulary, and so without a column: 2 of 3 context words, 'x' first"]
    assert counts.contexts.words == ("w1",)
    with pytest.raises(InputError, match="context_vocabulary: none of the 1 words is in the vocabulary"):
        count_cooccurrences(corpus, context_vocabulary=["x"])
    with pytest.raises(InputError, match="the word 'w1' stands twice"):
        count_cooccurrences(corpus, context_vocabulary=["w1", "w1"])
    with pytest.raises(InputError, match="context_vocabulary: expected a number, a Vocabulary or"):
        count_cooccurrences(corpus, context_vocabulary="w1")


@given(sentences_of, options_of, st.integers(1, 5))
def test_rare_pairs_are_left_out_by_their_count(text, options, least):
    n_words, sentences = text
    counts = count(corpus_of(sentences, n_words), replace(options, min_pair_count=least))
    assert as_fractions(counts) == {
        pair: weight for pair, weight in slow_counts(sentences, options).items() if weight >= least
    }


@given(sentences_of, windows)
def test_positional_mirrors(text, window):
    n_words, sentences = text
    options = CountOptions(window=window, positional=True)
    mirrored = [sentence[::-1] for sentence in sentences]
    ours = named(count(corpus_of(sentences, n_words), options))
    theirs = named(count(corpus_of(mirrored, n_words), replace(options, window=window[::-1])))
    assert ours == {(focus, context, -offset): weight for (focus, context, offset), weight in theirs.items()}


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"positional": 1}, "positional: expected True or False"),
        ({"context_vocabulary": 0}, "context_vocabulary: expected an integer of at least 1"),
        ({"min_pair_count": 0}, "min_pair_count: expected an integer from 1"),
    ],
)
def test_bad_options_are_refused(option, sentence):
    with pytest.raises(InputError, match=sentence):
        count_cooccurrences(corpus_of([[0, 1]], 2), **option)
