"""Rows of word2vec's binary format: a word, a space, and its numbers as little-endian float32."""

import mmap
from collections.abc import Sequence
from io import BufferedReader
from itertools import islice
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.notebook import count_of
from pmifact.storage.arrays import blocks
from pmifact.storage.formats.words import Words
from pmifact.vectors import WordVectors

_LONGEST_WORD = 1 << 16


def write_rows(file: BinaryIO, words: Sequence[str], matrix: NDArray[Any]) -> None:
    """Write a row for each word, ended by a newline as word2vec itself does."""
    remaining = iter(words)
    for _, block in blocks(matrix):
        stored = np.ascontiguousarray(block, "<f4")
        file.writelines(
            word.encode() + b" " + row.tobytes() + b"\n"
            for word, row in zip(islice(remaining, len(block)), stored, strict=True)
        )


def read_rows(file: BufferedReader, declared: int, taken: Words) -> WordVectors:
    """Read the words and numbers that the header declares, and nothing more.

    Rows end with a newline when word2vec wrote them and without one when gensim did. What is odd is refused
    or left out as `taken` says.
    """
    dimensions, position = taken.dimensions, file.tell()
    size = file.seek(0, 2)
    # A word of one byte, a space, and four bytes a number.
    matrix = np.empty((min(declared, (size - position) // (2 + 4 * dimensions)), dimensions), np.float32)
    kept = 0
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for number in range(1, declared + 1):
            space = data.find(b" ", position, position + _LONGEST_WORD)
            end = space + 1 + 4 * dimensions
            if space < 0 or end > size:
                got = "the end of the file" if end > size else f"no space within {_LONGEST_WORD:,} bytes"
                taken.refuse(
                    number,
                    "file",
                    f"expected a word, a space and {count_of(dimensions, 'number')}, got {got}",
                )
                taken.remark(f"the header declares {declared:,}, the file ends in entry {number:,}")
                return taken.vectors(matrix[:kept])
            if taken.take(number, data[position:space].lstrip(b"\n")):
                matrix[kept] = np.frombuffer(data, "<f4", dimensions, space + 1)
                kept += 1
            position = end
        rest = size - position
        if rest > 1 or data[position:] not in (b"", b"\n"):
            if taken.errors == "strict":
                raise InputError(
                    f"{taken.path}: expected {count_of(declared, 'word')} as the header declares, "
                    f"got {count_of(rest, 'byte')} after them"
                )
            taken.remark(f"{count_of(rest, 'byte')} after the {declared:,} that the header declares not read")
    return taken.vectors(matrix[:kept])
