"""Standard output and standard error as the commands write to them, whatever they are connected to."""

import errno
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

from pmifact.errors import ArtifactError


def prepare_streams() -> None:
    """Let messages never fail, and results never be lost in silence; a narrow encoding shows escapes."""
    sys.stdout = _replaced(sys.stdout, _Results, _ClosedResults)
    sys.stderr = _replaced(sys.stderr, _Messages, _Messages)


def forget_stdout() -> None:
    """Send what is still buffered for standard output nowhere, so that the exit does not try it again."""
    with suppress(AttributeError, OSError, ValueError):  # closed, or no file at all
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)


class _Messages(TextIOWrapper):
    """Standard error: a message that cannot be written changes nothing about the outcome."""

    def write(self, text: str, /) -> int:
        """Write if that is possible."""
        with suppress(OSError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        """Flush if that is possible."""
        with suppress(OSError):
            super().flush()


class _Results(TextIOWrapper):
    """Standard output: a result that cannot be written is an error in one sentence."""

    def write(self, text: str, /) -> int:
        """Write, or raise `ArtifactError`."""
        try:
            return super().write(text)
        except OSError as problem:
            raise _refusal(problem) from problem

    def flush(self) -> None:
        """Flush, or raise `ArtifactError`."""
        try:
            super().flush()
        except OSError as problem:
            raise _refusal(problem) from problem


class _ClosedResults(TextIOWrapper):
    """Standard output that was closed before the program began."""

    def write(self, text: str, /) -> int:
        """Raise `ArtifactError`, unless there is nothing to write."""
        if text:
            raise ArtifactError(
                "standard output: is closed, and results have no place; redirect it to a file"
            )
        return 0


def _refusal(problem: OSError) -> Exception:
    """Return what to raise; a reader that has seen enough is no fault."""
    if isinstance(problem, BrokenPipeError):
        return problem
    forget_stdout()
    full = problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    remedy = "free space there, or write elsewhere" if full else "write elsewhere"
    return ArtifactError(f"standard output: cannot be written: {problem.strerror or problem}; {remedy}")


def _replaced(stream: TextIO | None, opened: type[TextIOWrapper], closed: type[TextIOWrapper]) -> TextIO:
    """Return a stream of our kind in place of the system's."""
    if stream is None:
        # Something has to take the place of the closed file, or the next one that is opened would be it.
        return closed(open(os.devnull, "wb"), encoding="utf-8", errors="backslashreplace")
    if not isinstance(stream, TextIOWrapper):
        return stream
    encoding, line_buffering = stream.encoding, stream.line_buffering
    stream.flush()
    return opened(
        stream.detach(), encoding=encoding, errors="backslashreplace", line_buffering=line_buffering
    )
