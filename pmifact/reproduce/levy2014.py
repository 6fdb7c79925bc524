"""Levy & Goldberg (NIPS 2014): SPPMI, SVD and SGNS on the same pairs, by the objective and by their scores.

The plan: one encoding, one count; for each shift k one SVD of the largest rank, whose first triplets serve
the smaller ones, and skip-gram on the counts for each rank; then the objective and the scores of each model.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isnan, nan
from typing import Any

import pandas as pd

from pmifact.checks import check_integer, check_number
from pmifact.errors import InputError
from pmifact.objective import Objective, exact_objective, reference_objectives, sampled_objective
from pmifact.ppmi import sppmi
from pmifact.reproduce.costs import Cost, Survey
from pmifact.reproduce.gold import choose_gold
from pmifact.reproduce.plan import Plan, Stage, check_folder, in_order
from pmifact.reproduce.published import COLUMNS_2014, DEVIATIONS, SCORES_2014, SPPMI_REMARK
from pmifact.reproduce.results import Results, coverage_note, min_count_note, wide, write_results
from pmifact.reproduce.running import Watch, Workshop, read_stage, run_plan, unwatched
from pmifact.reproduce.scoring import check_resamples
from pmifact.reproduce.stages import (
    Reading,
    Windows,
    counts_stage,
    first_triplets,
    scores_stage,
    sgns_stage,
    svd_stage,
)
from pmifact.reproduce.text import corpus_stage, read_text
from pmifact.resources.memory import parse_memory
from pmifact.resources.progress import Progress
from pmifact.resources.threads import resolve_threads

SHIFTS = (1, 5, 15)
SAMPLES = 10_000_000  # as in the paper
_PLUS_MINUS = 1.959964  # standard errors of a 95 % interval
_POWER = 0.5
_MODEL = ("model", "shift", "rank")
_ON_FIGURES = (
    "The scores of the paper are of rank 1000, and its corpus has 1.5 billion tokens. Intervals are at 95 %: "
    "of a bootstrap for scores, which resamples word pairs for analogies; of the sample for sampled ones."
)

TITLES = {
    "table1": "Table 1: deviation from the optimal objective, %",
    "table2": "Table 2: word similarity (Spearman's rho) and analogies (3CosMul)",
}


@dataclass(frozen=True, kw_only=True)
class Levy2014Options:
    """What is trained and measured.

    Parameters
    ----------
    shifts : tuple of int
        k: the shift of SPPMI, the number of negatives of skip-gram.
    ranks : tuple of int or None
        Of SVD and of skip-gram, for every shift; None for 100, and 500 at shift 5.
    epochs : int
        Passes of skip-gram over the pairs.
    learning_rate : float
        Of skip-gram.
    samples : int
        Pairs from which the objective is estimated as in the paper.
    resamples : int
        Of the bootstrap for intervals.
    seed : int
        Of every random choice.

    Raises
    ------
    InputError
        If a value is out of range.
    """

    shifts: tuple[int, ...] = SHIFTS
    ranks: tuple[int, ...] | None = None
    epochs: int = 3
    learning_rate: float = 0.025
    samples: int = SAMPLES
    resamples: int = 999
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("shifts", "ranks"):
            values = getattr(self, name)
            if values is None and name == "ranks":
                continue
            if not values or len(set(values)) < len(values):
                raise InputError(f"{name}: expected different numbers, at least one, got {values!r}")
            for value in values:
                check_integer(name, value, least=1, most=10_000)
            object.__setattr__(self, name, tuple(sorted(map(int, values))))
        check_integer("epochs", self.epochs, least=1)
        check_number("learning_rate", self.learning_rate, above=0)
        check_integer("samples", self.samples, least=2)
        check_resamples(self.resamples)
        check_integer("seed", self.seed, least=0, most=2**63 - 1)

    def ranks_at(self, shift: int) -> tuple[int, ...]:
        """Return the ranks at one shift."""
        if self.ranks is not None:
            return self.ranks
        return (100, 500) if shift == 5 else (100,)


def plan_levy2014(
    corpus: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    gold: Mapping[str, str | os.PathLike[str]] | None = None,
    min_count: int | None = None,
    encode: Mapping[str, Any] | None = None,
    threads: int | None = None,
    **options: Any,
) -> Plan:
    """Plan a reproduction without doing anything; the parameters are those of `reproduce_levy2014`."""
    chosen = Levy2014Options(**options)
    folder = check_folder(output)
    sets = choose_gold(COLUMNS_2014, gold or {})
    text = read_text(
        corpus, encode if encode is not None else {"tokenizer": "words", "lowercase": True}, min_count
    )
    counts = counts_stage(corpus_stage(text), Windows(window=2, weighting="flat"), chosen.seed)
    goals: list[Stage] = []
    for shift in chosen.shifts:
        for reading, labels in _models(counts, shift, chosen):
            goals.append(_objective_stage(reading, shift, labels, chosen))
            goals += [
                scores_stage(
                    reading,
                    pair,
                    methods=("mul",),
                    resamples=chosen.resamples,
                    seed=chosen.seed,
                    labels=labels,
                )
                for pair in sets.sets.values()
            ]
    return Plan(
        folder,
        in_order(goals),
        partial(text.survey, resolve_threads(threads)),
        shared=(
            "One encoding and one count serve every model.",
            "One SVD for each shift serves every rank: its first triplets are the SVD of a smaller rank.",
        ),
        notes=sets.notes,
    )


def _models(
    counts: Stage, shift: int, options: Levy2014Options
) -> Iterator[tuple[Reading, Mapping[str, Any]]]:
    """Yield the models of one shift, with what the tables say of them."""
    # Smoothing 1: contexts and negatives by their own distribution.
    yield Reading(counts, ({"shift": float(shift), "smoothing": 1.0},)), {"model": "SPPMI", "shift": shift}
    ranks = options.ranks_at(shift)
    svd = svd_stage(counts, shift=shift, smoothing=1.0, rank=max(ranks), seed=options.seed)
    for rank in ranks:
        first = None if rank == max(ranks) else rank
        yield Reading(svd, ({"power": _POWER},), first), {"model": "SVD", "shift": shift, "rank": rank}
    for rank in ranks:
        settings = {
            "rank": rank,
            "epochs": options.epochs,
            "learning_rate": options.learning_rate,
            "negative_rule": "exact",
            "seed": options.seed,
        }
        sgns = sgns_stage(counts, shift=shift, smoothing=1.0, settings=settings)
        yield Reading(sgns, ({"power": _POWER},)), {"model": "SGNS", "shift": shift, "rank": rank}


def _objective_stage(
    reading: Reading, shift: int, labels: Mapping[str, Any], options: Levy2014Options
) -> Stage:
    """Return the stage that measures the objective of a model; with SPPMI, of the references too."""
    counts = reading.stage if reading.stage.kind == "counts" else reading.stage.needs[0]

    def work(bench: Workshop, progress: Progress) -> pd.DataFrame:
        observed = bench.counts(counts)
        exact: dict[str, Objective] = {}
        if reading.stage.kind == "counts":
            exact = reference_objectives(observed, shift=shift)
            model: Any = sppmi(observed, shift=shift, smoothing=1.0)
        else:
            model = first_triplets(bench.factors(reading.stage), reading.rank)
            name = f"{labels['model']} {labels['rank']}"
            exact[name] = exact_objective(
                observed, model, shift=shift, threads=bench.threads, progress=progress
            )
        sampled = sampled_objective(
            observed,
            model,
            shift=shift,
            samples=options.samples,
            seed=options.seed,
            threads=bench.threads,
            progress=progress,
        )
        # The paper's sampling is of one model; every sample of the zero matrix is the same number.
        estimates = {next(name for name in exact if name.startswith(labels["model"])): sampled}
        estimates |= {name: value for name, value in exact.items() if name == "zero matrix"}
        return pd.DataFrame([_deviations(name, value, estimates.get(name)) for name, value in exact.items()])

    def cost(survey: Survey) -> Cost:
        rank = labels.get("rank", 0)
        seconds = survey.seconds("sampled", 2 * options.samples * max(rank, 25))
        if rank:
            seconds += survey.seconds("exact", survey.words**2 * (rank + 150))
        return Cost("exact" if rank else "sampled", seconds, 0)

    return Stage(
        name=f"objective-{reading.name}",
        kind="scores",
        title=f"Objective of {reading.title}",
        options={
            "step": "objective",
            "shift": shift,
            "rank": reading.rank,
            "samples": options.samples,
            "seed": options.seed,
        },
        work=work,
        cost=cost,
        needs=tuple(dict.fromkeys((counts, reading.stage))),
        labels=labels,
    )


def _deviations(name: str, exact: Objective, sampled: Objective | None) -> dict[str, Any]:
    row = {
        "model": name,
        "deviation": 100 * exact.deviation + 0.0,  # no negative zero
        "sampled": nan,
        "standard_error": nan,
        "low": nan,
        "high": nan,
    }
    if sampled is not None:
        error = 100 * sampled.standard_error / abs(sampled.optimum)
        middle = 100 * sampled.deviation
        row |= {
            "sampled": middle,
            "standard_error": error,
            "low": middle - _PLUS_MINUS * error,
            "high": middle + _PLUS_MINUS * error,
        }
    return row


def reproduce_levy2014(
    corpus: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    gold: Mapping[str, str | os.PathLike[str]] | None = None,
    min_count: int | None = None,
    encode: Mapping[str, Any] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    watch: Watch = unwatched,
    **options: Any,
) -> Results:
    """Reproduce Tables 1 and 2 of Levy & Goldberg (2014) on a text.

    Parameters
    ----------
    corpus : path or sequence of paths
        Files, directories or globs.
    output : path
        A folder for what is made. The same call takes up what is finished there; a changed option does
        again only what depends on it.
    gold : mapping of str to path, optional
        Files to take for ``ws353``, ``men``, ``google`` or ``msr``; others are the named data sets, as far as
        they are at hand.
    min_count : int, optional
        Least count of a word; the paper's 100, scaled down by `scaled_min_count`, when not given.
    encode : mapping, optional
        Other options of `encode_corpus`; runs of letters, lower-cased, when not given.
    threads : int, optional
        All cores when not given.
    memory : int or str, optional
        Bound on the memory of encoding, counting and factorizing, in bytes or as in ``4GB``.
    watch : callable
        See `pmifact.reproduce.running.run_plan`.
    **options
        Fields of `Levy2014Options`: shifts, ranks, epochs, learning_rate, samples, resamples, seed.

    Returns
    -------
    Results
        ``tables["table1"]`` and ``tables["table2"]`` are DataFrames, with the paper's figures beside ours.
        They and ``report.md`` are written to `output` as well.

    Raises
    ------
    InputError
        If an option or an input cannot be used.
    ArtifactError
        If `output` cannot be used, or what is kept there is damaged.
    """
    limit = parse_memory(memory)
    given: dict[str, Any] = {"gold": gold, "min_count": min_count, "encode": encode}
    plan = plan_levy2014(corpus, output, **given, threads=threads, **options)
    run_plan(plan, threads=threads, memory=limit, watch=watch)
    return levy2014_results(plan)


def levy2014_results(plan: Plan) -> Results:
    """Make the tables of a plan that is done, and write them."""
    deviations, scores = [], []
    models: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for stage in plan.stages:
        if stage.kind != "scores":
            continue
        table = read_stage(plan, stage)
        if stage.options["step"] == "objective":
            deviations.append(table.assign(shift=stage.options["shift"]))
            models[tuple(stage.labels.values())] = stage.labels
        else:
            scores.append(table.assign(**{name: stage.labels.get(name) for name in _MODEL}))
    table2 = _table2(scores, list(models.values()))
    results = Results(
        title="Levy & Goldberg (2014), reproduced",
        titles=TITLES,
        tables={"table1": _table1(pd.concat(deviations, ignore_index=True)), "table2": table2},
        pages={"table1": _page1, "table2": _page2},
        notes=(SPPMI_REMARK, min_count_note(plan), coverage_note(table2), *plan.notes, _ON_FIGURES),
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
