"""A set that somebody has, into the cache: read to see that it is the one, copied, and its digest noted."""

import os
from io import BufferedReader
from pathlib import Path

from pmifact.datasets.fetching import make_cache
from pmifact.datasets.places import SUMS, Place, digest_of_path, paths_of
from pmifact.datasets.reading import read_gold_file
from pmifact.datasets.registry import Dataset, dataset
from pmifact.errors import InputError
from pmifact.storage.files import as_path, open_regular, reason
from pmifact.storage.replacement import replacing

_BLOCK = 1 << 20


def add_dataset(name: str, path: str | os.PathLike[str]) -> Place:
    """Copy a set into the cache of this user, in place of an older copy.

    A set with a digest must have it. Another is read as what it should be, and must have as many items as
    were published; its digest is noted beside it, in the form that ``sha256sum -c`` reads, and checked
    whenever the set is used.

    Parameters
    ----------
    name : str
        As in `datasets`.
    path : path
        The file as it is published; or the folder, for a set of several files.

    Returns
    -------
    Place
        Where the copy is.

    Raises
    ------
    InputError
        If there is no set of that name, or the file cannot be read or is another one.
    ArtifactError
        If the cache cannot be written; nothing in it has changed then.
    """
    wanted, given = dataset(name), as_path(path)
    _check(wanted, given)
    target = make_cache() / name
    with replacing(target, directory=True) as partial:
        copy = partial / (wanted.folder or wanted.files[0].stored)
        sums = []
        for (_, source), (_, to) in zip(paths_of(wanted, given), paths_of(wanted, copy), strict=True):
            to.parent.mkdir(parents=True, exist_ok=True)
            _copy(source, to)
            digest = digest_of_path(to, "sha256").removeprefix("sha256:")
            sums.append(f"{digest}  {to.relative_to(partial)}\n")
        (partial / SUMS).write_text("".join(sums), encoding="utf-8")
        # Only now is it known that what was copied is what was looked at.
        _check(wanted, copy)
    return Place(target / copy.relative_to(partial), cached=True)


def _check(wanted: Dataset, path: Path) -> None:
    """Raise `InputError` unless the files are those of the set, as far as is known of it."""
    if wanted.folder and not path.is_dir():
        raise InputError(f"{path}: expected {wanted.what}, got no folder")
    for file, source in paths_of(wanted, path):
        if file.digest and (found := digest_of_path(source, file.digest.partition(":")[0])) != file.digest:
            raise InputError(
                f"{source}: expected {file.stored} of {wanted.title} as it is published ({file.digest}), "
                f"got {found}; get it from {wanted.source}"
            )
    if wanted.kind != "corpus":
        read_gold_file(wanted, path)
        return
    with open_regular(path, InputError) as stream:
        size = os.fstat(stream.fileno()).st_size
    if size != (wanted.bytes or size) or not size:
        expected = "text" if wanted.bytes is None else f"{wanted.bytes:,} bytes"
        raise InputError(
            f"{path}: expected {wanted.files[0].stored} of {wanted.title}, {expected}, got {size:,} bytes; "
            f"get it from {wanted.source}"
        )


def _copy(source: Path, to: Path) -> None:
    with open_regular(source, InputError) as reading, to.open("xb") as writing:
        # Told apart, because only the one is a fault of the cache.
        while block := _read(reading, source):
            writing.write(block)
        writing.flush()
        os.fsync(writing.fileno())


def _read(stream: BufferedReader, source: Path) -> bytes:
    try:
        return stream.read(_BLOCK)
    except OSError as problem:
        raise InputError(f"{source}: cannot be read: {reason(problem)}") from problem
