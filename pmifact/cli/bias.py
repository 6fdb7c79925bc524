"""``pmifact bias``: associations that word vectors took from their text."""

from typing import TYPE_CHECKING, Any

import click

from pmifact.cli.gold import RESULTS
from pmifact.cli.gold import output as output_option
from pmifact.cli.help import Command
from pmifact.cli.options import given, model_options, option, quiet, refuse_given, seed, threads
from pmifact.cli.parameters import Integer, ListNames
from pmifact.cli.tables import format_option

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.table import Table
    from rich.text import Text

    from pmifact.evaluation.word_lists import WordLists
    from pmifact.vectors import WordVectors

LISTS = "Word lists"
_NAMES = ("targets_x", "targets_y", "attributes_a", "attributes_b")
PROBE = ("man", "woman", "doctor")
_MEANING = (
    "d is the effect size, below 2: above 0, X is nearer to A, and Y to B, than the other way round. p is "
    "the share of splits of X and Y into two new sets with a larger difference. These numbers describe how "
    "this text uses these words, as far as these vectors hold it. They depend on the lists, and show neither "
    "what anybody thinks nor what a program that uses the vectors will do.",
    "An analogy that may not return its inputs always finds some other word: before it is taken for a bias, "
    "compare it with the answers that may be inputs, and with the plain neighbors (Nissim, van Noord & van "
    "der Goot 2020).",
)


@click.command(
    "bias",
    cls=Command,
    examples=(
        "pmifact bias wiki.factors",
        "pmifact bias wiki.factors --lists weat.json --probe man woman nurse",
        "pmifact bias wiki.factors --lists mine.json --test flowers,insects,nice,nasty",
    ),
)
@click.argument("model", metavar="MODEL")
@option(
    "--lists",
    metavar="FILE",
    section=LISTS,
    show_default="short English lists of our own",
    help='A JSON object of named lists, {"flowers": ["rose", ...], ...}.',
)
@option(
    "--test",
    "tests",
    type=ListNames(),
    metavar="X,Y,A,B",
    multiple=True,
    section=LISTS,
    show_default=False,
    help="Names of the lists of targets X and Y and attributes A and B. Repeatable.  [default: our own, and "
    "the ten of Caliskan et al. by the names that WEFE gives the lists]",
)
@option(
    "--case",
    type=click.Choice(["fold", "exact"]),
    default="fold",
    section=LISTS,
    help="Look words up as written, else lower-cased; or only as written.",
)
@option(
    "--permutations",
    type=Integer(least=0),
    metavar="N",
    default=99_999,
    section=LISTS,
    help="Take p from all splits where there are no more than N, else from N random ones; 0 leaves p out.",
)
@option(
    "--probe",
    nargs=3,
    metavar="A A* B",
    multiple=True,
    section=RESULTS,
    show_default=" ".join(PROBE),
    help="Also show B - A + A*, with and without A, A* and B as answers, and the neighbors of B. Repeatable.",
)
@option(
    "--number",
    "-n",
    type=Integer(least=1),
    metavar="N",
    default=5,
    section=RESULTS,
    help="Answers of a probe.",
)
@format_option
@output_option
@model_options
@threads
@seed
@quiet
def command(
    model: str,
    lists: str | None,
    tests: tuple[tuple[str, str, str, str], ...],
    case: str,
    permutations: int,
    probe: tuple[tuple[str, str, str], ...],
    number: int,
    style: str | None,
    output: str | None,
    threads: int | None,
    seed: int,
    quiet: bool,
    **reading: Any,
) -> None:
    """Test what word vectors associate, and show what tests do not.

    The WEAT (Caliskan, Bryson & Narayanan 2017) asks whether words X lie nearer to words A than to B, more
    than words Y do. The doctor - man + woman probe is shown with and without its own words as answers, next
    to the plain neighbors of doctor.
    """
    import pandas as pd

    from pmifact.cli.console import say
    from pmifact.cli.evaluate import model_names
    from pmifact.cli.inputs import check_file, check_reading, read_model
    from pmifact.cli.run import Run
    from pmifact.cli.tables import show
    from pmifact.evaluation.bias import evaluate_bias, probe_analogy
    from pmifact.evaluation.word_lists import OWN_LISTS, read_word_lists
    from pmifact.notebook import count_of

    if not permutations:
        refuse_given(["seed"], "has no effect without --permutations")
    check_reading([model])
    if output:
        check_file(output, [model, *([lists] if lists else [])])
    named = read_word_lists(lists) if lists else OWN_LISTS
    if not tests and not named.known_tests:
        raise click.UsageError(
            f"say with --test which of these lists are X, Y, A and B: {', '.join(named.lists)}",
            click.get_current_context(),
        )
    run = Run(quiet=quiet, transient=True)
    vectors = read_model(model, run, reading)
    (name,) = model_names((model,))
    with run.step("test", "Testing associations"):
        frames = [
            evaluate_bias(
                vectors,
                named,
                tests=tests,
                case=case,
                permutations=permutations,
                seed=seed,
                model=name,
            )
        ]
    for question in probe or (PROBE,):
        without = [word for word in question if word not in vectors or not vectors[word].any()]
        if without and not given(["probe"]):
            say(f"No probe {_asked(*question)}: {' and '.join(without)} without a vector")
            continue
        frames.append(probe_analogy(vectors, *question, number, threads=threads, model=name))
    # As objects, so that whole numbers stay whole where others have none.
    frame = pd.concat([each.astype(object) for each in frames], ignore_index=True)
    show(frame, lambda _: _tables(frames, vectors, named, case), style, output)
    if output:
        run.wrote(output, count_of(len(frame), "row"))


