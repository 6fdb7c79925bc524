"""Single files: opened with clear errors, hashed while they are written."""

import hashlib
import os
import stat
from concurrent.futures import Future, ThreadPoolExecutor
from io import BufferedReader
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from numpy.typing import NDArray

from pmifact.errors import InputError, PmifactError
from pmifact.text.readers import Source

_LONG = 1 << 20  # bytes that another thread hashes meanwhile
_SYNCED_AT_ONCE = 1 << 25  # so many bytes are sent on to the disk at a time
_DATASYNC = getattr(os, "fdatasync", os.fsync)  # not every system has it


def as_path(path: str | os.PathLike[str]) -> Path:
    """Return `path` as a Path; raise `InputError` for what no file system can hold."""
    name = os.fspath(path)
    if not isinstance(name, str) or not name or "\0" in name:
        raise InputError(f"expected the path of a file or directory, got {name!r}")
    return Path(name)


def open_regular(path: Path, error: type[PmifactError]) -> BufferedReader:
    """Open a regular file for reading bytes; raise `error` in one sentence when that is not possible."""
    try:
        # Without O_NONBLOCK opening a named pipe waits for a writer, perhaps for ever.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as problem:
        raise error(f"{path}: cannot be opened: {reason(problem)}") from problem
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise error(f"{path}: expected a regular file, got something else (a directory, pipe or device)")
    return os.fdopen(descriptor, "rb")


def reason(problem: OSError) -> str:
    """Return the system's words for `problem`, without the number and the file name."""
    return problem.strerror or type(problem).__name__


def digest_of(file: BufferedReader) -> str:
    """Return the SHA-256 (hex) of the whole of `file`."""
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()


def file_source(path: str | os.PathLike[str]) -> Source:
    """Return a file as the input of an artifact: its name, size and digest."""
    file_path = as_path(path)
    with open_regular(file_path, InputError) as file:
        try:
            return Source(os.fspath(path), os.fstat(file.fileno()).st_size, digest_of(file))
        except OSError as problem:
            raise InputError(f"{file_path}: cannot be read: {reason(problem)}") from problem


class DigestWriter:
    """A new file that counts and hashes the bytes written to it, and is on the disk when it is closed.

    What is long is hashed, and sent on to the disk, beside the writing; so `write` may return before the
    bytes are hashed, and an array handed to it must stay as it is until the next call.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("xb")
        self._hash = hashlib.sha256()
        self._bytes = 0
        self._hashing: Future[None] | None = None
        self._syncing: Future[None] | None = None
        self._unsynced = 0
        self._helpers = ThreadPoolExecutor(2)  # which begin when there is work

    def write(self, data: bytes | NDArray[Any]) -> int:
        """Append the bytes of `data`; an array must be contiguous."""
        view = memoryview(data).cast("B")
        self._await_hash()
        if view.nbytes < _LONG:
            self._hash.update(view)
        else:
            self._hashing = self._helpers.submit(self._hash.update, view)
        self._file.write(view)
        self._bytes += view.nbytes
        self._unsynced += view.nbytes
        if self._unsynced >= _SYNCED_AT_ONCE and (self._syncing is None or self._syncing.done()):
            self._await_sync()
            self._syncing = self._helpers.submit(_DATASYNC, self._file.fileno())
            self._unsynced = 0
        return view.nbytes

    @property
    def entry(self) -> dict[str, Any]:
        """What the manifest says about the file."""
        self._await_hash()
        return {"bytes": self._bytes, "sha256": self._hash.hexdigest()}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._file:
            self._helpers.shutdown()
            if kind is None:
                self._await_sync()
                self._file.flush()
                os.fsync(self._file.fileno())

    def _await_hash(self) -> None:
        if self._hashing is not None:
            self._hashing.result()
            self._hashing = None

    def _await_sync(self) -> None:
        """Wait for the disk; a fault of it is told only once, so it is raised here."""
        if self._syncing is not None:
            self._syncing.result()
            self._syncing = None
