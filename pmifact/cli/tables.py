"""Tables of results: for people in a terminal, and exact for machines."""

import json
import math
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from itertools import groupby
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
METHODS = {
    "spearman": "Spearman's rho",
    "pearson": "Pearson's r",
    "add": "3CosAdd",
    "mul": "3CosMul",
    "pairdirection": "PairDirection",
    "avg": "3CosAvg",
    "lrcos": "LRCos",
}
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
    tables: Callable[["DataFrame"], Iterable["Table | Text"]],
    style: str | None,
    output: str | None = None,
) -> None:
    """Write results to standard output, or to a new file.

    Parameters
    ----------
    frame : DataFrame
        The results.
    tables : callable
        Makes the tables, and sentences, for people from them.
    style : str or None
        One of `FORMATS`; None chooses by the ending of `output`, and a table where that says nothing.
    output : str or None
        The file.
    """
    if style is None:
        style = _style_of(output) or "table"
    colour = output is None and to_terminal()
    text = render(*tables(frame), colour=colour) if style == "table" else machinetext(frame, style)
    if output is None:
        click.echo(text, nl=False, color=colour)
        return
    _write(text, output)


def write_items(frame: "DataFrame", output: str) -> None:
    """Write what each item got to a new file, whole: as CSV, unless the ending says otherwise."""
    _write(machinetext(frame, _style_of(output) or "csv"), output)


def _style_of(output: str | None) -> str | None:
    return next((name for ending, name in _ENDINGS.items() if output and output.endswith(ending)), None)


def _write(text: str, output: str) -> None:
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


def render(*tables: "Table | Text", colour: bool) -> str:
    """Return tables as text, as wide as the terminal at most, and as wide as needed elsewhere."""
    from rich.console import Console
    from rich.table import Table

    # In a pipe nothing may be cut or folded.
    width = shutil.get_terminal_size().columns if colour else 10_000
    file = _Page()
    console = Console(
        file=file, width=width, force_terminal=colour, highlight=False, markup=False, emoji=False
    )
    for number, table in enumerate(tables):
        if number:
            console.print()
        if isinstance(table, Table) and table.title is not None:
            # Rich would fold a title to the width of its table.
            console.print(table.title)
            table.title = None
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


class _Page(StringIO):
    """Text that will be printed: rich draws lines that the encoding of standard output has."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Return the encoding of standard output."""
        return sys.stdout.encoding or "utf-8"


def score_tables(frame: "DataFrame") -> list["Table"]:
    """Return for each task a table of every score by its first method, and one of the other methods."""
    tables = []
    for task in frame["task"].unique():
        rows = frame[frame["task"] == task]
        first = rows["method"].iloc[0]
        show_scores = _section_table if task == "analogy" else _score_table
        tables.append(show_scores(task, first, rows[rows["method"] == first].to_dict("records")))
        others = rows[(rows["method"] != first) & (rows["section"] == "all")]
        if len(others):
            tables.append(_methods_table(task, others.to_dict("records")))
    return tables


def _score_table(task: str, method: str, rows: list[dict[Any, Any]]) -> "Table":
    table = plain_table(f"{task.capitalize()}, {METHODS.get(method, method)}")
    intervals = _start(table, ("model", "dataset"), rows)
    before = None
    for (model, dataset), block in groupby(rows, key=lambda row: (row["model"], row["dataset"])):
        # A name is shown where it changes, so that the eye finds the blocks.
        table.add_row(text(model if model != before else ""), text(dataset), *_cells(next(block), intervals))
        before = model
    return table


def _section_table(task: str, method: str, rows: list[dict[Any, Any]]) -> "Table":
    return _outlined_table(
        f"{task.capitalize()}, {METHODS.get(method, method)}", "model, dataset", rows, _outline
    )


def _methods_table(task: str, rows: list[dict[Any, Any]]) -> "Table":
    def outline(block: list[dict[Any, Any]]) -> Iterator[tuple[str, dict[Any, Any] | None]]:
        yield block[0]["dataset"], None
        yield from ((f"  {row['method']}", row) for row in block)

    return _outlined_table(f"{task.capitalize()}, other methods", "model, dataset, method", rows, outline)


