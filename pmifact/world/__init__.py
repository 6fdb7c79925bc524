"""The small world of the bundled corpus, and the gold sets whose right answers it knows.

    word tables and templates          text               gold
    places, nature, food, people,  ->  sentences(seed)    similarity_pairs()
    work, actions, qualities, things                      analogy_questions()

Everything here is a pure function of the seed; the files in ``data/`` are what ``write_world("data")``
writes.
"""

from os import PathLike
from pathlib import Path

from pmifact.errors import InputError
from pmifact.world.analogies import Question, analogy_questions
from pmifact.world.similarity import Pair, similarity_pairs
from pmifact.world.text import sentences

__all__ = [
    "ANALOGIES",
    "CORPUS",
    "SIMILARITY",
    "analogy_questions",
    "sentences",
    "similarity_pairs",
    "write_world",
]

CORPUS = "world.txt"
SIMILARITY = "world-similarity.tsv"
ANALOGIES = "world-analogies.txt"


def write_world(directory: str | PathLike[str], *, seed: int = 0) -> tuple[Path, Path, Path]:
    """Write the corpus and its two gold sets, and return their paths.

    Parameters
    ----------
    directory : str or path
        Made when it does not exist; files of the same names in it are replaced.
    seed : int
        Seed of the sentences; the gold sets follow from the world and are the same for every seed.

    Returns
    -------
    tuple of Path
        The corpus ``world.txt`` (one sentence a line), ``world-similarity.tsv`` (word, word, score from 0 to
        10) and ``world-analogies.txt`` (word2vec's format with ``: section`` lines).

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    try:
        Path(directory).mkdir(parents=True, exist_ok=True)
        for name, text in (
            (SIMILARITY, _similarity_text(similarity_pairs())),
            (ANALOGIES, _analogy_text(analogy_questions())),
            (CORPUS, "\n".join(sentences(seed)) + "\n"),
        ):
            Path(directory, name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{directory}: the bundled corpus cannot be written here: {reason}") from error
    return Path(directory, CORPUS), Path(directory, SIMILARITY), Path(directory, ANALOGIES)


def _similarity_text(pairs: list[Pair]) -> str:
    return "".join(f"{first}\t{second}\t{score:.2f}\n" for first, second, score in pairs)


def _analogy_text(questions: list[Question]) -> str:
    lines: list[str] = []
    section = ""
    for name, *words in questions:
        if name != section:
            lines.append(f": {name}")
            section = name
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"
