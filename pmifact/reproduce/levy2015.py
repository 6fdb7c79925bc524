"""Levy, Goldberg & Dagan (TACL 2015): PPMI, SVD and SGNS under every setting of a grid.

The plan: one encoding; one count for each window, weighting and subsampling; one SVD for each matrix, which
serves every power with and without context vectors; skip-gram on the counts; then all scores.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import nan
from typing import Any

import pandas as pd

from pmifact.errors import InputError
from pmifact.evaluation import SimilaritySet
from pmifact.reproduce.claims import (
    COLUMNS,
    ON_CLAIMS,
    POWERS,
    SMOOTHED,
    TITLE,
    Contest,
    claims_page,
    setting_claims_stage,
)
from pmifact.reproduce.gold import GoldSets, choose_gold
from pmifact.reproduce.grid import (
    APPLY,
    CONTEXTS,
    GRIDS,
    METHODS,
    SETTINGS,
    VANILLA,
    WORD2VEC,
    Grid,
    Levy2015Options,
)
from pmifact.reproduce.plan import Plan, Stage, check_folder, in_order
from pmifact.reproduce.published import (
    ADVICE_2015,
    COLUMNS_2015,
    CROSS_VALIDATED_2015,
    VANILLA_2015,
    WORD2VEC_2015,
)
from pmifact.reproduce.results import Results, coverage_note, min_count_note, wide, write_results
from pmifact.reproduce.running import Watch, read_stage, run_plan, unwatched
from pmifact.reproduce.selection import cross_validated, gains, value_in_words
from pmifact.reproduce.stages import Reading, Windows, counts_stage, scores_stage, sgns_stage, svd_stage
from pmifact.reproduce.text import corpus_stage, read_text
from pmifact.resources.memory import parse_memory
from pmifact.resources.threads import resolve_threads

_TASK = ("dataset", "method")
_SCORES = ("score", "low", "high", "covered", "total")
_HALVES = ("first_half", "second_half")
TITLES = {
    "table2": "Table 2: vanilla (window 2 flat, not subsampled, shift 1, unsmoothed, power 0)",
    "table3": "Table 3: as word2vec (window 2 dynamic, subsampled, shift 5, smoothing 0.75)",
    "table5": "Table 5: settings chosen by two-fold cross-validation",
    "table8": "Table 8: in how many tasks a value is best, and its gain over the mean",
    "claims": TITLE,
}
_ON_FIGURES = (
    "Analogies are solved by 3CosAdd (add) and 3CosMul (mul). Intervals are bootstrap intervals at 95 %, of "
    "word pairs for analogies; those of Table 5 take the chosen settings as given. The paper's figures are "
    "of rank 500 and of 1.5 billion tokens."
)
_ON_GAINS = (
    "Table 8 of the paper counts tasks whose best setting has a value, as 'best in' does; beside it stands "
    "what the paper advises. The gain compares a value with the mean over all values where all else is equal."
)


def plan_levy2015(
    corpus: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    gold: Mapping[str, str | os.PathLike[str]] | None = None,
    min_count: int | None = None,
    encode: Mapping[str, Any] | None = None,
    threads: int | None = None,
    **options: Any,
) -> Plan:
    """Plan a reproduction without doing anything; the parameters are those of `reproduce_levy2015`."""
    chosen = Levy2015Options(**options)
    grid = GRIDS[chosen.grid]
    grid = replace(grid, rank=chosen.rank or grid.rank, epochs=chosen.epochs or grid.epochs)
    folder = check_folder(output)
    sets = choose_gold(list(dict.fromkeys(name for name, _ in COLUMNS_2015)), gold or {})
    if not sets.sets:
        raise InputError(
            "gold: no set is at hand, and there would be nothing to compare; "
            f"get some first: pmifact data get {' '.join(sets.fetchable)}"
        )
    text = read_text(
        corpus, encode if encode is not None else {"tokenizer": "words", "lowercase": True}, min_count
    )
    readings = list(_readings(corpus_stage(text), grid, chosen))
    goals = [
        scores_stage(
            reading,
            pair,
            methods=("add", "mul"),
            resamples=chosen.resamples,
            seed=chosen.seed,
            labels={"model": model, "fixed": fixed},
        )
        for model, fixed, reading in readings
        for pair in sets.sets.values()
    ]
    goals += _claims(readings, sets, chosen)
    stages = in_order(goals)
    kinds = [stage.options["step"] for stage in stages]
    variants = sum(len(reading.ways) for _, _, reading in readings)
    return Plan(
        folder,
        stages,
        partial(text.survey, resolve_threads(threads)),
        shared=(
            f"One encoding serves {kinds.count('count')} counts, {kinds.count('svd')} SVDs and "
            f"{kinds.count('sgns')} trainings.",
            f"Powers and context vectors are applied when a result is read: {variants} models in all.",
        ),
        notes=sets.notes,
    )


def _claims(
    readings: list[tuple[str, bool, Reading]], sets: GoldSets, options: Levy2015Options
) -> Iterator[Stage]:
    """Yield the stages that test what the paper says of powers and of smoothing, over the whole grid."""
    similarity = [(items, source) for items, source in sets.sets.values() if isinstance(items, SimilaritySet)]
    if not similarity:
        return
    for contests in (
        tuple(
            Contest(claim=POWERS, model="SVD", setting="power", first=power, second=1.0)
            for power in (0.0, 0.5)
        ),
        (Contest(claim=SMOOTHED, model="PPMI", setting="smoothing", first=0.75, second=1.0),),
    ):
        of_grid = [reading for model, fixed, reading in readings if model == contests[0].model and not fixed]
        yield setting_claims_stage(
            of_grid, similarity, contests, resamples=options.resamples, seed=options.seed
        )


def _readings(corpus: Stage, grid: Grid, options: Levy2015Options) -> Iterator[tuple[str, bool, Reading]]:
    """Yield method, whether it is outside the grid, and the reading, of each model."""
    found: dict[str, tuple[str, bool, Reading]] = {}

    def add(model: str, fixed: bool, reading: Reading) -> None:
        found.setdefault(reading.name, (model, fixed, reading))

    for windows in grid.windows_of(options.subsample):
        counts = counts_stage(corpus, windows, options.seed)
        for shift, smoothing in product(grid.shifts, grid.smoothings):
            add("PPMI", False, _ppmi(counts, shift, smoothing))
            add("SVD", False, _svd(counts, shift, smoothing, grid, options))
        for shift, smoothing in product(grid.shifts, grid.sgns_smoothings):
            add("SGNS", False, _sgns(counts, shift, smoothing, grid, options))
    # The settings of Tables 2 and 3 that a small grid does not hold.
    for setting in (VANILLA, WORD2VEC):
        windows = Windows(
            window=setting["window"],
            weighting=setting["weighting"],
            subsample=options.subsample if setting["subsampled"] else None,
        )
        counts = counts_stage(corpus, windows, options.seed)
        shift, smoothing = setting["shift"], setting["smoothing"]
        add("PPMI", True, _ppmi(counts, shift, smoothing))
        add("SVD", True, _svd(counts, shift, smoothing, grid, options))
        add("SGNS", True, _sgns(counts, shift, smoothing, grid, options))
    yield from found.values()


def _ppmi(counts: Stage, shift: float, smoothing: float) -> Reading:
    return Reading(counts, ({"shift": float(shift), "smoothing": smoothing},))


def _svd(counts: Stage, shift: float, smoothing: float, grid: Grid, options: Levy2015Options) -> Reading:
    stage = svd_stage(counts, shift=shift, smoothing=smoothing, rank=grid.rank, seed=options.seed)
    ways = product(grid.powers, CONTEXTS)
    return Reading(stage, tuple({"power": power, "contexts": contexts} for power, contexts in ways))


def _sgns(counts: Stage, shift: float, smoothing: float, grid: Grid, options: Levy2015Options) -> Reading:
    settings = {
        "rank": grid.rank,
        "epochs": grid.epochs,
        "learning_rate": options.learning_rate,
        "negative_rule": "word2vec",
        "seed": options.seed,
    }
    stage = sgns_stage(counts, shift=shift, smoothing=smoothing, settings=settings)
    return Reading(stage, tuple({"contexts": contexts} for contexts in CONTEXTS))


def reproduce_levy2015(
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
    """Reproduce Tables 2, 3, 5 and 8 of Levy, Goldberg & Dagan (2015) on a text.

    Parameters
    ----------
    corpus, output, min_count, encode, threads, memory, watch
        As in `reproduce_levy2014`.
    gold : mapping of str to path, optional
        Files to take for ``ws353-sim``, ``ws353-rel``, ``men``, ``mturk287``, ``rw``, ``simlex999``,
        ``google`` or ``msr``; others are the named data sets, as far as they are at hand.
    **options
        Fields of `Levy2015Options`: grid, rank, epochs, learning_rate, subsample, resamples, seed.

    Returns
    -------
    Results
        ``tables`` holds the DataFrames table2, table3, table5 and table8, with the paper's figures beside
        ours, and claims: what the paper claims, with paired intervals. They and ``report.md`` are written to
        `output` as well.

    Raises
    ------
    InputError
        If an option or an input cannot be used.
    ArtifactError
        If `output` cannot be used, or what is kept there is damaged.
    """
    limit = parse_memory(memory)
    given: dict[str, Any] = {"gold": gold, "min_count": min_count, "encode": encode}
    plan = plan_levy2015(corpus, output, **given, threads=threads, **options)
    run_plan(plan, threads=threads, memory=limit, watch=watch)
    return levy2015_results(plan)


def levy2015_results(plan: Plan) -> Results:
    """Make the tables of a plan that is done, and write them."""
    scores = _all_scores(plan)
    in_grid = scores[~scores["fixed"]]
    tables = {
        "table2": _fixed(scores, VANILLA, VANILLA_2015),
        "table3": _fixed(scores, WORD2VEC, WORD2VEC_2015),
        "table5": _cross_validated(in_grid),
        "table8": _gains(in_grid),
        "claims": _tested(plan),
    }
    results = Results(
        title="Levy, Goldberg & Dagan (2015), reproduced",
        titles=TITLES,
        tables=tables,
        pages={
            "table2": lambda table, cut: wide(table, _TASK, "model", cut),
            "table3": lambda table, cut: wide(table, _TASK, "model", cut),
            "table5": lambda table, cut: wide(table, ("window", *_TASK), "model", cut),
            "table8": _page8,
            "claims": claims_page,
        },
        panels=_panels(tables["table5"]),
        panels_in_a_row=1,
        paper="paper, rank 500",
        notes=(min_count_note(plan), coverage_note(scores), *plan.notes, _ON_FIGURES, _ON_GAINS, ON_CLAIMS),
    )
    write_results(results, plan.folder, also={"scores": scores})
    return results


def _all_scores(plan: Plan) -> pd.DataFrame:
    """Return a row for each setting, gold set and method."""
    columns = ["model", "fixed", *SETTINGS, *_TASK, *_SCORES, *_HALVES]
    tables = []
    for stage in plan.stages:
        if stage.options["step"] == "score":
            table = read_stage(plan, stage)
            known = {"power": nan, "contexts": "", **stage.labels}
            missing = [name for name in ("model", "fixed", *SETTINGS) if name not in table]
            tables.append(table.assign(**{name: known[name] for name in missing})[columns])
    found: pd.DataFrame = pd.concat(tables, ignore_index=True)
    return found


def _tested(plan: Plan) -> pd.DataFrame:
    """Return the table of claims."""
    tables = [read_stage(plan, stage) for stage in plan.stages if stage.options["step"] == "claim"]
    if not tables:
        return pd.DataFrame(columns=list(COLUMNS))
    tested: pd.DataFrame = pd.concat(tables, ignore_index=True)
    return tested


def _fixed(
    scores: pd.DataFrame,
    setting: Mapping[str, Any],
    published: Mapping[str, Mapping[tuple[str, str], float]],
) -> pd.DataFrame:
    """Return the scores of each method at one setting, beside the paper's."""
    rows = []
    for task, model in product(COLUMNS_2015, METHODS):
        of_task = scores[
            (scores["model"] == model) & (scores["dataset"] == task[0]) & (scores["method"] == task[1])
        ]
        for name in APPLY[model]:
            of_task = of_task[of_task[name] == setting[name]]
        found = of_task.iloc[0].to_dict() if len(of_task) else _UNKNOWN
        rows.append(_beside({"model": model}, task, found, published[model][task]))
    return pd.DataFrame(rows)


