"""One run of a command: its steps, how long they take, and what it says when it is done."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pmifact.cli.console import in_bytes, in_seconds, say
from pmifact.progress import Progress, no_progress


class Run:
    """Times the steps of a command and shows how far each has come.

    Parameters
    ----------
    quiet : bool
        Show no bar and no closing line.
    transient : bool
        Leave no trace of a bar when its step is done: results follow, and are all that matters.
    """

    def __init__(self, *, quiet: bool, transient: bool = False) -> None:
        self.quiet = quiet
        self._transient = transient
        self.seconds: dict[str, float] = {}
        self._start = time.perf_counter()

    @contextmanager
    def step(self, name: str, description: str, unit: str = "") -> Iterator[Progress]:
        """Time one step under `name`, with a bar when standard error is a terminal."""
        start = time.perf_counter()
        if self.quiet or not sys.stderr.isatty():
            yield no_progress
        else:
            from pmifact.cli.progress import bar

            with bar(description, unit, transient=self._transient) as progress:
                yield progress
        self.seconds[name] = round(time.perf_counter() - start, 3)

    def wrote(self, path: str, what: str) -> None:
        """Say what was written, how large it is and how long the whole command took."""
        if not self.quiet:
            seconds = time.perf_counter() - self._start
            say(f"Wrote {path}: {what}; {in_bytes(size_of(path))} in {in_seconds(seconds)}")


def size_of(path: str | os.PathLike[str]) -> int:
    """Return the bytes of a file, or of the files in an artifact."""
    path = Path(path)
    return sum(file.stat().st_size for file in path.iterdir()) if path.is_dir() else path.stat().st_size
