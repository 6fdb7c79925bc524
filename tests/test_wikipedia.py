"""The whole way on real Wikipedia, through the commands: what the README promises of real text."""

import csv
import hashlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.acceptance

COUNT = ["--tokenizer", "words", "--lowercase", "--min-count", "20", "--window", "5"]


def pmifact(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "pmifact", *map(str, arguments)], check=True, capture_output=True, text=True
    ).stdout


def data_digests(artifact):
    files = sorted(path for path in artifact.iterdir() if path.suffix in (".npy", ".tsv"))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def shards(shared_data):
    return [shared_data / f"corpus/enwiki2015_{number:02d}.txt.gz" for number in range(4)]


@pytest.fixture(scope="module")
def counts(shards, tmp_path_factory):
    path = tmp_path_factory.mktemp("wikipedia") / "wiki.counts"
    pmifact("count", *shards, "-o", path, *COUNT)
    return path


def test_svd_vectors_of_wikipedia_score_as_they_should(counts, shared_data, tmp_path):
    factors = tmp_path / "wiki.factors"
    pmifact("factorize", counts, "-o", factors, "--rank", 300, "--shift", 1)
    gold = [
        *("--similarity", shared_data / "similarity/EN-WS-353-ALL.txt"),
        *("--similarity", shared_data / "similarity/EN-MEN-TR-3k.txt"),
        *("--analogy", shared_data / "analogy/questions-words.txt"),
    ]
    rows = list(csv.DictReader(pmifact("evaluate", factors, *gold, "--format", "csv").splitlines()))
    scores = {row["dataset"]: float(row["score"]) for row in rows if row["section"] == "all"}
    assert scores["EN-WS-353-ALL"] >= 0.60
    assert scores["EN-MEN-TR-3k"] >= 0.66
    assert scores["questions-words"] >= 0.22


def test_threads_and_a_limit_on_memory_give_the_same_files(counts, shards, tmp_path):
    for number, options in enumerate((["--threads", 1], ["--memory", "1GB"])):
        other = tmp_path / f"{number}.counts"
        pmifact("count", *shards, "-o", other, *COUNT, *options)
        assert data_digests(other) == data_digests(counts)


def test_counting_in_two_parts_and_merging_gives_the_same_files(counts, shards, tmp_path):
    parts = [tmp_path / "first.counts", tmp_path / "second.counts"]
    for part, inputs in zip(parts, (shards[:1], shards[1:]), strict=True):
        pmifact("count", *inputs, "-o", part, *COUNT, "--vocabulary", counts)
    pmifact("merge", *parts, "-o", tmp_path / "whole.counts")
    assert data_digests(tmp_path / "whole.counts") == data_digests(counts)
