"""The types of a text while it is read: a growing hash table of their bytes and counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FIRST_TYPES = 1 << 15
_FIRST_BYTES = 1 << 18


class InvalidByteError(Exception):
    """A byte that is not UTF-8.

    Parameters
    ----------
    decoding : UnicodeDecodeError
        What Python says of the text.
    lines : int
        Line ends before the byte.
    """

    def __init__(self, decoding: UnicodeDecodeError, lines: int) -> None:
        super().__init__(decoding, lines)
        self.decoding = decoding
        self.lines = lines


@dataclass(frozen=True)
class Scanned:
    """A stretch of text as type ids.

    Parameters
    ----------
    ids : ndarray of int32, shape (n,)
        Types of one lexicon, in text order.
    breaks : ndarray of int32
        Number of tokens before each sentence end; not strictly increasing where sentences are empty.
    lines : int
        Line ends in the text.
    """

    ids: NDArray[np.int32]
    breaks: NDArray[np.int32]
    lines: int


class Lexicon:
    """Types, their ids in order of first appearance, and their counts."""

    def __init__(self) -> None:
        self.n_types = 0
        self._slots = np.zeros(2 * _FIRST_TYPES, np.uint64)
        self._hashes = np.empty(_FIRST_TYPES, np.uint64)
        self._counts = np.zeros(_FIRST_TYPES, np.int64)
        self._ends = np.zeros(_FIRST_TYPES + 1, np.int64)
        self._arena = np.empty(_FIRST_BYTES, np.uint8)

    @property
    def counts(self) -> NDArray[np.int64]:
        """Occurrences of each type."""
        return self._counts[: self.n_types]

    def type(self, type_id: int) -> str:
        """Return the type with this id."""
        return self._arena[self._ends[type_id] : self._ends[type_id + 1]].tobytes().decode()

    def scan(self, text: bytes, class_of: NDArray[np.uint8], boundary: int) -> Scanned:
        """Count the tokens of a text and return their ids; raise `InvalidByteError` where it is not UTF-8."""
        from pmifact.kernels import tokens

        data = np.frombuffer(text, np.uint8)
        output = np.empty(len(data) // 2 + 1, np.int32), np.empty(text.count(b"\n") + 1, np.int32)
        state = np.zeros(6, np.int64)
        state[tokens.N_TYPES] = self.n_types
        while True:
            result = tokens.scan(data, class_of, boundary, self._table, output, state)
            self.n_types = int(state[tokens.N_TYPES])
            if result == tokens.FINISHED:
                ids, breaks = output[0][: state[tokens.N_TOKENS]], output[1][: state[tokens.N_BREAKS]]
                return Scanned(ids.copy(), breaks.copy(), int(state[tokens.N_LINES]))
            if result == tokens.INVALID:
                raise InvalidByteError(_decoding_error(text), int(state[tokens.N_LINES]))
            self._grow()

    def absorb(self, other: "Lexicon", *, lower: bool) -> NDArray[np.int32]:
        """Add the types of another lexicon, lower-cased if asked for, and return the id of each here."""
        types = other._counts, other._ends, other._arena
        mapping = self._absorb(types, other.n_types, lower=lower)
        if lower:
            left_out = np.flatnonzero(mapping < 0)
            # Lower-casing beyond ASCII needs the whole token: a sigma, for one, depends on its place.
            lowered = [other.type(type_id).lower().encode() for type_id in left_out.tolist()]
            ends = np.cumsum([0, *map(len, lowered)])
            arena = np.frombuffer(b"".join(lowered), np.uint8)
            mapping[left_out] = self._absorb((other.counts[left_out], ends, arena), len(lowered), lower=False)
        return mapping

    def add_words(self, words: Sequence[str]) -> None:
        """Add words that have not been counted; to an empty lexicon, so that the ids are their places."""
        encoded = [word.encode() for word in words]
        ends = np.cumsum([0, *map(len, encoded)])
        arena = np.frombuffer(b"".join(encoded), np.uint8)
        self._absorb((np.zeros(len(words), np.int64), ends, arena), len(words), lower=False)

    def _absorb(self, types: tuple[NDArray[Any], ...], n: int, *, lower: bool) -> NDArray[np.int32]:
        from pmifact.kernels import tokens

        mapping = np.empty(n, np.int32)
        done = 0
        while done < n:
            self.n_types, done = tokens.absorb(types, lower, self._table, self.n_types, mapping, done)
            if done < n:
                self._grow()
        return mapping

    @property
    def _table(self) -> tuple[NDArray[Any], ...]:
        return self._slots, self._hashes, self._counts, self._ends, self._arena

    def _grow(self) -> None:
        """Double what is full; a very long token may need this several times."""
        from pmifact.kernels import tokens

        many_types = self.n_types + 1 >= len(self._hashes)
        many_slots = 2 * (self.n_types + 1) >= len(self._slots)
        if many_types:
            self._hashes, self._counts, self._ends = map(_doubled, (self._hashes, self._counts, self._ends))
        if many_slots:
            self._slots = np.zeros(2 * len(self._slots), np.uint64)
            tokens.rehash(self._slots, self._hashes, self.n_types)
        if not (many_types or many_slots):
            self._arena = _doubled(self._arena)


def _decoding_error(text: bytes) -> UnicodeDecodeError:
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return error
    raise AssertionError("the scanner refused what Python takes for UTF-8")


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    grown = np.empty(2 * len(array), array.dtype)
    grown[: len(array)] = array
    return grown
