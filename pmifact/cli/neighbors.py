"""``pmifact neighbors``: the words nearest to a word."""

from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import model_options, option, quiet
from pmifact.cli.parameters import Integer
from pmifact.cli.tables import format_option

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table


@click.command(
    "neighbors",
    cls=Command,
    examples=(
        "pmifact neighbors wiki.factors paris king",
        "pmifact neighbors wiki.counts paris --shift 5 --format csv",
    ),
)
@click.argument("model", metavar="MODEL")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@option(
    "--number",
    "-n",
    type=Integer(least=1),
    metavar="N",
    default=10,
    section="Results",
    help="Neighbors a word.",
)
@format_option
@model_options
@quiet
def command(
    model: str, words: tuple[str, ...], number: int, style: str | None, quiet: bool, **reading: Any
) -> None:
    """Show the words nearest to a word, by cosine.

    MODEL is a .factors, a .counts (its sparse shifted PPMI rows), or a vectors file (.txt, .vec, .bin, .npz,
    .safetensors, .parquet, .tsv).
    """
    import pandas as pd

    from pmifact.cli.inputs import check_reading, read_model
    from pmifact.cli.run import Run
    from pmifact.cli.tables import show

    check_reading([model])
    vectors = read_model(model, Run(quiet=quiet, transient=True), reading)
    for word in words:
        vectors.vocabulary.word_id(word)  # refuse an unknown word before any result
    rows = [
        (word, rank, neighbor, cosine)
        for word in words
        for rank, (neighbor, cosine) in enumerate(vectors.nearest(word, n=number), start=1)
    ]
    show(pd.DataFrame(rows, columns=["word", "rank", "neighbor", "cosine"]), _tables, style)


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
