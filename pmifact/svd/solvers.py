"""Truncated SVD by other libraries, in float64: LAPACK, SciPy's ARPACK and PROPACK, scikit-learn."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, qr, svd
from scipy.sparse import csr_array

from pmifact.errors import PmifactError
from pmifact.resources.progress import Progress

RANDOMIZED_ITERATIONS = 7

Floats = NDArray[np.float64]


class Triplets(NamedTuple):
    """Left vectors (columns of u), singular values descending, right vectors (columns of v)."""

    u: Floats
    s: Floats
    v: Floats


def lapack(matrix: csr_array, rank: int) -> Triplets:
    """Return the `rank` leading triplets of the full, dense decomposition."""
    u, s, vt = dense_svd(matrix.toarray())
    return Triplets(u[:, :rank], s[:rank], vt[:rank].T)


def lanczos(matrix: csr_array, rank: int, solver: str, seed: int, progress: Progress) -> Triplets:
    """Return the `rank` leading triplets by SciPy's ``arpack`` or ``propack``, to machine precision."""
    from scipy.sparse.linalg import ArpackError, svds

    # ARPACK starts on the shorter side, PROPACK on the left one.
    length = matrix.shape[0] if solver == "propack" else min(matrix.shape)
    start = np.random.default_rng(seed).standard_normal(length)
    # PROPACK's own bound of its Krylov space, ten times the rank, is too small for low ranks.
    most = min(*matrix.shape, 10 * rank + 200) if solver == "propack" else None
    try:
        _, _, vt = svds(
            _counting(matrix, progress), rank, v0=start, maxiter=most, solver=solver, random_state=seed
        )
    except (ArpackError, np.linalg.LinAlgError) as error:
        raise PmifactError(f"{solver}: {error}; use another solver or a lower rank") from error
    return rayleigh_ritz(matrix, vt.T)


def randomized(matrix: csr_array, rank: int, seed: int) -> Triplets:
    """Return approximations of the `rank` leading triplets by subspace iteration from a random start."""
    from sklearn.utils.extmath import randomized_svd

    _, _, vt = randomized_svd(matrix, rank, n_iter=RANDOMIZED_ITERATIONS, random_state=seed)
    return rayleigh_ritz(matrix, vt.T)


def rayleigh_ritz(matrix: csr_array, v: Floats) -> Triplets:
    """Return the triplets of the matrix restricted to the span of the columns of `v`.

    A null direction comes out at eps * s_1, where solvers that work on the Gram matrix leave sqrt(eps) * s_1.
    """
    basis, _ = qr(v, mode="economic")
    u, s, wt = dense_svd(matrix @ basis)
    return Triplets(u, s, basis @ wt.T)


def dense_svd(matrix: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the thin SVD (u, s, v^T) of a dense matrix."""
    try:
        u, s, vt = svd(matrix, full_matrices=False, check_finite=False)
    except LinAlgError:  # divide and conquer can fail where the slower QR iteration does not
        u, s, vt = svd(matrix, full_matrices=False, check_finite=False, lapack_driver="gesvd")
    return u, s, vt


def _counting(matrix: csr_array, progress: Progress) -> Any:
    """Wrap the matrix so that `progress` hears of its products; their number is not known beforehand."""
    from scipy.sparse.linalg import LinearOperator

    transpose = matrix.T.tocsr()
    done = 0

    def times(operand: csr_array, block: Floats) -> Floats:
        nonlocal done
        done += 1 if block.ndim == 1 else block.shape[1]
        progress(done, 0)
        product: Floats = operand @ block
        return product

    return LinearOperator(
        matrix.shape,
        matvec=lambda x: times(matrix, x),
        rmatvec=lambda x: times(transpose, x),
        matmat=lambda x: times(matrix, x),
        rmatmat=lambda x: times(transpose, x),
        dtype=matrix.dtype,
    )
