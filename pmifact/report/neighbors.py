"""The nearest words of frequent words in each model, packed so that a page can hold many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pmifact.plotting.labels import shown
from pmifact.search.nearest import nearest_to_words
from pmifact.vectors import WordVectors

_LONGEST = 80  # characters of a word that are shown

Neighbors = list[tuple[str, float]]


def nearest_to(vectors: WordVectors, words: Sequence[str], number: int) -> list[Neighbors | None]:
    """Return the words nearest to each of `words`, as `WordVectors.nearest` does.

    Words and their cosines, the largest first, ties in the order of the vocabulary; None for a word without
    a vector.
    """
    index = vectors.vocabulary.index
    ids = np.array([index.get(word, -1) for word in words], dtype=np.int64)
    known = np.flatnonzero((ids >= 0) & vectors.covered[ids])
    found: list[Neighbors | None] = [None] * len(words)
    names = vectors.vocabulary.words
    for place, (near, cosines) in zip(known, nearest_to_words(vectors, ids[known], number), strict=True):
        pairs = zip(near, cosines, strict=True)
        found[place] = [(names[word_id], float(cosine)) for word_id, cosine in pairs]
    return found


@dataclass
class NeighborTable:
    """The neighbours of the same words in every model.

    Parameters
    ----------
    words : tuple of str
        Whose neighbours are shown.
    models : list of str
        The names of the models that were added.
    found : list of list
        For each model, the neighbours of each word.
    """

    words: tuple[str, ...]
    models: list[str] = field(default_factory=list)
    found: list[list[Neighbors | None]] = field(default_factory=list)

    def add(self, name: str, neighbors: list[Neighbors | None]) -> None:
        """Add what a model says, with all words as they are shown."""
        self.models.append(name)
        self.found.append(
            [
                None if row is None else [(shown(word, _LONGEST), cosine) for word, cosine in row]
                for row in neighbors
            ]
        )

    def cards(self, count: int) -> list[dict[str, Any]]:
        """Return the first `count` words: for each its rows by rank, with a cell for each model."""
        cards = []
        for place, word in enumerate(self.words[:count]):
            columns = [rows[place] for rows in self.found]
            depth = max((len(column) for column in columns if column), default=0)
            rows = [
                [column[rank] if column is not None and rank < len(column) else None for column in columns]
                for rank in range(depth)
            ]
            missing = [name for name, column in zip(self.models, columns, strict=True) if column is None]
            cards.append({"word": shown(word, _LONGEST), "rows": rows, "missing": missing})
        return cards

    def packed(self) -> dict[str, Any]:
        """Return everything for a script: each different word once, neighbours as their numbers.

        ``near[m][w]`` holds, for model m and word w, a number and a cosine in thousandths in turn, or null.
        """
        words = [shown(word, _LONGEST) for word in self.words]
        numbers = {word: place for place, word in reversed(list(enumerate(words)))}
        near: list[list[list[int] | None]] = []
        for rows in self.found:
            near.append([])
            for row in rows:
                flat: list[int] = []
                for word, cosine in row or ():
                    if word not in numbers:
                        numbers[word] = len(words)
                        words.append(word)
                    flat += (numbers[word], round(1000 * cosine))
                near[-1].append(None if row is None else flat)
        return {"models": self.models, "count": len(self.words), "words": words, "near": near}
