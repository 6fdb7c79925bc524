"""Truncated SVD by block Golub-Kahan Krylov iteration, and by block Lanczos when the matrix is symmetric.

Products with A and A^T grow an orthonormal basis V of right vectors from a random block. With left blocks U

    A V = U B,    A^T U = V B^T + X C E^T

where B is block bidiagonal, X the next block of the basis, and U E the last left blocks. The triplets
(p, s, q) of B give those of A: values s, vectors U p and V q, residuals ||C E^T p||. Only V is kept, and
reorthogonalised in full: that keeps U orthogonal enough (Simon & Zha 2000; Barlow 2013), and left vectors
come from one more product. A full basis is restarted with its best right vectors (thick restart: Wu & Simon
2000; Baglama & Reichel 2005). A symmetric A needs no U: A V = V T + X C E^T, half the products, and the
eigenvalues of T.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from pmifact.device import Device, Floats
from pmifact.svd.basis import Basis, orthonormalize

# The projected problem is first solved when the basis is so many times the rank, then where the residuals so
# far promise the tolerance, but after this growth at the latest.
_FIRST_CHECK, _CHECK_GROWTH = 2, 1.15
# A block is taken out of the basis twice when less than this part of it is left.
_REPEAT = 0.05
# Of a full basis, a restart keeps the wanted vectors and this part of the others.
_KEPT_PART = 0.3


class Operator(Protocol):
    """A matrix by its products with blocks."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    @property
    def symmetric(self) -> bool:
        """Whether both products are one."""

    @property
    def products(self) -> int:
        """Columns multiplied so far."""

    def times(self, x: Any) -> Any:
        """Return ``A x``."""

    def transpose_times(self, x: Any) -> Any:
        """Return ``A^T x``."""


@dataclass(frozen=True, kw_only=True)
class KrylovOptions:
    """What to find and where to stop.

    Parameters
    ----------
    rank : int
        Triplets wanted, at most the shorter side.
    tol : float
        Largest residual, relative to its singular value.
    block : int
        Columns multiplied at a time.
    capacity : int
        Most vectors of the basis; above rank + block, unless that is the whole space.
    max_products : int
        Columns multiplied before giving up.
    dtype : {"float32", "float64"}
        Of the blocks.
    seed : int
        Of the random blocks.
    """

    rank: int
    tol: float
    block: int
    capacity: int
    max_products: int
    dtype: str
    seed: int


class KrylovResult(NamedTuple):
    """Triplets, values descending, and how they were found; fewer than asked if the matrix has no more."""

    u: Any  # shape (rows, k), on the device
    s: Floats
    v: Any  # shape (columns, k), on the device
    converged: bool
    iterations: int  # blocks multiplied
    restarts: int
    seconds: dict[str, float]  # by phase: products, orthogonalising, projected problem


class _Timed:
    """An operator whose time is taken."""

    def __init__(self, operator: Operator, device: Device) -> None:
        self._operator, self._device = operator, device
        self.shape, self.symmetric = operator.shape, operator.symmetric
        self.seconds = 0.0

    @property
    def products(self) -> int:
        return self._operator.products

    def times(self, x: Any) -> Any:
        return self._measured(self._operator.times, x)

    def transpose_times(self, x: Any) -> Any:
        return self._measured(self._operator.transpose_times, x)

    def _measured(self, product: Callable[[Any], Any], x: Any) -> Any:
        # A GPU only notes what is to be done; what is still open is not this product's.
        self._device.synchronize()
        began = time.perf_counter()
        y = product(x)
        self._device.synchronize()
        self.seconds += time.perf_counter() - began
        return y


class _Ritz(NamedTuple):
    """Triplets of the projected matrix, values descending."""

    s: Floats
    signed: Floats  # s, or the eigenvalues when the matrix is symmetric
    right: Floats  # coordinates in the basis, in columns
    tails: Floats  # C E^T p in columns: of A^T u what the basis lacks

    def worst_residual(self, rank: int) -> float:
        """Return the largest of ||A^T u - s v|| / s."""
        lengths = np.linalg.norm(self.tails[:, :rank], axis=0)
        return float(np.max(lengths / np.maximum(self.s[:rank], np.finfo(np.float64).tiny), initial=0.0))


