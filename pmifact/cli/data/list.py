"""``pmifact data list``: what sets there are, and which of them are at hand."""

from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.help import Command
from pmifact.cli.tables import format_option

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table
    from rich.text import Text

    from pmifact.datasets import Dataset, Place

_NOTE = (
    "'pmifact data get NAME' fetches a set; 'pmifact data add NAME FILE' takes one that cannot be checked by "
    "a digest. --format json tells source, licence and citation."
)


@click.command(
    "list", cls=Command, examples=("pmifact data list", "pmifact data list --format csv > sets.csv")
)
@format_option
def command(style: str | None) -> None:
    """Show every named set and where it is.

    "PMIFACT_DATA" and "cached" are at hand; "get" and "add" name the command that brings a set.
    """
    import pandas as pd

    from pmifact.cli.tables import show
    from pmifact.datasets import datasets, find_dataset

    rows = [_row(known, find_dataset(known.name)) for known in datasets().values()]
    show(pd.DataFrame(rows, dtype=object), _tables, style)


def _row(known: "Dataset", place: "Place | None") -> dict[str, Any]:
    """Return all that is known of a set; what is not known is None."""
    where = "get" if known.fetchable else "add"
    if place is not None:
        where = "cached" if place.cached else "PMIFACT_DATA"
    return {
        "name": known.name,
        "kind": known.kind,
        "title": known.title,
        "rows": known.rows,
        "where": where,
        "path": None if place is None else str(place.path),
        "file": known.folder or known.files[0].stored,
        "digest": None if known.folder else known.files[0].digest,
        "source": known.source,
        "licence": known.licence,
        "citation": known.citation,
        "note": known.note or None,
    }


def _tables(frame: "DataFrame") -> "list[Table | Text]":
    from pmifact.cli.tables import plain_table, prose

    table = plain_table("Named gold sets and corpora")
    for name in ("name", "kind", "title"):
        table.add_column(name, overflow="fold")
    table.add_column("rows", justify="right")
    table.add_column("where")
    for row in frame.to_dict("records"):
        rows = "" if row["rows"] is None else f"{row['rows']:,}"
        table.add_row(row["name"], row["kind"], row["title"], rows, row["where"])
    return [table, prose(_NOTE)]
