"""GloVe's co-occurrence file to counts.

Its programs add 1 / distance in double precision. A sum of such weights is a multiple of 1 / u, with u the
least common multiple of the distances in the window, and as long as the additions cannot have lost more than
half of that, the numerator is known exactly.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from pmifact.checks import check_integer
from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.counting.imported import ImportOptions
from pmifact.counting.windows import window_weights
from pmifact.errors import InputError
from pmifact.resources.memory import parse_memory
from pmifact.resources.threads import resolve_threads
from pmifact.storage.cells import cells_at_a_time, check_sum, csr_of_pieces
from pmifact.storage.files import as_path, open_regular, reason
from pmifact.storage.vocabulary_file import read_word_list
from pmifact.vocabulary import Vocabulary

_RECORD = np.dtype([("word", "<i4"), ("context", "<i4"), ("value", "<f8")])
_ROUNDING = 2.0**-53  # relative error of one addition
_LARGEST_UNIT = 2**31


def read_glove_cooccurrence(
    path: str | os.PathLike[str],
    vocabulary: Vocabulary | str | os.PathLike[str],
    *,
    window: int = 15,
    memory: int | str | None = None,
    scratch: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> CooccurrenceCounts:
    """Read counts from the file that GloVe's ``cooccur`` writes, shuffled or not.

    Records are int32 word, int32 context (both from 1) and float64 value. With u = lcm(1, ..., `window`) the
    numerators are the integers nearest to value * u, provided that no value is further from a multiple of
    1 / u than GloVe's own additions can have taken it. Else, or when u would pass 2^31, the values are
    rounded to multiples of 2^-31. ``options.rounded`` says whether any numerator is not certain to be exact.

    Parameters
    ----------
    path : path
        ``cooccurrence.bin`` or ``cooccurrence.shuf.bin``.
    vocabulary : Vocabulary or path
        The words of the ids; a file holds a word, a space and a count a line, as GloVe's ``vocab.txt``.
    window : int
        What ``cooccur`` was given as ``-window-size``.
    memory : int or str, optional
        Bound on the anonymous memory of the whole process, in bytes or as in ``4GB``; at least 256MB. Counts
        then go to disk, and the matrix of the result is mapped from there.
    scratch : path, optional
        Folder for what goes to disk, which the caller removes when the result is no longer needed; left
        out, it is a temporary one that takes no care.
    threads : int, optional
        Threads to add counts with under a limit on memory; all cores when not given.

    Returns
    -------
    CooccurrenceCounts
        Row = GloVe's first word, column = its second; symmetric unless GloVe counted the left side alone.

    Raises
    ------
    InputError
        If a file cannot be read, the file is cut short or empty, an id is outside the vocabulary, a value is
        not positive (the message names the record), or the numerators add up to more than 2^63 - 1.
    """
    check_integer("window", window, least=1)
    source = as_path(path)
    words = vocabulary if isinstance(vocabulary, Vocabulary) else read_word_list(vocabulary, separator=" ")
    limit = parse_memory(memory)
    size = (len(words), len(words))
    with open_regular(source, InputError) as file:
        records = _Records(file, source, limit)
        unit, rounded = _unit_of(records, len(words), int(window))
        pieces = (
            (piece["word"] - 1, piece["context"] - 1, numerators)
            for piece, numerators in _numerators(records, unit)
        )
        matrix = csr_of_pieces(pieces, size, limit=limit, scratch=scratch, threads=resolve_threads(threads))
    options = ImportOptions(imported="glove", window=int(window), rounded=rounded)
    return CooccurrenceCounts(words, matrix, unit, options)


class _Records:
    """The records of an open file, some at a time, as often as they are asked for.

    Yields the number of the first record, from 0, and the records.
    """

    def __init__(self, file: BinaryIO, source: Path, limit: int | None) -> None:
        self.source = source
        self._file = file
        size = os.fstat(file.fileno()).st_size
        if not size or size % _RECORD.itemsize:
            raise InputError(
                f"{source}: expected records of {_RECORD.itemsize} bytes, got a file of {size:,} bytes"
            )
        self._number = size // _RECORD.itemsize
        self._at_a_time = cells_at_a_time(limit, self._number)

    def __iter__(self) -> Iterator[tuple[int, NDArray[np.void]]]:
        self._file.seek(0)
        for first in range(0, self._number, self._at_a_time):
            try:
                piece = np.fromfile(self._file, _RECORD, min(self._at_a_time, self._number - first))
            except OSError as problem:
                raise InputError(f"{self.source}: cannot be read: {reason(problem)}") from problem
            yield first, piece


def _unit_of(records: _Records, n_words: int, window: int) -> tuple[int, bool]:
    """Check all records; return the unit of the numerators, and whether they may differ from GloVe's sums."""
    weights = window_weights((window, 0), "harmonic")
    near, certain = not weights.rounded, True
    for first, piece in records:
        _check(piece, first, n_words, records.source)
        if near:
            scaled = piece["value"] * weights.unit
            # A sum of n terms is off by (n + 1) roundings at most, and n is at most value * window.
            error = (piece["value"] * window + 2) * _ROUNDING * scaled
            near = bool((np.abs(scaled - np.rint(scaled)) <= error).all())
            certain &= bool((error < 0.5).all())
    return (weights.unit, not certain) if near else (_LARGEST_UNIT, True)


def _numerators(records: _Records, unit: int) -> Iterator[tuple[NDArray[np.void], NDArray[np.int64]]]:
    """Yield records and their numerators."""
    total = 0
    for first, piece in records:
        numbers = np.rint(piece["value"] * unit)
        wrong = np.flatnonzero((numbers < 1) | (numbers >= 2.0**63))
        if len(wrong):
            size = "small" if numbers[wrong[0]] < 1 else "large"
            raise InputError(
                f"{records.source}, record {first + wrong[0] + 1}: "
                f"the value is too {size} for 64-bit integer numerators"
            )
        numerators = numbers.astype(np.int64)
        total = check_sum(numerators, str(records.source), total)
        yield piece, numerators


def _check(records: NDArray[np.void], first: int, words: int, source: Path) -> None:
    for name in ("word", "context"):
        ids = records[name]
        wrong = np.flatnonzero((ids < 1) | (ids > words))
        if len(wrong):
            raise InputError(
                f"{source}, record {first + wrong[0] + 1}: expected a {name} from 1 to {words:,}, "
                f"as the vocabulary says, got {ids[wrong[0]]}"
            )
    # NaN fails every comparison.
    wrong = np.flatnonzero(~((records["value"] > 0) & (records["value"] < np.inf)))
    if len(wrong):
        raise InputError(
            f"{source}, record {first + wrong[0] + 1}: expected a positive number, "
            f"got {records['value'][wrong[0]]}"
        )
