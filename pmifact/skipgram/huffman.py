"""The Huffman code of a vocabulary, as hierarchical softmax walks it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class HuffmanCode:
    """For each word the way from the root of the tree to its leaf.

    Parameters
    ----------
    starts : ndarray of int64, shape (V + 1,)
        Word w has the places ``starts[w]:starts[w + 1]`` of the other two; none when it does not occur.
    nodes : ndarray of int32
        The inner nodes passed, from 0; at most V - 1 of them.
    sides : ndarray of int8
        The bit of the code at that node, 0 or 1.
    """

    starts: NDArray[np.int64]
    nodes: NDArray[np.int32]
    sides: NDArray[np.int8]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Bits of each word's code, shape (V,)."""
        return np.diff(self.starts)

    def mean_length(self, occurrences: NDArray[np.int64]) -> float:
        """Return the bits a token: within [H, H + 1) of the entropy H of the occurrences."""
        return float(np.average(self.lengths, weights=occurrences))


def huffman_code(occurrences: NDArray[np.int64]) -> HuffmanCode:
    """Build the code over the words that occur; the same for the same counts.

    Of equal counts the later word is joined first.

    Parameters
    ----------
    occurrences : ndarray of int64, shape (V,)
        At least one positive; a word of count 0 gets an empty code.
    """
    from pmifact.kernels.huffman import fill_paths, join_rarest, path_lengths

    order = np.argsort(occurrences[::-1], kind="stable")
    rarest_first = (len(occurrences) - 1 - order)[np.count_nonzero(occurrences == 0) :]
    parents, sides = join_rarest(occurrences[rarest_first])
    lengths = np.zeros(len(occurrences), np.int64)
    lengths[rarest_first] = path_lengths(parents, len(rarest_first))
    starts = np.zeros(len(occurrences) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    nodes, codes = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.int8)
    fill_paths(parents, sides, starts[rarest_first], starts[rarest_first + 1], nodes, codes)
    return HuffmanCode(starts, nodes, codes)
