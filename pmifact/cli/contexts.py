"""``pmifact contexts``: what stands with a word, and what two words have in common."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.gold import RESULTS
from pmifact.cli.gold import output as output_option
from pmifact.cli.help import Command
from pmifact.cli.options import option, ppmi_options, quiet, refuse_given
from pmifact.cli.parameters import Integer, Number
from pmifact.cli.tables import format_option

if TYPE_CHECKING:
    from pandas import DataFrame, Series
    from rich.table import Table
    from rich.text import Text


@click.command(
    "contexts",
    cls=Command,
    examples=(
        "pmifact contexts wiki.counts paris --min-count 20",
        "pmifact contexts wiki.counts paris --sort count --format csv",
        "pmifact contexts wiki.counts paris london --shift 5",
    ),
)
@click.argument("counts", metavar="X.counts")
@click.argument("word", metavar="WORD")
@click.argument("other", metavar="[WORD]", required=False)
@option(
    "--sort",
    type=click.Choice(["pmi", "count"]),
    default="pmi",
    section=RESULTS,
    help="What the first contexts have most of.",
)
@option(
    "--min-count",
    type=Number(above=0),
    metavar="N",
    section=RESULTS,
    show_default="off",
    help="Leave out contexts whose count with WORD is below N; the PMI of rare pairs is high by accident.",
)
@option(
    "--number",
    "-n",
    type=Integer(least=1),
    metavar="N",
    default=10,
    section=RESULTS,
    help="Contexts.",
)
@format_option
@output_option
@ppmi_options()
@quiet
def command(
    counts: str,
    word: str,
    other: str | None,
    sort: str,
    min_count: float | None,
    number: int,
    style: str | None,
    output: str | None,
    quiet: bool,
    **pmi: Any,
) -> None:
    """Show the contexts of a word, or those that two words share.

    One WORD: its contexts, those first that stand with it most above chance, by PMI. Two: how often one is a
    context of the other, the cosine of their rows of shifted PPMI, and the share that each context they have
    in common has in it.
    """
    from pmifact.cli.console import say
    from pmifact.cli.inputs import check_file
    from pmifact.cli.run import Run
    from pmifact.cli.tables import show
    from pmifact.collocates import shared_contexts, word_contexts
    from pmifact.notebook import count_of
    from pmifact.storage import read_counts

    if other is not None:
        refuse_given(["sort", "min_count"], "has no effect on two words, whose contexts stand by their share")
    if output:
        check_file(output, [counts])
    run = Run(quiet=quiet, transient=True)
    with run.step("read", "Reading counts"):
        observed = read_counts(counts)
    if other is None:
        frame = word_contexts(observed, word, number, sort=sort, min_count=min_count, **pmi)
        if frame.empty:
            least = "" if min_count is None else f" as often as {min_count:g} times"
            say(f"No contexts: nothing stands with {word}{least} in {counts}")
        show(frame, lambda rows: _of_one(rows, word, sort), style, output)
    else:
        frame = shared_contexts(observed, word, other, number, **pmi)
        if frame.empty:
            say(f"No contexts: {word} and {other} are none in {counts}, and share none")
        show(frame, lambda rows: _of_two(rows, word, other), style, output)
    if output:
        run.wrote(output, count_of(len(frame), "row"))


def _of_one(frame: "DataFrame", word: str, sort: str) -> list["Table | Text"]:
    from pmifact.cli.tables import plain_table

    if frame.empty:
        return []
    table = plain_table(f"Contexts of {word}, by {'PMI' if sort == 'pmi' else 'count'}")
    _start(table, frame, "rank", ("count", "PMI"))
    show_count = _counts_as(frame["count"])
    for row in frame.to_dict("records"):
        table.add_row(str(row["rank"]), *_context(row), show_count(row["count"]), _signed(row["pmi"]))
    return [table]


def _of_two(frame: "DataFrame", word: str, other: str) -> list["Table | Text"]:
    from pmifact.cli.tables import plain_table, text
    from pmifact.notebook import count_of

    if frame.empty:
        return []
    pairs, shared = (frame[frame["part"] == part] for part in ("pair", "shared"))
    show_count = _counts_as(frame[["marginal1", "marginal2", "context_marginal", "count1", "count2"]])
    together = plain_table(f"{word} and {other} as contexts of each other")
    _start(together, frame, "word", ("#(word)", "#(context)", "count", "PMI"))
    for row in pairs.to_dict("records"):
        name, side = (word, 1) if row["context"] == other else (other, 2)
        numbers = (row[key] for key in (f"marginal{side}", "context_marginal", f"count{side}"))
        together.add_row(text(name), *_context(row), *map(show_count, numbers), _signed(row[f"pmi{side}"]))
    facts = frame.to_dict("records")[0]
    if math.isnan(facts["cosine"]):
        return [together, text("Their rows have no cosine: one of them is zero. Use a smaller --shift.")]
    sums = f"Cosine {facts['cosine']:.3f}, from {count_of(facts['shared'], 'shared context')}"
    if not len(shared):
        return [together, text(sums)]
    these = "this makes" if len(shared) == 1 else f"these {len(shared):,} make"
    most = plain_table(f"{sums}; {these} {shared['share'].sum():.0%} of it")
    _start(most, frame, "rank", ("count", "PMI", "count", "PMI", "share"), above=(word, "", other, "", ""))
    for rank, row in enumerate(shared.to_dict("records"), start=1):
        cells = []
        for side in (1, 2):
            cells += [show_count(row[f"count{side}"]), _signed(row[f"pmi{side}"])]
        most.add_row(str(rank), *_context(row), *cells, f"{row['share']:.1%}")
    return [together, most]


def _start(
    table: "Table", frame: "DataFrame", first: str, numbers: Sequence[str], above: Sequence[str] = ()
) -> None:
    """Add the columns: a rank or a word, the context and, if contexts have one, its offset, then numbers."""
    from rich.text import Text

    from pmifact.cli.tables import text

    blank = "\n" if above else ""
    table.add_column(blank + first, justify="right" if first == "rank" else "left", overflow="fold")
    table.add_column(blank + "context", overflow="fold")
    if "offset" in frame:
        table.add_column(blank + "offset", justify="right")
    for place, name in enumerate(numbers):
        heading = Text("\n").join(map(text, (above[place], name))) if above else text(name)
        table.add_column(heading, justify="right", overflow="fold")


def _context(row: dict[Any, Any]) -> list["Text | str"]:
    from pmifact.cli.tables import text

    return [text(row["context"]), *([f"{row['offset']:+d}"] if "offset" in row else [])]


def _counts_as(counts: "DataFrame | Series[float]") -> Callable[[float], str]:
    """Return how to show counts, with decimals only where some are no whole numbers."""
    digits = 0 if (counts == counts.round()).to_numpy().all() else 1
    return lambda count: f"{count:,.{digits}f}"


def _signed(pmi: float) -> str:
    return "–" if math.isnan(pmi) else f"{pmi:.3f}"
