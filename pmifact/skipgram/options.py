"""The options of skip-gram training, and which of them apply to which source and loss."""

from dataclasses import dataclass
from typing import Any

from pmifact.checks import check_choice, check_integer, check_number
from pmifact.errors import InputError

LOSSES = ("ns", "hs", "softmax")
NEGATIVE_RULES = ("word2vec", "exact")
SOURCES = ("corpus", "counts")

_LARGEST_WINDOW = 10_000
_DEFAULTS: dict[str, Any] = {
    "window": 5,
    "fixed_window": False,
    "subsample": 1e-3,
    "negatives": 5,
    "negative_rule": "word2vec",
    "noise_exponent": 0.75,
}
_OF_TEXT = ("window", "fixed_window", "subsample")
_OF_NEGATIVES = ("negatives", "negative_rule", "noise_exponent")


@dataclass(frozen=True, kw_only=True)
class SkipgramOptions:
    """How skip-gram is trained (specification, section 5); saved with the factors.

    None stands for an option that does not apply: window, fixed_window and subsample to a source of
    counts; negatives, negative_rule and noise_exponent to a loss other than ``ns``. `resolve_options`
    fills in the defaults of the others.

    Raises
    ------
    InputError
        If a value is out of range, or an option is given that does not apply.
    """

    source: str
    loss: str = "ns"
    rank: int = 300
    window: int | None = None
    fixed_window: bool | None = None
    subsample: float | None = None
    negatives: int | None = None
    negative_rule: str | None = None
    noise_exponent: float | None = None
    epochs: int = 5
    learning_rate: float = 0.025
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("source", self.source, SOURCES)
        check_choice("loss", self.loss, LOSSES)
        check_integer("rank", self.rank, least=1)
        check_integer("epochs", self.epochs, least=1)
        check_number("learning_rate", self.learning_rate, above=0.0)
        check_integer("seed", self.seed, least=0, most=2**63 - 1)
        for name in unused_options(self.source, self.loss):
            if getattr(self, name) is not None:
                raise InputError(f"{name}: {_why_unused(name, self.loss)}; leave it out")
        if self.source == "corpus":
            check_integer("window", self.window, least=1, most=_LARGEST_WINDOW)
            if not isinstance(self.fixed_window, bool):
                raise InputError(f"fixed_window: expected True or False, got {self.fixed_window!r}")
            check_number("subsample", self.subsample)
            if self.subsample < 0:  # type: ignore[operator]  # checked above
                raise InputError(f"subsample: expected a number of at least 0, got {self.subsample!r}")
        if self.loss == "ns":
            check_integer("negatives", self.negatives, least=1, most=10_000)
            check_choice("negative_rule", self.negative_rule, NEGATIVE_RULES)
            check_number("noise_exponent", self.noise_exponent)
        for name in ("rank", "window", "negatives", "epochs", "seed"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, int(value))
        for name in ("subsample", "noise_exponent", "learning_rate"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, float(value))


def unused_options(source: str, loss: str) -> tuple[str, ...]:
    """Return the names of the options that do not apply to a source and a loss."""
    return (_OF_TEXT if source == "counts" else ()) + (_OF_NEGATIVES if loss != "ns" else ())


def resolve_options(source: str, loss: str, **given: Any) -> SkipgramOptions:
    """Return the options given, with the default of each one that applies and is None."""
    unused = unused_options(source, loss)
    for name, default in _DEFAULTS.items():
        if given.get(name) is None and name not in unused:
            given[name] = default
    return SkipgramOptions(source=source, loss=loss, **given)


def _why_unused(name: str, loss: str) -> str:
    if name in _OF_TEXT:
        return "has no effect on counts, whose windows were laid when they were counted"
    return f"has no effect on the loss {loss}, which draws no negatives"
