"""Where models go wrong: pairs they rank far from people, questions they answer wrongly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from pmifact.evaluation.gold import SimilaritySet
from pmifact.evaluation.questions import Design
from pmifact.evaluation.similarity import PairCosines


@dataclass(frozen=True)
class Mistakes:
    """A table of items, one row an item and one cell a model.

    Parameters
    ----------
    dataset : str
        The gold set.
    rows : list of dict
        What is asked, and `cells`, one a model.
    found : int
        How many items the rows were taken from.
    """

    dataset: str
    rows: list[dict[str, Any]]
    found: int


def pair_mistakes(gold: SimilaritySet, said: Sequence[PairCosines], number: int) -> Mistakes:
    """Return the pairs on whose rank people and models disagree most.

    Ranks are shares: 0 % for the least similar of the pairs that a model covers, 100 % for the most. A cell
    is the cosine and the rank of the model minus that of people, None where the pair is not covered.
    """
    differences = np.full((len(said), len(gold)), np.nan)
    for row, pairs in zip(differences, said, strict=True):
        covered = np.flatnonzero(pairs.covered)
        row[covered] = _shares(pairs.cosines[covered]) - _shares(gold.scores[covered])
    worst = np.max(np.abs(np.nan_to_num(differences, nan=0.0)), axis=0)
    known = np.flatnonzero(~np.isnan(differences).all(axis=0))
    chosen = known[np.argsort(-worst[known], kind="stable")[:number]]
    rows = [
        {
            "words": (gold.words1[item], gold.words2[item]),
            "gold": float(gold.scores[item]),
            "cells": [
                None if np.isnan(line[item]) else (float(pairs.cosines[item]), float(line[item]))
                for line, pairs in zip(differences, said, strict=True)
            ],
        }
        for item in chosen
    ]
    return Mistakes(gold.name, rows, len(known))


def _shares(values: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks: NDArray[np.float64] = rankdata(values) - 1
    return ranks / max(len(values) - 1, 1)


def question_mistakes(
    dataset: str,
    design: Design,
    answers: Sequence[Sequence[str]],
    correct: Sequence[NDArray[np.bool_]],
    covered: Sequence[NDArray[np.bool_]],
    number: int,
) -> Mistakes:
    """Return questions that at least one model answers wrongly, those on which models differ first.

    Where there are more than `number`, they are taken evenly over the set. A cell is the answer and whether
    it is right, None where the question is not covered.
    """
    right, asked = np.array(correct, dtype=np.bool_), np.array(covered, dtype=np.bool_)
    wrong: NDArray[np.bool_] = np.any(asked & ~right, axis=0)
    split: NDArray[np.bool_] = wrong & np.any(asked & right, axis=0)
    chosen = _evenly(np.flatnonzero(split), number)
    chosen += _evenly(np.flatnonzero(wrong & ~split), number - len(chosen))
    rows = [
        {
            "section": design.section_names[design.sections[item]],
            "words": design.texts[item],
            "split": bool(split[item]),
            "cells": [
                (answers[model][item], bool(right[model, item])) if asked[model, item] else None
                for model in range(len(right))
            ],
        }
        for item in chosen
    ]
    return Mistakes(dataset, rows, int(wrong.sum()))


def _evenly(items: NDArray[np.int64], number: int) -> list[int]:
    if len(items) <= number:
        return [int(item) for item in items]
    return [int(items[place * len(items) // number]) for place in range(number)]
