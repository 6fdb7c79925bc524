"""Files to type ids on every core, for the built-in tokenizers.

Each worker takes the next stretch of a file, cut where no token can be, and scans it into a lexicon of its
own; one waits for another only to read the same file. Under a limit on memory, ids go to a file, and so does
a lexicon that has grown too large, with a new one begun. Who scanned what differs from run to run, and no
longer shows once the lexicons are brought together.
"""

import codecs
import unicodedata
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from threading import Condition

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.resources.progress import Progress
from pmifact.resources.spool import Spool
from pmifact.text.characters import character_classes
from pmifact.text.lexicon import InvalidByteError, Lexicon, Scanned, Types
from pmifact.text.readers import Source, TextInput, shown, stored_size
from pmifact.text.records import RecordInput, RecordOptions, input_format_of, open_records

_STRETCH = 1 << 22  # bytes scanned at a time
_BOUNDARIES = {"line": 0, "blank": 1, "none": 2}  # as pmifact.kernels.tokens numbers them
_POLL = 0.1  # seconds between two reports of progress


@dataclass(frozen=True, kw_only=True)
class ScanOptions:
    """How files are decoded and cut; as `pmifact.corpus.EncodeOptions` names it."""

    tokenizer: str
    normalize: str
    boundary: str
    encoding: str
    errors: str
    input_format: str
    field: str
    column: str

    @property
    def records(self) -> RecordOptions:
        """What is taken from files of records."""
        return RecordOptions(
            field=self.field,
            column=self.column,
            normalize=self.normalize,
            encoding=self.encoding,
            errors=self.errors,
        )


