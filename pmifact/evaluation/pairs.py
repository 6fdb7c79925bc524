"""Pair sets: relations given as word pairs, with one right answer or several, such as those of BATS."""

import os
from dataclasses import dataclass
from pathlib import Path

from pmifact.errors import InputError
from pmifact.evaluation.gold import AnalogySet, read_analogy, refuse_summary_names
from pmifact.evaluation.rows import GoldRow, read_rows


@dataclass(frozen=True, eq=False)
class PairSet:
    """Word pairs b : b*, each in a relation.

    Parameters
    ----------
    name : str
        Shown as the data set of a score table.
    pairs : tuple of (str, tuple of str), length n
        A word b and its right answers b*, the most typical first.
    sections : tuple of str, length n
        The relation of each pair; "" where there is only one, without a name.

    Raises
    ------
    InputError
        If the lengths differ, a pair has no right answer, or a section is named like a summary row of the
        score table.
    """

    name: str
    pairs: tuple[tuple[str, tuple[str, ...]], ...]
    sections: tuple[str, ...]

    def __post_init__(self) -> None:
        pairs = tuple((word, tuple(answers)) for word, answers in self.pairs)
        sections = tuple(self.sections)
        if len(pairs) != len(sections):
            raise InputError(
                f"pair set {self.name}: expected one section for each pair, "
                f"got {len(pairs)} pairs and {len(sections)} sections"
            )
        for word, answers in pairs:
            if not answers:
                raise InputError(f"pair set {self.name}: the word {word!r} has no right answer")
        refuse_summary_names(sections, f"pair set {self.name}")
        object.__setattr__(self, "pairs", pairs)
        object.__setattr__(self, "sections", sections)

    @property
    def section_names(self) -> tuple[str, ...]:
        """The distinct sections in the order in which they first appear."""
        return tuple(dict.fromkeys(self.sections))

    def __len__(self) -> int:
        return len(self.pairs)


def pairs_of(gold: AnalogySet) -> PairSet:
    """Return the distinct word pairs that the questions of each section are built from, in file order."""
    answers: dict[tuple[str, str], dict[str, None]] = {}
    for (a, a_star, b, b_star), section in zip(gold.questions, gold.sections, strict=True):
        for word, answer in ((a, a_star), (b, b_star)):
            answers.setdefault((section, word), {})[answer] = None
    return PairSet(
        name=gold.name,
        pairs=tuple((word, tuple(right)) for (_, word), right in answers.items()),
        sections=tuple(section for section, _ in answers),
    )


def read_analogy_gold(path: str | os.PathLike[str]) -> AnalogySet | PairSet:
    """Read questions of four words, or pairs of two (a file, or a folder of them), as the first row says."""
    if Path(path).is_dir():
        return read_pairs(path)
    first = next((row for row in read_rows(path, titles=":") if row.title is None), None)
    return read_pairs(path) if first and len(first.fields) == 2 else read_analogy(path)


def read_pairs(path: str | os.PathLike[str]) -> PairSet:
    r"""Read word pairs, such as the files of BATS 3.0.

    Each line holds a word and its right answers, separated by ``/``, the most typical first. Columns are
    separated by tabs if the first row has one, else by commas if it has one, else by white space. Lines
    starting with ``#`` and blank lines are skipped; a line ``: name`` opens a section.

    Parameters
    ----------
    path : str or PathLike
        A UTF-8 text file; or a folder, in which each ``.txt`` file, at any depth, is a section with the
        stem of its name, sorted by path.

    Returns
    -------
    PairSet
        Named after the file, without its suffix, or the folder; pairs in file order, none left out.

    Raises
    ------
    InputError
        Naming the file and the line: it cannot be opened, is not UTF-8, has no pairs, a line without
        exactly two columns, an empty word, or a pair without a right answer.
    """
    path = Path(path)
    if not path.is_dir():
        pairs, sections = _read_file(path, section="")
        return PairSet(path.stem, tuple(pairs), tuple(sections))
    files = sorted(path.rglob("*.txt"))
    if not files:
        raise InputError(f"{path}: expected a folder with .txt files of word pairs, got none in it")
    pairs, sections = [], []
    for file in files:
        more, names = _read_file(file, section=file.stem)
        pairs += more
        sections += names
    return PairSet(path.name, tuple(pairs), tuple(sections))


def _read_file(path: Path, section: str) -> tuple[list[tuple[str, tuple[str, ...]]], list[str]]:
    pairs, sections = [], []
    for row in read_rows(path, titles=":"):
        if row.title is not None:
            section = row.title
            continue
        pairs.append(_pair(row))
        sections.append(section)
    if not pairs:
        raise InputError(f"{path}: expected lines with a word and its right answers, got none")
    return pairs, sections


def _pair(row: GoldRow) -> tuple[str, tuple[str, ...]]:
    if len(row.fields) != 2:
        raise row.error(
            "a word and its right answers, such as 'cat<tab>kitten/kit'",
            f"{row.shape}: {row.text!r}",
            "write one pair a line, separated as in the first",
        )
    row.refuse_empty(2)
    answers = tuple(dict.fromkeys(filter(None, row.fields[1].split("/"))))
    if not answers:
        raise row.error("a right answer", repr(row.fields[1]), "write at least one")
    return row.fields[0], answers
