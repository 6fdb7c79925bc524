"""Whatever happens while it is written, a path holds the old content or the new, whole."""

import errno
import os
import subprocess
import sys
import threading
from itertools import count, cycle
from pathlib import Path

import pytest
from storage_samples import hidden, read_corpus, sample, values, write_corpus

from pmifact.errors import ArtifactError
from pmifact.storage import artifact_stage, check_target, read_manifest, replacement, write_word2vec
from pmifact.storage.replacement import replacing
from pmifact.vectors import WordVectors

OLD, NEW = sample("corpus", 0), sample("corpus", 1)
VECTORS = WordVectors(sample("factors").vocabulary, sample("factors").words)


def kill(mode, number, directory):
    script = Path(__file__).with_name("killed_writers.py")
    done = subprocess.run(
        [sys.executable, str(script), mode, str(number), str(directory)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_writer_killed_at_any_step_leaves_old_or_new(tmp_path):
    kill("steps", 0, tmp_path)


def test_a_writer_killed_at_any_moment_leaves_old_or_new(tmp_path):
    kill("moments", 5, tmp_path)


@pytest.mark.acceptance
def test_many_writers_killed_at_any_moment_leave_old_or_new(tmp_path):
    kill("moments", 200, tmp_path)


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("call", ["rename", "fsync", "mkdir"])
def test_a_failure_at_any_step_leaves_old_or_new_and_nothing_else(call, failure, tmp_path, monkeypatch):
    target = tmp_path / "x.corpus"
    write_corpus(OLD, target)
    real = getattr(os, call)
    for failing in count():
        calls = count()

        def fail(*arguments, calls=calls, failing=failing, **options):
            if next(calls) == failing:
                raise failure
            return real(*arguments, **options)

        monkeypatch.setattr(os, call, fail)
        try:
            write_corpus(NEW, target)
        except (ArtifactError, KeyboardInterrupt) as error:
            raised = error
        else:
            raised = None
        monkeypatch.setattr(os, call, real)
        assert target.is_dir()  # without the help of a reader
        found = values(read_corpus(target))
        if raised is None:
            assert found == values(NEW)
        if isinstance(raised, ArtifactError):
            assert found == values(OLD)
            assert "free space there or write elsewhere" in str(raised)
        assert found in (values(OLD), values(NEW))
        if next(calls) <= failing:
            break
        write_corpus(OLD, target)
        assert hidden(tmp_path) == []
    assert failing >= 1


@pytest.mark.parametrize("call", ["mkdir", "open", "rename", "unlink", "rmdir"])
def test_a_signal_right_after_any_step_leaves_old_or_new_and_nothing_else(call, tmp_path, monkeypatch):
    """The signal comes when the step is done, and once only, as the handler of signals sees to."""
    target = tmp_path / "x.corpus"
    write_corpus(OLD, target)
    real = getattr(os, call)
    for stopping in count():
        calls = count()

        def stop(*arguments, calls=calls, stopping=stopping, **options):
            result = real(*arguments, **options)
            if next(calls) == stopping:
                raise KeyboardInterrupt
            return result

        with monkeypatch.context() as patch:
            patch.setattr(os, call, stop)
            try:
                write_corpus(NEW, target)
                stopped = False
            except KeyboardInterrupt:
                stopped = True
        assert hidden(tmp_path) == []
        assert values(read_corpus(target)) in (values(OLD), values(NEW))
        if not stopped:
            break
        write_corpus(OLD, target)
    assert next(calls) >= stopping


def test_an_exception_in_the_block_leaves_the_old_one_and_nothing_else(tmp_path):
    for directory in (True, False):
        with pytest.raises(ZeroDivisionError), replacing(tmp_path / "x", directory=directory):
            raise ZeroDivisionError
        assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "look", [read_corpus, artifact_stage, read_manifest, lambda p: check_target(p, "corpus")]
)
def test_readers_bring_back_what_a_killed_run_set_aside(look, tmp_path):
    write_corpus(OLD, tmp_path / "x.corpus")
    os.rename(tmp_path / "x.corpus", tmp_path / ".x.corpus.previous")
    look(tmp_path / "x.corpus")
    assert values(read_corpus(tmp_path / "x.corpus")) == values(OLD)
    assert os.listdir(tmp_path) == ["x.corpus"]


def test_what_is_set_aside_is_read_there_when_it_cannot_be_brought_back(tmp_path, monkeypatch):
    write_corpus(OLD, tmp_path / "x.corpus")
    os.rename(tmp_path / "x.corpus", tmp_path / ".x.corpus.previous")

    def read_only(*_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "rename", read_only)
    assert values(read_corpus(tmp_path / "x.corpus")) == values(OLD)


def test_a_previous_one_beside_the_target_is_deleted_by_the_next_write(tmp_path):
    write_corpus(OLD, tmp_path / "x.corpus")
    write_corpus(OLD, tmp_path / ".x.corpus.previous")
    (tmp_path / ".x.corpus.previous" / "data").mkdir()
    assert values(read_corpus(tmp_path / "x.corpus")) == values(OLD)
    write_corpus(NEW, tmp_path / "x.corpus")
    assert os.listdir(tmp_path) == ["x.corpus"]


def test_partials_of_killed_runs_go_and_those_of_live_runs_and_other_targets_stay(tmp_path):
    token = "0123456789abcdef"
    stale = [tmp_path / f".x.corpus.{token}.partial", tmp_path / f".x.corpus.{token[::-1]}.partial"]
    stale[0].mkdir()
    (stale[0] / "words.npy").write_bytes(b"half")
    stale[1].write_bytes(b"half")
    others = [f".y.corpus.{token}.partial", f".x.corpus.{token}.partial.txt", ".x.corpus.abc.partial"]
    for name in others:
        (tmp_path / name).mkdir()
    with replacing(tmp_path / "x.corpus", directory=True) as live:
        (live / "manifest.json").write_text("{}")
        write_corpus(OLD, tmp_path / "x.corpus")
        assert hidden(tmp_path) == sorted([*others, live.name])
    assert os.listdir(tmp_path / "x.corpus") == ["manifest.json"]


def test_nothing_is_deleted_where_there_are_no_locks(tmp_path, monkeypatch):
    (tmp_path / ".x.corpus.0123456789abcdef.partial").mkdir()
    monkeypatch.setattr("pmifact.resources.locks.fcntl", None)
    write_corpus(OLD, tmp_path / "x.corpus")
    assert hidden(tmp_path) == [".x.corpus.0123456789abcdef.partial"]


def test_a_reader_that_brings_the_old_one_back_between_the_renames_does_no_harm(tmp_path, monkeypatch):
    target = tmp_path / "x.corpus"
    write_corpus(OLD, target)
    rename, disturbed = os.rename, []

    def rename_then_read(source, destination):
        rename(source, destination)
        if str(destination).endswith(".previous") and len(disturbed) < 3:
            disturbed.append(values(read_corpus(target)))

    monkeypatch.setattr(os, "rename", rename_then_read)
    write_corpus(NEW, target)
    assert disturbed == [values(OLD)] * 3
    assert values(read_corpus(target)) == values(NEW)
    assert hidden(tmp_path) == []


def test_a_writer_that_is_faster_between_the_renames_does_no_harm(tmp_path, monkeypatch):
    target = tmp_path / "x.corpus"
    write_corpus(OLD, target)
    rename, entered = os.rename, []

    def rename_then_write(source, destination):
        rename(source, destination)
        if str(destination).endswith(".previous") and not entered:
            entered.append(True)
            write_corpus(OLD, target)

    monkeypatch.setattr(os, "rename", rename_then_write)
    write_corpus(NEW, target)
    assert values(read_corpus(target)) == values(NEW)
    assert hidden(tmp_path) == []


def test_only_the_directory_that_was_set_aside_is_deleted(tmp_path):
    """Another writer's may stand there by now, and be the only whole one if that writer is killed."""
    write_corpus(OLD, tmp_path / "x.corpus")
    mine = replacement.identity(tmp_path / "x.corpus")
    write_corpus(NEW, tmp_path / ".x.corpus.previous")
    replacement._discard(tmp_path / ".x.corpus.previous", mine)
    assert values(read_corpus(tmp_path / ".x.corpus.previous")) == values(NEW)


def test_readers_beside_writers_see_whole_artifacts_only(tmp_path):
    target, faults, done = tmp_path / "x.corpus", [], threading.Event()
    write_corpus(OLD, target)
    allowed = (values(OLD), values(NEW))

    def read():
        while not done.is_set():
            try:
                found = values(read_corpus(target))
            except Exception as error:  # whatever it is, the test must hear of it
                faults.append(error)
            else:
                faults.extend([] if found in allowed else [found])

    def write():
        for _, thing in zip(range(15), cycle((NEW, OLD)), strict=False):
            try:
                write_corpus(thing, target)
            except Exception as error:
                faults.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    writers = [threading.Thread(target=write) for _ in range(2)]
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    for thread in readers:
        thread.join()
    assert faults == []
    assert values(read_corpus(target)) in allowed
    assert hidden(tmp_path) == []


def test_a_reader_that_is_disturbed_once_reads_again(tmp_path, monkeypatch):
    """The manifest of the old artifact and the arrays of the new one must not be mixed."""
    target = tmp_path / "x.corpus"
    write_corpus(OLD, target)
    from pmifact.storage import artifact

    check, replaced = artifact._check_files, []

    def replace_then_check(*arguments, **options):
        if not replaced:
            replaced.append(True)
            write_corpus(NEW, target)
        check(*arguments, **options)

    monkeypatch.setattr(artifact, "_check_files", replace_then_check)
    assert values(read_corpus(target)) == values(NEW)


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "x.corpus").symlink_to(tmp_path / "real" / "y.corpus")
    for thing in (OLD, NEW):
        write_corpus(thing, tmp_path / "x.corpus")
        assert values(read_corpus(tmp_path / "real" / "y.corpus")) == values(thing)
    assert (tmp_path / "x.corpus").is_symlink()
    assert os.listdir(tmp_path / "real") == ["y.corpus"]


