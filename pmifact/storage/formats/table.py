"""The formats of vectors files by the endings of their names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pmifact.errors import InputError
from pmifact.storage.formats.glove import read_text, write_glove
from pmifact.storage.formats.npz import holds_npz, read_npz, write_npz
from pmifact.storage.formats.parquet import holds_parquet, read_parquet, write_parquet
from pmifact.storage.formats.projector import check_projector_target, read_projector, write_projector
from pmifact.storage.formats.safetensors import holds_safetensors, read_safetensors, write_safetensors
from pmifact.storage.formats.targets import Recognizes, check_replaceable
from pmifact.storage.formats.word2vec import has_header, holds_text_rows, read_word2vec, write_word2vec
from pmifact.vectors import WordVectors


@dataclass(frozen=True)
class Format:
    """How files with one ending are read and written.

    Parameters
    ----------
    read : callable
        ``read(path, errors=...)`` returns `WordVectors`.
    write : callable
        ``write(vectors, path)``.
    check_target : callable
        ``check_target(path)`` raises `ArtifactError` unless a file may be written there.
    headerless : callable or None
        ``write`` without the first line, where the format has one that can be left out.
    """

    read: Callable[..., WordVectors]
    write: Callable[[WordVectors, Path], None]
    check_target: Callable[[Path], None]
    headerless: Callable[[WordVectors, Path], None] | None = None


def _replacing(recognizes: Recognizes) -> Callable[[Path], None]:
    return lambda path: check_replaceable(path, recognizes)


def _read_binary(path: Path, *, errors: str) -> WordVectors:
    return read_word2vec(path, binary=True, errors=errors)


def _write_binary(vectors: WordVectors, path: Path) -> None:
    write_word2vec(vectors, path, binary=True)


_TEXT = Format(read_text, write_word2vec, _replacing(holds_text_rows), headerless=write_glove)
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        ".txt": _TEXT,
        ".vec": _TEXT,
        ".bin": Format(_read_binary, _write_binary, _replacing(has_header)),
        ".npz": Format(read_npz, write_npz, _replacing(holds_npz)),
        ".safetensors": Format(read_safetensors, write_safetensors, _replacing(holds_safetensors)),
        ".parquet": Format(read_parquet, write_parquet, _replacing(holds_parquet)),
        ".tsv": Format(read_projector, write_projector, check_projector_target),
    }
)


def format_of(path: Path) -> Format:
    """Return the format that the ending of a name says; raise `InputError` when it says none."""
    try:
        return FORMATS[path.suffix.lower()]
    except KeyError:
        raise InputError(
            f"{path}: expected a vectors file named {', '.join(FORMATS)}, got the suffix {path.suffix!r}"
        ) from None
