"""Sparse matrix to factors: the truncated singular value decomposition."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from threadpoolctl import threadpool_limits

from pmifact.checks import check_choice, check_integer
from pmifact.errors import InputError
from pmifact.factors import Factors
from pmifact.progress import Progress, no_progress
from pmifact.solvers import Floats, Triplets, arpack, lapack, randomized
from pmifact.threads import resolve_threads
from pmifact.vocabulary import Vocabulary

SOLVERS = ("randomized", "arpack")
# A matrix with a side this short, or shorter than twice the rank, goes to LAPACK: an iterative solver would
# build a basis of about the whole space.
SMALL_SIDE = 200
# At most so many cells are made dense only to say what the largest possible rank is.
DENSE_CELLS = 1 << 24
# Columns of float64 work at a time in the passes over all factors.
COLUMNS = 64


@dataclass(frozen=True, kw_only=True)
class FactorizeOptions:
    """How a matrix is factorized; saved with the factors.

    Parameters
    ----------
    rank : int
        Number d of singular triplets.
    solver : {"randomized", "arpack"}
        scikit-learn's randomized_svd with 7 iterations, or SciPy's svds. What is saved may also be
        ``lapack``, to which matrices go that have a side of at most 200 or of at most twice the rank.
    seed : int
        Of the random start.
    """

    rank: int = 300
    solver: str = "randomized"
    seed: int = 0

    def __post_init__(self) -> None:
        check_integer("rank", self.rank, least=1)
        check_choice("solver", self.solver, SOLVERS)
        check_integer("seed", self.seed, least=0, most=2**32 - 1)


def factorize(
    matrix: Any,
    *,
    rank: int = 300,
    vocabulary: Vocabulary | None = None,
    solver: str = "randomized",
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Factors:
    """Return the truncated SVD of a matrix, M ~ U_d S_d V_d^T.

    Work is in float64. After the solver, the right vectors are made orthonormal and the matrix is projected
    on them (Rayleigh-Ritz), which leaves null directions at rounding size.

    Parameters
    ----------
    matrix : sparse matrix, sparse array or array_like, shape (V, C)
        Real and finite, not all zero.
    rank : int
        d, at most the numerical rank: the number of singular values above eps(float64) * max(V, C) * s_1.
    vocabulary : Vocabulary or None
        The V words of the rows.
    solver : {"randomized", "arpack"}
        See `FactorizeOptions`.
    seed : int
        Equal seeds, threads and machines give equal factors.
    threads : int or None
        Threads of BLAS and LAPACK; None for all cores that this process may use.
    progress : Progress
        Told the products with the matrix (or its transpose) and a vector, and their number; 0 while unknown.

    Returns
    -------
    Factors
        Singular values descending; the largest |entry| of each left vector is positive, the first of equals
        decides. Residuals are measured on the float32 arrays returned.

    Raises
    ------
    InputError
        If the matrix or an option cannot be used, or the rank is above the numerical rank.
    """
    options = FactorizeOptions(rank=rank, solver=solver, seed=seed)
    threads = resolve_threads(threads)
    sparse = _checked(matrix)
    if vocabulary is not None and len(vocabulary) != sparse.shape[0]:
        raise InputError(
            f"matrix: has {sparse.shape[0]} rows, but the vocabulary has {len(vocabulary)} words"
        )
    # A power of two divides without rounding; squares of the entries can then neither overflow nor vanish.
    exponent = int(np.frexp(np.abs(sparse.data).max())[1])
    scaled = csr_array((np.ldexp(sparse.data, -exponent), sparse.indices, sparse.indptr), shape=sparse.shape)
    with threadpool_limits(limits=threads):
        triplets, ran = _solve(scaled, options, progress)
        _check_numerical_rank(triplets.s, scaled.shape, options.rank)
        words, strengths, contexts = _settled(triplets)
        residuals = _residuals(scaled, words, strengths, contexts)
    return Factors(
        vocabulary,
        words,
        _rescaled(strengths, exponent),
        contexts,
        residuals,
        options=asdict(options) | {"solver": ran},
    )


def _checked(matrix: Any) -> csr_array:
    """Return a canonical float64 CSR copy without explicit zeros; refuse what has no SVD."""
    found = matrix if issparse(matrix) else np.asarray(matrix)
    if found.ndim != 2 or 0 in found.shape:
        raise InputError(f"matrix: expected two dimensions, none of them 0, got the shape {found.shape}")
    if found.dtype.kind not in "fiub":
        raise InputError(f"matrix: expected real numbers, got dtype {found.dtype}")
    with np.errstate(over="ignore"):  # what float64 cannot hold becomes infinite, and is refused
        sparse = csr_array(found, dtype=np.float64, copy=True)
        sparse.sum_duplicates()
    sparse.eliminate_zeros()
    if sparse.nnz == 0:
        raise InputError("matrix: every entry is zero, so there is nothing to factorize")
    if not np.isfinite(sparse.data).all():
        row, column = (int(ids[~np.isfinite(sparse.data)][0]) for ids in sparse.tocoo().coords)
        raise InputError(f"matrix: the entry in row {row}, column {column} is not a finite number")
    return sparse


def _solve(matrix: csr_array, options: FactorizeOptions, progress: Progress) -> tuple[Triplets, str]:
    """Return the triplets and the name of the solver that found them."""
    rank = options.rank
    rows = int(np.count_nonzero(np.diff(matrix.indptr)))
    columns = len(np.unique(matrix.indices))
    small = min(matrix.shape) <= max(SMALL_SIDE, 2 * rank)
    # A small matrix goes on, so that LAPACK finds the exact largest rank for the message.
    if rank > min(rows, columns) and not (small and math.prod(matrix.shape) <= DENSE_CELLS):
        raise InputError(
            f"rank {rank}: the matrix has {rows} rows and {columns} columns that are not zero, "
            f"so the largest possible rank is at most {min(rows, columns)}"
        )
    if small:
        return lapack(matrix, rank), "lapack"
    if options.solver == "arpack":
        return arpack(matrix, rank, options.seed, progress), "arpack"
    return randomized(matrix, rank, options.seed), "randomized"


def _check_numerical_rank(s: Floats, shape: tuple[int, int], rank: int) -> None:
    possible = int(np.count_nonzero(s > np.finfo(np.float64).eps * max(shape) * s[0]))
    if possible < rank:
        raise InputError(
            f"rank {rank}: the largest possible rank is {possible}, "
            "the number of singular values that are more than rounding errors"
        )


def _settled(triplets: Triplets) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Round to float32 and turn each pair so that the largest |entry| of the left vector is positive."""
    words, contexts = triplets.u.astype(np.float32), triplets.v.astype(np.float32)
    # argmax takes the first of equals, after rounding: so the rule can be checked on what is returned.
    largest = words[np.abs(words).argmax(axis=0), np.arange(words.shape[1])]
    signs = np.where(largest < 0, np.float32(-1), np.float32(1))
    words *= signs
    contexts *= signs
    return words, triplets.s.astype(np.float32), contexts


