"""``pmifact demo``: every stage at work on a small made-up world."""

import shlex
from pathlib import Path

import click

from pmifact.cli.help import Command
from pmifact.cli.options import option, quiet, seed, threads

FOLDER = "Folders"
_WIDTH = 76
_WORDS = ("france", "dog", "eating")
# A small text takes more epochs and longer steps than the defaults, which are for large ones.
_TRAINING = ("--rank", "100", "--epochs", "10", "--subsample", "1e-4", "--learning-rate", "0.05")
_NEXT = """
The same with your own text:
  pmifact count TEXT.txt -o mine.counts --tokenizer words --lowercase
  pmifact factorize mine.counts -o mine.factors
  pmifact skipgram mine.counts -o mine-skipgram.factors
  pmifact neighbors mine.factors WORD
'pmifact COMMAND --help' explains each command."""


@click.command(
    "demo",
    cls=Command,
    examples=("pmifact demo", "pmifact demo --output /tmp/demo --seed 1"),
)
@option(
    "--data",
    metavar="DIR",
    section=FOLDER,
    show_default="written anew",
    help="Where the world's text and gold sets are.",
)
@option(
    "--output",
    "-o",
    metavar="DIR",
    default="pmifact-demo",
    section=FOLDER,
    help="Where the artifacts go; those of an earlier demo are replaced.",
)
@threads
@seed
@quiet
def command(data: str | None, output: str, threads: int | None, seed: int, quiet: bool) -> None:
    """Show every stage at work on a small made-up world.

    Prints each command before it runs it. The world has countries and capitals, families, verbs, animals and
    food, so that the right answers are known.
    """
    folder = _make_folder(output)
    if data is None:
        data = str(folder / "data")
        _write_world(data, seed, quiet=quiet)
    text, similarity, analogies = _find_world(data)
    spread = ["--threads", str(threads)] * (threads is not None)
    drawn = ["--seed", str(seed)] * (seed != 0)
    corpus, counts, vectors = (str(folder / f"world.{ending}") for ending in ("corpus", "counts", "bin"))
    svd, skipgram = (str(folder / f"world-{trainer}.factors") for trainer in ("svd", "skipgram"))
    gold = ["--similarity", similarity, "--analogy", analogies]
    for title, args in (
        ("Text to token ids", ["encode", text, "-o", corpus, "--tokenizer", "words", "--lowercase", *spread]),
        ("Token ids to exact co-occurrence counts", ["count", corpus, "-o", counts, *spread]),
        ("Counts to the SVD of their shifted PPMI", ["factorize", counts, "-o", svd, *drawn, *spread]),
        (
            "Beside it, skip-gram on the same token ids",
            ["skipgram", corpus, "-o", skipgram, *_TRAINING, *drawn, *spread],
        ),
        ("Word vectors for other tools", ["export", svd, "-o", vectors]),
        ("The nearest words by the SVD", ["neighbors", svd, *_WORDS, "-n", "5"]),
        ("The nearest words by skip-gram", ["neighbors", skipgram, *_WORDS, "-n", "5"]),
        ("The scores of both", ["evaluate", svd, skipgram, *gold, *spread]),
    ):
        _run(title, args, quiet=quiet)
    if not quiet:
        click.echo(_NEXT, err=True)


def _run(title: str, args: list[str], *, quiet: bool) -> None:
    """Show one command and run it."""
    from pmifact.cli.root import pmifact

    if quiet:
        args = [*args, "--quiet"]
    else:
        click.echo(f"\n{click.style(f'# {title}', dim=True)}", err=True)
        click.echo(click.style(_as_typed(["pmifact", *args]), bold=True), err=True)
    pmifact.main(args=args, prog_name="pmifact", standalone_mode=False)


def _as_typed(words: list[str]) -> str:
    """Return a command as one types it, in lines that fit a terminal."""
    lines = ["$"]
    for word in map(shlex.quote, words):
        if len(lines[-1]) + len(word) > _WIDTH and len(lines[-1]) > 4:
            lines.append("   ")
        lines[-1] += f" {word}"
    return " \\\n".join(lines)


def _make_folder(output: str) -> Path:
    from pmifact.errors import ArtifactError

    try:
        Path(output).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArtifactError(f"{output}: cannot be made a directory: {error.strerror}") from error
    return Path(output)


def _find_world(data: str) -> list[str]:
    """Return the paths of the text, the similarity set and the analogy set."""
    from pmifact.errors import InputError
    from pmifact.world import ANALOGIES, CORPUS, SIMILARITY

    paths = [Path(data) / name for name in (CORPUS, SIMILARITY, ANALOGIES)]
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path}: there is no such file; leave --data out to have the world written")
    return list(map(str, paths))


def _write_world(folder: str, seed: int, *, quiet: bool) -> None:
    from pmifact.world import write_world

    if not quiet:
        click.echo(click.style(f"# A small made-up world, written to {folder}", dim=True), err=True)
    write_world(folder, seed=seed)
