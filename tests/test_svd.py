import re

import numpy as np
import pytest
import scipy.sparse as sp
from devices import HOST, NAMES
from scipy.linalg import svd, svdvals
from threadpoolctl import threadpool_info

from pmifact import DeviceError, InputError, Vocabulary, factorize
from pmifact.svd.device_plan import DevicePlan
from pmifact.svd.solvers import rayleigh_ritz
from pmifact.svd.truncated import SMALL_SIDE, SOLVERS, FactorizeOptions

SIDES = (260, 230)


def planted(spectrum, shape=SIDES, seed=0):
    """Return a dense matrix with these singular values and random singular vectors."""
    rng = np.random.default_rng(seed)
    n = len(spectrum)
    u = np.linalg.qr(rng.standard_normal((shape[0], n)))[0]
    v = np.linalg.qr(rng.standard_normal((shape[1], n)))[0]
    return (u * spectrum) @ v.T


def sparse(shape, density=0.1, seed=0):
    rng = np.random.default_rng(seed)
    return sp.random_array(shape, density=density, rng=rng, data_sampler=rng.exponential).tocsr()


def with_empty_rows_and_columns():
    dense = sparse(SIDES).toarray()
    dense[::3] = 0
    dense[:, 1::4] = 0
    return dense


def with_duplicated_rows():
    dense = sparse(SIDES, density=0.3).toarray()
    return np.concatenate([dense[:60]] * 4 + [dense[:20]])


MATRICES = {
    "fast decay": lambda: planted(2.0 ** -np.arange(40)),
    "slow decay": lambda: planted(np.arange(1, 201) ** -0.5),
    "clustered": lambda: planted(np.repeat([5, 4, 3, 2, 1, 0.1], [4, 4, 4, 8, 30, 100])),
    "flat": lambda: planted(np.ones(230)),
    "rank deficient": lambda: planted(np.linspace(2, 1, 25)),
    "one huge value": lambda: planted(np.r_[1e6, np.linspace(2, 1, 100)]),
    "empty rows and columns": with_empty_rows_and_columns,
    "duplicated rows": with_duplicated_rows,
    "tall": lambda: sparse((900, 220), density=0.02),
    "wide": lambda: sparse((220, 900), density=0.02),
    "symmetric": lambda: (a := sparse((240, 240)).toarray()) + a.T,
    "small": lambda: sparse((30, 25), density=0.5),
    "1 x n": lambda: sparse((1, 50), density=0.5),
    "n x 1": lambda: sparse((50, 1), density=0.5),
    "tiny entries": lambda: sparse(SIDES) * 1e-30,
    "large entries": lambda: sparse(SIDES) * 1e30,
}


def dense_of(matrix):
    return matrix.toarray() if sp.issparse(matrix) else matrix


def assert_decomposes(factors, matrix, *, value_tolerance, residual_tolerance):
    """Check order, signs, orthogonality, singular values against LAPACK, and the honesty of the residuals."""
    matrix = dense_of(matrix).astype(np.float64)
    words, strengths, contexts = (
        a.astype(np.float64) for a in (factors.words, factors.strengths, factors.contexts)
    )
    exact = svdvals(matrix)[: factors.rank]
    assert all(
        a.dtype == np.float32 for a in (factors.words, factors.strengths, factors.contexts, factors.residuals)
    )
    assert (np.diff(strengths) <= 0).all()
    np.testing.assert_allclose(strengths, exact, rtol=value_tolerance)
    for vectors in (words, contexts):
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(factors.rank), atol=1e-5)
    largest = np.abs(factors.words).argmax(axis=0)
    assert (factors.words[largest, np.arange(factors.rank)] > 0).all()
    left = np.linalg.norm(matrix @ contexts - strengths * words, axis=0)
    right = np.linalg.norm(matrix.T @ words - strengths * contexts, axis=0)
    measured = np.maximum(left, right) / strengths
    rounding = 2e-6 * exact[0] / strengths  # of products in float32, where the solver works in it
    assert (np.abs(factors.residuals - measured) <= 1e-3 * measured + rounding).all()
    assert factors.residuals.max() < residual_tolerance * exact[0] / exact[-1]


def usable_rank(matrix):
    values = svdvals(dense_of(matrix))
    return min(20, np.count_nonzero(values > 1e-9 * values[0]))


