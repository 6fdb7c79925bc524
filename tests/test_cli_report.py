"""``pmifact report``: from artifacts to one page."""

import json

import pytest
from cli_samples import in_process, make_all
from report_samples import Page


@pytest.fixture
def cli(capsys):
    return lambda *args: in_process(capsys, *args)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make_all(tmp_path_factory.mktemp("made"))


def gold(made):
    return "--similarity", made / "pairs.tsv", "--analogy", made / "questions.txt", "--resamples", 19


def test_a_report_of_every_kind_of_model(cli, made, tmp_path):
    page, vectors = tmp_path / "report.html", tmp_path / "vectors.txt"
    assert cli("export", made / "small.factors", "-o", vectors, "-q").status == 0
    models = (made / "small.factors", made / "small.counts", vectors)
    outcome = cli(
        "report", *models, "-o", page, *gold(made), "--search-words", 12, "-n", 3, "--map-words", 10
    )
    assert outcome.status == 0, outcome.err
    assert outcome.out == ""
    assert outcome.err.startswith(f"Wrote {page}: 3 models; ")
    read = Page(page.read_text())
    data = json.loads(read.scripts[0])
    assert data["models"] == ["small.factors", "small.counts", "vectors"]
    assert data["count"] == 12
    assert all(len(row) == 6 for rows in data["near"] for row in rows)
    for text in (
        "tokenizer",
        "window",
        "rank",
        "smoothing",
        "sha256",
        "Verdicts",
        "questions answered wrongly",
    ):
        assert text in read.words
    assert cli("report", made / "small.factors", "-o", page, "-q").status == 0
    assert "Verdicts" not in Page(page.read_text()).words


def test_a_model_with_several_powers(cli, made, tmp_path):
    page = tmp_path / "report.html"
    powers = ("--also-power", 0, "--also-power", 1, "--also-power", 0.5)
    outcome = cli("report", made / "small.factors", "-o", page, *gold(made), *powers, "-q")
    assert outcome.status == 0, outcome.err
    read = Page(page.read_text())
    assert json.loads(read.scripts[0])["models"] == [f"small, power {power}" for power in ("0.5", "0", "1")]
    assert "Scores against power" in [attributes.get("aria-label") for attributes in read.all("svg")]


def test_wrong_usage_is_told_before_the_work(cli, made, tmp_path):
    page = tmp_path / "report.html"
    for args, status, message in (
        ((made / "small.factors", made / "small.factors"), 2, "a MODEL is given twice"),
        ((made / "small.factors", "--method", "mul"), 2, "--method: has no effect without --analogy"),
        ((made / "small.counts", "--also-power", 0), 2, "--also-power: applies to a .factors MODEL only"),
        ((made / "small.factors", "--also-power", -1), 2, "expected a number"),
        ((made / "nothing",), 1, "there is no such file"),
    ):
        outcome = cli("report", *args, "-o", page)
        assert (outcome.status, message in outcome.err) == (status, True), outcome.err
    outcome = cli("report", made / "small.factors", "-o", tmp_path / "report.txt")
    assert (outcome.status, "named .html" in outcome.err) == (1, True)
    page.write_text("mine")
    outcome = cli("report", made / "small.factors", "-o", page)
    assert (outcome.status, page.read_text()) == (1, "mine")
