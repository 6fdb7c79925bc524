"""Counting on disk: the same bytes as in memory, whatever the limit, and wherever a run was cut short."""

import logging
import os
import resource
import signal
from dataclasses import replace

import numpy as np
import pytest
from counting_samples import assert_same_files, corpus_of, count, draw, options_of, sentences_of
from hypothesis import given
from hypothesis import strategies as st

from pmifact.cooccurrence import CountOptions, count_cooccurrences
from pmifact.counting import shards as spill
from pmifact.counting.columns import Columns
from pmifact.counting.rows import RowBlock, Rule, count_shard
from pmifact.counting.stream import Stream
from pmifact.counting.windows import window_weights
from pmifact.errors import InputError
from pmifact.kernels import cooccurrence as kernels
from pmifact.resources.memory import parse_memory
from pmifact.resources.progress import no_progress


@pytest.fixture
def small_shards(monkeypatch):
    """Shards of 50 places, and blocks of a few pairs."""
    monkeypatch.setattr(spill, "working_memory", lambda limit: 16 * 50)


@pytest.fixture
def corpus():
    rng = np.random.default_rng(0)
    return corpus_of([(rng.zipf(1.3, rng.integers(1, 60)) % 80).tolist() for _ in range(30)], 80)


@given(sentences_of, options_of, st.integers(1, 30), st.integers(1, 3))
def test_shards_give_the_same_counts(text, options, tokens_per_shard, threads):
    n_words, sentences = text
    whole = corpus_of(sentences, n_words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spill, "working_memory", lambda limit: 16 * tokens_per_shard)
        sharded = count(whole, options, memory="1GB", threads=threads)
    assert_same_files(sharded, count(whole, options))


def test_pieces_of_the_stream_do_not_matter(corpus, monkeypatch):
    for options in (CountOptions(), CountOptions(subsample=1e-2, subsample_mode="after", oov="gap")):
        expected = count(corpus, options)
        for size in (1, 7, 1_000):
            monkeypatch.setattr("pmifact.counting.stream._TOKENS_PER_PIECE", size)
            assert_same_files(count(corpus, options), expected)
        monkeypatch.undo()


def test_places_beyond_32_bits(corpus, monkeypatch):
    """Counts with 64-bit places, as for more than 4 G tokens, are the same."""
    narrow = kernels.place_words
    seen = []

    def wide(stream, first, last, cursors, positions):
        seen.append(positions.dtype)
        narrow(stream, first, last, cursors, positions)

    expected = count_cooccurrences(corpus, threads=1)
    monkeypatch.setattr(kernels, "place_words", wide)
    monkeypatch.setattr("pmifact.counting.rows._NARROW_PLACES", 0)
    assert_same_files(count_cooccurrences(corpus, threads=3), expected)
    assert set(seen) == {np.dtype(np.int64)}


@pytest.mark.parametrize("base", [2**31, 2**32])
def test_a_focus_far_into_a_long_text(base):
    """Places beyond 31 and 32 bits, in a text that is one repeated word and takes no memory."""
    text = np.broadcast_to(np.zeros(1, np.int32), (base + 200,))
    rule = Rule(1, Columns(1), window_weights((2, 3), "flat"))
    span = base - 50, base + 50
    (block,) = count_shard(Stream(text, text), span, rule, 1, no_progress)
    assert (block.indices.tolist(), block.data.tolist(), block.lengths.tolist()) == ([0], [500], [1])
    apart = Rule(1, Columns(1, None, (2, 3)), window_weights((2, 3), "linear"))
    (block,) = count_shard(Stream(text, text), span, apart, 1, no_progress)
    assert block.indices.tolist() == [0, 1, 2, 3, 4]
    assert block.data.tolist() == [100 * numerator for numerator in (3, 6, 6, 4, 2)]


@pytest.mark.parametrize("base", [2**31, 2**32])
def test_a_stream_is_laid_far_into_a_long_text(base):
    ids = np.broadcast_to(np.zeros(1, np.int32), (base + 100,))
    starts = np.array([0, base - 3, base + 2, base + 100])
    pieces = np.empty(20, np.int32)
    span = base - 5, base + 4
    keep = np.array([0.5])
    length = kernels.lay_stream(ids, starts, span, 1, keep, 7, True, False, pieces)
    expected = []
    for place in range(*span):
        expected.append(0 if draw(7, place) < 0.5 else kernels.GAP)
        if place + 1 in starts:
            expected.append(kernels.END)
    assert pieces[:length].tolist() == expected


