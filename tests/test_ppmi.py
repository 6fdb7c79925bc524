import math
import re

import numpy as np
import pytest
from counting_samples import corpus_of
from devices import NAMES
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

import pmifact.ppmi
from pmifact import InputError, Vocabulary, sppmi
from pmifact.cooccurrence import CooccurrenceCounts, CountOptions, count_cooccurrences
from pmifact.counting.imported import ImportOptions
from pmifact.ppmi import PPMIOptions


def counts_of(dense, occurrences=None, unit=5):
    dense = np.asarray(dense, np.int64)
    words = tuple(f"w{i}" for i in range(len(dense)))
    vocabulary = Vocabulary(words, dense.sum(axis=1) if occurrences is None else np.asarray(occurrences))
    return CooccurrenceCounts(vocabulary, csr_array(dense), unit, CountOptions())


def dense_sppmi(dense, shift, smoothing, rates=None):
    """Compute the definition cell by cell."""
    dense = np.asarray(dense, np.float64)
    if rates is not None:
        dense = dense * rates[:, None] * rates[None, :]
    row, column = dense.sum(axis=1), dense.sum(axis=0) ** smoothing
    result = np.zeros(dense.shape)
    for w, c in zip(*np.nonzero(dense), strict=True):
        pmi = math.log(dense[w, c] / (row[w] * column[c] / column.sum()))
        result[w, c] = max(pmi - math.log(shift), 0)
    return result


def matrices(most=60):
    side = st.shared(st.integers(1, 12), key="side")
    cell = st.one_of(st.just(0), st.integers(1, most))
    return side.flatmap(lambda n: arrays(np.int64, (n, n), elements=cell)).filter(lambda a: a.any())


shifts = st.one_of(st.sampled_from([0.01, 0.5, 1.0, 5.0]), st.floats(0.05, 20))
smoothings = st.sampled_from([0.25, 0.75, 1.0])


@given(matrices(), shifts, smoothings)
def test_is_the_dense_formula(dense, shift, smoothing):
    expected = dense_sppmi(dense, shift, smoothing)
    if expected.max() < 1e-12:
        return
    result = sppmi(counts_of(dense), shift=shift, smoothing=smoothing)
    assert isinstance(result, csr_array)
    assert result.dtype == np.float32
    assert result.has_canonical_format
    assert (result.data > 0).all()
    np.testing.assert_allclose(result.toarray(), expected, rtol=3e-7, atol=1e-12)


@given(matrices(), st.data())
def test_expected_subsampling_scales_rows_and_columns_first(dense, data):
    occurrences = data.draw(arrays(np.int64, len(dense), elements=st.integers(0, 1000)).filter(np.any))
    threshold = data.draw(st.sampled_from([1e-5, 1e-3, 0.1, 0.5]))
    frequency = occurrences / max(occurrences.sum(), 1)
    rates = np.sqrt(np.minimum(1, threshold / np.maximum(frequency, 1e-12)))
    expected = dense_sppmi(dense, 0.25, 0.75, rates)
    result = sppmi(counts_of(dense, occurrences), shift=0.25, subsample=threshold)
    np.testing.assert_allclose(result.toarray(), expected, rtol=1e-6, atol=1e-11)


@given(
    arrays(np.int64, (3, 5), elements=st.integers(0, 9)).filter(np.any),
    st.lists(st.integers(1, 100), min_size=8, max_size=8),
    st.sampled_from([None, 0.01, 0.3]),
)
def test_contexts_that_are_not_the_words(dense, occurrences, threshold):
    words = Vocabulary(("a", "b", "c"), np.array(occurrences[:3]))
    contexts = Vocabulary(("a", "b-", "c-", "d-", "e-"), np.array(occurrences[3:]))
    rates = [np.ones(3), np.ones(5)]
    if threshold:
        rates = [
            np.sqrt(np.minimum(1, threshold / (each.counts / each.counts.sum())))
            for each in (words, contexts)
        ]
    expected = dense_sppmi(dense * rates[0][:, None] * rates[1], 0.25, 0.75)
    counts = CooccurrenceCounts(words, csr_array(dense), 1, ImportOptions(imported="pairs"), contexts)
    result = sppmi(counts, shift=0.25, subsample=threshold)
    assert result.shape == (3, 5)
    np.testing.assert_allclose(result.toarray(), expected, rtol=1e-6, atol=1e-11)


def test_subsampling_needs_the_words_own_counts():
    with pytest.raises(InputError, match="subsample: needs the frequency of each word"):
        sppmi(counts_of([[1]], [0]), shift=0.1, subsample=0.1)


@given(matrices(most=2**40), st.sampled_from([None, 0.01]))
def test_symmetric_counts_without_smoothing_are_symmetric_to_the_bit(dense, subsample):
    result = sppmi(counts_of(dense + dense.T), shift=0.01, smoothing=1, subsample=subsample).toarray()
    np.testing.assert_array_equal(result, result.T)


@given(matrices(), shifts, st.floats(1, 3), smoothings)
def test_a_larger_shift_never_adds_a_nonzero(dense, shift, factor, smoothing):
    counts = counts_of(dense)
    try:
        large = sppmi(counts, shift=shift * factor, smoothing=smoothing).toarray()
    except InputError:
        return
    small = sppmi(counts, shift=shift, smoothing=smoothing).toarray()
    assert (small[large > 0] >= large[large > 0]).all()


def test_the_unit_of_the_counts_cancels():
    dense = np.arange(1, 17).reshape(4, 4)
    one = sppmi(counts_of(dense, unit=1))
    other = sppmi(counts_of(dense * 60, unit=60))
    np.testing.assert_allclose(one.toarray(), other.toarray(), rtol=1e-6, atol=1e-14)


