"""The vocabulary: words, their ids and their counts."""

import hashlib
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError, UnknownIdError, UnknownWordError
from pmifact.notebook import SHOWN, count_of, html_table

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words of a corpus; a word's id is its place.

    Parameters
    ----------
    words : tuple of str, length V
        Distinct, not empty. Built from a corpus they stand most frequent first, ties in code-point
        order; a given vocabulary keeps its own order.
    counts : ndarray of int64, shape (V,)
        Occurrences of each word in the text that was read; 0 is allowed.

    Raises
    ------
    InputError
        If a word is empty, repeated or cannot be written as UTF-8, or a count is missing or negative.
    """

    words: tuple[str, ...]
    counts: NDArray[np.int64]

    def __post_init__(self) -> None:
        words = tuple(self.words)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "counts", _checked_counts(self.counts, words))
        if len(self.index) != len(words):
            raise InputError(
                f"vocabulary: the word {_first_repeated(words)!r} stands twice; words must be distinct"
            )
        if "" in self.index:
            raise InputError(f"vocabulary: word {self.index['']} is empty")
        self._encoded  # noqa: B018  # a word that UTF-8 cannot hold is refused here, not when it is written

    def with_counts(self, counts: NDArray[np.integer[Any]]) -> "Vocabulary":
        """Return the same words with these counts; raise `InputError` as a new vocabulary does."""
        other = copy(self)
        object.__setattr__(other, "counts", _checked_counts(counts, self.words))
        return other

    @cached_property
    def index(self) -> dict[str, int]:
        """The id of each word."""
        return {word: word_id for word_id, word in enumerate(self.words)}

    @cached_property
    def _encoded(self) -> bytes:
        try:
            return "\n".join(self.words).encode()
        except UnicodeEncodeError as error:
            word = next(word for word in self.words if not _is_utf8(word))
            raise InputError(
                f"vocabulary: the word {word!r} holds a lone surrogate, which UTF-8 cannot hold"
            ) from error

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of the words in order, joined by newlines; the counts are not part of it."""
        return hashlib.sha256(self._encoded).hexdigest()

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        return self.words == other.words and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Vocabulary({count_of(len(self), 'word')}, {count_of(int(self.counts.sum()), 'token')})"

    def _repr_html_(self) -> str:
        rows = [
            (word, f"{count:,}")
            for word, count in zip(self.words[:SHOWN], self.counts[:SHOWN].tolist(), strict=True)
        ]
        return html_table(repr(self), rows, ("word", "count"), more=len(self) - len(rows))

    def word_id(self, word: str) -> int:
        """Return the id of `word`; raise `UnknownWordError` (also a KeyError) when there is none."""
        try:
            return self.index[word]
        except KeyError:
            raise UnknownWordError(
                f"the word {word!r} is not among the {count_of(len(self), 'word')} of the vocabulary",
                partial(self.near_spellings, word),
            ) from None

    def near_spellings(self, word: str, n: int = 3) -> list[str]:
        """Return at most `n` words spelt like `word`: those that differ in case, else those most alike."""
        from difflib import get_close_matches

        folded = word.casefold()
        same = [other for other in self.words if other.casefold() == folded]
        if same:
            return same[:n]
        reach = 1 + len(word) // 4
        about_as_long = [other for other in self.words if abs(len(other) - len(word)) <= reach]
        return get_close_matches(word, about_as_long, n, cutoff=0.75)

    def word(self, word_id: int) -> str:
        """Return the word with this id; raise `UnknownIdError` (also an IndexError) outside [0, V)."""
        if not 0 <= word_id < len(self):
            raise UnknownIdError(f"word id {word_id} is outside [0, {len(self)})")
        return self.words[word_id]


def _checked_counts(counts: NDArray[np.integer[Any]], words: Sequence[str]) -> NDArray[np.int64]:
    counts = np.asarray(counts)
    if counts.shape != (len(words),) or (len(words) and counts.dtype.kind not in "iu"):
        raise InputError(
            f"vocabulary: expected one integer count for each of {len(words)} words, "
            f"got an array of shape {counts.shape} and dtype {counts.dtype}"
        )
    if len(counts) and counts.min() < 0:
        row = int(counts.argmin())
        raise InputError(f"vocabulary: word {words[row]!r} has the negative count {counts[row]}")
    return counts.astype(np.int64, copy=False)


def most_frequent(
    counts: NDArray[np.int64],
    word_of: Callable[[int], str],
    *,
    min_count: int,
    max_vocab: int | None,
    exclude: Collection[str] = (),
) -> tuple[list[str], NDArray[np.int64]]:
    """Choose the words that occur at least `min_count` times, at most `max_vocab` of them.

    Parameters
    ----------
    counts : ndarray of int64, shape (types,)
        Occurrences of each type.
    word_of : callable
        Gives the word of a type.
    exclude : collection of str
        Words that are not chosen, whatever their counts.

    Returns
    -------
    words : list of str
        Most frequent first, ties in code-point order.
    types : ndarray of int64
        The type of each.

    Raises
    ------
    InputError
        If there is no token, or no word is frequent enough.
    """
    if not counts.any():
        raise InputError("counts: expected at least one token, got none")
    kept = np.flatnonzero(counts >= min_count).tolist()
    if exclude:
        tell_absent(exclude, map(word_of, kept))
        kept = [type_id for type_id in kept if word_of(type_id) not in exclude]
        if not kept:
            raise InputError(
                f"min_count: no word occurs {count_of(min_count, 'time')} but those that are excluded; "
                "give a smaller min_count or exclude fewer words"
            )
    if not kept:
        best = min(map(word_of, np.flatnonzero(counts == counts.max()).tolist()))
        raise InputError(
            f"min_count: no word occurs {count_of(min_count, 'time')}; the most frequent, {best!r}, "
            f"occurs {count_of(int(counts.max()), 'time')}; give a smaller min_count"
        )
    words = list(map(word_of, kept))
    by_word = np.array(sorted(range(len(kept)), key=words.__getitem__), np.int64)
    types = np.array(kept, np.int64)
    ranked = by_word[np.argsort(-counts[types[by_word]], kind="stable")][:max_vocab]
    return [words[place] for place in ranked.tolist()], types[ranked]


def tell_absent(exclude: Collection[str], words: Iterable[str]) -> None:
    """Say in the log how many of the excluded words are not among the words, excluded or not."""
    absent = sorted(set(exclude).difference(words))
    if absent:
        _log.info(
            "%d of %d excluded words would not be in the vocabulary anyway, such as %r",
            *(len(absent), len(exclude), absent[0]),
        )


def _is_utf8(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _first_repeated(words: Iterable[str]) -> str:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            return word
        seen.add(word)
    raise AssertionError("no word is repeated")