@pytest.mark.parametrize("solver", ["arpack", "propack"])
@pytest.mark.parametrize("name", MATRICES)
def test_lanczos_agrees_with_lapack(name, solver):
    if (name, solver) == ("clustered", "propack"):
        pytest.skip("PROPACK finds a repeated singular value as often as rounding lets it")
    matrix = MATRICES[name]()
    factors = factorize(matrix, rank=usable_rank(matrix), solver=solver)
    residual_tolerance = 1e-3 if solver == "propack" else 1e-5  # PROPACK stops earlier where values cluster
    assert_decomposes(factors, matrix, value_tolerance=2e-6, residual_tolerance=residual_tolerance)


@pytest.mark.parametrize("device", [*NAMES, "host"])
@pytest.mark.parametrize("tol", [1e-2, 1e-6])
@pytest.mark.parametrize("name", MATRICES)
def test_krylov_agrees_with_lapack(name, tol, device, monkeypatch):
    matrix = MATRICES[name]()
    if device == "host":  # what is done for a GPU, on NumPy and SciPy, the matrix cut and partly streamed
        take_for_gpu(monkeypatch, room=8 * sp.csr_array(matrix).nnz)
    factors = factorize(
        matrix, rank=usable_rank(matrix), tol=tol, device="gpu" if device == "host" else device
    )
    assert_decomposes(factors, matrix, value_tolerance=max(tol / 4, 2e-6), residual_tolerance=1)
    exact = svdvals(dense_of(matrix))
    # Float32 output bounds what can be measured of small values.
    assert (factors.residuals <= tol + 1e-6 * exact[0] / factors.strengths).all()


def take_for_gpu(monkeypatch, room, most=3_000):
    """Let NumPy and SciPy stand in for a GPU with so many bytes for the matrix, counted up to `most`."""
    monkeypatch.setattr("pmifact.svd.truncated.resolve_device", lambda name: HOST)
    monkeypatch.setattr("pmifact.svd.streaming.MOST_NONZEROS", most)
    monkeypatch.setattr(
        "pmifact.svd.truncated.device_plan", lambda shapes, usual, *_: DevicePlan(usual, room)
    )


@pytest.mark.parametrize("device", NAMES)
@pytest.mark.parametrize("smoothing", ["symmetric", "general"])
def test_devices_agree(device, smoothing):
    matrix = sparse((600, 600), density=0.05)
    matrix = matrix + matrix.T if smoothing == "symmetric" else matrix
    ours, cpu = (factorize(matrix, rank=30, tol=1e-3, device=name) for name in (device, "cpu"))
    np.testing.assert_allclose(ours.strengths, cpu.strengths, rtol=1e-3)
    assert (ours.options["device"], cpu.options["device"]) == (device, "cpu")
    assert ours.options["energy"] == pytest.approx(cpu.options["energy"], rel=1e-4)
    assert ours.words.dtype == np.float32
    for vectors in (ours.words, ours.contexts):
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(30), atol=1e-5)


@pytest.mark.gpu
@pytest.mark.parametrize("device", NAMES[1:])
def test_equal_seeds_give_equal_values_on_a_gpu(device):
    # To rounding: cuSPARSE does not promise the order in which it adds.
    one, same = (factorize(sparse((400, 350)), rank=5, device=device, seed=1) for _ in range(2))
    np.testing.assert_allclose(one.strengths, same.strengths, rtol=1e-5)


@pytest.mark.gpu
@pytest.mark.parametrize("device", NAMES[1:])
def test_a_matrix_is_streamed_to_a_gpu(device, monkeypatch):
    monkeypatch.setattr("pmifact.svd.streaming.MOST_NONZEROS", 3_000)
    monkeypatch.setattr(
        "pmifact.svd.truncated.device_plan", lambda shapes, usual, *_: DevicePlan(usual, 40_000)
    )
    matrix = sparse((600, 500), density=0.05)
    factors = factorize(matrix, rank=20, tol=1e-4, device=device)
    assert_decomposes(factors, matrix, value_tolerance=1e-4, residual_tolerance=1e-3)


