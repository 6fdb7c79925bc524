"""May this path be written? Asked before the work, not after it."""

import os
from pathlib import Path

from pmifact.errors import ArtifactError
from pmifact.storage.files import as_path, open_regular
from pmifact.storage.formats.table import format_of
from pmifact.storage.manifest import NAME, load_manifest
from pmifact.storage.replacement import locate, look_undisturbed, resolve

_START = 4096  # bytes


def check_target(path: str | os.PathLike[str], stage: str) -> None:
    """Raise early when `path` may not be written.

    Parameters
    ----------
    path : path
        Where an artifact, or for "vectors" a file of word vectors, is to be written.
    stage : {"corpus", "counts", "factors", "vectors"}
        What is to be written.

    Raises
    ------
    InputError
        If the suffix of a file of word vectors names no format.
    ArtifactError
        If something else than an older result of the same kind stands there, or the directory that is
        to hold it is missing or may not be written.
    """
    if stage == "vectors":
        target = as_path(path)
        format_of(target).check_target(target)
    else:
        check_artifact_target(as_path(path), stage)


def check_artifact_target(path: Path, stage: str) -> None:
    """Raise `ArtifactError` unless an artifact of this stage may be written at `path`."""

    def look(directory: Path) -> None:
        if not os.path.lexists(directory / NAME):
            raise ArtifactError(f"{path}: is there already and is no artifact; remove it or write elsewhere")
        try:
            manifest = load_manifest(directory)
        except ArtifactError as problem:
            raise ArtifactError(
                f"{path}: is there already with a manifest that cannot be read; "
                f"remove it or write elsewhere ({problem})"
            ) from problem
        if manifest["stage"] != stage:
            raise ArtifactError(
                f"{path}: expected to replace a .{stage} artifact, "
                f"but a .{manifest['stage']} artifact is there; remove it or write elsewhere"
            )
        _check_nothing_else(path, directory, {NAME, *manifest["files"]})

    if locate(resolve(path)):
        look_undisturbed(path, look)
    _check_parent(path)


def check_own_file(path: str | os.PathLike[str], mark: bytes, kind: str) -> None:
    """Raise `ArtifactError` unless a file may be written at `path`.

    Parameters
    ----------
    path : path
        Where there is nothing yet, or an older file that is of the same kind.
    mark : bytes
        What every file of this kind has near its start.
    kind : str
        Its name, for the message.
    """
    target = resolve(as_path(path))
    if os.path.lexists(target):
        with open_regular(target, ArtifactError) as file:
            start = file.read(_START)
        if start and mark not in start:
            raise ArtifactError(f"{path}: is there already and is not {kind}; remove it or write elsewhere")
    _check_parent(as_path(path))


def _check_nothing_else(path: Path, directory: Path, known: set[str]) -> None:
    """Refuse to delete files that somebody put into an artifact; hidden ones are the system's own."""
    try:
        others = sorted(
            name for name in os.listdir(directory) if name not in known and not name.startswith(".")
        )
    except OSError as problem:
        raise ArtifactError(f"{path}: cannot be listed: {problem.strerror}") from problem
    if others:
        raise ArtifactError(
            f"{path}: holds {others[0]!r}, which replacing the artifact would delete; "
            "move it or write elsewhere"
        )


def _check_parent(path: Path) -> None:
    parent = resolve(path).parent
    if not parent.is_dir():
        raise ArtifactError(f"{path}: the directory {parent} does not exist; create it first")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise ArtifactError(f"{path}: the directory {parent} may not be written; write elsewhere")
