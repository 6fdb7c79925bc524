"""Counts to shifted positive PMI: log-ratios of the observed cells, the rest zero."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pmifact.checks import check_kind, check_number
from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.counting.options import CountOptions
from pmifact.device import CPU, Device, resolve_device
from pmifact.errors import InputError
from pmifact.resources.progress import Progress, no_progress

# Nonzeros that are worked on at a time: bounds the float64 temporaries to some tens of MB.
BLOCK = 1 << 20


@dataclass(frozen=True, kw_only=True)
class PPMIOptions:
    """How counts become shifted PMI (specification, section 3).

    Parameters
    ----------
    shift : float
        k; log k is taken off every PMI. Above 0; below 1 it adds.
    smoothing : float
        Exponent of the context distribution, in (0, 1]; 1 is plain PMI.
    subsample : float or None
        Threshold t of `expected` subsampling, a relative frequency; None switches it off.
    """

    shift: float = 1.0
    smoothing: float = 0.75
    subsample: float | None = None

    def __post_init__(self) -> None:
        check_number("shift", self.shift, above=0)
        check_number("smoothing", self.smoothing, above=0, most=1)
        if self.subsample is not None:
            check_number("subsample", self.subsample, above=0)


def sppmi(
    counts: CooccurrenceCounts,
    *,
    shift: float = 1.0,
    smoothing: float = 0.75,
    subsample: float | None = None,
    device: str = "cpu",
    progress: Progress = no_progress,
) -> csr_array:
    """Return the shifted positive PMI of every observed pair.

    With #(w,c) the counts, #(w) and #(c) their row and column sums and
    P(c) = #(c)^smoothing / sum #(c')^smoothing, a cell is

        max(log(#(w,c) / (#(w) P(c))) - log shift, 0)

    (Levy & Goldberg 2014, equations 10 to 12; smoothing: Levy, Goldberg & Dagan 2015). The marginals of
    unsampled counts are exact integers, converted once. A symmetric count matrix and smoothing 1 give an
    exactly symmetric result.

    Parameters
    ----------
    counts : CooccurrenceCounts
        V words (rows) and C contexts (columns).
    shift : float
        k above 0; the method of the paper has k >= 1.
    smoothing : float
        Exponent of the context distribution, in (0, 1]; rows are never smoothed.
    subsample : float or None
        With threshold t, rows and columns of the counts are first scaled by min(1, sqrt(t / f)), where f
        is the relative frequency of the word or context in the text: the expectation of dropping frequent
        ones at random.
    device : {"cpu", "gpu", "auto"}
        Where the cells are computed, some millions at a time; sums and result are on the host.
    progress : Progress
        Told the nonzeros done and their total.

    Returns
    -------
    csr_array of float32, shape (V, C)
        Indices sorted, no explicit zeros.

    Raises
    ------
    InputError
        If an option is out of range, the counts are empty, or the shift leaves nothing.
    DeviceError
        If there is no usable GPU and ``gpu`` was asked for.
    """
    options = PPMIOptions(shift=shift, smoothing=smoothing, subsample=subsample)
    check_kind("counts", counts, CooccurrenceCounts, "read_counts")
    matrix = counts.matrix
    if matrix.nnz == 0:
        raise InputError("sppmi: the counts hold no pair; count a larger text or a wider window")
    margins, worker = _margins(counts, options), resolve_device(device)
    with worker.in_use():
        result, largest = positive_pmi(matrix, margins, options.shift, device=worker, progress=progress)
    if result.nnz == 0:
        raise InputError(f"shift {options.shift:g}: leaves no cell above 0; use one below {_below(largest)}")
    return result


@dataclass(frozen=True)
class Margins:
    """What turns counts into ratios: #(w), #(c)^smoothing and the sum of the latter.

    The rates are those of ``expected`` subsampling, both None without it.
    """

    words: NDArray[np.float64]
    contexts: NDArray[np.float64]
    normalizer: float
    word_rates: NDArray[np.float64] | None = None
    context_rates: NDArray[np.float64] | None = None

    @classmethod
    def of_sums(
        cls, words: NDArray[np.float64], contexts: NDArray[np.float64], smoothing: float
    ) -> "Margins":
        """Smooth the sums of the columns."""
        smoothed = contexts**smoothing
        # math.fsum rounds once, so the sum depends on no library's order of addition.
        return cls(words, smoothed, math.fsum(smoothed))


def positive_pmi(
    matrix: csr_array,
    margins: Margins,
    shift: float,
    *,
    device: Device = CPU,
    dtype: Any = np.float32,
    progress: Progress = no_progress,
) -> tuple[csr_array, float]:
    """Return max(log(ratio) - log shift, 0) of each stored count, and the largest ratio, which is exp(PMI).

    The result has sorted indices if the counts have, and no explicit zeros.
    """
    # Room for every cell, although few may stay: a page that is never written takes no memory.
    values = np.empty(matrix.nnz, dtype)
    context_ids = np.empty(matrix.nnz, matrix.indices.dtype)
    indptr = np.zeros(matrix.shape[0] + 1, matrix.indices.dtype)
    ratios = _Ratios(margins, device)
    xp, log_shift = device.xp, device.xp.log(device.array(np.array(float(shift))))
    filled, largest = 0, 0.0
    for block in _row_blocks(matrix):
        ratio = ratios.of(block)
        largest = max(largest, float(ratio.max()) if len(ratio) else 0.0)
        # The same log on both sides, so that a ratio equal to the shift gives an exact zero.
        value = (xp.log(ratio) - log_shift).astype(dtype)
        above = xp.flatnonzero(value > 0)
        kept = device.to_host(above, np.int64)
        values[filled : filled + len(kept)] = device.to_host(value[above], dtype)
        context_ids[filled : filled + len(kept)] = block.context_ids[kept]
        indptr[block.rows.start + 1 : block.rows.stop + 1] = filled + np.searchsorted(kept, block.row_ends)
        filled += len(kept)
        progress(block.cells.stop, matrix.nnz)
    values.resize(filled, refcheck=False)
    context_ids.resize(filled, refcheck=False)
    result = csr_array((values, context_ids, indptr), shape=matrix.shape)
    result.has_canonical_format = True
    return result, largest


def shifted_pmi_of(
    counts: CooccurrenceCounts, word_ids: Iterable[int], options: PPMIOptions
) -> list[NDArray[np.float64]]:
    """Return log(#(w,c) / (#(w) P(c))) - log shift of the observed cells of some words, negative or not.

    Each array is in the order of the stored cells of its row. Above 0 the values are those of `sppmi`, before
    they are rounded to float32.
    """
    ratios = _Ratios(_margins(counts, options), CPU)
    blocks = (_rows(counts.matrix, word_id, word_id + 1) for word_id in word_ids)
    return [np.log(ratios.of(block)) - np.log(options.shift) for block in blocks]


@dataclass(frozen=True)
class _Block:
    """A run of whole rows, its cells, and the ids and the count of each cell."""

    rows: slice
    cells: slice
    row_ends: NDArray[np.int64]  # of each row, counted from the block's first cell
    word_ids: NDArray[np.int64]
    context_ids: NDArray[np.integer]
    counts: NDArray[np.float64]


def _row_blocks(matrix: csr_array) -> Iterator[_Block]:
    """Cut the matrix into blocks of about `BLOCK` nonzeros, at least a row each."""
    indptr = matrix.indptr
    row = 0
    while row < matrix.shape[0]:
        stop = int(np.searchsorted(indptr, int(indptr[row]) + BLOCK, side="right")) - 1
        stop = min(max(stop, row + 1), matrix.shape[0])
        yield _rows(matrix, row, stop)
        row = stop


def _rows(matrix: csr_array, start: int, stop: int) -> _Block:
    indptr = matrix.indptr
    cells = slice(int(indptr[start]), int(indptr[stop]))
    return _Block(
        rows=slice(start, stop),
        cells=cells,
        row_ends=indptr[start + 1 : stop + 1].astype(np.int64) - cells.start,
        word_ids=np.repeat(np.arange(start, stop), np.diff(indptr[start : stop + 1])),
        context_ids=matrix.indices[cells],
        counts=matrix.data[cells].astype(np.float64),
    )


class _Ratios:
    """Margins on a device, which make exp(PMI) of counts there."""

    def __init__(self, margins: Margins, device: Device) -> None:
        self.device, self.normalizer = device, margins.normalizer
        self.words, self.contexts = device.array(margins.words), device.array(margins.contexts)
        rates = (margins.word_rates, margins.context_rates)
        self.rates = [device.array(rate) for rate in rates if rate is not None]

    def of(self, block: _Block) -> Any:
        """Return exp(PMI) of each cell of the block, float64 on the device."""
        word_ids, context_ids = (self.device.array(ids) for ids in (block.word_ids, block.context_ids))
        ratio = self.device.array(block.counts) * self.normalizer
        if self.rates:
            ratio *= self.rates[0][word_ids] * self.rates[1][context_ids]
        # One product of the margins, which commutes: swapping word and context gives the same float.
        ratio /= self.words[word_ids] * self.contexts[context_ids]
        return ratio


def _margins(counts: CooccurrenceCounts, options: PPMIOptions) -> Margins:
    word_rates = context_rates = None
    if options.subsample is None:
        words, contexts = _exact_sums(counts.matrix)
    else:
        tokens = int(counts.vocabulary.counts.sum())
        own = int(counts.context_vocabulary.counts.sum())
        # Contexts that we counted are words of the same text, though perhaps a few of them, or repeated.
        ours = isinstance(counts.options, CountOptions)
        word_rates = _keep_rates(counts.vocabulary.counts, tokens, float(options.subsample))
        context_rates = _keep_rates(
            counts.context_vocabulary.counts, tokens if ours else own, float(options.subsample)
        )
        words, contexts = _scaled_sums(counts.matrix, word_rates, context_rates)
    margins = Margins.of_sums(words, contexts, options.smoothing)
    return replace(margins, word_rates=word_rates, context_rates=context_rates)


def _exact_sums(matrix: csr_array) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sums of rows and of columns, exact in int64 before the one conversion."""
    if matrix.data.sum(dtype=np.float64) >= 2.0**63:
        raise InputError("sppmi: the counts add up to 2^63 or more, which 64-bit integers cannot hold")
    words, contexts = matrix.sum(axis=1, dtype=np.int64), matrix.sum(axis=0, dtype=np.int64)
    return words.astype(np.float64), contexts.astype(np.float64)


def _scaled_sums(
    matrix: csr_array, word_rates: NDArray[np.float64], context_rates: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sums of rows and of columns of ``word_rates[w] * matrix[w, c] * context_rates[c]``.

    Both are added cell after cell in id order, so that a symmetric matrix has equal sums to the last bit.
    """
    words, contexts = np.zeros(matrix.shape[0]), np.zeros(matrix.shape[1])
    for block in _row_blocks(matrix):
        np.add.at(words, block.word_ids, block.counts * context_rates[block.context_ids])
        np.add.at(contexts, block.context_ids, block.counts * word_rates[block.word_ids])
    return words * word_rates, contexts * context_rates


def _keep_rates(occurrences: NDArray[np.int64], tokens: int, threshold: float) -> NDArray[np.float64]:
    """Return min(1, sqrt(threshold / f)) of each word, over its largest value (the PMI is the same)."""
    if not occurrences.any():
        raise InputError(
            "subsample: needs the frequency of each word and context, and the vocabulary of these counts "
            "has none; import them with a vocabulary file that holds counts"
        )
    frequency = occurrences / tokens
    rates = np.ones(len(occurrences))
    frequent = frequency > threshold
    rates[frequent] = math.sqrt(threshold) / np.sqrt(frequency[frequent])
    # Dividing keeps a tiny threshold from underflowing in the products.
    largest: float = rates.max()
    return rates / largest


def _below(number: float) -> str:
    """Write a number with six digits, rounded down so that it is never more than the number."""
    digits = 5 - math.floor(math.log10(number))
    return f"{math.floor(number * 10.0**digits) / 10.0**digits:.6g}"
