"""Vector files of NumPy: an .npz with the arrays ``words`` (text) and ``vectors`` (numbers, a row a word)."""

import os
import sys
import zipfile
import zlib
from io import BufferedReader
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pmifact.checks import check_choice
from pmifact.errors import InputError
from pmifact.storage.arrays import read_header
from pmifact.storage.files import as_path, open_regular, reason
from pmifact.storage.formats.targets import check_replaceable, new_file, prepared
from pmifact.storage.formats.words import DECODING_ERRORS, check_expansion, from_arrays
from pmifact.vectors import WordVectors

_NAMES = ("words", "vectors")
_MOST_WORD_BYTES = 1 << 30
_CHARACTER = 4  # bytes of each, of every word as long as the longest
_LEAST_EXPANSION = 1 << 20  # a small array may compress as it likes


def write_npz(vectors: WordVectors, path: str | os.PathLike[str]) -> None:
    """Write word vectors to an .npz, in place of an older one: ``numpy.load(path)["vectors"]`` has the rows.

    ``words`` is an array of texts in the same order. Nothing is compressed, since vectors hardly are.

    Raises
    ------
    InputError
        As `write_word2vec`; and if a word ends in a NUL, which NumPy drops, or is so long that the array
        of words, in which all take as much as the longest, would pass 1 GiB.
    ArtifactError
        If the file cannot be written; what stood there is then untouched.
    """
    target = as_path(path)
    matrix = prepared(vectors, target)
    check_replaceable(target, holds_npz)
    words = vectors.vocabulary.words
    for word in words:
        if word.endswith("\0"):
            raise InputError(
                f"{target}: the word {word!r} ends in a NUL, which an .npz cannot hold; rename it"
            )
    longest = max(words, key=len)
    if len(longest) * len(words) * _CHARACTER > _MOST_WORD_BYTES:
        raise InputError(
            f"{target}: the words of an .npz all take as much as the longest, of {len(longest):,} characters "
            f"({longest[:20]!r}...), here more than 1 GiB; leave it out, or write .safetensors or .bin"
        )
    with new_file(target) as file:
        np.savez(file, words=np.array(words, np.str_), vectors=matrix)


def read_npz(path: str | os.PathLike[str], *, errors: str = "strict") -> WordVectors:
    """Read word vectors from an .npz with the arrays ``words`` and ``vectors``, compressed or not.

    Parameters
    ----------
    path : path
        The file. Its words are texts, or bytes in UTF-8; its vectors are floating-point numbers.
    errors : {"strict", "replace"}
        Refuse what is odd; or leave out repeated words and vectors that are not finite, read what is wrong
        in a word as U+FFFD, and warn of how many there were.

    Returns
    -------
    WordVectors
        float32, lengths as in the file; the counts of its vocabulary are 0.

    Raises
    ------
    InputError
        If the file is no such .npz, holds Python objects, or declares more than it can hold; or a word or a
        number is odd.
    """
    check_choice("errors", errors, DECODING_ERRORS)
    source = as_path(path)
    with open_regular(source, InputError) as file:
        size = os.fstat(file.fileno()).st_size
        try:
            with zipfile.ZipFile(file) as archive:
                _check_names(archive, source)
                words, matrix = (_array(archive, name, source, size) for name in _NAMES)
        except OSError as problem:
            raise InputError(f"{source}: cannot be read: {reason(problem)}") from problem
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as problem:
            raise InputError(
                f"{source}: expected an .npz of NumPy, but it is damaged: {problem}"
            ) from problem
    if words.ndim != 1 or words.dtype.kind not in "US":
        raise InputError(
            f"{source}: words: expected texts in one dimension, got {words.dtype} of shape {words.shape}"
        )
    return from_arrays(source, errors, _texts(words, source), matrix)


def holds_npz(file: BufferedReader) -> bool:
    """Say whether a file is an .npz of word vectors."""
    try:
        with zipfile.ZipFile(file) as archive:
            return sorted(archive.namelist()) == sorted(f"{name}.npy" for name in _NAMES)
    except (OSError, zipfile.BadZipFile, RuntimeError):
        return False


def _check_names(archive: zipfile.ZipFile, path: Path) -> None:
    found = [name.removesuffix(".npy") for name in archive.namelist()]
    if not set(_NAMES) <= set(found):
        listed = ", ".join(map(repr, found)) or "none"
        raise InputError(
            f"{path}: expected the arrays 'words' and 'vectors', got {listed:.200}; "
            "save them with numpy.savez(path, words=..., vectors=...)"
        )


def _array(archive: zipfile.ZipFile, name: str, path: Path, size: int) -> NDArray[Any]:
    """Read one array, once it is known that its bytes are there and no more than they can be."""
    info = archive.getinfo(f"{name}.npy")
    where = Path(f"{path}: {name}")
    with archive.open(info) as stream:
        written, fortran, shape = read_header(stream, where, InputError)
        if written == "|O":
            raise InputError(
                f"{where}: expected texts or numbers, got Python objects, which could run anything; "
                "save words with numpy.array(words, dtype=str)"
            )
        dtype = _dtype(written, where)
        bytes_there = info.file_size - stream.tell()
        if prod(shape) * dtype.itemsize != bytes_there:
            raise InputError(
                f"{where}: expected {dtype} of shape {shape}, as its header says, got {bytes_there:,} bytes"
            )
        if shape and bytes_there > _LEAST_EXPANSION:
            check_expansion(where, shape[0], bytes_there // shape[0] // 4, size)
        data = stream.read(bytes_there)
        if len(data) != bytes_there:
            raise InputError(
                f"{where}: expected {bytes_there:,} bytes, got {len(data):,}; the file is cut short"
            )
    array = np.frombuffer(data, dtype)
    return array.reshape(shape[::-1]).T if fortran else array.reshape(shape)


def _dtype(written: str, where: Path) -> np.dtype[Any]:
    try:
        dtype = np.dtype(written)
    except TypeError as problem:
        raise InputError(f"{where}: expected texts or numbers, got the dtype {written!r}") from problem
    if dtype.kind not in "USfiub" or not dtype.itemsize:
        raise InputError(f"{where}: expected texts or numbers, got the dtype {written!r}")
    return dtype


def _texts(words: NDArray[Any], path: Path) -> list[str] | list[bytes]:
    """Return the words; raise `InputError` for numbers that are no characters."""
    if words.dtype.kind == "U":
        words = words.astype(words.dtype.newbyteorder("="))
        if (words.view(np.uint32) > sys.maxunicode).any():
            raise InputError(
                f"{path}: words: expected texts, got numbers beyond Unicode; the file is damaged"
            )
    listed: list[str] | list[bytes] = words.tolist()
    return listed
