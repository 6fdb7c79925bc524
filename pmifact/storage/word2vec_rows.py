"""What the readers of word2vec's text and binary rows share."""

from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.storage.arrays import blocks


@dataclass(frozen=True, kw_only=True)
class VectorFile:
    """An open vectors file, read up to the end of its header, and what the header declares."""

    path: Path
    file: BufferedReader
    words: int
    dimensions: int
    errors: str


@dataclass(frozen=True)
class WordList:
    """The words read so far; `place` says how messages count rows: "line" or "entry"."""

    source: VectorFile
    place: str
    first: int
    ids: dict[str, int] = field(default_factory=dict)

    def where(self, row: int) -> str:
        """Return the file and place of a row, as messages name it."""
        return f"{self.source.path}: {self.place} {self.first + row}"

    def add(self, row: int, raw: bytes) -> None:
        """Decode and append the word of a row; raise `InputError` when it is empty, repeated or not UTF-8."""
        try:
            word = raw.decode(errors=self.source.errors)
        except UnicodeDecodeError as problem:
            raise InputError(
                f"{self.where(row)}: expected a word in UTF-8, got {raw[:80]!r}; "
                "errors='replace' (--errors replace) reads what is wrong in it as U+FFFD"
            ) from problem
        if not word:
            raise InputError(f"{self.where(row)}: expected a word, got none")
        if self.ids.setdefault(word, row) != row:
            raise InputError(
                f"{self.where(row)}: the word {word!r} stands in {self.place} "
                f"{self.first + self.ids[word]} already; words must be distinct"
            )

    def check_finite(self, matrix: NDArray[Any]) -> None:
        """Raise `InputError` naming the first row with a number that is not finite in float32."""
        for first, block in blocks(matrix):
            finite = np.isfinite(block).all(axis=1)
            if not finite.all():
                row = first + int(np.flatnonzero(~finite)[0])
                raise InputError(f"{self.where(row)}: expected finite numbers, got NaN or infinity")
