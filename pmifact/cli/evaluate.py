"""``pmifact evaluate``: word vectors to scores on gold sets."""

import os
from pathlib import Path
from typing import Any

import click

from pmifact.cli.gold import GOLD, RESULTS, choose_sets, gold_options, read_gold
from pmifact.cli.gold import output as output_option
from pmifact.cli.help import Command
from pmifact.cli.options import model_options, option, quiet, seed, threads
from pmifact.cli.tables import format_option


@click.command(
    "evaluate",
    cls=Command,
    examples=(
        "pmifact evaluate wiki.factors --similarity men --analogy google",
        "pmifact evaluate wiki.factors other.bin --similarity men.txt -o scores.csv",
    ),
)
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@gold_options
@option(
    "--oov",
    type=click.Choice(["skip", "zero"]),
    default="skip",
    section=GOLD,
    help="Leave out what holds a word without a vector, or score the pair 0 and the question wrong.",
)
@option(
    "--controls",
    is_flag=True,
    section=GOLD,
    show_default="off",
    help="Ask analogies also with inputs kept, by b alone, without a, and reversed.",
)
@option(
    "--like",
    type=click.Choice(["hyperwords"]),
    section=GOLD,
    show_default="none",
    help="Score also by the rules of hyperwords, one at a time and all together.",
)
@option(
    "--items",
    metavar="FILE",
    section=RESULTS,
    show_default="none",
    help="A new file for what each item got; CSV, or as .json or .md say.",
)
@model_options
@format_option
@output_option
@threads
@seed
@quiet
def command(
    models: tuple[str, ...],
    similarity: tuple[str, ...],
    analogy: tuple[str, ...],
    oov: str,
    case: str,
    correlation: str,
    method: str,
    controls: bool,
    restrict_vocab: int | None,
    resamples: int,
    like: str | None,
    items: str | None,
    style: str | None,
    output: str | None,
    threads: int | None,
    seed: int,
    quiet: bool,
    **reading: Any,
) -> None:
    """Score word vectors on similarity and analogy sets.

    MODEL is a .factors, a .counts (its sparse shifted PPMI rows), or a vectors file (.txt, .vec, .bin, .npz,
    .safetensors, .parquet, .tsv). A
    similarity score is the correlation of human scores and cosines; an analogy score is the fraction of
    questions answered rightly. 'covered' counts the items whose words all have vectors.
    """
    import pandas as pd

    from pmifact.cli.inputs import check_file, check_reading, read_model
    from pmifact.cli.run import Run
    from pmifact.cli.tables import score_tables, show, write_items
    from pmifact.errors import InputError
    from pmifact.evaluation import evaluate_similarity, similarity_items
    from pmifact.evaluation.analogy import analogy_scores, answer_set
    from pmifact.evaluation.items import TOP, answered_items
    from pmifact.evaluation.ways import AnalogyOptions
    from pmifact.notebook import count_of

    wanted = choose_sets(similarity, analogy, "controls")
    if len(set(models)) < len(models):
        raise click.UsageError("a MODEL is given twice", click.get_current_context())
    check_reading(models)
    if output and items and os.path.realpath(output) == os.path.realpath(items):
        raise click.UsageError("--output and --items name the same file", click.get_current_context())
    for target in filter(None, (output, items)):
        check_file(target, [*models, *similarity, *analogy])
    sets = read_gold(*wanted)
    run = Run(quiet=quiet, transient=True)
    asking = AnalogyOptions(
        method=method, controls=controls, like=like, case=case, restrict_vocab=restrict_vocab, seed=seed
    )
    policy: dict[str, Any] = {"oov": oov, "case": case}
    resampling: dict[str, Any] = {"resamples": resamples, "seed": seed}
    frames, details = [], []
    for name, path in zip(model_names(models), models, strict=True):
        vectors = read_model(path, run, reading)
        for pair_set in sets.similarity:
            with sets.leaving_out():
                frames.append(
                    evaluate_similarity(
                        vectors,
                        pair_set,
                        correlation=correlation,
                        like=like,
                        model=name,
                        **policy,
                        **resampling,
                    )
                )
                if items:
                    details.append(similarity_items(vectors, pair_set, model=name, **policy))
        for gold in sets.analogy:
            with sets.leaving_out(), run.step("analogy", "Solving analogies") as progress:
                for answers in answer_set(
                    vectors, gold, asking, top=TOP if items else 1, threads=threads, progress=progress
                ):
                    frames.append(analogy_scores(gold, answers, oov=oov, model=name, **resampling))
                    if items:
                        details.append(answered_items(vectors, gold.name, answers, model=name))
    if not frames:
        raise InputError("none of the gold sets at hand can be used; name one with --similarity or --analogy")
    scores = pd.concat(frames, ignore_index=True)
    if items:
        write_items(pd.concat(details, ignore_index=True), items)
        run.wrote(items, count_of(sum(map(len, details)), "item"))
    show(scores, score_tables, style, output)
    if output:
        run.wrote(output, count_of(len(scores), "score"))


def model_names(paths: tuple[str, ...]) -> list[str]:
    """Return a short name for each path: its stem, or as much more as tells it from the others."""
    spellings = (lambda path: path.stem, lambda path: path.name, str)
    names = []
    for path in map(Path, paths):
        others = [Path(other) for other in paths if Path(other) != path]
        names.append(next(spell(path) for spell in spellings if spell(path) not in map(spell, others)))
    return names
