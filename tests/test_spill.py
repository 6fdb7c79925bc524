"""Counting on disk: the same bytes as in memory, whatever the limit, and wherever a run was cut short."""

import logging
import os
import resource
import signal
from dataclasses import replace

import numpy as np
import pytest
from counting_samples import assert_same_files, corpus_of, count, options_of, sentences_of
from hypothesis import given
from hypothesis import strategies as st

from pmifact.cooccurrence import CountOptions, count_cooccurrences
from pmifact.counting import shards as spill
from pmifact.errors import InputError
from pmifact.resources.memory import parse_memory


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
    from pmifact.kernels import cooccurrence as kernels

    narrow = kernels.group_by_word
    seen = []

    def wide(stream, first, last, row_starts, positions):
        seen.append(positions.dtype)
        narrow(stream, first, last, row_starts, positions)

    expected = count_cooccurrences(corpus)
    monkeypatch.setattr(kernels, "group_by_word", wide)
    monkeypatch.setattr("pmifact.counting.rows._NARROW_PLACES", 0)
    assert_same_files(count_cooccurrences(corpus), expected)
    assert seen == [np.int64]


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
    assert "taking up unfinished counts: 3 shards are there" in caplog.text
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