@pytest.mark.parametrize("base", [2**31, 2**32])
def test_shards_with_more_entries_than_32_bits_count(tmp_path, base):
    """Rows that begin far into a shard, whose file is a hole up to there."""
    shards = spill.Shards(tmp_path / "x", {})
    block = RowBlock(np.array([0, 3, 1], np.int32), np.array([5, 6, 7]), np.array([2, 1]))
    for number in (0, 1):
        shards.write(number, [block])
        for name, size in (("indices", 4), ("data", 8)):
            path = shards._path(number, name)
            content = path.read_bytes()
            with open(path, "wb") as file:
                file.seek(base * size)
                file.write(content)
    starts = np.array([[0, base, base + 2, base + 3]] * 2)
    found = shards._add(range(2), starts, (1, 3), 4)
    assert found.indices.tolist() == [0, 3, 1]
    assert found.data.tolist() == [10, 12, 14]
    assert found.lengths.tolist() == [2, 1]


@pytest.mark.usefixtures("small_shards")
def test_what_was_cut_short_is_taken_up(corpus, tmp_path, caplog):
    expected = count_cooccurrences(corpus)
    written = []
    shards_write = spill.Shards.write

    def stopping(self, number, blocks):
        if len(written) == 3:
            next(iter(blocks))
            raise KeyboardInterrupt
        shards_write(self, number, blocks)
        written.append(number)

    scratch = tmp_path / "scratch"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spill.Shards, "write", stopping)
        with pytest.raises(KeyboardInterrupt):
            count_cooccurrences(corpus, memory="1GB", scratch=scratch)
    with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.INFO):
        again = []
        patch.setattr(
            spill.Shards, "write", lambda self, n, blocks: (again.append(n), shards_write(self, n, blocks))
        )
        resumed = count_cooccurrences(corpus, memory="1GB", scratch=scratch)
    assert written == [0, 1, 2]
    assert again[0] == 3
    assert "taking up unfinished counts: found 3 shards" in caplog.text
    assert_same_files(resumed, expected)


@pytest.mark.usefixtures("small_shards")
@pytest.mark.parametrize(
    ("change", "said"),
    [({"window": 4}, "options"), ({"corpus": corpus_of([[0, 1] * 40], 80)}, "corpus")],
)
def test_unfinished_counts_of_something_else_are_not_taken_up(corpus, tmp_path, caplog, change, said):
    count_cooccurrences(corpus, memory="1GB", scratch=tmp_path / "scratch")
    other = {"corpus": corpus, "window": 5} | change
    with caplog.at_level(logging.INFO):
        fresh = count_cooccurrences(**other, memory="1GB", scratch=tmp_path / "scratch")
    assert f"they differ in {said}" in caplog.text
    assert_same_files(fresh, count_cooccurrences(**other))


def test_no_stray_files_without_a_scratch_folder(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    counts = count_cooccurrences(corpus, memory="1GB")
    assert list(tmp_path.iterdir()) == []
    assert counts.total == count_cooccurrences(corpus).total


def test_a_full_disk_is_one_sentence(corpus, tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
        with pytest.raises(InputError, match=r"unfinished work cannot be written here: .*; free space"):
            count_cooccurrences(corpus, memory="1GB", scratch=tmp_path / "scratch")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_few_files_are_open_however_many_shards_there_are(tmp_path, monkeypatch):
    corpus = corpus_of([[0, 1, 2, 1]] * 15, 3)
    monkeypatch.setattr(spill, "working_memory", lambda limit: 16)  # a shard a place
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = len(os.listdir("/proc/self/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (opened + 20, before[1]))
    try:
        counts = count_cooccurrences(corpus, memory="1GB", scratch=tmp_path / "scratch")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert_same_files(counts, count_cooccurrences(corpus))


def test_a_corpus_without_a_token():
    nothing = corpus_of([], 2)
    assert_same_files(count_cooccurrences(nothing, memory="1GB"), count_cooccurrences(nothing))


@pytest.mark.parametrize(
    ("given", "size"),
    [("256MB", 2**28), ("1GB", 2**30), ("1.5 gb", 3 * 2**29), (2**30, 2**30), ("4G", 2**32), (None, None)],
)
def test_memory_is_read(given, size):
    assert parse_memory(given) == size


@pytest.mark.parametrize("given", ["255MB", "lots", "-1GB", "1XB", "", 0, 100])
def test_bad_amounts_of_memory_are_refused(corpus, given):
    with pytest.raises(InputError, match="memory: expected"):
        count_cooccurrences(corpus, memory=given)


@given(sentences_of, options_of)
def test_scratch_alone_does_not_change_the_way(tmp_path_factory, text, options):
    n_words, sentences = text
    scratch = tmp_path_factory.mktemp("scratch") / "folder"
    count(corpus_of(sentences, n_words), replace(options, subsample=None), scratch=scratch)
    assert not scratch.exists()
