"""Associations that word vectors took from their text: the WEAT, and the analogy often shown for them."""

import math
import os
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pmifact.checks import check_choice, check_integer
from pmifact.errors import InputError
from pmifact.evaluation.lookup import CASES, covered_ids
from pmifact.evaluation.word_lists import OWN_LISTS, Test, WordLists, read_word_lists
from pmifact.notebook import count_of
from pmifact.vectors import WordVectors

PERMUTATIONS = 99_999
LEAST_TARGETS = 2  # words of X and of Y each, below which nothing is scored
_NAMES = ("targets_x", "targets_y", "attributes_a", "attributes_b")
_NUMBERS_AT_ONCE = 1 << 20  # bounds the temporaries of a block of splits
# Sums of the same associations differ by less than this from order to order.
_ROUNDING = 1e-10


def evaluate_bias(
    vectors: WordVectors,
    lists: WordLists | str | os.PathLike[str] = OWN_LISTS,
    *,
    tests: Sequence[Test] = (),
    case: str = "fold",
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    model: str = "model",
) -> pd.DataFrame:
    """Test whether one set of words lies nearer to some words, and another set to others.

    The Word-Embedding Association Test (Caliskan, Bryson & Narayanan, Science 2017). For two sets of target
    words X and Y and two of attribute words A and B,

        s(w) = mean over a in A of cos(w, a) - mean over b in B of cos(w, b),
        effect = (mean over X of s - mean over Y of s) / standard deviation over X and Y of s,

    with the standard deviation of a sample (n - 1), so that the effect is always below 2. p is the share of
    the ways to split X and Y anew into sets of their sizes for which sum over X of s - sum over Y of s is
    larger than for X and Y themselves; one-sided, so that near 1 it speaks for the opposite association.

    Parameters
    ----------
    vectors : WordVectors
        Dense or sparse.
    lists : WordLists or path
        A path is read with `read_word_lists`. By default a few short English lists made for this project.
    tests : sequence of (str, str, str, str), optional
        The names of X, Y, A and B. By default the tests that are known by the names of their lists: those of
        our own lists, and the ten of Caliskan et al. by the names in WEFE's file.
    case : {"fold", "exact"}
        "fold" looks a word up as written, and lower-cased if that fails; "exact" only as written.
    permutations : int, default 99999
        When there are no more splits than this, p rests on all of them; else on so many random ones, m, and
        is (1 + larger ones) / (1 + m). 0 leaves p out.
    seed : int, default 0
        Of the random splits.
    model : str
        The name of the model in the table.

    Returns
    -------
    DataFrame
        One row a test: model, dataset, task ("weat"), targets_x, targets_y, attributes_a, attributes_b
        (names of lists), effect, p, splits (how many p rests on), exact (whether those are all), covered and
        total (words with a vector, and words, of the four lists), and missing (the other words, separated by
        spaces). Words without a vector are left out. effect and p are NaN where X or Y keeps fewer than 2
        words, or A or B none, and where s is the same for all words.

    Raises
    ------
    InputError
        If an option is none of the above, a file cannot be used, a test names a list that is not there or
        words that are in X and in Y, or no test can be scored.
    """
    check_choice("case", case, CASES)
    check_integer("permutations", permutations, least=0)
    check_integer("seed", seed, least=0)
    lists = lists if isinstance(lists, WordLists) else read_word_lists(lists)
    rows = [
        {"model": model, "dataset": lists.name, "task": "weat"}
        | dict(zip(_NAMES, test, strict=True))
        | _scored(vectors, [lists.lists[title] for title in test], case, permutations, seed)
        for test in _checked(lists, tests or lists.known_tests)
    ]
    frame = pd.DataFrame(rows)
    if frame["effect"].isna().all():
        raise InputError(
            f"{lists.source}: no test can be scored: each needs vectors for {LEAST_TARGETS} words of X and "
            f"of Y and for one of A and of B in {model} ({count_of(len(vectors), 'word')}); check the "
            "language and case"
        )
    return frame


def _scored(
    vectors: WordVectors, lists: Sequence[Sequence[str]], case: str, permutations: int, seed: int
) -> dict[str, Any]:
    """Return what one test finds, by column."""
    ids = [covered_ids(vectors, words, case=case) for words in lists]
    missing = [
        word
        for words, found in zip(lists, ids, strict=True)
        for word, word_id in zip(words, found.tolist(), strict=True)
        if word_id < 0
    ]
    x, y, a, b = (found[found >= 0] for found in ids)
    effect, p, splits, exact = math.nan, math.nan, 0, False
    if min(len(x), len(y)) >= LEAST_TARGETS and len(a) and len(b):
        scores = associations(vectors, np.concatenate([x, y]), a, b)
        effect = _effect(scores, len(x))
        if permutations and not math.isnan(effect):
            p, splits, exact = _test(scores, len(x), permutations, seed)
    total = sum(map(len, lists))
    return {
        "effect": effect,
        "p": p,
        "splits": splits,
        "exact": exact,
        "covered": total - len(missing),
        "total": total,
        "missing": " ".join(missing),
    }


