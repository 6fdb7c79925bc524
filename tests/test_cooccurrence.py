"""Counting against a dictionary loop, and the invariances that exact counts must have."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from counting_samples import assert_same_files, corpus_of, count, options_of, sentences_of, windows
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact.cooccurrence import (
    CooccurrenceCounts,
    CountOptions,
    count_cooccurrences,
    keep_probabilities,
    merge_counts,
)
from pmifact.corpus import EncodedCorpus
from pmifact.counting.imported import ImportOptions
from pmifact.errors import InputError
from pmifact.vocabulary import Vocabulary


def draw(seed, position):
    """Restate the counter-based draw in Python integers."""
    mask = 2**64 - 1
    z = ((position + 1) * 0x9E3779B97F4A7C15 + seed * 0xD1342543DE82EF95) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return ((z ^ (z >> 31)) >> 11) / 2**53


def slow_counts(sentences, n_words, options):
    """Count with a dictionary, straight from the definition; exact fractions."""
    frequencies = Counter(token for sentence in sentences for token in sentence if token >= 0)
    total = sum(frequencies.values())
    pairs = Counter()
    position = 0
    for sentence in sentences:
        kept = []
        for token in sentence:
            if token < 0:
                if options.oov == "gap":
                    kept.append(None)
            elif (
                options.subsample is None
                or draw(options.seed, position) < (options.subsample * total / frequencies[token]) ** 0.5
            ):
                kept.append(token)
            elif options.subsample_mode == "after":
                kept.append(None)
            position += 1
        left, right = options.window
        for i, focus in enumerate(kept):
            for j, context in enumerate(kept):
                reach = left if j < i else right
                distance = abs(i - j)
                if focus is None or context is None or not 1 <= distance <= reach:
                    continue
                pairs[focus, context] += {
                    "flat": Fraction(1),
                    "linear": Fraction(reach - distance + 1, reach),
                    "harmonic": Fraction(1, distance),
                }[options.weighting]
    return pairs


def as_fractions(counts):
    coo = counts.matrix.tocoo()
    return {
        (int(w), int(c)): Fraction(int(n), counts.unit)
        for w, c, n in zip(coo.coords[0], coo.coords[1], coo.data, strict=True)
    }


@given(sentences_of, options_of)
@example((1, [[0, 0, 0, 0]]), CountOptions(window=(2, 2)))
@example((2, [[-1, -1]]), CountOptions(window=(1, 1)))
@example((1, [[-1]]), CountOptions(subsample=0.5))
def test_counts_equal_a_dictionary_loop(text, options):
    n_words, sentences = text
    counts = count(corpus_of(sentences, n_words), options)
    matrix = counts.matrix
    assert as_fractions(counts) == slow_counts(sentences, n_words, options)
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
    assert as_fractions(count(corpus_of(sentences, n_words), options)) == slow_counts(
        sentences, n_words, options
    )


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


@given(sentences_of, options_of, st.integers(0, 12))
def test_splitting_and_merging_gives_the_same_counts(text, options, cut):
    n_words, sentences = text
    options = replace(options, subsample=None)
    parts = [part for part in (sentences[:cut], sentences[cut:]) if part]
    merged = merge_counts([count(corpus_of(part, n_words), options) for part in parts])
    assert_same_files(merged, count(corpus_of(sentences, n_words), options))


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
    assert as_fractions(count(corpus_of(sentences, 1), options)) == slow_counts(sentences, 1, options)
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


@pytest.mark.parametrize("beyond", [2**24, 2**32])
def test_counters_pass_24_and_32_bits_exactly(beyond):
    corpus = corpus_of([[0, 1]], 2)
    step = count_cooccurrences(corpus, window=1)
    huge = CooccurrenceCounts(step.vocabulary, step.matrix * np.int64(beyond), 1, step.options)
    merged = merge_counts([huge, step])
    assert merged.matrix.toarray().tolist() == [[0, beyond + 1], [beyond + 1, 0]]


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


def test_an_overflowing_merge_is_refused():
    half = CooccurrenceCounts(
        Vocabulary(("a",), np.array([1])), csr_array(np.array([[2**62]])), 1, CountOptions()
    )
    with pytest.raises(InputError, match=r"merged counts could sum to"):
        merge_counts([half, half])


def test_merge_says_what_differs():
    ours = count_cooccurrences(corpus_of([[0, 1]], 2))
    with pytest.raises(InputError, match="counted with window \\(5, 5\\), input 2 with \\(4, 4\\)"):
        merge_counts([ours, count_cooccurrences(corpus_of([[0, 1]], 2), window=4)])
    with pytest.raises(InputError, match="the first has 2 words, the other 3"):
        merge_counts([ours, count_cooccurrences(corpus_of([[0, 1]], 3))])
    renamed = CooccurrenceCounts(
        Vocabulary(("w0", "x"), ours.vocabulary.counts), ours.matrix, ours.unit, ours.options
    )
    with pytest.raises(InputError, match="word 1 is 'w1' in the first and 'x' in the other"):
        merge_counts([ours, renamed])
    with pytest.raises(InputError, match="at least one"):
        merge_counts([])


def test_an_id_outside_the_vocabulary_is_refused():
    corpus = EncodedCorpus(Vocabulary(("a",), np.array([2])), np.array([0, 0, 1], np.int32), np.array([0, 3]))
    with pytest.raises(InputError, match="token 2 has the id 1, outside the 1 words"):
        count_cooccurrences(corpus)


def test_counts_of_the_wrong_kind_are_refused():
    vocabulary = Vocabulary(("a", "b"), np.array([1, 1]))
    with pytest.raises(InputError, match="expected a csr_array of int64"):
        CooccurrenceCounts(vocabulary, csr_array(np.eye(2)), 1, CountOptions())


def with_contexts(words, contexts, dense, unit=1):
    vocabularies = [Vocabulary(tuple(each), np.arange(len(each))) for each in (words, contexts)]
    options = ImportOptions(imported="pairs")
    return CooccurrenceCounts(
        vocabularies[0], csr_array(np.array(dense, np.int64)), unit, options, vocabularies[1]
    )


def test_contexts_need_not_be_the_words():
    counts = with_contexts("ab", "xyz", [[1, 0, 2], [0, 3, 0]])
    assert "2 words, 3 contexts, 3 pairs observed, total 6" in repr(counts)
    assert counts.context_vocabulary.words == ("x", "y", "z")
    merged = merge_counts([counts, counts])
    assert merged.matrix.toarray().tolist() == [[2, 0, 4], [0, 6, 0]]
    assert merged.vocabulary.counts.tolist() == [0, 2]
    assert merged.contexts.counts.tolist() == [0, 2, 4]
    with pytest.raises(InputError, match=r"expected a csr_array of int64 of shape \(2, 3\)"):
        with_contexts("ab", "xyz", [[1, 0], [0, 3]])


def test_merge_says_which_contexts_differ():
    counts = with_contexts("ab", "xy", [[1, 0], [0, 3]])
    with pytest.raises(
        InputError, match="contexts of input 1 and input 2 differ: word 1 is 'y' in the first"
    ):
        merge_counts([counts, with_contexts("ab", "xz", [[1, 0], [0, 3]])])
    with pytest.raises(InputError, match="unit 1, input 2 with 2"):
        merge_counts([counts, with_contexts("ab", "xy", [[1, 0], [0, 3]], unit=2)])
