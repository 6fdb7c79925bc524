"""How a stage tells its caller how far it has come; the command line turns this into a bar."""

from typing import Protocol


class Progress(Protocol):
    """Called now and then as ``progress(done, total)``; both in the stage's own unit of work."""

    def __call__(self, done: int, total: int) -> None:
        """Take note that `done` of `total` units are finished."""


def no_progress(done: int, total: int) -> None:
    """Ignore the report; the default of every stage."""
