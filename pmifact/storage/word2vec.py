"""Vector files of word2vec, text and binary: the common header, and the choice between the two."""

import os
import re
from pathlib import Path

import numpy as np
from scipy.sparse import issparse

from pmifact.checks import check_choice
from pmifact.errors import InputError
from pmifact.storage.files import as_path, open_regular, reason
from pmifact.storage.replacement import replacing
from pmifact.storage.targets import check_vectors_target
from pmifact.storage.vocabulary_file import check_words
from pmifact.storage.word2vec_binary import read_rows as read_binary
from pmifact.storage.word2vec_binary import write_rows as write_binary
from pmifact.storage.word2vec_rows import VectorFile
from pmifact.storage.word2vec_text import read_rows as read_text
from pmifact.storage.word2vec_text import write_rows as write_text
from pmifact.vectors import WordVectors
from pmifact.vocabulary import Vocabulary

DECODING_ERRORS = ("strict", "replace")
_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t\r]*\n")
_LONGEST_HEADER = 80


def write_word2vec(vectors: WordVectors, path: str | os.PathLike[str], *, binary: bool = False) -> None:
    """Write word vectors in word2vec's text or binary format, in place of an older file of vectors.

    Numbers are little-endian float32, or text with nine significant digits, from which every float32
    is read back exactly.

    Parameters
    ----------
    vectors : WordVectors
        Dense and finite; the lengths are kept.
    path : path
        The file.
    binary : bool
        Binary instead of text.

    Raises
    ------
    InputError
        If there are no vectors, they are sparse or not finite, or a word holds white space.
    ArtifactError
        If the file cannot be written; what stood there is then untouched.
    """
    target = as_path(path)
    matrix = vectors.matrix
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
    check_vectors_target(target)
    matrix = np.asarray(matrix, np.float32)
    if not np.isfinite(matrix).all():
        row = int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])
        raise InputError(
            f"{target}: the vector of {vectors.vocabulary.words[row]!r} is not finite; nothing was written"
        )
    with replacing(target, directory=False) as partial, partial.open("wb") as file:
        file.write(b"%d %d\n" % matrix.shape)
        (write_binary if binary else write_text)(file, vectors.vocabulary.words, matrix)
        file.flush()
        os.fsync(file.fileno())


def read_word2vec(
    path: str | os.PathLike[str], *, binary: bool = False, errors: str = "strict"
) -> WordVectors:
    """Read word vectors in word2vec's text or binary format, as written by word2vec, fastText or gensim.

    Parameters
    ----------
    path : path
        The file.
    binary : bool
        Binary instead of text.
    errors : {"strict", "replace"}
        Refuse words that are not UTF-8, or read what is wrong in them as U+FFFD.

    Returns
    -------
    WordVectors
        float32, lengths as in the file; the counts of its vocabulary are 0, since such files hold none.

    Raises
    ------
    InputError
        If the header is missing, the file cannot hold what it declares or holds more, a row has too few
        or too many fields, a number is none or is not finite, or a word is repeated or not UTF-8.
    """
    check_choice("errors", errors, DECODING_ERRORS)
    source = as_path(path)
    with open_regular(source, InputError) as file:
        try:
            words, dimensions = _read_header(file.readline(_LONGEST_HEADER), source)
            declared = VectorFile(path=source, file=file, words=words, dimensions=dimensions, errors=errors)
            _check_size(declared, binary=binary)
            names, matrix = (read_binary if binary else read_text)(declared)
        except OSError as problem:
            raise InputError(f"{source}: cannot be read: {reason(problem)}") from problem
    return WordVectors(Vocabulary(names, np.zeros(len(names), np.int64)), matrix)


def _read_header(line: bytes, path: Path) -> tuple[int, int]:
    match = _HEADER.fullmatch(line)
    if not match:
        raise InputError(
            f"{path}: line 1: expected word2vec's header, the number of words and of dimensions, "
            f"got {line[:40].decode(errors='replace')!r}; put that line before the first word"
        )
    words, dimensions = int(match[1]), int(match[2])
    if not words or not dimensions:
        raise InputError(
            f"{path}: line 1: expected at least one word and one dimension, got {words} and {dimensions}"
        )
    return words, dimensions


def _check_size(declared: VectorFile, *, binary: bool) -> None:
    """Refuse a header that promises more than the file can hold, before memory is set aside for it."""
    start = declared.file.tell()
    size = os.fstat(declared.file.fileno()).st_size - start
    # A word of one byte; then a space and four bytes a number, or a space and one digit.
    row = 2 + 4 * declared.dimensions if binary else 2 + 2 * declared.dimensions
    least = declared.words * row - (0 if binary else 1)
    if least > size:
        raise InputError(
            f"{declared.path}: line 1: expected at least {least:,} bytes for the {declared.words:,} words "
            f"of {declared.dimensions:,} dimensions declared there, got {size:,}; "
            "the file is cut short or has no header"
        )
