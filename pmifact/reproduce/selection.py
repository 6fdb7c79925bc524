"""Settings chosen on one half of a gold set and judged on the other; what each hyperparameter is worth."""

from collections.abc import Sequence
from math import isnan, nan
from typing import Any

import numpy as np
import pandas as pd

HALVES = ("first_half", "second_half")


def cross_validated(scores: pd.DataFrame, *, least: float) -> dict[str, Any]:
    """Return the two-fold cross-validated score of the best of several settings on one gold set.

    The setting that scores best on one half is judged on the other, and the other way round; the score is the
    mean of the two. Its interval is as wide as those of the two settings on the whole set, on average; the
    choice is taken as given.

    Parameters
    ----------
    scores : DataFrame
        A row for each setting, with score, low, high, covered, total, first_half and second_half. Of equally
        good settings the first is taken.
    least : float
        The least that a score can be: -1 for a correlation, 0 for a share. The most is 1.

    Returns
    -------
    dict
        score, low, high, covered, total, and chosen: the rows of the two settings. NaN, and none, where no
        setting has a score on both halves.
    """
    rows: list[dict[Any, Any]] = [
        {**row, "at": at} for at, row in zip(scores.index, scores.to_dict("records"), strict=True)
    ]
    known = [row for row in rows if not any(isnan(row[half]) for half in HALVES)]
    if not known:
        covered, total = (max((int(row[name]) for row in rows), default=0) for name in ("covered", "total"))
        return {"score": nan, "low": nan, "high": nan, "covered": covered, "total": total, "chosen": []}
    # Of equals, max takes the first.
    chosen = [max(known, key=lambda row, half=half: row[half]) for half in HALVES]  # type: ignore[misc]
    score = sum(row[judged] for row, judged in zip(chosen, reversed(HALVES), strict=True)) / 2
    return {
        "score": score,
        "low": max(score - sum(row["score"] - row["low"] for row in chosen) / 2, least),
        "high": min(score + sum(row["high"] - row["score"] for row in chosen) / 2, 1.0),
        "covered": min(row["covered"] for row in chosen),
        "total": max(row["total"] for row in chosen),
        "chosen": [row["at"] for row in chosen],
    }


def gains(scores: pd.DataFrame, settings: Sequence[str], tasks: Sequence[str]) -> pd.DataFrame:
    """Return, for each value of each hyperparameter, in how many tasks it is best, and what it gains.

    Parameters
    ----------
    scores : DataFrame
        Of one method: a row for each setting and task, with score.
    settings : sequence of str
        The columns that hold hyperparameters.
    tasks : sequence of str
        The columns that tell tasks apart.

    Returns
    -------
    DataFrame
        Columns hyperparameter, value, best (tasks whose best setting has this value, as in Table 8 of the
        paper), tasks, gain (mean over tasks and over all other settings of the score with this value, less
        the mean score over all values of this hyperparameter), worst and most (of the means of single tasks).
    """
    known = scores.dropna(subset=["score"])
    if not len(known):
        return pd.DataFrame(columns=["hyperparameter", "value", "best", "tasks", "gain", "worst", "most"])
    best = known.loc[known.groupby(list(tasks), sort=False)["score"].idxmax()]
    rows = []
    for name in settings:
        if known[name].nunique() < 2:
            continue
        others = [*tasks, *(other for other in settings if other != name)]
        difference = known["score"] - known.groupby(others, sort=False)["score"].transform("mean")
        for value in dict.fromkeys(known[name]):
            at = known[name] == value
            of_tasks = difference[at].groupby([known.loc[at, task] for task in tasks]).mean()
            rows.append(
                {
                    "hyperparameter": name,
                    "value": value_in_words(value),
                    "best": int((best[name] == value).sum()),
                    "tasks": len(best),
                    "gain": float(of_tasks.mean()),
                    "worst": float(of_tasks.min()),
                    "most": float(of_tasks.max()),
                }
            )
    return pd.DataFrame(rows)


def value_in_words(value: Any) -> str:
    """Return the value of a hyperparameter as a person writes it."""
    if isinstance(value, str):
        return value
    return ("no", "yes")[bool(value)] if isinstance(value, bool | np.bool_) else f"{value:g}"
