"""Analogies answered from a whole relation: 3CosAvg and LRCos, each pair by the others of its section."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from pmifact.evaluation.pairs import PairSet
from pmifact.evaluation.questions import pair_ids
from pmifact.resources.progress import Progress
from pmifact.search.analogies import CANDIDATES_AT_ONCE, Block, search_blocks
from pmifact.vectors import WordVectors

RELATION_METHODS = ("avg", "lrcos")

Scores = Callable[[Any], NDArray[np.float32]]


def answer_relations(
    vectors: WordVectors,
    pairs: PairSet,
    *,
    method: str,
    case: str,
    limit: int | None,
    seed: int,
    top: int,
    threads: int | None,
    progress: Progress,
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.int64], NDArray[np.bool_]]:
    """Answer b : ? for each pair, by what the other covered pairs of its section have in common.

    Returns
    -------
    answers : ndarray of int64, shape (n, top)
        Word ids, the best first; -1 where there is none.
    scores : ndarray of float32, shape (n, top)
        What the method gives them.
    right : ndarray of int64, shape (n, k)
        Ids of the right answers; -1 after the last.
    covered : ndarray of bool, shape (n,)
        Whether b and a right answer have a vector, and those of another pair of the section too.
    """
    sources, targets = pair_ids(vectors, pairs, case=case, limit=limit)
    known = (sources >= 0) & (targets[:, 0] >= 0)
    candidates = np.flatnonzero(vectors.covered[:limit])
    answers = np.full((len(pairs), top), -1, np.int64)
    scores = np.full((len(pairs), top), -np.inf, np.float32)
    covered = np.zeros(len(pairs), bool)
    sections = np.array(pairs.sections)
    for number, name in enumerate(pairs.section_names):
        rows = np.flatnonzero(known & (sections == name))
        if len(rows) >= 2:
            covered[rows] = True
            score = (
                _average_offset(vectors, sources[rows], targets[rows])
                if method == "avg"
                else _class_and_cosine(vectors, sources[rows], targets[rows], candidates, (seed, number))
            )
            scores[rows], answers[rows] = _search(
                vectors, candidates, sources[rows], score, top=top, threads=threads
            )
        progress(number + 1, len(pairs.section_names))
    return answers, scores, targets, covered


def _search(
    vectors: WordVectors,
    candidates: NDArray[np.int64],
    sources: NDArray[np.int64],
    score: Scores,
    *,
    top: int,
    threads: int | None,
) -> Block:
    """Return the best candidates other than the source itself, by scores of shape (m, block)."""
    places = np.searchsorted(candidates, sources)[:, None]

    def search(start: int) -> Block:
        from pmifact.kernels.analogy import best_of

        found = score(vectors.unit[candidates[start : start + CANDIDATES_AT_ONCE]])
        best = np.empty((len(sources), top), np.float32)
        winners = np.empty((len(sources), top), np.int64)
        best_of(found, places - start, best, winners)
        return best, winners

    return search_blocks(
        search, candidates, shape=(len(sources), top), threads=threads, progress=lambda done, total: None
    )


def _average_offset(vectors: WordVectors, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> Scores:
    """Return cos(x, b + mean of a* - mean of a) over the other pairs, as a function of rows x."""
    words = _dense(vectors.unit[sources]).astype(np.float64)
    offsets = np.array([_dense(vectors.unit[row[row >= 0]]).mean(axis=0) for row in targets]) - words
    queries = words + (offsets.sum(axis=0) - offsets) / (len(sources) - 1)
    lengths = np.linalg.norm(queries, axis=1, keepdims=True)
    unit = (queries / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return lambda block: _products(block, unit)


def _class_and_cosine(
    vectors: WordVectors,
    sources: NDArray[np.int64],
    targets: NDArray[np.int64],
    candidates: NDArray[np.int64],
    seed: tuple[int, int],
) -> Scores:
    """Return P(x is a right answer of the relation) cos(x, b), as a function of rows x."""
    from scipy.special import expit
    from sklearn.linear_model import LogisticRegression

    right = np.unique(targets[targets >= 0])
    others = np.setdiff1d(candidates, np.union1d(right, sources), assume_unique=True)
    drawn = np.random.default_rng(seed).choice(others, min(len(right), len(others)), replace=False)
    weights = np.empty((len(sources), vectors.unit.shape[1]), np.float32)
    shifts = np.empty((len(sources), 1), np.float32)
    # So little work each that threads would only wait for each other.
    with threadpool_limits(1, user_api="blas"):
        for left_out in range(len(sources)):
            kept = np.arange(len(sources)) != left_out
            positive = np.unique(targets[kept][targets[kept] >= 0])
            negative = np.concatenate([sources[kept], drawn])
            rows = vectors.unit[np.concatenate([positive, negative])].astype(np.float64)
            labels = np.repeat([1, 0], [len(positive), len(negative)])
            fitted = LogisticRegression(class_weight="balanced", max_iter=1000).fit(rows, labels)
            weights[left_out], shifts[left_out] = fitted.coef_[0], fitted.intercept_
    words = _dense(vectors.unit[sources])
    return lambda block: expit(_products(block, weights) + shifts) * _products(block, words)


def _products(block: NDArray[np.float32] | csr_array, rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the dot products of m rows with those of a block, shape (m, block), writable."""
    products: NDArray[np.float32] = np.ascontiguousarray((block @ rows.T).T)
    return products


def _dense(rows: NDArray[np.float32] | csr_array) -> NDArray[np.float32]:
    return rows.toarray() if isinstance(rows, csr_array) else rows
