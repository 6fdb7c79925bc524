"""The options of the commands that score word vectors on gold sets."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pmifact.cli.options import option, refuse_given, together
from pmifact.cli.parameters import Integer

if TYPE_CHECKING:
    from pmifact.evaluation import AnalogySet, PairSet, SimilaritySet

F = TypeVar("F", bound=Callable[..., Any])

GOLD = "Gold sets"
RESULTS = "Results"

gold_options = together(
    option(
        "--similarity",
        metavar="NAME|FILE",
        multiple=True,
        section=GOLD,
        show_default="all sets at hand, if no set is given",
        help="Word pairs with a score, columns separated by tabs, spaces or commas; or the name of a set, of "
        "those that 'pmifact data list' shows. A file of that name comes first. Repeatable.",
    ),
    option(
        "--analogy",
        metavar="NAME|FILE",
        multiple=True,
        section=GOLD,
        show_default="all sets at hand, if no set is given",
        help="Questions a a* b b*, four words a line, in sections ': name' or not; pairs b b*/b*, two "
        "columns, or a folder of such files; or a name, as above. Repeatable.",
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


@dataclass(frozen=True)
class GoldSets:
    """The sets to score on.

    Parameters
    ----------
    similarity, analogy : tuple
        As they are read.
    chosen : bool
        They were named by the user; else they are all that is at hand.
    """

    similarity: "tuple[SimilaritySet, ...]"
    analogy: "tuple[AnalogySet | PairSet, ...]"
    chosen: bool

    @contextmanager
    def leaving_out(self) -> Iterator[None]:
        """Say why a set cannot be used and go on, when nobody asked for it by name."""
        from pmifact.cli.console import say
        from pmifact.errors import InputError

        try:
            yield
        except InputError as error:
            if self.chosen:
                raise
            say(f"Left out: {error}")


def choose_sets(
    similarity: tuple[str, ...], analogy: tuple[str, ...], *asking: str, needed: bool = True
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """Return the sets that were named, or all that are at hand when none was, and whether they were named.

    Raises
    ------
    UsageError
        If there is no set at all although one is needed, or an option was typed without a set that it is for.
    """
    from pmifact.datasets import datasets_at_hand

    chosen = bool(similarity or analogy)
    if not chosen:
        similarity, analogy = datasets_at_hand("similarity"), datasets_at_hand("analogy")
    if needed and not (similarity or analogy):
        raise click.UsageError(
            "no named gold set is at hand: give at least one --similarity NAME|FILE or --analogy NAME|FILE; "
            "'pmifact data list' shows the names",
            click.get_current_context(),
        )
    if not analogy:
        refuse_given(["method", "restrict_vocab", *asking], "has no effect without --analogy")
    if not similarity:
        refuse_given(["correlation"], "has no effect without --similarity")
    return similarity, analogy, chosen


def read_gold(similarity: tuple[str, ...], analogy: tuple[str, ...], chosen: bool) -> GoldSets:
    """Read the sets that `choose_sets` returns."""
    from pmifact.evaluation import read_similarity
    from pmifact.evaluation.pairs import read_analogy_gold

    return GoldSets(
        tuple(_read(given, "similarity", read_similarity, chosen) for given in similarity),
        tuple(_read(given, "analogy", read_analogy_gold, chosen) for given in analogy),
        chosen,
    )


def _read(given: str, task: str, read: Callable[[str], Any], chosen: bool) -> Any:
    """Read one set: a path that exists comes before a name, so that no file is out of reach."""
    from pmifact.datasets import datasets, read_dataset
    from pmifact.datasets.reading import TASKS
    from pmifact.datasets.registry import nearest_names
    from pmifact.errors import InputError

    if chosen and os.path.lexists(given):
        return read(given)
    known = datasets().get(given)
    if known is None:
        raise InputError(f"{given}: there is no such file, and no named set; {nearest_names(given)}")
    if known.kind not in TASKS[task]:
        other = next((name for name, kinds in TASKS.items() if known.kind in kinds), None)
        remedy = f"give it to --{other}" if other else f"'pmifact data path {given}' prints its file"
        raise InputError(f"{given}: expected a set for --{task}, got {known.title} ({known.kind}); {remedy}")
    return read_dataset(given)
