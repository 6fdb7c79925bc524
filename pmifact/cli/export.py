"""``pmifact export``: word vectors and counts to the file formats of other tools."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import model_options, option, output, quiet

if TYPE_CHECKING:
    from pmifact.cli.run import Run


@click.command(
    "export",
    cls=Command,
    examples=(
        "pmifact export wiki.factors -o wiki.bin",
        "pmifact export wiki.factors -o wiki.txt --power 0 --unit-rows",
        "pmifact export wiki.counts -o wiki.npz",
    ),
)
@click.argument("model", metavar="MODEL|X.counts")
@output("FILE", "A new file: word2vec text (.txt, .vec) or binary (.bin), or counts (.npz), by its ending.")
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
    """Write word vectors or counts for other tools.

    MODEL is a .factors or word2vec vectors (.txt, .vec, .bin). A .counts goes to an .npz, a sparse matrix
    of SciPy, with the words beside it: integers, which are the counts times the number named "unit" in it.
    """
    from pmifact.cli.console import plural
    from pmifact.cli.inputs import check_output, check_reading, read_model
    from pmifact.cli.run import Run
    from pmifact.storage import write_vectors

    run = Run(quiet=quiet, transient=True)
    if output.lower().endswith(".npz"):
        _export_counts(model, output, run, reading)
        return
    check_reading([model])
    check_output(output, "vectors", [model])
    vectors = read_model(model, run, reading, normalize=unit_rows)
    with run.step("write", "Writing vectors"):
        write_vectors(vectors, output)
    run.wrote(output, f"{plural(len(vectors.vocabulary), 'word')}, {vectors.matrix.shape[1]} dimensions")


def _export_counts(path: str, output: str, run: "Run", reading: Mapping[str, Any]) -> None:
    from pmifact.cli.console import plural
    from pmifact.cli.inputs import check_file
    from pmifact.cli.options import refuse_given
    from pmifact.storage import read_counts, write_counts_npz

    refuse_given([*reading, "unit_rows"], "has no effect on counts")
    check_file(output, [path])
    with run.step("read", "Reading counts"):
        counts = read_counts(path)
    with run.step("write", "Writing counts"):
        files = write_counts_npz(counts, output)
    beside = ", ".join(str(file) for file in files[1:])
    unit = f"counts times {counts.unit:,}; " if counts.unit > 1 else ""
    run.wrote(output, f"{plural(counts.matrix.nnz, 'distinct pair')}, {unit}words in {beside}")
