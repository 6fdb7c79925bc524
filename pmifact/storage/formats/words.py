"""The words of a vectors file while it is read: what is odd is refused, or left out and counted."""

import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.notebook import count_of
from pmifact.storage.arrays import blocks
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

DECODING_ERRORS = ("strict", "replace")
Oddity = Literal["not UTF-8", "repeated", "empty", "shape", "not finite", "file"]
# Real vectors hardly compress; what grows more than this is made to fill the memory.
_MOST_EXPANSION = 100
_TOLD = {
    "not UTF-8": ("word that is not UTF-8, read with U+FFFD", "words that are not UTF-8, read with U+FFFD"),
    "repeated": ("repeated word left out", "repeated words left out"),
    "empty": ("{place} without a word left out", "{place}s without a word left out"),
    "shape": (
        "{place} with other than {dimensions} numbers left out",
        "{place}s with other than {dimensions} numbers left out",
    ),
    "not finite": (
        "vector with NaN or infinity left out",
        "vectors with NaN or infinity left out",
    ),
}


@dataclass
class Words:
    """The words read so far.

    Parameters
    ----------
    path : Path
        The file.
    place : str
        How messages count rows: "line", "entry" or "row".
    errors : {"strict", "replace"}
        Refuse the file for the first thing that is odd; or leave that row out and count it.
    dimensions : int
        The numbers a word.
    """

    path: Path
    place: str
    errors: str
    dimensions: int
    ids: dict[str, int] = field(default_factory=dict)  # word -> the number of its line, entry or row
    odd: Counter[str] = field(default_factory=Counter)
    remarks: list[str] = field(default_factory=list)

    def refuse(self, number: int, kind: Oddity, problem: str) -> None:
        """Raise `InputError` for a row, or take note that it is left out."""
        if self.errors == "strict":
            raise InputError(f"{self.path}, {self.place} {number}: {problem}")
        self.odd[kind] += 1

    def remark(self, told: str) -> None:
        """Take note of something about the whole file."""
        self.remarks.append(told)

    def take(self, number: int, raw: bytes | str) -> bool:
        """Append the word of a row, and return whether the row is to be kept."""
        # Texts of Python may hold halves of characters, which no file can.
        word = self._decode(number, raw.encode(errors="surrogatepass") if isinstance(raw, str) else raw)
        if not word:
            self.refuse(number, "empty", "expected a word, got none")
            return False
        first = self.ids.setdefault(word, number)
        if first != number:
            problem = f"the word {word!r} stands in {self.place} {first} already; words must be distinct"
            self.refuse(number, "repeated", problem)
            return False
        return True

    def _decode(self, number: int, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.refuse(
                number,
                "not UTF-8",
                f"expected a word in UTF-8, got {raw[:80]!r}; "
                "errors='replace' reads what is wrong in it as U+FFFD",
            )
            return raw.decode(errors="replace")

    def vectors(self, matrix: NDArray[Any]) -> WordVectors:
        """Return the words that were taken with their rows of `matrix`, once those are seen to be finite.

        Raises
        ------
        InputError
            If a number is not finite in float32 (the row is named), or no row is left.
        """
        with np.errstate(over="ignore"):  # what overflows float32 becomes infinite, and is refused below
            matrix = np.ascontiguousarray(matrix, np.float32)
        names = tuple(self.ids)
        finite = np.concatenate([np.isfinite(block).all(axis=1) for _, block in blocks(matrix)] or [[]])
        if not finite.all():
            numbers = list(self.ids.values())
            for row in np.flatnonzero(finite == 0):
                self.refuse(numbers[row], "not finite", "expected finite numbers, got NaN or infinity")
            kept = np.flatnonzero(finite)
            names, matrix = tuple(names[row] for row in kept), matrix[kept]
        if not names:
            raise InputError(f"{self.path}: expected at least one word with its numbers, got none")
        self._warn(len(names))
        return WordVectors(Vocabulary(names, np.zeros(len(names), np.int64)), matrix)

    def _warn(self, kept: int) -> None:
        told = list(self.remarks)
        for kind, (one, many) in _TOLD.items():
            if number := self.odd[kind]:
                what = (one if number == 1 else many).format(place=self.place, dimensions=self.dimensions)
                told.append(f"{number:,} {what}")
        if told:
            warnings.warn(f"{self.path}: read {count_of(kept, 'word')}; {'; '.join(told)}", stacklevel=2)


def in_one_line(problem: Exception) -> str:
    """Return what a library says, in one line that is not too long."""
    return f"{' '.join(str(problem).split()):.200}"


def from_arrays(path: Path, errors: str, words: Iterable[bytes | str], matrix: NDArray[Any]) -> WordVectors:
    """Return the word vectors of a file that holds all words and all numbers; rows are told from 1.

    Raises
    ------
    InputError
        As `Words`; and if there are not as many words as rows, or the numbers are none.
    """
    if matrix.ndim != 2 or matrix.dtype.kind != "f":
        raise InputError(
            f"{path}: expected vectors of floating-point numbers in 2 dimensions, got {matrix.dtype} "
            f"of shape {matrix.shape}"
        )
    listed = list(words)
    if len(listed) != len(matrix) or not matrix.size:
        raise InputError(
            f"{path}: expected a vector for each of at least one word, got "
            f"{count_of(len(listed), 'word')} and vectors of shape {matrix.shape}"
        )
    taken = Words(path, "row", errors, matrix.shape[1])
    kept = [row for row, word in enumerate(listed) if taken.take(row + 1, word)]
    return taken.vectors(matrix if len(kept) == len(matrix) else matrix[kept])


def check_expansion(path: Path, words: int, dimensions: int, size: int) -> None:
    """Raise `InputError` when so many numbers cannot be in `size` bytes, before memory is set aside.

    Words are distinct, so that each takes a byte at least; and vectors hardly compress.
    """
    if words > size or words * dimensions * 4 > _MOST_EXPANSION * size:
        raise InputError(
            f"{path}: declares {count_of(words, 'word')} of {count_of(dimensions, 'dimension')}, which "
            f"{size:,} bytes cannot hold; the file is damaged, or made to fill the memory"
        )
