"""``pmifact data path``: where a set is, for other commands and tools."""

import click

from pmifact.cli.help import Command


@click.command(
    "path",
    cls=Command,
    examples=("pmifact data path ws353", "pmifact data path text8"),
)
@click.argument("name", metavar="NAME")
def command(name: str) -> None:
    """Print the file of a set, or its folder, once its digest is checked."""
    from pmifact.datasets import dataset_path

    click.echo(dataset_path(name))
