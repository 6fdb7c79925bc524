"""``pmifact evaluate``: the same scores in every format."""

import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from cli_samples import in_process, make_all

import pmifact
from pmifact.cli.evaluate import model_names
from pmifact.cli.tables import render, score_tables
from pmifact.evaluation import analogy_items, similarity_items
from pmifact.storage import read_vectors


@pytest.fixture
def cli(capsys):
    return lambda *args: in_process(capsys, *args)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the text, its gold sets, and an artifact of each stage."""
    return make_all(tmp_path_factory.mktemp("made"))


def gold(made):
    return "--similarity", made / "pairs.tsv", "--analogy", made / "questions.txt"


def test_scores_and_items_are_two_files(cli, made, tmp_path):
    target = tmp_path / "x.csv"
    outcome = cli(
        "evaluate", made / "small.factors", *gold(made), "-o", target, "--items", tmp_path / "." / "x.csv"
    )
    assert (outcome.status, outcome.out) == (2, "")
    assert "--output and --items name the same file" in outcome.err
    assert not target.exists()


@pytest.mark.parametrize("style", ["csv", "json"])
def test_machine_formats_hold_every_digit_of_the_api(cli, made, style):
    outcome = cli("evaluate", made / "small.factors", *gold(made), "--format", style)
    assert outcome.status == 0, outcome.err
    assert outcome.err == ""
    vectors = read_vectors(made / "small.factors")
    frames = [
        pmifact.evaluate_similarity(vectors, made / "pairs.tsv", model="small"),
        pmifact.evaluate_analogy(vectors, made / "questions.txt", model="small"),
    ]
    rows = json.loads(outcome.out) if style == "json" else list(csv.DictReader(io.StringIO(outcome.out)))
    expected = [row for frame in frames for row in frame.to_dict("records")]
    assert len(rows) == len(expected)
    for row, other in zip(rows, expected, strict=True):
        assert list(row) == list(other)
        for name, value in other.items():
            unknown = isinstance(value, float) and np.isnan(value)
            if style == "json":
                assert row[name] == (None if unknown else value)
            else:
                assert row[name] == ("" if unknown else str(value))


def test_markdown(cli, made):
    outcome = cli(
        "evaluate", made / "small.factors", "--similarity", made / "pairs.tsv", "--format", "markdown"
    )
    head, rule, row = outcome.out.splitlines()
    assert head.startswith("| model | dataset | task |")
    assert rule.count("---:") == 5
    assert row.startswith("| small | pairs | similarity | all | spearman | ")
    assert row.endswith("| 5 | 6 |")
    outcome = cli(
        *("evaluate", made / "small.factors", "--similarity", made / "pairs.tsv"),
        *("--resamples", "0", "--format", "markdown"),
    )
    assert outcome.out.endswith("|  |  | 5 | 6 |\n")


def test_the_table_is_for_people(cli, made):
    lines = cli("evaluate", made / "small.factors", made / "small.counts", *gold(made)).out.splitlines()
    assert lines[0] == "Similarity, Spearman's rho"
    assert lines[1].split() == ["model", "dataset", "score", "interval", "covered"]
    assert [line.split()[0] for line in lines[3:5]] == ["small.factors", "small.counts"]
    assert lines[3].endswith("5 / 6")
    start = lines.index("Analogy, 3CosAdd")
    assert lines[start + 1].split() == ["model,", "dataset", "score", "interval", "covered"]
    blocks = [lines[start + 3 : start + 10], lines[start + 11 :]]
    for model, block in zip(("small.factors", "small.counts"), blocks, strict=True):
        assert re.sub(r" +", " ", block[1]).startswith(" questions 0.100 0.")
        assert block[1].endswith(" 10 / 11")
        assert [re.sub(r" +\d.*", "", line) for line in block] == [
            *(model, "  questions", "    macro"),
            *("    semantic", "      ships", "    syntactic", "      gram1-plural"),
        ]
    assert max(map(len, lines)) <= 80


def test_a_section_without_a_covered_question_has_no_score(cli, made, tmp_path):
    (tmp_path / "q.txt").write_text(": ships\ncat dog boat sail\n: gems\ncat dog ruby opal\n")
    lines = cli("evaluate", made / "small.factors", "--analogy", tmp_path / "q.txt").out.splitlines()
    assert lines[-1].split() == ["gems", "-", "0", "/", "1"]


def test_intervals_are_shown_where_they_are_known():
    rows = {"model": "m", "dataset": "d", "task": "similarity", "section": "all", "method": "spearman"}
    frame = pd.DataFrame([rows | {"score": 0.5, "low": 0.25, "high": 0.75, "covered": 1234, "total": 5678}])
    lines = render(*score_tables(frame), colour=False).splitlines()
    assert lines[1].split() == ["model", "dataset", "score", "interval", "covered"]
    assert lines[3].split() == ["m", "d", "0.500", "0.250", "to", "0.750", "1,234", "/", "5,678"]


def test_results_can_go_to_a_file_whose_ending_names_the_format(cli, made, tmp_path):
    args = ["evaluate", made / "small.factors", "--similarity", made / "pairs.tsv"]
    for ending, style in (("csv", "csv"), ("json", "json"), ("md", "markdown"), ("txt", "table")):
        outcome = cli(*args, "-o", tmp_path / f"scores.{ending}")
        assert outcome.status == 0
        assert outcome.out == ""
        assert outcome.err.startswith(f"Wrote {tmp_path}/scores.{ending}: 1 score; ")
        assert (tmp_path / f"scores.{ending}").read_text() == cli(*args, "--format", style).out


def test_evaluate_passes_every_option(cli, made):
    outcome = cli(
        *(
            "evaluate",
            made / "small.counts",
            *gold(made),
            "--oov",
            "zero",
            "--case",
            "exact",
            "--method",
            "mul",
        ),
        *(
            "--controls",
            "--correlation",
            "pearson",
            "--resamples",
            "9",
            "--seed",
            "5",
        ),
        *(
            "--restrict-vocab",
            "33",
            "--threads",
            "1",
            "--shift",
            "1.2",
            "--smoothing",
            "1",
            "--format",
            "json",
        ),
    )
    vectors = read_vectors(made / "small.counts", shift=1.2, smoothing=1.0)
    similarity = pmifact.evaluate_similarity(
        vectors,
        made / "pairs.tsv",
        oov="zero",
        case="exact",
        correlation="pearson",
        resamples=9,
        seed=5,
    )
    analogy = pmifact.evaluate_analogy(
        vectors,
        made / "questions.txt",
        oov="zero",
        case="exact",
        method="mul",
        restrict_vocab=33,
        controls=True,
        resamples=9,
        seed=5,
    )
    rows = json.loads(outcome.out)
    assert [row["score"] for row in rows] == [*similarity["score"], *analogy["score"]]
    assert [rows[0]["low"], rows[0]["high"]] == [similarity["low"][0], similarity["high"][0]]


def test_model_options_apply_to_the_models_that_have_them(cli, made):
    outcome = cli(
        *("evaluate", made / "small.factors", made / "small.counts", "--similarity", made / "pairs.tsv"),
        *("--power", "0", "--shift", "1.2", "--format", "json"),
    )
    assert outcome.status == 0, outcome.err
    scores = [row["score"] for row in json.loads(outcome.out)]
    models = [read_vectors(made / "small.factors", power=0), read_vectors(made / "small.counts", shift=1.2)]
    assert scores == [pmifact.evaluate_similarity(model, made / "pairs.tsv")["score"][0] for model in models]


def test_controls_stand_in_a_table_of_their_own(cli, made):
    args = ["evaluate", made / "small.factors", "--analogy", made / "questions.txt", "--controls"]
    lines = cli(*args).out.splitlines()
    lines = lines[lines.index("Analogy, other methods") + 1 :]
    assert lines[0].split() == ["model,", "dataset,", "method", "score", "interval", "covered"]
    assert [re.sub(r" +\d.*", "", line) for line in lines[2:]] == [
        *("small", "  questions", "    add inputs-kept", "    only-b", "    ignore-a", "    add reversed")
    ]
    rows = json.loads(cli(*args, "--format", "json").out)
    table = pmifact.evaluate_analogy(
        read_vectors(made / "small.factors"), made / "questions.txt", controls=True, model="small"
    )
    assert pd.DataFrame(rows).equals(table)


def test_the_rules_of_hyperwords_stand_beside_the_right_ones(cli, made):
    args = ["evaluate", made / "small.factors", *gold(made), "--like", "hyperwords"]
    rows = json.loads(cli(*args, "--format", "json").out)
    vectors = read_vectors(made / "small.factors")
    expected = pd.concat(
        [
            pmifact.evaluate_similarity(vectors, made / "pairs.tsv", like="hyperwords", model="small"),
            pmifact.evaluate_analogy(vectors, made / "questions.txt", like="hyperwords", model="small"),
        ],
        ignore_index=True,
    )
    assert pd.DataFrame(rows).equals(expected)
    lines = cli(*args).out.splitlines()
    assert [line for line in lines if "spearman hyperwords" in line or "add hyperwords" in line]
    assert max(map(len, lines)) <= 80


def test_google_in_full_fits_a_terminal():
    rows = [("all", 19_544), ("macro", 19_544), ("semantic", 8_869), ("capital-common-countries", 506)]
    rows += [("syntactic", 10_675), ("gram6-nationality-adjective", 1_599)]
    rows.insert(3, rows.pop(4))
    base = {
        "model": "wikipedia-window5-shift5-rank300",
        "dataset": "questions-words",
        "task": "analogy",
        "method": "add",
        "score": 0.5,
    }
    frame = pd.DataFrame(
        [
            base | {"section": name, "low": 0.45, "high": 0.55, "covered": total, "total": total}
            for name, total in rows
        ]
    )
    lines = render(*score_tables(frame), colour=False).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) == 3 + 1 + 6


def test_items_go_to_a_file_of_their_own(cli, made, tmp_path):
    args = ["evaluate", made / "small.factors", "--similarity", made / "pairs.tsv"]
    outcome = cli(*args, "--items", tmp_path / "items", "-o", tmp_path / "scores.csv")
    assert outcome.err.startswith(f"Wrote {tmp_path}/items: 6 items; ")
    rows = list(csv.DictReader((tmp_path / "items").open()))
    expected = similarity_items(read_vectors(made / "small.factors"), made / "pairs.tsv", model="small")
    assert [row["word2"] for row in rows] == ["dog", "cheese", "sail", "anchor", "mast", "zebra"]
    for row, other in zip(rows, expected.to_dict("records"), strict=True):
        assert list(row) == list(other)
        cosine = other["cosine"]
        assert row["cosine"] == ("" if np.isnan(cosine) else str(cosine))
        assert row["covered"] == str(other["covered"])
    assert cli(*args, "--items", tmp_path / "items").status == 1
    both = cli(*args, "--analogy", made / "questions.txt", "--items", tmp_path / "both.json", "--quiet")
    assert both.status == 0
    rows = json.loads((tmp_path / "both.json").read_text())
    questions = analogy_items(read_vectors(made / "small.factors"), made / "questions.txt", model="small")
    assert len(rows) == 6 + len(questions)
    for row, other in zip(rows[6:], questions.to_dict("records"), strict=True):
        assert {name: row[name] for name in other if row[name] is not None} == {
            name: value for name, value in other.items() if value == value
        }
    assert json.loads(cli(*args, "--format", "json").out)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/w.factors"], ["w"]),
        (["a/w.factors", "b/v.bin"], ["w", "v"]),
        (["a/w.factors", "a/w.counts", "v.bin"], ["w.factors", "w.counts", "v"]),
        (["a/w.factors", "b/w.factors", "w.txt"], ["a/w.factors", "b/w.factors", "w.txt"]),
    ],
)
def test_models_have_the_shortest_names_that_tell_them_apart(paths, names):
    assert model_names(tuple(paths)) == names
