"""``pmifact export``: word vectors and counts to the file formats of other tools."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import model_options, option, output, quiet, refuse_given

if TYPE_CHECKING:
    from pmifact.cli.run import Run

WRITING = "Writing"


@click.command(
    "export",
    cls=Command,
    examples=(
        "pmifact export wiki.factors -o wiki.bin",
        "pmifact export wiki.factors -o wiki.txt --power 0 --unit-rows",
        "pmifact export wiki.counts -o wiki.npz",
        "pmifact export wiki.counts -o wiki-ppmi.npz --sppmi --shift 5",
    ),
)
@click.argument("model", metavar="MODEL|X.counts")
@output(
    "FILE", "Where to write; the ending says what. Older vectors of that format are replaced, nothing else."
)
@option(
    "--unit-rows",
    is_flag=True,
    show_default="lengths kept",
    section=WRITING,
    help="Scale every vector to length 1.",
)
@option(
    "--header/--no-header",
    default=True,
    show_default="header",
    section=WRITING,
    help="Write the numbers of words and dimensions first, as word2vec does and GloVe does not [.txt, .vec].",
)
@option(
    "--sppmi",
    is_flag=True,
    show_default="counts",
    section=WRITING,
    help="Write shifted PPMI instead of counts [.counts to .npz].",
)
@model_options
@quiet
def command(
    model: str, output: str, unit_rows: bool, header: bool, sppmi: bool, quiet: bool, **reading: Any
) -> None:
    """Write word vectors or counts for other tools.

    \b
    .txt .vec     text: a word and its numbers a line (word2vec, fastText, GloVe)
    .bin          word2vec's binary format
    .npz          NumPy: arrays "words" and "vectors"
    .safetensors  tensors "vectors" and "words", which is UTF-8 with a word a line
    .parquet      columns "word" and "vector"
    .tsv          a pair for TensorBoard's projector: X.tsv and X.metadata.tsv

    MODEL is a .factors or a vectors file in one of these formats. A .counts goes to a new .npz, a sparse
    matrix of SciPy, with the words beside it: integers, which are the counts times the number named "unit",
    or with --sppmi their shifted PPMI.
    """  # noqa: D301  # click keeps the paragraph after a real \b as it is written
    from pmifact.cli.inputs import check_output, check_reading, read_model
    from pmifact.cli.run import Run
    from pmifact.notebook import count_of
    from pmifact.storage import artifact_stage, write_vectors
    from pmifact.storage.formats.projector import metadata_path

    run = Run(quiet=quiet, transient=True)
    if output.lower().endswith(".npz") and artifact_stage(model) == "counts":
        _export_counts(model, output, run, sppmi, reading)
        return
    refuse_given(["sppmi"], "applies to a .counts that goes to .npz only")
    if not output.lower().endswith((".txt", ".vec")):
        refuse_given(["header"], "applies to .txt and .vec only")
    check_reading([model])
    check_output(output, "vectors", [model])
    vectors = read_model(model, run, reading, normalize=unit_rows)
    with run.step("write", "Writing vectors"):
        write_vectors(vectors, output, header=header)
    beside = f", words in {metadata_path(Path(output))}" if output.lower().endswith(".tsv") else ""
    shape = f"{count_of(len(vectors.vocabulary), 'word')}, {count_of(vectors.matrix.shape[1], 'dimension')}"
    run.wrote(output, f"{shape}{beside}")


def _export_counts(path: str, output: str, run: "Run", shifted: bool, reading: Mapping[str, Any]) -> None:
    from pmifact.cli.inputs import check_file
    from pmifact.notebook import count_of
    from pmifact.ppmi import sppmi
    from pmifact.storage import read_counts, write_counts_npz

    terms = {name: reading[name] for name in ("shift", "smoothing", "subsample")} if shifted else {}
    refuse_given([*(reading.keys() - terms.keys()), "unit_rows", "header"], "has no effect on counts")
    check_file(output, [path])
    with run.step("read", "Reading counts"):
        counts = read_counts(path)
    values = None
    if shifted:
        with run.step("sppmi", "Shifted PPMI", "pair") as progress:
            values = sppmi(counts, **terms, progress=progress)
    with run.step("write", "Writing counts"):
        files = write_counts_npz(counts, output, values=values)
    beside = ", ".join(str(file) for file in files[1:])
    if values is not None:
        run.wrote(output, f"{count_of(values.nnz, 'cell')} above 0, words in {beside}")
        return
    unit = f"counts times {counts.unit:,}; " if counts.unit > 1 else ""
    run.wrote(output, f"{count_of(counts.matrix.nnz, 'distinct pair')}, {unit}words in {beside}")
