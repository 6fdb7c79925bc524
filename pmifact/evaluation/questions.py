"""Analogy questions in terms of one model: word ids instead of words, and the word pairs behind them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.evaluation.gold import AnalogySet
from pmifact.evaluation.lookup import covered_ids
from pmifact.evaluation.pairs import PairSet
from pmifact.vectors import WordVectors


@dataclass(frozen=True, eq=False)
class Design:
    """How n questions hang together, which is the same for every model.

    Parameters
    ----------
    texts : tuple of (str, str, str, str), length n
        a, a*, b and b* as published, several right answers separated by "/"; a and a* are empty where a
        question rests on a whole relation.
    section_names : tuple of str
        In file order.
    sections : ndarray of int64, shape (n,)
        The section of each question.
    pairs : ndarray of int64, shape (n, 2)
        The word pairs a : a* and b : b* that each question is built from; twice the same for questions
        about one.
    pair_sections : ndarray of int64, shape (P,)
        The section in which each word pair first stands.
    """

    texts: tuple[tuple[str, str, str, str], ...]
    section_names: tuple[str, ...]
    sections: NDArray[np.int64]
    pairs: NDArray[np.int64]
    pair_sections: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, eq=False)
class Questions:
    """The questions of an analogy set for one model.

    Parameters
    ----------
    inputs : ndarray of int64, shape (n, 3)
        Ids of a, a* and b; -1 for a word without a vector.
    right : ndarray of int64, shape (n, k)
        Ids of the right answers, in the order of the set; -1 after the last, and for those without a vector.
    """

    inputs: NDArray[np.int64]
    right: NDArray[np.int64]

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Bool[n]: whether a, a*, b and at least one right answer have vectors."""
        covered: NDArray[np.bool_] = (self.inputs >= 0).all(axis=1) & (self.right[:, 0] >= 0)
        return covered

    def reversed(self) -> "Questions":
        """Return the questions a* : a :: b* : b."""
        a, a_star, b = self.inputs.T
        return replace(self, inputs=np.column_stack([a_star, a, self.right[:, 0]]), right=b[:, None])


def design_of(gold: AnalogySet | PairSet) -> Design:
    """Return the questions of a set: those it holds, or all ordered pairs of pairs within each section."""
    names = gold.section_names
    numbers = {name: number for number, name in enumerate(names)}
    if isinstance(gold, AnalogySet):
        sections = np.array([numbers[section] for section in gold.sections])
        halves = (
            (half, section)
            for q, section in zip(gold.questions, sections, strict=True)
            for half in (q[:2], q[2:])
        )
        pairs, pair_sections = _number(((a.lower(), b.lower()), section) for (a, b), section in halves)
        return Design(gold.questions, names, sections, pairs.reshape(-1, 2), pair_sections)
    sections = np.array([numbers[section] for section in gold.sections])
    pairs = np.concatenate([_ordered(np.flatnonzero(sections == number)) for number in range(len(names))])
    if not len(pairs):
        raise InputError(
            f"pair set {gold.name}: expected two pairs or more in a section, to build questions from, "
            "got none; put pairs of one relation into one section"
        )
    texts = tuple(
        (gold.pairs[p][0], "/".join(gold.pairs[p][1]), gold.pairs[q][0], "/".join(gold.pairs[q][1]))
        for p, q in pairs
    )
    return Design(texts, names, sections[pairs[:, 1]], pairs, sections)


def relation_design(gold: PairSet) -> Design:
    """Return one question for each pair, which rests on all other pairs of its section."""
    numbers = {name: number for number, name in enumerate(gold.section_names)}
    sections = np.array([numbers[section] for section in gold.sections])
    texts = tuple(("", "", word, "/".join(answers)) for word, answers in gold.pairs)
    each = np.arange(len(gold))
    return Design(texts, gold.section_names, sections, np.column_stack([each, each]), sections)


def questions_of(
    vectors: WordVectors,
    gold: AnalogySet | PairSet,
    design: Design,
    *,
    case: str,
    limit: int | None = None,
    zero_rows: bool = False,
) -> Questions:
    """Return the ids of the words of the questions of `design_of(gold)`; options as for `covered_ids`."""
    if isinstance(gold, AnalogySet):
        words = (word for question in gold.questions for word in question)
        ids = covered_ids(vectors, words, case=case, limit=limit, zero_rows=zero_rows).reshape(len(gold), 4)
        return Questions(ids[:, :3], ids[:, 3:])
    sources, targets = pair_ids(vectors, gold, case=case, limit=limit)
    first, second = design.pairs.T
    return Questions(np.column_stack([sources[first], targets[first, 0], sources[second]]), targets[second])


def pair_ids(
    vectors: WordVectors, gold: PairSet, *, case: str, limit: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the id of each word b, shape (n,), and those of its right answers b*, shape (n, k).

    Right answers without a vector are left out and the rest moved up; -1 fills the rows.
    """
    sources = covered_ids(vectors, (word for word, _ in gold.pairs), case=case, limit=limit)
    rows = []
    for _, answers in gold.pairs:
        ids = covered_ids(vectors, answers, case=case, limit=limit)
        rows.append(ids[ids >= 0])
    targets = np.full((len(gold), max(1, *map(len, rows))), -1, np.int64)
    for target, row in zip(targets, rows, strict=True):
        target[: len(row)] = row
    return sources, targets


def _number(
    pairs: Iterable[tuple[tuple[str, str], np.int64]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of each pair, and the section in which each distinct pair first stands."""
    numbers: dict[tuple[str, str], int] = {}
    first_sections: list[np.int64] = []
    found = []
    for pair, section in pairs:
        if pair not in numbers:
            numbers[pair] = len(numbers)
            first_sections.append(section)
        found.append(numbers[pair])
    return np.array(found, np.int64), np.array(first_sections, np.int64)


def _ordered(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all (p, q) with p before q or after it, shape (m (m - 1), 2)."""
    first, second = np.nonzero(~np.eye(len(pairs), dtype=bool))
    return np.column_stack([pairs[first], pairs[second]])
