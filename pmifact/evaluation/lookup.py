"""From gold words to word ids, by one rule for every task."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.notebook import count_of
from pmifact.vectors import WordVectors

CASES = ("fold", "exact")
OOV_POLICIES = ("skip", "zero")


def covered_ids(
    vectors: WordVectors,
    words: Iterable[str],
    *,
    case: str = "fold",
    limit: int | None = None,
    zero_rows: bool = False,
) -> NDArray[np.int64]:
    """Return the ids of `words`, -1 for those that have no vector.

    Parameters
    ----------
    vectors : WordVectors
        A word is covered when it is in the vocabulary and its row is not zero.
    words : iterable of str
        As published.
    case : {"fold", "exact", "lower"}
        "fold" looks a word up as written, and lower-cased if that fails; "lower" only lower-cased.
    limit : int, optional
        Look among the first `limit` words of the vocabulary only.
    zero_rows : bool, default False
        Take every word of the vocabulary for covered.

    Returns
    -------
    ndarray of int64
        One id, or -1, for each word.
    """
    index, covered = vectors.vocabulary.index, vectors.covered
    limit = len(vectors) if limit is None else limit

    def find(word: str) -> int:
        word_id = index.get(word.lower() if case == "lower" else word, limit)
        if word_id >= limit and case == "fold":
            word_id = index.get(word.lower(), limit)
        return word_id if word_id < limit and (zero_rows or covered[word_id]) else -1

    return np.fromiter(map(find, words), dtype=np.int64)


def refuse_uncovered(
    covered: NDArray[np.bool_], dataset: str, items: str, words: str, model: str, size: int
) -> None:
    """Raise `InputError` if no item of a gold set is covered by the `size` words that were looked at."""
    if not covered.any():
        raise InputError(
            f"none of the {len(covered)} {items} of {dataset} has vectors for {words} in {model} "
            f"({count_of(size, 'word')}); check the language and the case of both"
        )
