"""``pmifact convert``: the counts of other programs to a ``.counts``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import option, output, quiet, threads
from pmifact.cli.parameters import Encoding, Integer, Memory

if TYPE_CHECKING:
    from pmifact.cooccurrence import CooccurrenceCounts

_HOLDS = {"pairs": "pairs", "npz": "a matrix of SciPy", "glove": "counts of GloVe"}
_BY_SUFFIX = {".npz": "npz", ".bin": "glove"}
# The options that only some formats have a use for.
_APPLY = {
    "pairs": ("encoding", "errors", "memory", "threads"),
    "npz": ("vocabulary", "contexts"),
    "glove": ("vocabulary", "window", "memory", "threads"),
}


@click.command(
    "convert",
    cls=Command,
    examples=(
        "pmifact convert dependencies.txt.gz -o dependencies.counts",
        "pmifact convert matrix.npz -o matrix.counts --vocabulary words.txt",
        "pmifact convert cooccurrence.bin -o glove.counts --vocabulary vocab.txt",
    ),
)
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@output("X.counts", "The artifact to write; an existing .counts is replaced.")
@option(
    "--input-format",
    type=click.Choice(["auto", "pairs", "npz", "glove"]),
    default="auto",
    help="What INPUT holds; auto takes .npz and .bin (GloVe) by their ending, all else for pairs.",
)
@option(
    "--vocabulary",
    metavar="FILE",
    show_default="required",
    help="The words of the rows, and of the columns [npz, glove].",
)
@option("--contexts", metavar="FILE", show_default="the words", help="The contexts of the columns [npz].")
@option(
    "--window",
    type=Integer(least=1),
    metavar="L",
    default=15,
    help="The window size that GloVe counted with [glove].",
)
@option("--encoding", type=Encoding(), metavar="NAME", default="utf-8", help="Encoding of the text [pairs].")
@option(
    "--errors",
    type=click.Choice(["strict", "replace"]),
    default="strict",
    help="Refuse bytes that the encoding does not allow, or read each as U+FFFD [pairs].",
)
@option(
    "--memory",
    type=Memory(),
    metavar="SIZE",
    show_default="no limit",
    help="Bound on memory, such as 4GB; counts then go to disk beside the output [pairs, glove].",
)
@threads
@quiet
def command(
    inputs: tuple[str, ...],
    output: str,
    input_format: str,
    vocabulary: str | None,
    contexts: str | None,
    window: int,
    encoding: str,
    errors: str,
    memory: int | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Make a .counts of what another program counted, exactly.

    INPUT is text with a word, a context and perhaps a count a line (as of word2vecf, for dependency
    contexts), one sparse matrix of SciPy (.npz), or one co-occurrence file of GloVe (.bin).
    """
    from pmifact.cli.inputs import check_output, refuse_artifacts
    from pmifact.cli.run import Run
    from pmifact.cli.scratch import scratch_beside
    from pmifact.counting.imported import ImportOptions
    from pmifact.notebook import count_of
    from pmifact.resources.threads import resolve_threads
    from pmifact.storage import RunRecord, file_source, read_pairs, write_counts
    from pmifact.text.readers import STANDARD_INPUT, expand_inputs

    run = Run(quiet=quiet)
    kind = _format_of(inputs, input_format)
    _check_options(inputs, kind, vocabulary)
    check_output(output, "counts", inputs)
    refuse_artifacts(inputs)
    with scratch_beside(output) as scratch:
        bounded: dict[str, Any] = {"memory": memory, "scratch": scratch, "threads": threads}
        with run.step("read", "Reading counts", "B") as progress:
            if kind == "pairs":
                counts = read_pairs(inputs, encoding=encoding, errors=errors, progress=progress, **bounded)
                files = [name for name in expand_inputs(inputs) if name != STANDARD_INPUT]
            else:
                assert vocabulary is not None
                counts = _read_matrix(inputs[0], kind, vocabulary, contexts, window, bounded)
                files = [name for name in (*inputs, vocabulary, contexts) if name is not None]
        record = RunRecord(
            inputs=tuple(map(file_source, files)),
            threads=None if kind == "npz" else resolve_threads(threads),
            **run.measured,
        )
        write_counts(counts, output, record=record)
    rows, columns = counts.matrix.shape
    rounded = isinstance(counts.options, ImportOptions) and counts.options.rounded
    what = [
        count_of(rows, "word"),
        count_of(columns, "context"),
        count_of(counts.matrix.nnz, "distinct pair"),
    ]
    run.wrote(output, ", ".join(what) + (", rounded" if rounded else ""))


def _format_of(inputs: tuple[str, ...], asked: str) -> str:
    if asked != "auto":
        return asked
    found = {_BY_SUFFIX.get(Path(name).suffix.lower(), "pairs"): name for name in inputs}
    if len(found) > 1:
        several = ", ".join(f"{name} holds {_HOLDS[kind]}" for kind, name in found.items())
        raise click.UsageError(f"{several}; convert them apart", click.get_current_context())
    return next(iter(found))


def _check_options(inputs: tuple[str, ...], kind: str, vocabulary: str | None) -> None:
    from pmifact.cli.options import refuse_given

    unused = {name for names in _APPLY.values() for name in names} - set(_APPLY[kind])
    holding = f"{inputs[0]}, which holds {_HOLDS[kind]}"
    refuse_given(sorted(unused), f"has no effect on {holding}; leave it out")
    if kind != "pairs" and len(inputs) > 1:
        raise click.UsageError(
            f"{', '.join(inputs)}: expected one file, which holds {_HOLDS[kind]}, got {len(inputs)}; "
            "merge adds several .counts",
            click.get_current_context(),
        )
    if kind != "pairs" and vocabulary is None:
        raise click.UsageError(
            f"{holding}, needs --vocabulary, the words in the order of the rows", click.get_current_context()
        )


def _read_matrix(
    path: str, kind: str, vocabulary: str, contexts: str | None, window: int, bounded: dict[str, Any]
) -> "CooccurrenceCounts":
    from pmifact.storage import read_counts_npz, read_glove_cooccurrence

    if kind == "npz":
        return read_counts_npz(path, vocabulary, contexts=contexts)
    return read_glove_cooccurrence(path, vocabulary, window=window, **bounded)
