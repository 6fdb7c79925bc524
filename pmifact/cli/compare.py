"""``pmifact compare``: word vectors against each other, on the items that all of them cover."""

import os
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.gold import choose_sets, gold_options, read_gold
from pmifact.cli.gold import output as output_option
from pmifact.cli.help import Command
from pmifact.cli.options import model_options, quiet, seed, threads
from pmifact.cli.tables import format_option

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table
    from rich.text import Text


@click.command(
    "compare",
    cls=Command,
    examples=(
        "pmifact compare svd.factors sgns.factors --similarity men",
        "pmifact compare svd.factors sgns=run0.bin,run1.bin --analogy my-questions.txt",
    ),
)
@click.argument("models", metavar="MODEL|NAME=MODEL,MODEL...", nargs=-1, required=True)
@gold_options
@model_options
@format_option
@output_option
@threads
@seed
@quiet
def command(
    models: tuple[str, ...],
    similarity: tuple[str, ...],
    analogy: tuple[str, ...],
    style: str | None,
    output: str | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """Test whether models differ on similarity and analogy sets.

    MODEL is a .factors, a .counts (its sparse shifted PPMI rows), or a vectors file (.txt, .vec, .bin, .npz,
    .safetensors, .parquet, .tsv);
    NAME=MODEL,MODEL... are several seeds of one model. Scores are those on the items that all models cover; a
    difference is judged by a paired bootstrap over the pairs of a similarity set, or the word pairs that
    analogies share. Beside it stands Williams' test, or McNemar's, which takes questions as independent.
    """
    from pmifact.cli.console import say
    from pmifact.cli.inputs import check_file, check_reading, read_model
    from pmifact.cli.run import Run
    from pmifact.cli.tables import show
    from pmifact.evaluation.comparison import Comparison
    from pmifact.notebook import count_of

    if settings["resamples"] < 1:
        raise click.BadParameter("a comparison needs at least 1", param_hint="'--resamples'")
    wanted = choose_sets(similarity, analogy)
    named = named_models(models)
    paths = [path for seeds in named.values() for path in seeds]
    check_reading(paths)
    if output:
        check_file(output, [*paths, *similarity, *analogy])
    sets = read_gold(*wanted)
    run = Run(quiet=quiet, transient=True)
    scoring = ("correlation", "method", "case", "restrict_vocab", "resamples", "threads", "seed")
    comparison = Comparison(
        similarity=sets.similarity, analogy=sets.analogy, **{name: settings.pop(name) for name in scoring}
    )
    for name, seeds in named.items():
        for path in seeds:
            vectors = read_model(path, run, settings)
            with run.step("score", "Scoring") as progress:
                comparison.add(name, vectors, progress)
    if not sets.chosen:
        for left_out in comparison.leave_out_uncovered():
            say(f"Left out: {left_out}, of which the models cover fewer than 2 items in common")
    table = comparison.table()
    show(table, _tables, style, output)
    if output:
        run.wrote(output, count_of(len(table), "comparison"))


def named_models(arguments: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the paths of each model by its name: one path, or those of ``NAME=MODEL,MODEL...``."""
    from pmifact.cli.evaluate import model_names

    groups: list[tuple[str | None, tuple[str, ...]]] = []
    for argument in arguments:
        name, equals, listed = argument.partition("=")
        if equals and not os.path.lexists(argument):
            groups.append((name, tuple(listed.split(","))))
        else:
            groups.append((None, (argument,)))
    paths = [path for _, seeds in groups for path in seeds]
    single = tuple(seeds[0] for name, seeds in groups if name is None)
    shortened = dict(zip(single, model_names(single), strict=True)) if len(set(single)) == len(single) else {}
    named = {shortened.get(seeds[0], seeds[0]) if name is None else name: seeds for name, seeds in groups}
    problems = {
        "give at least two models": len(groups) < 2,
        "a MODEL is given twice": len(set(paths)) < len(paths),
        "NAME=MODEL,MODEL... has an empty NAME or MODEL": not all(paths) or "" in named,
        "a NAME is given twice": len(named) < len(groups),
    }
    for problem, found in problems.items():
        if found:
            raise click.UsageError(problem, click.get_current_context())
    return named


def _p(value: float) -> str:
    return "<0.001" if value < 0.0005 else f"{value:.3f}"


def _tables(frame: "DataFrame") -> list["Table | Text"]:
    from rich.text import Text

    from pmifact.cli.tables import plain_table, prose, text

    table = plain_table("Differences, on the items that all models cover")
    # The models stand below their set, to fit 80 columns.
    table.add_column("dataset, models", overflow="fold")
    for name in ("difference", "interval", "p", "p of the test"):
        table.add_column(name, justify="right")
    before = None
    for row in frame.to_dict("records"):
        known = row["p_test_holm"] == row["p_test_holm"]
        if row["dataset"] != before:
            table.add_row(text(row["dataset"], "bold"))
        table.add_row(
            text(f"  {row['model1']} - {row['model2']}"),
            f"{row['difference']:+.3f}",
            f"{row['low']:+.3f} to {row['high']:+.3f}",
            _p(row["p_holm"]),
            _p(row["p_test_holm"]) if known else "–",
        )
        before = row["dataset"]
    tests = "; ".join(
        f"{task}: {test}" for task, test in dict(zip(frame["task"], frame["test"], strict=True)).items()
    )
    corrected = ", corrected after Holm" if frame.groupby("dataset").size().max() > 1 else ""
    notes = [f"p is that of the paired bootstrap{corrected}. The test beside it, {tests}."]
    notes += [
        f"Over seeds, {row[f'model{side}']} on {row['dataset']} spreads by {row[f'spread{side}']:.3f} "
        "(standard deviation)."
        for row in frame.to_dict("records")
        for side in (1, 2)
        if row[f"spread{side}"] == row[f"spread{side}"]
    ]
    return [table, Text("\n").join(map(prose, dict.fromkeys(notes))), *map(prose, frame["verdict"])]
