"""How much memory a step takes, looked at while it runs."""

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_STATUS = "/proc/self/status"
_PERIOD = 0.02  # seconds between two looks, each of some 30 microseconds


@dataclass
class Peak:
    """The most memory seen so far, in bytes; None where the system does not tell."""

    bytes: int | None = None

    def look(self) -> None:
        """Take note of what the process has now."""
        now = memory_in_use()
        if now is not None:
            self.bytes = max(now, self.bytes or 0)


@contextmanager
def peak_memory() -> Iterator[Peak]:
    """Look at the memory of this process now and then while the body runs."""
    peak, over = Peak(), threading.Event()

    def watch() -> None:
        while not over.wait(_PERIOD):
            peak.look()

    peak.look()
    watcher = threading.Thread(target=watch, name="pmifact-memory", daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        over.set()
        watcher.join()
        peak.look()


def memory_in_use() -> int | None:
    """Return the bytes of anonymous memory of this process.

    Mapped files are left out, since they take no memory that others need. Where the system does not tell
    them apart (macOS), it is the most that the process ever had, whatever it was for; None where it does
    not tell at all.
    """
    try:
        with open(_STATUS, "rb") as file:
            found = re.search(rb"^RssAnon:\s*(\d+) kB", file.read(), re.MULTILINE)
    except OSError:
        found = None
    if found:
        return int(found[1]) << 10
    try:
        import resource
    except ImportError:
        return None
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest << 10
