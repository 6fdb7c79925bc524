"""Score tables: what every evaluation returns."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from math import nan

import pandas as pd


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


def score_table(rows: Iterable[ScoreRow]) -> pd.DataFrame:
    """Return the rows as a DataFrame with the columns `COLUMNS`, in that order."""
    return pd.DataFrame([asdict(row) for row in rows], columns=list(COLUMNS))
