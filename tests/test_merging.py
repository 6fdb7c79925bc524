"""Counts of several texts, added: those of the whole, exactly."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from counting_samples import as_fractions, assert_same_files, corpus_of, count, options_of, sentences_of
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact.cooccurrence import CooccurrenceCounts, CountOptions, count_cooccurrences
from pmifact.corpus import encode_corpus
from pmifact.counting.imported import ImportOptions
from pmifact.errors import InputError
from pmifact.merging import merge_counts
from pmifact.vocabulary import Vocabulary


@given(sentences_of, options_of, st.integers(0, 12))
def test_splitting_and_merging_gives_the_same_counts(text, options, cut):
    n_words, sentences = text
    options = replace(options, subsample=None)
    parts = [part for part in (sentences[:cut], sentences[cut:]) if part]
    merged = merge_counts([count(corpus_of(part, n_words), options) for part in parts])
    assert_same_files(merged, count(corpus_of(sentences, n_words), options))


@pytest.mark.parametrize("beyond", [2**24, 2**32])
def test_counters_pass_24_and_32_bits_exactly(beyond):
    corpus = corpus_of([[0, 1]], 2)
    step = count_cooccurrences(corpus, window=1)
    huge = CooccurrenceCounts(step.vocabulary, step.matrix * np.int64(beyond), 1, step.options)
    merged = merge_counts([huge, step])
    assert merged.matrix.toarray().tolist() == [[0, beyond + 1], [beyond + 1, 0]]


def lines_of(sentences):
    return [[f"w{word_id}" for word_id in sentence if word_id >= 0] or ["w0"] for sentence in sentences]


parts_of = st.lists(sentences_of.map(lambda text: lines_of(text[1])), min_size=1, max_size=3)


@given(parts_of, options_of, st.booleans(), st.integers(1, 200))
def test_the_union_is_that_of_counting_together(parts, options, positional, entries):
    options = replace(options, subsample=None, positional=positional)
    counts = [count(encode_corpus(part, min_count=1), options) for part in parts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pmifact.merging._ENTRIES", entries)
        merged = merge_counts(counts, vocabulary="union")
        patch.setattr("pmifact.merging.working_memory", lambda limit: 64 * entries)
        bounded = merge_counts(counts, vocabulary="union", memory="1GB")
    assert_same_files(bounded, merged)
    together = encode_corpus([sentence for part in parts for sentence in part], min_count=1)
    assert_same_files(merged, count(together, options))


@given(parts_of, st.integers(1, 9))
def test_the_union_of_contexts_has_what_any_part_has(parts, contexts):
    counts = [
        count_cooccurrences(encode_corpus(part, min_count=1), context_vocabulary=contexts) for part in parts
    ]
    expected = Counter()
    for part in counts:
        for pair, weight in by_name(part).items():
            expected[pair] += weight
    merged = merge_counts(counts, vocabulary="union")
    assert by_name(merged) == expected
    assert set(merged.context_vocabulary.words) == {
        word for part in counts for word in part.context_vocabulary.words
    }


def by_name(counts):
    words, contexts = counts.vocabulary.words, counts.context_vocabulary.words
    return {(words[w], contexts[c]): weight for (w, c), weight in as_fractions(counts).items()}


def test_the_union_of_dependency_contexts():
    merged = merge_counts(
        [with_contexts("ab", "xy", [[1, 0], [0, 3]]), with_contexts("bc", "zx", [[1, 0], [0, 5]])],
        vocabulary="union",
    )
    assert merged.vocabulary == Vocabulary(("b", "c", "a"), np.array([1, 1, 0]))
    assert merged.contexts == Vocabulary(("x", "y", "z"), np.array([1, 1, 0]))
    assert merged.matrix.toarray().tolist() == [[0, 3, 1], [5, 0, 0], [1, 0, 0]]


def test_positional_counts_of_other_windows_are_refused():
    corpus = corpus_of([[0, 1, 0, 1]], 2)
    ours, theirs = (
        count_cooccurrences(corpus, window=window, weighting="flat", positional=True)
        for window in ((1, 2), (2, 1))
    )
    for vocabulary in ("same", "union"):
        with pytest.raises(InputError, match="input 1 was made with --window 1,2, input 2 with --window 2,1"):
            merge_counts([ours, theirs], vocabulary=vocabulary)
    with pytest.raises(InputError, match="made with --positional, input 2 with no --positional"):
        merge_counts([ours, count_cooccurrences(corpus, window=(1, 2), weighting="flat")])


def test_pruned_counts_cannot_be_merged():
    counts = count_cooccurrences(corpus_of([[0, 1]], 2), min_pair_count=1)
    with pytest.raises(InputError, match="input 1 was counted with --min-pair-count 1, and the pairs"):
        merge_counts([counts, counts])
    with pytest.raises(InputError, match="vocabulary: expected one of same, union, got 'both'"):
        merge_counts([counts, counts], vocabulary="both")


def test_progress_of_a_merge_ends_at_the_total():
    seen = []
    counts = count_cooccurrences(corpus_of([[0, 1, 2, 1]], 3))
    merge_counts([counts, counts], progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 2 * counts.matrix.nnz)
    assert seen[-1] == (2 * counts.matrix.nnz, 2 * counts.matrix.nnz)


def test_a_merge_within_memory_goes_to_its_folder(tmp_path, monkeypatch):
    counts = count_cooccurrences(corpus_of([[0, 1, 2, 1], [3, 4]], 5))
    scratch = tmp_path / "sum"
    merged = merge_counts([counts, counts], memory="256MB", scratch=scratch)
    assert scratch.is_dir()
    assert_same_files(merged, merge_counts([counts, counts]))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    assert_same_files(merge_counts([counts, counts], memory="256MB"), merged)
    assert list((tmp_path / "temporary").iterdir()) == []
    with pytest.raises(InputError, match="memory: expected at least 256MB"):
        merge_counts([counts, counts], memory="1MB")


def test_a_sum_of_too_many_columns_is_refused(monkeypatch):
    counts = count_cooccurrences(corpus_of([[0, 1]], 2))
    monkeypatch.setattr("pmifact.merging.MOST_COLUMNS", 1)
    with pytest.raises(InputError, match="the sum would have 2 columns, and at most 1 can be kept"):
        merge_counts([counts, counts])


def test_an_overflowing_merge_is_refused():
    half = CooccurrenceCounts(
        Vocabulary(("a",), np.array([1])), csr_array(np.array([[2**62]])), 1, CountOptions()
    )
    with pytest.raises(InputError, match=r"merged counts could sum to"):
        merge_counts([half, half])


def test_merge_says_what_differs():
    ours = count_cooccurrences(corpus_of([[0, 1]], 2))
    with pytest.raises(InputError, match="made with --window 5, input 2 with --window 4"):
        merge_counts([ours, count_cooccurrences(corpus_of([[0, 1]], 2), window=4)])
    sampled = count_cooccurrences(corpus_of([[0, 1]], 2), subsample=0.1)
    with pytest.raises(InputError, match=r"a\.counts was made with no --subsample, b\.counts with --sub"):
        merge_counts([ours, sampled], names=["a.counts", "b.counts"])
    with pytest.raises(InputError, match="the first has 2 words, the other 3"):
        merge_counts([ours, count_cooccurrences(corpus_of([[0, 1]], 3))])
    renamed = CooccurrenceCounts(
        Vocabulary(("w0", "x"), ours.vocabulary.counts), ours.matrix, ours.unit, ours.options
    )
    with pytest.raises(InputError, match="word 1 is 'w1' in the first and 'x' in the other"):
        merge_counts([ours, renamed])
    with pytest.raises(InputError, match="at least one"):
        merge_counts([])


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
    with pytest.raises(InputError, match="unit 1, input 2 with unit 2"):
        merge_counts([counts, with_contexts("ab", "xy", [[1, 0], [0, 3]], unit=2)])
