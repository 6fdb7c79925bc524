"""The arrays that training starts from, and the factors that it ends in."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.contexts import Contexts
from pmifact.errors import InputError
from pmifact.factors import Factors
from pmifact.skipgram.options import SkipgramOptions
from pmifact.skipgram.sources import ExampleSource

Array = NDArray[np.float32]

_LANES = 8  # rows are padded with zeros, which stay zero, to whole vector registers
_ROWS = 65_536  # random rows made at once


class Start:
    """Where training starts: at random, or from given factors.

    Word vectors start uniform in +-0.5/d and outputs at 0. Given factors start at words * sqrt(strengths)
    and contexts * sqrt(strengths), so that their products are what the factors approximate.
    """

    def __init__(
        self, source: ExampleSource, options: SkipgramOptions, outputs: int, init: Factors | None
    ) -> None:
        if init is not None:
            _check_init(init, source, options, outputs)
        self._vocabulary, self._options, self._init, self._outputs = source.vocabulary, options, init, outputs
        # The outputs of hs are the inner nodes of a tree, which have no names.
        self._contexts = None if options.loss == "hs" else source.contexts

    def arrays(self) -> tuple[Array, Array]:
        """Return the words and the outputs, padded to a multiple of 8 columns."""
        rank = self._options.rank
        width = -(-rank // _LANES) * _LANES
        words = np.zeros((len(self._vocabulary), width), np.float32)
        outputs = np.zeros((self._outputs, width), np.float32)
        if self._init is None:
            for rows, start in self._random_rows():
                words[rows, :rank] = start
        else:
            root = np.sqrt(self._init.strengths)
            np.multiply(self._init.words, root, out=words[:, :rank])
            np.multiply(self._init.contexts, root, out=outputs[:, :rank])
        return words, outputs

    def finish(self, words: Array, outputs: Array, options: Mapping[str, Any]) -> Factors:
        """Return factors with copies of both arrays, unpadded.

        A word that no step has moved keeps no random vector: its row becomes zero, which counts as
        uncovered.
        """
        rank = self._options.rank
        final = words[:, :rank].copy()
        if self._init is None:
            for rows, start in self._random_rows():
                block = final[rows]
                block[(block == start).all(axis=1)] = 0
        return Factors(
            vocabulary=self._vocabulary,
            words=final,
            strengths=np.ones(rank, np.float32),
            contexts=outputs[:, :rank].copy(),
            context_vocabulary=self._contexts,
            options=options,
        )

    def _random_rows(self) -> Iterator[tuple[slice, Array]]:
        """Yield blocks of rows and their random start; the same each time."""
        rank = self._options.rank
        random = np.random.default_rng(self._options.seed)
        for first in range(0, len(self._vocabulary), _ROWS):
            last = min(first + _ROWS, len(self._vocabulary))
            start = random.random((last - first, rank), np.float32)
            start -= np.float32(0.5)
            start /= np.float32(rank)
            yield slice(first, last), start


def _check_init(init: Factors, source: ExampleSource, options: SkipgramOptions, outputs: int) -> None:
    if init.rank != options.rank:
        raise InputError(f"init: expected factors of rank {options.rank}, got rank {init.rank}")
    loss = init.options.get("loss")
    if (options.loss == "hs") != (loss == "hs"):
        origin = f"a model trained with the loss {loss}" if loss else "an SVD"
        raise InputError(
            f"init: the loss {options.loss} cannot start from {origin}; hs, whose contexts are nodes of a "
            f"tree, starts from hs, and ns and softmax from any others"
        )
    _check_words("words", init.vocabulary, source.vocabulary)
    if source.contexts is not None and options.loss != "hs":
        _check_words("contexts", init.context_vocabulary, source.contexts)
    if len(init.contexts) != outputs:
        raise InputError(f"init: expected {outputs:,} context vectors, got {len(init.contexts):,}")


def _check_words(what: str, given: Contexts | None, expected: Contexts) -> None:
    if given is None or given.fingerprint != expected.fingerprint:
        found = "none" if given is None else f"{len(given):,} that are not the same"
        raise InputError(f"init: expected the {len(expected):,} {what} of the source, got {found}")
