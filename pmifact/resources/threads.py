"""How many threads to use."""

import os

from pmifact.checks import check_integer

MOST = 1024  # each takes memory of its own, whether it finds work or not


def resolve_threads(threads: int | None) -> int:
    """Return `threads`, or the number of cores this process may use when it is None."""
    if threads is not None:
        check_integer("threads", threads, least=1, most=MOST)
        return int(threads)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
