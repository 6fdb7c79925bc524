"""Vector files of Parquet: columns ``word`` and ``vector`` (a list of numbers), as of Spark's Word2Vec."""

import os
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.checks import check_choice
from pmifact.errors import InputError
from pmifact.storage.arrays import blocks
from pmifact.storage.files import as_path, open_regular
from pmifact.storage.formats.targets import check_replaceable, new_file, prepared
from pmifact.storage.formats.words import DECODING_ERRORS, check_expansion, from_arrays, in_one_line
from pmifact.vectors import WordVectors

_NAMES = ["word", "vector"]
_ROWS = 8192  # read at a time


def write_parquet(vectors: WordVectors, path: str | os.PathLike[str]) -> None:
    """Write word vectors to a Parquet file, in place of an older one: a row a word.

    Raises
    ------
    InputError
        As `write_word2vec`; and if pyarrow is not installed.
    ArtifactError
        If the file cannot be written; what stood there is then untouched.
    """
    target = as_path(path)
    arrow, parquet = _library(target)
    matrix = prepared(vectors, target)
    check_replaceable(target, holds_parquet)
    schema = arrow.schema([("word", arrow.string()), ("vector", arrow.list_(arrow.float32()))])
    words, dimensions = vectors.vocabulary.words, matrix.shape[1]
    # Numbers of vectors repeat too seldom for a dictionary or compression to pay.
    with (
        new_file(target) as file,
        parquet.ParquetWriter(file, schema, use_dictionary=False, compression="none") as writer,
    ):
        for first, block in blocks(matrix):
            offsets = arrow.array(np.arange(len(block) + 1, dtype=np.int32) * dimensions)
            rows = arrow.ListArray.from_arrays(offsets, arrow.array(block.ravel()))
            names = arrow.array(words[first : first + len(block)], arrow.string())
            writer.write_table(arrow.Table.from_arrays([names, rows], schema=schema))


def read_parquet(path: str | os.PathLike[str], *, errors: str = "strict") -> WordVectors:
    """Read word vectors from a Parquet file with a column ``word`` and a column ``vector`` of lists.

    Parameters
    ----------
    path : path
        The file, as this module, pandas or Spark writes it.
    errors : {"strict", "replace"}
        As for `read_npz`.

    Returns
    -------
    WordVectors
        float32, lengths as in the file; the counts of its vocabulary are 0.

    Raises
    ------
    InputError
        If pyarrow is not installed; the file is damaged, has other columns, or vectors of several lengths;
        or a word or a number is odd.
    """
    check_choice("errors", errors, DECODING_ERRORS)
    source = as_path(path)
    arrow, parquet = _library(source)
    with open_regular(source, InputError) as file:
        try:
            with parquet.ParquetFile(file) as opened:
                _check_schema(opened.schema_arrow, arrow, source)
                size = os.fstat(file.fileno()).st_size
                _check_size(opened.metadata, source, size)
                words, matrix = _read(opened, arrow, source, size)
        except (OSError, UnicodeDecodeError, arrow.ArrowException) as problem:
            raise InputError(f"{source}: expected a whole Parquet file: {in_one_line(problem)}") from problem
    return from_arrays(source, errors, words, matrix)


def holds_parquet(file: BufferedReader) -> bool:
    """Say whether a file is a Parquet of word vectors."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import read_schema
    except ImportError:
        return False
    try:
        return list(read_schema(file).names) == _NAMES
    except (OSError, UnicodeDecodeError, ArrowException):
        return False


def _check_schema(schema: Any, arrow: Any, path: Path) -> None:
    types = arrow.types
    found = ", ".join(f"{field.name} ({field.type})" for field in schema) or "none"
    texts = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    lists = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    kinds = {name: schema.field(name).type for name in _NAMES if schema.names.count(name) == 1}
    if not (
        len(kinds) == len(_NAMES)
        and any(check(kinds["word"]) for check in texts)
        and any(check(kinds["vector"]) for check in lists)
        and types.is_floating(kinds["vector"].value_type)
    ):
        raise InputError(
            f"{path}: expected a column 'word' of text and a column 'vector' of lists of floating-point "
            f"numbers, got {found:.200}"
        )


def _check_size(metadata: Any, path: Path, size: int) -> None:
    """Refuse what would take far more memory than the file is long, before anything is read of it."""
    # Of single columns nothing is asked: where a type is damaged, pyarrow ends the process.
    held = sum(metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    check_expansion(path, metadata.num_rows, held // (4 * max(metadata.num_rows, 1)), size)


def _read(opened: Any, arrow: Any, path: Path, size: int) -> tuple[list[bytes], NDArray[Any]]:
    total = opened.metadata.num_rows
    words: list[bytes] = []
    matrix: NDArray[Any] | None = None
    for names, vectors in _batches(opened, arrow):
        if names.null_count or vectors.null_count:
            raise InputError(f"{path}: rows from {len(words) + 1}: expected a word and a vector, got null")
        lengths = arrow.compute.list_value_length(vectors).to_numpy(zero_copy_only=False)
        dimensions = int(lengths[0]) if matrix is None else matrix.shape[1]
        if matrix is None:
            # What was encoded as one number and how often it comes is known only now.
            check_expansion(path, total, dimensions, size)
            matrix = np.empty((total, dimensions), np.float32)
        odd = np.flatnonzero(lengths != dimensions)
        if len(odd):
            raise InputError(
                f"{path}, row {len(words) + int(odd[0]) + 1}: expected {dimensions:,} numbers, as in row 1, "
                f"got {int(lengths[odd[0]]):,}"
            )
        numbers = vectors.flatten()
        with np.errstate(over="ignore"):
            # Null numbers become NaN, and are refused as such.
            block = numbers.to_numpy(zero_copy_only=False).astype(np.float32)
        matrix[len(words) : len(words) + len(names)] = block.reshape(len(names), dimensions)
        words += names.to_pylist()
    return words, np.empty((0, 1), np.float32) if matrix is None else matrix


def _batches(opened: Any, arrow: Any) -> Iterator[tuple[Any, Any]]:
    for batch in opened.iter_batches(batch_size=_ROWS, columns=_NAMES):
        if len(batch):
            # As bytes, so that what is not UTF-8 is told of like everywhere.
            yield batch.column("word").cast(arrow.large_binary()), batch.column("vector")


def _library(path: Path) -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError as error:
        raise InputError(
            f"{path}: Parquet files need pyarrow; install it with: pip install 'pmifact[parquet]'"
        ) from error
    return pyarrow, pyarrow.parquet