def test_long_names_and_new_files_have_ordinary_permissions(tmp_path):
    target = tmp_path / ("é" * 120 + ".corpus")
    write_corpus(OLD, target)
    write_corpus(NEW, target)
    (tmp_path / "d").mkdir()
    (tmp_path / "f").write_text("")
    write_word2vec(VECTORS, tmp_path / "v.txt")
    assert target.stat().st_mode == (tmp_path / "d").stat().st_mode
    assert (tmp_path / "v.txt").stat().st_mode == (tmp_path / "f").stat().st_mode
    assert hidden(tmp_path) == []


def test_a_name_that_no_file_system_takes_is_one_sentence(tmp_path):
    with pytest.raises(ArtifactError):
        write_corpus(OLD, tmp_path / ("x" * 300))
    assert os.listdir(tmp_path) == []


def write_vectors_file(path):
    write_word2vec(VECTORS, path)


@pytest.mark.parametrize("write", [lambda path: write_corpus(NEW, path), write_vectors_file])
@pytest.mark.parametrize("limit", [0, 1, 30])
def test_a_full_disk_leaves_the_old_one_and_nothing_else(write, limit, tmp_path):
    resource = pytest.importorskip("resource")
    write(tmp_path / "x")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        for path in (tmp_path / "x", tmp_path / "y"):
            with pytest.raises(ArtifactError, match=r"cannot be written: File too large.*free space"):
                write(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert os.listdir(tmp_path) == ["x"]
