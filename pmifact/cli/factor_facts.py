"""What ``pmifact info`` says of factors: how good an SVD is, how a training went."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pmifact.cli.console import in_seconds
from pmifact.notebook import count_of

if TYPE_CHECKING:
    from pmifact.factors import Factors

_LOSSES = {"ns": "negative sampling", "hs": "hierarchical softmax", "softmax": "full softmax"}
_SHOWN = (1, 2, 5)


def title_of_factors(options: Mapping[str, Any]) -> str:
    """Return what factors with these options are."""
    return "skip-gram vectors" if options.get("trainer") == "skipgram" else "truncated SVD"


def facts_of_factors(factors: "Factors") -> list[tuple[str, str]]:
    """Return names and values, for people, of all but the words."""
    options = factors.options
    trained = options.get("trainer") == "skipgram"
    note = ""
    if options.get("loss") == "hs":
        note = ", inner nodes of the Huffman tree"
    elif factors.context_vocabulary is not None:
        note = ", which are not the words"
    return [
        ("contexts", f"{len(factors.contexts):,}{note}"),
        ("rank", f"{factors.rank:,}"),
        *(_of_training(factors, options) if trained else _of_svd(factors, options)),
    ]


def _of_svd(factors: "Factors", options: Mapping[str, Any]) -> list[tuple[str, str]]:
    facts = [("singular values", spectrum(factors))]
    if "energy" in options:
        facts.append(("captured energy", f"{options['energy']:.2%} of the matrix's sum of squares"))
    if len(factors.residuals):
        worst = int(factors.residuals.argmax())
        facts.append(
            ("worst residual", f"{factors.residuals[worst]:.2g} of its singular value, the {_nth(worst + 1)}")
        )
    if "converged" in options:
        reached = "converged to" if options["converged"] else "stopped before it converged to"
        facts.append(
            (
                "solver",
                f"{reached} {options['tol']:g} in {count_of(options['iterations'], 'iteration')} "
                f"({count_of(options['restarts'], 'restart')}, {count_of(options['products'], 'product')} "
                f"with a vector, {options['precision']})",
            )
        )
    if "seconds" in options:
        phases = ", ".join(f"{phase} {in_seconds(taken)}" for phase, taken in options["seconds"].items())
        facts.append(("seconds by phase", phases))
    return facts


def spectrum(factors: "Factors") -> str:
    """Return singular values at 1, 2, 5, 10, ... and the last, each with its number."""
    numbers = [digit * 10**power for power in range(9) for digit in _SHOWN]
    numbers = [number for number in numbers if number < factors.rank] + [factors.rank]
    return ", ".join(f"{factors.strengths[number - 1]:.4g} ({_nth(number)})" for number in numbers)


def _nth(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number:,}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"


def _of_training(factors: "Factors", options: Mapping[str, Any]) -> list[tuple[str, str]]:
    finished, epochs = options["epochs_finished"], options["epochs"]
    untrained = int((~factors.words.any(axis=1)).sum())
    return [
        ("trained by", f"{_LOSSES[options['loss']]}, on {options['source']}"),
        ("epochs", f"{finished} of {epochs}{'' if finished == epochs else ': the training was interrupted'}"),
        ("loss by epoch", ", ".join(f"{loss:.4g}" for loss in options["epoch_losses"]) + " nats a pair"),
        ("deterministic", "yes" if options["deterministic"] else "no: threads wrote without locks"),
        *([("untrained words", f"{untrained:,}, without a vector")] if untrained else []),
    ]
