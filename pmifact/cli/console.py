"""What a person reads: sentences on standard error, words and numbers made safe and short."""

import logging
import sys
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click


def say(sentence: str, colour: str | None = None) -> None:
    """Write one line to standard error, in a colour where there is colour."""
    # Not click's own way to standard error, which passes by the bar that stands there.
    click.echo(
        click.style(printable(sentence), fg=colour) if colour else printable(sentence), file=sys.stderr
    )


def say_error(sentence: str) -> None:
    """Write one line to standard error, red where there is colour."""
    say(sentence, "red")


@contextmanager
def warn_in_one_line() -> Iterator[None]:
    """Show a Python warning as one line without the place in the source code."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        say(f"Warning: {message}", "yellow")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


class _Notes(logging.Handler):
    """Shows what the library logs as sentences; what somebody who waits wonders at, to a terminal alone."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to show it."""
        return record.name != "pmifact.kernels" or sys.stderr.isatty()

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line to standard error."""
        message = record.getMessage()
        say(message[:1].upper() + message[1:])


@contextmanager
def log_in_one_line() -> Iterator[None]:
    """Show each warning of the library's log as one line; notes of less weight where `with_notes` asks."""
    notes, log = _Notes(), logging.getLogger("pmifact")
    log.addHandler(notes)
    try:
        yield
    finally:
        log.removeHandler(notes)


@contextmanager
def with_notes(wanted: bool) -> Iterator[None]:
    """Let the library tell also what changes nothing in the result, such as words that were not found."""
    log = logging.getLogger("pmifact")
    before = log.level
    if wanted:
        log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.setLevel(before)


def to_terminal() -> bool:
    """Return whether results go to a terminal."""
    return sys.stdout.isatty()


def printable(text: str) -> str:
    """Return `text` with control characters escaped, so that a word of a hostile file steers no terminal."""
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) in ("Cc", "Cs")
        else character
        for character in text
    )


def in_bytes(size: float) -> str:
    """Return a number of bytes for people, such as ``102.4 MB``."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5:
            return f"{size:.0f} B" if unit == "B" else f"{size:.{1 if size < 99.95 else 0}f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def in_short(number: float) -> str:
    """Return a large number in three digits or so, such as ``16.5 M``."""
    for unit in ("", " k", " M", " G"):
        if number < 999.5:
            return f"{number:.0f}" if not unit else f"{number:.{1 if number < 99.95 else 0}f}{unit}"
        number /= 1000
    return f"{number:.1f} T"


def in_seconds(seconds: float) -> str:
    """Return a duration for people, such as ``3.2 s``, ``4 min 05 s`` or ``2 h 10 min``."""
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"


def listing(words: Sequence[str], most: int = 8) -> str:
    """Return the first words, and how many more there are, such as ``a, b, c and 12 more``."""
    more = len(words) - most
    return ", ".join(words[:most]) + (f" and {more:,} more" if more > 0 else "")
