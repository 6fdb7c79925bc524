"""What models score on one gold set, and what a report says of it."""

from typing import Any

import pandas as pd

from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, PairSet, SimilaritySet, evaluate_similarity
from pmifact.evaluation.analogy import AnalogyAnswers, analogy_scores, answer_set
from pmifact.evaluation.comparison import Comparison
from pmifact.evaluation.similarity import PairCosines, pair_cosines
from pmifact.evaluation.ways import AnalogyOptions
from pmifact.report.mistakes import Mistakes, pair_mistakes, question_mistakes
from pmifact.report.options import ReportOptions
from pmifact.resources.progress import Progress, no_progress
from pmifact.vectors import WordVectors


class SetScores:
    """The scores of all models on one gold set, taken model by model.

    Parameters
    ----------
    gold : SimilaritySet, AnalogySet or PairSet
        The set.
    options : ReportOptions
        How it is scored.

    Attributes
    ----------
    left_out : str
        Why the set cannot be used; empty while it can.
    undecided : str
        Why the models cannot be compared on it; empty where they can.
    """

    def __init__(self, gold: SimilaritySet | AnalogySet | PairSet, options: ReportOptions) -> None:
        self.gold = gold
        self.left_out = self.undecided = ""
        self._options = options
        self._resampling: dict[str, Any] = {"resamples": options.resamples, "seed": options.seed}
        self._asking = AnalogyOptions(
            method=options.method, case=options.case, restrict_vocab=options.restrict_vocab, seed=options.seed
        )
        self._comparison = Comparison(
            similarity=(gold,) if isinstance(gold, SimilaritySet) else (),
            analogy=() if isinstance(gold, SimilaritySet) else (gold,),
            correlation=options.correlation,
            method=options.method,
            case=options.case,
            restrict_vocab=options.restrict_vocab,
            resamples=max(options.resamples, 1),
            seed=options.seed,
        )
        self._scores: list[pd.DataFrame] = []
        self._pairs: list[PairCosines] = []
        self._answers: list[AnalogyAnswers] = []
        self._texts: list[list[str]] = []

    def add(self, name: str, vectors: WordVectors, progress: Progress = no_progress) -> None:
        """Score a model; a set that cannot be used is left out where the options allow that."""
        if self.left_out:
            return
        try:
            self._score(name, vectors, progress)
        except InputError as problem:
            if self._options.sets_needed:
                raise
            self.left_out = str(problem)

    def _score(self, name: str, vectors: WordVectors, progress: Progress) -> None:
        gold, options = self.gold, self._options
        if isinstance(gold, SimilaritySet):
            scores = evaluate_similarity(
                vectors,
                gold,
                correlation=options.correlation,
                oov=options.oov,
                case=options.case,
                model=name,
                **self._resampling,
            )
            pairs = pair_cosines(vectors, gold, case=options.case)
            self._pairs.append(pairs)
            self._comparison.note(0, name, pairs.cosines, pairs.covered)
        else:
            (found,) = answer_set(vectors, gold, self._asking, threads=options.threads, progress=progress)
            scores = analogy_scores(gold, found, oov=options.oov, model=name, **self._resampling)
            words = vectors.vocabulary.words
            self._answers.append(found)
            self._texts.append([words[answer] if answer >= 0 else "" for answer in found.answers[:, 0]])
            self._comparison.note(0, name, found.correct, found.covered, found.design)
        self._scores.append(scores)

    def compare(self) -> list[dict[str, Any]]:
        """Return the rows of `compare_models` on this set; none of a single model or without resamples."""
        if self.left_out or len(self._scores) < 2 or not self._options.resamples:
            return []
        try:
            rows = self._comparison.table().to_dict("records")
        except InputError as problem:
            self.undecided = str(problem)
            return []
        return [{str(name): value for name, value in row.items()} for row in rows]

    def scores(self) -> list[pd.DataFrame]:
        """Return the score tables of all models."""
        return [] if self.left_out else self._scores

    def mistakes(self) -> Mistakes:
        """Return what models get wrong."""
        if isinstance(self.gold, SimilaritySet):
            return pair_mistakes(self.gold, self._pairs, self._options.items)
        return question_mistakes(
            self.gold.name,
            self._answers[0].design,
            self._texts,
            [answers.correct for answers in self._answers],
            [answers.covered for answers in self._answers],
            self._options.items,
        )
