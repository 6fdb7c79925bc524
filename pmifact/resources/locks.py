"""Locks by which runs know of each other; the system lets go of them when a run ends, however it ends."""

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]


def try_lock(descriptor: int) -> bool | None:
    """Return whether an open file or directory could be locked; None where there are no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return None
    return True
