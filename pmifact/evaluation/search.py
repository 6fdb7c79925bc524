"""The search for the words that answer analogy questions."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from pmifact.progress import Progress, no_progress
from pmifact.threads import resolve_threads
from pmifact.vectors import WordVectors

METHODS = ("add", "mul")
EPSILON = 0.001  # of 3CosMul

# Fixed, so that no product depends on the number of threads; the cosines of one block stay in the cache.
_QUESTIONS = 4096
_CANDIDATES = 2048


def answer_questions(
    vectors: WordVectors,
    questions: NDArray[np.int64],
    *,
    method: str = "add",
    limit: int | None = None,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> NDArray[np.int64]:
    """Answer a : a* :: b : ? by the best candidate that is none of the three.

    The cosines of the distinct question words with a block of candidates are computed once, by one product;
    a question then only combines three of their rows. Memory is bounded by the block whatever V is.

    Parameters
    ----------
    vectors : WordVectors
        Candidates are the words with a vector that is not zero.
    questions : ndarray of int64, shape (n, 3)
        Ids of a, a* and b; covered, and below `limit`.
    method : {"add", "mul"}
        3CosAdd or 3CosMul (see `evaluate_analogy`).
    limit : int, optional
        Only the first `limit` words are candidates.
    threads : int, optional
        Over blocks of candidates; the answers do not depend on it.
    progress : Progress
        Counts blocks.

    Returns
    -------
    ndarray of int64, shape (n,)
        Word ids, the lowest of equally good ones; -1 when there is no candidate.
    """
    candidates = np.flatnonzero(vectors.covered[:limit])
    starts = range(0, len(candidates), _CANDIDATES)
    total = len(starts) * -(-len(questions) // _QUESTIONS)
    done = 0
    answers = np.full(len(questions), -1, np.int64)
    # Threads take whole blocks; a BLAS that started threads of its own would only get in their way.
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(resolve_threads(threads)) as pool:
        for first in range(0, len(questions), _QUESTIONS):
            batch = _Batch.prepare(vectors, candidates, questions[first : first + _QUESTIONS], method)
            best = np.full(len(batch.rows), -np.inf, np.float32)
            winners = answers[first : first + _QUESTIONS]
            found = pool.map(batch.search, starts)
            for start, (block_best, block_winners) in zip(starts, found, strict=True):
                better = block_best > best  # blocks come in order, so the lowest id keeps a tie
                best[better] = block_best[better]
                winners[better] = candidates[start + block_winners[better]]
                done += 1
                progress(done, total)
    return answers


@dataclass(frozen=True, eq=False)
class _Batch:
    """Questions that are searched together, in terms of their U distinct words and of candidates."""

    unit: NDArray[np.float32] | csr_array
    candidates: NDArray[np.int64]
    words: NDArray[np.float32] | csr_array  # transposed: (d, U), for sparse vectors CSR
    rows: NDArray[np.int64]  # (n, 3), into the distinct words
    places: NDArray[np.int64]  # (n, 3), into the candidates
    method: str
    shifted: bool

    @classmethod
    def prepare(
        cls, vectors: WordVectors, candidates: NDArray[np.int64], questions: NDArray[np.int64], method: str
    ) -> "_Batch":
        distinct, rows = np.unique(questions, return_inverse=True)
        words: Any = vectors.unit[distinct].T
        return cls(
            unit=vectors.unit,
            candidates=candidates,
            words=words.tocsr() if isinstance(vectors.unit, csr_array) else words,
            rows=rows.reshape(questions.shape),
            places=np.searchsorted(candidates, questions),
            method=method,
            shifted=method == "mul" and not _is_sparse_and_not_negative(vectors.unit),
        )

    def search(self, start: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return each question's best score, and its place, in the block of candidates at `start`."""
        from pmifact.kernels.analogy import best_ratios, best_sums

        block = self.unit[self.candidates[start : start + _CANDIDATES]]
        if isinstance(block, csr_array):
            cosines = (block @ self.words).toarray(order="F").T
        else:
            cosines = self.words.T @ block.T
        if self.shifted:
            cosines += 1
            cosines *= 0.5
        kernel = partial(best_ratios, epsilon=np.float32(EPSILON)) if self.method == "mul" else best_sums
        best = np.empty(len(self.rows), np.float32)
        winners = np.empty(len(self.rows), np.int64)
        kernel(cosines, self.rows, self.places - start, best=best, winners=winners)
        return best, winners


def _is_sparse_and_not_negative(matrix: NDArray[np.float32] | csr_array) -> bool:
    return isinstance(matrix, csr_array) and (not matrix.nnz or matrix.data.min() >= 0)
