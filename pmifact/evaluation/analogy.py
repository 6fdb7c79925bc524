"""Word analogies: how many questions a : a* :: b : ? the vectors answer rightly."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pmifact.checks import check_choice, check_kind
from pmifact.evaluation.accuracy import Totals, resampled_scores, section_sums
from pmifact.evaluation.gold import AnalogySet
from pmifact.evaluation.lookup import OOV_POLICIES, refuse_uncovered
from pmifact.evaluation.pairs import PairSet, pairs_of, read_analogy_gold
from pmifact.evaluation.questions import Design, design_of, relation_design
from pmifact.evaluation.relations import RELATION_METHODS, answer_relations
from pmifact.evaluation.resampling import RESAMPLES, check_resampling, interval
from pmifact.evaluation.tables import ScoreRow, score_table
from pmifact.evaluation.ways import AnalogyOptions, ways_of
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.threads import resolve_threads
from pmifact.search.analogies import best_answers
from pmifact.vectors import WordVectors


@dataclass(frozen=True, eq=False)
class AnalogyAnswers:
    """What a model answers to the n questions of an analogy set, by one method.

    Parameters
    ----------
    method : str
        As in the score table.
    design : Design
        The questions.
    answers : ndarray of int64, shape (n, k)
        Word ids, the best first; -1 where the question is not covered or there are no more candidates.
    scores : ndarray of float32, shape (n, k)
        What the method gives the answers.
    correct : ndarray of bool, shape (n,)
        Whether the first answer is a right one.
    covered : ndarray of bool, shape (n,)
        Whether the words of the question, and a right answer, have a vector.
    searched : int
        How many words of the vocabulary were looked at.
    all_count : bool
        Whether questions that are not covered count, whatever the policy is.
    """

    method: str
    design: Design
    answers: NDArray[np.int64]
    scores: NDArray[np.float32]
    correct: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    searched: int
    all_count: bool = False


def answer_set(
    vectors: WordVectors,
    gold: AnalogySet | PairSet,
    options: AnalogyOptions,
    *,
    top: int = 1,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Iterator[AnalogyAnswers]:
    """Yield the `top` answers to each question of `gold`: by the method asked for, then for each control."""
    limit, case = options.restrict_vocab, options.case
    searched = len(vectors.covered[:limit])
    if options.method in RELATION_METHODS:
        pairs = gold if isinstance(gold, PairSet) else pairs_of(gold)
        yield _judge(
            options.method,
            relation_design(pairs),
            searched,
            *answer_relations(
                vectors,
                pairs,
                method=options.method,
                case=case,
                limit=limit,
                seed=options.seed,
                top=top,
                threads=threads,
                progress=progress,
            ),
        )
        return
    design = design_of(gold)
    ways = list(ways_of(vectors, gold, design, options))
    covered = ways[0].questions.covered
    for number, way in enumerate(ways):
        asked = np.ones_like(covered) if way.row_0 else covered
        inputs = way.questions.inputs[asked]
        answers = np.full((len(design), top), -1, np.int64)
        scores = np.full((len(design), top), -np.inf, np.float32)
        scores[asked], answers[asked] = best_answers(
            vectors,
            np.maximum(inputs, 0),
            rule=way.rule,
            inputs=inputs,
            top=top,
            limit=limit,
            threads=threads,
            progress=lambda done, total, before=number: progress(before * total + done, total * len(ways)),
        )
        yield _judge(way.method, design, searched, answers, scores, way.questions.right, covered, way.row_0)


def _judge(
    method: str,
    design: Design,
    searched: int,
    answers: NDArray[np.int64],
    scores: NDArray[np.float32],
    right: NDArray[np.int64],
    covered: NDArray[np.bool_],
    all_count: bool = False,
) -> AnalogyAnswers:
    first = answers[:, :1]
    correct = ((first == right) & (first >= 0)).any(axis=1)
    return AnalogyAnswers(method, design, answers, scores, correct, covered, searched, all_count)


def evaluate_analogy(
    vectors: WordVectors,
    gold: AnalogySet | PairSet | str | os.PathLike[str],
    *,
    method: str = "add",
    controls: bool = False,
    like: str | None = None,
    oov: str = "skip",
    case: str = "fold",
    restrict_vocab: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    threads: int | None = None,
    model: str = "model",
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Score word vectors by the fraction of analogy questions a : a* :: b : b* that they answer rightly.

    The answer is the word x, other than a, a* and b, with the largest

    - 3CosAdd: cos(x, a*) - cos(x, a) + cos(x, b);
    - 3CosMul: cos(x, a*) cos(x, b) / (cos(x, a) + 0.001), where each cosine c is mapped to (c + 1) / 2 unless
      the vectors are sparse and nowhere negative; or
    - PairDirection: cos(x - b, a* - a), on vectors of length 1

    (Levy & Goldberg, CoNLL 2014); of equally good words, the first of the vocabulary. Two more methods rest
    on all other pairs of the relation (Drozd, Gladkova & Matsuoka, COLING 2016); the answer is the word x,
    other than b, with the largest

    - 3CosAvg: cos(x, b + mean of a* - mean of a), where a* stands for the mean of a pair's right answers; or
    - LRCos: P(x) cos(x, b), where P is the probability, by logistic regression, that x is a right answer of
      the relation, told from the words a and as many random words as there are right answers.

    Parameters
    ----------
    vectors : WordVectors
        Dense or sparse; sparse vectors are not made dense.
    gold : AnalogySet, PairSet or path
        A path is a file of questions (see `read_analogy`), or a file or a folder of pairs (see `read_pairs`).
        The first three methods ask all ordered pairs of pairs of a section, with the first right answer that
        has a vector for a*; the other two ask the distinct pairs of a section of questions.
    method : {"add", "mul", "pairdirection", "avg", "lrcos"}
        3CosAdd, 3CosMul, PairDirection, 3CosAvg or LRCos.
    controls : bool, default False
        Add the rows of four ways to ask that show what a score rests on (Linzen, RepEval 2016), named by
        their method: "add inputs-kept", a, a* and b are candidates too; "only-b", the word nearest to b;
        "ignore-a", the word nearest to a* + b; "add reversed", a* : a :: b* : b. Only with the first three
        methods.
    like : {"hyperwords"}, optional
        Add the rows that hyperwords' rules give, one at a time and all together: "add oov-row-0", a word that
        is not in the vocabulary borrows the vector of the first word, and every question counts; "add
        inputs-zero", a, a* and b are candidates whose score is set to 0, and so are words without a vector;
        "mul epsilon-0.01"; and "add hyperwords", all of these, on lower-cased questions. Only for questions
        of four words, by 3CosAdd and 3CosMul.
    oov : {"skip", "zero"}
        What happens to a question with a word that is not in the vocabulary or whose vector is zero: it is
        left out, or counted as answered wrongly.
    case : {"fold", "exact"}
        "fold" looks a gold word up as written, and lower-cased if that fails; "exact" only as written.
    restrict_vocab : int, optional
        Act as if the vocabulary ended after its first `restrict_vocab` words: the others are not candidates,
        and questions that hold one are not covered.
    resamples : int, default 999
        Bootstrap resamples of the word pairs; 0 leaves the intervals out.
    seed : int, default 0
        Of the resamples, and of the random words of LRCos.
    threads : int, optional
        All cores by default. The answers do not depend on it.
    model : str
        The name of the model in the table.
    progress : Progress
        Called as blocks of candidates are finished.

    Returns
    -------
    DataFrame
        Columns model, dataset, task, section, method, score, low, high, covered, total; low and high are the
        ends of the 95 % interval of a bootstrap that draws word pairs, within sections.
        The row of section "all" comes first. Where there are several sections follow "macro", the mean over
        sections (with `oov="skip"` over those with a covered question); if names of sections start with
        "gram", as in Google's set, "semantic" and "syntactic"; if they are codes of BATS, "inflectional",
        "derivational", "encyclopedic" and "lexicographic"; and, where sections have names, one row for
        each in file order, with score NaN where `oov="skip"` leaves no question.

    Raises
    ------
    InputError
        If an option is none of the above, the gold file cannot be used, or no question is covered.
    """
    options = AnalogyOptions(
        method=method, case=case, controls=controls, like=like, restrict_vocab=restrict_vocab, seed=seed
    )
    check_kind("vectors", vectors, WordVectors, "read_vectors")
    check_choice("oov", oov, OOV_POLICIES)
    check_resampling(resamples, seed)
    threads = resolve_threads(threads)
    gold = read_analogy_gold(gold) if isinstance(gold, str | os.PathLike) else gold
    frames = [
        analogy_scores(gold, answers, oov=oov, resamples=resamples, seed=seed, model=model)
        for answers in answer_set(vectors, gold, options, threads=threads, progress=progress)
    ]
    return pd.concat(frames, ignore_index=True)


