"""Counts that other programs took: pair files, sparse matrices of SciPy, and GloVe's file."""

import gzip
import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from pmifact.cooccurrence import CooccurrenceCounts, count_cooccurrences
from pmifact.corpus import encode_corpus
from pmifact.counting.imported import ImportOptions
from pmifact.errors import ArtifactError, InputError
from pmifact.storage import (
    read_counts,
    read_counts_npz,
    read_glove_cooccurrence,
    read_pairs,
    read_vocabulary,
    write_counts,
    write_counts_npz,
)
from pmifact.vocabulary import Vocabulary


def cells(counts):
    """Return the count of every observed pair of words."""
    matrix = counts.matrix.tocoo()
    rows, columns = counts.vocabulary.words, counts.context_vocabulary.words
    return {
        (rows[row], columns[column]): Fraction(int(value), counts.unit)
        for row, column, value in zip(matrix.row, matrix.col, matrix.data, strict=True)
    }


# Pair files

fields = st.sampled_from(["the", "cat", "nsubj_cat", "7", "é", "I/1"])
pairs = st.tuples(fields, fields, st.none() | st.integers(1, 2**40))


@given(st.lists(pairs, min_size=1, max_size=30), st.sampled_from([" ", "\t", " \u2003 "]))
def test_pairs_add_up(tmp_path_factory, drawn, gap):
    folder = tmp_path_factory.mktemp("pairs")
    lines = [gap.join(map(str, pair if pair[2] else pair[:2])) for pair in drawn]
    (folder / "a").write_text("\n".join(lines[:5]), encoding="utf-8")
    (folder / "b.gz").write_bytes(gzip.compress("\n \n".join(lines[5:]).encode()))
    counts = read_pairs(folder)
    expected, rows, columns = Counter(), Counter(), Counter()
    for word, context, amount in drawn:
        for counter, key in ((expected, (word, context)), (rows, word), (columns, context)):
            counter[key] += amount or 1
    assert cells(counts) == expected
    assert counts.matrix.has_canonical_format
    assert dict(zip(counts.vocabulary.words, counts.vocabulary.counts.tolist(), strict=True)) == rows
    ranked = sorted(rows, key=lambda word: (-rows[word], word))
    assert list(counts.vocabulary.words) == ranked
    assert (counts.contexts is None) == (rows.keys() == columns.keys())
    if counts.contexts is not None:
        assert list(counts.contexts.words) == sorted(columns, key=lambda word: (-columns[word], word))
        assert counts.contexts.counts.tolist() == sorted(columns.values(), reverse=True)


@given(st.lists(pairs, min_size=1, max_size=30), st.integers(1, 9))
def test_a_bound_on_memory_changes_no_pair(tmp_path_factory, drawn, at_a_time):
    path = tmp_path_factory.mktemp("pairs") / "pairs"
    lines = [" ".join(map(str, pair if pair[2] else pair[:2])) for pair in drawn]
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pmifact.storage.pairs.cells_at_a_time", lambda limit, cells: at_a_time)
        bounded = read_pairs(path, memory="256MB")
    assert_same_counts(bounded, read_pairs(path))


def assert_same_counts(ours, theirs):
    for name in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(ours.matrix, name), getattr(theirs.matrix, name))
        assert getattr(ours.matrix, name).dtype == getattr(theirs.matrix, name).dtype
    assert (ours.vocabulary, ours.contexts) == (theirs.vocabulary, theirs.contexts)
    assert (ours.unit, ours.options) == (theirs.unit, theirs.options)


