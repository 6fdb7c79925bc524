"""The stages that both papers share: counts, factors, and the scores of what is read from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pmifact.cooccurrence import CooccurrenceCounts, count_cooccurrences
from pmifact.evaluation import AnalogySet, SimilaritySet
from pmifact.factors import Factors
from pmifact.ppmi import sppmi
from pmifact.reproduce.costs import Cost, Survey, analogy_steps, svd_steps
from pmifact.reproduce.plan import Stage
from pmifact.reproduce.running import Workshop
from pmifact.reproduce.scoring import score_set
from pmifact.resources.progress import Progress
from pmifact.skipgram import train_skipgram
from pmifact.skipgram.sources import INPUTS_OF_A_TARGET
from pmifact.svd.truncated import factorize
from pmifact.text.readers import Source
from pmifact.vectors import WordVectors


@dataclass(frozen=True, kw_only=True)
class Windows:
    """How pairs are counted.

    Parameters
    ----------
    window : int
    weighting : {"flat", "linear"}
        Linear is the expectation of a window drawn anew at each position ("dyn").
    subsample : float or None
        Threshold of dropping frequent words before windows are laid ("dirty").
    """

    window: int
    weighting: str
    subsample: float | None = None

    @property
    def name(self) -> str:
        """A short name."""
        return f"w{self.window}-{self.weighting}{'-sub' if self.subsample else ''}"

    @property
    def title(self) -> str:
        """The same in words."""
        return f"window {self.window} {self.weighting}{', subsampled' if self.subsample else ''}"


def counts_stage(corpus: Stage, windows: Windows, seed: int) -> Stage:
    """Return the stage that counts pairs."""
    settings = {**vars(windows), "seed": seed}

    def work(bench: Workshop, progress: Progress) -> CooccurrenceCounts:
        return count_cooccurrences(
            bench.corpus(corpus),
            **settings,
            memory=bench.memory,
            scratch=bench.scratch / "shards",
            threads=bench.threads,
            progress=progress,
        )

    def cost(survey: Survey) -> Cost:
        pairs = survey.pairs(windows.window, "flat", subsampled=windows.subsample is not None)
        nonzeros = survey.nonzeros(windows.window, subsampled=windows.subsample is not None)
        return Cost("count", survey.seconds("count", pairs), 12 * nonzeros)

    return Stage(
        name=f"counts-{windows.name}",
        kind="counts",
        title=f"Count, {windows.title}",
        options={"step": "count", **settings},
        work=work,
        cost=cost,
        needs=(corpus,),
        labels={**vars(windows), "subsampled": windows.subsample is not None},
    )


def _nonzeros(survey: Survey, labels: Mapping[str, Any]) -> float:
    return survey.nonzeros(labels["window"], subsampled=labels["subsampled"])


def svd_stage(counts: Stage, *, shift: float, smoothing: float, rank: int, seed: int) -> Stage:
    """Return the stage that factorizes the shifted PPMI of counts."""
    counted = counts.title.partition(", ")[2]

    def work(bench: Workshop, progress: Progress) -> Factors:
        observed = bench.counts(counts)
        return factorize(
            sppmi(observed, shift=shift, smoothing=smoothing),
            rank=rank,
            vocabulary=observed.vocabulary,
            memory=bench.memory,
            seed=seed,
            threads=bench.threads,
            progress=progress,
        )

    def cost(survey: Survey) -> Cost:
        kept = _nonzeros(survey, counts.labels) / (1 + np.log(shift))  # a larger shift leaves fewer cells
        steps = svd_steps(survey.words, kept, rank)
        return Cost("svd", survey.seconds("svd", steps), 8 * survey.words * rank)

    return Stage(
        name=f"svd{counts.name.removeprefix('counts')}-k{shift:g}-a{smoothing:g}-d{rank}",
        kind="factors",
        title=f"SVD, {counted}, shift {shift:g}, smoothing {smoothing:g}, rank {rank}",
        options={"step": "svd", "shift": shift, "smoothing": smoothing, "rank": rank, "seed": seed},
        work=work,
        cost=cost,
        needs=(counts,),
        labels={**counts.labels, "method": "SVD", "shift": shift, "smoothing": smoothing},
    )


def sgns_stage(counts: Stage, *, shift: float, smoothing: float, settings: Mapping[str, Any]) -> Stage:
    """Return the stage that trains skip-gram: `shift` negatives, drawn by counts to the `smoothing`.

    `settings` are rank, epochs, learning_rate, negative_rule and seed, of `train_skipgram`.
    """
    rank, epochs = settings["rank"], settings["epochs"]

    def work(bench: Workshop, progress: Progress) -> Factors:
        return train_skipgram(
            bench.counts(counts),
            negatives=int(shift),
            noise_exponent=smoothing,
            **settings,
            threads=bench.threads,
            progress=progress,
        )

    def cost(survey: Survey) -> Cost:
        labels = counts.labels
        pairs = survey.pairs(labels["window"], labels["weighting"], subsampled=labels["subsampled"])
        steps = pairs * epochs * (1 + shift) * rank
        return Cost("sgns", survey.seconds("sgns", steps), 8 * survey.words * rank)

    return Stage(
        name=f"sgns{counts.name.removeprefix('counts')}-k{shift:g}-a{smoothing:g}-d{rank}",
        kind="factors",
        title=f"SGNS, {counts.title.partition(', ')[2]}, {shift:g} negatives, smoothing {smoothing:g}, "
        f"rank {rank}",
        options={
            "step": "sgns",
            "shift": shift,
            "smoothing": smoothing,
            "inputs_of_a_target": INPUTS_OF_A_TARGET,
            **settings,
        },
        work=work,
        cost=cost,
        needs=(counts,),
        labels={**counts.labels, "method": "SGNS", "shift": shift, "smoothing": smoothing},
    )


@dataclass(frozen=True, eq=False)
class Reading:
    """Word vectors as they are read from a stage, at no cost to speak of.

    Parameters
    ----------
    stage : Stage
        Of counts, or of factors.
    ways : tuple of mapping
        Several ways to read it: shift and smoothing of counts; power and contexts of factors.
    rank : int or None
        Only so many leading triplets of an SVD.
    """

    stage: Stage
    ways: tuple[Mapping[str, Any], ...]
    rank: int | None = None

    @property
    def name(self) -> str:
        """A short name."""
        if self.stage.kind == "counts":
            way = self.ways[0]
            return f"ppmi{self.stage.name.removeprefix('counts')}-k{way['shift']:g}-a{way['smoothing']:g}"
        return self.stage.name if self.rank is None else f"{self.stage.name}-first{self.rank}"

    @property
    def title(self) -> str:
        """The same in words."""
        if self.stage.kind == "counts":
            way, of = self.ways[0], self.stage.title.partition(", ")[2]
            return f"SPPMI, {of}, shift {way['shift']:g}, smoothing {way['smoothing']:g}"
        return self.stage.title if self.rank is None else f"{self.stage.title}, first {self.rank}"

    def vectors(self, bench: Workshop, way: Mapping[str, Any]) -> WordVectors:
        """Return the vectors, read in one of the ways."""

        def make() -> WordVectors:
            if self.stage.kind == "counts":
                counts = bench.counts(self.stage)
                return WordVectors(counts.vocabulary, sppmi(counts, **way))
            return first_triplets(bench.factors(self.stage), self.rank).vectors(**way)

        vectors: WordVectors = bench.once((self.stage.digest, self.rank, *sorted(way.items())), make)
        return vectors


def first_triplets(factors: Factors, rank: int | None) -> Factors:
    """Return the first triplets of an SVD, which are the SVD of that rank."""
    if rank is None or rank == factors.rank:
        return factors
    return replace(
        factors,
        words=np.ascontiguousarray(factors.words[:, :rank]),
        strengths=factors.strengths[:rank],
        contexts=np.ascontiguousarray(factors.contexts[:, :rank]),
        residuals=factors.residuals[:rank],
    )


def scores_stage(
    reading: Reading,
    gold: tuple[SimilaritySet | AnalogySet, Source],
    *,
    methods: Sequence[str],
    resamples: int,
    seed: int,
    labels: Mapping[str, Any],
) -> Stage:
    """Return the stage that scores all ways to read a model on one gold set."""
    items, source = gold
    ways = reading.ways

    def work(bench: Workshop, progress: Progress) -> pd.DataFrame:
        rows = []
        for number, way in enumerate(ways):
            vectors = reading.vectors(bench, way)
            for row in score_set(
                vectors, items, methods, resamples=resamples, seed=seed, threads=bench.threads
            ):
                rows.append({**way, **row})
            progress(number + 1, len(ways))
        return pd.DataFrame(rows)

    def cost(survey: Survey) -> Cost:
        if isinstance(items, SimilaritySet):
            seconds = survey.seconds("similarity", len(ways) * len(items) * (1 + resamples))
            return Cost("similarity", seconds, 0)
        if reading.stage.kind == "counts":
            width = _nonzeros(survey, reading.stage.labels) / survey.words
        else:
            width = reading.rank or reading.stage.options["rank"]
        steps = len(ways) * len(methods) * analogy_steps(len(items), survey.words, width)
        return Cost("analogy", survey.seconds("analogy", steps), 0)

    return Stage(
        name=f"{items.name}-{reading.name}",
        kind="scores",
        title=f"Score {reading.title}, on {items.name}",
        options={
            "step": "score",
            "ways": [dict(way) for way in ways],
            "rank": reading.rank,
            "methods": list(methods) if isinstance(items, AnalogySet) else [],
            "dataset": items.name,
            "resamples": resamples,
            "seed": seed,
        },
        work=work,
        cost=cost,
        needs=(reading.stage,),
        sources=(source,),
        labels={**reading.stage.labels, **labels},
    )
