"""Artifact directories: which files each stage has, and how they are written, checked and read as a whole."""

import hashlib
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from types import MappingProxyType
from typing import Any, TypeVar

from numpy.typing import NDArray

from pmifact.contexts import Contexts
from pmifact.errors import ArtifactError, InputError
from pmifact.storage.arrays import map_array, write_array
from pmifact.storage.contexts_file import check_contexts, parse_contexts, write_contexts
from pmifact.storage.files import as_path, digest_of, open_regular
from pmifact.storage.manifest import NAME, RunRecord, load_manifest, write_manifest
from pmifact.storage.replacement import locate, look_undisturbed, replacing, resolve
from pmifact.storage.targets import check_artifact_target
from pmifact.storage.vocabulary_file import check_words, parse_vocabulary, write_vocabulary
from pmifact.text.readers import Source
from pmifact.vocabulary import Vocabulary

VOCABULARY = "vocabulary.tsv"
CONTEXTS = "contexts.tsv"  # there only when the columns are not the words of the rows
# The arrays of each stage: name -> (dtype, number of dimensions).
ARRAYS: Mapping[str, Mapping[str, tuple[str, int]]] = MappingProxyType(
    {
        "corpus": {"token_ids.npy": ("int32", 1), "sentence_starts.npy": ("int64", 1)},
        "counts": {"indptr.npy": ("int64", 1), "indices.npy": ("int32", 1), "data.npy": ("int64", 1)},
        "factors": {
            "words.npy": ("float32", 2),
            "strengths.npy": ("float32", 1),
            "contexts.npy": ("float32", 2),
            "residuals.npy": ("float32", 1),
        },
    }
)
# Artifacts below this size are hashed whenever they are read; larger ones on request.
FULL_DIGEST_BELOW = 1 << 30

Result = TypeVar("Result")


@dataclass(frozen=True)
class Contents:
    """The checked files of an artifact."""

    directory: Path
    manifest: Mapping[str, Any]
    vocabulary: Vocabulary
    contexts: Contexts | None
    arrays: Mapping[str, NDArray[Any]]


def write_artifact(
    path: str | os.PathLike[str],
    stage: str,
    *,
    vocabulary: Vocabulary,
    arrays: Mapping[str, NDArray[Any]],
    options: Mapping[str, Any],
    record: RunRecord,
    contexts: Contexts | None = None,
    extras: Mapping[str, Any] = MappingProxyType({}),
    check: Callable[[], None] = lambda: None,
) -> None:
    """Write an artifact beside `path` and put it there in one step, in place of an older one.

    The files are written side by side, so that the disk never waits; meanwhile `check` may refuse the arrays.
    """
    target = as_path(path)
    check_artifact_target(target, stage)
    check_words(vocabulary)
    if contexts is not None:
        check_contexts(contexts)
    with replacing(target, directory=True) as partial:
        files = {VOCABULARY: write_vocabulary(partial / VOCABULARY, vocabulary)}
        if contexts is not None:
            files[CONTEXTS] = write_contexts(partial / CONTEXTS, contexts)
        files |= _write_arrays(partial, stage, arrays, check)
        write_manifest(
            partial,
            stage,
            options=options,
            fingerprint=vocabulary.fingerprint,
            files=files,
            extras=extras,
            record=record,
        )


def _write_arrays(
    partial: Path, stage: str, arrays: Mapping[str, NDArray[Any]], check: Callable[[], None]
) -> dict[str, dict[str, Any]]:
    """Write the arrays of a stage; return their entries in the manifest."""
    stop = Event()
    pool = ThreadPoolExecutor(len(ARRAYS[stage]) + 1)
    try:
        checked = pool.submit(check)
        written = {
            name: pool.submit(write_array, partial / name, arrays[name], dtype, stop)
            for name, (dtype, _) in ARRAYS[stage].items()
        }
        checked.result()
        return {name: entry.result() for name, entry in written.items()}
    finally:
        # After a fault, or a signal, nobody may write any more when the directory is removed.
        stop.set()
        pool.shutdown()


def read_artifact(
    path: str | os.PathLike[str], stage: str, build: Callable[[Contents], Result], *, verify: bool = False
) -> Result:
    """Check the files of an artifact and return what `build` makes of them; `verify` hashes large ones."""

    def read(directory: Path) -> Result:
        manifest = _manifest_of(directory, stage)
        _check_files(directory, manifest, verify=verify)
        vocabulary = _vocabulary_of(directory, manifest)
        contexts = None
        if CONTEXTS in manifest["files"]:
            contexts = _parsed(directory / CONTEXTS, parse_contexts)
        arrays = {name: _array_of(directory, manifest, name) for name in ARRAYS[stage]}
        try:
            return build(Contents(directory, manifest, vocabulary, contexts, arrays))
        except InputError as problem:  # the type of the stage refuses what it would refuse from anybody
            raise ArtifactError(
                f"{directory}: {problem}; the artifact is damaged, make it again"
            ) from problem

    return look_undisturbed(as_path(path), read)


