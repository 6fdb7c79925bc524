"""Matrices like the shifted PPMI of a language, of any size, drawn in seconds."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

TOPICS = 600
STEEPNESS = 3  # columns are drawn as u^3: the share of column j falls as j^(-2/3)
_ROWS_AT_ONCE = 10_000


def drawn(words: int, nonzeros: int, seed: int = 0) -> csr_array:
    """Draw a square matrix like a shifted PPMI: Zipf in rows and columns, topics, noise, all positive."""
    rng = np.random.default_rng(seed)
    topics = rng.integers(0, TOPICS, words)
    turn = np.linalg.qr(rng.standard_normal((TOPICS, TOPICS)))[0]
    affinity = np.abs((turn * np.arange(1, TOPICS + 1) ** -0.5) @ turn.T)
    affinity = (4 * affinity / affinity.mean()).astype(np.float32)
    shares = (np.arange(words) + 10.0) ** -0.6
    wanted = np.minimum(1.05 * nonzeros * shares / shares.sum() + 5, words).astype(np.int64)
    parts = [*_rows(rng, wanted, words, topics, affinity)]
    lengths, columns, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(columns.dtype)
    return csr_array((values, columns, indptr), shape=(words, words))


def _rows(
    rng: np.random.Generator,
    wanted: NDArray[np.int64],
    words: int,
    topics: NDArray[np.int64],
    affinity: NDArray[np.float32],
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]]:
    """Yield lengths, columns and values of runs of rows; columns ascend, because draws are stratified."""
    for start in range(0, words, _ROWS_AT_ONCE):
        counts = wanted[start : start + _ROWS_AT_ONCE]
        rows = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        share = (place + rng.random(len(rows), dtype=np.float32)) / counts[rows].astype(np.float32)
        columns = np.minimum(words * share**STEEPNESS, words - 1).astype(np.int32)
        new = np.ones(len(rows), np.bool_)
        new[1:] = (columns[1:] != columns[:-1]) | (rows[1:] != rows[:-1])
        rows, columns = rows[new], columns[new]
        values = affinity[topics[rows + start], topics[columns]]
        values *= rng.standard_exponential(len(rows), dtype=np.float32)
        yield np.bincount(rows, minlength=len(counts)), columns, values
