"""`manifest.json`: what an artifact is, how and from what it was made, and the digests of its files."""

import hashlib
import json
import os
import platform
import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from pmifact.errors import ArtifactError, InputError
from pmifact.storage.files import DigestWriter, open_regular
from pmifact.text.readers import Source

FORMAT = 1
NAME = "manifest.json"
_MOST_BYTES = 1 << 28
_PACKAGES = ("pmifact", "numpy", "scipy", "numba", "scikit-learn", "pandas")
_NEWER = "it was written by a newer pmifact; upgrade pmifact to read it"
_DAMAGED = "the artifact is damaged; make it again"

# Every key of a manifest and the JSON types its value may have.
_KEYS: Mapping[str, tuple[type, ...]] = {
    "format": (int,),
    "stage": (str,),
    "pmifact": (str,),
    "options": (dict,),
    "vocabulary_sha256": (str,),
    "inputs": (list,),
    "history": (list,),
    "seed": (int, types.NoneType),
    "threads": (int, types.NoneType),
    "seconds": (dict,),
    "versions": (dict,),
    "created": (str,),
    "files": (dict,),
    "manifest_sha256": (str,),
}
# Keys that manifests of older versions lack.
_LATER_KEYS: Mapping[str, tuple[type, ...]] = {"peak_memory": (dict,), "preset": (str, types.NoneType)}

Options = TypeVar("Options")


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """What a manifest says about the run that made the artifact.

    Parameters
    ----------
    inputs : tuple of Source
        What was read.
    history : tuple of mapping
        ``{"stage": ..., "options": ...}`` of each earlier stage, oldest first (see `history_of`).
    threads : int or None
        How many threads worked.
    seconds : mapping of str to float
        Wall-clock seconds of each part of the work.
    peak_memory : mapping of str to int
        Bytes of anonymous memory that the process had at most during each part of the work.
    preset : str or None
        The preset that the options were taken from, where none was given.
    """

    inputs: tuple[Source, ...] = ()
    history: tuple[Mapping[str, Any], ...] = ()
    threads: int | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    peak_memory: Mapping[str, int] = field(default_factory=dict)
    preset: str | None = None


