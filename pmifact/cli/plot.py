"""``pmifact plot``: word vectors, spectra and scores as pictures."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.gold import choose_sets, gold_options, read_gold
from pmifact.cli.help import Command
from pmifact.cli.options import model_options, option, output, quiet, refuse_given, seed, threads
from pmifact.cli.parameters import Integer, Number

if TYPE_CHECKING:
    from pandas import DataFrame

    from pmifact.cli.run import Run
    from pmifact.plotting.style import Figure

MAP = "The map"
_KINDS = {"map": "one MODEL", "spectrum": ".factors", "scores": "MODELs, or score tables"}
_OF_MAP = ("words", "word", "number")
_OF_SCORES = ("similarity", "analogy", "case", "correlation", "method", "restrict_vocab", "resamples")
_READING = ("power", "contexts", "center", "remove_top", "shift", "smoothing", "subsample", "errors")
_TABLES = (".csv", ".json")


@click.command(
    "plot",
    cls=Command,
    examples=(
        "pmifact plot wiki.factors -o map.png",
        "pmifact plot wiki.factors -o animals.svg --words animals.txt",
        "pmifact plot a.factors b.factors -o spectrum.svg --kind spectrum",
        "pmifact plot scores.csv -o scores.png --kind scores",
    ),
)
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@output("FILE", "The picture: .png (300 dots an inch) or .svg (its text is text).")
@option(
    "--kind",
    type=click.Choice(list(_KINDS)),
    default="map",
    section="The picture",
    help="A map of words; the singular values of one or several .factors; or scores with their intervals, of "
    "models on gold sets or from a table (.csv, .json) of pmifact evaluate.",
)
@option(
    "--width",
    type=Number(above=1.99, most=40),
    metavar="INCHES",
    section="The picture",
    show_default="map 6.9, others 3.35",
    help="Width of the picture; its letters are 7 points high whatever it is.",
)
@option(
    "--number",
    "-n",
    type=Integer(least=3, most=1000),
    metavar="N",
    default=100,
    section=MAP,
    help="Draw the N most frequent words.",
)
@option(
    "--words",
    metavar="FILE",
    section=MAP,
    show_default="the most frequent",
    help="Draw these words instead, one a line.",
)
@option(
    "--word",
    metavar="WORD",
    multiple=True,
    section=MAP,
    show_default=False,
    help="Draw this word; repeatable.",
)
@gold_options
@model_options
@threads
@seed
@quiet
def command(
    models: tuple[str, ...], output: str, kind: str, width: float | None, quiet: bool, **settings: Any
) -> None:
    """Draw a map of words, spectra, or scores.

    The map shows words where the first two principal components of their vectors put them; labels do not
    overlap. MODEL is a .factors, a .counts (its sparse shifted PPMI rows), or a vectors file (.txt,
    .vec, .bin, .npz, .safetensors, .parquet, .tsv).
    """
    from pmifact.cli.run import Run
    from pmifact.plotting import check_picture_target, save_picture
    from pmifact.plotting.style import COLUMN, PAGE, import_matplotlib

    for others, names in (("map", _OF_MAP), ("scores", (*_OF_SCORES, "threads", "seed"))):
        if kind != others:
            refuse_given(names, f"has no effect on --kind {kind}")
    import_matplotlib()  # told of before the work
    check_picture_target(output)
    run = Run(quiet=quiet, transient=True)
    width = width or (PAGE if kind == "map" else COLUMN)
    figure, what = {"map": _map, "spectrum": _spectrum, "scores": _scores}[kind](models, run, width, settings)
    with run.step("write", "Writing the picture"):
        save_picture(figure, output)
    run.wrote(output, what)


def _map(
    models: Sequence[str], run: "Run", width: float, settings: Mapping[str, Any]
) -> "tuple[Figure, str]":
    from pmifact.cli.inputs import check_reading, read_model
    from pmifact.notebook import count_of
    from pmifact.plotting import draw_map

    if len(models) > 1:
        raise click.UsageError("a map shows one MODEL", click.get_current_context())
    check_reading(models)
    words = _given_words(settings)
    vectors = read_model(models[0], run, settings)
    if words is None:
        drawn = (
            word for word, covered in zip(vectors.vocabulary.words, vectors.covered, strict=True) if covered
        )
        words = [word for word, _ in zip(drawn, range(settings["number"]), strict=False)]
    with run.step("draw", "Drawing"):
        return draw_map(vectors, words, width=width), count_of(len(words), "word")


def _given_words(settings: Mapping[str, Any]) -> list[str] | None:
    from pmifact.errors import InputError
    from pmifact.storage import read_vocabulary

    words = [*read_vocabulary(settings["words"]).words] if settings["words"] else []
    words += settings["word"]
    if 0 < len(set(words)) < 3:
        raise InputError(
            f"--word, --words: expected at least 3 words for a map, got {len(set(words))}; name more"
        )
    if words:
        refuse_given(["number"], "has no effect beside --words and --word")
    return list(dict.fromkeys(words)) or None


def _spectrum(
    models: Sequence[str], run: "Run", width: float, settings: Mapping[str, Any]
) -> "tuple[Figure, str]":
    from pmifact.cli.evaluate import model_names
    from pmifact.notebook import count_of
    from pmifact.plotting import draw_spectrum
    from pmifact.storage import read_factors

    refuse_given(_READING, "has no effect on --kind spectrum")
    _refuse_twice(models)
    factors = {}
    for name, path in zip(model_names(tuple(models)), models, strict=True):
        with run.step("read", "Reading factors"):
            factors[name] = read_factors(path)
    return draw_spectrum(factors, width=width), count_of(len(factors), "spectrum").replace(
        "spectrums", "spectra"
    )


def _scores(
    models: Sequence[str], run: "Run", width: float, settings: Mapping[str, Any]
) -> "tuple[Figure, str]":
    from pmifact.notebook import count_of
    from pmifact.plotting import draw_scores

    _refuse_twice(models)
    tables = [path for path in models if path.lower().endswith(_TABLES)]
    if tables and len(tables) < len(models):
        raise click.UsageError("give MODELs or score tables, not both", click.get_current_context())
    if tables:
        refuse_given(
            (*_OF_SCORES, *_READING, "threads", "seed"), "has no effect on scores that are read from a file"
        )
        scores = _read_scores(tables)
    else:
        scores = _evaluated(models, run, settings)
    return draw_scores(scores, width=width), count_of(len(scores["model"].unique()), "model")


def _refuse_twice(models: Sequence[str]) -> None:
    if len(set(models)) < len(models):
        raise click.UsageError("a MODEL is given twice", click.get_current_context())


def _evaluated(models: Sequence[str], run: "Run", settings: Mapping[str, Any]) -> "DataFrame":
    import pandas as pd

    from pmifact.cli.evaluate import model_names
    from pmifact.cli.inputs import check_reading, read_model
    from pmifact.errors import InputError
    from pmifact.evaluation import evaluate_analogy, evaluate_similarity

    wanted = choose_sets(settings["similarity"], settings["analogy"])
    check_reading(models)
    sets = read_gold(*wanted)
    shared = {name: settings[name] for name in ("case", "resamples", "seed")}
    asking = {name: settings[name] for name in ("method", "restrict_vocab", "threads")}
    frames = []
    for name, path in zip(model_names(tuple(models)), models, strict=True):
        vectors = read_model(path, run, settings)
        for pairs in sets.similarity:
            with sets.leaving_out():
                frames.append(
                    evaluate_similarity(
                        vectors, pairs, model=name, correlation=settings["correlation"], **shared
                    )
                )
        for asked in sets.analogy:
            with sets.leaving_out(), run.step("analogy", "Solving analogies") as progress:
                frames.append(
                    evaluate_analogy(vectors, asked, model=name, progress=progress, **shared, **asking)
                )
    if not frames:
        raise InputError("none of the gold sets at hand can be used; name one with --similarity or --analogy")
    return pd.concat(frames, ignore_index=True)


def _read_scores(paths: Sequence[str]) -> "DataFrame":
    import pandas as pd

    from pmifact.evaluation.tables import read_score_table

    return pd.concat([read_score_table(path) for path in paths], ignore_index=True)
