"""Gold sets: scored word pairs and analogy questions, read from the files in which they are published."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.evaluation.rows import GoldRow, read_rows

SUMMARY_SECTIONS = ("all", "macro")
# The files of BATS are named by a code, such as "I01 [noun - plural_reg]".
_BATS_CODE = re.compile(r"([IDEL])\d\d \[")
_BATS_GROUPS = {"I": "inflectional", "D": "derivational", "E": "encyclopedic", "L": "lexicographic"}


@dataclass(frozen=True, eq=False)
class SimilaritySet:
    """Word pairs with human scores.

    Parameters
    ----------
    name : str
        Shown as the data set of a score table.
    words1, words2 : tuple of str, length n
        The two words of each pair, as published; a pair may stand twice.
    scores : ndarray of float64, shape (n,)
        How similar people found them.
    texts : tuple of str, length n, optional
        The scores as published, for hyperwords' way to rank them.

    Raises
    ------
    InputError
        If the lengths differ or a score is not finite.
    """

    name: str
    words1: tuple[str, ...]
    words2: tuple[str, ...]
    scores: NDArray[np.float64]
    texts: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        words1, words2 = tuple(self.words1), tuple(self.words2)
        scores = np.asarray(self.scores, dtype=np.float64)
        if len(words1) != len(words2) or scores.shape != (len(words1),):
            raise InputError(
                f"similarity set {self.name}: expected as many second words and scores as first words, "
                f"got {len(words1)} first words, {len(words2)} second words, scores of shape {scores.shape}"
            )
        if not np.isfinite(scores).all():
            pair = int(np.flatnonzero(~np.isfinite(scores))[0])
            raise InputError(
                f"similarity set {self.name}: the score of {words1[pair]!r} and {words2[pair]!r} is "
                f"{scores[pair]}; scores must be finite"
            )
        if self.texts is not None and len(self.texts) != len(words1):
            raise InputError(
                f"similarity set {self.name}: expected the text of each of the {len(words1)} scores, "
                f"got {len(self.texts)}"
            )
        object.__setattr__(self, "words1", words1)
        object.__setattr__(self, "words2", words2)
        object.__setattr__(self, "scores", scores)

    def __len__(self) -> int:
        return len(self.words1)


@dataclass(frozen=True, eq=False)
class AnalogySet:
    """Analogy questions a : a* :: b : b*.

    Parameters
    ----------
    name : str
        Shown as the data set of a score table.
    questions : tuple of (str, str, str, str), length n
        a, a*, b and the right answer b*, as published; a question may stand twice.
    sections : tuple of str, length n
        The section of each question; "" where the file has none. `subtotals_of` tells which of them are
        shown together.

    Raises
    ------
    InputError
        If the lengths differ, a question does not have four words, or a section is named like a
        summary row of the score table.
    """

    name: str
    questions: tuple[tuple[str, str, str, str], ...]
    sections: tuple[str, ...]

    def __post_init__(self) -> None:
        questions, sections = tuple(self.questions), tuple(self.sections)
        for question in questions:
            if len(question) != 4:
                raise InputError(f"analogy set {self.name}: expected four words a question, got {question!r}")
        if len(questions) != len(sections):
            raise InputError(
                f"analogy set {self.name}: expected one section for each question, "
                f"got {len(questions)} questions and {len(sections)} sections"
            )
        object.__setattr__(self, "questions", questions)
        object.__setattr__(self, "sections", sections)
        refuse_summary_names(self.section_names, f"analogy set {self.name}")

    @property
    def section_names(self) -> tuple[str, ...]:
        """The distinct sections in the order in which they first appear."""
        return tuple(dict.fromkeys(self.sections))

    def __len__(self) -> int:
        return len(self.questions)


def subtotals_of(sections: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the sections of each subtotal of a score table, in the order of the rows; empty without any.

    In Google's set, sections named "gram1-..." to "gram9-..." are syntactic and all others semantic; in BATS
    the letter that a name begins with tells inflectional, derivational, encyclopedic and lexicographic ones.
    """
    names = tuple(dict.fromkeys(sections))
    if any(name.startswith("gram") for name in names):
        parts = {
            "semantic": tuple(name for name in names if not name.startswith("gram")),
            "syntactic": tuple(name for name in names if name.startswith("gram")),
        }
    else:
        codes = {name: match[1] for name in names if (match := _BATS_CODE.match(name))}
        parts = {
            group: tuple(name for name, code in codes.items() if code == letter)
            for letter, group in _BATS_GROUPS.items()
        }
    return {name: members for name, members in parts.items() if members}