def write_manifest(
    directory: Path,
    stage: str,
    *,
    options: Mapping[str, Any],
    fingerprint: str,
    files: Mapping[str, Mapping[str, Any]],
    extras: Mapping[str, Any],
    record: RunRecord,
) -> None:
    """Write the manifest of an artifact whose other files are written."""
    content = {
        "format": FORMAT,
        "stage": stage,
        "pmifact": _versions()["pmifact"],
        **extras,
        "options": options,
        "vocabulary_sha256": fingerprint,
        "inputs": [asdict(source) for source in record.inputs],
        "history": record.history,
        "seed": options.get("seed"),
        "threads": record.threads,
        "seconds": record.seconds,
        "peak_memory": record.peak_memory,
        "preset": record.preset,
        "versions": _versions(),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": files,
    }
    try:
        # Through JSON and back, so that tuples and NumPy's numbers are hashed as they will be read.
        content = json.loads(json.dumps(content, default=_plain, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as problem:
        raise InputError(
            f"{stage}: options and records must be numbers, strings or lists: {problem}"
        ) from problem
    content["manifest_sha256"] = _seal(content)
    with DigestWriter(directory / NAME) as file:
        file.write((json.dumps(content, indent=1) + "\n").encode())


def load_manifest(directory: Path) -> dict[str, Any]:
    """Read the manifest in `directory` and check its form; raise `ArtifactError` for any fault."""
    path = directory / NAME
    with open_regular(path, ArtifactError) as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ArtifactError(f"{path}: expected at most {_MOST_BYTES:,} bytes, got more; {_DAMAGED}")
    try:
        content = json.loads(data.decode(), object_pairs_hook=_distinct, parse_constant=_refuse)
    except (ValueError, RecursionError) as problem:
        raise ArtifactError(
            f"{path}: expected a JSON object: {problem or 'too deep'}; {_DAMAGED}"
        ) from problem
    if not isinstance(content, dict) or not {"format", "stage"} <= content.keys():
        raise ArtifactError(f"{path}: expected the manifest of a pmifact artifact, got some other JSON")
    _check_format(content, path)
    later = {key: kinds for key, kinds in _LATER_KEYS.items() if key in content}
    for key, kinds in {**_KEYS, **later}.items():
        if type(content.get(key, MISSING)) not in kinds:
            names = " or ".join(kind.__name__ for kind in kinds)
            got = repr(content[key])[:80] if key in content else "nothing"
            raise ArtifactError(
                f"{path}: {key}: expected a JSON value of type {names}, got {got}; {_DAMAGED}"
            )
    if content["manifest_sha256"] != _seal(content):
        raise ArtifactError(f"{path}: its digest does not match: it was edited, or {_DAMAGED}")
    for name, entry in content["files"].items():
        _check_entry(entry, f"{path}: files: {name}")
    return content


def sources(manifest: Mapping[str, Any], path: Path) -> tuple[Source, ...]:
    """Return the inputs that a manifest names."""
    try:
        found = tuple(Source(**entry) for entry in manifest["inputs"])
        whole = all(
            type(source.name) is str and type(source.size) is int and type(source.sha256) is str
            for source in found
        )
    except TypeError:
        whole = False
    if not whole:
        raise ArtifactError(f"{path / NAME}: inputs: expected name, size and sha256 of each; {_DAMAGED}")
    return found


def restore_options(kind: type[Options], manifest: Mapping[str, Any], path: Path) -> Options:
    """Return the options dataclass that a manifest describes.

    An option that the manifest lacks takes its default: the artifact is older than the option.
    """
    where, found = path / NAME, manifest["options"]
    known = {option.name for option in fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(found.keys() - known):
        raise ArtifactError(f"{where}: options: {unknown[0]!r} is unknown here; {_NEWER}")
    hints = get_type_hints(kind)
    values = {
        name: _as_hinted(value, hints[name], f"{where}: options: {name}") for name, value in found.items()
    }
    try:
        return kind(**values)
    except InputError as problem:
        raise ArtifactError(f"{where}: options: {problem}; {_DAMAGED}") from problem


def integer(manifest: Mapping[str, Any], key: str, path: Path, *, least: int, most: int) -> int:
    """Return the integer that the manifest holds under `key`."""
    value = manifest.get(key)
    if type(value) is not int or not least <= value <= most:
        raise ArtifactError(
            f"{path / NAME}: {key}: expected an integer from {least} to {most}, got {value!r}"
        )
    return value


def _check_format(content: Mapping[str, Any], path: Path) -> None:
    number = content["format"]
    if type(number) is not int or number < 1:
        raise ArtifactError(f"{path}: format: expected {FORMAT}, got {number!r}; {_DAMAGED}")
    if number > FORMAT:
        raise ArtifactError(f"{path}: format: expected {FORMAT} at most, got {number}; {_NEWER}")


def _check_entry(entry: object, where: str) -> None:
    shape = entry.get("shape", []) if isinstance(entry, dict) else None
    if (
        not isinstance(entry, dict)
        or type(entry.get("bytes")) is not int
        or entry["bytes"] < 0
        or not re.fullmatch("[0-9a-f]{64}", str(entry.get("sha256")))
        or type(entry.get("dtype", "")) is not str
        or type(shape) is not list
        or not all(type(length) is int and 0 <= length < 1 << 63 for length in shape)
    ):
        raise ArtifactError(f"{where}: expected bytes, sha256, dtype and shape; {_DAMAGED}")


def _as_hinted(value: object, hint: Any, where: str) -> Any:
    """Return a JSON value as the type of a field of an options dataclass: lists become tuples."""
    if get_origin(hint) is tuple:
        kinds = get_args(hint)
        if isinstance(value, list) and len(value) == len(kinds):
            return tuple(_as_hinted(item, kind, where) for item, kind in zip(value, kinds, strict=True))
    else:
        kinds = get_args(hint) or (hint,)
        if type(value) in kinds or (float in kinds and type(value) is int):
            return value
    raise ArtifactError(f"{where}: got {value!r}, which has the wrong type; {_DAMAGED}")


def _seal(content: Mapping[str, Any]) -> str:
    """Return the digest of everything else in the manifest."""
    rest = {key: value for key, value in content.items() if key != "manifest_sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        raise ValueError("a key stands twice")
    return content


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _plain(value: object) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{value!r} is of type {type(value).__name__}")


@cache  # reading package metadata takes milliseconds
def _versions() -> Mapping[str, str]:
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
