"""The skip-gram objective against its definition, cell by cell."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize
from scipy.sparse import csr_array

from pmifact import Factors, InputError, Vocabulary
from pmifact.cooccurrence import CooccurrenceCounts, CountOptions
from pmifact.objective import exact_objective, reference_objectives, sampled_objective


def counts_of(dense, unit=3):
    dense = np.asarray(dense, np.int64)
    words, contexts = (
        Vocabulary(tuple(f"w{i}" for i in range(n)), np.ones(n, np.int64)) for n in dense.shape
    )
    return CooccurrenceCounts(
        words, csr_array(dense), unit, CountOptions(), None if len(words) == len(contexts) else contexts
    )


def factors_of(counts, rank, seed=0, size=1.0):
    random = np.random.default_rng(seed)
    strengths = np.sort(random.random(rank).astype(np.float32))[::-1].copy()
    words, contexts = (
        random.normal(scale=size, size=(n, rank)).astype(np.float32) for n in counts.matrix.shape
    )
    return Factors(counts.vocabulary, words, strengths, contexts, context_vocabulary=counts.contexts)


def log_s(x):
    return -math.log1p(math.exp(-x)) if x > 0 else x - math.log1p(math.exp(x))


def loop(counts, products, shift, smoothing):
    """Add up the definition; -infinity where nothing was observed costs nothing."""
    dense = counts.matrix.toarray() / counts.unit
    share = dense.sum(axis=0) ** smoothing
    share /= share.sum()
    total = 0.0
    for w, row in enumerate(dense):
        for c, count in enumerate(row):
            if products[w, c] > -math.inf:
                total += count * log_s(products[w, c])
                total += shift * row.sum() * share[c] * log_s(-products[w, c])
    return total


def shifted_pmi(counts, shift, smoothing):
    dense = counts.matrix.toarray() / counts.unit
    share = dense.sum(axis=0) ** smoothing
    expected = dense.sum(axis=1, keepdims=True) * share / share.sum()
    with np.errstate(divide="ignore"):
        return np.where(dense > 0, np.log(dense / np.where(dense > 0, expected, 1)), -np.inf) - math.log(
            shift
        )


matrices = (
    st.integers(1, 9)
    .flatmap(lambda n: arrays(np.int64, (n, n), elements=st.one_of(st.just(0), st.integers(1, 50))))
    .filter(lambda dense: dense.any())
)
shifts = st.sampled_from([0.5, 1.0, 5.0, 15.0])
smoothings = st.sampled_from([0.75, 1.0])


@given(matrices, shifts, smoothings, st.integers(1, 4), st.sampled_from([0.3, 20.0]))
def test_any_factors_score_what_the_definition_says(dense, shift, smoothing, rank, size):
    counts = counts_of(dense)
    model = factors_of(counts, rank, size=size)
    products = (model.words * model.strengths.astype(np.float64)) @ model.contexts.T.astype(np.float64)
    found = exact_objective(counts, model, shift=shift, smoothing=smoothing, threads=2)
    assert found.value == pytest.approx(loop(counts, products, shift, smoothing), rel=1e-10)
    best = loop(counts, shifted_pmi(counts, shift, smoothing), shift, smoothing)
    assert found.optimum == pytest.approx(best, rel=1e-10)
    assert found.deviation == pytest.approx((found.value - best) / best)
    assert found.deviation > -1e-12  # no model exceeds the optimum
    assert found.pairs == pytest.approx(dense.sum() / 3)
    assert found.standard_error == 0


@given(matrices, shifts, smoothings)
def test_references_score_what_the_definition_says(dense, shift, smoothing):
    counts = counts_of(dense)
    pmi = shifted_pmi(counts, shift, smoothing)
    sppmi = np.maximum(pmi, 0)
    found = reference_objectives(counts, shift=shift, smoothing=smoothing)
    expected = {
        "PMI - log k": pmi,
        "SPPMI": sppmi,
        "SPPMI, unobserved -inf": np.where(dense > 0, sppmi, -np.inf),
        "zero matrix": np.zeros(dense.shape),
    }
    assert list(found) == list(expected)
    for name, products in expected.items():
        value = loop(counts, products, shift, smoothing)
        assert found[name].value == pytest.approx(value, rel=1e-10)
        assert found[name].deviation > -1e-12
    assert found["PMI - log k"].deviation == 0
    assert found["zero matrix"].per_pair == pytest.approx(-(1 + shift) * math.log(2), rel=1e-14)
    sparse = exact_objective(counts, csr_array(sppmi), shift=shift, smoothing=smoothing)
    assert sparse.value == pytest.approx(found["SPPMI"].value, rel=1e-10)
    nothing = exact_objective(counts, csr_array(dense.shape), shift=shift, smoothing=smoothing)
    assert nothing.value == pytest.approx(found["zero matrix"].value, rel=1e-12)


@pytest.mark.parametrize("shift", [1.0, 5.0])
def test_the_optimum_is_where_an_optimiser_ends(shift):
    random = np.random.default_rng(8)
    counts = counts_of(random.integers(1, 40, (5, 5)))
    dense = counts.matrix.toarray() / counts.unit
    noise = shift * np.outer(dense.sum(axis=1), dense.sum(axis=0)) / dense.sum()

    def loss(flat):
        words, contexts = flat.reshape(2, 5, 5)
        x = words @ contexts.T
        error = noise / (1 + np.exp(-x)) - dense / (1 + np.exp(x))
        value = (dense * np.logaddexp(0, -x) + noise * np.logaddexp(0, x)).sum()
        return value, np.stack([error @ contexts, error.T @ words]).ravel()

    start = random.normal(size=50)
    end = minimize(
        loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 20_000, "ftol": 0, "gtol": 1e-9}
    )
    words, contexts = end.x.reshape(2, 5, 5)
    np.testing.assert_allclose(words @ contexts.T, shifted_pmi(counts, shift, 1.0), atol=1e-5)
    model = Factors(None, words.astype(np.float32), np.ones(5, np.float32), contexts.astype(np.float32))
    assert exact_objective(counts, model, shift=shift).deviation == pytest.approx(0, abs=1e-9)


def test_blocks_and_threads_do_not_change_the_value(monkeypatch):
    random = np.random.default_rng(3)
    counts = counts_of(random.poisson(0.3, (53, 53)))
    model, steps = factors_of(counts, 6), []
    whole = exact_objective(counts, model, threads=1)
    monkeypatch.setattr("pmifact.objective._CELLS", 5 * 53)
    parts = exact_objective(
        counts, model, threads=3, progress=lambda done, total: steps.append((done, total))
    )
    assert parts.value == pytest.approx(whole.value, rel=1e-14)
    assert parts.optimum == pytest.approx(whole.optimum, rel=1e-14)
    assert steps == [(min(5 * i, 53), 53) for i in range(1, 12)]
    assert exact_objective(counts, model, threads=1).value == parts.value
    reference = reference_objectives(counts)["SPPMI"].value
    monkeypatch.undo()
    assert reference == pytest.approx(reference_objectives(counts)["SPPMI"].value, rel=1e-14)


def test_the_sampled_value_does_not_depend_on_blocks_and_threads(monkeypatch):
    random = np.random.default_rng(5)
    counts, steps = counts_of(random.poisson(0.5, (40, 40))), []
    jumbled = csr_array(np.maximum(shifted_pmi(counts, 1.0, 1.0), 0))
    for row in range(40):  # neither the order of columns nor a cell in two parts matters
        cells = slice(*jumbled.indptr[row : row + 2])
        jumbled.indices[cells], jumbled.data[cells] = jumbled.indices[cells][::-1], jumbled.data[cells][::-1]
    jumbled.has_sorted_indices = jumbled.has_canonical_format = False
    for model in (factors_of(counts, 5), jumbled):
        monkeypatch.setattr("pmifact.objective._DRAWN", 1 << 16)
        whole = sampled_objective(counts, model, samples=3_000, seed=1, threads=1)
        monkeypatch.setattr("pmifact.objective._DRAWN", 700)
        parts = sampled_objective(
            *(counts, model), samples=3_000, seed=1, threads=3, progress=lambda *step: steps.append(step)
        )
        assert (parts.value, parts.standard_error) == (whole.value, whole.standard_error)
        assert steps[-5:] == [(min(700 * i, 3_000), 3_000) for i in range(1, 6)]
    plain = csr_array(jumbled.toarray())
    assert sampled_objective(counts, plain, samples=3_000, seed=1) == whole


@given(arrays(np.float64, st.integers(0, 40), elements=st.floats(-1e4, 1e4)))
def test_softplus_is_exact_to_a_few_units_of_the_last_bit(x):
    from pmifact.kernels.softplus import softplus

    values, powers = np.empty((2, len(x)))
    softplus(x, values, powers)
    expected = np.logaddexp(0, x)
    inner = np.abs(x) < 690
    np.testing.assert_allclose(values[inner], expected[inner], rtol=2e-15)
    np.testing.assert_allclose(values, expected, atol=1e-300, rtol=2e-15)


def test_the_interval_of_the_sampled_estimate_holds_the_exact_value():
    random = np.random.default_rng(4)
    counts = counts_of(random.poisson(0.8, (30, 30)))
    sparse = csr_array(np.maximum(shifted_pmi(counts, 1.0, 1.0), 0))
    for model, shift, smoothing in ((factors_of(counts, 4), 5.0, 0.75), (sparse, 1.0, 1.0)):
        exact = exact_objective(counts, model, shift=shift, smoothing=smoothing)
        held = 0
        for seed in range(30):
            found = sampled_objective(
                counts, model, shift=shift, smoothing=smoothing, samples=2_000, seed=seed
            )
            assert found.optimum == exact.optimum
            held += abs(found.value - exact.value) < 2.576 * found.standard_error
        assert held >= 27  # of 30, where 29.7 are expected
        again = sampled_objective(counts, model, shift=shift, smoothing=smoothing, samples=2_000, seed=29)
        assert again == found
        assert 0 < found.standard_error < 0.1 * abs(exact.value)


def test_what_does_not_fit_is_refused():
    counts = counts_of([[1, 2], [2, 0]])
    model = factors_of(counts, 2)
    strangers = Vocabulary(("x", "y"), np.array([1, 1]))
    other = Factors(strangers, model.words, model.strengths, model.contexts)
    tree = Factors(counts.vocabulary, model.words, model.strengths, model.contexts[:1])
    empty = CooccurrenceCounts(counts.vocabulary, csr_array((2, 2), dtype=np.int64), 1, CountOptions())
    for arguments, options, message in [
        ((counts, other), {}, "objective: the words of the model are not those of the counts"),
        ((counts, tree), {}, "objective: expected vectors of 2 words and 2 contexts, got 2 and 1"),
        ((counts, csr_array((3, 3))), {}, r"objective: expected a matrix of shape \(2, 2\), got \(3, 3\)"),
        ((empty, model), {}, "counts: expected at least one observed pair, got none"),
        ((counts, model), {"shift": 0}, "shift: expected a number above 0, got 0"),
        ((counts, model), {"smoothing": 2}, "smoothing: expected a number above 0 and at most 1, got 2"),
    ]:
        with pytest.raises(InputError, match=f"^{message}"):
            exact_objective(*arguments, **options)
        with pytest.raises(InputError, match=f"^{message}"):
            sampled_objective(*arguments, **options)
    with pytest.raises(InputError, match=r"^samples: expected an integer of at least 2, got 1"):
        sampled_objective(counts, model, samples=1)


# In a process of its own, whose peak is the objective's.
LARGE = r"""
import re
import numpy as np
from scipy.sparse import csr_array
from pmifact import CooccurrenceCounts, Factors, Vocabulary
from pmifact.counting.options import CountOptions
from pmifact.objective import exact_objective

random, size, rank = np.random.default_rng(0), 30_000, 500
rows, columns = random.zipf(1.3, (2, 8_000_000)) % size
matrix = csr_array((np.ones(8_000_000, np.int64), (rows, columns)), shape=(size, size))
del rows, columns
matrix.sum_duplicates()
vocabulary = Vocabulary(tuple(map(str, range(size))), matrix.sum(axis=1))
counts = CooccurrenceCounts(vocabulary, matrix, 1, CountOptions())
words, contexts = (0.1 * random.standard_normal((size, rank), np.float32) for _ in range(2))
model = Factors(vocabulary, words, np.ones(rank, np.float32), contexts)
assert exact_objective(counts, model, shift=5).deviation > 0
print(int(re.search(r"VmHWM:\s*(\d+)", open("/proc/self/status").read())[1]) * 1024)
"""


@pytest.mark.acceptance
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_thirty_thousand_words_at_rank_500_fit_in_two_gigabytes():
    done = subprocess.run([sys.executable, "-c", LARGE], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 2e9
