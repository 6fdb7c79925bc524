"""``pmifact compare``: tables, sentences and machine formats of comparisons."""

import json
import re

import pandas as pd
import pytest
from cli_samples import in_process, make_all

import pmifact
from pmifact.evaluation import compare_models
from pmifact.storage import read_vectors


@pytest.fixture
def cli(capsys):
    return lambda *args: in_process(capsys, *args)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the text, its gold sets, and an artifact of each stage."""
    return make_all(tmp_path_factory.mktemp("made"))


def args(made):
    return [
        *("compare", made / "small.factors", f"rows={made / 'small.counts'}"),
        *("--similarity", made / "pairs.tsv", "--analogy", made / "questions.txt", "--resamples", "49"),
    ]


def compared(made, **options):
    models = {"small": read_vectors(made / "small.factors"), "rows": read_vectors(made / "small.counts")}
    return compare_models(
        models,
        similarity=[made / "pairs.tsv"],
        analogy=[made / "questions.txt"],
        **{"resamples": 49, **options},
    )


def test_machine_formats_hold_every_digit_of_the_api(cli, made, tmp_path):
    outcome = cli(*args(made), "--format", "json")
    assert outcome.status == 0, outcome.err
    expected = compared(made)
    unknown = ["spread1", "spread2"]  # null, which pandas reads as an object
    shown = pd.DataFrame(json.loads(outcome.out))
    assert shown[unknown].isna().all(axis=None)
    assert shown.drop(columns=unknown).equals(expected.drop(columns=unknown))
    outcome = cli(*args(made), "-o", tmp_path / "x.csv")
    assert outcome.err.startswith(f"Wrote {tmp_path}/x.csv: 2 comparisons; ")
    assert list(pd.read_csv(tmp_path / "x.csv")) == list(expected)


def test_every_option_counts(cli, made):
    options = ["--correlation", "pearson", "--method", "mul", "--seed", "3", "--restrict-vocab", "33"]
    rows = json.loads(cli(*args(made), *options, "--case", "exact", "--format", "json").out)
    expected = compared(made, correlation="pearson", method="mul", seed=3, restrict_vocab=33, case="exact")
    for name in ("method", "score1", "score2", "low", "high", "items"):
        assert [row[name] for row in rows] == expected[name].tolist()


def test_people_get_a_table_and_a_sentence_for_each_pair(cli, made):
    page = cli(*args(made)).out
    lines = page.splitlines()
    assert lines[0] == "Differences, on the items that all models cover"
    assert lines[1].split() == ["dataset,", "models", "difference", "interval", "p", "p", "of", "the", "test"]
    assert (lines[3], lines[5]) == ("pairs", "questions")
    for line in lines[4], lines[6]:
        assert re.match(r"  small - rows +[+-]\d", line)
    assert max(map(len, lines)) <= 80
    _, notes, *verdicts = (" ".join(paragraph.split()) for paragraph in page.split("\n\n"))
    assert "McNemar, items taken as independent" in notes
    assert verdicts == compared(made).verdict.tolist()


def test_seeds_are_named_together(cli, made, tmp_path):
    second = tmp_path / "second.factors"
    vectors = [read_vectors(made / "small.factors")]
    assert cli("factorize", made / "small.counts", "-o", second, "--rank", "7", "--quiet").status == 0
    vectors.append(read_vectors(second))
    group = f"svd={made / 'small.factors'},{second}"
    call = ["compare", group, made / "small.counts", "--similarity", made / "pairs.tsv", "--resamples", "49"]
    (row,) = json.loads(cli(*call, "--format", "json").out)
    scores = [pmifact.evaluate_similarity(one, made / "pairs.tsv").score[0] for one in vectors]
    assert (row["model1"], row["model2"]) == ("svd", "small")
    assert row["score1"] == pytest.approx(sum(scores) / 2)
    assert row["p_test"] is None
    assert "Over seeds, svd on pairs spreads by 0." in cli(*call).out


@pytest.mark.parametrize(
    ("models", "said"),
    [
        (["x"], "at least two models"),
        (["x", "x"], "a MODEL is given twice"),
        (["x", "s=x,y"], "a MODEL is given twice"),
        (["x", "s=y,"], "empty NAME or MODEL"),
        (["x", "=y"], "empty NAME or MODEL"),
        (["s=x", "s=y"], "a NAME is given twice"),
    ],
)
def test_models_that_cannot_be_told_apart_are_wrong_usage(cli, models, said):
    outcome = cli("compare", *models, "--similarity", "z")
    assert outcome.status == 2
    assert said in outcome.err


def test_options_without_their_sets_are_wrong_usage(cli):
    for options in (
        [],
        ["--similarity", "z", "--method", "mul"],
        ["--analogy", "z", "--correlation", "pearson"],
    ):
        assert cli("compare", "x", "y", *options).status == 2
