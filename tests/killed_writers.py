"""Kill writers and look at what they leave: ``python killed_writers.py steps|moments N DIRECTORY``.

``steps``: a writer dies at its n-th call of the operating system, for every n until one survives.
``moments``: N writers die by SIGKILL at random moments. A process of its own, since it forks.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from storage_samples import hidden, read_corpus, sample, values, write_corpus

OLD, NEW = sample("corpus", 0), sample("corpus", 1)
CALLS = ("rename", "fsync", "mkdir", "unlink", "rmdir", "open")


def check_whole(target):
    """The target holds the old artifact or the new, and the next write leaves nothing else."""
    found = values(read_corpus(target))
    assert found in (values(OLD), values(NEW)), found
    write_corpus(OLD, target)
    assert values(read_corpus(target)) == values(OLD)
    assert hidden(target.parent) == [], hidden(target.parent)
    return found == values(NEW)


def in_child(work):
    """Run `work` in a child process and return the child's id."""
    child = os.fork()
    if child:
        return child
    try:
        work()
        os._exit(0)
    finally:
        os._exit(1)


def die_at_call(number, target):
    """Write the new artifact, but die at the start of a call of the operating system."""
    calls = 0

    def counted(call):
        def wrapper(*arguments, **options):
            nonlocal calls
            calls += 1
            if calls > number:
                os._exit(9)
            return call(*arguments, **options)

        return wrapper

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))
    write_corpus(NEW, target)


def steps(target):
    write_corpus(OLD, target)
    outcomes = []
    while True:
        number = len(outcomes)
        _, status = os.waitpid(in_child(lambda number=number: die_at_call(number, target)), 0)
        outcomes.append(check_whole(target))
        if os.waitstatus_to_exitcode(status) == 0:
            break
        assert os.waitstatus_to_exitcode(status) == 9
    assert outcomes == sorted(outcomes), "once the new one is there, it stays"
    assert len(outcomes) > 10
    assert outcomes[-1]
    assert not outcomes[0]


def moments(count, target):
    write_corpus(OLD, target)
    # With many files the window between two renames is the same, but the writing takes longer.
    for turn in range(count):
        child = in_child(lambda: [write_corpus((NEW, OLD)[i % 2], target) for i in range(10_000)])
        time.sleep(random.Random(turn).uniform(0.001, 0.2))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
        check_whole(target)


if __name__ == "__main__":
    mode, number, directory = sys.argv[1:]
    if mode == "steps":
        steps(Path(directory) / "x.corpus")
    else:
        moments(int(number), Path(directory) / "x.corpus")
