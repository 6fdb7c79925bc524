"""``pmifact spectrum``: the singular values of shifted PPMI, and how many of them are worth keeping."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from pmifact.cli.gold import output as output_option
from pmifact.cli.help import Command
from pmifact.cli.options import device, option, ppmi_options, quiet, seed, threads
from pmifact.cli.parameters import Integer, Memory, Number
from pmifact.cli.tables import format_option

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table
    from rich.text import Text

    from pmifact.spectrum import RankChoice

SPECTRUM = "Spectrum"
# The rows that a table for people shows, beside the rank chosen and the last.
SHOWN = (1, 2, 5, 10, 20, 50, 100, 150, 200, 300, 400, 500, 750, 1000)


@click.command(
    "spectrum",
    cls=Command,
    examples=(
        "pmifact spectrum wiki.counts",
        "pmifact spectrum wiki.counts --plot spectrum.svg",
        "pmifact spectrum wiki.counts --rank 1000 --power 0.25 --format csv",
    ),
)
@click.argument("counts", metavar="X.counts")
@option(
    "--rank",
    type=Integer(least=1),
    metavar="R",
    show_default="500, or a quarter of the words",
    section=SPECTRUM,
    help="Number of singular values to look at.",
)
@option(
    "--power",
    type=Number(above=0, most=1),
    metavar="P",
    default=0.5,
    section=SPECTRUM,
    help="Exponent of the singular values in the word vectors U s^P that the rank is chosen for.",
)
@option(
    "--tol",
    type=Number(above=0, most=1),
    default=0.03,
    section=SPECTRUM,
    help="Largest residual of a triplet, relative to its singular value.",
)
@option(
    "--memory",
    type=Memory(),
    metavar="SIZE",
    show_default="no limit",
    section=SPECTRUM,
    help="Bound on memory of the factorization, such as 4GB.",
)
@option(
    "--plot",
    metavar="FILE",
    section=SPECTRUM,
    show_default="no picture",
    help="Also draw it, to a .png or .svg [needs pmifact[plot]].",
)
@ppmi_options()
@format_option
@output_option
@device
@threads
@seed
@quiet
def command(
    counts: str,
    rank: int | None,
    power: float,
    tol: float,
    memory: int | None,
    plot: str | None,
    shift: float,
    smoothing: float,
    subsample: float | None,
    style: str | None,
    output: str | None,
    device: str,
    threads: int | None,
    seed: int,
    quiet: bool,
) -> None:
    """Show the spectrum of shifted PPMI, and choose a rank.

    The counts are split into two halves at random: what differs is noise, and the signal is the spectrum
    less what such noise adds. The rank chosen has the least expected error of the inner products of word
    vectors, the PIP loss of Yin & Shen (2018); too few dimensions leave signal out, too many take noise in.
    """
    import pandas as pd

    from pmifact.cli.inputs import check_file
    from pmifact.cli.run import Run
    from pmifact.cli.tables import show
    from pmifact.notebook import count_of
    from pmifact.spectrum import choose_rank
    from pmifact.storage import read_counts

    if output:
        check_file(output, [counts])
    if plot:
        from pmifact.plotting import check_picture_target, draw_rank_choice, save_picture
        from pmifact.plotting.style import import_matplotlib

        import_matplotlib()  # told of before the work
        check_picture_target(plot)
    run = Run(quiet=quiet, transient=True)
    with run.step("read", "Reading counts"):
        observed = read_counts(counts)
    with run.step("factorize", "Truncated SVD") as progress:
        choice = choose_rank(
            observed,
            rank=rank,
            power=power,
            shift=shift,
            smoothing=smoothing,
            subsample=subsample,
            tol=tol,
            memory=memory,
            device=device,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    frame = pd.DataFrame(
        {
            "rank": range(1, len(choice.singular_values) + 1),
            "singular_value": choice.singular_values,
            "residual": choice.residuals,
            "energy": choice.energy,
            "signal": choice.signal,
            "pip_loss": choice.losses,
        }
    )
    frame["chosen"] = frame["rank"] == choice.rank
    if plot:
        save_picture(draw_rank_choice(choice), plot)
        run.wrote(plot, count_of(len(frame), "singular value"))
    show(frame, lambda table: _tables(table, choice), style, output)
    if output:
        run.wrote(output, count_of(len(frame), "row"))


def _tables(frame: "DataFrame", choice: "RankChoice") -> Iterator["Table | Text"]:
    import math

    from pmifact.cli.tables import plain_table, prose, text

    terms = choice.options
    table = plain_table(
        f"Spectrum of shifted PPMI, shift {terms['shift']:g}, smoothing {terms['smoothing']:g}"
    )
    for name in ("rank", "singular value", "residual", "energy", "signal", "PIP loss"):
        table.add_column(name, justify="right")
    last = len(frame)
    for row in frame.to_dict("records"):
        if row["rank"] in SHOWN or row["chosen"] or row["rank"] == last:
            cells = (
                f"{row['rank']}",
                f"{row['singular_value']:.4g}",
                f"{row['residual']:.4f}",
                f"{row['energy']:.4f}",
                f"{row['signal']:.4g}",
                f"{row['pip_loss']:.4f}" if math.isfinite(row["pip_loss"]) else "",
            )
            table.add_row(*(text(cell, "bold" if row["chosen"] else "") for cell in cells))
    yield table
    yield prose(_verdict(choice))


def _verdict(choice: "RankChoice") -> str:
    noise = f"Noise of a cell: {choice.noise:.3g}."
    if choice.rank == 0:
        return f"{noise} No singular value rises above it: there are too few counts to choose a rank."
    power = choice.options["power"]
    if not choice.complete:
        return (
            f"{noise} Every rank up to {choice.rank} lowers the PIP loss at power {power:g}; "
            "look further with a larger --rank."
        )
    return f"{noise} Rank {choice.rank} has the least PIP loss at power {power:g}."
