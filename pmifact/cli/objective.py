"""``pmifact objective``: how near models come to the optimum of skip-gram with negative sampling."""

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.gold import output as output_option
from pmifact.cli.help import Command
from pmifact.cli.options import option, quiet, refuse_given, seed, threads
from pmifact.cli.parameters import Integer, Number
from pmifact.cli.run import Run
from pmifact.cli.tables import format_option

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table
    from scipy.sparse import csr_array

    from pmifact.cooccurrence import CooccurrenceCounts
    from pmifact.factors import Factors
    from pmifact.objective import Objective

OBJECTIVE = "Objective"
ZERO = "zero matrix"


@click.command(
    "objective",
    cls=Command,
    examples=(
        "pmifact objective wiki.counts wiki.factors wiki-sgns.factors --shift 5",
        "pmifact objective wiki.counts wiki.factors --samples 10000000 --format csv",
    ),
)
@click.argument("counts", metavar="X.counts")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@option(
    "--shift",
    type=Number(above=0),
    metavar="K",
    default=1,
    section=OBJECTIVE,
    help="Number k of negative samples of each pair.",
)
@option(
    "--smoothing",
    type=Number(above=0, most=1),
    metavar="A",
    default=1,
    section=OBJECTIVE,
    help="Exponent of the distribution that negatives come from; 1 is the paper's.",
)
@option(
    "--samples",
    type=Integer(least=2),
    metavar="N",
    section=OBJECTIVE,
    show_default="off",
    help="Also estimate each MODEL from N pairs with one negative each, as the paper does.",
)
@format_option
@output_option
@threads
@seed
@quiet
def command(
    counts: str,
    models: tuple[str, ...],
    shift: float,
    smoothing: float,
    samples: int | None,
    style: str | None,
    output: str | None,
    threads: int | None,
    seed: int,
    quiet: bool,
) -> None:
    """Compare models by the objective of negative sampling.

    The value l sums #(w,c) log s(x) + k #(w) P(c) log s(-x) over all cells of the counts, exactly; x is what
    MODEL says of a cell: words * strengths * contexts of a .factors, shifted PPMI of a .counts. 'deviation'
    is (l - optimum) / optimum, where the optimum is that of x = PMI - log k.
    """
    import pandas as pd

    from pmifact.cli.evaluate import model_names
    from pmifact.cli.inputs import check_file
    from pmifact.cli.tables import show
    from pmifact.notebook import count_of
    from pmifact.objective import exact_objective, reference_objectives, sampled_objective
    from pmifact.storage import read_counts

    if len(set(models)) < len(models):
        raise click.UsageError("a MODEL is given twice", click.get_current_context())
    if samples is None:
        refuse_given(["seed"], "has no effect without --samples")
    if output:
        check_file(output, [counts, *models])
    run = Run(quiet=quiet, transient=True)
    terms = {"shift": shift, "smoothing": smoothing}
    with run.step("read", "Reading counts"):
        observed = read_counts(counts)
    opened = [_open(path, observed, terms) for path in models]
    references = reference_objectives(observed, **terms)
    rows = [_row(name, value) for name, value in references.items() if name != ZERO]
    for name, model in zip(model_names(models), opened, strict=True):
        with run.step("exact", "Exact objective") as progress:
            exact = exact_objective(observed, model, **terms, threads=threads, progress=progress)
        estimate = None
        if samples is not None:
            with run.step("sampled", "Sampling pairs", "pair") as progress:
                estimate = sampled_objective(
                    observed,
                    model,
                    **terms,
                    samples=samples,
                    seed=seed,
                    threads=threads,
                    progress=progress,
                )
        rows.append(_row(name, exact, estimate))
    rows.append(_row(ZERO, references[ZERO]))
    frame = pd.DataFrame(rows)
    frame.insert(1, "shift", shift)
    show(frame, objective_tables, style, output)
    if output:
        run.wrote(output, count_of(len(frame), "row"))