def refuse_summary_names(sections: Iterable[str], what: str) -> None:
    """Raise `InputError` when a section of the set `what` is named like a summary row of its score table."""
    names = tuple(dict.fromkeys(sections))
    kept = {*SUMMARY_SECTIONS, *subtotals_of(names)}
    for name in names:
        if name in kept:
            raise InputError(
                f"{what}: the section name {name!r} is kept for a summary row of the "
                "score table; rename the section"
            )


def read_similarity(path: str | os.PathLike[str]) -> SimilaritySet:
    r"""Read word pairs with scores.

    Each line holds two words and, in the first column after them that is a number in the first row, their
    score; other columns are not used. Columns are separated by tabs if the first row has one, else by
    commas if it has one, else by white space. Lines starting with ``#`` and blank lines are skipped, and so
    is a header: a first row without a number after its second column whose first field starts with "word".
    Both ``\n`` and ``\r\n`` end lines.

    Parameters
    ----------
    path : str or PathLike
        A UTF-8 text file.

    Returns
    -------
    SimilaritySet
        Named after the file, without its suffix; pairs in file order, none left out.

    Raises
    ------
    InputError
        Naming the file and the line: it cannot be opened, is not UTF-8, has no pairs, too few columns, an
        empty word or a score that is not a finite number.
    """
    rows = list(read_rows(path, is_header=_names_columns))
    if not rows:
        raise InputError(f"{path}: expected lines with two words and a score, got no such line")
    column = _score_column(rows[0])
    scores = np.empty(len(rows))
    for number, row in enumerate(rows):
        if len(row.fields) <= column:
            raise row.error(
                f"the score in column {column + 1}, as in line {rows[0].line}",
                f"{row.shape}: {row.text!r}",
                "give every pair its score in the same column, separated alike",
            )
        score = _finite(row.fields[column])
        if score is None:
            raise row.error(f"a number in column {column + 1}", repr(row.fields[column]), "correct the score")
        row.refuse_empty(2)
        scores[number] = score
    return SimilaritySet(
        name=Path(path).stem,
        words1=tuple(row.fields[0] for row in rows),
        words2=tuple(row.fields[1] for row in rows),
        scores=scores,
        texts=tuple(row.fields[column] for row in rows),
    )


def _names_columns(fields: tuple[str, ...]) -> bool:
    scored = any(_finite(field) is not None for field in fields[2:])
    return not scored and fields[0].lower().startswith("word")


def _score_column(row: GoldRow) -> int:
    if len(row.fields) < 3:
        raise row.error(
            "two words and a score separated by tabs, commas or spaces",
            f"{row.shape}: {row.text!r}",
            "separate the columns with tabs",
        )
    for column, field in enumerate(row.fields[2:], start=2):
        if _finite(field) is not None:
            return column
    raise row.error(
        "a numeric score after the two words", repr(row.text), "write scores like 7.35, and # before a header"
    )


def _finite(field: str) -> float | None:
    try:
        number = float(field)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def read_analogy(path: str | os.PathLike[str]) -> AnalogySet:
    r"""Read analogy questions, in word2vec's format with ``: section`` lines or as plain four-column lines.

    Columns are separated by tabs if the first question has one, else by commas if it has one, else by white
    space. Lines starting with ``#`` and blank lines are skipped. Both ``\n`` and ``\r\n`` end lines.

    Parameters
    ----------
    path : str or PathLike
        A UTF-8 text file.

    Returns
    -------
    AnalogySet
        Named after the file, without its suffix; questions in file order, none left out.

    Raises
    ------
    InputError
        Naming the file and the line: it cannot be opened, is not UTF-8, has no questions, a line without
        exactly four words, or a section without a name or after questions that have none.
    """
    questions: list[tuple[str, str, str, str]] = []
    sections: list[str] = []
    section = ""
    for row in read_rows(path, titles=":"):
        if row.title is not None:
            section = row.title
            if not section:
                raise row.error("a section name after the colon", repr(row.text), "name the section")
            if "" in sections[:1]:
                raise row.error(
                    "no section line after questions without one",
                    repr(row.text),
                    "put a section line before the first question, or remove them all",
                )
            continue
        if len(row.fields) != 4:
            raise row.error(
                "four words separated by tabs, commas or spaces, or a line ': section'",
                f"{row.shape}: {row.text!r}",
                "write one question a line, separated as in the first",
            )
        row.refuse_empty(4)
        a, a_star, b, b_star = row.fields
        questions.append((a, a_star, b, b_star))
        sections.append(section)
    if not questions:
        raise InputError(f"{path}: expected analogy questions of four words, got none")
    return AnalogySet(name=Path(path).stem, questions=tuple(questions), sections=tuple(sections))
