"""``pmifact export``: word vectors to the file formats of other tools."""

from typing import Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import model_options, option, output, quiet


@click.command(
    "export",
    cls=Command,
    examples=(
        "pmifact export wiki.factors -o wiki.bin",
        "pmifact export wiki.factors -o wiki.txt --power 0 --unit-rows",
    ),
)
@click.argument("model", metavar="MODEL")
@output("FILE", "A new file: word2vec text (.txt, .vec) or binary (.bin), by its ending.")
@option(
    "--unit-rows",
    is_flag=True,
    show_default="lengths kept",
    section="Writing",
    help="Scale every vector to length 1.",
)
@model_options
@quiet
def command(model: str, output: str, unit_rows: bool, quiet: bool, **reading: Any) -> None:
    """Write word vectors for other tools.

    MODEL is a .factors, a .counts (its sparse shifted PPMI rows), or word2vec vectors (.txt, .vec, .bin).
    """
    from pmifact.cli.console import plural
    from pmifact.cli.inputs import check_output, check_reading, read_model
    from pmifact.cli.run import Run
    from pmifact.storage import write_vectors

    run = Run(quiet=quiet, transient=True)
    check_reading([model])
    check_output(output, "vectors", [model])
    vectors = read_model(model, run, reading, normalize=unit_rows)
    with run.step("write", "Writing vectors"):
        write_vectors(vectors, output)
    run.wrote(output, f"{plural(len(vectors.vocabulary), 'word')}, {vectors.matrix.shape[1]} dimensions")
