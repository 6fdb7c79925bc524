"""Files that are hashed and synced while they are written: what is on the disk is what was hashed."""

import hashlib
import os

import numpy as np
import pytest

from pmifact.storage import files
from pmifact.storage.files import DigestWriter


@pytest.fixture(autouse=True)
def small_steps(monkeypatch):
    """Take bytes for many that are few."""
    monkeypatch.setattr(files, "_LONG", 100)
    monkeypatch.setattr(files, "_SYNCED_AT_ONCE", 1_000)


def test_short_and_long_pieces_are_hashed_in_order(tmp_path):
    rng = np.random.default_rng(0)
    pieces = [rng.bytes(size) for size in (1, 99, 100, 5_000, 3, 1_000, 0, 250)]
    with DigestWriter(tmp_path / "x") as file:
        written = [file.write(piece) for piece in pieces]
    content = b"".join(pieces)
    assert (tmp_path / "x").read_bytes() == content
    assert written == [len(piece) for piece in pieces]
    assert file.entry == {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def test_a_fault_of_the_disk_beside_the_writing_is_raised(tmp_path, monkeypatch):
    def failing(descriptor):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(files, "_DATASYNC", failing)

    def write():
        with DigestWriter(tmp_path / "x") as file:
            file.write(bytes(2_000))

    with pytest.raises(OSError, match="Input/output error"):
        write()


def test_everything_is_synced_when_it_is_closed(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: seen.append(os.fstat(descriptor).st_size))
    with DigestWriter(tmp_path / "x") as file:
        file.write(bytes(2_000))
        file.write(b"more")
    assert seen[-1] == 2_004
