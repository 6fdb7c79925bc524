"""Selection on halves, against a plain loop."""

import math

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from pmifact.reproduce.selection import cross_validated, gains

SHARES = st.one_of(st.just(math.nan), st.floats(0, 1))


@given(st.lists(st.tuples(SHARES, SHARES), max_size=8))
def test_the_best_on_one_half_is_judged_on_the_other(halves):
    table = pd.DataFrame(halves, columns=["first_half", "second_half"], dtype=float)
    table = table.assign(score=0.5, low=0.4, high=0.7, covered=8, total=9)
    found = cross_validated(table, least=0)
    best = {0: None, 1: None}
    for row, pair in enumerate(halves):
        if any(map(math.isnan, pair)):
            continue
        for half in (0, 1):
            if best[half] is None or pair[half] > halves[best[half]][half]:
                best[half] = row
    if best[0] is None:
        assert math.isnan(found["score"])
        return
    expected = (halves[best[0]][1] + halves[best[1]][0]) / 2
    assert found["chosen"] == [best[0], best[1]]
    assert np.isclose(found["score"], expected)
    assert np.isclose(found["low"], max(expected - 0.1, 0))
    assert np.isclose(found["high"], min(expected + 0.2, 1))


def test_gains_against_a_plain_loop():
    draw = np.random.default_rng(0)
    rows = [
        {"task": task, "a": a, "b": b, "score": float(draw.random())}
        for task in ("x", "y")
        for a in (1, 2, 3)
        for b in ("p", "q")
    ]
    found = gains(pd.DataFrame(rows), ("a", "b"), ("task",)).set_index(["hyperparameter", "value"])
    for value in (1, 2, 3):
        by_task = []
        for task in ("x", "y"):
            differences = []
            for b in ("p", "q"):
                at = {row["a"]: row["score"] for row in rows if row["task"] == task and row["b"] == b}
                differences.append(at[value] - sum(at.values()) / 3)
            by_task.append(sum(differences) / 2)
        row = found.loc[("a", str(value))]
        assert np.isclose(row["gain"], sum(by_task) / 2)
        assert np.isclose(row["worst"], min(by_task))
        assert np.isclose(row["most"], max(by_task))
    for task in ("x", "y"):
        assert max((row for row in rows if row["task"] == task), key=lambda row: row["score"])["task"] == task
    assert found.loc["b", "best"].sum() == 2