_UNKNOWN: Mapping[Any, Any] = {"score": nan, "low": nan, "high": nan, "covered": 0, "total": 0}


def _beside(
    what: Mapping[str, Any], task: tuple[str, str], found: Mapping[Any, Any], paper: float
) -> dict[str, Any]:
    return {
        **what,
        **dict(zip(_TASK, task, strict=True)),
        **{name: found[name] for name in _SCORES},
        "paper": paper,
    }


def _cross_validated(scores: pd.DataFrame) -> pd.DataFrame:
    """Return for each window, task and method the score of the settings chosen by cross-validation."""
    rows = []
    for window, task, model in product(sorted(set(scores["window"])), COLUMNS_2015, METHODS):
        at = (scores["window"] == window) & (scores["model"] == model)
        at &= (scores["dataset"] == task[0]) & (scores["method"] == task[1])
        found = cross_validated(scores[at], least=-1 if task[1] == "spearman" else 0)
        paper = CROSS_VALIDATED_2015.get(window, {}).get(model, {}).get(task, nan)
        chosen = [_in_words(scores.loc[row], model) for row in found["chosen"]] or ["", ""]
        row = _beside({"window": window, "model": model}, task, found, paper)
        rows.append({**row, "chosen_on_first_half": chosen[0], "chosen_on_second_half": chosen[1]})
    return pd.DataFrame(rows)