def _outlined_table(
    title: str,
    heading: str,
    rows: list[dict[Any, Any]],
    outline: Callable[[list[dict[Any, Any]]], Iterable[tuple[str, dict[Any, Any] | None]]],
) -> "Table":
    """Return a table with models, sets and what is in them below one another, to fit 80 columns."""
    table = plain_table(title)
    intervals = _start(table, (heading,), rows)
    before = None
    for (model, _), block in groupby(rows, key=lambda row: (row["model"], row["dataset"])):
        if before is not None:
            table.add_section()
        if model != before:
            table.add_row(text(model, "bold"))
        for place, (name, row) in enumerate(outline(list(block))):
            style = "" if place else "bold"
            cells = () if row is None else _cells(row, intervals)
            table.add_row(text(f"  {name}", style), *(text(cell, style) for cell in cells))
        before = model
    return table


def _start(table: "Table", names: Sequence[str], rows: list[dict[Any, Any]]) -> bool:
    """Add the columns, and return whether there is one of intervals."""
    intervals = any(not math.isnan(row["low"]) for row in rows)
    for name in names:
        table.add_column(name, overflow="fold")
    for name in ("score", "interval", "covered")[:: 1 if intervals else 2]:
        table.add_column(name, justify="right")
    return intervals


def _cells(row: dict[Any, Any], intervals: bool) -> list[str]:
    known = not math.isnan(row["low"])
    interval = [f"{_three(row['low'])} to {_three(row['high'])}" if known else ""]
    return [
        _three(row["score"]),
        *interval[: 1 if intervals else 0],
        f"{row['covered']:,} / {row['total']:,}",
    ]


def _outline(rows: list[dict[Any, Any]]) -> Iterator[tuple[str, dict[Any, Any]]]:
    """Yield the rows of one set, sections indented, and under their subtotal where there are subtotals."""
    from pmifact.evaluation.gold import subtotals_of

    by_name = {row["section"]: row for row in rows}
    yield rows[0]["dataset"], rows[0]
    subtotals = {name: members for name, members in subtotals_of(by_name).items() if name in by_name}
    if len(subtotals) < 2:
        yield from ((f"  {row['section']}", row) for row in rows[1:])
        return
    grouped = {name for members in subtotals.values() for name in members} - {"all", "macro", *subtotals}
    yield "  macro", by_name["macro"]
    for name, members in subtotals.items():
        yield f"  {name}", by_name[name]
        yield from ((f"    {member}", by_name[member]) for member in members if member in grouped)
    others = by_name.keys() - grouped - {"all", "macro", *subtotals}
    yield from ((f"  {name}", row) for name, row in by_name.items() if name in others)


def plain_table(title: str) -> "Table":
    """Return an empty table in the style of all tables."""
    from rich import box
    from rich.table import Table

    return Table(
        padding=(0, 1, 0, 0),
        title=text(title, "bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        header_style="bold",
        show_edge=False,
    )


def _three(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def text(value: str, style: str = "") -> "Text":
    """Return a cell as it is, without markup and without control characters."""
    from rich.text import Text

    return Text(printable(value), style=style)


def prose(sentences: str, width: int = 80, *, indent: str = "", whole_items: bool = False) -> "Text":
    """Return sentences in lines of at most so many characters, in a pipe too; no word is cut.

    All lines but the first begin with `indent`. With `whole_items` lines end after commas alone, as long as
    they can.
    """
    from rich.text import Text

    shown = printable(sentences)
    items = shown.split(", ")
    if whole_items and max(map(len, items)) < width:
        # Lines are not broken at these spaces.
        shown = ", ".join(item.replace(" ", "\N{NO-BREAK SPACE}") for item in items)
    lines = textwrap.wrap(
        shown, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return Text("\n".join(lines).replace("\N{NO-BREAK SPACE}", " "))
