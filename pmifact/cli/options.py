"""The options that several commands share, in the words of the Python API."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from pmifact.cli.help import Option
from pmifact.cli.parameters import ContextVocabulary, Encoding, Integer, Memory, Number, Window
from pmifact.presets import PRESETS

F = TypeVar("F", bound=Callable[..., Any])

TEXT = "Reading text"
COUNTING = "Counting"
PPMI = "Shifted PPMI"
MODEL = "Reading MODEL"
_NOT_TYPED = (None, ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)


def option(*names: str, **settings: Any) -> Callable[[F], F]:
    """Declare an option with its default in the help."""
    return click.option(*names, cls=Option, **{"show_default": True, **settings})


def together(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Apply decorators so that the options keep the order in which they are written."""

    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def given(names: Iterable[str]) -> list[str]:
    """Return the flags of those of the parameters `names` that were typed."""
    ctx = click.get_current_context()
    flags = {parameter.name: parameter for parameter in ctx.command.params}
    typed = (name for name in names if ctx.get_parameter_source(name) not in _NOT_TYPED)
    return [_flag(flags[name], ctx.params.get(name)) for name in typed]


def _flag(parameter: click.Parameter, value: Any) -> str:
    """Return a flag as it was typed: ``--no-header``, not ``--header``, where the value is no."""
    return max(
        parameter.secondary_opts if value is False and parameter.secondary_opts else parameter.opts, key=len
    )


def refuse_given(names: Iterable[str], because: str) -> None:
    """Raise a usage error when one of these options was typed: none is accepted and ignored."""
    flags = given(names)
    if flags:
        raise click.UsageError(f"{' and '.join(flags)}: {because}", click.get_current_context())


def like(*stages: str, note: str = "") -> Callable[[F], F]:
    """Declare ``--like``: a tool that has these stages sets the options that are not typed."""
    tools = [name for name, preset in PRESETS.items() if all(getattr(preset, stage) for stage in stages)]

    def set_defaults(ctx: click.Context, _: click.Parameter, name: str | None) -> str | None:
        if name is not None:
            ctx.default_map = {
                key: value for stage in stages for key, value in getattr(PRESETS[name], stage).items()
            }
        return name

    return option(
        "--like",
        type=click.Choice(tools),
        callback=set_defaults,
        is_eager=True,
        show_default="as each option says",
        help=f"Take what this tool does for every option that is not typed{note}.",
    )


quiet = option("--quiet", "-q", is_flag=True, help="No progress bar and no closing line.", show_default=False)
threads = option(
    "--threads",
    type=Integer(least=1, most=1024),
    metavar="N",
    show_default="all cores",
    help="Threads to use.",
)
memory = option(
    "--memory",
    type=Memory(),
    metavar="SIZE",
    show_default="no limit",
    help="Bound on memory, such as 4GB; unfinished work then goes to disk beside the output.",
)
device = option(
    "--device",
    type=click.Choice(["cpu", "gpu", "auto"]),
    default="cpu",
    help="Where to compute; auto is an NVIDIA GPU where one can be used.",
)
seed = option(
    "--seed",
    type=Integer(least=0, most=2**63 - 1),
    metavar="N",
    default=0,
    help="Seed of every random choice.",
)


def output(suffix: str, help: str) -> Callable[[F], F]:
    """Declare ``-o``, which every command that makes an artifact requires."""
    return option("--output", "-o", required=True, metavar=suffix, show_default=False, help=help)


encode_options = together(
    option(
        "--tokenizer",
        type=click.Choice(["whitespace", "words"]),
        default="whitespace",
        section=TEXT,
        help="Split at white space, or take runs of letters, digits and marks as words.",
    ),
    option("--lowercase", is_flag=True, section=TEXT, show_default="off", help="Lower-case every token."),
    option(
        "--normalize",
        type=click.Choice(["none", "nfc", "nfkc"]),
        default="none",
        section=TEXT,
        help="Unicode normalization of the text.",
    ),
    option(
        "--boundary",
        type=click.Choice(["line", "blank", "none"]),
        default="line",
        section=TEXT,
        help="What ends a sentence: the line, an empty line, or only the file. No window crosses it.",
    ),
    option(
        "--min-count",
        type=Integer(least=1),
        metavar="N",
        default=5,
        section=TEXT,
        help="Keep words that occur at least N times.",
    ),
    option(
        "--max-vocab",
        type=Integer(least=1),
        metavar="N",
        section=TEXT,
        show_default="no limit",
        help="Keep the N most frequent words.",
    ),
    option(
        "--vocabulary",
        metavar="FILE|X.corpus|X.counts",
        section=TEXT,
        show_default="from the text",
        help="Keep exactly these words in this order, whatever --min-count says. FILE holds a word a line.",
    ),
    option(
        "--exclude",
        metavar="FILE",
        section=TEXT,
        show_default="no word",
        help="Take the words in FILE, one a line, out of the vocabulary, as stop words.",
    ),
    option(
        "--input-format",
        type=click.Choice(["auto", "text", "jsonl", "conllu", "parquet"]),
        default="auto",
        section=TEXT,
        help="What the files hold; auto goes by the ending of their names.",
    ),
    option(
        "--field",
        metavar="NAME",
        default="text",
        section=TEXT,
        help="Field of JSON Lines, or column of Parquet, that holds the text.",
    ),
    option(
        "--column",
        type=click.Choice(["form", "lemma", "upos"]),
        default="form",
        section=TEXT,
        help="Column of CoNLL-U that holds the tokens.",
    ),
    option(
        "--encoding",
        type=Encoding(),
        metavar="NAME",
        default="utf-8",
        section=TEXT,
        help="Encoding of the text.",
    ),
    option(
        "--errors",
        type=click.Choice(["strict", "replace"]),
        default="strict",
        section=TEXT,
        help="Refuse bytes that the encoding does not allow, or read each as U+FFFD.",
    ),
)

