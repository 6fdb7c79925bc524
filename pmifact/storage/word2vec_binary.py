"""Rows of word2vec's binary format: a word, a space, and its numbers as little-endian float32."""

import mmap
from collections.abc import Sequence
from itertools import islice
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from pmifact.errors import InputError
from pmifact.storage.arrays import blocks
from pmifact.storage.word2vec_rows import VectorFile, WordList

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


def read_rows(source: VectorFile) -> tuple[tuple[str, ...], NDArray[np.float32]]:
    """Read the words and numbers that the header declares, and nothing more.

    Rows end with a newline when word2vec wrote them and without one when gensim did.
    """
    matrix = np.empty((source.words, source.dimensions), np.float32)
    words = WordList(source, "entry", 1)
    position = source.file.tell()
    with mmap.mmap(source.file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for row in range(source.words):
            space = data.find(b" ", position, position + _LONGEST_WORD)
            end = space + 1 + 4 * source.dimensions
            if space < 0 or end > len(data):
                got = "the end of the file" if end > len(data) else f"no space within {_LONGEST_WORD:,} bytes"
                raise InputError(
                    f"{words.where(row)}: expected a word, a space and {source.dimensions} numbers, got {got}"
                )
            words.add(row, data[position:space].lstrip(b"\n"))
            matrix[row] = np.frombuffer(data, "<f4", source.dimensions, space + 1)
            position = end
        rest = len(data) - position
        if rest > 1 or data[position:] not in (b"", b"\n"):
            raise InputError(
                f"{source.path}: expected {source.words:,} words as the header declares, "
                f"got {rest:,} bytes after them"
            )
    words.check_finite(matrix)
    return tuple(words.ids), matrix
