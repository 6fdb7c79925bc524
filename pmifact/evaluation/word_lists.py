"""Named lists of words for tests of association, and which lists are tested against which."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pmifact.errors import InputError

Test = tuple[str, str, str, str]  # the names of the lists X and Y of targets, A and B of attributes


@dataclass(frozen=True)
class WordLists:
    """Named lists of words.

    Parameters
    ----------
    name : str
        Shown as the data set of a table.
    lists : mapping of str to tuple of str
        None empty, no word twice in one list.
    source : str, optional
        What messages say of where they are from, such as a path; the name when not given.

    Raises
    ------
    InputError
        If a list is empty, holds a word twice, or something that is no word.
    """

    name: str
    lists: Mapping[str, tuple[str, ...]]
    source: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", self.source or self.name)
        for title, words in self.lists.items():
            if isinstance(words, str) or not all(isinstance(word, str) and word for word in words):
                raise InputError(f"{self.source}: list {title!r}: expected words, got {words!r}")
            repeated = next((word for at, word in enumerate(words) if word in words[:at]), None)
            if repeated is not None:
                raise InputError(
                    f"{self.source}: list {title!r} holds the word {repeated!r} twice; remove one"
                )
            if not words:
                raise InputError(f"{self.source}: list {title!r} is empty; give it words, or remove it")

    @property
    def known_tests(self) -> tuple[Test, ...]:
        """The tests that are known by the names of their lists, and whose lists are all here."""
        return tuple(test for test in TESTS if all(title in self.lists for title in test))


def read_word_lists(path: str | os.PathLike[str]) -> WordLists:
    """Read a JSON object of names and lists of words, ``{"flowers": ["aster", ...], ...}``.

    Raises
    ------
    InputError
        Naming the file and the fault: it cannot be read, is no JSON, or anything but such an object.
    """
    try:
        content = Path(path).read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise InputError(
            f"{path}: expected readable word lists, got {problem.strerror or problem}; check the path"
        ) from problem
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: expected UTF-8, got {problem.reason} at byte {problem.start}") from problem
    try:
        lists = json.loads(content, object_pairs_hook=_distinct, parse_constant=_refuse_constant)
    except json.JSONDecodeError as problem:
        raise InputError(f"{path}: expected JSON, got something else: {problem}") from problem
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}: expected JSON, got {problem}") from problem
    if not isinstance(lists, dict) or not all(isinstance(words, list) for words in lists.values()):
        raise InputError(
            f'{path}: expected an object of lists of words, {{"name": ["word", ...], ...}}, '
            f"got {_kind(lists)}"
        )
    return WordLists(
        Path(path).stem, {title: tuple(words) for title, words in lists.items()}, source=str(path)
    )


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    titles = [title for title, _ in pairs]
    for title in titles:
        if titles.count(title) > 1:
            raise ValueError(f"the name {title!r} twice")
    return dict(pairs)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _kind(value: object) -> str:
    if isinstance(value, dict):
        title = next(title for title, words in value.items() if not isinstance(words, list))
        return f"{type(value[title]).__name__} under {title!r}"
    return type(value).__name__


# A few common words for each idea, chosen for this project so that small texts hold most of them.
OWN_LISTS = WordLists(
    "pmifact",
    {
        title: tuple(words.split())
        for title, words in {
            "men": "man boy father husband uncle grandfather gentleman king",
            "women": "woman girl mother wife aunt grandmother lady queen",
            "science": "laboratory microscope telescope experiment engine scientist physics chemistry",
            "arts": "painting theatre novel poem music opera painter dance",
            "work": "office salary company factory manager bank trade profession",
            "home": "kitchen garden family children dinner wedding house laundry",
            "flowers": "rose lily tulip daisy violet orchid poppy daffodil",
            "insects": "ant wasp fly beetle mosquito bee moth flea",
            "pleasant": "good happy kind gentle beautiful friendly cheerful lovely",
            "unpleasant": "bad sad cruel angry ugly wicked horrible dirty",
        }.items()
    },
    source="the lists of pmifact",
)
# Those of our own lists; then the ten of Caliskan, Bryson & Narayanan (Science 2017, table 1), in its order,
# by the names that the lists have in WEFE's file.
TESTS: tuple[Test, ...] = (
    ("science", "arts", "men", "women"),
    ("work", "home", "men", "women"),
    ("flowers", "insects", "pleasant", "unpleasant"),
    ("flowers", "insects", "pleasant_5", "unpleasant_5a"),
    ("instruments", "weapons", "pleasant_5", "unpleasant_5a"),
    ("european_american_names_5", "african_american_names_5", "pleasant_5", "unpleasant_5b"),
    ("european_american_names_7", "african_american_names_7", "pleasant_5", "unpleasant_5b"),
    ("european_american_names_7", "african_american_names_7", "pleasant_9", "unpleasant_9"),
    ("male_names", "female_names", "career", "family"),
    ("math", "arts", "male_terms", "female_terms"),
    ("science", "arts_2", "male_terms_2", "female_terms_2"),
    ("mental_disease", "physical_disease", "temporary", "permanent"),
    ("young_people_names", "old_people_names", "pleasant_9", "unpleasant_9"),
)
