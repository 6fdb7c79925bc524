"""``pmifact data add``: a set that somebody has, into the cache."""

import click

from pmifact.cli.help import Command
from pmifact.cli.options import quiet


@click.command(
    "add",
    cls=Command,
    examples=(
        "pmifact data add simverb3500 Downloads/SimVerb-3500.txt",
        "pmifact data add bats Downloads/BATS_3.0",
    ),
)
@click.argument("name", metavar="NAME")
@click.argument("path", metavar="FILE|FOLDER")
@quiet
def command(name: str, path: str, quiet: bool) -> None:
    """Copy a set that you have into the cache.

    FILE is the file as it is published, or the folder for a set of several files. A set with a digest must
    have it; any other must have as many items as were published, and its digest is noted and checked from
    then on.
    """
    from pmifact.cli.console import in_bytes, say
    from pmifact.cli.run import size_of
    from pmifact.datasets import add_dataset, dataset

    wanted = dataset(name)
    place = add_dataset(name, path)
    if not quiet:
        rows = f", {wanted.rows:,} {wanted.items}" if wanted.rows else f", {in_bytes(size_of(place.path))}"
        say(f"Added: {name}, {wanted.title}{rows}; {place.path}")
