"""``pmifact merge``: the counts of several texts to the counts of all of them."""

import click

from pmifact.cli.help import Command
from pmifact.cli.options import output, quiet


@click.command(
    "merge",
    cls=Command,
    examples=("pmifact merge monday.counts tuesday.counts -o week.counts",),
)
@click.argument("inputs", metavar="A.counts B.counts...", nargs=-1, required=True)
@output("X.counts", "The artifact to write; an existing .counts is replaced.")
@quiet
def command(inputs: tuple[str, ...], output: str, quiet: bool) -> None:
    """Add counts that were made with one vocabulary, exactly.

    Count the second text with '--vocabulary A.counts' and the same counting options as the first.
    """
    from pmifact.cli.console import plural
    from pmifact.cli.inputs import check_output, origin
    from pmifact.cli.run import Run
    from pmifact.cooccurrence import merge_counts
    from pmifact.storage import RunRecord, read_counts, write_counts

    if len(inputs) < 2:
        raise click.UsageError("merge needs at least two .counts", click.get_current_context())
    run = Run(quiet=quiet)
    check_output(output, "counts", inputs)
    made_from = origin(inputs)
    with run.step("read", "Reading counts") as progress:
        counts = []
        for path in inputs:
            counts.append(read_counts(path))
            progress(len(counts), len(inputs))
    with run.step("merge", "Adding counts"):
        merged = merge_counts(counts)
    write_counts(merged, output, record=RunRecord(**made_from, **run.measured))
    run.wrote(
        output, f"{plural(len(merged.vocabulary), 'word')}, {plural(merged.matrix.nnz, 'distinct pair')}"
    )
