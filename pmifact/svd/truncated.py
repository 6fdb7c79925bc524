"""Sparse matrix to factors: the truncated singular value decomposition."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from threadpoolctl import threadpool_limits

from pmifact.checks import check_choice, check_integer, check_number
from pmifact.contexts import Contexts
from pmifact.device import CPU, DEVICES, Device, resolve_device
from pmifact.errors import InputError
from pmifact.factors import Factors
from pmifact.resources.memory import LEAST, parse_memory, working_memory
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.threads import resolve_threads
from pmifact.svd.device_plan import Shapes, device_plan
from pmifact.svd.krylov import KrylovOptions, Operator, krylov_svd
from pmifact.svd.operators import PANEL, sparse_operator
from pmifact.svd.solvers import Triplets, lanczos, lapack, randomized
from pmifact.svd.streaming import StreamedOperator
from pmifact.vocabulary import Vocabulary

SOLVERS = ("krylov", "arpack", "propack", "randomized")
# A matrix with a side this short, or shorter than twice the rank, goes to LAPACK: an iterative solver would
# build a basis of about the whole space.
SMALL_SIDE = 200
# At most so many cells are made dense only to say what the largest possible rank is.
DENSE_CELLS = 1 << 24
# Columns that our solver multiplies at a time.
BLOCK = 64
# Vectors that its basis holds where memory is no matter: enough for SPPMI never to be restarted.
CAPACITY_PER_RANK, CAPACITY_BLOCKS = 5, 10
# Float32 cannot tell singular values apart, nor residuals measure, that are so much smaller than the first.
SINGLE_PRECISION = 1e-3


@dataclass(frozen=True, kw_only=True)
class FactorizeOptions:
    """How a matrix is factorized; saved with the factors.

    Parameters
    ----------
    rank : int
        Number d of singular triplets.
    solver : {"krylov", "arpack", "propack", "randomized"}
        Our block Krylov solver, SciPy's svds by ARPACK or PROPACK, or scikit-learn's randomized_svd with 7
        iterations. What is saved may also be ``lapack``, to which matrices go that have a side of at most 200
        or of at most twice the rank.
    tol : float
        Of ``krylov``: iterate until max(||A v - s u||, ||A^T u - s v||) <= tol * s for every triplet; errors
        of singular values are several times smaller. The other solvers take no tolerance.
    memory : int or None
        Of ``krylov``: about so many bytes may the whole process take, the matrix given included; a small
        basis is restarted more often. On a GPU it bounds the memory taken there. None is no limit.
    device : {"cpu", "gpu", "auto"}
        Of ``krylov``: where it works; ``auto`` takes a GPU if one can be used. What is saved is where the
        solver ran: always on the CPU, if it is another.
    seed : int
        Of the random start.
    """

    rank: int = 300
    solver: str = "krylov"
    tol: float = 0.03
    memory: int | None = None
    device: str = "cpu"
    seed: int = 0

    def __post_init__(self) -> None:
        check_integer("rank", self.rank, least=1)
        check_choice("solver", self.solver, SOLVERS)
        check_number("tol", self.tol, above=0, most=1)
        if self.memory is not None:
            check_integer("memory", self.memory, least=LEAST)
        check_choice("device", self.device, DEVICES)
        if self.device == "gpu" and self.solver != "krylov":
            raise InputError(
                f"device: the solver {self.solver} knows no GPU; use krylov there, or the device cpu"
            )
        check_integer("seed", self.seed, least=0, most=2**32 - 1)


Product = Callable[[NDArray[Any]], NDArray[Any]]


class _Solution(NamedTuple):
    """Triplets of a scaled matrix, rounded and measured, and what the solver says of the way to them."""

    words: NDArray[np.float32]
    strengths: NDArray[np.float32]
    contexts: NDArray[np.float32]
    residuals: NDArray[np.float32]
    facts: dict[str, Any]


def factorize(
    matrix: Any,
    *,
    rank: int = 300,
    vocabulary: Vocabulary | None = None,
    context_vocabulary: Contexts | None = None,
    solver: str = "krylov",
    tol: float = 0.03,
    memory: int | str | None = None,
    device: str = "cpu",
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Factors:
    """Return the truncated SVD of a matrix, M ~ U_d S_d V_d^T.

    The Krylov solver works in float32, and again in float64 where that cannot resolve the smallest value
    asked or the tolerance; the others work in float64. At the end the matrix is projected on the right
    vectors (Rayleigh-Ritz), which leaves null directions at rounding size.

    Parameters
    ----------
    matrix : sparse matrix, sparse array or array_like, shape (V, C)
        Real and finite, not all zero.
    rank : int
        d, at most the numerical rank: the number of singular values above eps(float64) * max(V, C) * s_1.
    vocabulary : Vocabulary or None
        The V words of the rows.
    context_vocabulary : Vocabulary, PositionalContexts or None
        The C contexts of the columns, when they are not the words: `CooccurrenceCounts.contexts`.
    solver, tol, memory, device
        See `FactorizeOptions`; memory also as in ``4GB``.
    seed : int
        On the CPU equal seeds, threads and machines give equal factors; on a GPU, factors equal to rounding.
    threads : int or None
        Threads of BLAS and LAPACK; None for all cores that this process may use.
    progress : Progress
        Told the products with the matrix (or its transpose) and a vector, and their number; 0 while unknown.

    Returns
    -------
    Factors
        Singular values descending; the largest |entry| of each left vector is positive, the first of equals
        decides. Residuals are measured on the float32 arrays returned. The options hold the solver that ran,
        ``energy`` (sum s^2 over the squared Frobenius norm) and, of ``krylov``, whether it ``converged``, its
        ``precision``, ``iterations``, ``restarts``, ``products`` (columns multiplied) and the ``seconds`` of
        its phases.

    Raises
    ------
    InputError
        If the matrix or an option cannot be used, or the rank is above the numerical rank.
    DeviceError
        If ``gpu`` is asked for and cannot be used, or has not the memory.
    """
    options = FactorizeOptions(
        rank=rank, solver=solver, tol=tol, memory=parse_memory(memory), device=device, seed=seed
    )
    worker = resolve_device(device) if solver == "krylov" else CPU
    threads = resolve_threads(threads)
    sparse = _checked(matrix)
    _check_names(sparse.shape, vocabulary, context_vocabulary)
    # A power of two divides without rounding; squares of the entries can then neither overflow nor vanish.
    exponent = int(np.frexp(np.abs(sparse.data).max())[1])
    scaled = csr_array((np.ldexp(sparse.data, -exponent), sparse.indices, sparse.indptr), shape=sparse.shape)
    del sparse
    with threadpool_limits(limits=threads), worker.in_use():
        solution = _solve(scaled, options, worker, threads, progress)
    norm = np.einsum("i,i", scaled.data, scaled.data, dtype=np.float64)
    energy = float(np.square(solution.strengths, dtype=np.float64).sum() / norm)
    return Factors(
        vocabulary,
        solution.words,
        _rescaled(solution.strengths, exponent),
        solution.contexts,
        solution.residuals,
        options=asdict(options) | solution.facts | {"energy": energy},
        context_vocabulary=context_vocabulary,
    )


def _checked(matrix: Any) -> csr_array:
    """Return a canonical CSR matrix in float32 or float64 without explicit zeros; refuse what has no SVD."""
    found = matrix if issparse(matrix) else np.asarray(matrix)
    if found.ndim != 2 or 0 in found.shape:
        raise InputError(f"matrix: expected two dimensions, none of them 0, got the shape {found.shape}")
    if found.dtype.kind not in "fiub":
        raise InputError(f"matrix: expected real numbers, got dtype {found.dtype}")
    with np.errstate(over="ignore"):  # what float64 cannot hold becomes infinite, and is refused
        sparse = csr_array(found, dtype=np.float32 if found.dtype == np.float32 else np.float64)
        if not sparse.has_canonical_format or not sparse.data.all():
            sparse = sparse.copy()  # the caller's arrays stay as they are
            sparse.sum_duplicates()
            sparse.eliminate_zeros()
    if sparse.nnz == 0:
        raise InputError("matrix: every entry is zero, so there is nothing to factorize")
    if not np.isfinite(sparse.data).all():
        row, column = (int(ids[~np.isfinite(sparse.data)][0]) for ids in sparse.tocoo().coords)
        raise InputError(f"matrix: the entry in row {row}, column {column} is not a finite number")
    return sparse


def _check_names(shape: tuple[int, int], words: Vocabulary | None, contexts: Contexts | None) -> None:
    if words is not None and len(words) != shape[0]:
        raise InputError(f"matrix: has {shape[0]} rows, but the vocabulary has {len(words)} words")
    if contexts is not None and len(contexts) != shape[1]:
        raise InputError(f"matrix: has {shape[1]} columns, but there are {len(contexts)} contexts")


def _solve(
    matrix: csr_array, options: FactorizeOptions, device: Device, threads: int, progress: Progress
) -> _Solution:
    rank = options.rank
    rows = int(np.count_nonzero(np.diff(matrix.indptr)))
    columns = int(np.count_nonzero(np.bincount(matrix.indices, minlength=1)))
    small = min(matrix.shape) <= max(SMALL_SIDE, 2 * rank)
    # A small matrix goes on, so that LAPACK finds the exact largest rank for the message.
    if rank > min(rows, columns) and not (small and math.prod(matrix.shape) <= DENSE_CELLS):
        raise InputError(
            f"rank {rank}: the matrix has {rows} rows and {columns} columns that are not zero, "
            f"so the largest possible rank is at most {min(rows, columns)}"
        )
    if options.solver == "krylov" and not small:
        return _solve_krylov(matrix, options, device, threads, progress)
    double = matrix.astype(np.float64)
    solver = "lapack" if small else options.solver
    if solver == "lapack":
        triplets = lapack(double, rank)
    elif solver == "randomized":
        triplets = randomized(double, rank, options.seed)
    else:
        triplets = lanczos(double, rank, solver, options.seed, progress)
    with sparse_operator(double, dtype=np.float64, threads=threads) as operator:
        return _measured(
            triplets, operator.times, operator.transpose_times, rank, {"solver": solver, "device": "cpu"}
        )


def _solve_krylov(
    matrix: csr_array, options: FactorizeOptions, device: Device, threads: int, progress: Progress
) -> _Solution:
    """Work in float32, and again in float64 where that is not enough."""
    # Right vectors are the ones kept, so that they should be the shorter.
    wide = matrix.shape[0] < matrix.shape[1]
    if wide:
        matrix = matrix.T.tocsr()
    precision = "float64" if options.tol < SINGLE_PRECISION else "float32"
    while True:
        with _operator(matrix, options, precision, device, threads, progress) as (operator, capacity):
            settings = KrylovOptions(
                rank=options.rank,
                tol=options.tol,
                block=BLOCK,
                capacity=capacity,
                max_products=50 * options.rank + 10_000,
                dtype=precision,
                seed=options.seed,
            )
            found = krylov_svd(operator, device, settings)
            resolved = len(found.s) == options.rank and found.s[-1] >= SINGLE_PRECISION * found.s[0]
            if resolved or precision == "float64":
                facts = {
                    "solver": "krylov",
                    "device": device.name,
                    "precision": precision,
                    "converged": found.converged,
                    "iterations": found.iterations,
                    "restarts": found.restarts,
                    "products": operator.products,
                    "seconds": {phase: round(seconds, 3) for phase, seconds in found.seconds.items()},
                }
                u, v = (device.to_host(vectors, precision) for vectors in (found.u, found.v))
                times = _on_host(operator.times, device, precision)
                transpose_times = _on_host(operator.transpose_times, device, precision)
                if wide:
                    return _measured(Triplets(v, found.s, u), transpose_times, times, options.rank, facts)
                return _measured(Triplets(u, found.s, v), times, transpose_times, options.rank, facts)
        del operator, found  # what they take on the device is free for the second time
        precision = "float64"


@contextmanager
def _operator(
    matrix: csr_array,
    options: FactorizeOptions,
    precision: str,
    device: Device,
    threads: int,
    progress: Progress,
) -> Iterator[tuple[Operator, int]]:
    """Yield the products of the matrix on a device, and how many vectors the basis may hold beside it."""
    itemsize = np.dtype(precision).itemsize
    if device.sparse is None:
        capacity = _capacity(matrix, options, itemsize)
        with sparse_operator(matrix, dtype=precision, threads=threads, progress=progress) as operator:
            yield operator, capacity
        return
    rows, columns = matrix.shape
    shapes = Shapes(rows, columns, matrix.nnz, options.rank, BLOCK, itemsize)
    usual = CAPACITY_PER_RANK * options.rank + CAPACITY_BLOCKS * BLOCK
    plan = device_plan(shapes, usual, device, options.memory)
    yield (
        StreamedOperator(matrix, device, dtype=precision, room=plan.room, progress=progress),
        plan.capacity,
    )


def _on_host(product: Product, device: Device, precision: str) -> Product:
    """Return a product with blocks on the host."""
    if device.sparse is None:
        return product
    return lambda x: device.to_host(product(device.array(x, getattr(device.xp, precision))))


def _capacity(matrix: csr_array, options: FactorizeOptions, itemsize: int) -> int:
    """Return how many vectors the basis may hold."""
    rows, columns = matrix.shape
    usual = CAPACITY_PER_RANK * options.rank + CAPACITY_BLOCKS * BLOCK
    if options.memory is None:
        return usual
    # The matrix given and scaled, two tiled copies and a transposed one on the way to them; at the end four
    # blocks of factors.
    fixed = matrix.nnz * (12 + 2 * matrix.data.itemsize + 2 * (itemsize + 2))
    fixed += 4 * rows * options.rank * itemsize
    least = min(options.rank + 4 * BLOCK, columns)
    possible = (working_memory(options.memory) - fixed) // (columns * itemsize)
    if possible < least:
        needed = math.ceil((options.memory + (least - possible) * columns * itemsize) / 2**20)
        raise InputError(f"memory: this matrix and rank need {needed}MB, got {options.memory / 2**20:.0f}MB")
    return int(min(usual, possible))


def _measured(
    triplets: Triplets, times: Product, transpose_times: Product, rank: int, facts: dict[str, Any]
) -> _Solution:
    """Round the triplets, settle their signs, and measure what is returned."""
    _check_numerical_rank(triplets, rank)
    words, strengths, contexts = _settled(triplets)
    residuals = np.empty(rank)
    for start in range(0, rank, PANEL):
        block = slice(start, start + PANEL)
        s, u, v = (array[..., block].astype(np.float64) for array in (strengths, words, contexts))
        left, right = times(contexts[:, block]) - s * u, transpose_times(words[:, block]) - s * v
        residuals[block] = np.maximum(np.linalg.norm(left, axis=0), np.linalg.norm(right, axis=0)) / s
    return _Solution(words, strengths, contexts, residuals.astype(np.float32), facts)


def _check_numerical_rank(triplets: Triplets, rank: int) -> None:
    u, s, v = triplets
    possible = int(np.count_nonzero(s > np.finfo(np.float64).eps * max(len(u), len(v)) * s[0]))
    if possible < rank:
        raise InputError(
            f"rank {rank}: the largest possible rank is {possible}, "
            f"the number of singular values that are more than rounding errors; ask for {possible} or fewer"
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


def _rescaled(strengths: NDArray[np.float32], exponent: int) -> NDArray[np.float32]:
    """Return the strengths times 2^exponent, which float32 must be able to hold."""
    largest, smallest = np.log2(strengths[[0, -1]]) + exponent
    if largest >= 128 or smallest < -126:
        raise InputError(
            f"matrix: its singular values reach from 2^{smallest:.0f} to 2^{largest:.0f}, beyond float32; "
            "multiply the matrix by a constant first"
        )
    return np.ldexp(strengths, exponent)
