"""Counts as the sparse matrices of SciPy (.npz): the way in, and the way out."""

import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, load_npz

from pmifact.contexts import Contexts, PositionalContexts
from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.counting.imported import ImportOptions
from pmifact.errors import ArtifactError, InputError
from pmifact.storage.cells import check_sum, csr_of
from pmifact.storage.contexts_file import check_contexts, context_lines, parse_contexts
from pmifact.storage.files import as_path, open_regular, reason
from pmifact.storage.replacement import replacing
from pmifact.storage.vectors import read_vocabulary
from pmifact.vocabulary import Vocabulary

_UNIT = "unit"
Words = Vocabulary | str | os.PathLike[str]
ContextsOrPath = Contexts | str | os.PathLike[str]


def read_counts_npz(
    path: str | os.PathLike[str], vocabulary: Words, *, contexts: ContextsOrPath | None = None
) -> CooccurrenceCounts:
    """Read counts from a matrix that `scipy.sparse.save_npz` wrote, of any of its formats.

    Parameters
    ----------
    path : path
        The .npz file; row = word, column = context. An array named ``unit`` in it, as `write_counts_npz`
        leaves there, says what the numbers are numerators over; else they are the counts.
    vocabulary : Vocabulary or path
        The words of the rows; of a file, those that `read_vocabulary` reads.
    contexts : Vocabulary, PositionalContexts or path, optional
        The contexts of the columns; the words when not given. A file may also hold what `write_counts_npz`
        writes of positional contexts.

    Returns
    -------
    CooccurrenceCounts
        Numbers for the same cell are added, and zeros left out.

    Raises
    ------
    InputError
        If the file is no sparse matrix or has another shape than the vocabularies, or holds a number that
        is no integer of at least 0; or the numbers add up to more than 2^63 - 1.
    """
    source = as_path(path)
    matrix, unit = _load(source)
    words = _vocabulary(vocabulary)
    columns = None if contexts is None else _contexts(contexts)
    shape = len(words), len(words if columns is None else columns)
    if matrix.shape != shape:
        raise InputError(
            f"{source}: expected a matrix of {shape[0]:,} words x {shape[1]:,} contexts, as the vocabulary "
            f"says, got {' x '.join(f'{side:,}' for side in matrix.shape)}"
        )
    amounts = _whole(matrix, source)
    check_sum(amounts, str(source))
    return CooccurrenceCounts(
        words,
        csr_of(matrix.row, matrix.col, amounts, shape),
        unit,
        ImportOptions(imported="npz"),
        columns,
    )


def write_counts_npz(
    counts: CooccurrenceCounts, path: str | os.PathLike[str], *, values: csr_array | None = None
) -> tuple[Path, ...]:
    """Write counts to a new file that `scipy.sparse.load_npz` reads, and the vocabulary beside it.

    The matrix holds the integer numerators, so that nothing is rounded: the count of a pair is the number
    over ``numpy.load(path)["unit"]``. With `values`, of the shape of the counts, these are
    written instead, without a unit: their shifted PPMI, say. ``X.vocab.tsv`` beside ``X.npz`` has a word a
    line (word, tab, count), in the order of the rows; ``X.contexts.tsv`` has the contexts of the columns when
    they are not the words.

    Returns
    -------
    tuple of Path
        The files that were written.

    Raises
    ------
    InputError
        If the name does not end in .npz, a word holds white space, or the values have another shape.
    ArtifactError
        If one of the files is there already, or cannot be written.
    """
    target = as_path(path)
    if target.suffix.lower() != ".npz":
        raise InputError(f"{target}: expected a file named .npz, got the suffix {target.suffix!r}")
    matrix = counts.matrix if values is None else values
    if matrix.shape != counts.matrix.shape:
        raise InputError(
            f"values: expected the shape {counts.matrix.shape} of the counts, got {matrix.shape}"
        )
    names: dict[Path, Contexts] = {target.with_suffix(".vocab.tsv"): counts.vocabulary}
    if counts.contexts is not None:
        names[target.with_suffix(".contexts.tsv")] = counts.contexts
    for file, words in names.items():
        check_contexts(words)
        _check_absent(file)
    _check_absent(target)
    for file, words in names.items():
        with _new_file(file) as stream:
            stream.writelines(context_lines(words))
    arrays: dict[str, Any] = {
        "format": b"csr",
        "_is_array": True,
        "shape": matrix.shape,
        "indptr": matrix.indptr,
        "indices": matrix.indices,
        "data": matrix.data,
    }
    if values is None:
        arrays[_UNIT] = counts.unit
    with _new_file(target) as stream:
        np.savez(stream, **arrays)
    return target, *names


def _load(source: Path) -> tuple[coo_array, int]:
    with open_regular(source, InputError) as file:
        try:
            matrix = load_npz(file)
            file.seek(0)
            with np.load(file, allow_pickle=False) as arrays:
                unit = arrays[_UNIT] if _UNIT in arrays else np.array(1)
        except OSError as problem:
            raise InputError(f"{source}: cannot be read: {reason(problem)}") from problem
        except (
            ValueError,
            KeyError,
            TypeError,
            EOFError,
            zipfile.BadZipFile,
            NotImplementedError,
        ) as problem:
            raise InputError(f"{source}: expected a sparse matrix that SciPy saved: {problem}") from problem
    if unit.shape != () or unit.dtype.kind not in "iu" or unit < 1:
        raise InputError(f"{source}: unit: expected an integer of at least 1, got {unit!r:.80}")
    if matrix.ndim != 2:
        raise InputError(f"{source}: expected a matrix, got {matrix.ndim} dimensions")
    return coo_array(matrix), int(unit)


def _whole(matrix: coo_array, source: Path) -> NDArray[np.int64]:
    """Return the numbers of a matrix as integers."""
    data = matrix.data
    if data.dtype.kind not in "biuf":
        raise InputError(f"{source}: expected numbers, got {data.dtype}")
    # NaN fails every comparison.
    whole = (data >= 0) & (data < 2.0**63) & (data == np.floor(data))
    if not whole.all():
        cell = int(np.flatnonzero(~whole)[0])
        raise InputError(
            f"{source}, row {matrix.row[cell]}, column {matrix.col[cell]}: expected an integer "
            f"of at least 0 and below 2^63 as count, got {data[cell]}"
        )
    integers: NDArray[np.int64] = data.astype(np.int64)
    return integers


def _vocabulary(given: Words) -> Vocabulary:
    return given if isinstance(given, Vocabulary) else read_vocabulary(given)


def _contexts(given: ContextsOrPath) -> Contexts:
    if isinstance(given, Vocabulary | PositionalContexts):
        return given
    path = as_path(given)
    if path.is_file():
        with open_regular(path, InputError) as file:
            if file.readline().count(b"\t") == 2:
                file.seek(0)
                try:
                    return parse_contexts(file.read(), path)
                except ArtifactError as problem:
                    raise InputError(str(problem)) from problem
    return read_vocabulary(path)


@contextmanager
def _new_file(path: Path) -> Iterator[BinaryIO]:
    with replacing(path, directory=False) as partial, partial.open("wb") as stream:
        yield stream
        stream.flush()
        os.fsync(stream.fileno())


def _check_absent(path: Path) -> None:
    if os.path.lexists(path):
        raise ArtifactError(f"{path}: is there already; remove it or write elsewhere")