def _open(path: str, counts: "CooccurrenceCounts", terms: dict[str, float]) -> "Factors | csr_array":
    """Read a MODEL whose words and contexts are those of the counts."""
    from pmifact.errors import InputError
    from pmifact.ppmi import sppmi
    from pmifact.storage import artifact_stage, read_counts, read_factors

    stage = artifact_stage(path)
    if stage == "factors":
        factors = read_factors(path)
        if factors.options.get("loss") == "hs":
            raise InputError(
                f"{path}: hierarchical softmax has no context vectors, which the objective needs"
            )
        own = factors.vocabulary, factors.context_vocabulary or factors.vocabulary
        model: Factors | csr_array = factors
    elif stage == "counts":
        others = read_counts(path)
        own = others.vocabulary, others.context_vocabulary
        model = sppmi(others, shift=terms["shift"], smoothing=terms["smoothing"])
    else:
        found = f"a .{stage}" if stage else "neither"
        raise InputError(f"{path}: the objective needs contexts: expected a .factors or .counts, got {found}")
    ours = counts.vocabulary.fingerprint, counts.context_vocabulary.fingerprint
    if tuple(words and words.fingerprint for words in own) != ours:
        raise InputError(
            f"{path}: its words and contexts are not those of the counts, in the same order; "
            "make it from these counts, or count with the vocabulary that it has"
        )
    return model


def _row(name: str, exact: "Objective", estimate: "Objective | None" = None) -> dict[str, Any]:
    row = {
        "model": name,
        "per_pair": exact.per_pair,
        "optimum_per_pair": exact.optimum / exact.pairs,
        "deviation_percent": 100 * exact.deviation + 0.0,  # no negative zero
    }
    if estimate is not None:
        row["sampled_per_pair"] = estimate.per_pair
        row["sampled_error"] = estimate.standard_error / estimate.pairs
        row["sampled_deviation_percent"] = 100 * estimate.deviation
    return row


def objective_tables(frame: "DataFrame") -> Iterable["Table"]:
    """Yield the table of the values, and of the published deviations where there are any for this k."""
    from pmifact.cli.tables import plain_table, text

    shift = float(frame["shift"].iloc[0])
    table = plain_table(f"Objective of negative sampling, exact, k = {shift:g}")
    sampled = "sampled_per_pair" in frame
    # All seven fit 80 columns with their names in two lines.
    first, *names = "model", "l per pair", "optimum", "deviation %"
    if sampled:
        first, *names = "\nmodel", "l per\npair", "\noptimum", "devi-\nation %"
        names += ["sampled\nl", "\nerror", "devi-\nation %"]
    table.add_column(first, overflow="fold")
    for name in names:
        table.add_column(name, justify="right")
    for row in frame.to_dict("records"):
        shown = [
            f"{row['per_pair']:.5f}",
            f"{row['optimum_per_pair']:.5f}",
            f"{row['deviation_percent']:.4g}",
        ]
        if sampled and not math.isnan(row["sampled_per_pair"]):
            shown += [
                f"{row['sampled_per_pair']:.5f}",
                f"{row['sampled_error']:.5f}",
                f"{row['sampled_deviation_percent']:.4g}",
            ]
        table.add_row(text(row["model"]), *shown)
    yield table
    from pmifact.reproduce.published import DEVIATIONS

    if shift in DEVIATIONS:
        yield _published(int(shift), DEVIATIONS[int(shift)])


def _published(shift: int, deviations: Mapping[str, str]) -> "Table":
    """Return the paper's row for k, and what is to be said of it."""
    from pmifact.cli.tables import plain_table, text

    table = plain_table(f"Published deviation %, k = {shift} (Levy & Goldberg 2014, Table 1)")
    for name in deviations:
        table.add_column(name, justify="right")
    table.add_row(*deviations.values())
    table.caption = text("The figure printed for SPPMI does not follow from the definition printed there.")
    table.caption_justify = "left"
    return table
