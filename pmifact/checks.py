"""Checks of option values, so that every stage refuses a bad one in the same words."""

import math
import os
from collections.abc import Collection

from pmifact.errors import InputError

LARGEST_WINDOW = 100_000  # positions on one side


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Raise `InputError` unless `value` is one of `choices`."""
    if value not in choices:
        raise InputError(f"{name}: expected one of {', '.join(choices)}, got {value!r:.80}")


def check_kind(name: str, value: object, kind: type, reader: str) -> None:
    """Raise `InputError` unless `value` is of this kind; what is taken for it is often the path of one."""
    if isinstance(value, kind):
        return
    if isinstance(value, str | os.PathLike):
        got, remedy = f"the path {os.fspath(value)!r:.80}", f"read it with {reader} first"
    else:
        got, remedy = type(value).__name__, f"{reader} reads one"
    raise InputError(f"{name}: expected {kind.__name__}, got {got}; {remedy}")


def check_integer(name: str, value: object, *, least: int, most: int | None = None) -> None:
    """Raise `InputError` unless `value` is an integer in [least, most]."""
    span = f"an integer of at least {least}" if most is None else f"an integer from {least} to {most}"
    try:
        whole = value.__index__()  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        raise InputError(f"{name}: expected {span}, got {value!r:.80}") from None
    if isinstance(value, bool) or whole < least or (most is not None and whole > most):
        raise InputError(f"{name}: expected {span}, got {value!r:.80}")


def check_number(
    name: str,
    value: object,
    *,
    above: float = -math.inf,
    least: float = -math.inf,
    most: float = math.inf,
) -> None:
    """Raise `InputError` unless `value` is a finite real number above `above`, in [least, most]."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected a number, got {value!r:.80}") from None
    if (
        isinstance(value, bool)
        or not math.isfinite(number)
        or not (above < number and least <= number <= most)
    ):
        bounds = [f"above {above:g}"] if above > -math.inf else []
        bounds += [f"of at least {least:g}"] if least > -math.inf else []
        bounds += [f"at most {most:g}"] if most < math.inf else []
        span = " and ".join(bounds) or "that is finite"
        raise InputError(f"{name}: expected a number {span}, got {value!r:.80}")
