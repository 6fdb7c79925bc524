"""``pmifact phrases``: words that belong together to one token each."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import encode_options, memory, option, output, quiet, threads
from pmifact.cli.parameters import Integer, Number

if TYPE_CHECKING:
    from pmifact.cli.run import Run
    from pmifact.corpus import EncodedCorpus

PHRASES = "Phrases"


@click.command(
    "phrases",
    cls=Command,
    examples=(
        "pmifact phrases wiki.txt.gz -o wiki.corpus --tokenizer words --lowercase",
        "pmifact phrases wiki.corpus -o phrases.corpus --scorer word2phrase --passes 2",
    ),
)
@click.argument("inputs", metavar="INPUT...|X.corpus", nargs=-1, required=True)
@output("X.corpus", "The artifact to write; an existing .corpus is replaced.")
@option(
    "--scorer",
    type=click.Choice(["npmi", "word2phrase"]),
    default="npmi",
    section=PHRASES,
    help="Score of a pair of neighbours: normalized PMI, or that of word2phrase.",
)
@option(
    "--threshold",
    type=Number(),
    metavar="T",
    show_default="0.5 for npmi, 10 for word2phrase",
    section=PHRASES,
    help="Join the pairs that score above T.",
)
@option(
    "--min-pair-count",
    type=Integer(least=1),
    metavar="N",
    default=5,
    section=PHRASES,
    help="Leave pairs that occur less than N times alone; word2phrase takes N off every count.",
)
@option(
    "--passes",
    type=Integer(least=1),
    metavar="N",
    default=1,
    section=PHRASES,
    help="Join again what has been joined: each pass can double the length of phrases.",
)
@encode_options
@memory
@threads
@quiet
def command(
    inputs: tuple[str, ...],
    output: str,
    scorer: str,
    threshold: float | None,
    min_pair_count: int,
    passes: int,
    memory: int | None,
    threads: int | None,
    quiet: bool,
    **encoding: Any,
) -> None:
    """Join words that belong together, as new_york.

    Takes text as 'encode' does, whose rare words are left out only after joining, or one .corpus that
    'encode' made; the options under "Reading text" apply to text alone.
    """
    from dataclasses import asdict

    from pmifact.cli.inputs import check_output
    from pmifact.cli.run import Run
    from pmifact.cli.scratch import scratch_beside
    from pmifact.notebook import count_of
    from pmifact.phrases import PhraseOptions, find_phrases
    from pmifact.resources.threads import resolve_threads
    from pmifact.storage import RunRecord, write_corpus

    run = Run(quiet=quiet)
    options = PhraseOptions(scorer=scorer, threshold=threshold, min_pair_count=min_pair_count, passes=passes)
    check_output(output, "corpus", inputs)
    with scratch_beside(output) as scratch:
        corpus, made_from = _read_all_words(inputs, run, encoding, threads, scratch, memory)
        with run.step("phrases", "Joining phrases") as progress:
            joined = find_phrases(
                corpus,
                **asdict(options),
                memory=memory,
                scratch=scratch / "phrases",
                threads=threads,
                progress=progress,
            )
        made_from["history"] += ({"stage": "phrases", "options": asdict(options)},)
        record = RunRecord(**made_from, threads=resolve_threads(threads), **run.measured)
        write_corpus(joined, output, record=record)
    phrases = len(set(joined.vocabulary.words) - set(corpus.vocabulary.words))
    tokens, words = count_of(joined.token_ids.size, "token"), count_of(len(joined.vocabulary), "word")
    run.wrote(output, f"{tokens}, {words}, {phrases:,} new")


def _read_all_words(
    inputs: tuple[str, ...],
    run: "Run",
    encoding: Mapping[str, Any],
    threads: int | None,
    scratch: Path,
    memory: int | None,
) -> tuple["EncodedCorpus", dict[str, Any]]:
    """Read a corpus; of text with the rare words, which options that say so drop after joining."""
    from dataclasses import replace

    from pmifact.cli.inputs import corpus_artifact, read_text

    if corpus_artifact(inputs) or encoding["vocabulary"]:
        return read_text(inputs, run, encoding, threads, scratch, memory)
    every = {**encoding, "min_count": 1, "max_vocab": None}
    corpus, made_from = read_text(inputs, run, every, threads, scratch, memory)
    later = {name: encoding[name] for name in ("min_count", "max_vocab")}
    corpus = replace(corpus, options=replace(corpus.options, **later))
    made_from["history"] = ({"stage": "corpus", "options": vars(corpus.options)},)
    return corpus, made_from
