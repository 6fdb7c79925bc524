"""Where a set is, among the user's own data or in the cache, and whether its bytes are the published ones."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pmifact.datasets.registry import Dataset, DatasetFile, dataset
from pmifact.errors import InputError
from pmifact.storage.files import open_regular, reason
from pmifact.storage.replacement import locate, resolve

DATA_VARIABLE = "PMIFACT_DATA"
CACHE_VARIABLE = "PMIFACT_CACHE"
SUMS = "SHA256SUMS"  # of what was added; `sha256sum -c` reads it
_FOLDERS = ("", "similarity", "analogy", "corpus")


@dataclass(frozen=True)
class Place:
    """Where a set was found.

    Parameters
    ----------
    path : Path
        Its file; or its folder, when it has several files.
    cached : bool
        In the cache, and not in the folder that PMIFACT_DATA names.
    """

    path: Path
    cached: bool


def cache_folder() -> Path:
    """Return where sets are kept, which need not exist: PMIFACT_CACHE, or the system's place for caches."""
    if given := os.environ.get(CACHE_VARIABLE):
        return Path(given)
    from pooch import os_cache

    return Path(os_cache("pmifact"))


def find_dataset(name: str) -> Place | None:
    """Return where the set of this name is, or None; the folder that PMIFACT_DATA names comes first.

    The files have the names under which they are published, and lie in that folder or in its subfolders
    ``similarity``, ``analogy`` or ``corpus``. They are not read.

    Raises
    ------
    InputError
        If there is no set of that name, or PMIFACT_DATA names no folder.
    """
    wanted = dataset(name)
    for path in _own_places(wanted):
        if _is_whole(wanted, path):
            return Place(path, cached=False)
    # A run that replaces it has it away for a moment.
    kept = locate(resolve(cache_folder() / wanted.name))
    if kept is not None:
        path = kept / (wanted.folder or wanted.files[0].stored)
        if _is_whole(wanted, path):
            return Place(path, cached=True)
    return None


def dataset_path(name: str) -> Path:
    """Return the file of the set of this name, or its folder, after checking the digests of its bytes.

    Raises
    ------
    InputError
        If there is no set of that name, it is not at hand (the message says what to do), or its bytes are
        not the published ones.
    """
    wanted = dataset(name)
    place = find_dataset(name)
    if place is None:
        remedy = f"fetch it with: pmifact data get {name}" if wanted.fetchable else by_hand(wanted)
        raise InputError(f"{name}: {wanted.title} is not at hand; {remedy}")
    check_digests(wanted, place)
    return place.path


def by_hand(wanted: Dataset) -> str:
    """Return what somebody can do to have a set without a download of ours."""
    return (
        f"get {wanted.what} from {wanted.source} and put it into the folder that {DATA_VARIABLE} names, "
        f"or run: pmifact data add {wanted.name} {'FOLDER' if wanted.folder else 'FILE'}"
    )


def check_digests(wanted: Dataset, place: Place) -> None:
    """Raise `InputError` unless a set that was found has the bytes that are known of it."""
    recorded = _recorded(place.path.parent) if place.cached else {}
    for file, path in paths_of(wanted, place.path):
        expected = file.digest or recorded.get(str(path.relative_to(place.path.parent)))
        if expected is None:
            continue
        found = digest_of_path(path, expected.partition(":")[0])
        if found == expected:
            continue
        if place.cached:
            again = f"pmifact data {'get' if wanted.fetchable else 'add'} {wanted.name}"
            remedy = f"it is damaged: delete the folder {place.path.parent} and run {again}"
        else:
            remedy = "give its path in place of the name to use it as it is"
        raise InputError(f"{path}: expected the bytes of {wanted.title} ({expected}), got {found}; {remedy}")


def paths_of(wanted: Dataset, path: Path) -> Iterator[tuple[DatasetFile, Path]]:
    """Yield each file of a set and its path, given the path of the set."""
    for file in wanted.files:
        yield file, path / file.name if wanted.folder else path


def digest_of_path(path: Path, algorithm: str) -> str:
    """Return the digest of a file as the registry writes it, such as ``sha256:0a1b...``."""
    with open_regular(path, InputError) as file:
        try:
            return f"{algorithm}:{hashlib.file_digest(file, algorithm).hexdigest()}"
        except OSError as problem:
            raise InputError(f"{path}: cannot be read: {reason(problem)}") from problem


def _own_places(wanted: Dataset) -> Iterator[Path]:
    own = os.environ.get(DATA_VARIABLE)
    if not own:
        return
    if not Path(own).is_dir():
        raise InputError(f"{DATA_VARIABLE}: expected the path of a folder, got {own!r}; correct or unset it")
    names = [wanted.folder] if wanted.folder else [wanted.files[0].name, wanted.files[0].stored]
    for folder in _FOLDERS:
        for name in dict.fromkeys(names):
            yield Path(own, folder, name)


def _is_whole(wanted: Dataset, path: Path) -> bool:
    return all(path.is_file() for _, path in paths_of(wanted, path))


def _recorded(folder: Path) -> Mapping[str, str]:
    """Return the digests that were noted when a set was added, by the names of its files."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(
            f"{folder / SUMS}: cannot be read: {problem}; delete the folder {folder}"
        ) from problem
    return {name: f"sha256:{digest}" for digest, _, name in (line.partition("  ") for line in lines)}
