"""The search for the words that answer analogy questions."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.threads import resolve_threads
from pmifact.vectors import WordVectors

METHODS = ("add", "mul", "pairdirection")
EPSILON = 0.001  # of 3CosMul
INPUTS = ("out", "kept", "zero")

# Fixed, so that no product depends on the number of threads; the cosines of one block stay in the cache.
QUESTIONS_AT_ONCE = 4096
CANDIDATES_AT_ONCE = 2048
_FULL = 0.1  # of the words: a column that more of them have is multiplied as a dense one

Block = tuple[NDArray[np.float32], NDArray[np.int64]]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """How candidates are scored, and which words are candidates.

    Parameters
    ----------
    method : {"add", "mul", "pairdirection"}
        See `evaluate_analogy`.
    terms : tuple of bool
        Which of the terms of a, a* and b are taken into the sum of 3CosAdd.
    inputs : {"out", "kept", "zero"}
        The inputs of a question are no candidates, are candidates like all words, or are candidates whose
        score is set to 0 (with dense vectors, after cosines c have been mapped to (c + 1) / 2).
    epsilon : float
        Of 3CosMul.
    zero_rows : bool
        Whether words whose vector is zero are candidates, with cosines of 0.
    """

    method: str = "add"
    terms: tuple[bool, bool, bool] = (True, True, True)
    inputs: str = "out"
    epsilon: float = EPSILON
    zero_rows: bool = False


def best_answers(
    vectors: WordVectors,
    questions: NDArray[np.int64],
    *,
    rule: Rule,
    inputs: NDArray[np.int64] | None = None,
    top: int = 1,
    limit: int | None = None,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Block:
    """Answer a : a* :: b : ? by the candidates with the largest scores.

    The cosines of the distinct question words with a block of candidates are computed once, by one product;
    a question then only combines three of their rows. Memory is bounded by the block whatever V is.

    Parameters
    ----------
    vectors : WordVectors
        Candidates are the words with a vector that is not zero, unless the rule says otherwise.
    questions : ndarray of int64, shape (n, 3)
        Ids of a, a* and b, below `limit`.
    rule : Rule
        How a candidate is scored.
    inputs : ndarray of int64, shape (n, k), optional
        Ids of the words that the rule treats as inputs, -1 for none; by default those of the question.
    top : int, default 1
        How many answers to return.
    limit : int, optional
        Only the first `limit` words are candidates.
    threads : int, optional
        Over blocks of candidates; the answers do not depend on it.
    progress : Progress
        Counts blocks.

    Returns
    -------
    scores : ndarray of float32, shape (n, top)
        Falling; -inf where there is no candidate.
    answers : ndarray of int64, shape (n, top)
        Word ids, the lowest first among equally good ones; -1 where there is no candidate.
    """
    candidates = (
        np.arange(len(vectors))[:limit] if rule.zero_rows else np.flatnonzero(vectors.covered[:limit])
    )
    inputs = questions if inputs is None else inputs
    blocks = -(-len(candidates) // CANDIDATES_AT_ONCE)
    total = blocks * -(-len(questions) // QUESTIONS_AT_ONCE)
    scores = np.empty((len(questions), top), np.float32)
    answers = np.empty((len(questions), top), np.int64)
    for number, first in enumerate(range(0, len(questions), QUESTIONS_AT_ONCE)):
        part = slice(first, first + QUESTIONS_AT_ONCE)
        batch = _Batch.prepare(vectors, candidates, questions[part], inputs[part], rule, top)
        scores[part], answers[part] = search_blocks(
            batch.search,
            candidates,
            shape=(len(batch.rows), top),
            threads=threads,
            progress=lambda done, _, before=number * blocks: progress(before + done, total),
        )
        scores[part] /= batch.divisors[:, None]
    return scores, answers


def search_blocks(
    search: Callable[[int], Block],
    candidates: NDArray[np.int64],
    *,
    shape: tuple[int, int],
    threads: int | None,
    progress: Progress,
) -> Block:
    """Return the best scores and answers that `search` finds in the blocks of candidates, shapes (n, top).

    `search` takes the place at which a block of `CANDIDATES_AT_ONCE` starts, and returns scores and places
    in it.
    """
    scores = np.full(shape, -np.inf, np.float32)
    answers = np.full(shape, -1, np.int64)
    starts = range(0, len(candidates), CANDIDATES_AT_ONCE)
    # Threads take whole blocks; a BLAS that started threads of its own would only get in their way.
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(resolve_threads(threads)) as pool:
        for done, (start, found) in enumerate(zip(starts, pool.map(search, starts), strict=True), start=1):
            block_scores, places = found
            words = np.where(places >= 0, candidates[np.maximum(start + places, 0)], -1)
            _merge(scores, answers, block_scores, words)
            progress(done, len(starts))
    return scores, answers


def _merge(
    scores: NDArray[np.float32],
    answers: NDArray[np.int64],
    more_scores: NDArray[np.float32],
    more_answers: NDArray[np.int64],
) -> None:
    """Put the best of both into the first two; blocks come in order, so the lowest id goes first."""
    better = np.flatnonzero(more_scores[:, 0] > scores[:, -1])
    if scores.shape[1] == 1:
        scores[better], answers[better] = more_scores[better], more_answers[better]
        return
    both = np.concatenate([scores[better], more_scores[better]], axis=1)
    order = np.argsort(-both, axis=1, kind="stable")[:, : scores.shape[1]]
    ids = np.concatenate([answers[better], more_answers[better]], axis=1)
    scores[better] = np.take_along_axis(both, order, axis=1)
    answers[better] = np.take_along_axis(ids, order, axis=1)


@dataclass(frozen=True, eq=False)
class _Batch:
    """Questions that are searched together, in terms of their U distinct words and of candidates."""

    unit: NDArray[np.float32] | csr_array
    candidates: NDArray[np.int64]
    words: NDArray[np.float32] | csr_array  # transposed: (d, U), for sparse vectors CSR
    place: NDArray[np.int64]  # (d,), for sparse vectors: of a full row of the words among the dense, or -1
    dense: NDArray[np.float32]  # (., U), those rows
    rows: NDArray[np.int64]  # (n, 3), into the distinct words; U for a term that is left out
    places: NDArray[np.int64]  # (n, k), of the inputs among the candidates
    offsets: NDArray[np.float32]  # (n,), of PairDirection
    divisors: NDArray[np.float32]  # (n,), what the scores still have to be divided by
    mapped: bool  # whether 3CosMul maps cosines to [0, 1]
    rule: Rule
    top: int

    @classmethod
    def prepare(
        cls,
        vectors: WordVectors,
        candidates: NDArray[np.int64],
        questions: NDArray[np.int64],
        inputs: NDArray[np.int64],
        rule: Rule,
        top: int,
    ) -> "_Batch":
        distinct, rows = np.unique(questions, return_inverse=True)
        rows = rows.reshape(questions.shape)
        words: Any = vectors.unit[distinct].T
        place, dense = np.empty(0, np.int64), np.empty((0, len(distinct)), np.float32)
        if isinstance(vectors.unit, csr_array):
            words = words.tocsr()
            full = np.diff(words.indptr) > len(distinct) * _FULL
            place = np.where(full, np.cumsum(full) - 1, -1)
            dense = words[np.flatnonzero(full)].toarray()
        places = np.searchsorted(candidates, inputs)
        known = np.append(candidates, -2)[places] == inputs
        barred = known if rule.inputs != "kept" else np.zeros_like(known)
        offsets, divisors = np.zeros((2, len(questions)), np.float32)
        if rule.method == "pairdirection":
            a, a_star, b = (vectors.unit[questions[:, term]] for term in range(3))
            offsets = _row_sums(b, a_star) - _row_sums(b, a)
            divisors = np.sqrt(np.maximum(2 - 2 * _row_sums(a, a_star), 0))
            divisors[questions[:, 0] == questions[:, 1]] = 0
        return cls(
            unit=vectors.unit,
            candidates=candidates,
            words=words,
            place=place,
            dense=dense,
            rows=np.where(rule.terms, rows, len(distinct)),
            places=np.where(barred, places, -1),
            offsets=offsets,
            divisors=np.where(divisors > 0, divisors, np.float32(1)),
            mapped=not is_sparse_and_not_negative(vectors.unit),
            rule=rule,
            top=top,
        )

    def search(self, start: int) -> Block:
        """Return each question's best scores, and their places, in the block of candidates at `start`."""
        from pmifact.kernels import analogy as kernels

        block = self.candidates[start : start + CANDIDATES_AT_ONCE]
        if isinstance(self.unit, csr_array):
            cosines = np.empty((self.words.shape[1], len(block)), np.float32)
            kernels.sparse_cosines(
                *_arrays(self.unit), block, *_arrays(self.words), self.place, self.dense, cosines
            )
        else:
            cosines = self.words.T @ self.unit[block].T
        if not all(self.rule.terms):
            cosines = np.concatenate([cosines, np.zeros_like(cosines[:1])])
        best = np.empty((len(self.rows), self.top), np.float32)
        winners = np.empty((len(self.rows), self.top), np.int64)
        filler = np.float32(-np.inf if self.rule.inputs == "out" else 0)
        common = (self.rows, np.where(self.places >= 0, self.places - start, -1))
        if self.rule.method == "mul":
            if self.mapped:
                cosines += 1
                cosines *= 0.5
            kernels.best_ratios(cosines, *common, filler, np.float32(self.rule.epsilon), best, winners)
        elif self.rule.method == "pairdirection":
            kernels.best_directions(cosines, *common, filler, self.offsets, best, winners)
        else:
            # A mapped sum is (s + 1) / 2, so that its 0 is the plain sum -1.
            kernels.best_sums(cosines, *common, filler - np.float32(self.mapped), best, winners)
        return best, winners


def _arrays(matrix: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    return matrix.indptr, matrix.indices, matrix.data


def is_sparse_and_not_negative(matrix: NDArray[np.float32] | csr_array) -> bool:
    """Return whether cosines are taken as they are by 3CosMul, and not mapped to [0, 1]."""
    return isinstance(matrix, csr_array) and (not matrix.nnz or matrix.data.min() >= 0)


def _row_sums(first: Any, second: Any) -> NDArray[np.float32]:
    """Return the dot product of each row with its partner."""
    if isinstance(first, csr_array):
        return np.asarray(first.multiply(second).sum(axis=1), dtype=np.float32)
    sums: NDArray[np.float32] = np.einsum("ij,ij->i", first, second)
    return sums
