"""``pmifact evaluate``: word vectors to scores on gold sets."""

from pathlib import Path
from typing import Any

import click

from pmifact.cli.help import Command
from pmifact.cli.options import model_options, option, quiet, seed, threads
from pmifact.cli.parameters import Integer
from pmifact.cli.tables import format_option

GOLD = "Gold sets"


@click.command(
    "evaluate",
    cls=Command,
    examples=(
        "pmifact evaluate wiki.factors --similarity men.txt --analogy google.txt",
        "pmifact evaluate wiki.factors other.bin --similarity men.txt -o scores.csv",
    ),
)
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@option(
    "--similarity",
    metavar="FILE",
    multiple=True,
    section=GOLD,
    show_default=False,
    help="Word pairs with a score, columns separated by tabs, spaces or commas. Repeatable.",
)
@option(
    "--analogy",
    metavar="FILE",
    multiple=True,
    section=GOLD,
    show_default=False,
    help="Questions a a* b b*, four words a line, in sections ': name' or not; or pairs b b*/b*, two "
    "columns, or a folder of such files. Repeatable.",
)
@option(
    "--oov",
    type=click.Choice(["skip", "zero"]),
    default="skip",
    section=GOLD,
    help="Leave out what holds a word without a vector, or score the pair 0 and the question wrong.",
)
@option(
    "--case",
    type=click.Choice(["fold", "exact"]),
    default="fold",
    section=GOLD,
    help="Look words up as written, else lower-cased; or only as written.",
)
@option(
    "--correlation",
    type=click.Choice(["spearman", "pearson"]),
    default="spearman",
    section=GOLD,
    help="Score similarity by the correlation of ranks, the standard, or of the numbers.",
)
@option(
    "--method",
    type=click.Choice(["add", "mul", "pairdirection", "avg", "lrcos"]),
    default="add",
    section=GOLD,
    help="How analogies are solved: 3CosAdd, 3CosMul, PairDirection; or from all other pairs of the "
    "relation, 3CosAvg, LRCos.",
)
@option(
    "--controls",
    is_flag=True,
    section=GOLD,
    show_default="off",
    help="Ask analogies also with inputs kept, by b alone, without a, and reversed.",
)
@option(
    "--restrict-vocab",
    type=Integer(least=1),
    metavar="N",
    section=GOLD,
    show_default="all words",
    help="Solve analogies among the first N words alone.",
)
@option(
    "--resamples",
    type=Integer(least=0),
    metavar="N",
    default=999,
    section="Results",
    help="Bootstrap resamples for the 95 % intervals; 0 leaves them out.",
)
@option(
    "--items",
    metavar="FILE",
    section="Results",
    show_default="none",
    help="A new file for what each item got; CSV, or as .json or .md say.",
)
@model_options
@format_option
@option(
    "--output",
    "-o",
    metavar="FILE",
    section="Results",
    show_default="standard output",
    help="A new file; .csv, .json and .md name the format.",
)
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
    items: str | None,
    style: str | None,
    output: str | None,
    threads: int | None,
    seed: int,
    quiet: bool,
    **reading: Any,
) -> None:
    """Score word vectors on similarity and analogy sets.

    MODEL is a .factors, a .counts (its sparse shifted PPMI rows), or word2vec vectors (.txt, .vec, .bin). A
    similarity score is the correlation of human scores and cosines; an analogy score is the fraction of
    questions answered rightly. 'covered' counts the items whose words all have vectors.
    """
    import pandas as pd

    from pmifact.cli.console import plural
    from pmifact.cli.inputs import check_file, check_reading, read_model
    from pmifact.cli.options import refuse_given
    from pmifact.cli.run import Run
    from pmifact.cli.tables import score_tables, show, write_items
    from pmifact.evaluation import (
        evaluate_similarity,
        read_similarity,
        similarity_items,
    )
    from pmifact.evaluation.analogy import AnalogyOptions, analogy_scores, answer_set
    from pmifact.evaluation.items import TOP, answered_items
    from pmifact.evaluation.pairs import read_analogy_gold

    if not (similarity or analogy):
        raise click.UsageError(
            "give at least one --similarity FILE or --analogy FILE", click.get_current_context()
        )
    if not analogy:
        refuse_given(["method", "controls", "restrict_vocab"], "has no effect without --analogy")
    if not similarity:
        refuse_given(["correlation"], "has no effect without --similarity")
    if len(set(models)) < len(models):
        raise click.UsageError("a MODEL is given twice", click.get_current_context())
    check_reading(models)
    for target in filter(None, (output, items)):
        check_file(target, [*models, *similarity, *analogy])
    run = Run(quiet=quiet, transient=True)
    pairs = [read_similarity(path) for path in similarity]
    questions = [read_analogy_gold(path) for path in analogy]
    asking = AnalogyOptions(
        method=method, controls=controls, case=case, restrict_vocab=restrict_vocab, seed=seed
    )
    policy: dict[str, Any] = {"oov": oov, "case": case}
    resampling: dict[str, Any] = {"resamples": resamples, "seed": seed}
    frames, details = [], []
    for name, path in zip(model_names(models), models, strict=True):
        vectors = read_model(path, run, reading)
        for pair_set in pairs:
            frames.append(
                evaluate_similarity(
                    vectors, pair_set, correlation=correlation, model=name, **policy, **resampling
                )
            )
            if items:
                details.append(similarity_items(vectors, pair_set, model=name, **policy))
        for gold in questions:
            with run.step("analogy", "Solving analogies") as progress:
                for answers in answer_set(
                    vectors, gold, asking, top=TOP if items else 1, threads=threads, progress=progress
                ):
                    frames.append(analogy_scores(gold, answers, oov=oov, model=name, **resampling))
                    if items:
                        details.append(answered_items(vectors, gold.name, answers, model=name))
    scores = pd.concat(frames, ignore_index=True)
    if items:
        write_items(pd.concat(details, ignore_index=True), items)
        run.wrote(items, plural(sum(map(len, details)), "item"))
    show(scores, score_tables, style, output)
    if output:
        run.wrote(output, plural(len(scores), "score"))


def model_names(paths: tuple[str, ...]) -> list[str]:
    """Return a short name for each path: its stem, or as much more as tells it from the others."""
    spellings = (lambda path: path.stem, lambda path: path.name, str)
    names = []
    for path in map(Path, paths):
        others = [Path(other) for other in paths if Path(other) != path]
        names.append(next(spell(path) for spell in spellings if spell(path) not in map(spell, others)))
    return names
