"""``pmifact analogy``: the words that answer a : a* :: b : ?."""

from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.gold import RESULTS
from pmifact.cli.gold import output as output_option
from pmifact.cli.help import Command
from pmifact.cli.options import model_options, option, quiet, threads
from pmifact.cli.parameters import Integer
from pmifact.cli.tables import METHODS, format_option

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table

QUESTION = "Question"


@click.command(
    "analogy",
    cls=Command,
    examples=(
        "pmifact analogy wiki.factors man king woman",
        "pmifact analogy wiki.factors paris france rome --method mul --inputs keep -n 5",
    ),
)
@click.argument("model", metavar="MODEL")
@click.argument("a", metavar="A")
@click.argument("a_star", metavar="A*")
@click.argument("b", metavar="B")
@option(
    "--method",
    type=click.Choice(["add", "mul", "pairdirection"]),
    default="add",
    section=QUESTION,
    help="Score answers by 3CosAdd, 3CosMul or PairDirection.",
)
@option(
    "--inputs",
    type=click.Choice(["exclude", "keep"]),
    default="exclude",
    section=QUESTION,
    help="Whether A, A* and B may be answers; kept, one of them often comes first.",
)
@option(
    "--number",
    "-n",
    type=Integer(least=1),
    metavar="N",
    default=10,
    section=RESULTS,
    help="Answers.",
)
@format_option
@output_option
@model_options
@threads
@quiet
def command(
    model: str,
    a: str,
    a_star: str,
    b: str,
    method: str,
    inputs: str,
    number: int,
    style: str | None,
    output: str | None,
    threads: int | None,
    quiet: bool,
    **reading: Any,
) -> None:
    """Show the words that answer A : A* :: B : ?.

    'pmifact analogy MODEL man king woman' asks what is to woman as king is to man. MODEL is a .factors, a
    .counts (its sparse shifted PPMI rows), or a vectors file (.txt, .vec, .bin, .npz, .safetensors, .parquet,
    .tsv). Answers of equal score stand in the order of the vocabulary.
    """
    import pandas as pd

    from pmifact.cli.console import say
    from pmifact.cli.inputs import check_file, check_reading, read_model
    from pmifact.cli.run import Run
    from pmifact.cli.tables import show
    from pmifact.notebook import count_of

    check_reading([model])
    if output:
        check_file(output, [model])
    run = Run(quiet=quiet, transient=True)
    vectors = read_model(model, run, reading)
    answers = vectors.analogy(a, a_star, b, n=number, method=method, inputs=inputs, threads=threads)
    question = {"a": a, "a_star": a_star, "b": b, "method": method, "inputs": inputs}
    frame = pd.DataFrame(
        [
            {**question, "rank": rank, "answer": answer, "score": score}
            for rank, (answer, score) in enumerate(answers, start=1)
        ],
        columns=[*question, "rank", "answer", "score"],
    )
    if frame.empty:
        say(f"No answer: {model} has no other word with a vector")
    show(frame, lambda rows: [_table(rows, question)] * (not rows.empty), style, output)
    if output:
        run.wrote(output, count_of(len(frame), "answer"))


def _table(frame: "DataFrame", question: dict[str, str]) -> "Table":
    from pmifact.cli.tables import plain_table, text

    kept = ", inputs kept" if question["inputs"] == "keep" else ""
    asked = "{a} : {a_star} :: {b} : ?".format(**question)
    table = plain_table(f"{asked}  ({METHODS[question['method']]}{kept})")
    table.add_column("rank", justify="right")
    table.add_column("answer", overflow="fold")
    table.add_column("score", justify="right")
    for row in frame.to_dict("records"):
        table.add_row(str(row["rank"]), text(row["answer"]), f"{row['score']:.3f}")
    return table