def test_faults_are_named_by_line_under_a_bound_too(tmp_path, monkeypatch):
    monkeypatch.setattr("pmifact.storage.pairs.cells_at_a_time", lambda limit, cells: 2)
    (tmp_path / "x").write_text("a b\n\na c\nd e\nf g 0\nh i\n")
    with pytest.raises(InputError, match="x, line 5: expected a positive integer as count, got '0'"):
        read_pairs(tmp_path / "x", memory="256MB")
    (tmp_path / "x").write_text(f"a b {2**62}\na c {2**61}\na d\na e {2**62}\n")
    with pytest.raises(InputError, match=r"/x: the counts add up to more than 2\^63 - 1"):
        read_pairs(tmp_path / "x", memory="256MB")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cat", r"pairs.txt, line 4: expected a word, a context and perhaps a count, got 1 field$"),
        ("a b 3 x", "line 4: .* got 4 fields"),
        ("a b 0", "line 4: expected a positive integer as count, got '0'"),
        ("a b 3.5", "line 4: expected a positive integer as count, got '3.5'"),
        ("a b -1", "line 4: expected a positive integer as count, got '-1'"),
        ("a b ٣", "line 4: expected a positive integer as count"),
        ("a b 9223372036854775808", "line 4: expected a positive integer as count"),
    ],
)
def test_a_malformed_pair_is_named(tmp_path, line, message):
    path = tmp_path / "pairs.txt"
    (tmp_path / "before.txt").write_text("x y\n\nz z\n")
    path.write_text(f"a b\n\na b 7\n{line}\na b -\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_pairs([tmp_path / "before.txt", path])


def test_pairs_that_pass_64_bits_together_are_refused(tmp_path):
    (tmp_path / "x").write_text(f"a b {2**63 - 2}\na c\n")
    assert read_pairs(tmp_path / "x").total == 2**63 - 1
    (tmp_path / "x").write_text(f"a b {2**63 - 1}\na c\n")
    with pytest.raises(InputError, match=r"/x: the counts add up to more than 2\^63 - 1"):
        read_pairs(tmp_path / "x")
    (tmp_path / "y").write_text("a d\n")
    with pytest.raises(InputError, match=r"/x and 1 more: the counts add up"):
        read_pairs([tmp_path / "x", tmp_path / "y"])


def test_imported_counts_are_an_artifact_like_others(tmp_path):
    (tmp_path / "pairs").write_text("eat dobj_apple 3\nred amod_apple\n")
    counts = read_pairs(tmp_path / "pairs")
    write_counts(counts, tmp_path / "x.counts")
    found = read_counts(tmp_path / "x.counts")
    assert cells(found) == {("eat", "dobj_apple"): 3, ("red", "amod_apple"): 1}
    assert found.options == ImportOptions(imported="pairs")


# SciPy


def saved(path, matrix, **more):
    scipy.sparse.save_npz(path, matrix, **more)
    return path


def words_of(*words):
    return Vocabulary(words, np.arange(len(words)))


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("make", [scipy.sparse.coo_array, scipy.sparse.coo_matrix])
@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "float64"])
def test_any_sparse_matrix_of_whole_counts(tmp_path, kind, make, dtype):
    dense = np.array([[3, 0, 1], [0, 0, 2]], dtype)
    path = saved(tmp_path / "x.npz", make(dense).asformat(kind))
    counts = read_counts_npz(path, words_of("a", "b"), contexts=words_of("x", "y", "z"))
    assert counts.matrix.toarray().tolist() == [[3, 0, 1], [0, 0, 2]]
    assert counts.matrix.nnz == 3
    assert (counts.unit, counts.options) == (1, ImportOptions(imported="npz"))


def test_repeated_cells_add_up_and_zeros_vanish(tmp_path):
    matrix = scipy.sparse.coo_array(([1.0, 2.0, 0.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    (tmp_path / "words").write_text("a\t5\nb\t4\n")
    counts = read_counts_npz(saved(tmp_path / "x.npz", matrix), tmp_path / "words")
    assert cells(counts) == {("a", "b"): 3}
    assert counts.vocabulary.counts.tolist() == [5, 4]
    assert counts.contexts is None


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.eye(3), "expected a matrix of 2 words x 2 contexts, as the vocabulary says, got 3 x 3"),
        ([[0, 1.5], [0, 0]], "row 0, column 1: expected an integer of at least 0 .*, got 1.5"),
        ([[0, 0], [-1, 0]], "row 1, column 0: expected an integer of at least 0"),
        ([[np.nan, 0], [0, 0]], "expected an integer of at least 0 .*, got nan"),
        ([[2.0**63, 0], [0, 0]], "expected an integer of at least 0"),
        ([[2.0**62, 2.0**62], [0, 0]], r"add up to more than 2\^63 - 1"),
        ([[1j, 0], [0, 0]], "expected numbers, got complex128"),
    ],
)
def test_other_matrices_are_refused(tmp_path, matrix, message):
    path = saved(tmp_path / "x.npz", scipy.sparse.csr_array(np.array(matrix)))
    with pytest.raises(InputError, match=message):
        read_counts_npz(path, words_of("a", "b"))