def test_auto_takes_the_cpu_where_nothing_else_is(monkeypatch):
    monkeypatch.setattr("pmifact.device._gpu", lambda: (_ for _ in ()).throw(DeviceError("gpu: none")))
    assert factorize(sparse(SIDES), rank=3, device="auto").options["device"] == "cpu"
    with pytest.raises(DeviceError, match=r"^gpu: none"):
        factorize(sparse(SIDES), rank=3, device="gpu")


def test_other_solvers_know_no_gpu(monkeypatch):
    take_for_gpu(monkeypatch, room=None)
    with pytest.raises(InputError, match=r"^device: the solver arpack knows no GPU"):
        factorize(sparse(SIDES), rank=3, solver="arpack", device="gpu")
    assert factorize(sparse(SIDES), rank=3, solver="arpack", device="auto").options["device"] == "cpu"
    assert factorize(sparse((30, 25)), rank=3, device="gpu").options["device"] == "cpu"
    assert factorize(sparse(SIDES), rank=3, device="gpu").options["device"] == "host"


# Subspace iteration only approximates where the spectrum hardly falls after the rank.
APPROXIMATED = {
    "slow decay": (0.002, 0.2),
    "clustered": (0.001, 0.05),
    "one huge value": (0.1, 0.2),
    "empty rows and columns": (0.01, 0.3),
    "duplicated rows": (0.01, 0.3),
    "tall": (0.01, 0.3),
    "wide": (0.01, 0.3),
    "symmetric": (0.01, 0.3),
    "tiny entries": (0.01, 0.3),
    "large entries": (0.01, 0.3),
}


@pytest.mark.parametrize("name", MATRICES)
def test_randomized_agrees_with_lapack(name):
    matrix = MATRICES[name]()
    factors = factorize(matrix, rank=usable_rank(matrix), solver="randomized")
    values, residuals = APPROXIMATED.get(name, (2e-6, 1e-5))
    assert_decomposes(factors, matrix, value_tolerance=values, residual_tolerance=residuals)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_approximation_is_as_close_as_a_rank_allows(solver):
    matrix = planted(0.7 ** np.arange(60))
    factors = factorize(matrix, rank=10, solver=solver)
    error = svdvals(matrix - (factors.words * factors.strengths) @ factors.contexts.T)[0]
    assert error == pytest.approx(0.7**10, rel=1e-4)


def test_small_matrices_and_high_ranks_go_to_lapack():
    ran = {
        (shape, rank): factorize(sparse(shape, density=0.3), rank=rank).options["solver"]
        for shape, rank in [
            ((SMALL_SIDE, 900), 5),
            ((SMALL_SIDE + 1, 900), 5),
            ((300, 300), 149),
            ((300, 300), 150),
        ]
    }
    assert list(ran.values()) == ["lapack", "krylov", "krylov", "lapack"]
    factors = factorize(sparse((300, 310), density=0.3), rank=300)
    assert_decomposes(factors, sparse((300, 310), density=0.3), value_tolerance=2e-6, residual_tolerance=1e-5)


def test_options_and_what_the_solver_did_are_recorded():
    matrix = sparse(SIDES)
    options = factorize(matrix, rank=3, solver="arpack", seed=8).options
    asked = {"rank": 3, "solver": "arpack", "tol": 0.03, "memory": None, "device": "cpu", "seed": 8}
    values = svdvals(matrix.toarray()) ** 2
    assert options == asked | {"energy": pytest.approx(values[:3].sum() / values.sum(), rel=1e-6)}
    options = factorize(matrix, rank=3).options
    assert options["solver"] == "krylov"
    assert options["converged"]
    assert options["precision"] == "float32"
    assert options["restarts"] == 0
    assert options["products"] >= 2 * 3 * options["iterations"]
    assert list(options["seconds"]) == ["products", "orthogonalising", "projected problem"]
    assert min(options["seconds"].values()) >= 0


@pytest.mark.parametrize(
    "convert",
    [
        sp.csr_matrix,
        sp.csc_array,
        sp.coo_matrix,
        sp.dok_array,
        lambda m: m.toarray(),
        lambda m: m.toarray().tolist(),
    ],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8])
def test_every_kind_of_matrix_is_taken(convert, dtype):
    matrix = sp.csr_array(np.ceil(sparse((30, 20)).toarray()).astype(dtype))
    expected = factorize(matrix.toarray().astype(np.float64), rank=3)
    given = convert(matrix)
    np.testing.assert_array_equal(factorize(given, rank=3).words, expected.words)