count_options = together(
    option(
        "--window",
        type=Window(),
        metavar="L|LEFT,RIGHT",
        default="5",
        section=COUNTING,
        help="Positions on each side that are context; 0 switches a side off.",
    ),
    option(
        "--weighting",
        type=click.Choice(["linear", "flat", "harmonic"]),
        default="linear",
        section=COUNTING,
        help="Weight of a pair at distance d: (L-d+1)/L, 1 or 1/d.",
    ),
    option(
        "--oov",
        type=click.Choice(["close", "gap"]),
        default="close",
        section=COUNTING,
        help="Remove out-of-vocabulary tokens before windows are laid, or keep their positions uncounted.",
    ),
    option(
        "--positional",
        is_flag=True,
        section=COUNTING,
        show_default="off",
        help="Tell contexts apart by where they stand: a column is a word at one distance to one side.",
    ),
    option(
        "--subsample",
        type=Number(above=0),
        metavar="T",
        show_default="off",
        section=COUNTING,
        help="Drop frequent words at random: with probability 1 - sqrt(T/f) at relative frequency f.",
    ),
    option(
        "--subsample-mode",
        type=click.Choice(["before", "after"]),
        default="before",
        section=COUNTING,
        help="Close the window over dropped tokens, or keep their positions.",
    ),
    option(
        "--context-vocabulary",
        type=ContextVocabulary(),
        metavar="N|FILE",
        section=COUNTING,
        show_default="all words",
        help="Columns for the N most frequent words, or for the words in FILE, alone; other words keep "
        "their positions and their rows.",
    ),
    option(
        "--min-pair-count",
        type=Integer(least=1, most=2**31),
        metavar="N",
        section=COUNTING,
        show_default="off",
        help="Leave out pairs whose count is below N once all are counted; no sum holds them, and the "
        "result cannot be merged.",
    ),
)


def ppmi_options(section: str = PPMI, only: str = "") -> Callable[[F], F]:
    """Declare the options that turn counts into shifted PPMI; `only` names the MODEL they apply to."""
    return together(
        option(
            "--shift",
            type=Number(above=0),
            metavar="K",
            default=1,
            section=section,
            help=f"Take log K off every PMI before negative values become 0{only}.",
        ),
        option(
            "--smoothing",
            type=Number(above=0, most=1),
            metavar="A",
            default=0.75,
            section=section,
            help=f"Exponent of the context distribution; 1 is plain PMI{only}.",
        ),
        option(
            "--subsample",
            type=Number(above=0),
            metavar="T",
            show_default="off",
            section=section,
            help=f"Scale the counts as if words more frequent than T had been subsampled{only}.",
        ),
    )


model_options = together(
    option(
        "--power",
        type=Number(least=0),
        metavar="P",
        default=0.5,
        section=MODEL,
        help="Exponent of the singular values: vectors are U s^P [.factors].",
    ),
    option(
        "--contexts",
        type=click.Choice(["ignore", "add", "add-raw"]),
        default="ignore",
        section=MODEL,
        help="Add the context vectors, both scaled to length 1, or with the lengths they have [.factors].",
    ),
    option(
        "--center",
        is_flag=True,
        section=MODEL,
        show_default="off",
        help="Subtract the mean vector [.factors, vectors files].",
    ),
    option(
        "--remove-top",
        type=Integer(least=1),
        metavar="D",
        section=MODEL,
        show_default="off",
        help="Subtract the mean vector and remove the D top principal components [.factors, vectors files].",
    ),
    ppmi_options(MODEL, only=" [.counts]"),
    option(
        "--errors",
        type=click.Choice(["strict", "replace"]),
        default="strict",
        section=MODEL,
        help="Refuse what is odd in a file, or read bad bytes of words as U+FFFD, leave out repeated words "
        "and broken rows, and tell how many [vectors files].",
    ),
)