def read_artifact_vocabulary(path: str | os.PathLike[str]) -> Vocabulary:
    """Read only the vocabulary of an artifact of any stage."""

    def read(directory: Path) -> Vocabulary:
        manifest = _manifest_of(directory, None)
        _check_file(directory / VOCABULARY, manifest["files"][VOCABULARY], hashed=True)
        return _vocabulary_of(directory, manifest)

    return look_undisturbed(as_path(path), read)


def read_manifest(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    """Read the manifest of an artifact.

    Raises
    ------
    ArtifactError
        If there is no artifact, its manifest is damaged, or it was written by a newer pmifact.
    """
    return look_undisturbed(as_path(path), lambda directory: _manifest_of(directory, None))


def artifact_stage(path: str | os.PathLike[str]) -> str | None:
    """Return "corpus", "counts" or "factors"; None when `path` is no directory with a manifest.

    Raises
    ------
    ArtifactError
        If there is a manifest, but it is damaged or newer than this pmifact.
    """

    def read(directory: Path) -> str | None:
        return str(_manifest_of(directory, None)["stage"]) if os.path.lexists(directory / NAME) else None

    given = as_path(path)
    return look_undisturbed(given, read) if locate(resolve(given)) else None


def history_of(path: str | os.PathLike[str]) -> tuple[Mapping[str, Any], ...]:
    """Return stage and options of an artifact and of every stage before it, oldest first."""
    manifest = read_manifest(path)
    return (*manifest["history"], {"stage": manifest["stage"], "options": manifest["options"]})


def artifact_source(path: str | os.PathLike[str]) -> Source:
    """Return an artifact as an input of a later stage: the bytes of its files and one digest over theirs."""
    manifest = read_manifest(path)
    digests = "".join(f"{entry['sha256']}  {name}\n" for name, entry in sorted(manifest["files"].items()))
    size = sum(entry["bytes"] for entry in manifest["files"].values())
    return Source(name=os.fspath(path), size=size, sha256=hashlib.sha256(digests.encode()).hexdigest())


def _manifest_of(directory: Path, stage: str | None) -> Mapping[str, Any]:
    expected = f"a .{stage} artifact" if stage else "an artifact"
    if not os.path.lexists(directory / NAME):
        got = "a directory without one" if directory.is_dir() else "a file"
        raise ArtifactError(f"{directory}: expected {expected}, a directory with {NAME}, got {got}")
    manifest = load_manifest(directory)
    found = manifest["stage"]
    if found not in ARRAYS:
        raise ArtifactError(f"{directory}: its stage {found!r} is unknown here; upgrade pmifact to read it")
    if stage not in (None, found):
        raise ArtifactError(f"{directory}: expected {expected}, got a .{found} artifact")
    names = {VOCABULARY, *ARRAYS[found]}
    optional = set() if found == "corpus" else {CONTEXTS}
    for name in sorted((names ^ manifest["files"].keys()) - optional):
        if name in names:
            raise ArtifactError(f"{directory / NAME}: files: expected an entry for {name}, got none")
        raise ArtifactError(
            f"{directory / NAME}: files: {name!r} is unknown here; upgrade pmifact to read it"
        )
    return manifest


def _check_files(directory: Path, manifest: Mapping[str, Any], *, verify: bool) -> None:
    files = manifest["files"]
    hashed = verify or sum(entry["bytes"] for entry in files.values()) < FULL_DIGEST_BELOW
    for name in files:
        _check_file(directory / name, files[name], hashed=hashed)


def _check_file(path: Path, entry: Mapping[str, Any], *, hashed: bool) -> None:
    with open_regular(path, ArtifactError) as file:
        size = os.fstat(file.fileno()).st_size
        if size != entry["bytes"]:
            raise ArtifactError(
                f"{path}: expected {entry['bytes']:,} bytes, got {size:,}; "
                "the artifact is damaged, make it again"
            )
        if hashed and digest_of(file) != entry["sha256"]:
            raise ArtifactError(f"{path}: its digest does not match; the artifact is damaged, make it again")


def _vocabulary_of(directory: Path, manifest: Mapping[str, Any]) -> Vocabulary:
    path = directory / VOCABULARY
    vocabulary = _parsed(path, parse_vocabulary)
    if vocabulary.fingerprint != manifest["vocabulary_sha256"]:
        raise ArtifactError(
            f"{path}: its words are not those that {NAME} was written for; make the artifact again"
        )
    return vocabulary


def _parsed(path: Path, parse: Callable[[bytes, Path], Result]) -> Result:
    with open_regular(path, ArtifactError) as file:
        return parse(file.read(), path)


def _array_of(directory: Path, manifest: Mapping[str, Any], name: str) -> NDArray[Any]:
    dtype, dimensions = ARRAYS[manifest["stage"]][name]
    entry = manifest["files"][name]
    shape = tuple(entry.get("shape", ()))
    if entry.get("dtype") != dtype or len(shape) != dimensions:
        raise ArtifactError(
            f"{directory / NAME}: files: {name}: expected {dtype} in {dimensions} dimensions, "
            f"got {entry.get('dtype')} of shape {shape}"
        )
    with open_regular(directory / name, ArtifactError) as file:
        return map_array(file, directory / name, dtype=dtype, shape=shape)