def test_repeated_and_explicit_zero_entries_are_summed_and_the_input_stays_as_it_was():
    matrix = sp.coo_array(
        ([1.0, 2.0, 5.0, 3.0, -3.0], ([0, 0, 1, 1, 1], [0, 0, 1, 0, 0])), shape=(2, 2)
    ).tocsr()
    matrix = sp.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(2, 2))
    before = matrix.copy()
    factors = factorize(matrix, rank=2)
    np.testing.assert_allclose(factors.strengths, [5, 3], rtol=1e-6)
    np.testing.assert_array_equal(matrix.data, before.data)
    np.testing.assert_array_equal(matrix.indices, before.indices)


@pytest.mark.parametrize("solver", SOLVERS)
def test_equal_seeds_give_equal_factors(solver):
    matrix = sparse((400, 350))
    one, same = (factorize(matrix, rank=5, solver=solver, seed=1) for _ in range(2))
    for name in ("words", "strengths", "contexts", "residuals"):
        np.testing.assert_array_equal(getattr(one, name), getattr(same, name))


def test_the_seed_reaches_the_solver():
    one, other = (factorize(sparse((400, 350)), rank=5, seed=seed) for seed in (1, 2))
    assert not np.array_equal(one.residuals, other.residuals)


def test_extreme_entries_side_by_side_stay_finite():
    dense = sparse(SIDES).toarray()
    dense[0], dense[1] = 1e-30, 1e30
    factors = factorize(dense, rank=1, solver="arpack")
    assert factors.strengths[0] == pytest.approx(1e30 * np.sqrt(SIDES[1]), rel=1e-6)


@pytest.mark.parametrize("factor", [1e-50, 1e45])
def test_singular_values_beyond_float32_are_refused(factor):
    with pytest.raises(InputError, match="beyond float32; multiply the matrix by a constant"):
        factorize(sparse(SIDES) * factor, rank=2)


def test_null_directions_come_out_at_rounding_size():
    matrix = sp.csr_array(planted(np.linspace(2, 1, 5)))
    s = rayleigh_ritz(matrix, np.linalg.qr(np.random.default_rng(0).standard_normal((SIDES[1], 230)))[0]).s
    assert s[5:].max() < 1e-14


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("shape", [(60, 50), SIDES])
def test_a_rank_above_the_numerical_rank_is_refused(solver, shape):
    matrix = planted(np.linspace(2, 1, 25), shape)
    assert factorize(matrix, rank=25, solver=solver).rank == 25
    for rank in (26, 40):
        with pytest.raises(InputError, match=f"^rank {rank}: the largest possible rank is 25,"):
            factorize(matrix, rank=rank, solver=solver)


def test_a_rank_above_the_sides_names_the_largest():
    with pytest.raises(InputError, match="largest possible rank is 25,"):
        factorize(planted(np.linspace(2, 1, 25), (60, 50)), rank=51)
    wide = sp.csr_array((np.ones(300), (np.arange(300), np.arange(300))), shape=(20_000, 30_000))
    with pytest.raises(InputError, match=r"300 rows and 300 columns that are not zero, .* at most 300$"):
        factorize(wide, rank=301)
    with pytest.raises(InputError, match=r"at most 300$"):
        factorize(wide, rank=25_000)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.zeros((3, 4)), "every entry is zero"),
        (sp.csr_array((3, 4)), "every entry is zero"),
        (np.ones(3), r"two dimensions, none of them 0, got the shape \(3,\)"),
        (np.ones((0, 3)), r"got the shape \(0, 3\)"),
        (np.ones((2, 2), complex), "expected real numbers, got dtype complex128"),
        (np.array([["a"]]), "expected real numbers, got dtype <U1"),
        (np.array([[1.0, 2.0], [3.0, np.nan]]), "row 1, column 1 is not a finite number"),
        (sp.csr_array(np.array([[1.0, np.inf]])), "row 0, column 1 is not a finite number"),
    ],
)
def test_unusable_matrices_are_refused(matrix, message):
    with pytest.raises(InputError, match=f"^matrix: .*{message}"):
        factorize(matrix, rank=1)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("rank", 0),
        ("rank", 1.5),
        ("solver", "lapack"),
        ("tol", 0),
        ("tol", 2),
        ("memory", 0),
        ("device", "cuda"),
        ("seed", -1),
        ("seed", 2**32),
        ("threads", 0),
    ],
)
def test_unusable_options_are_refused(option, value):
    with pytest.raises(InputError, match=f"^{option}: expected"):
        factorize(np.ones((3, 3)), **({"rank": 1} | {option: value}))


