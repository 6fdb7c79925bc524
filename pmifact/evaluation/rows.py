"""The rows of a gold file, whatever separates its columns."""

import csv
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pmifact.errors import InputError

_SHOWN = 60  # characters of a bad line that an error quotes


@dataclass(frozen=True)
class GoldRow:
    """One line of a gold file: a title (a section line) or fields.

    Parameters
    ----------
    path : str or PathLike
        The file.
    line : int
        From 1.
    text : str
        The line, cut for messages.
    delimiter : str
        "tab", "comma" or "space".
    fields : tuple of str
        Without the white space around them; empty for a title.
    title : str or None
        What follows the mark of a title; None for a row of fields.
    """

    path: str | os.PathLike[str]
    line: int
    text: str
    delimiter: str
    fields: tuple[str, ...]
    title: str | None = None

    @property
    def shape(self) -> str:
        """How many fields there are and what separates them, for messages."""
        return f"{len(self.fields)} {self.delimiter}-separated field{'s' * (len(self.fields) != 1)}"

    def error(self, expected: str, got: str, remedy: str) -> InputError:
        """Return the error that says what is wrong with this line."""
        return InputError(f"{self.path}, line {self.line}: expected {expected}, got {got}; {remedy}")

    def refuse_empty(self, words: int) -> None:
        """Raise `InputError` if one of the first `words` fields is empty."""
        if "" in self.fields[:words]:
            raise self.error(
                f"a word in each of the first {words} columns",
                f"an empty field in {self.text!r}",
                "fill it or remove the line",
            )


def read_rows(
    path: str | os.PathLike[str],
    *,
    titles: str | None = None,
    is_header: Callable[[tuple[str, ...]], bool] = lambda fields: False,
) -> Iterator[GoldRow]:
    """Yield the rows of a gold file, without comments (lines starting with ``#``) and blank lines.

    Parameters
    ----------
    path : str or PathLike
        A UTF-8 text file; a byte-order mark is dropped.
    titles : str, optional
        A line starting with this mark is a title.
    is_header : callable
        Says whether the fields of the first row are column names, which are skipped.

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8, or has a row that cannot be cut into fields.
    """
    delimiter = ""  # decided by the first row that is not a header
    first = True
    for number, line in enumerate(_decode(path).split("\n"), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
        if titles is not None and text.startswith(titles):
            yield GoldRow(path, number, shown, "", (), text.removeprefix(titles).strip())
            continue
        separator = delimiter or _delimiter(text)
        try:
            fields = _split(line, separator)
        except csv.Error as error:
            raise InputError(
                f"{path}, line {number}: expected {separator}-separated fields, got {shown!r} ({error}); "
                "correct the line or separate the columns with tabs"
            ) from error
        header = first and is_header(fields)
        first = False
        if not header:
            delimiter = separator
            yield GoldRow(path, number, shown, delimiter, fields)


def _decode(path: str | os.PathLike[str]) -> str:
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(
            f"{path}: expected a readable gold file, got {error.strerror or error}; check the path"
        ) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}, line {line}: expected UTF-8, got the byte 0x{content[error.start]:02x} "
            f"at offset {error.start}; convert the file to UTF-8"
        ) from error


def _delimiter(line: str) -> str:
    if "\t" in line:
        return "tab"
    return "comma" if "," in line else "space"


def _split(line: str, delimiter: str) -> tuple[str, ...]:
    if delimiter == "space":
        return tuple(line.split())
    if delimiter == "tab":
        fields = line.strip("\r\n").rstrip().split("\t")
    else:
        # Spreadsheets put quotes around fields.
        fields = next(csv.reader([line.strip()], skipinitialspace=True), [])
    return tuple(field.strip() for field in fields)
