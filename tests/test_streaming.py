"""Blocks of rows on a device: a matrix that does not fit gives the same products."""

import numpy as np
import pytest
import scipy.sparse as sp
from devices import HOST, WITH_SPARSE
from hypothesis import given
from hypothesis import strategies as st

import pmifact.svd.streaming
from pmifact import InputError
from pmifact.svd.streaming import RowBlocks, StreamedOperator


def matrix_of(shape, density=0.2, seed=0):
    rng = np.random.default_rng(seed)
    matrix = sp.random_array(shape, density=density, rng=rng).tocsr()
    matrix.sort_indices()
    return matrix


def products(operator, device, dtype):
    rows, columns = operator.shape
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((columns, 3)), rng.standard_normal((rows, 3))
    there = [device.array(block, getattr(device.xp, dtype)) for block in (x, y)]
    found = operator.times(there[0]), operator.transpose_times(there[1])
    return (x, y), [device.to_host(product, dtype) for product in found]


@pytest.mark.parametrize("device", WITH_SPARSE)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("most", [1, 37, 10**9])
@pytest.mark.parametrize("room", [None, 0, 2_500, 10**9])
@pytest.mark.parametrize("shape", [(40, 30), (30, 40), (1, 50), (50, 1)])
def test_products_are_those_of_the_dense_matrix(monkeypatch, device, dtype, most, room, shape):
    monkeypatch.setattr(pmifact.svd.streaming, "MOST_NONZEROS", most)
    matrix = matrix_of(shape, 0.5)
    operator = StreamedOperator(matrix, device, dtype=dtype, room=room)
    (x, y), (times, transposed) = products(operator, device, dtype)
    tolerance = 1e-4 if dtype == "float32" else 1e-12
    np.testing.assert_allclose(times, matrix.toarray() @ x, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(transposed, matrix.toarray().T @ y, rtol=tolerance, atol=tolerance)
    assert times.dtype == dtype
    assert operator.products == 6


@given(st.integers(0, 10**6), st.integers(1, 400), st.integers(0, 20_000))
def test_any_cut_is_as_good(seed, most, room):
    rng = np.random.default_rng(seed)
    matrix = matrix_of(tuple(rng.integers(1, 60, 2)), rng.random(), seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pmifact.svd.streaming, "MOST_NONZEROS", most)
        blocks = RowBlocks(matrix, HOST, dtype="float64", room=room)
    x = rng.standard_normal((matrix.shape[1], 2))
    np.testing.assert_allclose(blocks.times(x), matrix.toarray() @ x, atol=1e-12)


def test_what_fits_stays_and_the_rest_comes_each_time(monkeypatch):
    loads = []
    real = RowBlocks._load
    monkeypatch.setattr(RowBlocks, "_load", lambda self, rows: loads.append(rows) or real(self, rows))
    matrix = matrix_of((100, 80))
    size = 8 * matrix.nnz + 4 * 101

    def loaded(room):
        loads.clear()
        blocks = RowBlocks(matrix, HOST, dtype="float32", room=room)
        at_first = len(loads)
        for _ in range(2):
            blocks.times(np.ones((80, 2), np.float32))
        assert len(loads) == at_first + 2 * blocks.passing
        return at_first, blocks.passing

    assert loaded(None) == (1, 0)
    assert loaded(size) == (1, 0)
    stay, passing = loaded(size // 2)
    assert stay > 0
    assert passing > 0
    assert max(8 * (matrix.indptr[rows.stop] - matrix.indptr[rows.start]) for rows in loads) <= size // 8
    assert loaded(1) == (0, 100)


def test_a_symmetric_matrix_is_kept_once():
    dense = matrix_of((60, 60)).toarray()
    for matrix, symmetric in [(dense + dense.T, True), (dense, False)]:
        operator = StreamedOperator(sp.csr_array(matrix), HOST, dtype="float64")
        assert operator.symmetric is symmetric
        assert (operator._transpose is operator._matrix) is symmetric
        (x, y), (times, transposed) = products(operator, HOST, "float64")
        np.testing.assert_allclose(times, matrix @ x)
        np.testing.assert_allclose(transposed, matrix.T @ y)


def test_indices_of_64_bits_are_narrowed_block_by_block():
    matrix = matrix_of((40, 30))
    wide = sp.csr_array((40, 30))
    wide.data, wide.indices, wide.indptr = (
        matrix.data,
        matrix.indices.astype(np.int64),
        matrix.indptr.astype(np.int64),
    )
    blocks = RowBlocks(wide, HOST, dtype="float64", room=2_000)
    assert blocks.passing
    np.testing.assert_allclose(blocks.times(np.eye(30)), matrix.toarray())
    assert blocks._load(slice(3, 9)).indices.dtype == np.int32


def test_columns_beyond_32_bits_are_refused(monkeypatch):
    monkeypatch.setattr(pmifact.svd.streaming, "MOST_COLUMNS", 20)
    with pytest.raises(InputError, match="32 bits, and this matrix has 30; use cpu"):
        RowBlocks(matrix_of((40, 30)), HOST, dtype="float32", room=None)


def test_progress_counts_columns():
    calls = []
    operator = StreamedOperator(
        matrix_of((20, 10)), HOST, dtype="float64", progress=lambda *call: calls.append(call)
    )
    operator.times(np.ones((10, 3)))
    operator.transpose_times(np.ones((20, 2)))
    assert calls == [(3, 0), (5, 0)]
