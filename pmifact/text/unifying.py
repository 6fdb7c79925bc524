"""Scanned text to a vocabulary and its token ids, whoever scanned what."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from pmifact.text.lexicon import Lexicon
from pmifact.text.scanning import ScannedText
from pmifact.vocabulary import Vocabulary, most_frequent

Place = Callable[[int, NDArray[np.int32]], object]


def choose_words(
    text: ScannedText,
    *,
    min_count: int,
    max_vocab: int | None,
    exclude: Collection[str] = (),
    room: int | None = None,
) -> Vocabulary:
    """Return the frequent words that are not excluded, and their counts.

    The types are brought together share by share, so that one share takes about `room` bytes of memory; all
    at once when there is no limit.
    """
    size = sum(types.nbytes for types in text.types)
    shares = 1 if room is None else 1 + 3 * size // room  # a table has free slots, and doubles when full
    words: list[str] = []
    counts: list[NDArray[np.int64]] = []
    for share in range(shares):
        merged = Lexicon()
        for types in text.types:
            merged.absorb(types, (share, shares))
        # The most frequent is kept in any case, to be named when no word is frequent enough.
        least = min(min_count, merged.counts.max(initial=0))
        kept = np.flatnonzero(merged.counts >= max(least, 1))
        words += merged.words(kept)
        counts.append(merged.counts[kept])
    chosen, order = most_frequent(
        np.concatenate(counts),
        words.__getitem__,
        min_count=min_count,
        max_vocab=max_vocab,
        exclude=exclude,
    )
    return Vocabulary(tuple(chosen), np.concatenate(counts)[order])


def table_of(words: Sequence[str]) -> Lexicon:
    """Return a table whose ids are the places of the words."""
    table = Lexicon()
    table.add_words(words)
    return table


def count_words(text: ScannedText, given: Vocabulary, table: Lexicon) -> Vocabulary:
    """Return the given words, of which `table` is made, with their counts in this text."""
    counts = np.zeros(len(given), np.int64)
    for types in text.types:
        found = table.look_up(types)
        np.add.at(counts, found[found >= 0], types.counts[found >= 0])
    return given.with_counts(counts)


def number_tokens(text: ScannedText, table: Lexicon, place: Place, threads: int) -> None:
    """Call ``place(offset, ids)`` for each stretch with its tokens' word ids, -1 for other words.

    Stretches come in any order, from several threads, those of one lexicon together.
    """
    offset = 0
    stretches: list[list[tuple[int, NDArray[np.int32]]]] = [[] for _ in text.types]
    for file in text.files:
        for stretch in file:
            stretches[stretch.lexicon].append((offset, stretch.scanned.ids))
            offset += len(stretch.scanned.ids)
    with ThreadPoolExecutor(threads) as pool:
        for types, parts in zip(text.types, stretches, strict=True):
            rank = table.look_up(types)[types.fold]
            list(pool.map(lambda part, rank=rank: place(part[0], rank[part[1]]), parts))
