"""The truncated factorization that both trainers end in, and the word vectors it gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.vocabulary import Vocabulary


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
    """

    vocabulary: Vocabulary | None
    words: NDArray[np.float32]
    strengths: NDArray[np.float32]
    contexts: NDArray[np.float32]
    residuals: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))
    options: Mapping[str, Any] = field(default_factory=dict)
