"""Choice of the rank by the pairwise inner product (PIP) loss of Yin & Shen (NeurIPS 2018).

The loss of d-dimensional vectors X against the ideal ones Y is ||X X^T - Y Y^T||. Too few dimensions leave
signal out, too many take noise in. The noise is measured on two halves of the counts; the signal is the
spectrum less what noise of that size adds to it. The paper then simulates a matrix with that signal and
noise. Its expected loss is known in the limit of large matrices, where the singular values and vectors of
signal plus noise are those of Benaych-Georges & Nadakuditi (2012), so that nothing needs to be simulated.
"""

from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_integer, check_kind, check_number
from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.counting.options import CountOptions
from pmifact.counting.windows import window_weights
from pmifact.errors import InputError
from pmifact.ppmi import PPMIOptions, sppmi
from pmifact.resources.progress import Progress, no_progress
from pmifact.svd.truncated import factorize

USUAL_RANK = 500

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RankChoice:
    """A spectrum, what of it is signal, and the rank that loses least.

    Attributes
    ----------
    singular_values : ndarray of float64, shape (R,)
        Of the shifted PPMI, descending.
    residuals : ndarray of float64, shape (R,)
        Of the triplets, relative, as in `Factors`.
    energy : ndarray of float64, shape (R,)
        Share of the squared Frobenius norm that the values up to each one hold.
    signal : ndarray of float64, shape (R,)
        ``max(s - noise * (sqrt(V) + sqrt(C)), 0)``, the paper's estimate.
    losses : ndarray of float64, shape (R,)
        Expected PIP loss of each rank 1..R over that of rank 0.
    noise : float
        Standard deviation of the noise of a cell.
    rank : int
        The rank of least loss; 0 when no value rises above the noise.
    complete : bool
        Whether no larger rank than R can be better: once a dimension does not pay, no later one does.
    options : dict
        Rank R, power, shift, smoothing, subsample and seed.
    """

    singular_values: Floats
    residuals: Floats
    energy: Floats
    signal: Floats
    losses: Floats
    noise: float
    rank: int
    complete: bool
    options: dict[str, Any]


