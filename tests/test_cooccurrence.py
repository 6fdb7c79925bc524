"""Counting against a dictionary loop, and the invariances that exact counts must have."""

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
    windows,
)
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact.cooccurrence import (
    CooccurrenceCounts,
    CountOptions,
    count_cooccurrences,
    keep_probabilities,
)
from pmifact.corpus import EncodedCorpus
from pmifact.errors import InputError
from pmifact.vocabulary import Vocabulary


@given(sentences_of, options_of)
@example((1, [[0, 0, 0, 0]]), CountOptions(window=(2, 2)))
@example((2, [[-1, -1]]), CountOptions(window=(1, 1)))
@example((1, [[-1]]), CountOptions(subsample=0.5))
def test_counts_equal_a_dictionary_loop(text, options):
    n_words, sentences = text
    counts = count(corpus_of(sentences, n_words), options)
    matrix = counts.matrix
    assert as_fractions(counts) == slow_counts(sentences, options)
    assert matrix.dtype == np.int64
    assert (matrix.data > 0).all()
    for row in range(n_words):
        assert (np.diff(matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]) > 0).all()


def test_a_vocabulary_wider_than_the_bitmap_words():
    rng = np.random.default_rng(1)
    n_words = 9_000  # over two words of the upper bitmap
    sentences = [rng.integers(0, n_words, 200).tolist() for _ in range(40)]
    sentences.append([0, 63, 64, 4095, 4096, 8191, 8192, n_words - 1])
    options = CountOptions(window=(3, 3), weighting="flat")
    assert as_fractions(count(corpus_of(sentences, n_words), options)) == slow_counts(sentences, options)


@given(sentences_of, st.integers(1, 6), st.sampled_from(["linear", "flat", "harmonic"]))
def test_a_symmetric_window_gives_a_symmetric_matrix(text, window, weighting):
    n_words, sentences = text
    counts = count_cooccurrences(corpus_of(sentences, n_words), window=window, weighting=weighting)
    assert (counts.matrix != counts.matrix.T).nnz == 0


@given(sentences_of, windows)
def test_mirrored_windows_give_transposed_matrices(text, window):
    n_words, sentences = text
    corpus = corpus_of(sentences, n_words)
    ours = count_cooccurrences(corpus, window=window)
    mirrored = count_cooccurrences(corpus, window=window[::-1])
    assert (ours.matrix != mirrored.matrix.T).nnz == 0


@given(sentences_of, options_of, st.randoms(use_true_random=False))
def test_the_order_of_sentences_does_not_matter(text, options, random):
    n_words, sentences = text
    options = replace(options, subsample=None)
    shuffled = random.sample(sentences, len(sentences))
    assert_same_files(
        count(corpus_of(sentences, n_words), options), count(corpus_of(shuffled, n_words), options)
    )


@pytest.mark.parametrize("options", [CountOptions(), CountOptions(subsample=1e-3, subsample_mode="after")])
def test_threads_do_not_matter(monkeypatch, options):
    monkeypatch.setattr("pmifact.counting.rows._PAIRS_PER_BLOCK", 1_000)  # many blocks
    rng = np.random.default_rng(0)
    sentences = [(rng.zipf(1.3, 30) % 500).tolist() for _ in range(300)]
    corpus = corpus_of(sentences, 500)
    one, two, four = (count(corpus, options, threads=threads) for threads in (1, 2, 4))
    assert_same_files(one, two)
    assert_same_files(one, four)
    monkeypatch.undo()
    assert_same_files(one, count(corpus, options))


def test_draws_depend_on_the_raw_position_with_out_of_vocabulary_tokens_counted():
    sentences = [[0, -1, 0, 0, -1, 0]] * 200
    options = CountOptions(window=(1, 1), subsample=0.2, seed=7)
    assert as_fractions(count(corpus_of(sentences, 1), options)) == slow_counts(sentences, options)
    other = count(corpus_of(sentences, 1), replace(options, seed=8))
    assert other.total != count(corpus_of(sentences, 1), options).total


def test_subsampling_keeps_the_expected_share():
    corpus = corpus_of([[0] * 100_000], 1)
    counts = count_cooccurrences(corpus, window=1, weighting="flat", subsample=0.25)
    # sqrt(.25 / 1) of the tokens are kept; each has a neighbour on both sides.
    assert counts.total / 2 == pytest.approx(50_000, abs=5 * (100_000 * 0.25) ** 0.5)


def test_keep_probabilities():
    vocabulary = Vocabulary(("a", "b", "c"), np.array([90, 10, 0]))
    assert keep_probabilities(vocabulary, 0.1).tolist() == pytest.approx([(0.1 / 0.9) ** 0.5, 1.0, 1.0])


def test_one_cell_counts_past_24_bits():
    # 2.4 million neighbouring pairs of weight 7/7 in units of 1/7: 16.8 million > 2^24
    tokens = 2_400_001
    corpus = EncodedCorpus(
        Vocabulary(("a",), np.array([tokens])), np.zeros(tokens, np.int32), np.array([0, tokens])
    )
    counts = count_cooccurrences(corpus, window=(0, 7))
    expected = sum((7 - d + 1) * (tokens - d) for d in range(1, 8))
    assert expected > 2**24
    assert counts.matrix.data.tolist() == [expected]


def test_progress_ends_at_the_total():
    seen = []
    count_cooccurrences(corpus_of([[0, 1, 2, 1]], 3), progress=lambda done, total: seen.append((done, total)))
    assert seen[0][0] == 0
    assert seen[-1][0] == seen[-1][1] > 0


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"window": 0}, "at least one side"),
        ({"window": -1}, "window: expected an integer from 0"),
        ({"window": (1, 2, 3)}, "one or two whole numbers"),
        ({"window": 2.5}, "one or two whole numbers"),
        ({"window": "5"}, "one or two whole numbers"),
        ({"weighting": "gaussian"}, "weighting: expected one of linear, flat, harmonic"),
        ({"oov": "skip"}, "oov: expected one of close, gap"),
        ({"subsample": 0.0}, "subsample: expected a number above 0"),
        ({"subsample": float("nan")}, "subsample: expected a number"),
        ({"subsample_mode": "during"}, "subsample_mode"),
        ({"seed": -1}, "seed"),
        ({"threads": 0}, "threads"),
    ],
)
def test_bad_options_are_refused(option, sentence):
    with pytest.raises(InputError, match=sentence):
        count_cooccurrences(corpus_of([[0, 1]], 2), **option)


def test_a_sum_that_could_pass_63_bits_is_refused():
    tokens = 2**33
    endless = EncodedCorpus(
        Vocabulary(("a",), np.array([tokens])),
        np.broadcast_to(np.zeros(1, np.int32), (tokens,)),
        np.array([0, tokens]),
    )
    with pytest.raises(InputError, match=r"more than 2\^63 - 1"):
        count_cooccurrences(endless, window=100, weighting="harmonic")


def test_an_id_outside_the_vocabulary_is_refused():
    corpus = EncodedCorpus(Vocabulary(("a",), np.array([2])), np.array([0, 0, 1], np.int32), np.array([0, 3]))
    with pytest.raises(InputError, match="token 2 has the id 1, outside the 1 words"):
        count_cooccurrences(corpus)


def test_counts_of_the_wrong_kind_are_refused():
    vocabulary = Vocabulary(("a", "b"), np.array([1, 1]))
    with pytest.raises(InputError, match="expected a csr_array of int64"):
        CooccurrenceCounts(vocabulary, csr_array(np.eye(2)), 1, CountOptions())
