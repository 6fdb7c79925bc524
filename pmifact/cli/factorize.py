"""``pmifact factorize``: co-occurrence counts to the truncated SVD of their shifted PPMI."""

import click

from pmifact.cli.help import Command
from pmifact.cli.options import device, like, option, output, ppmi_options, quiet, refuse_given, seed, threads
from pmifact.cli.parameters import Integer, Memory, Number

SVD = "Truncated SVD"
_NO_GPU = "the solver was {}, which knows no GPU"


@click.command(
    "factorize",
    cls=Command,
    examples=(
        "pmifact factorize wiki.counts -o wiki.factors --rank 300",
        "pmifact factorize wiki.counts -o wiki.factors --subsample 1e-4 --solver arpack",
        "pmifact factorize wiki.counts -o wiki.factors --rank 500 --device gpu",
    ),
)
@click.argument("counts", metavar="X.counts")
@output("X.factors", "The artifact to write; an existing .factors is replaced.")
@ppmi_options()
@option("--rank", type=Integer(least=1), metavar="D", default=300, section=SVD, help="Number of dimensions.")
@option(
    "--solver",
    type=click.Choice(["krylov", "arpack", "propack", "randomized"]),
    default="krylov",
    section=SVD,
    help="Block Krylov (fast, to --tol), ARPACK or PROPACK (to machine precision), or subspace iteration.",
)
@option(
    "--tol",
    type=Number(above=0, most=1),
    default=0.03,
    section=SVD,
    help="Of krylov: largest residual of a triplet, relative to its singular value.",
)
@option(
    "--memory",
    type=Memory(),
    metavar="SIZE",
    show_default="no limit",
    section=SVD,
    help="Of krylov: bound on memory, such as 4GB; a smaller basis is restarted more often. On a GPU it "
    "bounds the memory taken there.",
)
@device
@like("ppmi", "svd")
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
    tol: float,
    memory: int | None,
    device: str,
    like: str | None,
    threads: int | None,
    seed: int,
    quiet: bool,
) -> None:
    """Factorize the shifted PPMI of counts into word vectors."""
    from dataclasses import asdict

    from pmifact.cli.console import say
    from pmifact.cli.inputs import check_output, origin
    from pmifact.cli.run import Run
    from pmifact.device import resolve_device
    from pmifact.notebook import count_of
    from pmifact.ppmi import PPMIOptions, sppmi
    from pmifact.resources.threads import resolve_threads
    from pmifact.storage import RunRecord, read_counts, write_factors
    from pmifact.svd.truncated import FactorizeOptions, factorize

    if solver != "krylov":
        refuse_given(["tol", "memory"], f"has no effect on the solver {solver}")
    run = Run(quiet=quiet)
    ppmi = PPMIOptions(shift=shift, smoothing=smoothing, subsample=subsample)
    svd = FactorizeOptions(rank=rank, solver=solver, tol=tol, memory=memory, device=device, seed=seed)
    worker = resolve_device(device if solver == "krylov" else "cpu")
    check_output(output, "factors", [counts])
    made_from = origin([counts])
    with run.step("read", "Reading counts"):
        cooccurrence = read_counts(counts)
    with run.step("sppmi", "Shifted PPMI", "pair") as progress:
        matrix = sppmi(cooccurrence, **asdict(ppmi), device=worker.name, progress=progress)
    with run.step("factorize", "Truncated SVD") as progress:
        factors = factorize(
            matrix,
            vocabulary=cooccurrence.vocabulary,
            context_vocabulary=cooccurrence.contexts,
            **asdict(svd),
            threads=threads,
            progress=progress,
        )
    if not factors.options.get("converged", True):
        say(
            f"Stopped after {factors.options['products']:,} products, before every residual was {tol:g} "
            f"or less: the worst is {factors.residuals.max():.2g}"
        )
    ran = factors.options["device"]
    if device == "gpu" != ran or (device == "auto" and ran == "cpu" and not quiet):
        say(f"Worked on the CPU: {worker.note or _NO_GPU.format(factors.options['solver'])}")
    made_from["history"] += ({"stage": "sppmi", "options": asdict(ppmi)},)
    record = RunRecord(**made_from, threads=resolve_threads(threads), preset=like, **run.measured)
    write_factors(factors, output, record=record)
    on = f", on {worker.title}" if ran == "gpu" else ""
    run.wrote(output, f"{count_of(len(factors.words), 'word')}, rank {len(factors.strengths)}{on}")
