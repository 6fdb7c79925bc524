"""``pmifact demo``: every stage at work on a small made-up world."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from pmifact.cli.console import say
from pmifact.cli.help import Command
from pmifact.cli.options import option, quiet, seed, threads

FOLDER = "Folders"
TEXT, SIMILARITY, ANALOGY = "world.txt", "world-similarity.tsv", "world-analogy.txt"


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
    world = _find_world(data) if data else _write_world(folder, seed)
    everywhere = ["--quiet"] * quiet
    spread = ["--threads", str(threads)] * (threads is not None)
    corpus, counts, factors, export = (
        str(folder / f"world.{ending}") for ending in ("corpus", "counts", "factors", "txt")
    )

    gold = ["--similarity", str(world / SIMILARITY), "--analogy", str(world / ANALOGY)]
    _run("Text to token ids", ["encode", str(world / TEXT), "-o", corpus, *everywhere])
    _run("Token ids to co-occurrence counts", ["count", corpus, "-o", counts, *spread, *everywhere])
    _run(
        "Counts to shifted PPMI to its truncated SVD",
        ["factorize", counts, "-o", factors, "--rank", "100", "--seed", str(seed), *spread, *everywhere],
    )
    _run("Word vectors for other tools", ["export", factors, "-o", export, *everywhere])
    _run("The nearest words", ["neighbors", factors, "paris", "dog", "-n", "5"])
    _run(
        "Scores of the SVD, and of the sparse matrix it came from",
        ["evaluate", factors, counts, *gold, *spread, *everywhere],
    )
    say(
        "\nNow with your own text:\n"
        "  pmifact count TEXT.txt -o mine.counts --tokenizer words --lowercase\n"
        "  pmifact factorize mine.counts -o mine.factors\n"
        "  pmifact neighbors mine.factors WORD\n"
        "'pmifact COMMAND --help' explains each command."
    )


def _run(title: str, args: Sequence[str]) -> None:
    """Show one command and run it."""
    from pmifact.cli.root import pmifact

    click.echo(f"\n{click.style(f'# {title}', dim=True)}", err=True)
    click.echo(click.style(f"$ {shlex.join(['pmifact', *args])}", bold=True), err=True)
    pmifact.main(args=list(args), prog_name="pmifact", standalone_mode=False)


def _make_folder(output: str) -> Path:
    from pmifact.errors import ArtifactError

    try:
        Path(output).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArtifactError(f"{output}: cannot be made a directory: {error.strerror}") from error
    return Path(output)


def _find_world(data: str) -> Path:
    from pmifact.errors import InputError

    for name in (TEXT, SIMILARITY, ANALOGY):
        if not (Path(data) / name).is_file():
            raise InputError(
                f"{data}: expected {name} of the made-up world there, got none; "
                "leave --data out to have it written"
            )
    return Path(data)


def _write_world(folder: Path, seed: int) -> Path:
    from pmifact.world import write_world

    world = folder / "data"
    click.echo(click.style(f"# A small made-up world: {world}", dim=True), err=True)
    write_world(world, seed=seed)
    return world
