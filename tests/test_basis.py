import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmifact.device import CPU
from pmifact.svd.basis import Basis, orthonormalize


def block_of(lengths, rows=200, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    q = np.linalg.qr(rng.standard_normal((rows, len(lengths))))[0]
    turn = np.linalg.qr(rng.standard_normal((len(lengths), len(lengths))))[0]
    return ((q * lengths) @ turn).astype(dtype)


@given(st.lists(st.floats(-7, 7), min_size=1, max_size=12), st.integers(0, 10))
def test_factors_of_a_block_of_any_condition(exponents, seed):
    lengths = 10.0 ** np.array(exponents)
    block = block_of(lengths, seed=seed)
    q, r = orthonormalize(CPU, block)
    assert q.shape[1] == len(lengths)
    np.testing.assert_allclose(q.T @ q, np.eye(q.shape[1]), atol=1e-13)
    np.testing.assert_allclose(q @ r, block, atol=1e-13 * lengths.max())


@pytest.mark.parametrize(("dtype", "eps"), [(np.float32, 1e-6), (np.float64, 1e-14)])
def test_repeated_and_zero_columns_are_dropped(dtype, eps):
    block = block_of([5, 1, 0.2], dtype=dtype)
    block = np.concatenate([block, block[:, :2], np.zeros((200, 2), dtype)], axis=1)
    q, r = orthonormalize(CPU, block, 10 * eps)
    assert q.shape == (200, 3)
    assert q.dtype == dtype
    np.testing.assert_allclose(q.T @ q, np.eye(3), atol=eps)
    np.testing.assert_allclose(q @ r, block, atol=10 * eps)


def test_short_directions_are_dropped_below_the_floor():
    block = block_of([1, 1e-3, 1e-9])
    assert [orthonormalize(CPU, block, floor)[0].shape[1] for floor in (1e-12, 1e-6, 1e-2, 2)] == [3, 2, 1, 0]


@pytest.mark.parametrize("shape", [(50, 0), (50, 3)])
def test_nothing_comes_of_nothing(shape):
    q, r = orthonormalize(CPU, np.zeros(shape))
    assert q.shape == (50, 0)
    assert r.shape == (0, shape[1])


def test_a_basis_grows_turns_and_completes():
    basis = Basis(CPU, 8, 40_000, np.float64)
    rng = np.random.default_rng(0)
    block = orthonormalize(CPU, rng.standard_normal((40_000, 3)))[0]
    basis.append(block)
    assert (basis.size, basis.room) == (3, 5)
    np.testing.assert_array_equal(basis.last(2), block[:, 1:])
    np.testing.assert_allclose(basis.remove_from(block), 0, atol=1e-14)
    extra = basis.remove_from(rng.standard_normal((40_000, 1)))
    full = basis.completed(orthonormalize(CPU, extra)[0], 4, rng)
    everything = np.concatenate([block, full], axis=1)
    np.testing.assert_allclose(everything.T @ everything, np.eye(7), atol=1e-13)
    turn = np.linalg.qr(rng.standard_normal((3, 2)))[0]
    basis.turn(turn)
    assert basis.size == 2
    np.testing.assert_allclose(basis.last(2), block @ turn, atol=1e-15)
