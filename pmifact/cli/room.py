"""Whether the disk has room for what a count will write, asked before it starts."""

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pmifact.cli.console import in_bytes, say
from pmifact.errors import InputError

if TYPE_CHECKING:
    from pmifact.disk import DiskEstimate


def check_room(output: str, scratch: Path, needed: "DiskEstimate", *, pruned: bool, quiet: bool) -> None:
    """Say how much disk counting needs; raise `InputError` when there is less.

    Parameters
    ----------
    output : str
        The artifact to be.
    scratch : Path
        Where unfinished counts go. What an earlier run left there is used again, or removed.
    needed : DiskEstimate
    pruned : bool
        Whether pairs will be left out in the end, nobody knows how many: the result may then be small.
    """
    need = f"{'at most ' if pruned else ''}about {in_bytes(needed.result)}"
    if needed.unfinished:
        need += f", and needs {in_bytes(needed.unfinished)} more until it is done"
    free = shutil.disk_usage(Path(os.path.realpath(output)).parent).free + _size_of(scratch)
    if (needed.unfinished if pruned else needed.total) > free:
        raise InputError(
            f"{output}: counting writes {need}, but only {in_bytes(free)} are free there; "
            "free space, write elsewhere, or use a larger --min-count or a smaller --window"
        )
    if not quiet:
        say(f"Counting writes {need}")


def _size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir()) if folder.is_dir() else 0
