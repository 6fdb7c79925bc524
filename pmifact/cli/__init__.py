"""The command line: read, call, write, show.

`main` is the one place where an outcome becomes an exit status: 0 done, 1 an error in one sentence,
2 wrong usage, 130 after Ctrl-C. Nothing slow is imported before `main` listens for signals.
"""

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from pmifact.cli.signals import STOPPED, Stop, Stopped, let_signals_kill, stoppable
from pmifact.cli.streams import forget_stdout, prepare_streams
from pmifact.errors import PmifactError

__all__ = ["main", "run_command"]


def main() -> NoReturn:
    """Run the command that ``sys.argv`` names and leave with its exit status."""
    # Idle threads of OpenBLAS spin for 2^26 cycles, and so keep a core from ours after each of its products.
    # It reads this where NumPy is first imported; other libraries do not know it.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    prepare_streams()
    status = run_command(sys.argv[1:])
    let_signals_kill()
    if status in STOPPED:
        _leave_at_once(status)
    sys.exit(status)


def run_command(args: Sequence[str]) -> int:
    """Run the command `args`, say on standard error what went wrong, and return the exit status."""
    with stoppable() as stop:
        try:
            return _invoke(args)
        except SystemExit as done:
            return done.code if isinstance(done.code, int) else 0
        except BaseException as error:
            return _explain(error, stop)


def _invoke(args: Sequence[str]) -> int:
    from pmifact.cli.console import log_in_one_line, warn_in_one_line
    from pmifact.cli.root import pmifact

    with warn_in_one_line(), log_in_one_line():
        status = pmifact.main(args=list(args), prog_name="pmifact", standalone_mode=False)
    # A full disk or a closed pipe must show here, not in the interpreter's last breath.
    sys.stdout.flush()
    return status if isinstance(status, int) else 0


def _explain(error: BaseException, stop: Stop) -> int:
    import click

    from pmifact.cli.console import say_error

    if stop.signal or isinstance(error, Stopped | KeyboardInterrupt | click.Abort):
        word = "Terminated" if stop.status == 143 else "Interrupted"
        kept = str(error) if isinstance(error, Stopped) else ""
        say_error(f"{word}; {kept or 'nothing half-written is left behind'}")
        return stop.status
    if isinstance(error, BrokenPipeError):
        forget_stdout()
        return 1
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    if isinstance(error, PmifactError):
        sentence = str(error)
    elif isinstance(error, MemoryError):
        sentence = "not enough memory for this; use a larger --min-count or a smaller vocabulary or rank"
    elif isinstance(error, OSError) and error.strerror:
        forget_stdout()
        sentence = f"{os.fsdecode(error.filename)}: {error.strerror}" if error.filename else error.strerror
    else:
        raise error
    say_error(f"Error: {sentence}")
    return 1


def _leave_at_once(status: int) -> NoReturn:
    """Leave without the farewells of the libraries: one that was stopped amid its work may crash in them."""
    gc.collect()  # with the frames that were unwound goes what they had opened
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, PmifactError):
            stream.flush()
    os._exit(status)
