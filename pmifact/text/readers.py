"""Inputs to lines of text: plain and compressed files, directories, globs, standard input."""

import codecs
import glob
import hashlib
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import BinaryIO, Self, cast

from pmifact.errors import InputError

STANDARD_INPUT = "-"
_OF_AN_ARTIFACT = ("manifest.json", "vocabulary.tsv")
_BLOCK = 1 << 20  # bytes decoded at a time
# Told by their first bytes when the name has no known ending; those of bzip2 (pi, in hexadecimal) are long
# enough that no text starts with them by chance, the others are not text at all.
COMPRESSED = {".gz": "gz", ".bz2": "bz2", ".xz": "xz", ".zst": "zst"}
_MAGIC = {b"\x1f\x8b\x08": "gz", b"BZh91AY&SY": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}


@dataclass(frozen=True)
class Source:
    """One input that was read: its name, size in bytes and SHA-256 (of the bytes as stored)."""

    name: str
    size: int
    sha256: str


def check_encoding(encoding: object) -> None:
    """Raise `InputError` unless Python knows `encoding` as an encoding of text (rot13 and hex are none)."""
    try:
        "".encode(encoding)  # type: ignore[arg-type]
    except (LookupError, TypeError, ValueError):
        raise InputError(
            f"encoding: expected the name of a text encoding, such as utf-8 or latin-1, got {encoding!r}"
        ) from None


def expand_inputs(inputs: Iterable[str | os.PathLike[str]], *, hint: str = "") -> list[str]:
    """Replace directories and globs by the files they stand for.

    An existing path always stands for itself. A directory gives every file below it, a glob (``*``, ``?``,
    ``[...]``, and ``**`` for any number of directories) whatever it matches, in the code-point order of the
    paths; both leave out names that start with a dot. Symbolic links are followed. ``-`` is standard input.
    `hint` ends the message about a path that does not exist.

    Raises
    ------
    InputError
        If nothing is there, a directory or glob holds no file, a directory is reached twice or holds
        something that is not a file, or standard input is asked for twice.
    """
    paths: list[str] = []
    for given in inputs:
        name = os.fspath(given) if isinstance(given, os.PathLike) else given
        if not isinstance(name, str):
            raise InputError(f"expected the path of an input as a str, got {name!r}")
        if name == STANDARD_INPUT and name in paths:
            raise InputError("standard input (-) is given twice, but can be read only once")
        if name == STANDARD_INPUT or (os.path.exists(name) and not os.path.isdir(name)):
            paths.append(name)
        elif os.path.isdir(name):
            paths += _files_below(name)
        elif glob.escape(name) != name:
            found = glob.glob(name, recursive=True)
            if not found:
                raise InputError(f"{shown(name)}: no file matches this pattern")
            # A set, because `**` names directories and also the files that they hold.
            paths += sorted(
                {
                    path
                    for match in found
                    for path in (_files_below(match) if os.path.isdir(match) else [match])
                }
            )
        else:
            raise InputError(f"{shown(name)}: there is no such file or directory{hint}")
    if not paths:
        raise InputError("no input: give at least one file, directory, glob or - (standard input)")
    return paths


def stored_size(paths: Iterable[str]) -> int:
    """Return the size in bytes of all files together; 0 when one of them has no size, as a pipe."""
    paths = list(paths)
    return sum(map(os.path.getsize, paths)) if all(map(os.path.isfile, paths)) else 0


def shown(path: str) -> str:
    """Return the name of a file in a form that can be printed, whatever bytes it is made of."""
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "standard input" if name == STANDARD_INPUT else name


def _files_below(directory: str) -> list[str]:
    files: list[str] = []
    seen: set[str] = set()

    def refuse(error: OSError) -> None:
        raise InputError(f"{shown(error.filename)}: cannot be read: {error.strerror}") from error

    for folder, folders, names in os.walk(directory, onerror=refuse, followlinks=True):
        real = os.path.realpath(folder)
        if real in seen:
            raise InputError(
                f"{shown(folder)}: a symbolic link leads here again; its files would be read twice"
            )
        seen.add(real)
        if set(_OF_AN_ARTIFACT) <= set(names):
            raise InputError(
                f"{shown(folder)}: expected text, got what another command made of it; name the files of "
                "the text, or keep other things in another directory"
            )
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [os.path.join(folder, name) for name in names if not name.startswith(".")]
    for path in files:
        if not os.path.isfile(path):
            raise InputError(
                f"{shown(path)}: neither a file nor a directory; remove it or name the files one by one"
            )
    if not files:
        raise InputError(
            f"{shown(directory)}: this directory holds no file (names that start with a dot do not count)"
        )
    return sorted(files)


