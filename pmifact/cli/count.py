"""``pmifact count``: text or token ids to co-occurrence counts."""

from typing import Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import count_options, encode_options, like, memory, output, quiet, seed, threads


@click.command(
    "count",
    cls=Command,
    examples=(
        "pmifact count wiki.txt.gz -o wiki.counts --lowercase --min-count 20",
        "pmifact count wiki.corpus -o wiki-w2.counts --window 2 --weighting flat",
        "pmifact count wiki.corpus -o x.counts --positional --context-vocabulary 2000",
    ),
)
@click.argument("inputs", metavar="INPUT...|X.corpus", nargs=-1, required=True)
@output("X.counts", "The artifact to write; an existing .counts is replaced.")
@count_options
@encode_options
@like("encode", "count", note="; on a .corpus, of counting alone")
@memory
@threads
@seed
@quiet
def command(
    inputs: tuple[str, ...],
    output: str,
    threads: int | None,
    seed: int,
    quiet: bool,
    window: tuple[int, int],
    weighting: str,
    oov: str,
    positional: bool,
    subsample: float | None,
    subsample_mode: str,
    context_vocabulary: int | str | None,
    min_pair_count: int | None,
    like: str | None,
    memory: int | None,
    **encoding: Any,
) -> None:
    """Count how often words stand near each other, exactly.

    Takes text as 'encode' does, or one .corpus that 'encode' made; the options under
    "Reading text" apply to text alone.
    """
    from dataclasses import asdict

    from pmifact.cli.console import say
    from pmifact.cli.inputs import check_output, read_text
    from pmifact.cli.options import refuse_given
    from pmifact.cli.room import check_room
    from pmifact.cli.run import Run
    from pmifact.cli.scratch import scratch_beside
    from pmifact.cooccurrence import count_cooccurrences
    from pmifact.counting.options import GIVEN, CountOptions
    from pmifact.disk import estimate_disk
    from pmifact.notebook import count_of
    from pmifact.resources.threads import resolve_threads
    from pmifact.storage import RunRecord, read_vocabulary, write_counts
    from pmifact.vocabulary import Vocabulary

    run = Run(quiet=quiet)
    if subsample is None:
        refuse_given(["subsample_mode"], "has no effect without --subsample")
    options = CountOptions(
        window=window,
        weighting=weighting,
        oov=oov,
        positional=positional,
        subsample=subsample,
        subsample_mode=subsample_mode,
        context_vocabulary=GIVEN if isinstance(context_vocabulary, str) else context_vocabulary,
        min_pair_count=min_pair_count,
        seed=seed,
    )
    check_output(output, "counts", inputs)
    columns: int | Vocabulary | None = (
        read_vocabulary(context_vocabulary) if isinstance(context_vocabulary, str) else context_vocabulary
    )
    with scratch_beside(output) as scratch:
        corpus, made_from = read_text(inputs, run, encoding, threads, scratch, memory)
        need = estimate_disk(corpus, options, context_vocabulary=columns, memory=memory, threads=threads)
        check_room(output, scratch / "shards", need, pruned=min_pair_count is not None, quiet=quiet)
        with run.step("count", "Counting pairs", "token") as progress:
            counts = count_cooccurrences(
                corpus,
                **asdict(options) | {"context_vocabulary": columns},
                memory=memory,
                scratch=scratch / "shards",
                threads=threads,
                progress=progress,
            )
        record = RunRecord(**made_from, threads=resolve_threads(threads), preset=like, **run.measured)
        write_counts(counts, output, record=record)
    what = [count_of(len(counts.vocabulary), "word"), count_of(counts.matrix.nnz, "distinct pair")]
    if counts.contexts is not None:
        what.insert(1, count_of(len(counts.contexts), "context"))
    run.wrote(output, ", ".join(what))
    if not counts.matrix.nnz and not quiet:
        say(f"{output}: no two words of the vocabulary stand in one window; there is nothing to factorize")
