"""What is shown of a result: numbers in words, and in notebooks short tables in which no data is markup."""

from collections.abc import Iterable, Sequence
from html import escape

SHOWN = 5  # words, or numbers of a vector


def html_table(
    title: str, rows: Iterable[Sequence[object]], columns: Sequence[str] = (), *, more: int = 0
) -> str:
    """Return a table whose first column names its rows.

    Parameters
    ----------
    title : str
        The caption.
    rows : iterable of sequences
        Cells; whatever they hold is shown as text.
    columns : sequence of str
        Headings; without them there is no heading line.
    more : int
        How many rows are left out, which the last line says.
    """
    lines = [f"<table><caption>{_text(title)}</caption>"]
    if columns:
        headings = "".join(f'<th scope="col">{_text(name)}</th>' for name in columns)
        lines.append(f"<tr>{headings}</tr>")
    width = len(columns)
    for first, *others in rows:
        width = 1 + len(others)
        cells = "".join(f"<td>{_text(cell)}</td>" for cell in others)
        lines.append(f'<tr><th scope="row">{_text(first)}</th>{cells}</tr>')
    if more > 0:
        lines.append(f'<tr><td colspan="{width}">and {more:,} more</td></tr>')
    return "\n".join([*lines, "</table>"])


def count_of(number: int, noun: str) -> str:
    """Return a number and its noun, such as ``1 word`` or ``2,747 words``."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def fraction_of(numerator: int, denominator: int) -> str:
    """Return a fraction as a decimal number, exact when it is whole, else to three decimals: ``1,015.5``."""
    whole, rest = divmod(numerator, denominator)
    return f"{numerator / denominator:,.3f}".rstrip("0").rstrip(".") if rest else f"{whole:,}"


def _text(cell: object) -> str:
    return escape(f"{cell:.4g}" if isinstance(cell, float) else str(cell))
