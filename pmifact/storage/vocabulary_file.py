"""`vocabulary.tsv` (word, tab, count; id = line) and word lists that users write."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pmifact.errors import ArtifactError, InputError, PmifactError
from pmifact.storage.files import DigestWriter, as_path, open_regular, reason
from pmifact.vocabulary import Vocabulary

_MOST = np.iinfo(np.int64).max


def check_words(vocabulary: Vocabulary) -> None:
    """Raise `InputError` for a word with white space, which would end it too early when read again."""
    for word in vocabulary.words:
        if word.split() != [word]:
            raise InputError(
                f"vocabulary: the word {word!r} holds white space and cannot be written to a file; "
                "replace the white space, for example by an underscore"
            )


def vocabulary_lines(vocabulary: Vocabulary) -> bytes:
    """Return a word, a tab and a count a line."""
    pairs = zip(vocabulary.words, vocabulary.counts.tolist(), strict=True)
    return "".join(f"{word}\t{count}\n" for word, count in pairs).encode()


def write_vocabulary(path: Path, vocabulary: Vocabulary) -> dict[str, Any]:
    """Write `vocabulary.tsv` and return its entry in the manifest."""
    with DigestWriter(path) as file:
        file.write(vocabulary_lines(vocabulary))
    return file.entry


def parse_vocabulary(data: bytes, path: Path) -> Vocabulary:
    """Return what the bytes of a `vocabulary.tsv` hold; raise `ArtifactError` naming the line."""
    if data and not data.endswith(b"\n"):
        last = data.count(b"\n") + 1
        raise ArtifactError(f"{path}, line {last}: expected an end of line, got the end of the file")
    words, counts = [], []
    for number, line in _lines(data, path, ArtifactError):
        word, tab, count = line.rpartition("\t")
        if not tab or not word:
            raise ArtifactError(f"{path}, line {number}: expected a word, a tab and a count, got {line!r}")
        words.append(word)
        counts.append(_parse_count(count, f"{path}, line {number}", ArtifactError))
    try:
        vocabulary = Vocabulary(tuple(words), np.array(counts, np.int64))
        check_words(vocabulary)
    except InputError as problem:
        raise ArtifactError(f"{path}: {problem}") from problem
    return vocabulary


def read_word_list(path: str | os.PathLike[str], *, separator: str = "\t") -> Vocabulary:
    """Read a text file with a word a line, or a word, a tab and a count, as a vocabulary in that order.

    Blank lines, and white space at the end of a line, are passed over. GloVe has a space as the `separator`.

    Raises
    ------
    InputError
        If there is no word; or for a repeated word, one with white space in it, bytes that are not UTF-8, or
        a count that is not a whole number: the message names the line.
    """
    path = as_path(path)
    with open_regular(path, InputError) as file:
        try:
            data = file.read()
        except OSError as problem:
            raise InputError(f"{path}: cannot be read: {reason(problem)}") from problem
    counts: dict[str, int] = {}
    for number, line in _lines(data.removeprefix(b"\xef\xbb\xbf"), path, InputError):
        where = f"{path}, line {number}"
        text = line.rstrip()
        if not text:
            continue
        word, gap, count = text.partition(separator)
        if word.split() != [word]:
            name = "tab" if separator == "\t" else "space"
            raise InputError(f"{where}: expected one word, or a word, a {name} and a count, got {line!r}")
        if word in counts:
            raise InputError(f"{where}: the word {word!r} stands there a second time; remove one of the two")
        counts[word] = _parse_count(count, where, InputError) if gap else 0
    if not counts:
        raise InputError(f"{path}: expected a word a line, got none")
    return Vocabulary(tuple(counts), np.array(list(counts.values()), np.int64))


def _lines(data: bytes, path: Path, error: type[PmifactError]) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, text) of each line; only a newline ends one, so odd characters stay in words."""
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n") if data else (), start=1):
        try:
            yield number, line.decode()
        except UnicodeDecodeError as problem:
            raise error(
                f"{path}, line {number}: expected UTF-8, got the byte 0x{line[problem.start]:02x} "
                f"at byte {problem.start} of the line"
            ) from problem


def _parse_count(text: str, where: str, error: type[PmifactError]) -> int:
    # int() alone would take signs, underscores and the digits of other scripts.
    if not (text.isascii() and text.isdigit() and len(text) <= 19 and int(text) <= _MOST):
        raise error(f"{where}: expected a count from 0 to {_MOST}, got {text!r}")
    return int(text)
