"""Vector files of GloVe: word2vec's text format without the first line."""

import os

from pmifact.checks import check_choice
from pmifact.errors import InputError
from pmifact.storage.files import as_path, open_regular, reason
from pmifact.storage.formats.targets import check_replaceable, new_file, prepared
from pmifact.storage.formats.text_rows import (
    LONGEST_LINE,
    TextRows,
    count_numbers,
    read_rows,
    sampled_dimensions,
    write_rows,
)
from pmifact.storage.formats.word2vec import has_header, holds_text_rows, read_word2vec
from pmifact.storage.formats.words import DECODING_ERRORS
from pmifact.vectors import WordVectors


def write_glove(vectors: WordVectors, path: str | os.PathLike[str]) -> None:
    """Write word vectors as GloVe does, a word and its numbers a line, in place of an older file of vectors.

    Raises
    ------
    InputError, ArtifactError
        As `write_word2vec`.
    """
    target = as_path(path)
    matrix = prepared(vectors, target)
    check_replaceable(target, holds_text_rows)
    with new_file(target) as file:
        write_rows(file, vectors.vocabulary.words, matrix)


def read_glove(path: str | os.PathLike[str], *, errors: str = "strict") -> WordVectors:
    """Read word vectors from text without a header, such as GloVe's; its row for ``<unk>`` is a word.

    Parameters
    ----------
    path : path
        The file; the numbers of its first line are those of every line.
    errors : {"strict", "replace"}
        As for `read_word2vec`.

    Returns
    -------
    WordVectors
        float32, lengths as in the file; the counts of its vocabulary are 0, since such files hold none.

    Raises
    ------
    InputError
        If the first line is no word with numbers, or for a row as `read_word2vec`.
    """
    check_choice("errors", errors, DECODING_ERRORS)
    source = as_path(path)
    with open_regular(source, InputError) as file:
        try:
            line = file.readline(LONGEST_LINE)
            file.seek(0)
            dimensions = count_numbers(line) if errors == "strict" else sampled_dimensions(file)
            if not dimensions:
                raise InputError(
                    f"{source}, line 1: expected word2vec's header, two whole numbers, or a word and its "
                    f"numbers as GloVe writes them, got {line[:40].decode(errors='replace')!r}"
                )
            return read_rows(
                TextRows(path=source, file=file, dimensions=dimensions, words=None, errors=errors)
            )
        except OSError as problem:
            raise InputError(f"{source}: cannot be read: {reason(problem)}") from problem


def read_text(path: str | os.PathLike[str], *, errors: str = "strict") -> WordVectors:
    """Read word vectors from text, with word2vec's header or without; the options are those of both."""
    with open_regular(as_path(path), InputError) as file:
        headed = has_header(file)
    return read_word2vec(path, errors=errors) if headed else read_glove(path, errors=errors)
