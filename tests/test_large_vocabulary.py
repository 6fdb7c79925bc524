"""A million words: answers known by construction, in memory that does not grow with the questions."""

import tracemalloc

import numpy as np
import pytest

from pmifact.evaluation import AnalogySet, evaluate_analogy
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

SIZE, RANK, QUESTIONS = 1_000_000, 8, 400


@pytest.fixture(scope="module")
def planted():
    """Vectors in which every second question has the answer that is best of all that there could be."""
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(SIZE, RANK)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    ids = rng.choice(SIZE, (QUESTIONS, 4), replace=False)
    a, a_star, b, b_star = ids.T
    # No vector has a larger product with this sum than one along it.
    best = matrix[a_star] - matrix[a] + matrix[b]
    matrix[b_star[::2]] = (best / np.linalg.norm(best, axis=1, keepdims=True))[::2]
    words = tuple(map(str, range(SIZE)))
    questions = tuple(tuple(words[word] for word in row) for row in ids)
    vectors = WordVectors(Vocabulary(words, np.zeros(SIZE, np.int64)), matrix)
    return vectors, AnalogySet("planted", questions, ("half",) * QUESTIONS)


@pytest.mark.acceptance
def test_analogies_among_a_million_words_take_bounded_memory(planted):
    vectors, gold = planted
    evaluate_analogy(vectors, AnalogySet("few", gold.questions[:2], ("half",) * 2), resamples=0)  # compiles
    tracemalloc.start()
    try:
        frame = evaluate_analogy(vectors, gold, resamples=0, threads=2)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert frame["score"].tolist() == [0.5, 0.5]
    assert frame["covered"].tolist() == [QUESTIONS, QUESTIONS]
    everything = 4 * SIZE * QUESTIONS  # the float32 score of every word for every question
    assert peak < everything / 8, f"{peak:,} bytes"
