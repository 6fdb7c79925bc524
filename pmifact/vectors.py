"""Word vectors: look-up and nearest neighbours."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class WordVectors:
    """One vector a word.

    Parameters
    ----------
    vocabulary : Vocabulary
        V words.
    matrix : ndarray of float32, shape (V, d), or csr_array of float32, shape (V, C)
        Row i is the vector of word i; sparse for the rows of an SPPMI matrix.
    """

    vocabulary: Vocabulary
    matrix: NDArray[np.float32] | csr_array
