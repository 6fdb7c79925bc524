"""One run of a command: its steps, what time and memory they take, and what it says when it is done."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pmifact.cli.console import in_bytes, in_seconds, say
from pmifact.cli.memory_use import peak_memory
from pmifact.resources.progress import Progress, no_progress

if TYPE_CHECKING:
    from pmifact.skipgram.report import Monitor


class Run:
    """Measures the steps of a command and shows how far each has come.

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
        self._seconds: dict[str, float] = {}
        self._peak_memory: dict[str, int] = {}
        self._start = time.perf_counter()

    @contextmanager
    def step(self, name: str, description: str, unit: str = "") -> Iterator[Progress]:
        """Measure one step under `name`, with a bar when standard error is a terminal."""
        with self._measuring(name):
            if self._shows_nothing:
                yield no_progress
            else:
                from pmifact.cli.progress import bar

                with bar(description, unit, transient=self._transient) as progress:
                    yield progress

    @contextmanager
    def training(self, name: str, unit: str) -> Iterator["Monitor"]:
        """Measure a training under `name`, with a line about it when standard error is a terminal."""
        with self._measuring(name):
            if self._shows_nothing:
                yield lambda report: None
            else:
                from pmifact.cli.progress import training_line

                with training_line(unit) as monitor:
                    yield monitor

    @property
    def _shows_nothing(self) -> bool:
        return self.quiet or not sys.stderr.isatty()

    @contextmanager
    def _measuring(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        with peak_memory() as peak:
            yield
        self._seconds[name] = round(time.perf_counter() - start, 3)
        if peak.bytes is not None:
            self._peak_memory[name] = peak.bytes

    @property
    def measured(self) -> dict[str, Any]:
        """What a manifest says of the steps that are done: `seconds` and `peak_memory` of each."""
        return {"seconds": dict(self._seconds), "peak_memory": dict(self._peak_memory)}

    @property
    def elapsed(self) -> str:
        """How long the command has been running, in words."""
        return in_seconds(time.perf_counter() - self._start)

    def wrote(self, path: str, what: str) -> None:
        """Say what was written, how large it is and how long the whole command took."""
        if not self.quiet:
            say(f"Wrote {path}: {what}; {in_bytes(size_of(path))} in {self.elapsed}")


def size_of(path: str | os.PathLike[str]) -> int:
    """Return the bytes of a file, or of the files in an artifact."""
    path = Path(path)
    return sum(file.stat().st_size for file in path.iterdir()) if path.is_dir() else path.stat().st_size
