"""Ctrl-C and termination: unwind once, so that every half-written file is removed, and end quietly."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# The exit statuses that shells give to these ends.
STOPPED = tuple(128 + number for number in _SIGNALS)
_PATIENCE = 3.0  # seconds for which further signals are ignored while the first one unwinds


class Stopped(BaseException):
    """A signal asked the program to stop; its message, if it has one, says what is kept.

    Not a KeyboardInterrupt, which click would catch and comment on.
    """


class _StoppedAtWork(Stopped, KeyboardInterrupt):
    """The same for work that answers to KeyboardInterrupt."""


class Stop:
    """The signal that asked to stop; 0 when none did."""

    def __init__(self) -> None:
        self.signal = 0

    @property
    def status(self) -> int:
        """The exit status that shells give to such an end."""
        return 128 + (self.signal or signal.SIGINT)


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Raise `Stopped` in the main thread when SIGINT or SIGTERM arrives.

    Someone who presses Ctrl-C five times gets one clean end: signals that follow within a few seconds are
    ignored, so that they cannot break the removal of half-written files. A signal that is ignored on entry
    (``nohup``, a script's background job) stays so.
    """
    stop = Stop()
    last = -_PATIENCE

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal last
        if time.monotonic() - last < _PATIENCE:
            return
        last = time.monotonic()
        stop.signal = number
        raise Stopped

    def hook(unraisable: Any) -> None:
        nonlocal last
        if not issubclass(unraisable.exc_type, Stopped):
            default_hook(unraisable)
            return
        # The signal came inside a destructor or a callback from C, where exceptions are lost: send it again.
        last = -_PATIENCE
        again = [threading.main_thread().ident, stop.signal]
        timer = threading.Timer(0.02, signal.pthread_kill, again)
        timer.daemon = True
        timer.start()

    default_hook = sys.unraisablehook
    previous = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        sys.unraisablehook = hook
        for number, handler in previous.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, handle)
        yield stop
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        sys.unraisablehook = default_hook


@contextmanager
def as_keyboard_interrupt() -> Iterator[None]:
    """Let signals reach the body as KeyboardInterrupt, for work that then hands over what it has.

    One that the body does not answer leaves as `Stopped`.
    """
    previous: dict[int, Any] = {number: signal.getsignal(number) for number in _SIGNALS}

    def handle(number: int, frame: FrameType | None) -> None:
        try:
            previous[number](number, frame)
        except Stopped:
            raise _StoppedAtWork from None

    try:
        try:
            for number, handler in previous.items():
                if callable(handler):
                    signal.signal(number, handle)
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)
    except _StoppedAtWork:
        raise Stopped from None


def let_signals_kill() -> None:
    """Restore the system's own reaction to signals, for the last moments of the process."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
