"""Which words a text is encoded with: the frequent ones, or those that were given, without the excluded."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.vocabulary import Vocabulary, tell_absent


@dataclass(frozen=True, kw_only=True)
class WordOptions:
    """Which words a text is encoded with; `given` takes the place of all others but `lowercase`."""

    lowercase: bool
    min_count: int
    max_vocab: int | None
    exclude: frozenset[str]
    given: Vocabulary | None


def check_tokens(tokens: int, names: Sequence[str]) -> None:
    """Raise `InputError` when there is no token in the inputs of these names."""
    if tokens:
        return
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")
    raise InputError(
        f"{shown or 'source'}: expected at least one token, got none; check that it is the right "
        "file, and how it is read"
    )


def fingerprint_of(words: Collection[str]) -> str:
    """Return the SHA-256 (hex) of a set of words: sorted, joined by newlines."""
    return Vocabulary(tuple(sorted(words)), np.zeros(len(set(words)), np.int64)).fingerprint


def excluded_words(exclude: Vocabulary | Iterable[str] | None) -> frozenset[str]:
    """Return the words to leave out; raise `InputError` for what is none."""
    words = exclude.words if isinstance(exclude, Vocabulary) else () if exclude is None else exclude
    if isinstance(words, str | bytes) or not isinstance(words, Iterable):
        raise InputError(f"exclude: expected a Vocabulary or an iterable of words, got {exclude!r:.80}")
    excluded = list(words)
    for word in excluded:
        if not isinstance(word, str) or word.split() != [word]:
            raise InputError(
                f"exclude: expected words, which are not empty nor hold white space, got {word!r}"
            )
    return frozenset(excluded)


def given_words(given: Vocabulary | Sequence[str], excluded: frozenset[str]) -> Vocabulary:
    """Return the given words that are not excluded, not counted yet."""
    words = given.words if isinstance(given, Vocabulary) else given
    if isinstance(words, str) or not isinstance(words, Sequence):
        raise InputError(f"vocabulary: expected a Vocabulary or a sequence of words, got {given!r:.80}")
    if not words:
        raise InputError("vocabulary: expected at least one word, got none")
    for word in words:
        if not isinstance(word, str) or word.split() != [word]:
            raise InputError(
                f"vocabulary: expected words, which are not empty nor hold white space, got {word!r}"
            )
    # Which refuses a word that stands twice.
    whole = given if isinstance(given, Vocabulary) else Vocabulary(tuple(words), _no_counts(words))
    tell_absent(excluded, words)
    if excluded.isdisjoint(words):
        return whole.with_counts(_no_counts(words))
    kept = tuple(word for word in words if word not in excluded)
    if not kept:
        raise InputError("exclude: every word of the given vocabulary is excluded; exclude fewer")
    return Vocabulary(kept, _no_counts(kept))


def _no_counts(words: Sequence[str]) -> NDArray[np.int64]:
    return np.zeros(len(words), np.int64)