def analogy_scores(
    gold: AnalogySet | PairSet,
    result: AnalogyAnswers,
    *,
    oov: str,
    resamples: int,
    seed: int,
    model: str,
) -> pd.DataFrame:
    """Return the score table of answers; the options are those of `evaluate_analogy`."""
    design, covered = result.design, result.covered
    refuse_uncovered(covered, gold.name, "questions", "all four words", model, result.searched)
    totals = Totals.of(design.section_names)
    counted = covered if oov == "skip" and not result.all_count else np.ones_like(covered)
    scores = totals.scores(section_sums(design, result.correct), section_sums(design, counted))
    ends = np.full((len(scores), 2), np.nan)
    if resamples:
        resampled = resampled_scores(
            design, totals, result.correct[None], counted, resamples=resamples, seed=seed
        )
        ends = np.array([interval(column) for column in resampled[:, 0].T])
    sizes = [totals.sums(section_sums(design, items)) for items in (covered, np.ones_like(covered))]
    return score_table(
        ScoreRow(
            model=model,
            dataset=gold.name,
            task="analogy",
            section=name,
            method=result.method,
            score=float(scores[at]),
            low=float(ends[at, 0]),
            high=float(ends[at, 1]),
            covered=int(sizes[0][at]),
            total=int(sizes[1][at]),
        )
        for at, name in enumerate(totals.names)
    )
