"""The types of a text while it is read: a growing hash table of their bytes and counts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.resources.spool import Spool
from pmifact.resources.views import read_only

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

    def kept_in(self, spool: Spool) -> "Scanned":
        """Return the same, mapped from a file."""
        return Scanned(spool.keep(self.ids), spool.keep(self.breaks), self.lines)


@dataclass(frozen=True)
class Types:
    """The types of a lexicon, as arrays that may stand in a file.

    Parameters
    ----------
    counts : ndarray of int64, shape (m,)
    ends : ndarray of int64, shape (m + 1,)
        Type i is ``arena[ends[i]:ends[i + 1]]``.
    arena : ndarray of uint8
        Bytes in UTF-8.
    fold : ndarray of int32
        The type here of each id that the scanned text has.
    """

    counts: NDArray[np.int64]
    ends: NDArray[np.int64]
    arena: NDArray[np.uint8]
    fold: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return self.counts.nbytes + self.ends.nbytes + self.arena.nbytes + self.fold.nbytes

    def with_fold(self, fold: NDArray[np.int32]) -> "Types":
        """Return the same types for other ids."""
        return replace(self, fold=fold)

    def kept_in(self, spool: Spool) -> "Types":
        """Return the same, mapped from a file."""
        keep = spool.keep
        return Types(keep(self.counts), keep(self.ends), keep(self.arena), keep(self.fold))


class Lexicon:
    """Types, their ids in order of first appearance, and their counts."""

    def __init__(self) -> None:
        self.n_types = 0
        self._slots = np.zeros(2 * _FIRST_TYPES, np.uint64)
        self._hashes = np.empty(_FIRST_TYPES, np.uint64)
        self._counts = np.zeros(_FIRST_TYPES, np.int64)
        self._ends = np.zeros(_FIRST_TYPES + 1, np.int64)
        self._arena = np.empty(_FIRST_BYTES, np.uint8)
        self._output: tuple[NDArray[np.int32], ...] = (np.empty(0, np.int32),) * 2

    @property
    def counts(self) -> NDArray[np.int64]:
        """Occurrences of each type."""
        return self._counts[: self.n_types]

    def words(self, type_ids: NDArray[np.int64]) -> list[str]:
        """Return the types with these ids."""
        arena = memoryview(self._arena)
        places = zip(self._ends[type_ids].tolist(), self._ends[type_ids + 1].tolist(), strict=True)
        return [str(arena[start:end], "utf-8") for start, end in places]

    def scan(self, text: bytes, class_of: NDArray[np.uint8], boundary: int) -> Scanned:
        """Count the tokens of a text and return their ids; raise `InvalidByteError` where it is not UTF-8."""
        from pmifact.kernels import tokens

        data = np.frombuffer(text, np.uint8)
        room = len(data) // 2 + 1, text.count(b"\n") + 1
        # Used again for the next text: memory that was never touched takes longer to write to.
        output = self._output = tuple(
            own if len(own) >= size else np.empty(size, np.int32)
            for own, size in zip(self._output, room, strict=True)
        )
        state = np.zeros(6, np.int64)
        class_of = read_only(class_of)
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

    def folded(self, *, lower: bool) -> "Types":
        """Return the types as they count, lower-cased if asked for; this lexicon is not used any more."""
        if not lower:
            types = self._counts[: self.n_types], self._ends[: self.n_types + 1], self._arena
            return Types(
                *types[:2], types[2][: self._ends[self.n_types]], np.arange(self.n_types, dtype=np.int32)
            )
        merged = Lexicon()
        own = self._counts, self._ends, self._arena
        fold = merged._absorb(own, self.n_types, lower=True)
        left_out = np.flatnonzero(fold < 0)
        # Lower-casing beyond ASCII needs the whole token: a sigma, for one, depends on its place.
        lowered = [word.lower() for word in self.words(left_out)]
        fold[left_out] = merged._absorb(_encoded(lowered, self.counts[left_out]), len(lowered))
        return merged.folded(lower=False).with_fold(fold)

    def absorb(self, types: "Types", share: tuple[int, int] = (0, 1)) -> NDArray[np.int32]:
        """Add types and counts, or share ``share[0]`` of ``share[1]`` of them; return the id of each here."""
        return self._absorb((types.counts, types.ends, types.arena), len(types), share=share)

    def add_words(self, words: Sequence[str]) -> None:
        """Add words that have not been counted; to an empty lexicon, so that the ids are their places."""
        self._absorb(_encoded(words, np.zeros(len(words), np.int64)), len(words))

    def look_up(self, types: "Types") -> NDArray[np.int32]:
        """Return the id of each type here, -1 where there is none."""
        from pmifact.kernels import tokens

        found = np.empty(len(types), np.int32)
        tokens.look_up((types.counts, types.ends, types.arena), self._table, found)
        return found

    def _absorb(
        self,
        types: tuple[NDArray[Any], ...],
        n: int,
        *,
        lower: bool = False,
        share: tuple[int, int] = (0, 1),
    ) -> NDArray[np.int32]:
        from pmifact.kernels import tokens

        types = tuple(map(read_only, types))
        mapping = np.empty(n, np.int32)
        done = 0
        while done < n:
            self.n_types, done = tokens.absorb(types, lower, share, self._table, self.n_types, mapping, done)
            if done < n:
                self._grow()
        return mapping

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the table takes."""
        return sum(array.nbytes for array in self._table)

    @property
    def _table(self) -> tuple[NDArray[Any], ...]:
        return self._slots, self._hashes, self._counts, self._ends, self._arena

    def _grow(self) -> None:
        """Double what is full; a very long token may need this several times."""
        from pmifact.kernels import tokens

        many_types = self.n_types + tokens.BATCH >= len(self._hashes)
        many_slots = 2 * (self.n_types + tokens.BATCH) >= len(self._slots)
        if many_types:
            self._hashes, self._counts, self._ends = map(_doubled, (self._hashes, self._counts, self._ends))
        if many_slots:
            self._slots = np.zeros(2 * len(self._slots), np.uint64)
            tokens.rehash(self._slots, self._hashes, self.n_types)
        if not (many_types or many_slots):
            self._arena = _doubled(self._arena)


def _encoded(words: Sequence[str], counts: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
    encoded = [word.encode() for word in words]
    return counts, np.cumsum([0, *map(len, encoded)]), np.frombuffer(b"".join(encoded), np.uint8)


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