def test_a_vocabulary_of_another_size_is_refused():
    vocabulary = Vocabulary(("a", "b"), np.array([2, 1]))
    assert factorize(np.eye(2), rank=2, vocabulary=vocabulary).vocabulary is vocabulary
    with pytest.raises(InputError, match="has 3 rows, but the vocabulary has 2 words"):
        factorize(np.eye(3), rank=2, vocabulary=vocabulary)


def test_threads_bound_blas_for_the_time_of_the_call():
    seen = []
    before = [pool["num_threads"] for pool in threadpool_info()]

    def look(done, total):
        seen.extend(pool["num_threads"] for pool in threadpool_info())

    factorize(sparse(SIDES), rank=3, solver="arpack", threads=1, progress=look)
    assert set(seen) == {1}
    assert [pool["num_threads"] for pool in threadpool_info()] == before


def test_progress_counts_products():
    calls = []
    factorize(sparse(SIDES), rank=3, solver="arpack", progress=lambda *call: calls.append(call))
    assert [done for done, total in calls][:3] == [1, 2, 3]
    assert {total for done, total in calls} == {0}


def test_options_name_the_solvers():
    with pytest.raises(InputError, match=re.escape(", ".join(SOLVERS))):
        FactorizeOptions(solver="exact")


def test_full_decomposition_reproduces_the_matrix():
    matrix = sparse((40, 30), density=0.5).toarray()
    factors = factorize(matrix, rank=30)
    np.testing.assert_allclose((factors.words * factors.strengths) @ factors.contexts.T, matrix, atol=1e-5)
    u, _, _ = svd(matrix, full_matrices=False)
    np.testing.assert_allclose(np.abs(u), np.abs(factors.words), atol=1e-5)


def test_values_that_float32_cannot_resolve_are_found_in_float64():
    matrix = planted(np.r_[1e6, np.linspace(2, 1, 100)])
    factors = factorize(matrix, rank=20, tol=1e-3)
    assert factors.options["precision"] == "float64"
    np.testing.assert_allclose(factors.strengths, svdvals(matrix)[:20], rtol=1e-4)


def test_threads_change_nothing_in_the_products():
    matrix = sparse((500, 400))
    one, two = (factorize(matrix, rank=5, threads=threads) for threads in (1, 2))
    np.testing.assert_allclose(one.words, two.words, atol=1e-4)


def test_memory_bounds_the_basis_and_the_result_stays(monkeypatch):
    monkeypatch.setattr("pmifact.svd.truncated.BLOCK", 32)
    monkeypatch.setattr("pmifact.resources.memory._BASE", 256 * 2**20 - 1_650_000)
    matrix = planted(np.arange(1, 391) ** -0.5, (400, 390)) * (sparse((400, 390), density=0.2).toarray() > 0)
    exact = svdvals(matrix)[:20]
    free = factorize(matrix, rank=20, tol=1e-3)
    tight = factorize(matrix, rank=20, tol=1e-3, memory="256MB")
    assert (free.options["restarts"], free.options["memory"]) == (0, None)
    assert tight.options["restarts"] > 0
    assert tight.options["converged"]
    np.testing.assert_allclose(tight.strengths, exact, rtol=1e-4)
    with pytest.raises(InputError, match=r"memory: this matrix and rank need 25[7-9]MB, got 256MB"):
        factorize(matrix, rank=150, memory="256MB")


def test_contexts_that_are_not_the_words_are_named():
    words, contexts = (Vocabulary(tuple(names), np.ones(len(names), np.int64)) for names in ("abc", "wxyz"))
    matrix = sp.csr_array(np.arange(12.0).reshape(3, 4))
    factors = factorize(matrix, rank=2, vocabulary=words, context_vocabulary=contexts)
    assert factors.context_vocabulary is contexts
    with pytest.raises(InputError, match="matrix: has 4 columns, but there are 3 contexts"):
        factorize(matrix, rank=2, context_vocabulary=words)
