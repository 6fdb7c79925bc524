"""Parquet files to the texts of one of their columns."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from pmifact.errors import InputError
from pmifact.text.readers import STANDARD_INPUT, Source, shown
from pmifact.text.records import Record

_ROWS = 100  # read at a time; documents may be long
_BUFFER = 1 << 20  # bytes of a column read at a time


class ParquetInput:
    """A Parquet file, opened; iterating gives lists of records, as `pmifact.text.records.RecordInput` says.

    Parameters
    ----------
    path : str
        A file.
    field : str
        The column that holds the text.
    normalize : callable, optional
        What is done to each text.

    Raises
    ------
    InputError
        If pyarrow is not installed, or the file is not Parquet, cannot be read, or has no such column of
        text; iterating raises it for a row without text.
    """

    def __init__(self, path: str, *, field: str, normalize: Callable[[str], str] | None = None) -> None:
        self.name = shown(path)
        self._path, self._field, self._normal = path, field, normalize
        self._rows_read = 0
        self._source: Source | None = None
        if path == STANDARD_INPUT:
            raise InputError(
                "standard input: Parquet is read from its end on, so only from a file; save it first"
            )
        try:
            import pyarrow as arrow
            from pyarrow.parquet import ParquetFile
        except ImportError as error:
            raise InputError(
                f"{self.name}: reading Parquet needs pyarrow; install it with: pip install 'pmifact[parquet]'"
            ) from error
        self._arrow = arrow
        with ExitStack() as opened:
            try:
                stream = opened.enter_context(open(path, "rb"))
                self._size = os.fstat(stream.fileno()).st_size
                # Left to itself, pyarrow reads whole row groups, which may be of any size.
                parquet = ParquetFile(stream, pre_buffer=False, buffer_size=_BUFFER)
                self._file: Any = opened.enter_context(parquet)
                self._check_field()
            except OSError as error:
                # pyarrow has OSErrors of its own, without the system's number.
                raise InputError(f"{self.name}: cannot be read: {error.strerror or error}") from error
            except arrow.ArrowException as error:
                raise InputError(f"{self.name}: not a whole Parquet file: {error}") from error
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._opened.close()

    @property
    def bytes_read(self) -> int:
        """The share of rows that are read, in bytes of the file."""
        rows = self._file.metadata.num_rows
        return self._size * self._rows_read // rows if rows else self._size

    @property
    def source(self) -> Source:
        """The file; once all rows are read."""
        assert self._source is not None
        return self._source

    def __iter__(self) -> Iterator[list[Record]]:
        try:
            for batch in self._file.iter_batches(batch_size=_ROWS, columns=[self._field], use_threads=False):
                yield list(map(self._record, batch.column(0).to_pylist()))
            with open(self._path, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except (OSError, self._arrow.ArrowException, UnicodeDecodeError) as error:
            raise InputError(f"{self.name}: cannot be read after row {self._rows_read}: {error}") from error
        self._source = Source(self.name, self._size, digest)

    def _record(self, text: str | None) -> Record:
        self._rows_read += 1
        if text is None:
            raise InputError(
                f"{self.name}, row {self._rows_read}: expected text in the column {self._field!r}, got null"
            )
        return Record(f"row {self._rows_read}", self._normal(text) if self._normal else text)

    def _check_field(self) -> None:
        schema = self._file.schema_arrow
        if schema.names.count(self._field) != 1:
            found = ", ".join(map(repr, schema.names)) or "none"
            raise InputError(
                f"{self.name}: expected one column {self._field!r}, got {found:.200}; name one with --field"
            )
        kind = schema.field(self._field).type
        types = self._arrow.types
        if types.is_dictionary(kind):
            kind = kind.value_type
        if not (types.is_string(kind) or types.is_large_string(kind)):
            raise InputError(f"{self.name}: expected text in the column {self._field!r}, got {kind}")
