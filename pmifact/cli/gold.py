"""The options of the commands that score word vectors on gold sets."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from pmifact.cli.options import option, refuse_given, together
from pmifact.cli.parameters import Integer

F = TypeVar("F", bound=Callable[..., Any])

GOLD = "Gold sets"
RESULTS = "Results"

gold_options = together(
    option(
        "--similarity",
        metavar="FILE",
        multiple=True,
        section=GOLD,
        show_default=False,
        help="Word pairs with a score, columns separated by tabs, spaces or commas. Repeatable.",
    ),
    option(
        "--analogy",
        metavar="FILE",
        multiple=True,
        section=GOLD,
        show_default=False,
        help="Questions a a* b b*, four words a line, in sections ': name' or not; or pairs b b*/b*, two "
        "columns, or a folder of such files. Repeatable.",
    ),
    option(
        "--case",
        type=click.Choice(["fold", "exact"]),
        default="fold",
        section=GOLD,
        help="Look words up as written, else lower-cased; or only as written.",
    ),
    option(
        "--correlation",
        type=click.Choice(["spearman", "pearson"]),
        default="spearman",
        section=GOLD,
        help="Score similarity by the correlation of ranks, the standard, or of the numbers.",
    ),
    option(
        "--method",
        type=click.Choice(["add", "mul", "pairdirection", "avg", "lrcos"]),
        default="add",
        section=GOLD,
        help="How analogies are solved: 3CosAdd, 3CosMul, PairDirection; or from all other pairs of the "
        "relation, 3CosAvg, LRCos.",
    ),
    option(
        "--restrict-vocab",
        type=Integer(least=1),
        metavar="N",
        section=GOLD,
        show_default="all words",
        help="Solve analogies among the first N words alone.",
    ),
    option(
        "--resamples",
        type=Integer(least=0),
        metavar="N",
        default=999,
        section=RESULTS,
        help="Bootstrap resamples for the 95 % intervals; 0 leaves them out.",
    ),
)

output = option(
    "--output",
    "-o",
    metavar="FILE",
    section=RESULTS,
    show_default="standard output",
    help="A new file; .csv, .json and .md name the format.",
)


def check_sets(
    similarity: tuple[str, ...], analogy: tuple[str, ...], *asking: str, needed: bool = True
) -> None:
    """Raise a usage error unless there is a set, if one is needed, and one for each option that was typed."""
    if needed and not (similarity or analogy):
        raise click.UsageError(
            "give at least one --similarity FILE or --analogy FILE", click.get_current_context()
        )
    if not analogy:
        refuse_given(["method", "restrict_vocab", *asking], "has no effect without --analogy")
    if not similarity:
        refuse_given(["correlation"], "has no effect without --similarity")