def krylov_svd(operator: Operator, device: Device, options: KrylovOptions) -> KrylovResult:
    """Find the leading singular triplets of a matrix, best one with no more columns than rows."""
    began, projected = time.perf_counter(), 0.0
    operator = timed = _Timed(operator, device)
    process = (_Lanczos if operator.symmetric else _Bidiagonalization)(operator, device, options)
    rank, basis = options.rank, process.basis
    iterations = restarts = 0
    due, settled = _FIRST_CHECK * rank, 0.0
    size_before, worst_before = 0, np.inf
    while True:
        process.extend()
        iterations += 1
        stopped = operator.products >= options.max_products and basis.size >= rank
        if not (basis.size >= due or process.full or process.exhausted or stopped):
            continue
        solving = time.perf_counter()
        ritz = process.ritz()
        projected += time.perf_counter() - solving
        # Random columns come in where an invariant subspace is found, which may lack copies of a repeated
        # value. They are given one more round to change the last value.
        worst = ritz.worst_residual(rank)
        before, settled = settled, float(ritz.s[rank - 1]) if len(ritz.s) >= rank else 0.0
        still = not process.refilled or settled <= before * (1 + options.tol / 10)
        converged = process.exhausted or (len(ritz.s) >= rank and worst <= options.tol and still)
        if converged or stopped:
            break
        due = _next_check((size_before, worst_before), (basis.size, worst), options)
        size_before, worst_before = basis.size, worst
        if process.full:
            process.restart(ritz)
            restarts += 1
            size_before, worst_before = 0, np.inf
    basis.turn(ritz.right[:, :rank])
    triplets = _from_right_vectors(operator, device, ritz.s[:rank], basis.last(basis.size))
    device.synchronize()
    others = time.perf_counter() - began - timed.seconds - projected
    seconds = {"products": timed.seconds, "orthogonalising": others, "projected problem": projected}
    return KrylovResult(*triplets, converged, iterations, restarts, seconds)


def _next_check(before: tuple[int, float], now: tuple[int, float], options: KrylovOptions) -> int:
    """Return the size of the basis at which geometric decay of the residuals would reach the tolerance."""
    (size_before, worst_before), (size, worst) = before, now
    latest = min(int(size * _CHECK_GROWTH) + options.block, options.capacity)
    if not 0 < worst < worst_before < np.inf:
        return latest
    decay = np.log(worst_before / worst) / (size - size_before)
    return min(latest, size + int(np.log(max(worst / options.tol, 1)) / decay))


def _from_right_vectors(operator: Operator, device: Device, s: Floats, v: Any) -> tuple[Any, Floats, Any]:
    """Return the triplets of the matrix restricted to the span of v (Rayleigh-Ritz), with values near s."""
    # Over their values the columns of A v are almost orthonormal already, which spares them from rounding.
    s = np.maximum(s, float(device.xp.finfo(v.dtype).eps) * s[0])
    u, r = orthonormalize(device, operator.times(v) / device.array(s, v.dtype))
    left, s, right = np.linalg.svd(r * s, full_matrices=False)
    return u @ device.array(left, v.dtype), s, v @ device.array(right.T, v.dtype)


class _Process:
    """The state between two blocks: basis, projected matrix, next block and its coupling to those before."""

    def __init__(self, operator: Operator, device: Device, options: KrylovOptions) -> None:
        self.operator, self.device, self.options = operator, device, options
        self.rng = np.random.default_rng(options.seed)
        columns = operator.shape[1]
        self.dtype = getattr(device.xp, options.dtype)
        self.basis = Basis(device, min(options.capacity, columns), columns, self.dtype)
        self.projected = np.zeros((0, 0))
        width = min(options.block, columns)
        self.next = self.basis.completed(device.xp.empty((columns, 0), dtype=self.dtype), width, self.rng)
        self.coupling = np.zeros((width, 0))  # C: a row for each column of X, a column for each of U E
        self.scale = 0.0  # a lower bound of the largest singular value
        self.random = True  # whether the next block is random in every column
        self.refilled = False  # whether a later block was random in any
        self.exhausted = False  # whether the basis holds all that the matrix is

    @property
    def full(self) -> bool:
        """Whether the basis has no room for the next block."""
        return self.basis.room < int(self.next.shape[1])

    @property
    def floor(self) -> float:
        """The length of rounding errors."""
        return 64 * float(self.device.xp.finfo(self.dtype).eps) * self.scale

    def extend(self) -> None:
        """Multiply the next block, move it to the basis, and find the one after it."""
        raise NotImplementedError

    def ritz(self) -> _Ritz:
        """Solve the projected problem."""
        raise NotImplementedError

    def restart(self, ritz: _Ritz) -> None:
        """Shrink the basis to its best vectors; the next block stays."""
        rank, size = self.options.rank, self.basis.size
        most = max(rank, size - 2 * self.options.block)
        kept = min(rank + int(_KEPT_PART * (size - rank)), most, int(np.count_nonzero(ritz.s > self.floor)))
        self.basis.turn(ritz.right[:, :kept])
        self.projected = np.diag(ritz.signed[:kept])
        self.coupling = ritz.tails[:, :kept]

    def _array(self, values: Floats) -> Any:
        return self.device.array(values, self.dtype)

    def _grow(self, corner: Floats) -> None:
        """Add a block of columns: the coupling above the corner."""
        rows, columns = self.projected.shape
        grown = np.zeros((rows + corner.shape[0], columns + corner.shape[1]))
        grown[:rows, :columns] = self.projected
        grown[rows - self.coupling.shape[1] : rows, columns:] = self.coupling.T
        grown[rows:, columns:] = corner
        self.projected = grown
        for part in (corner, self.coupling):
            self.scale = max(
                self.scale, float(np.linalg.norm(part)) / max(part.shape) ** 0.5 if part.size else 0.0
            )

    def _find_next(self, block: Any) -> None:
        """Take as the next block what this one holds beyond the basis, and random columns for the rest."""
        before = float(np.linalg.norm(self.device.to_host(block.T @ block), 2)) ** 0.5
        block, coupling = orthonormalize(self.device, self.basis.remove_from(block), self.floor)
        # What is short beside the block that it was left of is lengthened with its rounding errors.
        if len(coupling) and np.linalg.norm(coupling, -2) < _REPEAT * before:
            # A direction that is shortened once more lies in the basis: it was made of those errors.
            block, again = orthonormalize(self.device, self.basis.remove_from(block), 0.5)
            coupling = again @ coupling
        width = min(self.options.block, self.basis.length - self.basis.size)
        found = min(width, len(coupling))
        if found < len(coupling):  # the space has no more directions: the shortest are rounding errors
            left, lengths, right = np.linalg.svd(coupling, full_matrices=False)
            block = block @ self._array(left[:, :found])
            coupling = lengths[:found, None] * right[:found]
        self.coupling = np.zeros((width, coupling.shape[1]))
        self.coupling[:found] = coupling
        self.next = self.basis.completed(block, width, self.rng)
        self.random = found == 0
        self.refilled = self.refilled or found < width
        self.exhausted = self.exhausted or width == 0


