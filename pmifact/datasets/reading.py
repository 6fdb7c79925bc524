"""Named gold sets as the evaluation takes them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from pmifact.datasets.places import dataset_path, find_dataset
from pmifact.datasets.registry import Dataset, dataset, datasets
from pmifact.errors import InputError
from pmifact.evaluation.gold import AnalogySet, SimilaritySet, read_analogy, read_similarity
from pmifact.evaluation.pairs import PairSet, read_pairs

GoldSet = SimilaritySet | AnalogySet | PairSet
_READERS: Mapping[str, Callable[[Path], GoldSet]] = {
    "similarity": read_similarity,
    "analogy": read_analogy,
    "pairs": read_pairs,
}
TASKS = {"similarity": ("similarity",), "analogy": ("analogy", "pairs")}


def read_dataset(name: str) -> GoldSet:
    """Read the gold set of this name, which is what the score tables call it.

    Returns
    -------
    SimilaritySet, AnalogySet or PairSet
        For `evaluate_similarity`, or `evaluate_analogy`.

    Raises
    ------
    InputError
        If there is no gold set of that name, it is not at hand (the message says how to get it), or its
        bytes are not the published ones.
    """
    wanted = dataset(name)
    if wanted.kind == "corpus":
        raise InputError(
            f"{name}: expected a gold set, got a corpus; 'pmifact data path {name}' prints its file"
        )
    return read_gold_file(wanted, dataset_path(name))


def read_gold_file(wanted: Dataset, path: Path) -> GoldSet:
    """Read a file or folder as what the set should be; raise `InputError` when it has not as many items."""
    gold = _READERS[wanted.kind](path)
    if wanted.rows is not None and len(gold) != wanted.rows:
        raise InputError(
            f"{path}: expected the {wanted.rows:,} items of {wanted.title}, got {len(gold):,}; "
            "get the whole file as it is published"
        )
    return replace(gold, name=wanted.name)


def datasets_at_hand(task: str) -> tuple[str, ...]:
    """Return the names of the gold sets of a task ("similarity" or "analogy") that need not be fetched."""
    return tuple(
        name
        for name, known in datasets().items()
        if known.kind in TASKS[task] and find_dataset(name) is not None
    )
