"""The gold sets of a reproduction: named ones, or files in their place; what is absent is told of."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pmifact.datasets import dataset, datasets, find_dataset
from pmifact.datasets.places import by_hand
from pmifact.datasets.reading import TASKS, read_dataset
from pmifact.datasets.registry import nearest_names
from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet, SimilaritySet, read_analogy, read_similarity
from pmifact.storage.files import file_source
from pmifact.text.readers import Source


@dataclass(frozen=True, eq=False)
class GoldSets:
    """The sets of a reproduction.

    Parameters
    ----------
    sets : mapping of str to (SimilaritySet or AnalogySet, Source)
        Those at hand, by the name of their column, with their digests.
    absent : tuple of str
        Of the others, the names.
    """

    sets: Mapping[str, tuple[SimilaritySet | AnalogySet, Source]]
    absent: tuple[str, ...]

    @property
    def fetchable(self) -> tuple[str, ...]:
        """The absent sets that have a public source."""
        return tuple(name for name in self.absent if dataset(name).fetchable)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on the absent sets, and how to get them."""
        fetched = self.fetchable
        others = [name for name in self.absent if name not in fetched]
        notes = [f"Not at hand, its column is empty: {name}; {by_hand(dataset(name))}" for name in others]
        if fetched:
            names = ", ".join(fetched)
            notes.append(f"Not at hand, left empty: {names}; to fetch: pmifact data get {' '.join(fetched)}")
        return tuple(notes)


def choose_gold(names: Sequence[str], given: Mapping[str, str | os.PathLike[str]]) -> GoldSets:
    """Read the sets that are at hand.

    Parameters
    ----------
    names : sequence of str
        Of data sets.
    given : mapping of str to path
        Files to take for some of them.

    Raises
    ------
    InputError
        If a file is given for another name, or a set cannot be read.
    """
    for name in given:
        if name not in names:
            remedy = nearest_names(name) if name not in datasets() else "it is none of this paper's sets"
            raise InputError(
                f"gold: expected one of {', '.join(names)} before the file, got {name!r}; {remedy}"
            )
    sets: dict[str, tuple[SimilaritySet | AnalogySet, Source]] = {}
    absent: list[str] = []
    for name in names:
        known = dataset(name)
        if name in given:
            read = read_similarity if known.kind in TASKS["similarity"] else read_analogy
            sets[name] = replace(read(given[name]), name=name), file_source(given[name])
        elif (place := find_dataset(name)) is not None:
            gold = read_dataset(name)
            assert isinstance(gold, SimilaritySet | AnalogySet)
            sets[name] = gold, file_source(place.path)
        else:
            absent.append(name)
    return GoldSets(sets, tuple(absent))
