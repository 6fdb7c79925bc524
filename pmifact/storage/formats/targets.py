"""What every writer of vectors asks first: whether these can be written, and this file be replaced."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from pmifact.errors import ArtifactError, InputError
from pmifact.storage.files import open_regular
from pmifact.storage.replacement import replacing, resolve
from pmifact.storage.vocabulary_file import check_words
from pmifact.vectors import WordVectors

Recognizes = Callable[[BufferedReader], bool]


def prepared(vectors: WordVectors, target: Path) -> NDArray[np.float32]:
    """Return the numbers to write; raise `InputError` when what is written could not be read again."""
    matrix: Any = vectors.matrix
    if issparse(matrix):
        raise InputError(
            f"{target}: sparse vectors cannot be written to a vectors file; "
            "factorize the counts and export the factors"
        )
    if matrix.ndim != 2 or 0 in matrix.shape or len(matrix) != len(vectors.vocabulary):
        raise InputError(
            f"{target}: expected a vector for each of {len(vectors.vocabulary)} words, at least one, "
            f"got an array of shape {matrix.shape}"
        )
    check_words(vectors.vocabulary)
    matrix = np.asarray(matrix, np.float32)
    if not np.isfinite(matrix).all():
        row = int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])
        raise InputError(
            f"{target}: the vector of {vectors.vocabulary.words[row]!r} is not finite; nothing was written"
        )
    return np.asarray(matrix, np.float32)


def check_replaceable(path: Path, recognizes: Recognizes) -> None:
    """Raise `ArtifactError` unless a file of vectors may be written at `path`.

    Raises
    ------
    ArtifactError
        If something else than word vectors of this format stands there, or the directory is missing or may
        not be written.
    """
    target = resolve(path)
    if os.path.lexists(target):
        with open_regular(target, ArtifactError) as file:
            ours = not os.fstat(file.fileno()).st_size or recognizes(file)
        if not ours:
            raise ArtifactError(
                f"{path}: is there already and does not hold word vectors in the format that its name says; "
                "remove it or write elsewhere"
            )
    parent = target.parent
    if not parent.is_dir():
        raise ArtifactError(f"{path}: the directory {parent} does not exist; create it first")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise ArtifactError(f"{path}: the directory {parent} may not be written; write elsewhere")


@contextmanager
def new_file(target: Path) -> Iterator[BinaryIO]:
    """Yield a new file that takes the place of `target` when the block ends well."""
    with replacing(target, directory=False) as partial, partial.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