def test_independent_words_have_no_association():
    dense = np.outer([1, 2, 4], [3, 5, 8])
    with pytest.raises(InputError, match=r"leaves no cell above 0; use one below 1$"):
        sppmi(counts_of(dense), smoothing=1)
    assert sppmi(counts_of(dense), smoothing=1, shift=0.99).nnz == 9


def test_a_shift_that_leaves_nothing_names_the_largest_one():
    counts = counts_of([[7, 1, 0], [1, 0, 2], [0, 2, 11]])
    with pytest.raises(InputError, match="shift 1e\\+06") as caught:
        sppmi(counts, shift=1e6)
    largest = float(re.search(r"below ([\d.e+-]+)$", str(caught.value)).group(1))
    assert sppmi(counts, shift=largest * (1 - 1e-9)).nnz > 0
    with pytest.raises(InputError):
        sppmi(counts, shift=largest * (1 + 1e-5))


def test_margins_are_exact_beyond_what_floats_hold():
    # float64 addition would lose each 1 beside 2^53; here the row sum keeps all 200 of them.
    dense = np.ones((201, 201), np.int64)
    dense[0, 0] = 2**53
    result = sppmi(counts_of(dense), smoothing=1, shift=1e-3).toarray()
    total, row = 2**53 + 201 * 201 - 1, 2**53 + 200
    assert result[0, 0] == np.float32(math.log(2**53 * total / row**2) - math.log(1e-3))
    assert result[1, 0] == pytest.approx(math.log(total / (201 * row)) - math.log(1e-3), rel=1e-6)


def test_extreme_options_stay_finite():
    counts = counts_of([[7, 1, 0], [1, 0, 2], [0, 2, 11]])
    plain = sppmi(counts, smoothing=1)
    for subsample in (5e-324, 1e-300, 2.0):
        result = sppmi(counts, smoothing=1, subsample=subsample, shift=0.01)
        assert np.isfinite(result.data).all()
    np.testing.assert_array_equal(sppmi(counts, smoothing=1, subsample=2.0).toarray(), plain.toarray())
    assert np.isfinite(sppmi(counts, shift=5e-324).data).all()


@pytest.mark.parametrize("device", NAMES)
@pytest.mark.parametrize("subsample", [None, 1e-2])
def test_devices_agree(device, subsample):
    dense = np.random.default_rng(0).poisson(1.5, (60, 60))
    options = {"shift": 1.5, "smoothing": 0.75, "subsample": subsample}
    found, expected = (sppmi(counts_of(dense), device=name, **options) for name in (device, "cpu"))
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_array_equal(found.indptr, expected.indptr)
    np.testing.assert_allclose(found.data, expected.data, rtol=3e-7, atol=1e-12)


@pytest.mark.parametrize("device", NAMES)
def test_a_ratio_equal_to_the_shift_gives_nothing_on_any_device(device):
    counts = counts_of([[2, 0], [0, 2]])  # every ratio is 2
    with pytest.raises(InputError, match="use one below 2"):
        sppmi(counts, shift=2, smoothing=1, device=device)


def test_block_borders_do_not_show(monkeypatch):
    rng = np.random.default_rng(3)
    dense = rng.poisson(0.8, (40, 40))
    dense[[0, 5, 39]] = 0
    whole = [sppmi(counts_of(dense), subsample=t) for t in (None, 0.01)]
    for size in (1, 7, 100):
        monkeypatch.setattr(pmifact.ppmi, "BLOCK", size)
        for expected, subsample in zip(whole, (None, 0.01), strict=True):
            np.testing.assert_array_equal(
                sppmi(counts_of(dense), subsample=subsample).toarray(), expected.toarray()
            )


def test_progress_counts_the_nonzeros(monkeypatch):
    monkeypatch.setattr(pmifact.ppmi, "BLOCK", 3)
    calls = []
    sppmi(counts_of(np.arange(16).reshape(4, 4)), progress=lambda *call: calls.append(call))
    assert calls == [(3, 15), (7, 15), (11, 15), (15, 15)]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *[("shift", value) for value in (0, -1, math.inf, "x")],
        *[("smoothing", value) for value in (0, 1.1, math.nan)],
        *[("subsample", value) for value in (0, -1e-3, True)],
    ],
)
def test_options_out_of_range_are_refused(option, value):
    with pytest.raises(InputError, match=f"^{option}: expected"):
        PPMIOptions(**{option: value})


def test_empty_counts_are_refused():
    with pytest.raises(InputError, match="hold no pair"):
        sppmi(counts_of(np.zeros((3, 3))))


def test_sums_beyond_64_bits_are_refused():
    with pytest.raises(InputError, match="2\\^63"):
        sppmi(counts_of([[2**62, 2**62], [2**62, 2**62]], occurrences=[1, 1]))


@pytest.mark.parametrize("how", [{"positional": True}, {"context_vocabulary": ["w2", "w0"]}])
def test_expected_subsampling_takes_the_frequencies_of_the_text(how):
    """Not those among the columns, which repeat the words or are a few of them."""
    draw = np.random.default_rng(3)
    corpus = corpus_of([draw.integers(0, 6, 40).clip(0, 4).tolist() for _ in range(5)], 5)
    counts = count_cooccurrences(corpus, window=2, **how)
    occurrences = corpus.vocabulary.counts
    rates = np.minimum(1, np.sqrt(0.1 * occurrences.sum() / occurrences))
    columns = np.tile(rates, 4) if "positional" in how else rates[[2, 0]]
    scaled = counts.matrix.toarray() * rates[:, None] * columns
    expected = dense_sppmi(scaled, 0.2, 0.75)
    found = sppmi(counts, shift=0.2, subsample=0.1)
    np.testing.assert_allclose(found.toarray(), expected, rtol=1e-5, atol=1e-6)
