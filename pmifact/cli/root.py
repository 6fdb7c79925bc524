"""The command ``pmifact``: the table of its commands."""

import click

from pmifact.cli.help import Group

SECTIONS = {
    "From text to word vectors": (
        "encode",
        "phrases",
        "count",
        "convert",
        "merge",
        "spectrum",
        "factorize",
        "skipgram",
    ),
    "Use the word vectors": (
        *("evaluate", "compare", "objective", "neighbors", "analogy", "contexts", "bias", "export"),
    ),
    "Show and share": ("plot", "report"),
    "Make the papers' tables again": ("reproduce",),
    "Look around": ("info", "data", "demo"),
}


@click.group(
    cls=Group,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@click.version_option(package_name="pmifact", message="%(prog)s %(version)s")
def pmifact() -> None:
    """PMI/SVD word embeddings: exact counts, shifted PPMI, truncated SVD, skip-gram, and their evaluation.

    Each stage is one command; each result is one file or directory:

    \b
      text --encode--> .corpus --count--> .counts --factorize--> .factors
      .corpus or .counts --skipgram--> .factors
      .factors --evaluate--> scores       .factors --export--> vector files

    Results go to standard output, everything else to standard error.
    'pmifact COMMAND --help' explains a command with examples; 'pmifact demo' shows them all at work.
    """  # noqa: D301  # click keeps the paragraph after a real \b as it is written
