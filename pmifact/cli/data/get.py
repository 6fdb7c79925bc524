"""``pmifact data get``: from the public sources into the cache."""

import click

from pmifact.cli.help import Command
from pmifact.cli.options import quiet


@click.command(
    "get", cls=Command, examples=("pmifact data get ws353 men", "pmifact data get bats google msr")
)
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@quiet
def command(names: tuple[str, ...], quiet: bool) -> None:
    """Fetch sets into the cache, unless they are at hand.

    What comes is checked by its digest, and put into the cache whole or not at all. Without a connection the
    message says what to get and where to put it.
    """
    from pmifact.cli.console import say
    from pmifact.cli.run import Run
    from pmifact.datasets import dataset, find_dataset, get_dataset

    known = [dataset(name) for name in names]  # a mistyped name is told of before anything is fetched
    for wanted in known:
        before = find_dataset(wanted.name)
        run = Run(quiet=quiet, transient=True)
        with run.step("get", f"Fetching {wanted.name}", "" if wanted.folder else "B") as progress:
            place = get_dataset(wanted.name, progress=progress)
        if not quiet:
            verb = "At hand" if before == place else "Fetched"
            rows = f", {wanted.rows:,} {wanted.items}" if wanted.rows else ""
            say(f"{verb}: {wanted.name}, {wanted.title}{rows}; {place.path}")
