"""Rows of word2vec's text format: a word and its numbers a line, separated by spaces."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.storage.arrays import blocks
from pmifact.storage.word2vec_rows import VectorFile, WordList

_LONGEST_WORD = 1 << 16
_LONGEST_NUMBER = 64


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


def read_rows(source: VectorFile) -> tuple[tuple[str, ...], NDArray[np.float32]]:
    """Read the words and numbers that the header declares, and nothing more."""
    matrix = np.empty((source.words, source.dimensions), np.float32)
    words = WordList(source, "line", 2)
    longest = _LONGEST_WORD + _LONGEST_NUMBER * source.dimensions
    with np.errstate(over="ignore"):  # what overflows float32 becomes infinite, and is refused below
        for row in range(source.words):
            line = source.file.readline(longest)
            if not line:
                raise InputError(
                    f"{source.path}: line 1: expected {source.words:,} words as declared there, got {row:,}; "
                    "the file is cut short"
                )
            # Split from the right, so that odd white space within a word stays there.
            word, *numbers = line.rsplit(None, source.dimensions) or [b""]
            try:
                matrix[row] = _parse(numbers, source.dimensions, b"_" in line)
            except ValueError as problem:
                raise InputError(f"{words.where(row)}: {_fault(line, source.dimensions)}") from problem
            if len(word.split()) > 1 and _is_number(word.split()[-1]):
                raise InputError(f"{words.where(row)}: {_fault(line, source.dimensions)}")
            words.add(row, word)
    while rest := source.file.read(1 << 20):
        if rest.strip():
            raise InputError(
                f"{source.path}: line 1: expected {source.words:,} words as declared there, "
                "got more lines after them"
            )
    words.check_finite(matrix)
    return tuple(words.ids), matrix


def _parse(numbers: list[bytes], dimensions: int, underscored: bool) -> list[float]:
    if len(numbers) != dimensions or (underscored and b"_" in b"".join(numbers)):
        raise ValueError  # Python alone takes 1_000 for a number
    return list(map(float, numbers))


def _fault(line: bytes, dimensions: int) -> str:
    """Say what is wrong with a line that is not a word and so many numbers."""
    fields = line.split()
    expected = f"expected a word and {dimensions} numbers"
    numeric = [_is_number(text) for text in fields[1:]]
    if len(fields) != dimensions + 1 and (len(fields) <= dimensions or all(numeric)):
        return f"{expected}, got {len(fields)} fields"
    strange = [text for text in line.rsplit(None, dimensions)[1:] if not _is_number(text)]
    if strange:
        return f"{expected}, got {strange[0][:40].decode(errors='replace')!r} in place of a number"
    return f"{expected}, got more numbers"


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return b"_" not in text
