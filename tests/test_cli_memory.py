"""What a manifest says of memory."""

import sys
import time

import numpy as np
import pytest
from cli_samples import in_process, write_text

from pmifact.cli import memory_use
from pmifact.cli.memory_use import memory_in_use, peak_memory
from pmifact.storage import read_manifest

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="anonymous memory is told apart on Linux only")
BLOCK = 1 << 26


@on_linux
def test_memory_that_is_given_back_was_seen():
    before = memory_in_use()
    with peak_memory() as peak:
        block = np.ones(BLOCK, np.uint8)
        for _ in range(1_000):
            if peak.bytes > before + 0.9 * BLOCK:
                break
            time.sleep(0.01)
        del block
    assert 0.9 * BLOCK < peak.bytes - before < 1.5 * BLOCK


@on_linux
def test_mapped_files_are_no_anonymous_memory(tmp_path):
    np.ones(BLOCK, np.uint8).tofile(tmp_path / "block")
    mapped = np.memmap(tmp_path / "block", np.uint8, "r")
    before = memory_in_use()
    assert mapped.sum(dtype=np.int64) == BLOCK
    assert memory_in_use() - before < BLOCK / 2


def test_the_watcher_is_gone_after_an_error():
    import threading

    with pytest.raises(KeyError), peak_memory():
        raise KeyError
    assert "pmifact-memory" not in {thread.name for thread in threading.enumerate()}


def test_elsewhere_it_is_the_most_the_process_ever_had(monkeypatch, tmp_path):
    monkeypatch.setattr(memory_use, "_STATUS", str(tmp_path / "missing"))
    assert memory_in_use() > 1 << 20


def test_a_manifest_holds_the_peak_of_each_phase_and_info_shows_it(capsys, tmp_path):
    text = write_text(tmp_path / "small.txt")
    assert in_process(capsys, "count", text, "-o", tmp_path / "x.counts", "--quiet").status == 0
    manifest = read_manifest(tmp_path / "x.counts")
    assert manifest["peak_memory"].keys() == manifest["seconds"].keys() == {"encode", "count"}
    assert all(type(peak) is int and peak > 1 << 20 for peak in manifest["peak_memory"].values())
    shown = in_process(capsys, "info", tmp_path / "x.counts").out
    assert "peak memory" in shown
    assert "encode" in shown[shown.index("peak memory") :].splitlines()[0]
