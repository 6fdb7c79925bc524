"""Vector files of word2vec, text and binary: the common header, and the choice between the two."""

import os
import re
from io import BufferedReader
from pathlib import Path

from pmifact.checks import check_choice
from pmifact.errors import InputError
from pmifact.notebook import count_of
from pmifact.storage.files import as_path, open_regular, reason
from pmifact.storage.formats import binary_rows, text_rows
from pmifact.storage.formats.targets import check_replaceable, new_file, prepared
from pmifact.storage.formats.text_rows import LONGEST_LINE, TextRows, count_numbers, sampled_dimensions
from pmifact.storage.formats.words import DECODING_ERRORS, Words
from pmifact.vectors import WordVectors

_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t\r]*\n")
_LONGEST_HEADER = 80
_FASTTEXT_MODEL = b"\xba\x16\x4f\x2f"


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
    matrix = prepared(vectors, target)
    check_replaceable(target, has_header if binary else holds_text_rows)
    write = binary_rows.write_rows if binary else text_rows.write_rows
    with new_file(target) as file:
        file.write(b"%d %d\n" % matrix.shape)
        write(file, vectors.vocabulary.words, matrix)


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
        Refuse what is odd; or read what is wrong in a word as U+FFFD, leave out repeated words and rows
        with other than the usual number of numbers, believe the file more than its header, and warn of how
        many there were.

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
            if binary:
                if errors == "strict":
                    _check_size(file, source, words, dimensions)
                return binary_rows.read_rows(file, words, Words(source, "entry", errors, dimensions))
            return text_rows.read_rows(_text_rows(file, source, words, dimensions, errors))
        except OSError as problem:
            raise InputError(f"{source}: cannot be read: {reason(problem)}") from problem


def has_header(file: BufferedReader) -> bool:
    """Say whether a file begins with the number of words and of dimensions."""
    file.seek(0)
    return bool(_HEADER.fullmatch(file.readline(_LONGEST_HEADER)))


def holds_text_rows(file: BufferedReader) -> bool:
    """Say whether a file begins with a header, or a word and numbers: two at least, as a count is one."""
    if has_header(file):
        return True
    file.seek(0)
    line = file.readline(LONGEST_LINE)
    return count_numbers(line) == len(line.split()) - 1 >= 2


def _text_rows(file: BufferedReader, path: Path, words: int, dimensions: int, errors: str) -> TextRows:
    """Return what the header says of the rows, unless they say otherwise and may."""
    remarks: tuple[str, ...] = ()
    if errors == "replace":
        found = sampled_dimensions(file, dimensions)
        if found is None:
            raise InputError(f"{path}, line 2: expected a word and its numbers, got none")
        if found != dimensions:
            remarks = (f"the header declares {count_of(dimensions, 'dimension')}, the rows have {found:,}",)
        dimensions = found
    return TextRows(path=path, file=file, dimensions=dimensions, words=words, errors=errors, remarks=remarks)


def _read_header(line: bytes, path: Path) -> tuple[int, int]:
    if line.startswith(_FASTTEXT_MODEL):
        raise InputError(
            f"{path}: expected word2vec's binary format, got a model of fastText; read the .vec file that "
            "fastText writes beside it"
        )
    match = _HEADER.fullmatch(line)
    if not match:
        raise InputError(
            f"{path}, line 1: expected word2vec's header, the number of words and of dimensions, "
            f"got {line[:40].decode(errors='replace')!r}; put that line before the first word"
        )
    words, dimensions = int(match[1]), int(match[2])
    if not words or not dimensions:
        raise InputError(
            f"{path}, line 1: expected at least one word and one dimension, got {words} and {dimensions}"
        )
    return words, dimensions


def _check_size(file: BufferedReader, path: Path, words: int, dimensions: int) -> None:
    """Refuse a header that promises more than a binary file can hold, which has no lines to tell of."""
    size = os.fstat(file.fileno()).st_size - file.tell()
    # A word of one byte, a space, and four bytes a number.
    least = words * (2 + 4 * dimensions)
    if least > size:
        raise InputError(
            f"{path}, line 1: expected at least {least:,} bytes for the {count_of(words, 'word')} "
            f"of {count_of(dimensions, 'dimension')} declared there, got {size:,}; "
            "the file is cut short or has no header"
        )
