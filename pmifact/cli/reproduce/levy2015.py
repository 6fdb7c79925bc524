"""``pmifact reproduce levy2015``: PPMI, SVD and SGNS under a grid of hyperparameters."""

from typing import Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import option
from pmifact.cli.parameters import Integer, Number
from pmifact.cli.reproduce.options import (
    MODELS,
    encoding,
    epochs,
    general_options,
    gold,
    learning_rate,
    output,
    plot,
    resamples,
    text_options,
)


@click.command(
    "levy2015",
    cls=Command,
    examples=(
        "pmifact reproduce levy2015 wiki/*.txt.gz -o tacl2015 --dry-run",
        "pmifact reproduce levy2015 wiki/*.txt.gz -o tacl2015 --grid full",
    ),
)
@click.argument("corpus", metavar="CORPUS...", nargs=-1, required=True)
@output
@option(
    "--grid",
    type=click.Choice(["small", "full"]),
    default="small",
    section=MODELS,
    help="Windows 2 and 5, linear, shifts 1 and 5, rank 300; or all settings of the paper, rank 500.",
)
@option(
    "--rank",
    type=Integer(least=1),
    metavar="D",
    section=MODELS,
    show_default="that of the grid",
    help="Dimensions of SVD and skip-gram.",
)
@epochs(show_default="2 for small, 5 for full")
@learning_rate
@option(
    "--subsample",
    type=Number(above=0),
    metavar="T",
    default=1e-5,
    section=MODELS,
    help="Threshold at which frequent words are dropped, in the settings that do so.",
)
@gold
@resamples(199)
@plot
@text_options
@general_options
def command(corpus: tuple[str, ...], output: str, gold: tuple[tuple[str, str], ...], **options: Any) -> None:
    """Search the hyperparameters as Levy, Goldberg & Dagan (TACL 2015) do.

    Tables 2 and 3, two fixed settings; Table 5, settings chosen on one half of each gold set and judged on
    the other; Table 8, what each hyperparameter is worth. Gold sets: ws353-sim, ws353-rel, men, mturk287, rw,
    simlex999, google and msr.
    """
    from pmifact.cli.reproduce.show import carry_out
    from pmifact.reproduce.levy2015 import levy2015_results, plan_levy2015

    names = (
        "grid",
        "rank",
        "epochs",
        "learning_rate",
        "subsample",
        "resamples",
        "seed",
        "threads",
        "min_count",
    )
    chosen = {name: options[name] for name in names}
    carry_out(
        lambda: plan_levy2015(corpus, output, gold=dict(gold), encode=encoding(options), **chosen),
        levy2015_results,
        options,
    )
