"""The gold sets of a reproduction: named ones, or files in their place; what is absent is told of."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pmifact.datasets import dataset, find_dataset
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
    absent : mapping of str to str
        Of the others, how to get them.
    """

    sets: Mapping[str, tuple[SimilaritySet | AnalogySet, Source]]
    absent: Mapping[str, str]

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence on each absent set."""
        return tuple(f"No {name}, so its column is empty: {how}." for name, how in self.absent.items())


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
            near = nearest_names(name)
            raise InputError(
                f"gold: expected one of {', '.join(names)} before the file, got {name!r}; {near}"
            )
    sets: dict[str, tuple[SimilaritySet | AnalogySet, Source]] = {}
    absent: dict[str, str] = {}
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
            absent[name] = f"fetch it with: pmifact data get {name}" if known.fetchable else by_hand(known)
    return GoldSets(sets, absent)
