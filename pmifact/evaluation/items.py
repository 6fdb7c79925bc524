"""What a model answers to each analogy question."""

import os

import numpy as np
import pandas as pd

from pmifact.evaluation.analogy import AnalogyAnswers, answer_set
from pmifact.evaluation.gold import AnalogySet
from pmifact.evaluation.pairs import PairSet, read_analogy_gold
from pmifact.evaluation.ways import AnalogyOptions
from pmifact.resources.progress import Progress, no_progress
from pmifact.vectors import WordVectors

TOP = 5


def analogy_items(
    vectors: WordVectors,
    gold: AnalogySet | PairSet | str | os.PathLike[str],
    *,
    method: str = "add",
    controls: bool = False,
    like: str | None = None,
    case: str = "fold",
    restrict_vocab: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    model: str = "model",
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Return what `evaluate_analogy` counts, one row a question in the order of the set, for each method.

    The columns are model, dataset, task, section, method, a, a_star, b, b_star (as published, right answers
    separated by "/"), covered, correct, and the five best answers with their scores, answer1, score1 to
    answer5, score5: empty, and NaN, where the question is not covered or there are no more candidates. The
    options are those of `evaluate_analogy`.
    """
    options = AnalogyOptions(
        method=method, case=case, controls=controls, like=like, restrict_vocab=restrict_vocab, seed=seed
    )
    gold = read_analogy_gold(gold) if isinstance(gold, str | os.PathLike) else gold
    found = answer_set(vectors, gold, options, top=TOP, threads=threads, progress=progress)
    return pd.concat(
        [answered_items(vectors, gold.name, answers, model=model) for answers in found], ignore_index=True
    )


def answered_items(vectors: WordVectors, dataset: str, result: AnalogyAnswers, *, model: str) -> pd.DataFrame:
    """Return the rows of `analogy_items` for the answers by one method."""
    design = result.design
    words = np.array(["", *vectors.vocabulary.words], dtype=object)
    frame = pd.DataFrame(
        {
            "model": model,
            "dataset": dataset,
            "task": "analogy",
            "section": [design.section_names[number] for number in design.sections],
            "method": result.method,
            **dict(zip(("a", "a_star", "b", "b_star"), zip(*design.texts, strict=True), strict=True)),
            "covered": result.covered,
            "correct": result.correct,
        }
    )
    for place in range(result.answers.shape[1]):
        answers = result.answers[:, place]
        frame[f"answer{place + 1}"] = words[answers + 1]
        scores = result.scores[:, place].astype(np.float64)
        frame[f"score{place + 1}"] = np.where(answers >= 0, scores, np.nan)
    return frame
