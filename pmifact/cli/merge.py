"""``pmifact merge``: the counts of several texts to the counts of all of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import memory, option, output, quiet

_READING = ("tokenizer", "lowercase", "normalize", "boundary")


@click.command(
    "merge",
    cls=Command,
    examples=(
        "pmifact merge monday.counts tuesday.counts -o week.counts",
        "pmifact merge news.counts novels.counts -o all.counts --vocabulary union",
        "pmifact merge january.counts february.counts -o year.counts --memory 1GB",
    ),
)
@click.argument("inputs", metavar="A.counts B.counts...", nargs=-1, required=True)
@output("X.counts", "The artifact to write; an existing .counts is replaced.")
@option(
    "--vocabulary",
    type=click.Choice(["same", "union"]),
    default="same",
    help="Refuse counts of different words, or take the words of all, the most frequent first.",
)
@memory
@quiet
def command(inputs: tuple[str, ...], output: str, vocabulary: str, memory: int | None, quiet: bool) -> None:
    """Add counts that were made with the same options, exactly.

    To add to A.counts, count the second text with '--vocabulary A.counts'. Counts of different words
    add with '--vocabulary union'; what one of them had out of vocabulary it cannot give.
    """
    from pmifact.cli.inputs import check_output, origin
    from pmifact.cli.run import Run
    from pmifact.cli.scratch import scratch_beside
    from pmifact.merging import merge_counts
    from pmifact.notebook import count_of
    from pmifact.storage import RunRecord, read_counts, write_counts

    if len(inputs) < 2:
        raise click.UsageError("merge needs at least two .counts", click.get_current_context())
    run = Run(quiet=quiet)
    check_output(output, "counts", inputs)
    made_from = origin(inputs)
    _check_reading(inputs)
    with run.step("read", "Reading counts") as progress:
        counts = []
        for path in inputs:
            counts.append(read_counts(path))
            progress(len(counts), len(inputs))
    with scratch_beside(output) as scratch:
        with run.step("merge", "Adding counts", "pair") as progress:
            merged = merge_counts(
                counts,
                vocabulary=vocabulary,
                names=inputs,
                memory=memory,
                scratch=scratch / "sum",
                progress=progress,
            )
        write_counts(merged, output, record=RunRecord(**made_from, **run.measured))
    run.wrote(
        output, f"{count_of(len(merged.vocabulary), 'word')}, {count_of(merged.matrix.nnz, 'distinct pair')}"
    )


def _check_reading(inputs: Sequence[str]) -> None:
    """Raise when the texts of two counts were read differently, so that their words differ in kind."""
    from pmifact.corpus import CUT
    from pmifact.errors import InputError
    from pmifact.merging import as_typed
    from pmifact.storage import history_of

    first: tuple[str, Mapping[str, Any]] | None = None
    for path in inputs:
        read = next((step["options"] for step in history_of(path) if step["stage"] == "corpus"), None)
        if read is None:  # imported counts
            continue
        first = first or (path, read)
        for name in _READING:
            ours, theirs = first[1][name], read[name]
            if ours != theirs and CUT not in (ours, theirs):
                raise InputError(
                    f"merge: the text of {first[0]} was read with {as_typed(name, ours)}, that of {path} "
                    f"with {as_typed(name, theirs)}; read both in the same way"
                )
