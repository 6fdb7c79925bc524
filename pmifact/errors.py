"""The errors that pmifact raises on purpose: one clear sentence each (where, expected, got, remedy)."""

from collections.abc import Callable, Sequence


class PmifactError(Exception):
    """Base of every error that pmifact raises on purpose."""

    def __str__(self) -> str:
        # KeyError, a parent of `UnknownWordError`, would show the repr of the sentence.
        return str(self.args[0]) if self.args else ""


class InputError(PmifactError, ValueError):
    """A file, an array or an option holds something that cannot be used."""


class ArtifactError(PmifactError):
    """An artifact is missing, damaged, of another kind, or cannot be written."""


class DeviceError(PmifactError):
    """The device that was asked for cannot be used."""


class UnknownWordError(InputError, KeyError):
    """A word that the vocabulary does not hold.

    Parameters
    ----------
    sentence : str
        What is wrong.
    near : callable
        Returns words of the vocabulary that may have been meant. It is called only when the sentence is
        shown, because looking through a large vocabulary takes a while.
    """

    def __init__(self, sentence: str, near: Callable[[], Sequence[str]] = tuple) -> None:
        super().__init__(sentence)
        self.near = near

    def __str__(self) -> str:
        near = " or ".join(map(repr, self.near()))
        return super().__str__() + (f"; did you mean {near}?" if near else "")


class UnknownIdError(InputError, IndexError):
    """A word id outside [0, V)."""
