"""The three losses: what a step does to the arrays of words and of outputs."""

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.skipgram.huffman import huffman_code
from pmifact.skipgram.options import SkipgramOptions
from pmifact.skipgram.sampling import alias_table
from pmifact.skipgram.softmax import LARGEST_VOCABULARY, softmax_step
from pmifact.skipgram.sources import Examples

Array = NDArray[np.float32]


class Loss(Protocol):
    """A loss over the pairs of examples.

    `outputs` is the number of output rows, `at_zero` the loss of a pair while all outputs are 0, `parallel`
    whether threads may take steps at the same time, each on its own slice.
    """

    outputs: int
    at_zero: float
    parallel: bool

    def step(
        self, words: Array, outputs: Array, examples: Examples, key: np.uint64, rates: NDArray[np.float32]
    ) -> tuple[float, int]:
        """Update both arrays in place; return a sum of losses and the number of pairs that it is over."""


class NegativeSampling:
    """Skip-gram with negative sampling: log s(w.c) + sum over k negatives of log s(-w.c_neg)."""

    parallel = True

    def __init__(self, occurrences: NDArray[np.int64], options: SkipgramOptions) -> None:
        assert options.negatives is not None
        assert options.noise_exponent is not None
        self.outputs = len(occurrences)
        self.at_zero = (1 + options.negatives) * math.log(2)
        self._negatives = options.negatives
        self._exact = options.negative_rule == "exact"
        self._table = alias_table(noise_weights(occurrences, options.noise_exponent))

    def step(
        self, words: Array, outputs: Array, examples: Examples, key: np.uint64, rates: NDArray[np.float32]
    ) -> tuple[float, int]:
        """Update both arrays in place; the loss is that of a sample of the examples."""
        from pmifact.kernels.examples import draw_negatives
        from pmifact.kernels.skipgram import train_negatives

        negatives = draw_negatives(*self._table, examples.positions, self._negatives, key)
        loss, pairs = train_negatives(
            words, outputs, examples.inputs, examples.starts, examples.targets, negatives, self._exact, rates
        )
        return loss, pairs


class HierarchicalSoftmax:
    """Softmax over the leaves of a Huffman tree; the outputs are its inner nodes."""

    parallel = True

    def __init__(self, occurrences: NDArray[np.int64]) -> None:
        self.outputs = len(occurrences) - 1
        self._code = huffman_code(occurrences)
        self.at_zero = self._code.mean_length(occurrences) * math.log(2)

    def step(
        self, words: Array, outputs: Array, examples: Examples, key: np.uint64, rates: NDArray[np.float32]
    ) -> tuple[float, int]:
        """Update both arrays in place; the loss is that of a sample of the examples."""
        from pmifact.kernels.skipgram import train_paths

        code = self._code
        loss, pairs = train_paths(
            words,
            outputs,
            examples.inputs,
            examples.starts,
            examples.targets,
            code.starts,
            code.nodes,
            code.sides,
            rates,
        )
        return loss, pairs


class FullSoftmax:
    """Softmax over all words, in batches: the reference that the other losses approximate."""

    parallel = False  # BLAS has the threads

    def __init__(self, occurrences: NDArray[np.int64]) -> None:
        self.outputs = len(occurrences)
        self.at_zero = math.log(self.outputs)
        if self.outputs > LARGEST_VOCABULARY:
            raise InputError(
                f"loss: softmax takes at most {LARGEST_VOCABULARY:,} words, got {self.outputs:,}; "
                f"use ns or hs, or encode with max_vocab"
            )

    def step(
        self, words: Array, outputs: Array, examples: Examples, key: np.uint64, rates: NDArray[np.float32]
    ) -> tuple[float, int]:
        """Update both arrays in place; the loss is that of every pair."""
        targets = np.repeat(examples.targets, np.diff(examples.starts))
        # Small batches for few words: the more a word stands in one, the longer the step it takes.
        batch = min(64, max(8, self.outputs // 4))
        loss = 0.0
        for first in range(0, len(targets), batch):
            rate = rates[0] + (rates[1] - rates[0]) * np.float32(first / len(targets))
            pairs = slice(first, first + batch)
            loss += softmax_step(words, outputs, examples.inputs[pairs], targets[pairs], rate)
        return loss, len(targets)


def make_loss(occurrences: NDArray[np.int64], options: SkipgramOptions) -> Loss:
    """Return the loss that the options name, for targets with these counts."""
    if options.loss == "ns":
        return NegativeSampling(occurrences, options)
    if options.loss == "hs":
        return HierarchicalSoftmax(occurrences)
    return FullSoftmax(occurrences)


def noise_weights(occurrences: NDArray[np.int64], exponent: float) -> NDArray[np.float64]:
    """Return weights in proportion to count^exponent; a word that does not occur is never drawn."""
    seen = occurrences > 0
    weights = np.zeros(len(occurrences))
    logs = exponent * np.log(occurrences[seen])
    weights[seen] = np.exp(logs - logs.max())
    return weights
