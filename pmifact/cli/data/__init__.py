"""``pmifact data``: named gold sets and corpora."""

import click

from pmifact.cli.help import Group


@click.group(
    "data",
    cls=Group,
    package="pmifact.cli.data",
    sections={"Commands": ("list", "get", "add", "path")},
    examples=("pmifact data list", "pmifact data get ws353 men simlex999 google"),
)
def command() -> None:
    """List and fetch named gold sets and corpora.

    A set is looked for in the folder that PMIFACT_DATA names, and in its subfolders similarity, analogy and
    corpus, under the file name that it is published with; then in the cache, which is the folder that
    PMIFACT_CACHE names, or the system's place for caches. What is fetched or added goes to the cache.
    """
