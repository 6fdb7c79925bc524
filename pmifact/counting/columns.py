"""Which context is counted in which column."""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.vocabulary import Vocabulary

MOST_COLUMNS = 2**31 - 1  # what 32-bit column numbers tell apart
_PIECE = 1 << 22
_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a count matrix.

    Parameters
    ----------
    contexts : int
        The number C of context words.
    place : ndarray of int32, shape (V,), optional
        The number of each word among the context words, -1 when it is none; None when they are the V words.
    window : (int, int), optional
        Of positional contexts: column k * C + c is context word c at the k-th of the offsets -left, ..., -1,
        1, ..., right. None when a column is a context word wherever it stands.

    Raises
    ------
    InputError
        If there are 2^31 columns or more.
    """

    contexts: int
    place: NDArray[np.int32] | None = None
    window: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if len(self) > MOST_COLUMNS:
            raise InputError(
                f"positional: {self.contexts:,} words at {len(self) // self.contexts:,} offsets are "
                f"{len(self):,} columns, and at most {MOST_COLUMNS:,} can be counted; use a narrower window, "
                "a smaller context vocabulary or a larger min_count"
            )

    def __len__(self) -> int:
        return self.contexts * (1 if self.window is None else sum(self.window))

    @property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of which word stands in which column."""
        place = b"" if self.place is None else self.place.tobytes()
        return hashlib.sha256(f"{self.contexts} {self.window}\n".encode() + place).hexdigest()

    def numbered(self, stream: NDArray[np.int32]) -> Iterator[NDArray[np.int32]]:
        """Yield a stream of word ids, piece by piece, as one of context numbers; other words become gaps."""
        from pmifact.kernels.cooccurrence import END, GAP

        assert self.place is not None
        number = np.concatenate([np.array([END, GAP], np.int32), self.place])
        for first in range(0, len(stream), _PIECE):
            yield number[stream[first : first + _PIECE] - END]

    def passes(self, room: int) -> NDArray[np.int64]:
        """Cut the offsets into runs on one side whose columns are at most `room`, or one offset each.

        Returns int64[P, 2], the first and the last offset of each run, ascending.
        """
        assert self.window is not None
        step = max(room // max(self.contexts, 1), 1)
        left, right = self.window
        runs = [
            (first, min(first + step - 1, last))
            for begin, last in ((-left, -1), (1, right))
            for first in range(begin, last + 1, step)
        ]
        return np.array(runs, np.int64)


def choose_contexts(
    vocabulary: Vocabulary, asked: int | Vocabulary | Sequence[str] | None
) -> Vocabulary | None:
    """Return the context words that were asked for, with their counts; None when they are the words.

    A number takes so many of the most frequent words, ties in code-point order. Given words keep their order,
    without those that are out of vocabulary.

    Raises
    ------
    InputError
        If no context word is left, or one stands twice.
    """
    if asked is None:
        return None
    words, counts = vocabulary.words, vocabulary.counts
    if isinstance(asked, int | np.integer):
        ranked = sorted(range(len(words)), key=lambda word_id: (-counts[word_id], words[word_id]))
        chosen = ranked[: int(asked)]
    else:
        chosen = _known(vocabulary, asked)
    if chosen == list(range(len(words))):
        return None
    return Vocabulary(tuple(words[word_id] for word_id in chosen), counts[chosen])


def columns_of(
    vocabulary: Vocabulary, contexts: Vocabulary | None, window: tuple[int, int] | None
) -> Columns:
    """Return the columns for context words (None: all words), by offset within a window if one is given."""
    if contexts is None:
        return Columns(len(vocabulary), None, window)
    place = np.full(len(vocabulary), -1, np.int32)
    place[[vocabulary.index[word] for word in contexts.words]] = np.arange(len(contexts), dtype=np.int32)
    return Columns(len(contexts), place, window)


def tell_unknown(vocabulary: Vocabulary, asked: int | Vocabulary | Sequence[str] | None) -> None:
    """Say in the log how many of the context words that were asked for are not in the vocabulary."""
    if asked is None:
        return
    if isinstance(asked, int | np.integer):
        if asked > len(vocabulary):
            _log.info(
                "%d context words were asked for, and the vocabulary has %d: all are contexts",
                *(asked, len(vocabulary)),
            )
        return
    given = asked.words if isinstance(asked, Vocabulary) else asked
    unknown = [word for word in given if word not in vocabulary]
    if unknown:
        _log.warning(
            "out of vocabulary, and so without a column: %d of %d context words, %r first",
            *(len(unknown), len(given), unknown[0]),
        )


def _known(vocabulary: Vocabulary, asked: Vocabulary | Sequence[str]) -> list[int]:
    given = asked.words if isinstance(asked, Vocabulary) else asked
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InputError(
            f"context_vocabulary: expected a number, a Vocabulary or a sequence of words, got {given!r:.80}"
        )
    known = [vocabulary.index[word] for word in given if word in vocabulary]
    if not known:
        raise InputError(f"context_vocabulary: none of the {len(given):,} words is in the vocabulary")
    return known
