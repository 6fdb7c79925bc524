"""Limits on memory."""

import re

from pmifact.errors import InputError

LEAST = 256 * 2**20
# What Python takes with the libraries loaded, and the arrays that are there whatever the limit is.
_BASE = 150 * 2**20
_UNITS = {"": 1, "B": 1, "KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}


def parse_memory(value: int | str | None) -> int | None:
    """Return a limit in bytes, given in bytes or as in ``4GB`` (of 2^30 bytes); None is no limit.

    Raises
    ------
    InputError
        If it is no amount of memory, or less than 256MB, in which nothing can be done.
    """
    if value is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?B?)\s*", str(value), re.IGNORECASE)
    unit = found and found[2].upper()
    if not found or (unit not in _UNITS and f"{unit}B" not in _UNITS):
        raise InputError(f"memory: expected an amount such as 800MB or 4GB, got {value!r}")
    size = int(float(found[1]) * _UNITS[unit if unit in _UNITS else f"{unit}B"])
    if size < LEAST:
        raise InputError(f"memory: expected at least 256MB, got {value!r}")
    return size


def working_memory(limit: int) -> int:
    """Return how much of a limit is left for data, in bytes."""
    return limit - _BASE
