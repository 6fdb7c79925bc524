"""``pmifact encode``: text to token ids."""

from typing import Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import encode_options, output, quiet


@click.command(
    "encode",
    cls=Command,
    examples=(
        "pmifact encode wiki.txt.gz -o wiki.corpus --tokenizer words --lowercase",
        "zstdcat news.zst | pmifact encode - -o news.corpus --vocabulary wiki.corpus",
    ),
)
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@output("X.corpus", "The artifact to write; an existing .corpus is replaced.")
@encode_options
@quiet
def command(inputs: tuple[str, ...], output: str, quiet: bool, **encoding: Any) -> None:
    """Turn text into token ids and a vocabulary.

    INPUT is a text file (plain, .gz, .bz2, .xz or .zst), a directory, a glob in quotes, or - for standard
    input.
    """
    from pmifact.cli.console import plural
    from pmifact.cli.inputs import check_output, encode, refuse_artifacts
    from pmifact.cli.run import Run
    from pmifact.storage import RunRecord, write_corpus

    run = Run(quiet=quiet)
    check_output(output, "corpus", inputs)
    refuse_artifacts(inputs)
    corpus = encode(inputs, run, encoding)
    write_corpus(corpus, output, record=RunRecord(inputs=corpus.sources, seconds=run.seconds))
    run.wrote(output, f"{corpus.token_ids.size:,} tokens, {plural(len(corpus.vocabulary), 'word')}")
