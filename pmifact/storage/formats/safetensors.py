"""Vector files of safetensors: tensors ``vectors`` (a row a word) and ``words`` (UTF-8, a word a line)."""

import json
import os
from io import BufferedReader
from typing import Any

import numpy as np

from pmifact.checks import check_choice
from pmifact.errors import InputError
from pmifact.storage.files import as_path, open_regular
from pmifact.storage.formats.targets import check_replaceable, new_file, prepared
from pmifact.storage.formats.words import DECODING_ERRORS, from_arrays, in_one_line
from pmifact.vectors import WordVectors

_NAMES = ("vectors", "words")
_LONGEST_HEADER = 1 << 16
_MADE = {"format": "pmifact word vectors"}


def write_safetensors(vectors: WordVectors, path: str | os.PathLike[str]) -> None:
    """Write word vectors to a .safetensors file, in place of an older one.

    ``vectors`` is float32 of shape (V, d). ``words`` holds bytes: the words in UTF-8, each ended by a
    newline, so that ``bytes(words).decode().splitlines()`` has them in the order of the rows.

    Raises
    ------
    InputError
        As `write_word2vec`; and if the package safetensors is not installed.
    ArtifactError
        If the file cannot be written; what stood there is then untouched.
    """
    target = as_path(path)
    library = _library(str(target))
    matrix = prepared(vectors, target)
    check_replaceable(target, holds_safetensors)
    words = "".join(f"{word}\n" for word in vectors.vocabulary.words).encode()
    tensors = {"vectors": np.ascontiguousarray(matrix, "<f4"), "words": np.frombuffer(words, np.uint8)}
    with new_file(target) as file:
        file.write(library.numpy.save(tensors, metadata=_MADE))


def read_safetensors(path: str | os.PathLike[str], *, errors: str = "strict") -> WordVectors:
    """Read word vectors from a .safetensors file with the tensors that `write_safetensors` writes.

    Parameters
    ----------
    path : path
        The file. Its vectors are float16, float32 or float64.
    errors : {"strict", "replace"}
        As for `read_npz`.

    Returns
    -------
    WordVectors
        float32, lengths as in the file; the counts of its vocabulary are 0.

    Raises
    ------
    InputError
        If the package safetensors is not installed; the file is damaged or has other tensors; or a word or
        a number is odd.
    """
    check_choice("errors", errors, DECODING_ERRORS)
    source = as_path(path)
    library = _library(str(source))
    open_regular(source, InputError).close()  # what is no file gets a sentence of ours
    try:
        # It checks that the header is sane, and its tensors the bytes of the file, neither more nor less.
        with library.safe_open(source, framework="numpy") as tensors:
            found = list(tensors.keys())
            if not set(_NAMES) <= set(found):
                listed = ", ".join(map(repr, found)) or "none"
                raise InputError(f"{source}: expected the tensors 'vectors' and 'words', got {listed:.200}")
            matrix, words = (tensors.get_tensor(name) for name in _NAMES)
    except (library.SafetensorError, OSError, TypeError, AttributeError) as problem:
        raise InputError(
            f"{source}: expected a .safetensors file that NumPy can hold: {in_one_line(problem)}"
        ) from problem
    if words.dtype != np.uint8 or words.ndim != 1:
        raise InputError(
            f"{source}: words: expected bytes in one dimension, got {words.dtype} of shape {words.shape}"
        )
    lines = words.tobytes().removesuffix(b"\n").split(b"\n")
    return from_arrays(source, errors, lines, matrix)


def holds_safetensors(file: BufferedReader) -> bool:
    """Say whether a file is a .safetensors of word vectors."""
    file.seek(0)
    length = int.from_bytes(file.read(8), "little")
    try:
        return length <= _LONGEST_HEADER and set(_NAMES) <= set(json.loads(file.read(length)))
    except (ValueError, TypeError, RecursionError):
        return False


def _library(path: str) -> Any:
    try:
        import safetensors
        import safetensors.numpy
    except ImportError as error:
        raise InputError(
            f"{path}: .safetensors files need safetensors; install it with: "
            "pip install 'pmifact[safetensors]'"
        ) from error
    return safetensors
