import numpy as np
import pytest
from devices import HOST, STRICT, WITH_SPARSE

from pmifact.device import CPU
from pmifact.svd.projected import small_eigh, small_svd

DEVICES = [pytest.param(CPU, id="cpu"), STRICT, *WITH_SPARSE]


def matrix_with(values, columns, seed=0):
    rng = np.random.default_rng(seed)
    left = np.linalg.qr(rng.standard_normal((len(values), len(values))))[0]
    right = np.linalg.qr(rng.standard_normal((columns, len(values))))[0]
    return (left * values) @ right.T


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("columns", [20, 27])
@pytest.mark.parametrize(
    "values",
    [
        np.geomspace(1e3, 1e-3, 20),
        np.repeat([3.0, 2.0, 1.0, 0.5], 5),
        np.geomspace(1, 1e-15, 20),
        np.r_[np.ones(10), np.zeros(10)],
    ],
    ids=["decay", "repeated", "too small", "null"],
)
def test_the_svd_of_any_spectrum(device, values, columns):
    matrix = matrix_with(values, columns)
    left, s, right = small_svd(device, matrix)
    np.testing.assert_allclose(s, values, atol=1e-13 * values[0])
    np.testing.assert_allclose((left * s) @ right, matrix, atol=1e-13 * values[0])
    np.testing.assert_allclose(left.T @ left, np.eye(20), atol=1e-8)
    np.testing.assert_allclose(right @ right.T, np.eye(20), atol=1e-8)


@pytest.mark.parametrize("device", DEVICES)
def test_eigenvalues_come_ascending(device):
    matrix = np.random.default_rng(0).standard_normal((30, 30))
    matrix += matrix.T
    values, vectors = small_eigh(device, matrix)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix), atol=1e-13)
    np.testing.assert_allclose(vectors @ np.diag(values) @ vectors.T, matrix, atol=1e-12)


def test_a_matrix_without_rows_has_no_values():
    left, s, right = small_svd(HOST, np.zeros((0, 4)))
    assert (left.shape, s.shape, right.shape) == ((0, 0), (0,), (0, 4))
