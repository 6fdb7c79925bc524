"""From the public source into the cache: checked before it counts, and put there as a whole."""

import logging
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pmifact.datasets.places import (
    Place,
    by_hand,
    cache_folder,
    check_digests,
    digest_of_path,
    find_dataset,
    paths_of,
)
from pmifact.datasets.registry import Dataset, DatasetFile, dataset
from pmifact.errors import ArtifactError, InputError
from pmifact.resources.progress import Progress, no_progress
from pmifact.storage.replacement import replacing

_TIMEOUT = 30  # seconds without a byte


class _ForestalledError(Exception):
    """Another run has put the same set there meanwhile; replacing it would disturb its readers."""


def get_dataset(name: str, *, progress: Progress = no_progress) -> Place:
    """Fetch a set into the cache of this user, unless it is at hand already.

    Parameters
    ----------
    name : str
        As in `datasets`.
    progress : Progress
        Called with the bytes that came and those of the file; of a set of several files, with their numbers.

    Returns
    -------
    Place
        Where it is now. Its digests are checked, fetched or not.

    Raises
    ------
    InputError
        If there is no set of that name, it has no digest to check a download by, it cannot be fetched, or
        other bytes came than were published. The message says how to get the set by hand.
    ArtifactError
        If the cache cannot be written; nothing in it has changed then.
    """
    wanted = dataset(name)
    place = find_dataset(name)
    if place is not None:
        try:
            check_digests(wanted, place)
        except InputError:
            # What is damaged in the cache is replaced; the user's own files are not ours to replace.
            if not (place.cached and wanted.fetchable):
                raise
        else:
            return place
    if not wanted.fetchable:
        raise InputError(
            f"{name}: no digest of {wanted.title} is known to check a download by; {by_hand(wanted)}"
        )
    target = make_cache() / name
    with suppress(_ForestalledError), replacing(target, directory=True) as partial:
        path = partial / (wanted.folder or wanted.files[0].stored)
        for number, (file, to) in enumerate(paths_of(wanted, path), start=1):
            to.parent.mkdir(parents=True, exist_ok=True)
            _fetch(wanted, file, to, progress if wanted.folder is None else no_progress)
            if wanted.folder:
                progress(number, len(wanted.files))
        if place is None and find_dataset(name) is not None:
            raise _ForestalledError
    return Place(target / path.relative_to(partial), cached=True)


def make_cache() -> Path:
    """Return the folder of the cache, made if need be."""
    cache = cache_folder()
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ArtifactError(f"{cache}: cannot be made a folder: {problem.strerror}") from problem
    return cache


def _fetch(wanted: Dataset, file: DatasetFile, to: Path, progress: Progress) -> None:
    """Fetch one file to `to`; raise `InputError` unless it is the published one."""
    import pooch
    from requests import RequestException

    assert file.url is not None
    assert file.digest is not None
    known = None if file.member else file.digest
    unzip = pooch.Unzip(members=[file.member], extract_dir="unzipped") if file.member else None
    downloader = pooch.HTTPDownloader(progressbar=_Bar(progress), timeout=_TIMEOUT)
    archive = to.with_name(f"{to.name}.zip") if file.member else to
    try:
        with _quiet(pooch.get_logger()):
            got = pooch.retrieve(
                file.url,
                known,
                fname=archive.name,
                path=to.parent,
                downloader=downloader,
                processor=unzip,
            )
    except RequestException as problem:
        raise InputError(
            f"{wanted.name}: {file.url} cannot be fetched: {_reason(problem)}; {by_hand(wanted)}"
        ) from problem
    except ValueError as problem:  # pooch's word for another digest
        raise _other_bytes(wanted, file) from problem
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as problem:
        raise InputError(
            f"{wanted.name}: {file.url} sent no whole ZIP archive; {by_hand(wanted)}"
        ) from problem
    if file.member:
        _take_member(wanted, file, got, archive, to)


def _take_member(wanted: Dataset, file: DatasetFile, got: list[str], archive: Path, to: Path) -> None:
    """Move the file that was unzipped to its place, and delete the rest."""
    if len(got) != 1:
        raise InputError(
            f"{wanted.name}: {file.url} sent an archive without {file.member!r}; {by_hand(wanted)}"
        )
    if digest_of_path(Path(got[0]), str(file.digest).partition(":")[0]) != file.digest:
        raise _other_bytes(wanted, file)
    Path(got[0]).replace(to)
    archive.unlink()
    shutil.rmtree(to.with_name("unzipped"))


def _other_bytes(wanted: Dataset, file: DatasetFile) -> InputError:
    return InputError(
        f"{wanted.name}: {file.url} sent other bytes than the published ones ({file.digest}), or not all of "
        f"them; {by_hand(wanted)}"
    )


def _reason(problem: Any) -> str:
    """Return in a few words why a request failed."""
    import requests

    if problem.response is not None:
        return f"the server answers {problem.response.status_code} {problem.response.reason}".strip()
    if isinstance(problem, requests.exceptions.ChunkedEncodingError):
        return "the connection ended before the whole file had come"
    if isinstance(problem, requests.Timeout):
        return f"no answer within {_TIMEOUT} seconds"
    if isinstance(problem, requests.ConnectionError):
        return "no connection to the server"
    return str(problem)


@contextmanager
def _quiet(logger: logging.Logger) -> Iterator[None]:
    """Keep pooch's messages, which are meant for its own callers, from standard error."""
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)


class _Bar:
    """What pooch takes for a progress bar, told to a `Progress`."""

    def __init__(self, progress: Progress) -> None:
        self.total = 0
        self._done = 0
        self._progress = progress

    def update(self, size: int) -> None:
        """Add the bytes of one more piece; pooch counts the last as a whole one."""
        self._done += size
        self._progress(min(self._done, self.total), self.total)

    def reset(self) -> None:
        """Start to count again."""
        self._done = 0

    close = reset  # whoever shows the progress ends it
