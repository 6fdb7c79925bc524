"""What both reproductions show: the plan, a line for each stage, and the tables."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.console import in_bytes, in_seconds, say
from pmifact.cli.run import Run
from pmifact.cli.signals import Stopped
from pmifact.notebook import count_of

if TYPE_CHECKING:
    from rich.table import Table

    from pmifact.reproduce import Plan, Results, Stage
    from pmifact.resources.progress import Progress

_STEPS = {
    "encode": "encode the text",
    "count": "count pairs",
    "svd": "SVD of SPPMI",
    "sgns": "skip-gram",
    "objective": "objective",
    "score": "score",
    "claim": "test claims",
}


def carry_out(
    plan: Callable[[], "Plan"], results: Callable[["Plan"], "Results"], settings: dict[str, Any]
) -> None:
    """Show the plan; unless it is a dry run, do it and show the tables."""
    from pmifact.cli.console import to_terminal
    from pmifact.cli.tables import render
    from pmifact.reproduce.running import run_plan

    quiet, dry_run, plot = settings["quiet"], settings["dry_run"], settings["plot"]
    if plot:
        from pmifact.plotting import check_picture_target
        from pmifact.plotting.style import import_matplotlib

        import_matplotlib()  # told of before the work
        check_picture_target(plot)
    made = plan()
    if dry_run:
        click.echo(render(*_plan_tables(made), colour=to_terminal()), nl=False, color=to_terminal())
        return
    if not quiet:
        click.echo(render(*_plan_tables(made), colour=False), err=True)
    run = Run(quiet=quiet, transient=True)
    try:
        run_plan(made, threads=settings["threads"], memory=settings["memory"], watch=_watch(run))
    except Stopped:
        raise Stopped(f"{made.folder} keeps the finished stages, and the same command goes on") from None
    found = results(made)
    click.echo(render(*_result_tables(found), colour=to_terminal()), nl=False, color=to_terminal())
    if plot:
        from pmifact.plotting import draw_published, save_picture

        figure = draw_published(found.panels, columns=found.panels_in_a_row, paper=found.paper)
        save_picture(figure, plot)
        run.wrote(plot, count_of(sum(axes.axison for axes in figure.axes), "panel"))
    if not quiet:
        tables = count_of(len(found.tables), "table")
        say(f"Wrote {made.folder}: report.md and {tables} in {run.elapsed}")


def _watch(run: Run) -> "Callable[[Stage, int, int], Any]":
    """Return what shows a bar for each stage while it runs, and a line when it is done."""

    @contextmanager
    def watch(stage: "Stage", number: int, total: int) -> "Iterator[Progress]":
        start = time.perf_counter()
        with run.step(stage.file_name, stage.title[:20]) as progress:
            yield progress
        if not run.quiet:
            say(
                f"{number:>{len(str(total))}}/{total} {stage.title}: "
                f"{in_seconds(time.perf_counter() - start)}"
            )

    return watch


def _plan_tables(plan: "Plan") -> list[Any]:
    """Return the plan: for each kind of stage how many, what they will take, and what is shared."""
    from pmifact.cli.tables import plain_table, prose, text
    from pmifact.reproduce import Corrections

    pending = plan.pending
    corrections = Corrections(plan.folder)
    table = plain_table(f"Plan for {plan.folder}")
    table.add_column("stages")
    for name in ("number", "finished", "time", "disk"):
        table.add_column(name, justify="right")
    seconds = disk = 0.0
    for step, title in _STEPS.items():
        stages = [stage for stage in plan.stages if stage.options["step"] == step]
        todo = [stage for stage in pending if stage.options["step"] == step]
        if not stages:
            continue
        costs = [plan.cost(stage) for stage in todo]
        took, size = sum(map(corrections.corrected, costs)), sum(cost.disk for cost in costs)
        seconds, disk = seconds + took, disk + size
        table.add_row(
            text(title),
            f"{len(stages):,}",
            f"{sum(map(plan.finished, stages)):,}",
            in_seconds(took) if todo else "",
            in_bytes(size) if size else "",
        )
    table.add_row("in all", f"{len(plan.stages):,}", "", in_seconds(seconds), in_bytes(disk))
    notes = [prose(sentence) for sentence in (*plan.shared, *plan.notes)]
    return [table, *notes]


def _result_tables(results: "Results") -> "Iterator[Table | Any]":
    from pmifact.cli.tables import plain_table, prose, text

    for name in results.tables:
        page = results.page(name, "\n")
        table = plain_table(results.titles[name])
        for column in page.columns:
            table.add_column(column)
        for line in page.to_numpy().tolist():
            # Each line of a cell is made safe by itself, so that its break stays.
            table.add_row(*(_lines(cell, text) for cell in line))
        yield table
    for note in results.notes:
        yield prose(note)


def _lines(cell: str, text: Callable[[str], Any]) -> Any:
    from rich.text import Text

    return Text("\n").join(map(text, cell.split("\n")))
