"""GloVe's co-occurrence file to counts.

Its programs add 1 / distance in double precision. A sum of such weights is a multiple of 1 / u, with u the
least common multiple of the distances in the window, and as long as the additions cannot have lost more than
half of that, the numerator is known exactly.
"""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pmifact.checks import check_integer
from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.counting.imported import ImportOptions
from pmifact.counting.windows import window_weights
from pmifact.errors import InputError
from pmifact.storage.cells import check_sum, csr_of
from pmifact.storage.files import as_path, open_regular, reason
from pmifact.storage.vocabulary_file import read_word_list
from pmifact.vocabulary import Vocabulary

_RECORD = np.dtype([("word", "<i4"), ("context", "<i4"), ("value", "<f8")])
_ROUNDING = 2.0**-53  # relative error of one addition
_LARGEST_UNIT = 2**31


def read_glove_cooccurrence(
    path: str | os.PathLike[str], vocabulary: Vocabulary | str | os.PathLike[str], *, window: int = 15
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
    records = _read(source)
    _check(records, len(words), source)
    numerators, unit, rounded = _numerators(records["value"], int(window), source)
    check_sum(numerators, str(source))
    matrix = csr_of(records["word"] - 1, records["context"] - 1, numerators, (len(words), len(words)))
    options = ImportOptions(imported="glove", window=int(window), rounded=rounded)
    return CooccurrenceCounts(words, matrix, unit, options)


def _read(source: Path) -> NDArray[np.void]:
    with open_regular(source, InputError) as file:
        size = os.fstat(file.fileno()).st_size
        if not size or size % _RECORD.itemsize:
            raise InputError(
                f"{source}: expected records of {_RECORD.itemsize} bytes, got a file of {size:,} bytes"
            )
        try:
            return np.fromfile(file, _RECORD)
        except OSError as problem:
            raise InputError(f"{source}: cannot be read: {reason(problem)}") from problem


def _check(records: NDArray[np.void], words: int, source: Path) -> None:
    for name in ("word", "context"):
        ids = records[name]
        wrong = np.flatnonzero((ids < 1) | (ids > words))
        if len(wrong):
            raise InputError(
                f"{source}, record {wrong[0] + 1}: expected a {name} from 1 to {words:,}, as the vocabulary "
                f"says, got {ids[wrong[0]]}"
            )
    # NaN fails every comparison.
    wrong = np.flatnonzero(~((records["value"] > 0) & (records["value"] < np.inf)))
    if len(wrong):
        raise InputError(
            f"{source}, record {wrong[0] + 1}: expected a positive number, got {records['value'][wrong[0]]}"
        )


def _numerators(
    values: NDArray[np.float64], window: int, source: Path
) -> tuple[NDArray[np.int64], int, bool]:
    """Return the numerators, their unit, and whether one of them may differ from what GloVe added up."""
    weights = window_weights((window, 0), "harmonic")
    if not weights.rounded:
        scaled = values * weights.unit
        nearest = np.rint(scaled)
        # A sum of n terms is off by (n + 1) roundings at most, and n is at most value * window.
        error = (values * window + 2) * _ROUNDING * scaled
        if (np.abs(scaled - nearest) <= error).all():
            certain = bool((error < 0.5).all())
            return _integers(nearest, source), weights.unit, not certain
    return _integers(np.rint(values * _LARGEST_UNIT), source), _LARGEST_UNIT, True


def _integers(numbers: NDArray[np.float64], source: Path) -> NDArray[np.int64]:
    wrong = np.flatnonzero((numbers < 1) | (numbers >= 2.0**63))
    if len(wrong):
        size = "small" if numbers[wrong[0]] < 1 else "large"
        raise InputError(
            f"{source}, record {wrong[0] + 1}: the value is too {size} for 64-bit integer numerators"
        )
    return numbers.astype(np.int64)
