"""Named gold sets and corpora: who publishes them, where they are, and how they get here."""

from pmifact.datasets.adding import add_dataset
from pmifact.datasets.fetching import get_dataset
from pmifact.datasets.places import Place, dataset_path, find_dataset
from pmifact.datasets.reading import datasets_at_hand, read_dataset
from pmifact.datasets.registry import Dataset, dataset, datasets

__all__ = [
    "Dataset",
    "Place",
    "add_dataset",
    "dataset",
    "dataset_path",
    "datasets",
    "datasets_at_hand",
    "find_dataset",
    "get_dataset",
    "read_dataset",
]
