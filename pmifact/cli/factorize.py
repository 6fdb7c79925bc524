"""``pmifact factorize``: co-occurrence counts to the truncated SVD of their shifted PPMI."""

import click

from pmifact.cli.help import Command
from pmifact.cli.options import option, output, ppmi_options, quiet, seed, threads
from pmifact.cli.parameters import Integer

SVD = "Truncated SVD"


@click.command(
    "factorize",
    cls=Command,
    examples=(
        "pmifact factorize wiki.counts -o wiki.factors --rank 300",
        "pmifact factorize wiki.counts -o wiki.factors --subsample 1e-4 --solver arpack",
    ),
)
@click.argument("counts", metavar="X.counts")
@output("X.factors", "The artifact to write; an existing .factors is replaced.")
@ppmi_options()
@option("--rank", type=Integer(least=1), metavar="D", default=300, section=SVD, help="Number of dimensions.")
@option(
    "--solver",
    type=click.Choice(["randomized", "arpack"]),
    default="randomized",
    section=SVD,
    help="Randomized subspace iteration (fast), or ARPACK (to machine precision).",
)
@threads
@seed
@quiet
def command(
    counts: str,
    output: str,
    shift: float,
    smoothing: float,
    subsample: float | None,
    rank: int,
    solver: str,
    threads: int | None,
    seed: int,
    quiet: bool,
) -> None:
    """Factorize the shifted PPMI of counts into word vectors."""
    from dataclasses import asdict, replace

    from pmifact.cli.console import plural
    from pmifact.cli.inputs import check_output, origin
    from pmifact.cli.run import Run
    from pmifact.ppmi import PPMIOptions, sppmi
    from pmifact.storage import RunRecord, read_counts, write_factors
    from pmifact.svd import FactorizeOptions, factorize
    from pmifact.threads import resolve_threads

    run = Run(quiet=quiet)
    ppmi = PPMIOptions(shift=shift, smoothing=smoothing, subsample=subsample)
    svd = FactorizeOptions(rank=rank, solver=solver, seed=seed)
    check_output(output, "factors", [counts])
    made_from = origin([counts])
    with run.step("read", "Reading counts"):
        cooccurrence = read_counts(counts)
    with run.step("sppmi", "Shifted PPMI", "pair") as progress:
        matrix = sppmi(cooccurrence, **asdict(ppmi), progress=progress)
    with run.step("factorize", "Truncated SVD") as progress:
        factors = factorize(
            matrix,
            vocabulary=cooccurrence.vocabulary,
            **asdict(svd),
            threads=threads,
            progress=progress,
        )
    factors = replace(factors, context_vocabulary=cooccurrence.contexts)
    made_from["history"] += ({"stage": "sppmi", "options": asdict(ppmi)},)
    write_factors(
        factors, output, record=RunRecord(**made_from, threads=resolve_threads(threads), seconds=run.seconds)
    )
    run.wrote(output, f"{plural(len(factors.words), 'word')}, rank {len(factors.strengths)}")
