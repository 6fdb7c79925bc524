"""``pmifact report``: one HTML page about models, to look at, show and share."""

from collections.abc import Iterator
from typing import Any

import click

from pmifact.cli.gold import choose_sets, gold_options, read_gold
from pmifact.cli.help import Command
from pmifact.cli.options import model_options, option, output, quiet, refuse_given, seed, threads
from pmifact.cli.parameters import Integer, Number

PAGE = "The page"


@click.command(
    "report",
    cls=Command,
    examples=(
        "pmifact report svd.factors sgns.factors -o report.html --similarity men.txt",
        "pmifact report rank*.factors -o ranks.html --analogy google.txt",
    ),
)
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@output("FILE.html", "The page; an older report there is replaced.")
@option("--title", metavar="TEXT", default="Word vectors compared", section=PAGE, help="Title of the page.")
@option(
    "--search-words",
    type=Integer(least=1, most=10_000),
    metavar="N",
    default=1_000,
    section=PAGE,
    help="The neighbors of the N most frequent words can be searched; fewer with many models.",
)
@option(
    "--neighbors",
    "-n",
    type=Integer(least=1, most=100),
    metavar="N",
    default=10,
    section=PAGE,
    help="Neighbors a word.",
)
@option(
    "--map-words",
    type=Integer(least=3, most=300),
    metavar="N",
    default=60,
    section=PAGE,
    help="The N most frequent words are on the maps.",
)
@option(
    "--items",
    type=Integer(least=1, most=1_000),
    metavar="N",
    default=50,
    section=PAGE,
    help="List N pairs and questions of each set that models get wrong.",
)
@option(
    "--also-power",
    type=Number(above=-1e-9),
    metavar="P",
    multiple=True,
    section=PAGE,
    show_default="none",
    help="Show each .factors also with this --power; repeatable.",
)
@gold_options
@option(
    "--oov",
    type=click.Choice(["skip", "zero"]),
    default="skip",
    section="Gold sets",
    help="Leave out what holds a word without a vector, or score the pair 0 and the question wrong.",
)
@model_options
@threads
@seed
@quiet
def command(
    models: tuple[str, ...],
    output: str,
    title: str,
    similarity: tuple[str, ...],
    analogy: tuple[str, ...],
    also_power: tuple[float, ...],
    quiet: bool,
    **settings: Any,
) -> None:
    """Make one HTML page of scores, maps, neighbors and errors.

    The page is one file that needs no network; what models share and in what they differ stands first, and
    verdicts say in words which scores differ. MODEL is a .factors, a .counts (its sparse shifted PPMI rows),
    or a vectors file (.txt, .vec, .bin, .npz, .safetensors, .parquet, .tsv). Without gold sets it has no
    scores, verdicts and errors.
    """
    from pmifact.cli.evaluate import model_names
    from pmifact.cli.inputs import applying, check_reading
    from pmifact.cli.run import Run
    from pmifact.notebook import count_of
    from pmifact.plotting.style import import_matplotlib
    from pmifact.report import Report, ReportOptions, check_report_target, read_report_model, write_report
    from pmifact.report.page import import_jinja2
    from pmifact.storage import artifact_stage

    wanted = choose_sets(similarity, analogy, needed=False)
    if len(set(models)) < len(models):
        raise click.UsageError("a MODEL is given twice", click.get_current_context())
    import_matplotlib()  # told of before the work
    import_jinja2()
    check_reading(models)
    if also_power and not any(artifact_stage(path) == "factors" for path in models):
        refuse_given(["also_power"], "applies to a .factors MODEL only, and none is given")
    check_report_target(output)
    sets = read_gold(*wanted)
    run = Run(quiet=quiet, transient=True)
    shown = ("search_words", "neighbors", "map_words", "items")
    scoring = ("correlation", "method", "case", "oov", "restrict_vocab", "resamples", "seed", "threads")
    report = Report(
        ReportOptions(
            similarity=sets.similarity,
            analogy=sets.analogy,
            sets_needed=sets.chosen,
            **{name: settings[name] for name in (*shown, *scoring)},
        )
    )
    readings = [
        (path, *reading)
        for name, path in zip(model_names(models), models, strict=True)
        for reading in _readings(name, applying(path, settings), also_power)
    ]
    for path, name, reading in readings:
        with run.step("read", "Reading vectors"):
            model = read_report_model(path, name, **reading)
        with run.step("measure", f"Measuring {name}") as progress:
            report.add(model, progress)
        del model  # one at a time
    with run.step("write", "Writing the page"):
        write_report(report, output, title=title)
    run.wrote(output, count_of(len(readings), "model"))


def _readings(
    name: str, reading: dict[str, Any], also_power: tuple[float, ...]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the options of a model, and of each further power that it is shown with."""
    if not also_power or "power" not in reading:
        yield name, reading
        return
    for power in dict.fromkeys((reading["power"], *also_power)):
        yield f"{name}, power {power:g}", reading | {"power": power}
