"""Atomic replacement: whatever happens, a path holds what it held before or the new content, whole.

The new content is written to a hidden *partial* beside the target. A file then takes the target's place
in one step. A directory cannot, so the old one is first renamed to a hidden *previous*, the new one
renamed in, and the old one deleted; whoever finds the target missing and a previous beside it brings it
back. A live run holds a lock on its partial, so that the next run can tell it from one left by a kill.
"""

import errno
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from pmifact.errors import ArtifactError
from pmifact.resources.locks import try_lock
from pmifact.resources.removal import remove_tree
from pmifact.storage.files import reason

_ATTEMPTS = 100
_LOOKS = 5
_RACE_LOST = (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT)
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

Result = TypeVar("Result")


@contextmanager
def replacing(path: Path, *, directory: bool) -> Iterator[Path]:
    """Yield a new empty directory (or the path of a new file) that replaces `path` when the block ends well.

    Raises
    ------
    ArtifactError
        For any OSError in the block or in the replacement; `path` is then as it was.
    """
    target = resolve(path)
    # Known before they are there, so that a signal finds no moment in which one would be left behind.
    names: list[Path] = []
    try:
        recover(target)
        _remove_stale(target)
        try:
            partial, lock = _create_partial(target, directory, names)
            try:
                yield partial
                if directory:
                    _sync_directory(partial)
                    _swap(partial, target)
                else:
                    os.replace(partial, target)
                _sync_directory(target.parent)
            finally:
                os.close(lock)
        except BaseException:
            recover(target)
            for name in names:
                _remove(name)
            raise
    except OSError as problem:
        remedy = "free space there or write elsewhere" if problem.errno in _DISK_FULL else "write elsewhere"
        raise ArtifactError(
            f"{path}: cannot be written: {reason(problem)}; nothing there was changed, {remedy}"
        ) from problem


def resolve(path: Path) -> Path:
    """Return where `path` really is: a link is written through, not replaced."""
    return Path(os.path.realpath(path))


def recover(target: Path) -> Path:
    """Bring back the directory that a killed run set aside, and return where it now is.

    Returns
    -------
    Path
        `target`; or the place aside, when the target is missing and may not be created.
    """
    previous = _previous(target)
    if os.path.lexists(target) or not previous.is_dir():
        return target
    try:
        os.rename(previous, target)
    except OSError:
        # Either somebody else was faster, or this file system cannot be written but can be read.
        return previous if previous.is_dir() and not target.exists() else target
    return target


def locate(target: Path) -> Path | None:
    """Return where the artifact or file is that `target` names, or None when there is none."""
    for _ in range(_LOOKS):
        place = recover(target)
        if identity(place) is not None:
            return place
        # Between two looks of `recover` a writer may have put one in and the next have taken it out.
        time.sleep(0.001)
    return None


def look_undisturbed(path: Path, look: Callable[[Path], Result]) -> Result:
    """Call `look` on the directory that `path` names, again if it was replaced meanwhile.

    Raises
    ------
    ArtifactError
        If there is nothing, or as `look` does when nothing moves.
    """
    target, before, fault = resolve(path), None, ""
    for _ in range(_ATTEMPTS):
        place = locate(target)
        if place is None:
            raise ArtifactError(f"{path}: there is no such artifact")
        previous, before = before, _state(place)
        try:
            # Messages use the user's own name of the directory, unless it was left aside.
            result = _look(look, path if place == target else place)
        except ArtifactError as error:
            # Believed when said twice of one directory: clocks are too coarse to show every rename.
            if _state(place) == before == previous and str(error) == fault:
                raise
            fault = str(error)
        else:
            if _state(place) == before:
                return result
    raise ArtifactError(f"{path}: is replaced again and again; read it when its writers are done")


def _look(look: Callable[[Path], Result], place: Path) -> Result:
    try:
        return look(place)
    except OSError as problem:
        raise ArtifactError(f"{place}: cannot be read: {reason(problem)}") from problem


def identity(path: Path) -> tuple[int, int, int] | None:
    """Return what tells one directory from another that later takes its name; None when there is none."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    # The number of a deleted directory is soon given to a new one; the time of its last entry is not.
    return status.st_dev, status.st_ino, status.st_mtime_ns


def _state(path: Path) -> tuple[int, ...] | None:
    """Return what also changes when a directory is renamed away and back."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def _swap(partial: Path, target: Path) -> None:
    """Put `partial` in the place of `target`, again when a reader or another writer came between."""
    previous = _previous(target)
    for attempt in range(_ATTEMPTS):
        # Looked at before the target: another writer may set its old directory aside at any moment.
        left_over = identity(previous)
        old = identity(recover(target))
        try:
            if old is not None:
                _discard(previous, left_over)
                os.rename(target, previous)
            os.rename(partial, target)
        except OSError as problem:
            if problem.errno not in _RACE_LOST or attempt == _ATTEMPTS - 1:
                raise
            continue
        except BaseException:  # a signal
            if not os.path.lexists(partial):
                _discard(previous, old)  # the new one stands already
            raise
        _discard(previous, old)
        return


def _discard(previous: Path, expected: tuple[int, int, int] | None) -> None:
    """Delete the directory set aside, if it is the one expected."""
    if expected is None or identity(previous) != expected:
        return
    # Renamed first: a half-deleted directory must never be brought back.
    doomed = _new_partial_name(previous.parent, _stem_of_previous(previous))
    try:
        with suppress(OSError):
            os.rename(previous, doomed)
            _remove(doomed)
    except BaseException:  # a signal, which keeps nothing from being deleted
        _remove(doomed)
        raise


def _create_partial(target: Path, directory: bool, names: list[Path]) -> tuple[Path, int]:
    """Create and lock the partial, its name first put to `names`; return it and what holds the lock."""
    while True:
        partial = _new_partial_name(target.parent, _stem(target))
        names.append(partial)
        if directory:
            partial.mkdir()
        else:
            partial.touch(exist_ok=False)
        try:
            lock = os.open(partial, os.O_RDONLY)
        except FileNotFoundError:
            continue  # another run took it for stale before it was locked
        if try_lock(lock) is not False and os.path.exists(partial):
            return partial, lock
        os.close(lock)


def _remove_stale(target: Path) -> None:
    """Delete the partials of killed runs: those whose lock can be taken."""
    pattern = re.compile(re.escape(f".{_stem(target)}.") + r"[0-9a-f]{16}\.partial")
    try:
        names = [name for name in os.listdir(target.parent) if pattern.fullmatch(name)]
    except PermissionError:
        return
    for name in names:
        partial = target.parent / name
        try:
            lock = os.open(partial, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            continue
        if try_lock(lock):  # without locks nothing that might belong to a live run is deleted
            _remove(partial)
        os.close(lock)


def _remove(path: Path) -> None:
    """Delete a file or directory; what cannot be deleted now is left to the next run."""
    if path.is_dir():
        remove_tree(path)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _sync_directory(directory: Path) -> None:
    """Have the names in `directory` written to the disk, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _stem(target: Path) -> str:
    name = target.name
    # File names are limited to 255 bytes; the hidden ones add up to 27.
    return name if len(os.fsencode(name)) <= 200 else sha256(os.fsencode(name)).hexdigest()


def _previous(target: Path) -> Path:
    return target.parent / f".{_stem(target)}.previous"


def _stem_of_previous(previous: Path) -> str:
    return previous.name[1 : -len(".previous")]


def _new_partial_name(parent: Path, stem: str) -> Path:
    return parent / f".{stem}.{secrets.token_hex(8)}.partial"