def associations(
    vectors: WordVectors,
    words: NDArray[np.int64],
    attributes_a: NDArray[np.int64],
    attributes_b: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return s(w), the mean cosine with A minus that with B, of each word; all are ids with a vector."""
    return _mean_cosines(vectors, words, attributes_a) - _mean_cosines(vectors, words, attributes_b)


def _mean_cosines(
    vectors: WordVectors, words: NDArray[np.int64], attributes: NDArray[np.int64]
) -> NDArray[np.float64]:
    rows: Any = vectors.matrix[words].astype(np.float64)
    products: Any = rows @ vectors.matrix[attributes].astype(np.float64).T
    dense = products if isinstance(products, np.ndarray) else products.toarray()
    cosines = dense / np.outer(vectors.lengths[words], vectors.lengths[attributes])
    means: NDArray[np.float64] = cosines.mean(axis=1)
    return means


def _checked(lists: WordLists, tests: Sequence[Test]) -> Sequence[Test]:
    if not tests:
        raise InputError(
            f"{lists.source}: no test is known for the lists {', '.join(lists.lists)}; give tests of your own"
        )
    for test in tests:
        if len(test) != 4:
            raise InputError(f"tests: expected the names of four lists X, Y, A and B, got {test!r}")
        for title in test:
            if title not in lists.lists:
                raise InputError(
                    f"{lists.source}: there is no list {title!r}; there are {', '.join(lists.lists)}"
                )
        both = set(lists.lists[test[0]]) & set(lists.lists[test[1]])
        if both:
            raise InputError(
                f"{lists.source}: {min(both)!r} is in {test[0]} and in {test[1]}, the two targets"
            )
    return tests


def _effect(scores: NDArray[np.float64], size: int) -> float:
    spread = float(scores.std(ddof=1))
    return float(scores[:size].mean() - scores[size:].mean()) / spread if spread > _ROUNDING else math.nan


def _test(scores: NDArray[np.float64], size: int, most: int, seed: int) -> tuple[float, int, bool]:
    """Return p, the number of splits that it rests on, and whether those are all.

    sum over X - sum over Y is 2 sum over X - the sum over both, so that splits are compared by the first sum.
    """
    observed = scores[:size].sum() + _ROUNDING
    total = math.comb(len(scores), size)
    if total <= most:
        larger = sum(int((sums > observed).sum()) for sums in _all_sums(scores, size))
        return larger / total, total, True
    larger = sum(int((sums > observed).sum()) for sums in _random_sums(scores, size, most, seed))
    return (larger + 1) / (most + 1), most, False


def _all_sums(scores: NDArray[np.float64], size: int) -> Iterator[NDArray[np.float64]]:
    splits = combinations(range(len(scores)), size)
    while block := list(islice(splits, _NUMBERS_AT_ONCE // size)):
        yield scores[np.array(block)].sum(axis=1)


def _random_sums(
    scores: NDArray[np.float64], size: int, number: int, seed: int
) -> Iterator[NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    at_once = max(1, _NUMBERS_AT_ONCE // len(scores))
    for first in range(0, number, at_once):
        keys = rng.random((min(at_once, number - first), len(scores)))
        yield scores[np.argpartition(keys, size - 1, axis=1)[:, :size]].sum(axis=1)


def probe_analogy(
    vectors: WordVectors,
    a: str,
    a_star: str,
    b: str,
    n: int = 5,
    *,
    threads: int | None = None,
    model: str = "model",
) -> pd.DataFrame:
    """Answer b - a + a*, such as doctor - man + woman, with and without its inputs, beside plain neighbours.

    An analogy that may not answer with its own words has to find another one, which is then often taken for
    a bias (Nissim, van Noord & van der Goot, Computational Linguistics 2020): when the inputs are kept, the
    answer is mostly b itself, and when they are excluded, a plain neighbour of b.

    Returns
    -------
    DataFrame
        Columns model, task ("probe"), a, a_star, b, way ("inputs excluded" and "inputs kept" by 3CosAdd,
        "neighbors" of b by cosine), rank, word and score.

    Raises
    ------
    InputError
        As `WordVectors.analogy`.
    """
    found = {
        "inputs excluded": vectors.analogy(a, a_star, b, n, threads=threads),
        "inputs kept": vectors.analogy(a, a_star, b, n, inputs="keep", threads=threads),
        "neighbors": vectors.nearest(b, n),
    }
    asked = {"model": model, "task": "probe", "a": a, "a_star": a_star, "b": b}
    return pd.DataFrame(
        [
            {**asked, "way": way, "rank": rank, "word": word, "score": score}
            for way, answers in found.items()
            for rank, (word, score) in enumerate(answers, start=1)
        ],
        columns=[*asked, "way", "rank", "word", "score"],
    )
