"""The objective that skip-gram with negative sampling maximises, of any model, over every cell.

With #(w,c) the counts of a pair, #(w) the row sums, k the shift and P(c) the share of the column sums,

    l = sum over all cells of  #(w,c) log s(x) + k #(w) P(c) log s(-x),   s(x) = 1 / (1 + exp(-x)),

where x is what the model says of w and c (Levy & Goldberg, NIPS 2014, equations 2 to 6).
"""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from pmifact.checks import check_integer, check_kind, check_number
from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.errors import InputError
from pmifact.factors import Factors
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.threads import resolve_threads
from pmifact.skipgram.sampling import alias_table

_CELLS = 1 << 22  # of one block of float64 products: 32 MiB a thread
_OWN_STREAM = (1,)
_DRAWN = 1 << 16  # samples of one block


@dataclass(frozen=True, kw_only=True)
class Objective:
    """A value of the objective, beside the best that any matrix can reach.

    Parameters
    ----------
    value : float
        l, in nats.
    optimum : float
        l of x = PMI - log k, with x = -infinity (whose value is 0) where no pair was observed.
    pairs : float
        |D|, the sum of the counts.
    standard_error : float
        Of `value`, when it was estimated from a sample; 0 when it is exact.
    """

    value: float
    optimum: float
    pairs: float
    standard_error: float = 0.0

    @property
    def deviation(self) -> float:
        """(l - l_opt) / l_opt, as a fraction: 0 for the optimum, positive for all else."""
        return (self.value - self.optimum) / self.optimum

    @property
    def per_pair(self) -> float:
        """The value over the number of pairs; the zero matrix has -(1 + k) log 2."""
        return self.value / self.pairs


