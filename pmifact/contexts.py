"""Contexts that are told apart by where they stand: the columns of positional counts."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pmifact.checks import check_integer
from pmifact.errors import InputError, UnknownIdError
from pmifact.notebook import count_of
from pmifact.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class PositionalContexts:
    """Pairs of a context word and a signed offset, the context's position minus the focus's.

    All C words at the first offset come first, then all at the second: with k the rank of an offset among
    -left, ..., -1, 1, ..., right, a word with the id c stands in column k * C + c. Every word has a column at
    every offset, whether it was seen there or not, so that the columns depend on no text.

    Parameters
    ----------
    vocabulary : Vocabulary
        The C context words, with their counts in the text.
    window : (int, int)
        Positions to the left and to the right.

    Raises
    ------
    InputError
        If a side is negative, or both are 0.
    """

    vocabulary: Vocabulary
    window: tuple[int, int]

    def __post_init__(self) -> None:
        for side in self.window:
            check_integer("window", side, least=0)
        if not any(self.window):
            raise InputError("window: at least one side must reach 1 position, got 0 on both")

    @property
    def offsets(self) -> tuple[int, ...]:
        """The signed offsets, ascending."""
        left, right = self.window
        return (*range(-left, 0), *range(1, right + 1))

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Occurrences of the word of each column in the text, wherever it stands."""
        return np.tile(self.vocabulary.counts, len(self.offsets))

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of the words in order and of the window."""
        left, right = self.window
        return hashlib.sha256(f"{self.vocabulary.fingerprint}\n{left},{right}".encode()).hexdigest()

    def context(self, column: int) -> tuple[str, int]:
        """Return the word and the offset of a column; raise `UnknownIdError` where there is none."""
        if not 0 <= column < len(self):
            raise UnknownIdError(f"column {column} is outside [0, {len(self)})")
        place, word_id = divmod(column, len(self.vocabulary))
        return self.vocabulary.words[word_id], self.offsets[place]

    def __len__(self) -> int:
        return len(self.vocabulary) * sum(self.window)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PositionalContexts):
            return NotImplemented
        return self.window == other.window and self.vocabulary == other.vocabulary

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        left, right = self.window
        words = count_of(len(self.vocabulary), "word")
        return f"PositionalContexts({words}, {left} to the left, {right} to the right)"


Contexts = Vocabulary | PositionalContexts