def test_other_files_are_refused(tmp_path):
    path = saved(tmp_path / "x.npz", scipy.sparse.csr_array(np.eye(2)))
    data = path.read_bytes()
    np.savez(tmp_path / "dense.npz", a=np.eye(2))
    np.savez(tmp_path / "object.npz", format=np.array([{}], object))
    (tmp_path / "text.npz").write_text("a b 3\n")
    (tmp_path / "cut.npz").write_bytes(data[: len(data) // 2])
    (tmp_path / "empty.npz").write_bytes(b"")
    for name in ("dense", "object", "text", "cut", "empty"):
        with pytest.raises(InputError, match=rf"{name}.npz: expected a sparse matrix that SciPy saved"):
            read_counts_npz(tmp_path / f"{name}.npz", words_of("a", "b"))
    with pytest.raises(InputError, match="cannot be opened"):
        read_counts_npz(tmp_path / "missing.npz", words_of("a", "b"))


def small_counts():
    return count_cooccurrences(encode_corpus(iter(["a b c a", "b a"]), min_count=1), window=3)


@pytest.mark.parametrize("contexts", [False, True])
def test_the_way_out_is_read_by_scipy_and_by_us(tmp_path, contexts):
    counts = small_counts()
    if contexts:
        other = words_of("x", "y", "z")
        options = ImportOptions(imported="pairs")
        counts = CooccurrenceCounts(counts.vocabulary, counts.matrix, counts.unit, options, other)
    written = write_counts_npz(counts, tmp_path / "x.npz")
    assert {path.name for path in written} == {path.name for path in tmp_path.iterdir()}
    matrix = scipy.sparse.load_npz(tmp_path / "x.npz")
    assert matrix.toarray().tolist() == counts.matrix.toarray().tolist()
    with np.load(tmp_path / "x.npz") as arrays:
        assert arrays["unit"] == counts.unit == 3
    names = {"contexts": tmp_path / "x.contexts.tsv"} if contexts else {}
    found = read_counts_npz(tmp_path / "x.npz", tmp_path / "x.vocab.tsv", **names)
    assert cells(found) == cells(counts)
    assert found.vocabulary == counts.vocabulary == read_vocabulary(tmp_path / "x.vocab.tsv")
    assert found.contexts == counts.contexts


@pytest.mark.parametrize("name", ["x.npz", "x.vocab.tsv"])
def test_the_way_out_replaces_nothing(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(ArtifactError, match=rf"{re.escape(name)}: is there already"):
        write_counts_npz(small_counts(), tmp_path / "x.npz")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with pytest.raises(InputError, match=r"expected a file named .npz, got the suffix '.bin'"):
        write_counts_npz(small_counts(), tmp_path / "x.bin")


# GloVe

RECORD = np.dtype([("word", "<i4"), ("context", "<i4"), ("value", "<f8")])


def write_glove(path, values, order=None):
    """Write the sums of `values` {(word id, context id): number} as GloVe's ``cooccur`` does."""
    records = np.array([(w + 1, c + 1, value) for (w, c), value in values.items()], RECORD)
    (records if order is None else records[order]).tofile(path)
    return path


def glove_sums(corpus, window):
    """Add 1 / distance in double precision, token by token, both sides, as GloVe's ``cooccur`` does."""
    sums = Counter()
    bounds = corpus.sentence_starts.tolist()
    for first, last in pairwise(bounds):
        tokens = corpus.token_ids[first:last].tolist()
        for j, word in enumerate(tokens):
            for i in range(max(0, j - window), j):
                sums[tokens[i], word] += 1.0 / (j - i)
                sums[word, tokens[i]] += 1.0 / (j - i)
    return sums


def write_glove_vocabulary(path, vocabulary):
    pairs = zip(vocabulary.words, vocabulary.counts.tolist(), strict=True)
    path.write_text("".join(f"{word} {count}\n" for word, count in pairs))
    return path


@pytest.mark.parametrize("window", [1, 5, 10, 15, 22])
def test_sums_of_reciprocals_come_back_exactly(tmp_path, window):
    draw = np.random.default_rng(window)
    lines = [" ".join(f"w{int(n)}" for n in draw.zipf(1.4, 400) if n < 40) for _ in range(20)]
    corpus = encode_corpus(iter(lines), min_count=1)
    vocabulary = write_glove_vocabulary(tmp_path / "vocab.txt", corpus.vocabulary)
    sums = glove_sums(corpus, window)
    path = write_glove(tmp_path / "x.bin", sums, draw.permutation(len(sums)))
    found = read_glove_cooccurrence(path, vocabulary, window=window)
    expected = count_cooccurrences(corpus, window=window, weighting="harmonic")
    assert found.unit == expected.unit
    assert found.vocabulary == expected.vocabulary
    assert (found.matrix != expected.matrix).nnz == 0
    # With lcm(1, ..., 22) over 2 * 10^8, the additions could have lost a numerator; here they did not.
    assert found.options == ImportOptions(imported="glove", window=window, rounded=window == 22)


@pytest.mark.parametrize("window", [5, 30])
def test_a_bound_on_memory_changes_no_sum(tmp_path, monkeypatch, window):
    draw = np.random.default_rng(window)
    corpus = encode_corpus(iter([" ".join(f"w{int(n)}" for n in draw.zipf(1.4, 400) if n < 40)]), min_count=1)
    sums = glove_sums(corpus, window)
    path = write_glove(tmp_path / "x.bin", sums, draw.permutation(len(sums)))
    expected = read_glove_cooccurrence(path, corpus.vocabulary, window=window)
    bounded = {"window": window, "memory": "256MB", "scratch": tmp_path / "scratch"}
    for at_a_time in (1, 7, 100):
        monkeypatch.setattr("pmifact.storage.glove.cells_at_a_time", lambda limit, cells, n=at_a_time: n)
        assert_same_counts(read_glove_cooccurrence(path, corpus.vocabulary, **bounded), expected)
    records = bytearray(path.read_bytes())
    records[2 * 16 + 8 : 3 * 16] = np.float64(-1).tobytes()
    path.write_bytes(records)
    monkeypatch.setattr("pmifact.storage.glove.cells_at_a_time", lambda limit, cells: 2)
    with pytest.raises(InputError, match="record 3: expected a positive number, got -1"):
        read_glove_cooccurrence(path, corpus.vocabulary, **bounded)


def test_numerators_that_are_not_certain_are_said_to_be_rounded(tmp_path):
    words = words_of("a", "b")
    large = write_glove(tmp_path / "large.bin", {(0, 1): 1e7 + 1 / 15, (1, 1): 1 / 3})
    found = read_glove_cooccurrence(large, words, window=15)
    assert found.options.rounded
    assert found.unit == 360_360
    assert found.matrix.toarray().tolist() == [[0, 3_603_600_024_024], [0, 120_120]]
    other = write_glove(tmp_path / "other.bin", {(0, 1): 1 / 3, (1, 0): 0.1})
    found = read_glove_cooccurrence(other, words, window=3)
    assert found.options.rounded
    assert found.unit == 2**31
    assert found.matrix.toarray().tolist() == [[0, round(2**31 / 3)], [round(2**31 / 10), 0]]
    found = read_glove_cooccurrence(other, words, window=30)
    assert (found.unit, found.options.rounded) == (2**31, True)


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "expected records of 16 bytes, got a file of 0 bytes"),
        ([(1, 1, 1.0), (3, 1, 1.0)], "record 2: expected a word from 1 to 2, as the vocabulary says, got 3"),
        ([(1, 0, 1.0)], "record 1: expected a context from 1 to 2, as the vocabulary says, got 0"),
        ([(1, 1, -1.0)], "record 1: expected a positive number, got -1.0"),
        ([(1, 1, np.nan)], "record 1: expected a positive number, got nan"),
        ([(1, 1, 1e-12)], "record 1: the value is too small"),
        ([(1, 1, 1e18)], "record 1: the value is too large"),
        ([(1, 1, 3e10), (1, 2, 3e10)], "add up to more than"),
    ],
)
def test_malformed_records_are_named(tmp_path, records, message):
    np.array(records, RECORD).tofile(tmp_path / "x.bin")
    with pytest.raises(InputError, match=message):
        read_glove_cooccurrence(tmp_path / "x.bin", words_of("a", "b"), window=22)


def test_a_file_cut_short_and_a_damaged_vocabulary_are_refused(tmp_path):
    (tmp_path / "x.bin").write_bytes(bytes(40))
    with pytest.raises(InputError, match="expected records of 16 bytes, got a file of 40 bytes"):
        read_glove_cooccurrence(tmp_path / "x.bin", words_of("a"))
    (tmp_path / "vocab.txt").write_text("the 12\ncat many\n")
    with pytest.raises(InputError, match=r"vocab.txt, line 2: expected a count"):
        read_glove_cooccurrence(tmp_path / "x.bin", tmp_path / "vocab.txt")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"imported": "tsv"}, "imported: expected one of pairs, npz, glove"),
        ({"imported": "pairs", "window": 5}, "window: belongs to counts of glove alone"),
        ({"imported": "glove"}, "window: belongs to counts of glove alone, got None"),
        ({"imported": "glove", "window": 0}, "window: expected an integer of at least 1"),
        ({"imported": "npz", "rounded": 1}, "rounded: expected True or False"),
    ],
)
def test_import_options_are_checked(options, message):
    with pytest.raises(InputError, match=message):
        ImportOptions(**options)
