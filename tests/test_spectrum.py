"""The rank of least PIP loss, against simulation by the paper's own recipe."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pmifact import EncodedCorpus, InputError, Vocabulary, count_cooccurrences
from pmifact.ppmi import sppmi
from pmifact.spectrum import choose_rank, noise_level, pip_losses, split_counts


def orthonormal(rng, rows, columns):
    return np.linalg.qr(rng.standard_normal((rows, columns)))[0]


def simulated_losses(rng, signal, noise, shape, power):
    """The PIP losses of one matrix of signal plus Gaussian noise, each rank by the definition."""
    u = orthonormal(rng, shape[0], len(signal))
    matrix = (u * signal) @ orthonormal(rng, shape[1], len(signal)).T
    found, s, _ = np.linalg.svd(matrix + noise * rng.standard_normal(shape), full_matrices=False)
    ideal = (u * signal**power) @ (u * signal**power).T
    losses = []
    for rank in range(1, len(signal) + 1):
        vectors = found[:, :rank] * s[:rank] ** power
        losses.append(np.linalg.norm(vectors @ vectors.T - ideal) / np.linalg.norm(ideal))
    return np.array(losses)


@pytest.mark.parametrize("shape", [(700, 700), (700, 400), (400, 700)])
@pytest.mark.parametrize("power", [0.25, 0.5, 1.0])
def test_the_expected_loss_is_that_of_simulations(shape, power):
    rng = np.random.default_rng(3)
    signal = np.linspace(160, 10, 12)
    simulated = np.mean([simulated_losses(rng, signal, 1.0, shape, power) for _ in range(3)], axis=0)
    expected = pip_losses(signal, 1.0, shape, power)
    np.testing.assert_allclose(expected, simulated, atol=0.02)
    assert abs(int(np.argmin(expected)) - int(np.argmin(simulated))) <= 1


def test_without_noise_every_rank_helps():
    losses = pip_losses([4.0, 2.0, 1.0], 0.0, (10, 10), 0.5)
    np.testing.assert_allclose(losses**2, np.array([4 + 1, 1, 0]) / 21, atol=1e-12)


def test_the_square_case_keeps_what_is_above_the_square_root_of_three_of_the_noise():
    """At power 1/2, V = C: adding d pays while s < 2 d cos^2, which is d > sqrt(3 V) noise."""
    edge = np.sqrt(3 * 500)
    losses = pip_losses([3 * edge, 1.01 * edge, 0.99 * edge], 1.0, (500, 500), 0.5)
    assert losses[1] < losses[0] < 1
    assert losses[2] > losses[1]


def test_no_signal_is_an_infinite_loss():
    assert np.isinf(pip_losses([0.0, 0.0], 1.0, (5, 5), 0.5)).all()


def counts_of(ids, words=30, **options):
    vocabulary = Vocabulary(
        tuple(f"w{n:03}" for n in range(words)), np.bincount(ids, minlength=words).astype(np.int64)
    )
    corpus = EncodedCorpus(vocabulary, ids.astype(np.int32), np.array([0, len(ids)], np.int64))
    return count_cooccurrences(corpus, **options)


def zipf(seed, tokens=4_000, words=30):
    weights = 1 / np.arange(1, words + 1)
    return np.random.default_rng(seed).choice(words, tokens, p=weights / weights.sum())


@given(
    seed=st.integers(0, 2**32 - 1),
    window=st.integers(1, 6),
    weighting=st.sampled_from(["linear", "flat", "harmonic"]),
)
def test_halves_add_up_to_the_counts(seed, window, weighting):
    counts = counts_of(zipf(seed, 300), window=window, weighting=weighting)
    first, second = split_counts(counts, seed=seed)
    assert (first.matrix + second.matrix - counts.matrix).count_nonzero() == 0
    for half in (first, second):
        assert half.matrix.data.min() > 0
        assert half.unit == counts.unit


@pytest.mark.parametrize("weighting", ["linear", "flat", "harmonic"])
def test_halves_differ_as_halves_of_the_text_do(weighting):
    """The variance of a rare pair's count between halves is that between texts, for any weighting."""
    between_texts, between_halves = 0.0, 0.0
    for seed in range(20):
        ids = np.random.default_rng(seed).integers(0, 200, 4_000)
        one, two = (counts_of(part, 200, weighting=weighting) for part in np.array_split(ids, 2))
        whole = counts_of(ids, 200, weighting=weighting)
        first, second = split_counts(whole, seed=seed)
        between_texts += ((one.matrix - two.matrix).data.astype(float) ** 2).sum()
        between_halves += ((first.matrix - second.matrix).data.astype(float) ** 2).sum()
    # Pairs that share a word come and go together in texts, which adds a little.
    assert between_halves == pytest.approx(between_texts, rel=0.1)


def test_noise_is_half_the_standard_deviation_of_the_difference():
    rng = np.random.default_rng(0)
    one, two = (np.where(rng.random((40, 30)) < 0.3, rng.random((40, 30)), 0) for _ in range(2))
    assert noise_level(csr_array(one), csr_array(two)) == pytest.approx(np.std(one - two) / 2)
    assert noise_level(csr_array(one), csr_array(one)) == 0


def themes(seed, tokens, topics=8, words=200):
    """Text in which each sentence of ten words is of one topic: that many dimensions are signal."""
    rng = np.random.default_rng(seed)
    size = words // topics
    chosen = np.repeat(rng.integers(0, topics, tokens // 10), 10)
    return chosen * size + rng.integers(0, size, len(chosen))


def test_a_planted_number_of_topics_is_found():
    choice = choose_rank(counts_of(themes(0, 60_000), 200, window=3), rank=60, smoothing=1.0)
    assert choice.complete
    assert choice.rank in (7, 8)
    assert choice.losses[choice.rank - 1] == choice.losses.min() < 1
    assert choice.options["rank"] == 60


def test_random_text_has_no_rank():
    ids = np.random.default_rng(1).integers(0, 200, 20_000)
    assert choose_rank(counts_of(ids, 200, window=3), rank=50, smoothing=1.0).rank <= 1


def test_what_is_looked_at_may_end_before_the_noise():
    choice = choose_rank(counts_of(themes(0, 60_000), 200, window=3), rank=4, smoothing=1.0)
    assert choice.rank == 4
    assert not choice.complete


def test_energy_and_spectrum_are_those_of_the_matrix():
    counts = counts_of(themes(2, 30_000), 200, window=3)
    choice = choose_rank(counts, rank=20)
    exact = np.linalg.svd(sppmi(counts).toarray(), compute_uv=False)
    np.testing.assert_allclose(choice.singular_values, exact[:20], rtol=1e-5)
    np.testing.assert_allclose(choice.energy, np.cumsum(exact**2)[:20] / (exact**2).sum(), rtol=1e-5)


def test_refusals():
    counts = counts_of(zipf(0))
    for options, message in (
        ({"power": 0}, "power: expected a number above 0"),
        ({"rank": 0}, "rank: expected an integer"),
        ({"rank": 31}, "rank 31: the largest possible rank is"),
    ):
        with pytest.raises(InputError, match=message):
            choose_rank(counts, **options)
    with pytest.raises(InputError, match="too few pairs"):
        split_counts(counts_of(np.array([0, 1]), 2, window=(1, 0)))
