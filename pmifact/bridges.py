"""Word vectors as objects of other libraries; the only module that imports gensim and torch."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError

if TYPE_CHECKING:
    from pmifact.vectors import WordVectors


def to_gensim(vectors: "WordVectors") -> Any:
    """Return `gensim.models.KeyedVectors`; see `WordVectors.to_gensim`."""
    matrix = _dense(vectors, "to_gensim")
    keyed = _library("gensim.models", "to_gensim").KeyedVectors(matrix.shape[1], dtype=np.float32)
    keyed.add_vectors(list(vectors.vocabulary.words), matrix)
    for word, count in zip(vectors.vocabulary.words, vectors.vocabulary.counts.tolist(), strict=True):
        keyed.set_vecattr(word, "count", count)
    return keyed


def to_torch(vectors: "WordVectors", *, padding: bool, freeze: bool) -> Any:
    """Return a `torch.nn.Embedding`; see `WordVectors.to_torch`."""
    matrix = _dense(vectors, "to_torch")
    torch = _library("torch", "to_torch")
    # In either case a copy, which training may change.
    weights = np.concatenate([matrix, np.zeros((int(padding), matrix.shape[1]), np.float32)])
    return torch.nn.Embedding.from_pretrained(
        torch.from_numpy(weights), freeze=freeze, padding_idx=len(vectors) if padding else None
    )


def _library(name: str, caller: str) -> Any:
    package = name.partition(".")[0]
    try:
        return import_module(name)
    except ImportError as problem:
        raise InputError(
            f"{caller}: needs {package}, which cannot be imported ({problem}); "
            f"install it with: pip install {package}"
        ) from problem


def _dense(vectors: "WordVectors", caller: str) -> NDArray[np.float32]:
    if not isinstance(vectors.matrix, np.ndarray):
        raise InputError(f"{caller}: expected dense vectors, got sparse ones; factorize them first")
    return vectors.matrix
