"""Tokens to ids in one pass: provisional ids in the order of first sight, then those of a vocabulary."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.vocabulary import Vocabulary, most_frequent

_BLOCK = 1 << 20  # tokens counted or renumbered at a time; NumPy makes 64-bit copies of them


class Numbering:
    """Numbers tokens and marks sentences; a word of its own is kept only once, so that memory stays small.

    Parameters
    ----------
    fold : callable, optional
        Takes a token as it was cut to the word that it counts as (lower-casing, say). It is called once a
        type, not once a token.
    trusted : bool
        Whether every token is known to be a str.
    """

    def __init__(self, fold: Callable[[str], str] | None = None, *, trusted: bool = True) -> None:
        self._fold = fold
        self._trusted = trusted
        self._ids: defaultdict[str, int] = defaultdict()
        self._ids.default_factory = self._ids.__len__  # a token not seen before gets the next id
        self._tokens = array("i")
        self._starts = array("q", [0])

    def add(self, tokens: Iterable[str], where: str, number: int) -> None:
        """Append tokens to the sentence; `where` and `number` (of the line, say) are named in errors."""
        if not self._trusted:
            tokens = _strings(tokens, where, number)
        known = len(self._ids)
        self._tokens.extend(map(self._ids.__getitem__, tokens))
        if len(self._ids) > known:
            self._check_newest(len(self._ids) - known, where, number)

    def end_sentence(self) -> None:
        """Start a new sentence, unless this one has no tokens yet."""
        if len(self._tokens) > self._starts[-1]:
            self._starts.append(len(self._tokens))

    @property
    def n_tokens(self) -> int:
        """Tokens so far."""
        return len(self._tokens)

    def sentence_starts(self) -> NDArray[np.int64]:
        """Return where the sentences start, and where the last one ends."""
        return np.frombuffer(self._starts, np.int64)

    def choose(
        self, *, min_count: int, max_vocab: int | None, exclude: Collection[str] = ()
    ) -> tuple[Vocabulary, NDArray[np.int32]]:
        """Return the frequent words that are not excluded, and the token ids.

        Call it once, as the ids are replaced in place.
        """
        words, counts, group = self._counted()
        limits: dict[str, Any] = {"min_count": min_count, "max_vocab": max_vocab, "exclude": exclude}
        chosen, order = most_frequent(counts, words.__getitem__, **limits)
        rank = np.full(len(words), -1, np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        return Vocabulary(tuple(chosen), counts[order]), self._renumbered(rank[group])

    def look_up(self, given: Vocabulary) -> tuple[Vocabulary, NDArray[np.int32]]:
        """Return the given words with their counts in this text, and the token ids; call it once."""
        words, counts, group = self._counted()
        rank = np.array([given.index.get(word, -1) for word in words], np.int32)
        found = np.zeros(len(given), np.int64)
        found[rank[rank >= 0]] = counts[rank >= 0]
        return given.with_counts(found), self._renumbered(rank[group])

    def _check_newest(self, amount: int, where: str, number: int) -> None:
        for token in islice(reversed(self._ids), amount):
            word = token if self._fold is None else self._fold(token)
            if word.split() != [word]:
                fault = (
                    "is empty" if not word else "holds white space" if word == token else f"becomes {word!r}"
                )
                raise InputError(
                    f"{where}{number}: the token {token!r} {fault}; "
                    "a token must not be empty, nor hold white space"
                )
            if not word.isascii():
                try:
                    word.encode()
                except UnicodeEncodeError:
                    raise InputError(
                        f"{where}{number}: the token {token!r} holds a lone surrogate, which UTF-8 "
                        "cannot hold; decode the text with another encoding, or with errors='replace'"
                    ) from None

    def _counted(self) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
        """Return the words, their counts, and the word that each provisional id counts as."""
        tokens = np.frombuffer(self._tokens, np.int32)
        raw = np.zeros(len(self._ids), np.int64)
        for start in range(0, len(tokens), _BLOCK):
            raw += np.bincount(tokens[start : start + _BLOCK], minlength=len(raw))
        merged: defaultdict[str, int] = defaultdict()
        merged.default_factory = merged.__len__
        folded = map(self._fold or str, self._ids)
        group = np.fromiter(map(merged.__getitem__, folded), np.int64, len(raw))
        counts = np.zeros(len(merged), np.int64)
        np.add.at(counts, group, raw)
        return list(merged), counts, group

    def _renumbered(self, new: NDArray[np.int32]) -> NDArray[np.int32]:
        tokens = np.frombuffer(self._tokens, np.int32)
        for start in range(0, len(tokens), _BLOCK):
            block = tokens[start : start + _BLOCK]
            block[:] = new[block]
        return tokens


def _strings(tokens: object, where: str, number: int) -> list[str]:
    if isinstance(tokens, str | bytes) or not isinstance(tokens, Iterable):
        raise InputError(f"{where}{number}: expected a list of tokens, got {tokens!r:.80}")
    strings: list[str] = []
    for token in tokens:
        if not isinstance(token, str):
            raise InputError(f"{where}{number}: expected every token to be a str, got {token!r:.80}")
        strings.append(str(token))  # what is a kind of str, as of NumPy's, becomes a plain one
    return strings
