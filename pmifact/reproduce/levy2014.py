"""Levy & Goldberg (NIPS 2014): SPPMI, SVD and SGNS on the same pairs, by the objective and by their scores.

The plan: one encoding, one count; for each shift k one SVD of the largest rank, whose first triplets serve
the smaller ones, and skip-gram on the counts for each rank; then the objective and the scores of each model.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import Any

import pandas as pd

from pmifact.checks import check_integer, check_number
from pmifact.errors import InputError
from pmifact.evaluation import AnalogySet
from pmifact.objective import Objective, exact_objective, reference_objectives, sampled_objective
from pmifact.ppmi import sppmi
from pmifact.reproduce.claims import analogy_claim_stage, where
from pmifact.reproduce.costs import Cost, Survey
from pmifact.reproduce.gold import GoldSets, choose_gold
from pmifact.reproduce.levy2014_tables import levy2014_results
from pmifact.reproduce.plan import Plan, Stage, check_folder, in_order
from pmifact.reproduce.published import COLUMNS_2014
from pmifact.reproduce.results import Results
from pmifact.reproduce.running import Watch, Workshop, run_plan, unwatched
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
    epochs: int = 5
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
        models = list(_models(counts, shift, chosen))
        for reading, labels in models:
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
        goals += _claims(models, shift, sets, chosen)
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


def _claims(
    models: list[tuple[Reading, Mapping[str, Any]]], shift: int, sets: GoldSets, options: Levy2014Options
) -> Iterator[Stage]:
    """Yield the stages that set skip-gram against SVD on syntactic analogies, where that set is at hand."""
    items, source = sets.sets.get("msr", (None, None))
    if not isinstance(items, AnalogySet) or source is None:
        return
    at = {(labels["model"], labels.get("rank")): reading for reading, labels in models}
    for rank in options.ranks_at(shift):
        yield analogy_claim_stage(
            (at["SGNS", rank], at["SVD", rank]),
            (items, source),
            names=("SGNS", "SVD"),
            at=where(shift, rank),
            resamples=options.resamples,
            seed=options.seed,
        )


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
            seed=_sample_seed(options.seed, reading.name),
            threads=bench.threads,
            progress=progress,
        )
        # The paper's sampling is of one model; every sample of the zero matrix is the same number.
        estimates = {next(name for name in exact if name.startswith(labels["model"])): sampled}
        estimates |= {name: value for name, value in exact.items() if name == "zero matrix"}
        return pd.DataFrame([_deviations(name, value, estimates.get(name)) for name, value in exact.items()])

    def cost(survey: Survey) -> Cost:
        rank = labels.get("rank", 0)
        seconds = survey.seconds("sampled", options.samples * (2 * rank + 300))
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
            "pairs": "of each model its own",
        },
        work=work,
        cost=cost,
        needs=tuple(dict.fromkeys((counts, reading.stage))),
        labels=labels,
    )


def _sample_seed(seed: int, model: str) -> int:
    """Return the seed of one model's sample: errors of different models are independent."""
    return int.from_bytes(hashlib.sha256(f"{seed} {model}".encode()).digest()[:8]) >> 1


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
        ``tables["table1"]`` and ``tables["table2"]`` are DataFrames, with the paper's figures beside ours;
        ``tables["claims"]`` tests what the paper claims, with paired intervals.
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
