"""Vector files of TensorBoard's projector: a .tsv of numbers, and beside it one of words, line for line."""

import os
from io import BufferedReader
from pathlib import Path

import numpy as np

from pmifact.checks import check_choice
from pmifact.errors import ArtifactError, InputError
from pmifact.notebook import count_of
from pmifact.storage.arrays import blocks
from pmifact.storage.files import as_path, open_regular, reason
from pmifact.storage.formats.targets import check_replaceable, new_file, prepared
from pmifact.storage.formats.text_rows import LONGEST_LINE
from pmifact.storage.formats.words import DECODING_ERRORS, Words
from pmifact.vectors import WordVectors

# The names that gensim's converter and TensorFlow's tutorials give to the two files.
_PAIRS = {"_tensor.tsv": "_metadata.tsv", "vectors.tsv": "metadata.tsv", "vecs.tsv": "meta.tsv"}


def metadata_path(path: Path) -> Path:
    """Return the file of words that is written beside the numbers: X.metadata.tsv beside X.tsv."""
    return path.with_suffix(".metadata.tsv")


def write_projector(vectors: WordVectors, path: str | os.PathLike[str]) -> None:
    """Write word vectors as a pair of files for https://projector.tensorflow.org, in place of an older pair.

    ``X.tsv`` has the numbers of a word a line, separated by tabs, and ``X.metadata.tsv`` a word a line.

    Raises
    ------
    InputError, ArtifactError
        As `write_word2vec`; the second also when the other file is there without the first.
    """
    target = as_path(path)
    matrix = prepared(vectors, target)
    check_projector_target(target)
    words = "".join(f"{word}\n" for word in vectors.vocabulary.words)
    template = "\t".join(["%.9g"] * matrix.shape[1]) + "\n"
    with new_file(target) as numbers, new_file(metadata_path(target)) as names:
        names.write(words.encode())
        for _, block in blocks(matrix):
            numbers.write("".join(template % tuple(row) for row in block.tolist()).encode())


def read_projector(path: str | os.PathLike[str], *, errors: str = "strict") -> WordVectors:
    """Read word vectors from a pair of files for TensorBoard's projector.

    Parameters
    ----------
    path : path
        The numbers, X.tsv; the words are read from X.metadata.tsv beside it, or from the file that goes with
        it by custom (X_tensor.tsv and X_metadata.tsv, vectors.tsv and metadata.tsv, vecs.tsv and meta.tsv).
        Of several columns of metadata the first is read, and the first line names them.
    errors : {"strict", "replace"}
        As for `read_word2vec`.

    Returns
    -------
    WordVectors
        float32, lengths as in the file; the counts of its vocabulary are 0.

    Raises
    ------
    InputError
        If one of the files cannot be read, they have not as many lines, or a word or a number is odd.
    """
    check_choice("errors", errors, DECODING_ERRORS)
    source = as_path(path)
    with open_regular(source, InputError) as file:
        beside = _words_beside(source)
        try:
            lines = _lines(file.read())
            with open_regular(beside, InputError) as other:
                names = _lines(other.read())
        except OSError as problem:
            raise InputError(f"{source}: cannot be read: {reason(problem)}") from problem
    if names and b"\t" in names[0]:
        names = [line.split(b"\t")[0] for line in names[1:]]
    if len(names) != len(lines) or not lines:
        raise InputError(
            f"{source}: expected a line of numbers for each of at least one word, got "
            f"{count_of(len(lines), 'line')}, and {count_of(len(names), 'word')} in {beside}"
        )
    dimensions = max(1, len(lines[0].split()))
    taken = Words(source, "line", errors, dimensions)
    # A number takes two bytes at least, so that no more rows than this have as many as the first.
    most = sum(map(len, lines)) // (2 * dimensions) + len(lines) // (2 * dimensions) + 1
    matrix = np.empty((min(len(lines), most), dimensions), np.float32)
    kept = 0
    with np.errstate(over="ignore"):
        for number, (name, line) in enumerate(zip(names, lines, strict=True), start=1):
            try:
                numbers = list(map(float, line.split()))
            except ValueError:
                numbers = []
            if len(numbers) != dimensions or b"_" in line:
                fault = (
                    f"expected {count_of(dimensions, 'number')}, got {line[:40].decode(errors='replace')!r}"
                )
                taken.refuse(number, "shape", fault)
            elif taken.take(number, name):
                matrix[kept] = numbers
                kept += 1
    return taken.vectors(matrix[:kept])


def check_projector_target(path: Path) -> None:
    """Raise `ArtifactError` unless a pair of files may be written at `path`, new or in place of one."""
    beside = metadata_path(path)
    # Numbers alone, or notes alone, may be anything.
    check_replaceable(path, lambda file: beside.is_file() and _holds_numbers(file))
    if os.path.lexists(beside) and not os.path.lexists(path):
        raise ArtifactError(f"{beside}: is there already, without {path.name}; remove it or write elsewhere")


def _holds_numbers(file: BufferedReader) -> bool:
    file.seek(0)
    try:
        return bool(list(map(float, file.readline(LONGEST_LINE).split(b"\t"))))
    except ValueError:
        return False


def _lines(data: bytes) -> list[bytes]:
    return [line.removesuffix(b"\r") for line in data.removesuffix(b"\n").split(b"\n")] if data else []


def _words_beside(path: Path) -> Path:
    """Return the file that has the words of the numbers in `path`."""
    named = [metadata_path(path)]
    named += [
        path.with_name(path.name.removesuffix(end) + other)
        for end, other in _PAIRS.items()
        if path.name.endswith(end)
    ]
    found = next((place for place in named if place.is_file()), None)
    if found is None:
        raise InputError(
            f"{path}: expected its words in {' or '.join(place.name for place in named)} beside it, "
            "got no such file"
        )
    return found
