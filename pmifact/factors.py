"""The truncated factorization that both trainers end in, and the word vectors it gives."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.checks import check_choice, check_number
from pmifact.contexts import Contexts
from pmifact.errors import InputError
from pmifact.notebook import SHOWN, count_of, html_table
from pmifact.postprocessing import check_postprocessing, postprocessed
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

CONTEXTS = ("ignore", "add", "add-raw")


@dataclass(frozen=True, eq=False)
class Factors:
    """A rank-d factorization: ``(words * strengths) @ contexts.T`` approximates shifted PMI.

    Parameters
    ----------
    vocabulary : Vocabulary or None
        The V words of the rows; None for a bare matrix.
    words : ndarray of float32, shape (V, d)
        Left vectors; for an SVD orthonormal columns, largest |entry| of each positive.
    strengths : ndarray of float32, shape (d,)
        Singular values, descending; ones for skip-gram.
    contexts : ndarray of float32, shape (C, d)
        Right vectors.
    residuals : ndarray of float32, shape (d,)
        max(||A v - s u||, ||A^T u - s v||) / s of each triplet; empty for skip-gram.
    options : mapping
        The solver's options, saved with the factors.
    context_vocabulary : Vocabulary or PositionalContexts, optional
        The C contexts; None when they are the words of the rows, or have no names.

    Raises
    ------
    InputError
        If shapes or dtypes disagree, a value is not finite, or strengths are negative or not descending.
    """

    vocabulary: Vocabulary | None
    words: NDArray[np.float32]
    strengths: NDArray[np.float32]
    contexts: NDArray[np.float32]
    residuals: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))
    options: Mapping[str, Any] = field(default_factory=dict)
    context_vocabulary: Contexts | None = None

    def __post_init__(self) -> None:
        rank = len(self.strengths) if np.ndim(self.strengths) == 1 else 0
        rows = len(self.words if self.vocabulary is None else self.vocabulary)
        _check_array("words", self.words, (rows, rank))
        _check_array("strengths", self.strengths, (rank,))
        named = self.contexts if self.context_vocabulary is None else self.context_vocabulary
        _check_array("contexts", self.contexts, (len(named), rank))
        _check_array("residuals", self.residuals, (rank if len(self.residuals) else 0,))
        if rank == 0 or self.strengths[-1] < 0 or (np.diff(self.strengths) > 0).any():
            raise InputError("factors: expected at least one strength, none negative, in descending order")

    @property
    def rank(self) -> int:
        """The number d of dimensions."""
        return len(self.strengths)

    def __repr__(self) -> str:
        return (
            f"Factors({count_of(len(self.words), 'word')}, "
            f"{count_of(len(self.contexts), 'context')}, rank {self.rank})"
        )

    def _repr_html_(self) -> str:
        facts: list[tuple[str, object]] = [
            ("strengths", _first([f"{strength:.4g}" for strength in self.strengths]))
        ]
        if len(self.residuals):
            facts.append(("worst residual", f"{self.residuals.max():.2g} of its strength"))
        if self.vocabulary is not None:
            facts.append(("words", _first(self.vocabulary.words)))
        facts += [(name.replace("_", " "), value) for name, value in self.options.items()]
        return html_table(repr(self), facts)

    def vectors(
        self,
        *,
        power: float = 0.5,
        contexts: str = "ignore",
        center: bool = False,
        remove_top: int | None = None,
        normalize: bool = True,
    ) -> WordVectors:
        """Return word vectors W = words * strengths^power, or their sums with C = contexts * strengths^power.

        What is asked is done in the order of the parameters.

        Parameters
        ----------
        power : float
            Exponent of the strengths, at least 0; 0.5 is the symmetric choice of Levy & Goldberg (2014).
        contexts : {"ignore", "add", "add-raw"}
            ``add`` scales the rows of W and of C to length 1, then adds them: a cosine is then the mean of
            those of first and second order (Levy, Goldberg & Dagan 2015, equation 4). ``add-raw`` adds them
            with the lengths they have, as their program hyperwords does, and GloVe (Pennington, Socher &
            Manning 2014). When the factorized matrix is symmetric, contexts are words * sign(eigenvalue):
            adding then doubles the dimensions of positive eigenvalues and deletes the others.
        center : bool
            Whether to subtract the mean vector; see `pmifact.postprocessing.postprocessed`.
        remove_top : int or None
            D: subtract the mean and remove the D top principal components (all-but-the-top, Mu & Viswanath
            2018).
        normalize : bool
            Whether to end with rows of length 1; a zero row stays zero.

        Returns
        -------
        WordVectors
            A dense float32 matrix of shape (V, d).

        Raises
        ------
        InputError
            If an option is out of range, there is no vocabulary, ``add`` or ``add-raw`` is asked of contexts
            that are not the words, or lengths are kept that float32 cannot hold.
        """
        check_number("power", power, least=0)
        check_choice("contexts", contexts, CONTEXTS)
        check_postprocessing(center=center, remove_top=remove_top)
        if self.vocabulary is None:
            raise InputError(
                "factors: word vectors need a vocabulary, and this bare matrix was factorized without one"
            )
        if contexts != "ignore":
            self._check_contexts_are_words(contexts)
        # Over the largest strength nothing overflows; lengths get their factor back at the end.
        largest = float(self.strengths[0]) or 1.0
        weights = ((self.strengths / np.float64(largest)) ** power).astype(np.float32)
        matrix = self.words * weights
        if contexts == "add":
            contexts_weighted = WordVectors(self.vocabulary, self.contexts * weights)
            matrix = WordVectors(self.vocabulary, matrix).unit + contexts_weighted.unit
        elif contexts == "add-raw":
            matrix += self.contexts * weights
        vectors = postprocessed(WordVectors(self.vocabulary, matrix), center=center, remove_top=remove_top)
        if normalize:
            return WordVectors(self.vocabulary, vectors.unit)
        if contexts == "add":
            return vectors
        if power * math.log2(largest) > 127:
            raise InputError(f"power: {power!r} makes vectors longer than float32 can hold")
        return WordVectors(self.vocabulary, vectors.matrix * np.float32(largest**power))

    def _check_contexts_are_words(self, asked: str) -> None:
        if len(self.contexts) != len(self.words) or self.context_vocabulary is not None:
            raise InputError(
                f"contexts: {asked} needs the words as contexts, but these are {len(self.words)} words and "
                f"{len(self.contexts)} contexts that are not the same; use ignore"
            )


def _first(items: Sequence[str]) -> str:
    return ", ".join(items[:SHOWN]) + (", ..." if len(items) > SHOWN else "")


def _check_array(name: str, array: NDArray[np.float32], shape: tuple[int, ...]) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != np.float32 or array.shape != shape:
        found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise InputError(f"factors: {name}: expected a float32 array of shape {shape}, got {found}")
    # Both extremes pass NaN on, and take no temporary of the array's size.
    if array.size and not (np.isfinite(array.min()) and np.isfinite(array.max())):
        raise InputError(f"factors: {name}: holds a value that is not finite")