def _residuals(
    matrix: csr_array,
    words: NDArray[np.float32],
    strengths: NDArray[np.float32],
    contexts: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return max(||A v - s u||, ||A^T u - s v||) / s of each triplet, of the rounded vectors, in float64."""
    residuals = np.empty(len(strengths))
    transpose = matrix.T
    for start in range(0, len(strengths), COLUMNS):
        block = slice(start, start + COLUMNS)
        s, u, v = (array[..., block].astype(np.float64) for array in (strengths, words, contexts))
        left, right = (
            np.linalg.norm(matrix @ v - s * u, axis=0),
            np.linalg.norm(transpose @ u - s * v, axis=0),
        )
        residuals[block] = np.maximum(left, right) / s
    return residuals.astype(np.float32)


def _rescaled(strengths: NDArray[np.float32], exponent: int) -> NDArray[np.float32]:
    """Return the strengths times 2^exponent, which float32 must be able to hold."""
    largest, smallest = np.log2(strengths[[0, -1]]) + exponent
    if largest >= 128 or smallest < -126:
        raise InputError(
            f"matrix: its singular values reach from 2^{smallest:.0f} to 2^{largest:.0f}, beyond float32; "
            "multiply the matrix by a constant first"
        )
    return np.ldexp(strengths, exponent)
