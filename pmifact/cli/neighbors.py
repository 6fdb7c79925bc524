"""``pmifact neighbors``: the words nearest to a word."""

from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.gold import RESULTS
from pmifact.cli.gold import output as output_option
from pmifact.cli.help import Command
from pmifact.cli.options import model_options, option, quiet
from pmifact.cli.parameters import Integer
from pmifact.cli.tables import format_option

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table

    from pmifact.vectors import WordVectors


@click.command(
    "neighbors",
    cls=Command,
    examples=(
        "pmifact neighbors wiki.factors paris king",
        "pmifact neighbors wiki.counts paris --shift 5 --format csv",
        "pmifact neighbors wiki.factors --words words.txt -n 3 -o neighbors.csv",
    ),
)
@click.argument("model", metavar="MODEL")
@click.argument("words", metavar="[WORD]...", nargs=-1)
@option(
    "--words",
    "listed",
    metavar="FILE",
    section=RESULTS,
    show_default="none",
    help="Also the words of FILE, one a line; those without a vector are named, and left out.",
)
@option(
    "--number",
    "-n",
    type=Integer(least=1),
    metavar="N",
    default=10,
    section=RESULTS,
    help="Neighbors a word.",
)
@format_option
@output_option
@model_options
@quiet
def command(
    model: str,
    words: tuple[str, ...],
    listed: str | None,
    number: int,
    style: str | None,
    output: str | None,
    quiet: bool,
    **reading: Any,
) -> None:
    """Show the words nearest to a word, by cosine.

    MODEL is a .factors, a .counts (its sparse shifted PPMI rows), or a vectors file (.txt, .vec, .bin, .npz,
    .safetensors, .parquet, .tsv).
    Words of equal cosine stand in the order of the vocabulary.
    """
    import pandas as pd

    from pmifact.cli.console import listing, say
    from pmifact.cli.inputs import check_file, check_reading, read_model
    from pmifact.cli.run import Run
    from pmifact.cli.tables import show
    from pmifact.notebook import count_of
    from pmifact.storage import read_vocabulary

    if not (words or listed):
        raise click.UsageError("give a WORD, or --words FILE", click.get_current_context())
    check_reading([model])
    if output:
        check_file(output, [model, *([listed] if listed else [])])
    more = read_vocabulary(listed).words if listed else ()
    run = Run(quiet=quiet, transient=True)
    vectors = read_model(model, run, reading)
    asked = list(dict.fromkeys([*words, *_covered(vectors, more, listed)]))
    rows = [
        (word, rank, neighbor, cosine)
        for word, neighbors in zip(asked, vectors.nearest(asked, n=number), strict=True)
        for rank, (neighbor, cosine) in enumerate(neighbors, start=1)
    ]
    if not rows:
        say(f"No neighbors of {listing(asked)}: no other word of {model} has a vector")
    frame = pd.DataFrame(rows, columns=["word", "rank", "neighbor", "cosine"])
    show(frame, _tables, style, output)
    if output:
        run.wrote(output, f"neighbors of {count_of(len(asked), 'word')}")


def _covered(vectors: "WordVectors", words: tuple[str, ...], path: str | None) -> list[str]:
    """Return the words of a file that have a vector; name the others, and raise when there are no more."""
    from pmifact.cli.console import listing, say
    from pmifact.errors import InputError
    from pmifact.notebook import count_of

    index = vectors.vocabulary.index
    covered = [word for word in words if word in index and vectors.covered[index[word]]]
    known = set(covered)
    missing = [word for word in words if word not in known]
    if missing and not covered:
        raise InputError(f"{path}: none of its {count_of(len(words), 'word')} has a vector; check their case")
    if missing:
        say(f"{path}: {count_of(len(missing), 'word')} without a vector, left out: {listing(missing)}")
    return covered


def _tables(frame: "DataFrame") -> list["Table"]:
    from pmifact.cli.tables import plain_table, text

    tables = []
    for word, rows in frame.groupby("word", sort=False):
        table = plain_table(str(word))
        table.add_column("rank", justify="right")
        table.add_column("neighbor", overflow="fold")
        table.add_column("cosine", justify="right")
        for row in rows.to_dict("records"):
            table.add_row(str(row["rank"]), text(row["neighbor"]), f"{row['cosine']:.3f}")
        tables.append(table)
    return tables
