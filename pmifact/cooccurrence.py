"""Token ids to co-occurrence counts: `CooccurrenceCounts` and the functions that make and add them."""

from dataclasses import dataclass

from scipy.sparse import csr_array

from pmifact.vocabulary import Vocabulary

WEIGHTINGS = ("linear", "flat", "harmonic")
OOV_POLICIES = ("close", "gap")
SUBSAMPLE_MODES = ("before", "after")


@dataclass(frozen=True, kw_only=True)
class CountOptions:
    """How pairs are counted (specification, section 2); saved with the counts."""

    window: tuple[int, int] = (5, 5)
    weighting: str = "linear"
    oov: str = "close"
    subsample: float | None = None
    subsample_mode: str = "before"
    seed: int = 0


@dataclass(frozen=True, eq=False)
class CooccurrenceCounts:
    """Exact co-occurrence counts.

    Parameters
    ----------
    vocabulary : Vocabulary
        The V words of the rows, and of the columns.
    matrix : csr_array of int64, shape (V, V)
        Numerators, indices sorted, no duplicates, no explicit zeros; row = focus word, column = context
        word. The count of a pair is ``matrix[w, c] / unit``.
    unit : int
        The common denominator of the window's weights.
    options : CountOptions
        How they were counted.
    """

    vocabulary: Vocabulary
    matrix: csr_array
    unit: int
    options: CountOptions