def exact_objective(
    counts: CooccurrenceCounts,
    model: Factors | csr_array,
    *,
    shift: float = 1.0,
    smoothing: float = 1.0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Objective:
    """Return the exact objective of a model, block by block over all V x C cells.

    Parameters
    ----------
    counts : CooccurrenceCounts
        V words and C contexts.
    model : Factors or csr_array of shape (V, C)
        x = (words * strengths) @ contexts.T; or the cells of a sparse matrix, the others 0.
    shift : float
        k, above 0.
    smoothing : float
        Exponent a of P(c) ~ #(c)^a, in (0, 1]; 1 is the paper's.
    threads : int, optional
        Each takes 32 MiB for its block; all cores when not given. The result does not depend on them.
    progress : callable, optional
        Called with (rows done, rows).

    Raises
    ------
    InputError
        If an option is out of range, the counts are empty, or the model is not over the counts' words.
    """
    terms = _Terms(counts, shift, smoothing)
    rows = _Rows(counts, model)
    size, contexts = counts.matrix.shape
    step = max(1, _CELLS // contexts)
    workers = resolve_threads(threads)
    values: list[NDArray[np.float64]] = []
    pool = ThreadPoolExecutor(workers)
    try:
        with threadpool_limits(limits=1, user_api="blas"):
            for block in pool.map(
                lambda first: terms.of_rows(first, rows.block(first, step)), range(0, size, step)
            ):
                values.append(block)
                progress(min(len(values) * step, size), size)
    finally:
        pool.shutdown(cancel_futures=True)
    return terms.objective(math.fsum(np.concatenate(values)))


def sampled_objective(
    counts: CooccurrenceCounts,
    model: Factors | csr_array,
    *,
    shift: float = 1.0,
    smoothing: float = 1.0,
    samples: int = 10_000_000,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Objective:
    """Estimate the objective as the paper does: from observed pairs, with one negative each.

    Each of the pairs (w, c), drawn by their share of the counts, meets one c' drawn from P(c'); l is |D|
    times the mean of log s(x(w,c)) + k log s(-x(w,c')), and as uncertain as that mean.

    Parameters
    ----------
    counts, model, shift, smoothing
        As for `exact_objective`.
    samples : int
        Pairs to draw.
    seed : int
        The same seed draws the same pairs for every model.
    threads : int, optional
        All cores when not given. The result does not depend on them.
    progress : callable, optional
        Called with (pairs done, pairs).

    Raises
    ------
    InputError
        As `exact_objective`.
    """
    from pmifact.kernels.examples import draw_negatives
    from pmifact.skipgram.sources import CountPairs

    check_integer("samples", samples, least=2)
    check_integer("seed", seed, least=0, most=2**63 - 1)
    terms = _Terms(counts, shift, smoothing)
    rows = _Rows(counts, model)
    pairs, table = CountPairs(counts, group=1), alias_table(terms.share)
    # Not a seed of training, whose pairs a model knows better than others.
    keys = np.random.SeedSequence(seed, spawn_key=_OWN_STREAM)
    pair_key, noise_key = keys.generate_state(2, np.uint64)

    def values_of(first: int) -> NDArray[np.float64]:
        last = min(first + _DRAWN, samples)
        drawn = pairs.draw(first, last, pair_key)
        negatives = draw_negatives(*table, drawn.positions, 1, noise_key)[:, 0]
        observed, noise = (rows.cells(drawn.inputs, targets) for targets in (drawn.targets, negatives))
        return -np.logaddexp(0, -observed) - shift * np.logaddexp(0, noise)

    values: list[NDArray[np.float64]] = []
    pool = ThreadPoolExecutor(resolve_threads(threads))
    try:
        for some in pool.map(values_of, range(0, samples, _DRAWN)):
            values.append(some)
            progress(min(len(values) * _DRAWN, samples), samples)
    finally:
        pool.shutdown(cancel_futures=True)
    sample = np.concatenate(values)
    error = float(sample.std(ddof=1)) / math.sqrt(samples)
    return terms.objective(terms.pairs * float(sample.mean()), terms.pairs * error)


def reference_objectives(
    counts: CooccurrenceCounts, *, shift: float = 1.0, smoothing: float = 1.0
) -> dict[str, Objective]:
    """Return the exact objectives that models are to be read against.

    Parameters
    ----------
    counts, shift, smoothing
        As for `exact_objective`.

    Returns
    -------
    dict of Objective
        ``PMI - log k``, the optimum; ``SPPMI``, its positive part, 0 where no pair was observed;
        ``SPPMI, unobserved -inf``, the same on observed cells with -infinity on the others; and
        ``zero matrix``. Neither reading of SPPMI gives the deviations near 0 of Table 1 of the paper.
    """
    terms = _Terms(counts, shift, smoothing)
    seen, covered = [], []
    for positive, negative in terms.observed():
        cut = np.maximum(np.log(positive / negative), 0)
        seen.append(-positive @ np.logaddexp(0, -cut) - negative @ np.logaddexp(0, cut))
        covered.append(negative.sum())
    observed = math.fsum(seen)
    unobserved = -math.log(2) * max(0.0, shift * terms.pairs - math.fsum(covered))
    return {
        "PMI - log k": terms.objective(terms.optimum),
        "SPPMI": terms.objective(observed + unobserved),
        "SPPMI, unobserved -inf": terms.objective(observed),
        "zero matrix": terms.objective(-(1 + shift) * math.log(2) * terms.pairs),
    }


class _Terms:
    """The two weights of every cell: #(w,c), and k #(w) P(c)."""

    def __init__(self, counts: CooccurrenceCounts, shift: float, smoothing: float) -> None:
        check_kind("counts", counts, CooccurrenceCounts, "read_counts")
        check_number("shift", shift, above=0)
        check_number("smoothing", smoothing, above=0, most=1)
        if not counts.matrix.nnz:
            raise InputError("counts: expected at least one observed pair, got none")
        self._matrix, self._unit, self._shift = counts.matrix, counts.unit, shift
        self.pairs = counts.total / counts.unit
        # Sums are taken in integers and converted once.
        smoothed = self._matrix.sum(axis=0, dtype=np.int64).astype(np.float64) ** smoothing
        self.share = smoothed / math.fsum(smoothed)
        self._scale = shift * (self._matrix.sum(axis=1, dtype=np.int64) / self._unit)
        self.optimum = math.fsum(
            -positive @ np.log1p(negative / positive) - negative @ np.log1p(positive / negative)
            for positive, negative in self.observed()
        )

    def observed(self) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Yield #(w,c) and k #(w) P(c) of the observed cells, some rows at a time."""
        indptr = self._matrix.indptr
        step = max(1, _CELLS * (len(indptr) - 1) // self._matrix.nnz)
        for first in range(0, len(indptr) - 1, step):
            ends = indptr[first : first + step + 1]
            cells = slice(int(ends[0]), int(ends[-1]))
            of_rows = np.repeat(self._scale[first : first + step], np.diff(ends))
            yield self._matrix.data[cells] / self._unit, of_rows * self.share[self._matrix.indices[cells]]

    def of_rows(self, first: int, products: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the objective of each of the rows from `first`, whose x are `products`."""
        from pmifact.kernels.objective import row_objectives

        matrix = self._matrix
        values: NDArray[np.float64] = row_objectives(
            products, first, matrix.indptr, matrix.indices, matrix.data, self._unit, self._scale, self.share
        )
        return values

    def objective(self, value: float, standard_error: float = 0.0) -> Objective:
        """Return a value beside the optimum."""
        return Objective(value=value, optimum=self.optimum, pairs=self.pairs, standard_error=standard_error)


class _Rows:
    """The products x of a model: whole rows, or single cells."""

    def __init__(self, counts: CooccurrenceCounts, model: Factors | csr_array) -> None:
        expected = counts.matrix.shape
        if isinstance(model, csr_array):
            if model.shape != expected:
                raise InputError(f"objective: expected a matrix of shape {expected}, got {model.shape}")
            self._matrix = _sorted(model)
        else:
            for what, given, ours in (
                ("words", model.vocabulary, counts.vocabulary),
                ("contexts", model.context_vocabulary, counts.context_vocabulary),
            ):
                if given is not None and given.fingerprint != ours.fingerprint:
                    raise InputError(f"objective: the {what} of the model are not those of the counts")
            if (len(model.words), len(model.contexts)) != expected:
                raise InputError(
                    f"objective: expected vectors of {expected[0]:,} words and {expected[1]:,} contexts, got "
                    f"{len(model.words):,} and {len(model.contexts):,}"
                )
            self._words = model.words * model.strengths.astype(np.float64)
            self._contexts = model.contexts.astype(np.float64)
        self._model = model

    def block(self, first: int, rows: int) -> NDArray[np.float64]:
        """Return x of the rows from `first`, shape (rows, V), or fewer at the end."""
        if isinstance(self._model, csr_array):
            return np.asarray(self._model[first : first + rows].toarray(), np.float64)
        products: NDArray[np.float64] = self._words[first : first + rows] @ self._contexts.T
        return products

    def cells(self, words: NDArray[np.int32], contexts: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return x of single cells."""
        from pmifact.kernels.objective import dense_cells, sparse_cells

        found = np.empty(len(words))
        if isinstance(self._model, csr_array):
            matrix = self._matrix
            sparse_cells(matrix.indptr, matrix.indices, matrix.data, words, contexts, found)
        else:
            dense_cells(self._words, self._contexts, words, contexts, found)
        return found


def _sorted(matrix: csr_array) -> csr_array:
    """Return the matrix with the columns of each row in order and each once."""
    if matrix.has_canonical_format:
        return matrix
    ordered = matrix.copy()
    ordered.sum_duplicates()
    return ordered