class _StoredBytes(io.RawIOBase):
    """The bytes of a file as stored, counted and digested while something else reads them."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._head = stream.read(max(map(len, _MAGIC)))
        self.compression = next(
            (kind for magic, kind in _MAGIC.items() if self._head.startswith(magic)), None
        )
        self.digest = hashlib.sha256()
        self.size = 0
        self.ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._head:
            size = min(len(buffer), len(self._head))
            buffer[:size], self._head = self._head[:size], self._head[size:]
        else:
            size = self._stream.readinto(buffer)  # type: ignore[attr-defined]
        self.digest.update(buffer[:size])
        self.size += size
        self.ended |= size == 0
        return size


class TextInput:
    r"""One input, opened; iterating gives lists of whole lines, of about a million bytes each.

    Only ``\n`` ends a line; it is dropped, with one ``\r`` before it. A byte-order mark at the start is
    dropped. When all lines are read, `source` says what was read.

    Parameters
    ----------
    path : str
        A file, or ``-`` for standard input. The ending ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` says how it
        is compressed; without one of these, its first bytes do.
    encoding : str
        Any text encoding that Python knows.
    errors : {"strict", "replace"}
        Refuse a byte that is invalid, or put U+FFFD in its place.

    Raises
    ------
    InputError
        If the file cannot be opened or read, is truncated or corrupt, or holds an invalid byte.
    """

    def __init__(self, path: str, *, encoding: str = "utf-8", errors: str = "strict") -> None:
        check_encoding(encoding)
        self.name = shown(path)
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)(errors)
        with ExitStack() as opened:
            try:
                if path == STANDARD_INPUT:
                    stream = getattr(sys.stdin, "buffer", None)
                    if stream is None:
                        raise InputError("standard input is not open for reading bytes")
                else:
                    stream = opened.enter_context(open(path, "rb"))
                self._stored = _StoredBytes(stream)
            except OSError as error:
                raise InputError(f"{self.name}: cannot be opened: {error.strerror or error}") from error
            self._bytes = cast(BinaryIO, self._stored)
            self._format = COMPRESSED.get(os.path.splitext(path)[1].lower()) or self._stored.compression
            if self._format is not None:
                from xopen import xopen  # here, because it takes longer to load than a small file to read

                try:
                    # No threads: they would be processes, which hide how a truncated file ended.
                    self._bytes = opened.enter_context(
                        xopen(cast(BinaryIO, self._stored), "rb", threads=0, format=self._format)
                    )
                except Exception as error:
                    raise self._damaged(error) from error
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._opened.close()

    @property
    def bytes_read(self) -> int:
        """Bytes read so far, as stored."""
        return self._stored.size

    @property
    def source(self) -> Source:
        """What has been read; of the whole input once all its lines are."""
        return Source(self.name, self._stored.size, self._stored.digest.hexdigest())

    def __iter__(self) -> Iterator[list[str]]:
        started: list[
            str
        ] = []  # the pieces of a line that has not ended; joined once, so that it may be long
        at_start = True
        for text in self._texts():
            if at_start and text:
                text = text.removeprefix("\ufeff")
                at_start = False
            *lines, rest = text.split("\n")
            if lines:
                lines[0] = "".join([*started, lines[0]])
                started = []
                # The carriage return of the first line may have come with the text before.
                if "\r" in text or lines[0].endswith("\r"):
                    lines = [line.removesuffix("\r") for line in lines]
                yield lines
            if rest:
                started.append(rest)
        if started:
            yield ["".join(started)]

    def _texts(self) -> Iterator[str]:
        decoder, consumed, newlines = self._decoder, 0, 0
        while True:
            block = self.read()
            consumed += len(block)
            state = decoder.getstate()
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                decoder.setstate(state)
                before = len(block) - len(error.object) + error.start
                newlines += decoder.decode(block[: max(before, 0)]).count("\n")
                raise self.invalid_byte(
                    error, newlines + 1, consumed - len(error.object) + error.start
                ) from None
            except UnicodeError as error:
                raise InputError(f"{self.name}: not valid {self._encoding}: {error}") from error
            newlines += text.count("\n")
            yield text
            if not block:
                return

    def read(self) -> bytes:
        """Return the next bytes of the text, decompressed but not decoded; none at its end."""
        try:
            block = self._bytes.read(_BLOCK)
        except MemoryError:
            raise
        except Exception as error:  # each decompressor has errors of its own, some of them only an Exception
            raise self._damaged(error) from error
        # At the end of its data a decompressor asks for more, to see whether another stream follows. One
        # that did not ask met bytes that it could not understand, and would leave them out silently.
        if not block and self._format is not None and not (self._stored.ended and self._stored.size):
            raise self._damaged(
                "bytes that are not compressed data follow" if self._stored.size else "it is empty"
            )
        return block

    def _damaged(self, why: object) -> InputError:
        if self._format is None:
            return InputError(f"{self.name}: cannot be read: {why}")
        return InputError(f"{self.name}: not a whole .{self._format} file: {why}")

    def invalid_byte(self, error: UnicodeDecodeError, line: int, offset: int) -> InputError:
        """Return the error for a byte that cannot be decoded, at `offset` in the decompressed file."""
        return InputError(
            f"{self.name}, line {line}: the byte 0x{error.object[error.start]:02x} at offset {offset} is not "
            f"valid {self._encoding} ({error.reason}); name the file's encoding with --encoding, or put "
            "U+FFFD in the place of such bytes with --errors replace"
        )
