"""The disk that a count needs is told beforehand, near enough."""

import shutil
from collections import namedtuple
from dataclasses import replace

import numpy as np
import pytest
from cli_samples import in_process, write_text
from counting_samples import corpus_of, count, options_of, sentences_of
from hypothesis import given
from hypothesis import strategies as st

from pmifact import count_cooccurrences, disk, encode_corpus
from pmifact.cooccurrence import CountOptions
from pmifact.counting import shards as spill
from pmifact.counting.columns import columns_of
from pmifact.disk import estimate_disk
from pmifact.storage import write_counts
from pmifact.world import write_world

Usage = namedtuple("Usage", "total used free")


@given(sentences_of, options_of, st.booleans(), st.none() | st.integers(1, 70))
def test_a_corpus_that_is_looked_at_whole_is_estimated_exactly(text, options, positional, contexts):
    n_words, sentences = text
    corpus = corpus_of(sentences, n_words)
    options = replace(options, positional=positional, context_vocabulary=contexts)
    estimate = estimate_disk(corpus, options, context_vocabulary=contexts, threads=2)
    assert estimate.pairs == count(corpus, options).matrix.nnz


@given(sentences_of, options_of, st.data())
def test_some_words_have_the_contexts_of_their_rows(text, options, data):
    n_words, sentences = text
    corpus = corpus_of(sentences, n_words)
    words = np.array(data.draw(st.lists(st.integers(0, n_words - 1), unique=True, min_size=1, max_size=3)))
    columns = columns_of(corpus.vocabulary, None, None)
    *_, (contexts, _) = disk._contexts(corpus, options, columns, words, n_shards=2, threads=2)
    assert contexts.tolist() == np.diff(count(corpus, options).matrix.indptr)[words].tolist()


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    corpus, *_ = write_world(tmp_path_factory.mktemp("world"))
    return encode_corpus(corpus, tokenizer="words", lowercase=True)


@pytest.mark.parametrize("window", [(1, 1), (5, 5), (0, 10)])
@pytest.mark.parametrize("budget", [500, 5_000])
def test_a_sample_of_the_world_is_near_enough(world, window, budget, monkeypatch):
    monkeypatch.setattr(disk, "_LEAST", budget)
    nnz = count_cooccurrences(world, window=window).matrix.nnz
    estimate = estimate_disk(world, CountOptions(window=window))
    assert nnz / 1.5 < estimate.pairs < nnz * 1.5
    assert estimate.pairs != nnz  # it was a sample


@pytest.mark.parametrize("few", [{"positional": True}, {"context_vocabulary": 300}])
def test_other_columns_are_near_enough(world, few, monkeypatch):
    monkeypatch.setattr(disk, "_LEAST", 5_000)
    nnz = count_cooccurrences(world, **few).matrix.nnz
    estimate = estimate_disk(world, CountOptions(**few), context_vocabulary=few.get("context_vocabulary"))
    assert nnz / 1.5 < estimate.pairs < nnz * 1.5


@pytest.mark.parametrize("threads", [1, 3])
def test_few_bits_are_sample_enough(world, threads, monkeypatch):
    monkeypatch.setattr(disk, "_BITMAP", 1 << 13)
    nnz = count_cooccurrences(world).matrix.nnz
    assert nnz / 1.5 < estimate_disk(world, CountOptions(), threads=threads).pairs < nnz * 1.5


@pytest.mark.parametrize(
    "how",
    [{"oov": "close"}, {"oov": "gap"}, {"positional": True, "window": (1, 2), "context_vocabulary": 300}],
)
def test_bytes_are_those_of_the_files(world, how, tmp_path, monkeypatch):
    monkeypatch.setattr(spill, "working_memory", lambda limit: 16 * 20_000)
    contexts = how.get("context_vocabulary")
    estimate = estimate_disk(world, CountOptions(**how), context_vocabulary=contexts, memory="1GB")
    counts = count_cooccurrences(world, **how, memory="1GB", scratch=tmp_path / "scratch")
    unfinished = sum(file.stat().st_size for file in (tmp_path / "scratch").iterdir())
    write_counts(counts, tmp_path / "x.counts")
    result = sum(file.stat().st_size for file in (tmp_path / "x.counts").iterdir())
    assert estimate.unfinished == pytest.approx(unfinished, rel=0.05)
    assert estimate.result == pytest.approx(result, rel=0.1)


def test_nothing_is_left_beside_what_is_counted_in_memory(world):
    assert estimate_disk(world, CountOptions()).unfinished == 0


def test_a_vocabulary_that_does_not_occur_needs_next_to_nothing():
    corpus = encode_corpus(iter(["a b", "c"]), vocabulary=["x", "y"])
    estimate = estimate_disk(corpus, CountOptions())
    assert estimate.pairs == 0
    assert estimate.total < 1_000


def test_ids_outside_the_vocabulary_are_left_to_counting():
    corpus = corpus_of([[0, 1, 0]], 2)
    corpus.token_ids[1] = 7
    assert estimate_disk(corpus, CountOptions()).pairs == 1


def test_too_small_a_disk_is_one_sentence_before_counting(capsys, tmp_path, monkeypatch):
    text = write_text(tmp_path / "small.txt")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**6, 10**6 - 1000, 1000))
    outcome = in_process(capsys, "count", text, "-o", tmp_path / "x.counts")
    assert outcome.status == 1
    (line,) = outcome.err.splitlines()
    assert "counting writes about" in line
    assert "only 1.0 kB are free there" in line
    assert [path.name for path in tmp_path.iterdir()] == ["small.txt"]


def test_unfinished_work_of_an_earlier_run_counts_as_free(capsys, tmp_path, monkeypatch):
    text = write_text(tmp_path / "small.txt")
    scratch = tmp_path / ".x.counts.unfinished" / "shards"
    scratch.mkdir(parents=True)
    (scratch / "stream").write_bytes(bytes(200_000))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**6, 10**6, 0))
    assert in_process(capsys, "count", text, "-o", tmp_path / "x.counts").status == 0


def test_the_need_is_said_once_and_not_with_quiet(capsys, tmp_path):
    text = write_text(tmp_path / "small.txt")
    said = in_process(capsys, "count", text, "-o", tmp_path / "x.counts", "--memory", "256MB").err
    assert ", and needs " in said.splitlines()[0]
    assert in_process(capsys, "count", text, "-o", tmp_path / "x.counts", "--quiet").err == ""


@pytest.mark.acceptance
@pytest.mark.parametrize("window", [(2, 2), (5, 5), (15, 15)])
def test_real_text_is_near_enough(shared_data, window):
    paths = [shared_data / f"corpus/enwiki2015_{number:02d}.txt.gz" for number in range(4)]
    corpus = encode_corpus(paths, tokenizer="words", lowercase=True, min_count=20)
    nnz = count_cooccurrences(corpus, window=window).matrix.nnz
    assert nnz / 1.5 < estimate_disk(corpus, CountOptions(window=window)).pairs < nnz * 1.5
