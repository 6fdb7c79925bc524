"""``pmifact reproduce``: the tables of two papers, made again on any text."""

import click

from pmifact.cli.help import Group


@click.group(
    "reproduce",
    cls=Group,
    package="pmifact.cli.reproduce",
    sections={"Commands": ("levy2014", "levy2015")},
    examples=(
        "pmifact reproduce levy2014 wiki/*.txt.gz -o nips2014 --dry-run",
        "pmifact reproduce levy2015 wiki/*.txt.gz -o tacl2015 --grid small",
    ),
)
def command() -> None:
    """Make the tables of two papers again, on any text.

    They are Levy & Goldberg (2014) and Levy, Goldberg & Dagan (2015). The papers' figures stand beside ours.
    A plan comes first; what is finished is kept, so that a run that was interrupted goes on, and a changed
    option does again only what depends on it.
    """