def _panels(table5: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return what a picture shows: for each window, the scores of the chosen settings on each task."""
    methods = [f" ({method})" if method != "spearman" else "" for method in table5["method"]]
    table = table5.rename(columns={"model": "series", "score": "value"}).assign(
        at=table5["dataset"] + methods
    )
    columns = ["at", "series", "value", "low", "high", "paper"]
    return {f"window {window}": rows[columns] for window, rows in table.groupby("window", sort=False)}


def _in_words(row: "pd.Series[Any]", model: str) -> str:
    return ", ".join(f"{name} {value_in_words(row[name])}" for name in APPLY[model] if name != "window")


def _gains(scores: pd.DataFrame) -> pd.DataFrame:
    tables = []
    for model in METHODS:
        table = gains(scores[scores["model"] == model], APPLY[model], _TASK)
        advice = [ADVICE_2015.get((model, name), "") for name in table["hyperparameter"]]
        tables.append(table.assign(paper=advice).assign(model=model))
    table = pd.concat([table for table in tables if len(table)] or tables[:1], ignore_index=True)
    columns = ["model", *(name for name in table if name != "model")]
    return pd.DataFrame(table, columns=columns)


def _page8(table: pd.DataFrame, line_break: str) -> pd.DataFrame:
    lines = [
        [
            *(row["model"], row["hyperparameter"], row["value"], f"{row['best']} of {row['tasks']}"),
            *(_signed(row["gain"]), f"{_signed(row['worst'])} to {_signed(row['most'])}", row["paper"]),
        ]
        for row in table.to_dict("records")
    ]
    columns = ["model", "setting", "value", "best in", "gain", "over tasks", "advice"]
    return pd.DataFrame(lines, columns=columns, dtype=str)


def _signed(gain: float) -> str:
    return f"{round(gain, 3) + 0.0:+.3f}"  # no negative zero
