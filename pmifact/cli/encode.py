"""``pmifact encode``: text to token ids."""

from typing import Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import encode_options, like, memory, output, quiet, threads


@click.command(
    "encode",
    cls=Command,
    examples=(
        "pmifact encode wiki.txt.gz -o wiki.corpus --tokenizer words --lowercase",
        "pmifact encode articles.jsonl.gz -o articles.corpus --field body",
        "zstdcat news.zst | pmifact encode - -o news.corpus --vocabulary wiki.corpus",
    ),
)
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@output("X.corpus", "The artifact to write; an existing .corpus is replaced.")
@encode_options
@like("encode")
@memory
@threads
@quiet
def command(
    inputs: tuple[str, ...],
    output: str,
    threads: int | None,
    quiet: bool,
    like: str | None,
    memory: int | None,
    **encoding: Any,
) -> None:
    """Turn text into token ids and a vocabulary.

    INPUT is a file (text, JSON Lines, CoNLL-U or Parquet; plain, .gz, .bz2, .xz or .zst), a directory, a glob
    in quotes, or - for standard input.
    """
    from pmifact.cli.inputs import check_output, encode, refuse_artifacts
    from pmifact.cli.run import Run
    from pmifact.cli.scratch import scratch_beside
    from pmifact.notebook import count_of
    from pmifact.resources.threads import resolve_threads
    from pmifact.storage import RunRecord, write_corpus

    run = Run(quiet=quiet)
    check_output(output, "corpus", inputs)
    refuse_artifacts(inputs)
    with scratch_beside(output) as scratch:
        corpus = encode(inputs, run, encoding, threads, scratch=scratch, memory=memory)
        record = RunRecord(
            inputs=corpus.sources, threads=resolve_threads(threads), preset=like, **run.measured
        )
        write_corpus(corpus, output, record=record)
    run.wrote(
        output, f"{count_of(corpus.token_ids.size, 'token')}, {count_of(len(corpus.vocabulary), 'word')}"
    )
