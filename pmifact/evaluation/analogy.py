"""Word analogies: how many questions a : a* :: b : ? the vectors answer rightly."""

import os
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pmifact.checks import check_choice, check_integer
from pmifact.errors import InputError
from pmifact.evaluation.gold import AnalogySet, is_syntactic, read_analogy
from pmifact.evaluation.lookup import CASES, OOV_POLICIES, covered_ids
from pmifact.evaluation.search import METHODS, answer_questions
from pmifact.evaluation.tables import ScoreRow, score_table
from pmifact.progress import Progress, no_progress
from pmifact.threads import resolve_threads
from pmifact.vectors import WordVectors


@dataclass(frozen=True, eq=False)
class AnalogyAnswers:
    """What a model answers to the n questions of an analogy set.

    Parameters
    ----------
    answers : ndarray of int64, shape (n,)
        Word ids; -1 where the question is not covered or there is no candidate.
    correct : ndarray of bool, shape (n,)
        Whether the answer is b*.
    covered : ndarray of bool, shape (n,)
        Whether all four words of the question have a vector.
    """

    answers: NDArray[np.int64]
    correct: NDArray[np.bool_]
    covered: NDArray[np.bool_]


def answer_set(
    vectors: WordVectors,
    gold: AnalogySet,
    *,
    method: str = "add",
    case: str = "fold",
    restrict_vocab: int | None = None,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> AnalogyAnswers:
    """Return the answer to each question of `gold`; the options are those of `evaluate_analogy`."""
    words = (word for question in gold.questions for word in question)
    ids = covered_ids(vectors, words, case=case, limit=restrict_vocab).reshape(len(gold), 4)
    covered: NDArray[np.bool_] = np.all(ids >= 0, axis=1)
    answers = np.full(len(gold), -1, np.int64)
    answers[covered] = answer_questions(
        vectors, ids[covered, :3], method=method, limit=restrict_vocab, threads=threads, progress=progress
    )
    return AnalogyAnswers(answers, covered & (answers == ids[:, 3]), covered)


def evaluate_analogy(
    vectors: WordVectors,
    gold: AnalogySet | str | os.PathLike[str],
    *,
    method: str = "add",
    oov: str = "skip",
    case: str = "fold",
    restrict_vocab: int | None = None,
    threads: int | None = None,
    model: str = "model",
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Score word vectors by the fraction of analogy questions a : a* :: b : b* that they answer rightly.

    The answer is the word x, other than a, a* and b, with the largest

    - 3CosAdd: cos(x, a*) - cos(x, a) + cos(x, b), or
    - 3CosMul: cos(x, a*) cos(x, b) / (cos(x, a) + 0.001), where each cosine c is mapped to (c + 1) / 2 unless
      the vectors are sparse and nowhere negative

    (Levy & Goldberg, CoNLL 2014); of equally good words, the first of the vocabulary.

    Parameters
    ----------
    vectors : WordVectors
        Dense or sparse; sparse vectors are not made dense.
    gold : AnalogySet or path
        A path is read with `read_analogy`.
    method : {"add", "mul"}
        3CosAdd or 3CosMul.
    oov : {"skip", "zero"}
        What happens to a question with a word that is not in the vocabulary or whose vector is zero: it is
        left out, or counted as answered wrongly.
    case : {"fold", "exact"}
        "fold" looks a gold word up as written, and lower-cased if that fails; "exact" only as written.
    restrict_vocab : int, optional
        Act as if the vocabulary ended after its first `restrict_vocab` words: the others are not candidates,
        and questions that hold one are not covered.
    threads : int, optional
        All cores by default. The answers do not depend on it.
    model : str
        The name of the model in the table.
    progress : Progress
        Called as blocks of candidates are finished.

    Returns
    -------
    DataFrame
        Columns model, dataset, task, section, method, score, low, high, covered, total; low and high are NaN.
        The row of section "all" comes first. Where there are several sections follow "macro", the mean over
        sections (with `oov="skip"` over those with a covered question); if names of sections start with
        "gram", as in Google's set, "semantic" and "syntactic"; and, where sections have names, one row for
        each in file order, with score NaN where `oov="skip"` leaves no question.

    Raises
    ------
    InputError
        If an option is none of the above, the gold file cannot be used (see `read_analogy`), or no question
        is covered.
    """
    check_choice("method", method, METHODS)
    check_choice("oov", oov, OOV_POLICIES)
    check_choice("case", case, CASES)
    if restrict_vocab is not None:
        check_integer("restrict_vocab", restrict_vocab, least=1)
    threads = resolve_threads(threads)
    if not isinstance(gold, AnalogySet):
        gold = read_analogy(gold)
    result = answer_set(
        vectors,
        gold,
        method=method,
        case=case,
        restrict_vocab=restrict_vocab,
        threads=threads,
        progress=progress,
    )
    if not result.covered.any():
        searched = len(vectors) if restrict_vocab is None else min(restrict_vocab, len(vectors))
        raise InputError(
            f"none of the {len(gold)} questions of {gold.name} has vectors for all four words in {model} "
            f"({searched:,} words); check the language and the case of both"
        )
    return score_table(_rows(result, gold, method=method, oov=oov, model=model))


def _rows(result: AnalogyAnswers, gold: AnalogySet, *, method: str, oov: str, model: str) -> list[ScoreRow]:
    names = gold.section_names
    numbers = {name: number for number, name in enumerate(names)}
    section_of = np.array([numbers[name] for name in gold.sections])

    def row(section: str, chosen: NDArray[np.bool_], score: float | None = None) -> ScoreRow:
        covered, total = int(result.covered[chosen].sum()), int(chosen.sum())
        counted = covered if oov == "skip" else total
        if score is None:
            score = int(result.correct[chosen].sum()) / counted if counted else float("nan")
        return ScoreRow(
            model=model,
            dataset=gold.name,
            task="analogy",
            section=section,
            method=method,
            score=score,
            covered=covered,
            total=total,
        )

    everything = np.ones(len(gold), bool)
    rows = [row("all", everything)]
    sections = [row(name, section_of == number) for name, number in numbers.items() if name]
    if len(names) > 1:
        rows.append(row("macro", everything, float(np.nanmean([section.score for section in sections]))))
    syntactic = np.array([is_syntactic(name) for name in names])[section_of]
    if syntactic.any():
        subtotals = (("semantic", ~syntactic), ("syntactic", syntactic))
        rows += [row(name, chosen) for name, chosen in subtotals if chosen.any()]
    return rows + sections
