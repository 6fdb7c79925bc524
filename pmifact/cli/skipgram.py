"""``pmifact skipgram``: text, token ids or counts to word vectors trained by skip-gram."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pmifact.cli.help import Command
from pmifact.cli.options import encode_options, option, output, quiet, refuse_given, seed, threads, together
from pmifact.cli.parameters import Integer, Number
from pmifact.cli.run import Run
from pmifact.notebook import count_of

if TYPE_CHECKING:
    from pmifact.cooccurrence import CooccurrenceCounts
    from pmifact.corpus import EncodedCorpus
    from pmifact.factors import Factors
    from pmifact.storage import RunRecord

TRAINING = "Skip-gram"
NEGATIVES = "Negative sampling (--loss ns)"
WINDOWS = "Windows (text and .corpus)"

skipgram_options = together(
    option(
        "--loss",
        type=click.Choice(["ns", "hs", "softmax"]),
        default="ns",
        section=TRAINING,
        help="Negative sampling, hierarchical softmax, or full softmax (at most 30,000 words).",
    ),
    option(
        "--rank",
        type=Integer(least=1),
        metavar="D",
        section=TRAINING,
        show_default="300, or that of --init",
        help="Number of dimensions.",
    ),
    option(
        "--epochs",
        type=Integer(least=1),
        metavar="N",
        default=5,
        section=TRAINING,
        help="Passes over the input; the window and every sample are drawn anew in each.",
    ),
    option(
        "--learning-rate",
        type=Number(above=0),
        metavar="R",
        default=0.025,
        section=TRAINING,
        help="At the start; it falls linearly to 1e-4 of that.",
    ),
    option(
        "--init",
        metavar="X.factors",
        section=TRAINING,
        show_default="at random",
        help="Start from these, an SVD say, of the same words.",
    ),
    option(
        "--window",
        type=Integer(least=1),
        metavar="L",
        section=WINDOWS,
        show_default="5",
        help="Positions on each side that are context, drawn from 1 to L at every position.",
    ),
    option(
        "--fixed-window",
        is_flag=True,
        default=None,
        section=WINDOWS,
        show_default="off",
        help="Always take all L positions.",
    ),
    option(
        "--subsample",
        type=Number(),
        metavar="T",
        section=WINDOWS,
        show_default="0.001",
        help="Keep a token of relative frequency f with probability sqrt(T/f) + T/f; 0 keeps all.",
    ),
    option(
        "--negatives",
        type=Integer(least=1),
        metavar="K",
        section=NEGATIVES,
        show_default="5",
        help="Negative samples a pair.",
    ),
    option(
        "--negative-rule",
        type=click.Choice(["word2vec", "exact"]),
        section=NEGATIVES,
        show_default="word2vec",
        help="Skip a negative that is the positive, or keep it, so that the optimum is PMI - log K.",
    ),
    option(
        "--noise-exponent",
        type=Number(),
        metavar="A",
        section=NEGATIVES,
        show_default="0.75",
        help="Draw negatives in proportion to their counts to the power A.",
    ),
)


@click.command(
    "skipgram",
    cls=Command,
    examples=(
        "pmifact skipgram wiki.corpus -o wiki-sgns.factors --rank 300",
        "pmifact skipgram wiki.counts -o wiki-sgns.factors --negative-rule exact",
        "pmifact skipgram wiki.corpus -o tuned.factors --init wiki.factors --epochs 1",
    ),
)
@click.argument("inputs", metavar="INPUT...|X.corpus|X.counts", nargs=-1, required=True)
@output("X.factors", "The artifact to write; an existing .factors is replaced.")
@skipgram_options
@encode_options
@threads
@seed
@quiet
def command(
    inputs: tuple[str, ...],
    output: str,
    threads: int | None,
    quiet: bool,
    init: str | None,
    **settings: Any,
) -> None:
    """Train word vectors by skip-gram.

    Takes text as 'encode' does, one .corpus, or the pairs of one .counts, which 'factorize' then sees too.
    Ctrl-C keeps the last finished epoch. One thread gives the same vectors every time; more do not, except
    with --loss softmax.
    """
    from pmifact.cli.inputs import ENCODING, check_output, source_stage
    from pmifact.resources.threads import resolve_threads
    from pmifact.skipgram.options import resolve_options
    from pmifact.storage import RunRecord, artifact_source, read_factors, write_factors

    encoding = {name: settings.pop(name) for name in ENCODING}
    run = Run(quiet=quiet)
    check_output(output, "factors", [*inputs, *filter(None, [init])])
    stage = source_stage(inputs, ("corpus", "counts"))
    _refuse_unused(stage, settings["loss"], inputs[0])
    start = read_factors(init) if init else None
    if settings["rank"] is None:
        settings["rank"] = start.rank if start else 300
    resolve_options("counts" if stage == "counts" else "corpus", **settings)
    source, made_from = _read_source(stage, inputs, run, encoding, threads)
    if init:
        made_from["inputs"] += (artifact_source(init),)
    factors, interrupted = _train(source, run, {**settings, "init": start, "threads": threads})
    record = RunRecord(**made_from, threads=resolve_threads(threads), **run.measured)
    if interrupted:
        _keep(factors, output, record)
    write_factors(factors, output, record=record)
    losses = factors.options["epoch_losses"]
    run.wrote(
        output,
        f"{count_of(len(factors.words), 'word')}, rank {factors.rank}, {count_of(len(losses), 'epoch')}, "
        f"loss {losses[-1]:.3f}",
    )


def _refuse_unused(stage: str | None, loss: str, name: str) -> None:
    """Raise a usage error when an option was typed that does not apply to the source or the loss."""
    from pmifact.cli.inputs import ENCODING
    from pmifact.skipgram.options import unused_options

    if stage == "counts":
        refuse_given(ENCODING, f"has no effect on {name}, which was counted already; leave it out")
        refuse_given(
            unused_options("counts", "ns"),
            f"has no effect on {name}, whose windows were laid when it was counted; leave it out",
        )
    refuse_given(
        unused_options("corpus", loss),
        f"has no effect with --loss {loss}, which draws no negatives; leave it out",
    )


def _read_source(
    stage: str | None, inputs: tuple[str, ...], run: Run, encoding: Mapping[str, Any], threads: int | None
) -> tuple["EncodedCorpus | CooccurrenceCounts", dict[str, Any]]:
    """Return what is learnt from, and what a manifest says of where it came from."""
    from pmifact.cli.inputs import origin, read_text
    from pmifact.storage import read_counts

    if stage != "counts":
        return read_text(inputs, run, encoding, threads)
    with run.step("read", "Reading counts"):
        return read_counts(inputs[0]), origin(inputs)


def _train(
    source: "EncodedCorpus | CooccurrenceCounts", run: Run, settings: Mapping[str, Any]
) -> tuple["Factors", bool]:
    """Return the factors, and whether they are those of a training that was interrupted."""
    from pmifact.cli.signals import Stopped, as_keyboard_interrupt
    from pmifact.corpus import EncodedCorpus
    from pmifact.skipgram import TrainingInterrupted, train_skipgram

    unit = "word" if isinstance(source, EncodedCorpus) else "pair"
    with run.training("train", unit) as monitor:
        try:
            with as_keyboard_interrupt():
                return train_skipgram(source, **settings, monitor=monitor), False
        except TrainingInterrupted as interruption:
            kept = interruption.factors
    if kept is None:
        raise Stopped("no epoch was finished, so nothing was written")
    return kept, True


def _keep(factors: "Factors", output: str, record: "RunRecord") -> NoReturn:
    """Write the factors of an interrupted training, and go on with the end that the signal asked for."""
    from pmifact.cli.signals import Stopped
    from pmifact.errors import PmifactError
    from pmifact.storage import write_factors

    finished, epochs = (factors.options[name] for name in ("epochs_finished", "epochs"))
    try:
        write_factors(factors, output, record=record)
    except PmifactError as error:
        raise Stopped(f"the training so far is lost: {error}") from error
    raise Stopped(f"{output} holds the vectors after epoch {finished} of {epochs}")
