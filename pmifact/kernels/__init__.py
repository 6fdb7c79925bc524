"""Compiled inner loops: arrays in, arrays out; nothing here knows pmifact's types."""

import logging

from numba.core import event

_log = logging.getLogger(__name__)


class _FirstCompilation(event.Listener):
    """Tells in the log, once a process, that a kernel was not in the cache and is compiled."""

    def __init__(self):
        self.told = False

    def on_start(self, _):
        """Note that a compilation begins."""
        if not self.told:
            self.told = True
            _log.info("compiling for this machine, which takes some seconds; what is compiled is kept")

    def on_end(self, _):
        """Pass over the end of a compilation."""


first_compilation = _FirstCompilation()
event.register("numba:compile", first_compilation)
