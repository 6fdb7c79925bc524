"""The kinds of values that options take; a bad one is refused in the words that the stages use."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from pmifact.checks import LARGEST_WINDOW, check_integer, check_number
from pmifact.errors import InputError
from pmifact.resources.memory import parse_memory

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:  # older clicks have no type argument
    _ParamType = click.ParamType


class _Checked(_ParamType):
    """A value that one of `pmifact.checks` accepts."""

    kind: type
    check: Callable[..., None]

    def __init__(self, **limits: float) -> None:
        self.limits = limits

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or refuse it."""
        try:
            number = self.kind(value)
        except ValueError:
            number = value
        try:
            type(self).check("", number, **self.limits)
        except InputError as error:
            self.fail(str(error).removeprefix(": "), param, ctx)
        return number


class Integer(_Checked):
    """An integer in [least, most]."""

    name = "integer"
    kind = int
    check = check_integer


class Number(_Checked):
    """A finite number above `above`, in [least, most]."""

    name = "number"
    kind = float
    check = check_number


class Window(_ParamType):
    """A window: one width for both sides, or ``LEFT,RIGHT``."""

    name = "window"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return (left, right)."""
        if isinstance(value, tuple):
            return value
        try:
            widths = [int(width) for width in str(value).split(",")]
        except ValueError:
            widths = []
        if len(widths) not in (1, 2) or min(widths) < 0 or not any(widths):
            self.fail(
                "expected a width such as 5, or LEFT,RIGHT such as 2,5 (one side may be 0), "
                f"got {value!r:.80}",
                param,
                ctx,
            )
        if max(widths) > LARGEST_WINDOW:
            self.fail(f"expected widths of at most {LARGEST_WINDOW:,}, got {value!r:.80}", param, ctx)
        return widths[0], widths[-1]


class ContextVocabulary(_ParamType):
    """A number of words, or the name of a file of words."""

    name = "number or file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """Return the number or the name."""
        if not re.fullmatch(r"[+-]?\d+", str(value)):
            return str(value)
        number = Integer(least=1, most=2**31).convert(value, param, ctx)
        assert isinstance(number, int)
        return number


class Encoding(_ParamType):
    """The name of a text encoding that Python knows."""

    name = "encoding"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, or refuse it."""
        from pmifact.text.readers import check_encoding

        try:
            check_encoding(value)
        except InputError as error:
            self.fail(str(error).removeprefix("encoding: "), param, ctx)
        return str(value)


class Memory(_ParamType):
    """An amount of memory, such as 800MB or 4GB."""

    name = "memory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        """Return the bytes."""
        try:
            return parse_memory(value)
        except InputError as error:
            self.fail(str(error).removeprefix("memory: "), param, ctx)


class ListNames(_ParamType):
    """The names of four word lists, ``X,Y,A,B``."""

    name = "names"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the names."""
        if isinstance(value, tuple):
            return value
        names = tuple(name.strip() for name in str(value).split(","))
        if len(names) != 4 or not all(names):
            self.fail(f"expected the names of four lists, X,Y,A,B, got {value!r}", param, ctx)
        return names
