import numpy as np
import pytest
import scipy.sparse as sp

from pmifact.kernels.spmm import TILE
from pmifact.svd.operators import sparse_operator


def matrix_of(shape, density, seed=0):
    rng = np.random.default_rng(seed)
    matrix = sp.random_array(shape, density=density, rng=rng).tocsr()
    matrix.sort_indices()
    return matrix


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 7, 64, 130])
@pytest.mark.parametrize("shape", [(1, 1), (3, 2 * TILE + 5), (300, 40), (50, TILE)])
def test_products_are_those_of_the_dense_matrix(shape, width, dtype):
    matrix = matrix_of(shape, 0.3 if shape[1] < TILE else 0.01)
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((shape[1], width)), rng.standard_normal((shape[0], width))
    with sparse_operator(matrix, dtype=dtype, threads=2) as operator:
        assert operator.shape == shape
        times, transposed = operator.times(x), operator.transpose_times(y)
        assert operator.products == 2 * width
    assert times.dtype == transposed.dtype == dtype
    tolerance = 1e-4 if dtype == np.float32 else 1e-12
    np.testing.assert_allclose(times, matrix.toarray() @ x, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(transposed, matrix.toarray().T @ y, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("shape", [(40, 30), (500, 3 * TILE)])
def test_empty_rows_and_columns_give_zeros(shape):
    matrix = sp.csr_array(([2.0], ([1], [3])), shape=shape)
    with sparse_operator(matrix, threads=3) as operator:
        product = operator.times(np.ones((shape[1], 4), np.float32))
    assert product[1].tolist() == [2] * 4
    assert np.count_nonzero(product) == 4


def test_the_number_of_threads_changes_no_bit():
    matrix = matrix_of((3000, 2 * TILE), 0.01)
    x = np.random.default_rng(0).standard_normal((2 * TILE, 48)).astype(np.float32)
    products = []
    for threads in (1, 2, 5):
        with sparse_operator(matrix, threads=threads) as operator:
            products.append(operator.times(x))
    np.testing.assert_array_equal(products[0], products[1])
    np.testing.assert_array_equal(products[0], products[2])


def test_symmetry_is_seen_to_the_bit():
    dense = matrix_of((60, 60), 0.2).toarray()
    for matrix, symmetric in [(dense + dense.T, True), (dense, False), (dense[:50], False)]:
        with sparse_operator(sp.csr_array(matrix), threads=1) as operator:
            assert operator.symmetric is symmetric
    almost = dense + dense.T
    almost[3, 5] += 1e-12
    with sparse_operator(sp.csr_array(almost), threads=1) as operator:
        assert not operator.symmetric


def test_progress_counts_columns():
    calls = []
    with sparse_operator(
        matrix_of((20, 10), 0.3), threads=1, progress=lambda *call: calls.append(call)
    ) as operator:
        operator.times(np.ones((10, 3)))
        operator.transpose_times(np.ones((20, 2)))
    assert calls == [(3, 0), (5, 0)]
