"""What a reproduction hands over: tables beside the papers' figures, as CSV and as one Markdown page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd

from pmifact.notebook import html_table
from pmifact.reproduce.plan import Plan
from pmifact.reproduce.text import PAPER_MIN_COUNT
from pmifact.storage import read_manifest
from pmifact.storage.replacement import replacing

REPORT = "report.md"


@dataclass(frozen=True, eq=False)
class Results:
    """The tables of a reproduction.

    Parameters
    ----------
    title : str
    titles : mapping of str to str
        Of each table.
    tables : mapping of str to DataFrame
        Every number, a row each.
    pages : mapping of str to callable
        Lays a table out as it is shown: called with the table and what parts the lines of a cell, it returns
        a DataFrame of texts.
    notes : tuple of str
        What is to be said of them.
    panels : mapping of str to DataFrame
        What `pmifact.plotting.draw_published` draws.
    panels_in_a_row : int
    paper : str
        What the picture calls the paper's figures.
    """

    title: str
    titles: Mapping[str, str]
    tables: Mapping[str, pd.DataFrame]
    pages: Mapping[str, Callable[[pd.DataFrame, str], pd.DataFrame]]
    notes: tuple[str, ...]
    panels: Mapping[str, pd.DataFrame]
    panels_in_a_row: int
    paper: str

    def __repr__(self) -> str:
        return f"Results({self.title}: {', '.join(self.tables)})"

    def _repr_html_(self) -> str:
        return "".join(
            html_table(self.titles[name], page.to_numpy().tolist(), list(page.columns))
            for name, page in ((name, self.page(name, "; ")) for name in self.tables)
        )

    def page(self, name: str, line_break: str) -> pd.DataFrame:
        """Return a table as it is shown."""
        return self.pages[name](self.tables[name], line_break)

    @property
    def report(self) -> str:
        """All tables and notes in Markdown."""
        parts = [f"# {self.title}\n"]
        for name in self.tables:
            parts.append(f"\n## {self.titles[name]}\n\n{_markdown(self.page(name, '; '))}")
        parts.append("\n## Notes\n\n" + "".join(f"- {note}\n" for note in self.notes))
        return "".join(parts)


def write_results(
    results: Results, folder: Path, also: Mapping[str, pd.DataFrame] = MappingProxyType({})
) -> None:
    """Write each table, and others, as CSV, and the report; whole, in place of older ones."""
    tables = {**results.tables, **also}
    files = {f"{name}.csv": table.to_csv(index=False, lineterminator="\n") for name, table in tables.items()}
    for name, text in {**files, REPORT: results.report}.items():
        with replacing(folder / name, directory=False) as partial:
            partial.write_text(text, encoding="utf-8", newline="")


def _markdown(page: pd.DataFrame) -> str:
    lines = [list(page.columns), ["---"] * page.shape[1], *page.to_numpy().tolist()]
    return "".join(
        f"| {' | '.join(str(value).replace('|', chr(92) + '|') for value in line)} |\n" for line in lines
    )


def score_cell(row: Mapping[Any, Any], line_break: str) -> str:
    """Return ours with its interval, and the paper's figure."""
    ours = "-" if pd.isna(row["score"]) else _three(row["score"])
    if not pd.isna(row["low"]):
        ours += f" {_three(row['low'])}–{_three(row['high'])}"
    return ours if pd.isna(row["paper"]) else f"{ours}{line_break}paper {_three(row['paper'])}"


def _three(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)


def wide(table: pd.DataFrame, rows: Sequence[str], column: str, line_break: str) -> pd.DataFrame:
    """Lay scores out with one row for each combination of `rows` and a column for each value of `column`."""
    cells = table.assign(cell=[score_cell(row, line_break) for row in table.to_dict("records")])
    columns = list(dict.fromkeys(table[column]))
    lines = []
    for names, block in cells.groupby(list(rows), sort=False, dropna=False):
        shown = ["" if name is pd.NA or name != name else str(name) for name in list[Any](names)]
        by_column = dict(zip(block[column], block["cell"], strict=True))
        lines.append([*shown, *(by_column.get(name, "-") for name in columns)])
    return pd.DataFrame(lines, columns=[*rows, *columns], dtype=str)


def coverage_note(table: pd.DataFrame) -> str:
    """Say how many items of each set are covered."""
    parts = []
    for name, block in table[table["total"] > 0].groupby("dataset", sort=False):
        least, most = int(block["covered"].min()), int(block["covered"].max())
        covered = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        parts.append(f"{name} {covered} of {int(block['total'].max()):,}")
    return f"Covered items: {', '.join(parts) or 'none, since no gold set is at hand'}."


def min_count_note(plan: Plan) -> str:
    """Say how often a word must occur, and how large the text is."""
    stage = next(stage for stage in plan.stages if stage.kind == "corpus")
    manifest = read_manifest(plan.path(stage))
    least, tokens = manifest["options"]["min_count"], manifest["files"]["token_ids.npy"]["shape"][0]
    scaled = f"scaled down from the paper's {PAPER_MIN_COUNT} by the root of the size of the text"
    if not stage.options["scaled"]:
        scaled = "as asked for"
    elif least == PAPER_MIN_COUNT:
        scaled = "as in the paper"
    return f"The text has {tokens:,} tokens; words are those of at least {least} occurrences, {scaled}."
