"""A task in a process of its own, and the most memory that it took with its children."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PERIOD = 0.02  # seconds between two looks


@dataclass(frozen=True)
class Outcome:
    """What a task reported, and its peak memory in bytes.

    On Linux the peak is that of the anonymous memory of the process and its children together, looked at 50
    times a second; elsewhere it is the largest resident size of the process.
    """

    report: dict[str, Any]
    peak: int


class TaskError(Exception):
    """A task could not be done; the last line of what it said."""


def run_task(script: Path, task: str, *, python: str = sys.executable, **settings: Any) -> Outcome:
    """Run ``script task settings``, which writes its report as JSON in the last line of standard output.

    Ours and the rivals alike run as `pmifact` runs: OpenBLAS lets its idle threads sleep.
    """
    environment = {"OPENBLAS_THREAD_TIMEOUT": "4", **os.environ}
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [python, str(script), task, json.dumps(settings)],
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            env=environment,
        )
        assert process.stdout is not None
        peak = 0
        while True:
            peak = max(peak, _anonymous_memory(process.pid))
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            time.sleep(_PERIOD)
        process.returncode = os.waitstatus_to_exitcode(status)
        out = process.stdout.read()
        process.stdout.close()
        said.seek(0)
        if process.returncode:
            raise TaskError((said.read().strip() or f"status {process.returncode}").splitlines()[-1])
    resident = usage.ru_maxrss if sys.platform == "darwin" else usage.ru_maxrss << 10
    return Outcome(json.loads(out.splitlines()[-1]), peak or resident)


def _anonymous_memory(pid: int) -> int:
    """Return the bytes of a process and of all its children; 0 where the system does not tell."""
    own = 0
    try:
        found = re.search(r"RssAnon:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())
        own = int(found[1]) << 10 if found else 0
        children = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:  # it is gone
        children = []
    return own + sum(_anonymous_memory(int(child)) for some in children for child in some.split())
