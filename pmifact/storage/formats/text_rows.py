"""Rows of text formats: a word and its numbers a line, separated by spaces."""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.notebook import count_of
from pmifact.storage.arrays import blocks
from pmifact.storage.formats.words import Words
from pmifact.vectors import WordVectors

_LONGEST_WORD = 1 << 16
_LONGEST_NUMBER = 64
_SAMPLE = 10  # lines that tell how many numbers a row has
LONGEST_LINE = 1 << 24  # read of a line when looking at what it holds


@dataclass(frozen=True, kw_only=True)
class TextRows:
    """An open file, read up to its first row, and what it should hold.

    Parameters
    ----------
    path : Path
        Its name.
    file : BufferedReader
        At the start of the first row.
    dimensions : int
        Numbers a row.
    words : int or None
        Rows, when a header declares them.
    errors : {"strict", "replace"}
        As for `Words`.
    remarks : tuple of str
        What is odd so far.
    """

    path: Path
    file: BufferedReader
    dimensions: int
    words: int | None
    errors: str
    remarks: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """What a row should be, for messages."""
        return f"expected a word and {count_of(self.dimensions, 'number')}"


def write_rows(file: BinaryIO, words: Sequence[str], matrix: NDArray[Any]) -> None:
    """Write a line for each word, with nine significant digits: enough to tell every float32 apart."""
    template = " %.9g" * matrix.shape[1] + "\n"
    remaining = iter(words)
    for _, block in blocks(matrix):
        # Formatting a whole row at once is several times faster than a number at a time.
        lines = (
            word + template % tuple(row)
            for word, row in zip(islice(remaining, len(block)), block.tolist(), strict=True)
        )
        file.write("".join(lines).encode())


def read_rows(rows: TextRows) -> WordVectors:
    """Read the rows of a file; in a strict reading exactly as many as its header declares."""
    strict, declared = rows.errors == "strict", rows.words
    first = 1 if declared is None else 2
    taken = Words(rows.path, "line", rows.errors, rows.dimensions, remarks=list(rows.remarks))
    matrix = np.empty((_most_rows(rows), rows.dimensions), np.float32)
    seen = kept = 0
    with np.errstate(over="ignore"):  # what overflows float32 becomes infinite, and is refused in the end
        for number, line in enumerate(_lines(rows), start=first):
            exact = strict and declared is not None
            if not (exact and seen < (declared or 0)) and not line.strip():
                continue
            if exact and seen == declared:
                raise InputError(f"{_as_declared(rows)}, got more lines after them")
            seen += 1
            # Split from the right, so that odd white space within a word stays there.
            word, *numbers = line.rsplit(None, rows.dimensions) or [b""]
            try:
                matrix[kept] = _parse(numbers, rows.dimensions, b"_" in line)
                more = len(word.split()) > 1 and _is_number(word.split()[-1])
            except ValueError:
                more = True
            if more:
                taken.refuse(number, "shape", _fault(line, rows))
            elif taken.take(number, word):
                kept += 1
    if declared not in (None, seen):
        if strict:
            raise InputError(f"{_as_declared(rows)}, got {seen:,}; the file is cut short")
        taken.remark(f"the header declares {declared:,}, the file has {count_of(seen, 'line')} after it")
    return taken.vectors(matrix[:kept])


def sampled_dimensions(file: BufferedReader, declared: int | None = None) -> int | None:
    """Return how many numbers most of the next rows have; None when they have none.

    The number `declared` is believed when one of them has as many. `file` stays where it is.
    """
    start = file.tell()
    lines = [line for line in islice(iter(lambda: file.readline(LONGEST_LINE), b""), _SAMPLE) if line.strip()]
    file.seek(start)
    found = Counter(filter(None, map(count_numbers, lines)))
    if not found:
        return None
    if declared in found:
        return declared
    return found.most_common(1)[0][0]


def count_numbers(line: bytes) -> int:
    """Return how many numbers a row ends with, its first field not among them."""
    fields = line.split()[1:]
    return next((at for at, text in enumerate(reversed(fields)) if not _is_number(text)), len(fields))


def _lines(rows: TextRows) -> Iterator[bytes]:
    """Yield lines, of each no more than a row can have."""
    longest = min(_LONGEST_WORD + _LONGEST_NUMBER * rows.dimensions, sys.maxsize)
    while line := rows.file.readline(longest):
        yield line
        while not line.endswith(b"\n") and (line := rows.file.readline(longest)):
            pass


def _most_rows(rows: TextRows) -> int:
    """Return the rows to set memory aside for: never more than the file can hold."""
    size = os.fstat(rows.file.fileno()).st_size - rows.file.tell()
    # A word of one byte, a space and a digit a number, and an end of line that the last row need not have.
    most = (size + 1) // (2 + 2 * rows.dimensions)
    return min(most, rows.words) if rows.errors == "strict" and rows.words is not None else most


def _as_declared(rows: TextRows) -> str:
    return f"{rows.path}, line 1: expected {count_of(rows.words or 0, 'word')} as declared there"


def _parse(numbers: list[bytes], dimensions: int, underscored: bool) -> list[float]:
    if len(numbers) != dimensions or (underscored and b"_" in b"".join(numbers)):
        raise ValueError  # Python alone takes 1_000 for a number
    return list(map(float, numbers))


def _fault(line: bytes, rows: TextRows) -> str:
    """Say what is wrong with a line that is not a word and so many numbers."""
    fields, dimensions = line.split(), rows.dimensions
    if not fields:
        return f"{rows.expected}, got an empty line"
    numeric = [_is_number(text) for text in fields[1:]]
    if len(numeric) != dimensions and all(numeric):
        return f"{rows.expected}, got {count_of(len(numeric), 'number')}"
    if len(numeric) < dimensions:
        return f"{rows.expected}, got {count_of(len(fields), 'field')}"
    strange = [text for text in line.rsplit(None, dimensions)[1:] if not _is_number(text)]
    if strange:
        return f"{rows.expected}, got {strange[0][:40].decode(errors='replace')!r} in place of a number"
    return f"{rows.expected}, got more numbers"


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return b"_" not in text
