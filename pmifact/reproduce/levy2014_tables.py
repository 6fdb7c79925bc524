"""The tables of the reproduction of Levy & Goldberg (NIPS 2014)."""

import re
from collections.abc import Mapping
from math import isnan, nan
from typing import Any

import pandas as pd

from pmifact.reproduce.claims import COLUMNS, DEVIATES, ON_CLAIMS, TITLE, claim_row, claims_page, where
from pmifact.reproduce.plan import Plan
from pmifact.reproduce.published import COLUMNS_2014, DEVIATIONS, SCORES_2014, SPPMI_REMARK
from pmifact.reproduce.results import Results, coverage_note, min_count_note, wide, write_results
from pmifact.reproduce.running import read_stage

_PANEL = ("at", "series", "value", "low", "high", "paper")
_MODEL = ("model", "shift", "rank")
_ON_FIGURES = (
    "The scores of the paper are of rank 1000, and its corpus has 1.5 billion tokens. Intervals are at 95 %: "
    "of a bootstrap for scores, which resamples word pairs for analogies; of the sample for sampled ones."
)

TITLES = {
    "table1": "Table 1: deviation from the optimal objective, %",
    "table2": "Table 2: word similarity (Spearman's rho) and analogies (3CosMul)",
    "claims": TITLE,
}


def levy2014_results(plan: Plan) -> Results:
    """Make the tables of a plan that is done, and write them."""
    deviations, scores, claims = [], [], []
    models: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for stage in plan.stages:
        if stage.kind != "scores":
            continue
        table = read_stage(plan, stage)
        if stage.options["step"] == "objective":
            deviations.append(table.assign(shift=stage.options["shift"]))
            models[tuple(stage.labels.values())] = stage.labels
        elif stage.options["step"] == "claim":
            claims.append(table)
        else:
            scores.append(table.assign(**{name: stage.labels.get(name) for name in _MODEL}))
    table1 = _table1(pd.concat(deviations, ignore_index=True))
    table2 = _table2(scores, list(models.values()))
    claims.append(_deviation_claims(table1))
    results = Results(
        title="Levy & Goldberg (2014), reproduced",
        titles=TITLES,
        tables={"table1": table1, "table2": table2, "claims": pd.concat(claims, ignore_index=True)},
        pages={"table1": _page1, "table2": _page2, "claims": claims_page},
        panels=_panels(table1, table2),
        panels_in_a_row=3,
        paper="paper, scores at rank 1000",
        notes=(
            SPPMI_REMARK,
            min_count_note(plan),
            coverage_note(table2),
            *plan.notes,
            _ON_FIGURES,
            _sampling_note(table1),
            ON_CLAIMS,
        ),
    )
    write_results(results, plan.folder)
    return results


def _table1(table: pd.DataFrame) -> pd.DataFrame:
    """Order the rows as the paper's columns, and set its figures beside ours."""
    keys = list(zip(table["shift"], table["model"], strict=True))
    table = table.assign(paper=[float(DEVIATIONS.get(shift, {}).get(model, nan)) for shift, model in keys])
    families = ("PMI", "SPPMI", "SVD", "SGNS", "zero")
    order = sorted(
        range(len(keys)), key=lambda at: (keys[at][0], families.index(re.split("[ ,]", keys[at][1])[0]), at)
    )
    columns = ["shift", "model", "deviation", "sampled", "standard_error", "low", "high", "paper"]
    return table.loc[order, columns].reset_index(drop=True)


def _sampling_note(table1: pd.DataFrame) -> str:
    """Tell how many intervals of the sampled deviations hold the exact value."""
    sampled = table1[table1["standard_error"] > 0]  # not the zero matrix, of which any sample is exact
    held = int(sampled["deviation"].between(sampled["low"], sampled["high"]).sum())
    return (
        "Each sampled deviation is of a sample of its own, apart from the pairs of training; "
        f"{held} of the {len(sampled)} intervals of 95 % hold the exact value."
    )


def _deviation_claims(table1: pd.DataFrame) -> pd.DataFrame:
    """Set the exact deviations of SVD and skip-gram against each other, in percent."""
    found = dict(zip(zip(table1["shift"], table1["model"], strict=True), table1["deviation"], strict=True))
    rows = []
    for shift, name in found:
        if name.startswith("SVD "):
            rank = int(name.removeprefix("SVD "))
            pair = found[shift, name], found[shift, f"SGNS {rank}"]
            rows.append(claim_row(DEVIATES, where(shift, rank), ("SVD", "SGNS"), pair))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _page1(table: pd.DataFrame, line_break: str) -> pd.DataFrame:
    def line(row: Mapping[Any, Any]) -> list[str]:
        sampled = interval = ""
        if not isnan(row["sampled"]):
            sampled, interval = f"{row['sampled']:.4g}", f"{row['low']:.4g} to {row['high']:.4g}"
        paper = "" if isnan(row["paper"]) else DEVIATIONS[row["shift"]][row["model"]]
        return [f"{row['shift']}", row["model"], f"{row['deviation']:.4g}", sampled, interval, paper]

    columns = ["k", "model", "exact %", "sampled %", "interval", "paper %"]
    return pd.DataFrame([line(row) for row in table.to_dict("records")], columns=columns, dtype=str)


def _page2(table: pd.DataFrame, line_break: str) -> pd.DataFrame:
    return wide(table, _MODEL, "dataset", line_break).rename(columns={"shift": "k", "rank": "d"})


def _table2(tables: list[pd.DataFrame], models: list[Mapping[str, Any]]) -> pd.DataFrame:
    """Join the scores, the paper's beside ours; sets that are absent have no score of ours."""
    columns = [*_MODEL, "dataset", "method", "score", "low", "high", "covered", "total"]
    rows = [row for table in tables for row in table[columns].to_dict("records")]
    there = {row["dataset"] for row in rows}
    unknown: dict[Any, Any] = {"method": "", "score": nan, "low": nan, "high": nan, "covered": 0, "total": 0}
    rows += [
        {**{column: model.get(column) for column in _MODEL}, "dataset": name, **unknown}
        for model in models
        for name in COLUMNS_2014
        if name not in there
    ]
    for row in rows:
        row["paper"] = SCORES_2014.get((row["model"], row["shift"]), {}).get(row["dataset"], nan)
    rows.sort(
        key=lambda row: (
            ("SPPMI", "SVD", "SGNS").index(row["model"]),
            row["shift"],
            row["rank"] or 0,
            COLUMNS_2014.index(row["dataset"]),
        )
    )
    return pd.DataFrame(rows, columns=[*columns, "paper"]).astype({"rank": "Int64"})


def _panels(table1: pd.DataFrame, table2: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return what a picture shows: the deviations of the models, and the scores on each set."""
    named = table1["model"].str.fullmatch(r"SPPMI|(SVD|SGNS) \d+")
    deviations = table1[named].rename(columns={"model": "series", "deviation": "value"})
    parts = {"objective: deviation, %": deviations.assign(low=nan, high=nan)}
    scores = table2.assign(
        series=[
            row["model"] if pd.isna(row["rank"]) else f"{row['model']} {row['rank']}"
            for row in table2.to_dict("records")
        ],
        value=table2["score"],
    )
    # The paper has one figure for each model and k.
    again = scores.duplicated(["model", "shift", "dataset"])
    scores["paper"] = scores["paper"].mask(again)
    parts |= {str(name): table for name, table in scores.groupby("dataset", sort=False)}
    return {
        name: table.assign(at=[f"k = {shift}" for shift in table["shift"]])[list(_PANEL)]
        for name, table in parts.items()
    }