def _asked(a: str, a_star: str, b: str) -> str:
    return f"{b} - {a} + {a_star}"


def _tables(
    frames: list["DataFrame"], vectors: "WordVectors", lists: "WordLists", case: str
) -> list["Table | Text"]:
    from pmifact.cli.tables import prose

    tests, *probes = frames
    few = "Not scored, –, where fewer than 2 words of X or of Y, or none of A or of B, have a vector."
    return [
        _test_table(tests),
        *([prose(few)] if tests["effect"].isna().any() else []),
        *_missing(tests, vectors, lists, case),
        prose(_MEANING[0]),
        *map(_probe_table, probes),
        *([prose(_MEANING[1])] if probes else []),
    ]


def _test_table(frame: "DataFrame") -> "Table":
    from rich.text import Text

    from pmifact.cli.tables import plain_table, text

    table = plain_table("Word-Embedding Association Test")
    for heading in ("targets\nX, Y", "attributes\nA, B"):
        table.add_column(heading, overflow="fold")
    for heading in ("\nd", "\np", "\nsplits", "words\ncovered"):
        table.add_column(heading, justify="right")
    for number, row in enumerate(frame.to_dict("records")):
        if number:
            table.add_section()
        scored, tested = row["effect"] == row["effect"], row["p"] == row["p"]
        kind = "all" if row["exact"] else "drawn"
        table.add_row(
            *(
                Text("\n").join([text(row[first]), text(row[second])])
                for first, second in (_NAMES[:2], _NAMES[2:])
            ),
            f"{row['effect']:+.3f}" if scored else "–",
            _probability(row["p"]) if tested else "–",
            f"{row['splits']:,}\n{kind}" if tested else "–",
            f"{row['covered']:,} / {row['total']:,}",
        )
    return table


def _probability(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}" if p else "0"


def _missing(frame: "DataFrame", vectors: "WordVectors", lists: "WordLists", case: str) -> list["Text"]:
    """Name the words without a vector, list by list."""
    from rich.text import Text

    from pmifact.cli.console import listing
    from pmifact.cli.tables import prose, text
    from pmifact.evaluation.lookup import covered_ids
    from pmifact.notebook import count_of

    lines = []
    for title in dict.fromkeys(frame[list(_NAMES)].to_numpy().ravel()):
        words = lists.lists[title]
        ids = covered_ids(vectors, words, case=case).tolist()
        left_out = [word for word, word_id in zip(words, ids, strict=True) if word_id < 0]
        if left_out:
            left = f"  {title}: {len(left_out)} of {len(words)}: {listing(left_out, 4)}"
            lines.append(prose(left, indent="    "))
    total = count_of(len(lines), "list")
    return [Text("\n").join([text(f"Words without a vector, left out of {total}:"), *lines])] if lines else []


def _probe_table(frame: "DataFrame") -> "Table":
    from pmifact.cli.tables import plain_table, text

    rows = frame.to_dict("records")
    question = tuple(rows[0][name] for name in ("a", "a_star", "b"))
    table = plain_table(f"{_asked(*question)} (3CosAdd), and the neighbors of {question[2]}")
    columns = [[row for row in rows if row["way"] == way] for way in frame["way"].unique()]
    table.add_column("\nrank", justify="right")
    for heading in ("inputs excluded\nanswer", "inputs kept\nanswer", "\nneighbor"):
        table.add_column(heading, overflow="fold")
        table.add_column("\ncosine" if "neighbor" in heading else "\nscore", justify="right")
    for rank in range(max(map(len, columns))):
        cells: list[Any] = []
        for column in columns:
            row = column[rank] if rank < len(column) else None
            cells += [text(row["word"]), f"{row['score']:.3f}"] if row else ["", ""]
        table.add_row(str(rank + 1), *cells)
    return table
