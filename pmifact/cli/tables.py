"""Tables of results: for people in a terminal, and exact for machines."""

import json
import math
import shutil
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.console import printable, to_terminal
from pmifact.cli.options import option

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table
    from rich.text import Text

FORMATS = ("table", "csv", "json", "markdown")
_METHODS = {"spearman": "Spearman's rho", "add": "3CosAdd", "mul": "3CosMul"}
_ENDINGS = {".csv": "csv", ".json": "json", ".md": "markdown"}


format_option = option(
    "--format",
    "style",
    type=click.Choice(FORMATS),
    section="Results",
    show_default="table",
    help="A table for people, or every digit for machines.",
)


def show(
    frame: "DataFrame",
    tables: Callable[["DataFrame"], Iterable["Table"]],
    style: str | None,
    output: str | None = None,
) -> None:
    """Write results to standard output, or to a new file.

    Parameters
    ----------
    frame : DataFrame
        The results.
    tables : callable
        Makes the tables for people from them.
    style : str or None
        One of `FORMATS`; None chooses by the ending of `output`, and a table where that says nothing.
    output : str or None
        The file.
    """
    if style is None:
        style = next(
            (name for ending, name in _ENDINGS.items() if output and output.endswith(ending)), "table"
        )
    colour = output is None and to_terminal()
    text = render(*tables(frame), colour=colour) if style == "table" else machinetext(frame, style)
    if output is None:
        click.echo(text, nl=False, color=colour)
        return
    from pmifact.storage.replacement import replacing

    with replacing(Path(output), directory=False) as partial:
        partial.write_text(text, encoding="utf-8", newline="")


def machinetext(frame: "DataFrame", style: str) -> str:
    """Return the whole of `frame` as csv, json or markdown; an unknown number is empty, or null."""
    if style == "csv":
        return str(frame.to_csv(index=False, lineterminator="\n"))
    records = [{key: _plain(value) for key, value in row.items()} for row in frame.to_dict("records")]
    if style == "json":
        return json.dumps(records, ensure_ascii=False, indent=1) + "\n"
    return _markdown(list(frame.columns), [list(record.values()) for record in records])


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and math.isnan(value) else value


def _markdown(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    numeric = [all(isinstance(row[at], int | float | None) for row in rows) for at in range(len(columns))]
    lines = [columns, ["---:" if number else "---" for number in numeric]]
    lines += [["" if value is None else str(value).replace("|", "\\|") for value in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def render(*tables: "Table", colour: bool) -> str:
    """Return tables as text, as wide as the terminal at most, and as wide as needed elsewhere."""
    from rich.console import Console

    # In a pipe nothing may be cut or folded.
    width = shutil.get_terminal_size().columns if colour else 10_000
    file = StringIO()
    console = Console(
        file=file, width=width, force_terminal=colour, highlight=False, markup=False, emoji=False
    )
    for number, table in enumerate(tables):
        if number:
            console.print()
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def score_tables(frame: "DataFrame") -> list["Table"]:
    """Return a table for each task: one line a score, with how much of the gold set was covered."""
    return [
        _score_table(task, frame[frame["task"] == task])
        for task in ("similarity", "analogy")
        if (frame["task"] == task).any()
    ]


def _score_table(task: str, frame: "DataFrame") -> "Table":
    methods = " and ".join(_METHODS.get(method, method) for method in frame["method"].unique())
    table = plain_table(f"{task.capitalize()}, {methods}")
    columns = ("model", "dataset", "section") if task == "analogy" else ("model", "dataset")
    for name in columns:
        table.add_column(name, overflow="fold")
    table.add_column("score", justify="right")
    if frame["low"].notna().any():
        table.add_column("interval", justify="right")
    table.add_column("covered", justify="right")
    before: tuple[str, ...] = ()
    for row in frame.to_dict("records"):
        names = tuple(row[name] for name in columns)
        if len(columns) == 3 and before and names[:2] != before[:2]:
            table.add_section()
        style = "bold" if row["section"] == "all" else ""
        # A name is shown where it changes, so that the eye finds the blocks.
        cells = [
            text(name, style) if names[: at + 1] != before[: at + 1] else "" for at, name in enumerate(names)
        ]
        cells.append(text(_three(row["score"]), style))
        if frame["low"].notna().any():
            known = not math.isnan(row["low"])
            cells.append(f"{_three(row['low'])} to {_three(row['high'])}" if known else "")
        table.add_row(*cells, f"{row['covered']:,} / {row['total']:,}")
        before = names
    return table


def plain_table(title: str) -> "Table":
    """Return an empty table in the style of all tables."""
    from rich import box
    from rich.table import Table

    return Table(
        title=text(title, "bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        header_style="bold",
        show_edge=False,
    )


def _three(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def text(value: str, style: str = "") -> "Text":
    """Return a cell as it is, without markup and without control characters."""
    from rich.text import Text

    return Text(printable(value), style=style)
