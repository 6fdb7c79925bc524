"""``pmifact info``: what an artifact is, and how it was made."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.console import in_bytes, in_seconds, to_terminal
from pmifact.cli.factor_facts import facts_of_factors, title_of_factors
from pmifact.cli.help import Command
from pmifact.cli.options import option
from pmifact.notebook import count_of

if TYPE_CHECKING:
    from rich.table import Table

    from pmifact.vocabulary import Vocabulary

_TITLES = {"corpus": "token ids of a corpus", "counts": "co-occurrence counts"}
_SHOWN_WORDS = 8
_NAMES = 17  # characters of the column that says what is what
_SHOWN_INPUTS = 5


@click.command(
    "info", cls=Command, examples=("pmifact info wiki.counts", "pmifact info wiki.factors --verify")
)
@click.argument("artifact", metavar="ARTIFACT")
@option(
    "--verify",
    is_flag=True,
    show_default="digests in full only below 1 GiB",
    help="Check the digest of every file in full, however large.",
)
def command(artifact: str, verify: bool) -> None:
    """Show what an artifact holds and how it was made.

    ARTIFACT is a .corpus, .counts or .factors directory. It is checked as every command checks what it reads.
    """
    from pmifact.cli.run import size_of
    from pmifact.cli.tables import render
    from pmifact.storage import read_manifest, verify_artifact

    manifest = read_manifest(artifact)
    if verify:
        verify_artifact(artifact)
    stage = manifest["stage"]
    tables = [
        _section(
            f"{artifact}: {_TITLES.get(stage) or title_of_factors(manifest['options'])}",
            [*_CONTENTS[stage](artifact), ("size", in_bytes(size_of(artifact)))],
        ),
        _section("Options", _options(manifest)),
        _section("Origin", _origin(manifest)),
    ]
    click.echo(render(*tables, colour=to_terminal()), nl=False)
    if verify:
        click.echo(f"\nVerified: the digests of {count_of(len(manifest['files']), 'file')} match.")


def _corpus(path: str) -> list[tuple[str, str]]:
    from pmifact.storage import read_corpus

    corpus = read_corpus(path)
    outside = int((corpus.token_ids < 0).sum())
    total = len(corpus.token_ids)
    return [
        ("tokens", f"{total:,}, of which {outside:,} ({outside / total:.1%}) out of vocabulary"),
        ("sentences", f"{len(corpus.sentence_starts) - 1:,}"),
        *_words(corpus.vocabulary),
    ]


def _counts(path: str) -> list[tuple[str, str]]:
    from pmifact.contexts import PositionalContexts
    from pmifact.notebook import fraction_of
    from pmifact.storage import read_counts

    counts = read_counts(path)
    rows, columns = counts.matrix.shape
    contexts = []
    if isinstance(counts.contexts, PositionalContexts):
        each, offsets = len(counts.contexts.vocabulary), counts.contexts.offsets
        span = " and ".join(
            str(side[0]) if len(side) == 1 else f"{side[0]} to {side[-1]}"
            for side in ([k for k in offsets if k < 0], [k for k in offsets if k > 0])
            if side
        )
        contexts = [("contexts", f"{columns:,}: {count_of(each, 'word')} at the offsets {span}")]
    elif counts.contexts is not None:
        contexts = [("contexts", f"{columns:,}, which are not the words")]
    return [
        *_words(counts.vocabulary),
        *contexts,
        ("matrix", f"{rows:,} x {columns:,}"),
        ("distinct pairs", f"{counts.matrix.nnz:,} ({counts.matrix.nnz / (rows * columns):.2%} of all)"),
        ("sum of counts", fraction_of(counts.total, counts.unit)),
        ("unit", f"{counts.unit:,} (a stored integer over the unit is the count)"),
    ]


def _factors(path: str) -> list[tuple[str, str]]:
    from pmifact.storage import read_factors

    factors = read_factors(path)
    assert factors.vocabulary is not None  # no artifact is without one
    return [*_words(factors.vocabulary), *facts_of_factors(factors)]


_CONTENTS = {"corpus": _corpus, "counts": _counts, "factors": _factors}


def _words(vocabulary: "Vocabulary") -> list[tuple[str, str]]:
    first = ", ".join(vocabulary.words[:_SHOWN_WORDS])
    occurrences = count_of(int(vocabulary.counts.sum()), "time")
    return [
        ("words", f"{len(vocabulary):,} that occur{'s' * (len(vocabulary) == 1)} {occurrences}"),
        ("first words", first + (", ..." if len(vocabulary) > _SHOWN_WORDS else "")),
    ]


def _options(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a line a stage, oldest first: everything that decides about the numbers."""
    from pmifact.storage.settings import option_text, settings_of

    return [
        (stage, ", ".join(f"{name} {option_text(value)}" for name, value in options.items()))
        for stage, options in settings_of(manifest)
    ]


def _origin(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    inputs = manifest["inputs"]
    facts = [
        ("input", f"{source['name']} ({in_bytes(source['size'])}, sha256 {source['sha256'][:12]})")
        for source in inputs[:_SHOWN_INPUTS]
    ]
    if len(inputs) > _SHOWN_INPUTS:
        facts.append(("", f"and {len(inputs) - _SHOWN_INPUTS:,} more"))
    if manifest.get("preset"):
        facts.append(("preset", f"like {manifest['preset']}, where no option was typed"))
    facts.append(("created", manifest["created"]))
    seconds = manifest["seconds"]
    if seconds:
        facts.append(("time", ", ".join(f"{step} {in_seconds(value)}" for step, value in seconds.items())))
    if peaks := manifest.get("peak_memory"):
        facts.append(("peak memory", ", ".join(f"{step} {in_bytes(value)}" for step, value in peaks.items())))
    if manifest["threads"]:
        facts.append(("threads", str(manifest["threads"])))
    versions = {"pmifact": manifest["pmifact"], **manifest["versions"]}
    facts.append(("versions", ", ".join(f"{name} {number}" for name, number in versions.items())))
    facts.append(("vocabulary", f"sha256 {manifest['vocabulary_sha256'][:12]}"))
    return facts


def _section(title: str, facts: Iterable[tuple[str, str]]) -> "Table":
    from rich.table import Table

    from pmifact.cli.tables import prose, text

    table = Table.grid(padding=(0, 2))
    table.title = text(title, "bold")
    table.title_justify = "left"
    table.add_column(min_width=_NAMES, style="dim")
    table.add_column(overflow="fold")
    for name, value in facts:
        table.add_row(f"  {name}", prose(value, 80 - _NAMES - 2, whole_items=True))
    return table
