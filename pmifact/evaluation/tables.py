"""Score tables: what every evaluation returns."""

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from math import nan
from pathlib import Path

import pandas as pd

from pmifact.errors import InputError


@dataclass(frozen=True, kw_only=True)
class ScoreRow:
    """One row of a score table; the fields are its columns, in order.

    Parameters
    ----------
    model, dataset : str
        What was scored, and on what.
    task : str
        "similarity" or "analogy".
    section : str
        "all", a part of the gold set, or a summary of parts.
    method : str
        How it was scored.
    score : float
        Spearman's rho, or the fraction of questions answered rightly; NaN when nothing was covered.
    low, high : float
        Ends of the interval of the score; NaN when unknown.
    covered, total : int
        Items whose words all have vectors, and items in the set.
    """

    model: str
    dataset: str
    task: str
    section: str
    method: str
    score: float
    low: float = nan
    high: float = nan
    covered: int
    total: int


COLUMNS = tuple(field.name for field in fields(ScoreRow))
_NUMBERS = ("score", "low", "high", "covered", "total")


def score_table(rows: Iterable[ScoreRow]) -> pd.DataFrame:
    """Return the rows as a DataFrame with the columns `COLUMNS`, in that order."""
    return pd.DataFrame([asdict(row) for row in rows], columns=list(COLUMNS))


def read_score_table(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a score table that was written as `.csv` or `.json`.

    Raises
    ------
    InputError
        If the file cannot be read, or is no score table.
    """
    expected = f"{path}: expected a score table with the columns {', '.join(COLUMNS)}"
    try:
        if Path(path).suffix.lower() == ".json":
            frame = pd.DataFrame(pd.read_json(path, orient="records", dtype=False))
        else:
            frame = pd.read_csv(path, keep_default_na=False, na_values={name: [""] for name in _NUMBERS})
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror}") from problem
    except (ValueError, UnicodeError) as problem:
        raise InputError(f"{expected}, got what cannot be read as one: {problem}") from problem
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing or frame.empty:
        raise InputError(f"{expected}, got {f'none named {missing[0]}' if missing else 'no row'}")
    for name in (column for column in COLUMNS if column not in _NUMBERS):
        frame[name] = frame[name].astype(str)
    for name in _NUMBERS:
        try:
            frame[name] = pd.to_numeric(frame[name]).astype("float64")
        except (TypeError, ValueError) as problem:
            raise InputError(f"{path}: {name}: expected numbers, got something else: {problem}") from problem
    return frame[list(COLUMNS)]
