"""The truncated SVDs that are compared: a name and a parameter to triplets, values descending."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator, lobpcg, svds
from sklearn.utils.extmath import randomized_svd

from pmifact.svd import factorize
from pmifact.svd.operators import SparseOperator, sparse_operator

Solved = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
THREADS = 2


def by_ours(matrix: csr_array, rank: int, tol: float) -> Solved:
    factors = factorize(matrix, rank=rank, tol=tol, threads=THREADS)
    return factors.words, factors.strengths, factors.contexts


def by_lanczos(solver: str) -> Callable[[csr_array, int, float], Solved]:
    """Return SciPy's svds by one of its solvers, to machine precision."""

    def solve(matrix: csr_array, rank: int, _: float) -> Solved:
        found = svds(matrix.astype(np.float64), k=rank, solver=solver, random_state=0)
        return _descending(*found)

    return solve


def by_sklearn(matrix: csr_array, rank: int, iterations: float) -> Solved:
    left, values, right = randomized_svd(matrix, rank, n_iter=int(iterations), random_state=0)
    return left, values, right.T


def by_lobpcg(matrix: csr_array, rank: int, iterations: float) -> Solved:
    """Take SciPy's lobpcg for the eigenvectors of A^T A: svds cannot tell it where to stop."""
    transpose = matrix.T.tocsr()
    gram = LinearOperator(
        (matrix.shape[1],) * 2,
        matvec=lambda x: transpose @ (matrix @ x),
        matmat=lambda x: transpose @ (matrix @ x),
        dtype=np.float32,
    )
    start = np.random.default_rng(0).standard_normal((matrix.shape[1], rank)).astype(np.float32)
    _, right = lobpcg(gram, start, tol=1e-6, maxiter=int(iterations), largest=True)
    return _of_subspace(matrix, right)


def by_dashsvd(matrix: csr_array, rank: int, iterations: float) -> Solved:
    """Take the shifted power iteration of dashSVD (Feng, Yu & Xie, ACM TOMS 2024) with our products.

    Subspace iteration with A^T A - a I, where the shift a grows towards half of the smallest value that the
    subspace finds; half as many more vectors as the rank, orthonormalised by an SVD through the Gram matrix.
    """
    with sparse_operator(matrix, threads=THREADS) as operator:
        return _iterate_shifted(operator, matrix, rank, int(iterations))


def _iterate_shifted(operator: SparseOperator, matrix: csr_array, rank: int, iterations: int) -> Solved:
    size = rank + rank // 2
    start = np.random.default_rng(0).standard_normal((matrix.shape[0], size)).astype(np.float32)
    basis, _ = _gram_svd(operator.transpose_times(start))
    shift = 0.0
    for _ in range(iterations):
        product = operator.transpose_times(operator.times(basis)) - np.float32(shift) * basis
        basis, values = _gram_svd(product)
        if values[-1] > shift:
            shift = (values[-1] + shift) / 2
    left, values, right = np.linalg.svd(operator.times(basis), full_matrices=False)
    return left[:, :rank], values[:rank], basis @ right.T[:, :rank]


def _gram_svd(block: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the left vectors and the singular values, descending, of a tall block."""
    values, vectors = np.linalg.eigh((block.T @ block).astype(np.float64))
    lengths = np.sqrt(np.maximum(values[::-1], np.finfo(np.float64).tiny))
    return block @ (vectors[:, ::-1] / lengths).astype(block.dtype), lengths


def _of_subspace(matrix: csr_array, right: NDArray[Any]) -> Solved:
    basis, _ = np.linalg.qr(right)
    left, values, turned = np.linalg.svd(matrix @ basis, full_matrices=False)
    return left, values, basis @ turned.T


def _descending(left: NDArray[Any], values: NDArray[Any], right: NDArray[Any]) -> Solved:
    order = np.argsort(-values)
    return left[:, order], values[order], right[order].T


KINDS: dict[str, Callable[[csr_array, int, float], Solved]] = {
    "pmifact": by_ours,
    "sklearn": by_sklearn,
    "arpack": by_lanczos("arpack"),
    "propack": by_lanczos("propack"),
    "lobpcg": by_lobpcg,
    "dashsvd": by_dashsvd,
}
TITLES = {
    "pmifact": "pmifact, tol {}",
    "sklearn": "sklearn randomized_svd, {} iterations",
    "arpack": "scipy svds, ARPACK",
    "propack": "scipy svds, PROPACK",
    "lobpcg": "scipy lobpcg on A^T A, {} iterations",
    "dashsvd": "shifted power iteration (dashSVD), {} iterations",
}
