"""Files of records to the texts that they hold: JSON Lines and CoNLL-U; Parquet has a module of its own.

A record is a document: what it holds is text as in a file of its own, so that no sentence goes on from one
record to the next.
"""

import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import NamedTuple, NoReturn, Protocol, Self

from pmifact.checks import check_choice
from pmifact.errors import InputError
from pmifact.text.readers import COMPRESSED, STANDARD_INPUT, Source, TextInput

INPUT_FORMATS = ("auto", "text", "jsonl", "conllu", "parquet")
COLUMNS = ("form", "lemma", "upos")  # of CoNLL-U
NORMALIZERS = {"nfc": partial(unicodedata.normalize, "NFC"), "nfkc": partial(unicodedata.normalize, "NFKC")}

_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".conllu": "conllu",
    ".parquet": "parquet",
}
_N_COLUMNS = 10
_WORD_ID = re.compile(r"[1-9][0-9]*")
_SKIPPED_ID = re.compile(r"[1-9][0-9]*-[1-9][0-9]*|(?:0|[1-9][0-9]*)\.[1-9][0-9]*")
_SPACE = re.compile(r"\s")  # the characters of str.isspace
_SURROGATE = re.compile("[\ud800-\udfff]")


class Record(NamedTuple):
    """The text of a record, and where in its file it stands, as "line 3"."""

    place: str
    text: str


class RecordInput(Protocol):
    """A file of records, opened; iterating gives lists of them, after which `source` says what was read."""

    name: str

    @property
    def bytes_read(self) -> int:
        """Bytes read so far, as stored."""

    @property
    def source(self) -> Source:
        """What has been read."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

    def __iter__(self) -> Iterator[list[Record]]: ...


@dataclass(frozen=True, kw_only=True)
class RecordOptions:
    """What is taken from each record; as `pmifact.corpus.EncodeOptions` names it."""

    field: str
    column: str
    normalize: str
    encoding: str
    errors: str


def input_format_of(path: str, asked: str) -> str:
    """Return the format of a file: the one asked for, or for ``auto`` the one that its name ends in.

    Compressed files end in both, as ``.jsonl.gz``. Any other name, and standard input, is text.
    """
    check_choice("input_format", asked, INPUT_FORMATS)
    if asked != "auto":
        return asked
    if path == STANDARD_INPUT:
        return "text"
    stem, suffix = os.path.splitext(path.lower())
    if suffix in COMPRESSED:
        suffix = os.path.splitext(stem)[1]
    return _SUFFIXES.get(suffix, "text")


def open_records(path: str, input_format: str, options: RecordOptions) -> RecordInput:
    """Open a file of records.

    Parameters
    ----------
    path : str
        A file, compressed or not, or ``-`` for standard input; for Parquet a file alone.
    input_format : {"jsonl", "conllu", "parquet"}
        What it holds.
    options : RecordOptions
        What to take from it; the texts come normalized as it says.

    Raises
    ------
    InputError
        If the file cannot be opened. Iterating raises it for the first record that is malformed, or that
        does not have what is to be taken from it; it names the file and the line.
    """
    if input_format == "parquet":
        from pmifact.text.parquet import ParquetInput

        return ParquetInput(path, field=options.field, normalize=NORMALIZERS.get(options.normalize))
    return (_JsonLines if input_format == "jsonl" else _Conllu)(path, options)


class _LineInput:
    """A file of records that are made of lines."""

    def __init__(self, path: str, options: RecordOptions) -> None:
        self._lines = TextInput(path, encoding=options.encoding, errors=options.errors)
        self.name = self._lines.name
        self._options = options
        self._normal: Callable[[str], str] | None = NORMALIZERS.get(options.normalize)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._lines.__exit__(kind, error, traceback)

    @property
    def bytes_read(self) -> int:
        return self._lines.bytes_read

    @property
    def source(self) -> Source:
        return self._lines.source

    def _refuse(self, number: int, fault: str) -> NoReturn:
        raise InputError(f"{self.name}, line {number}: {fault}")


class _JsonLines(_LineInput):
    """A JSON object a line, as of WikiExtractor; the text stands in one of its fields."""

    def __iter__(self) -> Iterator[list[Record]]:
        before = 0
        for lines in self._lines:
            block = []
            for number, line in enumerate(lines, before + 1):
                if line and not line.isspace():
                    text = self._text(line, number)
                    block.append(Record(f"line {number}", self._normal(text) if self._normal else text))
            before += len(lines)
            yield block

    def _text(self, line: str, number: int) -> str:
        try:
            content = json.loads(line)
        except (ValueError, RecursionError) as error:
            place = f" at character {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
            why = getattr(error, "msg", error)
            self._refuse(number, f"expected a JSON object, got {line[:40]!r}: {why}{place}")
        field = self._options.field
        if not isinstance(content, dict):
            self._refuse(number, f"expected a JSON object with the field {field!r}, got {line[:40]!r}")
        if field not in content:
            found = ", ".join(map(repr, content)) or "no field"
            self._refuse(number, f"expected the field {field!r}, got {found:.200}; name another with --field")
        text = content[field]
        if not isinstance(text, str):
            self._refuse(number, f"expected text in the field {field!r}, got {json.dumps(text):.40}")
        if not text.isascii() and (surrogate := _SURROGATE.search(text)):
            if self._options.errors != "replace":
                self._refuse(
                    number,
                    f"the field {field!r} holds the lone surrogate {surrogate[0]!r}, not a character; "
                    "put U+FFFD in the place of such characters with --errors replace",
                )
            text = _SURROGATE.sub("\ufffd", text)
        return text


class _Conllu(_LineInput):
    """Annotated sentences; a record is one, and its text is the values of a column with spaces between them.

    Only syntactic words count: the lines of multiword tokens (2-3) and of empty nodes (2.1) are left out.
    White space inside a value (``10 000`` is one word of French) becomes ``_``, a character at a time.
    """

    def __iter__(self) -> Iterator[list[Record]]:
        values: list[str] = []
        first = before = 0
        for lines in self._lines:
            block = []
            for number, line in enumerate(lines, before + 1):
                if not line or line.isspace():
                    if values:
                        block.append(Record(f"line {first}", " ".join(values)))
                        values = []
                elif not line.startswith("#"):
                    value = self._value(line, number, len(values) + 1)
                    if value is not None:
                        first = first if values else number
                        values.append(value)
            before += len(lines)
            yield block
        if values:  # the empty line after the last sentence is missing
            yield [Record(f"line {first}", " ".join(values))]

    def _value(self, line: str, number: int, expected: int) -> str | None:
        """Return what the column holds for a syntactic word, None for another line."""
        fields = line.split("\t")
        if len(fields) != _N_COLUMNS:
            self._refuse(number, f"expected {_N_COLUMNS} columns with tabs between them, got {len(fields)}")
        if _SKIPPED_ID.fullmatch(fields[0]):
            return None
        if not _WORD_ID.fullmatch(fields[0]):
            self._refuse(number, f"expected the id of a word, as 1, 1-2 or 1.1, got {fields[0]!r:.40}")
        if fields[0] != str(expected):
            self._refuse(
                number,
                f"expected word {expected} of the sentence, got {fields[0]!r:.40}; "
                "words are numbered from 1, and an empty line ends a sentence",
            )
        column = self._options.column
        value = fields[COLUMNS.index(column) + 1]
        if not value or (value == "_" and fields[1] != "_" and column != "form"):
            self._refuse(number, f"the word {fields[1]!r:.40} has no {column}; name another with --column")
        if self._normal:
            value = self._normal(value)
        return _SPACE.sub("_", value)
