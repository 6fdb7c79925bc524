"""A progress bar on standard error; imported only where one is shown, because rich takes long to import."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
from rich.progress import Progress as Display
from rich.table import Column
from rich.text import Text

from pmifact.cli.console import in_bytes, in_seconds, in_short
from pmifact.resources.progress import Progress
from pmifact.skipgram.report import Monitor, TrainingReport

_WIDTH = 80


@contextmanager
def bar(description: str, unit: str = "", *, transient: bool = False) -> Iterator[Progress]:
    """Show a bar while the body runs.

    Parameters
    ----------
    description : str
        What is being done, such as ``Counting pairs``.
    unit : str
        What is counted, for the rate: ``B`` for bytes, or a noun such as ``token``; empty for no rate.
    transient : bool
        Leave no trace of the bar when the body is done.
    """
    console = Console(stderr=True)
    console.width = min(console.width, _WIDTH)
    columns = (
        TextColumn("{task.description}", table_column=Column(width=20), markup=False),
        BarColumn(bar_width=None),
        _Percentage(table_column=Column(width=4, justify="right")),
        _Rate(unit, table_column=Column(width=len("999 k tokens/s"), justify="right")),
        _Time(table_column=Column(width=len("10:00:00, 10:00:00 left"), justify="right")),
    )
    with Display(
        *columns, console=console, expand=True, speed_estimate_period=10, transient=transient
    ) as display:
        task_id = display.add_task(description, total=None)

        def report(done: int, total: int) -> None:
            display.update(task_id, completed=done, total=total or None)

        yield report
        # A stage that finished has done all of its work, however it counted.
        task = display.tasks[0]
        display.update(
            task_id, completed=task.total or task.completed or 1, total=task.total or task.completed or 1
        )


@contextmanager
def training_line(unit: str) -> Iterator[Monitor]:
    """Show in one line how a training goes, while the body runs.

    Parameters
    ----------
    unit : str
        What is counted, such as ``word``.
    """
    console = Console(stderr=True)
    console.width = min(console.width, _WIDTH)
    columns = (
        TextColumn("Epoch {task.description}", table_column=Column(no_wrap=True)),
        BarColumn(bar_width=None),
        _Percentage(table_column=Column(width=4, justify="right")),
        TextColumn("{task.fields[state]}", table_column=Column(no_wrap=True), style="progress.data.speed"),
        _Left(table_column=Column(width=len("10:00:00 left"), justify="right")),
    )
    with Display(*columns, console=console, expand=True, speed_estimate_period=30) as display:
        task_id = display.add_task("1", total=None, state="starting")
        loss = ""

        def monitor(report: TrainingReport) -> None:
            nonlocal loss
            if not math.isnan(report.loss):
                loss = f"  loss {report.loss:.3f}"
            display.update(
                task_id,
                description=f"{report.epoch}/{report.epochs}",
                completed=report.done,
                total=report.total,
                state=f"{in_short(report.per_second)} {unit}s/s  lr {report.learning_rate:.2g}{loss}",
            )

        yield monitor


class _Percentage(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.percentage:.0f}%" if task.total else "", style="progress.percentage")


class _Rate(ProgressColumn):
    def __init__(self, unit: str, table_column: Column) -> None:
        super().__init__(table_column)
        self.unit = unit

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if not self.unit or not speed:
            return Text()
        shown = f"{in_bytes(speed)}/s" if self.unit == "B" else f"{in_short(speed)} {self.unit}s/s"
        return Text(shown, style="progress.data.speed")


class _Time(ProgressColumn):
    def render(self, task: Task) -> Text:
        if task.finished_time is not None:
            return Text(in_seconds(task.finished_time), style="progress.elapsed")
        text = Text(_clock(task.elapsed or 0.0), style="progress.elapsed")
        if task.time_remaining is not None:
            text.append(f", {_clock(task.time_remaining)} left", style="progress.remaining")
        return text


class _Left(ProgressColumn):
    def render(self, task: Task) -> Text:
        if task.finished_time is not None:
            return Text(in_seconds(task.finished_time), style="progress.elapsed")
        left = task.time_remaining
        return Text("" if left is None else f"{_clock(left)} left", style="progress.remaining")


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
