"""Random draws that are the same for a seed on every platform and Python version."""

import random
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """Draws built on `random.Random.random` alone, the one stream that Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random
        self._cumulative: dict[int, list[float]] = {}

    def below(self, n: int) -> int:
        """Return an integer of [0, n), all equally likely."""
        return int(self._random() * n)

    def pick(self, items: Sequence[T]) -> T:
        """Return one of `items`, all equally likely."""
        return items[self.below(len(items))]

    def uneven(self, items: Sequence[T]) -> T:
        """Return one of `items`, the item of rank r (from 0) with a weight of 1 / (1 + 4 r / n).

        The first item comes almost five times as often as the last: words are unevenly common, as in any
        text, but none is so rare that a few thousand draws would miss it. A division rather than
        a power: IEEE 754 fixes its last bit.
        """
        n = len(items)
        if n not in self._cumulative:
            self._cumulative[n] = list(accumulate(1 / (1 + 4 * rank / n) for rank in range(n)))
        return self.weighted(items, self._cumulative[n])

    def weighted(self, items: Sequence[T], cumulative: Sequence[float]) -> T:
        """Return one of `items`, whose weights have the running sums `cumulative`."""
        return items[min(bisect_right(cumulative, self._random() * cumulative[-1]), len(items) - 1)]

    def sample(self, items: Sequence[T], n: int) -> list[T]:
        """Return `n` different places of `items` in random order (all of them when there are fewer)."""
        rest = list(items)
        for place in range(min(n, len(rest))):
            other = place + self.below(len(rest) - place)
            rest[place], rest[other] = rest[other], rest[place]
        return rest[:n]