def choose_rank(
    counts: CooccurrenceCounts,
    *,
    rank: int | None = None,
    power: float = 0.5,
    shift: float = 1.0,
    smoothing: float = 0.75,
    subsample: float | None = None,
    tol: float = 0.03,
    memory: int | str | None = None,
    device: str = "cpu",
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> RankChoice:
    """Return the spectrum of shifted PPMI, and the rank of least expected PIP loss.

    Parameters
    ----------
    counts : CooccurrenceCounts
        V words and C contexts.
    rank : int or None
        Number R of singular values to look at; None for 500, or for a quarter of the shorter side if less.
    power : float
        Exponent p of the word vectors U s^p whose inner products are compared, above 0.
    shift, smoothing, subsample
        Of `pmifact.sppmi`.
    tol, memory, device, threads, progress
        Of `pmifact.factorize`.
    seed : int
        Of the split, and of the solver's start.

    Raises
    ------
    InputError
        If an option cannot be used, or half of the counts has no positive PMI.
    DeviceError
        If ``gpu`` is asked for and cannot be used.
    """
    check_kind("counts", counts, CooccurrenceCounts, "read_counts")
    check_number("power", power, above=0, most=1)
    if rank is not None:
        check_integer("rank", rank, least=1)
    rank = rank or min(USUAL_RANK, max(1, min(counts.matrix.shape) // 4))
    terms = PPMIOptions(shift=shift, smoothing=smoothing, subsample=subsample)
    shifted = partial(sppmi, shift=shift, smoothing=smoothing, subsample=subsample, device=device)
    noise = noise_level(*(shifted(half) for half in split_counts(counts, seed=seed)))
    matrix = shifted(counts)
    factors = factorize(
        matrix,
        rank=rank,
        tol=tol,
        memory=memory,
        device=device,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    values = factors.strengths.astype(np.float64)
    signal = np.maximum(values - noise * sum(np.sqrt(matrix.shape)), 0)
    losses = pip_losses(signal, noise, matrix.shape, power)
    best = int(np.argmin(losses)) + 1 if losses.min() < 1 else 0
    assert factors.residuals is not None
    return RankChoice(
        values,
        factors.residuals.astype(np.float64),
        np.cumsum(values**2) / np.einsum("i,i", matrix.data, matrix.data, dtype=np.float64),
        signal,
        losses,
        noise,
        best,
        best < len(values) or bool(signal[-1] == 0),
        {"rank": rank, "power": power, "seed": seed} | asdict(terms),
    )


def split_counts(counts: CooccurrenceCounts, *, seed: int = 0) -> tuple[CooccurrenceCounts, ...]:
    """Split counts at random into two halves that add up to them, as if the text had been split.

    Each pair of tokens goes to one of the halves. A cell holds its pairs' weights. Where these differ with
    the distance, what can be one pair is taken for one, and a larger sum is split in pieces of
    sum w^2 / sum w over the window, whose random sums have the variance that those of whole pairs have.
    """
    piece = largest = counts.unit
    if isinstance(counts.options, CountOptions):
        weights = window_weights(counts.options.window, counts.options.weighting)
        sides = np.concatenate([weights.left, weights.right]).astype(np.float64)
        piece, largest = max(round(float((sides**2).sum() / sides.sum())), 1), int(sides.max())
    rng = np.random.default_rng(seed)
    matrix = counts.matrix
    pieces, rest = np.divmod(matrix.data, piece)
    one = matrix.data <= largest
    pieces[one], rest[one] = 0, matrix.data[one]
    first = rng.binomial(pieces, 0.5) * piece + rest * rng.integers(0, 2, len(rest))
    return tuple(
        replace(counts, matrix=_without_zeros(data, matrix)) for data in (first, matrix.data - first)
    )


def noise_level(first: csr_array, second: csr_array) -> float:
    """Return the standard deviation of the noise of a cell, half that of the difference of two halves.

    Each half has the noise of half the text, sqrt(2) times that of the whole, and their difference sqrt(2)
    times that of a half.
    """
    difference = (first - second).data.astype(np.float64)
    cells = first.shape[0] * first.shape[1]
    mean = difference.sum() / cells
    return float(np.sqrt(max((difference**2).sum() / cells - mean**2, 0))) / 2


def pip_losses(signal: ArrayLike, noise: float, shape: tuple[int, int], power: float) -> Floats:
    """Return the expected PIP losses of ranks 1..R, over the loss of rank 0, in the limit of large matrices.

    Signal d_i with noise of standard deviation t, a = V t^2, b = C t^2, has the singular value s_i with
    ``s^2 = (d^2 + a) (d^2 + b) / d^2`` and a left vector whose squared cosine with the signal's is
    ``1 - a (d^2 + b) / (d^2 (d^2 + a))``, where ``d^4 > a b``; else s is sqrt(a) + sqrt(b), and the vectors
    have nothing in common (Benaych-Georges & Nadakuditi 2012). With p the power, the squared loss is
    ``sum_i d_i^4p + sum_{i <= rank} (s_i^4p - 2 s_i^2p d_i^2p cos_i^2)``.

    Parameters
    ----------
    signal : array_like, shape (R,)
        Singular values without noise, descending; 0 is none.
    noise : float
        Standard deviation of a cell.
    shape : (int, int)
        V and C.
    power : float
        Above 0.

    Returns
    -------
    ndarray of float64, shape (R,)
        Infinite where there is no signal at all.
    """
    d = np.asarray(signal, np.float64)
    if not d.any():
        return np.full(len(d), np.inf)
    a, b = (side * noise**2 for side in shape)
    seen = d**4 > a * b
    square = np.where(seen, d, 1) ** 2
    values = np.where(seen, np.sqrt((square + a) * (square + b) / square), np.sqrt(a) + np.sqrt(b))
    cosines = np.where(seen, 1 - a * (square + b) / (square * (square + a)), 0)
    largest = d.max()
    d, values = d / largest, values / largest
    ideal = (d ** (4 * power)).sum()
    change = values ** (4 * power) - 2 * (values * d) ** (2 * power) * cosines
    losses: Floats = np.sqrt(np.maximum(ideal + np.cumsum(change), 0) / ideal)
    return losses


def _without_zeros(data: NDArray[np.int64], like: csr_array) -> csr_array:
    matrix = csr_array((data, like.indices.copy(), like.indptr.copy()), shape=like.shape)
    matrix.eliminate_zeros()
    if matrix.nnz == 0:
        raise InputError("counts: too few pairs to be split into two halves")
    return matrix