class _Bidiagonalization(_Process):
    """A V = U B with B upper block bidiagonal; of U the last blocks alone are kept."""

    def __init__(self, operator: Operator, device: Device, options: KrylovOptions) -> None:
        super().__init__(operator, device, options)
        self.left = device.xp.empty((operator.shape[0], 0), dtype=self.dtype)

    def extend(self) -> None:
        x = self.next
        self.basis.append(x)
        w = self.operator.times(x) - self.left @ self._array(self.coupling.T)
        self.left, corner = orthonormalize(self.device, w, self.floor)
        self._grow(corner)
        # A block that is random in every column of the complement, and that A sends to nothing new.
        self.exhausted = self.random and len(corner) == 0
        self._find_next(self.operator.transpose_times(self.left) - x @ self._array(corner.T))

    def ritz(self) -> _Ritz:
        last = len(self.projected) - self.coupling.shape[1]
        if self.options.dtype == "float64":
            left, s, right = np.linalg.svd(self.projected, full_matrices=False)
            return _Ritz(s, s, right.T, self.coupling @ left[last:])
        # Half the time. Squaring leaves errors of 1e-8 of the largest value, below those of the blocks.
        values, vectors = self.device.eigh(self.projected.T @ self.projected)
        s, right = np.sqrt(np.maximum(values[::-1], 0)), vectors[:, ::-1]
        limits = np.finfo(np.float64)
        left = self.projected[last:] @ right / np.maximum(s, limits.eps * s[0] + limits.tiny)
        return _Ritz(s, s, right, self.coupling @ left)

    def restart(self, ritz: _Ritz) -> None:
        super().restart(ritz)
        vectors = self.basis.last(self.basis.size)
        self.left = self.operator.times(vectors) @ self._array(np.diag(1 / np.diag(self.projected)))


class _Lanczos(_Process):
    """A V = V T for a symmetric A, with T block tridiagonal."""

    def extend(self) -> None:
        x = self.next
        before = self.basis.last(self.coupling.shape[1])
        self.basis.append(x)
        z = self.operator.times(x) - before @ self._array(self.coupling.T)
        corner = self.device.to_host(x.T @ z)
        corner = (corner + corner.T) / 2
        last = self.coupling.shape[1]
        rows = len(self.projected)
        self._grow(corner)
        self.projected[rows:, rows - last : rows] = self.coupling
        nothing = bool(np.linalg.norm(corner) <= self.floor)
        was_random = self.random
        self.coupling = np.zeros((x.shape[1], x.shape[1]))
        self._find_next(z - x @ self._array(corner))
        self.exhausted = self.exhausted or (was_random and self.random and nothing)

    def ritz(self) -> _Ritz:
        values, vectors = self.device.eigh(self.projected)
        order = np.argsort(-np.abs(values), kind="stable")
        values, vectors = values[order], vectors[:, order]
        last = self.coupling.shape[1]
        tails = self.coupling @ vectors[len(vectors) - last :]
        return _Ritz(np.abs(values), values, vectors, tails)