@dataclass(frozen=True)
class Limits:
    """What a limit on memory leaves to scanning.

    Parameters
    ----------
    spool : Spool
        Where ids and types go.
    stretch : int
        Bytes of text scanned at a time.
    lexicon : int
        Bytes of a lexicon that is put away.
    """

    spool: Spool
    stretch: int
    lexicon: int

    @classmethod
    def of(cls, working: int, threads: int, spool: Spool) -> "Limits":
        """Divide memory: a stretch takes five times its size, a lexicon is copied when it is put away."""
        return cls(spool, min(_STRETCH, working // (16 * threads)), working // (8 * threads))


@dataclass(frozen=True)
class Stretch:
    """A scanned stretch of a file, and the number of the lexicon that knows its types."""

    lexicon: int
    scanned: Scanned


_NO_TYPES = Lexicon().folded(lower=False)
_NOTHING = Stretch(-1, Scanned(np.empty(0, np.int32), np.empty(0, np.int32), 0))


@dataclass(frozen=True)
class ScannedText:
    """All files as type ids: the stretches of each file in order, their types, and what was read."""

    files: list[list[Stretch]]
    types: list[Types]
    sources: tuple[Source, ...]

    @property
    def n_tokens(self) -> int:
        """Tokens in all files."""
        return sum(len(stretch.scanned.ids) for stretches in self.files for stretch in stretches)

    def sentence_starts(self) -> Iterator[NDArray[np.int64]]:
        """Yield where the sentences start, and where the last one ends; empty ones are left out."""
        yield np.zeros(1, np.int64)
        last, offset = 0, 0
        for stretches in self.files:
            for stretch in stretches:
                ends = stretch.scanned.breaks + np.int64(offset)
                offset += len(stretch.scanned.ids)
                if stretch is stretches[-1]:
                    ends = np.append(ends, offset)
                yield ends[np.diff(ends, prepend=last) > 0]
                last = int(ends[-1]) if len(ends) else last


def scan_files(
    names: Sequence[str],
    options: ScanOptions,
    *,
    lowercase: bool,
    limits: Limits | None = None,
    threads: int,
    progress: Progress,
) -> ScannedText:
    """Read and cut files; raise `InputError` for the first fault in the order of the text."""
    stretch = limits.stretch if limits else _STRETCH
    desk = _Desk([_File(name, options, stretch) for name in names])
    work = partial(_work, desk, character_classes(options.tokenizer), lowercase, limits)
    total = stored_size(names)
    pool = ThreadPoolExecutor(threads)
    try:
        running = {pool.submit(work) for _ in range(threads)}
        while running:
            _, running = wait(running, timeout=_POLL, return_when=FIRST_COMPLETED)
            progress(sum(file.bytes_read for file in desk.files), total)
    finally:
        # After an interruption the workers stop at their next stretch; one that waits for a pipe to be opened
        # might never, and is not waited for.
        desk.close()
        pool.shutdown(wait=False)
    for file in desk.files:
        file.close()
    desk.raise_first_fault()
    sources = tuple(file.source for file in desk.files)
    return ScannedText([file.stretches for file in desk.files], desk.types, sources)


def _work(desk: "_Desk", class_of: NDArray[np.uint8], lowercase: bool, limits: Limits | None) -> None:
    """Scan stretches until there are none left."""
    lexicon, number = Lexicon(), desk.begin_types()
    while (file := desk.take()) is not None:
        place = len(file.stretches)
        text = None
        try:
            try:
                text = file.read()
            finally:
                desk.give_back(file, ended=text is None)
            if text is None:
                continue
            scanned = lexicon.scan(text, class_of, file.boundary)
            if limits:
                scanned = scanned.kept_in(limits.spool)
            file.stretches[place] = Stretch(number, scanned)
            if limits and lexicon.nbytes > limits.lexicon:
                desk.types[number] = lexicon.folded(lower=lowercase).kept_in(limits.spool)
                lexicon, number = Lexicon(), desk.begin_types()
        except BaseException as error:  # raised by the caller, who knows which fault is the first
            desk.fail(file, place, error)
    types = lexicon.folded(lower=lowercase)
    desk.types[number] = types.kept_in(limits.spool) if limits else types


class _File:
    """A file that is read stretch by stretch, by one worker at a time."""

    def __init__(self, name: str, options: ScanOptions, stretch: int) -> None:
        self.stretches: list[Stretch] = []
        self._stretch = stretch
        self._begins: list[int] = []  # where the stretches begin, in bytes of text
        self._options = options
        self._name = name
        self._format = input_format_of(name, options.input_format)
        self._input: TextInput | RecordInput | None = None
        self._texts: Generator[bytes, None, None] = (
            self._read_texts() if self._format == "text" else self._read_records()
        )

    @property
    def boundary(self) -> int:
        """What ends a sentence in the texts of `read`, as pmifact.kernels.tokens numbers it."""
        # A record that is one sentence comes as one line.
        whole_records = self._format != "text" and self._options.boundary == "none"
        return _BOUNDARIES["line" if whole_records else self._options.boundary]

    @property
    def bytes_read(self) -> int:
        """Bytes read so far, as stored."""
        return 0 if self._input is None else self._input.bytes_read

    @property
    def source(self) -> Source:
        """What was read."""
        assert self._input is not None
        return self._input.source

    def read(self) -> bytes | None:
        """Return the next stretch in UTF-8 and make its place in `stretches`; None at the end."""
        text = next(self._texts, None)
        if text is not None:
            self.stretches.append(_NOTHING)
        return text

    def close(self) -> None:
        """Close the input, wherever reading has come to."""
        self._texts.close()

    def fault(self, place: int, error: BaseException) -> BaseException:
        """Turn the fault of a stretch into what the user is told."""
        if not isinstance(error, InvalidByteError):
            return error
        assert isinstance(self._input, TextInput)
        lines = sum(stretch.scanned.lines for stretch in self.stretches[:place])
        return self._input.invalid_byte(
            error.decoding, lines + error.lines + 1, self._begins[place] + error.decoding.start
        )

    def _read_texts(self) -> Generator[bytes, None, None]:
        options = self._options
        opened = self._input = TextInput(self._name, encoding=options.encoding, errors=options.errors)
        with opened:
            if codecs.lookup(options.encoding).name == "utf-8":
                yield from self._read_utf8(opened)
                return
            for lines in opened:
                self._begins.append(0)
                yield self._encoded(_normalized("\n".join([*lines, ""]), options))

    def _read_records(self) -> Generator[bytes, None, None]:
        """Give the texts of records, each with an end that also ends its last sentence."""
        boundary = self._options.boundary
        end = "\n\n" if boundary == "blank" else "\n"
        opened = self._input = open_records(self._name, self._format, self._options.records)
        with opened:
            for records in opened:
                texts = (text for _, text in records)
                if boundary == "none":
                    texts = (text.replace("\n", " ") for text in texts)
                self._begins.append(0)
                yield self._encoded("".join(text + end for text in texts))

    def _read_utf8(self, opened: TextInput) -> Iterator[bytes]:
        options, begin = self._options, 0
        for text in _cut(iter(opened.read, b""), self._stretch, at_space=options.boundary != "blank"):
            mark = len(codecs.BOM_UTF8) if begin == 0 and text.startswith(codecs.BOM_UTF8) else 0
            self._begins.append(begin + mark)
            begin += len(text)
            text = text[mark:]
            if options.errors == "strict" and (options.normalize == "none" or text.isascii()):
                yield text
            else:
                yield _normalized(_decoded(text, options.errors), options).encode()

    def _encoded(self, text: str) -> bytes:
        try:
            return text.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{shown(self._name)}: decoded as {self._options.encoding} it holds a lone surrogate, which "
                "UTF-8 cannot hold; name the encoding of the file with --encoding"
            ) from None


class _Desk:
    """Where workers take a file to read from and give it back."""

    def __init__(self, files: list[_File]) -> None:
        self.files = files
        self.types: list[Types] = []
        self._waiting = list(files)
        self._lent = 0
        self._faults: list[tuple[int, int, BaseException]] = []
        self._closed = False
        self._change = Condition()

    def begin_types(self) -> int:
        """Return the number of a new lexicon, whose types are not known yet."""
        with self._change:
            self.types.append(_NO_TYPES)
            return len(self.types) - 1

    def take(self) -> _File | None:
        """Return the first file that nobody reads, waiting for one; None when there is nothing left to do."""
        with self._change:
            while not self._waiting and self._lent and not self._closed:
                self._change.wait()
            if self._closed or not self._waiting:
                return None
            self._lent += 1
            return self._waiting.pop(0)

    def give_back(self, file: _File, *, ended: bool) -> None:
        """Let others read the file, unless it has ended."""
        with self._change:
            self._lent -= 1
            if not ended and not any(fault[0] <= self.files.index(file) for fault in self._faults):
                self._waiting.insert(0, file)
            self._change.notify_all()

    def fail(self, file: _File, place: int, error: BaseException) -> None:
        """Keep a fault, and let only what stands before it in the text be read on."""
        number = self.files.index(file)
        with self._change:
            self._faults.append((number, place, error))
            before = self.files[:number]
            self._waiting = [other for other in self._waiting if other in before]
            self._change.notify_all()

    def close(self) -> None:
        """Let no more stretches be taken."""
        with self._change:
            self._closed = True
            self._change.notify_all()

    def raise_first_fault(self) -> None:
        """Raise the fault that stands first in the text, if there is any."""
        if self._faults:
            file, place, error = min(self._faults, key=lambda fault: fault[:2])
            raise self.files[file].fault(place, error) from None


def _cut(blocks: Iterator[bytes], least: int, *, at_space: bool) -> Iterator[bytes]:
    """Join blocks to stretches that end in a line feed, or if there is none and it may be, in a space.

    Neither is part of a token or of another character, whatever the tokenizer.
    """
    parts: list[bytes] = []
    size = 0
    for block in blocks:
        size += len(block)
        cut = block.rfind(b"\n") + 1
        if not cut and at_space:
            cut = block.rfind(b" ") + 1
        if cut and size >= least:
            yield b"".join([*parts, block[:cut]])
            parts = [block[cut:]]
            size = len(parts[0])
        else:
            parts.append(block)
    if size:
        yield b"".join(parts)


def _decoded(text: bytes, errors: str) -> str:
    try:
        return text.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise InvalidByteError(error, text.count(b"\n", 0, error.start)) from None


def _normalized(text: str, options: ScanOptions) -> str:
    """Normalize whole lines at once; a line feed never combines with what stands beside it."""
    if options.normalize == "none":
        return text
    return unicodedata.normalize("NFC" if options.normalize == "nfc" else "NFKC", text)
