"""The options of both reproductions."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pmifact.cli.options import TEXT, memory, option, quiet, seed, threads, together
from pmifact.cli.parameters import Integer, Number

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
else:  # older clicks have no type argument
    _ParamType = click.ParamType

MODELS = "Models"
GOLD = "Gold sets and results"


class GoldFile(_ParamType):
    """A gold set's name and the file to take for it, ``NAME=FILE``."""

    name = "name and file"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Return the name and the file."""
        if isinstance(value, tuple):
            return value
        name, _, path = str(value).partition("=")
        if not name or not path:
            self.fail(f"expected NAME=FILE, such as ws353=pairs.tsv, got {value!r:.80}", param, ctx)
        return name, path


class Integers(_ParamType):
    """Different integers of at least 1, separated by commas."""

    name = "integers"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Return the integers."""
        if isinstance(value, tuple):
            return value
        numbers = [Integer(least=1, most=10_000).convert(part, param, ctx) for part in str(value).split(",")]
        if len(set(numbers)) < len(numbers):
            self.fail(f"expected different numbers, got {value!r:.80}", param, ctx)
        return tuple(numbers)


output = option(
    "--output",
    "-o",
    required=True,
    metavar="DIR",
    show_default=False,
    help="Folder for the stages and the tables; one of an earlier run is taken up.",
)
dry_run = option(
    "--dry-run", is_flag=True, show_default="off", help="Show the plan, and do and write nothing."
)
gold = option(
    "--gold",
    type=GoldFile(),
    multiple=True,
    metavar="NAME=FILE",
    section=GOLD,
    show_default="the named sets at hand",
    help="Take this file for a gold set of the paper. Repeatable.",
)


def epochs(default: int | None = None, *, show_default: str | bool = True) -> Callable[[F], F]:
    """Declare ``--epochs``; without a default `show_default` says in words what it is."""
    return option(
        "--epochs",
        type=Integer(least=1),
        metavar="N",
        default=default,
        section=MODELS,
        show_default=show_default,
        help="Passes of skip-gram over the pairs.",
    )


learning_rate = option(
    "--learning-rate",
    type=Number(above=0),
    metavar="R",
    default=0.025,
    section=MODELS,
    help="Of skip-gram, at the start.",
)


def resamples(default: int) -> Callable[[F], F]:
    """Declare ``--resamples``."""
    return option(
        "--resamples",
        type=Integer(least=0),
        metavar="N",
        default=default,
        section=GOLD,
        help="Bootstrap resamples for the 95 % intervals; 0 leaves them out.",
    )


plot = option(
    "--plot",
    metavar="FILE",
    section=GOLD,
    show_default="no picture",
    help="Also draw the tables, to a .png or .svg [needs pmifact[plot]].",
)
min_count = option(
    "--min-count",
    type=Integer(least=1),
    metavar="N",
    section=TEXT,
    show_default="the paper's 100, scaled down for a small text",
    help="Keep words that occur at least N times.",
)
keep_case = option(
    "--keep-case", is_flag=True, section=TEXT, show_default="off", help="Do not lower-case tokens."
)
tokenizer = option(
    "--tokenizer",
    type=click.Choice(["words", "whitespace"]),
    default="words",
    section=TEXT,
    help="Take runs of letters, digits and marks as words, or split at white space.",
)
boundary = option(
    "--boundary",
    type=click.Choice(["line", "blank", "none"]),
    default="line",
    section=TEXT,
    help="What ends a sentence: the line, an empty line, or only the file.",
)
text_options = together(min_count, tokenizer, keep_case, boundary)
general_options = together(dry_run, threads, memory, seed, quiet)


def encoding(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return how text is read, in the words of `encode_corpus`, from the parameters of a command."""
    return {
        "tokenizer": options["tokenizer"],
        "lowercase": not options["keep_case"],
        "boundary": options["boundary"],
    }
