"""``pmifact reproduce levy2014``: SPPMI, SVD and SGNS on the same pairs."""

from typing import Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import option
from pmifact.cli.parameters import Integer
from pmifact.cli.reproduce.options import (
    MODELS,
    Integers,
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
    "levy2014",
    cls=Command,
    examples=(
        "pmifact reproduce levy2014 wiki/*.txt.gz -o nips2014 --dry-run",
        "pmifact reproduce levy2014 wiki/*.txt.gz -o nips2014 --ranks 100,500,1000",
        "pmifact reproduce levy2014 text.txt -o small --gold ws353=EN-WS-353-ALL.txt",
    ),
)
@click.argument("corpus", metavar="CORPUS...", nargs=-1, required=True)
@output
@option(
    "--ranks",
    type=Integers(),
    metavar="D,...",
    section=MODELS,
    show_default="100, and 500 at shift 5",
    help="Dimensions of SVD and skip-gram, for every shift.",
)
@option(
    "--shifts",
    type=Integers(),
    metavar="K,...",
    default="1,5,15",
    section=MODELS,
    help="Shifts k of SPPMI, and numbers of negatives of skip-gram.",
)
@epochs(5)
@learning_rate
@option(
    "--samples",
    type=Integer(least=2),
    metavar="N",
    default=10_000_000,
    section=MODELS,
    help="Pairs from which the objective is estimated, as in the paper, beside its exact value.",
)
@gold
@resamples(999)
@plot
@text_options
@general_options
def command(corpus: tuple[str, ...], output: str, gold: tuple[tuple[str, str], ...], **options: Any) -> None:
    """Compare SPPMI, SVD and SGNS as Levy & Goldberg (NIPS 2014) do.

    Window 2, flat; Table 1, how near each model comes to the optimum of skip-gram's objective, exactly and by
    the paper's sampling; Table 2, similarity (ws353, men) and analogies (google, msr) by 3CosMul. SVD has
    power 0.5; skip-gram is trained on the counts, with unigram negatives and the exact rule.
    """
    from pmifact.cli.reproduce.show import carry_out
    from pmifact.reproduce.levy2014 import plan_levy2014
    from pmifact.reproduce.levy2014_tables import levy2014_results

    names = (
        "ranks",
        "shifts",
        "epochs",
        "learning_rate",
        "samples",
        "resamples",
        "seed",
        "threads",
        "min_count",
    )
    chosen = {name: options[name] for name in names}
    carry_out(
        lambda: plan_levy2014(corpus, output, gold=dict(gold), encode=encoding(options), **chosen),
        levy2014_results,
        options,
    )
