"""Counts are the same bytes for every limit on memory, number of threads, and cutting or order of inputs."""

import random
import resource
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli_samples import in_process, in_subprocess, write_text

from pmifact.counting import shards
from pmifact.storage import verify_artifact
from pmifact.text import files
from pmifact.world import write_world

BOUNDS = {"none": [], "300MB": ["--memory", "300MB"], "1GB": ["--memory", "1GB"]}


def data_files(artifact):
    return {path.name: path.read_bytes() for path in Path(artifact).iterdir() if path.name != "manifest.json"}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    text, *_ = write_world(tmp_path_factory.mktemp("world"))
    return Path(text)


@pytest.fixture(scope="module")
def pieces(world, tmp_path_factory):
    """The text in 37 files cut at line ends."""
    folder = tmp_path_factory.mktemp("pieces")
    lines = world.read_bytes().splitlines(keepends=True)
    cuts = sorted([0, len(lines), *random.Random(37).sample(range(1, len(lines)), 36)])
    for number in range(37):
        part = b"".join(lines[cuts[number] : cuts[number + 1]])
        (folder / f"{number:02d}.txt").write_bytes(part)
    return folder


@pytest.fixture(scope="module")
def expected(world, tmp_path_factory):
    target = tmp_path_factory.mktemp("expected") / "x.counts"
    args = ["count", world, "-o", target, "--tokenizer", "words", "--lowercase", "--threads", "2", "--quiet"]
    assert in_subprocess(*args).status == 0
    return data_files(target)


@pytest.fixture
def count(capsys, tmp_path, monkeypatch):
    """Count texts as `expected`; a limit on memory leaves so little that there are many shards."""
    monkeypatch.setattr(shards, "working_memory", lambda limit: limit // 500)
    monkeypatch.setattr(files, "working_memory", lambda limit: limit // 60)

    def run(*args):
        target = tmp_path / "x.counts"
        done = in_process(
            capsys, "count", *args, "-o", target, "--tokenizer", "words", "--lowercase", "--quiet"
        )
        assert (done.status, done.err) == (0, "")
        assert [path.name for path in tmp_path.iterdir()] == [target.name]
        return data_files(target)

    return run


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("bound", BOUNDS)
def test_memory_and_threads(count, world, expected, bound, threads):
    assert count(world, *BOUNDS[bound], "--threads", threads) == expected


@pytest.mark.parametrize("bound", BOUNDS)
def test_one_file_or_37_pieces(count, pieces, expected, bound):
    assert count(pieces, *BOUNDS[bound]) == expected


@pytest.mark.parametrize("bound", BOUNDS)
def test_inputs_in_any_order_with_a_given_vocabulary(count, pieces, expected, bound, tmp_path_factory):
    words = tmp_path_factory.mktemp("words") / "words.tsv"
    words.write_bytes(expected["vocabulary.tsv"])
    paths = sorted(pieces.iterdir())
    random.Random(bound).shuffle(paths)
    assert count(*paths, *BOUNDS[bound], "--vocabulary", words) == expected


@pytest.mark.parametrize("more", [["--positional"], ["--context-vocabulary", "200", "--min-pair-count", "2"]])
def test_other_columns(count, world, more):
    expected = count(world, *more, "--threads", "1")
    assert "contexts.tsv" in expected
    assert count(world, *more, "--memory", "300MB", "--threads", "4") == expected


@contextmanager
def full_after(size):
    """Let writing beyond so many bytes of a file fail, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize(
    "args",
    [
        ["encode", "small.txt"],
        ["encode", "small.txt", "--memory", "256MB"],
        ["count", "small.txt"],
        ["count", "small.txt", "--memory", "256MB"],
        ["count", "small.txt", "--positional", "--memory", "256MB"],
        ["phrases", "small.txt", "--memory", "256MB"],
        ["convert", "pairs.txt", "--memory", "256MB"],
        ["merge", "old.counts", "old.counts"],
        ["merge", "old.counts", "old.counts", "--memory", "256MB"],
    ],
    ids=" ".join,
)
def test_a_full_disk_is_one_sentence_and_the_old_artifact_stays(capsys, tmp_path, monkeypatch, args):
    monkeypatch.chdir(tmp_path)
    write_text(tmp_path / "small.txt", sentences=200)
    (tmp_path / "pairs.txt").write_text("".join(f"a{n % 90} b{n % 70} 3\n" for n in range(900)))
    suffix = "corpus" if args[0] in ("encode", "phrases") else "counts"
    target = tmp_path / f"target.{suffix}"
    kind = "count" if suffix == "counts" else "encode"
    for name in ("old.counts", target.name):
        made = in_process(capsys, "count" if name == "old.counts" else kind, "small.txt", "-o", name)
        assert made.status == 0, made.err
    before = data_files(target)
    listed = sorted(path.name for path in tmp_path.iterdir())
    with full_after(1_000):
        done = in_process(capsys, *args, "-o", target.name, "--quiet")
    assert done.status == 1
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    assert "File too large" in done.err or "no space" in done.err.lower()
    verify_artifact(target)
    assert data_files(target) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == listed
