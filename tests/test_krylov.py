"""The solver on dense arrays, where all that it claims can be checked; `test_svd` has the sparse matrices."""

import numpy as np
import pytest
from devices import GPU, ON_GPU, STRICT

from pmifact.device import CPU
from pmifact.svd.krylov import KrylovOptions, krylov_svd

DEVICES = [pytest.param(CPU, id="numpy"), STRICT, pytest.param(GPU, id="gpu", marks=ON_GPU)]


class DenseOperator:
    """A dense matrix on a device, as the solver's operator."""

    def __init__(self, matrix, device=CPU, dtype="float64"):
        self.matrix = device.array(matrix, getattr(device.xp, dtype))
        self.shape = matrix.shape
        self.symmetric = np.array_equal(matrix, matrix.T)
        self.products = 0

    def times(self, x):
        self.products += x.shape[1]
        return self.matrix @ x

    def transpose_times(self, x):
        self.products += x.shape[1]
        return self.matrix.T @ x


def solve(
    matrix, *, rank, device=CPU, dtype="float64", tol=1e-8, block=8, capacity=10_000, seed=0, most=100_000
):
    operator = DenseOperator(matrix, device, dtype)
    options = KrylovOptions(
        rank=rank, tol=tol, block=block, capacity=capacity, max_products=most, dtype=dtype, seed=seed
    )
    return krylov_svd(operator, device, options), operator


def planted(values, shape=(150, 120), seed=0):
    rng = np.random.default_rng(seed)
    u, v = (np.linalg.qr(rng.standard_normal((side, len(values))))[0] for side in shape)
    return (u * values) @ v.T


def planted_symmetric(values, side=120, seed=0):
    v = np.linalg.qr(np.random.default_rng(seed).standard_normal((side, len(values))))[0]
    matrix = (v * values) @ v.T
    return (matrix + matrix.T) / 2


DECAY = np.arange(1, 101) ** -0.7
SIGNS = np.where(np.arange(100) % 3, 1, -1)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("dtype", "tol"), [("float32", 1e-2), ("float64", 1e-8)])
@pytest.mark.parametrize(
    "matrix", [planted(DECAY), planted_symmetric(DECAY * SIGNS)], ids=["general", "symmetric"]
)
@pytest.mark.parametrize("capacity", [10_000, 40])
def test_triplets_meet_the_tolerance(matrix, dtype, tol, device, capacity):
    found, _ = solve(matrix, rank=10, dtype=dtype, tol=tol, device=device, capacity=capacity)
    u, v = device.to_host(found.u), device.to_host(found.v)
    assert found.converged
    assert (found.restarts > 0) == (capacity == 40)
    np.testing.assert_allclose(found.s, DECAY[:10], rtol=tol)
    rounding = 1e-5 if dtype == "float32" else 1e-12
    for vectors in (u, v):
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(10), atol=rounding)
    assert (np.linalg.norm(matrix @ v - u * found.s, axis=0) <= rounding * found.s).all()
    assert (np.linalg.norm(matrix.T @ u - v * found.s, axis=0) <= (1.01 * tol + rounding) * found.s).all()


def test_a_symmetric_matrix_takes_one_product_a_column():
    matrix = planted_symmetric(0.8 ** np.arange(100) * SIGNS)
    found, operator = solve(matrix, rank=10, tol=1e-4)
    assert operator.products == 8 * found.iterations + 10
    matrix[0, 1] += 1e-3
    found, operator = solve(matrix, rank=10, tol=1e-4)
    assert operator.products == 2 * 8 * found.iterations + 10


@pytest.mark.parametrize("copies", [5, 30, 120])
@pytest.mark.parametrize("plant", [planted, planted_symmetric])
def test_more_copies_of_a_value_than_a_block_has_columns(copies, plant):
    values = np.r_[np.full(copies, 3.0), np.full(120 - copies, 0.5)]
    found, _ = solve(plant(values), rank=35)
    np.testing.assert_allclose(found.s, values[:35], rtol=1e-10)


def test_both_signs_of_one_eigenvalue():
    values = np.repeat([3.0, 2.0, 1.0], 4) * np.tile([1, -1], 6)
    found, _ = solve(planted_symmetric(values), rank=12)
    np.testing.assert_allclose(found.s, np.abs(values), rtol=1e-12)


@pytest.mark.parametrize("plant", [planted, planted_symmetric])
@pytest.mark.parametrize("seed", range(5))
def test_a_matrix_of_lower_rank_is_exhausted(plant, seed):
    found, _ = solve(plant(np.linspace(2, 1, 13), seed=seed), rank=30, seed=seed)
    assert found.converged
    np.testing.assert_allclose(found.s[:13], np.linspace(2, 1, 13), rtol=1e-12)
    assert (found.s[13:] < 1e-13).all()


def test_it_stops_at_its_limit_and_says_so():
    rng = np.random.default_rng(0)
    found, operator = solve(rng.standard_normal((150, 120)), rank=10, tol=1e-10, most=50)
    assert not found.converged
    assert operator.products < 100
    assert len(found.s) == 10


def test_the_time_of_each_phase_is_told():
    found, _ = solve(planted(DECAY), rank=10)
    assert list(found.seconds) == ["products", "orthogonalising", "projected problem"]
    assert min(found.seconds.values()) > 0


def test_the_seed_alone_decides():
    matrix = planted(DECAY)
    one, same, other = (solve(matrix, rank=5, tol=0.1, seed=seed)[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.v, same.v)
    assert not np.array_equal(one.v, other.v)
