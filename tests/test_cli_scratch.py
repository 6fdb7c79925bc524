"""Unfinished work beside the output: taken up when nothing changed, and only then."""

import inspect
import os
import shutil

import numpy as np
import pytest

from pmifact.cli import scratch
from pmifact.cli.run import Run
from pmifact.cli.signals import Stopped
from pmifact.corpus import encode_corpus
from pmifact.errors import ArtifactError

ENCODING = {
    name: parameter.default
    for name, parameter in inspect.signature(encode_corpus).parameters.items()
    if parameter.kind is parameter.KEYWORD_ONLY and name not in ("memory", "scratch", "threads", "progress")
} | {"min_count": 1}
MEMORY = 2**30


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("the cat sat on the mat\n" * 10, encoding="utf-8")
    return path


@pytest.fixture
def encoded(monkeypatch):
    """Count how often text is really encoded."""
    calls = []
    encode = scratch.encode

    def counting(*args, **options):
        calls.append(args)
        return encode(*args, **options)

    monkeypatch.setattr(scratch, "encode", counting)
    return calls


def once(text, folder, **changes):
    return scratch.encode_once([str(text)], Run(quiet=False), ENCODING | changes, 1, folder, MEMORY)


def test_text_is_encoded_once(text, tmp_path, encoded, capsys):
    folder = tmp_path / "unfinished"
    folder.mkdir()
    first, second = once(text, folder), once(text, folder)
    assert len(encoded) == 1
    assert first.vocabulary == second.vocabulary
    assert np.array_equal(first.token_ids, second.token_ids)
    assert "Taking up the encoded text" in capsys.readouterr().err
    assert not (folder / "encoding").exists()


def test_text_that_changed_is_encoded_again(text, tmp_path, encoded, capsys):
    folder = tmp_path / "unfinished"
    folder.mkdir()
    once(text, folder)
    once(text, folder, lowercase=True)
    with text.open("a", encoding="utf-8") as file:
        file.write("a dog\n")
    assert "dog" in once(text, folder, lowercase=True).vocabulary
    assert len(encoded) == 3
    assert capsys.readouterr().err.count("is not taken up") == 2


def test_the_folder_is_gone_when_the_work_is_done_or_failed(tmp_path):
    target = tmp_path / "x.counts"
    with scratch.scratch_beside(str(target)) as folder:
        assert folder.is_dir()
        (folder / "something").touch()
    assert os.listdir(tmp_path) == []
    with pytest.raises(KeyboardInterrupt), scratch.scratch_beside(str(target)):
        raise KeyboardInterrupt
    assert os.listdir(tmp_path) == []


def test_two_runs_do_not_share_it(tmp_path):
    target = str(tmp_path / "x.counts")
    with (
        scratch.scratch_beside(target) as folder,
        pytest.raises(ArtifactError, match="another run is making it"),
        scratch.scratch_beside(target),
    ):
        pass
    assert not folder.exists()


def test_a_signal_during_the_removal_is_raised_when_all_is_gone(tmp_path, monkeypatch):
    remove, calls = shutil.rmtree, []

    def interrupted(path, ignore_errors):
        calls.append(path)
        if len(calls) == 1:
            (path / "one").unlink()
            raise Stopped
        remove(path, ignore_errors=ignore_errors)

    monkeypatch.setattr("pmifact.resources.removal.shutil.rmtree", interrupted)

    def work():
        with scratch.scratch_beside(str(tmp_path / "x")) as folder:
            for name in ("one", "two"):
                (folder / name).touch()

    with pytest.raises(Stopped):
        work()
    assert len(calls) == 2
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("step", ["os.open", "try_lock"])
def test_a_signal_before_the_work_leaves_nothing(step, tmp_path, monkeypatch):
    def stopped(*arguments):
        raise Stopped

    monkeypatch.setattr(f"pmifact.cli.scratch.{step}", stopped)
    with pytest.raises(Stopped), scratch.scratch_beside(str(tmp_path / "x")):
        raise AssertionError("the work must not begin")
    assert os.listdir(tmp_path) == []
